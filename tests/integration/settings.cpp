// Settings belong to the process: they are taken by all modules, by libraries that are loaded later or again, by groups
// that come later, by children, and while trees arrive in other threads.
#include "../long_tests.hpp"
#include "../standard/another_process.hpp"
#include "../temporary_file.hpp"
#include "child.hpp"
#include "plugin.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

char first_file[] = "/tmp/mpit-first-XXXXXX", second_file[] = "/tmp/mpit-second-XXXXXX";

void fill(int opened, const char* content) {
    if (write(opened, content, std::strlen(content)) < 0) std::abort();
    close(opened);
}

// Named files are read when the program is loaded: this comes before it.
[[gnu::constructor(101)]] void prepare_files() {
    fill(mkstemp(first_file), "G_FIRST = 2\nG_TOLD = 2\nG_BOTH = 2\nG_LESS = 2\ngamma_limit = 2\n");
    fill(mkstemp(second_file), "G_BOTH = 3\n");
    setenv("MPIT_CONFIGURATION", (std::string{first_file} + "::" + second_file).c_str(), 1);
    setenv("G_LESS", "4", 1);
}
[[gnu::destructor]] void remove_files() {
    unlink(first_file);
    unlink(second_file);
}

std::atomic<int> told_of_value{0}, asked{0};
std::atomic<bool> is_held{false};
bool hold(const int&) {
    asked++;
    while (is_held) std::this_thread::yield();
    return true;
}
bool give_another(const int& value);

struct global_variables : mpit::category<"global_settings", "Of the program"> {
    mpit::control<int> first{this, "G_FIRST", "", {.initial = 1}};
    mpit::control<int> told{this, "G_TOLD", "", {.initial = 1, .on_write = [](const int&) {
        return told_of_value++, mpit::reply::accepted;
    }}};
    mpit::control<int> both{this, "G_BOTH", "", {.initial = 1}};
    mpit::control<int> less{this, "G_LESS", "", {.initial = 1}};
    mpit::control<int> of_module{this, "G_OF_MODULE", "", {.initial = 1}};
    mpit::control<int> of_child{this, "G_OF_CHILD", "", {.initial = 1}};
    mpit::control<int> held{this, "G_HELD", "", {.initial = 1, .valid = &hold}};
    mpit::control<int> of_threads{this, "G_OF_THREADS", "", {.initial = 1}};
    mpit::control<int> given{this, "G_GIVEN", "", {.initial = 1}};
    mpit::control<int> giving{this, "G_GIVING", "", {.initial = 1, .valid = &give_another}};
    mpit::control<int> of_reader{this, "G_OF_READER", "", {.initial = 1}};
};
constexpr auto& variables = mpit::registered<global_variables>;

mpit::settings_result give(const char* name, int value) {
    mpit::info hints;
    if (hints.set(name, std::to_string(value).c_str()) != mpit::info_result::success) std::abort();
    return mpit::read_info(hints);
}
bool give_another(const int& value) {
    static_cast<void>(give("G_GIVEN", value));
    return true;
}

mpit::tool::variable_view seen(const char* name) { return mpit::tool::find_control(name); }
std::string place_of(const char* name) {
    char room[200];
    seen(name).format_place(room, sizeof room);
    return room;
}

} // namespace

TEST_CASE("Before the first tool initializes, a running library receives new values through on_write") {
    CHECK(variables.told == 2);
    CHECK(told_of_value == 0);
    CHECK(give("G_TOLD", 5).settings == 1);
    CHECK(variables.told == 5);
    CHECK(told_of_value == 1);
}

TEST_CASE("Files that the environment names are read before the program runs, and later ones win") {
    CHECK(variables.first == 2);
    CHECK(variables.both == 3);
    CHECK(variables.less == 4);
    const initialized now;
    CHECK(seen("G_FIRST").origin() == mpit::origin::configuration);
    CHECK(place_of("G_FIRST") == std::string{first_file} + ":1");
    CHECK(place_of("G_BOTH") == std::string{second_file} + ":1");
    CHECK(seen("G_LESS").origin() == mpit::origin::environment);
}

TEST_CASE("A library that is loaded later takes earlier settings, each time it is loaded") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    const initialized now;
    const plugin named{"gamma"};
    CHECK(named.limit() == 2);
    const temporary_file here{"alpha_limit = 9\nalpha_mode = busy\n"};
    CHECK(mpit::read_configuration(here.path()).settings == 2);
    for (int round = 0; round < 3; round++) {
        plugin later{"alpha"};
        CHECK(later.limit() == 9);
        CHECK(seen("alpha_limit").origin() == mpit::origin::configuration);
        CHECK(place_of("alpha_limit") == std::string{here.path()} + ":1");
        CHECK(cvar{"alpha_mode"}.read() == 1);
        CHECK(cvar{"alpha_limit"}.write(10) == MPI_SUCCESS);
        later.close();
        CHECK(!later.is_loaded());
        CHECK(seen("alpha_limit").origin() == mpit::origin::library);
    }
    CHECK(give("alpha_limit", 12).settings == 1);
    const plugin last{"alpha"};
    CHECK(last.limit() == 12);
    CHECK(give("alpha_limit", 13).settings == 1);
    CHECK(last.limit() == 13);
}

TEST_CASE("A library may give the environment variable that names its files another name") {
    const temporary_file here{"G_OF_READER = 7\nreader_limit = 8\n"}, empty{""};
    setenv("READER_CONFIGURATION", here.path(), 1);
    const plugin reader{"settings_plugin"};
    CHECK(variables.of_reader == 1);
    CHECK(reader.function<int(const char*)>("plugin_read")(empty.path()) == 0);
    CHECK(variables.of_reader == 7);
    CHECK(reader.limit() == 8);
    unsetenv("READER_CONFIGURATION");
}

TEST_CASE("Settings that a library has read remain for all others after it is unloaded") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    const initialized now;
    const temporary_file here{"G_OF_MODULE = 7\nbeta_limit = 8\nreader_limit = 6\n"};
    {
        plugin reader{"settings_plugin"};
        CHECK(reader.function<int(const char*)>("plugin_read")(here.path()) == 3);
        CHECK(reader.limit() == 6);
        CHECK(variables.of_module == 7);
        reader.close();
        CHECK(!reader.is_loaded());
    }
    CHECK(variables.of_module == 7);
    CHECK(place_of("G_OF_MODULE") == std::string{here.path()} + ":1");
    const plugin later{"beta"};
    CHECK(later.limit() == 8);
    CHECK(place_of("beta_limit") == std::string{here.path()} + ":2");
}

TEST_CASE("A child has its parent's settings, and does not share its own") {
    const initialized now;
    CHECK(failures_in_child([] {
        int failed = variables.both != 3;
        failed += give("G_OF_CHILD", 5).settings != 1 || variables.of_child != 5;
        const temporary_file here{"G_BOTH = 6\n"};
        failed += mpit::read_configuration(here.path()).settings != 1 || variables.both != 6;
        return failed;
    }) == 0);
    CHECK(variables.of_child == 1);
    CHECK(variables.both == 3);
}

TEST_CASE("A child applies settings although a thread of its parent was applying some") {
    const initialized now;
    is_held = true;
    asked = 0;
    std::thread slow{[] { static_cast<void>(give("G_HELD", 2)); }};
    while (asked == 0) std::this_thread::yield();
    const int failures = failures_in_child([] {
        is_held = false;
        return give("G_OF_CHILD", 5).settings != 1 || variables.of_child != 5 || variables.held != 2;
    });
    is_held = false;
    slow.join();
    CHECK(failures == 0);
    CHECK(variables.held == 2);
}

TEST_CASE("A validator of a library may apply settings itself") {
    CHECK(give("G_GIVING", 4).settings == 1);
    CHECK(variables.giving == 4);
    CHECK(variables.given == 4);
}

TEST_CASE("Settings are added while other threads load and unload trees, and each variable has its strongest value") {
    const initialized now;
    const int rounds = is_long() ? 500 : 40;
    REQUIRE(give("alpha_limit", 13).settings == 1);
    std::atomic<int> wrong{0};
    std::atomic<bool> has_ended{false};
    const temporary_file weak{"G_OF_THREADS = 1000\nT_LATE_0 = 1000\nT_LATE_1 = 1000\nalpha_again_limit = 3\n"};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++)
        threads.emplace_back([&, t] {
            for (int round = 1; round <= rounds; round++) {
                if (give("G_OF_THREADS", 2 * round + t).settings != 1) wrong++;
                if (give(t == 0 ? "T_LATE_0" : "T_LATE_1", round).settings != 1) wrong++;
                if (mpit::read_configuration(weak.path()).settings != 4) wrong++;
            }
        });
    threads.emplace_back([&] {
        while (!has_ended) {
            const plugin loaded{"alpha"};
            if (loaded.limit() < 9) wrong++;
        }
    });
    threads.emplace_back([&] {
        while (!has_ended) {
            mpit::dynamic group{"late_settings"};
            if (group.control<int>("T_LATE_0", "", {.initial = 0}) != mpit::result::success) wrong++;
            if (group.control<int>("T_LATE_1", "", {.initial = 0}) != mpit::result::success) wrong++;
            if (group.publish().code != mpit::result::success) wrong++;
        }
    });
    threads[0].join();
    threads[1].join();
    const int last = variables.of_threads;
    CHECK((last == 2 * rounds || last == 2 * rounds + 1));
    has_ended = true;
    threads[2].join();
    threads[3].join();
    CHECK(wrong == 0);
    mpit::dynamic group{"late_settings"};
    REQUIRE(group.control<int>("T_LATE_0", "", {.initial = 0}) == mpit::result::success);
    REQUIRE(group.control<int>("T_LATE_1", "", {.initial = 0}) == mpit::result::success);
    REQUIRE(group.publish().code == mpit::result::success);
    CHECK(cvar{"T_LATE_0"}.read() == rounds);
    CHECK(cvar{"T_LATE_1"}.read() == rounds);
}
