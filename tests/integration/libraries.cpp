// Libraries that are loaded and unloaded while the tool interface is in use: their variables, those that they
// describe at run time, the batches that read them, names that two of them declare, and those with a registry of
// their own (MPIT_OWN_REGISTRY). Each test case uses names that the others have perhaps loaded already: only the
// first one looks at how the numbers grow from nothing.
#include "../long_tests.hpp"
#include "batch_sample.hpp"
#include "plugin.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "../reports_kept.hpp"

namespace {

// What callbacks of the plugins' events saw.
struct heard {
    int calls = 0, last_number = -7, source = -7;
    double sum = 0;
    MPI_Count stamp = -7;
};
void hear(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
    heard& to = *static_cast<heard*>(user_data);
    double weight = 0;
    to.calls++;
    MPI_T_event_read(instance, 0, &to.last_number);
    if (MPI_T_event_read(instance, 1, &weight) == MPI_SUCCESS) to.sum += weight;
    MPI_T_event_get_source(instance, &to.source);
    MPI_T_event_get_timestamp(instance, &to.stamp);
}

} // namespace

TEST_CASE_METHOD(initialized, "A library that is loaded adds to every kind, and existing entries do not change",
                 "[GROW-01][EVT-01][EVT-02][SRC-01][CAT-15]") {
    const numbers before = present_numbers();
    const catalogue old = present_catalogue();
    int update_before = -1, update_after = -1;
    REQUIRE(MPI_T_category_changed(&update_before) == MPI_SUCCESS);

    plugin alpha{"alpha"};
    const numbers after = present_numbers();
    CHECK(after ==
          numbers{before.cvars + 2, before.pvars + 3, before.events + 2, before.sources + 1, before.categories + 2});
    CHECK(is_beginning(old, present_catalogue()));
    CHECK(cvar_index("alpha_limit") == before.cvars);
    CHECK(cvar_line(cvar_index("alpha_mode")).find(" alpha_mode calm=0 busy=1") != std::string::npos);
    CHECK(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == before.pvars);
    CHECK(event_index("alpha_called") >= before.events);
    CHECK(event_line(event_index("alpha_called")).find(" alpha_called_payload number=0 weight=1") != std::string::npos);
    CHECK(source_line(before.sources).find("alpha_clock: ") == 0);
    REQUIRE(MPI_T_category_changed(&update_after) == MPI_SUCCESS);
    CHECK(update_after == update_before + 2 + 2 + 3 + 2 + 1);
}

TEST_CASE_METHOD(initialized, "The variables, events and sources of a loaded library are used like any others",
                 "[GROW-01]") {
    for (const int binding : {RTLD_LOCAL, RTLD_GLOBAL})
        for (const char* name : {"alpha", "beta", "gamma"}) {
            const std::string prefix = name;
            plugin loaded{name, binding};
            cvar limit{(prefix + "_limit").c_str()};
            CHECK(limit.write(17) == MPI_SUCCESS);
            CHECK(loaded.limit() == 17);
            CHECK(limit.write(5) == MPI_SUCCESS);
            session s;
            pvar calls{s, (prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER};
            pvar time{s, (prefix + "_time").c_str(), MPI_T_PVAR_CLASS_AGGREGATE};
            pvar level{s, (prefix + "_level").c_str(), MPI_T_PVAR_CLASS_LEVEL};
            REQUIRE(calls.start() == MPI_SUCCESS);
            REQUIRE(time.start() == MPI_SUCCESS);
            REQUIRE(level.start() == MPI_SUCCESS);
            heard called, counted;
            registration of_called{(prefix + "_called").c_str()}, of_counted{(prefix + "_counted").c_str()};
            REQUIRE(of_called.call(&hear, &called) == MPI_SUCCESS);
            REQUIRE(of_counted.call(&hear, &counted) == MPI_SUCCESS);
            loaded.count(100);
            std::thread{[&] { loaded.count(11); }}.join();
            CHECK(calls.read() == 111);
            CHECK(time.read<double>() == 55.5);
            CHECK(level.read<unsigned long>() == 11);
            CHECK(called.calls == 111);
            CHECK(called.last_number == 10);
            CHECK(called.sum == 55.5);
            CHECK(counted.calls == 111);
            CHECK(counted.sum == 27.75);
            CHECK(counted.source == source_index(prefix + "_clock"));
            MPI_Count now = -7;
            CHECK(MPI_T_source_get_timestamp(counted.source, &now) == MPI_SUCCESS);
            CHECK(now == counted.stamp);
        }
}

TEST_CASE("The variables, events and sources of an unloaded library keep their numbers and their texts", "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin alpha{"alpha"};
    const catalogue loaded = present_catalogue();
    const int limit = cvar_index("alpha_limit"), event = event_index("alpha_called");
    alpha.close();
    REQUIRE_FALSE(alpha.is_loaded());
    CHECK(present_catalogue() == loaded);
    CHECK(cvar_index("alpha_limit") == limit);
    CHECK(event_index("alpha_called") == event);
    CHECK(limit >= 0);
}

TEST_CASE("A registration on an event of an unloaded library is invalid, and a new one is refused with "
          "MPI_T_ERR_INVALID_INDEX",
          "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    for (const char* event : {"alpha_called", "alpha_counted", "beta_called", "beta_counted"}) {
        plugin loaded{std::string{event}.substr(0, std::string{event}.find('_')).c_str()};
        heard before;
        registration r{event};
        REQUIRE(r.call(&hear, &before) == MPI_SUCCESS);
        loaded.count(1);
        CHECK(before.calls == 1);
        const int source = before.source;
        loaded.close();
        REQUIRE_FALSE(loaded.is_loaded());

        MPI_Info info = MPI_INFO_NULL;
        CHECK(r.call(&hear, &before) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(r.call_for_losses(nullptr) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_handle_get_info(r.handle, &info) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_handle_set_info(r.handle, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_callback_get_info(r.handle, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_callback_set_info(r.handle, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(info == MPI_INFO_NULL);
        MPI_T_event_registration made = r.handle;
        CHECK(MPI_T_event_handle_alloc(event_index(event), nullptr, MPI_INFO_NULL, &made) == MPI_T_ERR_INVALID_INDEX);
        CHECK(made == nullptr);
        // The plugin's own clock cannot be asked any more; the library's own can.
        MPI_Count now = -7;
        const bool is_own = source < source_index("s_ordered");
        CHECK(MPI_T_source_get_timestamp(source, &now) == (is_own ? MPI_SUCCESS : MPI_T_ERR_NOT_SUPPORTED));
        CHECK((now == -7) != is_own);
        CHECK(r.free() == MPI_SUCCESS);
    }
}

TEST_CASE("The free callback of a registration that is freed after the unload is called once", "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    static int ends;
    for (const bool is_loaded_again : {false, true}) {
        ends = 0;
        plugin alpha{"alpha"};
        registration r{"alpha_called"};
        heard calls;
        REQUIRE(r.call(&hear, &calls) == MPI_SUCCESS);
        alpha.close();
        REQUIRE_FALSE(alpha.is_loaded());
        if (is_loaded_again) plugin{"alpha"}.count(1);
        CHECK(r.free([](MPI_T_event_registration, MPI_T_cb_safety, void*) { ends++; }) == MPI_SUCCESS);
        CHECK(ends == 1);
        CHECK(calls.calls == 0);
    }
}

TEST_CASE("A handle on a variable of an unloaded library answers MPI_T_ERR_INVALID_HANDLE, a new one is refused with "
          "MPI_T_ERR_INVALID_INDEX, and calls on all handles of the session go on to the others",
          "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    for (const char* name : {"alpha", "beta"}) {
        const std::string prefix = name;
        plugin loaded{name};
        session s;
        cvar limit{(prefix + "_limit").c_str()};
        pvar calls{s, (prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER},
            mine{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
        REQUIRE(calls.start() == MPI_SUCCESS);
        loaded.close();
        REQUIRE_FALSE(loaded.is_loaded());

        int number = -7;
        unsigned long long total = 7;
        CHECK(MPI_T_cvar_read(limit.handle, &number) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_write(limit.handle, &number) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_read(s.handle, calls.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_write(s.handle, calls.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(calls.stop() == MPI_T_ERR_INVALID_HANDLE);
        CHECK(calls.reset() == MPI_T_ERR_INVALID_HANDLE);
        CHECK(number == -7);
        CHECK(total == 7);
        MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES);
        ++all.performances.counter;
        MPI_T_pvar_stop(s.handle, MPI_T_PVAR_ALL_HANDLES);
        CHECK(mine.read() == 1);
        MPI_T_pvar_reset(s.handle, MPI_T_PVAR_ALL_HANDLES);
        CHECK(mine.read() == 0);

        MPI_T_cvar_handle no_cvar = MPI_T_CVAR_HANDLE_NULL;
        MPI_T_pvar_handle no_pvar = MPI_T_PVAR_HANDLE_NULL;
        int count = 0;
        CHECK(MPI_T_cvar_handle_alloc(cvar_index((prefix + "_limit").c_str()), nullptr, &no_cvar, &count) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_pvar_handle_alloc(s.handle, pvar_index((prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER),
                                      nullptr, &no_pvar, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_pvar_handle_free(s.handle, &calls.handle) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_handle_free(&limit.handle) == MPI_SUCCESS);
    }
}

TEST_CASE_METHOD(initialized, "A library that was loaded without memory is unloaded like any other", "[GROW-02]") {
    mpit::core::allocations_left.store(0);
    plugin starved{"starved"};
    mpit::core::allocations_left.store(-1);
    int index = -1, count = -1, value = -1;
    REQUIRE(MPI_T_cvar_get_index("starved_limit", &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_get_index("starved_calls", MPI_T_PVAR_CLASS_COUNTER, &count) == MPI_T_ERR_INVALID_NAME);
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    REQUIRE(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS);
    CHECK(value == starved.limit());
    starved.close();
    if (starved.is_loaded()) return;
    CHECK(MPI_T_cvar_read(handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_T_ERR_INVALID_INDEX);
}

TEST_CASE_METHOD(initialized, "A library that dlclose leaves in the process keeps its variables active", "[GROW-02]") {
    plugin gamma{"gamma"};
    cvar limit{"gamma_limit"};
    gamma.close();
    int value = 0;
    CHECK(MPI_T_cvar_read(limit.handle, &value) == (gamma.is_loaded() ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE));
}

TEST_CASE("A library that is loaded again has its old numbers, and only new handles and registrations reach it",
          "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    session s;
    plugin before{"alpha"};
    const numbers loaded = present_numbers();
    const int number = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER),
              events[] = {event_index("alpha_called"), event_index("alpha_counted")};
    pvar old{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    cvar old_limit{"alpha_limit"};
    heard old_calls, new_calls;
    registration old_called{"alpha_called"}, old_counted{"alpha_counted"};
    for (const registration* each : {&old_called, &old_counted}) REQUIRE(each->call(&hear, &old_calls) == MPI_SUCCESS);
    before.count(3);
    CHECK(old_calls.calls == 6);
    for (int round = 0; round < 20; round++) {
        before.close();
        REQUIRE_FALSE(before.is_loaded());
        plugin again{"alpha"};
        REQUIRE(present_numbers() == loaded);
        REQUIRE(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == number);
        REQUIRE((event_index("alpha_called") == events[0] && event_index("alpha_counted") == events[1]));
        pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
        cvar limit{"alpha_limit"};
        registration called{"alpha_called"}, counted{"alpha_counted"};
        for (const registration* each : {&called, &counted}) REQUIRE(each->call(&hear, &new_calls) == MPI_SUCCESS);
        new_calls.calls = 0;
        REQUIRE(calls.start() == MPI_SUCCESS);
        again.count(10 + round);
        REQUIRE(calls.read() == static_cast<unsigned long long>(10 + round));
        REQUIRE(limit.read() == 5);
        REQUIRE(new_calls.calls == 2 * (10 + round));
        REQUIRE(old_calls.calls == 6);
        REQUIRE(old_called.call(&hear, &old_calls) == MPI_T_ERR_INVALID_HANDLE);
        MPI_Count now = -7;
        REQUIRE(MPI_T_source_get_timestamp(new_calls.source, &now) == MPI_SUCCESS);
        unsigned long long total = 0;
        int value = 0;
        REQUIRE(MPI_T_pvar_read(s.handle, old.handle, &total) == MPI_T_ERR_INVALID_HANDLE);
        REQUIRE(MPI_T_cvar_read(old_limit.handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    }
}

namespace {
int answer_while_loading = -1;
void allocate_while_loading() {
    int index = -1, count = -1;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_cvar_get_index("slow_even", &index);
    answer_while_loading = MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count);
}
} // namespace

TEST_CASE("A library that is loaded again is not used before its variables have the values of the environment",
          "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    { const plugin first{"slow"}; }
    char address[20];
    std::snprintf(address, sizeof address, "%lx", reinterpret_cast<unsigned long>(&allocate_while_loading));
    setenv("SLOW_VISITOR", address, 1);
    setenv("slow_even", "6", 1);
    const plugin again{"slow"};
    unsetenv("slow_even");
    unsetenv("SLOW_VISITOR");
    again.function<void(void (*)())>("plugin_visit")(nullptr);
    CHECK(answer_while_loading == MPI_T_ERR_INVALID_INDEX);
    cvar even{"slow_even"};
    CHECK(even.read<int>() == 6);
}

TEST_CASE_METHOD(initialized, "Handles and sessions keep working when a library is loaded or unloaded", "[GROW-04]") {
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    pvar level{s, "p_queue", MPI_T_PVAR_CLASS_LEVEL};
    cvar number{"C_INT"};
    heard calls;
    registration r{"e_plain"};
    REQUIRE(r.call(&hear, &calls) == MPI_SUCCESS);
    REQUIRE(counter.start() == MPI_SUCCESS);
    REQUIRE(level.start() == MPI_SUCCESS);
    unsigned long long expected = 0;
    const auto check = [&] {
        ++all.performances.counter;
        all.performances.level = static_cast<unsigned long>(++expected);
        CHECK(counter.read() == expected);
        CHECK(level.read<unsigned long>() == expected);
        CHECK(number.write(static_cast<int>(expected)) == MPI_SUCCESS);
        CHECK(all.controls.plain == static_cast<int>(expected));
        all.events.plain(static_cast<int>(expected), 0, 0ul);
        CHECK(calls.calls == static_cast<int>(expected));
        CHECK(calls.last_number == static_cast<int>(expected));
    };
    check();
    for (const char* name : {"alpha", "beta", "gamma"}) {
        plugin loaded{name};
        check();
        loaded.close();
        check();
    }
}

namespace {

std::string duplicates(const std::string& first, const std::string& second) {
    return "alpha_limit and 7 more names are declared twice: tools use the declarations of " + first +
           ", not those of " + second;
}

struct first_of_two : mpit::category<"first_of_two", "A tree of this program"> {
    mpit::control<int> twice{this, "TWICE", "A number"};
};
struct second_of_two : mpit::category<"second_of_two", "Another one"> {
    mpit::control<int> twice{this, "TWICE", "A number"};
    mpit::counter<> counter{this, "TWICE", "No control variable, so no duplicate"};
};
constexpr auto& first_declared = mpit::registered<first_of_two>;
constexpr auto& second_declared = mpit::registered<second_of_two>;

} // namespace

TEST_CASE_METHOD(
    initialized,
    "Names that two libraries declare are one report with both paths, and the first stays, also when the other goes") {
    plugin first{"alpha"};
    const numbers before = present_numbers();
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    unsigned long long counted = 0;
    for (const std::string name : {"alpha_again", "alpha_copy"}) {
        reports_kept reported;
        plugin second{name.c_str()};
        CHECK(present_numbers() == before);
        REQUIRE(reports.size() == 1);
        CHECK(reports[0] == duplicates("alpha::variables in " + first.path(),
                                       (name == "alpha_again" ? name : "alpha") + "::variables in " + second.path()));
        first.count(10);
        second.count(1000);
        CHECK(calls.read() == (counted += 10));
        CHECK(second.calls() == 1000);
        CHECK(cvar{"alpha_limit"}.write(9) == MPI_SUCCESS);
        CHECK(first.limit() == 9);
        CHECK(second.limit() == 5);
        second.close();
        if (unloads_libraries) REQUIRE_FALSE(second.is_loaded());
        first.count(10);
        CHECK(calls.read() == (counted += 10));
    }
}

TEST_CASE("A duplicate that is loaded again and again is reported once") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin first{"alpha_copy"};
    reports_kept reported;
    for (int i = 0; i < 20; i++) {
        plugin second{"alpha"};
        second.close();
        REQUIRE_FALSE(second.is_loaded());
    }
    CHECK(reports.size() == 1);
}

TEST_CASE("After the first library is unloaded, another one may use its indices without a report", "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    plugin first{"alpha"};
    const numbers before = present_numbers();
    first.close();
    REQUIRE_FALSE(first.is_loaded());
    reports_kept reported;
    plugin second{"alpha_again"};
    CHECK(reports.empty());
    CHECK(present_numbers() == before);
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    second.count(7);
    CHECK(calls.read() == 7);
}

TEST_CASE_METHOD(initialized, "A report handler is removed when the library that set it is unloaded") {
    plugin slow{"slow"};
    slow.function<void()>("plugin_take_reports")();
    REQUIRE(mpit::registry::the_registry()->reports_to.load() != nullptr);
    slow.close();
    if (!slow.is_loaded()) CHECK(mpit::registry::the_registry()->reports_to.load() == nullptr);
    mpit::set_report_handler(nullptr);
}

TEST_CASE_METHOD(initialized, "Of two declarations in one program tools see one, and the other works for its author") {
    first_declared.twice = 1;
    second_declared.twice = 2;
    cvar seen{"TWICE"};
    CHECK((seen.read() == 1 || seen.read() == 2));
    CHECK(seen.write(3) == MPI_SUCCESS);
    CHECK((first_declared.twice == 3) + (second_declared.twice == 3) == 1);
    CHECK(first_declared.twice + second_declared.twice == 3 + (second_declared.twice == 3 ? 1 : 2));
    session s;
    pvar other_kind{s, "TWICE", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(other_kind.start() == MPI_SUCCESS);
    ++second_declared.counter;
    CHECK(other_kind.read() == 1);
}

TEST_CASE_METHOD(initialized,
                 "The variables and names of a library with a registry of its own are those of nobody else") {
    const numbers before = present_numbers();
    {
        plugin apart{"apart"};
        CHECK(present_numbers() == before);
        apart.count(10);
        CHECK(apart.calls() == 10);
        CHECK(apart.limit() == 5);
        int found = -1;
        CHECK(MPI_T_pvar_get_index("apart_calls", MPI_T_PVAR_CLASS_COUNTER, &found) == MPI_T_ERR_INVALID_NAME);
    }
    CHECK(present_numbers() == before);
    plugin apart{"alpha_apart"}, shared{"alpha"};
    session s;
    pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(calls.start() == MPI_SUCCESS);
    apart.count(1000);
    shared.count(10);
    CHECK(calls.read() == 10);
    CHECK(apart.calls() == 1000);
}

namespace {

constexpr int loads = 3;
alignas(mpit::dynamic) unsigned char forgotten_groups[loads][sizeof(mpit::dynamic)];

} // namespace

TEST_CASE("Unloading a library ends its groups, and loading it again restores their indices") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    int owned = -1, forgotten = -1, count = 0;
    MPI_T_cvar_handle of_owned = MPI_T_CVAR_HANDLE_NULL, of_forgotten = MPI_T_CVAR_HANDLE_NULL,
                      none = MPI_T_CVAR_HANDLE_NULL;
    for (int round = 0; round < loads; round++) {
        plugin described{"dynamic_plugin"};
        REQUIRE(described.function<int(void*)>("plugin_publish")(forgotten_groups[round]) == 0);
        if (round == 0) {
            owned = cvar_index("DYNAMIC_OWNED");
            forgotten = cvar_index("DYNAMIC_FORGOTTEN");
        }
        CHECK(cvar_index("DYNAMIC_OWNED") == owned);
        CHECK(cvar_index("DYNAMIC_FORGOTTEN") == forgotten);
        REQUIRE(MPI_T_cvar_handle_alloc(owned, nullptr, &of_owned, &count) == MPI_SUCCESS);
        REQUIRE(MPI_T_cvar_handle_alloc(forgotten, nullptr, &of_forgotten, &count) == MPI_SUCCESS);
        CHECK(cvar{"DYNAMIC_OWNED"}.read() == 3);
        CHECK(cvar{"DYNAMIC_FORGOTTEN"}.read() == 1);
        CHECK(cvar{"DYNAMIC_FORGOTTEN"}.read() == 2);

        described.close();
        CHECK_FALSE(described.is_loaded());
        int value = 0;
        CHECK(MPI_T_cvar_read(of_owned, &value) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_read(of_forgotten, &value) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_handle_alloc(forgotten, nullptr, &none, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_cvar_handle_free(&of_owned) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_handle_free(&of_forgotten) == MPI_SUCCESS);
    }
    char description[64];
    int length = sizeof description;
    REQUIRE(MPI_T_cvar_get_info(owned, nullptr, nullptr, nullptr, nullptr, nullptr, description, &length, nullptr,
                                nullptr) == MPI_SUCCESS);
    CHECK(std::string{description} == "A number");
}

namespace {

using mpit::performance_class;
using mpit::result;

struct program_variables : mpit::category<"batch_program", "Of the program"> {
    mpit::counter<> calls{this, "program_calls", "Calls"};
};
constexpr auto& of_program = mpit::registered<program_variables>;

// The tool in batch_tool.cpp.
struct loaded_tool : plugin {
    loaded_tool() : plugin{"batch_tool"} {}
    int add_all() const { return function<int()>("tool_add_all")(); }
    result start() const { return static_cast<result>(function<int()>("tool_start")()); }
    result reset() const { return static_cast<result>(function<int()>("tool_reset")()); }
    result read(batch_sample& to) const { return static_cast<result>(function<int(batch_sample*)>("tool_read")(&to)); }
};

template <class Batch> void add_all(Batch& b) {
    using enum performance_class;
    REQUIRE(b.add({{&batch_sample::of_program, "program_calls", counter},
                   {&batch_sample::calls, "batch_calls", counter},
                   {&batch_sample::queued, "batch_queue", level},
                   {&batch_sample::deepest, "batch_queue", high_watermark},
                   {&batch_sample::computed, "batch_computed", level},
                   {&batch_sample::messages, "batch_messages", counter},
                   {&batch_sample::bytes, "batch_bytes", aggregate}}) == result::success);
}

// Of the library's variables.
bool is_same(const batch_sample& a, const batch_sample& b) {
    return a.calls == b.calls && a.queued == b.queued && a.deepest == b.deepest && a.computed == b.computed &&
           a.messages == b.messages && a.bytes == b.bytes;
}

} // namespace

TEST_CASE("A tool that is a library and has only the reader's header reads the program and its plugins") {
    loaded_tool tool;
    batch_sample now{};
    CHECK(tool.read(now) == result::success);
    CHECK(tool.add_all() == 6);
    plugin library{"batch_plugin"};
    CHECK(tool.add_all() == 1);
    REQUIRE(tool.start() == result::success);
    of_program.calls += 4;
    library.count(5);
    REQUIRE(tool.read(now) == result::success);
    CHECK(now.of_program == 4);
    CHECK(now.calls == 5);
    CHECK(now.queued == 1);
    CHECK(now.deepest == 5);
    CHECK(now.computed == 5);
    CHECK(now.messages == 5);
    CHECK(now.bytes == 15);
    REQUIRE(tool.reset() == result::success);
    REQUIRE(tool.read(now) == result::success);
    CHECK(now.calls == 0);
    CHECK(now.queued == 1);
    tool.close();
    if (unloads_libraries) CHECK_FALSE(tool.is_loaded());
    library.count(2);
}

TEST_CASE(
    "Values that a batch has read of a library stay when it is unloaded, and are read again when it is loaded again") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    mpit::tool::batch<batch_sample> b;
    batch_sample now{};
    {
        plugin library{"batch_plugin"};
        add_all(b);
        REQUIRE(b.start() == result::success);
        library.count(5);
        REQUIRE(b.read(now) == result::success);
        library.count(3);
        library.close();
        REQUIRE_FALSE(library.is_loaded());
    }
    const auto has_stayed = [&] {
        return now.calls == 5 && now.queued == 1 && now.deepest == 5 && now.computed == 5 && now.messages == 5 &&
               now.bytes == 15;
    };
    ++of_program.calls;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    CHECK(now.of_program == 1);
    CHECK(b.reset() == result::invalid_handle);
    CHECK(b.add(&batch_sample::calls, "batch_calls", performance_class::counter) == result::invalid_index);
    ++of_program.calls;
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    CHECK(now.of_program == 1);

    plugin library{"batch_plugin"};
    library.count(7);
    CHECK(b.read(now) == result::invalid_handle);
    CHECK(has_stayed());
    using enum performance_class;
    CHECK(b.add(&batch_sample::of_program, "program_calls", counter) == result::field_in_use);
    REQUIRE(b.add({{&batch_sample::bytes, "batch_bytes", aggregate},
                   {&batch_sample::calls, "batch_calls", counter},
                   {&batch_sample::deepest, "batch_queue", high_watermark},
                   {&batch_sample::computed, "batch_computed", level},
                   {&batch_sample::queued, "batch_queue", level},
                   {&batch_sample::messages, "batch_messages", counter}}) == result::success);
    REQUIRE(b.start() == result::success);
    library.count(2);
    REQUIRE(b.read(now) == result::success);
    CHECK(now.of_program == 1);
    CHECK(now.calls == 2);
    CHECK(now.deepest == 3);
    CHECK(now.computed == 9);
    CHECK(now.messages == 2);
    CHECK(now.bytes == 6);
}

TEST_CASE("Threads read a batch while its library is unloaded, and use nothing of it afterwards") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    const int rounds = is_long() ? 2000 : 30;
    for (int round = 0; round < rounds; round++) {
        plugin library{"batch_plugin"};
        mpit::tool::batch<batch_sample> b;
        add_all(b);
        REQUIRE(b.start() == result::success);
        std::atomic<int> reads{0}, mistakes{0};
        std::atomic<bool> is_closed{false}, ends{false};
        std::vector<std::thread> readers;
        for (int i = 0; i < 2; i++)
            readers.emplace_back([&] {
                batch_sample now{};
                bool is_gone = false, was_closed = false;
                while (!ends) {
                    const batch_sample before = now;
                    // While the variables are unregistered, one may be gone and another one still be read.
                    const bool begins_closed = is_closed;
                    const result answer = b.read(now);
                    if ((is_gone || begins_closed) && answer != result::invalid_handle) mistakes++;
                    if (was_closed && !is_same(now, before)) mistakes++;
                    if (now.calls > 5 || now.deepest > 5 || now.bytes > 15) mistakes++;
                    is_gone = answer == result::invalid_handle;
                    was_closed = begins_closed;
                    reads++;
                }
            });
        const auto wait_for_reads = [&] {
            for (const int before = reads; reads < before + 20;) std::this_thread::yield();
        };
        library.count(5);
        wait_for_reads();
        library.close();
        CHECK_FALSE(library.is_loaded());
        is_closed = true;
        wait_for_reads();
        ends = true;
        for (std::thread& each : readers) each.join();
        CHECK(mistakes == 0);
    }
}
