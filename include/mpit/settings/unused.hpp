// SPDX-License-Identifier: BSD-3-Clause
// Lists settings that no control variable has used. The list is made only on request, because a library that is
// loaded later may still use a setting.
//
//   for_each_unused(registry, [](const unused_setting& setting) { … setting.name … setting.nearest … });
#pragma once

#include <mpit/config/resolver.hpp> // IWYU pragma: export
#include <mpit/core/spelling.hpp>

namespace mpit::inline v1_0 {

// A setting whose name no control variable has or had. The text `nearest` is valid only during the call that receives
// the setting. The texts `name`, `value` and `place` are valid for the life of the process.
struct unused_setting {
    core::text name, value; // name and value of the setting
    core::text place;       // location of the setting, such as "mympi.conf:12"
    core::text nearest;     // name that was probably meant, or an empty text
};

namespace MPIT_MODULE_LOCAL settings {

// The name of a control variable that is most similar to the name of a setting, or an empty name if none is similar.
class nearest_name {
public:
    [[gnu::cold]] nearest_name(const registry::process_registry& registry, core::text setting_name) noexcept
        : setting_name_{setting_name} {
        const core::read_guard guard;
        registry.pending_trees.each([&](const registry::pending_tree& pending) {
            if (pending.state.load(core::seq_cst) != registry::pending_tree::pending) return;
            descriptor::for_each_item(*pending.tree.load(), [&](const descriptor::item& item) {
                if (item.item_kind == descriptor::kind::control) compare(static_cast<const descriptor::control&>(item));
            });
        });
        for (int i = 0, end = registry.count(descriptor::kind::control); i < end; i++) {
            const registry::variable_record& record = *registry.variable(descriptor::kind::control, i);
            const auto* live = static_cast<const descriptor::control*>(record.live.load());
            if (live != nullptr) compare(*live);
            else compare(record.name, record.name);
        }
    }
    core::text name() const noexcept { return {buffer_, length_}; }

private:
    // Compares all names of a variable, because a configuration file may contain a name that only the environment uses.
    [[gnu::cold]] void compare(const descriptor::control& variable) noexcept {
        compare(variable.name, variable.name);
        if (variable.has_only_its_name) return;
        for (descriptor::environment_name_cursor names{variable}; names.next();) compare(variable.name, names.name());
    }
    void compare(core::text name, core::text alias) noexcept {
        const int distance = core::misspelling(setting_name_, alias);
        if (distance >= distance_ || name.length > core::longest_name) return;
        distance_ = distance;
        length_ = name.length;
        std::memcpy(buffer_, name.characters, name.length);
        buffer_[length_] = '\0';
    }
    core::text setting_name_;
    int distance_ = core::largest_misspelling + 1; // edit distance in letters
    std::uint32_t length_ = 0;
    char buffer_[core::longest_name + 1]{};
};

// Calls `use` with the unused settings in the order of addition. Ignores hints, because most hints are meant for MPI.
template <class Use>
[[gnu::cold]] void for_each_unused(const registry::process_registry& registry, const Use& use) noexcept {
    for (std::uint32_t last = 0;;) {
        const registry::setting* next = nullptr;
        registry::for_each_setting(registry.settings, [&](const registry::setting& setting) {
            if (setting.sequence_number > last && setting.origin != origin::info && !setting.is_known.load() &&
                (next == nullptr || setting.sequence_number < next->sequence_number))
                next = &setting;
        });
        if (next == nullptr) return;
        last = next->sequence_number;
        const nearest_name nearest{registry, next->name};
        use(unused_setting{next->name, next->value, next->place, nearest.name()});
    }
}

} // namespace settings
} // namespace mpit
