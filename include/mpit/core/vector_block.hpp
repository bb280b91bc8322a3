// SPDX-License-Identifier: BSD-3-Clause
// A block of 16 bytes in a vector register. The class vector_block exists on architectures with SSE2, such as x86-64.
//
//   vector_block a = vector_block::load(name), b = vector_block::load(name + 16);   vector_block::are_all_set(a == b)
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <cstring>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

#ifdef __SSE2__
class vector_block {
    using words [[gnu::vector_size(16)]] = unsigned long long;
    using bytes [[gnu::vector_size(16)]] = char;

public:
    vector_block(std::uint64_t low, std::uint64_t high) noexcept : words_{low, high} {}
    static vector_block load(const void* bytes) noexcept {
        words block;
        std::memcpy(&block, bytes, sizeof block);
        return block;
    }
    // Multiplies the signed 16-bit elements of two blocks and adds each pair of adjacent products (pmaddwd).
    vector_block multiply_add(vector_block key) const noexcept {
        using shorts [[gnu::vector_size(16)]] = short;
        return reinterpret_cast<words>(
            __builtin_ia32_pmaddwd128(reinterpret_cast<shorts>(words_), reinterpret_cast<shorts>(key.words_)));
    }
    // Adds the 32-bit elements of two blocks.
    vector_block plus(vector_block b) const noexcept {
        using elements [[gnu::vector_size(16)]] = unsigned int;
        return reinterpret_cast<words>(reinterpret_cast<elements>(words_) + reinterpret_cast<elements>(b.words_));
    }
    // Rotates the four 32-bit elements. Element i of the rotated block is element (i + By) % 4 of this block.
    template <int By> vector_block rotated() const noexcept {
        using elements [[gnu::vector_size(16)]] = unsigned int;
        const auto e = reinterpret_cast<elements>(words_);
        return reinterpret_cast<words>(__builtin_shufflevector(e, e, By & 3, (By + 1) & 3, (By + 2) & 3, (By + 3) & 3));
    }
    vector_block operator^(vector_block b) const noexcept { return words_ ^ b.words_; }
    // Returns a block in which all bits of a byte are set if the byte is equal in both operands.
    vector_block operator==(vector_block b) const noexcept {
        return reinterpret_cast<words>(reinterpret_cast<bytes>(words_) == reinterpret_cast<bytes>(b.words_));
    }
    vector_block operator&(vector_block b) const noexcept { return words_ & b.words_; }
    std::uint64_t low() const noexcept { return words_[0]; }
    std::uint64_t high() const noexcept { return words_[1]; }
    static bool are_all_set(vector_block comparison) noexcept {
        return __builtin_ia32_pmovmskb128(reinterpret_cast<bytes>(comparison.words_)) == 0xffff;
    }

    // Compares the upper 16 bits of each of the eight words of a cache line with the upper 16 bits of `pattern`.
    // Returns four bits for each word, and sets the highest of the four if the upper 16 bits are equal.
    static std::uint32_t match_upper_16_bits(const void* eight_words, std::uint64_t pattern) noexcept {
        using shorts [[gnu::vector_size(16), gnu::may_alias]] = short;
        const auto* blocks = static_cast<const shorts*>(eight_words);
        const words patterns{pattern, pattern};
        const auto key = reinterpret_cast<shorts>(patterns);
        const auto mask = [&](const shorts& first, const shorts& second) {
            return static_cast<std::uint32_t>(
                __builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(first == key, second == key)));
        };
        return (mask(blocks[0], blocks[1]) | mask(blocks[2], blocks[3]) << 16) & 0x88888888;
    }

private:
    vector_block(words w) noexcept : words_{w} {}

    words words_;
};
#endif

} // namespace core
} // namespace mpit
