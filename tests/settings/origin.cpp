// Who has set a control variable: its library, the environment or a tool.
#include "../temporary_file.hpp"
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cstdlib>

namespace {

// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] void prepare_environment() {
    for (const char* entry : {"O_FROM_OUTSIDE", "O_CONSTANT", "O_BOTH", "O_ASSIGNED", "O_ADOPTED"})
        setenv(entry, "7", 1);
    setenv("O_REFUSED", "700", 1);
}

int adopted_storage = 5, file_storage = 5, group_storage = 5;
char text_storage[16] = "eth0";

struct origin_variables : mpit::category<"origins", "Set by all who can"> {
    mpit::control<int> untouched{this, "O_UNTOUCHED", "", {.initial = 5}};
    mpit::control<int> from_outside{this, "O_FROM_OUTSIDE", "", {.initial = 5}};
    mpit::control<int> refused{this, "O_REFUSED", "", {.initial = {5, 0, 100}}};
    mpit::control<int> constant{this, "O_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int> both{this, "O_BOTH", "", {.initial = 5}};
    mpit::control<int[2]> array{this, "O_ARRAY", ""};
    mpit::control<int> assigned{this, "O_ASSIGNED", "", {.initial = 5}};
    mpit::control_ref<int> adopted{this, "O_ADOPTED", "", {.storage = &adopted_storage}};
    mpit::control_ref<int> of_file{this, "O_OF_FILE", "", {.storage = &file_storage}};
};
constexpr auto& variables = mpit::registered<origin_variables>;

std::vector<std::string> lines;
struct reported {
    reported() {
        lines.clear();
        mpit::set_report_handler([](const char* line) { lines.emplace_back(line); });
    }
    reported(const reported&) = delete;
    ~reported() { mpit::set_report_handler(nullptr); }
};

mpit::origin origin_of(const char* name) { return mpit::tool::find_control(name).origin(); }

} // namespace

TEST_CASE("The origin of a value is its library unless the environment has set it") {
    const initialized now;
    CHECK(origin_of("O_UNTOUCHED") == mpit::origin::library);
    CHECK(origin_of("O_FROM_OUTSIDE") == mpit::origin::environment);
    CHECK(variables.from_outside == 7);
    CHECK(origin_of("O_REFUSED") == mpit::origin::library);
    CHECK(origin_of("O_CONSTANT") == mpit::origin::library);
}

TEST_CASE("A tool that writes a variable is the origin, and one that is refused is not") {
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
        REQUIRE(group.publish().code == mpit::result::success);
        CHECK(origin_of("O_DYNAMIC") == mpit::origin::environment);
        CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::library);
        CHECK(cvar{"O_DYNAMIC_TOO"}.write(3) == MPI_SUCCESS);
        CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::tool);
    }
    CHECK(origin_of("O_DYNAMIC_TOO") == mpit::origin::library);
}

TEST_CASE("A value that a library assigns has the library as its origin, whatever it was before") {
    const initialized now;
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::environment);
    variables.assigned = 6;
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::library);
    CHECK(cvar{"O_ASSIGNED"}.write(8) == MPI_SUCCESS);
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::tool);
    CHECK(cvar{"O_ARRAY"}.write(mpit::elements<int, 2>{1, 2}) == MPI_SUCCESS);
    variables.array = mpit::elements<int, 2>{3, 4};
    CHECK(origin_of("O_ARRAY") == mpit::origin::library);
}

TEST_CASE(
    "A value that a library assigns to its own storage has the library as its origin, and reads do not change that") {
    const initialized now;
    CHECK(adopted_storage == 7);
    CHECK(origin_of("O_ADOPTED") == mpit::origin::environment);
    adopted_storage = 6;
    for (int i = 0; i < 2; i++) CHECK(origin_of("O_ADOPTED") == mpit::origin::library);
    CHECK(adopted_storage == 6);
    CHECK(cvar{"O_ADOPTED"}.write(8) == MPI_SUCCESS);
    CHECK(origin_of("O_ADOPTED") == mpit::origin::tool);
    adopted_storage = 9;
    CHECK(origin_of("O_ADOPTED") == mpit::origin::library);
}

TEST_CASE("A setting that a library has replaced is reported once, whatever its source, and not to the next tool") {
    const reported reports;
    const temporary_file here{"O_OF_FILE = 7\n"};
    CHECK(mpit::read_configuration(here.path()).settings == 1);
    CHECK(file_storage == 7);
    file_storage = 4;
    for (int i = 0; i < 2; i++) const initialized now;
    const initialized now;
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == "O_OF_FILE=7 in " + std::string{here.path()} +
                          ":1 is not in effect: the library has assigned 4 to O_OF_FILE after it was loaded; to keep "
                          "the setting, call mpit::resolve after the assignment, or use a constant initializer");
    CHECK(origin_of("O_OF_FILE") == mpit::origin::library);
    CHECK(mpit::read_configuration(here.path()).settings == 1);
    CHECK(file_storage == 4);
    const temporary_file other{"O_OF_FILE = 8\n"};
    CHECK(mpit::read_configuration(other.path()).settings == 1);
    CHECK(file_storage == 8);
    CHECK(origin_of("O_OF_FILE") == mpit::origin::configuration);
}

TEST_CASE("A group whose storage is initialized after it was registered resolves its values") {
    const reported reports;
    setenv("O_GROUP", "7", 1);
    setenv("O_GROUP_TEXT", "ib0", 1);
    mpit::dynamic group{"stored_origins"};
    REQUIRE(group.control<int>("O_GROUP", "", {.storage = &group_storage, .environment = "O_GROUP"}) ==
            mpit::result::success);
    REQUIRE(group.control<char[]>("O_GROUP_TEXT", "",
                                  {.length = 15, .storage = text_storage, .environment = "O_GROUP_TEXT"}) ==
            mpit::result::success);
    REQUIRE(group.publish().seen == 2);
    CHECK(group_storage == 7);
    CHECK(std::string{text_storage} == "ib0");
    group_storage = 4;
    std::strcpy(text_storage, "lo");
    {
        const initialized now;
        CHECK(lines.size() == 2);
        CHECK(origin_of("O_GROUP") == mpit::origin::library);
        CHECK(origin_of("O_GROUP_TEXT") == mpit::origin::library);
    }
    group.resolve();
    CHECK(group_storage == 7);
    CHECK(std::string{text_storage} == "ib0");
    const initialized now;
    CHECK(origin_of("O_GROUP") == mpit::origin::environment);
    CHECK(origin_of("O_GROUP_TEXT") == mpit::origin::environment);
    CHECK(lines.size() == 2);
}
