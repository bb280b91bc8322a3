/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of sources in C: clocks of the library, which stamp its events and which tools can read (MPI-5.0, 15.3.8).
 *
 *   static int64_t card_ticks(void) { return read_card_clock(); }
 *   static mpit_source card;
 *   static const mpit_source_type sources[] = {
 *       MPIT_ROW_SOURCE("tcp_card", &card, card_ticks, "Card clock", .ticks_per_second = 1000000), MPIT_ROW_END};
 *
 * The row of an event names its source: .source = &card. Threads and signal handlers: this header has no functions. */
#ifndef MPIT_DECLARE_SOURCE_H
#define MPIT_DECLARE_SOURCE_H

#include <mpit/declare/control.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A source. It must begin as zeros, as an object of static storage duration does. One row of one open group describes
 * it, and that group is closed after the groups of its events. Its members are for the library's own use. */
typedef struct mpit_source {
    uint64_t description[14];
} mpit_source;

/* A row of a table. The macro fills the members before `ticks_per_second`. */
typedef struct mpit_source_type {
    const char* name;    /* shown to tools */
    mpit_source* source; /* the object that events name */
    /* Returns the time in ticks. Called by any thread, and in signal handlers. NULL: the monotonic clock, converted to
     * these ticks, stamps events, and tools that read the time get MPI_T_ERR_NOT_SUPPORTED. */
    int64_t (*clock)(void);
    const char* description;

    int64_t ticks_per_second; /* the rate of the clock; 0 for 1,000,000,000 */
    int64_t max_ticks;        /* the largest stamp, after which stamps continue at 0; 0 for INT64_MAX */
    /* The stamps that a callback gets never decrease: events are delivered one by one, perhaps by another thread. */
    bool is_ordered;
} mpit_source_type;

/* The clocks for events without a source: the processor's cycle counter, or the monotonic clock in nanoseconds. */
typedef enum mpit_clock MPIT_ENUM_TYPE { MPIT_CYCLE_COUNTER, MPIT_STEADY_CLOCK } mpit_clock;

#ifndef __cplusplus

/* A source: MPIT_ROW_SOURCE("tcp_card", &card, card_ticks, "Clock of the network card", .is_ordered = true). */
#define MPIT_ROW_SOURCE(name_, source_, clock_, ...)                                                                   \
    {.name = MPIT_ROW_NAME(name_), .source = source_, .clock = clock_, .description = __VA_ARGS__}

#endif

#ifdef __cplusplus
}
#endif

#endif
