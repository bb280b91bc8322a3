// A library of the shapes that was loaded, and the tool that goes through its functions.
#pragma once

#include <mpit/mpi_t.h>

#include <cstdio>
#include <dlfcn.h>
#include <string>

inline int mistakes = 0;
inline void check(bool good, const std::string& what) {
    if (good) return;
    std::printf("wrong: %s\n", what.c_str());
    mistakes++;
}

// The functions that a tool calls, out of one of the modules of a process.
struct tool {
    decltype(&MPI_T_init_thread) init_thread;
    decltype(&MPI_T_finalize) finalize;
    decltype(&MPI_T_category_get_num) category_get_num;
    decltype(&MPI_T_pvar_get_num) pvar_get_num;
    decltype(&MPI_T_pvar_get_index) pvar_get_index;
    decltype(&MPI_T_pvar_session_create) session_create;
    decltype(&MPI_T_pvar_session_free) session_free;
    decltype(&MPI_T_pvar_handle_alloc) handle_alloc;
    decltype(&MPI_T_pvar_start) start;
    decltype(&MPI_T_pvar_read) read;
};

template <class Function> Function function_in(void* module, const std::string& name) {
    return reinterpret_cast<Function>(dlsym(module, name.c_str()));
}
inline tool tool_in(void* module) {
    const auto named = [&]<class Function>(Function*& to, const char* name) {
        to = function_in<Function*>(module, name);
    };
    tool t{};
    named(t.init_thread, "MPI_T_init_thread");
    named(t.finalize, "MPI_T_finalize");
    named(t.category_get_num, "MPI_T_category_get_num");
    named(t.pvar_get_num, "MPI_T_pvar_get_num");
    named(t.pvar_get_index, "MPI_T_pvar_get_index");
    named(t.session_create, "MPI_T_pvar_session_create");
    named(t.session_free, "MPI_T_pvar_session_free");
    named(t.handle_alloc, "MPI_T_pvar_handle_alloc");
    named(t.start, "MPI_T_pvar_start");
    named(t.read, "MPI_T_pvar_read");
    return t;
}

// A program or a library that counts in variables whose names begin with its own.
struct module {
    std::string name;
    tool functions;
    void (*count)(int);

    void begin() const {
        int provided = 0;
        check(functions.init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "initialisation through " + name);
    }
    void end() const { functions.finalize(); }
    int categories() const {
        int categories = -1;
        functions.category_get_num(&categories);
        return categories;
    }
    int performances() const {
        int number = -1;
        functions.pvar_get_num(&number);
        return number;
    }
    // Whether a tool that goes through this module sees that another one counts.
    bool sees(const module& other) const {
        int calls = -1, time = -1, elements = 0;
        MPI_T_pvar_session session{};
        MPI_T_pvar_handle of_calls{}, of_time{};
        unsigned long long value = 0;
        double spent = 0;
        if (functions.pvar_get_index((other.name + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER, &calls) !=
                MPI_SUCCESS ||
            functions.pvar_get_index((other.name + "_time").c_str(), MPI_T_PVAR_CLASS_AGGREGATE, &time) != MPI_SUCCESS)
            return false;
        functions.session_create(&session);
        functions.handle_alloc(session, calls, nullptr, &of_calls, &elements);
        functions.handle_alloc(session, time, nullptr, &of_time, &elements);
        functions.start(session, MPI_T_PVAR_ALL_HANDLES);
        other.count(1000);
        functions.read(session, of_calls, &value);
        functions.read(session, of_time, &spent);
        functions.session_free(&session);
        check(value == 1000 && spent == 500, name + " reads what " + other.name + " has counted");
        return true;
    }
};

inline module module_in(void* loaded, const std::string& name) {
    return {name, tool_in(loaded), function_in<void (*)(int)>(loaded, "count_in_" + name)};
}
