// SPDX-License-Identifier: BSD-3-Clause
// Values as text, in the spelling that they are parsed in: numbers with the fewest digits that tell them from all
// others, items of enumerations by name, elements separated by commas.
//
//   text_room to{buffer, size};   write_value(variable, value, to);   if (to.length() >= size) …
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/core/real_text.hpp>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::is_signed;
using core::text;

// A buffer that keeps what fits, with a null behind it, and counts all.
class text_room {
public:
    [[gnu::cold]] text_room(char* buffer, std::size_t size) noexcept : buffer_{buffer}, size_{size} {
        if (size != 0) *buffer = '\0';
    }
    [[gnu::cold]] void add(text more) noexcept {
        if (length_ + 1 < size_) {
            const std::size_t room = size_ - 1 - length_, copied = more.length < room ? more.length : room;
            std::memcpy(buffer_ + length_, more.characters, copied);
            buffer_[length_ + copied] = '\0';
        }
        length_ += more.length;
    }
    [[gnu::format(printf, 2, 3), gnu::cold]] void print(const char* format, ...) noexcept {
        char words[64];
        std::va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(words, sizeof words, format, arguments);
        va_end(arguments);
        add(words);
    }
    std::size_t length() const noexcept { return length_; }

private:
    char* buffer_;
    std::size_t size_, length_ = 0;
};

// The ends of a type, as words.
constexpr std::uint64_t highest_of(datatype type) {
    if (type == datatype::double_type) return core::bits_of(__DBL_MAX__);
    return ~std::uint64_t{0} >> (64 - 8 * core::size_of(type) + is_signed(type));
}
constexpr std::uint64_t lowest_of(datatype type) {
    if (type == datatype::double_type) return core::bits_of(-__DBL_MAX__);
    return is_signed(type) ? ~highest_of(type) : 0;
}

[[gnu::cold]] inline void write_number(datatype type, std::uint64_t word, text_room& room) noexcept {
    if (type == datatype::double_type) return room.add(core::real_text{core::double_of(word)}.characters);
    if (is_signed(type)) room.print("%lld", static_cast<long long>(word));
    else room.print("%llu", static_cast<unsigned long long>(word));
}
[[gnu::cold]] inline void write_item(const core::enumeration_view& enumeration, int value, text_room& room) noexcept {
    if (const int item = enumeration.position(value); item >= 0) room.add(enumeration.items[item].name);
    else room.print("%d", value);
}

// A whole value of an unbound variable, as it is read by a tool.
[[gnu::cold]] inline void write_value(const descriptor::control& variable, const void* value,
                                      text_room& room) noexcept {
    const auto* bytes = static_cast<const char*>(value);
    if (variable.type == datatype::char_type)
        return room.add({bytes, static_cast<std::uint32_t>(strnlen(bytes, variable.count))});
    for (std::uint32_t i = 0; i < variable.count; i++) {
        if (i != 0) room.add(",");
        const std::uint64_t word = core::word_from(variable.type, bytes + i * core::size_of(variable.type));
        if (variable.enumeration.count != 0) write_item(variable.enumeration, static_cast<int>(word), room);
        else write_number(variable.type, word, room);
    }
}

// Calls `use(value)` with the present value of an unbound variable, or the declared one; false if it cannot be had.
template <class Use>
[[gnu::cold]] bool use_value(descriptor::control& variable, bool is_initial, const Use& use) noexcept {
    const std::size_t bytes = std::size_t{variable.count} * core::size_of(variable.type);
    alignas(8) char small[512];
    void* value = bytes <= sizeof small ? small : core::memory_is_left() ? std::malloc(bytes) : nullptr;
    bool is_there = false;
    if (value != nullptr && is_initial) {
        is_there = variable.has_initial();
        if (is_there) descriptor::put_initial(variable, value);
    } else if (value != nullptr) {
        std::uint32_t generation = 0;
        void* cell = variable.binding == binding::none ? variable.operations->locate(variable, 0, generation) : nullptr;
        is_there = cell != nullptr && variable.operations->read(variable, cell, 0, value) == result::success;
    }
    if (is_there) use(static_cast<const void*>(value));
    if (value != small) std::free(value);
    return is_there;
}

// Whether a value is another one than the variable was declared with; if that one is not known, whether another origin
// than the library has set it.
[[gnu::cold]] inline bool is_changed(descriptor::control& variable, const void* value) noexcept {
    if (!variable.has_initial()) return present_provenance(variable).origin() != origin::library;
    bool is_same = true;
    use_value(variable, true, [&](const void* declared) {
        is_same = std::memcmp(value, declared, std::size_t{variable.count} * core::size_of(variable.type)) == 0;
    });
    return !is_same;
}

} // namespace registry
} // namespace mpit
