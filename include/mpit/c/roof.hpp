// What the functions of the roof share: the header whose types and constants they speak, their names, and how an answer
// of the library becomes a return code.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header; mpit/c/mpi_t.h where nothing is said
//   #define MPIT_C_PREFIX LCI_T_         // other names than MPI_T_ and PMPI_T_
#pragma once

#include <mpit/c/constants.hpp>
#include <mpit/session/library.hpp>

#ifndef MPIT_C_PREFIX
#define MPIT_C_PREFIX MPI_T_
#endif
#ifndef MPIT_C_PLAIN
#define MPIT_C_PLAIN(name) MPIT_C_JOIN(MPIT_C_PREFIX, name)
#define MPIT_C_PROFILED(name) MPIT_C_JOIN(P, MPIT_C_PLAIN(name))
#endif
#define MPIT_C_TEXT_EXPANDED(name) #name
#define MPIT_C_TEXT(name) MPIT_C_TEXT_EXPANDED(name)

// Opens the definition of a function under its profiling name, with the plain name as its weak alias: a tool may define
// the plain one itself and call the other. Both are weak, so several source files of one library may include the roof.
#define MPIT_C_FUNCTION_NAMED(plain, profiled, parameters)                                                             \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(profiled))]] int plain parameters;      \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int profiled parameters
// A roof on top of another one needs the functions without these names (mpit/c/own.hpp).
#ifdef MPIT_C_IS_OWN
#define MPIT_C_FUNCTION(name, parameters)                                                                              \
    namespace mpit::inline v0_1::own {                                                                                 \
    MPIT_MODULE_LOCAL int name parameters;                                                                             \
    }                                                                                                                  \
    inline int mpit::own::name parameters
#define MPIT_C_STACKED_FUNCTION(name, parameters)                                                                      \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters)
#else
#define MPIT_C_FUNCTION(name, parameters)                                                                              \
    MPIT_C_FUNCTION_NAMED(MPIT_C_PLAIN(name), MPIT_C_PROFILED(name), parameters)
#endif
#define MPIT_C_INFO_FUNCTION(name, parameters)                                                                         \
    MPIT_C_FUNCTION_NAMED(MPIT_C_INFO_PLAIN(name), MPIT_C_INFO_PROFILED(name), parameters)

namespace mpit::inline v0_1::c {

MPIT_MODULE_LOCAL inline session::library& tools() noexcept { return session::the_library; }
MPIT_MODULE_LOCAL inline bool is_initialized() noexcept { return tools().is_initialized(); }
MPIT_MODULE_LOCAL inline index::process_index& names() noexcept { return tools().names(); }
using describe::kind;

// Stores through an OUT argument, unless the caller does not want it.
template <class T, class U> void put(T* to, U value) noexcept {
    if (to != nullptr) *to = value;
}

// Handles are words of the library in the shape of a pointer.
template <class Handle> std::uint64_t word_of(Handle handle) noexcept { return reinterpret_cast<std::uintptr_t>(handle); }
template <class Handle> Handle handle_of(std::uint64_t word) noexcept { return reinterpret_cast<Handle>(word); }

// The two text arguments that most queries have.
struct text_pair {
    char* buffer;
    int* length;
    // Without a buffer only the size is asked for, whatever the length was.
    bool is_well_formed() const noexcept { return buffer == nullptr || base::is_well_formed(length); }
    void put(base::text from) const noexcept { base::return_text(from, buffer, length); }
};

// The number of a name, of any kind.
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline int look_up(kind of, const char* name, int* number,
                                                            performance_class in = {}) noexcept {
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (name == nullptr || number == nullptr) return MPI_T_ERR_INVALID;
    const int found = names().number_of(of, name, in);
    if (found < 0) return MPI_T_ERR_INVALID_NAME;
    *number = found;
    return MPI_SUCCESS;
}
MPIT_MODULE_LOCAL inline int count(kind of, int* number) noexcept {
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (number == nullptr) return MPI_T_ERR_INVALID;
    *number = names().count(of);
    return MPI_SUCCESS;
}

} // namespace mpit::c
