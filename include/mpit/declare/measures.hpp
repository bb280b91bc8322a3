// SPDX-License-Identifier: BSD-3-Clause
// The rows of a C table of performance variables as run-time descriptions.
//
//   const result added = declare::add_row(category, row, object);
#pragma once

#include <mpit/declare/performance.h>
#include <mpit/declare/rows.hpp>
#include <mpit/dynamic/performance.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using internal::described_performance;
using internal::performance_description;
using internal::performance_value;

static_assert(sizeof(mpit_counter) == sizeof(counter_cell) && alignof(mpit_counter) == alignof(counter_cell) &&
                  sizeof(mpit_timer) == sizeof(timer_cell),
              "the cells of C are those of C++");
static_assert(sizeof(mpit_level) == sizeof(level_cell<unsigned long long>) &&
                  sizeof(mpit_state) == sizeof(state_cell<int>),
              "the cells of C are those of C++");
static_assert(sizeof(mpit_real) == sizeof(real_cell) && sizeof(mpit_real_level) == sizeof(level_cell<double>),
              "the cells of C are those of C++");
static_assert(offsetof(mpit_counter, number) == 8 && offsetof(internal::own_shard, cells_end) == 8,
              "the members that C code uses are where it expects them");

inline int count_of_cells(const mpit_performance& row) noexcept {
    return (row.counter != nullptr) + (row.timer != nullptr) + (row.level != nullptr) + (row.state != nullptr) +
           (row.real != nullptr) + (row.real_level != nullptr);
}
// The cell of a row that has one, and the type of its value.
inline const void* address_of_cell(const mpit_performance& row) noexcept {
    if (row.counter != nullptr) return row.counter;
    if (row.timer != nullptr) return row.timer;
    if (row.level != nullptr) return row.level;
    if (row.state != nullptr) return row.state;
    return row.real != nullptr ? static_cast<const void*>(row.real) : row.real_level;
}
inline mpit_type type_of_cell(const mpit_performance& row) noexcept {
    if (row.state != nullptr) return MPIT_TYPE_INT;
    return row.counter != nullptr || row.level != nullptr ? MPIT_TYPE_UNSIGNED_LONG_LONG : MPIT_TYPE_DOUBLE;
}

// The classes that the cell of a row can have, in words; null if it has one of them.
[[gnu::cold]] inline const char* classes_of_cell(const mpit_performance& row) noexcept {
    const mpit_class has = row.variable_class;
    const bool is_sum = has == MPIT_CLASS_AGGREGATE;
    const bool follows = has == MPIT_CLASS_LEVEL || has == MPIT_CLASS_SIZE || has == MPIT_CLASS_HIGHWATERMARK ||
                         has == MPIT_CLASS_LOWWATERMARK;
    if (row.counter != nullptr && !is_sum && has != MPIT_CLASS_COUNTER)
        return ".counter is MPIT_CLASS_COUNTER or _AGGREGATE";
    if (row.real != nullptr && !is_sum && has != MPIT_CLASS_TIMER) return ".real is MPIT_CLASS_AGGREGATE or _TIMER";
    if (row.level != nullptr && !follows) return ".level is MPIT_CLASS_LEVEL, _SIZE, _HIGHWATERMARK or _LOWWATERMARK";
    if (row.real_level != nullptr && !follows && has != MPIT_CLASS_PERCENTAGE)
        return ".real_level is MPIT_CLASS_LEVEL, _SIZE, _PERCENTAGE, _HIGHWATERMARK or _LOWWATERMARK";
    return row.state != nullptr && has != MPIT_CLASS_STATE ? ".state is MPIT_CLASS_STATE" : nullptr;
}
// Whether a class can have the type (MPI-5.0, 15.3.7).
[[gnu::cold]] constexpr bool may_have_type(mpit_class of_class, mpit_type type) noexcept {
    if (of_class == MPIT_CLASS_PERCENTAGE) return type == MPIT_TYPE_DOUBLE;
    return of_class == MPIT_CLASS_GENERIC ||
           (type != MPIT_TYPE_INT && (of_class != MPIT_CLASS_COUNTER || type != MPIT_TYPE_DOUBLE));
}

// The functions of rows, which return the widest number of their kind.
inline std::uint64_t word_of_row(const performance_value& value, unsigned long long number) noexcept {
    std::uint64_t narrowed = number;
    descriptor::show_word(value.codec, number, &narrowed);
    return descriptor::seen_word(value.codec, &narrowed);
}
inline std::uint64_t sample_row(const performance_value& value, object_key, std::uint32_t) {
    return word_of_row(value, reinterpret_cast<unsigned long long (*)(void*)>(value.source)(value.data));
}
inline std::uint64_t sample_real_row(const performance_value& value, object_key, std::uint32_t) {
    return core::bits_of(reinterpret_cast<double (*)(void*)>(value.source)(value.data));
}
inline std::uint64_t sample_row_at(const performance_value& value, object_key handle, std::uint32_t element) {
    const auto value_at = reinterpret_cast<unsigned long long (*)(std::uint64_t, unsigned, void*)>(value.source);
    return word_of_row(value, value_at(handle, element, value.data));
}
inline std::uint64_t sample_real_row_at(const performance_value& value, object_key handle, std::uint32_t element) {
    return core::bits_of(
        reinterpret_cast<double (*)(std::uint64_t, unsigned, void*)>(value.source)(handle, element, value.data));
}
inline void read_row(const performance_value& value, object_key handle, std::uint32_t first, std::uint32_t count,
                     void* values) {
    reinterpret_cast<void (*)(std::uint64_t, unsigned, unsigned, void*, void*)>(value.source)(handle, first, count,
                                                                                              values, value.data);
}
inline result write_row(const performance_value& value, object_key handle, const char* written) {
    const auto on_write = reinterpret_cast<mpit_reply (*)(std::uint64_t, const char*, void*)>(value.on_write);
    return on_write(handle, written, value.data) == MPIT_ACCEPTED ? result::success : result::cannot_write;
}

constexpr performance_class class_of(mpit_class of_row) noexcept {
    constexpr performance_class classes[] = {performance_class::counter,        performance_class::aggregate,
                                             performance_class::timer,          performance_class::level,
                                             performance_class::size,           performance_class::percentage,
                                             performance_class::generic,        performance_class::state,
                                             performance_class::high_watermark, performance_class::low_watermark};
    return classes[of_row];
}
constexpr internal::behaviour behaviour_of(mpit_class of_row) noexcept {
    using enum internal::behaviour;
    switch (of_row) {
    case MPIT_CLASS_LEVEL:
    case MPIT_CLASS_SIZE:
    case MPIT_CLASS_PERCENTAGE: return following;
    case MPIT_CLASS_STATE: return choosing;
    case MPIT_CLASS_HIGHWATERMARK: return marking_high;
    case MPIT_CLASS_LOWWATERMARK: return marking_low;
    default: return accumulating;
    }
}
// The operations of a cell.
inline const descriptor::performance_operations* operations_of_cell(const mpit_performance& row) noexcept {
    using enum internal::behaviour;
    if (row.counter != nullptr) return &described_performance::cell<accumulating>;
    if (row.timer != nullptr) return &described_performance::cell<accumulating, false, true>;
    if (row.real != nullptr) return &described_performance::cell<accumulating, true>;
    if (row.state != nullptr) return &described_performance::cell<choosing>;
    const bool is_real = row.real_level != nullptr;
    switch (behaviour_of(row.variable_class)) {
    case marking_high:
        return is_real ? &described_performance::cell<marking_high, true> : &described_performance::cell<marking_high>;
    case marking_low:
        return is_real ? &described_performance::cell<marking_low, true> : &described_performance::cell<marking_low>;
    default: return is_real ? &described_performance::cell<following, true> : &described_performance::cell<following>;
    }
}
inline bool describe_cell(const mpit_performance& row, performance_description& from) noexcept {
    if (row.count > 1 || row.bind != MPIT_BIND_NO_OBJECT || row.on_watch != nullptr || row.on_write != nullptr)
        return false;
    if (row.type != type_of_cell(row) || classes_of_cell(row) != nullptr) return false;
    from.storage = address_of_cell(row);
    if (!is_aligned(from.storage, alignof(mpit_counter))) return false;
    if (row.timer != nullptr) from.of_class = performance_class::timer;
    from.cell = operations_of_cell(row);
    from.type = type_of_row(row.type).codec.type;
    return row.state == nullptr || find_items(row.enumeration, from.items);
}
inline bool describe_text(const mpit_performance& row, performance_description& from) noexcept {
    if (row.variable_class != MPIT_CLASS_GENERIC || row.size < 2 || row.size > core::largest_text || row.count > 1)
        return false;
    from.behaves = internal::behaviour::direct;
    from.type = datatype::char_type;
    from.count = static_cast<std::uint32_t>(row.size);
    from.readonly = row.readonly || row.on_write == nullptr;
    from.atomic = false;
    from.value.read_text = row.text_at;
    from.value.on_write = reinterpret_cast<internal::any_function>(row.on_write);
    if (row.on_write != nullptr) from.value.write_text = &write_row;
    return true;
}
inline bool describe_numbers(const mpit_performance& row, performance_description& from) noexcept {
    performance_value& value = from.value;
    value.codec = type_of_row(row.type).codec;
    const bool is_signed_long = row.type == MPIT_TYPE_LONG || row.type == MPIT_TYPE_LONG_LONG;
    const bool needs_cell = row.variable_class > MPIT_CLASS_GENERIC; // a state and a watermark
    if (!type_of_row(row.type).is_number || is_signed_long || needs_cell || row.on_write != nullptr ||
        !may_have_type(row.variable_class, row.type))
        return false;
    from.type = value.codec.type;
    if (row.count != 0) from.count = row.count;
    const std::size_t size = value.codec.stored_size;
    from.storage = row.storage;
    if (row.storage != nullptr) return row.size == size && is_aligned(row.storage, size);
    from.has_parts = row.value == nullptr && row.real_value == nullptr;
    if (row.value != nullptr) {
        value.source = reinterpret_cast<internal::any_function>(row.value);
        value.sample = &sample_row;
    } else if (row.real_value != nullptr) {
        value.source = reinterpret_cast<internal::any_function>(row.real_value);
        value.sample = &sample_real_row;
    } else if (row.value_at != nullptr) {
        value.source = reinterpret_cast<internal::any_function>(row.value_at);
        value.sample = &sample_row_at;
    } else if (row.real_value_at != nullptr) {
        value.source = reinterpret_cast<internal::any_function>(row.real_value_at);
        value.sample = &sample_real_row_at;
    } else {
        value.source = reinterpret_cast<internal::any_function>(row.values_at);
        value.read_values = &read_row;
        return true;
    }
    const bool is_real = row.real_value != nullptr || row.real_value_at != nullptr;
    return is_real == value.codec.is_real;
}
// Returns false for a row without a value, with several, of another size than its type, or of a type that its class
// cannot have.
inline bool describe(const mpit_performance& row, void* object, performance_description& from) noexcept {
    const int sources = (row.storage != nullptr) + (row.value != nullptr) + (row.real_value != nullptr) +
                        (row.value_at != nullptr) + (row.real_value_at != nullptr) + (row.values_at != nullptr) +
                        (row.text_at != nullptr) + count_of_cells(row);
    if (sources != 1 || (row.type == MPIT_TYPE_TEXT) != (row.text_at != nullptr)) return false;
    if (static_cast<unsigned>(row.verbosity) > MPIT_DEVELOPER_ALL ||
        static_cast<unsigned>(row.bind) > MPIT_BIND_SESSION ||
        static_cast<unsigned>(row.variable_class) > MPIT_CLASS_LOWWATERMARK)
        return false;
    from.of_class = class_of(row.variable_class);
    from.behaves = behaviour_of(row.variable_class);
    from.sources = 1;
    from.verbosity = static_cast<mpit::verbosity>(row.verbosity);
    from.readonly = row.readonly;
    from.continuous = row.continuous;
    from.value.data = row.data != nullptr ? row.data : object;
    from.value.on_watch = row.on_watch;
    from.value.elements = row.elements;
    from.bound.kind = static_cast<mpit::binding>(row.bind);
    from.bound.handle_size = row.handle_size;
    if (count_of_cells(row) != 0) return describe_cell(row, from);
    return row.text_at != nullptr ? describe_text(row, from) : describe_numbers(row, from);
}

inline result add_row(const dynamic_category& category, const mpit_performance& row, void* object) noexcept {
    performance_description from;
    return describe(row, object, from) ? category.add_performance(row.name, row.description, from) : result::invalid;
}

} // namespace declare
} // namespace mpit
