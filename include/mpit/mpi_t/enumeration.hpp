// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.5: Enumerations of values.
#pragma once

#include <mpit/mpi_t/translation.hpp>

// MPI_T_ENUM_GET_INFO(enumtype, num, name, name_len). MPI_T_ERR_INVALID for what is not an enumeration.
MPIT_C_FUNCTION(enum_get_info, (MPI_T_enum enumtype, int* num, char* name, int* name_len),
                (enumtype, num, name, name_len)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len};
    const mpit::registry::enumeration_record* found = enumeration_record_of(enumtype);
    if (found == nullptr || !name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    put(num, found->count);
    name_text.put(found->name);
    return MPI_SUCCESS;
}

// MPI_T_ENUM_GET_ITEM(enumtype, index, value, name, name_len). MPI_T_ERR_INVALID_INDEX outside 0 to num - 1.
MPIT_C_FUNCTION(enum_get_item, (MPI_T_enum enumtype, int item_index, int* value, char* name, int* name_len),
                (enumtype, item_index, value, name, name_len)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len};
    const mpit::registry::enumeration_record* found = enumeration_record_of(enumtype);
    if (found == nullptr || !name_text.is_well_formed()) return MPI_T_ERR_INVALID;
    if (item_index < 0 || item_index >= found->count) return MPI_T_ERR_INVALID_INDEX;
    put(value, found->items[item_index].value);
    name_text.put(found->items[item_index].name);
    return MPI_SUCCESS;
}
