// Values of control variables from all sources: which one wins, what is said of those that do not, and where a value
// came from, through the functions of the standard and the reader in C++.
#include "../comma_locale.hpp"
#include "../temporary_file.hpp"
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpi_t/settings.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {

enum class protocol { automatic, eager, rendezvous = 7 };
enum class answer { no, yes };
int adopted_storage = 21;
int heard = 0;
mpit::reply hear_small(const int& n) { return heard = n, n < 100 ? mpit::reply::accepted : mpit::reply::not_now; }

// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] void prepare_environment() {
    setenv("S_ORDER", "3", 1);
    setenv("S_ORDER_OF_REFUSED", "3", 1);
    setenv("S_REORDERED", "5", 1);
    setenv("S_ANOTHER_NAME", "3", 1);
    setenv("S_FORMER_IN_ENVIRONMENT", "3", 1);
    setenv("S_BOTH_FORMER", "3", 1);
    setenv("S_BOTH", "4", 1);
    setenv("S_BAD_NAME_AND_FORMER", "x", 1);
    setenv("S_GOOD_FORMER", "8", 1);
    setenv("S_DEPRECATED_IN_ENVIRONMENT", "8", 1);
}

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<protocol> = mpit::enumerators<protocol>(
    "protocol",
    {{"automatic", protocol::automatic}, {"eager now", protocol::eager}, {"rendezvous", protocol::rendezvous}});
template <>
inline constexpr auto mpit::enumeration_of<answer> =
    mpit::enumerators<answer>("answer", {{"no", answer::no}, {"yes", answer::yes}});

namespace {

struct setting_variables : mpit::category<"settings", "Set from everywhere"> {
    mpit::control<int> order{this, "S_ORDER", "", {.initial = 1}};
    mpit::control<int> order_of_refused{this, "S_ORDER_OF_REFUSED", "", {.initial = {1, 0, 10}}};
    mpit::control<int> other_name{this, "S_OTHER_NAME", "", {.initial = 1, .environment = "S_ANOTHER_NAME"}};
    mpit::control<int> repeated{this, "S_REPEATED", "", {.initial = 1}};
    mpit::control<int> ranged{this, "S_RANGED", "", {.initial = {1, 0, 10}}};
    mpit::control<int> constant{this, "S_CONSTANT", "", {.initial = 1, .scope = mpit::scope::constant}};
    mpit::control<int> readonly{this, "S_READONLY", "", {.initial = 1, .scope = mpit::scope::readonly}};
    mpit::control<int> told{this, "S_TOLD", "", {.initial = 1, .on_write = &hear_small}};
    mpit::control<int> assigned{this, "S_ASSIGNED", "", {.initial = 1}};
    mpit::control<int> written{this, "S_WRITTEN", "", {.initial = 1}};
    mpit::control<int> of_arguments{this, "S_OF_ARGUMENTS", "", {.initial = 1}};
    mpit::control<int> of_other_option{this, "S_OF_OTHER_OPTION", "", {.initial = 1}};
    mpit::control<int> of_info{this, "S_OF_INFO", "", {.initial = 1}};
    mpit::control<int> reordered{this, "S_REORDERED", "", {.initial = 1}};
    mpit::control<int> without_memory{this, "S_WITHOUT_MEMORY", "", {.initial = 1}};
    mpit::control<double> real{this, "S_REAL", "", {.initial = 0.1}};
    mpit::control<protocol> chosen{this, "S_CHOSEN", "", {.initial = protocol::automatic}};
    mpit::control<char[16]> text{this, "S_TEXT", "", {.initial = "eth0"}};
    mpit::control<int[3]> list{this, "S_LIST", "", {.initial = {1, 2, 3}}};
    mpit::control<char[2000]> large{this, "S_LARGE", "", {.initial = "small"}};
    mpit::control_ref<int> adopted{this, "S_ADOPTED", "", {.storage = &adopted_storage}};
    mpit::control<int, MPI_ABI_Comm*> bound{this, "S_BOUND", "", {.initial = 1}};
    mpit::control<int> hint{this, "S_HINT", "", {.initial = {1, -100, 1000}}};
    mpit::control<int[3]> hints{this, "S_HINTS", "", {.initial = {1, 2, 3}}};
    mpit::control<protocol> hinted_item{this, "S_HINTED_ITEM", ""};
    mpit::control<answer> hinted_answer{this, "S_HINTED_ANSWER", ""};
    mpit::control<double> hinted_real{this, "S_HINTED_REAL", ""};
    mpit::control<char[16]> hinted_text{this, "S_HINTED_TEXT", ""};
};
constexpr auto& variables = mpit::registered<setting_variables>;

struct renamed_variables : mpit::category<"renamed", "Had other names"> {
    mpit::control<int> environment{this, "S_PRESENT", "", {.initial = 1, .renamed_from = "S_FORMER_IN_ENVIRONMENT"}};
    mpit::control<int> both{this, "S_BOTH", "", {.initial = 1, .renamed_from = "S_BOTH_FORMER"}};
    mpit::control<int> bad{this, "S_BAD_NAME_AND_FORMER", "", {.initial = 1, .renamed_from = "S_GOOD_FORMER"}};
    mpit::control<int> file{this, "S_PRESENT_IN_FILE", "", {.initial = 1, .renamed_from = "S_FORMER_IN_FILE"}};
    mpit::control<int> both_in_file{this, "S_TWO_NAMES", "", {.initial = 1, .renamed_from = "S_TWO_NAMES_FORMER"}};
    mpit::control<int> stronger{this, "S_STRONGER", "", {.initial = 1, .renamed_from = "S_STRONGER_FORMER"}};
    mpit::control<int> in_environment{
        this, "S_DEPRECATED_IN_ENVIRONMENT", "", {.initial = 1, .deprecated = "nobody needs it"}};
    mpit::control<int> deprecated{this, "S_DEPRECATED", "", {.initial = 1, .deprecated = "use S_ORDER"}};
};
constexpr auto& renamed = mpit::registered<renamed_variables>;

std::vector<std::string> lines;
// The reports of the start went elsewhere, which is what a program without a handler sees.
struct reported {
    reported() {
        lines.clear();
        mpit::set_report_handler([](const char* line) { lines.emplace_back(line); });
    }
    reported(const reported&) = delete;
    ~reported() { mpit::set_report_handler(nullptr); }
    std::string all(const std::string& file = "") const {
        std::string text;
        for (std::string line : lines) {
            for (std::size_t at = file.empty() ? std::string::npos : line.find(file); at != std::string::npos;
                 at = line.find(file))
                line.replace(at, file.size(), "FILE");
            text += (text.empty() ? "" : " | ") + line;
        }
        return text;
    }
};

mpit::tool::variable_view seen(const char* name) { return mpit::tool::find_control(name); }
using writing = std::size_t (mpit::tool::variable_view::*)(char*, std::size_t) const;
std::string text_by(writing write, const char* name) {
    char room[4096] = "never written";
    const std::size_t length = (seen(name).*write)(room, sizeof room);
    REQUIRE(length == std::strlen(room));
    return room;
}
std::string place_of(const char* name) { return text_by(&mpit::tool::variable_view::write_place, name); }
std::string value_of(const char* name) {
    return text_by(static_cast<writing>(&mpit::tool::variable_view::write_value), name);
}
std::string default_of(const char* name) { return text_by(&mpit::tool::variable_view::write_default, name); }

class file : public temporary_file {
public:
    using temporary_file::temporary_file;
    mpit::settings_answer read() const { return mpit::read_configuration(path()); }
};

// What take_arguments() leaves, side by side.
std::string left_of(std::vector<std::string> words, mpit::settings_answer& answer, const char* option = "--mpit") {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    int count = static_cast<int>(words.size());
    answer = mpit::take_arguments(count, arguments.data(), option);
    REQUIRE(arguments[static_cast<std::size_t>(count)] == nullptr);
    std::string left;
    for (int i = 0; i < count; i++) left += (i == 0 ? "" : " ") + std::string{arguments[static_cast<std::size_t>(i)]};
    return left;
}

} // namespace

TEST_CASE("Of all sources the strongest one wins: file, environment, command line, info object, tool") {
    const initialized now;
    const reported reports;
    CHECK(seen("S_ORDER").origin() == mpit::origin::environment);
    CHECK(place_of("S_ORDER") == "");
    const file here{"# words\nS_ORDER = 2\n"};
    CHECK(here.read().settings == 1);
    CHECK(cvar{"S_ORDER"}.read() == 3);
    mpit::settings_answer answer;
    CHECK(left_of({"program", "--mpit", "S_ORDER=4"}, answer) == "program");
    CHECK(cvar{"S_ORDER"}.read() == 4);
    CHECK(seen("S_ORDER").origin() == mpit::origin::command_line);
    CHECK(place_of("S_ORDER") == "argument 2");
    mpit::info hints;
    REQUIRE(hints.set("S_ORDER", "5") == mpit::info_result::success);
    CHECK(mpit::read_info(hints, "MPI_Session_init").settings == 1);
    CHECK(cvar{"S_ORDER"}.read() == 5);
    CHECK(seen("S_ORDER").origin() == mpit::origin::info);
    CHECK(place_of("S_ORDER") == "MPI_Session_init");
    CHECK(cvar{"S_ORDER"}.write(6) == MPI_SUCCESS);
    CHECK(seen("S_ORDER").origin() == mpit::origin::tool);
    CHECK(place_of("S_ORDER") == "");
    CHECK(here.read().settings == 1);
    CHECK(left_of({"program", "--mpit", "S_ORDER=7"}, answer) == "program");
    CHECK(cvar{"S_ORDER"}.read() == 6);
    CHECK(reports.all() == "");
}

TEST_CASE("A value that is refused is reported with its place, and the next source is used") {
    const initialized now;
    const reported reports;
    mpit::settings_answer answer;
    CHECK(left_of({"program", "--mpit=S_ORDER_OF_REFUSED=11"}, answer) == "program");
    CHECK(answer.settings == 1);
    CHECK(reports.all() == "S_ORDER_OF_REFUSED=11 in argument 1 is not accepted: expected a whole number from 0 to 10; "
                           "the control variable keeps 3");
    CHECK(seen("S_ORDER_OF_REFUSED").origin() == mpit::origin::environment);
    const file here{"\nS_RANGED = 4\nS_RANGED = 40\nS_CONSTANT = 2\nS_BOUND = 2\n"};
    lines.clear();
    CHECK(here.read().settings == 4);
    CHECK(
        reports.all(here.path()) ==
        "S_RANGED=40 in FILE:3 is not accepted: expected a whole number from 0 to 10; the control variable keeps 4 | "
        "S_CONSTANT=2 in FILE:4 has no effect: the control variable is constant and keeps 1 | S_BOUND=2 in FILE:5 has "
        "no effect: the control variable has a value in each communicator and cannot be set by a configuration file");
    CHECK(variables.ranged == 4);
    CHECK(place_of("S_RANGED") == std::string{here.path()} + ":2");
    lines.clear();
    mpit::info hints;
    REQUIRE(hints.set("S_RANGED", "x") == mpit::info_result::success);
    CHECK(mpit::read_info(hints).settings == 1);
    CHECK(reports.all() == "S_RANGED=x in an info object is not accepted: expected a whole number from 0 to 10; the "
                           "control variable keeps 4");
    lines.clear();
    CHECK(mpit::read_info(hints).settings == 1);
    CHECK(reports.all() == "");
}

TEST_CASE("Without memory a setting is lost, the answer says so, and all others are applied") {
    mpit::settings_answer answer;
    const std::string large = "S_LARGE=" + std::string(20000, 'x');
    mpit::core::allocations_left.store(0);
    const std::string left = left_of({"program", "--mpit", large, "--mpit", "S_WITHOUT_MEMORY=2"}, answer);
    mpit::core::allocations_left.store(-1);
    CHECK(left == "program");
    CHECK(answer.code == mpit::result::out_of_memory);
    CHECK(variables.without_memory == 2);
    mpit::info hints;
    REQUIRE(hints.set("S_LARGE", std::string(20000, 'x').c_str(), {255, 20000}) == mpit::info_result::success);
    mpit::core::allocations_left.store(0);
    answer = mpit::read_info(hints);
    mpit::core::allocations_left.store(-1);
    CHECK(answer.code == mpit::result::out_of_memory);
    CHECK(mpit::read_configuration("/nonexistent").code == mpit::result::not_accessible);
}

TEST_CASE("Within one source the later value wins, and repeating a value changes nothing") {
    const initialized now;
    const file first{"S_REPEATED = 2\nS_REPEATED = 3\n"}, second{"S_REPEATED = 4\n"};
    CHECK(first.read().settings == 2);
    CHECK(variables.repeated == 3);
    CHECK(second.read().settings == 1);
    CHECK(variables.repeated == 4);
    CHECK(place_of("S_REPEATED") == std::string{second.path()} + ":1");
    mpit::settings_answer answer;
    CHECK(left_of({"program", "--mpit", "S_REPEATED=5", "--mpit", "S_REPEATED=6"}, answer) == "program");
    CHECK(variables.repeated == 6);
    CHECK(place_of("S_REPEATED") == "argument 4");
    const std::uint32_t count = mpit::registry::the_registry()->settings.count.load();
    mpit::info hints;
    REQUIRE(hints.set("S_REPEATED", "7") == mpit::info_result::success);
    for (int i = 0; i < 3; i++) CHECK(mpit::read_info(hints).settings == 1);
    CHECK(mpit::registry::the_registry()->settings.count.load() == count + 1);
}

TEST_CASE("A value that a library assigns stays until a new setting") {
    const file first{"S_ASSIGNED = 2\n"}, unrelated{"S_NOBODY_HAS_IT = 2\n"}, second{"S_ASSIGNED = 3\n"};
    CHECK(first.read().settings == 1);
    variables.assigned = 9;
    CHECK(unrelated.read().settings == 1);
    CHECK(first.read().settings == 1);
    CHECK(variables.assigned == 9);
    CHECK(second.read().settings == 1);
    CHECK(variables.assigned == 3);
}

TEST_CASE("A running library receives a new value and may refuse it, and a readonly variable takes it") {
    const initialized now;
    const reported reports;
    const file here{"S_READONLY = 2\nS_TOLD = 50\nS_TOLD = 500\n"};
    CHECK(here.read().settings == 3);
    CHECK(variables.readonly == 2);
    CHECK(variables.told == 50);
    CHECK(heard == 50);
    CHECK(reports.all(here.path()) ==
          "S_TOLD=500 in FILE:3 is refused by the library's own check; the control variable keeps 50");
}

TEST_CASE("The place is the environment name if it is not the variable's own name") {
    const initialized now;
    CHECK(variables.other_name == 3);
    CHECK(seen("S_OTHER_NAME").origin() == mpit::origin::environment);
    CHECK(place_of("S_OTHER_NAME") == "S_ANOTHER_NAME");
}

TEST_CASE("Settings are removed from a command line up to two dashes, and other arguments stay or are reported") {
    const reported reports;
    mpit::settings_answer answer;
    CHECK(left_of({"program", "-x", "--mpit", "S_OF_ARGUMENTS=2", "file", "--mpit=S_OF_ARGUMENTS=3", "--", "--mpit",
                   "S_OF_ARGUMENTS=4"},
                  answer) == "program -x file -- --mpit S_OF_ARGUMENTS=4");
    CHECK(answer.settings == 2);
    CHECK(variables.of_arguments == 3);
    CHECK(left_of({"program", "--mpitx", "--mpi", "-mpit", "--mpit-like=3"}, answer) ==
          "program --mpitx --mpi -mpit --mpit-like=3");
    CHECK(answer.settings == 0);
    CHECK(reports.all() == "");
    CHECK(left_of({"program", "--mpit", "value", "--mpit=", "--mpit==5", "--mpit=A B=5", "--mpit", "--"}, answer) ==
          "program --");
    CHECK(answer.settings == 0);
    CHECK(answer.refused == 5);
    const std::string words = " is not read: expected NAME=VALUE after --mpit, but found ";
    CHECK(reports.all() == "argument 2" + words + "value | argument 3" + words + "\"\" | argument 4" + words +
                               "=5 | argument 5" + words + "\"A B=5\" | argument 6" + words + "\"\"");
    CHECK(left_of({"program", "--mpit"}, answer) == "program");
    CHECK(left_of({"program"}, answer) == "program");
    int none = 0;
    CHECK(mpit::take_arguments(none, nullptr).settings == 0);
    CHECK(left_of({"program", "-s", "S_OF_OTHER_OPTION=2", "--mpit", "kept"}, answer, "-s") == "program --mpit kept");
    CHECK(variables.of_other_option == 2);
}

TEST_CASE("An MPI_Info object is read through the shims, and keys that are no variables are ignored") {
    const initialized now;
    const reported reports;
    {
        const hints pairs{{"S_OF_INFO", "2"}, {"some other hint", "x"}, {"cb_nodes", "4"}};
        CHECK(mpit::read_info(pairs.info).code == mpit::result::success);
    }
    CHECK(variables.of_info == 2);
    CHECK(seen("S_OF_INFO").origin() == mpit::origin::info);
    CHECK(place_of("S_OF_INFO") == "");
    CHECK(mpit::read_info(MPI_INFO_NULL).code == mpit::result::success);
    CHECK(mpit::read_info(reinterpret_cast<MPI_Info>(std::uintptr_t{0x1234567})).code == mpit::result::invalid);
    int unused = 0;
    mpit::for_each_unused_setting(
        [&](const mpit::unused_setting& each) { unused += std::string{each.name.characters} == "cb_nodes"; });
    CHECK(unused == 0);
    CHECK(reports.all() == "");
}

TEST_CASE("Values of an MPI_Info object follow the rules of the Info chapter", "[INFO-25][INFO-26]") {
    const initialized now;
    const reported reports;
    const auto give = [](const char* name, const char* value) {
        const hints pairs{{name, value}};
        CHECK(mpit::read_info(pairs.info, "hints").settings == 1);
        return value_of(name);
    };
    CHECK(give("S_HINT", "15 ") == "15");
    CHECK(give("S_HINT", "08") == "8");
    CHECK(give("S_HINT", " 0100 ") == "100");
    CHECK(give("S_HINT", "+007") == "7");
    CHECK(give("S_HINT", "-010") == "-10");
    CHECK(give("S_HINT", "00") == "0");
    CHECK(give("S_HINTS", " 7 , 08,010 ") == "7,8,10");
    CHECK(give("S_HINTED_ITEM", " eager now ") == "eager now");
    CHECK(give("S_HINTED_ITEM", "07") == "rendezvous");
    CHECK(give("S_HINTED_ANSWER", "true") == "yes");
    CHECK(give("S_HINTED_ANSWER", " false ") == "no");
    CHECK(give("S_HINTED_REAL", " 0.5 ") == "0.5");
    CHECK(give("S_HINTED_TEXT", " as it is ") == " as it is ");
    CHECK(reports.all() == "");
}

TEST_CASE(
    "Values of an MPI_Info object that its chapter does not allow are refused, and no range is given in its octal") {
    const initialized now;
    const reported reports;
    const std::string before = value_of("S_HINT");
    for (const char* wrong : {"0x10", "- 3", "0900000", "1 2", "true", " "}) {
        lines.clear();
        const hints pairs{{"S_HINT", wrong}};
        CHECK(mpit::read_info(pairs.info).settings == 1);
        CHECK(value_of("S_HINT") == before);
        REQUIRE(lines.size() == 1);
        CHECK(lines[0].find("octal") == std::string::npos);
        CHECK(lines[0].find("expected a whole number from -100 to 1000") != std::string::npos);
    }
    const hints pairs{{"S_HINTED_ITEM", "true"}};
    CHECK(mpit::read_info(pairs.info).settings == 1);
    CHECK(lines.back().find("expected one of automatic, eager now, rendezvous") != std::string::npos);
}

TEST_CASE("A file that cannot be read is an answer with its reason") {
    const mpit::settings_answer answer = mpit::read_configuration("/nonexistent/file");
    CHECK(answer.code == mpit::result::not_accessible);
    CHECK(errno == ENOENT);
    CHECK(mpit::read_configuration("/tmp").code == mpit::result::not_accessible);
    CHECK(mpit::write_configuration("/nonexistent/file") == mpit::result::not_accessible);
}

TEST_CASE("Values and declared values are written in the spelling that can be read") {
    const initialized now;
    CHECK(value_of("S_REAL") == "0.1");
    CHECK(value_of("S_CHOSEN") == "automatic");
    CHECK(value_of("S_TEXT") == "eth0");
    CHECK(value_of("S_LIST") == "1,2,3");
    CHECK(value_of("S_ADOPTED") == "21");
    CHECK(value_of("S_BOUND") == "");
    for (const char* name : {"S_REAL", "S_CHOSEN", "S_TEXT", "S_LIST", "S_ADOPTED", "S_BOUND", "S_CONSTANT", "S_LARGE"})
        CHECK(!seen(name).is_changed());
    {
        const comma_locale commas;
        variables.real = 1.0 / 3;
        CHECK(value_of("S_REAL") == "0.3333333333333333");
        CHECK(default_of("S_REAL") == "0.1");
    }
    variables.chosen = protocol::rendezvous;
    variables.text = "a,b";
    variables.list = {4, 5, 6};
    variables.large = mpit::characters<2000>{std::string(1999, 'y').c_str()};
    adopted_storage = 22;
    CHECK(value_of("S_CHOSEN") == "rendezvous");
    CHECK(default_of("S_CHOSEN") == "automatic");
    CHECK(value_of("S_TEXT") == "a,b");
    CHECK(default_of("S_TEXT") == "eth0");
    CHECK(default_of("S_LIST") == "1,2,3");
    CHECK(value_of("S_LARGE") == std::string(1999, 'y'));
    CHECK(default_of("S_LARGE") == "small");
    CHECK(default_of("S_ADOPTED") == "21");
    CHECK(default_of("S_ORDER") == "1");
    for (const char* name : {"S_REAL", "S_CHOSEN", "S_TEXT", "S_LIST", "S_ADOPTED", "S_LARGE"})
        CHECK(seen(name).is_changed());
    variables.text = "eth0";
    variables.chosen = protocol::automatic;
    CHECK(!seen("S_TEXT").is_changed());
    CHECK(!seen("S_CHOSEN").is_changed());
    char room[4] = "xyz";
    CHECK(seen("S_LIST").write_value(room, sizeof room) == 5);
    CHECK(std::string{room} == "4,5");
    CHECK(seen("S_LIST").write_value(nullptr, 0) == 5);
}

TEST_CASE("A former name is accepted from everywhere, with one warning; the present one wins in the same source") {
    const initialized now;
    const reported reports;
    CHECK(renamed.environment == 3);
    CHECK(seen("S_PRESENT").origin() == mpit::origin::environment);
    CHECK(place_of("S_PRESENT") == "S_FORMER_IN_ENVIRONMENT");
    CHECK(renamed.both == 4);
    CHECK(place_of("S_BOTH") == "");
    CHECK(renamed.bad == 8);
    CHECK(place_of("S_BAD_NAME_AND_FORMER") == "S_GOOD_FORMER");

    const file here{"S_FORMER_IN_FILE = 5\nS_FORMER_IN_FILE = 6\nS_TWO_NAMES = 7\nS_TWO_NAMES_FORMER = 8\n"};
    CHECK(here.read().settings == 4);
    CHECK(renamed.file == 6);
    CHECK(place_of("S_PRESENT_IN_FILE") == std::string{here.path()} + ":2");
    CHECK(renamed.both_in_file == 7);
    CHECK(reports.all(here.path()) ==
          "S_FORMER_IN_FILE=6 in FILE:2 uses a former name of the control variable S_PRESENT_IN_FILE | "
          "S_TWO_NAMES_FORMER=8 in FILE:4 uses a former name of the control variable S_TWO_NAMES; in effect is the "
          "value of the present name in FILE:3");
    lines.clear();
    mpit::settings_answer answer;
    CHECK(left_of({"program", "--mpit", "S_FORMER_IN_FILE=9"}, answer) == "program");
    CHECK(renamed.file == 9);
    CHECK(reports.all() == "");
    const file weaker{"S_STRONGER = 2\n"};
    CHECK(weaker.read().settings == 1);
    CHECK(left_of({"program", "--mpit", "S_STRONGER_FORMER=3"}, answer) == "program");
    CHECK(renamed.stronger == 3);
    CHECK(reports.all(weaker.path()) ==
          "S_STRONGER_FORMER=3 in argument 2 uses a former name of the control variable S_STRONGER; it is in effect "
          "instead of the value of the present name in FILE:1");
    int found = -1;
    CHECK(MPI_T_cvar_get_index("S_FORMER_IN_FILE", &found) == MPI_T_ERR_INVALID_NAME);
}

TEST_CASE("A deprecated variable that is set is reported once, with its replacement") {
    const reported reports;
    CHECK(renamed.in_environment == 8);
    const file here{"S_DEPRECATED = 2\n"};
    CHECK(here.read().settings == 1);
    CHECK(here.read().settings == 1);
    CHECK(renamed.deprecated == 2);
    CHECK(reports.all(here.path()) == "S_DEPRECATED=2 in FILE:1: the control variable is deprecated: use S_ORDER");
}

TEST_CASE("Settings that no variable has used are listed, with the name that was probably meant") {
    const initialized now;
    const reported reports;
    const file here{"S_REPEATDE = 2\nS_UNUSED = 3\n"};
    CHECK(here.read().settings == 2);
    CHECK(reports.all() == "");
    CHECK(mpit::report_unused_settings() >= 2);
    const std::string told = reports.all(here.path());
    CHECK(told.find("S_REPEATDE=2 in FILE:1 does not set any control variable; did you mean S_REPEATED?") !=
          std::string::npos);
    CHECK(told.find("S_UNUSED=3 in FILE:2 does not set any control variable") != std::string::npos);
    CHECK(told.find("S_ORDER=") == std::string::npos);
    lines.clear();
    mpit::dynamic group{"late_settings"};
    REQUIRE(group.control<int>("S_UNUSED", "", {.initial = 1}) == mpit::result::success);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(value_of("S_UNUSED") == "3");
    CHECK(mpit::report_unused_settings() >= 1);
    CHECK(reports.all().find("S_UNUSED") == std::string::npos);
}

TEST_CASE(
    "Of many wrong arguments and many settings that nobody has asked for the first are reported, and how many more "
    "there are") {
    const initialized now;
    const reported reports;
    std::vector<std::string> words{"program"};
    for (int i = 0; i < 50; i++) words.insert(words.end(), {"--mpit", "no setting"});
    mpit::settings_answer answer;
    CHECK(left_of(words, answer) == "program");
    CHECK(answer.refused == 50);
    CHECK(lines.size() == 11);
    CHECK(lines.back() == "40 more arguments after --mpit are not read");
    lines.clear();
    std::string content;
    for (int i = 0; i < 50; i++) content += "UNKNOWN_SETTING_" + std::to_string(i) + " = 1\n";
    const file here{content};
    CHECK(here.read().settings == 50);
    CHECK(mpit::report_unused_settings() >= 50);
    CHECK(lines.size() == 11);
    CHECK(lines.back().find("more settings do not set any control variable") != std::string::npos);
}

TEST_CASE("The order of the sources can be chosen, and all variables follow it") {
    const initialized now;
    using mpit::origin;
    const file here{"S_REORDERED = 2\n"};
    CHECK(here.read().settings == 1);
    mpit::settings_answer answer;
    CHECK(left_of({"program", "--mpit", "S_REORDERED=3"}, answer) == "program");
    CHECK(variables.reordered == 3);
    CHECK(mpit::set_order({origin::environment, origin::info, origin::command_line, origin::configuration}) ==
          mpit::result::success);
    CHECK(variables.reordered == 2);
    CHECK(seen("S_REORDERED").origin() == origin::configuration);
    CHECK(mpit::set_order({origin::configuration, origin::info, origin::command_line, origin::environment}) ==
          mpit::result::success);
    CHECK(variables.reordered == 5);
    CHECK(seen("S_REORDERED").origin() == origin::environment);
    CHECK(mpit::set_order({origin::configuration, origin::environment, origin::command_line, origin::info}) ==
          mpit::result::success);
    CHECK(variables.reordered == 3);
    CHECK(mpit::set_order({origin::configuration, origin::environment, origin::environment, origin::info}) ==
          mpit::result::invalid);
    CHECK(mpit::set_order({origin::library, origin::environment, origin::command_line, origin::info}) ==
          mpit::result::invalid);
}

TEST_CASE("Variables that are described at run time take values of all sources and have all settings") {
    const initialized now;
    const reported reports;
    const file here{"S_DYNAMIC = 2\nS_DYNAMIC_FORMER = two\nS_DYNAMIC_DEPRECATED = 1\nS_DYNAMIC_READ = 4\n"};
    CHECK(here.read().settings == 4);
    static int stored = 5;
    static char stored_text[9] = "five";
    {
        mpit::dynamic group{"dynamic_settings"};
        REQUIRE(group.control<int>("S_DYNAMIC", "", {.initial = 1}) == mpit::result::success);
        REQUIRE(group.control<char[]>("S_DYNAMIC_TEXT", "", {.initial = "one", .renamed_from = "S_DYNAMIC_FORMER"}) ==
                mpit::result::success);
        REQUIRE(group.control<bool>("S_DYNAMIC_DEPRECATED", "", {.deprecated = "it is gone"}) == mpit::result::success);
        REQUIRE(group.control<int>("S_DYNAMIC_STORED", "", {.storage = &stored}) == mpit::result::success);
        REQUIRE(group.control<char[]>("S_DYNAMIC_STORED_TEXT", "", {.length = 8, .storage = stored_text}) ==
                mpit::result::success);
        REQUIRE(group.control<int>("S_DYNAMIC_READ", "", {.read = [](void*) {
            return 3;
        }, .scope = mpit::scope::readonly}) == mpit::result::success);
        CHECK(group.control<int>("S_SAME", "", {.renamed_from = "S_SAME"}) == mpit::result::invalid_name);
        CHECK(group.control<int>("S_BLANK", "", {.renamed_from = "a b"}) == mpit::result::invalid_name);
        CHECK(group.control<char[]>("S_BLANK", "", {.renamed_from = "a b"}) == mpit::result::invalid_name);
        REQUIRE(group.publish().code == mpit::result::success);
        CHECK(value_of("S_DYNAMIC") == "2");
        CHECK(default_of("S_DYNAMIC") == "1");
        CHECK(seen("S_DYNAMIC").origin() == mpit::origin::configuration);
        CHECK(place_of("S_DYNAMIC") == std::string{here.path()} + ":1");
        CHECK(value_of("S_DYNAMIC_TEXT") == "two");
        CHECK(default_of("S_DYNAMIC_TEXT") == "one");
        CHECK(value_of("S_DYNAMIC_DEPRECATED") == "true");
        stored = 6;
        stored_text[0] = 'F';
        CHECK(default_of("S_DYNAMIC_STORED") == "5");
        CHECK(seen("S_DYNAMIC_STORED").is_changed());
        CHECK(value_of("S_DYNAMIC_STORED_TEXT") == "Five");
        CHECK(default_of("S_DYNAMIC_STORED_TEXT") == "five");
        CHECK(default_of("S_DYNAMIC_READ") == "");
        CHECK(!seen("S_DYNAMIC_READ").is_changed());
        CHECK(reports.all(here.path()) ==
              "S_DYNAMIC_FORMER=two in FILE:2 uses a former name of the control variable S_DYNAMIC_TEXT | "
              "S_DYNAMIC_DEPRECATED=1 in FILE:3: the control variable is deprecated: it is gone | S_DYNAMIC_READ=4 in "
              "FILE:4 is refused by the library's own check; the control variable keeps 3");
    }
    CHECK(value_of("S_DYNAMIC") == "");
    CHECK(place_of("S_DYNAMIC") == "");
    mpit::dynamic again{"dynamic_settings"};
    REQUIRE(again.control<int>("S_DYNAMIC", "", {.initial = 1}) == mpit::result::success);
    REQUIRE(again.publish().code == mpit::result::success);
    CHECK(value_of("S_DYNAMIC") == "2");
}

TEST_CASE("A text from outside that is longer than tools see is whole for a library that takes any length") {
    const initialized now;
    const reported reports;
    struct paths {
        std::string whole, read;
    } given{"none", "none"};
    static char stored[9] = "/first", shorter[9] = "/short", fixed[9] = "/fixed";
    const auto keep = [](const char* value, void* data) {
        static_cast<std::string*>(data)->assign(value);
        return mpit::reply::accepted;
    };
    const std::string path = "/a/path/of/" + std::string(1000, 'x');
    const file here{"S_LONG_STORED = " + path + "\nS_LONG_READ = " + path +
                    "y\nS_LONG_SHORTER = /b\nS_LONG_FIXED = " + path + "\n"};
    CHECK(here.read().settings == 4);
    mpit::dynamic group{"long_texts"};
    REQUIRE(group.control<char[]>(
                "S_LONG_STORED", "",
                {.length = 8, .any_length = true, .storage = stored, .on_write = keep, .data = &given.whole}) ==
            mpit::result::success);
    REQUIRE(group.control<char[]>("S_LONG_READ", "",
                                  {.length = 8, .any_length = true, .read = [](char* to, std::size_t room, void* data) {
        std::strncpy(to, static_cast<std::string*>(data)->c_str(), room);
    }, .on_write = keep, .data = &given.read}) == mpit::result::success);
    std::string untouched = "none";
    REQUIRE(group.control<char[]>(
                "S_LONG_SHORTER", "",
                {.length = 8, .any_length = true, .storage = shorter, .on_write = keep, .data = &untouched}) ==
            mpit::result::success);
    REQUIRE(group.control<char[]>("S_LONG_FIXED", "", {.length = 8, .storage = fixed}) == mpit::result::success);
    CHECK(group.control<char[]>("S_LONG_KEPT", "", {.length = 8, .any_length = true, .on_write = keep}) ==
          mpit::result::invalid);
    CHECK(group.control<char[]>("S_LONG_DEAF", "", {.length = 8, .any_length = true, .storage = stored}) ==
          mpit::result::invalid);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(given.whole == path);
    CHECK(given.read == path + "y");
    CHECK(std::string{stored} == "/a/path/");
    CHECK(value_of("S_LONG_STORED") == "/a/path/");
    CHECK(value_of("S_LONG_READ") == "/a/path/");
    CHECK(default_of("S_LONG_STORED") == "/first");
    CHECK(seen("S_LONG_STORED").origin() == mpit::origin::configuration);
    CHECK((std::string{shorter} == "/b" && untouched == "none")); // as of every text in storage
    CHECK(std::string{fixed} == "/fixed");
    CHECK(reports.all(here.path()).find("expected at most 8 bytes, but found 1011") != std::string::npos);
}

TEST_CASE("A former name that another tree has is reported in either order, and both take the value") {
    const initialized now;
    const reported reports;
    const file here{"S_TAKEN = 2\n"};
    CHECK(here.read().settings == 1);
    mpit::dynamic owner{"owner_of_name"}, renaming{"renaming"}, third{"third"}, late{"late_owner"};
    REQUIRE(owner.control<int>("S_TAKEN", "") == mpit::result::success);
    REQUIRE(owner.publish().code == mpit::result::success);
    REQUIRE(renaming.control<int>("S_RENAMING", "", {.renamed_from = "S_TAKEN"}) == mpit::result::success);
    REQUIRE(renaming.publish().code == mpit::result::success);
    CHECK(value_of("S_TAKEN") == "2");
    CHECK(value_of("S_RENAMING") == "2");
    CHECK(reports.all().find("S_TAKEN, a former name of the control variable S_RENAMING of renaming in the program, is "
                             "also the name of another one: a setting of this name sets both") != std::string::npos);
    lines.clear();
    REQUIRE(third.control<int>("S_THIRD", "", {.renamed_from = "S_FREE"}) == mpit::result::success);
    REQUIRE(third.control<int>("S_FOURTH", "", {.renamed_from = "S_FREE"}) == mpit::result::success);
    REQUIRE(third.publish().code == mpit::result::success);
    REQUIRE(late.control<int>("S_FREE", "") == mpit::result::success);
    REQUIRE(late.publish().code == mpit::result::success);
    CHECK(reports.all() ==
          "S_FREE, a former name of the control variable S_FOURTH of third in the program, is also a former name of "
          "another one: a setting of this name sets both | the name of the control variable S_FREE of late_owner in "
          "the program is a former name of another one: a setting of this name sets both");
}
