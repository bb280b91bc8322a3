/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that a runtime has registered with the MCA of Open MPI, shown to tools by mpit: one group of C for
 * each group of the MCA, a control variable for each of its variables, and a performance variable for each of those.
 * A runtime that keeps another registry of its own can be served in the same way.
 *
 *   mca_variables_open(find);            in the function of mpit_before_tools()
 *   mca_variables_registered(group);     when the MCA has registered a variable, from then on
 *   mca_variables_ending(group);         before it deregisters a group
 *
 * Until mca_variables_open() the other functions do nothing, so that a job that no tool reads pays for a comparison.
 * Any thread may call these functions, no signal handler. */
#ifndef MCA_VARIABLES_H
#define MCA_VARIABLES_H

#include <mpit/declare.h>

#include <stdbool.h>
#include <stdint.h>

/* Describes all that is registered. `find` returns the object of this kind (MCA_BASE_VAR_BIND_MPI_COMM and so on) whose
 * handle a tool has given, or NULL if there is none now: such a handle is refused. Any thread and any signal handler may
 * call it, so that it waits for no lock, as opal_pointer_array_get_item() does. Returns 0, or -1 without memory. */
int mca_variables_open(void* (*find)(int bind, uint64_t handle));

/* The group has a variable more, or one of its variables has another storage. */
void mca_variables_registered(int group);

/* The variables of the group end that the MCA deregisters with it, and their synonyms: waits until no tool reads
 * them. Handles on the others of the group end too; the variables stay. */
void mca_variables_ending(int group);

/* All variables end. */
void mca_variables_close(void);

/* Of mca_events.c: describes the events of a list (opal_value_array_t) that are new, of a group that is ending those that
 * stay. Returns false if there are none. A group that is NULL only asks. */
bool mca_events_add(mpit_group* group, const void* list, bool is_ending);
/* The group of these events is about to be closed. */
void mca_events_ending(mpit_group* group);
/* The object as the function of mca_variables_open() finds it. */
void* mca_variables_find(int bind, uint64_t handle);

#endif
