/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables that a runtime has registered with the MCA of Open MPI, shown to tools by mpit: one group of C for
 * each group of the MCA, a control variable for each of its variables, and a performance variable for each of those.
 * A runtime that keeps another registry of its own can be served in the same way.
 *
 *   mca_variables_open(exists);          in the function of mpit_before_tools()
 *   mca_variables_registered(group);     when the MCA has registered a variable, from then on
 *   mca_variables_ending(group);         before it deregisters a group
 *
 * Until mca_variables_open() the other functions do nothing, so that a job that no tool reads pays for a comparison.
 * Any thread may call these functions, no signal handler. */
#ifndef MCA_VARIABLES_H
#define MCA_VARIABLES_H

/* Describes all that is registered. `exists` says whether there is an object of this kind
 * (MCA_BASE_VAR_BIND_MPI_COMM and so on) at this address now: a handle of another one is refused. Any thread and any
 * signal handler may call it, so that it waits for no lock, as opal_pointer_array_get_item() does. Returns 0, or -1
 * without memory. */
int mca_variables_open(int (*exists)(int bind, void* object));

/* The group has a variable more, or one of its variables has another storage. */
void mca_variables_registered(int group);

/* The variables of the group end that the MCA deregisters with it, and their synonyms: waits until no tool reads
 * them. Handles on the others of the group end too; the variables stay. */
void mca_variables_ending(int group);

/* All variables end. */
void mca_variables_close(void);

#endif
