// SPDX-License-Identifier: BSD-3-Clause
// Why a row of a C table is refused: one sentence for each reason, with the member that it is about. The reason is looked for when a row
// has been refused, so that a row without a mistake costs nothing for it.
//
//   append_name_defect(said, row);   append_defect(said, row, object);   // "LIMIT cannot be added: .size is 4, and …"
#pragma once

#include <mpit/declare/control.h>
#include <mpit/declare/controls.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using registry::message;

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

[[gnu::cold]] inline bool append_defect_of_verbosity(message& said, mpit_verbosity verbosity) noexcept {
    if (static_cast<unsigned>(verbosity) <= MPIT_DEVELOPER_ALL) return false;
    said.append(".verbosity is %d, none of MPIT_USER_BASIC to MPIT_DEVELOPER_ALL", static_cast<int>(verbosity));
    return true;
}
[[gnu::cold]] inline bool append_defect_of_binding(message& said, mpit_bind bind, std::size_t handle_size) noexcept {
    const bool is_kind = static_cast<unsigned>(bind) <= MPIT_BIND_SESSION && bind != MPIT_BIND_NO_OBJECT;
    if (!is_kind) said.append(".bind is %d, none of MPIT_BIND_COMM to MPIT_BIND_SESSION", static_cast<int>(bind));
    else if (handle_size != 4 && handle_size != 8)
        said.append(".handle_size is %zu, and handles have 4 or 8 bytes", handle_size);
    else return false;
    return true;
}
[[gnu::cold]] inline bool append_defect_of_alignment(message& said, const char* member, const void* address, std::size_t size) noexcept {
    if (is_aligned(address, size)) return false;
    return said.append("%s is at an address that is no multiple of %zu", member, size), true;
}
[[gnu::cold]] inline bool is_value_of_item(int value, const mpit_enumeration& from) noexcept {
    for (const mpit_item* item = from.items; item->name != nullptr; item++)
        if (item->value == value) return true;
    return false;
}
[[gnu::cold]] inline bool append_defect_of_items(message& said, const mpit_enumeration* from) noexcept {
    if (from == nullptr) return said.append(".enumeration is NULL"), true;
    if (from->items == nullptr || from->items->name == nullptr) return said.append(".enumeration has no items"), true;
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
[[gnu::cold]] inline bool append_defect_of_range(message& said, const mpit_control& row) noexcept {
    const row_type& type = type_of_row(row.type);
    const bool is_real = type.codec.is_real;
    if (!type.is_number) return false;
    if (is_real ? !(row.real_range.minimum <= row.real_range.maximum) : row.range.minimum > row.range.maximum)
        return said.append("%s has a minimum above its maximum", is_real ? ".real_range" : ".range"), true;
    control_description limited;
    if (apply_range(row, type, limited)) return false;
    return said.append(".range is from %lld to %lld, which .type cannot have", row.range.minimum, row.range.maximum),
           true;
}
// Of a value in objects, or of one that is in none.
[[gnu::cold]] inline bool append_defect_of_objects(message& said, const mpit_control& row) noexcept {
    if (row.object_of == nullptr) {
        if (row.bind != MPIT_BIND_NO_OBJECT) said.append(".bind is set without .object_of");
        else if (row.on_write_in != nullptr) said.append(".on_write_in is set without .object_of");
        else return false;
        return true;
    }
    if (row.type == MPIT_TYPE_TEXT) return said.append(".object_of is set, and a text cannot be in objects"), true;
    if (row.on_write != nullptr)
        return said.append(".on_write is set: of a variable in objects it is .on_write_in"), true;
    if (append_defect_of_binding(said, row.bind, row.handle_size)) return true;
    if (row.count <= 1 || type_of_row(row.type).is_number) return false;
    return said.append(".count is %u, and only numbers can be several", row.count), true;
}

// For a row that was refused because its members do not fit each other; `object` is that of its table.
[[gnu::cold]] inline void append_defect(message& said, const mpit_control& row, const void* object) noexcept {
    const bool is_member = object != nullptr && row.offset != MPIT_NO_MEMBER && row.object_of == nullptr;
    const int places = (row.storage != nullptr || is_member) + (row.read_text != nullptr) + (row.object_of != nullptr);
    if (places == 0)
        return said.append("%s", row.offset == MPIT_NO_MEMBER ? ".read_text is NULL"
                                                              : ".storage is NULL, and so is the object of the table");
    if (places > 1) return said.append("only one of .storage, .read_text and .object_of can be set");
    const std::size_t size = type_of_row(row.type).codec.stored_size;
    if (size == 0 && row.type != MPIT_TYPE_TEXT)
        return said.append(".type is %d, which control variables cannot have", static_cast<int>(row.type));
    if (row.read_text != nullptr && row.type != MPIT_TYPE_TEXT)
        return said.append(".read_text is set, and .type is not MPIT_TYPE_TEXT");
    if (append_defect_of_verbosity(said, row.verbosity) || append_defect_of_objects(said, row)) return;
    if (row.type == MPIT_TYPE_TEXT && (row.size < 2 || row.size > core::largest_text))
        return said.append(".size is %zu, and a text has from 2 bytes to 1 MiB", row.size);
    if (row.type != MPIT_TYPE_TEXT && row.size != size)
        return said.append(".size is %zu, and storage of its .type has %zu bytes", row.size, size);
    const void* const member = is_member ? static_cast<const char*>(object) + row.offset : nullptr;
    const void* const storage = row.storage != nullptr ? row.storage : member;
    if (row.type != MPIT_TYPE_TEXT && append_defect_of_alignment(said, "its storage", storage, size)) return;
    if (row.object_of != nullptr && row.offset % size != 0)
        return said.append(".offset is %zu, which is no multiple of %zu", row.offset, size);
    if (static_cast<unsigned>(row.unit) > MPIT_BYTES)
        return said.append(".unit is %d, neither MPIT_NO_UNIT nor MPIT_BYTES", static_cast<int>(row.unit));
    if (row.type == MPIT_TYPE_CHOICE && append_defect_of_items(said, row.enumeration)) return;
    if (row.type == MPIT_TYPE_CHOICE && storage != nullptr && !is_value_of_item(*static_cast<const int*>(storage), *row.enumeration))
        return said.append("its storage has the value %d, none of the items of .enumeration", *static_cast<const int*>(storage));
    if (append_defect_of_range(said, row)) return;
    if (row.count > internal::described_control::most_numbers)
        return said.append(".count is %u, and at most 512 are possible", row.count);
    if (static_cast<unsigned>(row.scope) > MPIT_ALL_EQUAL)
        return said.append(".scope is %d, none of MPIT_LOCAL to MPIT_ALL_EQUAL", static_cast<int>(row.scope));
    if (row.scope >= MPIT_GROUP && internal::text_of(row.description).length == 0)
        return said.append(".scope is MPIT_GROUP or more, which needs a .description");
    if (row.type == MPIT_TYPE_TEXT && row.any_length && row.on_write == nullptr)
        return said.append(".any_length is set without .on_write, which keeps the longer text");
    if (row.read_text != nullptr && row.on_write == nullptr)
        return said.append(".read_text without .on_write needs .scope = MPIT_READONLY");
    said.append("its members do not fit each other");
}

} // namespace declare
} // namespace mpit
