/* A call of each of the 51 functions with plausible arguments, under its plain and its profiling name, for tests that
 * treat them all alike. Include it after the header that declares the functions; it compiles as C99 and as C++.
 * FUNCTION_PREFIX and PROFILING_PREFIX are defined before where the functions have other names.
 *
 *   set_arguments();   int code = every_call[i].plain();   int clean = arguments_are_untouched(); */
#ifndef TESTS_STANDARD_CALLS_H
#define TESTS_STANDARD_CALLS_H

#include "functions.h"

#include <string.h>

#ifndef FUNCTION_PREFIX
#define FUNCTION_PREFIX MPI_T_
#define PROFILING_PREFIX PMPI_T_
#endif
#define JOINED_EXPANDED(prefix, name) prefix##name
#define JOINED(prefix, name) JOINED_EXPANDED(prefix, name)

/* Everything that a call may store into, and the handles that it passes. */
struct call_arguments {
    char text[64];
    int length;
    char second_text[64];
    int second_length;
    int numbers[6];
    int capacity;
    double value;
    MPI_Datatype datatype;
    MPI_Aint displacement;
    MPI_Count ticks[2];
    MPI_Info info;
    MPI_T_enum enumtype;
    MPI_T_cvar_handle cvar;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle pvar;
    MPI_T_event_registration registration;
    MPI_T_event_instance instance;
    MPI_T_source_order order;
};
static struct call_arguments given, given_before;

/* The capacities are true, the handles null, and all outputs are filled with what no call would store. */
static void set_arguments(void) {
    memset(&given, 0x5a, sizeof given);
    given.length = (int)sizeof given.text;
    given.second_length = (int)sizeof given.second_text;
    given.capacity = 1;
    given.info = MPI_INFO_NULL;
    given.enumtype = MPI_T_ENUM_NULL;
    given.cvar = MPI_T_CVAR_HANDLE_NULL;
    given.session = MPI_T_PVAR_SESSION_NULL;
    given.pvar = MPI_T_PVAR_HANDLE_NULL;
    given.registration = 0;
    given.instance = 0;
    given.order = MPI_T_SOURCE_ORDERED;
    memcpy(&given_before, &given, sizeof given);
}
static int arguments_are_untouched(void) { return memcmp(&given_before, &given, sizeof given) == 0; }

#define CALL(name, parameters)                                                                                         \
    static int call_##name(void) { return JOINED(FUNCTION_PREFIX, name) parameters; }                                  \
    static int profiling_call_##name(void) { return JOINED(PROFILING_PREFIX, name) parameters; }

CALL(init_thread, (MPI_THREAD_SINGLE, given.numbers))
CALL(enum_get_info, (given.enumtype, given.numbers, given.text, &given.length))
CALL(enum_get_item, (given.enumtype, 0, given.numbers, given.text, &given.length))
CALL(cvar_get_num, (given.numbers))
CALL(cvar_get_info, (0, given.text, &given.length, given.numbers, &given.datatype, &given.enumtype, given.second_text,
                     &given.second_length, given.numbers + 1, given.numbers + 2))
CALL(cvar_get_index, ("no such name", given.numbers))
CALL(cvar_handle_alloc, (0, 0, &given.cvar, given.numbers))
CALL(cvar_handle_free, (&given.cvar))
CALL(cvar_read, (given.cvar, &given.value))
CALL(cvar_write, (given.cvar, &given.value))
CALL(pvar_get_num, (given.numbers))
CALL(pvar_get_info, (0, given.text, &given.length, given.numbers, given.numbers + 1, &given.datatype, &given.enumtype,
                     given.second_text, &given.second_length, given.numbers + 2, given.numbers + 3, given.numbers + 4,
                     given.numbers + 5))
CALL(pvar_get_index, ("no such name", MPI_T_PVAR_CLASS_COUNTER, given.numbers))
CALL(pvar_session_create, (&given.session))
CALL(pvar_session_free, (&given.session))
CALL(pvar_handle_alloc, (given.session, 0, 0, &given.pvar, given.numbers))
CALL(pvar_handle_free, (given.session, &given.pvar))
CALL(pvar_start, (given.session, given.pvar))
CALL(pvar_stop, (given.session, given.pvar))
CALL(pvar_read, (given.session, given.pvar, &given.value))
CALL(pvar_write, (given.session, given.pvar, &given.value))
CALL(pvar_reset, (given.session, given.pvar))
CALL(pvar_readreset, (given.session, given.pvar, &given.value))
CALL(event_get_num, (given.numbers))
CALL(event_get_info,
     (0, given.text, &given.length, given.numbers, &given.datatype, &given.displacement, &given.capacity,
      &given.enumtype, &given.info, given.second_text, &given.second_length, given.numbers + 1))
CALL(event_get_index, ("no such name", given.numbers))
CALL(event_handle_alloc, (0, 0, given.info, &given.registration))
CALL(event_handle_free, (given.registration, 0, 0))
CALL(event_handle_get_info, (given.registration, &given.info))
CALL(event_handle_set_info, (given.registration, given.info))
CALL(event_register_callback, (given.registration, MPI_T_CB_REQUIRE_NONE, given.info, 0, 0))
CALL(event_callback_get_info, (given.registration, MPI_T_CB_REQUIRE_NONE, &given.info))
CALL(event_callback_set_info, (given.registration, MPI_T_CB_REQUIRE_NONE, given.info))
CALL(event_set_dropped_handler, (given.registration, 0))
CALL(event_read, (given.instance, 0, &given.value))
CALL(event_copy, (given.instance, &given.value))
CALL(event_get_timestamp, (given.instance, given.ticks))
CALL(event_get_source, (given.instance, given.numbers))
CALL(source_get_num, (given.numbers))
CALL(source_get_info, (0, given.text, &given.length, given.second_text, &given.second_length, &given.order, given.ticks,
                       given.ticks + 1, &given.info))
CALL(source_get_timestamp, (0, given.ticks))
CALL(category_get_num, (given.numbers))
CALL(category_get_info, (0, given.text, &given.length, given.second_text, &given.second_length, given.numbers,
                         given.numbers + 1, given.numbers + 2))
CALL(category_get_index, ("no such name", given.numbers))
CALL(category_get_cvars, (0, 1, given.numbers))
CALL(category_get_pvars, (0, 1, given.numbers))
CALL(category_get_events, (0, 1, given.numbers))
CALL(category_get_categories, (0, 1, given.numbers))
CALL(category_get_num_events, (0, given.numbers))
CALL(category_changed, (given.numbers))
CALL(finalize, ())

static const struct {
    const char* name;
    int (*plain)(void);
    int (*profiling)(void);
} every_call[function_count] = {
#define MPIT_T_FUNCTION(name, needs, group, parameters, arguments) {#name, call_##name, profiling_call_##name},
#include <mpit/mpi_t/functions.def>
};

#endif
