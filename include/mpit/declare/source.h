/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of event sources in C. An event source is a clock of a library (MPI-5.0, 15.3.8). The clock stamps events, and
 * tools can read the clock.
 *
 *   static int64_t card_ticks(void) { return read_card_clock(); }
 *   static mpit_source card;
 *   static const mpit_source_type sources[] = {
 *       MPIT_ROW_SOURCE("tcp_card", &card, card_ticks, "Card clock", .ticks_per_second = 1000000), MPIT_ROW_END};
 *
 * The row of an event names its source, as in .source = &card. This header has no functions, and thus no rules for
 * threads and signal handlers. */
#ifndef MPIT_DECLARE_SOURCE_H
#define MPIT_DECLARE_SOURCE_H

#include <mpit/declare/control.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An event source. The object must be zeros at first, as an object of static storage duration is. While a row's group
 * is open, no other row may name the same mpit_source. The group of a source must be closed after the groups of the
 * events that name the source. The struct's members are for the library's own use. */
typedef struct mpit_source {
    uint64_t description[14];
} mpit_source;

/* A row of a table of event sources. MPIT_ROW_SOURCE fills the members before `ticks_per_second`. */
typedef struct mpit_source_type {
    const char* name;    /* the name that tools see */
    mpit_source* source; /* the object that events name */
    /* Returns the time in ticks. Any thread and any signal handler may call the function. If `clock` is NULL, the
     * monotonic clock stamps events, in ticks of this source. Tools that read a source without `clock` receive
     * MPI_T_ERR_NOT_SUPPORTED. */
    int64_t (*clock)(void);
    const char* description;

    int64_t ticks_per_second; /* rate of the clock, or 0 for 1,000,000,000 */
    int64_t max_ticks;        /* largest stamp, after which the clock wraps to 0, or 0 for INT64_MAX */
    /* True if the stamps that a callback receives must never decrease. Only one thread at a time delivers the events of
     * an ordered source, including events that other threads have raised. */
    bool is_ordered;
} mpit_source_type;

/* The clock of an event without a source, which is the cycle counter or the monotonic clock in nanoseconds. */
typedef enum mpit_clock MPIT_ENUM_TYPE { MPIT_CYCLE_COUNTER, MPIT_STEADY_CLOCK } mpit_clock;

#ifndef __cplusplus

/* A row for an event source, such as MPIT_ROW_SOURCE("tcp_card", &card, card_ticks, "Clock of the network card",
 * .is_ordered = true). */
#define MPIT_ROW_SOURCE(name_, source_, clock_, ...)                                                                   \
    {.name = MPIT_ROW_NAME(name_), .source = source_, .clock = clock_, .description = __VA_ARGS__}

#endif

#ifdef __cplusplus
}
#endif

#endif
