/* SPDX-License-Identifier: BSD-3-Clause */
/* How a thread finds its cells, for C and C++: the default of MPIT_THREAD_STORAGE, which mpit/config.hpp explains.
 *
 *   __thread int own __attribute__((tls_model(MPIT_THREAD_STORAGE)));
 *
 * musl refuses to open a library with "initial-exec". It gives a thread the storage of every library before the
 * thread counts, so that a signal handler may count with "global-dynamic" too. */
#ifndef MPIT_CONCURRENCY_THREAD_STORAGE_H
#define MPIT_CONCURRENCY_THREAD_STORAGE_H

#include <stdint.h> /* defines __GLIBC__ with glibc */

/* The thread storage model of a thread's cells, as `tls_model` takes it. */
#ifndef MPIT_THREAD_STORAGE
#ifdef __GLIBC__
#define MPIT_THREAD_STORAGE "initial-exec"
#else
#define MPIT_THREAD_STORAGE "global-dynamic"
#endif
#endif

#endif
