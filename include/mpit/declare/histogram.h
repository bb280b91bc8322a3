/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram in C counts values in exponential buckets. Tools see a histogram `sizes` as six variables, from which a
 * tool that does not know mpit reads the distribution (mpit/variable/histogram.hpp).
 *
 *   static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31);      mpit_record(&sizes, bytes);
 *   static mpit_histogram sending = MPIT_HISTOGRAM_CELL(2, 6, 34);    mpit_record(&sending, mpit_start() - began);
 *
 * Any thread and any signal handler may record values, also before a row with the histogram is added to a group. As for
 * the sums of mpit/declare/cells.h, an MPIT_THREAD_STORAGE of "global-dynamic" is an exception. The functions return no
 * errors. */
#ifndef MPIT_DECLARE_HISTOGRAM_H
#define MPIT_DECLARE_HISTOGRAM_H

#include <mpit/declare/cells.h>
#include <mpit/declare/names.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A histogram of unsigned numbers, or of times in nanoseconds. The struct's members are for the library's own use. */
typedef struct mpit_histogram {
    uint32_t offset;
    uint32_t leaves;
    int scale, lowest, highest;
    uint16_t last_bucket;
    bool is_real, is_for_tools;
    uint32_t cells, users, marks;
    mpit_counter* sums;
    mpit_level smallest, largest;
} mpit_histogram;

/* The number of sums that a histogram needs, which are those of the buckets and the sum of all values. */
#define MPIT_HISTOGRAM_SUMS(scale, lowest, highest) ((((highest) - (lowest)) << (scale)) + 3)

/* The initial value of a histogram outside of functions. The first bucket holds the values up to 2^lowest, with 0. The
 * last bucket holds the values above 2^highest. Each power of two between has 2^scale buckets. Exponents are from 0 to
 * 63, the scale is from 0 to 4, and a histogram has at most 118 buckets. (2, 6, 34) suits times from 64 ns to 17 s. */
#define MPIT_HISTOGRAM_CELL(scale, lowest, highest)                                                                    \
    MPIT_HISTOGRAM_OF(MPIT_SUMS_OF_HISTOGRAM(MPIT_HISTOGRAM_SUMS(scale, lowest, highest)), scale, lowest, highest)

/* The parts of MPIT_HISTOGRAM_CELL, which are an array of sums without a name, and the histogram that has the array.
 * For the library's own use. */
#define MPIT_SUMS_OF_HISTOGRAM(count)                                                                                  \
    __extension__(mpit_counter[count]) { [0 ...(count) - 1] = MPIT_COUNTER_CELL }
#define MPIT_HISTOGRAM_OF(sums, scale, lowest, highest)                                                                \
    {0xffffffffu,                                                                                                      \
     0,                                                                                                                \
     scale,                                                                                                            \
     lowest,                                                                                                           \
     highest,                                                                                                          \
     (uint16_t)(MPIT_HISTOGRAM_SUMS(scale, lowest, highest) - 2),                                                      \
     false,                                                                                                            \
     false,                                                                                                            \
     0xffffffffu,                                                                                                      \
     1,                                                                                                                \
     0,                                                                                                                \
     sums,                                                                                                             \
     MPIT_LEVEL_CELL(UINT64_MAX),                                                                                      \
     MPIT_LEVEL_CELL(0)}

/* Initializes a histogram in allocated memory. `sums` is an array of MPIT_HISTOGRAM_SUMS(scale, lowest, highest)
 * elements, which exists as long as the histogram, such as the next member of a struct. The numbers `scale`, `lowest`
 * and `highest` have the meaning and the limits of MPIT_HISTOGRAM_CELL. A histogram must have its initial value before
 * the first value is recorded. No other thread and no signal handler may use the histogram during the call. */
static inline void mpit_init_histogram(mpit_histogram* histogram, mpit_counter* sums, int scale, int lowest,
                                       int highest) {
    const mpit_counter sum = MPIT_COUNTER_CELL;
    const mpit_histogram initial = MPIT_HISTOGRAM_OF(sums, scale, lowest, highest);
    for (int i = 0; i < MPIT_HISTOGRAM_SUMS(scale, lowest, highest); i++) sums[i] = sum;
    *histogram = initial;
}

/* Records a value if the inline code of mpit_record() cannot record the value. For the library's own use. */
MPIT_NAMED void mpit_record_elsewhere(mpit_histogram* histogram, uint64_t value);

#ifndef __cplusplus

/* Records a value by two additions to cells of the thread, without a lock. The inline code finds the bucket for scale
 * 0, and a function finds the bucket for other scales in a table. A histogram whose row has .when_watched records
 * values only while a tool uses the histogram. */
static inline void mpit_record(mpit_histogram* histogram, uint64_t value) {
#ifndef MPIT_IN_PLUGIN
    const uint32_t offset = __atomic_load_n(&histogram->offset, __ATOMIC_RELAXED);
    const uint64_t below = value - (value == 0 ? 0 : 1); /* 0 is in the bucket of 1 */
    if (__builtin_expect(offset < MPIT_NAME(cells_of_thread).end && histogram->scale == 0 && below >> 63 == 0, 1)) {
        uint64_t* const cells = (uint64_t*)(void*)(MPIT_NAME(cells_of_thread).shard + offset);
        const uint64_t last = histogram->last_bucket;
        uint64_t bucket = 63u - (uint64_t)__builtin_clzll((below >> histogram->lowest) * 2 + 1);
        if (bucket > last) bucket = last;
        __asm__("" : "+r"(bucket)); /* keeps the compiler from computing an address for each of the two buckets */
        mpit_add_in_thread(&cells[bucket], 1);
        mpit_add_in_thread(&cells[last + 1], value);
        return;
    }
#endif
    if (__atomic_load_n(&histogram->users, __ATOMIC_RELAXED) != 0) mpit_record_elsewhere(histogram, value);
}
/* Returns true while a tool's handle on the histogram is running. With .when_watched, a library may skip measurements
 * for which mpit_is_watched() returns false. Any thread and any signal handler may call the function. */
static inline bool mpit_is_watched(const mpit_histogram* histogram) {
    return __atomic_load_n(&histogram->users, __ATOMIC_RELAXED) > (histogram->is_for_tools ? 0u : 1u);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
