// Replaces the allocator and the locks of the C library in a program: what a thread calls of them while it is in a
// signal handler is counted. It is for one source file of a program.
#pragma once

#include "next_function.hpp"
#include "sanitizers.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <pthread.h>

#if MPIT_ADDRESS_SANITIZER || MPIT_THREAD_SANITIZER || !defined(__GLIBC__)
#define WATCHES_THE_ALLOCATOR 0
#else
#define WATCHES_THE_ALLOCATOR 1
#endif

inline thread_local volatile std::sig_atomic_t is_in_handler [[gnu::tls_model("initial-exec")]] = 0;
inline std::atomic<int> forbidden_calls{0};

#if WATCHES_THE_ALLOCATOR
static void forbid() noexcept {
    if (is_in_handler) forbidden_calls++;
}
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void __libc_free(void* memory);
void* malloc(std::size_t size) noexcept { return forbid(), __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept { return forbid(), __libc_calloc(count, size); }
void* realloc(void* memory, std::size_t size) noexcept { return forbid(), __libc_realloc(memory, size); }
void free(void* memory) noexcept { forbid(), __libc_free(memory); }
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    static std::atomic<int (*)(pthread_mutex_t*)> known{};
    return forbid(), next_function(known, "pthread_mutex_lock")(mutex);
}
}
#endif
