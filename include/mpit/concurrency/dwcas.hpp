// SPDX-License-Identifier: BSD-3-Clause
// The double-width compare-and-swap (DWCAS) of 16 bytes. concurrency/atomic.hpp defines all other atomic operations.
//
//   while (!detail::dwcas(&pair, low, high, new_low, new_high)) ...   // load again
#pragma once

#include <mpit/config.hpp>

#include <cstdint>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// True if DWCAS is an instruction of the processor. On other processors libatomic acquires a lock for a DWCAS and
// stores the two words one after the other. On these processors only libatomic can load both words consistently.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16)
inline constexpr bool has_dwcas = true;
#else
inline constexpr bool has_dwcas = false;
#endif

// Loads two words consistently on processors without a DWCAS instruction.
inline void load_pair(const void* address, std::uint64_t& low, std::uint64_t& high) noexcept {
    __extension__ using pair_bits [[gnu::may_alias]] = unsigned __int128;
    const pair_bits both = __atomic_load_n(static_cast<const pair_bits*>(address), __ATOMIC_SEQ_CST);
    low = static_cast<std::uint64_t>(both);
    high = static_cast<std::uint64_t>(both >> 64);
}

namespace MPIT_MODULE_LOCAL detail {

// Performs a seq_cst compare-exchange of two words of eight bytes at an address that is a multiple of 16. The words may
// be objects of class atomic. core::dwcas() in concurrency/atomic.hpp calls this function.
inline bool dwcas(void* address, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                  std::uint64_t high) noexcept {
    __extension__ using pair_bits [[gnu::may_alias]] = unsigned __int128;
    auto& both = *static_cast<pair_bits*>(address);
#if defined(__x86_64__)
    bool equal;
    __asm__ __volatile__("lock cmpxchg16b %1"
                         : "=@ccz"(equal), "+m"(both), "+a"(expected_low), "+d"(expected_high)
                         : "b"(low), "c"(high)
                         : "memory");
    return equal;
#elif defined(__aarch64__)
    // This code is assembly, because g++ would compile the builtin to a call of libatomic, which may acquire a lock.
    std::uint64_t old_low, old_high;
    std::uint32_t has_failed;
    __asm__ __volatile__(
        "1: ldaxp %[old_low], %[old_high], %[both]\n"
        "   cmp %[old_low], %[expected_low]\n"
        "   ccmp %[old_high], %[expected_high], #0, eq\n"
        "   b.ne 2f\n"
        "   stlxp %w[has_failed], %[low], %[high], %[both]\n"
        "   cbnz %w[has_failed], 1b\n"
        "   b 3f\n"
        "2: clrex\n"
        "   mov %w[has_failed], #1\n"
        "3:"
        : [old_low] "=&r"(old_low), [old_high] "=&r"(old_high), [has_failed] "=&r"(has_failed), [both] "+Q"(both)
        : [expected_low] "r"(expected_low), [expected_high] "r"(expected_high), [low] "r"(low), [high] "r"(high)
        : "cc", "memory");
    return has_failed == 0;
#else
    pair_bits expected = (pair_bits{expected_high} << 64) | expected_low;
    const pair_bits desired = (pair_bits{high} << 64) | low;
    return __atomic_compare_exchange_n(&both, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}

} // namespace detail

} // namespace core
} // namespace mpit
