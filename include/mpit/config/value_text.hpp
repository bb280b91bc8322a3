// SPDX-License-Identifier: BSD-3-Clause
// Formats values of control variables in the spelling that mpit's parsers accept. A number has the fewest digits that
// parse as the same number. A value of an enumeration is written as a name, and commas separate array elements.
//
//   text_buffer output{buffer, size};   format_value(variable, value, output);   if (output.length() >= size) …
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/core/real_text.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::is_signed;
using core::text;

// Collects text in a buffer. A text that exceeds the buffer is cut, but length() counts the omitted bytes, too.
class text_buffer {
public:
    [[gnu::cold]] text_buffer(char* buffer, std::size_t size) noexcept : buffer_{buffer}, size_{size} {
        if (size != 0) *buffer = '\0';
    }
    [[gnu::cold]] void add(text part) noexcept {
        if (length_ + 1 < size_) {
            const std::size_t space = size_ - 1 - length_, copied = part.length < space ? part.length : space;
            std::memcpy(buffer_ + length_, part.characters, copied);
            buffer_[length_ + copied] = '\0';
        }
        length_ += part.length;
    }
    [[gnu::format(printf, 2, 3), gnu::cold]] void print(const char* format, ...) noexcept {
        char formatted[64];
        std::va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(formatted, sizeof formatted, format, arguments);
        va_end(arguments);
        add(formatted);
    }
    std::size_t length() const noexcept { return length_; }

private:
    char* buffer_;
    std::size_t size_, length_ = 0;
};

// highest_of() and lowest_of() return the highest and the lowest value of a datatype as a 64-bit word.
constexpr std::uint64_t highest_of(datatype type) {
    if (type == datatype::double_type) return core::bits_of(__DBL_MAX__);
    return ~std::uint64_t{0} >> (64 - 8 * core::size_of(type) + is_signed(type));
}
constexpr std::uint64_t lowest_of(datatype type) {
    if (type == datatype::double_type) return core::bits_of(-__DBL_MAX__);
    return is_signed(type) ? ~highest_of(type) : 0;
}

[[gnu::cold]] inline void format_number(datatype type, std::uint64_t word, text_buffer& output) noexcept {
    if (type == datatype::double_type) return output.add(core::real_text{core::double_of(word)}.characters);
    if (is_signed(type)) output.print("%lld", static_cast<long long>(word));
    else output.print("%llu", static_cast<unsigned long long>(word));
}
[[gnu::cold]] inline void format_item(const core::enumeration_view& enumeration, int value,
                                      text_buffer& output) noexcept {
    if (const int item = enumeration.position(value); item >= 0) output.add(enumeration.items[item].name);
    else output.print("%d", value);
}

// Formats a value of an unbound control variable. `value` has the form in which tools read the variable.
[[gnu::cold]] inline void format_value(const descriptor::control& variable, const void* value,
                                       text_buffer& output) noexcept {
    const auto* bytes = static_cast<const char*>(value);
    if (variable.type == datatype::char_type)
        return output.add({bytes, static_cast<std::uint32_t>(strnlen(bytes, variable.count))});
    for (std::uint32_t i = 0; i < variable.count; i++) {
        if (i != 0) output.add(",");
        const std::uint64_t word = core::word_from(variable.type, bytes + i * core::size_of(variable.type));
        if (variable.enumeration.count != 0) format_item(variable.enumeration, static_cast<int>(word), output);
        else format_number(variable.type, word, output);
    }
}

// Calls `use(value)` with the variable's initial value if `is_initial` is true, or else with the current value. Returns
// false if the value is unknown or cannot be read, as for a bound variable, or if memory is exhausted.
template <class Use>
[[gnu::cold]] bool use_value(descriptor::control& variable, bool is_initial, const Use& use) noexcept {
    const std::size_t size = std::size_t{variable.count} * core::size_of(variable.type);
    alignas(8) char buffer[512];
    void* value = size <= sizeof buffer ? buffer : core::memory_is_left() ? std::malloc(size) : nullptr;
    bool has_value = false;
    if (value != nullptr && is_initial) {
        has_value = variable.has_initial();
        if (has_value) descriptor::copy_initial(variable, value);
    } else if (value != nullptr) {
        std::uint32_t generation = 0;
        void* cell = variable.binding == binding::none ? variable.operations->locate(variable, 0, generation) : nullptr;
        has_value = cell != nullptr && variable.operations->read(variable, cell, 0, value) == result::success;
    }
    if (has_value) use(static_cast<const void*>(value));
    if (value != buffer) std::free(value);
    return has_value;
}

// True if `value` is not the initial value, or if the initial value is unknown and the library has not set the value.
[[gnu::cold]] inline bool is_changed(descriptor::control& variable, const void* value) noexcept {
    if (!variable.has_initial()) return current_provenance(variable).origin() != origin::library;
    bool is_same = true;
    use_value(variable, true, [&](const void* declared) {
        is_same = std::memcmp(value, declared, std::size_t{variable.count} * core::size_of(variable.type)) == 0;
    });
    return !is_same;
}

} // namespace registry
} // namespace mpit
