// SPDX-License-Identifier: BSD-3-Clause
// The hash of a name, and the look-up of a name in a table. Four blocks that overlap cover names of 16 to 64 characters
// without a branch on the length, two words those of 4 to 15; most real names have 10 to 60.
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
inline constexpr std::uint64_t keys[8] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3,
                                          0x589965cc75374cc3, 0x1d8e4e27c47d124f, 0xeb44accab455d165,
                                          0x2d358dccaa6c78a5, 0x8bb84b93962eacc9};

constexpr std::uint64_t byte_at(const char* bytes, std::uint32_t index) {
    return std::uint64_t{static_cast<unsigned char>(bytes[index])} << 8 * index;
}
constexpr std::uint64_t four_bytes(const char* bytes) {
    return byte_at(bytes, 0) | byte_at(bytes, 1) | byte_at(bytes, 2) | byte_at(bytes, 3);
}

// Of a text of 4 to 15 characters the first and the last eight, or four, which overlap.
constexpr bool is_two_ends(std::uint32_t length) { return length - 4 < 16 - 4; }
struct two_ends {
    std::uint64_t first, last;

    constexpr two_ends(const char* characters, std::uint32_t length)
        : first{length >= 8 ? eight_bytes(characters) : four_bytes(characters)},
          last{length >= 8 ? eight_bytes(characters + (length - 8)) : four_bytes(characters + (length - 4))} {}
    constexpr std::uint64_t hash(std::uint32_t length, std::uint64_t seed) const {
        return folded_product(first ^ (seed + 1) * second_odd, last ^ first_odd ^ length);
    }
    bool are(const two_ends& b) const noexcept { return ((first ^ b.first) | (last ^ b.last)) == 0; }
};

// The last `count` bytes, fewer than eight, of a text of fewer than four or of more than eight. The loads overlap, so
// that no loop depends on the count.
constexpr std::uint64_t last_bytes(text t, std::uint32_t count) {
    if (t.length >= 8) return eight_bytes(t.characters + (t.length - 8)) >> 1 >> (63 - 8 * count);
    return count == 0 ? 0
                      : byte_at(t.characters, 0) | byte_at(t.characters, count / 2) | byte_at(t.characters, count - 1);
}

// Of the shortest and the longest texts: eight bytes a step.
constexpr std::uint64_t hash_in_steps(text t, std::uint64_t seed) {
    std::uint64_t h = (seed + 1) * second_odd ^ t.length;
    const char* bytes = t.characters;
    std::uint32_t left = t.length;
    for (; left >= 8; left -= 8, bytes += 8) h = folded_product(h ^ eight_bytes(bytes), first_odd);
    return folded_product(h ^ last_bytes(t, left), second_odd);
}

constexpr bool is_four_blocks(std::uint32_t length) { return length - 16 <= 64 - 16; }
// Where the inner two blocks begin, of which the last one begins at `end`: each at most 16 bytes behind the one before.
constexpr std::uint32_t second_block(std::uint32_t end) { return end * 11 >> 5; }
constexpr std::uint32_t third_block(std::uint32_t end) { return end - second_block(end); }
// The last step, from two words in which all of the text is mixed.
constexpr std::uint64_t finished_hash(std::uint64_t low, std::uint64_t high, std::uint32_t end, std::uint64_t seed) {
    return folded_product((low + high) ^ end, high ^ seed); // quadratic: names that differ in the high word alone, too
}
// Of the two numbers of two bytes in a part of a word the sum of the products with those of `key`.
constexpr std::uint32_t weighted(std::uint32_t part, std::uint32_t key) {
    const auto product = [&](int from) {
        return static_cast<std::uint32_t>(static_cast<std::int16_t>(part >> from) *
                                          static_cast<std::int16_t>(key >> from));
    };
    return product(0) + product(16);
}

// four_blocks::hash, written with words of 64 bits.
constexpr std::uint64_t hash_of_four_blocks(text t, std::uint64_t seed) {
    const std::uint32_t end = t.length - 16, starts[4] = {0, second_block(end), third_block(end), end};
    std::uint32_t sums[4] = {}, turned[4] = {};
    for (int block = 0; block < 4; block++) {
        for (int i = 0; i < 4; i++) {
            const std::uint64_t bytes = eight_bytes(t.characters + starts[block] + 8 * (i / 2));
            const auto part = static_cast<std::uint32_t>(bytes >> 32 * (i % 2));
            sums[i] += weighted(part, static_cast<std::uint32_t>(keys[2 * block + i / 2] >> 32 * (i % 2)));
            turned[(i + 4 - block) % 4] ^= part;
        }
    }
    const auto word = [&](int i) { return std::uint64_t{sums[i + 1] + turned[i + 1]} << 32 | (sums[i] + turned[i]); };
    return finished_hash(word(0), word(2), end, seed);
}

#ifdef __SSE2__
// The four blocks of a text, each as far from its begin as the text allows.
struct four_blocks {
    vector_block first, second, third, fourth;

    four_blocks(const char* characters, std::uint32_t length) noexcept
        : first{vector_block::load(characters)},
          second{vector_block::load(characters + second_block(length - 16))},
          third{vector_block::load(characters + third_block(length - 16))},
          fourth{vector_block::load(characters + (length - 16))} {}
    std::uint64_t hash(std::uint32_t length, std::uint64_t seed) const noexcept {
        const auto key = [](int block) { return vector_block{keys[2 * block], keys[2 * block + 1]}; };
        const vector_block half = first.weighted(key(0)).plus(second.weighted(key(1)));
        const vector_block sums = half.plus(third.weighted(key(2)).plus(fourth.weighted(key(3))));
        // Small multiples of the keys of places 16 bytes apart may have the sum 0. Turned, these places do not meet.
        const vector_block all = sums.plus((first ^ second.turned<1>()) ^ (third.turned<2>() ^ fourth.turned<3>()));
        return finished_hash(all.low(), all.high(), length - 16, seed);
    }
    bool are(const four_blocks& b) const noexcept {
        return vector_block::are_all_set((first == b.first) & (second == b.second) &
                                         ((third == b.third) & (fourth == b.fourth)));
    }
};
#endif

} // namespace detail

// The same in the compiler and at run time on little-endian machines. `seed` tells apart what shares a table.
constexpr std::uint64_t hash(text t, std::uint64_t seed = 0) {
    if (detail::is_two_ends(t.length)) return detail::two_ends{t.characters, t.length}.hash(t.length, seed);
    if (!detail::is_four_blocks(t.length)) return detail::hash_in_steps(t, seed);
#ifdef __SSE2__
    if (!__builtin_is_constant_evaluated()) return detail::four_blocks{t.characters, t.length}.hash(t.length, seed);
#endif
    return detail::hash_of_four_blocks(t, seed);
}

#ifdef __SSE2__
namespace MPIT_MODULE_LOCAL detail {

// A look-up that reads the name once, as `Blocks`, for the hash and for the comparison.
template <class Blocks, class Table, class Fits>
[[gnu::always_inline]] inline auto find_as(const Table& table, text name, std::uint64_t seed, Fits fits) noexcept {
    const Blocks wanted{name.characters, name.length};
    return table.find_quickly(wanted.hash(name.length, seed), [&](const auto& e) __attribute__((always_inline)) {
        if (!fits(e) || e.name.length != name.length) [[unlikely]]
            return false;
        return wanted.are(Blocks{e.name.characters, name.length});
    });
}

} // namespace detail
#endif

// The entry of a table that has the name and for which `fits(entry)` holds, or null.
template <class Table, class Fits>
[[gnu::noinline]] auto* find_by_any_name(const Table& table, text name, std::uint64_t seed, Fits fits) noexcept {
#ifdef __SSE2__
    if (detail::is_two_ends(name.length)) [[likely]] {
        const auto found = detail::find_as<detail::two_ends>(table, name, seed, fits);
        if (found.is_certain) [[likely]]
            return found.entry;
    }
#endif
    return table.find(hash(name, seed), [&](const auto& e) { return fits(e) && equal(e.name, name); });
}
// The same, faster for most names. All others are left to `find_at_length()`, which calls find_by_any_name.
template <class Table, class Fits, class FindAtLength>
[[gnu::always_inline]] inline auto find_by_name([[maybe_unused]] const Table& table, [[maybe_unused]] text name,
                                                [[maybe_unused]] std::uint64_t seed, [[maybe_unused]] Fits fits,
                                                FindAtLength find_at_length) noexcept {
#ifdef __SSE2__
    if (detail::is_four_blocks(name.length)) [[likely]] {
        const auto found = detail::find_as<detail::four_blocks>(table, name, seed, fits);
        if (found.is_certain) [[likely]]
            return found.entry;
    }
#endif
    return find_at_length();
}
template <class Table, class Fits>
[[gnu::always_inline]] inline auto* find_by_name(const Table& table, text name, std::uint64_t seed,
                                                 Fits fits) noexcept {
    return find_by_name(table, name, seed, fits, [&] { return find_by_any_name(table, name, seed, fits); });
}

} // namespace core
} // namespace mpit
