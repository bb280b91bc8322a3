// SPDX-License-Identifier: BSD-3-Clause
// Atomic objects over the builtins of the compiler, because including <atomic> would double the compile time of mpit's
// headers. g++ and clang use the same layout, so that libraries of both compilers can access the same atomic object.
//
//   mpit::core::atomic<int> n{0};  n.store(1, mpit::core::release);
#pragma once

#include <mpit/concurrency/dwcas.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The memory orders of C++20, as arguments of the builtins.
inline constexpr int relaxed = __ATOMIC_RELAXED;
inline constexpr int acquire = __ATOMIC_ACQUIRE;
inline constexpr int release = __ATOMIC_RELEASE;
inline constexpr int seq_cst = __ATOMIC_SEQ_CST;

// Executes the processor's instruction for spin loops, which waits for some 10 to 50 ns.
inline void spin_pause() noexcept {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ __volatile__("isb" ::: "memory");
#elif defined __powerpc64__
    __asm__ __volatile__("or 27,27,27" ::: "memory");
#elif defined __riscv
    // 0x0100000f encodes `pause`. A processor without `pause` executes this code as a fence without effect.
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
namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// An atomic object of at most eight bytes. By default a load has acquire order, and a store has release order.
template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    // Initializes an object that no other thread can access yet, by a plain store.
    constexpr void initialize(T value) noexcept { value_ = value; }

    T load(int order = acquire) const noexcept {
        T value;
        __atomic_load(&value_, &value, order);
        return value;
    }
    // Returns load() == value. On x86-64 one instruction loads with acquire order and compares. T has 1, 4 or 8 bytes.
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
    // Returns load() > value, by one instruction on x86-64 as in load_equals(). T is an unsigned type of 4 bytes.
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
    // If the exchange fails, `expected` becomes the current value. A failed seq_cst exchange is a seq_cst load.
    bool compare_exchange(T& expected, T desired, int order = seq_cst) noexcept {
        return __atomic_compare_exchange(&value_, &expected, &desired, false, order, order_of_failure(order));
    }
    // Performs a seq_cst compare_exchange() for a caller that does not need the current value after a failure.
    bool compare_and_set(T expected, T desired) noexcept { return compare_exchange(expected, desired); }
    T fetch_add(T n, int order = seq_cst) noexcept { return __atomic_fetch_add(&value_, n, order); }

    // Adds to a word that only the calling thread and its signal handlers write. On x86-64 the addition is one
    // instruction without a lock prefix, and a signal handler cannot interrupt an instruction between the load and the
    // store. On other processors the function performs an atomic addition with memory order `order`.
    void add_as_owner(T n, [[maybe_unused]] int order = relaxed) noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        __asm__("addq %1, %0" : "+m"(value_) : "er"(n) : "cc");
#else
        fetch_add(n, order);
#endif
    }
    // Performs compare_and_set() on a word that only the calling thread and its signal handlers write. On x86-64 the
    // instruction has no lock prefix, which saves time.
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

// Runs a seq_cst fence. Under ThreadSanitizer, which does not support fences, the function does nothing.
inline void seq_cst_fence() noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(seq_cst);
#endif
}

// Performs a double-width compare-and-swap (DWCAS). A header named by MPIT_ATOMIC_HEADER replaces this function.
inline bool dwcas(void* address, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                  std::uint64_t high) noexcept {
    return detail::dwcas(address, expected_low, expected_high, low, high);
}

// Runs a fence between the accesses to a payload that is not atomic and the accesses to the word that guards the
// payload (Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012). On x86 an acquire or
// release fence costs no instruction. Under ThreadSanitizer, which does not support fences, the function does nothing.
inline void payload_fence([[maybe_unused]] int order) noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(order);
#endif
}

} // namespace core
} // namespace mpit
#endif
