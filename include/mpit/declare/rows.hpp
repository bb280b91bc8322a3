// SPDX-License-Identifier: BSD-3-Clause
// The common part of all rows of C tables, such as types, alignment, enumerations, and reports about rows that cannot
// be added. Any thread may send a report, outside of signal handlers. The first check of a row writes no error message.
// If the row has a defect, a second check writes the message.
//
//   if (row.count > 1) return refuse(reason, ".count is %u, expected 1 for a cell", row.count);
#pragma once

#include <mpit/declare/control.h>
#include <mpit/dynamic.hpp> // IWYU pragma: keep

#include <cstdarg>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL declare {

using descriptor::object_key;
using registry::message;

// The codec of an mpit_type, and whether the type is a plain number, as opposed to a bool, an enumeration or a text.
// Only a plain number can have a range or a count. Only plain numbers and characters can be elements of events.
struct row_type {
    // codec.stored_size is 0 for MPIT_TYPE_TEXT, for MPIT_TYPE_CHAR, and for an unknown type.
    descriptor::number_codec codec;
    bool is_number = false;
    std::uint64_t lowest = 0, highest = 0;

    constexpr row_type() noexcept {}
    constexpr row_type(const descriptor::number_codec& type_codec, bool is_plain) noexcept
        : codec{type_codec},
          is_number{is_plain},
          lowest{descriptor::lowest_of(type_codec)},
          highest{descriptor::highest_of(type_codec)} {}
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

// Returns false. Appends the defect of a row to the message `reason`, unless `reason` is null.
[[gnu::format(printf, 2, 3), gnu::cold]] inline bool refuse(message* reason, const char* format, ...) noexcept {
    if (reason == nullptr) return false;
    std::va_list arguments;
    va_start(arguments, format);
    reason->append_with(format, arguments);
    va_end(arguments);
    return false;
}
// Returns false if `address` is misaligned, because some processors cannot access a misaligned word atomically.
inline bool is_aligned(message* reason, const char* member, const void* address, std::size_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0 ||
           refuse(reason, "%s is at a misaligned address, expected a multiple of %zu", member, alignment);
}
inline bool is_verbosity(message* reason, mpit_verbosity verbosity) noexcept {
    return static_cast<unsigned>(verbosity) <= MPIT_DEVELOPER_ALL ||
           refuse(reason, ".verbosity is %d, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
                  static_cast<int>(verbosity));
}
// Returns false if `bind` is not a kind of MPI object, or if `handle_size` is neither 4 nor 8.
inline bool is_binding(message* reason, mpit_bind bind, std::size_t handle_size) noexcept {
    const bool is_kind = static_cast<unsigned>(bind) <= MPIT_BIND_SESSION && bind != MPIT_BIND_NO_OBJECT;
    if (!is_kind)
        return refuse(reason, ".bind is %d, expected MPIT_BIND_COMM to MPIT_BIND_SESSION", static_cast<int>(bind));
    return handle_size == 4 || handle_size == 8 || refuse(reason, ".handle_size is %zu, expected 4 or 8", handle_size);
}

static_assert(sizeof(mpit_item) == sizeof(enumerator<int>) &&
                  offsetof(mpit_item, value) == offsetof(enumerator<int>, value) &&
                  offsetof(mpit_item, also) == offsetof(enumerator<int>, also),
              "mpit_item must have the layout of enumerator<int>");
// Sets `items` to the items of an enumeration. Returns false if the enumeration is null or has no items.
inline bool find_items(message* reason, const mpit_enumeration* enumeration, dynamic_items& items) noexcept {
    if (enumeration == nullptr)
        return refuse(reason, ".enumeration is NULL, expected the address of an mpit_enumeration");
    int count = 0;
    while (enumeration->items != nullptr && enumeration->items[count].name != nullptr) count++;
    items = {enumeration->name, reinterpret_cast<const enumerator<int>*>(enumeration->items), count};
    return count != 0 || refuse(reason, ".enumeration has no items, expected at least one");
}

// Checks the names and the values of an enumeration, and appends the first defect. Returns false if there is no defect.
[[gnu::cold]] inline bool append_defect_of_items(message& reason, const mpit_enumeration* enumeration) noexcept {
    if (internal::text_of(enumeration->name).length == 0) return reason.append(".enumeration has no .name"), true;
    for (const mpit_item* item = enumeration->items; item->name != nullptr; item++) {
        if (*item->name == '\0') return reason.append("an item of .enumeration has an empty .name"), true;
        for (const mpit_item* other = enumeration->items; other != item; other++) {
            const bool is_same_name = std::strcmp(other->name, item->name) == 0;
            if (!is_same_name && other->value != item->value) continue;
            reason.append("two items of .enumeration have the same %s: ", is_same_name ? "name" : "value");
            reason.append_escaped(is_same_name ? core::text{item->name} : core::text{other->name}, 60);
            if (is_same_name) return true;
            reason.append(" and ");
            reason.append_escaped(item->name, 60);
            return true;
        }
    }
    return false;
}
[[gnu::cold]] inline bool append_defect_of_name(message& reason, const char* member, core::text name) noexcept {
    const bool is_long = name.length > core::longest_name;
    if (core::is_possible_name(name)) return false;
    reason.append("%s %s, expected 1 to 255 printable ASCII characters without blanks", member,
                  name.length == 0 ? "is empty"
                  : is_long        ? "is too long"
                                   : "has a wrong character");
    return true;
}
// This function has no table of texts, because the loader would relocate each address of the table in every process.
[[gnu::cold]] inline const char* to_string(descriptor::list_defect defect) noexcept {
    return defect == descriptor::list_defect::is_empty      ? "an empty name"
           : defect == descriptor::list_defect::is_too_long ? "a name of more than 255 characters"
           : defect == descriptor::list_defect::has_two_stars
               ? "a name with two stars"
               : "a name with a blank, an = or a character that is not printable";
}
// Appends the defect of a row whose .name, .renamed_from or .environment is invalid.
template <class Row> [[gnu::cold]] void append_name_defect(message& reason, const Row& row) noexcept {
    if (append_defect_of_name(reason, ".name", row.name)) return;
    if constexpr (requires { row.renamed_from; }) {
        const core::text names = internal::text_of(row.environment);
        const auto defect =
            names.length == 0 ? descriptor::list_defect::none : descriptor::defect_of_names(names, false);
        if (defect != descriptor::list_defect::none)
            return reason.append(".environment has %s, expected names separated by commas, with at most one * each",
                                 to_string(defect));
        const core::text former = internal::text_of(row.renamed_from);
        if (former.length != 0 && append_defect_of_name(reason, ".renamed_from", former)) return;
        if (core::equal(former, row.name))
            return reason.append(".renamed_from is the same as .name, expected the former name");
    }
    reason.append("its name is not accepted");
}

// Sends a report to the report handler of the process, or to standard error if the process has no handler.
inline void send(const registry::message& report) noexcept {
    const registry::process_registry* const process = registry::cached_registry.load();
    registry::report_list reports;
    reports.add(report);
    reports.send(process == nullptr ? nullptr : process->reports_to.load());
}

} // namespace declare
} // namespace mpit
