// Numbers as text and texts as numbers: what is a number of a type, what is not, and what then stays; doubles in their
// shortest form.
#include "../catch.hpp"
#include "../comma_locale.hpp"

#include <mpit/core/parse.hpp>
#include <mpit/core/range.hpp>
#include <mpit/core/read_number.hpp>
#include <mpit/core/real_text.hpp>

#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

using mpit::core::limits;
using mpit::core::parse;

namespace {

// The number in a text, or `otherwise` where the library says that there is none and leaves the value alone.
template <class T> T parsed(const char* from, T otherwise) {
    T to = otherwise;
    const bool good = parse(mpit::core::text{from}, to);
    CHECK((good || to == otherwise));
    return to;
}

template <class T> void check_ends() {
    const std::string highest = std::to_string(limits<T>::highest), lowest = std::to_string(limits<T>::lowest);
    CHECK(parsed<T>(highest.c_str(), 1) == limits<T>::highest);
    CHECK(parsed<T>(lowest.c_str(), 1) == limits<T>::lowest);
    CHECK(parsed<T>((highest + "0").c_str(), 1) == 1);
    CHECK(parsed<T>((lowest == "0" ? "-1" : lowest + "0").c_str(), 1) == 1);
}

template <class T> void check_random_numbers() {
    std::mt19937_64 random{7};
    for (int i = 0; i < 2000; i++) {
        const T number = static_cast<T>(random() >> random() % 64);
        REQUIRE(parsed<T>(std::to_string(number).c_str(), static_cast<T>(number + 1)) == number);
    }
}

enum class colour { red = -5, green = 100 };
constexpr auto colours = mpit::enumerators<colour>("colour", {{"red", colour::red}, {"green", colour::green}});

} // namespace

TEST_CASE("Whole numbers are read in decimal, hexadecimal and octal") {
    CHECK(parsed("0", 1) == 0);
    CHECK(parsed("-5", 1) == -5);
    CHECK(parsed("+5", 1) == 5);
    CHECK(parsed("0x10", 1) == 16);
    CHECK(parsed("010", 1) == 8);
    CHECK(parsed("0xffffffffffffffff", 1ull) == ~0ull);
}

TEST_CASE("Text that is not exactly a number is refused and does not change the value") {
    for (const char* wrong : {"", " ", "x", "5x", "5 ", "5,000", "1.5", "1e3", "0x", "--5", "true", "2k"}) {
        CHECK(parsed(wrong, 77) == 77);
        CHECK(parsed(wrong, 77ull) == 77);
    }
    for (const char* wrong : {"", " ", "x", "1.5x", "1.5 ", "1,5", "nan", "1e", "-nan"})
        CHECK(parsed(wrong, 77.0) == 77.0);
}

TEST_CASE("White space before a number is skipped, as in MPICH, Open MPI and absl, so that a list may have some after "
          "a comma") {
    for (const char* with_space : {" 5", "\t5", "  +5", "\n0x5"}) {
        CHECK(parsed(with_space, 1) == 5);
        CHECK(parsed(with_space, 1u) == 5);
    }
    CHECK(parsed(" 0.5", 1.0) == 0.5);
    CHECK(parsed("- 5", 1) == 1);
}

TEST_CASE("Every type accepts its limits and refuses values beyond") {
    check_ends<int>();
    check_ends<unsigned>();
    check_ends<long>();
    check_ends<unsigned long>();
    check_ends<long long>();
    check_ends<unsigned long long>();
    CHECK(parsed("2147483648", 1) == 1);
    CHECK(parsed("-2147483649", 1) == 1);
    CHECK(parsed("4294967296", 1u) == 1u);
}

TEST_CASE("An unsigned number with a minus is refused, and does not wrap") {
    for (const char* negative : {"-1", " -1", "-0x1", "-18446744073709551615"}) CHECK(parsed(negative, 5ull) == 5);
}

TEST_CASE("Whatever number is printed is read again") {
    check_random_numbers<int>();
    check_random_numbers<unsigned>();
    check_random_numbers<long long>();
    check_random_numbers<unsigned long long>();
    std::mt19937_64 random{7};
    for (int i = 0; i < 2000; i++) {
        const double number = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1000) - 500);
        char printed[40];
        std::snprintf(printed, sizeof printed, "%.17g", number);
        REQUIRE(parsed(printed, 0.0) == number);
    }
}

TEST_CASE("Decimal numbers have a maximum, and infinity is refused") {
    CHECK(parsed("1e308", 1.0) == 1e308);
    for (const char* endless : {"-1e400", "1e400", "inf", "-inf", "infinity", "0x1p2000"})
        CHECK(parsed(endless, 1.0) == 1.0);
}

TEST_CASE("A decimal number that is too small for all its digits is the nearest one") {
    CHECK(parsed("1e-310", 1.0) == 1e-310);
    CHECK(parsed("-1e-310", 1.0) == -1e-310);
    CHECK(parsed("1e-400", 1.0) == 0.0);
}

TEST_CASE("A part of a text is read to its end and no further") {
    const auto part = [](const char* whole, std::uint32_t length) {
        int number = 77;
        parse(mpit::core::text{whole, length}, number);
        return number;
    };
    CHECK(part("12,34", 2) == 12);
    CHECK(part("1234", 2) == 77);
    CHECK(part("12,34", 3) == 77);
    CHECK(part("12", 0) == 77);
    unsigned natural = 77;
    CHECK(parse(mpit::core::text{"5,-1", 1}, natural));
    CHECK(natural == 5);
}

TEST_CASE("A number beyond its type is distinguished from invalid text, and is the limit on its side") {
    using mpit::core::read, mpit::core::reading;
    long long whole = 5;
    CHECK(read("99999999999999999999", whole) == reading::out_of_range);
    CHECK(whole == limits<long long>::highest);
    CHECK(read("-99999999999999999999", whole) == reading::out_of_range);
    CHECK(whole == limits<long long>::lowest);
    unsigned long long natural = 5;
    CHECK(read("99999999999999999999", natural) == reading::out_of_range);
    CHECK(natural == limits<unsigned long long>::highest);
    CHECK(read("-5", natural) == reading::out_of_range);
    CHECK(natural == 0);
    double real = 5;
    CHECK(read("-1e999", real) == reading::out_of_range);
    CHECK(real < -limits<double>::highest);
    for (const char* wrong : {"", "-", "x", "99999999999999999999x", "-5 "}) {
        CHECK(read(wrong, whole) == reading::no_number);
        CHECK(read(wrong, natural) == reading::no_number);
        CHECK(read(wrong, real) == reading::no_number);
    }
    CHECK(read("nan", real) == reading::no_number);
}

TEST_CASE("The elements of a list are the texts between its commas, also if empty") {
    const auto elements = [](const char* list) {
        std::string all;
        mpit::core::text rest{list}, element;
        for (bool more = true; more;) {
            more = mpit::core::split_first(rest, element);
            all += "<" + std::string(element.characters, element.length) + ">";
        }
        return all;
    };
    CHECK(elements("1,22,3") == "<1><22><3>");
    CHECK(elements("1") == "<1>");
    CHECK(elements("") == "<>");
    CHECK(elements(",1,,") == "<><1><><>");
}

TEST_CASE("An item of an enumeration is accepted by its name, another spelling or its value only") {
    const auto item = [](const char* from) {
        int to = 1;
        parse(mpit::core::text{from}, colours.view(), to);
        return to;
    };
    CHECK(item("red") == -5);
    CHECK(item("green") == 100);
    CHECK(item("-5") == -5);
    CHECK(item("0x64") == 100);
    CHECK(item("Red") == -5);
    CHECK(item("GREEN") == 100);
    for (const char* wrong : {"", "re", "redd", "7", "blue", "-5x", "red,green", "red "}) CHECK(item(wrong) == 1);
}

TEST_CASE("Names that differ only in case must be written exactly") {
    enum class size { milli, mega, kilo };
    static constexpr auto sizes = mpit::enumerators<size>(
        "size", {{"m", size::milli, "thousandth, small"}, {"M", size::mega}, {"k", size::kilo, "Thousand"}});
    const auto item = [](const char* from) {
        int to = -1;
        parse(mpit::core::text{from}, sizes.view(), to);
        return to;
    };
    CHECK(item("m") == 0);
    CHECK(item("M") == 1);
    CHECK(item("K") == 2);
    CHECK(item("thousand") == 2);
    CHECK(item("SMALL") == 0);
    CHECK(item("thousandth") == 0);
    for (const char* wrong : {"thousandth, small", ",", " ", "smal", "small,"}) CHECK(item(wrong) == -1);
}

TEST_CASE(
    "A number of bytes has k, M, G, T, P or E behind it, each 1024 of the one before, with an i and a B or without") {
    const auto bytes = [](const char* from) {
        long long to = -1;
        parse(mpit::core::text{from}, to, mpit::unit::bytes);
        return to;
    };
    for (const char* kilo : {"3k", "3K", "3ki", "3KI", "3kb", "3KB", "3KiB", "0x3k", "03k"}) CHECK(bytes(kilo) == 3072);
    CHECK(bytes("17") == 17);
    CHECK(bytes("17b") == 17);
    CHECK(bytes("0x1b") == 27); // a digit
    CHECK(bytes("-2M") == -2097152);
    CHECK(bytes("1G") == 1073741824);
    CHECK(bytes("1t") == 1099511627776);
    CHECK(bytes("1PiB") == 1125899906842624);
    CHECK(bytes("7E") == 7 * 1152921504606846976);
    for (const char* wrong :
         {"k", "", "1kk", "1ik", "1i", "1bk", "1 k", "1k ", "1.5k", "1q", "8E", "9223372036854775807k"})
        CHECK(bytes(wrong) == -1);
    int narrow = -1;
    CHECK_FALSE(parse(mpit::core::text{"2G"}, narrow, mpit::unit::bytes));
    CHECK_FALSE(parse(mpit::core::text{"2k"}, narrow));
    unsigned long long natural = 1;
    CHECK(parse(mpit::core::text{"15E"}, natural, mpit::unit::bytes));
    CHECK(natural == 15 * 1152921504606846976ull);
    CHECK_FALSE(parse(mpit::core::text{"-1k"}, natural, mpit::unit::bytes));
    double real = 0;
    CHECK(parse(mpit::core::text{"0.5k"}, real, mpit::unit::bytes));
    CHECK(real == 512);
}

TEST_CASE("A number of bytes beyond its type is the limit of the type on that side") {
    long long number = 0;
    CHECK(read(mpit::core::text{"-16E"}, number, mpit::unit::bytes) == mpit::core::reading::out_of_range);
    CHECK(number == INT64_MIN);
    CHECK(read(mpit::core::text{"16E"}, number, mpit::unit::bytes) == mpit::core::reading::out_of_range);
    CHECK(number == INT64_MAX);
    CHECK(read(mpit::core::text{"-8E"}, number, mpit::unit::bytes) == mpit::core::reading::complete);
    CHECK(number == INT64_MIN);
}

namespace {
std::string text_of(double number) { return mpit::core::real_text{number}.characters; }
} // namespace

TEST_CASE("A number is written in its shortest decimal form") {
    CHECK(text_of(230) == "230");
    CHECK(text_of(0.1) == "0.1");
    CHECK(text_of(245.5) == "245.5");
    CHECK(text_of(-0.0) == "-0");
    CHECK(text_of(1000000) == "1000000");
    CHECK(text_of(1e300) == "1e+300");
    CHECK(text_of(0.1 + 0.2) == "0.30000000000000004");
}

TEST_CASE("The same number is read again") {
    std::mt19937_64 random{7};
    for (int i = 0; i < 10000; i++) {
        const double number = __builtin_bit_cast(double, random());
        if (!std::isfinite(number)) continue;
        double again = 0;
        REQUIRE(mpit::core::read(text_of(number).c_str(), again) == mpit::core::reading::complete);
        REQUIRE(again == number);
    }
}

TEST_CASE("A decimal number has a point, whatever the locale of the program has") {
    const comma_locale here;
    if (!here.is_set()) return here.warn();
    char printed[8];
    std::snprintf(printed, sizeof printed, "%.1f", 1.5);
    REQUIRE(std::string{printed} == "1,5");
    CHECK(parsed("1.5", 0.0) == 1.5);
    CHECK(parsed("-0.25e1", 0.0) == -2.5);
    CHECK(parsed("1,5", 77.0) == 77.0);
    CHECK(parsed("1.000", 77) == 77);
    CHECK(text_of(0.5) == "0.5");
}

TEST_CASE("Neither reading nor writing a number changes errno") {
    for (const char* from : {"5", "x", "99999999999999999999"}) {
        errno = 123;
        static_cast<void>(parsed(from, 1));
        static_cast<void>(parsed(from, 1.0));
        CHECK(text_of(5e-324) == "4.94065645841247e-324");
        CHECK(errno == 123);
    }
}
