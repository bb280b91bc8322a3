// SPDX-License-Identifier: BSD-3-Clause
// The common part of the shims: the mpi.h whose types and constants they use, the names under which functions are
// exported, handles and OUT arguments.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header; mpit/mpi_t.h if nothing is said
//   #define MPIT_C_PREFIX LCI_T_         // other names than MPI_T_ and PMPI_T_
#pragma once

#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep
#include <mpit/session/library.hpp>

// As in mpit/mpi_t.h. For the library's own use.
#ifndef MPIT_C_PREFIX
#define MPIT_C_PREFIX MPI_T_
#endif
// For the library's own use.
#ifndef MPIT_C_PLAIN
#define MPIT_C_PLAIN(name) MPIT_C_JOIN(MPIT_C_PREFIX, name)
#define MPIT_C_PROFILED(name) MPIT_C_JOIN(P, MPIT_C_PLAIN(name))
#endif
#define MPIT_C_TEXT_EXPANDED(name) #name
#define MPIT_C_TEXT(name) MPIT_C_TEXT_EXPANDED(name)

#if !defined(MPI_VERSION) && MPIT_C_HAS_PREFIX
static_assert(
    !mpit::core::equal_in_the_compiler(MPIT_C_TEXT(MPIT_C_PREFIX), "MPI_T_"),
    "MPI_T_ is the prefix of the standard: leave MPIT_C_PREFIX undefined, so that calls are passed on to an MPI");
#endif

// Opens the definition of a function under its profiling name, with the plain name as its weak alias: a tool may define
// the plain one itself and call the other. Both are weak, so several source files of one library may include the shims.
#define MPIT_C_FUNCTION_NAMED(plain, profiled, parameters)                                                             \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(profiled))]] int plain parameters;      \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int profiled parameters
#define MPIT_C_INFO_FUNCTION(name, parameters)                                                                         \
    MPIT_C_FUNCTION_NAMED(MPIT_C_INFO_PLAIN(name), MPIT_C_INFO_PROFILED(name), parameters)

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

MPIT_MODULE_LOCAL inline session::library& tools() noexcept { return session::the_library; }
MPIT_MODULE_LOCAL inline bool is_initialized() noexcept { return tools().is_initialized(); }
MPIT_MODULE_LOCAL inline registry::process_registry& names() noexcept { return tools().names(); }
using core::text_pair;
using descriptor::kind;

// Stores through an OUT argument, unless the caller does not want it.
template <class T, class U> void put(T* target, U value) noexcept {
    if (target != nullptr) *target = value;
}

// Handles are words of the library in the shape of a pointer.
template <class Handle> std::uint64_t word_of(Handle handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle);
}
template <class Handle> Handle handle_of(std::uint64_t word) noexcept { return reinterpret_cast<Handle>(word); }

} // namespace mpi_t
} // namespace mpit
