/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of performance variables (MPI-5.0, 15.3.7), and the cells in which C code counts: at the cost of a declared variable of
 * C++, a few instructions in a cell of the thread.
 *
 *   static mpit_counter sent = MPIT_COUNTER_CELL;
 *   static const mpit_performance measures[] = {MPIT_ROW_COUNTER("sent", &sent, "Messages sent"), MPIT_ROW_END};
 *   mpit_add(&sent, 1);
 *
 * Any thread and any signal handler may count and read a cell, before it is registered as well. A C struct may embed one. These
 * functions have no errors. */
#ifndef MPIT_DECLARE_PERFORMANCE_H
#define MPIT_DECLARE_PERFORMANCE_H

#include <mpit/declare/control.h>
#include <mpit/declare/names.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cell. Its members are for the library's own use. */
typedef struct mpit_counter {
    uint64_t shared;
    uint32_t number;
} mpit_counter;
/* A cell of nanoseconds. Its members are for the library's own use. */
typedef struct mpit_timer {
    mpit_counter sum;
} mpit_timer;

/* A cell of a level, in the unit that the description of its variable says. Its members are for the library's own use. */
typedef struct mpit_level {
    uint64_t present;
    uint32_t watching;
    void* marks;
} mpit_level;
/* A cell of a state, which has one of the values of an enumeration. Its members are for the library's own use. */
typedef struct mpit_state {
    uint64_t present;
} mpit_state;

/* The initial values of a counter and a timer. Memory that is zero is no cell of them. */
#define MPIT_COUNTER_CELL {0, 0xffffffffu}
#define MPIT_TIMER_CELL {{0, 0xffffffffu}}
/* Those of a level and a state, from a number. */
#define MPIT_LEVEL_CELL(initial) {initial, 0, 0}
#define MPIT_STATE_CELL(initial) {(uint32_t)(initial)}

/* For the library's own use: where this thread counts. The symbol is a variable of the C++ file. */
#ifndef __cplusplus
/* For the library's own use. Its members are for the library's own use. */
struct mpit_cells_of_thread {
    uint64_t* cells; /* for the library's own use */
    uint32_t count;  /* for the library's own use */
};
#ifndef MPIT_FROM_PLUGIN
/* For the library's own use. */
extern __thread struct mpit_cells_of_thread MPIT_NAME(cells_of_thread) __asm__("_ZN4mpit4v0_18internal17this_thread_shardE")
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
#endif
#endif

/* Adds `amount` where this thread has no cell yet. For the library's own use. */
MPIT_NAMED void mpit_add_elsewhere(mpit_counter* cell, uint64_t amount) __attribute__((cold));

/* The sum so far, in the units that were counted; of a timer, in nanoseconds. Visits the cells of all threads. */
MPIT_NAMED uint64_t mpit_total(const mpit_counter* cell);

/* The beginning of a measurement, in nanoseconds of the monotonic clock: a call, which reads the clock. */
MPIT_NAMED uint64_t mpit_start(void);

/* Tells the watermarks of a level that it is `present` now. For the library's own use. */
MPIT_NAMED void mpit_level_changed(mpit_level* level, uint64_t present) __attribute__((cold));

#ifndef __cplusplus

/* Adds `amount` to a cell, by one instruction in the cell of the thread. Takes no lock. In a plugin, which has not the C++ file
 * (MPIT_FROM_PLUGIN defined), it is a call. */
static inline void mpit_add(mpit_counter* cell, uint64_t amount) {
#ifndef MPIT_FROM_PLUGIN
    const uint32_t index = __atomic_load_n(&cell->number, __ATOMIC_RELAXED);
    if (__builtin_expect(index < MPIT_NAME(cells_of_thread).count, 1)) {
        uint64_t* const own = &MPIT_NAME(cells_of_thread).cells[index];
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
        __asm__("addq %1, %0" : "+m"(*own) : "er"(amount) : "cc");
#else
        __atomic_fetch_add(own, amount, __ATOMIC_RELAXED);
#endif
        return;
    }
#endif
    mpit_add_elsewhere(cell, amount);
}

/* Ends a measurement: adds the nanoseconds since mpit_start() to the timer. */
static inline void mpit_stop(mpit_timer* timer, uint64_t started) { mpit_add(&timer->sum, mpit_start() - started); }

/* Changes a level by `amount`, which may be negative: by one locked instruction. The author keeps it at zero or above. */
static inline void mpit_change(mpit_level* level, int64_t amount) {
    const uint64_t present = __atomic_add_fetch(&level->present, (uint64_t)amount, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0)) mpit_level_changed(level, present);
}
/* Sets a level. */
static inline void mpit_set(mpit_level* level, uint64_t present) {
    (void)__atomic_exchange_n(&level->present, present, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0)) mpit_level_changed(level, present);
}
/* Sets a state to one of the values of its enumeration. Two threads that change it at once may count one change, which spares both
 * of them a locked instruction. */
static inline void mpit_set_state(mpit_state* state, int present) {
    const uint64_t previous = __atomic_load_n(&state->present, __ATOMIC_RELAXED);
    if ((uint32_t)previous != (uint32_t)present)
        __atomic_store_n(&state->present, ((previous >> 32) + 1) << 32 | (uint32_t)present, __ATOMIC_RELEASE);
}
/* The present level. */
static inline uint64_t mpit_level_of(const mpit_level* level) { return __atomic_load_n(&level->present, __ATOMIC_RELAXED); }
/* The present state. */
static inline int mpit_state_of(const mpit_state* state) { return (int)(uint32_t)__atomic_load_n(&state->present, __ATOMIC_RELAXED); }

#endif

/* The classes of performance variables that a table may have. */
typedef enum mpit_class {
    MPIT_CLASS_COUNTER,
    MPIT_CLASS_AGGREGATE,
    MPIT_CLASS_TIMER,
    MPIT_CLASS_LEVEL,
    MPIT_CLASS_SIZE,
    MPIT_CLASS_PERCENTAGE,
    MPIT_CLASS_GENERIC,
    MPIT_CLASS_STATE,
    MPIT_CLASS_HIGHWATERMARK,
    MPIT_CLASS_LOWWATERMARK
} mpit_class;

/* A performance variable: in a cell, at an address, or what a function returns. The macros fill the members before `verbosity`. */
typedef struct mpit_performance {
    const char* name;          /* as tools see it */
    mpit_class variable_class; /* with a type that it may have (15.3.7) */
    mpit_type type;            /* of the value that tools read */
    mpit_counter* counter;     /* the cell of a counter or an aggregate */
    mpit_timer* timer;         /* the cell of a timer */
    mpit_level* level;         /* the cell of a level, a size or a watermark; several rows may have the same one */
    mpit_state* state;         /* the cell of a state */
    const mpit_enumeration* enumeration; /* of a state */
    const void* storage;       /* of a number that the library changes itself */
    size_t size;               /* of the storage, in bytes */
    unsigned long long (*value)(void* data); /* called by any thread, and in signal handlers */
    double (*real_value)(void* data);
    unsigned long long (*value_at)(uint64_t handle, unsigned element, void* data); /* of one element, of an object if it is bound */
    double (*real_value_at)(uint64_t handle, unsigned element, void* data);
    const char* description;

    mpit_verbosity verbosity;
    void* data;         /* for the function; NULL is the object that the table is added with */
    bool readonly;      /* a tool cannot reset or write it */
    bool continuous;    /* a tool cannot start or stop it */
    unsigned count;     /* of numbers that follow each other at the address, or of elements; 0 is 1 */
    mpit_bind bind;     /* with MPIT_ROW_GET_AT */
    size_t handle_size; /* of a bound variable: the bytes of a handle, 4 or 8 */
    /* Of a bound variable: how many elements it has for the object with this handle, 0 if there is no such object. Called by any
     * thread, and in signal handlers. */
    unsigned (*elements)(uint64_t handle, void* data);
    /* Of a row that is no cell: called with 1 before a handle on the variable starts to run, with -1 after it has stopped or is freed:
     * the sum is the number of running handles. Called in the thread of the tool, also concurrently. */
    void (*on_watch)(int change, void* data);
} mpit_performance;

/* For the library's own use. */
#define MPIT_MEASURE(name_, class_, type_, counter_, timer_, storage_, size_, value_, real_value_, ...)                  \
    {                                                                                                                   \
        .name = name_, .variable_class = class_, .type = type_, .counter = counter_, .timer = timer_,                   \
        .storage = storage_, .size = size_, .value = value_, .real_value = real_value_, .description = __VA_ARGS__      \
    }

/* For the library's own use: the address of a number that is only read, checked by the compiler in C. */
#if defined(__cplusplus)
#define MPIT_READ_ADDRESS(type, pointer) pointer
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define MPIT_READ_ADDRESS(type, pointer)                                                                                \
    ((const void*)_Generic((pointer), type* : (pointer), const type* : (pointer), volatile type* : (pointer),           \
                           const volatile type* : (pointer), _Atomic(type)* : (pointer)))
#else
#define MPIT_READ_ADDRESS(type, pointer) ((const void*)(1 ? (pointer) : (const volatile type*)0))
#endif

/* Rows: sums in cells, as unsigned long long; a timer shows seconds. */
#define MPIT_ROW_COUNTER(name_, cell, ...) \
    MPIT_MEASURE(name_, MPIT_CLASS_COUNTER, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL, __VA_ARGS__)
/* The same for amounts. */
#define MPIT_ROW_AGGREGATE(name_, cell, ...) \
    MPIT_MEASURE(name_, MPIT_CLASS_AGGREGATE, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL, __VA_ARGS__)
/* The same for times. */
#define MPIT_ROW_TIMER(name_, cell, ...) \
    MPIT_MEASURE(name_, MPIT_CLASS_TIMER, MPIT_TYPE_DOUBLE, NULL, cell, NULL, 0, NULL, NULL, __VA_ARGS__)
/* A level in a cell, as unsigned long long: MPIT_ROW_LEVEL("queued", &queued, "Messages that wait"). */
#define MPIT_ROW_LEVEL(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LEVEL, cell, __VA_ARGS__)
/* The highest value of a level, for each handle of a tool since it was started or reset. */
#define MPIT_ROW_HIGHEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_HIGHWATERMARK, cell, __VA_ARGS__)
/* The lowest value. */
#define MPIT_ROW_LOWEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LOWWATERMARK, cell, __VA_ARGS__)
/* For the library's own use. */
#define MPIT_ROW_OF_LEVEL(name_, class_, cell, ...)                                                                     \
    {                                                                                                                   \
        .name = name_, .variable_class = class_, .type = MPIT_TYPE_UNSIGNED_LONG_LONG, .level = cell,                   \
        .description = __VA_ARGS__                                                                                      \
    }
/* A state in a cell: MPIT_ROW_STATE("phase", &phase, &phases, "What the library does"). */
#define MPIT_ROW_STATE(name_, cell, enumeration_, ...)                                                                  \
    {                                                                                                                   \
        .name = name_, .variable_class = MPIT_CLASS_STATE, .type = MPIT_TYPE_INT, .state = cell,                        \
        .enumeration = enumeration_, .description = __VA_ARGS__                                                         \
    }
/* A number that the library changes itself: MPIT_ROW_AT(LEVEL, UNSIGNED, "queued", &queued, "Receives posted"). With .count = 4 it
 * is the first of four. */
#define MPIT_ROW_AT(class_, type_, name_, pointer, ...)                                                                     \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL, MPIT_READ_ADDRESS(MPIT_STORED_##type_, pointer),  \
                 sizeof *(pointer), NULL, NULL, __VA_ARGS__)
/* What a function returns: MPIT_ROW_GET(SIZE, UNSIGNED, "peers", peers, "Processes that are connected", .data = &table). */
#define MPIT_ROW_GET(class_, type_, name_, function, ...)                                                                   \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL, NULL, 0, function, NULL, __VA_ARGS__)
/* The same for doubles. */
#define MPIT_ROW_GET_REAL(class_, name_, function, ...)                                                                     \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_DOUBLE, NULL, NULL, NULL, 0, NULL, function, __VA_ARGS__)
/* What a function returns for each element: MPIT_ROW_GET_AT(SIZE, UNSIGNED_LONG, "unexpected", unexpected_of, "Messages that wait, of
 * each process", .bind = MPIT_BIND_COMM, .handle_size = sizeof(MPI_Comm), .elements = processes_of), or with .count elements. */
#define MPIT_ROW_GET_AT(class_, type_, name_, function, ...)                                                            \
    {                                                                                                                   \
        .name = name_, .variable_class = MPIT_CLASS_##class_, .type = MPIT_TYPE_##type_, .value_at = function,          \
        .description = __VA_ARGS__                                                                                      \
    }
/* The same for doubles. */
#define MPIT_ROW_GET_REAL_AT(class_, name_, function, ...)                                                              \
    {                                                                                                                   \
        .name = name_, .variable_class = MPIT_CLASS_##class_, .type = MPIT_TYPE_DOUBLE, .real_value_at = function,      \
        .description = __VA_ARGS__                                                                                      \
    }

#ifdef __cplusplus
}
#endif

#endif
