// SPDX-License-Identifier: BSD-3-Clause
// Defines the MPI_T functions on events, registrations, callbacks, event instances and timestamp sources (MPI-5.0,
// 15.3.8). An event callback may call every function in this header, and may even free its own registration.
#pragma once

#include <mpit/mpi_t/functions.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// mpit's core calls the callbacks of tools through these functions, because only mpi.h defines the callback types.
template <class Provider> struct callbacks {
    static void call_event(tool_function function, void* user_data, std::uint64_t instance, std::uint64_t registration,
                           safety level) {
        typed<event_function>(function)(handle_of<MPI_T_event_instance>(instance),
                                        handle_of<MPI_T_event_registration>(registration), constant_of(level),
                                        user_data);
    }
    static void call_dropped(tool_function function, std::int64_t count, std::uint64_t registration, int source,
                             safety level, void* user_data) {
        typed<dropped_function>(function)(count, handle_of<MPI_T_event_registration>(registration),
                                          Provider::source_index(source), constant_of(level), user_data);
    }
    static void call_freed(internal::subscription& subscription, std::uint64_t registration, safety level) {
        struct releaser { // calls release() even if the tool's function ends the thread
            internal::subscription& subscription;
            std::uint64_t registration;
            ~releaser() { tools().events.release(subscription, registration); }
        };
        const releaser release_at_end{subscription, registration};
        if (subscription.free_function != nullptr)
            typed<free_function>(subscription.free_function)(handle_of<MPI_T_event_registration>(registration),
                                                             constant_of(level), subscription.free_data);
    }
    static constexpr internal::tool_calls calls{&call_event, &call_dropped, &call_freed};
};

// The three arguments of MPI_T_event_get_info that describe the elements of an event. On entry, `count` is the capacity
// of both arrays. On return, `count` is the number of elements of the event.
struct element_arrays {
    MPI_Datatype* datatypes;
    MPI_Aint* displacements;
    int* count;

    bool has_array() const noexcept { return count != nullptr && (datatypes != nullptr || displacements != nullptr); }
    bool is_well_formed() const noexcept { return !has_array() || *count >= 0; }
    // Stores as many elements of the event as fit into the arrays, and stores the number of all elements in `count`.
    template <class Provider, class Event> void fill(const Event& event) const noexcept {
        const int elements = Provider::element_count(event);
        const int stored = !has_array() ? 0 : *count < elements ? *count : elements;
        for (int i = 0; i < stored; i++) {
            if (datatypes != nullptr) datatypes[i] = Provider::element_type(event, i);
            if (displacements != nullptr) displacements[i] = Provider::element_displacement(event, i);
        }
        put(count, elements);
    }
};

// MPI_T_EVENT_GET_NUM(num_events)
template <class Provider> int functions<Provider>::event_get_num(int* num_events) {
    return get_num(kind::event, num_events);
}

// MPI_T_EVENT_GET_INFO(event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements,
// num_elements, enumtype, info, desc, desc_len, bind). On entry, num_elements is the capacity of both arrays. On
// return, num_elements is the number of elements of the event. The items of the enumeration `enumtype` name the
// elements. The caller frees the new info object.
template <class Provider>
int functions<Provider>::event_get_info(int event_index, char* name, int* name_len, int* verbosity,
                                        MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[],
                                        int* num_elements, MPI_T_enum* enumtype, MPI_Info* info, char* desc,
                                        int* desc_len, int* bind) {
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    const element_arrays elements{array_of_datatypes, array_of_displacements, num_elements};
    if (!name_text.is_well_formed() || !description.is_well_formed() || !elements.is_well_formed())
        return MPI_T_ERR_INVALID;
    return Provider::visit_event(event_index, [&](const auto& event) __attribute__((always_inline)) {
        if (info != nullptr)
            if (const int code = Provider::make_info_of(event, info); code != MPI_SUCCESS) return code;
        name_text.put(event.name);
        put(verbosity, constant_of(event.verbosity));
        elements.template fill<Provider>(event);
        put(enumtype, enumeration_handle(event.enumeration));
        description.put(event.description);
        put(bind, constant_of(event.binding));
        return int{MPI_SUCCESS};
    });
}

// MPI_T_EVENT_GET_INDEX(name, event_index)
template <class Provider> int functions<Provider>::event_get_index(const char* name, int* event_index) {
    return get_index(kind::event, name, event_index);
}

// MPI_T_EVENT_HANDLE_ALLOC(event_index, obj_handle, info, event_registration). Stores null if the call fails.
template <class Provider>
int functions<Provider>::event_handle_alloc(int event_index, void* obj_handle, MPI_Info info,
                                            MPI_T_event_registration* event_registration) {
    if (event_registration == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    const int code = Provider::allocate_registration(event_index, obj_handle, info, callbacks<Provider>::calls, word);
    *event_registration = code == MPI_SUCCESS ? handle_of<MPI_T_event_registration>(word) : nullptr;
    return code;
}

// MPI_T_EVENT_HANDLE_SET_INFO(event_registration, info)
template <class Provider>
int functions<Provider>::event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info) {
    return Provider::set_hints(word_of(event_registration), info);
}

// MPI_T_EVENT_HANDLE_GET_INFO(event_registration, info_used). The caller frees the new info object.
template <class Provider>
int functions<Provider>::event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info* info_used) {
    return info_used == nullptr ? int{MPI_T_ERR_INVALID} : Provider::get_hints(word_of(event_registration), info_used);
}

// MPI_T_EVENT_HANDLE_FREE(event_registration, user_data, free_cb_function). When no callback of the registration runs,
// free_cb_function is called once, possibly in another thread and after MPI_T_event_handle_free has returned.
template <class Provider>
int functions<Provider>::event_handle_free(MPI_T_event_registration event_registration, void* user_data,
                                           MPI_T_event_free_cb_function free_cb_function) {
    return Provider::free_registration(word_of(event_registration), free_cb_function, user_data);
}

// MPI_T_EVENT_REGISTER_CALLBACK(event_registration, cb_safety, info, user_data, event_cb_function). If
// event_cb_function is null, the call removes the callback that is registered for the safety level.
template <class Provider>
int functions<Provider>::event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                                 MPI_Info info, void* user_data,
                                                 MPI_T_event_cb_function event_cb_function) {
    safety level{};
    if (!safety_of(cb_safety, level)) return MPI_T_ERR_INVALID;
    return Provider::register_callback(word_of(event_registration), level, info, event_cb_function, user_data);
}

// MPI_T_EVENT_CALLBACK_SET_INFO(event_registration, cb_safety, info). Returns MPI_T_ERR_INVALID if no callback is
// registered for the safety level.
template <class Provider>
int functions<Provider>::event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                                 MPI_Info info) {
    safety level{};
    return safety_of(cb_safety, level) ? Provider::set_callback_hints(word_of(event_registration), level, info)
                                       : int{MPI_T_ERR_INVALID};
}

// MPI_T_EVENT_CALLBACK_GET_INFO(event_registration, cb_safety, info_used). The caller frees the new info object.
// Returns MPI_T_ERR_INVALID if no callback is registered for the safety level.
template <class Provider>
int functions<Provider>::event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
                                                 MPI_Info* info_used) {
    safety level{};
    if (info_used == nullptr || !safety_of(cb_safety, level)) return MPI_T_ERR_INVALID;
    return Provider::get_callback_hints(word_of(event_registration), level, info_used);
}

// MPI_T_EVENT_SET_DROPPED_HANDLER(event_registration, dropped_cb_function). If the function is null, dropped events are
// not counted.
template <class Provider>
int functions<Provider>::event_set_dropped_handler(MPI_T_event_registration event_registration,
                                                   MPI_T_event_dropped_cb_function dropped_cb_function) {
    return Provider::set_dropped_handler(word_of(event_registration), dropped_cb_function);
}

// MPI_T_EVENT_READ(event_instance, element_index, buffer). Returns MPI_T_ERR_INVALID_INDEX if no element has the index.
template <class Provider>
int functions<Provider>::event_read(MPI_T_event_instance event_instance, int element_index, void* buffer) {
    return buffer == nullptr ? int{MPI_T_ERR_INVALID}
                             : Provider::read_element(word_of(event_instance), element_index, buffer);
}

// MPI_T_EVENT_COPY(event_instance, buffer). Copies all elements of the event, with the padding between elements.
template <class Provider> int functions<Provider>::event_copy(MPI_T_event_instance event_instance, void* buffer) {
    return buffer == nullptr ? int{MPI_T_ERR_INVALID} : Provider::copy_payload(word_of(event_instance), buffer);
}

// MPI_T_EVENT_GET_TIMESTAMP(event_instance, event_timestamp). Stores the time of the event, in ticks of its source.
template <class Provider>
int functions<Provider>::event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count* event_timestamp) {
    return event_timestamp == nullptr ? int{MPI_T_ERR_INVALID}
                                      : Provider::time_of(word_of(event_instance), event_timestamp);
}

// MPI_T_EVENT_GET_SOURCE(event_instance, source_index)
template <class Provider>
int functions<Provider>::event_get_source(MPI_T_event_instance event_instance, int* source_index) {
    return source_index == nullptr ? int{MPI_T_ERR_INVALID}
                                   : Provider::source_of(word_of(event_instance), source_index);
}

// MPI_T_SOURCE_GET_NUM(num_sources)
template <class Provider> int functions<Provider>::source_get_num(int* num_sources) {
    return get_num(kind::source, num_sources);
}

// MPI_T_SOURCE_GET_INFO(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info). The
// caller frees the new info object.
template <class Provider>
int functions<Provider>::source_get_info(int source_index, char* name, int* name_len, char* desc, int* desc_len,
                                         MPI_T_source_order* ordering, MPI_Count* ticks_per_second,
                                         MPI_Count* max_ticks, MPI_Info* info) {
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    return Provider::visit_source(source_index, [&](const auto& source) __attribute__((always_inline)) {
        if (info != nullptr)
            if (const int code = Provider::make_info_of(source, info); code != MPI_SUCCESS) return code;
        name_text.put(source.name);
        description.put(source.description);
        put(ordering, constant_of(source.ordering));
        put(ticks_per_second, source.ticks_per_second);
        put(max_ticks, source.max_ticks);
        return int{MPI_SUCCESS};
    });
}

// MPI_T_SOURCE_GET_TIMESTAMP(source_index, timestamp). Returns MPI_T_ERR_NOT_SUPPORTED if the source has no clock, or
// if the library of the source is unloaded.
template <class Provider> int functions<Provider>::source_get_timestamp(int source_index, MPI_Count* timestamp) {
    return timestamp == nullptr ? int{MPI_T_ERR_INVALID} : Provider::source_time(source_index, timestamp);
}

} // namespace mpi_t
} // namespace mpit
