// Who has set a control variable: its library, the environment or a tool.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/tool.hpp>

#include <cstdlib>

namespace {

// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] void prepare_environment() {
    for (const char* entry : {"O_FROM_OUTSIDE", "O_CONSTANT", "O_BOTH"}) setenv(entry, "7", 1);
    setenv("O_REFUSED", "700", 1);
}

struct origin_variables : mpit::category<"origins", "Set by all who can"> {
    mpit::control<int> untouched{this, "O_UNTOUCHED", "", {.initial = 5}};
    mpit::control<int> from_outside{this, "O_FROM_OUTSIDE", "", {.initial = 5}};
    mpit::control<int> refused{this, "O_REFUSED", "", {.initial = {5, 0, 100}}};
    mpit::control<int> constant{this, "O_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int> both{this, "O_BOTH", "", {.initial = 5}};
    mpit::control<int[2]> array{this, "O_ARRAY", ""};
};
constexpr auto& variables = mpit::enrolled<origin_variables>;

mpit::origin origin_of(const char* name) {
    return mpit::tool::variable{*mpit::index::served_index()->variable(mpit::tool::kind::control, cvar_index(name))}
        .origin();
}

} // namespace

TEST_CASE("A value is its library's unless the environment has given another one") {
    const initialized now;
    CHECK(origin_of("O_UNTOUCHED") == mpit::origin::library);
    CHECK(origin_of("O_FROM_OUTSIDE") == mpit::origin::environment);
    CHECK(variables.from_outside == 7);
    CHECK(origin_of("O_REFUSED") == mpit::origin::library);
    CHECK(origin_of("O_CONSTANT") == mpit::origin::library);
}

TEST_CASE("A tool that writes a variable has set it, and one that is refused has not") {
    const initialized now;
    CHECK(origin_of("O_BOTH") == mpit::origin::environment);
    CHECK(cvar{"O_BOTH"}.write(8) == MPI_SUCCESS);
    CHECK(origin_of("O_BOTH") == mpit::origin::tool);
    CHECK(cvar{"O_REFUSED"}.write(101) == MPI_T_ERR_INVALID);
    CHECK(origin_of("O_REFUSED") == mpit::origin::library);
    CHECK(cvar{"O_ARRAY"}.write(mpit::elements<int, 2>{1, 2}) == MPI_SUCCESS);
    CHECK(origin_of("O_ARRAY") == mpit::origin::tool);
    variables.untouched = 6;
    CHECK(origin_of("O_UNTOUCHED") == mpit::origin::library);
}

TEST_CASE("A variable that is described at run time has an origin, and none when its group has ended") {
    const initialized now;
    setenv("O_DYNAMIC", "9", 1);
    {
        mpit::dynamic group{"dynamic_origins"};
        REQUIRE(group.control<int>("O_DYNAMIC", "", {.environment = "O_DYNAMIC"}) == mpit::result::success);
        REQUIRE(group.control<int>("O_DYNAMIC_TOO", "") == mpit::result::success);
        REQUIRE(group.enrol().code == mpit::result::success);
        CHECK(origin_of("O_DYNAMIC") == mpit::origin::environment);
        CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::library);
        CHECK(cvar{"O_DYNAMIC_TOO"}.write(3) == MPI_SUCCESS);
        CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::tool);
    }
    CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::library);
}
