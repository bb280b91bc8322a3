// What the functions of a tool saw of events: every call is kept with its arguments, in the order of the calls. All of
// them run on the thread of the test case; what several threads do is counted by functions of the test's own.
//
//   recorded.clear();   r.call(&record_event, &data);   tree.happened(7);   CHECK(numbers() == "7 ");
#pragma once

#include "../tool.hpp"

struct recorded_call {
    enum { event, losses, end } of;
    MPI_T_event_registration registration;
    MPI_T_cb_safety level;
    void* user_data;
    int number = -7; // the first element, where it is an int
    MPI_Count stamp = -7;
    int source = -7;
    MPI_Count lost = 0;
};
inline std::vector<recorded_call> recorded;

// Functions of the library must not be left by an exception, so that these check nothing.
inline void record_event(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level,
                         void* user_data) {
    recorded_call call{recorded_call::event, registration, level, user_data};
    MPI_T_event_read(instance, 0, &call.number);
    MPI_T_event_get_timestamp(instance, &call.stamp);
    MPI_T_event_get_source(instance, &call.source);
    recorded.push_back(call);
}
inline void record_losses(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety level,
                          void* user_data) {
    recorded_call call{recorded_call::losses, registration, level, user_data};
    call.lost = count;
    call.source = source;
    recorded.push_back(call);
}
inline void record_end(MPI_T_event_registration registration, MPI_T_cb_safety level, void* user_data) {
    recorded.push_back({recorded_call::end, registration, level, user_data});
}

// The record in short: the number of each event, how many were lost, and the end.
inline std::string numbers() {
    std::string text;
    for (const recorded_call& call : recorded)
        text += call.of == recorded_call::event    ? std::to_string(call.number) + " "
                : call.of == recorded_call::losses ? "lost " + std::to_string(call.lost) + " "
                                                   : "end ";
    return text;
}

// All levels, in the order of what they demand: first those of the header in use, then those of the library.
inline constexpr MPI_T_cb_safety every_level[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                                  MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
inline constexpr mpit::safety every_safety[] = {mpit::safety::none, mpit::safety::restricted, mpit::safety::thread_safe,
                                                mpit::safety::async_signal_safe};
