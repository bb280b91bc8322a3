// All settable variables as a configuration file: what it says of each, and that reading it brings every value back.
#include "../temporary_file.hpp"
#include "../tool.hpp"

#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cmath>
#include <random>
#include <unistd.h>

namespace {

enum class direction { up, down = -3, both_ways = 100 };

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<direction> = mpit::enumerators<direction>(
    "direction", {{"up", direction::up}, {"down", direction::down}, {"both ways", direction::both_ways}});

namespace {

int adopted_storage = 5;

struct written_variables : mpit::category<"configuration_text", "Written and read again"> {
    mpit::control<int> number{this, "W_NUMBER", "A number", {.initial = {5, -10, 10}}};
    mpit::control<unsigned> few{this, "W_FEW", "", {.initial = {5, 0, 8}}};
    mpit::control<long> wide{this, "W_WIDE", "Two lines,\nof which this is one"};
    mpit::control<unsigned long long> natural{this, "W_NATURAL", ""};
    mpit::control<mpit::count> longest{this, "W_LONGEST", "", {.initial = {0, 0, INT64_MAX}}};
    mpit::control<double> real{this, "W_REAL", "", {.initial = 0.1}};
    mpit::control<double> fraction{this, "W_FRACTION", "", {.initial = {0.5, 0.0, 1.0}}};
    mpit::control<direction> way{this, "W_WAY", "", {.initial = direction::up, .scope = mpit::scope::readonly}};
    mpit::control<char[200]> text{this, "W_TEXT", ""};
    mpit::control<char[5000]> large{this, "W_LARGE", ""};
    mpit::control<int[3]> list{this, "W_LIST", "", {.initial = {1, 2, 3}, .minimum = 0}};
    mpit::control<double[2]> reals{this, "W_REALS", ""};
    mpit::control_ref<int> adopted{this, "W_ADOPTED", "", {.storage = &adopted_storage}};
    mpit::control<int> deprecated{this, "W_DEPRECATED", "", {.initial = 1, .deprecated = "use W_NUMBER"}};
    mpit::control<int> constant{this, "W_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int, MPI_ABI_Comm*> bound{this, "W_BOUND", ""};
};
constexpr auto& variables = mpit::registered<written_variables>;

std::string present_text() {
    std::string all;
    REQUIRE(mpit::write_configuration_to([&](mpit::core::text piece) { all.append(piece.characters, piece.length); }));
    return all;
}
// What is said of one variable, up to the empty line behind it.
std::string part_of(const std::string& all, const std::string& name) {
    const std::size_t at = all.find(name + " = ");
    if (at == std::string::npos) return "";
    const std::size_t before = all.rfind("\n\n", at), begin = before == std::string::npos ? 0 : before + 2;
    return all.substr(begin, all.find("\n\n", at) + 1 - begin);
}
std::string present_part(const std::string& name) { return part_of(present_text(), name); }

void set_to_others() {
    variables.number = 6;
    variables.few = 6;
    variables.wide = 6;
    variables.natural = 6;
    variables.longest = 6;
    variables.real = 6;
    variables.fraction = 0.25;
    variables.way = direction::up;
    variables.text = "another";
    variables.large = "another";
    variables.list = {6, 6, 6};
    variables.reals = {6.0, 6.0};
    adopted_storage = 6;
}

} // namespace

TEST_CASE("Declared values are comments, and each variable is described with its possible values") {
    const std::string whole = present_text();
    CHECK(part_of(whole, "W_NUMBER") ==
          "# A number\n# a whole number from -10 to 10; declared by its library\n#W_NUMBER = 5\n");
    CHECK(part_of(whole, "W_FEW") == "# a whole number from 0 to 8; declared by its library\n#W_FEW = 5\n");
    CHECK(part_of(whole, "W_WIDE") ==
          "# Two lines,\n# of which this is one\n# a whole number; declared by its library\n#W_WIDE = 0\n");
    CHECK(part_of(whole, "W_NATURAL") == "# a whole number not below 0; declared by its library\n#W_NATURAL = 0\n");
    CHECK(part_of(whole, "W_LONGEST") == "# a whole number not below 0; declared by its library\n#W_LONGEST = 0\n");
    CHECK(part_of(whole, "W_FRACTION") == "# a number from 0 to 1; declared by its library\n#W_FRACTION = 0.5\n");
    CHECK(part_of(whole, "W_WAY") == "# one of up, down, both ways; declared by its library\n#W_WAY = up\n");
    CHECK(part_of(whole, "W_TEXT") == "# a text of at most 199 bytes; declared by its library\n#W_TEXT = \"\"\n");
    CHECK(part_of(whole, "W_LIST") ==
          "# 3 whole numbers not below 0, separated by commas; declared by its library\n#W_LIST = 1,2,3\n");
    CHECK(part_of(whole, "W_ADOPTED") == "# a whole number; declared by its library\n#W_ADOPTED = 5\n");
    CHECK(part_of(whole, "W_DEPRECATED") ==
          "# a whole number; declared by its library\n# deprecated: use W_NUMBER\n#W_DEPRECATED = 1\n");
    CHECK(whole.find("W_CONSTANT") == std::string::npos);
    CHECK(whole.find("W_BOUND") == std::string::npos);
    CHECK(whole.find("it has no value now") == std::string::npos);
}

TEST_CASE("The source of each value is in its comment") {
    const initialized now;
    CHECK(cvar{"W_NUMBER"}.write(7) == MPI_SUCCESS);
    CHECK(present_part("W_NUMBER") == "# A number\n# a whole number from -10 to 10; written by a tool\nW_NUMBER = 7\n");
    mpit::info hints;
    REQUIRE(hints.set("W_FEW", "2") == mpit::info_result::success);
    CHECK(mpit::read_info(hints, "its MPI_Info").settings == 1);
    CHECK(present_part("W_FEW") == "# a whole number from 0 to 8; from an info object (its MPI_Info)\nW_FEW = 2\n");
}

TEST_CASE("Every value is read exactly from the file") {
    std::mt19937_64 random{3};
    static constexpr char likely[] = " #\"\\\n\r\tx41=\x01\x7f\xc3\xa4,'aZ";
    for (int round = 0; round < 60; round++) {
        const int number = static_cast<int>(random() % 21) - 10;
        const auto few = static_cast<unsigned>(random() % 9);
        const auto wide = static_cast<long>(random());
        const unsigned long long natural = round == 0 ? ~0ull : random();
        const auto longest = static_cast<std::int64_t>(random() >> 1);
        double real = 0;
        do {
            const std::uint64_t bits = random();
            std::memcpy(&real, &bits, sizeof real);
        } while (!std::isfinite(real));
        const double fraction = static_cast<double>(random() >> 11) / 0x1p53;
        const direction way = round % 3 == 0 ? direction::up : round % 3 == 1 ? direction::down : direction::both_ways;
        std::string text, large;
        for (std::size_t i = random() % 200; i > 0; i--) text += likely[random() % (sizeof likely - 1)];
        for (std::size_t i = random() % 5000; i > 0; i--) large += likely[random() % (sizeof likely - 1)];
        variables.number = number;
        variables.few = few;
        variables.wide = wide;
        variables.natural = natural;
        variables.longest = mpit::count{longest};
        variables.real = real;
        variables.fraction = fraction;
        variables.way = way;
        variables.text = text.c_str();
        variables.large = large.c_str();
        variables.list = {number + 10, 0, 2147483647};
        variables.reals = {real, -real};
        adopted_storage = number;
        const temporary_file dump;
        REQUIRE(mpit::write_configuration(dump.path()) == mpit::result::success);
        set_to_others();
        const mpit::settings_answer answer = mpit::read_configuration(dump.path());
        REQUIRE(answer.code == mpit::result::success);
        REQUIRE(answer.refused == 0);
        REQUIRE(answer.settings >= 6);
        if (wide != 0) REQUIRE(variables.wide == wide);
        if (natural != 0) REQUIRE(variables.natural == natural);
        if (longest != 0) REQUIRE(variables.longest.get() == longest);
        const auto reals = variables.reals.get();
        REQUIRE(std::memcmp(&real, reals.values, sizeof real) == 0);
        const double back = variables.real;
        REQUIRE(std::memcmp(&real, &back, sizeof real) == 0);
        REQUIRE(variables.fraction == fraction);
        if (way != direction::up) REQUIRE(variables.way == way);
        if (!text.empty()) REQUIRE(variables.text.get() == text.c_str());
        if (!large.empty()) REQUIRE(variables.large.get() == large.c_str());
        REQUIRE(variables.list.get()[0] == number + 10);
        REQUIRE(variables.list.get()[2] == 2147483647);
        if (number != 5) REQUIRE(adopted_storage == number);
    }
}

TEST_CASE("A dump that was read is dumped the same") {
    const temporary_file dump;
    REQUIRE(mpit::write_configuration(dump.path()) == mpit::result::success);
    set_to_others();
    REQUIRE(mpit::read_configuration(dump.path()).code == mpit::result::success);
    const std::string once = present_text();
    REQUIRE(mpit::write_configuration(dump.path()) == mpit::result::success);
    REQUIRE(mpit::read_configuration(dump.path()).code == mpit::result::success);
    CHECK(present_text() == once);
}
