// SPDX-License-Identifier: BSD-3-Clause
// Lists every macro of mpit with the default value and the purpose. Define a macro before the first include of mpit or
// on the command line. All object files of one shared object need the same value of the macro.
//
//   #define MPIT_SHARD_CELLS 65536
//   #include <mpit/mpit.hpp>
#pragma once

// A compiler continues after #error, but stops at an include of a missing file. The missing file suppresses the errors
// that an older language standard than C++20 would cause in all later lines.
#if defined(__cplusplus) && __cplusplus < 202002L
#error "mpit needs C++20: compile this file with -std=c++20, or include mpit only in files that are compiled with it"
#include <mpit_needs_-std=c++20>
#endif

// The number of counters that have a separate cell in every thread. Each further counter has one atomic cell for all
// threads, which is exact but slower than a cell in every thread. The cells of a thread are reserved address space, in
// which only the pages that the thread uses occupy memory.
#ifndef MPIT_SHARD_CELLS
#define MPIT_SHARD_CELLS 16384
#endif
#if MPIT_SHARD_CELLS < 1
#error "MPIT_SHARD_CELLS must be at least 1"
#endif

// MPIT_ATOMIC_HEADER, by default not defined, names a header that replaces the atomic operations and fences of
// concurrency/atomic.hpp. The tests of mpit define the macro to explore the interleavings of the lock-free protocols.

// MPIT_THREAD_STORAGE is the TLS model of the pointer by which a thread finds the thread's counter cells. The default
// is in concurrency/thread_storage.h, because C code needs the default, too. The TLS model "initial-exec" occupies 16
// bytes of glibc's static TLS surplus for each shared object with mpit. glibc reuses the 16 bytes only if shared
// objects are closed in the reverse order of opening. A library that is opened and closed hundreds of times in any
// order needs "global-dynamic" in all files. Under "global-dynamic" counting costs a call, and a signal handler must
// not make the first count of a thread, because the first count allocates memory. With musl "global-dynamic" is the
// default.

// The size in bytes of the Fortran type LOGICAL, which is a datatype in the MPI tool interface draft of 2011.
#ifndef MPIT_FORTRAN_LOGICAL_SIZE
#define MPIT_FORTRAN_LOGICAL_SIZE 4
#endif

// The name of an environment variable that lists configuration files, separated by colons. A library with MPI_T
// functions reads the files when the library is loaded. An MPI runtime may define another name, and "" disables the
// files.
#ifndef MPIT_CONFIGURATION_VARIABLE
#define MPIT_CONFIGURATION_VARIABLE "MPIT_CONFIGURATION"
#endif

// MPIT_ONLY_LOOKS is 1 in a tool that is loaded into programs of other authors, such as an agent of mpit-info. mpit
// then only reads the registry that the libraries of the program have created. mpit creates no registry in the tool,
// reads neither configuration files nor the environment, and reports nothing.
#ifndef MPIT_ONLY_LOOKS
#define MPIT_ONLY_LOOKS 0
#endif

// MPIT_OWN_REGISTRY is 1 in a shared object whose variables do not belong to the program, such as the layer of
// mpit-info that counts calls. Such a shared object has a private registry, which no other shared object finds.
#ifndef MPIT_OWN_REGISTRY
#define MPIT_OWN_REGISTRY 0
#endif

// MPIT_SEPARATE_COMPILATION is 1 in all files of a shared object or program in which one file includes
// <mpit/implementation.hpp>. Functions that every file with variables or events would contain are compiled only in that
// file. A file with one tree of variables then compiles in a quarter of the time.
#ifndef MPIT_SEPARATE_COMPILATION
#define MPIT_SEPARATE_COMPILATION 0
#endif
// MPIT_INLINE precedes function definitions that MPIT_SEPARATE_COMPILATION compiles once. For the library's own use.
#if MPIT_SEPARATE_COMPILATION
#define MPIT_INLINE
#else
#define MPIT_INLINE inline
#endif

// Marks entities that two shared objects must never share, which are caches of process-wide state and functions that
// read the caches. The dynamic linker could replace an unmarked function by the function of another shared object,
// which would read the cache of the other shared object. For the library's own use.
#define MPIT_MODULE_LOCAL [[gnu::visibility("hidden")]]

// Declares which arguments of a consteval constructor are compile errors. MPIT_REFUSED(MPIT_IF(condition, words) …) is
// written between the parameters and the member initializers. If the condition on the parameters is true, the error
// `words` of core/compile_error.hpp is reported. MPIT_REFUSED_NAME(MPIT_NAME_IF(…) …) is the form for names, which
// every variable has. MPIT_REFUSE is the form for a consteval function that returns a `result`.
//
// g++ 12 evaluates a consteval call separately, and reports only the line of the call if the result contains the
// address of an immediate function. Later versions of g++, and clang from version 14, evaluate the call as a part of
// the enclosing constant and reject a call that is not constant. For clang an error is a diagnose_if attribute, which
// clang evaluates at the constructor call if the condition depends on parameters. MPIT_IF_UNKNOWN(argument) makes clang
// before 17 enforce consteval inside aggregates. MPIT_REFUSED_NAME uses no attribute, to save 5 % of the compile time.
// For the library's own use.
// clang-format off
#if defined(__clang__)
#define MPIT_REFUSED(errors) errors :
#define MPIT_IF(condition, words)                                                                                      \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"")                              \
        __attribute__((diagnose_if(condition, #words, "error"))) _Pragma("clang diagnostic pop")
// Reports an error if the value of an argument is unknown to the compiler. For the library's own use.
#define MPIT_IF_UNKNOWN(argument) MPIT_IF(!__builtin_constant_p(argument), an_argument_is_not_known_to_the_compiler)
#else
#define MPIT_REFUSED(errors) MPIT_REFUSED_NAME(errors)
#define MPIT_IF(condition, words) MPIT_NAME_IF(condition, words)
#define MPIT_IF_UNKNOWN(argument)
#endif
// Reports the errors of a name, as MPIT_REFUSED does for other arguments. For the library's own use.
#define MPIT_REFUSED_NAME(errors) : error::refusable{errors nullptr},
#if defined(__clang__) || __GNUC__ != 12
// Reports one error of a name. For the library's own use.
#define MPIT_NAME_IF(condition, words) (condition) ? (error::words(), nullptr) :
// Reports an error in a consteval function. For the library's own use.
#define MPIT_REFUSE(result, words) error::words()
#else
#define MPIT_NAME_IF(condition, words) (condition) ? &error::refused<&error::words> :
#define MPIT_REFUSE(result, words) return (result).refusal = &error::refused<&error::words>, result
#endif
// clang-format on

// An x86-64 add instruction to memory cannot be interrupted by a signal handler of the same thread, and costs a tenth
// of a locked instruction. ThreadSanitizer needs an atomic operation instead of the add instruction. Define
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

// MPIT_CAN_BE_UNLOADED is 1 in code for a shared object, because only a shared object can be unloaded. A program does
// not handle unloading, and a static program must not refer to dlopen(). For the library's own use.
#if defined(__PIC__) && !defined(__PIE__)
#define MPIT_CAN_BE_UNLOADED 1
#else
#define MPIT_CAN_BE_UNLOADED 0
#endif
