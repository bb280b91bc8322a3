// SPDX-License-Identifier: BSD-3-Clause
// Functions that run when the first tool initializes the interface: programs without a tool do not pay for them.
//
//   int describe(void*) noexcept { parameters = new mpit::dynamic{"fabric", "Parameters"}; …; return MPI_SUCCESS; }
//   const mpit::result is_added = mpit::before_tools(&describe);
#pragma once

#include <mpit/module/registered.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Runs the function at once if a tool has initialized the interface. (implementation.hpp)
[[gnu::cold]] result add_tool_hook(int (*function)(void*), void* data) noexcept;

} // namespace registry

// Calls `function(data)` once, in the first MPI_T_init_thread of the process, before it returns; also before the first
// use of a reader of mpit (<mpit/tool.hpp>, <mpit/ranges.hpp>) or of mpit-info. The function may describe and publish
// variables (mpit::dynamic), read files, allocate, and use this interface itself. It returns 0 for success. Any other
// value is an error code of the runtime: MPI_T_init_thread returns it and initializes nothing, and the next call of it
// calls the function again. Functions are called in the order in which they were added; other threads that initialize
// wait until they have returned, so a function must not wait for such a thread. If a tool has initialized before, as
// often before a dlopen(), this call itself calls the function. It is not called after its shared object is unloaded.
// Costs some hundred instructions and no system call. Any thread may call this, not in a signal handler. Returns
// MPI_T_ERR_MEMORY if memory is exhausted, MPI_T_ERR_CANNOT_INIT if this call has called the function, which refused.
template <class Module = void>
MPIT_MODULE_LOCAL [[nodiscard]] result before_tools(int (*function)(void*), void* data = nullptr) noexcept {
    static_cast<void>(registry::start_of_module<Module>::type::registry);
    return registry::add_tool_hook(function, data);
}

} // namespace mpit
