// SPDX-License-Identifier: BSD-3-Clause
// Atomic objects over the compiler's builtins. <atomic> would double the cost of an author's include; the layout of
// these is the same for g++ and clang, which share them across shared objects.
//
//   mpit::core::atomic<int> n{0};  n.store(1, mpit::core::release);
#pragma once

#include <mpit/concurrency/double_exchange.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

inline constexpr int relaxed = __ATOMIC_RELAXED;
inline constexpr int acquire = __ATOMIC_ACQUIRE;
inline constexpr int release = __ATOMIC_RELEASE;
inline constexpr int sequential = __ATOMIC_SEQ_CST;

// For a thread that looks again in a moment, some 10 to 50 ns later.
inline void relax_processor() noexcept {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ __volatile__("isb" ::: "memory");
#elif defined __powerpc64__
    __asm__ __volatile__("or 27,27,27" ::: "memory");
#elif defined __riscv
    // The instruction `pause`, which older processors execute as a fence of nothing.
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

// An object of at most eight bytes that several threads use at once.
template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    // For an object that is not shared yet.
    constexpr void begin_with(T value) noexcept { value_ = value; }

    T load(int order = acquire) const noexcept {
        T value;
        __atomic_load(&value_, &value, order);
        return value;
    }
    // Compares with the value by a load that acquires, in one instruction. Of 1, 4 or 8 bytes; the comparison is
    // unsigned.
    [[gnu::always_inline]] bool has(T value) const noexcept {
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
    [[gnu::always_inline]] bool exceeds(T value) const noexcept {
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
    T exchange(T value, int order = sequential) noexcept {
        T old;
        __atomic_exchange(&value_, &value, &old, order);
        return old;
    }
    // On failure `expected` becomes the present value, and a sequential operation is a sequential load.
    bool compare_exchange(T& expected, T desired, int order = sequential) noexcept {
        return __atomic_compare_exchange(&value_, &expected, &desired, false, order, relaxed_on_failure(order));
    }
    // As above, for callers that do not need the present value.
    bool replace(T expected, T desired) noexcept { return compare_exchange(expected, desired); }
    T fetch_add(T n, int order = sequential) noexcept { return __atomic_fetch_add(&value_, n, order); }

    // For a word that only this thread writes: a signal handler that interrupts the addition loses nothing, and costs
    // nothing.
    void add_as_owner(T n, [[maybe_unused]] int order = relaxed) noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        __asm__("addq %1, %0" : "+m"(value_) : "er"(n) : "cc");
#else
        fetch_add(n, order);
#endif
    }
    // The same for any other change: true if no other change intervened.
    bool replace_as_owner(T expected, T desired) noexcept {
#if MPIT_ADDS_IN_ONE_INSTRUCTION
        bool equal;
        __asm__("cmpxchgq %3, %1" : "=@ccz"(equal), "+m"(value_), "+a"(expected) : "r"(desired) : "memory");
        return equal;
#else
        return replace(expected, desired);
#endif
    }

private:
    static constexpr int relaxed_on_failure(int order) {
        return order == sequential ? sequential : order == release ? relaxed : acquire;
    }

    alignas(sizeof(T)) T value_{};
};

// Orders everything before it before everything after it. ThreadSanitizer knows no fences.
inline void whole_fence() noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(sequential);
#endif
}

inline bool replace_both(void* address, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                         std::uint64_t high) noexcept {
    return exchange_both(address, expected_low, expected_high, low, high);
}

} // namespace core
} // namespace mpit
#endif
