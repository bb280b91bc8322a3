/* The code of the tracepoint.
 *     cc -c tracepoints.c -llttng-ust -ldl */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "others/tracepoints.h"
