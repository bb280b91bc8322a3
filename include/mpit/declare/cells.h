/* SPDX-License-Identifier: BSD-3-Clause */
/* The cells in which C code counts, at the cost of a declared variable of C++: a few instructions in a cell of the
 * thread.
 *
 *   static mpit_counter sent = MPIT_COUNTER_CELL;   mpit_add(&sent, 1);
 *   static mpit_real energy = MPIT_REAL_CELL;       mpit_add_real(&energy, 0.25);
 *
 * Any thread and any signal handler may count and read a cell, before it is registered as well. A C struct may embed
 * one. These functions have no errors. */
#ifndef MPIT_DECLARE_CELLS_H
#define MPIT_DECLARE_CELLS_H

#include <mpit/concurrency/thread_storage.h>
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

/* A cell of a level, in the unit that the description of its variable says. Its members are for the library's own
 * use. */
typedef struct mpit_level {
    uint64_t present;
    uint32_t watching;
    void* marks;
} mpit_level;
/* A cell of a state, which has one of the values of an enumeration. Its members are for the library's own use. */
typedef struct mpit_state {
    uint64_t present;
} mpit_state;

/* A cell of doubles: amounts, or seconds of time. Its members are for the library's own use. */
typedef struct mpit_real {
    mpit_counter sum;
} mpit_real;
/* A cell of a level of doubles. Its members are for the library's own use. */
typedef struct mpit_real_level {
    union {
        double real;
        uint64_t word;
    } present;
    uint32_t watching;
    void* marks;
} mpit_real_level;

/* The initial values of a counter and a timer. Memory that is zero is no cell of them. */
#define MPIT_COUNTER_CELL {0, 0xffffffffu}
#define MPIT_TIMER_CELL {{0, 0xffffffffu}}
#define MPIT_REAL_CELL {{0, 0xffffffffu}}
/* Those of a level and a state, from a number. */
#define MPIT_LEVEL_CELL(initial) {initial, 0, 0}
#define MPIT_REAL_LEVEL_CELL(initial) {{initial}, 0, 0}
#define MPIT_STATE_CELL(initial) {(uint32_t)(initial)}

/* For the library's own use: where this thread counts. The symbol is a variable of the C++ file. */
#ifndef __cplusplus
/* For the library's own use. Its members are for the library's own use. */
struct mpit_cells_of_thread {
    char* shard;  /* for the library's own use */
    uint32_t end; /* for the library's own use */
};
#ifndef MPIT_FROM_PLUGIN
/* For the library's own use. */
extern __thread struct mpit_cells_of_thread MPIT_NAME(cells_of_thread) __asm__("_ZN4mpit4v0_14core17this_thread_shardE")
    __attribute__((visibility("hidden"), tls_model(MPIT_THREAD_STORAGE)));
#endif
#endif

/* Adds `amount` where this thread has no cell yet. For the library's own use. */
MPIT_NAMED void mpit_add_elsewhere(mpit_counter* cell, uint64_t amount) __attribute__((cold));

/* The same for a double. For the library's own use. */
MPIT_NAMED void mpit_add_real_elsewhere(mpit_real* cell, double amount) __attribute__((cold));

/* The sum so far, in the units that were counted; of a timer, in nanoseconds. Visits the cells of all threads. */
MPIT_NAMED uint64_t mpit_total(const mpit_counter* cell);
/* The same for doubles. */
MPIT_NAMED double mpit_real_total(const mpit_real* cell);

/* The beginning of a measurement, in nanoseconds of the monotonic clock: a call, which reads the clock. */
MPIT_NAMED uint64_t mpit_start(void);

/* Tells the watermarks of a level that it is `present` now. For the library's own use. */
MPIT_NAMED void mpit_level_changed(mpit_level* level, uint64_t present) __attribute__((cold));

/* The same for a level of doubles. For the library's own use. */
MPIT_NAMED void mpit_real_level_changed(mpit_real_level* level, double present) __attribute__((cold));

#ifndef __cplusplus

/* Adds `amount` to a cell, by one instruction in the cell of the thread. Takes no lock. In a plugin, which has not
 * the C++ file (MPIT_FROM_PLUGIN defined), it is a call. */
static inline void mpit_add(mpit_counter* cell, uint64_t amount) {
#ifndef MPIT_FROM_PLUGIN
    const uint32_t distance = __atomic_load_n(&cell->number, __ATOMIC_RELAXED);
    if (__builtin_expect(distance < MPIT_NAME(cells_of_thread).end, 1)) {
        uint64_t* const own = (uint64_t*)(void*)(MPIT_NAME(cells_of_thread).shard + distance);
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

/* Adds an amount that is not negative to a cell of doubles, in the cell of the thread: amounts that are negative,
 * infinite or not a number are not added. Takes no lock; a signal handler that adds meanwhile makes it try once
 * more. */
static inline void mpit_add_real(mpit_real* cell, double amount) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(MPIT_FROM_PLUGIN)
    const uint32_t distance = __atomic_load_n(&cell->sum.number, __ATOMIC_RELAXED);
    if (__builtin_expect(distance < MPIT_NAME(cells_of_thread).end && amount >= 0 && amount <= __DBL_MAX__, 1)) {
        uint64_t* const own = (uint64_t*)(void*)(MPIT_NAME(cells_of_thread).shard + distance);
        union {
            uint64_t word;
            double real;
        } seen, wanted;
        bool is_replaced;
        do {
            seen.word = __atomic_load_n(own, __ATOMIC_RELAXED);
            wanted.real = seen.real + amount;
            __asm__("cmpxchgq %3, %1"
                    : "=@ccz"(is_replaced), "+m"(*own), "+a"(seen.word)
                    : "r"(wanted.word)
                    : "memory");
        } while (!is_replaced);
        return;
    }
#endif
    mpit_add_real_elsewhere(cell, amount);
}

/* Ends a measurement: adds the nanoseconds since mpit_start() to the timer. */
static inline void mpit_stop(mpit_timer* timer, uint64_t started) { mpit_add(&timer->sum, mpit_start() - started); }

/* Changes a level by `amount`, which may be negative: by one locked instruction. The author keeps it at zero or
 * above. */
static inline void mpit_change(mpit_level* level, int64_t amount) {
    const uint64_t present = __atomic_add_fetch(&level->present, (uint64_t)amount, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_level_changed(level, present);
}
/* Sets a level. */
static inline void mpit_set(mpit_level* level, uint64_t present) {
    (void)__atomic_exchange_n(&level->present, present, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_level_changed(level, present);
}
/* The same for a level of doubles, by a compare-exchange that is tried again if another thread has changed it. */
static inline void mpit_change_real(mpit_real_level* level, double amount) {
    union {
        double real;
        uint64_t word;
    } wanted;
    uint64_t seen = __atomic_load_n(&level->present.word, __ATOMIC_RELAXED);
    do {
        wanted.word = seen;
        wanted.real += amount;
    } while (!__atomic_compare_exchange_n(&level->present.word, &seen, wanted.word, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0)) {
        /* Without this gcc 16 copies the amount before the loop, to have the sum in the register of the call. */
        __asm__("" : "+r"(wanted.word));
        mpit_real_level_changed(level, wanted.real);
    }
}
static inline void mpit_set_real(mpit_real_level* level, double present) {
    union {
        double real;
        uint64_t word;
    } wanted = {present};
    (void)__atomic_exchange_n(&level->present.word, wanted.word, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_real_level_changed(level, present);
}
/* Sets a state to one of the values of its enumeration. Two threads that change it at once may count one change,
 * which spares both of them a locked instruction. */
static inline void mpit_set_state(mpit_state* state, int present) {
    const uint64_t previous = __atomic_load_n(&state->present, __ATOMIC_RELAXED);
    if ((uint32_t)previous != (uint32_t)present)
        __atomic_store_n(&state->present, ((previous >> 32) + 1) << 32 | (uint32_t)present, __ATOMIC_RELEASE);
}
/* The present level. */
static inline uint64_t mpit_level_of(const mpit_level* level) {
    return __atomic_load_n(&level->present, __ATOMIC_RELAXED);
}
static inline double mpit_real_level_of(const mpit_real_level* level) {
    union {
        uint64_t word;
        double real;
    } present = {__atomic_load_n(&level->present.word, __ATOMIC_RELAXED)};
    return present.real;
}
/* The present state. */
static inline int mpit_state_of(const mpit_state* state) {
    return (int)(uint32_t)__atomic_load_n(&state->present, __ATOMIC_RELAXED);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
