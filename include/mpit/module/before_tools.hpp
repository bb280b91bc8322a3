// SPDX-License-Identifier: BSD-3-Clause
// A function that runs when the first tool comes. It describes variables that no program without a tool pays for.
//
//   int describe(void*) noexcept { parameters = new mpit::dynamic{"fabric", "Parameters"}; …; return MPI_SUCCESS; }
//   const mpit::result is_added = mpit::before_tools(&describe);
#pragma once

#include <mpit/module/registered.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Runs it at once if a tool is there. (implementation.hpp)
[[gnu::cold]] result add_tool_hook(int (*function)(void*), void* data) noexcept;

} // namespace registry

// Calls `function(data)` once, in the first MPI_T_init_thread of the process, before it answers; also before the first
// use of a reader of mpit (<mpit/tool.hpp>, <mpit/ranges.hpp>) or of mpit-info. The function may describe and publish
// variables (mpit::dynamic), read files, allocate, and use this interface itself. 0 means that it has succeeded. Any
// other value is an error code of the runtime: MPI_T_init_thread returns it and initializes nothing, and the next one
// calls the function again. Functions are called in the order in which they were added; other threads that initialize
// wait until they have returned, so that a function must not wait for such a thread. If a tool is there already, as
// after dlopen(), the function is called at once, in this call. It is not called after its shared object is unloaded.
// Costs some hundred instructions and no system call. Any thread may call this, not in a signal handler.
// MPI_T_ERR_MEMORY without memory, MPI_T_ERR_CANNOT_INIT if the function was called at once and has refused.
template <class Module = void>
MPIT_MODULE_LOCAL [[nodiscard]] result before_tools(int (*function)(void*), void* data = nullptr) noexcept {
    static_cast<void>(registry::start_of_module<Module>::type::registry);
    return registry::add_tool_hook(function, data);
}

} // namespace mpit
