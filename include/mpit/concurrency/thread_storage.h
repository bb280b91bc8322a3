/* SPDX-License-Identifier: BSD-3-Clause */
/* Defines the default of MPIT_THREAD_STORAGE for C and C++. mpit/config.hpp explains MPIT_THREAD_STORAGE.
 *
 *   __thread int own __attribute__((tls_model(MPIT_THREAD_STORAGE)));
 *
 * musl's dlopen() refuses to load a library with "initial-exec". musl allocates the thread-local storage of a library
 * before a thread runs code of the library, so that a signal handler may also count with "global-dynamic". */
#ifndef MPIT_CONCURRENCY_THREAD_STORAGE_H
#define MPIT_CONCURRENCY_THREAD_STORAGE_H

#include <stdint.h> /* defines __GLIBC__ with glibc */

/* The argument of the attribute `tls_model` for the pointer by which a thread finds its cells. */
#ifndef MPIT_THREAD_STORAGE
#ifdef __GLIBC__
#define MPIT_THREAD_STORAGE "initial-exec"
#else
#define MPIT_THREAD_STORAGE "global-dynamic"
#endif
#endif

#endif
