/* What the sources of regions call (sources.c, nvtx.c): the calling thread enters a region, or leaves one. Not
 * async-signal-safe: a call in a handler that has interrupted another one is ignored.
 *
 *   enter_region("solve", by_program);   …   leave_region("solve"); */
#ifndef MPIT_INFO_REGIONS_IN_THREAD_H
#define MPIT_INFO_REGIONS_IN_THREAD_H

/* A region that has been entered by one source without a name at its end is left by the same source. */
enum region_source { by_program, by_nvtx, by_roctx };

void enter_region(const char* name, enum region_source source);
/* Leaves the innermost region with this name, and all in it; nothing if there is none. */
void leave_region(const char* name);
/* The same for the innermost region of a source. Returns its depth, -1 if there is none. */
int leave_last_region(enum region_source source);

#endif
