// SPDX-License-Identifier: BSD-3-Clause
// Converts typed settings of control variables to a control_description. The thunks in this header call the functions
// that an author passes in the settings.
//
//   const control_description description = describe(dynamic_settings<int>{.initial = 256, .minimum = 1});
#pragma once

#include <mpit/dynamic/control.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

inline const value_functions& functions_of(const descriptor::control& d) noexcept {
    return static_cast<const described_control&>(d).functions();
}
// Calls the author's function `valid`, and also `on_write` if `notifies` is true.
template <class Value> result accept_value(const descriptor::control& d, Value value, bool notifies) {
    using validator = bool (*)(Value, void*);
    using writer = reply (*)(Value, void*);
    const value_functions& library = functions_of(d);
    if (library.valid != nullptr && !reinterpret_cast<validator>(library.valid)(value, library.data))
        return result::invalid;
    if (library.on_write == nullptr) return d.is_stored_by_functions ? result::set_never : result::success;
    return notifies ? result_of(reinterpret_cast<writer>(library.on_write)(value, library.data)) : result::success;
}
template <class T> result accept_number(descriptor::control& d, object_key, const void* value, bool notifies) {
    const T number = value_from<T>(value);
    return accept_value<const T&>(d, number, notifies);
}
template <class T> result accept_list(descriptor::control& d, object_key, const void* value, bool notifies) {
    return accept_value<const T*>(d, static_cast<const T*>(value), notifies);
}
inline result accept_text(descriptor::control& d, object_key, const void* value, bool notifies) {
    return accept_value<const char*>(d, static_cast<const char*>(value), notifies);
}
template <class T> result accept_in_object(descriptor::control& d, object_key handle, const void* value, bool) {
    const T number = value_from<T>(value);
    const T* const numbers = core::number<T> ? static_cast<const T*>(value) : &number;
    const value_functions& library = functions_of(d);
    const auto on_write = reinterpret_cast<reply (*)(std::uint64_t, const T*, void*)>(library.on_write);
    return result_of(on_write(handle, numbers, library.data));
}
template <class T> void read_number(const value_functions& library, void* buffer, std::uint32_t) {
    const auto number =
        static_cast<typename seen_number<T>::type>(reinterpret_cast<T (*)(void*)>(library.source)(library.data));
    std::memcpy(buffer, &number, sizeof number);
}
inline void read_text(const value_functions& library, void* buffer, std::uint32_t room) {
    const auto read = reinterpret_cast<void (*)(char*, std::size_t, void*)>(library.source);
    core::fill_text(static_cast<char*>(buffer), room, [&](char* characters) { read(characters, room, library.data); });
}
template <class Storage> void* locate_number(const value_functions& library, object_key handle) {
    return reinterpret_cast<Storage* (*)(std::uint64_t, void*)>(library.source)(handle, library.data);
}

template <class T> std::uint64_t word_of(T number) noexcept {
    const auto seen = static_cast<typename seen_number<T>::type>(number);
    if constexpr (__is_same(T, double)) return core::bits_of(seen);
    else return static_cast<std::uint64_t>(seen);
}

// Describes the settings that numbers, arrays, texts and bound control variables have in common.
template <class Settings> control_description describe_common(const Settings& settings) noexcept {
    control_description described;
    described.functions.data = settings.data;
    described.functions.on_write = reinterpret_cast<any_function>(settings.on_write);
    described.environment = settings.environment;
    described.renamed_from = settings.renamed_from;
    described.deprecated = settings.deprecated;
    described.scope = settings.scope;
    described.verbosity = settings.verbosity;
    return described;
}
template <class T, class Storage, class Settings>
control_description describe_numbers(const Settings& settings) noexcept {
    control_description described = describe_common(settings);
    described.codec = descriptor::codec_of<T, Storage>();
    described.minimum = word_of(settings.minimum);
    described.maximum = word_of(settings.maximum);
    described.has_limits = core::is_limited(settings.minimum, settings.maximum);
    described.unit = settings.unit;
    described.items_of_type = core::enumeration_view_of<T>();
    return described;
}

template <class T, class Storage> control_description describe(const dynamic_settings<T, Storage>& settings) noexcept {
    control_description described = describe_numbers<T, Storage>(settings);
    described.storage = settings.storage;
    described.has_default = settings.default_value.has_value;
    described.initial = word_of(described.has_default ? settings.default_value.value : settings.initial);
    described.functions.valid = reinterpret_cast<any_function>(settings.valid);
    described.functions.source = reinterpret_cast<any_function>(settings.read);
    if (settings.read != nullptr) described.functions.read = &read_number<T>;
    if (settings.valid != nullptr || settings.on_write != nullptr || settings.read != nullptr)
        described.call_functions = &accept_number<T>;
    described.items = settings.items;
    return described;
}
template <class T> control_description describe(const dynamic_settings<T[], T[]>& settings) noexcept {
    control_description described = describe_numbers<T, T>(settings);
    described.is_list = true;
    described.storage = settings.storage;
    described.count = settings.storage != nullptr ? settings.count : 0;
    if (settings.on_write != nullptr) described.call_functions = &accept_list<T>;
    return described;
}
template <class T, class Storage>
control_description describe(const dynamic_bound_settings<T, Storage>& settings) noexcept {
    control_description described = describe_numbers<T, Storage>(settings);
    described.functions.source = reinterpret_cast<any_function>(settings.locate);
    described.functions.locate = &locate_number<Storage>;
    if (settings.on_write != nullptr) described.call_functions = &accept_in_object<T>;
    described.count = settings.locate != nullptr ? settings.count : 0;
    described.items = settings.items;
    described.bound = settings.bound;
    return described;
}
inline control_description describe(const dynamic_settings<char[]>& settings) noexcept {
    control_description described = describe_common(settings);
    described.is_text = true;
    described.any_length = settings.any_length;
    described.storage = settings.storage;
    described.functions.valid = reinterpret_cast<any_function>(settings.valid);
    described.functions.source = reinterpret_cast<any_function>(settings.read);
    if (settings.read != nullptr) described.functions.read = &read_text;
    if (settings.valid != nullptr || settings.on_write != nullptr || settings.read != nullptr)
        described.call_functions = &accept_text;
    described.initial_text = text_of(settings.initial);
    described.default_text = text_of(settings.default_value);
    described.has_default = settings.default_value != nullptr;
    std::uint32_t length = settings.length;
    if (length == 0 && described.has_own_value()) // 63, 127, 255 and so on
        for (length = 63; length < described.initial_text.length && length < core::largest_text;)
            length = 2 * length + 1;
    described.count = length < core::largest_text ? length + 1 : 0;
    return described;
}

} // namespace internal
} // namespace mpit
