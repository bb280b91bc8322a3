/* SPDX-License-Identifier: BSD-3-Clause */
/* The linker names of the C functions of mpit/declare.h. Two libraries in one program or shared object can contain
 * different versions of mpit if each library defines its own prefix for the linker names. The names in C code, such as
 * mpit_open, do not change.
 *
 *   #define MPIT_NAMES opal_mpit_          before each include of mpit/declare.h and mpit/declare.hpp
 *
 * This header has no functions, and thus no rules for threads and signal handlers. */
#ifndef MPIT_DECLARE_NAMES_H
#define MPIT_DECLARE_NAMES_H

/* The prefix of the linker names of the functions. */
#ifndef MPIT_NAMES
#define MPIT_NAMES mpit_
#endif

/* The visibility of the functions. The value "default" exports the functions for plugins in C. */
#ifndef MPIT_NAMES_VISIBILITY
#define MPIT_NAMES_VISIBILITY "hidden"
#endif

/* The macros that make a linker name from the prefix, the version and the name of a function. With the version, the
 * linker rejects tables of one minor version for functions of another minor version, in which a row may have more
 * members. For the library's own use. */
#define MPIT_NAMES_JOIN_EXPANDED(a, b) a##b
#define MPIT_NAMES_JOIN(a, b) MPIT_NAMES_JOIN_EXPANDED(a, b)
#define MPIT_NAME(name) MPIT_NAMES_JOIN(MPIT_NAMES, v1_0_##name)
#define MPIT_NAMED __attribute__((visibility(MPIT_NAMES_VISIBILITY)))

/* The linker name of each function of mpit/declare.h. For the library's own use. */
#define mpit_add_elsewhere MPIT_NAME(add_elsewhere)
#define mpit_add_real_elsewhere MPIT_NAME(add_real_elsewhere)
#define mpit_total MPIT_NAME(total)
#define mpit_real_total MPIT_NAME(real_total)
#define mpit_start MPIT_NAME(start)
#define mpit_level_changed MPIT_NAME(level_changed)
#define mpit_real_level_changed MPIT_NAME(real_level_changed)
#define mpit_record_elsewhere MPIT_NAME(record_elsewhere)
#define mpit_open MPIT_NAME(open)
#define mpit_add_controls MPIT_NAME(add_controls)
#define mpit_add_performance MPIT_NAME(add_performance)
#define mpit_add_events MPIT_NAME(add_events)
#define mpit_add_sources MPIT_NAME(add_sources)
#define mpit_raise_heard MPIT_NAME(raise_heard)
#define mpit_defer_heard MPIT_NAME(defer_heard)
#define mpit_deliver_heard MPIT_NAME(deliver_heard)
#define mpit_publish MPIT_NAME(publish)
#define mpit_rejection_code MPIT_NAME(rejection_code)
#define mpit_resolve MPIT_NAME(resolve)
#define mpit_given MPIT_NAME(given)
#define mpit_close MPIT_NAME(close)
#define mpit_before_tools MPIT_NAME(before_tools)

/* A run-time group of variables (mpit/declare/group.h). */
typedef struct mpit_group mpit_group;

#endif
