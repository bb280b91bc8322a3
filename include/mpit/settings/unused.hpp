// SPDX-License-Identifier: BSD-3-Clause
// Settings that no control variable has used. A library that is loaded later may still use them, so that they are
// listed on request only.
//
//   for_each_unused(registry, [](const unused_setting& each) { … each.name … each.nearest … });
#pragma once

#include <mpit/config/resolver.hpp> // IWYU pragma: export
#include <mpit/core/spelling.hpp>

namespace mpit::inline v0_1 {

// A value that was given to a name that no control variable has, or had before. The nearest name stays while the
// function that is shown it runs, all others for ever.
struct unused_setting {
    core::text name, value;
    core::text place;   // "mympi.conf:12", "argument 2"
    core::text nearest; // the name that was probably meant; empty if none is near
};

namespace MPIT_MODULE_LOCAL settings {

// The control variable whose name is nearest, as a copy of no more than fits.
class nearest_name {
public:
    [[gnu::cold]] nearest_name(const registry::process_registry& registry, core::text written) noexcept
        : written_{written} {
        const core::read_guard guard;
        registry.pending_trees.each([&](const registry::pending_tree& a) {
            if (a.state.load(core::sequential) != registry::pending_tree::pending) return;
            descriptor::for_each_item(*a.tree.load(), [&](const descriptor::item& each) {
                if (each.item_kind == descriptor::kind::control) compare(static_cast<const descriptor::control&>(each));
            });
        });
        for (int i = 0, end = registry.count(descriptor::kind::control); i < end; i++) {
            const registry::variable_record& record = *registry.variable(descriptor::kind::control, i);
            const auto* live = static_cast<const descriptor::control*>(record.live.load());
            if (live != nullptr) compare(*live);
            else compare(record.name, record.name);
        }
    }
    core::text name() const noexcept { return {room_, length_}; }

private:
    // A name that only the environment has may stand in a file as well.
    [[gnu::cold]] void compare(const descriptor::control& variable) noexcept {
        compare(variable.name, variable.name);
        if (variable.has_one_name) return;
        for (descriptor::asked_names each{variable}; each.next();) compare(variable.name, each.name());
    }
    void compare(core::text name, core::text alias) noexcept {
        const int letters = core::misspelling(written_, alias);
        if (letters >= least_ || name.length > core::longest_name) return;
        least_ = letters;
        length_ = name.length;
        std::memcpy(room_, name.characters, name.length);
        room_[length_] = '\0';
    }
    core::text written_;
    int least_ = core::largest_misspelling + 1;
    std::uint32_t length_ = 0;
    char room_[core::longest_name + 1]{};
};

// In the order in which they were added. Keys of info objects are not among them: most belong to others.
template <class Use>
[[gnu::cold]] void for_each_unused(const registry::process_registry& registry, const Use& use) noexcept {
    for (std::uint32_t last = 0;;) {
        const registry::setting* next = nullptr;
        registry::each_setting(registry.settings, [&](const registry::setting& g) {
            if (g.number > last && g.source != origin::info && !g.is_known.load() &&
                (next == nullptr || g.number < next->number))
                next = &g;
        });
        if (next == nullptr) return;
        last = next->number;
        const nearest_name near{registry, next->name};
        use(unused_setting{next->name, next->value, next->place, near.name()});
    }
}

} // namespace settings
} // namespace mpit
