// SPDX-License-Identifier: BSD-3-Clause
// A function that runs when the first tool comes. It describes variables that no program without a tool pays for.
//
//   int describe(void*) noexcept { parameters = new mpit::dynamic{"fabric", "Parameters"}; …; return MPI_SUCCESS; }
//   const mpit::result is_added = mpit::before_tools(&describe);
#pragma once

#include <mpit/module/load.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Runs when the shared object of a function is unloaded by dlclose().
[[gnu::cold]] MPIT_MODULE_LOCAL inline void remove_tool_hook(void* of_this_module) noexcept {
    process_registry* const registry = known_registry.load();
    if (registry == nullptr || registry->tool_hooks.remove(*static_cast<tool_hook*>(of_this_module))) return;
    report(registry->reports_to.load(), "a thread has been in a function of before_tools for a second while %s is being unloaded",
           name_of_module);
}

} // namespace registry

// Calls `function(data)` once, in the first MPI_T_init_thread of the process, before it answers; also before the first use of
// a reader of mpit (<mpit/tool.hpp>, <mpit/ranges.hpp>) or of mpit-info. The function may describe and publish variables
// (mpit::dynamic), read files, allocate, and use this interface itself. 0 means that it has succeeded. Any other value is an
// error code of the runtime: MPI_T_init_thread returns it and initializes nothing, and the next one calls the function again.
// Functions are called in the order in which they were added; other threads that initialize wait until they have returned, so
// that a function must not wait for such a thread. If a tool is there already, as after dlopen(), the function is called at
// once, in this call. It is not called after its shared object is unloaded.
// Costs some hundred instructions and no system call. Any thread may call this, not in a signal handler.
// MPI_T_ERR_MEMORY without memory, MPI_T_ERR_CANNOT_INIT if the function was called at once and has refused.
template <class Module = void>
MPIT_MODULE_LOCAL [[nodiscard]] result before_tools(int (*function)(void*), void* data = nullptr) noexcept {
    static_cast<void>(registry::start_of_module<Module>::type::registry);
    registry::process_registry* const registry = registry::the_registry();
    registry::tool_hook* const hook =
        registry == nullptr ? nullptr : registry->tool_hooks.add(registry->memory, function, data);
    if (hook == nullptr) return result::out_of_memory;
    if (!registry::at_unloading(*registry, &registry::remove_tool_hook, hook)) {
        static_cast<void>(registry->tool_hooks.remove(*hook));
        return result::out_of_memory;
    }
    return registry->tool_hooks.has_come() && registry->tool_hooks.run() != 0 ? result::cannot_initialize : result::success;
}

} // namespace mpit

#pragma GCC diagnostic pop
