// A timer's handler that uses everything a handler may use, a hundred microseconds after its last end, while the thread
// that it interrupts allocates, frees, registers, loads libraries, counts and raises: nobody waits, no count is lost,
// and the handler calls neither the allocator nor a lock.
#include "../long_tests.hpp"
#include "../sanitizers.hpp"
#include "../signal_safe.hpp"
#include "../watched_allocator.hpp"
#include "late_tree.hpp"
#include "plugin.hpp"

#include <mpit/module/publish_pending.hpp>

#include <ctime>
#include <deque>
#include <memory>
#include <sys/syscall.h>
#include <thread>

// glibc has the member of timer_create(2) by another name.
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

namespace {

int index_of_category(const char* name) {
    int found = -1;
    REQUIRE(MPI_T_category_get_index(name, &found) == MPI_SUCCESS);
    return found;
}

// What a handler uses, and what it has done.
struct use_in_handler {
    session in;
    pvar counter{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, own{in, "p_continuous", MPI_T_PVAR_CLASS_COUNTER},
        mark{in, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    cvar number{"C_INT"}, constant{"C_CONSTANT"}, text{"C_TEXT"};
    int number_index = cvar_index("C_INT"), counter_index = pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER),
        category_index = index_of_category("controls");
    std::atomic<unsigned long> signals{0}, counts{0}, raises{0}, wrong{0};
    std::atomic<int> first_wrong{0};

    use_in_handler() { REQUIRE(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS); }

    void expect(bool holds, int line) noexcept {
        if (holds) return;
        wrong++;
        int none = 0;
        first_wrong.compare_exchange_strong(none, line);
    }
    void use() noexcept {
        unsigned long long part = 0;
        unsigned long level = 0;
        int value = 0, index = -1, count = 0, provided = 0;
        char characters[32], name[100];
        int length = sizeof name;
        ++all.performances.counter;
        counts++;
        all.performances.aggregate_double += 0.5;
        ++all.performances.level;
        --all.performances.level;
        expect(MPI_T_pvar_read(in.handle, counter.handle, &part) == MPI_SUCCESS && part >= counts, __LINE__);
        expect(MPI_T_pvar_stop(in.handle, mark.handle) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_pvar_start(in.handle, mark.handle) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_pvar_readreset(in.handle, mark.handle, &level) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_pvar_write(in.handle, own.handle, &part) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_pvar_reset(in.handle, own.handle) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_cvar_get_index("C_INT", &index) == MPI_SUCCESS && index == number_index, __LINE__);
        expect(MPI_T_pvar_get_index("p_counter", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS &&
                   index == counter_index,
               __LINE__);
        expect(MPI_T_category_get_index("controls", &index) == MPI_SUCCESS && index == category_index, __LINE__);
        expect(MPI_T_event_get_index("nobody's", &index) == MPI_T_ERR_INVALID_NAME, __LINE__);
        expect(MPI_T_cvar_read(constant.handle, &value) == MPI_SUCCESS && value == 42, __LINE__);
        expect(MPI_T_cvar_read(text.handle, characters) == MPI_SUCCESS, __LINE__);
        value = static_cast<int>(signals);
        expect(MPI_T_cvar_write(number.handle, &value) == MPI_SUCCESS, __LINE__);
        expect(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count > number_index, __LINE__);
        expect(MPI_T_pvar_get_num(&count) == MPI_SUCCESS && count > counter_index, __LINE__);
        expect(MPI_T_category_changed(&provided) == MPI_SUCCESS && provided > 0, __LINE__);
        expect(MPI_T_cvar_get_info(count > 0 ? number_index : 0, name, &length, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, nullptr) == MPI_SUCCESS &&
                   std::strcmp(name, "C_INT") == 0,
               __LINE__);
        all.events.plain.raise(mpit::safety::async_signal_safe, 1, 2, 3ul);
        all.events.clockless.defer(1);
        raises += 2;
        signals++;
    }
};

// The timer of a thread.
class thread_timer {
public:
    explicit thread_timer(int signal) {
        sigevent event{};
        event.sigev_notify = SIGEV_THREAD_ID;
        event.sigev_signo = signal;
        event.sigev_notify_thread_id = static_cast<pid_t>(syscall(SYS_gettid));
        is_there_ = timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0;
    }
    ~thread_timer() { timer_delete(timer_); }
    thread_timer(const thread_timer&) = delete;
    // Interrupts once. The handler calls it at its end, so that the thread goes on between two of them on a slow
    // machine too.
    bool start() const noexcept {
        const itimerspec once{{0, 0}, {0, 100'000}};
        return is_there_ && timer_settime(timer_, 0, &once, nullptr) == 0;
    }

private:
    timer_t timer_{};
    bool is_there_ = false;
};

use_in_handler* used[2];
std::atomic<const thread_timer*> timers[2];
template <int Which> void handle(int) noexcept {
    const std::sig_atomic_t kept = is_in_handler;
    const int error = errno;
    is_in_handler = 1;
    used[Which]->use();
    if (const thread_timer* timer = timers[Which]) timer->start();
    is_in_handler = kept;
    errno = error;
}
void install(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    REQUIRE(sigaction(signal, &action, nullptr) == 0);
}

std::atomic<unsigned long> heard{0}, lost{0};
void hear(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { heard++; }
void lose(MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {
    lost += static_cast<unsigned long>(count);
}

std::deque<std::string> names;
std::deque<late_tree> trees;

// What the interrupted thread does, until its handler has run often enough. Answers its mistakes.
struct interrupted {
    unsigned long counts = 0, raises = 0, libraries = 0, registered = 0;
    int mistakes = 0;

    void run(use_in_handler& handler, unsigned long enough, bool loads, std::size_t first_tree,
             std::size_t most_trees) {
        const std::string alpha = beside_program("alpha");
        for (int round = 0; handler.signals < enough; round++) {
            ++all.performances.counter;
            counts++;
            all.events.plain(4, 5, 6ul);
            all.events.clockless(7);
            all.events.ordered(8);
            raises += 3;
            allocate();
            if (round % 16 == 0 && registered < most_trees)
                mpit::registry::register_tree(trees[first_tree + registered++], "a late tree");
            if (loads && round % 64 == 0) {
                void* const library = dlopen(alpha.c_str(), RTLD_NOW);
                mistakes += library == nullptr;
                if (library == nullptr) continue;
                reinterpret_cast<void (*)(int)>(dlsym(library, "plugin_count"))(1);
                dlclose(library);
                libraries++;
            }
        }
    }

private:
    void expect(int answer) { mistakes += answer != MPI_SUCCESS; }
    void allocate() {
        MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL;
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL, mark = MPI_T_PVAR_HANDLE_NULL;
        MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
        MPI_T_event_registration own = nullptr;
        int index = -1, count = 0, provided = 0;
        expect(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided));
        expect(MPI_T_pvar_session_create(&in));
        expect(MPI_T_pvar_get_index("p_counter", MPI_T_PVAR_CLASS_COUNTER, &index));
        expect(MPI_T_pvar_handle_alloc(in, index, nullptr, &handle, &count));
        expect(MPI_T_pvar_start(in, handle));
        expect(MPI_T_pvar_get_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index));
        expect(MPI_T_pvar_handle_alloc(in, index, nullptr, &mark, &count));
        expect(MPI_T_pvar_handle_free(in, &handle));
        expect(MPI_T_pvar_session_free(&in));
        expect(MPI_T_cvar_get_index("C_TEXT", &index));
        expect(MPI_T_cvar_handle_alloc(index, nullptr, &control, &count));
        char text[32] = "written meanwhile";
        expect(MPI_T_cvar_write(control, text));
        expect(MPI_T_cvar_handle_free(&control));
        expect(MPI_T_event_get_index("e_plain", &index));
        expect(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own));
        expect(MPI_T_event_handle_free(own, nullptr, nullptr));
        expect(MPI_T_finalize());
    }
};

unsigned long enough_signals() {
    if (is_sanitized) return 500;
    return is_long() ? 200'000 : 10'000;
}

} // namespace

TEST_CASE_METHOD(
    initialized,
    "A handler uses everything while the threads that it interrupts allocate, register, load libraries and raise",
    "[ASYNC-01]") {
    for (const int thread_count : {1, 2}) {
        constexpr std::size_t most_trees = 400;
        const std::size_t first_tree = trees.size();
        for (std::size_t i = first_tree; i < first_tree + 2 * most_trees; i++)
            trees.emplace_back(names.emplace_back("signal_tree_" + std::to_string(i)).c_str(), static_cast<int>(i));
        heard = lost = 0;
        forbidden_calls = 0;
        std::vector<std::unique_ptr<registration>> registrations;
        for (const char* event : {"e_plain", "e_clockless", "e_ordered"}) {
            registrations.push_back(std::make_unique<registration>(event));
            REQUIRE(registrations.back()->call(&hear, nullptr, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE) == MPI_SUCCESS);
            REQUIRE(registrations.back()->call_for_losses(&lose) == MPI_SUCCESS);
        }
        std::unique_ptr<use_in_handler> handlers[2];
        interrupted threads[2];
        for (int t = 0; t < thread_count; t++) used[t] = (handlers[t] = std::make_unique<use_in_handler>()).get();
        const unsigned long long before = all.performances.counter.get();
        install(SIGRTMIN, &handle<0>);
        install(SIGRTMIN + 1, &handle<1>);
        std::atomic<int> mistakes{0};
        std::vector<std::thread> running;
        for (int t = 0; t < thread_count; t++)
            running.emplace_back([&, t] {
                const thread_timer timer{SIGRTMIN + t};
                timers[t] = &timer;
                if (!timer.start()) mistakes++;
                else
                    threads[t].run(*handlers[t], enough_signals(), t == 0,
                                   first_tree + static_cast<std::size_t>(t) * most_trees, most_trees);
                timers[t] = nullptr;
            });
        for (std::thread& each : running) each.join();
        all.events.clockless.deliver();
        all.events.clockless(7);

        unsigned long counts = 0, raises = 1, signals = 0, libraries = 0, registered = 0;
        for (int t = 0; t < thread_count; t++) {
            INFO("the first wrong answer in line " << handlers[t]->first_wrong);
            CHECK(handlers[t]->wrong == 0);
            CHECK(threads[t].mistakes == 0);
            counts += threads[t].counts + handlers[t]->counts;
            raises += threads[t].raises + handlers[t]->raises;
            signals += handlers[t]->signals;
            libraries += threads[t].libraries;
            registered += threads[t].registered;
        }
        std::printf(
            "%d threads: %lu signals taken, %lu counts, %lu raises, %lu libraries loaded, %lu trees registered\n",
            thread_count, signals, counts, raises, libraries, registered);
        CHECK(mistakes == 0);
        CHECK(all.performances.counter.get() == before + counts);
        CHECK(heard + lost == raises);
        CHECK(forbidden_calls == 0);
        CHECK(signals >= enough_signals());
        CHECK(registered > 0);
        CHECK(libraries > 0);
    }
}
