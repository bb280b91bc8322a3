/* SPDX-License-Identifier: BSD-3-Clause */
/* Control variables, performance variables and events that C code declares as rows of tables. A library adds its tables
 * to a run-time group of variables, and publishes the group to tools. These headers need C99, but not mpi.h. One C++
 * file of the library includes <mpit/declare.hpp>, which defines the functions. docs/c.md is the manual. Each included
 * header says which threads and signal handlers may call the header's functions.
 *
 *   static int limit = 65536;
 *   static const mpit_control controls[] = {MPIT_ROW_INT("MY_LIMIT", &limit, "Largest message"), MPIT_ROW_END};
 *   mpit_group* group = mpit_open(NULL, "my", "My library", NULL);
 *   mpit_add_controls(group, controls, NULL);   mpit_publish(group);
 */
#ifndef MPIT_DECLARE_H
#define MPIT_DECLARE_H

/* Disables -Wshadow, because a program may have a global variable with the name of a parameter in these headers. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/declare/cells.h>       // IWYU pragma: export
#include <mpit/declare/control.h>     // IWYU pragma: export
#include <mpit/declare/event.h>       // IWYU pragma: export
#include <mpit/declare/group.h>       // IWYU pragma: export
#include <mpit/declare/histogram.h>   // IWYU pragma: export
#include <mpit/declare/names.h>       // IWYU pragma: export
#include <mpit/declare/performance.h> // IWYU pragma: export
#include <mpit/declare/source.h>      // IWYU pragma: export

#pragma GCC diagnostic pop

#endif
