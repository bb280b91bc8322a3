/* The tracepoint of LTTng-UST that carries what the measured events carry. lttng/tracepoint.h reads this file
 * several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER mpit_benchmark
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "others/tracepoints.h"
#if !defined(MPIT_BENCHMARK_TRACEPOINTS) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define MPIT_BENCHMARK_TRACEPOINTS
#include <lttng/tracepoint.h>
LTTNG_UST_TRACEPOINT_EVENT(mpit_benchmark, message, LTTNG_UST_TP_ARGS(int, source, int, tag, unsigned long, bytes),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, source, source)
                                                   lttng_ust_field_integer(int, tag, tag)
                                                       lttng_ust_field_integer(unsigned long, bytes, bytes)))
#endif
#include <lttng/tracepoint-event.h>
