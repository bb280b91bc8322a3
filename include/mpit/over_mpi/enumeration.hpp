// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.5 on top of a host: handles say whose enumeration it is.
#pragma once

#include <mpit/over_mpi/discovery.hpp>

// MPI_T_ENUM_GET_INFO(enumtype, num, name, name_len)
MPIT_C_STACKED_FUNCTION(enum_get_info, (MPI_T_enum enumtype, int* num, char* name, int* name_len)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len};
    const mpit::registry::enumeration_record* found = mpit::over_mpi::the_numbers.facts.enumerations.find(enumtype);
    if (found == nullptr) return mpit::own::enum_get_info(enumtype, num, name, name_len);
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    put(num, found->count);
    name_text.put(found->name);
    return MPI_SUCCESS;
}

// MPI_T_ENUM_GET_ITEM(enumtype, index, value, name, name_len)
MPIT_C_STACKED_FUNCTION(enum_get_item, (MPI_T_enum enumtype, int item_index, int* value, char* name, int* name_len)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len};
    const mpit::registry::enumeration_record* found = mpit::over_mpi::the_numbers.facts.enumerations.find(enumtype);
    if (found == nullptr) return mpit::own::enum_get_item(enumtype, item_index, value, name, name_len);
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    if (item_index < 0 || item_index >= found->count) return MPI_T_ERR_INVALID_INDEX;
    put(value, found->items[item_index].value);
    name_text.put(found->items[item_index].name);
    return MPI_SUCCESS;
}
