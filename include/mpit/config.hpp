// SPDX-License-Identifier: BSD-3-Clause
// Every macro of mpit, with its default and its purpose. Define a macro before the first include of mpit or on the
// command line, with the same value in all object files of one shared object.
//
//   #define MPIT_SHARD_CELLS 65536
//   #include <mpit/mpit.hpp>
#pragma once

// #error alone does not stop the compiler; the failing include does. It suppresses the errors that an older language
// standard would cause in all later lines.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "mpit needs C++20: compile this file with -std=c++20, or include mpit only in files that are compiled with it"
#include <mpit_needs_-std=c++20>
#endif

// The number of counters that have a cell in every thread. Each further counter is one atomic cell for all threads:
// exact, and slower. The cells of a thread are reserved address space; only the pages that the thread counts in take
// memory.
#ifndef MPIT_SHARD_CELLS
#define MPIT_SHARD_CELLS 16384
#endif
#if MPIT_SHARD_CELLS < 1
#error "MPIT_SHARD_CELLS must be at least 1"
#endif

// MPIT_ATOMIC_HEADER, by default not defined, names a header that replaces the atomic operations and fences of
// concurrency/atomic.hpp. The tests of mpit use it to explore the interleavings of the lock-free protocols.

// MPIT_THREAD_STORAGE is the TLS model of the pointer by which a thread finds its cells. Its default is in
// concurrency/thread_storage.h, because C needs it too. "initial-exec" takes 16 bytes of glibc's static TLS surplus for
// each shared object with these headers, and glibc reuses them only if shared objects are closed in the reverse order
// of their opening. A library that is opened and closed hundreds of times in any order needs "global-dynamic" in all
// its files: counting then costs a call, and the first count of a thread allocates, so that a signal handler must not
// make it. With musl "global-dynamic" is the default.

// The size in bytes of a LOGICAL of the Fortran compiler, which is a datatype in the draft of 2011.
#ifndef MPIT_FORTRAN_LOGICAL_SIZE
#define MPIT_FORTRAN_LOGICAL_SIZE 4
#endif

// The environment variable that names configuration files, separated by colons, from which control variables take
// values when a library that serves tools is loaded. A runtime may set another name; "" disables the files.
#ifndef MPIT_CONFIGURATION_VARIABLE
#define MPIT_CONFIGURATION_VARIABLE "MPIT_CONFIGURATION"
#endif

// 1 in a tool that is loaded into programs of others, such as the agents of mpit-info. This copy of the headers reads
// the registry that the libraries of the program have created, and changes nothing: it creates no registry, reads
// neither configuration files nor the environment, and reports nothing.
#ifndef MPIT_ONLY_LOOKS
#define MPIT_ONLY_LOOKS 0
#endif

// 1 in a shared object whose variables do not belong to the program, such as the layer of mpit-info that counts calls.
// This copy of the headers has a registry of its own, which no other shared object finds.
#ifndef MPIT_OWN_REGISTRY
#define MPIT_OWN_REGISTRY 0
#endif

// 1 in all files of a shared object or a program of which one file includes <mpit/implementation.hpp>: functions that
// every file with variables or events would otherwise contain are then compiled only in that file. A file with one tree
// compiles in a quarter of the time.
#ifndef MPIT_SEPARATE_COMPILATION
#define MPIT_SEPARATE_COMPILATION 0
#endif
// Marks definitions that MPIT_SEPARATE_COMPILATION compiles once, not declarations. For the library's own use.
#if MPIT_SEPARATE_COMPILATION
#define MPIT_INLINE
#else
#define MPIT_INLINE inline
#endif

// Marks entities that two shared objects must never share: caches of the process-wide state, and the functions that
// read them. The dynamic linker may replace a function without this mark by the copy of another shared object, which
// reads the other cache. For the library's own use.
#define MPIT_MODULE_LOCAL [[gnu::visibility("hidden")]]

// The arguments that a consteval constructor of a parameter type refuses. The macro stands between the parameters and
// the member initializers: MPIT_REFUSED(MPIT_IF(condition, words) …) names each error of core/compile_error.hpp with
// the condition on the parameters that reports it. MPIT_REFUSED_NAME(MPIT_NAME_IF(…) …) is the form for names, which
// every variable has. MPIT_REFUSE is the form for a consteval function that returns a `result`.
//
// g++ 12 evaluates a consteval call by itself, and reports the line of the call alone if the result contains the
// address of an immediate function. Later versions evaluate the call as a part of the tree and reject a call that is
// not constant, as clang 14 does. For clang an error is an attribute, which is evaluated at the call of the constructor
// if the condition depends on parameters; MPIT_IF_UNKNOWN(argument) makes clang before 17 enforce consteval inside
// aggregates. Names do without the attribute, which would cost 5 % of the compile time. For the library's own use.
// clang-format off
#if defined(__clang__)
#define MPIT_REFUSED(errors) errors :
#define MPIT_IF(condition, words)                                                                                      \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                              \
        __attribute__((diagnose_if(condition, #words, "error"))) _Pragma("clang diagnostic pop")
// Refuses an argument whose value the compiler does not know. For the library's own use.
#define MPIT_IF_UNKNOWN(argument) MPIT_IF(!__builtin_constant_p(argument), an_argument_is_not_known_to_the_compiler)
#else
#define MPIT_REFUSED(errors) MPIT_REFUSED_NAME(errors)
#define MPIT_IF(condition, words) MPIT_NAME_IF(condition, words)
#define MPIT_IF_UNKNOWN(argument)
#endif
// The errors of a name, as MPIT_REFUSED. For the library's own use.
#define MPIT_REFUSED_NAME(errors) : error::refusable{errors nullptr},
#if defined(__clang__) || __GNUC__ != 12
// One of the errors of a name. For the library's own use.
#define MPIT_NAME_IF(condition, words) (condition) ? (error::words(), nullptr) :
// An error of a consteval function. For the library's own use.
#define MPIT_REFUSE(result, words) error::words()
#else
#define MPIT_NAME_IF(condition, words) (condition) ? &error::refused<&error::words> :
#define MPIT_REFUSE(result, words) return (result).refusal = &error::refused<&error::words>, result
#endif
// clang-format on

// One instruction that reads, adds and writes cannot be interrupted by a signal handler of the same thread, and costs a
// tenth of a locked instruction. ThreadSanitizer needs an atomic operation instead. Define MPIT_THREAD_SANITIZER as 0
// if another tool uses the instrumentation of -fsanitize=thread. For the library's own use.
#if defined(MPIT_THREAD_SANITIZER)
#elif defined(__SANITIZE_THREAD__)
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

// 1 for code that is compiled for a shared object: only a shared object can be unloaded. Programs need no handling of
// unloading, and a static program must not refer to dlopen(). For the library's own use.
#if defined(__PIC__) && !defined(__PIE__)
#define MPIT_CAN_BE_UNLOADED 1
#else
#define MPIT_CAN_BE_UNLOADED 0
#endif
