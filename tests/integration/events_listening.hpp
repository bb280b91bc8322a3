// What the tests of the event path under threads and signals share: a tree of events that say who raised them and how
// often that one had raised before, and a watch, which is a registration that finds out whether anything is missing,
// doubled, out of order or late.
//     watch w{"stepped"};  w.listen(mpit::safety::async_signal_safe);  stressed.stepped(0, 1ul, 0);  CHECK(w.seen(0) == 1);
#pragma once

#include "../long_tests.hpp"
#include "../sanitizers.hpp"
#include "../tool.hpp"

#include <mpit/mpi_t/shim.hpp>
#include <mpit/mpit.hpp>

#include <algorithm>
#include <atomic>
#include <sched.h>

inline constexpr int raiser_count = 4;

// Who raised, how often it had, and the level it raised at. Events of several sizes share the beginning.
struct step {
    int raiser;
    unsigned long number;
    int level;
};
struct large_step {
    int raiser;
    unsigned long number;
    int level;
    char rest[1000];
};

// A clock that two threads read at once and that never goes back.
inline std::atomic<std::int64_t> ticks{0};
inline std::int64_t next_tick() { return ticks.fetch_add(1, std::memory_order_relaxed); }

struct stressed_tree : mpit::category<"stressed", "Events that are raised by many at once"> {
    mpit::source line{
        this, "line_clock", "Counts its readings", {.ordering = mpit::ordering::ordered, .clock = &next_tick}};
    mpit::event<step> stepped{this, "stepped", "A step", {.source = mpit::steady_clock}};
    mpit::event<step> answered{this, "answered", "What a callback does", {.source = mpit::steady_clock}};
    mpit::event<step> in_line{this, "in_line", "A step of an ordered source", {.source = &line}};
    mpit::event<large_step> large_in_line{
        this, "large_in_line", "A large step of an ordered source", {.source = &line}};
};
inline constexpr auto& stressed = mpit::registered<stressed_tree>;

inline MPI_T_cb_safety constant_of(mpit::safety level) { return mpit::mpi_t::constant_of(level); }
inline constexpr mpit::safety every_level[] = {mpit::safety::none, mpit::safety::restricted, mpit::safety::thread_safe,
                                               mpit::safety::async_signal_safe};

// The level of the raise that this thread is in; -1 where it is that of the instance.
inline thread_local int level_of_raise [[gnu::tls_model("initial-exec")]] = -1;
class raising_at {
public:
    explicit raising_at(int level) : before_{level_of_raise} { level_of_raise = level; }
    ~raising_at() { level_of_raise = before_; }
    raising_at(const raising_at&) = delete;

private:
    const int before_;
};

// The number of raises: all of them where the environment asks for long tests.
inline unsigned long raises(unsigned long wanted) {
    if (is_long()) return wanted * times_as_long();
    return wanted / (is_sanitized ? 50 : 5);
}

template <class Condition> void wait_until(Condition condition) {
    for (int tries = 0; !condition(); tries++)
        if (tries > 1000) sched_yield();
}
// Threads that come together again and again, so that what they do next happens at the same time.
class meeting {
public:
    explicit meeting(int size) : size_{size} {}
    void wait() {
        const int turn = turn_.load();
        if (arrived_.fetch_add(1) + 1 == size_) {
            arrived_.store(0);
            turn_.fetch_add(1);
        }
        wait_until([&] { return turn_.load() != turn; });
    }

private:
    const int size_;
    std::atomic<int> arrived_{0}, turn_{0};
};

// A registration with callbacks that all count into it. It lives on after it is freed, so that it sees what comes too
// late.
class watch {
public:
    MPI_T_event_registration handle = nullptr;
    std::atomic<long long> told{0}; // losses
    std::atomic<int> mistakes{0}, frees{0}, inside{0};
    std::atomic<int> most_inside{0};
    std::atomic<std::int64_t> last_stamp{INT64_MIN}; // of an event of an ordered source
    bool is_ordered = false;
    // Whether it has callbacks that are thread-safe and others that are not: an instance that waits for one of the
    // latter may be overtaken.
    bool is_mixed = false;
    void (*then)(watch&, const step&) = nullptr; // runs in the callback, for what a test wants to happen there

    explicit watch(const char* event, MPI_Info info = MPI_INFO_NULL) {
        for (int l = 0; l < 4; l++) served_[l] = {this, l};
        int index = -1;
        if (MPI_T_event_get_index(event, &index) != MPI_SUCCESS ||
            MPI_T_event_handle_alloc(index, nullptr, info, &handle) != MPI_SUCCESS)
            mistakes++;
    }
    watch(const watch&) = delete;

    int listen(mpit::safety level, MPI_Info info = MPI_INFO_NULL) {
        return MPI_T_event_register_callback(handle, constant_of(level), info, &served_[static_cast<int>(level)],
                                             &take);
    }
    int ignore(mpit::safety level) {
        return MPI_T_event_register_callback(handle, constant_of(level), MPI_INFO_NULL, nullptr, nullptr);
    }
    int count_losses() { return MPI_T_event_set_dropped_handler(handle, &lose); }
    int free() { return MPI_T_event_handle_free(handle, this, &take_end); }
    // The end of a registration that has made no mistake, and is told once.
    void check_end() {
        CHECK(mistakes.load() == 0);
        CHECK(free() == MPI_SUCCESS);
        CHECK(frees.load() == 1);
    }

    // Whether instances wait in the queue of the registration.
    bool has_pending() const {
        const mpit::internal::subscription* of = mpit::mpi_t::tools().events.find(mpit::mpi_t::word_of(handle));
        return of != nullptr && !of->queue.is_empty();
    }
    unsigned long seen(int raiser) const { return raisers_[raiser].seen.load(); }
    // How many of the raises that began after `begun` and were over at `done`, or lie between two that were seen, were
    // not.
    unsigned long missing(int raiser, unsigned long begun, unsigned long done) const {
        const raiser_facts& r = raisers_[raiser];
        const unsigned long before = r.seen.load() == 0 || r.first.load() > begun ? begun : r.first.load() - 1;
        return std::max(r.last.load(), done) - before - r.seen.load();
    }
    long long seen_and_told() const {
        long long sum = told.load();
        for (int r = 0; r < raiser_count; r++) sum += static_cast<long long>(seen(r));
        return sum;
    }

private:
    struct served {
        watch* by;
        int level;
    };
    struct raiser_facts {
        std::atomic<unsigned long> first{0}, last{0}, seen{0};
    };
    served served_[4];
    raiser_facts raisers_[raiser_count];
    std::atomic<int> alone_{0}; // callbacks that are not thread-safe, and run
    static bool is_thread_safe(int level) { return level >= static_cast<int>(mpit::safety::thread_safe); }

    static int number_of(MPI_T_cb_safety level) {
        int number = 0;
        while (number < 4 && constant_of(every_level[number]) != level) number++;
        return number;
    }
    static void take(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level,
                     void* user_data) {
        const served& mine = *static_cast<served*>(user_data);
        watch& self = *mine.by;
        const int at_once = self.inside.fetch_add(1) + 1;
        if (at_once > self.most_inside.load()) self.most_inside.store(at_once);
        if (!is_thread_safe(mine.level)) self.mistakes += self.alone_.fetch_add(1) != 0;
        step now{};
        int source = -1;
        MPI_Count stamp = 0, present = 0;
        self.mistakes += MPI_T_event_read(instance, 0, &now.raiser) != MPI_SUCCESS;
        self.mistakes += MPI_T_event_read(instance, 1, &now.number) != MPI_SUCCESS;
        self.mistakes += MPI_T_event_read(instance, 2, &now.level) != MPI_SUCCESS;
        self.mistakes += MPI_T_event_get_timestamp(instance, &stamp) != MPI_SUCCESS;
        self.mistakes += MPI_T_event_get_source(instance, &source) != MPI_SUCCESS;
        self.mistakes += MPI_T_source_get_timestamp(source, &present) != MPI_SUCCESS || present < stamp;
        self.mistakes += self.frees.load() != 0 || registration != self.handle || number_of(level) > mine.level;
        self.mistakes += now.level >= 0 && number_of(level) != (level_of_raise >= 0 ? level_of_raise : now.level);
        raiser_facts& r = self.raisers_[now.raiser];
        self.mistakes += !self.is_mixed && now.number <= r.last.load();
        for (unsigned long first = r.first.load();
             (first == 0 || now.number < first) && !r.first.compare_exchange_weak(first, now.number);) {}
        for (unsigned long last = r.last.load();
             now.number > last && !r.last.compare_exchange_weak(last, now.number);) {}
        r.seen.fetch_add(1);
        if (self.is_ordered) {
            self.mistakes += stamp < self.last_stamp.load();
            self.last_stamp.store(stamp);
        }
        if (self.then != nullptr) self.then(self, now);
        if (!is_thread_safe(mine.level)) self.alone_.fetch_sub(1);
        self.inside.fetch_sub(1);
    }
    static void lose(MPI_Count count, MPI_T_event_registration registration, int, MPI_T_cb_safety level,
                     void* user_data) {
        const served& mine = *static_cast<served*>(user_data);
        mine.by->mistakes += mine.by->frees.load() != 0 || count <= 0 || registration != mine.by->handle;
        mine.by->mistakes += number_of(level) > mine.level;
        mine.by->mistakes += !is_thread_safe(mine.level) && mine.by->alone_.fetch_add(1) != 0;
        mine.by->told += count;
        if (!is_thread_safe(mine.level)) mine.by->alone_.fetch_sub(1);
    }
    static void take_end(MPI_T_event_registration registration, MPI_T_cb_safety, void* user_data) {
        watch& self = *static_cast<watch*>(user_data);
        self.mistakes += self.inside.load() != 0 || registration != self.handle;
        self.frees++;
    }
};
