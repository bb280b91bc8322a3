// A signal handler that raises and defers events while it interrupts every step of the thread that raises, listens,
// changes callbacks and frees: nothing is lost without being told, nobody waits for the interrupted one, and no memory
// is asked for.

#include "../alarms.hpp"
#include "../watched_allocator.hpp"
#include "events_listening.hpp"

#include <memory>
#include <random>
#include <thread>

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

TEST_CASE(
    "A handler raises and defers while the interrupted thread raises, listens and frees, and all of it is seen or told",
    "[EVT-21][EVT-25][EVT-35][EVT-38]") {
    handlers tools;
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

TEST_CASE("A handler raises an event of an ordered source while it interrupts the delivery of that source",
          "[EVT-25][EVT-40][EVT-41]") {
    handlers tools;
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
        CHECK(w->mistakes.load() == 0);
        CHECK(w->free() == MPI_SUCCESS);
        CHECK(w->frees.load() == 1);
    }
}

TEST_CASE("A callback that is registered while a handler ends its registration does not get into the one that the "
          "handler begins",
          "[EVT-34]") {
    handlers tools;
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

TEST_CASE("Two threads that raise and are interrupted by handlers that raise lose nothing", "[EVT-25]") {
    handlers tools;
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
    CHECK(w.mistakes.load() == 0);
    CHECK(w.free() == MPI_SUCCESS);
    CHECK(w.frees.load() == 1);
}
