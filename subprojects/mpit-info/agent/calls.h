/* The interfaces between the parts that count calls: libmpit-calls.so (calls/pass_on.c) stands in front of the
 * functions of an MPI and passes calls on; an agent routes them through the functions that count, in
 * mpit-info-calls-<interface>.so (calls/layer.cpp), and reads the variables of that.
 *
 *   passing->route(find, counting, real);   …   passing->unroute(); */
#ifndef MPIT_INFO_CALLS_H
#define MPIT_INFO_CALLS_H

#include <stddef.h>

typedef void (*any_function)(void);

enum { phase_runs, phase_in_finalize, phase_in_abort };

/* One moment by two clocks: the processor's counter of cycles, 0 without one, and nanoseconds of CLOCK_MONOTONIC. */
struct mpit_info_moment {
    unsigned long long cycle, nanosecond;
};

/* `mpit_info_passing` of libmpit-calls.so. Its functions are numbered; any thread may call one at any time. */
struct mpit_info_passing {
    int count;
    const char* const* names;
    /* From now on calls of function i of the MPI that `find` finds go to counting[i], unless that is null, which
     * finds the function of the MPI in real[i]. */
    void (*route)(any_function (*find)(const char* name), const any_function* counting, any_function* real);
    /* From now on calls go to the MPI. A thread may still be in a function that counts. */
    void (*unroute)(void);
    /* When the library was loaded. From then until an MPI has been started enough time passes for the rate of the
     * processor's counter. */
    const struct mpit_info_moment* loaded;
};

/* A value of a sample. */
struct mpit_info_value {
    int is_real;
    unsigned long long whole;
    double real;
};

/* What a layer is started with. */
struct mpit_info_layer_start {
    const struct mpit_info_passing* passing;
    any_function (*find)(const char* name);
    int is_split;        /* by communicator */
    int peers;           /* the processes of MPI_COMM_WORLD if messages are counted by the other process; 0 otherwise */
    int counts_calls;    /* otherwise only the network is looked at */
    const char* network; /* /sys or a directory with its structure; null if the network is not looked at */
    int (*is_chosen)(const char* variable);
    struct mpit_info_region* (*region)(void); /* of the calling thread; null if calls are not counted by region */
    int rank, processes;
    int has_world;         /* the thread that begins may ask the MPI about MPI_COMM_WORLD */
    const char* folder;    /* of the call log; null if its memory has no file */
    const char* launch;    /* what the processes of a launch share, see launch.hpp */
    int has_distributions; /* the durations of calls are counted by function, communicator and size */
};

/* `mpit_info_layer` of mpit-info-calls-<interface>.so: one thread calls it at a time. Texts are JSON, and valid
 * until the next call. */
struct mpit_info_layer {
    int (*begin)(const struct mpit_info_layer_start* how); /* returns 0 on a failure */
    const char* (*columns)(void); /* as in a message; null if they are those of the last call */
    size_t (*values)(struct mpit_info_value* room,
                     size_t size); /* in the order of the columns; returns how many there are */
    /* The elements of performance_variables and categories in a document, whose first ones get these numbers, separated
     * by commas. */
    const char* (*variables)(int first);
    const char* (*categories)(int first, int first_variable);
    /* By region: how many cells a region has, and their values by the names of the variables, without zeros. */
    size_t cells;
    const char* (*values_of_cells)(const unsigned long long* cells);
    /* The distributions that have changed since the last call, as in a message; null if none has. */
    const char* (*distributions)(void);
    /* The call log in base64, once after a second without a new call, and when polls that do not succeed begin or end
     * then; an empty text once after a new call; null otherwise. */
    const char* (*quiet_calls)(void);
    /* From now on the thread of this rank waits before it begins this collective operation of MPI_COMM_WORLD or a later
     * one, at most so many milliseconds. If `with_new` is not 0 and it waits before this one, it will go on in a new
     * communicator, also when its time is over. If `operation` is 0 it goes on, and if `with_new` is not 0 in a new
     * communicator. Returns whether a thread waits, or has waited; `begun` is how many operations this rank has begun. */
    int (*hold)(unsigned operation, unsigned milliseconds, int with_new, unsigned* begun);
    void (*set_phase)(int phase); /* of the process, see calls/call_log.hpp */
    void (*end)(void);
    void (*leave_to_parent)(void); /* in a forked child */
};

#endif
