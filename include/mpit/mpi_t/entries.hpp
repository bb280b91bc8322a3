// SPDX-License-Identifier: BSD-3-Clause
// Defines all MPI_T functions (the table mpit/mpi_t/functions.def) under their plain names (MPI_T_) and profiling names
// (PMPI_T_). Each function checks that the interface is initialized, and then runs its body. If a library exports the
// names of the standard but has no mpi.h, its functions pass calls on to a real MPI of the process. Calls are passed on
// only before the library's own interface is initialized.
//
//   #define MPIT_C_PROVIDER mpit::over_mpi::provider      // mpit::mpi_t::registry_provider is the default
#pragma once

#include <mpit/mpi_t/category.hpp>          // IWYU pragma: keep
#include <mpit/mpi_t/control.hpp>           // IWYU pragma: keep
#include <mpit/mpi_t/event.hpp>             // IWYU pragma: keep
#include <mpit/mpi_t/performance.hpp>       // IWYU pragma: keep
#include <mpit/mpi_t/registry_provider.hpp> // IWYU pragma: keep

// MPIT_C_PASSES_ON is 1 if the exported functions pass calls on to a real MPI of the process.
#if defined(MPI_VERSION) || MPIT_C_HAS_PREFIX || defined(MPIT_C_PROVIDER)
#define MPIT_C_PASSES_ON 0
#else
#define MPIT_C_PASSES_ON 1
#include <mpit/mpi_t/forwarding.hpp> // IWYU pragma: keep
#endif
// The class that implements the functions of the standard. For the library's own use.
#ifndef MPIT_C_PROVIDER
#define MPIT_C_PROVIDER mpit::mpi_t::registry_provider
#endif

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The fast paths of MPI_T_cvar_read and MPI_T_pvar_read do not check the initialization, because a valid handle implies
// an initialized interface. A fast path returns false, and does nothing, for a null buffer or an unknown handle. The
// fast path of MPI_T_cvar_read also returns false unless the variable is a single number that is bound to no MPI
// object. The general path is a separate function, so that a fast path need not save registers on the stack.
struct fast_path {
    [[gnu::always_inline]] static bool cvar_read(int&, MPI_T_cvar_handle handle, void* buf) noexcept {
        return tools().controls.read_number(word_of(handle), buf);
    }
    [[gnu::always_inline]] static bool pvar_read(int& code, MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                                 void* buf) noexcept {
        session::performance_slot* const slot = tools().sessions.find_open_handle(word_of(session), word_of(handle));
        if (slot == nullptr || buf == nullptr) [[unlikely]]
            return false;
        const result status = slot->read.load()(*slot, word_of(handle), buf);
        code = status == result::success ? MPI_SUCCESS : code_of(status);
        return true;
    }
};

} // namespace mpi_t
} // namespace mpit

#define MPIT_C_BODY(name) mpit::mpi_t::functions<MPIT_C_PROVIDER>::name
#define MPIT_C_UNWRAPPED(...) __VA_ARGS__

#if MPIT_C_PASSES_ON
MPIT_C_SHIMS_NOTE
// A function with a plain name (MPI_T_) passes calls on to the MPI's plain name, and a profiling function (PMPI_T_)
// passes calls on to the MPI's profiling name. An alias with the prefix mpit_local_ always refers to the definition in
// this shared object, because a tool may define the plain name, too.
#define MPIT_C_NEXT(exported, name, parameters, arguments)                                                             \
    namespace mpit::inline v1_0::forwarding {                                                                          \
    MPIT_MODULE_LOCAL inline constinit mpi_t::forwarded_function next_##name{};                                        \
    [[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL inline int name parameters {                                        \
        const auto next = mpi_t::next_function<int parameters>(next_##name, MPIT_C_TEXT(exported));                    \
        return next != nullptr ? next arguments : int{MPI_T_ERR_NOT_INITIALIZED};                                      \
    }                                                                                                                  \
    }
#define MPIT_C_FORWARDER(name, parameters, arguments)                                                                  \
    MPIT_C_NEXT(MPIT_C_PLAIN(name), name, parameters, arguments)                                                       \
    MPIT_C_NEXT(MPIT_C_PROFILED(name), profiled_##name, parameters, arguments)
#define MPIT_C_LOCAL_ALIAS(name, parameters)                                                                           \
    extern "C" [[gnu::visibility("hidden"), gnu::weak,                                                                 \
                 gnu::alias(MPIT_C_TEXT(MPIT_C_PLAIN(name)))]] int mpit_local_##name parameters;
#define MPIT_C_DEFINITION(name, parameters, arguments)                                                                 \
    MPIT_C_LOCAL_ALIAS(name, parameters)                                                                               \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PROFILED(name) parameters {                        \
        if (!mpit::mpi_t::is_initialized()) [[unlikely]]                                                               \
            return mpit::forwarding::profiled_##name arguments;                                                        \
        return mpit_local_##name arguments;                                                                            \
    }                                                                                                                  \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int MPIT_C_PLAIN(name) parameters
#define MPIT_C_IF_NOT_INITIALIZED(name, arguments) mpit::forwarding::name arguments
// The macro parameter `action` decides whether a call is passed on to an MPI: it is the_forwarder.init() in
// MPI_T_init_thread and the_forwarder.finalize() in MPI_T_finalize.
#define MPIT_C_FORWARDED_EPOCH(exported, function, name, action, parameters, arguments)                                \
    namespace mpit::inline v1_0::forwarding {                                                                          \
    MPIT_MODULE_LOCAL inline constinit mpi_t::forwarded_function function{};                                           \
    }                                                                                                                  \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int exported parameters {                                     \
        int code = 0;                                                                                                  \
        const auto call = [&](void* next) { return reinterpret_cast<int(*) parameters>(next) arguments; };             \
        if (mpit::mpi_t::the_forwarder.action(mpit::forwarding::function, MPIT_C_TEXT(exported),                       \
                                              mpit::mpi_t::is_initialized(), call, code))                              \
            return code;                                                                                               \
        return MPIT_C_BODY(name) arguments;                                                                            \
    }
#define MPIT_C_EPOCH(action, name, parameters, arguments)                                                              \
    MPIT_C_FORWARDED_EPOCH(MPIT_C_PLAIN(name), next_##name, name, action, parameters, arguments)                       \
    MPIT_C_FORWARDED_EPOCH(MPIT_C_PROFILED(name), next_profiled_##name, name, action, parameters, arguments)           \
    MPIT_C_LOCAL_ALIAS(name, parameters)
#else
// The exported functions below pass no calls on to an MPI. A library with an mpi.h is the MPI itself, or serves the
// MPI's variables together with its own. A library with a prefix (MPIT_C_PREFIX) exports names that no MPI has.
#define MPIT_C_FORWARDER(name, parameters, arguments)
#define MPIT_C_DEFINITION(name, parameters, arguments)                                                                 \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters)
#define MPIT_C_IF_NOT_INITIALIZED(name, arguments) static_cast<int>(MPI_T_ERR_NOT_INITIALIZED)
#define MPIT_C_EPOCH(action, name, parameters, arguments)                                                              \
    MPIT_C_DEFINITION(name, parameters, arguments) { return MPIT_C_BODY(name) arguments; }
#endif

#define MPIT_C_ENTRY_init(name, parameters, arguments) MPIT_C_EPOCH(init, name, parameters, arguments)
#define MPIT_C_ENTRY_finalize(name, parameters, arguments) MPIT_C_EPOCH(finalize, name, parameters, arguments)
// The asm statement prevents a tail call in the branch for an uninitialized interface. For a tail call the compiler
// would load all arguments into registers before the check for initialization.
#define MPIT_C_ENTRY_initialized(name, parameters, arguments)                                                          \
    MPIT_C_FORWARDER(name, parameters, arguments)                                                                      \
    MPIT_C_DEFINITION(name, parameters, arguments) {                                                                   \
        if (!mpit::mpi_t::is_initialized()) [[unlikely]] {                                                             \
            int code = MPIT_C_IF_NOT_INITIALIZED(name, arguments);                                                     \
            __asm__("" : "+r"(code));                                                                                  \
            return code;                                                                                               \
        }                                                                                                              \
        return MPIT_C_BODY(name) arguments;                                                                            \
    }
#define MPIT_C_ENTRY_handle(name, parameters, arguments)                                                               \
    MPIT_C_FORWARDER(name, parameters, arguments)                                                                      \
    namespace mpit::inline v1_0::general_path {                                                                        \
    [[gnu::noinline]] MPIT_MODULE_LOCAL inline int name parameters {                                                   \
        return mpi_t::is_initialized() ? MPIT_C_BODY(name) arguments : MPIT_C_IF_NOT_INITIALIZED(name, arguments);     \
    }                                                                                                                  \
    }                                                                                                                  \
    MPIT_C_DEFINITION(name, parameters, arguments) {                                                                   \
        int code = MPI_SUCCESS;                                                                                        \
        if (mpit::mpi_t::fast_path::name(code, MPIT_C_UNWRAPPED arguments)) [[likely]]                                 \
            return code;                                                                                               \
        return mpit::general_path::name arguments;                                                                     \
    }

#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) MPIT_C_ENTRY_##needs(name, parameters, arguments)
#include <mpit/mpi_t/functions.def>
