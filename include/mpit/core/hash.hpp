// SPDX-License-Identifier: BSD-3-Clause
// Hashes names and finds a name in a hash table. A name of 16 to 64 characters is hashed as four overlapping blocks
// without a branch on the length, and a name of 4 to 15 characters as two words. Most names have 10 to 60 characters.
//
//   record* entry = find_by_name(names, "EAGER_LIMIT", seed, [](const record&) { return true; });
#pragma once

#include <mpit/core/text.hpp>
#include <mpit/core/vector_block.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// Returns the exclusive or of the two halves of a 128-bit product, which is the mixing step of wyhash.
constexpr std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using wide = unsigned __int128;
    const wide product = wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

namespace MPIT_MODULE_LOCAL detail {

// The odd multipliers of Fibonacci hashing (the golden ratio), degski's mixer and wyhash.
inline constexpr std::uint64_t first_multiplier = 0x9e3779b97f4a7c15, second_multiplier = 0xd6e8feb86659fd93;
inline constexpr std::uint64_t keys[8] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3,
                                          0x589965cc75374cc3, 0x1d8e4e27c47d124f, 0xeb44accab455d165,
                                          0x2d358dccaa6c78a5, 0x8bb84b93962eacc9};

constexpr std::uint64_t byte_at(const char* bytes, std::uint32_t index) {
    return std::uint64_t{static_cast<unsigned char>(bytes[index])} << 8 * index;
}
constexpr std::uint64_t four_bytes(const char* bytes) {
    return byte_at(bytes, 0) | byte_at(bytes, 1) | byte_at(bytes, 2) | byte_at(bytes, 3);
}

// The two ends of a text of 4 to 15 characters, as two overlapping words. Each word has eight characters, or four if
// the text has fewer than eight.
constexpr bool is_two_ends(std::uint32_t length) { return length - 4 < 16 - 4; }
struct two_ends {
    std::uint64_t first, last;

    constexpr two_ends(const char* characters, std::uint32_t length)
        : first{length >= 8 ? eight_bytes(characters) : four_bytes(characters)},
          last{length >= 8 ? eight_bytes(characters + (length - 8)) : four_bytes(characters + (length - 4))} {}
    constexpr std::uint64_t hash(std::uint32_t length, std::uint64_t seed) const {
        return folded_product(first ^ (seed + 1) * second_multiplier, last ^ first_multiplier ^ length);
    }
    bool equals(const two_ends& b) const noexcept { return ((first ^ b.first) | (last ^ b.last)) == 0; }
};

// Returns the last `count` bytes of a text, where `count` is less than 8. The text must not have four to seven bytes.
// `count` is the length of a text of at most three bytes. The loads overlap, so that the function needs no loop.
constexpr std::uint64_t trailing_bytes(text t, std::uint32_t count) {
    if (t.length >= 8) return eight_bytes(t.characters + (t.length - 8)) >> 1 >> (63 - 8 * count);
    return count == 0 ? 0
                      : byte_at(t.characters, 0) | byte_at(t.characters, count / 2) | byte_at(t.characters, count - 1);
}

// Returns the hash of a text of fewer than 4 or more than 64 characters. Each step of the loop reads eight bytes.
constexpr std::uint64_t hash_by_words(text t, std::uint64_t seed) {
    std::uint64_t h = (seed + 1) * second_multiplier ^ t.length;
    const char* bytes = t.characters;
    std::uint32_t remaining = t.length;
    for (; remaining >= 8; remaining -= 8, bytes += 8) h = folded_product(h ^ eight_bytes(bytes), first_multiplier);
    return folded_product(h ^ trailing_bytes(t, remaining), second_multiplier);
}

constexpr bool is_four_blocks(std::uint32_t length) { return length - 16 <= 64 - 16; }
// Return the offsets of the second and third of four 16-byte blocks, which together cover the text without a gap.
constexpr std::uint32_t second_block(std::uint32_t last) { return last * 11 >> 5; }
constexpr std::uint32_t third_block(std::uint32_t last) { return last - second_block(last); }
// Computes the hash of a text from two words into which all blocks of the text are mixed.
constexpr std::uint64_t finished_hash(std::uint64_t low, std::uint64_t high, std::uint32_t last, std::uint64_t seed) {
    return folded_product((low + high) ^ last, high ^ seed); // quadratic, for names that differ only in `high`
}
// Multiplies the signed 16-bit halves of `element` by the corresponding halves of `key`, and adds the two products.
constexpr std::uint32_t multiply_add(std::uint32_t element, std::uint32_t key) {
    const auto product = [&](int shift) {
        return static_cast<std::uint32_t>(static_cast<std::int16_t>(element >> shift) *
                                          static_cast<std::int16_t>(key >> shift));
    };
    return product(0) + product(16);
}

// Computes the same hash as four_blocks::hash(), in constant expressions and on processors without SSE2.
constexpr std::uint64_t hash_of_four_blocks(text t, std::uint64_t seed) {
    const std::uint32_t last = t.length - 16, offsets[4] = {0, second_block(last), third_block(last), last};
    std::uint32_t sums[4] = {}, rotated[4] = {};
    for (int block = 0; block < 4; block++) {
        for (int i = 0; i < 4; i++) {
            const std::uint64_t word = eight_bytes(t.characters + offsets[block] + 8 * (i / 2));
            const auto element = static_cast<std::uint32_t>(word >> 32 * (i % 2));
            sums[i] += multiply_add(element, static_cast<std::uint32_t>(keys[2 * block + i / 2] >> 32 * (i % 2)));
            rotated[(i + 4 - block) % 4] ^= element;
        }
    }
    const auto half = [&](int i) { return std::uint64_t{sums[i + 1] + rotated[i + 1]} << 32 | (sums[i] + rotated[i]); };
    return finished_hash(half(0), half(2), last, seed);
}

#ifdef __SSE2__
// Four blocks that cover a text of 16 to 64 characters. The hash is multilinear, which means that the 16-bit elements
// of the text are multiplied by keys and added.
struct four_blocks {
    vector_block first, second, third, fourth;

    four_blocks(const char* characters, std::uint32_t length) noexcept
        : first{vector_block::load(characters)},
          second{vector_block::load(characters + second_block(length - 16))},
          third{vector_block::load(characters + third_block(length - 16))},
          fourth{vector_block::load(characters + (length - 16))} {}
    std::uint64_t hash(std::uint32_t length, std::uint64_t seed) const noexcept {
        const auto key = [](int block) { return vector_block{keys[2 * block], keys[2 * block + 1]}; };
        const vector_block half = first.multiply_add(key(0)).plus(second.multiply_add(key(1)));
        const vector_block sums = half.plus(third.multiply_add(key(2)).plus(fourth.multiply_add(key(3))));
        // Changes of two elements that are 16 bytes apart may cancel in `sums`, because small multiples of their keys
        // may add up to 0. In `mix` the rotations keep elements that are 16 bytes apart in different 32-bit words.
        const vector_block mix = sums.plus((first ^ second.rotated<1>()) ^ (third.rotated<2>() ^ fourth.rotated<3>()));
        return finished_hash(mix.low(), mix.high(), length - 16, seed);
    }
    bool equals(const four_blocks& b) const noexcept {
        return vector_block::are_all_set((first == b.first) & (second == b.second) &
                                         ((third == b.third) & (fourth == b.fourth)));
    }
};
#endif

} // namespace detail

// Returns the hash of a text, which is the same at compile time and at run time on little-endian machines. With a
// different `seed` for each kind of variable, equal names of different kinds have different hashes.
constexpr std::uint64_t hash(text t, std::uint64_t seed = 0) {
    if (detail::is_two_ends(t.length)) return detail::two_ends{t.characters, t.length}.hash(t.length, seed);
    if (!detail::is_four_blocks(t.length)) return detail::hash_by_words(t, seed);
#ifdef __SSE2__
    if (!__builtin_is_constant_evaluated()) return detail::four_blocks{t.characters, t.length}.hash(t.length, seed);
#endif
    return detail::hash_of_four_blocks(t, seed);
}

#ifdef __SSE2__
namespace MPIT_MODULE_LOCAL detail {

// Searches for a name in its home group, which is the group of table slots where the search for its hash begins. The
// name is loaded once, as `Blocks`, for the hash and for the comparison.
template <class Blocks, class Table, class Filter>
[[gnu::always_inline]] inline auto find_as(const Table& table, text name, std::uint64_t seed, Filter filter) noexcept {
    const Blocks name_blocks{name.characters, name.length};
    const std::uint64_t name_hash = name_blocks.hash(name.length, seed);
    return table.find_in_home_group(name_hash, [&](const auto& entry) __attribute__((always_inline)) {
        if (!filter(entry) || entry.name.length != name.length) [[unlikely]]
            return false;
        return name_blocks.equals(Blocks{entry.name.characters, name.length});
    });
}

} // namespace detail
#endif

// Returns the table entry that has the name and for which `filter(entry)` is true, or null.
template <class Table, class Filter>
[[gnu::noinline]] auto* find_general_by_name(const Table& table, text name, std::uint64_t seed,
                                             Filter filter) noexcept {
#ifdef __SSE2__
    if (detail::is_two_ends(name.length)) [[likely]] {
        const auto result = detail::find_as<detail::two_ends>(table, name, seed, filter);
        if (result.is_certain) [[likely]]
            return result.entry;
    }
#endif
    return table.find(hash(name, seed), [&](const auto& entry) { return filter(entry) && equal(entry.name, name); });
}
// Finds an entry as find_general_by_name() does, with an inlined fast path for names of 16 to 64 characters. For other
// lengths, or if the fast path finds no certain result, calls `find_general()`, which must call find_general_by_name().
template <class Table, class Filter, class FindGeneral>
[[gnu::always_inline]] inline auto find_by_name([[maybe_unused]] const Table& table, [[maybe_unused]] text name,
                                                [[maybe_unused]] std::uint64_t seed, [[maybe_unused]] Filter filter,
                                                FindGeneral find_general) noexcept {
#ifdef __SSE2__
    if (detail::is_four_blocks(name.length)) [[likely]] {
        const auto result = detail::find_as<detail::four_blocks>(table, name, seed, filter);
        if (result.is_certain) [[likely]]
            return result.entry;
    }
#endif
    return find_general();
}
template <class Table, class Filter>
[[gnu::always_inline]] inline auto* find_by_name(const Table& table, text name, std::uint64_t seed,
                                                 Filter filter) noexcept {
    return find_by_name(table, name, seed, filter, [&] { return find_general_by_name(table, name, seed, filter); });
}

} // namespace core
} // namespace mpit
