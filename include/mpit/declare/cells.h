/* SPDX-License-Identifier: BSD-3-Clause */
/* A cell holds the value of a performance variable that C code changes. C code changes a cell in as few instructions as
 * C++ code does. Each thread adds to its own part of a sum, in the thread's shard. Thus an addition needs only a few
 * instructions and no lock.
 *
 *   static mpit_counter sent = MPIT_COUNTER_CELL;   mpit_add(&sent, 1);
 *   static mpit_real energy = MPIT_REAL_CELL;       mpit_add_real(&energy, 0.25);
 *
 * Any thread and any signal handler may change and read a cell, also before a row with the cell is added to a group.
 * With glibc and an MPIT_THREAD_STORAGE of "global-dynamic", a thread's first addition to a sum allocates memory, and
 * must not happen in a signal handler. Structs may have cells as members. The functions return no errors. */
#ifndef MPIT_DECLARE_CELLS_H
#define MPIT_DECLARE_CELLS_H

#include <mpit/concurrency/thread_storage.h>
#include <mpit/core/probe.h>
#include <mpit/declare/names.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A sum of unsigned numbers, which wraps around at 2^64. The struct's members are for the library's own use. */
typedef struct mpit_counter {
    uint64_t shared;
    uint32_t number;
} mpit_counter;
/* A sum of measured times, in nanoseconds. The struct's members are for the library's own use. */
typedef struct mpit_timer {
    mpit_counter sum;
} mpit_timer;
/* A level in the unit that the variable's description names. The struct's members are for the library's own use. */
typedef struct mpit_level {
    uint64_t present;
    uint32_t watching;
    void* marks;
} mpit_level;
/* A state, which is one of the values of an enumeration. The struct's members are for the library's own use. */
typedef struct mpit_state {
    uint64_t present;
} mpit_state;
/* A sum of doubles, such as amounts or seconds. The struct's members are for the library's own use. */
typedef struct mpit_real {
    mpit_counter sum;
} mpit_real;
/* A level whose value is a double. The struct's members are for the library's own use. */
typedef struct mpit_real_level {
    union {
        double real;
        uint64_t word;
    } present;
    uint32_t watching;
    void* marks;
} mpit_real_level;

/* The initial values of an mpit_counter, an mpit_timer and an mpit_real. A cell must have the initial value before the
 * first addition. An addition to a cell of zeros would corrupt the header at offset 0 of the thread's shard. */
#define MPIT_COUNTER_CELL {0, 0xffffffffu}
#define MPIT_TIMER_CELL {{0, 0xffffffffu}}
#define MPIT_REAL_CELL {{0, 0xffffffffu}}
/* The initial values of an mpit_level, an mpit_real_level and an mpit_state, whose first value is `initial`. */
#define MPIT_LEVEL_CELL(initial) {initial, 0, 0}
#define MPIT_REAL_LEVEL_CELL(initial) {{initial}, 0, 0}
#define MPIT_STATE_CELL(initial) {(uint32_t)(initial)}

/* MPIT_IN_PLUGIN, by default not defined, is defined in all files of a plugin that has no C++ file with
 * <mpit/declare.hpp>. The plugin then calls functions of the library that loads the plugin to count and to record. */

#ifndef __cplusplus
/* The address of this thread's shard, which contains the thread's parts of all sums. `end` is the offset in bytes at
 * which the shard ends, or 0 if the thread has no shard. For the library's own use. */
struct mpit_cells_of_thread {
    char* shard;
    uint32_t end;
};
#ifndef MPIT_IN_PLUGIN
/* Declares the variable mpit::core::this_thread_shard, which is defined in C++, for C. For the library's own use. */
extern __thread struct mpit_cells_of_thread MPIT_NAME(cells_of_thread) __asm__("_ZN4mpit4v1_04core17this_thread_shardE")
    __attribute__((visibility("hidden"), tls_model(MPIT_THREAD_STORAGE)));
#endif
#endif

/* Adds `amount` if the thread has no shard yet, or if the sum has no part in shards. For the library's own use. */
MPIT_NAMED void mpit_add_elsewhere(mpit_counter* cell, uint64_t amount) __attribute__((cold));
/* Adds a double if the inline code of mpit_add_real() cannot add the double. For the library's own use. */
MPIT_NAMED void mpit_add_real_elsewhere(mpit_real* cell, double amount) __attribute__((cold));

/* Returns the sum over all threads, in the unit of the amounts. */
MPIT_NAMED uint64_t mpit_total(const mpit_counter* cell);
/* Returns the sum of the times of all threads, in nanoseconds. Running measurements are not part of the sum. */
static inline uint64_t mpit_timer_total(const mpit_timer* timer) { return mpit_total(&timer->sum); }
/* Returns the sum over all threads, in the unit of the amounts. */
MPIT_NAMED double mpit_real_total(const mpit_real* cell);
/* Begins a measurement. Returns the time of the monotonic clock in nanoseconds, for a call of mpit_stop(). */
MPIT_NAMED uint64_t mpit_start(void);

/* Updates the watermarks of a level with the level's new value. For the library's own use. */
MPIT_NAMED void mpit_level_changed(mpit_level* level, uint64_t present) __attribute__((cold));
/* Updates the watermarks of a level of doubles with the level's new value. For the library's own use. */
MPIT_NAMED void mpit_real_level_changed(mpit_real_level* level, double present) __attribute__((cold));

#ifndef __cplusplus

/* Adds `amount` to a thread's part of a sum. On x86-64, one instruction adds `amount`, so that no signal handler can
 * interrupt the addition. For the library's own use. */
static inline void mpit_add_in_thread(uint64_t* thread_cell, uint64_t amount) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__("addq %1, %0" : "+m"(*thread_cell) : "er"(amount) : "cc");
#else
    __atomic_fetch_add(thread_cell, amount, __ATOMIC_RELAXED);
#endif
}
/* Adds `amount` to a sum without a lock. */
static inline void mpit_add(mpit_counter* cell, uint64_t amount) {
#ifndef MPIT_IN_PLUGIN
    const uint32_t offset = __atomic_load_n(&cell->number, __ATOMIC_RELAXED);
    if (__builtin_expect(offset < MPIT_NAME(cells_of_thread).end, 1)) {
        mpit_add_in_thread((uint64_t*)(void*)(MPIT_NAME(cells_of_thread).shard + offset), amount);
        return;
    }
#endif
    mpit_add_elsewhere(cell, amount);
}

/* Adds an amount to a sum of doubles, unless the amount is negative, infinite or not a number. The function takes no
 * lock, because only this thread changes the thread's part of the sum. The compare-exchange is repeated if a signal
 * handler has changed the sum. */
static inline void mpit_add_real(mpit_real* cell, double amount) {
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(MPIT_IN_PLUGIN)
    const uint32_t offset = __atomic_load_n(&cell->sum.number, __ATOMIC_RELAXED);
    if (__builtin_expect(offset < MPIT_NAME(cells_of_thread).end && amount >= 0 && amount <= __DBL_MAX__, 1)) {
        uint64_t* const thread_cell = (uint64_t*)(void*)(MPIT_NAME(cells_of_thread).shard + offset);
        union {
            uint64_t word;
            double real;
        } expected, desired;
        bool is_exchanged; /* set by the assembly, which clang-tidy does not see */
        do {               /* NOLINT(bugprone-infinite-loop) */
            expected.word = __atomic_load_n(thread_cell, __ATOMIC_RELAXED);
            desired.real = expected.real + amount;
            __asm__("cmpxchgq %3, %1"
                    : "=@ccz"(is_exchanged), "+m"(*thread_cell), "+a"(expected.word)
                    : "r"(desired.word)
                    : "memory");
        } while (!is_exchanged);
        return;
    }
#endif
    mpit_add_real_elsewhere(cell, amount);
}

/* Ends a measurement. Adds the nanoseconds since `started`, the result of mpit_start(), to the timer. */
static inline void mpit_stop(mpit_timer* timer, uint64_t started) {
    const uint64_t nanoseconds = mpit_start() - started;
    MPIT_PROBE_TIMER("timer_stop", timer, nanoseconds);
    mpit_add(&timer->sum, nanoseconds);
}

/* Changes a level by `amount`, which may be negative, in one locked instruction. The caller must not make the level
 * negative. A thread in this function changes `present`, then loads `watching`. A thread that attaches a watermark
 * increments `watching`, then loads `present`. All operations are seq_cst, so that at least one of the two threads sees
 * the other thread's change. */
static inline void mpit_change(mpit_level* level, int64_t amount) {
    const uint64_t present = __atomic_add_fetch(&level->present, (uint64_t)amount, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_level_changed(level, present);
}
/* Sets a level to `present` by one atomic exchange. */
static inline void mpit_set(mpit_level* level, uint64_t present) {
    (void)__atomic_exchange_n(&level->present, present, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_level_changed(level, present);
}
/* Changes a level of doubles by `amount`. The compare-exchange is repeated if another thread changes the level. */
static inline void mpit_change_real(mpit_real_level* level, double amount) {
    union {
        double real;
        uint64_t word;
    } desired;
    uint64_t expected = __atomic_load_n(&level->present.word, __ATOMIC_RELAXED);
    do {
        desired.word = expected;
        desired.real += amount;
    } while (!__atomic_compare_exchange_n(&level->present.word, &expected, desired.word, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_RELAXED));
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0)) {
        /* Without this statement, gcc 16 copies `amount` before the loop, to have the sum in an argument register. */
        __asm__("" : "+r"(desired.word));
        mpit_real_level_changed(level, desired.real);
    }
}
/* Sets a level of doubles to `present` by one atomic exchange. */
static inline void mpit_set_real(mpit_real_level* level, double present) {
    union {
        double real;
        uint64_t word;
    } desired = {present};
    (void)__atomic_exchange_n(&level->present.word, desired.word, __ATOMIC_SEQ_CST);
    if (__builtin_expect(__atomic_load_n(&level->watching, __ATOMIC_SEQ_CST) != 0, 0))
        mpit_real_level_changed(level, present);
}
/* Sets a state to one of the values of the enumeration. The upper half of the word counts the changes of the state. A
 * state that a tool has written to its handle is valid until this count changes. Two concurrent changes may be counted
 * as one change, which saves each change a locked instruction. */
static inline void mpit_set_state(mpit_state* state, int present) {
    const uint64_t previous = __atomic_load_n(&state->present, __ATOMIC_RELAXED);
    if ((uint32_t)previous != (uint32_t)present)
        __atomic_store_n(&state->present, ((previous >> 32) + 1) << 32 | (uint32_t)present, __ATOMIC_RELEASE);
}
/* Returns the current level, in the unit of the level, by a relaxed load. */
static inline uint64_t mpit_level_of(const mpit_level* level) {
    return __atomic_load_n(&level->present, __ATOMIC_RELAXED);
}
/* Returns the current level of doubles, in the unit of the level, by a relaxed load. */
static inline double mpit_real_level_of(const mpit_real_level* level) {
    union {
        uint64_t word;
        double real;
    } present = {__atomic_load_n(&level->present.word, __ATOMIC_RELAXED)};
    return present.real;
}
/* Returns the current state, as a value of the enumeration, by a relaxed load. */
static inline int mpit_state_of(const mpit_state* state) {
    return (int)(uint32_t)__atomic_load_n(&state->present, __ATOMIC_RELAXED);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
