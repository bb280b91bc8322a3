/* The interfaces between the parts of libmpit-info.so: entries.c has the functions by which an MPI is started and
 * ended, preload.c
 * decides what happens then, and finding.c finds functions and tells MPIs apart. */
#ifndef MPIT_INFO_PRELOAD_H
#define MPIT_INFO_PRELOAD_H

#include "calls.h"

/* An MPI of the process: its address, and the handle for dlsym() that finds its functions as the program sees them. */
struct mpi {
    const void* base;
    void* handle;  /* RTLD_DEFAULT, or a reference */
    void* library; /* a reference to the MPI itself, so that it stays loaded; may be null */
};

/* The definition that a caller would have called without libmpit-info.so; null if there is none. */
any_function next_function(const char* name, const void* caller);
/* The definition that all callers would have called, where that does not depend on the caller; null otherwise. */
any_function function_for_all(const char* name);
/* The MPI that a caller calls. Its references are to be given back. */
int find_mpi(const void* caller, struct mpi* found);
void give_back(struct mpi* of);
any_function function_in(const struct mpi* of, const char* name);
/* The agent for an MPI by its binary interface: "abi", "openmpi", "mpich"; null for an MPI that has none of them. */
const char* agent_for(const struct mpi* of);
/* Whether a shared object of the process, or the program, embeds mpit. */
int embeds_mpit(void);
/* Whether the one that holds an address does. */
int embeds_mpit_at(const void* address);
/* Whether an MPI is in the process, started or not. */
int is_mpi_loaded(void);

enum started { by_world, by_session };
/* An MPI has been started. A handle of a session in C may be null. */
void after_start(enum started how, void* session, const void* caller);
/* An MPI is ended next, where the caller is the last of its users. */
void before_end(const void* caller);
/* The job is ended next: from here on no function of the MPI is called. */
void before_abort(void);

#endif
