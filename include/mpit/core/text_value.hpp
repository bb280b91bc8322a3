// SPDX-License-Identifier: BSD-3-Clause
// Stores and loads texts in arrays of char, which tools and the library may access concurrently. store_text() and
// load_text() access single bytes atomically. fill_text() calls a function that writes the text into a buffer.
//
//   store_text(name, "eth0");   load_text(name, buffer, sizeof buffer);   fill_text(buffer, size, print_name);
#pragma once

#include <mpit/core/text.hpp>

#include <cstring>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The largest size in bytes, with the terminating null, of a text variable that is described at run time.
inline constexpr std::uint32_t largest_text = 1u << 20;

// Stores a text by relaxed atomic stores of single bytes, from the last byte to the first. A concurrent load_text()
// always finds a terminating null, but may return a mixture of the old and the new text.
inline void store_text(char* buffer, text source) noexcept {
    __atomic_store_n(buffer + source.length, '\0', __ATOMIC_RELAXED);
    for (std::uint32_t i = source.length; i-- > 0;)
        __atomic_store_n(buffer + i, source.characters[i], __ATOMIC_RELAXED);
}
// Loads at most `size` - 1 bytes of a text into a buffer of `size` bytes, and sets the rest of the buffer to zero.
inline void load_text(const char* source, char* buffer, std::uint32_t size) noexcept {
    std::memset(buffer, 0, size);
    for (std::uint32_t i = 0; i + 1 < size; i++)
        if ((buffer[i] = __atomic_load_n(source + i, __ATOMIC_RELAXED)) == '\0') break;
}
// Calls `fill`, which writes a text into a buffer of `size` bytes, and sets all bytes after the text to null.
template <class Function> void fill_text(char* buffer, std::uint32_t size, const Function& fill) {
    std::memset(buffer, 0, size);
    fill(buffer);
    buffer[size - 1] = '\0';
    const std::size_t length = std::strlen(buffer);
    std::memset(buffer + length, 0, size - length);
}

} // namespace core
} // namespace mpit
