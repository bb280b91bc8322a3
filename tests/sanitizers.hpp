// Which sanitizer a test is compiled with: g++ tells it by a macro, clang by a feature. A sanitizer has an allocator,
// locks and system calls of its own, and takes a multiple of the time.
//     if (is_sanitized) return;     #if MPIT_ADDRESS_SANITIZER
#pragma once

#include <mpit/config.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define MPIT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MPIT_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef MPIT_ADDRESS_SANITIZER
#define MPIT_ADDRESS_SANITIZER 0
#endif

inline constexpr bool is_sanitized = MPIT_ADDRESS_SANITIZER || MPIT_THREAD_SANITIZER;
