// SPDX-License-Identifier: BSD-3-Clause
// The common part of the shims: the mpi.h whose types and constants they use, the names under which functions are
// exported, OUT arguments, and conversions between the core's types and the standard's handles and functions.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header; mpit/mpi_t.h is the default
//   #define MPIT_C_PREFIX LCI_T_         // other names than MPI_T_ and PMPI_T_
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
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
    !mpit::core::constexpr_equal(MPIT_C_TEXT(MPIT_C_PREFIX), "MPI_T_"),
    "MPI_T_ is the prefix of the standard: leave MPIT_C_PREFIX undefined, so that calls are passed on to an MPI");
#endif

// Begins the definition of a function under its profiling name, with the plain name as an alias: a tool may define the
// plain name and call the other. Both are weak, so that several source files of a library may include the shims.
#define MPIT_C_FUNCTION_NAMED(plain, profiled, parameters)                                                             \
    extern "C" [[gnu::visibility("default"), gnu::weak, gnu::alias(MPIT_C_TEXT(profiled))]] int plain parameters;      \
    extern "C" [[gnu::visibility("default"), gnu::weak]] int profiled parameters
#define MPIT_C_INFO_FUNCTION(name, parameters)                                                                         \
    MPIT_C_FUNCTION_NAMED(MPIT_C_INFO_PLAIN(name), MPIT_C_INFO_PROFILED(name), parameters)

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

inline session::library& tools() noexcept { return session::the_library; }
inline bool is_initialized() noexcept { return tools().is_initialized(); }
inline registry::process_registry& registry() noexcept { return tools().registry(); }
using core::text_pair;
using descriptor::kind;

// Stores an OUT argument, unless its pointer is null.
template <class T, class U> void put(T* target, U value) noexcept {
    if (target != nullptr) *target = value;
}

// A handle is a word of the library, converted to a pointer.
template <class Handle> std::uint64_t word_of(Handle handle) noexcept {
    return reinterpret_cast<std::uintptr_t>(handle);
}
template <class Handle> Handle handle_of(std::uint64_t word) noexcept { return reinterpret_cast<Handle>(word); }

// Converts a handle. The library's word for MPI_T_PVAR_ALL_HANDLES is not the constant of most headers.
inline std::uint64_t performance_word_of(MPI_T_pvar_handle handle) noexcept {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return session::all_handles;
    const std::uint64_t word = word_of(handle);
    return word == session::all_handles ? 0 : word;
}

// The handle of an enumeration is its index with a tag, by which handles of other kinds or of an MPI are rejected.
inline constexpr std::uint64_t enumeration_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::enumeration);
inline MPI_T_enum enumeration_handle(const registry::enumeration_record* record) noexcept {
    if (record == nullptr) return MPI_T_ENUM_NULL;
    return handle_of<MPI_T_enum>(enumeration_tag | static_cast<std::uint32_t>(record->index.load()));
}
// Returns null if `handle` is not the handle of an enumeration.
inline const registry::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t index = word_of(handle) ^ enumeration_tag;
    if (index > INT_MAX) return nullptr;
    return static_cast<const registry::enumeration_record*>(registry().at(kind::enumeration, static_cast<int>(index)));
}

// The attributes of an MPI's variables are constants and handles already.
inline int constant_of(int constant) noexcept { return constant; }
inline MPI_T_source_order constant_of(MPI_T_source_order constant) noexcept { return constant; }
inline MPI_Datatype datatype_of(MPI_Datatype constant) noexcept { return constant; }
inline MPI_T_enum enumeration_handle(MPI_T_enum handle) noexcept { return handle; }

// The standard's function types, such as MPI_T_event_cb_function, are pointer types in Open MPI 6.
template <class Function> struct pointer_to {
    using type = Function*;
};
template <class Function> struct pointer_to<Function*> {
    using type = Function*;
};
using event_function = pointer_to<MPI_T_event_cb_function>::type;
using free_function = pointer_to<MPI_T_event_free_cb_function>::type;
using dropped_function = pointer_to<MPI_T_event_dropped_cb_function>::type;

// The core stores functions of tools without their types.
using internal::tool_function;
template <class Pointer> tool_function untyped(Pointer function) noexcept {
    return reinterpret_cast<tool_function>(function);
}
template <class Pointer> Pointer typed(tool_function function) noexcept { return reinterpret_cast<Pointer>(function); }

} // namespace mpi_t
} // namespace mpit
