// Tallies: a sum and its count are an ordinary aggregate and an ordinary counter for tools. Nothing is lost before the tree
// is registered, in threads that end, in signal handlers and where the shards have no cell left.
#define MPIT_SHARD_CELLS 33
#define MPIT_TESTS_OWN_TREE

#include "../alarms.hpp"
#include "tool.hpp"

#include <mpit/mpi_t.hpp>

#include <atomic>
#include <sys/wait.h>
#include <thread>

namespace {

struct tally_variables : mpit::category<"tallies", "Sums with their counts, and more than the shards have cells for"> {
    mpit::tally<> early{this, {"early_count", "Counted early"}, {"early_sum", "Summed early"}};
    mpit::tally<unsigned> sent{this, {"messages", "Messages"}, {"bytes", "Their bytes"}, {.readonly = true}};
    mpit::tally<double> energy{this, {"uses", "Uses"}, {"energy", "Energy"}, {.continuous = true}};
    mpit::tally<> beyond{this, {"beyond_count", "In part outside of the shards"}, {"beyond_sum", "In part outside"}};
};
constexpr auto& tallies = mpit::registered<tally_variables>;

[[gnu::constructor(101)]] void count_early() {
    for (int i = 0; i < 1000; i++) tallies.early += 3;
}

struct seen_variable {
    int verbosity = -1, var_class = -1, readonly = -1, continuous = -1, atomic = -1;
    MPI_Datatype type{};
    std::string description;
};
seen_variable seen(const char* name, int var_class) {
    seen_variable v;
    char description[100];
    int length = sizeof description, bind = -1;
    REQUIRE(MPI_T_pvar_get_info(pvar_index(name, var_class), nullptr, nullptr, &v.verbosity, &v.var_class, &v.type,
                                nullptr, description, &length, &bind, &v.readonly, &v.continuous,
                                &v.atomic) == MPI_SUCCESS);
    v.description = description;
    return v;
}

} // namespace

TEST_CASE("Tools see a tally as a counter and an aggregate with the settings of both") {
    initialized tools;
    const seen_variable messages = seen("messages", MPI_T_PVAR_CLASS_COUNTER),
                        bytes = seen("bytes", MPI_T_PVAR_CLASS_AGGREGATE);
    CHECK(messages.type == MPI_UNSIGNED);
    CHECK(messages.description == "Messages");
    CHECK(messages.readonly == 1);
    CHECK(bytes.type == MPI_UNSIGNED);
    CHECK(bytes.description == "Their bytes");
    CHECK(bytes.readonly == 1);
    CHECK(bytes.atomic == 0);
    CHECK(seen("uses", MPI_T_PVAR_CLASS_COUNTER).type == MPI_UNSIGNED_LONG_LONG);
    CHECK(seen("energy", MPI_T_PVAR_CLASS_AGGREGATE).type == MPI_DOUBLE);
    CHECK(seen("energy", MPI_T_PVAR_CLASS_AGGREGATE).continuous == 1);
    CHECK(seen("early_sum", MPI_T_PVAR_CLASS_AGGREGATE).type == MPI_UNSIGNED_LONG_LONG);
}

TEST_CASE("The shards of this program have cells for all tallies but the last, and for a part of that") {
    const auto first_cell = [](const char* name) {
        mpit::registry::process_registry& index = *mpit::registry::the_registry();
        const auto* found = index.find(mpit::descriptor::kind::performance, name, mpit::performance_class::counter);
        return static_cast<const mpit::registry::variable_record*>(found)->first_shard_cell;
    };
    CHECK(first_cell("uses") + 3 <= MPIT_SHARD_CELLS);
    CHECK(first_cell("beyond_count") < MPIT_SHARD_CELLS);
    CHECK(first_cell("beyond_count") + 3 > MPIT_SHARD_CELLS);
}

TEST_CASE("Additions from before the registration of the tree are there") {
    CHECK(tallies.early.count() == 1000);
    CHECK(tallies.early.sum() == 3000);
}

TEST_CASE("Single handles read the sum and the count of a tally like any other variable") {
    initialized tools;
    session s;
    pvar messages{s, "messages", MPI_T_PVAR_CLASS_COUNTER}, bytes{s, "bytes", MPI_T_PVAR_CLASS_AGGREGATE},
        uses{s, "uses", MPI_T_PVAR_CLASS_COUNTER}, energy{s, "energy", MPI_T_PVAR_CLASS_AGGREGATE};
    tallies.sent += 100;
    REQUIRE(messages.start() == MPI_SUCCESS);
    tallies.sent += 7;
    REQUIRE(bytes.start() == MPI_SUCCESS);
    tallies.sent += 5;
    tallies.energy += 0.5;
    tallies.energy += 0.25f;
    tallies.energy += 2;
    CHECK(messages.read<unsigned>() == 2);
    CHECK(bytes.read<unsigned>() == 5);
    CHECK(uses.read() == 3);
    CHECK(energy.read<double>() == 2.75);
    CHECK(energy.reset() == MPI_SUCCESS);
    CHECK(energy.read<double>() == 0);
    CHECK(uses.read() == 3);
}

TEST_CASE("Amounts that are negative or not a number are neither added nor counted") {
    const auto count = tallies.energy.count(), sent = tallies.sent.count();
    const double energy = tallies.energy.sum();
    tallies.energy += -1.0;
    tallies.energy += __builtin_nan("");
    tallies.sent += -1;
    CHECK(tallies.energy.count() == count);
    CHECK(tallies.energy.sum() == energy);
    CHECK(tallies.sent.count() == sent);
    tallies.energy += 0.0;
    CHECK(tallies.energy.count() == count + 1);
}

TEST_CASE("Threads that begin and end, with and without cells for a tally, lose nothing") {
    constexpr int thread_count = 8, rounds = 20'000;
    const auto count = tallies.early.count(), sum = tallies.early.sum(), beyond = tallies.beyond.count(),
               sum_beyond = tallies.beyond.sum(), uses = tallies.energy.count();
    const double energy = tallies.energy.sum();
    for (int repeat = 0; repeat < 2; repeat++) {
        std::vector<std::thread> threads;
        for (int i = 0; i < thread_count; i++)
            threads.emplace_back([] {
                for (int n = 0; n < rounds; n++) {
                    tallies.early += 3;
                    tallies.beyond += 5;
                    tallies.energy += 0.5;
                }
            });
        for (std::thread& each : threads) each.join();
    }
    constexpr auto changes = 2ull * thread_count * rounds;
    CHECK(tallies.early.count() == count + changes);
    CHECK(tallies.early.sum() == sum + 3 * changes);
    CHECK(tallies.beyond.count() == beyond + changes);
    CHECK(tallies.beyond.sum() == sum_beyond + 5 * changes);
    CHECK(tallies.energy.count() == uses + changes);
    CHECK(tallies.energy.sum() == energy + static_cast<double>(changes) * 0.5);
}

TEST_CASE("A signal handler that interrupts a change loses neither its own count nor the interrupted one") {
    static std::atomic<unsigned> handled;
    handled = 0;
    const auto count = tallies.early.count(), sum = tallies.early.sum();
    const double energy = tallies.energy.sum();
    unsigned long long own = 0;
    {
        alarms every{[](int) {
            tallies.early += 3;
            tallies.energy += 0.5;
            handled++;
        }};
        while (handled < 2000) {
            tallies.early += 3;
            tallies.energy += 0.5;
            own++;
        }
    }
    CHECK(tallies.early.count() == count + own + handled);
    CHECK(tallies.early.sum() == sum + 3 * (own + handled));
    CHECK(tallies.energy.sum() == energy + 0.5 * static_cast<double>(own + handled));
}

TEST_CASE("The child of a fork has its parent's counts, and continues on its own") {
    const auto count = tallies.early.count(), sum = tallies.early.sum();
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        tallies.early += 3;
        _exit(tallies.early.count() == count + 1 && tallies.early.sum() == sum + 3 ? 0 : 1);
    }
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(tallies.early.count() == count);
}
