/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of variables: a component opens a group, adds its tables, publishes it, and closes it. The indices and names
 * of closed groups stay, and a later group that adds the same names gets the same indices. One thread at a time may use
 * a group, not in signal handlers: the functions allocate.
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

/* The policy of a group: how users set its control variables from outside of the program. */
typedef struct mpit_policy {
    /* Names in the environment, separated by commas, the strongest first, each with a star for the name of the
     * variable. NULL: only variables with an .environment of their own are set by the environment. */
    const char* environment;
    const char* prefix; /* the star omits this beginning of a variable's name; or NULL */
    bool in_capitals;   /* the star is the name in capital letters */
    int rejection_code; /* of the library: mpit_rejected() returns it after a value from outside was rejected; or 0 */
    /* The texts of control and performance variables and of their items, not the tables, are not copied: they live as
     * long as the process, do not change, and are in a shared object that is never unloaded, as literals of a library
     * that is linked. */
    bool texts_stay;
} mpit_policy;

/* Opens a group, whose category is at the top, or inside of the category of `parent`. The texts are copied. If `policy`
 * is NULL, the group has that of `parent`. Returns NULL after a report of the reason: a name that tools cannot type,
 * such as one with a blank, a policy with malformed names of the environment, more than seven enclosing groups, or no
 * memory. The other functions accept NULL as a group, do nothing, and return -1; mpit_rejected() returns 0. */
MPIT_NAMED mpit_group* mpit_open(const mpit_group* parent, const char* name, const char* description,
                                 const mpit_policy* policy);

/* Adds the rows of a table, up to MPIT_ROW_END. `object` has the members of MPIT_ROW_MEMBER rows, and is the data of
 * functions in rows without `data`. Returns the number of rows that are refused: each is reported in one line with the
 * reason, and the others are added. Returns -1 for a table that is NULL, which is reported. */
MPIT_NAMED int mpit_add_controls(mpit_group* group, const mpit_control* table, void* object);
MPIT_NAMED int mpit_add_performance(mpit_group* group, const mpit_performance* table, void* object);

/* Adds events, with the same results. While the group is open, any thread may raise them. */
MPIT_NAMED int mpit_add_events(mpit_group* group, const mpit_event_type* table);
/* Adds sources, with the same results. They are added before the events that name them. */
MPIT_NAMED int mpit_add_sources(mpit_group* group, const mpit_source_type* table);

/* Shows to tools the rows that were added since the last call. Control variables now take their values from the
 * environment, files and the command line. Returns the number of variables whose name another library has already, each
 * of which is reported, or -1 if memory is exhausted. */
MPIT_NAMED int mpit_publish(mpit_group* group);

/* Returns the rejection_code of the policy if a value from outside was rejected since the last call, else 0; each such
 * value is reported. If a function of mpit_before_tools() returns the code, MPI_T_init_thread returns it. */
MPIT_NAMED int mpit_rejected(mpit_group* group);

/* The origin of the present value of a control variable, for mpit_given(). */
typedef enum mpit_origin MPIT_ENUM_TYPE {
    MPIT_FROM_LIBRARY,       /* the library itself: the value is its default */
    MPIT_FROM_CONFIGURATION, /* a file */
    MPIT_FROM_ENVIRONMENT,
    MPIT_FROM_COMMAND_LINE,
    MPIT_FROM_INFO /* an info object of the program */
} mpit_origin;

/* Records that the runtime itself has read the present value of a control variable, and where: `location` is a file
 * with a line, a name in the environment other than the variable's, or NULL. It is copied. The value does not change;
 * tools see its origin, and a weaker source does not replace it. Called after the row is added. Before mpit_publish(),
 * a call makes the default of the variable unknown to tools. Returns 0, or -1 if the group has no variable with this
 * name, which is reported, if a stronger source has set the variable, or if memory is exhausted. */
MPIT_NAMED int mpit_given(mpit_group* group, const char* name, mpit_origin origin, const char* location);

/* Stores the values from outside again in variables to which the library has assigned other values since. */
MPIT_NAMED void mpit_resolve(mpit_group* group);

/* Unregisters the variables of the group, and waits until no thread reads them: then their storage may end. Does
 * nothing for NULL. dlclose() closes the open groups of the shared object. A function of a row that closes its own
 * group does not wait for the call of the tool that has called it: the storage has to exist until that call returns. */
MPIT_NAMED void mpit_close(mpit_group* group);

/* Calls `function(data)` once, in the first MPI_T_init_thread of the process, which returns a result other than 0 as
 * its error code (mpit/module/before_tools.hpp has the details). If a tool has initialized the interface already, the
 * function is called at once. Any thread may call this. Returns 0, or -1 if `function` is NULL or was called at once
 * and returned an error code, or if memory is exhausted. */
MPIT_NAMED int mpit_before_tools(int (*function)(void* data), void* data);

#ifdef __cplusplus
}
#endif

#endif
