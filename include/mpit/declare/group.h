/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-time groups of variables. A library opens a group, adds tables to the group, publishes the group, and closes the
 * group. The indices and names of a closed group stay reserved, so that a later group with the same names gets the same
 * indices. One thread at a time may use a group, but no signal handler, because the functions allocate memory.
 *
 *   mpit_group* group = mpit_open(NULL, "tcp", "Over sockets", NULL);
 *   mpit_add_controls(group, controls, NULL);   mpit_publish(group);   ...   mpit_close(group);
 */
#ifndef MPIT_DECLARE_GROUP_H
#define MPIT_DECLARE_GROUP_H

#include <mpit/declare/control.h>
#include <mpit/declare/event.h>
#include <mpit/declare/names.h>
#include <mpit/declare/performance.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The policy of a group, which says how the environment and users set the group's control variables. */
typedef struct mpit_policy {
    /* Patterns for names of environment variables, separated by commas, in the order of precedence. The star in a
     * pattern stands for the name of the control variable. If `environment` is NULL, the environment sets only
     * variables whose rows have .environment. */
    const char* environment;
    const char* prefix; /* beginning of a variable's name that the star omits, or NULL */
    bool in_capitals;   /* true if the star stands for the name in capital letters */
    int rejection_code; /* result of mpit_rejection_code() after a user's value was rejected, or 0 for none */
    /* If true, tables are copied without the texts of control variables, performance variables and items. Texts that
     * are not copied must not change, and must be in a shared object that is never unloaded. */
    bool texts_kept;
} mpit_policy;

/* Opens a group. The category of the group is inside of the category of `parent`, or at the top if `parent` is NULL.
 * The name and the description are copied. If `policy` is NULL, the group has the policy of `parent`. If the group
 * cannot be opened, the function reports the reason and returns NULL. The reasons are an impossible name (such as a
 * name with a blank), a policy with malformed patterns, more than seven enclosing groups, and exhausted memory. If
 * `group` is NULL, the functions below do nothing and return -1 (mpit_rejection_code() returns 0). */
MPIT_NAMED mpit_group* mpit_open(const mpit_group* parent, const char* name, const char* description,
                                 const mpit_policy* policy);

/* Adds the rows of a table, up to MPIT_ROW_END. `object` is the struct whose members MPIT_ROW_MEMBER rows name. Returns
 * the number of rows that could not be added. One line of report gives the reason for each such row, and all other rows
 * are added. Returns -1 and reports the error if the table is NULL. If a row has no `data`, the row's functions receive
 * the address of the control variable's storage, or `object` if the row has no storage. */
MPIT_NAMED int mpit_add_controls(mpit_group* group, const mpit_control* table, void* object);
MPIT_NAMED int mpit_add_performance(mpit_group* group, const mpit_performance* table, void* object);

/* Adds the rows of a table of events. Returns the same as mpit_add_controls(). Any thread may then raise the events. */
MPIT_NAMED int mpit_add_events(mpit_group* group, const mpit_event_type* table);
/* Adds the rows of a table of sources. Returns the same as mpit_add_controls(). Add sources before events. */
MPIT_NAMED int mpit_add_sources(mpit_group* group, const mpit_source_type* table);

/* Publishes the rows that were added since the last call, so that tools see the variables. During mpit_publish(),
 * control variables receive values from the environment, files and the command line. Returns the number of variables
 * whose name another library already uses, or -1 if memory is exhausted. Each such variable is reported. */
MPIT_NAMED int mpit_publish(mpit_group* group);

/* Returns the rejection_code of the policy if a value from a user was rejected since the last call. Returns 0 if no
 * value was rejected. Each rejected value is reported. If a function of mpit_before_tools() returns the rejection_code,
 * MPI_T_init_thread returns the same code. */
MPIT_NAMED int mpit_rejection_code(mpit_group* group);

/* The origin of the current value of a control variable, for mpit_given(). */
typedef enum mpit_origin MPIT_ENUM_TYPE {
    MPIT_FROM_LIBRARY,       /* the library itself, so that the value is the default */
    MPIT_FROM_CONFIGURATION, /* a configuration file */
    MPIT_FROM_ENVIRONMENT,
    MPIT_FROM_COMMAND_LINE,
    MPIT_FROM_INFO /* an info object of the program */
} mpit_origin;

/* Records that the library itself has read the current value of a control variable from `origin`. `location` is a file
 * with a line, a name in the environment other than the variable's name, or NULL, and is copied. The value does not
 * change. Tools see the origin, and an origin of lower precedence does not replace the value. The variable's row must
 * be added before the call. A call before mpit_publish() makes the default of the variable unknown to tools. Returns 0
 * on success. Returns -1 if an origin of higher precedence has set the variable, or if memory is exhausted. Also
 * returns -1, after a report, if the group has no control variable with this name. */
MPIT_NAMED int mpit_given(mpit_group* group, const char* name, mpit_origin origin, const char* location);

/* Stores the values of users again, in control variables to which the library has assigned other values. */
MPIT_NAMED void mpit_resolve(mpit_group* group);

/* Unregisters the variables of the group, and waits until no thread reads the variables. The storage of the variables
 * may be freed after the call. If `group` is NULL, the call does nothing. dlclose() closes the groups that the unloaded
 * shared object has not closed. If a row's function closes the row's own group during a tool's call, mpit_close() does
 * not wait for the tool's call. The storage then has to exist until the tool's call returns. */
MPIT_NAMED void mpit_close(mpit_group* group);

/* Calls `function(data)` once, in the first MPI_T_init_thread of the process. If `function` does not return 0,
 * MPI_T_init_thread returns the result of `function` as an error code (details are in mpit/module/before_tools.hpp). If
 * a tool has already initialized the interface, mpit_before_tools() itself calls the function. Any thread may call
 * mpit_before_tools(). Returns 0 on success. Returns -1 if `function` is NULL, if memory is exhausted, or if
 * mpit_before_tools() itself has called `function` and `function` has not returned 0. */
MPIT_NAMED int mpit_before_tools(int (*function)(void* data), void* data);

#ifdef __cplusplus
}
#endif

#endif
