// SPDX-License-Identifier: BSD-3-Clause
// Publishes pending trees and reports what their authors and the user of the program should know. A tree without a
// pending entry is published at once.
//
//   publish_tree(registry, pending_tree, reports);   register_tree(tree, "the owner");
#pragma once

#include <mpit/config/environment.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/file.hpp>
#include <mpit/module/unload_tree.hpp>
#include <mpit/registry/tree_publisher.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The owner of a declaration, with its shared object, for reports.
class place_of {
public:
    [[gnu::cold]] explicit place_of(text owner, const char* module = name_of_module) noexcept {
        add(owner);
        add(" in ");
        add(words_for_module(module));
    }
    place_of(const place_of&) = delete;
    operator text() const noexcept { return {room_, length_}; }

private:
    void add(text part) noexcept {
        const std::uint32_t left = sizeof room_ - 1 - length_, size = part.length < left ? part.length : left;
        std::memcpy(room_ + length_, part.characters, size);
        room_[length_ += size] = '\0';
    }

    std::uint32_t length_ = 0;
    char room_[600];
};

// Returns false without memory; then a part of the tree, or nothing of it, is seen by tools until it enters again.
[[gnu::cold]] inline bool publish_tree(process_registry& registry, pending_tree& a, report_list& reports) noexcept {
    const place_of place{a.owner, a.module};
    descriptor::for_each_item(*a.tree.load(), descriptor::item_visit{[](descriptor::item& each) {
        if (each.item_kind == kind::control) keep_late_initial(static_cast<descriptor::control&>(each));
    }});
    report_list of_entry;
    const bool is_whole = tree_publisher{registry, *a.tree.load(), place, of_entry}.publish(a.published_batch);
    reports.take(of_entry);
    if (!is_whole) reports.add("no memory to register all variables of %s", text{place}.characters);
    return is_whole;
}

// A tree that is not pending. Returns false without memory; then all of the tree works for its author, and a part or
// nothing of it is seen by tools. Records refer to texts that are in `texts`.
[[gnu::cold]] inline bool publish_at_once(process_registry& registry, descriptor::category& tree, text owner,
                                          text_blocks* texts = nullptr) noexcept {
    report_list reports;
    read_named_files(registry, reports);
    const environment_filter filter;
    const std::uint32_t wanted = registry.settings.resolutions.load(core::sequential);
    descriptor::for_each_item(tree, descriptor::item_visit{[&](descriptor::item& each) {
        if (each.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(each);
        const bool has_more_to_say = filter.may_be_set(variable) && take_from_environment(variable, filter);
        if (has_adopted_value(variable)) registry.has_adopted_values.store(1);
        if (has_more_to_say || has_setting(registry.settings, variable))
            resolver{registry, variable, true, reports}.resolve_setting(false);
    }});
    report_misspelt_names(registry, tree, reports);
    const bool is_whole = tree_publisher{registry, tree, owner, reports, texts}.publish();
    if (registry.settings.resolutions.load(core::sequential) != wanted)
        resolve_setting(registry, reports); // trees that became pending meanwhile did not see it
    reports.send(registry.reports_to.load());
    return is_whole;
}

// A tree of the program's own that lives as long as the program.
[[gnu::cold]] inline void register_tree(descriptor::category& tree, text owner) noexcept {
    process_registry* registry = the_registry();
    const place_of place{owner};
    if (registry == nullptr || !at_unloading(*registry, &unload_tree, &tree) ||
        !publish_at_once(*registry, tree, place))
        report(registry == nullptr ? nullptr : registry->reports_to.load(), "no memory to register all variables of %s",
               text{place}.characters);
}

} // namespace registry
} // namespace mpit
