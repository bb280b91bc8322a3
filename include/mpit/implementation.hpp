// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that public headers only declare. If all files of a shared object or a program are compiled
// with -DMPIT_SEPARATE_COMPILATION=1, one of the files includes this header. If MPIT_SEPARATE_COMPILATION is 0,
// <mpit/end.hpp> includes this header.
//
//   #include <mpit/implementation.hpp>   // in a file of its own, or in the file with <mpit/mpi_t.hpp>
#pragma once

#include <mpit/begin.hpp>

#include <mpit/concurrency/shard_walks.hpp>      // IWYU pragma: export
#include <mpit/core/read_number.hpp>             // IWYU pragma: export
#include <mpit/descriptor/control_functions.hpp> // IWYU pragma: export
#include <mpit/event/raise.hpp>                  // IWYU pragma: export
#include <mpit/module/adopted_variables.hpp>     // IWYU pragma: export
#include <mpit/module/before_tools.hpp>
#include <mpit/module/discovery.hpp> // IWYU pragma: export
#include <mpit/module/load.hpp>      // IWYU pragma: export
#include <mpit/report_handler.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// The last report handler that this shared object has set. The handler is removed when the shared object is unloaded.
inline constinit atomic<report_handler> handler_of_module{nullptr};

// Runs when dlclose() unloads a shared object that has passed a function to before_tools(). Removes the function.
[[gnu::cold]] inline void remove_tool_hook(void* hook) noexcept {
    process_registry* const registry = cached_registry.load();
    if (registry == nullptr || registry->tool_hooks.remove(*static_cast<tool_hook*>(hook))) return;
    report(
        registry->reports_to.load(),
        "a thread has been in a function of before_tools for a second while %s is unloaded; unload it after the call",
        display_name());
}

MPIT_INLINE result add_tool_hook(int (*function)(void*), void* data) noexcept {
    process_registry* const registry = the_registry();
    tool_hook* const hook = registry == nullptr ? nullptr : registry->tool_hooks.add(registry->memory, function, data);
    if (hook == nullptr) return result::out_of_memory;
    if (!at_unloading(*registry, &remove_tool_hook, hook)) {
        static_cast<void>(registry->tool_hooks.remove(*hook));
        return result::out_of_memory;
    }
    return registry->tool_hooks.has_tool() && registry->tool_hooks.run() != 0 ? result::cannot_initialize
                                                                              : result::success;
}

} // namespace registry
} // namespace mpit

MPIT_INLINE void mpit::set_report_handler(report_handler handler) noexcept {
    registry::process_registry* const process = registry::the_registry();
    if (process == nullptr) return;
    const auto remove_handler = [](void* data) noexcept {
        static_cast<registry::process_registry*>(data)->reports_to.compare_and_set(registry::handler_of_module.load(),
                                                                                   nullptr);
    };
    if (handler != nullptr && registry::handler_of_module.exchange(handler) == nullptr)
        registry::at_unloading(*process, remove_handler, process);
    process->reports_to.store(handler);
}

#include <mpit/end.hpp>
