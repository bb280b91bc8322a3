// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8: Events, their types and their instances.
#pragma once

#include <mpit/mpi_t/info_exchange.hpp>
#include <mpit/mpi_t/translation.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// The hints of a registration as a new info object; those of an event of an ordered source are none.
MPIT_MODULE_LOCAL inline int put_hints(const session::registration_hints& hints, bool are_taken,
                                       MPI_Info* handle) noexcept {
    info shown;
    const bool is_whole = !are_taken || hints.show(shown);
    return is_whole && make_info(shown, *handle) == result::success ? MPI_SUCCESS : MPI_T_ERR_MEMORY;
}

// The three arguments for the elements of an event: the last one has the capacity of both arrays, and becomes the number of
// elements.
struct element_arrays {
    MPI_Datatype* datatypes;
    MPI_Aint* displacements;
    int* count;

    bool are_wanted() const noexcept { return count != nullptr && (datatypes != nullptr || displacements != nullptr); }
    bool are_well_formed() const noexcept { return !are_wanted() || *count >= 0; }
    // Asks `datatype_of_element(i)` and `displacement_of_element(i)` for as many as there is room for.
    template <class Datatype, class Displacement>
    MPIT_MODULE_LOCAL void fill(int elements, Datatype datatype_of_element,
                                Displacement displacement_of_element) const noexcept {
        const int room = !are_wanted() ? 0 : *count < elements ? *count : elements;
        for (int i = 0; i < room; i++) {
            if (datatypes != nullptr) datatypes[i] = datatype_of_element(i);
            if (displacements != nullptr) displacements[i] = displacement_of_element(i);
        }
        put(count, elements);
    }
};

// Finds the instance of a handle and calls `look` with it; MPI_T_ERR_INVALID_HANDLE unless its callback is still running.
template <class Look>
MPIT_MODULE_LOCAL int visit_instance(MPI_T_event_instance handle, const void* output, Look look) noexcept {
    if (output == nullptr) return MPI_T_ERR_INVALID;
    internal::instance_view seen;
    if (!seen.find(word_of(handle))) return MPI_T_ERR_INVALID_HANDLE;
    const int answer = look(*seen);
    return seen.is_shown() ? answer : MPI_T_ERR_INVALID_HANDLE;
}

} // namespace mpi_t
} // namespace mpit

// MPI_T_EVENT_GET_NUM(num_events)
MPIT_C_FUNCTION(event_get_num, (int* num_events), (num_events)) {
    return mpit::mpi_t::count(mpit::mpi_t::kind::event, num_events);
}

// MPI_T_EVENT_GET_INFO(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements,
// enumtype, info, desc, desc_len, bind). num_elements has the capacity of both arrays and becomes the number of elements;
// the items of enumtype are their names. The info object is new, and the caller frees it.
MPIT_C_LONG_FUNCTION(event_get_info,
                     (int event_index, char* name, int* name_len, int* verbosity, MPI_Datatype* array_of_datatypes,
                      MPI_Aint* array_of_displacements, int* num_elements, MPI_T_enum* enumtype, MPI_Info* info,
                      char* desc, int* desc_len, int* bind),
                     (event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements,
                      enumtype, info, desc, desc_len, bind)) {
    MPIT_C_WHILE_OPEN(event_get_info, (event_index, name, name_len, verbosity, array_of_datatypes,
                                       array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind))
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    const element_arrays elements{array_of_datatypes, array_of_displacements, num_elements};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    if (!elements.are_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::session::event_record* found = tools().event(event_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    const mpit::internal::event_channel& channel = found->channel;
    if (info != nullptr)
        if (const int wrong = put_hints({}, !channel.is_ordered, info)) return wrong;
    name_text.put(found->name);
    put(verbosity, constant_of(found->verbosity));
    elements.fill(
        static_cast<int>(channel.element_count), [&](int i) { return datatype_of(channel.elements[i].type); },
        [&](int i) { return MPI_Aint{channel.elements[i].displacement}; });
    put(enumtype, enumeration_handle(found->enumeration));
    description.put(found->description);
    put(bind, constant_of(found->binding));
    return MPI_SUCCESS;
}

// MPI_T_EVENT_GET_INDEX(name, event_index)
MPIT_C_FUNCTION(event_get_index, (const char* name, int* event_index), (name, event_index)) {
    return mpit::mpi_t::look_up(mpit::mpi_t::kind::event, name, event_index);
}

// MPI_T_EVENT_READ(event_instance, element_index, buffer). MPI_T_ERR_INVALID_INDEX for an element that it has not.
MPIT_C_FUNCTION(event_read, (MPI_T_event_instance event_instance, int element_index, void* buffer),
                (event_instance, element_index, buffer)) {
    return mpit::mpi_t::visit_instance(event_instance, buffer, [&](const mpit::internal::instance& seen) {
        if (element_index < 0 || static_cast<std::uint32_t>(element_index) >= seen.channel->element_count)
            return int{MPI_T_ERR_INVALID_INDEX};
        const mpit::internal::payload_element& element = seen.channel->elements[element_index];
        std::memcpy(buffer, static_cast<const char*>(seen.payload) + element.displacement,
                    mpit::core::size_of(element.type));
        return int{MPI_SUCCESS};
    });
}

// MPI_T_EVENT_COPY(event_instance, buffer). From the first element to the end of the last, with the padding between them.
MPIT_C_FUNCTION(event_copy, (MPI_T_event_instance event_instance, void* buffer), (event_instance, buffer)) {
    return mpit::mpi_t::visit_instance(event_instance, buffer, [&](const mpit::internal::instance& seen) {
        std::memcpy(buffer, seen.payload, seen.channel->size);
        return int{MPI_SUCCESS};
    });
}

// MPI_T_EVENT_GET_TIMESTAMP(event_instance, event_timestamp). In ticks of the source, from the moment of the raise.
MPIT_C_FUNCTION(event_get_timestamp, (MPI_T_event_instance event_instance, MPI_Count* event_timestamp),
                (event_instance, event_timestamp)) {
    return mpit::mpi_t::visit_instance(event_instance, event_timestamp, [&](const mpit::internal::instance& seen) {
        *event_timestamp = seen.stamp;
        return int{MPI_SUCCESS};
    });
}

// MPI_T_EVENT_GET_SOURCE(event_instance, source_index)
MPIT_C_FUNCTION(event_get_source, (MPI_T_event_instance event_instance, int* source_index),
                (event_instance, source_index)) {
    return mpit::mpi_t::visit_instance(event_instance, source_index, [&](const mpit::internal::instance& seen) {
        *source_index = mpit::mpi_t::source_index_of(seen.channel->source->number());
        return int{MPI_SUCCESS};
    });
}
