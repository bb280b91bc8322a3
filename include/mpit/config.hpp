// SPDX-License-Identifier: BSD-3-Clause
// Lists every macro of mpit with the default value and the purpose. Define a macro before the first include of mpit or
// on the compiler's command line. All object files of one shared object need the same values of the macros.
//
//   #define MPIT_SHARD_CELLS 65536
//   #include <mpit/mpit.hpp>
#pragma once

// The #include names a file that does not exist, because a compiler stops at a missing file but continues after #error.
// With a standard before C++20, the compiler therefore reports one clear error and no errors in later lines.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "mpit needs C++20: compile this file with -std=c++20, or include mpit only in files that are compiled with it"
#include <mpit_needs_-std=c++20>
#endif

// MPIT_SHARD_CELLS is the number of counters that have a separate memory cell in every thread. All threads share one
// atomic cell for each additional counter. Shared cells also count exactly, but are slower than separate cells. Each
// thread reserves address space for all its cells, but only the pages of cells that the thread uses occupy memory.
#ifndef MPIT_SHARD_CELLS
#define MPIT_SHARD_CELLS 16384
#endif
#if MPIT_SHARD_CELLS < 1
#error "MPIT_SHARD_CELLS must be at least 1"
#endif

// MPIT_ATOMIC_HEADER, by default not defined, names a header that replaces the atomic operations and fences of
// concurrency/atomic.hpp. The tests of mpit use MPIT_ATOMIC_HEADER to explore the interleavings of lock-free protocols.

// MPIT_THREAD_STORAGE is the TLS model of the pointer through which each thread finds its counter cells. The header
// concurrency/thread_storage.h defines the default, so that C code can use the default, too. The TLS model
// "initial-exec" occupies 16 bytes of glibc's static TLS surplus for each shared object with mpit. glibc reuses the 16
// bytes only if a program closes shared objects in the reverse order of opening. A library that programs open and close
// hundreds of times in any order must therefore be compiled with "global-dynamic". Under "global-dynamic" each count
// costs a function call. Under "global-dynamic" the first count of a thread allocates memory, so it must not happen in
// a signal handler. With musl the default TLS model is "global-dynamic".

// MPIT_PROBES, by default not defined, is 1 in a library whose events and timers are USDT probes for gdb, perf,
// bpftrace and SystemTap. The header core/probe.h describes the names and the values of the probes. C code uses the
// macro, too.

// The size in bytes of Fortran's type LOGICAL, a datatype of the draft of the MPI tool interface of 2011.
#ifndef MPIT_FORTRAN_LOGICAL_SIZE
#define MPIT_FORTRAN_LOGICAL_SIZE 4
#endif

// The environment variable with this name lists configuration files, separated by colons. A library with mpit's MPI_T
// functions reads the files when the library is loaded. An MPI runtime may define another name, or "" to read no files.
#ifndef MPIT_CONFIGURATION_VARIABLE
#define MPIT_CONFIGURATION_VARIABLE "MPIT_CONFIGURATION"
#endif

// MPIT_ONLY_LOOKS is 1 in a tool that is loaded into programs of other authors, such as the agent of mpit-info. If
// MPIT_ONLY_LOOKS is 1, mpit only reads the registry (the list of variables) that the program's libraries have created.
// mpit then creates no registry, reads neither configuration files nor the environment, and reports nothing.
#ifndef MPIT_ONLY_LOOKS
#define MPIT_ONLY_LOOKS 0
#endif

// MPIT_OWN_REGISTRY is 1 in a shared object, such as mpit-info's layer that counts calls, whose variables do not belong
// to the program. With MPIT_OWN_REGISTRY a shared object has its own registry, which no other shared object finds.
#ifndef MPIT_OWN_REGISTRY
#define MPIT_OWN_REGISTRY 0
#endif

// Define MPIT_SEPARATE_COMPILATION as 1 in all files of a shared object or program if one of the files includes
// <mpit/implementation.hpp>. Functions that every file would compile are then compiled only in the file with
// <mpit/implementation.hpp>. MPIT_SEPARATE_COMPILATION reduces the compile time of a file with one tree of variables to
// a quarter.
#ifndef MPIT_SEPARATE_COMPILATION
#define MPIT_SEPARATE_COMPILATION 0
#endif
// MPIT_INLINE stands before functions that MPIT_SEPARATE_COMPILATION compiles only once. For the library's own use.
#if MPIT_SEPARATE_COMPILATION
#define MPIT_INLINE
#else
#define MPIT_INLINE inline
#endif

// MPIT_MODULE_LOCAL marks caches of process-wide state, and functions that read these caches. Each shared object needs
// its own caches and functions. Without MPIT_MODULE_LOCAL, a call could reach the function and the cache of another
// shared object. For the library's own use.
#define MPIT_MODULE_LOCAL [[gnu::visibility("hidden")]]

// MPIT_REFUSED declares which arguments of a consteval constructor are compile errors. MPIT_REFUSED(MPIT_IF(condition,
// words) …) stands between the parameters and the member initializers. If the expression `condition` is true for the
// parameters, the compiler reports the error `words` of core/compile_error.hpp. MPIT_REFUSED_NAME(MPIT_NAME_IF(…) …)
// does the same for errors in the name of a variable.
//
// g++ 12 evaluates each consteval call separately. The macros make a wrong call return the address of an immediate
// function, so that g++ 12 reports an error at the line of the call. Later versions of g++, and clang from version 14,
// evaluate the call as a part of the enclosing constant and reject a call that is not constant. In clang, MPIT_IF is a
// diagnose_if attribute. If the condition depends on parameters, clang evaluates the attribute at the constructor call.
// MPIT_IF_UNKNOWN makes clang before 17 enforce consteval inside aggregates. MPIT_REFUSED_NAME saves 5 % of the compile
// time, because it uses no diagnose_if attribute. For the library's own use.
// clang-format off
#if defined(__clang__)
#define MPIT_REFUSED(errors) errors :
#define MPIT_IF(condition, words)                                                                                      \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                              \
        __attribute__((diagnose_if(condition, #words, "error"))) _Pragma("clang diagnostic pop")
// MPIT_IF_UNKNOWN reports an error if the value of an argument is not known at compile time. For the library's own use.
#define MPIT_IF_UNKNOWN(argument) MPIT_IF(!__builtin_constant_p(argument), an_argument_is_not_known_to_the_compiler)
#else
#define MPIT_REFUSED(errors) MPIT_REFUSED_NAME(errors)
#define MPIT_IF(condition, words) MPIT_NAME_IF(condition, words)
#define MPIT_IF_UNKNOWN(argument)
#endif
// MPIT_REFUSED_NAME reports errors in the name of a variable. For the library's own use.
#define MPIT_REFUSED_NAME(errors) : error::refusable{errors nullptr},
#if defined(__clang__) || __GNUC__ != 12
// MPIT_NAME_IF reports one error in the name of a variable. For the library's own use.
#define MPIT_NAME_IF(condition, words) (condition) ? (error::words(), nullptr) :
// MPIT_REFUSE reports an error in a consteval function that returns a `result`. For the library's own use.
#define MPIT_REFUSE(result, words) error::words()
#else
#define MPIT_NAME_IF(condition, words) (condition) ? &error::refused<&error::words> :
#define MPIT_REFUSE(result, words) return (result).refusal = &error::refused<&error::words>, result
#endif
// clang-format on

// An x86-64 instruction that adds to memory cannot be interrupted by a signal handler, and costs a tenth of a locked
// instruction. ThreadSanitizer cannot see the x86-64 instruction, and needs an atomic operation. Define
// MPIT_THREAD_SANITIZER as 0 if another tool uses the instrumentation of -fsanitize=thread. For the library's own use.
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

// MPIT_CAN_BE_UNLOADED is 1 in code for a shared object, because only a shared object can be unloaded. Code for a
// program contains no call of dlopen(), because the program may be linked statically. For the library's own use.
#if defined(__PIC__) && !defined(__PIE__)
#define MPIT_CAN_BE_UNLOADED 1
#else
#define MPIT_CAN_BE_UNLOADED 0
#endif
