// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8 on top of a host: the sources of events of both.
#pragma once

#include <mpit/over_mpi/control.hpp>
#include <mpit/host/info.hpp>

inline int mpit::mpi_t::source_index_of(int own_number) noexcept {
    using namespace mpit::over_mpi;
    int found = -1;
    find_or_discover(kind::source,
                     [&] { return (found = the_numbers.list(kind::source).number_of_own(own_number)) >= 0; });
    return found;
}

// MPI_T_SOURCE_GET_NUM(num_sources)
MPIT_C_STACKED_FUNCTION(source_get_num, (int* num_sources)) {
    return mpit::over_mpi::count(mpit::mpi_t::kind::source, num_sources);
}

// MPI_T_SOURCE_GET_INFO(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info). The
// info object is new, and the caller frees it.
MPIT_C_STACKED_FUNCTION(source_get_info, (int source_index, char* name, int* name_len, char* desc, int* desc_len,
                                          MPI_T_source_order* ordering, MPI_Count* ticks_per_second,
                                          MPI_Count* max_ticks, MPI_Info* info)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::source, source_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    const int host_number = found->host_number.load();
    const int code = mpit::over_mpi::take_info(info, [&](MPI_Info* made) {
        return found->is_of_host ? mpit::over_mpi::the_host.source_get_info(host_number, nullptr, nullptr, nullptr, nullptr,
                                                                         nullptr, nullptr, nullptr, made)
                                 : int{MPI_SUCCESS};
    });
    if (code != MPI_SUCCESS) return code;
    name_text.put(found->name);
    description.put(found->description);
    if (!found->is_of_host)
        return mpit::own::source_get_info(found->own_number.load(), nullptr, nullptr, nullptr, nullptr, ordering,
                                          ticks_per_second, max_ticks, nullptr);
    const auto& of_host = static_cast<const mpit::over_mpi::host_source&>(*found);
    put(ordering, of_host.ordering);
    put(ticks_per_second, of_host.ticks_per_second);
    put(max_ticks, of_host.max_ticks);
    return MPI_SUCCESS;
}

// MPI_T_SOURCE_GET_TIMESTAMP(source_index, timestamp). MPI_T_ERR_NOT_SUPPORTED for a source that cannot be asked.
MPIT_C_STACKED_FUNCTION(source_get_timestamp, (int source_index, MPI_Count* timestamp)) {
    using namespace mpit::mpi_t;
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (timestamp == nullptr) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::source, source_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    return found->is_of_host ? mpit::over_mpi::the_host.source_get_timestamp(found->host_number.load(), timestamp)
                             : mpit::own::source_get_timestamp(found->own_number.load(), timestamp);
}
