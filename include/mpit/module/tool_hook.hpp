// SPDX-License-Identifier: BSD-3-Clause
// Adds a function that runs when the first tool comes, and removes it when its shared object is unloaded.
//
//   const result is_added = add_tool_hook(&describe, data);
#pragma once

#include <mpit/module/before_tools.hpp>
#include <mpit/module/unload.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Runs when the shared object of a function is unloaded by dlclose().
[[gnu::cold]] MPIT_MODULE_LOCAL inline void remove_tool_hook(void* of_this_module) noexcept {
    process_registry* const registry = known_registry.load();
    if (registry == nullptr || registry->tool_hooks.remove(*static_cast<tool_hook*>(of_this_module))) return;
    report(registry->reports_to.load(), "a thread has been in a function of before_tools for a second while %s is being unloaded",
           words_for_module());
}

MPIT_MODULE_LOCAL MPIT_ONCE result add_tool_hook(int (*function)(void*), void* data) noexcept {
    process_registry* const registry = the_registry();
    tool_hook* const hook =
        registry == nullptr ? nullptr : registry->tool_hooks.add(registry->memory, function, data);
    if (hook == nullptr) return result::out_of_memory;
    if (!at_unloading(*registry, &remove_tool_hook, hook)) {
        static_cast<void>(registry->tool_hooks.remove(*hook));
        return result::out_of_memory;
    }
    return registry->tool_hooks.has_come() && registry->tool_hooks.run() != 0 ? result::cannot_initialize : result::success;
}

} // namespace registry
} // namespace mpit
