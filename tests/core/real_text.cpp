// Doubles as texts.
#include "../catch.hpp"
#include "../comma_locale.hpp"

#include <mpit/core/read_number.hpp>
#include <mpit/core/real_text.hpp>

#include <cerrno>
#include <cmath>
#include <random>
#include <string>

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

TEST_CASE("A decimal number has a point in every locale") {
    const comma_locale here;
    if (!here.is_set()) return here.warn();
    CHECK(text_of(0.5) == "0.5");
}

TEST_CASE("The error number of the caller stays as it is") {
    errno = EDOM;
    CHECK(text_of(5e-324) == "4.94065645841247e-324");
    CHECK(errno == EDOM);
}
