// MPI-5.0, 15.3.8 on top of a host: the events, sources and registrations of the libraries of the process. Those of the host
// are not listed.
#pragma once

#include <mpit/stack/known_defects.hpp>

namespace mpit::inline v0_1::stack {

// Whether the host can make an info object for a caller; where it would abort there is none, and the caller's is null.
MPIT_MODULE_LOCAL inline bool can_make(MPI_Info* info) noexcept {
    if (info == nullptr || has_objects()) return true;
    *info = MPI_INFO_NULL;
    return false;
}

} // namespace mpit::stack

MPIT_C_STACKED_FUNCTION(event_get_num, (int* num_events)) { return mpit::own::event_get_num(num_events); }

MPIT_C_STACKED_FUNCTION(event_get_info,
                        (int event_index, char* name, int* name_len, int* verbosity, MPI_Datatype* array_of_datatypes,
                         MPI_Aint* array_of_displacements, int* num_elements, MPI_T_enum* enumtype, MPI_Info* info,
                         char* desc, int* desc_len, int* bind)) {
    if (!mpit::stack::can_make(info)) info = nullptr;
    return mpit::own::event_get_info(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements,
                                     num_elements, enumtype, info, desc, desc_len, bind);
}

MPIT_C_STACKED_FUNCTION(event_get_index, (const char* name, int* event_index)) {
    return mpit::own::event_get_index(name, event_index);
}

MPIT_C_STACKED_FUNCTION(event_read, (MPI_T_event_instance event_instance, int element_index, void* buffer)) {
    return mpit::own::event_read(event_instance, element_index, buffer);
}

MPIT_C_STACKED_FUNCTION(event_copy, (MPI_T_event_instance event_instance, void* buffer)) {
    return mpit::own::event_copy(event_instance, buffer);
}

MPIT_C_STACKED_FUNCTION(event_get_timestamp, (MPI_T_event_instance event_instance, MPI_Count* event_timestamp)) {
    return mpit::own::event_get_timestamp(event_instance, event_timestamp);
}

MPIT_C_STACKED_FUNCTION(event_get_source, (MPI_T_event_instance event_instance, int* source_index)) {
    return mpit::own::event_get_source(event_instance, source_index);
}

MPIT_C_STACKED_FUNCTION(event_handle_alloc, (int event_index, void* obj_handle, MPI_Info info,
                                             MPI_T_event_registration* event_registration)) {
    return mpit::own::event_handle_alloc(event_index, obj_handle, info, event_registration);
}

MPIT_C_STACKED_FUNCTION(event_handle_set_info, (MPI_T_event_registration event_registration, MPI_Info info)) {
    return mpit::own::event_handle_set_info(event_registration, info);
}

MPIT_C_STACKED_FUNCTION(event_handle_get_info, (MPI_T_event_registration event_registration, MPI_Info* info_used)) {
    if (!mpit::stack::can_make(info_used)) return MPI_T_ERR_INVALID;
    return mpit::own::event_handle_get_info(event_registration, info_used);
}

MPIT_C_STACKED_FUNCTION(event_handle_free, (MPI_T_event_registration event_registration, void* user_data,
                                            MPI_T_event_free_cb_function free_cb_function)) {
    return mpit::own::event_handle_free(event_registration, user_data, free_cb_function);
}

MPIT_C_STACKED_FUNCTION(event_register_callback,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
                         void* user_data, MPI_T_event_cb_function event_cb_function)) {
    return mpit::own::event_register_callback(event_registration, cb_safety, info, user_data, event_cb_function);
}

MPIT_C_STACKED_FUNCTION(event_callback_set_info,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info)) {
    return mpit::own::event_callback_set_info(event_registration, cb_safety, info);
}

MPIT_C_STACKED_FUNCTION(event_callback_get_info,
                        (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info* info_used)) {
    if (!mpit::stack::can_make(info_used)) return MPI_T_ERR_INVALID;
    return mpit::own::event_callback_get_info(event_registration, cb_safety, info_used);
}

MPIT_C_STACKED_FUNCTION(event_set_dropped_handler, (MPI_T_event_registration event_registration,
                                                    MPI_T_event_dropped_cb_function dropped_cb_function)) {
    return mpit::own::event_set_dropped_handler(event_registration, dropped_cb_function);
}

MPIT_C_STACKED_FUNCTION(source_get_num, (int* num_sources)) { return mpit::own::source_get_num(num_sources); }

MPIT_C_STACKED_FUNCTION(source_get_info, (int source_index, char* name, int* name_len, char* desc, int* desc_len,
                                          MPI_T_source_order* ordering, MPI_Count* ticks_per_second,
                                          MPI_Count* max_ticks, MPI_Info* info)) {
    if (!mpit::stack::can_make(info)) info = nullptr;
    return mpit::own::source_get_info(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second,
                                      max_ticks, info);
}

MPIT_C_STACKED_FUNCTION(source_get_timestamp, (int source_index, MPI_Count* timestamp)) {
    return mpit::own::source_get_timestamp(source_index, timestamp);
}
