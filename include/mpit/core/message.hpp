// SPDX-License-Identifier: BSD-3-Clause
// Blocks of 16 bytes, on processors whose every model has vector instructions for them.
//
//   vector_block a = vector_block::load(name), b = vector_block::load(name + 16);   vector_block::are_all_set(a == b)
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

#ifdef __SSE2__
class vector_block {
    using words [[gnu::vector_size(16)]] = unsigned long long;
    using bytes [[gnu::vector_size(16)]] = char;

public:
    vector_block(std::uint64_t low, std::uint64_t high) noexcept : words_{low, high} {}
    static vector_block load(const void* bytes) noexcept {
        words all;
        std::memcpy(&all, bytes, sizeof all);
        return all;
    }
    // Of each pair of adjacent numbers of two bytes, the sum of their products with those of `key`, in four bytes.
    vector_block weighted(vector_block key) const noexcept {
        using shorts [[gnu::vector_size(16)]] = short;
        return reinterpret_cast<words>(
            __builtin_ia32_pmaddwd128(reinterpret_cast<shorts>(words_), reinterpret_cast<shorts>(key.words_)));
    }
    // In each four bytes.
    vector_block plus(vector_block b) const noexcept {
        using parts [[gnu::vector_size(16)]] = unsigned int;
        return reinterpret_cast<words>(reinterpret_cast<parts>(words_) + reinterpret_cast<parts>(b.words_));
    }
    // Each four bytes at the place of those that many before them.
    template <int By> vector_block turned() const noexcept {
        using parts [[gnu::vector_size(16)]] = unsigned int;
        const auto p = reinterpret_cast<parts>(words_);
        return reinterpret_cast<words>(__builtin_shufflevector(p, p, By & 3, (By + 1) & 3, (By + 2) & 3, (By + 3) & 3));
    }
    vector_block operator^(vector_block b) const noexcept { return words_ ^ b.words_; }
    // All bits of each byte that is the same.
    vector_block operator==(vector_block b) const noexcept {
        return reinterpret_cast<words>(reinterpret_cast<bytes>(words_) == reinterpret_cast<bytes>(b.words_));
    }
    vector_block operator&(vector_block b) const noexcept { return words_ & b.words_; }
    std::uint64_t low() const noexcept { return words_[0]; }
    std::uint64_t high() const noexcept { return words_[1]; }
    static bool are_all_set(vector_block of_comparisons) noexcept {
        return __builtin_ia32_pmovmskb128(reinterpret_cast<bytes>(of_comparisons.words_)) == 0xffff;
    }

    // Which of eight words in one cache line have the upper 16 bits of `pattern`: the highest of four bits for each.
    static std::uint32_t tagged(const void* eight_words, std::uint64_t pattern) noexcept {
        using shorts [[gnu::vector_size(16), gnu::may_alias]] = short;
        const auto* four = static_cast<const shorts*>(eight_words);
        const words both{pattern, pattern};
        const auto wanted = reinterpret_cast<shorts>(both);
        const auto bits = [&](const shorts& first, const shorts& second) {
            return static_cast<std::uint32_t>(
                __builtin_ia32_pmovmskb128(__builtin_ia32_packsswb128(first == wanted, second == wanted)));
        };
        return (bits(four[0], four[1]) | bits(four[2], four[3]) << 16) & 0x88888888;
    }

private:
    vector_block(words w) noexcept : words_{w} {}

    words words_;
};
#endif

} // namespace core
} // namespace mpit
