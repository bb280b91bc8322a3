/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of variables: a component opens one, adds its tables, publishes it, and closes it. Numbers and names stay,
 * and come back when a group adds them again. One thread at a time uses a group, outside of signal handlers: its
 * functions allocate.
 *
 *   mpit_group* group = mpit_open(NULL, "tcp", "Over sockets", NULL);
 *   mpit_add_controls(group, controls, NULL);   mpit_publish(group);   …   mpit_close(group);
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

/* What all control variables of a group share: names of the environment, each with a star for the name of the
 * variable, the strongest first; the beginning of the variables' names that the star omits; whether the star is in
 * capital letters. */
typedef struct mpit_policy {
    const char* environment; /* NULL: only variables that name one are set by the environment */
    const char* prefix;
    bool in_capitals;
    int rejection_code; /* of the library, not 0: for a value from outside that cannot be used, which mpit_rejected() returns */
    bool
        texts_stay; /* The texts of control and performance variables and of their items, not the tables, live as long as the process, are
                      * not changed, and are in a shared object that is never unloaded, as literals of a library that is linked: they are
                      * used where they are, and not copied. */
} mpit_policy;

/* Opens a group, as a category of its own, or as one inside of the category of `parent`. The texts are copied;
 * `policy` may be NULL, and is then that of `parent`. Returns NULL after a report that says why: a name that no tool
 * can type, such as one with a blank, names of the environment that cannot be, more than seven groups around it, or
 * no memory. The other functions take NULL as a group, do nothing, and return -1; mpit_rejected() returns 0. */
MPIT_NAMED mpit_group* mpit_open(const mpit_group* parent, const char* name, const char* description,
                                 const mpit_policy* policy);

/* Adds the rows of a table, up to MPIT_ROW_END. `object` is what has the members of MPIT_ROW_MEMBER rows, and the
 * data of functions that have no other. Returns how many rows could not be added; each is reported in one line with
 * the reason, and the others are added. Returns -1 for a table that is NULL, which is reported. */
MPIT_NAMED int mpit_add_controls(mpit_group* group, const mpit_control* table, void* object);
MPIT_NAMED int mpit_add_performance(mpit_group* group, const mpit_performance* table, void* object);

/* The same for events. While the group is open, the functions that raise them may be called by any thread. */
MPIT_NAMED int mpit_add_events(mpit_group* group, const mpit_event_type* table);

/* The same for sources, which are added before the events that name them. */
MPIT_NAMED int mpit_add_sources(mpit_group* group, const mpit_source_type* table);

/* Shows tools what was added since the last time; control variables take their values from the environment, files
 * and the command line now. Returns how many variables have a name that another library has, which is reported, or
 * -1 without memory. */
MPIT_NAMED int mpit_publish(mpit_group* group);

/* The rejection_code of the policy, if a value of the group from outside could not be used since this was called
 * last; each is reported. 0 if all could, or the policy has none. A function of mpit_before_tools() that returns it
 * makes MPI_T_init_thread return it. */
MPIT_NAMED int mpit_rejected(mpit_group* group);

/* Who has given the value that a variable has now, for mpit_given(). */
typedef enum mpit_origin MPIT_ENUM_TYPE {
    MPIT_FROM_LIBRARY,       /* the library itself: the value is its default */
    MPIT_FROM_CONFIGURATION, /* a file */
    MPIT_FROM_ENVIRONMENT,
    MPIT_FROM_COMMAND_LINE,
    MPIT_FROM_INFO /* an info object of the program */
} mpit_origin;

/* Says that the runtime has read the value of a control variable itself, and where: `place` is a file with its line,
 * the name in the environment if it is another one, or NULL. It is copied. The value does not change; tools see its
 * origin, and a weaker source does not replace it. To be called after the row is added; before mpit_publish() the
 * default of the variable is unknown to tools. Returns 0, or -1 if the group has no variable with this name, which
 * is reported, a stronger source has given the value, or without memory. */
MPIT_NAMED int mpit_given(mpit_group* group, const char* name, mpit_origin origin, const char* place);

/* Values from outside win over what the library has assigned since they were taken. */
MPIT_NAMED void mpit_resolve(mpit_group* group);

/* Unregisters the variables of the group, and waits until no reader is left: then the storage may end. NULL does
 * nothing. dlclose() closes the groups of the shared object that are open. A function of the group that closes it,
 * in a call of a tool, waits for no call of its own thread: the storage has to exist until that returns. */
MPIT_NAMED void mpit_close(mpit_group* group);

/* Calls `function(data)` once, before the first MPI_T_init_thread of the process answers; a result other than 0 is
 * the code that it returns instead (mpit/module/before_tools.hpp says more). Any thread may call this. Returns 0, or
 * -1 without memory or a function, or if a tool is there already and the function has refused. */
MPIT_NAMED int mpit_before_tools(int (*function)(void* data), void* data);

#ifdef __cplusplus
}
#endif

#endif
