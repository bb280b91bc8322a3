// The check that every call passes: its code is one that the standard lists for the function.
//
//   const int code = answered("cvar_read", MPI_T_cvar_read(handle, buffer));
#pragma once

#include "../codes_of_functions.hpp"
#include "guarded.hpp"

#include <mpit/mpi_t.hpp>

inline constexpr int success = MPI_SUCCESS; // beside constants of another enumeration

// How often each function was called, and how often it succeeded.
inline struct call_count {
    long calls, successes;
} call_counts[known_function_count];

// The place of a function in the table, looked up by the compiler.
struct function_name {
    std::size_t row = 0;
    consteval function_name(const char* name) {
        while (codes_of_functions[row].function != name) row++;
    }
};

// Whether the call that is being made may run out of memory.
inline bool is_starved = false;

// Every call is told while a crash is replayed with FUZZ_TRACE in the environment.
inline const bool is_traced = std::getenv("FUZZ_TRACE") != nullptr;

// The code of a call, once it was found among those that its function may answer. Where memory may end, it ends before
// anything else is looked at, or after.
inline int answered(function_name name, int code) {
    if (is_traced) std::fprintf(stderr, "%s answers %d\n", codes_of_functions[name.row].function.data(), code);
    demand(codes_of_functions[name.row].may_answer(code), "the function may answer this code");
    demand(is_starved || !is_about_memory(code), "there is memory");
    call_counts[name.row].calls++;
    call_counts[name.row].successes += code == MPI_SUCCESS;
    return code;
}
inline int answered(function_name name, int code, int expected) {
    answered(name, code);
    if (is_starved && is_about_memory(code)) return code;
    if (code != expected) std::fprintf(stderr, "%d was expected, and not %d\n", expected, code);
    demand(code == expected, "the code is the one that the arguments ask for");
    return code;
}
