// What the texts of hints mean: booleans, whole numbers, lists, and the texts of Fortran. Everything that is none of
// them is refused, and nothing is stored.
#include "../catch.hpp"

#include <mpit/info/text.hpp>

#include <climits>
#include <string>
#include <vector>

using mpit::hint_list;
using mpit::info;
using mpit::info_result;
using mpit::read_hint;
using mpit::core::text;

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

text padded(const char* characters) { return mpit::fortran_text(characters, std::strlen(characters)); }

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

TEST_CASE("A plain read returns a text as it was set", "[INFO-26]") {
    info hints;
    REQUIRE(hints.set("list", " a , b,c ") == info_result::success);
    CHECK(std::string{hints.find("list")->characters} == " a , b,c ");
}

TEST_CASE("Texts of Fortran lose the blanks around them before they are stored or looked up", "[INFO-27]") {
    info hints;
    REQUIRE(hints.set(padded("  key    "), padded(" a value        ")) == info_result::success);
    REQUIRE(hints.size() == 1);
    CHECK(std::string{hints[0].key.characters} == "key");
    CHECK(std::string{hints[0].value.characters} == "a value");
    CHECK(hints.contains(padded("key             ")));
    CHECK(hints.erase(padded(" key ")) == info_result::success);
    CHECK(hints.set(padded("     "), padded("x")) == info_result::bad_key);
    CHECK(hints.set(padded("key"), padded("     ")) == info_result::success);
    CHECK(hints.find("key")->length == 0);
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
