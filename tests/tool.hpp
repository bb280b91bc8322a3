// What a tool needs to look at the variables of tests/variables.hpp through the standard functions: their header, an
// initialised interface for the length of a test case, handles that free themselves, and hints as texts.
#pragma once

#include "catch.hpp"
#include "variables.hpp"

#include <mpit/mpi_t.h>

#include <climits>
#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

// The interface is initialised while one of these lives, as for a TEST_CASE_METHOD(initialized, "...").
struct initialized {
    int provided = -1;
    explicit initialized(int required = MPI_THREAD_MULTIPLE) {
        REQUIRE(MPI_T_init_thread(required, &provided) == MPI_SUCCESS);
    }
    ~initialized() { MPI_T_finalize(); }
    initialized(const initialized&) = delete;
};

inline int cvar_index(const char* name) {
    int found = -1;
    REQUIRE(MPI_T_cvar_get_index(name, &found) == MPI_SUCCESS);
    return found;
}
inline int pvar_index(const char* name, int var_class) {
    int found = -1;
    REQUIRE(MPI_T_pvar_get_index(name, var_class, &found) == MPI_SUCCESS);
    return found;
}
inline int event_index(const char* name) {
    int found = -1;
    REQUIRE(MPI_T_event_get_index(name, &found) == MPI_SUCCESS);
    return found;
}

// A handle on a control variable.
struct cvar {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = -1;
    explicit cvar(const char* name, void* object = nullptr) {
        REQUIRE(MPI_T_cvar_handle_alloc(cvar_index(name), object, &handle, &count) == MPI_SUCCESS);
    }
    ~cvar() {
        if (handle != MPI_T_CVAR_HANDLE_NULL) MPI_T_cvar_handle_free(&handle);
    }
    cvar(const cvar&) = delete;
    template <class T = int> T read() const {
        T value{};
        REQUIRE(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS);
        return value;
    }
    template <class T> int write(T value) const { return MPI_T_cvar_write(handle, &value); }
};

// A session with handles on performance variables.
struct session {
    MPI_T_pvar_session handle = MPI_T_PVAR_SESSION_NULL;
    session() { REQUIRE(MPI_T_pvar_session_create(&handle) == MPI_SUCCESS); }
    ~session() {
        if (handle != MPI_T_PVAR_SESSION_NULL) MPI_T_pvar_session_free(&handle);
    }
    session(const session&) = delete;
};
// What most test cases begin with.
struct in_session : initialized {
    session in;
};
struct pvar {
    MPI_T_pvar_session in;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count = -1;
    pvar(const session& s, const char* name, int var_class, void* object = nullptr) : in{s.handle} {
        REQUIRE(MPI_T_pvar_handle_alloc(in, pvar_index(name, var_class), object, &handle, &count) == MPI_SUCCESS);
    }
    pvar(const pvar&) = delete;
    int start() const { return MPI_T_pvar_start(in, handle); }
    int stop() const { return MPI_T_pvar_stop(in, handle); }
    int reset() const { return MPI_T_pvar_reset(in, handle); }
    template <class T = unsigned long long> T read() const {
        T value{};
        REQUIRE(MPI_T_pvar_read(in, handle, &value) == MPI_SUCCESS);
        return value;
    }
    template <class T> int write(T value) const { return MPI_T_pvar_write(in, handle, &value); }
    template <class T = unsigned long long> T readreset() const {
        T value{};
        REQUIRE(MPI_T_pvar_readreset(in, handle, &value) == MPI_SUCCESS);
        return value;
    }
};

// A registration on an event.
struct registration {
    MPI_T_event_registration handle = nullptr;
    explicit registration(const char* name, void* object = nullptr, MPI_Info hints = MPI_INFO_NULL) {
        REQUIRE(MPI_T_event_handle_alloc(event_index(name), object, hints, &handle) == MPI_SUCCESS);
    }
    ~registration() {
        if (handle != nullptr) MPI_T_event_handle_free(handle, nullptr, nullptr);
    }
    registration(const registration&) = delete;
    int call(MPI_T_event_cb_function* function, void* user_data = nullptr,
             MPI_T_cb_safety level = MPI_T_CB_REQUIRE_NONE, MPI_Info hints = MPI_INFO_NULL) const {
        return MPI_T_event_register_callback(handle, level, hints, user_data, function);
    }
    int call_for_losses(MPI_T_event_dropped_cb_function* function) const {
        return MPI_T_event_set_dropped_handler(handle, function);
    }
    int free(MPI_T_event_free_cb_function* function = nullptr, void* user_data = nullptr) {
        const MPI_T_event_registration freed = handle;
        handle = nullptr;
        return MPI_T_event_handle_free(freed, user_data, function);
    }
};

// An info object with pairs of a key and a value.
struct hints {
    MPI_Info info = MPI_INFO_NULL;
    hints(std::initializer_list<std::pair<const char*, const char*>> pairs) {
        REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
        for (const auto& [key, value] : pairs) REQUIRE(MPI_Info_set(info, key, value) == MPI_SUCCESS);
    }
    ~hints() { MPI_Info_free(&info); }
    hints(const hints&) = delete;
};
// What an info object says, which is freed: every pair as key=value, with a space behind it.
inline std::string text_of(MPI_Info info) {
    std::string text;
    int count = -1;
    REQUIRE(info != MPI_INFO_NULL);
    REQUIRE(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
        int length = sizeof value, found = 0;
        REQUIRE(MPI_Info_get_nthkey(info, i, key) == MPI_SUCCESS);
        REQUIRE(MPI_Info_get_string(info, key, &length, value, &found) == MPI_SUCCESS);
        text += std::string{key} + "=" + value + " ";
    }
    REQUIRE(MPI_Info_free(&info) == MPI_SUCCESS);
    return text;
}
