// SPDX-License-Identifier: BSD-3-Clause
// Publishes trees of variables to tools. publish_tree() publishes a pending tree, and publish_now() any other tree.
//
//   publish_tree(registry, pending_tree, reports);   register_tree(tree, "the owner");
#pragma once

#include <mpit/config/environment.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/file.hpp>
#include <mpit/module/unload_tree.hpp>
#include <mpit/registry/tree_publisher.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// The text by which reports name a tree, such as "p2p_variables in libp2p.so".
class owner_in_module {
public:
    [[gnu::cold]] explicit owner_in_module(text owner, const char* module = name_of_module) noexcept {
        add(owner);
        add(" in ");
        add(display_name(module));
    }
    owner_in_module(const owner_in_module&) = delete;
    operator text() const noexcept { return {buffer_, length_}; }

private:
    void add(text part) noexcept {
        const std::uint32_t left = sizeof buffer_ - 1 - length_, size = part.length < left ? part.length : left;
        std::memcpy(buffer_ + length_, part.characters, size);
        buffer_[length_ += size] = '\0';
    }

    std::uint32_t length_ = 0;
    char buffer_[600];
};

// Publishes a pending tree of variables. Returns false, and publishes only a part of the tree, if memory is exhausted.
[[gnu::cold]] inline bool publish_tree(process_registry& registry, pending_tree& pending,
                                       report_list& reports) noexcept {
    const owner_in_module owner{pending.owner, pending.module};
    descriptor::for_each_item(*pending.tree.load(), descriptor::item_visit{[](descriptor::item& item) {
        if (item.item_kind == kind::control) adopt_late_initial_value(static_cast<descriptor::control&>(item));
    }});
    report_list batch_reports;
    const bool is_complete =
        tree_publisher{registry, *pending.tree.load(), owner, batch_reports}.publish(pending.published_entry);
    reports.take(batch_reports);
    if (!is_complete)
        reports.add("memory is exhausted: not all variables of %s are registered", text{owner}.characters);
    return is_complete;
}

// Publishes a tree of variables that is not in the list of pending trees. The records for tools refer to the texts in
// `texts` and do not copy the texts. Returns false if memory is exhausted. If publish_now() fails, tools see only some
// variables or none, but all variables still work for their library.
[[gnu::cold]] inline bool publish_now(process_registry& registry, descriptor::category& tree, text owner,
                                      text_blocks* texts = nullptr) noexcept {
    report_list reports;
    read_named_files(registry, reports);
    const environment_filter filter;
    const std::uint32_t resolutions = registry.settings.resolutions.load(core::seq_cst);
    descriptor::for_each_item(tree, descriptor::item_visit{[&](descriptor::item& item) {
        if (item.item_kind != kind::control) return;
        auto& variable = static_cast<descriptor::control&>(item);
        const bool has_report = filter.may_be_set(variable) && take_from_environment(variable, filter);
        if (has_adopted_value(variable)) registry.has_adopted_values.store(1);
        if (has_report || has_setting(registry.settings, variable))
            resolver{registry, variable, true, reports}.resolve(false);
    }});
    report_misspelled_names(registry, tree, reports);
    const bool is_complete = tree_publisher{registry, tree, owner, reports, texts}.publish();
    if (registry.settings.resolutions.load(core::seq_cst) != resolutions)
        apply_settings(registry, reports); // a concurrent resolution may have missed the tree
    reports.send(registry.reports_to.load());
    return is_complete;
}

// Publishes a tree of variables. Makes dlclose() unregister the tree when this shared object is unloaded.
[[gnu::cold]] inline void register_tree(descriptor::category& tree, text name) noexcept {
    process_registry* registry = the_registry();
    const owner_in_module owner{name};
    if (registry == nullptr || !at_unloading(*registry, &unload_tree, &tree) || !publish_now(*registry, tree, owner))
        report(registry == nullptr ? nullptr : registry->reports_to.load(),
               "memory is exhausted: not all variables of %s are registered", text{owner}.characters);
}

} // namespace registry
} // namespace mpit
