// SPDX-License-Identifier: BSD-3-Clause
// Converts rows of C tables of control variables to descriptions for mpit::dynamic. Reports why a row cannot be added.
//
//   const result status = declare::add_row(category, row, object);
//   append_defect(reason, row, object);   // appends ".size is 4, expected 8"
#pragma once

#include <mpit/declare/rows.hpp>
#include <mpit/dynamic/describe.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL declare {

using internal::control_description;
using internal::value_functions;

// The argument of a row's function on_write. The argument has the type of the row's storage. If the variable is a bool,
// the int that a tool writes is converted to the type of the storage.
struct stored_value {
    const void* address;
    alignas(8) unsigned char storage[8];

    stored_value(const descriptor::number_codec& codec, const void* value) noexcept : address{value} {
        if (!codec.is_bool) return;
        descriptor::store(codec, storage, descriptor::word_from_buffer(codec, value));
        address = storage;
    }
};
// Calls the function on_write of a row if `notifies` is true. `notifies` is false before the library runs.
inline result call_on_write(descriptor::control& variable, object_key, const void* value, bool notifies) {
    const value_functions& functions = internal::functions_of(variable);
    if (functions.on_write == nullptr) return result::set_never; // a text that has .read_text but no .on_write
    if (!notifies) return result::success;
    const auto on_write = reinterpret_cast<mpit_reply (*)(const void*, void*)>(functions.on_write);
    const stored_value stored{variable.codec, value};
    return internal::result_of(static_cast<mpit::reply>(on_write(stored.address, functions.data)));
}
inline result call_on_write_in(descriptor::control& variable, object_key handle, const void* value, bool) {
    const value_functions& functions = internal::functions_of(variable);
    const auto on_write = reinterpret_cast<mpit_reply (*)(std::uint64_t, const void*, void*)>(functions.on_write);
    const stored_value stored{variable.codec, value};
    return internal::result_of(static_cast<mpit::reply>(on_write(handle, stored.address, functions.data)));
}
inline void* locate_member(const value_functions& functions, object_key handle) {
    const auto object_of = reinterpret_cast<void* (*)(std::uint64_t, void*)>(functions.source);
    void* const object = object_of(handle, functions.data);
    return object == nullptr ? nullptr : static_cast<char*>(object) + functions.offset;
}

inline bool describe_range(const mpit_control& row, const row_type& type, control_description& description,
                           message* reason) noexcept {
    description.minimum = type.lowest;
    description.maximum = type.highest;
    description.has_limits = type.codec.is_real;
    if (!type.is_number) return true;
    if (type.codec.is_real) {
        if (row.real_range.minimum == 0 && row.real_range.maximum == 0) return true;
        description.minimum = core::bits_of(row.real_range.minimum);
        description.maximum = core::bits_of(row.real_range.maximum);
        return true;
    }
    const auto [minimum, maximum] = row.range;
    if (minimum == 0 && maximum == 0) return true;
    description.has_limits = true;
    description.minimum = static_cast<std::uint64_t>(minimum);
    description.maximum = static_cast<std::uint64_t>(maximum);
    const bool is_negative = minimum < 0 || maximum < 0;
    return ((type.codec.is_signed || !is_negative) &&
            descriptor::is_between(type.codec, type.lowest, description.minimum, type.highest) &&
            descriptor::is_between(type.codec, type.lowest, description.maximum, type.highest)) ||
           refuse(reason, ".range is from %lld to %lld, expected numbers of .type", minimum, maximum);
}
[[gnu::always_inline]] inline bool describe_numbers(const mpit_control& row, control_description& description,
                                                    message* reason) noexcept {
    const row_type& type = type_of_row(row.type);
    const bool is_bound = row.object_of != nullptr;
    const std::size_t size = type.codec.stored_size;
    if (size == 0)
        return refuse(reason, ".type is %d, expected MPIT_TYPE_INT to MPIT_TYPE_LONG_LONG", static_cast<int>(row.type));
    if (row.size != size) return refuse(reason, ".size is %zu, expected %zu, the size of .type", row.size, size);
    if (!is_bound && !is_aligned(reason, "its storage", description.storage, size)) return false;
    if (is_bound && row.offset % size != 0)
        return refuse(reason, ".offset is %zu, expected a multiple of %zu", row.offset, size);
    if (row.count > 1 && !type.is_number)
        return refuse(reason, ".count is %u, expected 1 for values that are not numbers", row.count);
    description.codec = type.codec;
    description.is_list = row.count != 0 && !is_bound && type.is_number;
    if (description.is_list || (is_bound && row.count != 0)) description.count = row.count;
    if (type.codec.is_bool) description.items_of_type = core::enumeration_view_of<bool>();
    if (type.is_number && row.unit == MPIT_BYTES) description.unit = mpit::unit::bytes;
    return (row.type != MPIT_TYPE_CHOICE || find_items(reason, row.enumeration, description.items)) &&
           describe_range(row, type, description, reason);
}
inline bool describe_text(const mpit_control& row, control_description& description, message* reason) noexcept {
    if (row.size < 2 || row.size > core::largest_text)
        return refuse(reason, ".size is %zu, expected 2 bytes to 1 MiB for a text", row.size);
    description.is_text = true;
    description.any_length = row.any_length;
    description.count = static_cast<std::uint32_t>(row.size);
    return true;
}
// Describes a row of MPIT_ROW_IN_OBJECT. The variable of the row has one value in each MPI object.
inline bool describe_binding(const mpit_control& row, control_description& description, message* reason) noexcept {
    if (row.type == MPIT_TYPE_TEXT) return refuse(reason, ".object_of is set, expected NULL for a text");
    if (row.on_write != nullptr)
        return refuse(reason, ".on_write is set, expected .on_write_in for a variable with .object_of");
    if (!is_binding(reason, row.bind, row.handle_size)) return false;
    description.functions.source = reinterpret_cast<internal::any_function>(row.object_of);
    description.functions.locate = &locate_member;
    description.functions.offset = row.offset;
    description.functions.on_write = reinterpret_cast<internal::any_function>(row.on_write_in);
    if (row.on_write_in != nullptr) description.call_functions = &call_on_write_in;
    description.bound.kind = static_cast<mpit::binding>(row.bind);
    description.bound.handle_size = row.handle_size;
    return true;
}
// Converts a row to a description. If the row has a defect, returns false and appends the defect to `reason`.
[[gnu::always_inline]] inline bool describe(const mpit_control& row, void* object, control_description& description,
                                            message* reason) noexcept {
    static constexpr mpit::scope scopes[] = {scope::local,       scope::constant, scope::readonly, scope::group,
                                             scope::group_equal, scope::all,      scope::all_equal};
    const bool is_bound = row.object_of != nullptr, is_text = row.type == MPIT_TYPE_TEXT;
    const bool is_member = row.storage == nullptr && object != nullptr && row.offset != MPIT_NO_MEMBER && !is_bound;
    description.storage = is_member ? static_cast<char*>(object) + row.offset : row.storage;
    const int source_count = (description.storage != nullptr) + (row.read_text != nullptr) + is_bound;
    if (source_count == 0)
        return refuse(reason, "%s",
                      row.offset == MPIT_NO_MEMBER
                          ? ".read_text is NULL, expected a function"
                          : ".storage and the object of the table are NULL, expected one of them");
    if (source_count > 1)
        return refuse(reason, "it has %d sources, expected only one of .storage, .read_text and .object_of",
                      source_count);
    if (row.read_text != nullptr && !is_text)
        return refuse(reason, ".read_text is set, expected .type = MPIT_TYPE_TEXT");
    if (!is_verbosity(reason, row.verbosity)) return false;
    if (static_cast<unsigned>(row.unit) > MPIT_BYTES)
        return refuse(reason, ".unit is %d, expected MPIT_NO_UNIT or MPIT_BYTES", static_cast<int>(row.unit));
    if (static_cast<unsigned>(row.scope) >= sizeof scopes / sizeof *scopes)
        return refuse(reason, ".scope is %d, expected MPIT_LOCAL to MPIT_ALL_EQUAL", static_cast<int>(row.scope));
    if (!is_bound && row.bind != MPIT_BIND_NO_OBJECT) return refuse(reason, ".bind is set, expected .object_of, too");
    if (!is_bound && row.on_write_in != nullptr) return refuse(reason, ".on_write_in is set, expected .object_of, too");
    void* const default_data = description.storage != nullptr ? description.storage : object;
    description.functions.data = row.data != nullptr ? row.data : default_data;
    if (row.read_text != nullptr) {
        description.functions.source = reinterpret_cast<internal::any_function>(row.read_text);
        description.functions.read = &internal::read_text;
    }
    description.functions.on_write = reinterpret_cast<internal::any_function>(row.on_write);
    if (row.on_write != nullptr || row.read_text != nullptr) description.call_functions = &call_on_write;
    if (row.environment != nullptr && *row.environment == '\0') description.environment = none;
    else if (row.environment != nullptr) description.environment = row.environment;
    description.renamed_from = row.renamed_from;
    description.deprecated = row.deprecated;
    description.scope = scopes[row.scope];
    description.verbosity = static_cast<mpit::verbosity>(row.verbosity);
    return (!is_bound || describe_binding(row, description, reason)) &&
           (is_text ? describe_text(row, description, reason) : describe_numbers(row, description, reason));
}

inline result add_row(const dynamic_category& category, const mpit_control& row, void* object) noexcept {
    control_description description;
    return describe(row, object, description, nullptr) ? category.add_control(row.name, row.description, description)
                                                       : result::invalid;
}

// Appends the reason why a row cannot be added. `object` is the argument of mpit_add_controls().
[[gnu::cold]] inline void append_defect(message& reason, const mpit_control& row, void* object) noexcept {
    control_description description;
    if (!describe(row, object, description, &reason)) return;
    switch (internal::described_control::defect_of(description, internal::text_of(row.description))) {
    case internal::control_defect::range:
        return reason.append("%s has a minimum above its maximum",
                             description.codec.is_real ? ".real_range" : ".range");
    case internal::control_defect::count:
        return reason.append(".count is %u, expected at most %u", row.count, internal::described_control::max_numbers);
    case internal::control_defect::words:
        return reason.append(
            ".scope is MPIT_GROUP or more, expected a .description of the processes that must write it");
    case internal::control_defect::any_length:
        return reason.append(".any_length is set, expected an .on_write that stores the longer text");
    case internal::control_defect::writer:
        return reason.append(".read_text is set without .on_write, expected .scope = MPIT_READONLY");
    default: break;
    }
    if (row.type != MPIT_TYPE_CHOICE || append_defect_of_items(reason, row.enumeration)) return;
    if (description.storage != nullptr)
        reason.append("its storage has the value %d, expected that of an item of .enumeration",
                      static_cast<int>(descriptor::load(description.codec, description.storage)));
}

} // namespace declare
} // namespace mpit
