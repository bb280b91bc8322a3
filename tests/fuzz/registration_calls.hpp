// Calls of the clause on events that register, and the callbacks: each looks at what it is told, and then makes calls
// of its own, which may end its own registration or the whole epoch.
#pragma once

#include "event_calls.hpp"

// Makes a few calls inside a callback; stands in target.cpp.
void act_inside();

inline constexpr MPI_T_cb_safety every_level[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                                  MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
inline int number_of_level(MPI_T_cb_safety level) {
    for (int i = 0; i < 4; i++)
        if (every_level[i] == level) return i;
    return -1;
}
inline MPI_T_cb_safety any_level() {
    static constexpr int none[] = {1, 7, 0x3e}; // within what the type can hold
    return the_world.in.one_in(10) ? static_cast<MPI_T_cb_safety>(the_world.in.one_of(none))
                                   : the_world.in.one_of(every_level);
}
inline void* next_user_data() { return handle_number<void*>(the_world.next_user_data++); }

// Acts while memory is there and the call around it is not forgotten.
inline void act_in_callback() {
    const char* const kept = present_call;
    is_starved = false;
    mpit::core::allocations_left.store(-1);
    the_world.nesting++;
    act_inside();
    the_world.nesting--;
    present_call = kept;
}
// The registration that a callback is for, once the callback is known to be the one that serves the level.
inline const registration_model& called_back(MPI_T_event_registration registration, MPI_T_cb_safety level,
                                             void* user_data) {
    const registration_model* known = the_world.registrations.find(registration);
    demand(the_world.is_open(), "callbacks run while the interface is open");
    demand(known != nullptr, "callbacks belong to registrations that are open");
    demand(number_of_level(level) >= 0, "callbacks are told their level");
    for (int l = number_of_level(level); l < 4; l++) {
        if (!known->callbacks[l].is_set) continue;
        demand(known->callbacks[l].user_data == user_data,
               "the callback of the lowest level that demands as much is called");
        return *known;
    }
    demand(false, "callbacks were registered for a level that demands as much");
    return *known;
}
inline void event_happened(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level,
                           void* user_data) {
    const registration_model& known = called_back(registration, level, user_data);
    const variable_info& event = known.to.variable();
    the_world.shown_instances.push_back(word_of(instance));
    the_world.shown_events.push_back(known.to.number);
    message_payload message{};
    number_payload number{};
    if (event.name == "e_plain") {
        demand(MPI_T_event_copy(instance, &message) == MPI_SUCCESS, "a callback can look at its instance");
        demand(message.bytes == static_cast<unsigned long>(message.source ^ message.tag),
               "payloads come as they were given");
    } else if (event.types.size() == 1) {
        demand(MPI_T_event_read(instance, 0, &number) == MPI_SUCCESS, "a callback can look at its instance");
        demand(number.number >> 8 == 0x5a, "payloads come as they were given");
        if (event.is_bound())
            demand((number.number & 0xff) == static_cast<int>(known.to.object & 0xff),
                   "an event is of the object that was asked for");
    }
    MPI_Count stamp = -1;
    demand(MPI_T_event_get_timestamp(instance, &stamp) == MPI_SUCCESS && stamp >= 0, "an instance has a time stamp");
    if (is_ordered(event)) {
        static MPI_Count last = 0;
        demand(stamp >= last, "the time stamps of an ordered source never go back");
        last = stamp;
    }
    act_in_callback();
    the_world.past_instances.push_back(the_world.shown_instances.back());
    the_world.past_events.push_back(the_world.shown_events.back());
    the_world.shown_instances.pop_back();
    the_world.shown_events.pop_back();
}
inline void events_were_lost(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety level,
                             void* user_data) {
    const registration_model& known = called_back(registration, level, user_data);
    demand(known.hears_of_losses, "losses are told to those who asked");
    demand(count > 0, "losses are told when there are some");
    demand(source >= 0 && static_cast<std::size_t>(source) < facts.sources.size(), "losses have a source");
    act_in_callback();
}
inline void registration_ended(MPI_T_event_registration registration, MPI_T_cb_safety level, void* user_data) {
    demand(number_of_level(level) >= 0, "callbacks are told their level");
    const auto promised =
        std::find_if(the_world.promised_ends.begin(), the_world.promised_ends.end(), [&](const promised_end& each) {
        return each.registration == word_of(registration) && each.user_data == user_data;
    });
    demand(promised != the_world.promised_ends.end(),
           "the function of a registration's end is called once, for who gave it");
    the_world.promised_ends.erase(promised);
    the_world.registrations.open.erase(word_of(registration));
    act_in_callback();
}

inline void call_event_handle_alloc() {
    const int number = the_world.any_number(facts.events.size());
    const variable_info* known = facts_or_null(subject::event, number);
    const object_argument object{known};
    const MPI_Info info = any_info();
    output<MPI_T_event_registration> registration{the_world.in};
    registration.hold(the_world.any(the_world.registrations));
    bound_to to{subject::event, number};
    const bool is_info = info == MPI_INFO_NULL || readable(info) != nullptr;
    int expected = code_of_query(!registration.is_null() && is_info, known != nullptr);
    if (expected == MPI_SUCCESS) expected = the_world.bind(to, object.pointer());
    const int code =
        answered("event_handle_alloc", MPI_T_event_handle_alloc(number, object.pointer(), info, registration.pointer()),
                 expected);
    if (code == MPI_SUCCESS) the_world.registrations.add(registration.value(), {to, {}, false});
    else if (the_world.is_open()) registration.expect(true, nullptr);
    else registration.expect_unchanged();
}
// What is kept is delivered first, so that callbacks may end the registration before this call does.
inline void call_event_handle_free() {
    const MPI_T_event_registration registration = the_world.any(the_world.registrations);
    void* const user_data = next_user_data();
    MPI_T_event_free_cb_function* const function = the_world.in.one_in(3) ? nullptr : &registration_ended;
    const bool was_initialized = the_world.is_open(), was_open = the_world.registrations.find(registration) != nullptr;
    if (function != nullptr) the_world.promised_ends.push_back({word_of(registration), user_data});
    const int code = answered("event_handle_free", MPI_T_event_handle_free(registration, user_data, function));
    const auto promised = std::find_if(the_world.promised_ends.begin(), the_world.promised_ends.end(),
                                       [&](const promised_end& each) { return each.user_data == user_data; });
    const bool is_told = function != nullptr && promised == the_world.promised_ends.end();
    const bool is_ended = is_told || (was_open && the_world.registrations.find(registration) != nullptr);
    demand(code == (!was_initialized ? MPI_T_ERR_NOT_INITIALIZED
                    : is_ended       ? MPI_SUCCESS
                                     : MPI_T_ERR_INVALID_HANDLE),
           "an open registration is ended once");
    if (code == MPI_SUCCESS) the_world.registrations.open.erase(word_of(registration));
    else if (promised != the_world.promised_ends.end()) the_world.promised_ends.erase(promised);
}

// A registration, and its model where the library of its event was not unloaded.
struct drawn_registration {
    MPI_T_event_registration handle = the_world.any(the_world.registrations);
    registration_model* known = the_world.registrations.find(handle);
    drawn_registration() {
        if (known != nullptr && !the_world.is_current(known->to)) known = nullptr;
    }
    int code(bool are_well_formed) const {
        const int expected = code_of_query(are_well_formed, true);
        return expected == MPI_SUCCESS && known == nullptr ? MPI_T_ERR_INVALID_HANDLE : expected;
    }
};
inline bool is_good_info(MPI_Info info) { return info == MPI_INFO_NULL || readable(info) != nullptr; }

inline void call_event_handle_set_info() {
    const drawn_registration on;
    const MPI_Info info = any_info();
    const int expected = on.code(is_good_info(info));
    answered("event_handle_set_info", MPI_T_event_handle_set_info(on.handle, info), expected);
}
inline void expect_keys(bool has_succeeded, const output<MPI_Info>& made, std::initializer_list<const char*> keys) {
    if (!has_succeeded || made.is_null()) return made.expect_unchanged();
    is_starved = false;
    mpit::core::allocations_left.store(-1);
    const info_model pairs = read_model(made.value());
    demand(pairs.size() == keys.size(), "an info object has the pairs that are due");
    for (const char* each : keys) demand(value_in(pairs, each) != nullptr, "an info object has the pairs that are due");
    the_world.infos.add(made.value(), pairs);
}
inline void call_event_handle_get_info() {
    const drawn_registration on;
    output<MPI_Info> info{the_world.in};
    const int code = answered("event_handle_get_info", MPI_T_event_handle_get_info(on.handle, info.pointer()),
                              on.code(!info.is_null()));
    if (on.known != nullptr && is_ordered(on.known->to.variable())) expect_keys(code == MPI_SUCCESS, info, {});
    else expect_keys(code == MPI_SUCCESS, info, {"mpit_buffer_depth", "mpit_drop_policy"});
}
inline void call_event_register_callback() {
    const drawn_registration on;
    const MPI_T_cb_safety level = any_level();
    const MPI_Info info = any_info();
    void* const user_data = next_user_data();
    MPI_T_event_cb_function* const function = the_world.in.one_in(6) ? nullptr : &event_happened;
    const int expected = on.code(is_good_info(info) && number_of_level(level) >= 0);
    const int code = answered("event_register_callback",
                              MPI_T_event_register_callback(on.handle, level, info, user_data, function), expected);
    if (code == MPI_SUCCESS) on.known->callbacks[number_of_level(level)] = {function != nullptr, user_data};
}
inline bool has_callback(const drawn_registration& on, MPI_T_cb_safety level) {
    return number_of_level(level) >= 0 && on.known != nullptr && on.known->callbacks[number_of_level(level)].is_set;
}
inline void call_event_callback_set_info() {
    const drawn_registration on;
    const MPI_T_cb_safety level = any_level();
    const MPI_Info info = any_info();
    int expected = on.code(is_good_info(info) && number_of_level(level) >= 0);
    if (expected == MPI_SUCCESS && !has_callback(on, level)) expected = MPI_T_ERR_INVALID;
    answered("event_callback_set_info", MPI_T_event_callback_set_info(on.handle, level, info), expected);
}
inline void call_event_callback_get_info() {
    const drawn_registration on;
    const MPI_T_cb_safety level = any_level();
    output<MPI_Info> info{the_world.in};
    int expected = on.code(!info.is_null() && number_of_level(level) >= 0);
    if (expected == MPI_SUCCESS && !has_callback(on, level)) expected = MPI_T_ERR_INVALID;
    const int code =
        answered("event_callback_get_info", MPI_T_event_callback_get_info(on.handle, level, info.pointer()), expected);
    expect_keys(code == MPI_SUCCESS, info, {"mpit_sampling"});
}
inline void call_event_set_dropped_handler() {
    const drawn_registration on;
    MPI_T_event_dropped_cb_function* const function = the_world.in.one_in(4) ? nullptr : &events_were_lost;
    const int code =
        answered("event_set_dropped_handler", MPI_T_event_set_dropped_handler(on.handle, function), on.code(true));
    if (code == MPI_SUCCESS) on.known->hears_of_losses = function != nullptr;
}
