// SPDX-License-Identifier: BSD-3-Clause
// Atomic objects over the compiler's builtins. <atomic> would double the cost of an author's include; the layout of
// these is equal for g++ and clang, whose shared objects share them in one process.
//
//   mpit::core::atomic<int> n{0};  n.store(1, mpit::core::release);
#pragma once

#include <mpit/concurrency/dwcas.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The memory orders of C++20.
inline constexpr int relaxed = __ATOMIC_RELAXED;
inline constexpr int acquire = __ATOMIC_ACQUIRE;
inline constexpr int release = __ATOMIC_RELEASE;
inline constexpr int seq_cst = __ATOMIC_SEQ_CST;

// The processor's hint for spin loops: waits for some 10 to 50 ns.
inline void spin_pause() noexcept {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ __volatile__("isb" ::: "memory");
#elif defined __powerpc64__
    __asm__ __volatile__("or 27,27,27" ::: "memory");
#elif defined __riscv
    // The instruction `pause`, which is a fence without effect on processors that do not have it.
    __asm__ __volatile__(".word 0x0100000f" ::: "memory");
#else
    __asm__ __volatile__("" ::: "memory");
#endif
}

} // namespace core
} // namespace mpit

#ifdef MPIT_ATOMIC_HEADER
#include MPIT_ATOMIC_HEADER
#else
namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// An object of at most eight bytes that several threads use at once. Loads acquire and stores release by default.
template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    // Initializes an object that is not shared yet, by a plain store.
    constexpr void initialize(T value) noexcept { value_ = value; }

    T load(int order = acquire) const noexcept {
        T value;
        __atomic_load(&value_, &value, order);
        return value;
    }
    // load() == value, with acquire, in one instruction of x86-64. For objects of 1, 4 or 8 bytes.
    [[gnu::always_inline]] bool load_equals(T value) const noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        bool equal;
        if constexpr (sizeof(T) == 1)
            __asm__ __volatile__("cmpb %2, %1" : "=@ccz"(equal) : "m"(value_), "qi"(value) : "memory");
        else if constexpr (sizeof(T) == 4)
            __asm__ __volatile__("cmpl %2, %1" : "=@ccz"(equal) : "m"(value_), "ri"(value) : "memory");
        else __asm__ __volatile__("cmpq %2, %1" : "=@ccz"(equal) : "m"(value_), "re"(value) : "memory");
        return equal;
#else
        return load() == value;
#endif
    }
    // load() > value, with acquire, in one instruction of x86-64. For unsigned objects of 4 bytes.
    [[gnu::always_inline]] bool load_exceeds(T value) const noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        bool larger;
        static_assert(sizeof(T) == 4);
        __asm__ __volatile__("cmpl %2, %1" : "=@cca"(larger) : "m"(value_), "ri"(value) : "memory");
        return larger;
#else
        return load() > value;
#endif
    }
    void store(T value, int order = release) noexcept { __atomic_store(&value_, &value, order); }
    T exchange(T value, int order = seq_cst) noexcept {
        T previous;
        __atomic_exchange(&value_, &value, &previous, order);
        return previous;
    }
    // On failure `expected` becomes the current value, and a seq_cst operation is a seq_cst load.
    bool compare_exchange(T& expected, T desired, int order = seq_cst) noexcept {
        return __atomic_compare_exchange(&value_, &expected, &desired, false, order, order_of_failure(order));
    }
    // The seq_cst compare_exchange() for callers that do not need the current value.
    bool compare_and_set(T expected, T desired) noexcept { return compare_exchange(expected, desired); }
    T fetch_add(T n, int order = seq_cst) noexcept { return __atomic_fetch_add(&value_, n, order); }

    // Adds to a word that only this thread and its signal handlers write: one instruction without a lock prefix, which
    // a signal handler cannot interrupt between its load and its store. On other processors an atomic addition in
    // `order`.
    void add_as_owner(T n, [[maybe_unused]] int order = relaxed) noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        __asm__("addq %1, %0" : "+m"(value_) : "er"(n) : "cc");
#else
        fetch_add(n, order);
#endif
    }
    // compare_and_set() for a word that only this thread and its signal handlers write, without a lock prefix if
    // possible.
    bool compare_and_set_as_owner(T expected, T desired) noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        bool equal;
        __asm__("cmpxchgq %3, %1" : "=@ccz"(equal), "+m"(value_), "+a"(expected) : "r"(desired) : "memory");
        return equal;
#else
        return compare_and_set(expected, desired);
#endif
    }

private:
    static constexpr int order_of_failure(int order) {
        return order == seq_cst ? seq_cst : order == release ? relaxed : acquire;
    }

    alignas(sizeof(T)) T value_{};
};

// A seq_cst fence. Does nothing under ThreadSanitizer, which does not support fences.
inline void seq_cst_fence() noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(seq_cst);
#endif
}

// The double-width compare-and-swap, as an operation that MPIT_ATOMIC_HEADER replaces.
inline bool dwcas(void* address, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                  std::uint64_t high) noexcept {
    return detail::dwcas(address, expected_low, expected_high, low, high);
}

// A fence between accesses to a payload that is not atomic and to the word that guards it (Boehm, "Can seqlocks get along
// with programming language memory models?", MSPC 2012). No instruction on x86. ThreadSanitizer does not support fences.
inline void payload_fence([[maybe_unused]] int order) noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(order);
#endif
}

} // namespace core
} // namespace mpit
#endif
