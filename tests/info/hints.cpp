// Hints as a value: what is kept, in which order, what is refused, and that a failure changes nothing. The same rules
// are held through the standard functions in tests/standard/info.cpp.
#include "../catch.hpp"

#include <mpit/info.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

using mpit::info;
using mpit::info_result;
using mpit::core::text;

namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;

std::string string_of(text t) { return {t.characters, t.length}; }
text text_of(const std::string& s) { return {s.c_str(), static_cast<std::uint32_t>(s.size())}; }

pairs pairs_of(const info& hints) {
    pairs all;
    for (auto [key, value] : hints) all.emplace_back(string_of(key), string_of(value));
    return all;
}

info hints_of(const pairs& all) {
    info made;
    for (const auto& [key, value] : all) REQUIRE(made.set(text_of(key), text_of(value)) == info_result::success);
    return made;
}

// The number of allocations that still succeed, while it lives.
struct memory_for {
    explicit memory_for(int allocations) { mpit::core::allocations_left.store(allocations); }
    ~memory_for() { mpit::core::allocations_left.store(-1); }
    memory_for(const memory_for&) = delete;
};

const pairs three{{"c", "3"}, {"a", "1"}, {"b", ""}};

} // namespace

TEST_CASE("New hints are empty, and can be constexpr", "[INFO-01]") {
    static constinit info hints;
    CHECK(hints.size() == 0);
    CHECK(hints.begin() == hints.end());
    CHECK(hints.find("key") == nullptr);
    CHECK(!hints.contains("key"));
}

TEST_CASE("Pairs are stored in the order in which their keys were set", "[INFO-18]") {
    const info hints = hints_of(three);
    CHECK(pairs_of(hints) == three);
    CHECK(hints.size() == 3);
    CHECK(string_of(hints[1].key) == "a");
    REQUIRE(hints.find("a") != nullptr);
    CHECK(string_of(*hints.find("a")) == "1");
}

TEST_CASE("A value that is set again is replaced in place", "[INFO-02]") {
    info hints = hints_of(three);
    CHECK(hints.set("a", "a longer value") == info_result::success);
    CHECK(pairs_of(hints) == pairs{{"c", "3"}, {"a", "a longer value"}, {"b", ""}});
}

TEST_CASE("Both texts are copied, end in a null, and may be texts of the hints themselves", "[INFO-03]") {
    info hints;
    char key[] = "key and more", value[] = "value and more";
    REQUIRE(hints.set({key, 3}, {value, 5}) == info_result::success);
    std::fill(key, key + 12, '#');
    std::fill(value, value + 14, '#');
    CHECK(std::string{hints[0].key.characters} == "key");
    CHECK(std::string{hints[0].value.characters} == "value");
    REQUIRE(hints.set(hints[0].key, hints[0].key) == info_result::success);
    CHECK(pairs_of(hints) == pairs{{"key", "key"}});
    REQUIRE(hints.erase(hints[0].key) == info_result::success);
    CHECK(hints.size() == 0);
}

TEST_CASE("Keys that differ in case or in a space are different keys", "[INFO-04]") {
    const pairs all{{"key", "1"}, {"Key", "2"}, {" key", "3"}, {"key ", "4"}, {"\xc3\xa9t\xc3\xa9", "\xe2\x82\xac"}};
    CHECK(pairs_of(hints_of(all)) == all);
}

TEST_CASE("Texts up to the limits are accepted, and longer ones are refused", "[INFO-05][INFO-06]") {
    info hints = hints_of(three);
    const std::string long_key(255, 'k'), long_value(1023, 'v');
    CHECK(hints.set(text_of(long_key), "x") == info_result::success);
    CHECK(hints.set("a", text_of(long_value)) == info_result::success);
    const pairs before = pairs_of(hints);
    CHECK(hints.set(text_of(long_key + 'k'), "x") == info_result::bad_key);
    CHECK(hints.set("a", text_of(long_value + 'v')) == info_result::bad_value);
    CHECK(hints.set("ab", "v", {1, 1}) == info_result::bad_key);
    CHECK(hints.set("b", "vw", {1, 1}) == info_result::bad_value);
    CHECK(hints.set("b", text_of(long_value + 'v'), {1, 2000}) == info_result::success);
    CHECK(info{hints} == hints);
    CHECK(hints.set("b", "") == info_result::success);
    CHECK(pairs_of(hints) == before);
}

TEST_CASE("A key may not be empty, a value may, and neither may have a null inside", "[INFO-07]") {
    info hints;
    CHECK(hints.set("", "value") == info_result::bad_key);
    CHECK(hints.set({"k\0y", 3}, "value") == info_result::bad_key);
    CHECK(hints.set("key", {"v\0e", 3}) == info_result::bad_value);
    CHECK(hints.size() == 0);
    CHECK(hints.set("key", "") == info_result::success);
    CHECK(pairs_of(hints) == pairs{{"key", ""}});
}

TEST_CASE("An erased key is removed and the others keep their order", "[INFO-09]") {
    info hints = hints_of(three);
    CHECK(hints.erase("a") == info_result::success);
    CHECK(hints.erase("a") == info_result::no_key);
    CHECK(pairs_of(hints) == pairs{{"c", "3"}, {"b", ""}});
    CHECK(hints.set("a", "again") == info_result::success);
    CHECK(pairs_of(hints) == pairs{{"c", "3"}, {"b", ""}, {"a", "again"}});
    hints.clear();
    CHECK(hints.size() == 0);
    CHECK(hints.set("a", "after") == info_result::success);
}

TEST_CASE("A copy is equal, and each is changed on its own", "[INFO-19]") {
    info hints = hints_of(three);
    info copy = hints, assigned;
    assigned = hints;
    CHECK(copy == hints);
    CHECK(assigned == hints);
    CHECK(copy.set("a", "new") == info_result::success);
    CHECK(hints.erase("c") == info_result::success);
    CHECK(pairs_of(copy) == pairs{{"c", "3"}, {"a", "new"}, {"b", ""}});
    CHECK(pairs_of(assigned) == three);
    CHECK(copy.duplicate(copy) == info_result::success);
    CHECK(copy.size() == 3);
}

TEST_CASE("Moved hints keep their pairs") {
    info hints = hints_of(three);
    const char* const key = hints[0].key.characters;
    info moved = static_cast<info&&>(hints);
    CHECK(moved[0].key.characters == key);
    CHECK(hints.size() == 0);
    hints = static_cast<info&&>(moved);
    CHECK(pairs_of(hints) == three);
    CHECK(moved.size() == 0);
}

TEST_CASE("Hints are equal when they have the same pairs in the same order") {
    CHECK(hints_of(three) == hints_of(three));
    CHECK(info{} == info{});
    CHECK(!(hints_of(three) == hints_of({{"c", "3"}, {"a", "1"}})));
    CHECK(!(hints_of(three) == hints_of({{"a", "1"}, {"c", "3"}, {"b", ""}})));
    CHECK(!(hints_of(three) == hints_of({{"c", "3"}, {"a", "2"}, {"b", ""}})));
    CHECK(!(hints_of(three) == hints_of({{"c", "3"}, {"A", "1"}, {"b", ""}})));
}

TEST_CASE("Without memory nothing changes, whichever allocation is the one that fails") {
    const pairs four{{"c", "3"}, {"a", "1"}, {"b", ""}, {"d", "4"}};
    for (int allocations = 0; allocations < 6; allocations++) {
        info full = hints_of(four); // the next key needs a larger table
        info source = hints_of({{"one", "1"}, {"two", "2"}, {"three", "3"}, {"four", "4"}, {"five", "5"}});
        const memory_for few{allocations};
        const bool enough_to_add = allocations >= 2;
        CHECK((full.set("e", "5") == info_result::success) == enough_to_add);
        CHECK(full.size() == (enough_to_add ? 5 : 4));
        mpit::core::allocations_left.store(0);
        CHECK(full.set("a", "another") == info_result::out_of_memory);
        CHECK(string_of(*full.find("a")) == "1");
        mpit::core::allocations_left.store(allocations);
        CHECK(source.duplicate(full) == info_result::out_of_memory);
        CHECK(full.contains("c"));
        mpit::core::allocations_left.store(allocations);
        full = source;
        CHECK(full.contains("c"));
        mpit::core::allocations_left.store(allocations);
        CHECK(info{source}.size() == 0);
    }
}

TEST_CASE("Hints follow a plain list of pairs through random changes", "[INFO-04][INFO-16]") {
    std::mt19937 random{20};
    info hints;
    pairs expected;
    int mistakes = 0;
    for (int step = 0; step < 8000; step++) {
        const std::string key(1 + random() % 2, static_cast<char>(1 + random() % 255)), value(random() % 20, 'v');
        const auto found =
            std::find_if(expected.begin(), expected.end(), [&](const auto& p) { return p.first == key; });
        if (random() % 3 == 0) {
            mistakes += (hints.erase(text_of(key)) == info_result::success) != (found != expected.end());
            if (found != expected.end()) expected.erase(found);
        } else {
            mistakes += hints.set(text_of(key), text_of(value)) != info_result::success;
            if (found != expected.end()) found->second = value;
            else expected.emplace_back(key, value);
        }
        mistakes += hints.size() != expected.size();
        if (step % 500 == 0) mistakes += pairs_of(hints) != expected;
    }
    CHECK(mistakes == 0);
}
