// SPDX-License-Identifier: BSD-3-Clause
// Contains declarations that all headers in mpit/mpi_t use. This header includes the mpi.h whose types and constants
// the MPI_T functions use, and determines the names under which the functions are exported. This header also has
// functions that store OUT arguments, or convert between mpit's types and the types of the standard.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header, by default mpit/mpi_t.h
//   #define MPIT_C_PREFIX LCI_T_         // other names than MPI_T_ and PMPI_T_
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep
#include <mpit/session/library.hpp>

// The prefix of the names of exported functions, as in mpit/mpi_t.h. For the library's own use.
#ifndef MPIT_C_PREFIX
#define MPIT_C_PREFIX MPI_T_
#endif
// MPIT_C_PLAIN and MPIT_C_PROFILED make the exported names of a function. For the library's own use.
#ifndef MPIT_C_PLAIN
#define MPIT_C_PLAIN(name) MPIT_C_JOIN(MPIT_C_PREFIX, name)
#define MPIT_C_PROFILED(name) MPIT_C_JOIN(P, MPIT_C_PLAIN(name))
#endif
#define MPIT_C_TEXT_EXPANDED(name) #name
#define MPIT_C_TEXT(name) MPIT_C_TEXT_EXPANDED(name)

#if !defined(MPI_VERSION) && MPIT_C_HAS_PREFIX
static_assert(
    !mpit::core::constexpr_equal(MPIT_C_TEXT(MPIT_C_PREFIX), "MPI_T_"),
    "MPI_T_ is the prefix of the standard: leave MPIT_C_PREFIX undefined, so that calls are passed on to an MPI");
#endif

// Begins the definition of a function under its profiling name. The plain name is an alias of the profiling name,
// because a tool may define the plain name and call the profiling name. Plain and profiling names are weak, so that
// several source files of a library may include mpit/mpi_t.hpp.
#define MPIT_C_FUNCTION_NAMED(plain, profiled, parameters)                                                             \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(profiled))]] int plain parameters;      \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int profiled parameters
#define MPIT_C_INFO_FUNCTION(name, parameters)                                                                         \
    MPIT_C_FUNCTION_NAMED(MPIT_C_INFO_PLAIN(name), MPIT_C_INFO_PROFILED(name), parameters)

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

inline session::library& tools() noexcept { return session::the_library; }
inline bool is_initialized() noexcept { return tools().is_initialized(); }
inline registry::process_registry& registry() noexcept { return tools().registry(); }
using core::text_pair;
using descriptor::kind;

// Stores the value of an OUT argument unless the pointer `target` is null.
template <class T, class U> void put(T* target, U value) noexcept {
    if (target != nullptr) *target = value;
}

// The handles that tools receive are mpit's 64-bit words, converted to the pointer types of mpi.h.
template <class Handle> std::uint64_t word_of(Handle handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle);
}
template <class Handle> Handle handle_of(std::uint64_t word) noexcept { return reinterpret_cast<Handle>(word); }

// Converts a tool's handle on a performance variable to mpit's 64-bit word. mpit's word for MPI_T_PVAR_ALL_HANDLES
// differs from the constant in most mpi.h headers.
inline std::uint64_t performance_word_of(MPI_T_pvar_handle handle) noexcept {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return session::all_handles;
    const std::uint64_t word = word_of(handle);
    return word == session::all_handles ? 0 : word;
}

// The handle of an enumeration combines the index of the enumeration with a tag. The tag lets mpit reject every handle
// that is not an enumeration of mpit.
inline constexpr std::uint64_t enumeration_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::enumeration);
inline MPI_T_enum enumeration_handle(const registry::enumeration_record* record) noexcept {
    if (record == nullptr) return MPI_T_ENUM_NULL;
    return handle_of<MPI_T_enum>(enumeration_tag | static_cast<std::uint32_t>(record->index.load()));
}
// Returns the record of an enumeration, or null if `handle` is not the handle of an enumeration.
inline const registry::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t index = word_of(handle) ^ enumeration_tag;
    if (index > INT_MAX) return nullptr;
    return static_cast<const registry::enumeration_record*>(registry().at(kind::enumeration, static_cast<int>(index)));
}

// Attributes of an MPI's own variables are constants and handles of mpi.h already, and need no conversion.
// An MPI_Datatype is an int in some MPIs, and a pointer in others.
inline MPI_T_source_order constant_of(MPI_T_source_order constant) noexcept { return constant; }
template <class Constant>
    requires(!__is_enum(Constant))
Constant constant_of(Constant constant) noexcept {
    return constant;
}
inline MPI_T_enum enumeration_handle(MPI_T_enum handle) noexcept { return handle; }

// The callback types of the standard, such as MPI_T_event_cb_function, are function types in most MPIs and pointer
// types in Open MPI 6.
template <class Function> struct pointer_to {
    using type = Function*;
};
template <class Function> struct pointer_to<Function*> {
    using type = Function*;
};
using event_function = pointer_to<MPI_T_event_cb_function>::type;
using free_function = pointer_to<MPI_T_event_free_cb_function>::type;
using dropped_function = pointer_to<MPI_T_event_dropped_cb_function>::type;

// The core stores a tool's functions with the type tool_function.
using internal::tool_function;
template <class Pointer> tool_function untyped(Pointer function) noexcept {
    return reinterpret_cast<tool_function>(function);
}
template <class Pointer> Pointer typed(tool_function function) noexcept { return reinterpret_cast<Pointer>(function); }

} // namespace mpi_t
} // namespace mpit
