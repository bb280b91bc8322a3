// SPDX-License-Identifier: BSD-3-Clause
// The hints that registrations and callbacks of events accept, between info objects and numbers. An unknown hint or
// value is ignored, as the standard demands of hints (MPI-5.0, 15.3.8 and chapter 10).
//
//   mpit_buffer_depth  how many deferred instances of an event a registration keeps: 1 to 65536; 64 if nothing is said
//   mpit_drop_policy   which instance is lost when it keeps so many: newest, or oldest
//   mpit_sampling      of a callback: it is called for one of so many instances; the others are not losses
#pragma once

#include <mpit/event/subscription.hpp>
#include <mpit/info/text.hpp>

#include <cstdio>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

using internal::drop_policy;

struct registration_hints {
    std::uint64_t depth = 64;
    drop_policy policy = drop_policy::newest;

    static constexpr std::uint64_t greatest_depth = 65536;

    void take(const info& hints) noexcept {
        std::uint64_t wanted = 0;
        if (read_hint(hints, "mpit_buffer_depth", wanted) == info_result::success && wanted > 0 &&
            wanted <= greatest_depth)
            depth = wanted;
        const core::text* named = hints.find("mpit_drop_policy");
        if (named != nullptr && core::equal(*named, "newest")) policy = drop_policy::newest;
        if (named != nullptr && core::equal(*named, "oldest")) policy = drop_policy::oldest;
    }
    // Returns false without memory.
    bool show(info& target) const noexcept;
};

struct callback_hints {
    std::uint64_t one_in = 1;

    void take(const info& hints) noexcept {
        std::uint64_t wanted = 0;
        if (read_hint(hints, "mpit_sampling", wanted) == info_result::success && wanted > 0) one_in = wanted;
    }
    bool show(info& target) const noexcept;
};

namespace MPIT_MODULE_LOCAL detail {
inline bool show_number(info& target, core::text key, std::uint64_t number) noexcept {
    char digits[24];
    const int length = std::snprintf(digits, sizeof digits, "%llu", static_cast<unsigned long long>(number));
    return target.set(key, {digits, static_cast<std::uint32_t>(length)}) == info_result::success;
}
} // namespace detail

inline bool registration_hints::show(info& target) const noexcept {
    return detail::show_number(target, "mpit_buffer_depth", depth) &&
           target.set("mpit_drop_policy", policy == drop_policy::newest ? "newest" : "oldest") == info_result::success;
}
inline bool callback_hints::show(info& target) const noexcept {
    return detail::show_number(target, "mpit_sampling", one_in);
}

} // namespace session
} // namespace mpit
