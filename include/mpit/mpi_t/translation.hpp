// SPDX-License-Identifier: BSD-3-Clause
// Translates between the core's records and the handles, numbers and functions that tools pass and get.
//
//   mpit::mpi_t::enumeration_handle(record.enumeration)
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The library's word for the handle that stands for all of a session differs from that of most headers.
MPIT_MODULE_LOCAL inline std::uint64_t performance_word_of(MPI_T_pvar_handle handle) noexcept {
    if (handle == MPI_T_PVAR_ALL_HANDLES) return session::all_handles;
    const std::uint64_t word = word_of(handle);
    return word == session::all_handles ? 0 : word;
}

// The handle of an enumeration is its number behind a tag, so that a foreign one is known as such.
inline constexpr std::uint64_t enumeration_tag = descriptor::handle_tag::in_word(descriptor::handle_tag::enumeration);
MPIT_MODULE_LOCAL inline MPI_T_enum enumeration_handle(const registry::enumeration_record* e) noexcept {
    if (e == nullptr) return MPI_T_ENUM_NULL;
    return handle_of<MPI_T_enum>(enumeration_tag | static_cast<std::uint32_t>(e->number.load()));
}
// Returns null for what is not the handle of an enumeration.
MPIT_MODULE_LOCAL inline const registry::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t number = word_of(handle) ^ enumeration_tag;
    if (number > INT_MAX) return nullptr;
    return static_cast<const registry::enumeration_record*>(names().at(kind::enumeration, static_cast<int>(number)));
}

// What is a constant or a handle already: what an MPI says of its variables.
inline int constant_of(int constant) noexcept { return constant; }
inline MPI_T_source_order constant_of(MPI_T_source_order constant) noexcept { return constant; }
inline MPI_Datatype datatype_of(MPI_Datatype constant) noexcept { return constant; }
inline MPI_T_enum enumeration_handle(MPI_T_enum handle) noexcept { return handle; }

// The standard's types of functions are pointers already in Open MPI 6.
template <class Function> struct pointer_to { using type = Function*; };
template <class Function> struct pointer_to<Function*> { using type = Function*; };
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
