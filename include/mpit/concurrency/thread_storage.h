/* SPDX-License-Identifier: BSD-3-Clause */
/* The TLS model of a thread's cells, for C and C++: the default of MPIT_THREAD_STORAGE, which mpit/config.hpp explains.
 *
 *   __thread int own __attribute__((tls_model(MPIT_THREAD_STORAGE)));
 *
 * musl's dlopen() refuses a library with "initial-exec". It allocates the storage of every library for a thread before
 * the thread runs code of it, so that a signal handler may count with "global-dynamic", too. */
#ifndef MPIT_CONCURRENCY_THREAD_STORAGE_H
#define MPIT_CONCURRENCY_THREAD_STORAGE_H

#include <stdint.h> /* defines __GLIBC__ with glibc */

/* The TLS model of a thread's cells, as the attribute `tls_model` accepts it. */
#ifndef MPIT_THREAD_STORAGE
#ifdef __GLIBC__
#define MPIT_THREAD_STORAGE "initial-exec"
#else
#define MPIT_THREAD_STORAGE "global-dynamic"
#endif
#endif

#endif
