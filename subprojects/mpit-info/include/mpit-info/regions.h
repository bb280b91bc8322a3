/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the regions of a program: `mpit-info watch --regions` shows times, calls of MPI functions and variables by
 * region. C99 or C++, no mpi.h, and nothing to link: without that tool in the process a call is a load and a branch.
 *
 *   mpit_region_begin("halo");   exchange();   mpit_region_end("halo");
 *
 * Regions may be nested. Each thread has regions of its own. Any thread may call these functions, at any time,
 * outside of signal handlers. They have no errors: an end without a beginning is ignored, and an end ends the
 * regions in it as well. */
#ifndef MPIT_INFO_REGIONS_HEADER
#define MPIT_INFO_REGIONS_HEADER

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the tool; null without it. For the library's own use. */
extern void mpit_region_enter(const char* name) __attribute__((weak));
/* For the library's own use. */
extern void mpit_region_leave(const char* name) __attribute__((weak));

#if defined(__x86_64__) && !defined(__PIC__)
/* The linker of a program at a fixed address takes the address of a weak function for null, unless it is read from
 * the table of addresses that the dynamic linker fills. */
#define MPIT_REGION_CALL(function, name)                                                                               \
    void (*found)(const char*);                                                                                        \
    __asm__(".weak " #function "\n\tmovq " #function "@GOTPCREL(%%rip), %0" : "=r"(found));                            \
    if (found) found(name)
#else
#define MPIT_REGION_CALL(function, name)                                                                               \
    if (function) function(name)
#endif

/* The calling thread enters a region, which is one for each path of names. The name is copied, up to 63 bytes. */
static inline void mpit_region_begin(const char* name) { MPIT_REGION_CALL(mpit_region_enter, name); }

/* The calling thread leaves the innermost region of this name. */
static inline void mpit_region_end(const char* name) { MPIT_REGION_CALL(mpit_region_leave, name); }

#undef MPIT_REGION_CALL

#ifdef __cplusplus
}
#endif

#endif
