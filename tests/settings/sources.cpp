// Values of control variables from all sources: which one wins, what is said of those that do not, and where a value
// came from, through the functions of the standard and the reader in C++. All settable variables as a configuration
// file: what it says of each, and that reading it brings every value back.
#include "../comma_locale.hpp"
#include "../temporary_file.hpp"
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpi_t/settings.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <unistd.h>

namespace {

enum class protocol { automatic, eager, rendezvous = 7 };
enum class answer { no, yes };
int adopted_storage = 21;
int heard = 0;
mpit::reply hear_small(const int& n) { return heard = n, n < 100 ? mpit::reply::accepted : mpit::reply::not_now; }

// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] void prepare_environment() {
    for (const char* entry : {"S_ORDER=3", "S_ORDER_OF_REFUSED=3", "S_REORDERED=5", "S_FORMER_IN_ENVIRONMENT=3"})
        putenv(const_cast<char*>(entry));
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
    mpit::control<int> file{this, "S_PRESENT_IN_FILE", "", {.initial = 1, .renamed_from = "S_FORMER_IN_FILE"}};
    mpit::control<int> both_in_file{this, "S_TWO_NAMES", "", {.initial = 1, .renamed_from = "S_TWO_NAMES_FORMER"}};
    mpit::control<int> stronger{this, "S_STRONGER", "", {.initial = 1, .renamed_from = "S_STRONGER_FORMER"}};
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
using formatting = std::size_t (mpit::tool::variable_view::*)(char*, std::size_t) const;
std::string text_by(formatting format, const char* name) {
    char room[4096] = "never written";
    const std::size_t length = (seen(name).*format)(room, sizeof room);
    REQUIRE(length == std::strlen(room));
    return room;
}
std::string place_of(const char* name) { return text_by(&mpit::tool::variable_view::format_place, name); }
std::string value_of(const char* name) {
    return text_by(static_cast<formatting>(&mpit::tool::variable_view::format_value), name);
}
std::string default_of(const char* name) { return text_by(&mpit::tool::variable_view::format_default, name); }

class file : public temporary_file {
public:
    using temporary_file::temporary_file;
    mpit::settings_result read() const { return mpit::read_configuration(path()); }
};

// What take_arguments() leaves, side by side.
std::string left_of(std::vector<std::string> words, mpit::settings_result& answer, const char* option = "--mpit") {
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
    mpit::settings_result answer;
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
    mpit::settings_result answer;
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
    mpit::settings_result answer;
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
    mpit::settings_result answer;
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

TEST_CASE("Settings are removed from a command line up to two dashes, and other arguments stay or are reported") {
    const reported reports;
    mpit::settings_result answer;
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
    const mpit::settings_result answer = mpit::read_configuration("/nonexistent/file");
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
    CHECK(seen("S_LIST").format_value(room, sizeof room) == 5);
    CHECK(std::string{room} == "4,5");
    CHECK(seen("S_LIST").format_value(nullptr, 0) == 5);
}

TEST_CASE("A former name is accepted from everywhere, with one warning; the present one wins in the same source") {
    const initialized now;
    const reported reports;
    CHECK(renamed.environment == 3);
    CHECK(seen("S_PRESENT").origin() == mpit::origin::environment);
    CHECK(place_of("S_PRESENT") == "S_FORMER_IN_ENVIRONMENT");

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
    mpit::settings_result answer;
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
    mpit::settings_result answer;
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
    mpit::settings_result answer;
    CHECK(left_of({"program", "--mpit", "S_REORDERED=3"}, answer) == "program");
    CHECK(variables.reordered == 3);
    CHECK(mpit::set_order_of_origins({origin::environment, origin::info, origin::command_line,
                                      origin::configuration}) == mpit::result::success);
    CHECK(variables.reordered == 2);
    CHECK(seen("S_REORDERED").origin() == origin::configuration);
    CHECK(mpit::set_order_of_origins({origin::configuration, origin::info, origin::command_line,
                                      origin::environment}) == mpit::result::success);
    CHECK(variables.reordered == 5);
    CHECK(seen("S_REORDERED").origin() == origin::environment);
    CHECK(mpit::set_order_of_origins({origin::configuration, origin::environment, origin::command_line,
                                      origin::info}) == mpit::result::success);
    CHECK(variables.reordered == 3);
    CHECK(mpit::set_order_of_origins({origin::configuration, origin::environment, origin::environment, origin::info}) ==
          mpit::result::invalid);
    CHECK(mpit::set_order_of_origins({origin::library, origin::environment, origin::command_line, origin::info}) ==
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
        CHECK(cvar{"S_DYNAMIC_STORED"}.write(5) == MPI_SUCCESS);
        CHECK(seen("S_DYNAMIC_STORED").origin() == mpit::origin::tool);
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
    CHECK(seen("S_DYNAMIC").origin() == mpit::origin::library);
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

namespace {

[[gnu::constructor(101)]] void prepare_environment_of_origins() {
    for (const char* entry : {"O_FROM_OUTSIDE", "O_CONSTANT", "O_ASSIGNED", "O_ADOPTED"}) setenv(entry, "7", 1);
    setenv("O_REFUSED", "700", 1);
}

int own_storage = 5, file_storage = 5, group_storage = 5;
char text_storage[16] = "eth0";

struct origin_variables : mpit::category<"origins", "Set by all who can"> {
    mpit::control<int> untouched{this, "O_UNTOUCHED", "", {.initial = 5}};
    mpit::control<int> from_outside{this, "O_FROM_OUTSIDE", "", {.initial = 5}};
    mpit::control<int> refused{this, "O_REFUSED", "", {.initial = {5, 0, 100}}};
    mpit::control<int> constant{this, "O_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int[2]> array{this, "O_ARRAY", ""};
    mpit::control<int> assigned{this, "O_ASSIGNED", "", {.initial = 5}};
    mpit::control_ref<int> adopted{this, "O_ADOPTED", "", {.storage = &own_storage}};
    mpit::control_ref<int> of_file{this, "O_OF_FILE", "", {.storage = &file_storage}};
};
constexpr auto& origins = mpit::registered<origin_variables>;

mpit::origin origin_of(const char* name) { return mpit::tool::find_control(name).origin(); }

} // namespace

TEST_CASE("Who has set a value last is its origin: the library, the environment or a tool, and nobody who is refused") {
    const initialized now;
    CHECK(origin_of("O_UNTOUCHED") == mpit::origin::library);
    CHECK(origins.from_outside == 7);
    CHECK(origin_of("O_FROM_OUTSIDE") == mpit::origin::environment);
    CHECK(origin_of("O_CONSTANT") == mpit::origin::library);
    CHECK(origin_of("O_REFUSED") == mpit::origin::library);
    CHECK(cvar{"O_REFUSED"}.write(101) == MPI_T_ERR_INVALID);
    CHECK(origin_of("O_REFUSED") == mpit::origin::library);
    origins.untouched = 6;
    CHECK(origin_of("O_UNTOUCHED") == mpit::origin::library);
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::environment);
    origins.assigned = 6;
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::library);
    CHECK(cvar{"O_ASSIGNED"}.write(8) == MPI_SUCCESS);
    CHECK(origin_of("O_ASSIGNED") == mpit::origin::tool);
    CHECK(cvar{"O_ARRAY"}.write(mpit::elements<int, 2>{1, 2}) == MPI_SUCCESS);
    CHECK(origin_of("O_ARRAY") == mpit::origin::tool);
    origins.array = mpit::elements<int, 2>{3, 4};
    CHECK(origin_of("O_ARRAY") == mpit::origin::library);
}

TEST_CASE(
    "A value that a library assigns to its own storage has the library as its origin, and reads do not change that") {
    const initialized now;
    CHECK(own_storage == 7);
    CHECK(origin_of("O_ADOPTED") == mpit::origin::environment);
    own_storage = 6;
    for (int i = 0; i < 2; i++) CHECK(origin_of("O_ADOPTED") == mpit::origin::library);
    CHECK(own_storage == 6);
    CHECK(cvar{"O_ADOPTED"}.write(8) == MPI_SUCCESS);
    CHECK(origin_of("O_ADOPTED") == mpit::origin::tool);
    own_storage = 9;
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

namespace {

enum class direction { up, down = -3, both_ways = 100 };

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<direction> = mpit::enumerators<direction>(
    "direction", {{"up", direction::up}, {"down", direction::down}, {"both ways", direction::both_ways}});

namespace {

int stored_number = 5;

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
    mpit::control_ref<int> adopted{this, "W_ADOPTED", "", {.storage = &stored_number}};
    mpit::control<int> deprecated{this, "W_DEPRECATED", "", {.initial = 1, .deprecated = "use W_NUMBER"}};
    mpit::control<int> constant{this, "W_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int, MPI_ABI_Comm*> bound{this, "W_BOUND", ""};
};
constexpr auto& written = mpit::registered<written_variables>;

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
    written.number = 6;
    written.few = 6;
    written.wide = 6;
    written.natural = 6;
    written.longest = 6;
    written.real = 6;
    written.fraction = 0.25;
    written.way = direction::up;
    written.text = "another";
    written.large = "another";
    written.list = {6, 6, 6};
    written.reals = {6.0, 6.0};
    stored_number = 6;
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
        written.number = number;
        written.few = few;
        written.wide = wide;
        written.natural = natural;
        written.longest = mpit::count{longest};
        written.real = real;
        written.fraction = fraction;
        written.way = way;
        written.text = text.c_str();
        written.large = large.c_str();
        written.list = {number + 10, 0, 2147483647};
        written.reals = {real, -real};
        stored_number = number;
        const temporary_file dump;
        REQUIRE(mpit::write_configuration(dump.path()) == mpit::result::success);
        set_to_others();
        const mpit::settings_result answer = mpit::read_configuration(dump.path());
        REQUIRE(answer.code == mpit::result::success);
        REQUIRE(answer.refused == 0);
        REQUIRE(answer.settings >= 6);
        if (wide != 0) REQUIRE(written.wide == wide);
        if (natural != 0) REQUIRE(written.natural == natural);
        if (longest != 0) REQUIRE(written.longest.get() == longest);
        const auto reals = written.reals.get();
        REQUIRE(std::memcmp(&real, reals.values, sizeof real) == 0);
        const double back = written.real;
        REQUIRE(std::memcmp(&real, &back, sizeof real) == 0);
        REQUIRE(written.fraction == fraction);
        if (way != direction::up) REQUIRE(written.way == way);
        if (!text.empty()) REQUIRE(written.text.get() == text.c_str());
        if (!large.empty()) REQUIRE(written.large.get() == large.c_str());
        REQUIRE(written.list.get()[0] == number + 10);
        REQUIRE(written.list.get()[2] == 2147483647);
        if (number != 5) REQUIRE(stored_number == number);
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
