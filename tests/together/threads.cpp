// One thread loads and unloads libraries and enrols trees while four others enumerate all that there is.
#include "plugin.hpp"

#include <atomic>
#include <deque>
#include <thread>

namespace {

struct late_tree : mpit::describe::category {
    std::string counter_name, control_name;
    mpit::counter<> counter;
    mpit::control<colour> control;
    late_tree(const char* called, int number)
        : category{called, "Enrolled while others look"},
          counter_name{"late_counter_" + std::to_string(number)},
          control_name{"LATE_CONTROL_" + std::to_string(number)},
          counter{this, counter_name.c_str(), "A counter"},
          control{this, control_name.c_str(), "A colour"} {}
};

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

} // namespace

TEST_CASE("While one thread registers, four others can ask for every index below the counts, and their handles work",
          "[GROW-05]") {
    initialized tools;
    constexpr int trees = 60;
    static std::deque<late_tree> late;
    for (int i = 0; i < trees; i++) late.emplace_back(i % 2 == 0 ? "late_even" : "late_odd", i);
    const catalogue before = present_catalogue();

    std::atomic<bool> done{false};
    std::atomic<int> failures{0}, enumerations{0};
    std::vector<std::thread> enumerators;
    for (int t = 0; t < 4; t++)
        enumerators.emplace_back([&] {
            MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
            int index = -1, count = -1, value = -1;
            failures += MPI_T_cvar_get_index("C_CONSTANT", &index) != MPI_SUCCESS;
            failures += MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS;
            do {
                failures += failures_of_one_enumeration();
                failures += MPI_T_cvar_read(handle, &value) != MPI_SUCCESS || value != 42;
                enumerations++;
            } while (!done);
            failures += MPI_T_cvar_handle_free(&handle) != MPI_SUCCESS;
        });
    for (int i = 0; i < trees; i++) {
        mpit::index::enrol(late[static_cast<std::size_t>(i)], "a late tree");
        if (i % 20 == 5)
            for (const char* name : {"alpha", "beta", "gamma"}) plugin{name}.count(1);
        for (const int seen = enumerations; i % 20 == 10 && enumerations < seen + 2;) std::this_thread::yield();
    }
    done = true;
    for (std::thread& t : enumerators) t.join();

    CHECK(failures == 0);
    CHECK(failures_of_one_enumeration() == 0);
    CHECK(is_beginning(before, present_catalogue()));
    CHECK(present_catalogue().cvars.size() == before.cvars.size() + trees + 3 * 2);
    CHECK(present_catalogue().pvars.size() == before.pvars.size() + trees + 3 * 3);
}
