// SPDX-License-Identifier: BSD-3-Clause
// Every macro of the library, with its default and its purpose. A macro may be defined before the first include of
// mpit, or on the command line; all objects of one shared object should see the same values.
//
//   #define MPIT_SHARD_CELLS 65536
//   #include <mpit/mpit.hpp>
#pragma once

// An error does not end the compilation, an include that fails does: what an older language makes of the rest stays
// unsaid.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "mpit needs C++20: compile this file with -std=c++20, or include mpit in another file that is compiled so"
#include <mpit_needs_-std=c++20>
#endif

// How many counters have a cell of their own in every thread. Counters beyond the number share one atomic cell, which
// loses nothing and is slower. A thread's cells are reserved address space: only the pages that it counts in take
// memory.
#ifndef MPIT_SHARD_CELLS
#define MPIT_SHARD_CELLS 16384
#endif
#if MPIT_SHARD_CELLS < 1
#error "MPIT_SHARD_CELLS is at least 1"
#endif

// MPIT_ATOMIC_HEADER, by default not defined, names a header that takes the place of the atomic operations and fences
// of base/atomic.hpp. The project's own tests explore the interleavings of the protocols so.

// MPIT_THREAD_STORAGE is how a thread finds its cells; concurrency/thread_storage.h has the default, because C needs it
// too. glibc has a small store for "initial-exec", 16 bytes of which each shared object with these headers takes; it
// gets them back only where shared objects are closed in the reverse order of their opening. A library that is opened
// and closed hundreds of times in any order says "global-dynamic" in all its files: counting then costs a call, and the
// first count of a thread allocates, so that it must not be made in a signal handler. With musl "global-dynamic" is the
// default.

// The bytes of a LOGICAL of the Fortran compiler, which the draft of 2011 has as a datatype.
#ifndef MPIT_FORTRAN_LOGICAL_SIZE
#define MPIT_FORTRAN_LOGICAL_SIZE 4
#endif

// The environment variable that names configuration files, parted by colons, from which control variables take values
// when a library that serves tools is loaded. A runtime may give it a name of its own; "" switches it off.
#ifndef MPIT_CONFIGURATION_VARIABLE
#define MPIT_CONFIGURATION_VARIABLE "MPIT_CONFIGURATION"
#endif

// 1 in a tool that is loaded into the programs of others, such as the agents of mpit-info. Such a copy of these headers
// reads the registry that the libraries of the program have made, and changes nothing else: it makes no registry, reads
// no files or the environment, and reports nothing.
#ifndef MPIT_ONLY_LOOKS
#define MPIT_ONLY_LOOKS 0
#endif

// 1 in a shared object whose variables are not those of the program, such as the layer of mpit-info that counts calls.
// Such a copy of these headers has a registry of its own, which no other shared object finds.
#ifndef MPIT_OWN_REGISTRY
#define MPIT_OWN_REGISTRY 0
#endif

// 1 in all files of a shared object or a program that compiles some functions only once, which each of its files with
// variables or events contains otherwise: one of its files includes <mpit/implementation.hpp> as well. A file with one
// tree then compiles in a quarter of the time.
#ifndef MPIT_SEPARATE_COMPILATION
#define MPIT_SEPARATE_COMPILATION 0
#endif
// Marks the definition of such a function. Its declaration, in another header, has no mark. For the library's own use.
#if MPIT_SEPARATE_COMPILATION
#define MPIT_INLINE
#else
#define MPIT_INLINE inline
#endif

// Marks what must never be shared between two shared objects: caches of the process-wide state, and the functions that
// read them. A function that is not marked may be replaced by the copy of another shared object, and read its cache.
// For the library's own use.
#define MPIT_MODULE_LOCAL [[gnu::visibility("hidden")]]

// What a consteval constructor of a parameter type refuses, between its parameters and the initializers of its members:
// MPIT_REFUSED(MPIT_IF(condition, words) …), each error of core/compile_error.hpp with the condition of the parameters
// in which it is reported. MPIT_REFUSED_NAME(MPIT_NAME_IF(…) …) is the form of what each variable has, and MPIT_REFUSE
// that of a consteval function which returns a `result`.
//
// g++ 12 evaluates a consteval call where it stands, and names that line alone for a constant with the address of an
// immediate function. Later ones evaluate it as a part of the tree, and refuse a call that is not constant, and so does
// clang 14. There an error is an attribute, which is evaluated where the constructor is called, if the condition has
// parameters; MPIT_IF_UNKNOWN(argument) is what makes clang before 17 enforce consteval inside of aggregates. For a
// name, of each variable, the attribute would cost a twentieth of a compilation. For the library's own use.
// clang-format off
#if defined(__clang__)
#define MPIT_REFUSED(errors) errors :
#define MPIT_IF(condition, words)                                                                                      \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                              \
        __attribute__((diagnose_if(condition, #words, "error"))) _Pragma("clang diagnostic pop")
// An argument that is not known to the compiler. For the library's own use.
#define MPIT_IF_UNKNOWN(argument) MPIT_IF(!__builtin_constant_p(argument), an_argument_is_not_known_to_the_compiler)
#else
#define MPIT_REFUSED(errors) MPIT_REFUSED_NAME(errors)
#define MPIT_IF(condition, words) MPIT_NAME_IF(condition, words)
#define MPIT_IF_UNKNOWN(argument)
#endif
// The errors of a name. For the library's own use.
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

// One instruction that reads, adds and writes cannot be torn by a signal handler of the same thread, and costs a tenth
// of a locked one. ThreadSanitizer must see an atomic operation instead. Whoever compiles for another reader of that
// instrumentation defines it as 0. For the library's own use.
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

// Only code that is made for a shared object can be unloaded. Programs need no care for it, and static ones do not want
// a reference to dlopen(). For the library's own use.
#if defined(__PIC__) && !defined(__PIE__)
#define MPIT_CAN_BE_UNLOADED 1
#else
#define MPIT_CAN_BE_UNLOADED 0
#endif
