// How costs grow: a read with so many threads that have counted and live, and what each of them takes; so many
// variables, in categories of 25 under one parent, for the first tool and for its questions. A process for each number,
// which prints one line of JSON.
//
//   growth-benchmark threads 10000      growth-benchmark variables 1000000
#include "start/usage.hpp"
#include "tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpit.hpp>

#include <algorithm>
#include <deque>
#include <pthread.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct counted_tree : mpit::category<"growth", "What is counted"> {
    mpit::counter<> counter{this, "growth_counter", "Events"};
};
inline constexpr auto& tree = mpit::registered<counted_tree>;

// The best of several turns, so that a slow moment of the machine is left out; in nanoseconds.
template <class Work> double best_of(int turns, double operations, Work work) {
    double best = 1e300;
    for (int turn = 0; turn < turns; turn++) {
        const auto begin = mpit::core::nanoseconds();
        work();
        best = std::min(best, static_cast<double>(mpit::core::nanoseconds() - begin) / operations);
    }
    return best;
}

pthread_barrier_t ready, counted, over;
void* count(void*) {
    pthread_barrier_wait(&ready);
    ++tree.counter;
    pthread_barrier_wait(&counted);
    pthread_barrier_wait(&over);
    return nullptr;
}
int measure_threads(int threads) {
    for (pthread_barrier_t* each : {&ready, &counted, &over})
        pthread_barrier_init(each, nullptr, static_cast<unsigned>(threads) + 1);
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    std::vector<pthread_t> all(static_cast<std::size_t>(threads));
    for (pthread_t& each : all)
        if (pthread_create(&each, &small, &count, nullptr) != 0)
            return std::fprintf(stderr, "a thread cannot be made\n"), 1;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int elements = 0;
    check(MPI_T_pvar_session_create(&session));
    check(MPI_T_pvar_handle_alloc(session, pvar_number("growth_counter", MPI_T_PVAR_CLASS_COUNTER), nullptr, &handle,
                                  &elements));
    check(MPI_T_pvar_start(session, handle));
    const usage before = usage::begin();
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&counted);
    const usage taken = before.end();
    unsigned long value = 0;
    const int reads = std::max(20, 400000 / threads);
    const double read = best_of(9, reads, [&] {
        for (int i = 0; i < reads; i++) check(MPI_T_pvar_read(session, handle, &value));
    });
    if (value != static_cast<unsigned long>(threads)) return std::fprintf(stderr, "%lu counted\n", value), 1;
    std::printf("{\"read\": %.1f, \"bytes\": %ld}\n", read, taken.bytes / threads);
    std::fflush(stdout);
    _exit(0); // ending thousands of threads takes longer than all before
}

int measure_variables(int variables) {
    std::deque<std::string> names;
    std::deque<mpit::dynamic_category> categories;
    mpit::dynamic parent{"growth_parent", "All of them"};
    const auto before = mpit::core::nanoseconds();
    for (int i = 0; i < variables; i++) {
        if (i % 25 == 0)
            categories.push_back(parent.category(("growth_category_" + std::to_string(i)).c_str(), "Some of them"));
        const char* const name = names.emplace_back("growth_variable_" + std::to_string(i)).c_str();
        if (categories.back().control<int>(name, "A number", {.initial = 0}) != mpit::result::success)
            return std::fprintf(stderr, "a variable is refused\n"), 1;
    }
    parent.publish();
    int number = 0, described = 0;
    check(MPI_T_cvar_get_num(&number));
    const double made = static_cast<double>(mpit::core::nanoseconds() - before) / variables;
    if (number != variables) return std::fprintf(stderr, "%d variables\n", number), 1;
    std::vector<int> order(static_cast<std::size_t>(variables));
    for (int i = 0; i < variables; i++) order[static_cast<std::size_t>(i)] = i;
    char name[64];
    const auto ask = [&](const int i) {
        int length = sizeof name, verbosity = 0, bind = 0, scope = 0;
        described = 0;
        MPI_Datatype type{};
        check(MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, nullptr, nullptr, &described, &bind, &scope));
    };
    const int turns = variables >= 100000 ? 3 : 30;
    const double info_in_order = best_of(turns, variables, [&] { std::for_each(order.begin(), order.end(), ask); });
    std::shuffle(order.begin(), order.end(), std::mt19937{7});
    const double info = best_of(turns, variables, [&] { std::for_each(order.begin(), order.end(), ask); });
    std::vector<const char*> asked;
    for (const int i : order) asked.push_back(names[static_cast<std::size_t>(i)].c_str());
    const double look_up = best_of(turns, variables, [&] { std::for_each(asked.begin(), asked.end(), cvar_number); });
    const double changed = best_of(turns, 1000, [&] {
        for (int i = 0; i < 1000; i++) check(MPI_T_category_changed(&number));
    });
    std::printf("{\"made\": %.1f, \"look-up\": %.1f, \"info in order\": %.1f, \"info\": %.1f, \"changed\": %.1f}\n",
                made, look_up, info_in_order, info, changed);
    std::fflush(stdout);
    _exit(0);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    initialize_tool();
    const int number = std::atoi(arguments[2]);
    return std::string_view{arguments[1]} == "threads" ? measure_threads(number) : measure_variables(number);
}
