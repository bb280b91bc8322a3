// SPDX-License-Identifier: BSD-3-Clause
// Translates between the core's records and the handles and numbers that the shims return to tools.
//
//   mpit::mpi_t::enumeration_handle(record.enumeration)
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/mpi_t/shim.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The index that tools see of one of the library's sources.
#ifdef MPIT_C_IS_OWN
MPIT_MODULE_LOCAL int source_index_of(int own_number) noexcept; // mpit/over_mpi/source.hpp
#else
MPIT_MODULE_LOCAL inline int source_index_of(int own_number) noexcept { return own_number; }
#endif

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
MPIT_MODULE_LOCAL inline const registry::enumeration_record* enumeration_record_of(MPI_T_enum handle) noexcept {
    const std::uint64_t number = word_of(handle) ^ enumeration_tag;
    if (number > INT_MAX) return nullptr;
    return static_cast<const registry::enumeration_record*>(names().at(kind::enumeration, static_cast<int>(number)));
}

} // namespace mpi_t
} // namespace mpit
