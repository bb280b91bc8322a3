// What a tool needs to look at the variables of tests/variables.hpp through the standard functions: the roof itself, an
// initialised interface for the length of a test case, and handles that free themselves.
#pragma once

#include "catch.hpp"
#include "variables.hpp"

#include <mpit/c/mpi_t.hpp>

#include <climits>
#include <cstring>
#include <string>
#include <vector>

// The interface is initialised while one of these lives.
struct initialized {
    int provided = -1;
    explicit initialized(int required = MPI_THREAD_MULTIPLE) { REQUIRE(MPI_T_init_thread(required, &provided) == MPI_SUCCESS); }
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
