// The INTEGER that Fortran has for an info object: every one that can be, back and forth, and that none is ever given
// to a second object.

#include "catch.hpp"

#include <mpit/session/info_objects.hpp>

#include <random>
#include <set>
#include <vector>

namespace {

using mpit::session::handle_word;
using mpit::session::info_integer;
using mpit::session::info_objects;

std::uint64_t handle(std::uint32_t generation, std::uint32_t slot) {
    return handle_word::make(info_integer::tag, generation, 0, slot);
}

std::uint64_t added_to(info_objects& objects) {
    mpit::info empty;
    std::uint64_t made = 0;
    REQUIRE(objects.add(empty, made) == mpit::result::success);
    return made;
}

// How many generations of a slot have an INTEGER.
std::uint32_t generations_of(std::uint32_t slot) {
    std::uint32_t known = 0, unknown = handle_word::last_generation + 1;
    while (unknown - known > 1) {
        const std::uint32_t middle = known + (unknown - known) / 2;
        (info_integer::of(handle(middle, slot)) != info_integer::none ? known : unknown) = middle;
    }
    return known;
}

} // namespace

TEST_CASE("A handle has the INTEGER that leads back to it, on every border of what fits") {
    for (std::uint32_t bit = 0; bit <= 27; bit++)
        for (const std::uint32_t slot : {(1u << bit) - 1, 1u << bit, (1u << bit) + 1}) {
            const std::uint32_t last = generations_of(slot);
            for (const std::uint32_t generation : {1u, 2u, last / 2, last - 1, last}) {
                if (generation == 0 || generation > last) continue;
                const std::uint32_t integer = info_integer::of(handle(generation, slot));
                REQUIRE(integer != info_integer::none);
                REQUIRE(info_integer::handle_of(integer) == handle(generation, slot));
                REQUIRE(info_integer::is_last(handle(generation, slot)) == (generation == last));
            }
            REQUIRE(info_integer::of(handle(0, slot)) == info_integer::none);
        }
}

TEST_CASE("Few objects at once can be made for ever, and a hundred million objects can be there at once") {
    CHECK(generations_of(0) == handle_word::last_generation);
    CHECK(generations_of(15) == handle_word::last_generation);
    CHECK(generations_of(100) == (1u << 21) - 1);
    CHECK(generations_of(1'000'000) == (1u << 8) - 1);
    CHECK(generations_of(100'000'000) == 1);
    CHECK(generations_of(1u << 27) == 0);
}

TEST_CASE("An INTEGER of any value is that of its own handle or that of no object") {
    std::mt19937 random{7};
    for (int i = 0; i < 2'000'000; i++) {
        // Half of them are near a border.
        const auto any = static_cast<std::uint32_t>(random());
        const std::uint32_t integer = i % 2 == 0 ? any : (any >> 27 << 27) + (any % 64) - 32;
        const std::uint64_t found = info_integer::handle_of(integer);
        const auto generation = found >> handle_word::generation_shift & handle_word::last_generation;
        REQUIRE(handle_word::tag(found) == info_integer::tag);
        REQUIRE(info_integer::of(found) == (generation == 0 ? info_integer::none : integer));
    }
}

TEST_CASE("Small numbers, which predefined handles have, are no object's") {
    for (std::uint32_t integer = 0; integer < 0x10000; integer++)
        REQUIRE(info_integer::handle_of(integer) == handle(0, 0));
}

TEST_CASE("A word that is no handle of an info object has no INTEGER") {
    const std::uint64_t good = handle(3, 5);
    REQUIRE(info_integer::of(good) != info_integer::none);
    CHECK(info_integer::of(0) == info_integer::none);
    CHECK(info_integer::of(0x130) == info_integer::none);
    CHECK(info_integer::of(handle_word::make(0xd2, 3, 0, 5)) == info_integer::none);
    CHECK(info_integer::of(handle_word::make(info_integer::tag, 3, 1, 5)) == info_integer::none);
}

TEST_CASE("No INTEGER comes again, however often a slot is used, and a freed one stays invalid") {
    constexpr std::uint32_t kept = 1u << 16, rounds = 5000; // these slots have 2047 generations each
    info_objects objects;
    for (std::uint32_t i = 0; i < kept; i++) added_to(objects);
    std::set<std::uint32_t> seen, slots;
    std::vector<std::uint64_t> freed;
    for (std::uint32_t i = 0; i < rounds; i++) {
        const std::uint64_t made = added_to(objects);
        slots.insert(handle_word::slot(made));
        REQUIRE(seen.insert(info_integer::of(made)).second);
        REQUIRE(objects.is_valid(info_integer::handle_of(info_integer::of(made))));
        REQUIRE(objects.free(made));
        freed.push_back(made);
    }
    CHECK(slots.size() == 3);
    for (const std::uint64_t each : freed) REQUIRE_FALSE(objects.is_valid(info_integer::handle_of(info_integer::of(each))));
}
