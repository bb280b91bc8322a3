// Every macro of the library, each with its default and the reason it exists. A macro may be defined before the first
// include of mpit, or on the command line; all objects of one shared object should see the same values.
//
//   #define MPIT_LANE_CELLS 65536
//   #include <mpit/mpit.hpp>
#pragma once

// How many counters have a cell of their own in every thread. Counters beyond the number share one atomic cell, which
// loses nothing and is slower. A thread's cells are reserved address space: only the pages that it counts in take memory.
#ifndef MPIT_LANE_CELLS
#define MPIT_LANE_CELLS 16384
#endif

// Marks what must never be shared between two shared objects: caches of the process-wide state, and the functions that
// look at them. A function that is not marked may be replaced by the copy of another shared object, and look at its cache.
#define MPIT_MODULE_LOCAL [[gnu::visibility("hidden")]]

// One instruction that reads, adds and writes cannot be torn by a signal handler of the same thread, and costs a tenth of
// a locked one. ThreadSanitizer must see an atomic operation instead.
#if defined(__SANITIZE_THREAD__)
#define MPIT_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define MPIT_THREAD_SANITIZER 1
#endif
#endif
#ifndef MPIT_THREAD_SANITIZER
#define MPIT_THREAD_SANITIZER 0
#endif
#if defined(__x86_64__) && !MPIT_THREAD_SANITIZER
#define MPIT_ADDS_IN_ONE_INSTRUCTION 1
#else
#define MPIT_ADDS_IN_ONE_INSTRUCTION 0
#endif
