// Initial values from the environment: what can be used is, and what cannot leaves the declared value and one report.
#include "../comma_locale.hpp"
#include "../emulated.hpp"
#include "../temporary_file.hpp"
#include "../trees.hpp"
#include "../unmade_string.hpp"

#include <fcntl.h>
#include <grp.h>
#include <new>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

namespace {

using communicator = MPI_ABI_Comm*;

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
    mpit::control<int> constant{this, "E_CONSTANT", "", {.initial = 5, .scope = mpit::scope::constant}};
    mpit::control<int> readonly{this, "E_READONLY", "", {.initial = 5, .scope = mpit::scope::readonly}};
    mpit::control<int> frozen{
        this, "E_FROZEN", "", {.initial = 5, .on_write = [](const int&) { return mpit::reply::never; }}};
    mpit::control<int, communicator> bound{this, "E_BOUND", "", {.initial = 5}};
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
    CHECK(tree_with("E_READONLY", "6")->readonly.get() == 6);
    CHECK(reports.empty());
}

TEST_CASE("A text with its terminating null may fill the whole variable, and may be empty") {
    for (const char* text : {"sevenxx", "", "a b=c"}) {
        tree_with tree{"E_TEXT", text};
        CHECK(tree->text.get() == text);
        CHECK(reports.empty());
    }
}

TEST_CASE("The environment may set a variable that tools may not write") {
    CHECK(tree_with("E_FROZEN", "6")->frozen.get() == 6);
    CHECK(reports.empty());
}

TEST_CASE("A value that cannot be used leaves the initial value and one report with the name and the value") {
    for (const char* wrong : {"", "x", "5x", "1.5", "2147483648"}) {
        CHECK(tree_with("E_NUMBER", wrong)->number.get() == 5);
        CHECK(is_reported("E_NUMBER", wrong));
    }
    for (const char* outside : {"-1", "101"}) {
        CHECK(tree_with("E_RANGED", outside)->ranged.get() == 50);
        CHECK(is_reported("E_RANGED", outside));
    }
    CHECK(tree_with("E_EVEN", "3")->even.get() == 2);
    CHECK(is_reported("E_EVEN", "3"));
    CHECK(tree_with("E_REAL", "nan")->real.get() == 0.5);
    CHECK(is_reported("E_REAL", "nan"));
    CHECK(tree_with("E_NATURAL", "-1")->natural.get() == 5);
    CHECK(is_reported("E_NATURAL", "-1"));
    for (const char* unknown : {"purple", "re", "7", ""}) {
        CHECK(tree_with("E_COLOUR", unknown)->enumerated.get() == colour::green);
        CHECK(is_reported("E_COLOUR", unknown));
    }
}

TEST_CASE("A text that does not fit is reported and not cut, also not within a character") {
    for (const char* endless : {"eight_xx", "sevenxxé"}) {
        tree_with tree{"E_TEXT", endless};
        CHECK(tree->text.get() == "hello");
        CHECK(is_reported("E_TEXT", endless));
    }
}

TEST_CASE("A text accepts every byte unchanged") {
    for (const char* text : {"größe", "日本", "\xff\x01\n", " "}) {
        tree_with tree{"E_TEXT", text};
        CHECK(tree->text.get() == text);
        CHECK(reports.empty());
    }
}

TEST_CASE("A variable that is set to an empty value keeps its initial value, unless it is a text") {
    CHECK(tree_with("E_NUMBER", "")->number.get() == 5);
    CHECK(is_reported("E_NUMBER", "\"\""));
    CHECK(tree_with("E_NATURAL", "")->natural.get() == 5);
    CHECK(is_reported("E_NATURAL", "\"\""));
    CHECK(tree_with("E_REAL", "")->real.get() == 0.5);
    CHECK(is_reported("E_REAL", "\"\""));
    CHECK(tree_with("E_COLOUR", "")->enumerated.get() == colour::green);
    CHECK(is_reported("E_COLOUR", "\"\""));
    CHECK(tree_with("E_LIST", "")->list.get()[2] == 3);
    CHECK(is_reported("E_LIST", "\"\""));
    CHECK(tree_with("E_ADOPTED", "")->adopted.get() == 5);
    CHECK(is_reported("E_ADOPTED", "\"\""));
    CHECK(tree_with("E_TEXT", "")->text.get() == "");
    CHECK(reports.empty());
}

TEST_CASE("An array accepts as many numbers as it has elements, in a text of any length") {
    const auto list = tree_with("E_LIST", "7,-8,0x9")->list.get();
    CHECK((list[0] == 7 && list[1] == -8 && list[2] == 9));
    const std::string zeros(1000, '0');
    CHECK(tree_with("E_LIST", ("1," + zeros + ",2").c_str())->list.get()[2] == 2);
    CHECK(tree_with("E_LIST", " 7, -8 ,9 ")->list.get()[1] == -8);
    CHECK(tree_with("E_PAIR", "4000:4100")->pair.get()[1] == 4100);
    CHECK(reports.empty());
    for (const char* wrong : {"1,2", "1,2,3,4", "1,2,", ",1,2,3", "1;2;3", "1,2,x", "1:2:3", "1,2,2147483648"}) {
        tree_with tree{"E_LIST", wrong};
        CHECK((tree->list.get()[0] == 1 && tree->list.get()[1] == 2 && tree->list.get()[2] == 3));
        CHECK(is_reported("E_LIST", wrong));
    }
}

TEST_CASE("An adopted variable stores the value in the library's own storage") {
    tree_with tree{"E_ADOPTED", "6"};
    CHECK(storage == 6);
    CHECK(reports.empty());
    storage = 5;
}

TEST_CASE("A decimal number has a point in the environment, whatever the locale of the program has") {
    const comma_locale here;
    if (!here.is_set()) return here.warn();
    CHECK(tree_with("E_REAL", "2.25")->real.get() == 2.25);
    CHECK(reports.empty());
    CHECK(tree_with("E_REAL", "2,25")->real.get() == 0.5);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].find("keeps 0.5") != std::string::npos);
}

TEST_CASE("A control variable with another environment name takes its value from that one alone") {
    CHECK(tree_with("E_ANOTHER_NAME", "6")->renamed.get() == 6);
    CHECK(tree_with("e_renamed", "6")->renamed.get() == 5);
    CHECK(tree_with("E_ANOTHER_NAME", "x")->renamed.get() == 5);
    CHECK(is_reported("E_ANOTHER_NAME", "e_renamed"));
}

TEST_CASE("The environment sets neither constants nor bound variables, and a report says so") {
    CHECK(tree_with("E_CONSTANT", "6")->constant.get() == 5);
    CHECK(is_reported("E_CONSTANT", "is constant"));
    tree_with tree{"E_BOUND", "6"};
    CHECK(tree->bound[reinterpret_cast<communicator>(1)].get() == 5);
    CHECK(is_reported("E_BOUND", "belongs to each communicator"));
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

TEST_CASE("A value of any length is reported in one truncated line") {
    const std::string endless(5000, 'x');
    CHECK(tree_with("E_NUMBER", endless.c_str())->number.get() == 5);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].size() < 512);
    CHECK(reports[0].find("E_NUMBER") != std::string::npos);
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
    CHECK(reports[0] == "E_STRING=\"a value that is not short\" in the environment comes before the std::string of the "
                        "control variable is made, and has no effect until its library calls mpit::resolve");
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
