// SPDX-License-Identifier: BSD-3-Clause
// The functions that read, check, store and parse the values of control variables (declared in control_value.hpp).
//
//   d.operations->write(d, cell, key, value);   // checks, d.ask, d.operations->store
#pragma once

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/core/parse.hpp>
#include <mpit/core/text_value.hpp>
#include <mpit/descriptor/control_value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

MPIT_INLINE void* locate_storage(control& d, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return storage_of(d);
}
// Returns the bytes of the value of one object, which may have fewer numbers than the descriptor says. `all` is
// bytes_of(d).
inline std::size_t bytes_in(control& d, object_key key, std::size_t all) {
    return d.operations->elements == nullptr ? all
                                             : std::size_t{d.operations->elements(d, key)} * core::size_of(d.type);
}

// Every value from everywhere passes here, after its numbers were checked.
inline result take(control& d, void* cell, object_key key, const void* value, bool notifies) {
    if (d.ask != nullptr)
        if (const result status = d.ask(d, key, value, notifies); status != result::success) return status;
    return d.operations->store(d, cell, key, value, notifies);
}
MPIT_INLINE apply_result take_from_outside(control& d, const void* value, bool notifies) {
    return take(d, storage_of(d), 0, value, notifies) == result::success ? apply_result::taken : apply_result::refused;
}
[[gnu::cold]] MPIT_INLINE apply_result parse_bound(control&, text, bool) noexcept { return apply_result::is_bound; }

// Numbers in memory. Each is read and written by one atomic access: a reader of several while they change may see old
// and new ones. A bool and an enumeration, which are alone, are one int for tools.
MPIT_INLINE result read_number(control& d, void* cell, object_key, void* buffer) {
    show_word(d.codec, load(d.codec, cell), buffer);
    return result::success;
}
MPIT_INLINE result read_numbers(control& d, void* cell, object_key, void* buffer) {
    const number_codec codec = d.codec;
    auto* from = static_cast<const unsigned char*>(cell);
    auto* to = static_cast<unsigned char*>(buffer);
    const unsigned char* const end = from + std::size_t{d.count} * codec.stored_size;
    for (; from != end; from += codec.stored_size, to += codec.seen_size) show_word(codec, load(codec, from), to);
    return result::success;
}
MPIT_INLINE result store_numbers(control& d, void* cell, object_key, const void* value, bool) {
    const number_codec codec = d.codec;
    auto* from = static_cast<const unsigned char*>(value);
    auto* to = static_cast<unsigned char*>(cell);
    const unsigned char* const end = from + d.count * std::size_t{codec.seen_size};
    for (; from != end; from += codec.seen_size, to += codec.stored_size) store(codec, to, seen_word(codec, from));
    return result::success;
}

// Which numbers a variable accepts: those of its range, and of its enumeration if it has one.
class number_check {
public:
    explicit number_check(const control& d) noexcept : variable_{d}, codec_{d.codec}, has_range_{d.has_limits} {
        if (!has_range_) return;
        const unsigned char* const range = part_of(d, d.range_offset);
        minimum_ = seen_word(codec_, range);
        maximum_ = seen_word(codec_, range + codec_.seen_size);
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
// A tool's buffer may have any alignment, and change meanwhile: what is checked is a copy. A variable that was loaded
// again keeps the scope of its record for tools: this function asks the descriptor for its own scope.
MPIT_INLINE result write_number(control& d, void* cell, object_key key, const void* buffer) {
    if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
    const number_codec codec = d.codec;
    const std::uint64_t word = seen_word(codec, buffer);
    if (!number_check{d}.accepts(word)) return result::invalid;
    if (d.ask != nullptr) {
        alignas(8) unsigned char number[8];
        show_word(codec, word, number);
        if (const result status = d.ask(d, key, number, true); status != result::success) return status;
    }
    store(codec, cell, word);
    return result::success;
}
MPIT_INLINE result write_numbers(control& d, void* cell, object_key key, const void* buffer) {
    if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
    const number_codec codec = d.codec;
    const number_check check{d};
    const std::size_t room = std::size_t{d.count} * codec.seen_size, bytes = bytes_in(d, key, room);
    auto* const numbers = static_cast<unsigned char*>(__builtin_alloca(room));
    std::memcpy(numbers, buffer, bytes);
    if (bytes != room) std::memset(numbers + bytes, 0, room - bytes);
    for (std::size_t i = 0; !check.accepts_all() && i < bytes; i += codec.seen_size)
        if (!check.accepts(seen_word(codec, numbers + i))) return result::invalid;
    return take(d, cell, key, numbers, true);
}

[[gnu::cold]] MPIT_INLINE bool parse_signed(const control& d, text written, std::uint64_t& word) noexcept {
    long long number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = static_cast<std::uint64_t>(number);
    return is_number && (d.codec.seen_size == 8 || static_cast<std::int32_t>(number) == number);
}
[[gnu::cold]] MPIT_INLINE bool parse_natural(const control& d, text written, std::uint64_t& word) noexcept {
    unsigned long long number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = number;
    return is_number && (d.codec.seen_size == 8 || word <= ~std::uint32_t{0});
}
[[gnu::cold]] MPIT_INLINE bool parse_real(const control& d, text written, std::uint64_t& word) noexcept {
    double number = 0;
    const bool is_number = core::parse(written, number, d.unit);
    word = core::bits_of(number);
    return is_number;
}
[[gnu::cold]] MPIT_INLINE bool parse_item(const control& d, text written, std::uint64_t& word) noexcept {
    int item = 0;
    const bool is_item = core::parse(written, d.enumeration, item);
    word = static_cast<std::uint64_t>(item);
    return is_item;
}
[[gnu::cold]] MPIT_INLINE bool parse_any(const control& d, text written, std::uint64_t& word) noexcept {
    return d.enumeration.count != 0 ? parse_item(d, written, word)
           : d.codec.is_real        ? parse_real(d, written, word)
           : d.codec.is_signed      ? parse_signed(d, written, word)
                                    : parse_natural(d, written, word);
}
[[gnu::cold]] MPIT_INLINE apply_result parse_number(control& d, text written, bool is_running) {
    std::uint64_t word = 0;
    if (!d.operations->parse_number(d, written, word) || !number_check{d}.accepts(word)) return apply_result::no_value;
    alignas(8) unsigned char number[8];
    show_word(d.codec, word, number);
    return take_from_outside(d, number, is_running || d.is_passed);
}
// All numbers have to be there. Two of them may be separated by a colon, as the ends of a range are.
[[gnu::cold]] MPIT_INLINE apply_result parse_numbers(control& d, text written, bool is_running) {
    auto* const numbers = static_cast<unsigned char*>(__builtin_alloca(bytes_of(d)));
    const number_check check{d};
    const bool has_comma = std::memchr(written.characters, ',', written.length) != nullptr;
    const char separator = d.count == 2 && !has_comma ? ':' : ',';
    for (std::uint32_t i = 0; i < d.count; i++) {
        text element;
        const bool is_more = core::take_element(written, element, separator);
        std::uint64_t word = 0;
        if (is_more != (i + 1 < d.count) || !d.operations->parse_number(d, core::without_blanks(element), word) ||
            !check.accepts(word))
            return apply_result::no_value;
        show_word(d.codec, word, numbers + std::size_t{i} * d.codec.seen_size);
    }
    return take_from_outside(d, numbers, is_running);
}

// A seqlock_value of numbers, or of a text, whose bytes behind the null are nulls.
MPIT_INLINE result read_buffers(control& d, void* cell, object_key key, void* buffer) {
    const std::size_t bytes = bytes_of(d);
    core::seqlock_view{cell, bytes}.read(buffer, bytes_in(d, key, bytes));
    return result::success;
}
MPIT_INLINE result store_buffers(control& d, void* cell, object_key, const void* value, bool) {
    const bool is_text = d.type == datatype::char_type;
    const std::size_t bytes = is_text ? strnlen(static_cast<const char*>(value), d.count - 1) : bytes_of(d);
    return core::seqlock_view{cell, bytes_of(d)}.write(value, bytes) ? result::success : result::cannot_set_now;
}

// A text in memory, which its library may read byte by byte at the same time.
MPIT_INLINE result read_characters(control& d, void* cell, object_key, void* buffer) {
    core::load_text(static_cast<const char*>(cell), static_cast<char*>(buffer), d.count);
    return result::success;
}
MPIT_INLINE result store_characters(control& d, void* cell, object_key, const void* value, bool) {
    const auto* const characters = static_cast<const char*>(value);
    core::store_text(static_cast<char*>(cell),
                     {characters, static_cast<std::uint32_t>(strnlen(characters, d.count - 1))});
    return result::success;
}
MPIT_INLINE result write_text(control& d, void* cell, object_key key, const void* buffer) {
    if (d.scope <= mpit::scope::readonly) return result::cannot_set_ever;
    const bool has_null = strnlen(static_cast<const char*>(buffer), d.count) != d.count;
    return has_null ? take(d, cell, key, buffer, true) : result::invalid;
}
[[gnu::cold]] MPIT_INLINE apply_result parse_text(control& d, text written, bool is_running) {
    const bool is_longer = written.length >= d.count;
    if (is_longer && !d.takes_any_length) return apply_result::no_value;
    return take_from_outside(d, written.characters, is_running || is_longer || d.is_passed);
}

// The initial value and the range stand in the descriptor as tools see them. A tool may read the initial value of a
// number while its library gives it another one.
[[gnu::cold]] MPIT_INLINE void put_initial(const control& d, void* buffer) noexcept {
    const unsigned char* const initial = part_of(d, d.initial_offset);
    if (d.type == datatype::char_type) return static_cast<void>(std::memcpy(buffer, initial, d.count));
    const std::size_t size = d.codec.seen_size;
    for (std::size_t at = 0; at < d.count * size; at += size) {
        const std::uint64_t word =
            size == 8 ? __atomic_load_n(reinterpret_cast<const stored_64*>(initial + at), __ATOMIC_RELAXED)
                      : __atomic_load_n(reinterpret_cast<const stored_32*>(initial + at), __ATOMIC_RELAXED);
        show_word(d.codec, word, static_cast<char*>(buffer) + at);
    }
}
[[gnu::cold]] MPIT_INLINE void keep_initial(control& d) noexcept {
    if (d.has_default_value) return;
    unsigned char* initial = part_of(d, d.initial_offset);
    const auto* storage = static_cast<const unsigned char*>(storage_of(d));
    if (d.type == datatype::char_type) return static_cast<void>(d.operations->read(d, storage_of(d), 0, initial));
    const number_codec codec = d.codec;
    for (std::uint32_t i = 0; i < d.count; i++, initial += codec.seen_size, storage += codec.stored_size) {
        const std::uint64_t word = load(codec, storage);
        if (codec.seen_size == 8) __atomic_store_n(reinterpret_cast<stored_64*>(initial), word, __ATOMIC_RELAXED);
        else
            __atomic_store_n(reinterpret_cast<stored_32*>(initial), static_cast<std::uint32_t>(word), __ATOMIC_RELAXED);
    }
}
[[gnu::cold]] MPIT_INLINE void put_range(const control& d, void* minimum, void* maximum) noexcept {
    const unsigned char* const range = part_of(d, d.range_offset);
    std::memcpy(minimum, range, d.codec.seen_size);
    std::memcpy(maximum, range + d.codec.seen_size, d.codec.seen_size);
}

} // namespace descriptor
} // namespace mpit
