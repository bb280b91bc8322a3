// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.8: Registrations on events: handles, callbacks and hints. A callback may call every function here, also
// the one that frees its own registration.
#pragma once

#include <mpit/mpi_t/event.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

using internal::tool_function;

// The standard's types of functions are pointers already in Open MPI 6.
template <class Function> struct pointer_to { using type = Function*; };
template <class Function> struct pointer_to<Function*> { using type = Function*; };
using event_function = pointer_to<MPI_T_event_cb_function>::type;
using free_function = pointer_to<MPI_T_event_free_cb_function>::type;
using dropped_function = pointer_to<MPI_T_event_dropped_cb_function>::type;

// The core keeps functions of tools without their types; here each is converted from its type and back.
template <class Pointer> tool_function untyped(Pointer function) noexcept {
    return reinterpret_cast<tool_function>(function);
}
template <class Pointer> Pointer typed(tool_function function) noexcept { return reinterpret_cast<Pointer>(function); }

MPIT_MODULE_LOCAL inline void call_event(tool_function function, void* user_data, std::uint64_t instance,
                                         std::uint64_t registration, safety level) {
    typed<event_function>(function)(handle_of<MPI_T_event_instance>(instance),
                                    handle_of<MPI_T_event_registration>(registration), constant_of(level), user_data);
}
MPIT_MODULE_LOCAL inline void call_dropped(tool_function function, std::int64_t count, std::uint64_t registration,
                                           int source, safety level, void* user_data) {
    typed<dropped_function>(function)(count, handle_of<MPI_T_event_registration>(registration), source_index_of(source),
                                      constant_of(level), user_data);
}
MPIT_MODULE_LOCAL inline void call_freed(internal::subscription& ended, std::uint64_t registration, safety level) {
    struct release {
        internal::subscription& ended;
        std::uint64_t registration;
        ~release() { tools().events.release(ended, registration); }
    };
    const release afterwards{ended, registration};
    if (ended.free_function != nullptr)
        typed<free_function>(ended.free_function)(handle_of<MPI_T_event_registration>(registration), constant_of(level),
                                                  ended.free_data);
}
MPIT_MODULE_LOCAL inline constexpr internal::tool_calls tool_calls{&call_event, &call_dropped, &call_freed};

// Lets `use` answer with the hints of an info object.
template <class Use> MPIT_MODULE_LOCAL int with_hints(MPI_Info handle, Use use) noexcept {
    info setting;
    const result read = read_info(handle, setting);
    return code_of(read == result::success ? use(setting) : read);
}
// The same for the callback of a level.
template <class Use>
MPIT_MODULE_LOCAL int with_callback_hints(MPI_T_cb_safety cb_safety, MPI_Info handle, Use use) noexcept {
    return with_hints(handle, [&](const info& hints) {
        safety level{};
        return safety_of(cb_safety, level) ? use(level, hints) : result::invalid;
    });
}

} // namespace mpi_t
} // namespace mpit

// MPI_T_EVENT_HANDLE_ALLOC(event_index, obj_handle, info, event_registration). A failure sets the registration to null.
MPIT_C_FUNCTION(event_handle_alloc,
                (int event_index, void* obj_handle, MPI_Info info, MPI_T_event_registration* event_registration),
                (event_index, obj_handle, info, event_registration)) {
    using namespace mpit::mpi_t;
    if (event_registration == nullptr) return MPI_T_ERR_INVALID;
    *event_registration = nullptr;
    mpit::info setting;
    if (const mpit::result read = mpit::mpi_t::read_info(info, setting); read != mpit::result::success) return code_of(read);
    mpit::session::event_record* record = tools().event(event_index);
    if (record == nullptr) return MPI_T_ERR_INVALID_INDEX;
    mpit::session::registration_hints hints;
    hints.take(setting);
    std::uint64_t word = 0;
    const mpit::result answer = tools().events.allocate(names(), *record, obj_handle, hints, mpit::mpi_t::tool_calls,
                                                        tools().counting, word);
    if (answer == mpit::result::success) *event_registration = handle_of<MPI_T_event_registration>(word);
    return code_of(answer);
}

// MPI_T_EVENT_HANDLE_SET_INFO(event_registration, info)
MPIT_C_FUNCTION(event_handle_set_info, (MPI_T_event_registration event_registration, MPI_Info info),
                (event_registration, info)) {
    return mpit::mpi_t::with_hints(info, [&](const mpit::info& setting) {
        return mpit::mpi_t::tools().events.set_hints(mpit::mpi_t::word_of(event_registration), setting);
    });
}

// MPI_T_EVENT_HANDLE_GET_INFO(event_registration, info_used). The info object is new, and the caller frees it.
MPIT_C_FUNCTION(event_handle_get_info, (MPI_T_event_registration event_registration, MPI_Info* info_used),
                (event_registration, info_used)) {
    using namespace mpit::mpi_t;
    if (info_used == nullptr) return MPI_T_ERR_INVALID;
    mpit::session::registration_hints hints;
    bool are_taken = false;
    const mpit::result answer = tools().events.get_hints(word_of(event_registration), hints, are_taken);
    return answer == mpit::result::success ? put_hints(hints, are_taken, info_used) : code_of(answer);
}

// MPI_T_EVENT_HANDLE_FREE(event_registration, user_data, free_cb_function). The function is called once, in this call or by
// the thread that leaves the last callback.
MPIT_C_FUNCTION(event_handle_free,
                (MPI_T_event_registration event_registration, void* user_data,
                 MPI_T_event_free_cb_function free_cb_function),
                (event_registration, user_data, free_cb_function)) {
    using namespace mpit::mpi_t;
    return code_of(tools().events.free(names(), word_of(event_registration), untyped(free_cb_function), user_data));
}

// MPI_T_EVENT_REGISTER_CALLBACK(event_registration, cb_safety, info, user_data, event_cb_function). A null function removes
// the callback of the level.
MPIT_C_FUNCTION(event_register_callback,
                (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info, void* user_data,
                 MPI_T_event_cb_function event_cb_function),
                (event_registration, cb_safety, info, user_data, event_cb_function)) {
    using namespace mpit::mpi_t;
    return with_callback_hints(cb_safety, info, [&](mpit::safety level, const mpit::info& setting) {
        mpit::session::callback_hints hints;
        hints.take(setting);
        return tools().events.register_callback(word_of(event_registration), level, untyped(event_cb_function),
                                                user_data, hints);
    });
}

// MPI_T_EVENT_CALLBACK_SET_INFO(event_registration, cb_safety, info). MPI_T_ERR_INVALID if the level has no callback.
MPIT_C_FUNCTION(event_callback_set_info,
                (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info),
                (event_registration, cb_safety, info)) {
    using namespace mpit::mpi_t;
    return with_callback_hints(cb_safety, info, [&](mpit::safety level, const mpit::info& setting) {
        return tools().events.set_callback_hints(word_of(event_registration), level, setting);
    });
}

// MPI_T_EVENT_CALLBACK_GET_INFO(event_registration, cb_safety, info_used). The info object is new, and the caller frees it.
// MPI_T_ERR_INVALID if the level has no callback.
MPIT_C_FUNCTION(event_callback_get_info,
                (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info* info_used),
                (event_registration, cb_safety, info_used)) {
    using namespace mpit::mpi_t;
    mpit::safety level{};
    if (info_used == nullptr || !safety_of(cb_safety, level)) return MPI_T_ERR_INVALID;
    mpit::session::callback_hints hints;
    const mpit::result answer = tools().events.get_callback_hints(word_of(event_registration), level, hints);
    if (answer != mpit::result::success) return code_of(answer);
    mpit::info shown;
    return hints.show(shown) && make_info(shown, *info_used) == mpit::result::success ? int{MPI_SUCCESS}
                                                                                      : int{MPI_T_ERR_MEMORY};
}

// MPI_T_EVENT_SET_DROPPED_HANDLER(event_registration, dropped_cb_function). With a null function losses are not counted.
MPIT_C_FUNCTION(event_set_dropped_handler,
                (MPI_T_event_registration event_registration, MPI_T_event_dropped_cb_function dropped_cb_function),
                (event_registration, dropped_cb_function)) {
    using namespace mpit::mpi_t;
    return code_of(tools().events.set_dropped_handler(word_of(event_registration), untyped(dropped_cb_function)));
}
