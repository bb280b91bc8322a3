// SPDX-License-Identifier: BSD-3-Clause
// Adds functions that run when the first tool initializes the interface. Without a tool the functions never run.
//
//   int describe(void*) noexcept { parameters = new mpit::dynamic{"fabric", "Parameters"}; …; return MPI_SUCCESS; }
//   const mpit::result is_added = mpit::before_tools(&describe);
#pragma once

#include <mpit/module/registered.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Implements mpit::before_tools(). The file implementation.hpp defines add_tool_hook().
[[gnu::cold]] result add_tool_hook(int (*function)(void*), void* data) noexcept;

} // namespace registry

// Adds a function that runs once, before the first MPI_T_init_thread of the process returns. The function also runs
// before the first use of <mpit/tool.hpp>, <mpit/ranges.hpp> or mpit-info. The function may describe and publish
// variables (mpit::dynamic), read files, allocate memory and call the tool interface. The function returns 0 or an
// error code. If the function returns an error code, MPI_T_init_thread returns this code and initializes nothing. The
// next MPI_T_init_thread calls the function again. Functions run in the order in which they were added. A function must
// not wait for another thread in MPI_T_init_thread, because those threads wait for the functions. If a tool has already
// initialized the interface, before_tools() itself calls the function. A function does not run after its shared object
// is unloaded. A call of before_tools() costs some hundred instructions and no system call. Any thread may call
// before_tools(), but no signal handler may. Returns MPI_T_ERR_MEMORY if memory is exhausted. Returns
// MPI_T_ERR_CANNOT_INIT if before_tools() itself has called the function and the function has failed.
template <class Module = void>
MPIT_MODULE_LOCAL [[nodiscard]] result before_tools(int (*function)(void*), void* data = nullptr) noexcept {
    static_cast<void>(registry::start_of_module<Module>::type::registry);
    return registry::add_tool_hook(function, data);
}

} // namespace mpit
