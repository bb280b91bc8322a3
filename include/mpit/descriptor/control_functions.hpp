// SPDX-License-Identifier: BSD-3-Clause
// The functions that read, check, store and parse the values of control variables (declared in control_value.hpp).
//
//   variable.operations->write(variable, cell, key, value);   // checks, calls .ask, and stores
#pragma once

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/core/parse.hpp>
#include <mpit/core/text_value.hpp>
#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

MPIT_INLINE void* locate_storage(control& variable, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return storage_of(variable);
}
// Returns the size of the value for an object, in bytes. The size is `largest` if all objects have `count` elements.
inline std::size_t bytes_in(control& variable, object_key key, std::size_t largest) {
    const auto elements = variable.operations->elements;
    return elements == nullptr ? largest : std::size_t{elements(variable, key)} * core::size_of(variable.type);
}

// Calls the functions of the library, and stores the value if these functions accept the value. After the range check
// of a value, all code except write_number() calls this function.
inline result accept_and_store(control& variable, void* cell, object_key key, const void* value, bool notifies) {
    if (variable.call_functions != nullptr)
        if (const result status = variable.call_functions(variable, key, value, notifies); status != result::success)
            return status;
    return variable.operations->store(variable, cell, key, value, notifies);
}
MPIT_INLINE apply_result store_from_outside(control& variable, const void* value, bool notifies) {
    return accept_and_store(variable, storage_of(variable), 0, value, notifies) == result::success
               ? apply_result::stored
               : apply_result::rejected_by_library;
}
[[gnu::cold]] MPIT_INLINE apply_result parse_bound(control&, text, bool) noexcept { return apply_result::is_bound; }

// The functions below read and write each number in memory by one atomic access. A reader of several numbers that
// change meanwhile may read old and new numbers. A variable of type bool or of an enumeration has one number, which
// tools see as an int.
MPIT_INLINE result read_number(control& variable, void* cell, object_key, void* buffer) {
    word_to_buffer(variable.codec, load(variable.codec, cell), buffer);
    return result::success;
}
MPIT_INLINE result read_numbers(control& variable, void* cell, object_key, void* buffer) {
    const number_codec codec = variable.codec;
    auto* from = static_cast<const unsigned char*>(cell);
    auto* to = static_cast<unsigned char*>(buffer);
    const unsigned char* const end = from + std::size_t{variable.count} * codec.stored_size;
    for (; from != end; from += codec.stored_size, to += codec.tool_size) word_to_buffer(codec, load(codec, from), to);
    return result::success;
}
MPIT_INLINE result store_numbers(control& variable, void* cell, object_key, const void* value, bool) {
    const number_codec codec = variable.codec;
    auto* from = static_cast<const unsigned char*>(value);
    auto* to = static_cast<unsigned char*>(cell);
    const unsigned char* const end = from + variable.count * std::size_t{codec.tool_size};
    for (; from != end; from += codec.tool_size, to += codec.stored_size)
        store(codec, to, word_from_buffer(codec, from));
    return result::success;
}

// Checks whether a number is in the range of a variable and is an item of the variable's enumeration, if there is one.
class number_check {
public:
    explicit number_check(const control& variable) noexcept
        : variable_{variable}, codec_{variable.codec}, has_range_{variable.has_limits} {
        if (!has_range_) return;
        const unsigned char* const range = part_of(variable, variable.range_offset);
        minimum_ = word_from_buffer(codec_, range);
        maximum_ = word_from_buffer(codec_, range + codec_.tool_size);
    }
    bool accepts_all() const noexcept { return !has_range_ && variable_.enumeration.count == 0; }
    bool accepts(std::uint64_t word) const noexcept {
        if (has_range_ && !is_between(codec_, minimum_, word, maximum_)) return false;
        return variable_.enumeration.count == 0 || variable_.enumeration.has(static_cast<int>(word));
    }

private:
    const control& variable_;
    const number_codec codec_;
    const bool has_range_;
    std::uint64_t minimum_ = 0, maximum_ = 0;
};
// write_number() checks a copy of the number, because the buffer of a tool may have any alignment and may change during
// the call. write_number() reads the scope from the descriptor, because the registry's record of the variable keeps the
// first scope when the library is loaded again with another scope.
MPIT_INLINE result write_number(control& variable, void* cell, object_key key, const void* buffer) {
    if (variable.scope <= mpit::scope::readonly) return result::set_never;
    const number_codec codec = variable.codec;
    const std::uint64_t word = word_from_buffer(codec, buffer);
    if (!number_check{variable}.accepts(word)) return result::invalid;
    if (variable.call_functions != nullptr) {
        alignas(8) unsigned char number[8];
        word_to_buffer(codec, word, number);
        if (const result status = variable.call_functions(variable, key, number, true); status != result::success)
            return status;
    }
    store(codec, cell, word);
    return result::success;
}
MPIT_INLINE result write_numbers(control& variable, void* cell, object_key key, const void* buffer) {
    if (variable.scope <= mpit::scope::readonly) return result::set_never;
    const number_codec codec = variable.codec;
    const number_check check{variable};
    const std::size_t size = std::size_t{variable.count} * codec.tool_size, bytes = bytes_in(variable, key, size);
    auto* const numbers = static_cast<unsigned char*>(__builtin_alloca(size));
    std::memcpy(numbers, buffer, bytes);
    if (bytes != size) std::memset(numbers + bytes, 0, size - bytes);
    for (std::size_t i = 0; !check.accepts_all() && i < bytes; i += codec.tool_size)
        if (!check.accepts(word_from_buffer(codec, numbers + i))) return result::invalid;
    return accept_and_store(variable, cell, key, numbers, true);
}

[[gnu::cold]] MPIT_INLINE bool parse_signed(const control& variable, text value, std::uint64_t& word) noexcept {
    long long number = 0;
    const bool is_number = core::parse(value, number, variable.unit);
    word = static_cast<std::uint64_t>(number);
    return is_number && (variable.codec.tool_size == 8 || static_cast<std::int32_t>(number) == number);
}
[[gnu::cold]] MPIT_INLINE bool parse_natural(const control& variable, text value, std::uint64_t& word) noexcept {
    unsigned long long number = 0;
    const bool is_number = core::parse(value, number, variable.unit);
    word = number;
    return is_number && (variable.codec.tool_size == 8 || word <= ~std::uint32_t{0});
}
[[gnu::cold]] MPIT_INLINE bool parse_real(const control& variable, text value, std::uint64_t& word) noexcept {
    double number = 0;
    const bool is_number = core::parse(value, number, variable.unit);
    word = core::bits_of(number);
    return is_number;
}
[[gnu::cold]] MPIT_INLINE bool parse_item(const control& variable, text value, std::uint64_t& word) noexcept {
    int item = 0;
    const bool is_item = core::parse(value, variable.enumeration, item);
    word = static_cast<std::uint64_t>(item);
    return is_item;
}
[[gnu::cold]] MPIT_INLINE bool parse_any(const control& variable, text value, std::uint64_t& word) noexcept {
    return variable.enumeration.count != 0 ? parse_item(variable, value, word)
           : variable.codec.is_real        ? parse_real(variable, value, word)
           : variable.codec.is_signed      ? parse_signed(variable, value, word)
                                           : parse_natural(variable, value, word);
}
[[gnu::cold]] MPIT_INLINE apply_result parse_number(control& variable, text value, bool is_running) {
    std::uint64_t word = 0;
    if (!variable.operations->parse_number(variable, value, word) || !number_check{variable}.accepts(word))
        return apply_result::malformed;
    alignas(8) unsigned char number[8];
    word_to_buffer(variable.codec, word, number);
    return store_from_outside(variable, number, is_running || variable.is_stored_by_functions);
}
// Accepts exactly `count` numbers. A colon may separate two numbers, such as the ends of a range.
[[gnu::cold]] MPIT_INLINE apply_result parse_numbers(control& variable, text value, bool is_running) {
    auto* const numbers = static_cast<unsigned char*>(__builtin_alloca(bytes_of(variable)));
    const number_check check{variable};
    const bool has_comma = std::memchr(value.characters, ',', value.length) != nullptr;
    const char separator = variable.count == 2 && !has_comma ? ':' : ',';
    for (std::uint32_t i = 0; i < variable.count; i++) {
        text element;
        const bool is_more = core::split_first(value, element, separator);
        std::uint64_t word = 0;
        if (is_more != (i + 1 < variable.count) ||
            !variable.operations->parse_number(variable, core::without_blanks(element), word) || !check.accepts(word))
            return apply_result::malformed;
        word_to_buffer(variable.codec, word, numbers + std::size_t{i} * variable.codec.tool_size);
    }
    return store_from_outside(variable, numbers, is_running);
}

// The functions below read and write numbers, or a text that is padded with nulls, in a seqlock_value.
MPIT_INLINE result read_seqlock(control& variable, void* cell, object_key key, void* buffer) {
    const std::size_t bytes = bytes_of(variable);
    core::seqlock_view{cell, bytes}.read(buffer, bytes_in(variable, key, bytes));
    return result::success;
}
MPIT_INLINE result store_seqlock(control& variable, void* cell, object_key, const void* value, bool) {
    const bool is_text = variable.type == datatype::char_type;
    const std::size_t bytes =
        is_text ? strnlen(static_cast<const char*>(value), variable.count - 1) : bytes_of(variable);
    return core::seqlock_view{cell, bytes_of(variable)}.write(value, bytes) ? result::success : result::set_not_now;
}

// The functions below read and write a text in memory. The library may read the text byte by byte during a write.
MPIT_INLINE result read_characters(control& variable, void* cell, object_key, void* buffer) {
    core::load_text(static_cast<const char*>(cell), static_cast<char*>(buffer), variable.count);
    return result::success;
}
MPIT_INLINE result store_characters(control& variable, void* cell, object_key, const void* value, bool) {
    const auto* const characters = static_cast<const char*>(value);
    core::store_text(static_cast<char*>(cell),
                     {characters, static_cast<std::uint32_t>(strnlen(characters, variable.count - 1))});
    return result::success;
}
MPIT_INLINE result write_text(control& variable, void* cell, object_key key, const void* buffer) {
    if (variable.scope <= mpit::scope::readonly) return result::set_never;
    const bool has_null = strnlen(static_cast<const char*>(buffer), variable.count) != variable.count;
    return has_null ? accept_and_store(variable, cell, key, buffer, true) : result::invalid;
}
[[gnu::cold]] MPIT_INLINE apply_result parse_text(control& variable, text value, bool is_running) {
    const bool is_longer = value.length >= variable.count;
    if (is_longer && !variable.accepts_any_length) return apply_result::malformed;
    return store_from_outside(variable, value.characters, is_running || is_longer || variable.is_stored_by_functions);
}

// The functions below copy the initial value and the range from the descriptor, in the form that tools see. Numbers are
// copied by atomic accesses, because set_initial_from_storage() may replace an initial number that a tool reads.
[[gnu::cold]] MPIT_INLINE void copy_initial(const control& variable, void* buffer) noexcept {
    const unsigned char* const initial = part_of(variable, variable.initial_offset);
    if (variable.type == datatype::char_type) return static_cast<void>(std::memcpy(buffer, initial, variable.count));
    const std::size_t size = variable.codec.tool_size;
    for (std::size_t offset = 0; offset < variable.count * size; offset += size) {
        const std::uint64_t word =
            size == 8 ? __atomic_load_n(reinterpret_cast<const stored_64*>(initial + offset), __ATOMIC_RELAXED)
                      : __atomic_load_n(reinterpret_cast<const stored_32*>(initial + offset), __ATOMIC_RELAXED);
        word_to_buffer(variable.codec, word, static_cast<char*>(buffer) + offset);
    }
}
[[gnu::cold]] MPIT_INLINE void set_initial_from_storage(control& variable) noexcept {
    if (variable.has_default_value) return;
    unsigned char* initial = part_of(variable, variable.initial_offset);
    const auto* storage = static_cast<const unsigned char*>(storage_of(variable));
    if (variable.type == datatype::char_type)
        return static_cast<void>(variable.operations->read(variable, storage_of(variable), 0, initial));
    const number_codec codec = variable.codec;
    for (std::uint32_t i = 0; i < variable.count; i++, initial += codec.tool_size, storage += codec.stored_size) {
        const std::uint64_t word = load(codec, storage);
        if (codec.tool_size == 8) __atomic_store_n(reinterpret_cast<stored_64*>(initial), word, __ATOMIC_RELAXED);
        else
            __atomic_store_n(reinterpret_cast<stored_32*>(initial), static_cast<std::uint32_t>(word), __ATOMIC_RELAXED);
    }
}
[[gnu::cold]] MPIT_INLINE void copy_range(const control& variable, void* minimum, void* maximum) noexcept {
    const unsigned char* const range = part_of(variable, variable.range_offset);
    std::memcpy(minimum, range, variable.codec.tool_size);
    std::memcpy(maximum, range + variable.codec.tool_size, variable.codec.tool_size);
}

} // namespace descriptor
} // namespace mpit
