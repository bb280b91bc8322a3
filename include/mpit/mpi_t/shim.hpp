// SPDX-License-Identifier: BSD-3-Clause
// The common part of the shims: the mpi.h whose types and constants they use, their names, and the translation of an
// answer to a return code.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header; mpit/mpi_t.h if nothing is said
//   #define MPIT_C_PREFIX LCI_T_         // other names than MPI_T_ and PMPI_T_
#pragma once

#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep
#include <mpit/session/library.hpp>

// Whether the functions pass calls on to a real MPI of the process: those of a library without an mpi.h that have the names of
// the standard.
#if defined(MPI_VERSION) || MPIT_C_HAS_PREFIX || defined(MPIT_C_IS_OWN)
#define MPIT_C_PASSES_ON 0
#else
#define MPIT_C_PASSES_ON 1
#endif
#if MPIT_C_PASSES_ON
#include <mpit/mpi_t/passing_on.hpp> // IWYU pragma: keep
#endif

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
#define MPIT_C_STACKED_FUNCTION(name, parameters)                                                                      \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters)

// MPIT_C_FUNCTION(name, parameters, arguments) opens the body of a function of the interface, which runs while the interface
// is initialized. MPIT_C_EPOCH_FUNCTION opens one that runs in any case. The functions around the body differ. The compiler
// would copy arguments on the stack for an inlined body, so that one with more than six begins with MPIT_C_WHILE_OPEN itself.
// MPIT_C_QUICK_FUNCTION evaluates `quick`, which returns true if it has made the call with a valid handle, and so of an initialized interface,
// and has put the answer into `code`. The body is for the other calls, and a function of its own, so that the first one saves no registers.
#define MPIT_C_BODY(name, parameters)                                                                                  \
    namespace mpit::inline v0_1::served {                                                                              \
    [[gnu::always_inline]] MPIT_MODULE_LOCAL inline int name parameters;                                               \
    }
#define MPIT_C_QUICKLY(name, arguments, quick)                                                                         \
    int code = MPI_SUCCESS;                                                                                            \
    if (quick) [[likely]]                                                                                              \
        return code;                                                                                                   \
    return mpit::last::name arguments;
#define MPIT_C_LAST(name, parameters, answer)                                                                          \
    namespace mpit::inline v0_1::last {                                                                                \
    [[gnu::noinline]] MPIT_MODULE_LOCAL inline int name parameters { return answer; }                                  \
    }
#ifdef MPIT_C_IS_OWN
// Shims on top of a host need the functions without these names (mpit/host/local_api.hpp).
#define MPIT_C_OWN_FUNCTION(name, parameters, guard, arguments)                                                        \
    MPIT_C_BODY(name, parameters)                                                                                      \
    namespace mpit::inline v0_1::own {                                                                                 \
    MPIT_MODULE_LOCAL inline int name parameters { guard return served::name arguments; }                              \
    }                                                                                                                  \
    inline int mpit::served::name parameters
#define MPIT_C_FUNCTION(name, parameters, arguments) MPIT_C_OWN_FUNCTION(name, parameters, MPIT_C_GUARD, arguments)
#define MPIT_C_QUICK_FUNCTION(name, parameters, arguments, quick)                                                      \
    MPIT_C_OWN_FUNCTION(name, parameters, int code = MPI_SUCCESS; if (quick) return code; MPIT_C_GUARD, arguments)
#define MPIT_C_EPOCH_FUNCTION(name, action, parameters, arguments) MPIT_C_OWN_FUNCTION(name, parameters, , arguments)
#define MPIT_C_LONG_FUNCTION(name, parameters, arguments)                                                              \
    namespace mpit::inline v0_1::own {                                                                                 \
    MPIT_MODULE_LOCAL int name parameters;                                                                             \
    }                                                                                                                  \
    inline int mpit::own::name parameters
#define MPIT_C_WHILE_OPEN(name, arguments) MPIT_C_GUARD
#elif MPIT_C_PASSES_ON
// The plain name passes calls on to the plain name of an MPI, the profiling name to the profiling name. The alias is the
// function of this shared object, whoever else defines the plain name.
#define MPIT_C_PASSED_FUNCTION(exported, name, parameters, arguments)                                                  \
    namespace mpit::inline v0_1::passed {                                                                              \
    MPIT_MODULE_LOCAL inline constinit mpi_t::passed_function next_##name{};                                           \
    [[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL inline int name parameters {                                        \
        const auto next = mpi_t::next_function<int parameters>(next_##name, MPIT_C_TEXT(exported));                           \
        return next != nullptr ? next arguments : int{MPI_T_ERR_NOT_INITIALIZED};                                      \
    }                                                                                                                  \
    }
#define MPIT_C_HERE(name, parameters)                                                                                  \
    extern "C" [[gnu::visibility("hidden"), gnu::weak,                                                                 \
                 gnu::alias(MPIT_C_TEXT(MPIT_C_PLAIN(name)))]] int mpit_here_##name parameters;
#define MPIT_C_ENTRIES(name, parameters, arguments)                                                                    \
    MPIT_C_PASSED_FUNCTION(MPIT_C_PLAIN(name), name, parameters, arguments)                                            \
    MPIT_C_PASSED_FUNCTION(MPIT_C_PROFILED(name), profiled_##name, parameters, arguments)                              \
    MPIT_C_HERE(name, parameters)                                                                                      \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PROFILED(name) parameters {                        \
        if (!mpit::mpi_t::is_initialized()) [[unlikely]]                                                                   \
            return mpit::passed::profiled_##name arguments;                                                            \
        return mpit_here_##name arguments;                                                                             \
    }
#define MPIT_C_FUNCTION(name, parameters, arguments)                                                                   \
    MPIT_C_BODY(name, parameters)                                                                                      \
    MPIT_C_ENTRIES(name, parameters, arguments)                                                                        \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PLAIN(name) parameters {                           \
        if (!mpit::mpi_t::is_initialized()) [[unlikely]]                                                                   \
            return mpit::passed::name arguments;                                                                       \
        return mpit::served::name arguments;                                                                           \
    }                                                                                                                  \
    inline int mpit::served::name parameters
#define MPIT_C_QUICK_FUNCTION(name, parameters, arguments, quick)                                                      \
    MPIT_C_BODY(name, parameters)                                                                                      \
    MPIT_C_ENTRIES(name, parameters, arguments)                                                                        \
    MPIT_C_LAST(name, parameters, mpit::mpi_t::is_initialized() ? served::name arguments : passed::name arguments)     \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PLAIN(name) parameters {                           \
        MPIT_C_QUICKLY(name, arguments, quick)                                                                         \
    }                                                                                                                  \
    inline int mpit::served::name parameters
#define MPIT_C_LONG_FUNCTION(name, parameters, arguments)                                                              \
    MPIT_C_ENTRIES(name, parameters, arguments)                                                                        \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PLAIN(name) parameters
// The call is not the last thing that is done, because a jump would need all arguments in registers before the question.
#define MPIT_C_WHILE_OPEN(name, arguments)                                                                             \
    if (!mpit::mpi_t::is_initialized()) [[unlikely]] {                                                                     \
        int code = mpit::passed::name arguments;                                                                       \
        __asm__("" : "+r"(code));                                                                                      \
        return code;                                                                                                   \
    }
#define MPIT_C_EPOCH_ENTRY(exported, cell, name, action, parameters, arguments)                                        \
    namespace mpit::inline v0_1::passed {                                                                              \
    MPIT_MODULE_LOCAL inline constinit mpi_t::passed_function cell{};                                                  \
    }                                                                                                                  \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int exported parameters {                                     \
        int code = 0;                                                                                                  \
        const auto call = [&](void* next) { return reinterpret_cast<int(*) parameters>(next) arguments; };             \
        if (mpit::mpi_t::the_passing_on.action(mpit::passed::cell, MPIT_C_TEXT(exported), mpit::mpi_t::is_initialized(), call, \
                                               code))                                                                  \
            return code;                                                                                               \
        return mpit::served::name arguments;                                                                           \
    }
#define MPIT_C_EPOCH_FUNCTION(name, action, parameters, arguments)                                                     \
    MPIT_C_BODY(name, parameters)                                                                                      \
    MPIT_C_EPOCH_ENTRY(MPIT_C_PLAIN(name), next_##name, name, action, parameters, arguments)                           \
    MPIT_C_EPOCH_ENTRY(MPIT_C_PROFILED(name), next_profiled_##name, name, action, parameters, arguments)               \
    MPIT_C_HERE(name, parameters)                                                                                      \
    inline int mpit::served::name parameters
#else
// With an mpi.h the library is the MPI, and with a prefix it is asked for by name.
#define MPIT_C_SERVED_FUNCTION(name, parameters, guard, arguments)                                                     \
    MPIT_C_BODY(name, parameters)                                                                                      \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters) {                                     \
        guard return mpit::served::name arguments;                                                                     \
    }                                                                                                                  \
    inline int mpit::served::name parameters
#define MPIT_C_FUNCTION(name, parameters, arguments) MPIT_C_SERVED_FUNCTION(name, parameters, MPIT_C_GUARD, arguments)
#define MPIT_C_QUICK_FUNCTION(name, parameters, arguments, quick)                                                      \
    MPIT_C_BODY(name, parameters)                                                                                      \
    MPIT_C_LAST(name, parameters, mpit::mpi_t::is_initialized() ? served::name arguments : int{MPI_T_ERR_NOT_INITIALIZED}) \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters) {                                     \
        MPIT_C_QUICKLY(name, arguments, quick)                                                                         \
    }                                                                                                                  \
    inline int mpit::served::name parameters
#define MPIT_C_EPOCH_FUNCTION(name, action, parameters, arguments) MPIT_C_SERVED_FUNCTION(name, parameters, , arguments)
#define MPIT_C_LONG_FUNCTION(name, parameters, arguments)                                                              \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters)
#define MPIT_C_WHILE_OPEN(name, arguments) MPIT_C_GUARD
#endif
#define MPIT_C_GUARD                                                                                                   \
    if (!mpit::mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
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

// The number of a name, of any kind.
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline int look_up(kind item_kind, const char* name, int* number,
                                                            performance_class variable_class = {}) noexcept {
    if (name == nullptr || number == nullptr) return MPI_T_ERR_INVALID;
    const int found = names().number_of(item_kind, name, variable_class);
    if (found < 0) return MPI_T_ERR_INVALID_NAME;
    *number = found;
    return MPI_SUCCESS;
}
MPIT_MODULE_LOCAL inline int count(kind item_kind, int* number) noexcept {
    if (number == nullptr) return MPI_T_ERR_INVALID;
    *number = names().count(item_kind);
    return MPI_SUCCESS;
}

} // namespace mpi_t
} // namespace mpit
