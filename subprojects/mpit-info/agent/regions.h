/* The interface between libmpit-regions.so (regions/threads.c), which knows in which region of the program each
 * thread is, and those that attribute values to regions: an agent (regions_of_process.hpp) and the layer that counts
 * calls.
 *
 *   struct mpit_info_region* here = regions->current();   here->cells[3] += 1; */
#ifndef MPIT_INFO_REGIONS_H
#define MPIT_INFO_REGIONS_H

#include "calls.h"

#include <stdint.h>

enum { most_region_variables = 16, longest_region_name = 63 };

/* A region of one thread, below another one of it: a path of names. Only its thread writes the numbers, and other
 * threads may read them. They are those of the region without the regions below it. It is never freed. */
struct mpit_info_region {
    const char* name;               /* empty for what is outside of all regions */
    struct mpit_info_region* above; /* null outside */
    struct mpit_info_region* next;  /* of the same thread */
    uint64_t visits, nanoseconds;
    uint64_t sums[most_region_variables]; /* of the agent's variables; those of doubles have its bits */
    uint64_t* cells;                      /* of the layer, which allocates them; null before */
};

struct mpit_info_region_thread {
    struct mpit_info_region outside; /* the first of its regions */
    struct mpit_info_region* current;
    uint64_t last; /* when it entered the current region: nanoseconds of CLOCK_MONOTONIC */
    struct mpit_info_region_thread* next;
};

/* `mpit_info_regions` of libmpit-regions.so. */
struct mpit_info_regions {
    /* In the thread that starts the MPI, the main thread from now on: all values begin at zero. `read` stores the
     * values of so many variables of the process, and is called in this thread when it changes its region; it
     * returns 0 if they cannot be read. */
    void (*begin)(int variables, int (*read)(struct mpit_info_value* values));
    /* In the main thread: adds what has passed to its current region. */
    void (*update)(void);
    /* From now on `read` is not called. */
    void (*end)(void);
    /* The region of the calling thread; null without memory, and at the end of a thread. */
    struct mpit_info_region* (*current)(void);
    /* All threads that have been in a region; the main thread, null before `begin`. */
    struct mpit_info_region_thread* (*threads)(void);
    struct mpit_info_region_thread* (*main_thread)(void);
};

#endif
