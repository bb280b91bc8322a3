// Threads load and unload libraries and register trees while others enumerate all that there is, use handles and raise.
#include "../long_tests.hpp"
#include "late_tree.hpp"
#include "plugin.hpp"

#include <mpit/module/publish_pending.hpp>

#include <atomic>
#include <deque>
#include <thread>

namespace {

// Answers how many indices below a count could not be asked for, were not found by name, or had an unknown enumeration.
int failures_of_one_enumeration() {
    int failures = 0, found = -1;
    const numbers n = present_numbers();
    const auto is_found_as = [&](const std::string& line, int index, auto look_up) {
        const std::string name = line.substr(0, line.find(':'));
        return !name.empty() && look_up(name.c_str(), &found) == MPI_SUCCESS && found == index;
    };
    for (int i = 0; i < n.cvars; i++) {
        const std::string line = cvar_line(i);
        failures += !is_found_as(line, i, MPI_T_cvar_get_index) || line.find("no enumeration") != std::string::npos;
    }
    for (int i = 0; i < n.pvars; i++) {
        const std::string line = pvar_line(i);
        failures += line.empty() || line.find("no enumeration") != std::string::npos;
    }
    for (int i = 0; i < n.categories; i++) {
        failures += !is_found_as(category_line(i), i, MPI_T_category_get_index);
        int members[64], cvars = 0, pvars = 0, categories = 0;
        MPI_T_category_get_info(i, nullptr, nullptr, nullptr, nullptr, &cvars, &pvars, &categories);
        failures += MPI_T_category_get_cvars(i, std::min(cvars, 64), members) != MPI_SUCCESS;
        for (int m = 0; m < std::min(cvars, 64); m++) failures += cvar_line(members[m]).empty();
        failures += MPI_T_category_get_pvars(i, std::min(pvars, 64), members) != MPI_SUCCESS;
        for (int m = 0; m < std::min(pvars, 64); m++) failures += pvar_line(members[m]).empty();
        failures += MPI_T_category_get_categories(i, std::min(categories, 64), members) != MPI_SUCCESS;
        for (int m = 0; m < std::min(categories, 64); m++) failures += category_line(members[m]).empty();
    }
    return failures;
}

// What the threads have done.
std::atomic<unsigned long> lookups{0}, raises{0}, heard{0}, handles{0}, mistakes{0};
void expect(bool holds) {
    if (!holds) mistakes++;
}

void look_up_while_others_register() {
    static thread_local int last_update = 0;
    static thread_local numbers last;
    int index = -1, update = 0;
    expect(MPI_T_category_changed(&update) == MPI_SUCCESS && update >= last_update);
    last_update = update;
    const numbers now = present_numbers();
    const int newest = now.cvars - 1;
    expect(now.cvars >= last.cvars && now.pvars >= last.pvars && now.categories >= last.categories);
    last = now;
    const std::string line = cvar_line(newest);
    expect(MPI_T_cvar_get_index(line.substr(0, line.find(':')).c_str(), &index) == MPI_SUCCESS && index == newest);
    if (MPI_T_category_get_index("grown", &index) == MPI_SUCCESS) {
        int cvars = 0, members[2000];
        expect(MPI_T_category_get_info(index, nullptr, nullptr, nullptr, nullptr, &cvars, nullptr, nullptr) ==
               MPI_SUCCESS);
        expect(MPI_T_category_get_cvars(index, cvars < 2000 ? cvars : 2000, members) == MPI_SUCCESS);
        for (int i = cvars > 3 ? cvars - 3 : 0; i < cvars && i < 2000; i++) expect(!cvar_line(members[i]).empty());
    }
    int value = -1;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    expect(MPI_T_cvar_get_index("C_CONSTANT", &index) == MPI_SUCCESS);
    expect(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &update) == MPI_SUCCESS);
    expect(failures_of_one_enumeration() == 0);
    expect(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value == 42);
    expect(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    lookups++;
}
void use_handles() {
    MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL, mark = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = 0;
    unsigned long long total = 0;
    unsigned long level = 0;
    expect(MPI_T_pvar_session_create(&in) == MPI_SUCCESS);
    expect(MPI_T_pvar_get_index("p_counter", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
    expect(MPI_T_pvar_handle_alloc(in, index, nullptr, &counter, &count) == MPI_SUCCESS);
    expect(MPI_T_pvar_get_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index) == MPI_SUCCESS);
    expect(MPI_T_pvar_handle_alloc(in, index, nullptr, &mark, &count) == MPI_SUCCESS);
    expect(MPI_T_pvar_start(in, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++all.performances.counter;
    all.performances.level += 1;
    expect(MPI_T_pvar_read(in, counter, &total) == MPI_SUCCESS && total >= 1);
    expect(MPI_T_pvar_read(in, mark, &level) == MPI_SUCCESS && level >= 1);
    all.performances.level -= 1;
    expect(MPI_T_pvar_session_free(&in) == MPI_SUCCESS);
    handles += 2;
}
void raise_and_listen() {
    MPI_T_event_registration own = nullptr;
    int index = -1;
    expect(MPI_T_event_get_index("e_ordered", &index) == MPI_SUCCESS);
    expect(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own) == MPI_SUCCESS);
    for (int i = 0; i < 10; i++) {
        all.events.plain(1, 2, 3ul);
        all.events.ordered(4);
        raises++;
    }
    expect(MPI_T_event_handle_free(own, nullptr, nullptr) == MPI_SUCCESS);
}

} // namespace

TEST_CASE_METHOD(
    initialized,
    "While two threads load libraries and register trees, others can query every index below the counts, use "
    "handles and raise",
    "[CVAR-01][PVAR-01][GROW-05]") {
    const catalogue before = present_catalogue();
    const int cycles = is_long() ? 5000 : MPIT_THREAD_SANITIZER ? 60 : 300;
    static std::deque<std::string> names;
    static std::deque<late_tree> grown;
    for (int i = 0; i < cycles; i++) grown.emplace_back(i % 2 == 0 ? "grown" : "grown_too", 1000 + i);
    all.performances.level = 0;
    registration r{"e_plain"};
    REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { heard++; }, nullptr,
                   MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    std::atomic<bool> done{false};
    std::vector<std::thread> users, registrars;
    for (void (*const use)() : {&look_up_while_others_register, &look_up_while_others_register, &use_handles,
                                &raise_and_listen, &raise_and_listen})
        users.emplace_back([&done, use] {
            while (!done) use();
        });
    std::atomic<int> loads{0};
    registrars.emplace_back([&] {
        for (int i = 0; i < cycles; i++) {
            void* const library = dlopen(beside_program(i % 2 == 0 ? "alpha" : "beta").c_str(), RTLD_NOW);
            expect(library != nullptr);
            if (library == nullptr) continue;
            reinterpret_cast<void (*)(int)>(dlsym(library, "plugin_count"))(1);
            dlclose(library);
            loads++;
        }
    });
    registrars.emplace_back([&] {
        for (late_tree& each : grown) mpit::registry::register_tree(each, "a grown tree");
    });
    for (std::thread& each : registrars) each.join();
    done = true;
    for (std::thread& each : users) each.join();
    std::printf("%d libraries loaded and %d trees registered against %lu look-ups, %lu handles and %lu raises\n",
                loads.load(), cycles, lookups.load(), handles.load(), raises.load());
    CHECK(mistakes == 0);
    CHECK(heard == raises);
    CHECK(loads == cycles);
    CHECK(lookups > 0);
    CHECK(failures_of_one_enumeration() == 0);
    const catalogue after = present_catalogue();
    CHECK(is_beginning(before, after));
    CHECK(after.cvars.size() == before.cvars.size() + grown.size() + 2 * 2);
    CHECK(after.pvars.size() == before.pvars.size() + grown.size() + 2 * 3);
    for (const late_tree& each : grown) CHECK(cvar_index(each.control_name.c_str()) >= 0);
    CHECK(all.performances.level.get() == 0);
}
