// Counting loses nothing: before the index knows the counter, while threads come and go, in static constructors, thread
// exits and signal handlers, and by counters for which the shards have no cell left. The shards of this program
// have few cells, so that both kinds of counter are at hand.
#define MPIT_SHARD_CELLS 8

#include "../alarms.hpp"
#include "../next_function.hpp"
#include "catch.hpp"

#include <mpit/mpit.hpp>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

struct counted_variables : mpit::category<"counted", "Counters in shards, and a few more than the shards have cells"> {
    mpit::counter<> early{this, "early", "Counted before the tree was registered"};
    mpit::counter<> events{this, "events", "Events"};
    mpit::counter<> handled{this, "handled", "Events, some of them in a signal handler"};
    mpit::aggregate<double> handled_amount{this, "handled_amount", "Amounts, some of them in a signal handler"};
    mpit::aggregate<double> amount{this, "amount", "Amounts"};
    mpit::timer timer{this, "timer", "Time"};
    mpit::counter<unsigned long[4]> across{this, "across", "The shards have cells for two of the four"};
    mpit::counter<> beyond{this, "beyond", "The shards have no cell for it"};
    mpit::aggregate<double> amount_beyond{this, "amount_beyond", "The shards have no cell for it"};
    mpit::counter<unsigned long, MPI_ABI_Comm*> bound{this, "bound", "A communicator's, which is in no shard"};
};
constexpr auto& counted = mpit::registered<counted_variables>;

constexpr int before_everything = 1000;
constexpr int thread_count = 8, rounds = 20000;
MPI_ABI_Comm* const comm = reinterpret_cast<MPI_ABI_Comm*>(0x1234);

// Runs before any constructor of a static object.
[[gnu::constructor(101)]] void count_early() {
    for (int i = 0; i < before_everything; i++) ++counted.early;
    counted.timer.add(5);
}

struct counting_in_its_constructor {
    counting_in_its_constructor() { ++counted.early; }
} const statically_constructed;

template <class Work> void in_threads(int count, Work work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++) threads.emplace_back([=] { work(i); });
    for (std::thread& each : threads) each.join();
}

int shard_count() {
    int count = 0;
    for (const auto* shard = mpit::core::shards.load()->first.load(); shard != nullptr; shard = shard->next()) count++;
    return count;
}

// The question whether the system knows a thread takes as long as this says.
std::atomic<unsigned> pause_of_questions{0};

// A thread that was joined may still be known to the system for a moment.
void wait_for_the_end_of(pid_t thread) {
    while (syscall(SYS_tgkill, getpid(), thread, 0) == 0) sched_yield();
}

struct counting_in_its_destructor {
    ~counting_in_its_destructor() { ++counted.events; }
};

std::atomic<unsigned long> handler_runs{0};
void handle(int) {
    ++counted.handled;
    counted.handled_amount += 0.5;
    ++counted.bound[comm];
    ++counted.beyond;
    counted.amount_beyond += 0.5;
    handler_runs++;
}

} // namespace

// noexcept where the C library says so.
extern "C" long syscall(long number, ...) noexcept(noexcept(syscall(number))) {
    static std::atomic<long (*)(long, ...)> known{};
    long a[4];
    va_list arguments;
    va_start(arguments, number);
    for (long& each : a) each = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_tgkill && pause_of_questions != 0) usleep(pause_of_questions);
    return next_function(known, "syscall")(number, a[0], a[1], a[2], a[3]);
}

TEST_CASE("There are at most twice as many shards as there were threads at once, however slow the system is") {
    constexpr int threads = 16;
    const auto before = counted.events.get();
    for (int round = 0; round < 25; round++) {
        std::atomic<int> counting{0};
        pid_t identities[threads];
        pause_of_questions = 100;
        in_threads(threads, [&](int i) {
            identities[i] = gettid();
            ++counted.events;
            counting++;
            while (counting != threads) sched_yield();
        });
        pause_of_questions = 0;
        for (const pid_t each : identities) wait_for_the_end_of(each);
    }
    CHECK(counted.events.get() - before == 25 * threads);
    CHECK(shard_count() <= 2 * (threads + 1));
}

TEST_CASE("Counts from before the publication of the counter are included") {
    CHECK(counted.early.get() == before_everything + 1);
    CHECK(counted.timer.word() == 5);
    ++counted.early;
    CHECK(counted.early.get() == before_everything + 2);
}

TEST_CASE("Counts of threads that run at the same time add up exactly", "[PCLASS-10][PCLASS-11]") {
    const auto events = counted.events.get(), beyond = counted.beyond.get();
    const double amount = counted.amount.get(), amount_beyond = counted.amount_beyond.get();
    in_threads(thread_count, [](int) {
        for (int i = 0; i < rounds; i++) {
            ++counted.events;
            counted.events += 2u;
            counted.amount += 0.25;
            ++counted.beyond;
            counted.amount_beyond += 0.25;
            ++counted.bound[comm];
        }
    });
    constexpr auto all = std::uint64_t{thread_count} * rounds;
    CHECK(counted.events.get() - events == 3 * all);
    CHECK(counted.beyond.get() - beyond == all);
    CHECK(counted.amount.get() - amount == 0.25 * all);
    CHECK(counted.amount_beyond.get() - amount_beyond == 0.25 * all);
    CHECK(counted.bound[comm].get() == all);
}

TEST_CASE("The elements of an array are exact, whether the shards have a cell for them or not", "[PCLASS-10]") {
    in_threads(4, [](int thread) {
        for (int i = 0; i < rounds; i++)
            for (std::size_t element = 0; element < 4; element++) counted.across[element] += thread + 1;
    });
    for (std::size_t element = 0; element < 4; element++) CHECK(counted.across[element].get() == 10ul * rounds);
}

TEST_CASE("Totals are exact while threads begin and end, and new threads reuse the shards of ended ones") {
    ++counted.events;
    const auto before = counted.events.get();
    const int shards_before = shard_count();
    for (int i = 0; i < 50; i++) {
        pid_t identity = 0;
        std::thread{[&] {
            identity = static_cast<pid_t>(syscall(SYS_gettid));
            for (int n = 0; n < 100; n++) ++counted.events;
        }}.join();
        wait_for_the_end_of(identity);
    }
    CHECK(counted.events.get() - before == 5000);
    CHECK(shard_count() <= shards_before + 1);
}

TEST_CASE("Counts of an ended thread are included") {
    const auto before = counted.events.get();
    static pthread_key_t key;
    REQUIRE(pthread_key_create(&key, [](void*) { ++counted.events; }) == 0);
    in_threads(thread_count, [](int) {
        thread_local counting_in_its_destructor at_the_end;
        static_cast<void>(&at_the_end);
        pthread_setspecific(key, &key);
    });
    pthread_key_delete(key);
    CHECK(counted.events.get() - before == 2 * thread_count);
}

TEST_CASE("A signal handler that counts in the counter that it interrupts loses nothing", "[ASYNC-01]") {
    const auto handled = counted.handled.get(), bound = counted.bound[comm].get(), beyond = counted.beyond.get();
    const double amount = counted.handled_amount.get(), amount_beyond = counted.amount_beyond.get();
    unsigned long counts = 0;
    {
        const alarms interrupting{&handle};
        while (handler_runs.load() < 3000) {
            for (int i = 0; i < 100; i++) {
                ++counted.handled;
                counted.handled_amount += 0.5;
                ++counted.bound[comm];
                ++counted.beyond;
                counted.amount_beyond += 0.5;
            }
            counts += 100;
        }
    }
    const unsigned long all = counts + handler_runs;
    CHECK(counted.handled.get() - handled == all);
    CHECK(counted.handled_amount.get() - amount == 0.5 * static_cast<double>(all));
    CHECK(counted.bound[comm].get() - bound == all);
    CHECK(counted.beyond.get() - beyond == all);
    CHECK(counted.amount_beyond.get() - amount_beyond == 0.5 * static_cast<double>(all));
}
