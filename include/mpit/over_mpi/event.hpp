// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8 on top of a host: events of both and their instances. A handle says whose instance it is.
#pragma once

#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/source.hpp> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// Calls `look` with an instance of the host, or `own` for any other handle.
template <class Look, class Own>
MPIT_MODULE_LOCAL int visit_instance(MPI_T_event_instance handle, const void* output, Look look, Own own) noexcept {
    internal::instance_view seen;
    if (!seen.find(mpi_t::word_of(handle)) || seen->channel != &channel_of_host) return own();
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (output == nullptr) return MPI_T_ERR_INVALID;
    const host_instance of_host = *static_cast<const host_instance*>(seen->payload);
    return seen.is_shown() ? look(of_host) : int{MPI_T_ERR_INVALID_HANDLE};
}

} // namespace over_mpi
} // namespace mpit

// MPI_T_EVENT_GET_NUM(num_events)
MPIT_C_STACKED_FUNCTION(event_get_num, (int* num_events)) {
    return mpit::over_mpi::count(mpit::mpi_t::kind::event, num_events);
}

// MPI_T_EVENT_GET_INFO(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements,
// enumtype, info, desc, desc_len, bind)
MPIT_C_STACKED_FUNCTION(event_get_info,
                        (int event_index, char* name, int* name_len, int* verbosity, MPI_Datatype* array_of_datatypes,
                         MPI_Aint* array_of_displacements, int* num_elements, MPI_T_enum* enumtype, MPI_Info* info,
                         char* desc, int* desc_len, int* bind)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    const element_arrays elements{array_of_datatypes, array_of_displacements, num_elements};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    if (!elements.are_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::event, event_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    if (!found->is_of_host) {
        if (!mpit::over_mpi::can_make(info)) info = nullptr;
        return mpit::own::event_get_info(found->own_number.load(), name, name_len, verbosity, array_of_datatypes,
                                         array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind);
    }
    const auto& of_host = static_cast<const mpit::over_mpi::host_event&>(*found);
    const int code = mpit::over_mpi::take_info(info, [&](MPI_Info* made) {
        return mpit::over_mpi::the_host.event_get_info(of_host.host_number.load(), nullptr, nullptr, nullptr, nullptr,
                                                    nullptr, nullptr, nullptr, made, nullptr, nullptr, nullptr);
    });
    if (code != MPI_SUCCESS) return code;
    name_text.put(of_host.name);
    put(verbosity, of_host.verbosity);
    elements.fill(
        of_host.element_count, [&](int i) { return of_host.datatypes[i]; },
        [&](int i) { return of_host.displacements[i]; });
    put(enumtype, of_host.enumeration);
    description.put(of_host.description);
    put(bind, of_host.bind);
    return MPI_SUCCESS;
}

// MPI_T_EVENT_GET_INDEX(name, event_index)
MPIT_C_STACKED_FUNCTION(event_get_index, (const char* name, int* event_index)) {
    return mpit::over_mpi::look_up(mpit::mpi_t::kind::event, name, 0, event_index);
}

// MPI_T_EVENT_READ(event_instance, element_index, buffer). MPI_T_ERR_INVALID_INDEX for an element that it has not.
MPIT_C_STACKED_FUNCTION(event_read, (MPI_T_event_instance event_instance, int element_index, void* buffer)) {
    using namespace mpit::over_mpi;
    const auto look = [&](const host_instance& seen) {
        if (element_index < 0 || element_index >= seen.event->element_count) return int{MPI_T_ERR_INVALID_INDEX};
        return the_host.event_read(seen.handle, element_index, buffer);
    };
    return visit_instance(event_instance, buffer, look,
                            [&] { return mpit::own::event_read(event_instance, element_index, buffer); });
}

// MPI_T_EVENT_COPY(event_instance, buffer)
MPIT_C_STACKED_FUNCTION(event_copy, (MPI_T_event_instance event_instance, void* buffer)) {
    using namespace mpit::over_mpi;
    return visit_instance(
        event_instance, buffer, [&](const host_instance& seen) { return the_host.event_copy(seen.handle, buffer); },
        [&] { return mpit::own::event_copy(event_instance, buffer); });
}

// MPI_T_EVENT_GET_TIMESTAMP(event_instance, event_timestamp). In ticks of the source.
MPIT_C_STACKED_FUNCTION(event_get_timestamp, (MPI_T_event_instance event_instance, MPI_Count* event_timestamp)) {
    using namespace mpit::over_mpi;
    const auto look = [&](const host_instance& seen) {
        return the_host.event_get_timestamp(seen.handle, event_timestamp);
    };
    return visit_instance(event_instance, event_timestamp, look,
                            [&] { return mpit::own::event_get_timestamp(event_instance, event_timestamp); });
}

// MPI_T_EVENT_GET_SOURCE(event_instance, source_index)
MPIT_C_STACKED_FUNCTION(event_get_source, (MPI_T_event_instance event_instance, int* source_index)) {
    using namespace mpit::over_mpi;
    const auto look = [&](const host_instance& seen) {
        int of_host = -1;
        const int code = the_host.event_get_source(seen.handle, &of_host);
        if (code == MPI_SUCCESS) *source_index = source_index_of_host(of_host);
        return code;
    };
    return visit_instance(event_instance, source_index, look,
                            [&] { return mpit::own::event_get_source(event_instance, source_index); });
}
