// What a tool of 2011 needs to look at the variables of tests/variables.hpp: the older roof beside the present one, the
// older interface initialised for the length of a test case, and what its queries tell of one variable.
#pragma once

#include "../tool.hpp"

#include <mpit/compat.h>

struct draft_initialized {
    draft_initialized() { REQUIRE(MPIT_Init() == MPIT_SUCCESS); }
    ~draft_initialized() { MPIT_Finalize(); }
    draft_initialized(const draft_initialized&) = delete;
};

struct draft_control {
    std::string name, description;
    int verbosity = -1, count = -1, assoc = -1, scope = -1;
    MPIT_Datatype datatype = nullptr;
};
inline draft_control control_at(int index) {
    draft_control seen;
    char name[300] = "", description[300] = "";
    int name_length = sizeof name, description_length = sizeof description;
    MPIT_Controlvar_attributes attributes;
    REQUIRE(MPIT_Controlvar_get_info(index, name, &name_length, &seen.verbosity, &seen.datatype, &seen.count,
                                     description, &description_length, &seen.assoc, &attributes) == MPIT_SUCCESS);
    REQUIRE(MPIT_Controlvar_attr_get_scope(&attributes, &seen.scope) == MPIT_SUCCESS);
    seen.name = name, seen.description = description;
    return seen;
}
struct draft_performance {
    std::string name, description;
    int verbosity = -1, in = -1, count = -1, assoc = -1, readonly = -1, continuous = -1;
    MPIT_Datatype datatype = nullptr;
};
inline draft_performance performance_at(int index) {
    draft_performance seen;
    char name[300] = "", description[300] = "";
    int name_length = sizeof name, description_length = sizeof description;
    MPIT_Perfvar_attributes attributes;
    REQUIRE(MPIT_Perfvar_get_info(index, name, &name_length, &seen.verbosity, &seen.in, &seen.datatype, &seen.count,
                                  description, &description_length, &seen.assoc, &attributes) == MPIT_SUCCESS);
    REQUIRE(MPIT_Perfvar_attr_get_readonly(&attributes, &seen.readonly) == MPIT_SUCCESS);
    REQUIRE(MPIT_Perfvar_attr_get_continuous(&attributes, &seen.continuous) == MPIT_SUCCESS);
    seen.name = name, seen.description = description;
    return seen;
}
// -1 for a name that the draft does not show.
inline int draft_control_index(const std::string& name) {
    int count = 0;
    REQUIRE(MPIT_Controlvar_get_num(&count) == MPIT_SUCCESS);
    for (int i = 0; i < count; i++)
        if (control_at(i).name == name) return i;
    return -1;
}
inline int draft_performance_index(const std::string& name) {
    int count = 0;
    REQUIRE(MPIT_Perfvar_get_num(&count) == MPIT_SUCCESS);
    for (int i = 0; i < count; i++)
        if (performance_at(i).name == name) return i;
    return -1;
}

struct draft_cvar {
    MPIT_Controlvar_handle handle = MPIT_CONTROLVAR_HANDLE_NULL;
    explicit draft_cvar(const char* name, MPIT_MPI_Resource on = MPIT_MPI_RESOURCE_GLOBAL) {
        REQUIRE(MPIT_Controlvar_handle_allocate(draft_control_index(name), on, &handle) == MPIT_SUCCESS);
    }
    ~draft_cvar() { MPIT_Controlvar_handle_free(&handle); }
    draft_cvar(const draft_cvar&) = delete;
    template <class T> T read() const {
        T value{};
        REQUIRE(MPIT_Controlvar_read(handle, &value) == MPIT_SUCCESS);
        return value;
    }
    template <class T> int write(T value) const { return MPIT_Controlvar_write(handle, &value); }
};
struct draft_session {
    MPIT_Perfvar_session handle = MPIT_PERFVAR_SESSION_NULL;
    draft_session() { REQUIRE(MPIT_Perfvar_session_create(&handle) == MPIT_SUCCESS); }
    ~draft_session() { MPIT_Perfvar_session_free(&handle); }
    draft_session(const draft_session&) = delete;
};
struct draft_pvar {
    MPIT_Perfvar_session in;
    MPIT_Perfvar_handle handle = MPIT_PERFVAR_HANDLE_NULL;
    draft_pvar(const draft_session& s, const char* name, MPIT_MPI_Resource on = MPIT_MPI_RESOURCE_GLOBAL)
        : in{s.handle} {
        REQUIRE(MPIT_Perfvar_handle_allocate(in, draft_performance_index(name), on, &handle) == MPIT_SUCCESS);
    }
    draft_pvar(const draft_pvar&) = delete;
    int start() const { return MPIT_Perfvar_start(in, handle); }
    int stop() const { return MPIT_Perfvar_stop(in, handle); }
    template <class T = long long> T read() const {
        T value{};
        REQUIRE(MPIT_Perfvar_read(in, handle, &value) == MPIT_SUCCESS);
        return value;
    }
    template <class T> int write(T value) const { return MPIT_Perfvar_write(in, handle, &value); }
};
