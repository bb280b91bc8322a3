// The environment of a runtime: lists of names, names with a star, and variables that the environment does not set.
#include "../temporary_file.hpp"
#include "../tool.hpp"
#include "../unmade_string.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpit.hpp>
#include <mpit/policy.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cstdlib>

namespace {

// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] void prepare_environment() {
    // clang-format off
    for (const char* entry : {
        "RE_SECOND_OLD=7", "RE_FIRST_A=7", "RE_FIRST_B=8", "RE_EQUAL_A=7", "RE_EQUAL_B=7", "RE_BAD_A=many",
        "RE_BAD_B=8", "RE_CLOSED=7", "OURS_RE_STAR=7", "RE_LATE_A=many", "RE_LATE_B=8", "RE_OWN=9",
        "RE_STOP_BAD=many", "RE_STOP_QUIET=many", "RE_LATE_BOTH=environment", "RE_LATE_OTHER=environment",
        "RE_MISTAKE_OLB=9", "REPARAM_EAGER=7", "RECVAR_RNDV=8", "RE_POLICY_ALIAS=9", "RECVAR_SHUT=9",
        "RE_MCA_BTL_LIMIT=11", "RECVAR_DEEP=12", "RECVAR_INNER=9", "REMPI_EAGRE=9"})
        putenv(const_cast<char*>(entry));
    // clang-format on
}

std::vector<std::string> lines;
void collect(const char* line) { lines.emplace_back(line); }
[[gnu::constructor(102)]] void collect_reports() { mpit::set_report_handler(&collect); }
int count_lines(const char* part) {
    int count = 0;
    for (const std::string& line : lines) count += line.find(part) != std::string::npos;
    return count;
}

int read_at_load() { return std::getenv("PATH") == nullptr ? 4 : 5; }
int late = read_at_load();

struct names_tree : mpit::category<"environment_names", "Asked for under several names"> {
    mpit::control<int> second{this, "RE_SECOND", "", {.initial = 5, .environment = "RE_SECOND, RE_SECOND_OLD"}};
    mpit::control<int> first{this, "RE_FIRST", "", {.initial = 5, .environment = "RE_FIRST_A,RE_FIRST_B"}};
    mpit::control<int> equal{this, "RE_EQUAL", "", {.initial = 5, .environment = "RE_EQUAL_A , RE_EQUAL_B"}};
    mpit::control<int> bad{this, "RE_BAD", "", {.initial = 5, .environment = "RE_BAD_A, RE_BAD_B"}};
    mpit::control<int> closed{this, "RE_CLOSED", "", {.initial = 5, .environment = mpit::none}};
    mpit::control<int> star{this, "RE_STAR", "", {.initial = 5, .environment = "THEIRS_*, OURS_*"}};
    mpit::control<int> own{this, "RE_OWN", "", {.initial = 5, .environment = "THEIRS_*, *"}};
    mpit::control<int> mistake{this, "RE_MISTAKE", "", {.initial = 5, .environment = "THEIRS_*, RE_MISTAKE_OLD"}};
    mpit::control_ref<int> late_one{this, "RE_LATE", "", {.storage = &late, .environment = "RE_LATE_A, RE_LATE_B"}};
};
constexpr auto& variables = mpit::registered<names_tree>;

// As MPICH has it, and in it, as Open MPI has it, and what no environment sets.
struct policy_tree : mpit::category<"environment_policy", "Names by a policy"> {
    mpit::policy names{this, {.environment = "REMPI_*, REPARAM_*, RECVAR_*", .prefix = "RECVAR_"}};
    mpit::control<int> eager{this, "RECVAR_EAGER", "", {.initial = 5}};
    mpit::control<int> rndv{this, "RECVAR_RNDV", "", {.initial = 5}};
    mpit::control<int> alias{this, "RECVAR_ALIAS", "", {.initial = 5, .environment = "RE_POLICY_*"}};
    mpit::control<int> shut{this, "RECVAR_SHUT", "", {.initial = 5, .environment = mpit::none}};
    struct : mpit::category<"environment_policy_mca"> {
        mpit::policy names{this, {.environment = "RE_MCA_*", .in_capitals = true}};
        mpit::control<int> limit{this, "btl_limit", "", {.initial = 5}};
    } mca{this};
    struct : mpit::category<"environment_policy_deep"> {
        mpit::control<int> deep{this, "RECVAR_DEEP", "", {.initial = 5}};
    } inside{this};
    struct : mpit::category<"environment_policy_none"> {
        mpit::policy names{this, {.environment = mpit::none}};
        mpit::control<int> inner{this, "RECVAR_INNER", "", {.initial = 5}};
    } closed{this};
};
constexpr auto& by_policy = mpit::registered<policy_tree>;

enum class mode { slow, fast };
constexpr auto enumeration_of(mode) {
    return mpit::enumerators<mode>("mode", {{"slow", mode::slow}, {"fast", mode::fast}});
}

// What a runtime has parsed before it is asked.
int parsed_number = 8, parsed_item = 1;
double parsed_real = 0.5;
bool parsed_switch = true;
char parsed_text[16] = "ib0";

struct default_tree : mpit::category<"declared_defaults", "Declared beside the storage"> {
    mpit::control_ref<int> number{
        this, "RE_D_NUMBER", "", {.storage = &parsed_number, .default_value = 5, .range = {0, 9}}};
    mpit::control_ref<double> real{this, "RE_D_REAL", "", {.storage = &parsed_real, .default_value = 0.25}};
    mpit::control_ref<mode, int> item{this, "RE_D_ITEM", "", {.storage = &parsed_item, .default_value = mode::slow}};
    mpit::control_ref<bool> on{this, "RE_D_SWITCH", "", {.storage = &parsed_switch, .default_value = true}};
    mpit::control_ref<char[16]> text{this, "RE_D_TEXT", "", {.storage = &parsed_text, .default_value = "eth0"}};
};
constexpr auto& declared = mpit::registered<default_tree>;

// Value, declared value, and whether they differ.
std::string said_of(const char* name) {
    const mpit::tool::variable_view variable = mpit::tool::find_control(name);
    char value[64], initial[64];
    variable.format_value(value, sizeof value);
    variable.format_default(initial, sizeof initial);
    return std::string{value} + " " + initial + (variable.is_changed() ? " changed" : "");
}

std::string place_of(const char* name) {
    char place[300] = "";
    mpit::tool::find_control(name).format_place(place, sizeof place);
    return place;
}
mpit::origin origin_of(const char* name) { return mpit::tool::find_control(name).origin(); }

} // namespace

TEST_CASE("The environment sets a variable under any name of its list, without a report") {
    const initialized now;
    CHECK(variables.second == 7);
    CHECK(origin_of("RE_SECOND") == mpit::origin::environment);
    CHECK(place_of("RE_SECOND") == "RE_SECOND_OLD");
    CHECK(count_lines("RE_SECOND") == 0);
}

TEST_CASE("Of two names with different values the first counts, and one line says so") {
    {
        const initialized now;
        CHECK(variables.first == 7);
        CHECK(place_of("RE_FIRST") == "RE_FIRST_A");
    }
    const initialized again;
    REQUIRE(count_lines("RE_FIRST") == 1);
    CHECK(count_lines("RE_FIRST_B=8 in the environment has no effect: the control variable RE_FIRST has the value of "
                      "RE_FIRST_A=7 in the environment") == 1);
    CHECK(variables.equal == 7);
    CHECK(count_lines("RE_EQUAL") == 0);
}

TEST_CASE("If the value of the first name cannot be used it is reported, and the second name counts") {
    const initialized now;
    CHECK(variables.bad == 8);
    CHECK(place_of("RE_BAD") == "RE_BAD_B");
    CHECK(count_lines("RE_BAD") == 1);
    CHECK(count_lines("RE_BAD_A=many in the environment is not accepted: expected a whole number") == 1);
}

TEST_CASE("A variable without a name in the environment is not set by it, and its name is not reported as misspelt") {
    const initialized now;
    CHECK(variables.closed == 5);
    CHECK(origin_of("RE_CLOSED") == mpit::origin::library);
    CHECK(count_lines("RE_CLOSED") == 0);
}

TEST_CASE("A star in a name of the environment stands for the name of the variable") {
    const initialized now;
    CHECK(variables.star == 7);
    CHECK(place_of("RE_STAR") == "OURS_RE_STAR");
    CHECK(variables.own == 9);
    CHECK(origin_of("RE_OWN") == mpit::origin::environment);
    CHECK(place_of("RE_OWN").empty());
}

TEST_CASE("A misspelt name of a list is reported with the name that was meant") {
    const initialized now;
    CHECK(count_lines(
              "RE_MISTAKE_OLB=9 in the environment does not set any control variable; did you mean RE_MISTAKE_OLD?") ==
          1);
}

TEST_CASE("A value that came under the second name of a list is stored again from the second name") {
    late = 5;
    mpit::resolve<names_tree>();
    CHECK(late == 8);
    const initialized now;
    CHECK(place_of("RE_LATE") == "RE_LATE_B");
}

TEST_CASE("The dump of all settings names the environment's name that was set") {
    const initialized now;
    std::string dump;
    REQUIRE(mpit::write_configuration_to([&](mpit::core::text piece) { dump.append(piece.characters, piece.length); }));
    CHECK(dump.find("from the environment (RE_SECOND_OLD)") != std::string::npos);
    CHECK(dump.find("from the environment (OURS_RE_STAR)") != std::string::npos);
    CHECK(dump.find('*') == std::string::npos);
}

TEST_CASE("A file that sets a variable under a name of the environment is told the variable's own name") {
    const initialized now;
    const temporary_file file{"THEIRS_RE_STAR = 4\n"};
    REQUIRE(mpit::read_configuration(file.path()).settings == 1);
    std::string nearest;
    mpit::for_each_unused_setting([&](const mpit::unused_setting& each) {
        if (mpit::core::equal(each.name, "THEIRS_RE_STAR"))
            nearest.assign(each.nearest.characters, each.nearest.length);
    });
    CHECK(nearest == "RE_STAR");
    CHECK(variables.star == 7);
}

TEST_CASE("A variable that is described at run time has names of the environment as well") {
    const initialized now;
    setenv("RE_DYNAMIC_OLD", "7", 1);
    int stored = 5;
    mpit::dynamic group{"dynamic_environment"};
    REQUIRE(group.control<int>("RE_DYNAMIC", "", {.storage = &stored, .environment = "X_*, *_OLD"}) ==
            mpit::result::success);
    REQUIRE(group.control<int>("RE_NEVER", "", {.environment = mpit::none}) == mpit::result::success);
    for (const char* wrong : {"A,,B", "A*B*", "A=B", "A B", ",", "A,"})
        CHECK(group.control<int>("RE_WRONG", "", {.environment = wrong}) == mpit::result::invalid_name);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(stored == 7);
    CHECK(place_of("RE_DYNAMIC") == "RE_DYNAMIC_OLD");
    unsetenv("RE_DYNAMIC_OLD");
}

TEST_CASE("The policy of a category names its variables in the environment, and those of the categories inside") {
    const initialized now;
    CHECK(by_policy.eager == 7);
    CHECK(place_of("RECVAR_EAGER") == "REPARAM_EAGER");
    CHECK(by_policy.rndv == 8);
    CHECK(place_of("RECVAR_RNDV").empty());
    CHECK(by_policy.inside.deep == 12);
}

TEST_CASE("A variable or a category inside says otherwise than the policy, and the prefix is the same") {
    CHECK(by_policy.alias == 9);
    CHECK(by_policy.shut == 5);
    CHECK(by_policy.mca.limit == 11);
    CHECK(by_policy.closed.inner == 5);
}

TEST_CASE("A name that is nearly one by a policy is reported with the name that was meant") {
    const initialized now;
    CHECK(count_lines(
              "REMPI_EAGRE=9 in the environment does not set any control variable; did you mean REMPI_EAGER?") == 1);
    CHECK(count_lines("RECVAR_INNER") == 0);
}

TEST_CASE("A group of variables that are described at run time has a policy, of which it keeps a copy") {
    const initialized now;
    setenv("REG_SIZE", "7", 1);
    setenv("reg_depth", "8", 1);
    setenv("REG_CLOSED", "8", 1);
    {
        std::string names = "REG_*", prefix = "reg_";
        mpit::dynamic group{
            "dynamic_policy", "", {.environment = names.c_str(), .prefix = prefix.c_str(), .in_capitals = true}};
        names = prefix = "*****";
        REQUIRE(group.category("dynamic_policy_inside").control<int>("reg_size", "") == mpit::result::success);
        REQUIRE(group.control<int>("reg_depth", "", {.environment = "reg_depth"}) == mpit::result::success);
        REQUIRE(group.control<int>("reg_closed", "", {.environment = mpit::none}) == mpit::result::success);
        REQUIRE(group.publish().code == mpit::result::success);
        REQUIRE(group.control<char[]>("reg_later", "", {.length = 3}) == mpit::result::success);
        setenv("REG_LATER", "abc", 1);
        REQUIRE(group.publish().code == mpit::result::success);
        CHECK(cvar{"reg_size"}.read<int>() == 7);
        CHECK(place_of("reg_size") == "REG_SIZE");
        CHECK(cvar{"reg_depth"}.read<int>() == 8);
        CHECK(place_of("reg_depth").empty());
        CHECK(cvar{"reg_closed"}.read<int>() == 0);
        CHECK(place_of("reg_later") == "REG_LATER");
    }
    for (const char* wrong : {"REG", "REG_*,", "R*G*", "REG *"}) {
        mpit::dynamic group{"dynamic_policy", "", {.environment = wrong}};
        CHECK(group.control<int>("reg_size", "") == mpit::result::invalid_name);
        CHECK(group.publish().code == mpit::result::invalid_name);
    }
}

TEST_CASE("A default that is declared beside the storage is what tools see, and the storage keeps its value") {
    const initialized now;
    CHECK(said_of("RE_D_NUMBER") == "8 5 changed");
    CHECK(said_of("RE_D_REAL") == "0.5 0.25 changed");
    CHECK(said_of("RE_D_ITEM") == "fast slow changed");
    CHECK(said_of("RE_D_SWITCH") == "true true");
    CHECK(said_of("RE_D_TEXT") == "ib0 eth0 changed");
    mpit::resolve<default_tree>();
    CHECK(said_of("RE_D_NUMBER") == "8 5 changed");
    CHECK(declared.number.get() == 8);
    parsed_number = 5;
    CHECK(said_of("RE_D_NUMBER") == "5 5");
    parsed_number = 8;
}

TEST_CASE("A variable that is described at run time has a declared default beside its storage") {
    const initialized now;
    int number = 8;
    char text[8] = "ib0";
    mpit::dynamic group{"dynamic_defaults"};
    CHECK(group.control<int>("RE_DD_WRONG", "", {.minimum = 6, .storage = &number, .default_value = 5}) ==
          mpit::result::invalid);
    CHECK(group.control<int>("RE_DD_WRONG", "", {.default_value = 5}) == mpit::result::invalid);
    CHECK(group.control<char[]>("RE_DD_WRONG", "", {.length = 3, .storage = text, .default_value = "eth0"}) ==
          mpit::result::invalid);
    CHECK(group.control<char[]>("RE_DD_WRONG", "", {.length = 3, .default_value = "eth"}) == mpit::result::invalid);
    REQUIRE(group.control<int>("RE_DD_NUMBER", "", {.storage = &number, .default_value = 5}) == mpit::result::success);
    REQUIRE(group.control<int>("RE_DD_STORED", "", {.storage = &number}) == mpit::result::success);
    REQUIRE(group.control<char[]>("RE_DD_TEXT", "", {.length = 7, .storage = text, .default_value = "eth0"}) ==
            mpit::result::success);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(said_of("RE_DD_NUMBER") == "8 5 changed");
    CHECK(said_of("RE_DD_STORED") == "8 8");
    CHECK(said_of("RE_DD_TEXT") == "ib0 eth0 changed");
    group.resolve();
    CHECK(said_of("RE_DD_NUMBER") == "8 5 changed");
}

namespace {

// Parsed by the library, which then says where from.
int own_number = 5, own_file = 5, own_line = 5;
std::string own_text = "eth0";

struct given_tree : mpit::category<"given_by_the_library", "Parsed by the library"> {
    mpit::policy names{this, {.environment = mpit::none}};
    mpit::control_ref<int> number{this, "RE_G_NUMBER", "", {.storage = &own_number}};
    mpit::control_ref<int> file{this, "RE_G_FILE", "", {.storage = &own_file}};
    mpit::control_ref<int> line{this, "RE_G_LINE", "", {.storage = &own_line}};
    mpit::control_ref<std::string> text{this, "RE_G_TEXT", "", {.storage = &own_text}};
};
constexpr auto& given_ones = mpit::registered<given_tree>;

} // namespace

TEST_CASE("A library says who has given the value of its storage, and the value does not change") {
    const initialized now;
    own_number = 7;
    std::string place = "OLD_NAME";
    REQUIRE(mpit::given(given_ones.number, mpit::origin::environment, place.c_str()) == mpit::result::success);
    place = "********";
    CHECK(own_number == 7);
    CHECK(origin_of("RE_G_NUMBER") == mpit::origin::environment);
    CHECK(place_of("RE_G_NUMBER") == "OLD_NAME");
    CHECK(said_of("RE_G_NUMBER") == "7 5 changed");
    CHECK(mpit::given(given_ones.number, mpit::origin::tool) == mpit::result::invalid);
    CHECK(mpit::given(given_ones.text, mpit::origin::configuration, "a.conf:1") == mpit::result::success);
    CHECK(place_of("RE_G_TEXT") == "a.conf:1");

    own_number = 8;
    CHECK(origin_of("RE_G_NUMBER") == mpit::origin::library);
    const initialized again;
    CHECK(count_lines("RE_G_NUMBER") == 0);
    REQUIRE(mpit::given(given_ones.number, mpit::origin::environment) == mpit::result::success);
    CHECK(place_of("RE_G_NUMBER").empty());
    REQUIRE(mpit::given(given_ones.number, mpit::origin::library, "nothing") == mpit::result::set_not_now);
}

TEST_CASE("A value that a library has from the environment is stronger than a file, and weaker than the command line") {
    const initialized now;
    const temporary_file file{"RE_G_FILE = 3\nRE_G_LINE = 3\n"};
    own_file = 7;
    REQUIRE(mpit::given(given_ones.file, mpit::origin::environment) == mpit::result::success);
    REQUIRE(mpit::read_configuration(file.path()).settings == 2);
    CHECK(own_file == 7);
    CHECK(origin_of("RE_G_FILE") == mpit::origin::environment);

    CHECK(own_line == 3);
    CHECK_FALSE(mpit::is_outranked(given_ones.line, mpit::origin::environment));
    char program[] = "program", option[] = "--mpit", setting[] = "RE_G_LINE=9";
    char* arguments[] = {program, option, setting, nullptr};
    int count = 3;
    REQUIRE(mpit::take_arguments(count, arguments).settings == 1);
    CHECK(mpit::is_outranked(given_ones.line, mpit::origin::environment));
    own_line = 7;
    CHECK(mpit::given(given_ones.line, mpit::origin::environment) == mpit::result::set_not_now);
    mpit::resolve<given_tree>();
    CHECK(own_line == 9);
    CHECK(origin_of("RE_G_LINE") == mpit::origin::command_line);
    CHECK(own_file == 7);
}

TEST_CASE(
    "A group of variables that are described at run time is told who has given a value, also before it is published") {
    const initialized now;
    int early = 7, late_value = 7;
    mpit::dynamic group{"dynamic_given"};
    REQUIRE(
        group.control<int>("RE_DG_EARLY", "", {.storage = &early, .default_value = 5, .environment = "RE_DG_EARLY"}) ==
        mpit::result::success);
    REQUIRE(group.control<int>("RE_DG_LATE", "", {.storage = &late_value}) == mpit::result::success);
    int weak = 7;
    REQUIRE(group.control<int>("RE_DG_WEAK", "", {.storage = &weak, .environment = "RE_DG_EARLY"}) ==
            mpit::result::success);
    CHECK(group.given("RE_DG_WEAK", mpit::origin::configuration, "a.conf:1") == mpit::result::success);
    setenv("RE_DG_EARLY", "8", 1);
    CHECK(group.given("RE_DG_NONE", mpit::origin::configuration) == mpit::result::invalid_name);
    CHECK(group.given("RE_DG_EARLY", mpit::origin::command_line, "argument 3") == mpit::result::success);
    const temporary_file file{"RE_DG_EARLY = 3\nRE_DG_LATE = 3\n"};
    REQUIRE(group.publish().code == mpit::result::success);
    late_value = 6;
    CHECK(group.given("RE_DG_LATE", mpit::origin::environment) == mpit::result::success);
    REQUIRE(mpit::read_configuration(file.path()).settings == 2);
    CHECK(early == 7);
    CHECK(weak == 8);
    CHECK(late_value == 6);
    CHECK(said_of("RE_DG_EARLY") == "7 5 changed");
    CHECK(place_of("RE_DG_EARLY") == "argument 3");
    CHECK(mpit::tool::find_control("RE_DG_EARLY").has_default());
    const mpit::tool::variable_view unknown = mpit::tool::find_control("RE_DG_WEAK"),
                                    known = mpit::tool::find_control("RE_DG_LATE");
    CHECK_FALSE(unknown.has_default());
    CHECK(unknown.is_changed());
    CHECK(known.has_default());
    CHECK(origin_of("RE_DG_LATE") == mpit::origin::environment);
    CHECK(group.is_outranked("RE_DG_EARLY", mpit::origin::environment));
    CHECK_FALSE(group.is_outranked("RE_DG_LATE", mpit::origin::environment));
    unsetenv("RE_DG_EARLY");
}

namespace {

struct number_of_functions {
    int value = 7, writes = 0;
    static int read(void* data) { return static_cast<number_of_functions*>(data)->value; }
    static mpit::reply write(const int& wanted, void* data) {
        auto& own = *static_cast<number_of_functions*>(data);
        own.value = wanted;
        own.writes++;
        return mpit::reply::accepted;
    }
};

} // namespace

TEST_CASE("A group is told who has given a value that a function reads, and only a stronger source replaces it") {
    const initialized now;
    number_of_functions strong, weak;
    setenv("RE_DF_VALUE", "8", 1);
    const auto add = [](mpit::dynamic& group, const char* name, number_of_functions& own) {
        return group.control<int>(name, "",
                                  {.read = &number_of_functions::read,
                                   .on_write = &number_of_functions::write,
                                   .data = &own,
                                   .environment = "RE_DF_VALUE"});
    };
    mpit::dynamic group{"dynamic_given_function"};
    REQUIRE(add(group, "RE_DF_STRONG", strong) == mpit::result::success);
    REQUIRE(add(group, "RE_DF_WEAK", weak) == mpit::result::success);
    REQUIRE(group.given("RE_DF_STRONG", mpit::origin::command_line, "argument 3") == mpit::result::success);
    REQUIRE(group.given("RE_DF_WEAK", mpit::origin::configuration, "a.conf:1") == mpit::result::success);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(strong.value == 7);
    CHECK(strong.writes == 0);
    CHECK_FALSE(mpit::tool::find_control("RE_DF_STRONG").has_default());
    CHECK(origin_of("RE_DF_STRONG") == mpit::origin::command_line);
    CHECK(place_of("RE_DF_STRONG") == "argument 3");
    CHECK(weak.value == 8);
    CHECK(origin_of("RE_DF_WEAK") == mpit::origin::environment);
    unsetenv("RE_DF_VALUE");
}

namespace {

// A std::string that is made late, as by an initializer that runs after the tree was loaded.
union late_string {
    std::string made;
    constexpr late_string() : zeros_{} {}
    ~late_string() {}

private:
    char zeros_[sizeof(std::string)];
};
constinit late_string late_both, late_file, late_other, late_alone;

struct late_tree : mpit::category<"late_strings", "Made after the tree was loaded"> {
    mpit::control_ref<std::string> both{this, "RE_LATE_BOTH", "", {.storage = &late_both.made}};
    mpit::control_ref<std::string> file{this, "RE_LATE_FILE", "", {.storage = &late_file.made}};
    mpit::control_ref<std::string> other{this, "RE_LATE_OTHER", "", {.storage = &late_other.made}};
};
[[maybe_unused]] constexpr auto& made_late = mpit::registered<late_tree>;

struct alone_tree : mpit::category<"late_string_alone", "Made after the tree was loaded"> {
    mpit::control_ref<std::string> alone{this, "RE_LATE_ALONE", "", {.storage = &late_alone.made}};
};
[[maybe_unused]] constexpr auto& made_alone = mpit::registered<alone_tree>;

} // namespace

TEST_CASE("A std::string takes the value of a file that was read before it was made when its library resolves it") {
    if (!knows_unmade_strings) return std::puts(no_unmade_strings), void();
    const temporary_file file{"RE_LATE_ALONE = file\n"};
    REQUIRE(mpit::read_configuration(file.path()).settings == 1);
    new (&late_alone.made) std::string{"library"};
    mpit::resolve<alone_tree>();
    CHECK(late_alone.made == "file");
    const initialized now;
    CHECK(origin_of("RE_LATE_ALONE") == mpit::origin::configuration);
}

TEST_CASE(
    "A file does not win over the environment for a std::string that was not made when the environment was read") {
    if (!knows_unmade_strings) return std::puts(no_unmade_strings), void();
    const temporary_file file{"RE_LATE_BOTH = file\nRE_LATE_FILE = file\n"};
    REQUIRE(mpit::read_configuration(file.path()).settings == 2); // too early for this one as well
    new (&late_both.made) std::string{"library"};
    new (&late_file.made) std::string{"library"};
    new (&late_other.made) std::string{"library"};
    const initialized now;
    const temporary_file later{"RE_LATE_OTHER = file\n"};
    REQUIRE(mpit::read_configuration(later.path()).settings == 1);
    CHECK(late_other.made == "environment");
    mpit::resolve<late_tree>();
    CHECK(late_both.made == "environment");
    CHECK(late_other.made == "environment");
    CHECK(late_file.made == "file");
    CHECK(origin_of("RE_LATE_FILE") == mpit::origin::configuration);
}

namespace {

std::vector<std::string> told;
std::string words_of(mpit::core::text text) { return {text.characters, text.length}; }
mpit::rejection_reply stop(const mpit::rejected_setting& each) {
    const bool is_silent = words_of(each.variable) == "RE_STOP_QUIET";
    told.push_back(words_of(each.variable) + " " + words_of(each.name) + " " + words_of(each.value) + " " +
                   words_of(each.place) + (each.source == mpit::origin::environment ? " environment" : " other"));
    CHECK(words_of(each.reason).find("expected a whole number") != std::string::npos);
    return {.code = is_silent ? 78 : 77, .is_silent = is_silent};
}

struct stopping_tree : mpit::category<"stopping", "A bad value stops the library"> {
    mpit::policy rules{this, {.on_rejected = &stop}};
    mpit::control<int> bad{this, "RE_STOP_BAD", "", {.initial = 5}};
    mpit::control<int> quiet{this, "RE_STOP_QUIET", "", {.initial = 5}};
    mpit::control<int> later{this, "RE_STOP_LATER", "", {.initial = 5}};
};
constexpr auto& stopping = mpit::registered<stopping_tree>;

struct coded_tree : mpit::category<"coded", "A bad value has a code"> {
    mpit::policy rules{this, {.rejection_code = 79}};
    mpit::control<int> bad{this, "RE_CODED", "", {.initial = 5, .environment = "RE_STOP_BAD"}};
};
constexpr auto& coded = mpit::registered<coded_tree>;

} // namespace

TEST_CASE("A library hears of values that cannot be used when it runs, and resolve answers its own error code") {
    const initialized now;
    CHECK(told.empty());
    CHECK(count_lines("RE_STOP") == 0);
    CHECK(mpit::resolve<stopping_tree>() == 77);
    CHECK(told == std::vector<std::string>{"RE_STOP_BAD RE_STOP_BAD many  environment",
                                           "RE_STOP_QUIET RE_STOP_QUIET many  environment"});
    CHECK(count_lines("RE_STOP") == 1);
    CHECK(count_lines("RE_STOP_BAD=many in the environment is not accepted: expected a whole number") == 1);
    CHECK(stopping.bad == 5);

    told.clear();
    CHECK(mpit::resolve<stopping_tree>() == 0);
    CHECK(told.empty());
    const temporary_file file{"RE_STOP_LATER = some\n"};
    REQUIRE(mpit::read_configuration(file.path()).settings == 1);
    CHECK(told ==
          std::vector<std::string>{"RE_STOP_LATER RE_STOP_LATER some " + std::string{file.path()} + ":1 other"});
    CHECK(mpit::resolve<stopping_tree>() == 77);
    CHECK(stopping.later == 5);
    told.clear();
    CHECK(mpit::resolve<stopping_tree>() == 0);
    CHECK(mpit::resolve<names_tree>() == 0);
}

TEST_CASE(
    "A group of variables that are described at run time hears of values that cannot be used when it is published") {
    const initialized now;
    told.clear();
    setenv("DS_SIZE", "many", 1);
    mpit::dynamic group{"dynamic_stopping", "", {.environment = "DS_*", .on_rejected = &stop}};
    REQUIRE(group.control<int>("SIZE", "", {.initial = 5}) == mpit::result::success);
    const mpit::dynamic_result answer = group.publish();
    CHECK(answer.code == mpit::result::success);
    CHECK(answer.rejection_code == 77);
    CHECK(told == std::vector<std::string>{"SIZE DS_SIZE many  environment"});
    CHECK(count_lines("DS_SIZE=many in the environment is not accepted: expected a whole number") == 1);
    unsetenv("DS_SIZE");
}

TEST_CASE("A policy with an error code reports each bad value, and answers the code") {
    const initialized now;
    CHECK(mpit::resolve<coded_tree>() == 79);
    CHECK(count_lines("control variable RE_CODED keeps 5") == 1);
    CHECK(coded.bad == 5);
    CHECK(mpit::resolve<coded_tree>() == 0);
    setenv("DS_CODED", "many", 1);
    mpit::dynamic group{"dynamic_coded", "", {.environment = "DS_*", .rejection_code = 80}};
    REQUIRE(group.control<int>("CODED", "", {.initial = 5}) == mpit::result::success);
    const mpit::dynamic_result answer = group.publish();
    CHECK((answer.code == mpit::result::success && answer.rejection_code == 80 && group.rejection_code() == 0));
    unsetenv("DS_CODED");
    const temporary_file file{"CODED = some\n"};
    REQUIRE(mpit::read_configuration(file.path()).settings == 1);
    CHECK((group.rejection_code() == 80 && group.rejection_code() == 0));
}
