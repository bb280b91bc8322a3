// Texts: how they are returned to a caller, against a model in std::string, and their hash.
#include "../catch.hpp"

#include <mpit/concurrency/insert_only_table.hpp>
#include <mpit/core/hash.hpp>
#include <mpit/core/text.hpp>

#include <array>
#include <climits>
#include <deque>
#include <map>
#include <set>
#include <string>

using mpit::core::text;
using mpit::core::text_pair;

namespace {

constexpr char letters[] = "The hash of a \xffname\x01 is made of eight bytes a step, and of the rest.";
constexpr char name_letters[] = "The_hash_of_a_name_is_made_of_eight_bytes_a_step_and_of_the_rest.";
constexpr int longest = 64;
static_assert(sizeof letters > longest && sizeof name_letters > longest);

consteval std::array<std::uint64_t, longest + 1> hashes_in_the_compiler(std::uint64_t seed) {
    std::array<std::uint64_t, longest + 1> made{};
    for (std::uint32_t n = 0; n <= longest; n++) made[n] = mpit::core::hash({letters, n}, seed);
    return made;
}

// What MPI-5.0, 15.3.3 says, in other words: the caller's bytes after the call, and the length.
std::string model(const std::string& from, std::string buffer, int capacity) {
    if (capacity == 0) return buffer;
    const std::string cut = from.substr(0, static_cast<std::size_t>(capacity) - 1) + '\0';
    return buffer.replace(0, cut.size(), cut);
}

} // namespace

TEST_CASE("A text is returned into any buffer as the standard requires, and nothing behind it changes",
          "[STR-01][STR-02][STR-03][STR-04][STR-06]") {
    for (std::uint32_t size = 0; size <= 40; size++) {
        const std::string whole{letters, size};
        for (int capacity = 0; capacity <= 45; capacity++) {
            std::string buffer(64, '\x5a');
            int length = capacity;
            text_pair{buffer.data(), &length}.put({letters, size});
            REQUIRE(buffer == model(whole, std::string(64, '\x5a'), capacity));
            REQUIRE(length == static_cast<int>(size) + 1);
        }
    }
}

TEST_CASE("With a null buffer only the size is returned, whatever the length is", "[STR-05]") {
    for (int length : {0, 1, 4, INT_MAX}) {
        text_pair{nullptr, &length}.put("name");
        CHECK(length == 5);
    }
}

TEST_CASE("A null length suppresses the pair", "[STR-07]") {
    char buffer[] = "untouched";
    text_pair{buffer, nullptr}.put("name");
    CHECK(std::string(buffer) == "untouched");
    CHECK(text_pair{buffer, nullptr}.is_well_formed());
}

TEST_CASE("A negative length is not well formed", "[STR-12]") {
    char buffer[] = "untouched";
    for (int length : {-1, INT_MIN}) CHECK_FALSE(text_pair{buffer, &length}.is_well_formed());
    for (int length : {0, 1, INT_MAX}) CHECK(text_pair{buffer, &length}.is_well_formed());
}

TEST_CASE("The hash of a text is the same in the compiler and at run time, at any address") {
    static constexpr auto with_seed_0 = hashes_in_the_compiler(0), with_seed_37 = hashes_in_the_compiler(37);
    for (std::size_t shift = 0; shift < 8; shift++) {
        const std::string copy = std::string(shift, '#') + letters;
        for (std::uint32_t n = 0; n <= longest; n++) {
            REQUIRE(mpit::core::hash({copy.data() + shift, n}, 0) == with_seed_0[n]);
            REQUIRE(mpit::core::hash({copy.data() + shift, n}, 37) == with_seed_37[n]);
        }
    }
}

TEST_CASE("Hashes of names of different lengths, seeds and single bits differ") {
    std::set<std::uint64_t> seen;
    std::size_t count = 0;
    for (std::uint64_t seed = 0; seed < 50; seed++)
        for (std::uint32_t n = 0; n <= longest; n++, count++) seen.insert(mpit::core::hash({name_letters, n}, seed));
    for (std::uint32_t n = 1; n <= 40; n++)
        for (std::uint32_t bit = 0; bit < n * 8; bit++) {
            std::string changed{name_letters, n};
            char& letter = changed[bit / 8];
            letter = static_cast<char>(letter ^ (1 << bit % 8));
            if (letter <= ' ' || letter > '~') continue;
            seen.insert(mpit::core::hash({changed.data(), n}));
            count++;
        }
    CHECK(seen.size() == count);
    CHECK(count > 5000);
}

TEST_CASE("The hash reads no byte behind the text") {
    CHECK(mpit::core::hash({"abcdefghijk", 9}) == mpit::core::hash({"abcdefghi..", 9}));
    CHECK(mpit::core::hash({"abc", 3}) == mpit::core::hash("abc"));
}

TEST_CASE("Texts are equal when every byte is, on the complete text", "[STR-11]") {
    const std::string longer = "a_name_of_20_letters_and_more";
    CHECK(mpit::core::equal("name", {"name_and_more", 4}));
    CHECK_FALSE(mpit::core::equal("name", "Name"));
    CHECK_FALSE(mpit::core::equal("name", "names"));
    CHECK_FALSE(mpit::core::equal({longer.c_str(), 20}, longer.c_str()));
    CHECK(mpit::core::equal("", text{}));
    static_assert(mpit::core::constexpr_equal("name", text{"name_and_more", 4}));
    static_assert(!mpit::core::constexpr_equal("name", "nama"));
}

TEST_CASE("A text contains its parts and no others") {
    static_assert(mpit::core::contains("in nanoseconds", "nanoseconds"));
    static_assert(mpit::core::contains("whole", "whole"));
    static_assert(mpit::core::contains("whole", ""));
    static_assert(!mpit::core::contains("whole", "whole thing"));
    CHECK_FALSE(mpit::core::contains("nanosecond", "nanoseconds"));
}

TEST_CASE("A name of any length is found in a table by its text alone") {
    struct named {
        std::uint64_t hash;
        text name;
    };
    const std::string many = std::string(name_letters) + name_letters;
    std::deque<std::string> texts;
    std::deque<named> entries;
    mpit::core::insert_only_table<named> table;
    const auto any = [](const named&) { return true; };
    for (std::uint32_t n = 1; n <= 100; n++) {
        const text name{texts.emplace_back(many, 0, n).c_str()};
        named& fresh = entries.emplace_back(named{mpit::core::hash(name, 5), name});
        CHECK(mpit::core::find_by_name(table, name, 5, any) == nullptr);
        CHECK(table.insert(fresh, [](const named&) { return false; }) == &fresh);
    }
    for (const named& each : entries) {
        const std::string copy{each.name.characters};
        CHECK(mpit::core::find_by_name(table, copy.c_str(), 5, any) == &each);
        CHECK(mpit::core::find_by_name(table, copy.c_str(), 5, [](const named&) { return false; }) == nullptr);
        for (std::size_t at = 0; at < copy.size(); at++) {
            std::string other = copy;
            other[at] = '#';
            CHECK(mpit::core::find_by_name(table, other.c_str(), 5, any) == nullptr);
        }
    }
}

TEST_CASE("Numbered names of every length differ in the slots and in the tags of a table") {
    const auto fullest = [](const auto& of) {
        int most = 0;
        for (const auto& each : of) most = each.second > most ? each.second : most;
        return most;
    };
    for (const char* beginning : {"", "n_", "requests_", "MPIR_CVAR_SOME_ALGORITHM_"})
        for (const char* end : {"", "_sent"}) {
            std::map<std::uint64_t, int> places, tags;
            for (int i = 0; i < 1 << 16; i++) {
                const std::string name = beginning + std::to_string(i) + end;
                const std::uint64_t hash = mpit::core::hash(name.c_str());
                places[hash & 0xfff]++;
                tags[hash >> 52]++;
            }
            INFO(beginning << "0" << end);
            CHECK(fullest(places) < 48); // 16 would be even
            CHECK(fullest(tags) < 48);
        }
}

TEST_CASE("Names with numbers at places 16 bytes apart have different hashes") {
    std::set<std::uint64_t> seen;
    std::string name(64, 'q');
    for (int i = 0; i < 1 << 16; i++) {
        int left = i;
        for (const std::size_t place : {0u, 16u, 32u, 48u, 2u, 18u, 34u, 50u}) {
            name[place] = static_cast<char>('0' + left % 4);
            left /= 4;
        }
        seen.insert(mpit::core::hash(name.c_str()));
    }
    CHECK(seen.size() == 1 << 16);
}
