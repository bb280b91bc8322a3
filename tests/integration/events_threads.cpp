// Millions of raises by two threads while a third one allocates, changes and frees registrations: every registration
// sees all of them between its first and its last, but for those that it is told it has lost, and none after its end.
// A signal handler that raises and defers while it interrupts every step of the thread that raises, listens, changes
// callbacks and frees: nothing is lost without being told, nobody waits for the interrupted one, and no memory is
// asked for.
#include "../alarms.hpp"
#include "../watched_allocator.hpp"
#include "events_listening.hpp"

#include <deque>
#include <memory>
#include <random>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

// Two threads that raise, and what they have begun and done so far.
class raisers {
public:
    std::atomic<unsigned long> begun[2]{}, done[2]{};

    template <class Raise> raisers(unsigned long count, Raise raise) {
        for (int r = 0; r < 2; r++)
            threads_.emplace_back([this, r, count, raise] {
                for (unsigned long n = 1; n <= count; n++) {
                    begun[r].store(n);
                    raise(r, n);
                    done[r].store(n);
                }
                at_work_--;
            });
    }
    ~raisers() {
        for (std::thread& t : threads_) t.join();
    }
    bool are_at_work() const { return at_work_.load() != 0; }
    // Until every raise that has begun by now is over.
    void pass() const {
        for (int r = 0; r < 2; r++)
            for (const unsigned long now = begun[r].load(); done[r].load() < now;) sched_yield();
    }

private:
    std::atomic<int> at_work_{2};
    std::vector<std::thread> threads_;
};

void raise_at_some_level(int raiser, unsigned long number) {
    const int level = static_cast<int>(number % 4);
    const raising_at here{level};
    stressed.stepped.raise(every_level[level], raiser, number, level);
}

// Registers, replaces and removes callbacks at random levels from one on.
void change_callbacks(watch& w, std::minstd_rand& random, unsigned lowest, int changes) {
    for (int i = 0; i < changes; i++) {
        const mpit::safety level = every_level[lowest + random() % (4 - lowest)];
        w.mistakes += (random() % 2 == 0 ? w.listen(level) : w.ignore(level)) != MPI_SUCCESS;
    }
}

} // namespace

TEST_CASE_METHOD(initialized,
                 "Registrations that begin and end while two threads raise miss only instances reported as dropped",
                 "[EVT-18][EVT-19][EVT-21][EVT-22][EVT-35][EVT-37]") {
    const raising_at here{0};
    const unsigned long count = raises(2'500'000);
    std::minstd_rand random{7};
    const bool is_mixed = GENERATE(false, true);
    const unsigned lowest = is_mixed ? 0 : 2;
    watch lasting{"stepped"};
    lasting.is_mixed = is_mixed;
    lasting.count_losses();
    lasting.listen(mpit::safety::thread_safe);
    // A watch lives on after its end, so that it sees what comes too late.
    constexpr std::size_t kept = 20'000;
    std::deque<watch> passing;
    unsigned long registrations = 0;
    int wrong = 0, frees = 0, mistakes = 0;
    const auto forget_first = [&] {
        frees += passing.front().frees.load();
        mistakes += passing.front().mistakes.load();
        passing.pop_front();
    };
    {
        raisers two{count, &raise_at_some_level};
        unsigned long own = 0;
        while (two.are_at_work()) {
            if (passing.size() > kept) forget_first();
            watch& w = passing.emplace_back("stepped");
            registrations++;
            w.is_mixed = is_mixed;
            w.listen(mpit::safety::async_signal_safe);
            const unsigned long begun[2] = {two.begun[0].load(), two.begun[1].load()};
            two.pass(); // what began before the callback was there is over, and no loss
            w.count_losses();
            change_callbacks(w, random, lowest, 8);
            change_callbacks(lasting, random, lowest, 2);
            w.listen(mpit::safety::async_signal_safe);
            w.ignore(mpit::safety::none); // from here on nothing waits that is raised
            w.ignore(mpit::safety::restricted);
            two.pass();
            while (w.has_pending()) sched_yield();
            stressed.stepped.raise(mpit::safety::none, 2, ++own, 0); // tells of the losses
            const unsigned long done[2] = {two.done[0].load(), two.done[1].load()};
            w.mistakes += w.free() != MPI_SUCCESS;
            for (unsigned long tries = 0; w.frees.load() == 0 && tries < 1'000'000; tries++) sched_yield();
            const unsigned long missing = w.missing(0, begun[0], done[0]) + w.missing(1, begun[1], done[1]);
            wrong += static_cast<long long>(missing) != w.told.load();
        }
        lasting.listen(mpit::safety::async_signal_safe);
        two.pass();
        stressed.stepped.raise(mpit::safety::none, 3, 1ul, 0);
        CHECK(lasting.seen_and_told() == static_cast<long long>(2 * count + own + 1));
    }
    while (!passing.empty()) forget_first();
    CHECK(wrong == 0);
    CHECK(mistakes + lasting.mistakes.load() == 0);
    CHECK(static_cast<unsigned long>(frees) == registrations);
    CHECK(lasting.free() == MPI_SUCCESS);
    CHECK(lasting.frees.load() == 1);
    if (is_long())
        WARN(2 * count << " raises, " << registrations << " registrations, " << lasting.told.load() << " losses");
}

TEST_CASE_METHOD(
    initialized,
    "Deferred instances of two threads are delivered once and in their order, or counted as lost, by both policies",
    "[EVT-22][EVT-38][EVT-41]") {
    const unsigned long count = raises(2'000'000);
    for (const char* policy : {"newest", "oldest"}) {
        const hints few{{"mpit_buffer_depth", "5"}, {"mpit_drop_policy", policy}};
        watch w{"stepped", few.info};
        w.count_losses();
        w.listen(mpit::safety::async_signal_safe);
        unsigned long own = 0;
        {
            raisers two{count, [](int raiser, unsigned long number) {
                stressed.stepped.defer(raiser, number, -1);
                if (number % 11 == 0) stressed.stepped.deliver();
            }};
            while (two.are_at_work()) {
                if (++own % 2 == 0) stressed.stepped.deliver();
                stressed.stepped(2, own, -1);
            }
        }
        stressed.stepped.deliver();
        stressed.stepped(2, own + 1, -1);
        CHECK(w.seen_and_told() == static_cast<long long>(2 * count + own + 1));
        CHECK(w.seen(2) == own + 1);
        w.check_end();
        if (is_long()) WARN(policy << ": " << 2 * count << " deferred, " << w.told.load() << " lost");
    }
}

TEST_CASE_METHOD(
    initialized,
    "Events of an ordered source are delivered one at a time in the order of their stamps, from all threads",
    "[SRC-03][EVT-38][EVT-40][EVT-41]") {
    const unsigned long count = raises(2'000'000);
    watch small{"in_line"}, large{"large_in_line"};
    for (watch* w : {&small, &large}) {
        w->is_ordered = true;
        w->count_losses();
        w->listen(mpit::safety::async_signal_safe);
    }
    {
        raisers two{count, [](int raiser, unsigned long number) {
            if (number % 3 == 0) stressed.large_in_line(large_step{raiser, number, -1, {}});
            else if (number % 7 == 0) stressed.in_line.defer(raiser, number, -1);
            else stressed.in_line(raiser, number, -1);
        }};
        while (two.are_at_work()) stressed.in_line.deliver();
    }
    stressed.in_line.deliver();
    stressed.in_line(2, 1ul, -1);
    stressed.large_in_line(large_step{2, 1, -1, {}});
    CHECK(small.seen_and_told() + large.seen_and_told() == static_cast<long long>(2 * count + 2));
    CHECK(large.seen_and_told() == static_cast<long long>(2 * (count / 3) + 1));
    for (watch* w : {&small, &large}) {
        CHECK(w->most_inside.load() == 1);
        w->check_end();
    }
    if (is_long()) WARN(2 * count << " in line, " << small.told.load() + large.told.load() << " lost");
}

TEST_CASE_METHOD(
    initialized,
    "A callback that samples gets exactly one in so many of the instances of two threads, and the others are no "
    "losses") {
    const unsigned long count = raises(1'000'000);
    const hints one_in_ten{{"mpit_sampling", "10"}};
    watch w{"stepped"};
    w.count_losses();
    w.listen(mpit::safety::async_signal_safe, one_in_ten.info);
    { raisers two{count, &raise_at_some_level}; }
    CHECK(w.seen(0) + w.seen(1) == 2 * count / 10);
    CHECK(w.told.load() == 0);
    w.check_end();
}

TEST_CASE_METHOD(
    initialized,
    "A callback that is not thread-safe runs in one thread at a time and counts the events of all threads exactly",
    "[EVT-25]") {
    const unsigned long count = raises(1'000'000);
    const mpit::safety level = GENERATE(mpit::safety::none, mpit::safety::restricted);
    static long long plain; // written by one callback after another
    plain = 0;
    watch w{"stepped"};
    w.count_losses();
    w.listen(level);
    w.then = [](watch&, const step&) { plain++; };
    {
        raisers two{count, [](int raiser, unsigned long number) { stressed.stepped(raiser, number, -1); }};
    }
    CHECK_FALSE(w.has_pending());
    stressed.stepped(2, 1ul, -1); // tells of the losses
    CHECK(w.seen_and_told() == static_cast<long long>(2 * count + 1));
    CHECK(plain == static_cast<long long>(w.seen(0) + w.seen(1) + 1));
    CHECK(w.most_inside.load() == 1);
    w.check_end();
    if (is_long()) WARN(2 * count << " for one callback, " << w.told.load() << " lost");
}

TEST_CASE_METHOD(
    initialized,
    "An instance that finds a callback running waits for the thread that runs it, or is counted as lost where the "
    "hints leave no room, and nobody waits for the callback",
    "[EVT-25][EVT-32][EVT-38]") {
    const mpit::safety level = GENERATE(mpit::safety::none, mpit::safety::thread_safe);
    const bool waits = level == mpit::safety::none;
    static std::atomic<int> running;
    static std::atomic<bool> has_raised;
    static std::thread::id of_other;
    running = 0;
    has_raised = false;
    of_other = {};
    const hints few{{"mpit_buffer_depth", "3"}};
    watch w{"stepped", few.info};
    w.count_losses();
    w.listen(level);
    w.then = [](watch&, const step& s) {
        if (s.raiser == 1) of_other = std::this_thread::get_id();
        if (s.raiser != 0) return;
        running++;
        wait_until([] { return has_raised.load(); });
    };
    std::thread first{[] { stressed.stepped(0, 1ul, -1); }};
    const std::thread::id of_first = first.get_id();
    wait_until([] { return running.load() == 1; });
    for (unsigned long n = 1; n <= 5; n++) stressed.stepped(1, n, -1);
    stressed.answered(1, 1ul, -1);
    CHECK(w.seen(1) == (waits ? 0 : 5));
    CHECK(w.told.load() == 0);
    has_raised = true;
    first.join();
    CHECK(w.seen(1) == (waits ? 3 : 5));
    CHECK(of_other == (waits ? of_first : std::this_thread::get_id()));
    stressed.stepped(2, 1ul, -1);
    CHECK(w.seen_and_told() == 7);
    CHECK(w.most_inside.load() == (waits ? 1 : 2));
    w.check_end();
}

TEST_CASE_METHOD(initialized, "A raise ends although another thread defers an event while each callback of it runs",
                 "[EVT-25][EVT-38]") {
    static std::atomic<unsigned long> raised_by_other;
    static std::atomic<bool> is_running, has_ended;
    raised_by_other = 0;
    is_running = has_ended = false;
    watch w{"stepped"};
    w.count_losses();
    w.listen(mpit::safety::none);
    w.then = [](watch&, const step&) {
        is_running = true;
        const unsigned long before = raised_by_other;
        wait_until([&] { return has_ended.load() || raised_by_other.load() > before + 1; }); // one was begun in here
    };
    std::thread other{[] {
        wait_until([] { return is_running.load(); });
        for (unsigned long n = 1; !has_ended; n++) {
            stressed.stepped.defer(1, n, -1); // the other thread delivers it
            raised_by_other = n;
        }
    }};
    stressed.stepped(0, 1ul, -1);
    has_ended = true;
    other.join();
    stressed.stepped.deliver();
    stressed.stepped(2, 1ul, -1); // tells of the losses
    CHECK(w.seen_and_told() == static_cast<long long>(raised_by_other + 2));
    CHECK(w.most_inside.load() == 1);
    CHECK(w.mistakes.load() == 0);
    CHECK(w.free() == MPI_SUCCESS);
}

TEST_CASE_METHOD(
    initialized,
    "A registration that ends while instances wait for its callback ends once the callback has returned, and the "
    "instances are gone",
    "[EVT-34][EVT-35]") {
    static std::atomic<int> running;
    static std::atomic<bool> has_ended;
    running = 0;
    has_ended = false;
    watch w{"stepped"};
    w.listen(mpit::safety::none);
    w.then = [](watch&, const step&) {
        running++;
        wait_until([] { return has_ended.load(); });
    };
    std::thread first{[] { stressed.stepped(0, 1ul, -1); }};
    wait_until([] { return running.load() == 1; });
    for (unsigned long n = 1; n <= 3; n++) stressed.stepped(1, n, -1);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.frees.load() == 0);
    has_ended = true;
    first.join();
    CHECK(w.frees.load() == 1);
    CHECK(w.seen_and_told() == 1);
    watch next{"stepped"};
    next.listen(mpit::safety::none);
    stressed.stepped(0, 2ul, -1);
    CHECK(next.seen_and_told() == 1);
    CHECK(next.free() == MPI_SUCCESS);
    CHECK(w.mistakes.load() + next.mistakes.load() == 0);
}

#if !MPIT_ADDRESS_SANITIZER && !MPIT_THREAD_SANITIZER
TEST_CASE_METHOD(initialized, "A thread that ends inside a callback affects only that registration", "[EVT-35]") {
    watch left{"stepped"};
    left.listen(mpit::safety::none);
    left.then = [](watch&, const step&) { syscall(SYS_exit, 0); };
    pthread_t ending{};
    REQUIRE(pthread_create(&ending, nullptr, [](void*) -> void* { return stressed.stepped(0, 1ul, -1), nullptr; },
                           nullptr) == 0);
    REQUIRE(pthread_join(ending, nullptr) == 0);
    stressed.stepped(0, 2ul, -1); // waits for the one that is no more
    CHECK(left.seen_and_told() == 1);
    CHECK(left.has_pending());
    CHECK(MPI_T_event_handle_free(left.handle, nullptr, nullptr) == MPI_SUCCESS);
    std::vector<std::unique_ptr<watch>> next;
    for (int i = 0; i < 8; i++) next.emplace_back(std::make_unique<watch>("stepped"))->listen(mpit::safety::none);
    stressed.stepped(0, 3ul, -1);
    for (const auto& each : next) {
        CHECK(each->seen_and_told() == 1);
        CHECK(each->free() == MPI_SUCCESS);
    }
}
#endif

namespace {

// What handlers have raised at once, and what they have deferred.
std::atomic<unsigned long> raised{0}, deferred{0};

void step_in_handler(int) noexcept {
    const int kept = is_in_handler;
    is_in_handler = 1;
    const raising_at here{3};
    const unsigned long number = raised.fetch_add(1) + 1;
    stressed.stepped.defer(2, deferred.fetch_add(1) + 1, -1);
    stressed.stepped.raise(mpit::safety::async_signal_safe, 1, number, 3);
    stressed.stepped.defer(2, deferred.fetch_add(1) + 1, -1);
    is_in_handler = kept;
}
void step_in_line(int) noexcept {
    is_in_handler = 1;
    stressed.in_line.defer(2, deferred.fetch_add(1) + 1, -1);
    stressed.in_line.raise(mpit::safety::async_signal_safe, 1, raised.fetch_add(1) + 1, -1);
    stressed.large_in_line.raise(mpit::safety::async_signal_safe, large_step{3, raised.load(), -1, {}});
    is_in_handler = 0;
}

// Lives as long as a test case in which handlers raise.
struct handlers : initialized {
    handlers() {
        raised = deferred = 0;
        forbidden_calls = 0;
    }
    ~handlers() { CHECK(forbidden_calls.load() == 0); }
};
const unsigned long enough_signals = raises(7500);

} // namespace

TEST_CASE_METHOD(
    handlers,
    "A handler raises and defers while the interrupted thread raises, listens and frees, and all of it is seen or told",
    "[EVT-21][EVT-25][EVT-35][EVT-38]") {
    const raising_at here{0};
    for (const char* policy : {"newest", "oldest"}) {
        raised = deferred = 0;
        const hints few{{"mpit_buffer_depth", "3"}, {"mpit_drop_policy", policy}};
        watch lasting{"stepped", few.info};
        lasting.count_losses();
        std::minstd_rand random{5};
        unsigned long own = 0;
        int mistakes = 0, frees = 0, passing_ones = 0;
        {
            const alarms every{&step_in_handler};
            while (raised.load() < enough_signals) {
                watch passing{"stepped"};
                passing.count_losses();
                passing.listen(mpit::safety::async_signal_safe);
                stressed.stepped(0, ++own, 0);
                lasting.mistakes += lasting.listen(every_level[random() % 4]) != MPI_SUCCESS;
                stressed.stepped.defer(3, own, -1);
                lasting.mistakes += lasting.ignore(every_level[random() % 4]) != MPI_SUCCESS;
                if (own % 3 == 0) stressed.stepped.deliver();
                passing.mistakes += passing.free() != MPI_SUCCESS;
                passing_ones++;
                frees += passing.frees.load();
                mistakes += passing.mistakes.load();
            }
        }
        lasting.listen(mpit::safety::async_signal_safe);
        lasting.listen(mpit::safety::none);
        stressed.stepped.deliver();
        stressed.stepped(0, own + 1, 0);
        CHECK(lasting.seen_and_told() == static_cast<long long>(own + own + 1 + raised.load() + deferred.load()));
        CHECK(lasting.seen(1) > 0);
        CHECK(lasting.seen(2) > 0);
        CHECK(lasting.free() == MPI_SUCCESS);
        CHECK(lasting.frees.load() == 1);
        CHECK(lasting.mistakes.load() + mistakes == 0);
        CHECK(frees == passing_ones);
    }
}

TEST_CASE_METHOD(handlers,
                 "A handler raises an event of an ordered source while it interrupts the delivery of that source",
                 "[EVT-25][EVT-40][EVT-41]") {
    watch small{"in_line"}, large{"large_in_line"};
    for (watch* w : {&small, &large}) {
        w->is_ordered = true;
        w->count_losses();
        w->listen(mpit::safety::async_signal_safe);
    }
    unsigned long own = 0;
    {
        const alarms every{&step_in_line};
        while (raised.load() < enough_signals) {
            stressed.in_line(0, ++own, -1);
            stressed.large_in_line(large_step{0, own, -1, {}});
        }
    }
    stressed.in_line.deliver();
    stressed.in_line(0, own + 1, -1);
    stressed.large_in_line(large_step{0, own + 1, -1, {}});
    CHECK(small.seen_and_told() == static_cast<long long>(own + 1 + raised.load() + deferred.load()));
    CHECK(large.seen_and_told() == static_cast<long long>(own + 1 + raised.load()));
    CHECK(small.seen(1) > 0);
    for (watch* w : {&small, &large}) {
        CHECK(w->most_inside.load() == 1);
        w->check_end();
    }
}

TEST_CASE_METHOD(
    handlers,
    "A callback that is registered while a handler ends its registration does not get into the one that the "
    "handler begins",
    "[EVT-34]") {
    static std::atomic<MPI_T_event_registration> present;
    static std::atomic<int> foreign, failures;
    static int index;
    foreign = failures = 0;
    REQUIRE(MPI_T_event_get_index("stepped", &index) == MPI_SUCCESS);
    MPI_T_event_registration r = nullptr;
    REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &r) == MPI_SUCCESS);
    present = r;
    {
        const alarms every{[](int) {
            failures += MPI_T_event_handle_free(present.load(), nullptr, nullptr) != MPI_SUCCESS;
            MPI_T_event_registration next = nullptr;
            failures += MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &next) != MPI_SUCCESS;
            present = next;
            raised++;
        }};
        while (raised.load() < enough_signals) {
            const MPI_T_event_registration seen = present.load();
            const int answer = MPI_T_event_register_callback(seen, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, seen,
                                                             [](MPI_T_event_instance, MPI_T_event_registration now,
                                                                MPI_T_cb_safety, void* of) { foreign += now != of; });
            failures += answer != MPI_SUCCESS && answer != MPI_T_ERR_INVALID_HANDLE;
            stressed.stepped(0, 1ul, 0);
        }
    }
    CHECK(failures.load() == 0);
    CHECK(foreign.load() == 0);
    CHECK(MPI_T_event_handle_free(present.load(), nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE_METHOD(handlers, "Two threads that raise and are interrupted by handlers that raise lose nothing",
                 "[EVT-25]") {
    static thread_local int this_raiser [[gnu::tls_model("initial-exec")]] = 0;
    static std::atomic<unsigned long> in_handler[2];
    static std::atomic<pthread_t> threads[2];
    threads[0] = threads[1] = 0;
    std::atomic<int> finished{0};
    watch w{"stepped"};
    w.count_losses();
    w.listen(mpit::safety::async_signal_safe);
    struct sigaction action{};
    action.sa_handler = [](int) {
        is_in_handler = 1;
        const unsigned long number = in_handler[this_raiser].fetch_add(1) + 1;
        stressed.stepped.raise(mpit::safety::async_signal_safe, 2 + this_raiser, number, 3);
        is_in_handler = 0;
    };
    action.sa_flags = SA_RESTART;
    REQUIRE(sigaction(SIGUSR1, &action, nullptr) == 0);
    unsigned long own[2] = {0, 0};
    const unsigned long enough = raises(2500);
    const auto raise_and_interrupt = [&](int r) {
        this_raiser = r;
        threads[r] = pthread_self();
        while (threads[1 - r].load() == 0) sched_yield();
        while (in_handler[0].load() < enough || in_handler[1].load() < enough) {
            stressed.stepped(r, ++own[r], 0);
            if (own[r] % 64 == 0) pthread_kill(threads[1 - r].load(), SIGUSR1);
        }
        for (finished++; finished.load() < 2;) sched_yield(); // the other one may be sending a signal still
    };
    in_handler[0] = in_handler[1] = 0;
    std::thread first{raise_and_interrupt, 0}, second{raise_and_interrupt, 1};
    first.join();
    second.join();
    std::signal(SIGUSR1, SIG_IGN);
    for (int r = 0; r < 2; r++) {
        CHECK(w.seen(r) == own[r]);
        CHECK(w.seen(2 + r) == in_handler[r].load());
    }
    CHECK(w.told.load() == 0);
    w.check_end();
}
