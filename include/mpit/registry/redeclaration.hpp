// SPDX-License-Identifier: BSD-3-Clause
// Compares the declaration of a variable with the record of that name. Tools keep what they read of a variable, so that
// a declaration with other attributes cannot use the record (MPI-5.0, 15.3.6 to 15.3.8).
//
//   if (const char* attribute = different_attribute(record, variable)) …   // "scope"
#pragma once

#include <mpit/registry/record.hpp>

#include <cstdio>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Whether each item of an enumeration is known under the same name and value. An enumeration with fewer items is too.
inline bool has_items(const enumeration_record& known, const core::enumeration_view& wanted) noexcept {
    if (known.items == wanted.items && known.count == wanted.count) return true;
    for (int i = 0; i < wanted.count; i++) {
        int position = i < known.count && known.items[i].value == wanted.items[i].value ? i : 0;
        while (position < known.count && known.items[position].value != wanted.items[i].value) position++;
        if (position == known.count || !core::equal(known.items[position].name, wanted.items[i].name)) return false;
    }
    return true;
}
inline bool is_same_enumeration(const enumeration_record* known, const core::enumeration_view& wanted) noexcept {
    if (known == nullptr || wanted.count == 0) return known == nullptr && wanted.count == 0;
    return core::equal(known->name, wanted.name) && has_items(*known, wanted);
}

inline constexpr std::size_t longest_element_name = core::longest_name + 16;

// The name of one element of a payload; those of an array are called values[0] and so on. `room` is used for these.
inline text element_name(const core::payload_member& member, std::uint32_t element,
                         char (&room)[longest_element_name]) noexcept {
    if (!member.is_array) return member.name;
    const int length = std::snprintf(room, sizeof room, "%.*s[%u]", static_cast<int>(member.name.length),
                                     member.name.characters, element);
    return {room, static_cast<std::uint32_t>(length)};
}
// Whether the items of an event's enumeration are the names of its elements, in their order.
[[gnu::cold]] inline bool has_element_names(const enumeration_record* known,
                                            const core::payload_view& payload) noexcept {
    if (known == nullptr) return payload.element_count() == 0;
    if (static_cast<std::uint32_t>(known->count) != payload.element_count()) return false;
    int next = 0;
    char room[longest_element_name];
    for (std::uint32_t m = 0; m < payload.count; m++)
        for (std::uint32_t i = 0; i < payload.members[m].count; i++, next++)
            if (known->items[next].value != next ||
                !core::equal(known->items[next].name, element_name(payload.members[m], i, room)))
                return false;
    return true;
}

// The attribute that differs, in the standard's words; null if none does. Elements and sources of events are left out.
// Description and verbosity do not count: no answer of a handle depends on them.
[[gnu::cold]] inline const char* different_attribute(const variable_record& known,
                                                     const descriptor::variable& wanted) noexcept {
    if (known.type != wanted.type) return "datatype";
    if (known.count != wanted.count) return "number of elements";
    if (known.binding != wanted.binding) return "binding";
    if (wanted.item_kind != kind::event && !is_same_enumeration(known.enumeration, wanted.enumeration))
        return "enumeration";
    if (wanted.item_kind == kind::control && known.scope != static_cast<const descriptor::control&>(wanted).scope)
        return "scope";
    if (wanted.item_kind != kind::performance) return nullptr;
    const auto& performance = static_cast<const descriptor::performance&>(wanted);
    return known.readonly != performance.readonly       ? "readonly attribute"
           : known.continuous != performance.continuous ? "continuous attribute"
           : known.atomically != performance.atomic     ? "atomic attribute"
                                                        : nullptr;
}

} // namespace registry
} // namespace mpit
