// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 16 bytes, on processors whose every model has vector instructions for them.
//
//   vector_block a = vector_block::load(name), b = vector_block::load(name + 16);   (a ^ b).is_zero()
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

#if MPIT_HAS_VECTORS
class vector_block {
    using words [[gnu::vector_size(16)]] = unsigned long long;
    using halves [[gnu::vector_size(16)]] = int;
    using bytes [[gnu::vector_size(16)]] = char;

public:
    vector_block(std::uint64_t low, std::uint64_t high) noexcept : words_{low, high} {}
    static vector_block load(const void* bytes) noexcept {
        words all;
        std::memcpy(&all, bytes, sizeof all);
        return all;
    }
    // Adds to each word the product of the halves that it has with `key`.
    vector_block scrambled(vector_block key) const noexcept {
        const auto mixed = reinterpret_cast<halves>(words_ ^ key.words_);
        const auto other = __builtin_shufflevector(mixed, mixed, 1, 0, 3, 2);
        return words_ + reinterpret_cast<words>(__builtin_ia32_pmuludq128(mixed, other));
    }
    vector_block swapped() const noexcept { return __builtin_shufflevector(words_, words_, 1, 0); }
    // All down by four bytes; the first ones become the last.
    vector_block rotated() const noexcept {
        const auto parts = reinterpret_cast<halves>(words_);
        return reinterpret_cast<words>(__builtin_shufflevector(parts, parts, 1, 2, 3, 0));
    }
    vector_block operator+(vector_block b) const noexcept { return words_ + b.words_; }
    vector_block operator^(vector_block b) const noexcept { return words_ ^ b.words_; }
    vector_block operator|(vector_block b) const noexcept { return words_ | b.words_; }
    std::uint64_t low() const noexcept { return words_[0]; }
    std::uint64_t high() const noexcept { return words_[1]; }
    bool is_zero() const noexcept {
        return __builtin_ia32_pmovmskb128(reinterpret_cast<bytes>(words_) == bytes{}) == 0xffff;
    }

    // Which of eight words have the tag in their upper 16 bits, a bit for each.
    static std::uint32_t tagged(const void* eight_words, std::uint64_t tag) noexcept {
        const auto* bytes = static_cast<const char*>(eight_words);
        const auto number = static_cast<int>(tag);
        return tags_of(bytes, number) | tags_of(bytes + 32, number) << 4;
    }

private:
    vector_block(words w) noexcept : words_{w} {}
    static std::uint32_t tags_of(const char* four_words, int tag) noexcept {
        const auto first = reinterpret_cast<halves>(load(four_words).words_ >> 48);
        const auto second = reinterpret_cast<halves>(load(four_words + 16).words_ >> 48);
        const halves tags = __builtin_shufflevector(first, second, 0, 2, 4, 6), wanted = {tag, tag, tag, tag};
        using bits [[gnu::vector_size(16)]] = float;
        return static_cast<std::uint32_t>(__builtin_ia32_movmskps(reinterpret_cast<bits>(tags == wanted)));
    }

    words words_;
};
#endif

} // namespace core
} // namespace mpit
