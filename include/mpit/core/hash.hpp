// SPDX-License-Identifier: BSD-3-Clause
// The hash of a name, and the look-up of a name in a table. Four blocks that overlap cover names of up to 64 characters
// without a branch on the length; most real names have 10 to 60.
//
//   record* found = find_by_name(names, "EAGER_LIMIT", seed, [](const record&) { return true; });
#pragma once

#include <mpit/core/message.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using wide = unsigned __int128;
    const wide product = wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

namespace MPIT_MODULE_LOCAL detail {

inline constexpr std::uint64_t first_odd = 0x9e3779b97f4a7c15, second_odd = 0xd6e8feb86659fd93;
inline constexpr std::uint64_t keys[8] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3,
                                          0x1d8e4e27c47d124f, 0xeb44accab455d165, 0x2d358dccaa6c78a5, 0x8bb84b93962eacc9};

constexpr std::uint64_t byte_at(const char* bytes, std::uint32_t index) {
    return std::uint64_t{static_cast<unsigned char>(bytes[index])} << 8 * index;
}
// The last `count` bytes, fewer than eight, of a text. The loads overlap, so that no loop depends on the count.
constexpr std::uint64_t last_bytes(text t, std::uint32_t count) {
    const char* bytes = t.characters + (t.length - count);
    if (t.length >= 8) return eight_bytes(t.characters + (t.length - 8)) >> 1 >> (63 - 8 * count);
    const auto four_bytes = [](const char* part) {
        return byte_at(part, 0) | byte_at(part, 1) | byte_at(part, 2) | byte_at(part, 3);
    };
    if (count >= 4) return four_bytes(bytes) | four_bytes(bytes + (count - 4)) << 8 * (count - 4);
    return count == 0 ? 0 : byte_at(bytes, 0) | byte_at(bytes, count / 2) | byte_at(bytes, count - 1);
}

// Of texts that are not four blocks: eight bytes a step.
constexpr std::uint64_t hash_in_steps(text t, std::uint64_t seed) {
    std::uint64_t h = (seed + 1) * second_odd ^ t.length;
    const char* bytes = t.characters;
    std::uint32_t left = t.length;
    for (; left >= 8; left -= 8, bytes += 8) h = folded_product(h ^ eight_bytes(bytes), first_odd);
    return folded_product(h ^ last_bytes(t, left), second_odd);
}

constexpr bool is_four_blocks(std::uint32_t length) { return length - 16 <= 64 - 16; }
// The last step, from two words in which all of the text is mixed.
constexpr std::uint64_t finished_hash(std::uint64_t low, std::uint64_t high, std::uint32_t length, std::uint64_t seed) {
    return folded_product(low ^ length * second_odd, high ^ (seed + 1) * first_odd);
}
constexpr std::uint64_t scrambled(std::uint64_t word, std::uint64_t key) {
    return word + ((word ^ key) & 0xffffffff) * ((word ^ key) >> 32);
}

// four_blocks::hash, written with words of 64 bits.
constexpr std::uint64_t hash_of_four_blocks(text t, std::uint64_t seed) {
    const std::uint32_t end = t.length - 16;
    const char* const blocks[4] = {t.characters, t.characters + (end < 16 ? end : 16),
                                   t.characters + (end < 32 ? end : 32), t.characters + end};
    const std::uint64_t b0 = eight_bytes(blocks[1]), b1 = eight_bytes(blocks[1] + 8);
    const bool is_short = end <= 16; // all others are the second one
    const std::uint64_t c0 = is_short ? b0 : eight_bytes(blocks[2]), c1 = is_short ? b1 : eight_bytes(blocks[2] + 8);
    const std::uint64_t d0 = is_short ? b0 : eight_bytes(blocks[3]), d1 = is_short ? b1 : eight_bytes(blocks[3] + 8);
    const std::uint64_t low = scrambled(c0, keys[4]) + scrambled(d1, keys[7]);
    const std::uint64_t high = scrambled(c1, keys[5]) + scrambled(d0, keys[6]);
    return finished_hash(
        (scrambled(eight_bytes(blocks[0]), keys[0]) + scrambled(b1, keys[3]) + low) ^ (low >> 32 | high << 32),
        (scrambled(eight_bytes(blocks[0] + 8), keys[1]) + scrambled(b0, keys[2]) + high) ^ (high >> 32 | low << 32),
        t.length, seed);
}

#if MPIT_HAS_VECTORS
// The four blocks of a text, each as far from its begin as the text allows.
struct four_blocks {
    vector_block first, second, third, fourth;

    explicit four_blocks(text t) noexcept
        : first{vector_block::load(t.characters)},
          second{at_most(t, 16)},
          third{at_most(t, 32)},
          fourth{vector_block::load(t.characters + (t.length - 16))} {}
    std::uint64_t hash(std::uint32_t length, std::uint64_t seed) const noexcept {
        const auto key = [](int block) { return vector_block{keys[2 * block], keys[2 * block + 1]}; };
        const vector_block half = first.scrambled(key(0)) + second.scrambled(key(1)).swapped();
        const vector_block other = third.scrambled(key(2)) + fourth.scrambled(key(3)).swapped();
        const vector_block all = (half + other) ^ other.rotated();
        return finished_hash(all.low(), all.high(), length, seed);
    }
    bool are(const four_blocks& b) const noexcept {
        return (((first ^ b.first) | (second ^ b.second)) | ((third ^ b.third) | (fourth ^ b.fourth))).is_zero();
    }

private:
    static vector_block at_most(text t, std::uint32_t start) noexcept {
        const std::uint32_t end = t.length - 16;
        return vector_block::load(t.characters + (start < end ? start : end));
    }
};
#endif

} // namespace detail

// The same in the compiler and at run time on little-endian machines. `seed` tells apart what shares a table.
constexpr std::uint64_t hash(text t, std::uint64_t seed = 0) {
    if (!detail::is_four_blocks(t.length)) return detail::hash_in_steps(t, seed);
#if MPIT_HAS_VECTORS
    if (!__builtin_is_constant_evaluated()) return detail::four_blocks{t}.hash(t.length, seed);
#endif
    return detail::hash_of_four_blocks(t, seed);
}

// The entry of a table that has the name and for which `fits(entry)` holds, or null.
template <class Table, class Fits>
[[gnu::noinline]] auto* find_by_any_name(const Table& table, text name, std::uint64_t seed, Fits fits) noexcept {
    return table.find(hash(name, seed), [&](const auto& e) { return fits(e) && equal(e.name, name); });
}
// The same, faster for most names: they are read once, for the hash and for all comparisons.
template <class Table, class Fits>
[[gnu::always_inline]] inline auto* find_by_name(const Table& table, text name, std::uint64_t seed,
                                                 Fits fits) noexcept {
#if MPIT_HAS_VECTORS
    if (detail::is_four_blocks(name.length)) [[likely]] {
        const detail::four_blocks wanted{name};
        return table.find(wanted.hash(name.length, seed), [&](const auto& e) {
            return fits(e) && e.name.length == name.length && wanted.are(detail::four_blocks{e.name});
        });
    }
#endif
    return find_by_any_name(table, name, seed, fits);
}

} // namespace core
} // namespace mpit
