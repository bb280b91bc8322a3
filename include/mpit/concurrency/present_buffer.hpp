// SPDX-License-Identifier: BSD-3-Clause
// How a writer of a value takes a spare buffer, and makes it the present one. All values of a shared object share these functions.
//
//   const int claimed = claim();  …  select(claimed);
#pragma once

#include <mpit/concurrency/bounded_wait.hpp>
#include <mpit/concurrency/seqlock_value.hpp>

// g++ warns of a function that is not inlined and was declared as inline for the linker; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

inline int present_buffer::claim_at_once() noexcept {
    for (int i = 0; i < spare_count; i++)
        if (taken_[i].load(relaxed) == 0 && taken_[i].replace(0, 1)) return i;
    return -1;
}
[[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL inline int present_buffer::claim_in_turn() noexcept {
    int claimed = -1;
    core::wait_for_turn([&] { return (claimed = claim_at_once()) < 0; }, [&] { return present_.load(relaxed); });
    return claimed;
}
[[gnu::noinline]] MPIT_MODULE_LOCAL MPIT_ONCE int present_buffer::claim() noexcept {
    const int claimed = claim_at_once();
    return claimed >= 0 ? claimed : claim_in_turn();
}

[[gnu::noinline]] MPIT_MODULE_LOCAL MPIT_ONCE void present_buffer::select(int claimed) noexcept {
    std::uint64_t present = present_.load();
    while (!present_.compare_exchange(present, (present & ~index_mask) + (index_mask + 1) + static_cast<std::uint64_t>(claimed))) {}
    if (index_of(present) != initial_buffer) taken_[index_of(present)].store(0);
}

} // namespace core
} // namespace mpit

#pragma GCC diagnostic pop
