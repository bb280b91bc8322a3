// What a person reads of a value that cannot be used: the entry, what is accepted, the nearest name and what stays, in
// one line that can be printed.
#include "../comma_locale.hpp"
#include "../trees.hpp"

namespace {

using mpit::core::limits;

enum class algorithm { ring, tree, linear };
enum class only { one };
enum class many { first };

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<algorithm> = mpit::enumerators<algorithm>(
    "algorithm", {{"ring", algorithm::ring}, {"tree", algorithm::tree}, {"linear", algorithm::linear}});
template <> inline constexpr auto mpit::enumeration_of<only> = mpit::enumerators<only>("only", {{"one", only::one}});
template <>
inline constexpr auto mpit::enumeration_of<many> =
    mpit::enumerators<many>("many", {{"the_first_of_many_names", many::first},
                                     {"the_second_of_many_names", many{1}},
                                     {"the_third_of_many_names", many{2}},
                                     {"the_fourth_of_many_names", many{3}},
                                     {"the_fifth_of_many_names", many{4}},
                                     {"the_sixth_of_many_names", many{5}},
                                     {"the_seventh_of_many_names", many{6}},
                                     {"the_eighth_of_many_names", many{7}},
                                     {"the_ninth_of_many_names", many{8}}});

namespace {

bool refuse_odd(const int& n) { return n % 2 == 0; }
bool refuse_all(const mpit::characters<32>&) { return false; }

struct tree_of_refusals : mpit::category<"refusals", "Takes few values"> {
    mpit::control<int> ranged{this, "RANGED", "", {.initial = {65536, 0, 1 << 20}}};
    mpit::control<int> whole{this, "WHOLE", "", {.initial = -7}};
    mpit::control<int> positive{this, "POSITIVE", "", {.initial = {5, 1, limits<int>::highest}}};
    mpit::control<int> bounded_above{this, "BOUNDED_ABOVE", "", {.initial = {5, limits<int>::lowest, 100}}};
    mpit::control<long> wide{this, "WIDE", ""};
    mpit::control<unsigned> natural{this, "NATURAL", "", {.initial = 5}};
    mpit::control<unsigned> few{this, "FEW", "", {.initial = {5, 0, 8}}};
    mpit::control<unsigned long long> endless{this, "ENDLESS", "", {.initial = ~0ull}};
    mpit::control<double> real{this, "REAL", "", {.initial = 0.1}};
    mpit::control<double> fraction{this, "FRACTION", "", {.initial = {1.0 / 3, 0.0, 1.0}}};
    mpit::control<algorithm> choice{this, "CHOICE", "", {.initial = algorithm::tree}};
    mpit::control<only> sole{this, "SOLE", "", {.initial = only::one}};
    mpit::control<many> lots{this, "LOTS", "", {.initial = many::first}};
    mpit::control<char[32]> text{this, "TEXT", "", {.initial = "eth0"}};
    mpit::control<char[32]> spaced{this, "SPACED", "", {.initial = "a b", .valid = &refuse_all}};
    mpit::control<int[4]> weights{this, "WEIGHTS", "", {.initial = {1, 2, 4, 8}, .minimum = 0, .maximum = 9}};
    mpit::control<double[2]> factors{this, "FACTORS", "", {.initial = {0.5, 1e300}}};
    mpit::control<int[1]> single{this, "SINGLE", "", {.initial = {3}}};
    mpit::control<char[4096]> large{this, "LARGE", "", {.initial = "x"}};
    mpit::control<int> even{this, "EVEN", "", {.initial = 2, .valid = &refuse_odd}};
    mpit::control<int> renamed{this, "renamed", "", {.initial = 5, .environment = "OTHER"}};
    mpit::control<int> constant{this, "CONSTANT", "", {.initial = 3, .scope = mpit::scope::constant}};
    mpit::control<int> other_constant{
        this, "other_constant", "", {.initial = 3, .environment = "STEADY", .scope = mpit::scope::constant}};
    mpit::control<int, MPI_ABI_Comm*> of_communicators{this, "OF_COMMUNICATORS", ""};
    mpit::control<int[2], MPI_ABI_File*> of_files{this, "of_files", "", {.environment = "OF_FILES"}};
};

// The one report, or all of them side by side.
std::string report_on(const char* name, const char* value) {
    static std::deque<tree_of_refusals> trees;
    reports.clear();
    setenv(name, value, 1);
    enter(fresh_index(), trees.emplace_back());
    unsetenv(name);
    std::string all;
    for (const std::string& line : reports) all += (all.empty() ? "" : " | ") + line;
    return all;
}

std::string stays(const char* value) { return std::string{"; the control variable keeps "} + value; }

} // namespace

TEST_CASE("A value that is not an integer, or outside its range, is reported with the range") {
    for (const char* wrong : {"12k", "-1", "1048577", "1.5", "99999999999999999999"})
        CHECK(report_on("RANGED", wrong) ==
              "RANGED=" + std::string{wrong} +
                  " in the environment is not accepted: expected a whole number from 0 to 1048576" + stays("65536"));
    CHECK(report_on("FEW", "-1") ==
          "FEW=-1 in the environment is not accepted: expected a whole number from 0 to 8" + stays("5"));
    CHECK(report_on("FEW", "x") ==
          "FEW=x in the environment is not accepted: expected a whole number from 0 to 8" + stays("5"));
}

TEST_CASE("The limits of a type are reported only for a value beyond them") {
    CHECK(report_on("WHOLE", "x") ==
          "WHOLE=x in the environment is not accepted: expected a whole number" + stays("-7"));
    CHECK(report_on("WHOLE", "5,9999999999") ==
          "WHOLE=5,9999999999 in the environment is not accepted: expected a whole number" + stays("-7"));
    CHECK(report_on("WHOLE", "2147483648") ==
          "WHOLE=2147483648 in the environment is not accepted: expected a whole number not above 2147483647" +
              stays("-7"));
    CHECK(report_on("WHOLE", "-2147483649") ==
          "WHOLE=-2147483649 in the environment is not accepted: expected a whole number not below -2147483648" +
              stays("-7"));
    CHECK(report_on("WIDE", "9223372036854775808") == "WIDE=9223372036854775808 in the environment is not accepted: "
                                                      "expected a whole number not above 9223372036854775807" +
                                                          stays("0"));
    CHECK(report_on("NATURAL", "many") ==
          "NATURAL=many in the environment is not accepted: expected a whole number" + stays("5"));
    CHECK(report_on("NATURAL", "-1") ==
          "NATURAL=-1 in the environment is not accepted: expected a whole number not below 0" + stays("5"));
    CHECK(report_on("NATURAL", "4294967296") ==
          "NATURAL=4294967296 in the environment is not accepted: expected a whole number from 0 to 4294967295" +
              stays("5"));
    CHECK(report_on("ENDLESS", "18446744073709551616") ==
          "ENDLESS=18446744073709551616 in the environment is not accepted: expected a whole number from 0 to "
          "18446744073709551615" +
              stays("18446744073709551615"));
}

TEST_CASE("A range with one end is reported by that end, unless the number is beyond the other limit of the type") {
    CHECK(report_on("POSITIVE", "0") ==
          "POSITIVE=0 in the environment is not accepted: expected a whole number not below 1" + stays("5"));
    CHECK(report_on("POSITIVE", "x") ==
          "POSITIVE=x in the environment is not accepted: expected a whole number not below 1" + stays("5"));
    CHECK(report_on("POSITIVE", "3000000000") ==
          "POSITIVE=3000000000 in the environment is not accepted: expected a whole number from 1 to 2147483647" +
              stays("5"));
    CHECK(report_on("BOUNDED_ABOVE", "101") ==
          "BOUNDED_ABOVE=101 in the environment is not accepted: expected a whole number not above 100" + stays("5"));
    CHECK(report_on("BOUNDED_ABOVE", "-3000000000") == "BOUNDED_ABOVE=-3000000000 in the environment is not accepted: "
                                                       "expected a whole number from -2147483648 to 100" +
                                                           stays("5"));
}

TEST_CASE("A number that looks decimal and is octal is reported with the reason") {
    CHECK(
        report_on("WHOLE", "0129") ==
        "WHOLE=0129 in the environment is not accepted: expected a whole number (a number with a leading 0 is octal)" +
            stays("-7"));
    CHECK(report_on("POSITIVE", "0") ==
          "POSITIVE=0 in the environment is not accepted: expected a whole number not below 1" + stays("5"));
}

TEST_CASE("A decimal number is reported with the fewest distinguishing digits, and with a point in every locale") {
    const comma_locale here;
    if (!here.is_set()) here.warn();
    CHECK(report_on("REAL", "x") == "REAL=x in the environment is not accepted: expected a number" + stays("0.1"));
    CHECK(report_on("REAL", "nan") == "REAL=nan in the environment is not accepted: expected a number" + stays("0.1"));
    CHECK(report_on("REAL", "1e999") ==
          "REAL=1e999 in the environment is not accepted: expected a number not above 1.7976931348623157e+308" +
              stays("0.1"));
    CHECK(report_on("REAL", "-inf") ==
          "REAL=-inf in the environment is not accepted: expected a number not below -1.7976931348623157e+308" +
              stays("0.1"));
    CHECK(report_on("FRACTION", "1.5") ==
          "FRACTION=1.5 in the environment is not accepted: expected a number from 0 to 1" +
              stays("0.3333333333333333"));
    CHECK(report_on("REAL", "0,5") ==
          "REAL=0,5 in the environment is not accepted: expected a number with a decimal point instead of the comma" +
              stays("0.1"));
}

TEST_CASE("An unknown name is reported with the known names and a suggestion") {
    CHECK(report_on("CHOICE", "rign") == "CHOICE=rign in the environment is not accepted: expected one of ring, tree, "
                                         "linear; did you mean ring? The control variable keeps tree");
    CHECK(report_on("CHOICE", "lin") == "CHOICE=lin in the environment is not accepted: expected one of ring, tree, "
                                        "linear; did you mean linear? The control variable keeps tree");
    CHECK(report_on("CHOICE", "fastest") ==
          "CHOICE=fastest in the environment is not accepted: expected one of ring, tree, linear" + stays("tree"));
    CHECK(report_on("CHOICE", "7") ==
          "CHOICE=7 in the environment is not accepted: expected one of ring, tree, linear" + stays("tree"));
    CHECK(report_on("SOLE", "two") == "SOLE=two in the environment is not accepted: expected one" + stays("one"));
}

TEST_CASE("Of very many names the first are reported, and the number of the others") {
    CHECK(report_on("LOTS", "x") ==
          "LOTS=x in the environment is not accepted: expected one of the_first_of_many_names, "
          "the_second_of_many_names, the_third_of_many_names, the_fourth_of_many_names, the_fifth_of_many_names, "
          "the_sixth_of_many_names, the_seventh_of_many_names and 2 more" +
              stays("the_first_of_many_names"));
}

TEST_CASE("A text that is too long is reported with its bytes and how many are accepted") {
    CHECK(report_on("TEXT", "exactly_32_bytes_are_one_too_many") ==
          "TEXT=exactly_32_bytes_are_one_too_many in the environment is not accepted: expected at most 31 bytes, but "
          "found 33" +
              stays("eth0"));
    CHECK(report_on("LARGE", std::string(4096, 'x').c_str())
              .find("expected at most 4095 bytes, but found 4096; the control variable keeps its value") !=
          std::string::npos);
}

TEST_CASE("An array is reported with its size, its range and the faulty part of the text") {
    const std::string begin = " in the environment is not accepted: expected 4 whole numbers from 0 to 9, separated by "
                              "commas, but found ",
                      end = stays("1,2,4,8");
    CHECK(report_on("WEIGHTS", "1,2,3") == "WEIGHTS=1,2,3" + begin + "3 elements" + end);
    CHECK(report_on("WEIGHTS", "1") == "WEIGHTS=1" + begin + "1 element" + end);
    CHECK(report_on("WEIGHTS", "1,2,x,4") == "WEIGHTS=1,2,x,4" + begin + "x" + end);
    CHECK(report_on("WEIGHTS", "1,,3,4") == "WEIGHTS=1,,3,4" + begin + "\"\"" + end);
    CHECK(report_on("WEIGHTS", "1,2,10,-1") == "WEIGHTS=1,2,10,-1" + begin + "10" + end);
    CHECK(report_on("FACTORS", "1") ==
          "FACTORS=1 in the environment is not accepted: expected 2 numbers, separated by commas, but found 1 element" +
              stays("0.5,1e+300"));
    CHECK(report_on("SINGLE", "x") ==
          "SINGLE=x in the environment is not accepted: expected a whole number" + stays("3"));
}

TEST_CASE("A value that the library's own check refuses is reported as refused") {
    CHECK(report_on("EVEN", "3") == "EVEN=3 in the environment is refused by the library's own check" + stays("2"));
    CHECK(report_on("SPACED", "x") ==
          "SPACED=x in the environment is refused by the library's own check" + stays("\"a b\""));
}

TEST_CASE("The name of the control variable is reported if the environment variable has another name") {
    CHECK(report_on("OTHER", "x") ==
          "OTHER=x in the environment is not accepted: expected a whole number; the control variable renamed keeps 5");
}

TEST_CASE("A value that the environment cannot set is reported with the reason") {
    CHECK(report_on("CONSTANT", "4") ==
          "CONSTANT=4 in the environment has no effect: the control variable is constant and keeps 3");
    CHECK(report_on("STEADY", "4") ==
          "STEADY=4 in the environment has no effect: the control variable other_constant is constant and keeps 3");
    CHECK(report_on("OF_COMMUNICATORS", "4") ==
          "OF_COMMUNICATORS=4 in the environment has no effect: the control variable has a value in each communicator "
          "and cannot be set from the environment");
    CHECK(report_on("OF_FILES", "1,2") == "OF_FILES=1,2 in the environment has no effect: the control variable "
                                          "of_files has a value in each file and cannot be set from the environment");
}

TEST_CASE("A value is quoted if its end would not be visible") {
    CHECK(report_on("WHOLE", "") ==
          "WHOLE=\"\" in the environment is not accepted: expected a whole number" + stays("-7"));
    CHECK(report_on("WHOLE", "5 ") ==
          "WHOLE=\"5 \" in the environment is not accepted: expected a whole number" + stays("-7"));
}

TEST_CASE("A report is one printable line for every value") {
    const auto shown = [](const char* value) {
        const std::string line = report_on("WHOLE", value);
        return line.substr(0, line.find(" in the environment")).substr(6);
    };
    CHECK(shown("a\nb\tc\x1b[31m\x7f") == "a\\x0Ab\\x09c\\x1B[31m\\x7F");
    CHECK(shown("größe→日本𝄞") == "größe→日本𝄞");
    CHECK(shown("\xff\xc3") == "\\xFF\\xC3");
    CHECK(shown("\xc0\xaf\xe0\x80\xaf") == "\\xC0\\xAF\\xE0\\x80\\xAF");
    CHECK(shown("\xed\xa0\x80\xf4\x90\x80\x80") == "\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80");
    CHECK(shown("\xc2\x9b\xc2\xa0") == "\\xC2\\x9B\xc2\xa0");
    CHECK(shown("\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa6") == "\\xE2\\x80\\xA8\\xE2\\x80\\xAE\\xE2\\x81\\xA6");
    CHECK(shown("é\xe6\x97") == "é\\xE6\\x97");
    CHECK(shown("\xc3(\xe6\x97-") == "\\xC3(\\xE6\\x97-");
}

TEST_CASE("A long value is cut between its characters") {
    for (std::size_t before = 0; before < 8; before++)
        for (const std::string character : {"a", "é", "日", "𝄞", "\x01"}) {
            std::string value(before, 'a');
            while (value.size() < 3000) value += character;
            const std::string line = report_on("WHOLE", value.c_str());
            const std::string shown = line.substr(6, line.find("... in the environment") - 6);
            REQUIRE(shown.size() >= 120);
            REQUIRE(shown.size() < 126);
            const std::string unit = character == "\x01" ? "\\x01" : character;
            REQUIRE((shown.size() - before) % unit.size() == 0);
            for (std::size_t at = before; at < shown.size(); at += unit.size())
                REQUIRE(shown.compare(at, unit.size(), unit) == 0);
            REQUIRE(line.find("expected a whole number; the control variable keeps -7") != std::string::npos);
        }
}
