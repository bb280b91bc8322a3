// SPDX-License-Identifier: BSD-3-Clause
// Converts the hints of event registrations and callbacks between info objects and numbers. Unknown hints and unknown
// values are ignored, as the standard requires (MPI-5.0, 15.3.8 and chapter 10).
//
//   mpit_buffer_depth  The number of deferred instances that a registration stores, from 1 to 65536, by default 64.
//   mpit_drop_policy   The instance that is dropped if the buffer is full, either newest (the default) or oldest.
//   mpit_sampling      The number n if a callback gets one of n instances. Skipped instances do not count as dropped.
#pragma once

#include <mpit/event/subscription.hpp>
#include <mpit/info/text.hpp>

#include <cstdio>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

using internal::drop_policy;

struct registration_hints {
    std::uint64_t depth = 64;
    drop_policy policy = drop_policy::newest;

    static constexpr std::uint64_t max_depth = 65536;

    void take(const info& hints) noexcept {
        std::uint64_t number = 0;
        if (read_hint(hints, "mpit_buffer_depth", number) == info_result::success && number > 0 && number <= max_depth)
            depth = number;
        const core::text* name = hints.find("mpit_drop_policy");
        if (name != nullptr && core::equal(*name, "newest")) policy = drop_policy::newest;
        if (name != nullptr && core::equal(*name, "oldest")) policy = drop_policy::oldest;
    }
    // Writes the hints to an info object. Returns false if memory is exhausted.
    bool show(info& target) const noexcept;
};

struct callback_hints {
    std::uint64_t one_in = 1;

    void take(const info& hints) noexcept {
        std::uint64_t number = 0;
        if (read_hint(hints, "mpit_sampling", number) == info_result::success && number > 0) one_in = number;
    }
    bool show(info& target) const noexcept;
};

namespace MPIT_MODULE_LOCAL detail {
inline bool write_number(info& target, core::text key, std::uint64_t number) noexcept {
    char digits[24];
    const int length = std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(number));
    return target.set(key, {digits, static_cast<std::uint32_t>(length)}) == info_result::success;
}
} // namespace detail

inline bool registration_hints::show(info& target) const noexcept {
    return detail::write_number(target, "mpit_buffer_depth", depth) &&
           target.set("mpit_drop_policy", policy == drop_policy::newest ? "newest" : "oldest") == info_result::success;
}
inline bool callback_hints::show(info& target) const noexcept {
    return detail::write_number(target, "mpit_sampling", one_in);
}

} // namespace session
} // namespace mpit
