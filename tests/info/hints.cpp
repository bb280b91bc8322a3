// Hints as a value, as far as no standard function shows it: the rules of pairs stand in tests/standard/info.cpp. And what the
// texts of hints mean: booleans, whole numbers, lists, and the texts of Fortran.
#include "../catch.hpp"

#include <mpit/info.hpp>
#include <mpit/info/text.hpp>

#include <algorithm>
#include <climits>
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

TEST_CASE("Texts may have other limits than those of MPI, and no null inside", "[INFO-05][INFO-06][INFO-07]") {
    info hints = hints_of(three);
    CHECK(hints.set("ab", "v", {1, 1}) == info_result::bad_key);
    CHECK(hints.set("b", "vw", {1, 1}) == info_result::bad_value);
    CHECK(hints.set("b", text_of(std::string(1024, 'v')), {1, 2000}) == info_result::success);
    CHECK(info{hints} == hints);
    CHECK(hints.set("b", "") == info_result::success);
    CHECK(hints.set({"k\0y", 3}, "value") == info_result::bad_key);
    CHECK(hints.set("key", {"v\0e", 3}) == info_result::bad_value);
    CHECK(pairs_of(hints) == three);
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

using mpit::hint_list;
using mpit::read_hint;

namespace {

std::vector<std::string> elements_of(const char* value) {
    std::vector<std::string> all;
    for (text element : hint_list{value}) all.emplace_back(element.characters, element.length);
    return all;
}
using strings = std::vector<std::string>;

template <class Integer> bool reads(const char* value, Integer expected) {
    Integer number = 77;
    return read_hint(value, number) && number == expected;
}
template <class Integer = std::int64_t> bool refuses(const char* value) {
    Integer number = 77;
    return !read_hint(value, number) && number == 77;
}
bool refuses_as_boolean(const char* value) {
    bool one = true, other = false;
    return !read_hint(value, one) && !read_hint(value, other) && one && !other;
}

} // namespace

TEST_CASE("The booleans are true and false in lower case, with or without spaces around them", "[INFO-25]") {
    for (const char* value : {"true", " true", "true  "}) {
        bool read = false;
        CHECK(read_hint(value, read));
        CHECK(read);
    }
    bool read = true;
    CHECK(read_hint("  false ", read));
    CHECK(!read);
}

TEST_CASE("Nothing else is a boolean", "[INFO-25]") {
    for (const char* value :
         {"TRUE", "True", "FALSE", "yes", "no", "1", "0", "", " ", "tru", "truee", "t rue", "true\t"})
        CHECK(refuses_as_boolean(value));
}

TEST_CASE("A number is decimal, has a sign or none, and may have spaces around it", "[INFO-25]") {
    CHECK(reads<std::int64_t>("12", 12));
    CHECK(reads<std::int64_t>("+12", 12));
    CHECK(reads<std::int64_t>("-12", -12));
    CHECK(reads<std::int64_t>("  -3 ", -3));
    CHECK(reads<std::int64_t>("007", 7));
    CHECK(reads<std::int64_t>("-0", 0));
    CHECK(reads<std::int64_t>("9223372036854775807", INT64_MAX));
    CHECK(reads<std::int64_t>("-9223372036854775808", INT64_MIN));
    CHECK(reads<int>("-2147483648", INT_MIN));
    CHECK(reads<unsigned char>("255", 255));
    CHECK(reads<std::uint64_t>("18446744073709551615", UINT64_MAX));
    CHECK(reads<std::uint64_t>("-0", 0));
}

TEST_CASE("Text that is not a number, or beyond its type, is refused", "[INFO-25]") {
    for (const char* value : {"", " ", "+", "-", "- 3", "+ 3", "--3", "+-3", "12x", "x12", "1 2", "1,2", "1.0", "0x10",
                              "1e3", "\t1", "9223372036854775808", "-9223372036854775809", "99999999999999999999999"})
        CHECK(refuses(value));
    CHECK(refuses<int>("2147483648"));
    CHECK(refuses<unsigned char>("256"));
    CHECK(refuses<unsigned char>("-1"));
    CHECK(refuses<std::uint64_t>("18446744073709551616"));
}

TEST_CASE("A list is separated by commas, without the spaces around it and around its elements", "[INFO-26]") {
    CHECK(elements_of(" a , b,c ") == strings{"a", "b", "c"});
    CHECK(elements_of("one") == strings{"one"});
    CHECK(elements_of("two words , and more") == strings{"two words", "and more"});
    CHECK(elements_of("a,,b") == strings{"a", "", "b"});
    CHECK(elements_of(",") == strings{"", ""});
    CHECK(elements_of("a, ") == strings{"a", ""});
    CHECK(elements_of("").empty());
    CHECK(elements_of("  ").empty());
}

TEST_CASE("The elements of a list are read like other values", "[INFO-25][INFO-26]") {
    int sum = 0, number = 0;
    for (text element : hint_list{" 1, +2 ,-8,x"})
        if (read_hint(element, number)) sum += number;
    CHECK(sum == -5);
}

TEST_CASE("The compiler reads hints too") {
    constexpr auto number = [] {
        int read = 0;
        for (text element : hint_list{"4, 5"}) read_hint(element, read);
        return read;
    }();
    STATIC_REQUIRE(number == 5);
}

TEST_CASE("A typed read distinguishes an absent key from invalid text", "[INFO-25]") {
    info hints;
    REQUIRE(hints.set("size", " 64 ") == info_result::success);
    REQUIRE(hints.set("fast", "true") == info_result::success);
    int size = 7;
    bool fast = false;
    CHECK(read_hint(hints, "size", size) == info_result::success);
    CHECK(size == 64);
    CHECK(read_hint(hints, "fast", fast) == info_result::success);
    CHECK(fast);
    CHECK(read_hint(hints, "absent", size) == info_result::no_key);
    CHECK(read_hint(hints, "fast", size) == info_result::bad_value);
    CHECK(read_hint(hints, "size", fast) == info_result::bad_value);
    CHECK(size == 64);
    CHECK(fast);
}

TEST_CASE("A text of Fortran ends where its length says, blanks or not", "[INFO-27]") {
    const char buffer[] = {' ', 'k', 'e', 'y', '#', '#'};
    const text key = mpit::fortran_text(buffer, 4);
    CHECK(std::string(key.characters, key.length) == "key");
    CHECK(mpit::fortran_text(buffer, 1).length == 0);
    CHECK(mpit::fortran_text(nullptr, 0).length == 0);
    const std::string long_key = std::string(255, 'k') + std::string(1000, ' ');
    CHECK(mpit::fortran_text(long_key.c_str(), long_key.size()).length == 255);
}
