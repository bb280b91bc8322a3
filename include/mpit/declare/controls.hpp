// SPDX-License-Identifier: BSD-3-Clause
// The rows of a C table of control variables as run-time descriptions.
//
//   const result added = declare::add_row(category, row, object);
#pragma once

#include <mpit/declare/rows.hpp>
#include <mpit/dynamic/describe.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using internal::control_description;
using internal::value_functions;

// The functions of rows get a value as it is stored, of which tools see an int if it is a bool.
struct stored_value {
    const void* address;
    alignas(8) unsigned char storage[8];

    stored_value(const descriptor::number_codec& codec, const void* value) noexcept : address{value} {
        if (!codec.is_bool) return;
        descriptor::store(codec, storage, descriptor::seen_word(codec, value));
        address = storage;
    }
};
inline result ask_row(descriptor::control& d, object_key, const void* value, bool notifies) {
    const value_functions& own = internal::functions_of(d);
    if (own.on_write == nullptr) return result::cannot_set_ever; // a text that is only read
    if (!notifies) return result::success;
    const auto on_write = reinterpret_cast<mpit_reply (*)(const void*, void*)>(own.on_write);
    const stored_value stored{d.codec, value};
    return internal::result_of(static_cast<mpit::reply>(on_write(stored.address, own.data)));
}
inline result ask_row_in_object(descriptor::control& d, object_key handle, const void* value, bool) {
    const value_functions& own = internal::functions_of(d);
    const auto on_write = reinterpret_cast<mpit_reply (*)(std::uint64_t, const void*, void*)>(own.on_write);
    const stored_value stored{d.codec, value};
    return internal::result_of(static_cast<mpit::reply>(on_write(handle, stored.address, own.data)));
}
inline void* locate_member(const value_functions& own, object_key handle) {
    const auto object_of = reinterpret_cast<void* (*)(std::uint64_t, void*)>(own.source);
    void* const object = object_of(handle, own.data);
    return object == nullptr ? nullptr : static_cast<char*>(object) + own.offset;
}

constexpr bool has_range(const mpit_range& range) noexcept { return range.minimum != 0 || range.maximum != 0; }

// Returns false for a range that the type cannot have.
[[gnu::always_inline]] inline bool apply_range(const mpit_control& row, const row_type& type,
                                               control_description& from) noexcept {
    from.minimum = type.lowest;
    from.maximum = type.highest;
    from.has_limits = type.codec.is_real;
    if (!type.is_number) return true;
    if (type.codec.is_real) {
        if (row.real_range.minimum == 0 && row.real_range.maximum == 0) return true;
        from.minimum = core::bits_of(row.real_range.minimum);
        from.maximum = core::bits_of(row.real_range.maximum);
        return true;
    }
    if (!has_range(row.range)) return true;
    from.has_limits = true;
    from.minimum = static_cast<std::uint64_t>(row.range.minimum);
    from.maximum = static_cast<std::uint64_t>(row.range.maximum);
    const bool is_negative = row.range.minimum < 0 || row.range.maximum < 0;
    return (type.codec.is_signed || !is_negative) &&
           descriptor::is_between(type.codec, type.lowest, from.minimum, type.highest) &&
           descriptor::is_between(type.codec, type.lowest, from.maximum, type.highest);
}
[[gnu::always_inline]] inline bool describe_numbers(const mpit_control& row, control_description& from) noexcept {
    const row_type& type = type_of_row(row.type);
    const bool is_bound = row.object_of != nullptr;
    const std::size_t size = type.codec.stored_size;
    if (row.size != size || size == 0) return false;
    if (!(is_bound ? row.offset % size == 0 : is_aligned(from.storage, size))) return false;
    from.codec = type.codec;
    from.is_list = row.count != 0 && !is_bound && type.is_number;
    if (from.is_list || (is_bound && row.count != 0)) from.count = row.count;
    if (type.codec.is_bool) from.items_of_type = core::enumeration_view_of<bool>();
    if (type.is_number && row.unit == MPIT_BYTES) from.unit = mpit::unit::bytes;
    return apply_range(row, type, from) && (row.type != MPIT_TYPE_CHOICE || find_items(row.enumeration, from.items));
}
inline bool describe_text(const mpit_control& row, control_description& from) noexcept {
    if (row.size < 2 || row.size > core::largest_text || row.object_of != nullptr) return false;
    from.is_text = true;
    from.any_length = row.any_length;
    from.count = static_cast<std::uint32_t>(row.size);
    return true;
}
// A value in each object.
inline bool describe_binding(const mpit_control& row, control_description& from) noexcept {
    if (row.on_write != nullptr || static_cast<unsigned>(row.bind) > MPIT_BIND_SESSION) return false;
    from.functions.source = reinterpret_cast<internal::any_function>(row.object_of);
    from.functions.locate = &locate_member;
    from.functions.offset = row.offset;
    from.functions.on_write = reinterpret_cast<internal::any_function>(row.on_write_in);
    if (row.on_write_in != nullptr) from.ask = &ask_row_in_object;
    from.bound.kind = static_cast<mpit::binding>(row.bind);
    from.bound.handle_size = row.handle_size;
    return true;
}
// Returns false for a row without a value, of another size than its type, or with a range that is none.
[[gnu::always_inline]] inline bool describe(const mpit_control& row, void* object, control_description& from) noexcept {
    static constexpr mpit::scope scopes[] = {scope::local,       scope::constant, scope::readonly, scope::group,
                                             scope::group_equal, scope::all,      scope::all_equal};
    const bool is_bound = row.object_of != nullptr, is_text = row.type == MPIT_TYPE_TEXT;
    const bool is_member = row.storage == nullptr && object != nullptr && row.offset != MPIT_NO_MEMBER && !is_bound;
    from.storage = is_member ? static_cast<char*>(object) + row.offset : row.storage;
    const int places = (from.storage != nullptr) + (row.read_text != nullptr) + is_bound;
    if (places != 1 || (row.read_text != nullptr && !is_text)) return false;
    if (static_cast<unsigned>(row.verbosity) > MPIT_DEVELOPER_ALL || static_cast<unsigned>(row.unit) > MPIT_BYTES ||
        static_cast<unsigned>(row.scope) >= sizeof scopes / sizeof *scopes)
        return false;
    if (!is_bound && (row.bind != MPIT_BIND_NO_OBJECT || row.on_write_in != nullptr)) return false;
    from.functions.data = row.data != nullptr ? row.data : from.storage != nullptr ? from.storage : object;
    if (row.read_text != nullptr) {
        from.functions.source = reinterpret_cast<internal::any_function>(row.read_text);
        from.functions.read = &internal::read_text;
    }
    from.functions.on_write = reinterpret_cast<internal::any_function>(row.on_write);
    if (row.on_write != nullptr || row.read_text != nullptr) from.ask = &ask_row;
    if (row.environment != nullptr && *row.environment == '\0') from.environment = none;
    else if (row.environment != nullptr) from.environment = row.environment;
    from.renamed_from = row.renamed_from;
    from.deprecated = row.deprecated;
    from.scope = scopes[row.scope];
    from.verbosity = static_cast<mpit::verbosity>(row.verbosity);
    return (!is_bound || describe_binding(row, from)) &&
           (is_text ? describe_text(row, from) : describe_numbers(row, from));
}

inline result add_row(const dynamic_category& category, const mpit_control& row, void* object) noexcept {
    control_description from;
    return describe(row, object, from) ? category.add_control(row.name, row.description, from) : result::invalid;
}

} // namespace declare
} // namespace mpit
