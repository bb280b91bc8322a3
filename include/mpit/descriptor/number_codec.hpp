// SPDX-License-Identifier: BSD-3-Clause
// Converts numbers whose type is known only at run time between storage, buffers of tools, and 64-bit words
// (core/value.hpp). Any thread and any signal handler may call the functions of this file.
//
//   const number_codec codec = codec_of<bool, int>();   store(codec, &number, 1);   if (load(codec, &number) != 0) ...
#pragma once

#include <mpit/core/value.hpp> // IWYU pragma: export

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

// The form in which tools see a number, and the form in storage. A bool may be stored in any number type.
struct number_codec {
    datatype type{};
    std::uint8_t tool_size = 0, stored_size = 0; // bytes in the buffer of a tool, bytes in storage
    bool is_signed : 1 = false, is_stored_signed : 1 = false, is_real : 1 = false, is_bool : 1 = false;

    // Returns true if storage and the buffer of a tool hold the same bytes.
    constexpr bool is_stored_unconverted() const noexcept { return tool_size == stored_size && !is_bool; }
};

template <class T> constexpr bool has_sign() {
    if constexpr (__is_same(T, bool)) return false;
    else if constexpr (__is_enum(T)) return has_sign<__underlying_type(T)>();
    else if constexpr (core::number<T>) return core::is_signed(core::value_type<T>::type);
    else return T(-1) < T(0);
}
template <class T, class Storage = T> constexpr number_codec codec_of() {
    constexpr datatype type = core::datatype_of<T>();
    return {.type = type,
            .tool_size = static_cast<std::uint8_t>(core::size_of(type)),
            .stored_size = sizeof(Storage),
            .is_signed = core::is_signed(type),
            .is_stored_signed = has_sign<Storage>(),
            .is_real = type == datatype::double_type,
            .is_bool = __is_same(T, bool)};
}

// Word types that may alias storage of any type, such as double or long long.
using stored_8 [[gnu::may_alias]] = std::uint8_t;
using stored_16 [[gnu::may_alias]] = std::uint16_t;
using stored_32 [[gnu::may_alias]] = std::uint32_t;
using stored_64 [[gnu::may_alias]] = std::uint64_t;

// Returns the number in storage as a 64-bit word, by one relaxed load.
inline std::uint64_t load(const number_codec& codec, const void* storage) noexcept {
    if (codec.stored_size == 8) return __atomic_load_n(static_cast<const stored_64*>(storage), __ATOMIC_RELAXED);
    const std::uint32_t word =
        codec.stored_size == 1   ? __atomic_load_n(static_cast<const stored_8*>(storage), __ATOMIC_RELAXED)
        : codec.stored_size == 4 ? __atomic_load_n(static_cast<const stored_32*>(storage), __ATOMIC_RELAXED)
                                 : __atomic_load_n(static_cast<const stored_16*>(storage), __ATOMIC_RELAXED);
    if (codec.is_bool) return word != 0;
    if (!codec.is_stored_signed) return word;
    const int shift = 32 - 8 * codec.stored_size;
    return static_cast<std::uint64_t>(static_cast<std::int32_t>(word << shift) >> shift);
}
// Stores a 64-bit word as a number, by one release store.
inline void store(const number_codec& codec, void* storage, std::uint64_t word) noexcept {
    const auto narrow = static_cast<std::uint32_t>(word);
    if (codec.stored_size == 8) __atomic_store_n(static_cast<stored_64*>(storage), word, __ATOMIC_RELEASE);
    else if (codec.stored_size == 4) __atomic_store_n(static_cast<stored_32*>(storage), narrow, __ATOMIC_RELEASE);
    else if (codec.stored_size == 1)
        __atomic_store_n(static_cast<stored_8*>(storage), static_cast<std::uint8_t>(narrow), __ATOMIC_RELEASE);
    else __atomic_store_n(static_cast<stored_16*>(storage), static_cast<std::uint16_t>(narrow), __ATOMIC_RELEASE);
}
// word_from_buffer() loads a word from the buffer of a tool, and word_to_buffer() stores a word in the buffer. The
// buffer may have any alignment.
inline std::uint64_t word_from_buffer(const number_codec& codec, const void* buffer) noexcept {
    std::uint64_t word = 0;
    if (codec.tool_size == 8) return std::memcpy(&word, buffer, 8), word;
    std::uint32_t narrow = 0;
    std::memcpy(&narrow, buffer, 4);
    return codec.is_signed ? static_cast<std::uint64_t>(static_cast<std::int32_t>(narrow)) : narrow;
}
inline void word_to_buffer(const number_codec& codec, std::uint64_t word, void* buffer) noexcept {
    const auto narrow = static_cast<std::uint32_t>(word);
    if (codec.tool_size == 8) std::memcpy(buffer, &word, 8);
    else std::memcpy(buffer, &narrow, 4);
}

// Returns true if the number `word` is from `low` to `high`. Returns false for a double that is not a number.
inline bool is_between(const number_codec& codec, std::uint64_t low, std::uint64_t word, std::uint64_t high) noexcept {
    if (codec.is_real)
        return core::double_of(word) >= core::double_of(low) && core::double_of(word) <= core::double_of(high);
    if (!codec.is_signed) return word >= low && word <= high;
    const auto number = static_cast<std::int64_t>(word);
    return number >= static_cast<std::int64_t>(low) && number <= static_cast<std::int64_t>(high);
}

// Return the smallest and the largest number of the type, as words.
constexpr std::uint64_t lowest_of(const number_codec& codec) noexcept {
    if (codec.is_real) return core::bits_of(-core::largest_double);
    if (!codec.is_signed) return 0;
    return codec.tool_size == 4 ? ~std::uint64_t{0x7fffffff} : std::uint64_t{1} << 63;
}
constexpr std::uint64_t highest_of(const number_codec& codec) noexcept {
    if (codec.is_real) return core::bits_of(core::largest_double);
    return ~std::uint64_t{0} >> ((codec.tool_size == 4 ? 32 : 0) + (codec.is_signed ? 1 : 0));
}

} // namespace descriptor
} // namespace mpit
