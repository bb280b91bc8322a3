// Libraries that are loaded and unloaded while the tool interface is in use. Each test case uses names that the others
// have perhaps loaded already: only the first one looks at how the numbers grow from nothing.
#include "plugin.hpp"

#include <thread>

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
int source_index(const std::string& name) {
    const numbers n = present_numbers();
    for (int i = 0; i < n.sources; i++)
        if (source_line(i).rfind(name + ":", 0) == 0) return i;
    FAIL("no source is called " << name);
    return -1;
}

} // namespace

TEST_CASE("A library that is loaded adds to every kind, and existing entries do not change",
          "[GROW-01][EVT-01][EVT-02][SRC-01][CAT-15]") {
    initialized tools;
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

TEST_CASE("The variables of a loaded library are read and written like any others", "[GROW-01]") {
    initialized tools;
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
            loaded.count(100);
            std::thread{[&] { loaded.count(11); }}.join();
            CHECK(calls.read() == 111);
            CHECK(time.read<double>() == 55.5);
            CHECK(level.read<unsigned long>() == 11);
        }
}

TEST_CASE("Tools receive the events of a loaded library, and read the time of its sources", "[GROW-01]") {
    initialized tools;
    for (const char* name : {"alpha", "beta", "gamma"}) {
        const std::string prefix = name;
        plugin loaded{name};
        heard called, counted;
        registration of_called{(prefix + "_called").c_str()}, of_counted{(prefix + "_counted").c_str()};
        REQUIRE(of_called.call(&hear, &called) == MPI_SUCCESS);
        REQUIRE(of_counted.call(&hear, &counted) == MPI_SUCCESS);
        loaded.count(10);
        std::thread{[&] { loaded.count(4); }}.join();
        CHECK(called.calls == 14);
        CHECK(called.last_number == 3);
        CHECK(called.sum == 7);
        CHECK(counted.calls == 14);
        CHECK(counted.sum == 3.5);
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

TEST_CASE("When a library is loaded again, new registrations receive its events and old ones do not", "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    for (const char* event : {"alpha_called", "alpha_counted"}) {
        heard old_calls, new_calls;
        plugin before{"alpha"};
        const numbers loaded = present_numbers();
        const int index = event_index(event);
        registration old{event};
        REQUIRE(old.call(&hear, &old_calls) == MPI_SUCCESS);
        before.count(2);
        CHECK(old_calls.calls == 2);
        for (int round = 1; round <= 10; round++) {
            before.close();
            REQUIRE_FALSE(before.is_loaded());
            plugin again{"alpha"};
            REQUIRE(present_numbers() == loaded);
            REQUIRE(event_index(event) == index);
            registration fresh{event};
            REQUIRE(fresh.call(&hear, &new_calls) == MPI_SUCCESS);
            new_calls.calls = 0;
            again.count(round);
            CHECK(new_calls.calls == round);
            CHECK(old_calls.calls == 2);
            CHECK(old.call(&hear, &old_calls) == MPI_T_ERR_INVALID_HANDLE);
            MPI_Count now = -7;
            CHECK(MPI_T_source_get_timestamp(new_calls.source, &now) == MPI_SUCCESS);
        }
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

TEST_CASE(
    "A handle on a variable of an unloaded library answers MPI_T_ERR_INVALID_HANDLE, and a new one is refused with "
    "MPI_T_ERR_INVALID_INDEX",
    "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    for (const char* name : {"alpha", "beta"}) {
        const std::string prefix = name;
        plugin loaded{name};
        session s;
        cvar limit{(prefix + "_limit").c_str()};
        pvar calls{s, (prefix + "_calls").c_str(), MPI_T_PVAR_CLASS_COUNTER};
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

TEST_CASE("A library that was loaded without memory is unloaded like any other", "[GROW-02]") {
    initialized tools;
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

TEST_CASE("Operations on all handles of a session skip those of an unloaded library", "[GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    session s;
    pvar mine{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    plugin alpha{"alpha"};
    pvar theirs{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    alpha.close();
    REQUIRE_FALSE(alpha.is_loaded());
    MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES);
    ++all.performances.counter;
    MPI_T_pvar_stop(s.handle, MPI_T_PVAR_ALL_HANDLES);
    CHECK(mine.read() == 1);
    MPI_T_pvar_reset(s.handle, MPI_T_PVAR_ALL_HANDLES);
    CHECK(mine.read() == 0);
}

TEST_CASE("A library that dlclose leaves in the process keeps its variables active", "[GROW-02]") {
    initialized tools;
    plugin gamma{"gamma"};
    cvar limit{"gamma_limit"};
    gamma.close();
    int value = 0;
    CHECK(MPI_T_cvar_read(limit.handle, &value) == (gamma.is_loaded() ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE));
}

TEST_CASE("A library that is loaded again has its old numbers, and only new handles reach it", "[GROW-03]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    session s;
    plugin before{"alpha"};
    const numbers loaded = present_numbers();
    const int number = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER);
    pvar old{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
    cvar old_limit{"alpha_limit"};
    before.count(3);
    for (int round = 0; round < 20; round++) {
        before.close();
        REQUIRE_FALSE(before.is_loaded());
        plugin again{"alpha"};
        REQUIRE(present_numbers() == loaded);
        REQUIRE(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == number);
        pvar calls{s, "alpha_calls", MPI_T_PVAR_CLASS_COUNTER};
        cvar limit{"alpha_limit"};
        REQUIRE(calls.start() == MPI_SUCCESS);
        again.count(10 + round);
        REQUIRE(calls.read() == static_cast<unsigned long long>(10 + round));
        REQUIRE(limit.read() == 5);
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

TEST_CASE("Handles and sessions keep working when a library is loaded or unloaded", "[GROW-04]") {
    initialized tools;
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

TEST_CASE("An epoch that ends while a library is loaded changes neither its numbers nor its values",
          "[GROW-01][INIT-12]") {
    plugin alpha{"alpha"};
    catalogue before, after;
    {
        initialized tools;
        before = present_catalogue();
        CHECK(cvar{"alpha_limit"}.write(23) == MPI_SUCCESS);
    }
    CHECK(alpha.limit() == 23);
    initialized tools;
    after = present_catalogue();
    CHECK(before == after);
    CHECK(cvar{"alpha_limit"}.read() == 23);
}
