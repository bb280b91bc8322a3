// MPI-5.0, 15.3.8: Events and their sources. Until the library has typed events the sets are empty, which the standard
// allows: every number is 0, no index exists, and nothing is a registration or an instance.
#pragma once

#include <mpit/c/translation.hpp>

namespace mpit::c {

// The answer of a function whose argument cannot be valid in an empty set.
inline int none(int code) noexcept { return is_initialized() ? code : MPI_T_ERR_NOT_INITIALIZED; }
// The same for a function with arguments that are wrong in any set.
inline int none(bool arguments_are_well_formed, int code) noexcept {
    return none(arguments_are_well_formed ? code : MPI_T_ERR_INVALID);
}

} // namespace mpit::c

// MPI_T_EVENT_CALLBACK_GET_INFO(event_registration, cb_safety, info_used)
MPIT_C_FUNCTION(event_callback_get_info, (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info* info_used)) {
    return mpit::c::none(info_used != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_CALLBACK_SET_INFO(event_registration, cb_safety, info)
MPIT_C_FUNCTION(event_callback_set_info, (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info)) {
    return mpit::c::none(MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_COPY(event_instance, buffer)
MPIT_C_FUNCTION(event_copy, (MPI_T_event_instance, void* buffer)) {
    return mpit::c::none(buffer != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_GET_INDEX(name, event_index)
MPIT_C_FUNCTION(event_get_index, (const char* name, int* event_index)) {
    return mpit::c::look_up(mpit::c::kind::event, name, event_index);
}

// MPI_T_EVENT_GET_INFO(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind)
MPIT_C_FUNCTION(event_get_info, (int, char*, int* name_len, int*, MPI_Datatype*, MPI_Aint*, int*, MPI_T_enum*,
                                 MPI_Info*, char*, int* desc_len, int*)) {
    const bool well_formed = mpit::base::is_well_formed(name_len) && mpit::base::is_well_formed(desc_len);
    return mpit::c::none(well_formed, MPI_T_ERR_INVALID_INDEX);
}

// MPI_T_EVENT_GET_NUM(num_events)
MPIT_C_FUNCTION(event_get_num, (int* num_events)) {
    return mpit::c::count(mpit::c::kind::event, num_events);
}

// MPI_T_EVENT_GET_SOURCE(event_instance, source_index)
MPIT_C_FUNCTION(event_get_source, (MPI_T_event_instance, int* source_index)) {
    return mpit::c::none(source_index != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_GET_TIMESTAMP(event_instance, event_timestamp)
MPIT_C_FUNCTION(event_get_timestamp, (MPI_T_event_instance, MPI_Count* event_timestamp)) {
    return mpit::c::none(event_timestamp != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_HANDLE_ALLOC(event_index, obj_handle, info, event_registration). A failure sets the registration to null.
MPIT_C_FUNCTION(event_handle_alloc, (int, void*, MPI_Info, MPI_T_event_registration* event_registration)) {
    if (mpit::c::is_initialized()) mpit::c::put(event_registration, nullptr);
    return mpit::c::none(event_registration != nullptr, MPI_T_ERR_INVALID_INDEX);
}

// MPI_T_EVENT_HANDLE_FREE(event_registration, user_data, free_cb_function)
MPIT_C_FUNCTION(event_handle_free, (MPI_T_event_registration, void*, MPI_T_event_free_cb_function)) {
    return mpit::c::none(MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_HANDLE_GET_INFO(event_registration, info_used)
MPIT_C_FUNCTION(event_handle_get_info, (MPI_T_event_registration, MPI_Info* info_used)) {
    return mpit::c::none(info_used != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_HANDLE_SET_INFO(event_registration, info)
MPIT_C_FUNCTION(event_handle_set_info, (MPI_T_event_registration, MPI_Info)) {
    return mpit::c::none(MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_READ(event_instance, element_index, buffer)
MPIT_C_FUNCTION(event_read, (MPI_T_event_instance, int, void* buffer)) {
    return mpit::c::none(buffer != nullptr, MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_REGISTER_CALLBACK(event_registration, cb_safety, info, user_data, event_cb_function)
MPIT_C_FUNCTION(event_register_callback, (MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*,
                                          MPI_T_event_cb_function)) {
    return mpit::c::none(MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_EVENT_SET_DROPPED_HANDLER(event_registration, dropped_cb_function)
MPIT_C_FUNCTION(event_set_dropped_handler, (MPI_T_event_registration, MPI_T_event_dropped_cb_function)) {
    return mpit::c::none(MPI_T_ERR_INVALID_HANDLE);
}

// MPI_T_SOURCE_GET_INFO(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info)
MPIT_C_FUNCTION(source_get_info, (int, char*, int* name_len, char*, int* desc_len, MPI_T_source_order*, MPI_Count*,
                                  MPI_Count*, MPI_Info*)) {
    const bool well_formed = mpit::base::is_well_formed(name_len) && mpit::base::is_well_formed(desc_len);
    return mpit::c::none(well_formed, MPI_T_ERR_INVALID_INDEX);
}

// MPI_T_SOURCE_GET_NUM(num_sources)
MPIT_C_FUNCTION(source_get_num, (int* num_sources)) {
    if (num_sources == nullptr || !mpit::c::is_initialized()) return mpit::c::none(MPI_T_ERR_INVALID);
    *num_sources = 0;
    return MPI_SUCCESS;
}

// MPI_T_SOURCE_GET_TIMESTAMP(source_index, timestamp)
MPIT_C_FUNCTION(source_get_timestamp, (int, MPI_Count* timestamp)) {
    return mpit::c::none(timestamp != nullptr, MPI_T_ERR_INVALID_INDEX);
}
