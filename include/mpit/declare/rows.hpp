// SPDX-License-Identifier: BSD-3-Clause
// What the rows of all tables of C share: the types of values, storage that is aligned, the items of an enumeration,
// the reason why a row is refused, and a report, which is sent at once. Any thread may send one; it is not
// async-signal-safe. A row is described without a `reason` first, and once more with one if it is refused.
//
//   if (row.count > 1) return refuse(reason, ".count is %u, and a cell has one value", row.count);
#pragma once

#include <mpit/declare/control.h>
#include <mpit/dynamic.hpp>

#include <cstdarg>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using descriptor::object_key;
using registry::message;

// How values of a type are stored, and whether they are plain numbers, which can be several, have a range, and be
// elements of events.
struct row_type {
    // Its stored_size is 0 for a text, for a character of an element, and for an unknown type.
    descriptor::number_codec codec;
    bool is_number = false;
    std::uint64_t lowest = 0, highest = 0;

    constexpr row_type() noexcept {}
    constexpr row_type(const descriptor::number_codec& stored, bool number) noexcept
        : codec{stored},
          is_number{number},
          lowest{descriptor::lowest_of(stored)},
          highest{descriptor::highest_of(stored)} {}
};
struct row_types {
    row_type types[MPIT_TYPE_CHAR + 1];

    constexpr row_types() noexcept {
        using descriptor::codec_of;
        types[MPIT_TYPE_INT] = {codec_of<int>(), true};
        types[MPIT_TYPE_UNSIGNED] = {codec_of<unsigned>(), true};
        types[MPIT_TYPE_LONG] = {codec_of<long>(), true};
        types[MPIT_TYPE_UNSIGNED_LONG] = {codec_of<unsigned long>(), true};
        types[MPIT_TYPE_LONG_LONG] = {codec_of<long long>(), true};
        types[MPIT_TYPE_UNSIGNED_LONG_LONG] = {codec_of<unsigned long long>(), true};
        types[MPIT_TYPE_DOUBLE] = {codec_of<double>(), true};
        types[MPIT_TYPE_BOOL] = {codec_of<bool>(), false};
        types[MPIT_TYPE_SWITCH] = {codec_of<bool, int>(), false};
        types[MPIT_TYPE_CHOICE] = {codec_of<int>(), false};
    }
};
inline constexpr row_types all_row_types;
inline const row_type& type_of_row(mpit_type type) noexcept {
    return all_row_types.types[static_cast<unsigned>(type) <= MPIT_TYPE_CHAR ? type : MPIT_TYPE_NONE];
}

// Appends the reason why a row is refused, if there is a message for it. Returns false.
[[gnu::format(printf, 2, 3), gnu::cold]] inline bool refuse(message* reason, const char* format, ...) noexcept {
    if (reason == nullptr) return false;
    std::va_list arguments;
    va_start(arguments, format);
    reason->append_with(format, arguments);
    va_end(arguments);
    return false;
}
// Whether `address`, of storage or of a cell, is aligned. What is misaligned has no atomic access on each processor.
inline bool is_aligned(message* reason, const char* member, const void* address, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0 ||
           refuse(reason, "%s is at an address that is no multiple of %zu", member, alignment);
}
inline bool is_verbosity(message* reason, mpit_verbosity verbosity) noexcept {
    return static_cast<unsigned>(verbosity) <= MPIT_DEVELOPER_ALL ||
           refuse(reason, ".verbosity is %d, none of MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
                  static_cast<int>(verbosity));
}
// Of a value in objects.
inline bool is_binding(message* reason, mpit_bind bind, std::size_t handle_size) noexcept {
    const bool is_kind = static_cast<unsigned>(bind) <= MPIT_BIND_SESSION && bind != MPIT_BIND_NO_OBJECT;
    if (!is_kind)
        return refuse(reason, ".bind is %d, none of MPIT_BIND_COMM to MPIT_BIND_SESSION", static_cast<int>(bind));
    return handle_size == 4 || handle_size == 8 ||
           refuse(reason, ".handle_size is %zu, and handles have 4 or 8 bytes", handle_size);
}

static_assert(sizeof(mpit_item) == sizeof(enumerator<int>) &&
                  offsetof(mpit_item, value) == offsetof(enumerator<int>, value) &&
                  offsetof(mpit_item, also) == offsetof(enumerator<int>, also),
              "the items of C are those of C++");
// Returns false for an enumeration without items.
inline bool find_items(message* reason, const mpit_enumeration* from, dynamic_items& items) noexcept {
    if (from == nullptr) return refuse(reason, ".enumeration is NULL");
    int count = 0;
    while (from->items != nullptr && from->items[count].name != nullptr) count++;
    items = {from->name, reinterpret_cast<const enumerator<int>*>(from->items), count};
    return count != 0 || refuse(reason, ".enumeration has no items");
}

// Why items that find_items() returns are no enumeration. Returns whether there is a reason.
[[gnu::cold]] inline bool append_defect_of_items(message& said, const mpit_enumeration* from) noexcept {
    if (internal::text_of(from->name).length == 0) return said.append(".enumeration has no name"), true;
    for (const mpit_item* each = from->items; each->name != nullptr; each++) {
        if (*each->name == '\0') return said.append("an item of .enumeration has an empty name"), true;
        for (const mpit_item* other = from->items; other != each; other++) {
            const bool is_same_name = std::strcmp(other->name, each->name) == 0;
            if (!is_same_name && other->value != each->value) continue;
            said.append("two items of .enumeration %s: ", is_same_name ? "have one name" : "have one value");
            said.append_escaped(is_same_name ? core::text{each->name} : core::text{other->name}, 60);
            if (is_same_name) return true;
            said.append(" and ");
            said.append_escaped(each->name, 60);
            return true;
        }
    }
    return false;
}
[[gnu::cold]] inline bool append_defect_of_name(message& said, const char* member, core::text name) noexcept {
    const bool is_long = name.length > core::longest_name;
    if (core::is_possible_name(name)) return false;
    said.append("its %s %s", member,
                name.length == 0 ? "is empty"
                : is_long        ? "is longer than 255 characters"
                                 : "has a blank or another character that tools cannot type");
    return true;
}
// No table of addresses, each of which the loader would relocate in every process.
[[gnu::cold]] inline const char* to_string(descriptor::list_defect defect) noexcept {
    return defect == descriptor::list_defect::is_empty      ? "an empty name"
           : defect == descriptor::list_defect::is_too_long ? "a name of more than 255 characters"
           : defect == descriptor::list_defect::has_two_stars
               ? "a name with two stars"
               : "a name with a character that cannot be in the environment";
}
// For rows whose name, or another one of theirs, cannot be.
template <class Row> [[gnu::cold]] void append_name_defect(message& said, const Row& row) noexcept {
    if (append_defect_of_name(said, ".name", row.name)) return;
    if constexpr (requires { row.renamed_from; }) {
        const core::text names = internal::text_of(row.environment);
        const auto defect =
            names.length == 0 ? descriptor::list_defect::none : descriptor::defect_of_names(names, false);
        if (defect != descriptor::list_defect::none) return said.append("its .environment has %s", to_string(defect));
        const core::text former = internal::text_of(row.renamed_from);
        if (former.length != 0 && append_defect_of_name(said, ".renamed_from", former)) return;
        if (core::equal(former, row.name)) return said.append("its .renamed_from is its .name");
    }
    said.append("its name cannot be");
}

inline void send(const registry::message& said) noexcept {
    const registry::process_registry* const known = registry::known_registry.load();
    registry::report_list reports;
    reports.add(said);
    reports.send(known == nullptr ? nullptr : known->reports_to.load());
}

} // namespace declare
} // namespace mpit
