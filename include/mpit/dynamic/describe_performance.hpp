// SPDX-License-Identifier: BSD-3-Clause
// Converts typed settings of performance variables to a performance_description. The thunks in this header call the
// functions that an author passes in the settings.
//
//   const performance_description from = describe<performance_class::counter, unsigned long>({.storage = &retries});
#pragma once

#include <mpit/dynamic/performance.hpp>
#include <mpit/variable/performance_classes.hpp> // IWYU pragma: keep

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

template <class T> std::uint64_t sample_value(const performance_value& value, object_key, std::uint32_t) {
    return word_of_value(reinterpret_cast<T (*)(void*)>(value.source)(value.data));
}
template <class T>
std::uint64_t sample_element(const performance_value& value, object_key handle, std::uint32_t element) {
    return word_of_value(
        reinterpret_cast<T (*)(std::uint64_t, std::uint32_t, void*)>(value.source)(handle, element, value.data));
}
template <class T>
void read_elements(const performance_value& value, object_key handle, std::uint32_t first, std::uint32_t count,
                   void* values) {
    const auto read = reinterpret_cast<void (*)(std::uint64_t, std::uint32_t, std::uint32_t, T*, void*)>(value.source);
    read(handle, first, count, static_cast<T*>(values), value.data);
}
inline result write_described_text(const performance_value& value, object_key handle, const char* characters) {
    const auto on_write = reinterpret_cast<reply (*)(std::uint64_t, const char*, void*)>(value.on_write);
    return on_write(handle, characters, value.data) == reply::accepted ? result::success : result::cannot_write;
}

// Describes the settings that all classes of performance variables have in common.
template <class Settings>
performance_description describe_common(performance_class of_class, const Settings& settings) noexcept {
    performance_description described;
    described.of_class = of_class;
    described.verbosity = settings.verbosity;
    described.readonly = settings.readonly;
    described.continuous = settings.continuous;
    return described;
}
template <class Settings> void apply_functions(performance_description& to, const Settings& settings) noexcept {
    to.value.data = settings.data;
    to.value.on_watch = settings.on_watch;
    to.value.elements = settings.bound.elements;
    to.bound = settings.bound;
}

// Describes a performance variable whose numbers are in the author's storage, or are returned by an author's function.
template <class T>
[[gnu::noinline]] performance_description describe_numbers(performance_class of_class, behaviour behaves,
                                                           const dynamic_computed_settings<T>& settings) noexcept {
    performance_description described = describe_common(of_class, settings);
    performance_value& value = described.value;
    apply_functions(described, settings);
    described.behaves = behaves;
    described.atomic = settings.atomic;
    described.type = core::datatype_of<T>();
    described.items_of_type = core::enumeration_view_of<T>();
    described.count = settings.count;
    value.codec = descriptor::codec_of<T>();
    described.storage = settings.storage;
    described.bounds = settings.bounds;
    described.labels = settings.labels;
    described.label = settings.label;
    described.has_parts = settings.value_at != nullptr || settings.values != nullptr;
    described.sources = (settings.value != nullptr) + (settings.value_at != nullptr) + (settings.values != nullptr) +
                        (settings.storage != nullptr);
    if (settings.value != nullptr) {
        value.source = reinterpret_cast<any_function>(settings.value);
        value.sample = &sample_value<T>;
    } else if (settings.value_at != nullptr) {
        value.source = reinterpret_cast<any_function>(settings.value_at);
        value.sample = &sample_element<T>;
    } else if (settings.values != nullptr) {
        value.source = reinterpret_cast<any_function>(settings.values);
        value.read_values = &read_elements<T>;
    }
    return described;
}
template <performance_class Class, class T>
performance_description describe(const dynamic_computed_settings<T>& settings) noexcept {
    static_assert(Class != performance_class::high_watermark && Class != performance_class::low_watermark,
                  "a watermark cannot be computed, because it must record every change of its level");
    static_assert(is_type_of_class<Class, T>(),
                  "this class of performance variable cannot have this type: see the table in MPI-5.0, 15.3.7");
    return describe_numbers(Class, behaviour_of(Class, core::enumerated<T>), settings);
}
template <>
inline performance_description describe<performance_class::generic, char[]>(
    const dynamic_computed_settings<char[]>& settings) noexcept {
    performance_description described = describe_common(performance_class::generic, settings);
    apply_functions(described, settings);
    described.behaves = behaviour::direct;
    described.type = datatype::char_type;
    described.readonly = settings.readonly || settings.on_write == nullptr;
    described.atomic = false;
    described.count = settings.length < core::largest_text ? settings.length + 1 : 0;
    described.sources = settings.value != nullptr;
    described.value.read_text = settings.value;
    described.value.on_write = reinterpret_cast<any_function>(settings.on_write);
    if (settings.on_write != nullptr) described.value.write_text = &write_described_text;
    return described;
}

// Describes a performance variable whose value is in a cell.
template <behaviour Behaves, class T, bool IsReal, bool IsInSeconds = false, class Settings>
performance_description describe_cell(performance_class of_class, const Settings& settings) noexcept {
    performance_description described = describe_common(of_class, settings);
    described.cell = operations_of_cell<Behaves, IsReal, IsInSeconds>;
    described.behaves = Behaves;
    described.atomic = settings.atomic;
    described.type = core::datatype_of<T>();
    described.storage = settings.cell;
    described.sources = settings.cell != nullptr;
    return described;
}
template <performance_class Class, class T, class Cell>
performance_description describe_sum(const dynamic_cell_settings<Cell>& settings) noexcept {
    static_assert(core::utilization<T> && (Class != performance_class::counter || !__is_same(T, double)),
                  "a sum in a cell must be unsigned, unsigned long or unsigned long long, an aggregate or a timer can "
                  "also be double");
    constexpr bool is_real = __is_same(Cell, real_cell);
    constexpr bool is_in_seconds = Class == performance_class::timer && __is_same(T, double) && !is_real;
    return describe_cell<behaviour::accumulating, T, is_real, is_in_seconds>(Class, settings);
}
template <performance_class Class, class T>
performance_description describe_level(const dynamic_cell_settings<level_cell<T>>& settings) noexcept {
    return describe_cell<behaviour_of(Class), T, __is_same(T, double)>(Class, settings);
}
// Describes a state. A state has the enumerators of E as items, or the setting `items` if E is int.
template <class E>
performance_description describe_state(const dynamic_cell_settings<state_cell<E>>& settings) noexcept {
    performance_description described =
        describe_cell<behaviour::choosing, int, false>(performance_class::state, settings);
    described.items_of_type = core::enumeration_view_of<E>();
    described.items = settings.items;
    if (!__is_same(E, int) && settings.items.count != 0) described.sources = 0;
    return described;
}

} // namespace internal
} // namespace mpit
