// Shared by the benchmarks of events: a payload, an object, and a tool with a registration.
//
//   registration{"event_name"}.call(ignore);
#pragma once

#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <cstdint>
#include <string>

struct message {
    int source;
    int tag;
    unsigned long bytes;
};
using communicator = MPI_ABI_Comm*;
inline communicator object = reinterpret_cast<communicator>(std::uintptr_t{1000});

// An info object with one hint.
class hints {
public:
    hints(const char* key, int value) {
        check(MPI_Info_create(&object_));
        check(MPI_Info_set(object_, key, std::to_string(value).c_str()));
    }
    hints(const hints&) = delete;
    hints& operator=(const hints&) = delete;
    ~hints() { check(MPI_Info_free(&object_)); }
    operator MPI_Info() const { return object_; }

private:
    MPI_Info object_ = MPI_INFO_NULL;
};

inline int event_number(const char* name) {
    int number = -1;
    check(MPI_T_event_get_index(name, &number));
    return number;
}

// A registration on an event, bound to the object above if the event is; it stays until the process ends.
class registration {
public:
    explicit registration(const char* event, MPI_Info given = MPI_INFO_NULL) {
        check(MPI_T_event_handle_alloc(event_number(event), &object, given, &handle_));
    }
    registration& call(MPI_T_event_cb_function* function, MPI_T_cb_safety level = MPI_T_CB_REQUIRE_NONE,
                       MPI_Info given = MPI_INFO_NULL) {
        check(MPI_T_event_register_callback(handle_, level, given, nullptr, function));
        return *this;
    }
    void count_losses() {
        const auto forget = [](MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {};
        check(MPI_T_event_set_dropped_handler(handle_, forget));
    }
    operator MPI_T_event_registration() const { return handle_; }

private:
    MPI_T_event_registration handle_ = nullptr;
};

inline void ignore(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {}
inline void read_element_and_stamp(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    int source = 0;
    MPI_Count stamp = 0;
    check(MPI_T_event_read(instance, 0, &source));
    check(MPI_T_event_get_timestamp(instance, &stamp));
}
