// SPDX-License-Identifier: BSD-3-Clause
// Converts rows of C tables of performance variables to descriptions for mpit::dynamic. Reports why a row is rejected.
//
//   const result status = declare::add_row(category, row, object);
//   append_defect(reason, row, object);   // appends ".variable_class of a .level is ..."
#pragma once

#include <mpit/declare/performance.h>
#include <mpit/declare/rows.hpp>
#include <mpit/dynamic/performance.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL declare {

using internal::described_performance;
using internal::performance_description;
using internal::performance_value;

static_assert(sizeof(mpit_counter) == sizeof(counter_cell) && alignof(mpit_counter) == alignof(counter_cell) &&
                  sizeof(mpit_timer) == sizeof(timer_cell),
              "the cells of C must have the layout of those of C++");
static_assert(sizeof(mpit_level) == sizeof(level_cell<unsigned long long>) &&
                  sizeof(mpit_state) == sizeof(state_cell<int>),
              "the cells of C must have the layout of those of C++");
static_assert(sizeof(mpit_real) == sizeof(real_cell) && sizeof(mpit_real_level) == sizeof(level_cell<double>),
              "the cells of C must have the layout of those of C++");
static_assert(sizeof(mpit_histogram) == sizeof(internal::histogram_base) &&
                  alignof(mpit_histogram) == alignof(internal::histogram_base) &&
                  offsetof(mpit_histogram, sums) == 40 && offsetof(mpit_histogram, largest) == 72,
              "the histograms of C must have the layout of those of C++");
static_assert(offsetof(mpit_counter, number) == 8 && offsetof(core::cached_shard, cells_end) == 8,
              "the members that C code uses must have the offsets that it uses");

inline int count_of_cells(const mpit_performance& row) noexcept {
    return (row.counter != nullptr) + (row.timer != nullptr) + (row.level != nullptr) + (row.state != nullptr) +
           (row.real != nullptr) + (row.real_level != nullptr) + (row.histogram != nullptr);
}
// Returns the address of the cell of a row that has a cell. type_of_cell() returns the type of the cell's value.
inline const void* address_of_cell(const mpit_performance& row) noexcept {
    if (row.counter != nullptr) return row.counter;
    if (row.timer != nullptr) return row.timer;
    if (row.level != nullptr) return row.level;
    if (row.state != nullptr) return row.state;
    if (row.histogram != nullptr) return row.histogram;
    return row.real != nullptr ? static_cast<const void*>(row.real) : row.real_level;
}
inline mpit_type type_of_cell(const mpit_performance& row) noexcept {
    if (row.state != nullptr) return MPIT_TYPE_INT;
    if (row.histogram != nullptr && row.variable_class == MPIT_CLASS_COUNTER) return MPIT_TYPE_UNSIGNED_LONG_LONG;
    return row.counter != nullptr || row.level != nullptr ? MPIT_TYPE_UNSIGNED_LONG_LONG : MPIT_TYPE_DOUBLE;
}

// Returns null if the row's cell suits the row's class, and otherwise a text with the classes that suit the cell.
[[gnu::cold]] inline const char* classes_of_cell(const mpit_performance& row) noexcept {
    const mpit_class row_class = row.variable_class;
    const bool is_sum = row_class == MPIT_CLASS_AGGREGATE;
    const bool is_level = row_class == MPIT_CLASS_LEVEL || row_class == MPIT_CLASS_SIZE ||
                          row_class == MPIT_CLASS_HIGHWATERMARK || row_class == MPIT_CLASS_LOWWATERMARK;
    if (row.counter != nullptr && !is_sum && row_class != MPIT_CLASS_COUNTER)
        return "MPIT_CLASS_COUNTER or _AGGREGATE for a .counter";
    if (row.real != nullptr && !is_sum && row_class != MPIT_CLASS_TIMER)
        return "MPIT_CLASS_AGGREGATE or _TIMER for a .real";
    if (row.level != nullptr && !is_level)
        return "MPIT_CLASS_LEVEL, _SIZE, _HIGHWATERMARK or _LOWWATERMARK for a .level";
    if (row.real_level != nullptr && !is_level && row_class != MPIT_CLASS_PERCENTAGE)
        return "MPIT_CLASS_LEVEL, _SIZE, _PERCENTAGE, _HIGHWATERMARK or _LOWWATERMARK for a .real_level";
    if (row.histogram != nullptr && row_class != MPIT_CLASS_COUNTER && row_class != MPIT_CLASS_TIMER)
        return "MPIT_CLASS_COUNTER or _TIMER for a .histogram";
    return row.state != nullptr && row_class != MPIT_CLASS_STATE ? "MPIT_CLASS_STATE for a .state" : nullptr;
}
// Converts `number`, which a row's function has returned, to the type of the row. The result is stored in 64 bits.
inline std::uint64_t word_of_row(const performance_value& value, unsigned long long number) noexcept {
    std::uint64_t narrowed = number;
    descriptor::word_to_buffer(value.codec, number, &narrowed);
    return descriptor::word_from_buffer(value.codec, &narrowed);
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
inline result write_row(const performance_value& value, object_key handle, const char* new_text) {
    const auto on_write = reinterpret_cast<mpit_reply (*)(std::uint64_t, const char*, void*)>(value.on_write);
    return on_write(handle, new_text, value.data) == MPIT_ACCEPTED ? result::success : result::cannot_write;
}

constexpr performance_class class_of(mpit_class row_class) noexcept {
    constexpr performance_class classes[] = {performance_class::counter,        performance_class::aggregate,
                                             performance_class::timer,          performance_class::level,
                                             performance_class::size,           performance_class::percentage,
                                             performance_class::generic,        performance_class::state,
                                             performance_class::high_watermark, performance_class::low_watermark};
    return classes[row_class];
}
// Returns the table of operations for the row's cell.
inline const descriptor::performance_operations* operations_of_cell(const mpit_performance& row) noexcept {
    using enum internal::behaviour;
    using internal::operations_of_cell;
    if (row.counter != nullptr) return operations_of_cell<accumulating>;
    if (row.timer != nullptr) return operations_of_cell<accumulating, false, true>;
    if (row.real != nullptr) return operations_of_cell<accumulating, true>;
    if (row.state != nullptr) return operations_of_cell<choosing>;
    const bool is_real = row.real_level != nullptr;
    switch (row.variable_class) {
    case MPIT_CLASS_HIGHWATERMARK:
        return is_real ? operations_of_cell<marking_high, true> : operations_of_cell<marking_high>;
    case MPIT_CLASS_LOWWATERMARK:
        return is_real ? operations_of_cell<marking_low, true> : operations_of_cell<marking_low>;
    default: return is_real ? operations_of_cell<following, true> : operations_of_cell<following>;
    }
}

inline internal::described_histogram histogram_of_row(const mpit_performance& row) noexcept {
    using internal::operations_of_histogram, internal::value_kind;
    auto* const cell = reinterpret_cast<internal::histogram_base*>(row.histogram);
    if (row.variable_class == MPIT_CLASS_TIMER)
        return {cell, operations_of_histogram<value_kind::time>, datatype::double_type};
    return {cell, operations_of_histogram<value_kind::whole>, datatype::unsigned_long_long_type};
}
// Returns false if a name is too long for the variables of a histogram, whose names end with a suffix.
inline bool is_short(message* reason, core::text name, const char* user = "for a histogram") noexcept {
    return internal::suffixed_name::is_possible(name) ||
           refuse(reason, ".name has %u characters, expected at most %u %s", name.length,
                  internal::suffixed_name::capacity - internal::suffixed_name::longest_suffix - 1, user);
}
// Returns false and appends the defect if the row of a histogram has a defect.
inline bool describe_histogram(const mpit_performance& row, message* reason) noexcept {
    if (row.readonly || row.continuous)
        return refuse(reason, "%s is set, expected false for a histogram", row.readonly ? ".readonly" : ".continuous");
    const core::text name = internal::text_of(row.name);
    const buckets scheme{row.histogram->scale, row.histogram->lowest, row.histogram->highest};
    switch (internal::defect_of(histogram_of_row(row), name)) {
    case internal::histogram_defect::cell:
        return refuse(reason, "its cell has no sums, expected MPIT_HISTOGRAM_CELL or mpit_init_histogram()");
    case internal::histogram_defect::name: return is_short(reason, name);
    case internal::histogram_defect::none: return true;
    default: break;
    }
    switch (core::defect_of(scheme, false)) {
    case core::buckets_defect::scale:
        return refuse(reason, "its cell has the scale %d, expected 0 to %d", scheme.scale, core::finest_scale);
    case core::buckets_defect::range:
        return refuse(reason, "its cell has buckets from 2^%d to 2^%d, expected a lowest exponent below the highest",
                      scheme.lowest, scheme.highest);
    case core::buckets_defect::exponents:
        return refuse(reason, "its cell has buckets from 2^%d to 2^%d, expected exponents from 0 to 63", scheme.lowest,
                      scheme.highest);
    default: return refuse(reason, "its cell has %u buckets, expected at most %u", scheme.count(), core::most_buckets);
    }
}

inline bool describe_cell(const mpit_performance& row, performance_description& description, message* reason) noexcept {
    if (row.count > 1) return refuse(reason, ".count is %u, expected 1 for a cell", row.count);
    if (row.bind != MPIT_BIND_NO_OBJECT) return refuse(reason, ".bind is set, expected MPIT_BIND_NO_OBJECT for a cell");
    if (row.on_watch != nullptr) return refuse(reason, ".on_watch is set, expected NULL for a cell");
    if (row.bounds != nullptr) return refuse(reason, ".bounds is set, expected NULL for a cell");
    if (row.labels != nullptr || row.label != nullptr)
        return refuse(reason, "%s is set, expected NULL for a cell", row.labels != nullptr ? ".labels" : ".label");
    if (const char* classes = classes_of_cell(row))
        return refuse(reason, ".variable_class is %d, expected %s", static_cast<int>(row.variable_class), classes);
    if (row.type != type_of_cell(row))
        return refuse(reason, ".type is %d, expected %s for its cell", static_cast<int>(row.type),
                      type_of_cell(row) == MPIT_TYPE_INT      ? "MPIT_TYPE_INT"
                      : type_of_cell(row) == MPIT_TYPE_DOUBLE ? "MPIT_TYPE_DOUBLE"
                                                              : "MPIT_TYPE_UNSIGNED_LONG_LONG");
    description.storage = address_of_cell(row);
    if (!is_aligned(reason, "its cell", description.storage, alignof(mpit_counter))) return false;
    if (row.histogram != nullptr) return describe_histogram(row, reason);
    if (row.timer != nullptr) description.of_class = performance_class::timer;
    description.cell = operations_of_cell(row);
    description.type = type_of_row(row.type).codec.type;
    return row.state == nullptr || find_items(reason, row.enumeration, description.items);
}
inline bool describe_text(const mpit_performance& row, performance_description& description, message* reason) noexcept {
    if (row.variable_class != MPIT_CLASS_GENERIC)
        return refuse(reason, ".variable_class is %d, expected MPIT_CLASS_GENERIC for a text",
                      static_cast<int>(row.variable_class));
    if (row.size < 2 || row.size > core::largest_text)
        return refuse(reason, ".size is %zu, expected 2 bytes to 1 MiB for a text", row.size);
    if (row.count > 1) return refuse(reason, ".count is %u, expected 1 for a text", row.count);
    description.behaves = internal::behaviour::direct;
    description.type = datatype::char_type;
    description.count = static_cast<std::uint32_t>(row.size);
    description.readonly = row.readonly || row.on_write == nullptr;
    description.atomic = false;
    description.value.read_text = row.text_at;
    description.value.on_write = reinterpret_cast<internal::any_function>(row.on_write);
    if (row.on_write != nullptr) description.value.write_text = &write_row;
    return true;
}
inline bool describe_numbers(const mpit_performance& row, performance_description& description,
                             message* reason) noexcept {
    performance_value& value = description.value;
    value.codec = type_of_row(row.type).codec;
    const std::size_t size = value.codec.stored_size;
    const bool is_signed_long = row.type == MPIT_TYPE_LONG || row.type == MPIT_TYPE_LONG_LONG;
    const bool needs_cell = row.variable_class > MPIT_CLASS_GENERIC;
    if (needs_cell) return refuse(reason, ".variable_class is that of a state or a watermark, expected a cell");
    if (!type_of_row(row.type).is_number || is_signed_long)
        return refuse(reason, ".type is %d, expected MPIT_TYPE_INT to MPIT_TYPE_DOUBLE", static_cast<int>(row.type));
    if (!internal::is_type_of_class(description.of_class, value.codec.type))
        return refuse(reason, ".type is %d, expected a type of .variable_class (MPI-5.0, 15.3.7)",
                      static_cast<int>(row.type));
    description.type = value.codec.type;
    if (row.count != 0) description.count = row.count;
    description.storage = row.storage;
    description.bounds = row.bounds;
    description.labels = row.labels;
    description.label = row.label;
    description.has_parts = row.value == nullptr && row.real_value == nullptr && row.storage == nullptr;
    if (row.storage != nullptr) {
        if (row.size != size) return refuse(reason, ".size is %zu, expected %zu, the size of .type", row.size, size);
        return is_aligned(reason, ".storage", row.storage, size);
    }
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
    if (is_real && !value.codec.is_real)
        return refuse(reason, "its function returns a double, expected .type = MPIT_TYPE_DOUBLE");
    return is_real || !value.codec.is_real ||
           refuse(reason, ".type is MPIT_TYPE_DOUBLE, expected .real_value or .real_value_at");
}
// Converts a row to a description. If the row has a defect, returns false and appends the defect to `reason`.
inline bool describe(const mpit_performance& row, void* object, performance_description& description,
                     message* reason) noexcept {
    const int cell_count = count_of_cells(row);
    const int source_count = cell_count + (row.storage != nullptr) + (row.value != nullptr) +
                             (row.real_value != nullptr) + (row.value_at != nullptr) + (row.real_value_at != nullptr) +
                             (row.values_at != nullptr) + (row.text_at != nullptr);
    if (source_count != 1)
        return source_count == 0
                   ? refuse(reason, "its cell, .storage or function is NULL, expected one of them")
                   : refuse(reason, "it has %d sources, expected only one cell, .storage or function", source_count);
    if (static_cast<unsigned>(row.variable_class) > MPIT_CLASS_LOWWATERMARK)
        return refuse(reason, ".variable_class is %d, expected MPIT_CLASS_COUNTER to MPIT_CLASS_LOWWATERMARK",
                      static_cast<int>(row.variable_class));
    if (row.on_write != nullptr && row.text_at == nullptr)
        return refuse(reason, ".on_write is set, expected .text_at, too");
    if (row.when_watched && row.histogram == nullptr)
        return refuse(reason, ".when_watched is set, expected .histogram, too");
    if (!is_verbosity(reason, row.verbosity)) return false;
    description.of_class = class_of(row.variable_class);
    description.behaves = internal::behaviour_of(description.of_class);
    description.sources = 1;
    description.verbosity = static_cast<mpit::verbosity>(row.verbosity);
    description.readonly = row.readonly;
    description.continuous = row.continuous;
    description.value.data = row.data != nullptr ? row.data : object;
    description.value.on_watch = row.on_watch;
    description.value.elements = row.elements;
    description.bound.kind = static_cast<mpit::binding>(row.bind);
    description.bound.handle_size = row.handle_size;
    if (cell_count != 0) return describe_cell(row, description, reason);
    if (row.bind != MPIT_BIND_NO_OBJECT && !is_binding(reason, row.bind, row.handle_size)) return false;
    if (row.text_at != nullptr && row.type != MPIT_TYPE_TEXT)
        return refuse(reason, ".text_at is set, expected .type = MPIT_TYPE_TEXT");
    if (row.text_at == nullptr && row.type == MPIT_TYPE_TEXT)
        return refuse(reason, ".type is MPIT_TYPE_TEXT, expected .text_at, too");
    return row.text_at != nullptr ? describe_text(row, description, reason)
                                  : describe_numbers(row, description, reason);
}

inline result add_row(const dynamic_category& category, const mpit_performance& row, void* object) noexcept {
    performance_description description;
    if (!describe(row, object, description, nullptr)) return result::invalid;
    if (row.histogram == nullptr) return category.add_performance(row.name, row.description, description);
    dynamic_histogram_settings settings;
    settings.cell = histogram_of_row(row);
    settings.verbosity = description.verbosity;
    settings.when_watched = row.when_watched;
    return category.histogram(row.name, row.description, settings);
}

// Appends the reason why a row cannot be added.
[[gnu::cold]] inline void append_defect(message& reason, const mpit_performance& row, void* object) noexcept {
    performance_description description;
    if (!describe(row, object, description, &reason)) return;
    const bool is_bound = row.bind != MPIT_BIND_NO_OBJECT;
    switch (described_performance::defect_of(description)) {
    case internal::performance_defect::bounds:
        return reason.append(".bounds is set, expected .count bounds of a counter that increase up to INFINITY");
    case internal::performance_defect::labels:
        return is_bound ? reason.append(".labels is set, expected .label for a bound variable")
                        : reason.append(".labels or .label is set, expected one of them, with .count labels");
    case internal::performance_defect::elements: return reason.append(".bind is set, expected .elements, too");
    case internal::performance_defect::count:
        return reason.append(".count is %u, expected at most %u", row.count, described_performance::max_elements);
    case internal::performance_defect::parts:
        return is_bound ? reason.append(".bind is set, expected .value_at, .real_value_at or .values_at")
                        : reason.append(".count is %u, expected .value_at, .real_value_at or .values_at", row.count);
    default: break;
    }
    if (row.bounds != nullptr || row.labels != nullptr || row.label != nullptr)
        return static_cast<void>(is_short(&reason, row.name, "for a variable with bounds or labels"));
    if (row.state != nullptr && append_defect_of_items(reason, row.enumeration)) return;
    reason.append("%s", row.state != nullptr ? ".state has a value that is not an item of .enumeration"
                                             : "its members contradict each other");
}

} // namespace declare
} // namespace mpit
