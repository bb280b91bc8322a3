// The calls of the benchmarks as a tool: the program ends at the first call that fails, so that no number is the cost
// of an error.
//
//   check(MPI_T_cvar_read(handle, &value));
#pragma once

#ifndef MPIT_C_INFO
#define MPIT_C_INFO 1
#endif
#include <mpit/mpi_t.h>

#include <cstdio>
#include <cstdlib>

inline void check(int answer) {
    if (answer == MPI_SUCCESS) [[likely]]
        return;
    std::fprintf(stderr, "a function of the tool interface answered %d\n", answer);
    std::exit(1);
}

// Returns the provided level; Open MPI returns it the first time only.
inline int initialize_tool() {
    int provided = 0;
    check(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
    return provided;
}

inline int cvar_number(const char* name) {
    int number = -1;
    check(MPI_T_cvar_get_index(name, &number));
    return number;
}
inline int pvar_number(const char* name, int var_class) {
    int number = -1;
    check(MPI_T_pvar_get_index(name, var_class, &number));
    return number;
}
