// Four threads use handles of many kinds at once: they allocate, start, stop, read, reset and free them, so that every
// slot becomes handles of other kinds while another thread is in a call with the one before. One thread moves all
// variables by at most ten, and then resets every handle that is shared, so that no such handle ever has a value above
// ten: each read is one of the values possible. MPIT_LONG_TESTS multiplies the rounds; 250 take seven minutes on two
// processors. Compiled once more with MPIT_ATOMIC_HEADER, threads pause before some of their atomic operations,
// wherever these are.
#include "../long_tests.hpp"
#include "../sanitizers.hpp"
#include "../tool.hpp"

#include <mpit/dynamic.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <optional>
#include <random>
#include <thread>

#ifdef MPIT_ATOMIC_HEADER // for the functions of the interface, too
#include <mpit/mpi_t.hpp>

namespace stopping {
void stop_here() noexcept {
    thread_local std::minstd_rand random{static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&steps_left) >> 6)};
    std::this_thread::sleep_for(std::chrono::microseconds{random() % 500});
    steps_left = 1 + static_cast<long>(random() % 6000);
}
} // namespace stopping
#endif

namespace {

// Threads of a test that pause do so from here on.
void begin_to_pause() {
#ifdef MPIT_ATOMIC_HEADER
    stopping::steps_left = 1;
#endif
}
#ifdef MPIT_ATOMIC_HEADER
constexpr unsigned long fewer = 10;
#else
constexpr unsigned long fewer = 1;
#endif

constexpr double most = 10, unknown = 1e300;

// What functions of the library compute, and how many of their handles run.
std::atomic<unsigned long> computed_total{0};
std::atomic<long> running{0}, lowest_running{0};
unsigned long give_total(void*) { return computed_total.load(); }
// Other threads change the handle in the middle of a read.
unsigned long give_total_slowly(void*) {
    const unsigned long total = computed_total.load();
    for (std::atomic<int> spent{0}; spent.load() < 300; spent.fetch_add(1)) {}
    return total;
}
void watch(int change, void*) {
    const long now = running.fetch_add(change) + change;
    if (now < lowest_running.load()) lowest_running.store(now);
}

communicator comm = handle_number<communicator>(0x77);

struct kind {
    const char* name;
    int var_class;
    double lowest, highest;
    bool is_sum = true;
    void* object = nullptr;
    int number = -1, count = 1, continuous = 0, atomic = 0, readonly = 0;
    MPI_Datatype type{};
};
std::array kinds{
    kind{"p_counter", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"p_counter_unsigned", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"p_counters", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"p_aggregate", MPI_T_PVAR_CLASS_AGGREGATE, 0, most},
    kind{"p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE, 0, most},
    kind{"p_timer", MPI_T_PVAR_CLASS_TIMER, 0, most},
    kind{"p_timer_integer", MPI_T_PVAR_CLASS_TIMER, 0, most},
    kind{"p_continuous", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"b_comm", MPI_T_PVAR_CLASS_COUNTER, 0, most, true, &comm},
    kind{"ch_computed", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"ch_slow", MPI_T_PVAR_CLASS_COUNTER, 0, most},
    kind{"p_queue", MPI_T_PVAR_CLASS_LEVEL, 100, 100 + most, false},
    kind{"p_queue", MPI_T_PVAR_CLASS_SIZE, 64, 64 + most, false},
    kind{"p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, 100, 100 + most, false},
    kind{"p_queue", MPI_T_PVAR_CLASS_LOWWATERMARK, 100, 100 + most, false},
    kind{"p_percentage", MPI_T_PVAR_CLASS_PERCENTAGE, 0.25, 0.75, false},
    kind{"p_state", MPI_T_PVAR_CLASS_STATE, -5, 100, false},
};

void describe(kind& one) {
    char name[64];
    int length = sizeof name, no_length = 0, verbosity = 0, var_class = 0, bind = 0;
    MPI_T_enum enumeration{};
    one.number = pvar_index(one.name, one.var_class);
    REQUIRE(MPI_T_pvar_get_info(one.number, name, &length, &verbosity, &var_class, &one.type, &enumeration, nullptr,
                                &no_length, &bind, &one.readonly, &one.continuous, &one.atomic) == MPI_SUCCESS);
}

// The first thing that went wrong, and how many did.
std::atomic<long> mistakes{0};
char first_mistake[200] = "";
void complain(const kind& one, const char* what, double value) {
    if (mistakes.fetch_add(1) == 0)
        std::snprintf(first_mistake, sizeof first_mistake, "%s of class %d: %s %g", one.name, one.var_class, what,
                      value);
}

// The values of a handle, at most four.
struct values {
    alignas(8) unsigned char bytes[4 * 8];
    double at(const kind& one, int i) const {
        if (one.type == MPI_DOUBLE) return get<double>(i);
        if (one.type == MPI_INT) return get<int>(i);
        if (one.type == MPI_UNSIGNED) return get<unsigned>(i);
        return static_cast<double>(get<unsigned long>(i));
    }

private:
    template <class T> T get(int i) const {
        T value;
        std::memcpy(&value, bytes + static_cast<std::size_t>(i) * sizeof value, sizeof value);
        return value;
    }
};
void check(const kind& one, const values& read, const char* what, double highest) {
    constexpr double rounding = 1e-6;
    for (int i = 0; i < one.count; i++) {
        const double value = read.at(one, i);
        if (value < one.lowest || value > highest + rounding) complain(one, what, value);
    }
}

// A handle that all threads use. It is `published` to the thread that resets all, and then `usable`, once it was reset.
struct shared_handle {
    kind* of = nullptr;
    std::atomic<MPI_T_pvar_handle> published{nullptr}, usable{nullptr};
};
constexpr std::size_t shared_count = 2 * std::size(kinds);
std::array<shared_handle, shared_count> shared;
MPI_T_pvar_session common;
std::atomic<int> working{0};
std::atomic<double> moved{0};

MPI_T_pvar_handle allocate(kind& one) {
    MPI_T_pvar_handle handle{};
    int count = 0;
    const int code = MPI_T_pvar_handle_alloc(common, one.number, one.object, &handle, &count);
    if (code != MPI_SUCCESS || count != one.count) complain(one, "allocation", code);
    return handle;
}

// Makes a step chosen by `dice` of a handle that `highest` is the largest possible value of. Returns whether the handle
// was refused.
bool step(const kind& one, MPI_T_pvar_handle handle, unsigned dice, double highest) {
    values read{};
    int code = MPI_SUCCESS, expected = MPI_SUCCESS;
    switch (dice % 8) {
    case 0:
        code = MPI_T_pvar_start(common, handle);
        if (one.continuous) expected = MPI_T_ERR_PVAR_NO_STARTSTOP;
        break;
    case 1:
        code = MPI_T_pvar_stop(common, handle);
        if (one.continuous) expected = MPI_T_ERR_PVAR_NO_STARTSTOP;
        break;
    case 2: code = MPI_T_pvar_reset(common, handle); break;
    case 3:
        code = MPI_T_pvar_readreset(common, handle, read.bytes);
        if (!one.atomic) expected = MPI_T_ERR_PVAR_NO_ATOMIC;
        if (code == MPI_SUCCESS) check(one, read, "read and reset", highest);
        break;
    default:
        code = MPI_T_pvar_read(common, handle, read.bytes);
        if (code == MPI_SUCCESS) check(one, read, "read", highest);
    }
    if (code != expected && code != MPI_T_ERR_INVALID_HANDLE) complain(one, "code", code);
    return code == MPI_T_ERR_INVALID_HANDLE;
}

void replace(shared_handle& one, unsigned dice) {
    MPI_T_pvar_handle freed = one.usable.exchange(nullptr), next{};
    if (freed == nullptr) return; // another thread replaces it
    const MPI_T_pvar_handle former = freed;
    if (MPI_T_pvar_handle_free(common, &freed) != MPI_SUCCESS) complain(*one.of, "free", 0);
    one.published.store(nullptr); // it was reset as long as it was there
    next = allocate(*one.of);
    if (!step(*one.of, former, dice, most)) complain(*one.of, "a freed handle is not refused", 0);
    one.published.store(next);
    if (MPI_T_pvar_reset(common, next) != MPI_SUCCESS) complain(*one.of, "reset", 0);
    if (!one.of->continuous && MPI_T_pvar_start(common, next) != MPI_SUCCESS) complain(*one.of, "start", 0);
    one.usable.store(next);
}

// A handle that no other thread knows, in slots that the shared ones have had.
void use_own(kind& one, unsigned dice) {
    MPI_T_pvar_handle own = allocate(one);
    const auto largest = [&] { return one.is_sum ? moved.load() : one.highest; };
    values read{};
    if (one.is_sum && !one.continuous) {
        if (MPI_T_pvar_read(common, own, read.bytes) != MPI_SUCCESS) complain(one, "read", 0);
        check(one, read, "before its start", 0);
    }
    for (int i = 0; i < 2; i++)
        if (step(one, own, dice >> (3 * i), unknown)) complain(one, "an own handle is refused", 0);
    if (MPI_T_pvar_read(common, own, read.bytes) != MPI_SUCCESS) complain(one, "read", 0);
    check(one, read, "own", largest());
    if (MPI_T_pvar_handle_free(common, &own) != MPI_SUCCESS) complain(one, "free", 0);
}

void use_handles(unsigned seed, unsigned long steps) {
    begin_to_pause();
    std::minstd_rand random{seed};
    for (unsigned long i = 0; i < steps; i++) {
        const auto dice = static_cast<unsigned>(random());
        shared_handle& one = shared[dice / 64 % shared_count];
        if (dice % 64 == 0) replace(one, dice >> 6);
        else if (dice % 64 < 4) use_own(kinds[dice / 64 % std::size(kinds)], dice >> 12);
        else if (const MPI_T_pvar_handle handle = one.usable.load(); handle != nullptr)
            if (step(*one.of, handle, dice >> 16, one.of->highest) && one.usable.load() == handle)
                complain(*one.of, "a handle is refused", 0);
    }
    working.fetch_sub(1);
}

void move(unsigned amount) {
    auto& p = all.performances;
    moved.store(moved.load() + amount);
    computed_total.fetch_add(amount);
    for (unsigned i = 0; i < amount; i++) {
        ++p.counter;
        ++p.counter_unsigned;
        for (std::size_t k = 0; k < 4; k++) ++p.counters[k];
        p.aggregate += 1ul;
        p.aggregate_double += 1.0;
        p.timer.add(1'000'000'000);
        p.timer_integer.add(1);
        ++p.continuous;
        ++all.bound.comm[comm];
        p.level = 100 + i;
        p.size = 64 + i;
        p.percentage = 0.25 + 0.05 * i;
        p.state = i % 2 == 0 ? colour::green : colour::red;
    }
}

void reset_all(std::minstd_rand& random) {
    for (shared_handle& one : shared) {
        const MPI_T_pvar_handle usable = one.usable.load(), handle = one.published.load();
        if (handle == nullptr) continue;
        const double highest = handle == usable ? one.of->highest : unknown; // it may not have been reset yet
        step(*one.of, handle, one.of->atomic ? 2 + static_cast<unsigned>(random()) % 2 : 2, highest);
    }
}

// One handle that its thread and another one use in each way, one after the other, until it is refused. A third thread
// frees it, and gives its slot to handles of other kinds.
std::atomic<MPI_T_pvar_handle> hot{nullptr};
std::atomic<kind*> kind_of_hot{nullptr};
void use_hot(MPI_T_pvar_handle handle, const kind& one, unsigned first) {
    for (unsigned dice = first; !step(one, handle, dice % 4 == 0 ? dice / 4 : 4, unknown); dice++) {}
}
void make_hot(unsigned long rounds) {
    begin_to_pause();
    for (unsigned long i = 0; i < rounds; i++) {
        kind& one = kinds[i % std::size(kinds)];
        const MPI_T_pvar_handle handle = allocate(one);
        if (!one.continuous && MPI_T_pvar_start(common, handle) != MPI_SUCCESS) complain(one, "start", 0);
        kind_of_hot.store(&one);
        hot.store(handle);
        use_hot(handle, one, static_cast<unsigned>(i));
    }
    working.fetch_sub(1);
}
void use_hot_of_another_thread() {
    begin_to_pause();
    for (unsigned i = 0; working.load() > 0; i++) {
        const kind* const one = kind_of_hot.load();
        const MPI_T_pvar_handle handle = hot.load();
        if (handle != nullptr && one == kind_of_hot.load()) use_hot(handle, *one, i);
    }
}
void free_hot() {
    begin_to_pause();
    for (std::size_t i = 0; working.load() > 0;) {
        MPI_T_pvar_handle freed = hot.exchange(nullptr);
        if (freed == nullptr) continue;
        for (std::atomic<std::size_t> spent{0}; spent.load() < i % 64; spent.fetch_add(1)) {
        } // another step is interrupted each time
        if (MPI_T_pvar_handle_free(common, &freed) != MPI_SUCCESS) complain(kinds[0], "free", 0);
        for (int k = 0; k < 4; k++, i++) {
            kind& one = kinds[i % std::size(kinds)];
            MPI_T_pvar_handle other = allocate(one);
            if (MPI_T_pvar_handle_free(common, &other) != MPI_SUCCESS) complain(one, "free", 0);
        }
    }
}

// The variables are there, and `common` is a session.
struct described_kinds {
    initialized tool;
    mpit::dynamic group{"concurrent_handles"};
    std::optional<session> in;

    described_kinds() {
        REQUIRE(group.computed<mpit::performance_class::counter, unsigned long>(
                    "ch_computed", "", {.value = give_total, .on_watch = watch}) == mpit::result::success);
        REQUIRE(group.computed<mpit::performance_class::counter, unsigned long>(
                    "ch_slow", "", {.value = give_total_slowly}) == mpit::result::success);
        REQUIRE(group.publish().seen == 2);
        mpit::created<mpit::binding::communicator>(all, comm);
        all.performances.level = 100ul;
        all.performances.percentage = 0.25;
        mistakes.store(0);
        in.emplace();
        common = in->handle;
        for (kind& one : kinds) {
            describe(one);
            if (std::strcmp(one.name, "p_counters") == 0) one.count = 4;
        }
    }
    ~described_kinds() { mpit::freed<mpit::binding::communicator>(all, comm); }
    // Ends all handles.
    void check() {
        in.reset();
        INFO(first_mistake);
        CHECK(mistakes.load() == 0);
        CHECK(running.load() == 0);
        CHECK(lowest_running.load() == 0);
    }
};

} // namespace

TEST_CASE("A handle that another thread frees is refused, whatever handle has its slot then", "[HNDL-05]") {
    described_kinds world;
    const unsigned long rounds = (is_sanitized ? 500 : 5'000) * (is_long() ? times_as_long() : 1);
    working.store(1);
    std::thread owner{make_hot, rounds}, other{use_hot_of_another_thread}, freeing{free_hot};
    owner.join();
    other.join();
    freeing.join();
    world.check();
}

TEST_CASE("Whatever other threads do with a handle, a read gives a value that it had, and a freed handle is refused",
          "[HNDL-20]") {
    described_kinds world;
    for (std::size_t i = 0; i < shared_count; i++) {
        shared[i].of = &kinds[i % std::size(kinds)];
        const MPI_T_pvar_handle handle = allocate(*shared[i].of);
        shared[i].published.store(handle);
        shared[i].usable.store(handle);
    }
    const unsigned long steps = (is_sanitized ? 100'000 : 2'000'000) / fewer * (is_long() ? times_as_long() : 1);
    std::array<std::thread, 3> threads;
    working.store(static_cast<int>(threads.size()));
    for (std::size_t i = 0; i < threads.size(); i++)
        threads[i] = std::thread{use_handles, static_cast<unsigned>(i + 1), steps};
    std::minstd_rand random{77};
    while (working.load() > 0) {
        move(1 + static_cast<unsigned>(random()) % 10);
        reset_all(random);
    }
    for (std::thread& each : threads) each.join();
    world.check();
}
