// SPDX-License-Identifier: BSD-3-Clause
// Texts in arrays of char, as tools read and write them: stored and loaded byte by byte, or filled by a function of the
// library.
//
//   store_text(name, "eth0");   load_text(name, buffer, sizeof buffer);   fill_text(buffer, room, [](char* text) { … });
#pragma once

#include <mpit/core/text.hpp>

#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// Bytes of the largest text that is described at run time, with its null.
inline constexpr std::uint32_t largest_text = 1u << 20;

// Stores a text byte by byte, the last byte first. A concurrent reader finds a terminating null at every moment, and
// may see parts of both texts.
inline void store_text(char* buffer, text written) noexcept {
    __atomic_store_n(buffer + written.length, '\0', __ATOMIC_RELAXED);
    for (std::uint32_t i = written.length; i-- > 0;)
        __atomic_store_n(buffer + i, written.characters[i], __ATOMIC_RELAXED);
}
// Loads at most `room` - 1 bytes of one into a buffer, and nulls behind them.
inline void load_text(const char* source, char* buffer, std::uint32_t room) noexcept {
    std::memset(buffer, 0, room);
    for (std::uint32_t i = 0; i + 1 < room; i++)
        if ((buffer[i] = __atomic_load_n(source + i, __ATOMIC_RELAXED)) == '\0') break;
}
// Lets a function write at most `room` - 1 bytes of one into a buffer. Bytes behind its null become nulls.
template <class Function> void fill_text(char* buffer, std::uint32_t room, const Function& fill) {
    std::memset(buffer, 0, room);
    fill(buffer);
    buffer[room - 1] = '\0';
    const std::size_t length = std::strlen(buffer);
    std::memset(buffer + length, 0, room - length);
}

} // namespace core
} // namespace mpit
