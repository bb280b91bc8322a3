// SPDX-License-Identifier: BSD-3-Clause
// Compares the declaration of a variable with the existing record of the same name. Tools rely on the attributes in the
// record, so a declaration with other attributes cannot use the record (MPI-5.0, 15.3.6 to 15.3.8).
//
//   if (const char* attribute = different_attribute(record, variable)) …   // "scope"
#pragma once

#include <mpit/registry/record.hpp>

#include <cstdio>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Returns true if the record has every item of `view`, with the same name and value, and possibly further items.
inline bool has_items(const enumeration_record& record, const core::enumeration_view& view) noexcept {
    if (record.items == view.items && record.count == view.count) return true;
    for (int i = 0; i < view.count; i++) {
        int position = i < record.count && record.items[i].value == view.items[i].value ? i : 0;
        while (position < record.count && record.items[position].value != view.items[i].value) position++;
        if (position == record.count || !core::equal(record.items[position].name, view.items[i].name)) return false;
    }
    return true;
}
inline bool is_same_enumeration(const enumeration_record* record, const core::enumeration_view& view) noexcept {
    if (record == nullptr || view.count == 0) return record == nullptr && view.count == 0;
    return core::equal(record->name, view.name) && has_items(*record, view);
}

inline constexpr std::size_t longest_element_name = core::longest_name + 16;

// Returns the name of one element of an event's payload. The elements of an array `values` are named values[0],
// values[1] and so on. Names with an index are stored in `buffer`.
inline text element_name(const core::payload_member& member, std::uint32_t element,
                         char (&buffer)[longest_element_name]) noexcept {
    if (!member.is_array) return member.name;
    const int length = std::snprintf(buffer, sizeof buffer, "%.*s[%u]", static_cast<int>(member.name.length),
                                     member.name.characters, element);
    return {buffer, static_cast<std::uint32_t>(length)};
}
// Returns true if an event's enumeration consists of the names of the payload elements in payload order.
[[gnu::cold]] inline bool has_element_names(const enumeration_record* record,
                                            const core::payload_view& payload) noexcept {
    if (record == nullptr) return payload.element_count() == 0;
    if (static_cast<std::uint32_t>(record->count) != payload.element_count()) return false;
    int next = 0;
    char buffer[longest_element_name];
    for (std::uint32_t m = 0; m < payload.count; m++)
        for (std::uint32_t i = 0; i < payload.members[m].count; i++, next++)
            if (record->items[next].value != next ||
                !core::equal(record->items[next].name, element_name(payload.members[m], i, buffer)))
                return false;
    return true;
}

// Returns the standard's term for the first attribute in which the declaration differs from the record, or null.
// event_publisher.hpp compares the elements and the source of an event. Description and verbosity may differ, because
// they do not change what a tool reads or writes.
[[gnu::cold]] inline const char* different_attribute(const variable_record& record,
                                                     const descriptor::variable& variable) noexcept {
    if (record.type != variable.type) return "datatype";
    if (record.count != variable.count) return "number of elements";
    if (record.binding != variable.binding) return "binding";
    if (variable.item_kind != kind::event && !is_same_enumeration(record.enumeration, variable.enumeration))
        return "enumeration";
    if (variable.item_kind == kind::control && record.scope != static_cast<const descriptor::control&>(variable).scope)
        return "scope";
    if (variable.item_kind != kind::performance) return nullptr;
    const auto& performance = static_cast<const descriptor::performance&>(variable);
    return record.readonly != performance.readonly       ? "readonly attribute"
           : record.continuous != performance.continuous ? "continuous attribute"
           : record.atomically != performance.atomic     ? "atomic attribute"
                                                         : nullptr;
}

} // namespace registry
} // namespace mpit
