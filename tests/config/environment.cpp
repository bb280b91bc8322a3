// Initial values from the environment: what can be used is, under a present or a former name, and what cannot leaves
// the declared value and one report of one line. The report has the entry, what is accepted, the nearest name and
// what stays. Names that are nearly those of variables are reported as misspelt.
#include "../catch.hpp"
#include "../comma_locale.hpp"
#include "../emulated.hpp"
#include "../temporary_file.hpp"
#include "../trees.hpp"
#include "../unmade_string.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <grp.h>
#include <new>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

namespace {

int storage = 5;

struct settings_tree : mpit::category<"environment", "Set from outside"> {
    mpit::control<int> number{this, "E_NUMBER", "", {.initial = 5}};
    mpit::control<int> ranged{this, "E_RANGED", "", {.initial = {50, 0, 100}}};
    mpit::control<int> even{this, "E_EVEN", "", {.initial = 2, .valid = [](const int& n) { return n % 2 == 0; }}};
    mpit::control<double> real{this, "E_REAL", "", {.initial = 0.5}};
    mpit::control<unsigned> natural{this, "E_NATURAL", "", {.initial = 5}};
    mpit::control<colour> enumerated{this, "E_COLOUR", "", {.initial = colour::green}};
    mpit::control<int[3]> list{this, "E_LIST", "", {.initial = {1, 2, 3}}};
    mpit::control<int[2]> pair{this, "E_PAIR", ""};
    mpit::control_ref<int> adopted{this, "E_ADOPTED", "", {.storage = &storage}};
    mpit::control<char[8]> text{this, "E_TEXT", "", {.initial = "hello"}};
    mpit::control<int> renamed{this, "e_renamed", "", {.initial = 5, .environment = "E_ANOTHER_NAME"}};
    mpit::control<int> readonly{this, "E_READONLY", "", {.initial = 5, .scope = mpit::scope::readonly}};
    mpit::control<int> frozen{
        this, "E_FROZEN", "", {.initial = 5, .on_write = [](const int&) { return mpit::reply::never; }}};
};

// Enrols a new tree while the environment has one more variable.
class tree_with {
public:
    tree_with(const char* name, const char* value) {
        reports.clear();
        setenv(name, value, 1);
        enter(fresh_index(), tree_);
        unsetenv(name);
    }
    settings_tree* operator->() { return &tree_; }

private:
    settings_tree tree_;
};

// Enrols a new tree in an environment of these entries alone.
class tree_among {
public:
    explicit tree_among(std::vector<const char*> entries) {
        reports.clear();
        entries.push_back(nullptr);
        char** const kept = environ;
        environ = const_cast<char**>(entries.data());
        enter(fresh_index(), tree_);
        environ = kept;
    }
    settings_tree* operator->() { return &tree_; }

private:
    settings_tree tree_;
};

// All reports side by side.
std::string all_reports() {
    std::string lines;
    for (const std::string& line : reports) lines += (lines.empty() ? "" : " | ") + line;
    return lines;
}
bool is_reported(const char* name, const char* value) {
    return reports.size() == 1 && reports[0].find(name) != std::string::npos &&
           reports[0].find(value) != std::string::npos;
}

} // namespace

TEST_CASE("Without an environment variable every control variable keeps its initial value, and nothing is reported") {
    tree_with tree{"E_UNRELATED", "7"};
    CHECK(tree->number.get() == 5);
    CHECK(tree->real.get() == 0.5);
    CHECK(tree->enumerated.get() == colour::green);
    CHECK(reports.empty());
}

TEST_CASE("A value that parses is the initial value, of every type") {
    CHECK(tree_with("E_NUMBER", "-17")->number.get() == -17);
    CHECK(tree_with("E_NUMBER", "0x20")->number.get() == 32);
    CHECK(tree_with("E_RANGED", "100")->ranged.get() == 100);
    CHECK(tree_with("E_EVEN", "4")->even.get() == 4);
    CHECK(tree_with("E_REAL", "2.25")->real.get() == 2.25);
    CHECK(tree_with("E_NATURAL", "4294967295")->natural.get() == 4294967295u);
    CHECK(tree_with("E_COLOUR", "red")->enumerated.get() == colour::red);
    CHECK(tree_with("E_COLOUR", "-5")->enumerated.get() == colour::red);
    // Where tools may not write, too.
    CHECK(tree_with("E_READONLY", "6")->readonly.get() == 6);
    CHECK(tree_with("E_FROZEN", "6")->frozen.get() == 6);
    CHECK(reports.empty());
    // Every byte of a text, up to its terminating null.
    for (const char* text : {"sevenxx", "", "a b=c", "größe", "日本", "\xff\x01\n", " "}) {
        tree_with tree{"E_TEXT", text};
        CHECK(tree->text.get() == text);
        CHECK(reports.empty());
    }
}

TEST_CASE("An array accepts as many numbers as it has elements, in a text of any length") {
    const auto list = tree_with("E_LIST", "7,-8,0x9")->list.get();
    CHECK((list[0] == 7 && list[1] == -8 && list[2] == 9));
    const std::string zeros(1000, '0');
    CHECK(tree_with("E_LIST", ("1," + zeros + ",2").c_str())->list.get()[2] == 2);
    CHECK(tree_with("E_LIST", " 7, -8 ,9 ")->list.get()[1] == -8);
    CHECK(tree_with("E_PAIR", "4000:4100")->pair.get()[1] == 4100);
    CHECK(reports.empty());
}

TEST_CASE("An adopted variable stores the value in the library's own storage") {
    tree_with tree{"E_ADOPTED", "6"};
    CHECK(storage == 6);
    CHECK(reports.empty());
    storage = 5;
    CHECK(tree_with("E_ADOPTED", "")->adopted.get() == 5);
    CHECK(is_reported("E_ADOPTED", "\"\""));
}

TEST_CASE("A control variable with another environment name takes its value from that one alone") {
    CHECK(tree_with("E_ANOTHER_NAME", "6")->renamed.get() == 6);
    CHECK(tree_with("e_renamed", "6")->renamed.get() == 5);
}

TEST_CASE("Of two entries under one name the first counts, whichever name the variable has") {
    tree_among tree{{"E_NUMBER=6", "E_ANOTHER_NAME=7", "E_NUMBER=8", "E_ANOTHER_NAME=9", "E_NUMBER=x"}};
    CHECK(tree->number.get() == 6);
    CHECK(tree->renamed.get() == 7);
    CHECK(reports.empty());
}

TEST_CASE("A wrong value stays wrong when a later entry under its name would do") {
    tree_among tree{{"E_NUMBER=x", "E_NUMBER=6"}};
    CHECK(tree->number.get() == 5);
    CHECK(is_reported("E_NUMBER=x", "keeps 5"));
}

TEST_CASE("An environment that is empty or has malformed entries sets nothing") {
    tree_among tree{{"E_NUMBER", "", "=6", "=E_NUMBER=6"}};
    CHECK(tree->number.get() == 5);
    char** const kept = environ;
    environ = nullptr;
    settings_tree without;
    CHECK(enter(fresh_index(), without));
    environ = kept;
    CHECK(without.number.get() == 5);
    CHECK(reports.empty());
}

TEST_CASE("A variable that is loaded again takes its value from the environment at that time") {
    auto& index = fresh_index();
    static settings_tree first, second;
    setenv("E_NUMBER", "6", 1);
    setenv("E_ANOTHER_NAME", "7", 1);
    REQUIRE(enter(index, first));
    mpit::registry::unregister(first);
    setenv("E_NUMBER", "8", 1);
    setenv("E_ANOTHER_NAME", "9", 1);
    REQUIRE(enter(index, second));
    unsetenv("E_NUMBER");
    unsetenv("E_ANOTHER_NAME");
    CHECK(first.number.get() == 6);
    CHECK(first.renamed.get() == 7);
    CHECK(second.number.get() == 8);
    CHECK(second.renamed.get() == 9);
}

TEST_CASE("A std::string before its constructor is not touched, and takes its value when its library starts") {
    if (!knows_unmade_strings) return std::puts(no_unmade_strings), void();
    // What a run-time initializer has not reached is zeros.
    alignas(std::string) unsigned char room[sizeof(std::string)]{};
    auto* const made_late = reinterpret_cast<std::string*>(room);
    struct text_tree : mpit::category<"texts", "A text"> {
        mpit::control_ref<std::string> text;
        explicit text_tree(std::string* at) : text{this, "E_STRING", "", {.storage = at}} {}
    } tree{made_late};
    reports.clear();
    setenv("E_STRING", "a value that is not short", 1);
    enter(fresh_index(), tree);
    CHECK(std::all_of(std::begin(room), std::end(room), [](unsigned char byte) { return byte == 0; }));
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] ==
          "E_STRING=\"a value that is not short\" in the environment has no effect until the library calls "
          "mpit::resolve: the std::string of the control variable is not constructed yet");
    new (made_late) std::string{"declared"};
    mpit::registry::resolve_tree(mpit::registry::cached_registry.load(), tree);
    CHECK(*made_late == "a value that is not short");
    CHECK(mpit::descriptor::provenance{tree.text.provenance_word.load()}.origin() == mpit::origin::environment);
    // What somebody has set stays.
    *made_late = "the library's";
    mpit::registry::resolve_tree(mpit::registry::cached_registry.load(), tree);
    CHECK(*made_late == "the library's");
    unsetenv("E_STRING");
    made_late->~basic_string();
}

namespace {

// A copy of this program with the rights of root for everybody, as long as this lives.
class program_with_rights {
public:
    program_with_rights() {
        REQUIRE(mkdtemp(folder_) != nullptr);
        REQUIRE(chmod(folder_, 0755) == 0);
        const int from = open("/proc/self/exe", O_RDONLY), to = open(path().c_str(), O_WRONLY | O_CREAT, 0700);
        REQUIRE((from >= 0 && to >= 0));
        std::vector<char> piece(1 << 20);
        for (ssize_t got = 0; (got = read(from, piece.data(), piece.size())) > 0;)
            REQUIRE(write(to, piece.data(), static_cast<std::size_t>(got)) == got);
        close(from);
        REQUIRE(close(to) == 0);
        REQUIRE(chmod(path().c_str(), 04755) == 0);
    }
    ~program_with_rights() {
        unlink(path().c_str());
        rmdir(folder_);
    }
    program_with_rights(const program_with_rights&) = delete;

    bool can_have_them() const {
        struct statvfs seen{};
        return geteuid() == 0 && statvfs(folder_, &seen) == 0 && (seen.f_flag & ST_NOSUID) == 0;
    }
    // Whether a test case of it passes that another user runs.
    bool passes(uid_t user, const char* test_case, std::vector<const char*> environment) const {
        environment.push_back(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            const bool is_other =
                setgroups(0, nullptr) == 0 && setresgid(user, user, user) == 0 && setresuid(user, user, user) == 0;
            if (is_other)
                execle(path().c_str(), path().c_str(), test_case, "--warn", without_the_wanted_test,
                       static_cast<char*>(nullptr), const_cast<char**>(environment.data()));
            _exit(127);
        }
        int status = -1;
        waitpid(child, &status, 0);
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }

private:
    std::string path() const { return std::string{folder_} + "/program"; }
    char folder_[32] = "/tmp/mpit-setuid-XXXXXX";
};

std::string value_of_new_tree() {
    reports.clear();
    settings_tree tree;
    enter(fresh_index(), tree);
    return std::to_string(tree.number) + " " + std::to_string(tree.ranged) + " " + std::to_string(tree.renamed) + " " +
           std::to_string(reports.size());
}

} // namespace

// What the next but one runs as other processes.
TEST_CASE("A program with its caller's rights takes values from the environment", "[.]") {
    REQUIRE(getauxval(AT_SECURE) == 0);
    CHECK(value_of_new_tree() == "7 60 8 2"); // the name that is nearly one, and the bad line
}
TEST_CASE("A program with more rights takes and reports nothing", "[.]") {
    REQUIRE(getauxval(AT_SECURE) != 0);
    CHECK(value_of_new_tree() == "5 50 5 0");
}

TEST_CASE("A program with more rights than its caller takes no value from the caller's environment, and no file") {
    const program_with_rights program;
    if (is_emulated()) {
        WARN("skipped: QEMU gives a program no rights of its own");
        return;
    }
    if (!program.can_have_them()) {
        WARN("skipped: only root can make such a program, on a file system that allows it");
        return;
    }
    const temporary_file file{"E_RANGED = 60\nbad line\n"};
    REQUIRE(chmod(file.path(), 0644) == 0);
    const std::string named = std::string{"MPIT_CONFIGURATION="} + file.path();
    const std::vector<const char*> environment{"E_NUMBER=7", "E_ANOTHER_NAME=8", "E_NUMBRE=9", named.c_str()};
    CHECK(program.passes(0, "A program with its caller's rights takes values from the environment", environment));
    CHECK(program.passes(65534, "A program with more rights takes and reports nothing", environment));
}

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
    // clang-format off
    mpit::enumerators<many>("many", {
        {"the_first_of_many_names", many::first}, {"the_second_of_many_names", many{1}},
        {"the_third_of_many_names", many{2}}, {"the_fourth_of_many_names", many{3}},
        {"the_fifth_of_many_names", many{4}}, {"the_sixth_of_many_names", many{5}},
        {"the_seventh_of_many_names", many{6}}, {"the_eighth_of_many_names", many{7}},
        {"the_ninth_of_many_names", many{8}}});
// clang-format on

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
    mpit::control<int, MPI_ABI_Comm*> of_communicators{this, "OF_COMMUNICATORS", "", {.initial = 5}};
    mpit::control<int[2], MPI_ABI_File*> of_files{this, "of_files", "", {.environment = "OF_FILES"}};

    // Whether each variable has the value that it was declared with.
    bool is_as_declared() {
        return ranged == 65536 && whole == -7 && positive == 5 && bounded_above == 5 && wide == 0 && natural == 5u &&
               few == 5u && endless == ~0ull && real == 0.1 && fraction == 1.0 / 3 && choice == algorithm::tree &&
               sole == only::one && lots == many::first && text.get() == "eth0" && spaced.get() == "a b" &&
               weights.get()[0] == 1 && weights.get()[1] == 2 && weights.get()[3] == 8 && factors.get()[1] == 1e300 &&
               single.get()[0] == 3 && large.get() == "x" && even == 2 && renamed == 5 && constant == 3 &&
               other_constant == 3 && of_communicators[reinterpret_cast<MPI_ABI_Comm*>(1)].get() == 5;
    }
};

// The one report, or all of them side by side, on a value that no variable takes.
std::string report_on(const char* name, const char* value) {
    static std::deque<tree_of_refusals> trees;
    reports.clear();
    setenv(name, value, 1);
    enter(fresh_index(), trees.emplace_back());
    unsetenv(name);
    CHECK(trees.back().is_as_declared());
    return all_reports();
}

std::string stays(const char* value) { return std::string{"; the control variable keeps "} + value; }

// A value, what is expected instead, and what the variable keeps.
struct refused_value {
    const char *name, *value, *expected, *kept;
};
void check_reports(std::initializer_list<refused_value> rows) {
    for (const auto& [name, value, expected, kept] : rows)
        CHECK(report_on(name, value) == std::string{name} + "=" + value +
                                            " in the environment is not accepted: expected " + expected + stays(kept));
}

} // namespace

TEST_CASE("A value that is not an integer, or outside its range, is reported with the range") {
    for (const char* wrong : {"12k", "-1", "1048577", "1.5", "99999999999999999999"})
        check_reports({{"RANGED", wrong, "a whole number from 0 to 1048576", "65536"}});
    for (const char* wrong : {"-1", "x"}) check_reports({{"FEW", wrong, "a whole number from 0 to 8", "5"}});
}

TEST_CASE("The limits of a type are reported only for a value beyond them") {
    check_reports(
        {{"WHOLE", "x", "a whole number", "-7"},
         {"WHOLE", "5,9999999999", "a whole number", "-7"},
         {"WHOLE", "2147483648", "a whole number not above 2147483647", "-7"},
         {"WHOLE", "-2147483649", "a whole number not below -2147483648", "-7"},
         {"WIDE", "9223372036854775808", "a whole number not above 9223372036854775807", "0"},
         {"NATURAL", "many", "a whole number", "5"},
         {"NATURAL", "-1", "a whole number not below 0", "5"},
         {"NATURAL", "4294967296", "a whole number from 0 to 4294967295", "5"},
         {"ENDLESS", "18446744073709551616", "a whole number from 0 to 18446744073709551615", "18446744073709551615"}});
}

TEST_CASE("A range with one end is reported by that end, unless the number is beyond the other limit of the type") {
    check_reports({{"POSITIVE", "0", "a whole number not below 1", "5"},
                   {"POSITIVE", "x", "a whole number not below 1", "5"},
                   {"POSITIVE", "3000000000", "a whole number from 1 to 2147483647", "5"},
                   {"BOUNDED_ABOVE", "101", "a whole number not above 100", "5"},
                   {"BOUNDED_ABOVE", "-3000000000", "a whole number from -2147483648 to 100", "5"}});
}

TEST_CASE("A number that looks decimal and is octal is reported with the reason") {
    check_reports({{"WHOLE", "0129", "a whole number (a number with a leading 0 is octal)", "-7"}});
}

TEST_CASE("A decimal number is reported with the fewest distinguishing digits, and with a point in every locale") {
    const comma_locale here;
    if (!here.is_set()) here.warn();
    check_reports({{"REAL", "x", "a number", "0.1"},
                   {"REAL", "nan", "a number", "0.1"},
                   {"REAL", "1e999", "a number not above 1.7976931348623157e+308", "0.1"},
                   {"REAL", "-inf", "a number not below -1.7976931348623157e+308", "0.1"},
                   {"FRACTION", "1.5", "a number from 0 to 1", "0.3333333333333333"},
                   {"REAL", "0,5", "a number with a decimal point instead of the comma", "0.1"}});
}

TEST_CASE("An unknown name is reported with the known names and a suggestion") {
    const std::string known = " in the environment is not accepted: expected one of ring, tree, linear";
    CHECK(report_on("CHOICE", "rign") ==
          "CHOICE=rign" + known + "; did you mean ring? The control variable keeps tree");
    CHECK(report_on("CHOICE", "lin") ==
          "CHOICE=lin" + known + "; did you mean linear? The control variable keeps tree");
    for (const char* wrong : {"fastest", "7"}) check_reports({{"CHOICE", wrong, "one of ring, tree, linear", "tree"}});
    check_reports({{"SOLE", "two", "one", "one"}});
}

TEST_CASE("Of very many names the first are reported, and the number of the others") {
    check_reports({{"LOTS", "x",
                    "one of the_first_of_many_names, the_second_of_many_names, the_third_of_many_names, "
                    "the_fourth_of_many_names, the_fifth_of_many_names, the_sixth_of_many_names, "
                    "the_seventh_of_many_names and 2 more",
                    "the_first_of_many_names"}});
}

TEST_CASE("A text that is too long is reported with its bytes and how many are accepted") {
    check_reports({{"TEXT", "exactly_32_bytes_are_one_too_many", "at most 31 bytes, but found 33", "eth0"}});
    CHECK(report_on("TEXT", "not_within_a_character_is_this_é").find("expected at most 31 bytes, but found 33") !=
          std::string::npos);
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
    for (const char* wrong : {"1,2,3,4,5", ",1,2,3,4", "1,2,3,", "1;2;3;4", "1:2:3:4", "1,2,3,2147483648"})
        CHECK(report_on("WEIGHTS", wrong).find(wrong + begin) == 8);
    check_reports({{"FACTORS", "1", "2 numbers, separated by commas, but found 1 element", "0.5,1e+300"},
                   {"SINGLE", "x", "a whole number", "3"}});
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
    for (const char* name : {"NATURAL", "REAL", "CHOICE", "WEIGHTS"})
        CHECK(report_on(name, "").find(std::string{name} + "=\"\" in the environment is not accepted: expected ") == 0);
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
            REQUIRE(line.size() < 512);
            REQUIRE(shown.size() >= 120);
            REQUIRE(shown.size() < 126);
            const std::string unit = character == "\x01" ? "\\x01" : character;
            REQUIRE((shown.size() - before) % unit.size() == 0);
            for (std::size_t at = before; at < shown.size(); at += unit.size())
                REQUIRE(shown.compare(at, unit.size(), unit) == 0);
            REQUIRE(line.find("expected a whole number; the control variable keeps -7") != std::string::npos);
        }
}

namespace {

using control = mpit::control<int>;

// A tree with a control variable of each name; a name may be followed by another one for the environment.
class tree_of {
public:
    explicit tree_of(std::initializer_list<std::pair<const char*, const char*>> names)
        : root_{"misspelt"}, inner_{root_, "inner"} {
        for (const auto& [name, environment] : names) {
            named_category& in = variables_.size() % 2 == 0 ? root_ : inner_;
            control::settings chosen{};
            chosen.initial = 5;
            static_cast<mpit::environment_names&>(chosen.environment) = environment;
            variables_.emplace_back(&in, mpit::core::checked_name{name}, "", chosen);
        }
    }
    mpit::descriptor::category& root() { return root_; }
    int value(std::size_t i) const { return variables_[i].get(); }
    void set(std::size_t i, int value) { variables_[i] = value; }

private:
    named_category root_, inner_;
    std::deque<control> variables_;
};

// While it lives, the environment is these entries alone.
class environment_of {
public:
    explicit environment_of(std::vector<const char*> all) : all_{std::move(all)} {
        reports.clear();
        all_.push_back(nullptr);
        environ = const_cast<char**>(all_.data());
    }
    environment_of(const environment_of&) = delete;
    ~environment_of() { environ = kept_; }

private:
    std::vector<const char*> all_;
    char** kept_ = environ;
};

// The reports on a tree of three that is registered among these entries, side by side.
std::string reported(std::vector<const char*> all) {
    const environment_of here{std::move(all)};
    tree_of tree{{"MINI_EAGER_LIMIT", ""}, {"MINI_DEVICE", ""}, {"mini_verbosity", "MINI_VERBOSE"}};
    REQUIRE(enter(fresh_index(), tree.root()));
    return all_reports();
}

// The reports on a tree of these names that is registered among these entries.
std::vector<std::string> reports_among(std::vector<const char*> entries,
                                       std::initializer_list<std::pair<const char*, const char*>> names) {
    const environment_of here{std::move(entries)};
    tree_of tree{names};
    REQUIRE(enter(fresh_index(), tree.root()));
    return reports;
}

std::string question(const char* entry, const char* meant) {
    return std::string{entry} + " in the environment does not set any control variable; did you mean " + meant + "?";
}

} // namespace

TEST_CASE("A misspelt name is reported once, with the name that was meant") {
    CHECK(reported({"MINI_EAGER_LIMTI=5"}) == question("MINI_EAGER_LIMTI=5", "MINI_EAGER_LIMIT"));
    CHECK(reported({"MINI_EAGERLIMIT=5", "no entry", "HOME=/", "MINI_DEVISE=eth0"}) ==
          question("MINI_EAGERLIMIT=5", "MINI_EAGER_LIMIT") + " | " + question("MINI_DEVISE=eth0", "MINI_DEVICE"));
    // Of two entries under one name the first.
    CHECK(reported({"MINI_DEVISE=6", "MINI_DEVISE=7"}) == question("MINI_DEVISE=6", "MINI_DEVICE"));
}

TEST_CASE("A name in other letters, upper or lower, is misspelt, from its first word on") {
    CHECK(reported({"MINI_eager_LIMIT=5"}) == question("MINI_eager_LIMIT=5", "MINI_EAGER_LIMIT"));
    CHECK(reported({"mini_device=5"}) == question("mini_device=5", "MINI_DEVICE"));
}

TEST_CASE("If a variable has another environment name, that one is suggested, and its own name is reported") {
    CHECK(reported({"MINI_VERBSOE=5"}) == question("MINI_VERBSOE=5", "MINI_VERBOSE"));
    CHECK(reported({"mini_verbositty=5"}) == "");
    CHECK(reported({"mini_verbosity=5"}) == "mini_verbosity=5 in the environment does not set the control variable of "
                                            "this name; did you mean MINI_VERBOSE?");
    CHECK(reported({"MINI_VERBOSE=5"}) == "");
}

TEST_CASE("Names with their values swapped are each set by the other's, and none is misspelt") {
    const environment_of here{{"MINI_FIRST=6", "MINI_OTHER=7", "MINI_OTHERS=8"}};
    tree_of tree{{"MINI_FIRST", "MINI_OTHER"}, {"MINI_OTHER", "MINI_FIRST"}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(tree.value(0) == 7);
    CHECK(tree.value(1) == 6);
    CHECK(reports == std::vector{question("MINI_OTHERS=8", "MINI_OTHER")}); // sets nothing
}

TEST_CASE("A name that another program may use is not reported") {
    for (const char* entry :
         {"MINI_EAGER_LIMIT_2=5", "MINI_EAGER=5", "MINI_EAGER_LIMIT2=5", "MINI_DEVICE_X=5", "MINI_UNRELATED=5",
          "MINI=5", "MINI_=5", "MAXI_DEVICE=5", "MNII_DEVICE=5", "DEVICE=5", "HOME=/", "MINIDEVICE=5", "MINI_DEVICE"}) {
        INFO(entry);
        CHECK(reported({entry}) == "");
    }
}

TEST_CASE("If names have no underscore, nothing is reported as misspelt") {
    CHECK(reports_among({"MINIDEVISE=5", "minidevice=5", "MINIDEVICE_=5", "_=5", "_DEVISE=5"},
                        {{"MINIDEVICE", ""}, {"_DEVICE", ""}})
              .empty());
}

TEST_CASE("Of several near names the nearest is suggested, and each of several first words has its misspellings") {
    CHECK(reports_among({"MINI_BUFFERSIEZ=5"},
                        {{"MINI_BUFFER_SIZE", ""}, {"MINI_BUFFERSIZE", ""}, {"MINI_BUFFER_SIZES", ""}}) ==
          std::vector{question("MINI_BUFFERSIEZ=5", "MINI_BUFFERSIZE")});
    CHECK(reports_among({"MINI_DEVISE=5", "OTHER_DEVISE=5", "THIRD_DEVISE=5"},
                        {{"MINI_DEVICE", ""}, {"OTHER_DEVICE", ""}, {"MINI_LIMIT", ""}}) ==
          std::vector{question("MINI_DEVISE=5", "MINI_DEVICE"), question("OTHER_DEVISE=5", "OTHER_DEVICE")});
}

TEST_CASE("A name that a variable of another tree has is not misspelt") {
    auto& index = fresh_index();
    const environment_of here{{"MINI_DEVICES=6", "MINI_LIMITS=7"}};
    tree_of first{{"MINI_DEVICES", ""}, {"first_maximum", "MINI_LIMITS"}},
        second{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(first.value(0) == 6);
    CHECK(first.value(1) == 7);
    CHECK(reports.empty());
}

TEST_CASE("A tree that is loaded later does not change the variables of earlier trees") {
    auto& index = fresh_index();
    const environment_of here{{"MINI_DEVICE=6"}};
    tree_of first{{"MINI_DEVICE", ""}}, second{{"MINI_LIMIT", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    first.set(0, 7);
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(first.value(0) == 7);
    CHECK(reports.empty());
}

TEST_CASE("A name that is near to names of several trees is reported for the first of them alone") {
    auto& index = fresh_index();
    const environment_of here{{"MINI_DEVISE=6"}};
    tree_of first{{"MINI_DEVICES", ""}}, second{{"MINI_DEVICE", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(reports == std::vector{question("MINI_DEVISE=6", "MINI_DEVICES")});
}

TEST_CASE("A library that is loaded again repeats no report, and its names stay known while it is unloaded") {
    auto& index = fresh_index();
    const environment_of here{{"MINI_DEVISE=6", "MINI_LIMIT=7"}};
    tree_of first{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}}, again{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}},
        other{{"MINI_LIMITS", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    CHECK(reports.size() == 1);
    mpit::registry::unregister(first.root());
    REQUIRE(enter(index, other.root(), "other"));
    REQUIRE(enter(index, again.root(), "first"));
    CHECK(again.value(1) == 7);
    CHECK(reports.size() == 1);
}

TEST_CASE("The report is one line of bounded length for every entry") {
    const std::string long_value = "MINI_DEVISE=" + std::string(5000, 'x');
    const std::string line = reported({long_value.c_str()});
    CHECK(line.size() < 512);
    CHECK(line.find("... in the environment") != std::string::npos);
    CHECK(reported({"MINI_DEVI\nCE=a b\n"}) == question("MINI_DEVI\\x0ACE=\"a b\\x0A\"", "MINI_DEVICE"));
}

TEST_CASE("Of many wrong names the first are reported, and the number of the others") {
    std::vector<std::string> names;
    for (char a = 'a'; a <= 'z'; a++)
        for (char b = 'a'; b <= 'z'; b++) names.push_back(std::string{"MINI_DEVI"} + a + b + "=6");
    names.push_back("MINI_DEVIZZ=7");
    std::vector<const char*> all;
    for (const std::string& each : names) all.push_back(each.c_str());
    const environment_of here{std::move(all)};
    tree_of tree{{"MINI_DEVIZZ", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(tree.value(0) == 7);
    REQUIRE(reports.size() == 11);
    CHECK(reports[0] == question("MINI_DEVIaa=6", "MINI_DEVIZZ"));
    CHECK(reports[10] == "666 more entries of the environment have names similar to those of control variables");
}

TEST_CASE("The time that the environment takes grows with the number of entries") {
    // Each entry is compared with the names that begin alike, and with nothing else: a walk over the others for each of
    // 200,000 entries takes minutes.
    std::vector<std::string> names;
    for (int i = 0; i < 200'000; i++) names.push_back("MINI_ENTRY_OF_SOMEBODY_ELSE_" + std::to_string(i) + "=6");
    std::vector<const char*> all;
    for (const std::string& each : names) all.push_back(each.c_str());
    const environment_of here{std::move(all)};
    tree_of tree{{"MINI_DEVICE", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(reports.empty());
}

namespace {

struct tree_of_renamed : mpit::category<"renamed", "Had other names"> {
    mpit::control<int> number{this, "F_NUMBER", "", {.initial = {5, 0, 10}, .renamed_from = "F_OLD_NUMBER"}};
    mpit::control<char[8]> text{this, "F_TEXT", "", {.initial = "a", .renamed_from = "F_OLD_TEXT"}};
    mpit::control<int> other{
        this, "F_OTHER", "", {.initial = 5, .environment = "F_OF_ENVIRONMENT", .renamed_from = "F_OLD_OTHER"}};
    mpit::control<int> dying{
        this, "F_DYING", "", {.initial = 5, .renamed_from = "F_OLD_DYING", .deprecated = "use F_NUMBER"}};
};

// What is reported of a tree that comes into an environment of these entries alone.
std::string reported(std::vector<const char*> entries, tree_of_renamed& tree, int times = 1) {
    reports.clear();
    entries.push_back(nullptr);
    char** const kept = environ;
    environ = const_cast<char**>(entries.data());
    auto& index = fresh_index();
    for (int i = 0; i < times; i++) {
        REQUIRE(enter(index, tree));
        mpit::registry::unregister(tree);
        tree.number.provenance_word.store(0); // as in a library that is loaded anew
    }
    environ = kept;
    return all_reports();
}

} // namespace

TEST_CASE("A value under a former name is taken with one warning, however often the tree is loaded") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=7", "F_OLD_TEXT=b"}, tree, 3) ==
          "F_OLD_NUMBER=7 in the environment uses a former name of the control variable F_NUMBER | F_OLD_TEXT=b in the "
          "environment uses a former name of the control variable F_TEXT");
    CHECK(tree.number == 7);
    CHECK(tree.text.get() == "b");
}

TEST_CASE("Of the values under both names the present one's is taken if it is accepted, and the reports say which") {
    const auto check = [](std::vector<const char*> entries, const std::string& wanted, int number, int other) {
        tree_of_renamed tree;
        CHECK(reported(std::move(entries), tree) == wanted);
        CHECK(tree.number == number);
        CHECK(tree.other == other);
    };
    const std::string uses = " in the environment uses a former name of the control variable F_NUMBER",
                      uses_other = " in the environment uses a former name of the control variable F_OTHER",
                      wins = "; in effect is the value of the present name in the environment",
                      range = " in the environment is not accepted: expected a whole number from 0 to 10; the control "
                              "variable ";
    check({"F_OLD_NUMBER=7", "F_NUMBER=6"}, "F_OLD_NUMBER=7" + uses + wins, 6, 5);
    // Also if it has another environment name.
    check({"F_OLD_OTHER=7", "F_OF_ENVIRONMENT=6"}, "F_OLD_OTHER=7" + uses_other + wins, 5, 6);
    check({"F_OLD_OTHER=7"}, "F_OLD_OTHER=7" + uses_other, 5, 7);
    check({"F_OLD_NUMBER=7", "F_NUMBER=60"},
          "F_NUMBER=60" + range + "keeps 7 | F_OLD_NUMBER=7" + uses +
              "; it is in effect instead of the value of the present name in the environment",
          7, 5);
    // A value that is refused is reported under its name, and none of two is said to be used.
    check({"F_OLD_NUMBER=70", "F_NUMBER=60"},
          "F_NUMBER=60" + range + "keeps 5 | F_OLD_NUMBER=70" + range + "F_NUMBER keeps 5 | F_OLD_NUMBER=70" + uses +
              "; there is also a value of the present name in the environment",
          5, 5);
    check({"F_OLD_NUMBER=70"}, "F_OLD_NUMBER=70" + range + "F_NUMBER keeps 5 | F_OLD_NUMBER=70" + uses, 5, 5);
}

TEST_CASE("A deprecated variable is reported if it is set, under any of its names") {
    tree_of_renamed tree;
    CHECK(reported({"F_DYING=7"}, tree, 2) ==
          "F_DYING=7 in the environment: the control variable is deprecated: use F_NUMBER");
    tree_of_renamed second;
    CHECK(reported({"F_OLD_DYING=7"}, second) ==
          "F_OLD_DYING=7 in the environment uses a former name of the control variable F_DYING | F_OLD_DYING=7 in the "
          "environment: the control variable F_DYING is deprecated: use F_NUMBER");
    tree_of_renamed third;
    CHECK(reported({"HOME=/"}, third).empty());
}

TEST_CASE("A former name is not reported as misspelt, even if it is similar to the present one or another tree's") {
    const bool is_entered = GENERATE(true, false);
    named_category root{"renamed_root"}, other{"near_root"};
    mpit::control<int> near{&root, "F_DEVICES", "", {.initial = 5, .renamed_from = "F_DEVICE"}};
    mpit::control<int> far{&root, "F_CARD", "", {.initial = 5, .renamed_from = "F_LIMIT"}};
    mpit::control<int> another{&other, "F_LIMITS", "", {.initial = 5}};
    const char* entries[] = {"F_DEVICE=7", "F_LIMIT=8", nullptr};
    char** const kept = environ;
    environ = const_cast<char**>(entries);
    reports.clear();
    auto& index = fresh_index();
    if (is_entered) CHECK(enter(index, root));
    else mpit::registry::load_tree(&index, root, "owner");
    CHECK(enter(index, other));
    environ = kept;
    CHECK(near == 7);
    CHECK(far == 8);
    CHECK(another == 5);
    CHECK(!has_report("did you mean"));
}
