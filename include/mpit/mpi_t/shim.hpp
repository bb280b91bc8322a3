// SPDX-License-Identifier: BSD-3-Clause
// The common part of the shims: the mpi.h whose types and constants they use, the names under which functions are
// exported, OUT arguments, and the core's records as the handles, numbers and functions that tools pass and get.
//
//   #define MPIT_MPI_HEADER <mpi.h>      // a runtime's own header; mpit/mpi_t.h if nothing is said
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

inline session::library& tools() noexcept { return session::the_library; }
inline bool is_initialized() noexcept { return tools().is_initialized(); }
inline registry::process_registry& names() noexcept { return tools().names(); }
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

// The library's word for the handle that stands for all of a session differs from that of most headers.
inline std::uint64_t performance_word_of(MPI_T_pvar_handle handle) noexcept {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return session::all_handles;
    const std::uint64_t word = word_of(handle);
    return word == session::all_handles ? 0 : word;
}

// The handle of an enumeration is its number behind a tag, so that a foreign one is known as such.
inline constexpr std::uint64_t enumeration_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::enumeration);
inline MPI_T_enum enumeration_handle(const registry::enumeration_record* e) noexcept {
    if (e == nullptr) return MPI_T_ENUM_NULL;
    return handle_of<MPI_T_enum>(enumeration_tag | static_cast<std::uint32_t>(e->number.load()));
}
// Returns null for what is not the handle of an enumeration.
inline const registry::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t number = word_of(handle) ^ enumeration_tag;
    if (number > INT_MAX) return nullptr;
    return static_cast<const registry::enumeration_record*>(names().at(kind::enumeration, static_cast<int>(number)));
}

// The facts of an MPI's variables are constants and handles already.
inline int constant_of(int constant) noexcept { return constant; }
inline MPI_T_source_order constant_of(MPI_T_source_order constant) noexcept { return constant; }
inline MPI_Datatype datatype_of(MPI_Datatype constant) noexcept { return constant; }
inline MPI_T_enum enumeration_handle(MPI_T_enum handle) noexcept { return handle; }

// The standard's types of functions are pointers already in Open MPI 6.
template <class Function> struct pointer_to {
    using type = Function*;
};
template <class Function> struct pointer_to<Function*> {
    using type = Function*;
};
using event_function = pointer_to<MPI_T_event_cb_function>::type;
using free_function = pointer_to<MPI_T_event_free_cb_function>::type;
using dropped_function = pointer_to<MPI_T_event_dropped_cb_function>::type;

// The core keeps functions of tools without their types; here each is converted from its type and back.
using internal::tool_function;
template <class Pointer> tool_function untyped(Pointer function) noexcept {
    return reinterpret_cast<tool_function>(function);
}
template <class Pointer> Pointer typed(tool_function function) noexcept { return reinterpret_cast<Pointer>(function); }

} // namespace mpi_t
} // namespace mpit
