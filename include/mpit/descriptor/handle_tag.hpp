// SPDX-License-Identifier: BSD-3-Clause
// The tag of each kind of handle, which is the highest byte of the handle. An MPI_T function returns an error for a
// handle with the tag of another kind. The highest byte of an address or of a small number is never a tag.
//
//   slot_pool<slot> pool{descriptor::handle_tag::control};
#pragma once

#include <mpit/config.hpp>

#include <cstddef>
#include <cstdint>

namespace mpit::inline v1_0 {
namespace descriptor {

struct handle_tag {
    static constexpr std::uint8_t performance = 0xb1;
    static constexpr std::uint8_t performance_session = 0xb2;
    static constexpr std::uint8_t host_performance = 0xb3;
    static constexpr std::uint8_t control = 0xc1;
    static constexpr std::uint8_t host_control = 0xc2;
    static constexpr std::uint8_t info_object = 0xd1;
    static constexpr std::uint8_t event_registration = 0xd2;
    static constexpr std::uint8_t info_integer = 0xd3;
    static constexpr std::uint8_t host_callback = 0xd4;
    static constexpr std::uint8_t host_registration = 0xd5;
    static constexpr std::uint8_t enumeration = 0xe1;
    static constexpr std::uint8_t draft_datatype = 0xe2;
    static constexpr std::uint8_t host_enumeration = 0xe3;
    static constexpr std::uint8_t event_instance = 0xe7;

    // Returns a word with the tag in the highest byte, for kinds of handles that consist of a tag and a number.
    static constexpr std::uint64_t in_word(std::uint8_t tag) { return std::uint64_t{tag} << 56; }
};

namespace handle_tags {

inline constexpr std::uint8_t all[] = {
    handle_tag::performance,        handle_tag::performance_session,
    handle_tag::host_performance,   handle_tag::control,
    handle_tag::host_control,       handle_tag::info_object,
    handle_tag::event_registration, handle_tag::info_integer,
    handle_tag::host_callback,      handle_tag::host_registration,
    handle_tag::enumeration,        handle_tag::draft_datatype,
    handle_tag::host_enumeration,   handle_tag::event_instance,
};
consteval bool are_distinct() {
    for (std::size_t i = 0; i < sizeof all; i++)
        for (std::size_t j = 0; j < i; j++)
            if (all[i] == all[j]) return false;
    return true;
}
static_assert(are_distinct(), "two kinds of handles have the same tag");

} // namespace handle_tags
} // namespace descriptor
} // namespace mpit
