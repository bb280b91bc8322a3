// SPDX-License-Identifier: BSD-3-Clause
// Texts in arrays of char, as tools read and write them: stored and loaded byte by byte, or filled by a function of the
// library.
//
//   store_text(name, "eth0");   load_text(name, buffer, sizeof buffer);   fill_text(buffer, size, print_name);
#pragma once

#include <mpit/core/text.hpp>

#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The largest size of a text that is described at run time, in bytes with its null.
inline constexpr std::uint32_t largest_text = 1u << 20;

// Stores a text by relaxed stores of single bytes, the last byte first. A concurrent load_text() finds a terminating
// null at every moment, and may read parts of both texts.
inline void store_text(char* buffer, text source) noexcept {
    __atomic_store_n(buffer + source.length, '\0', __ATOMIC_RELAXED);
    for (std::uint32_t i = source.length; i-- > 0;)
        __atomic_store_n(buffer + i, source.characters[i], __ATOMIC_RELAXED);
}
// Loads at most `size` - 1 bytes of a stored text into a buffer of `size` bytes; the remaining bytes become nulls.
inline void load_text(const char* source, char* buffer, std::uint32_t size) noexcept {
    std::memset(buffer, 0, size);
    for (std::uint32_t i = 0; i + 1 < size; i++)
        if ((buffer[i] = __atomic_load_n(source + i, __ATOMIC_RELAXED)) == '\0') break;
}
// Calls `fill` to write a text into a buffer of `size` bytes, and fills the bytes behind its null with nulls.
template <class Function> void fill_text(char* buffer, std::uint32_t size, const Function& fill) {
    std::memset(buffer, 0, size);
    fill(buffer);
    buffer[size - 1] = '\0';
    const std::size_t length = std::strlen(buffer);
    std::memset(buffer + length, 0, size - length);
}

} // namespace core
} // namespace mpit
