// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8: The sources of events.
#pragma once

#include <mpit/mpi_t/info_exchange.hpp>
#include <mpit/mpi_t/translation.hpp> // IWYU pragma: keep

// MPI_T_SOURCE_GET_NUM(num_sources)
MPIT_C_FUNCTION(source_get_num, (int* num_sources), (num_sources)) {
    using namespace mpit::mpi_t;
    if (num_sources == nullptr) return MPI_T_ERR_INVALID;
    *num_sources = mpit::session::source_count(names());
    return MPI_SUCCESS;
}

// MPI_T_SOURCE_GET_INFO(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info). The
// info object is new, and the caller frees it.
MPIT_C_LONG_FUNCTION(source_get_info,
                     (int source_index, char* name, int* name_len, char* desc, int* desc_len,
                      MPI_T_source_order* ordering, MPI_Count* ticks_per_second, MPI_Count* max_ticks, MPI_Info* info),
                     (source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info)) {
    MPIT_C_WHILE_OPEN(source_get_info,
                      (source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info))
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    mpit::session::source_info facts;
    if (!mpit::session::find_source(names(), source_index, facts)) return MPI_T_ERR_INVALID_INDEX;
    if (info != nullptr && make_info({}, *info) != mpit::result::success) return MPI_T_ERR_MEMORY;
    name_text.put(facts.name);
    description.put(facts.description);
    put(ordering, constant_of(facts.ordering));
    put(ticks_per_second, facts.ticks_per_second);
    put(max_ticks, facts.max_ticks);
    return MPI_SUCCESS;
}

// MPI_T_SOURCE_GET_TIMESTAMP(source_index, timestamp). MPI_T_ERR_NOT_SUPPORTED for a source that cannot be asked.
MPIT_C_FUNCTION(source_get_timestamp, (int source_index, MPI_Count* timestamp), (source_index, timestamp)) {
    using namespace mpit::mpi_t;
    if (timestamp == nullptr) return MPI_T_ERR_INVALID;
    std::int64_t ticks = 0;
    const mpit::result answer = mpit::session::source_time(names(), source_index, ticks);
    if (answer == mpit::result::success) *timestamp = ticks;
    return code_of(answer);
}
