// The cost of an event for its author: one raise with no, one or eight callbacks, in several ways. For comparison:
// parts of every raise, such as reading a clock, and code that an author would write without mpit.
//
//   events-benchmark [options of Google Benchmark]
#include "harness.hpp"
#include "listening.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace {

struct measured_events : mpit::category<"measured_events", "What is raised"> {
    mpit::source in_order{
        this, "in_order", "An ordered source", {.ordering = mpit::ordering::ordered, .clock = &ticks}};
    mpit::source of_losses{this, "of_losses", "A source", {.clock = &ticks}};
    mpit::source of_untold{this, "of_untold", "A source", {.clock = &ticks}};
    mpit::event<message> silent{this, "silent", "Nobody listens"};
    mpit::event<message, communicator> silent_of_object{this, "silent_of_object", "Nobody listens"};
    mpit::event<message> heard{this, "heard", "One listens"};
    mpit::event<message> heard_anywhere{this, "heard_anywhere", "One listens that may run in several threads"};
    mpit::event<message> timed{this, "timed", "One listens", {.source = mpit::steady_clock}};
    mpit::event<message, communicator> of_object{this, "of_object", "One listens"};
    mpit::event<message> read{this, "read", "One reads an element and the time stamp"};
    mpit::event<message> heard_by_eight{this, "heard_by_eight", "Eight listen"};
    mpit::event<message> nested{this, "nested", "A callback raises it again"};
    mpit::event<message> deferred{this, "deferred", "One listens later"};
    mpit::event<message> kept{this, "kept", "One listens much later"};
    mpit::event<message> ordered{this, "ordered", "One listens, in order", {.source = &in_order}};
    mpit::event<message> sampled{this, "sampled", "One listens to one in a hundred"};
    mpit::event<message> in_signal{this, "in_signal", "One listens in signal handlers"};
    mpit::event<message> lost{this, "lost", "One listens where no signal handler is"};
    mpit::event<message> counted{this, "counted", "The same, with a handler of losses", {.source = &of_losses}};
    mpit::event<message> untold{
        this, "untold", "Twenty have lost one, and no callback can be told", {.source = &of_untold}};
    mpit::event<message> beside_untold{this, "beside_untold", "One listens", {.source = &of_untold}};

    static std::int64_t ticks() { return static_cast<std::int64_t>(mpit::core::cycles()); }
};
inline constexpr auto& tree = mpit::registered<measured_events>;

constexpr int nesting = 100, kept_instances = 1024;
int deeper = 0;
void raise_again(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    if (--deeper > 0) tree.nested(1, 2, 3ul);
}

// The alternative without mpit: functions in a list, under a lock that readers share, or one that they do not, where
// one function runs at a time as a callback does that is not thread-safe.
template <class Mutex, class Reading> class list_of_functions {
public:
    using function = std::function<void(const message&, std::uint64_t stamp)>;
    void add(function one) {
        const std::unique_lock<Mutex> locked{lock_};
        functions_.push_back(std::move(one));
    }
    void operator()(int source, int tag, unsigned long bytes) {
        const Reading locked{lock_};
        if (functions_.empty()) return;
        const message payload{source, tag, bytes};
        const std::uint64_t stamp = mpit::core::cycles();
        for (const function& each : functions_) each(payload, stamp);
    }

private:
    Mutex lock_;
    std::vector<function> functions_;
};
list_of_functions<std::shared_mutex, std::shared_lock<std::shared_mutex>> list_of_none, list_of_one, list_of_eight;
list_of_functions<std::mutex, std::unique_lock<std::mutex>> one_at_a_time;

std::atomic<unsigned> listening;
std::atomic<unsigned long> shared_word;
std::mutex own_mutex;
[[gnu::noinline]] void empty_function(int, int, unsigned long) { __asm__ __volatile__(""); }
void (*volatile reached_by_pointer)(int, int, unsigned long) = &empty_function;

template <class Raise> benchmark::internal::Benchmark* add(const char* called, Raise raise) {
    return measured(std::string{"events/"} + called, [raise](benchmark::State& state) {
        for (auto _ : state) {
            raise();
            benchmark::ClobberMemory();
        }
    });
}
// The same by two threads at one moment.
template <class Raise> void add_with_two(const char* called, Raise raise) {
    add(called, raise);
    add((std::string{called} + ", two threads").c_str(), raise)->Threads(2);
}

void add_floors() {
    add("load and branch", [] {
        if (listening.load(std::memory_order_relaxed) != 0) empty_function(1, 2, 3);
    });
    add("empty function", [] { empty_function(1, 2, 3); });
    add("call through a pointer", [] { reached_by_pointer(1, 2, 3); });
    add_with_two("shared atomic", [] { shared_word.fetch_add(1, std::memory_order_relaxed); });
    add("mutex locked and unlocked", [] { const std::lock_guard locked{own_mutex}; });
    add("cycle counter read", [] { benchmark::DoNotOptimize(mpit::core::cycles()); });
    add("system's clock read", [] { benchmark::DoNotOptimize(mpit::core::nanoseconds()); });
    const auto ignore_it = [](const message&, std::uint64_t) {};
    list_of_one.add(ignore_it);
    one_at_a_time.add(ignore_it);
    for (int i = 0; i < 8; i++) list_of_eight.add(ignore_it);
    add("list of functions, none", [] { list_of_none(1, 2, 3); });
    add_with_two("list of functions, one", [] { list_of_one(1, 2, 3); });
    add_with_two("list of functions, one at a time", [] { one_at_a_time(1, 2, 3ul); });
    add("list of functions, eight", [] { list_of_eight(1, 2, 3); });
}

void add_immediate() {
    add("no callback", [] { tree.silent(1, 2, 3ul); });
    add("no callback, of an object", [] { tree.silent_of_object[object](1, 2, 3ul); });
    add_with_two("one callback", [] { tree.heard(1, 2, 3ul); });
    add_with_two("one thread-safe callback", [] { tree.heard_anywhere(1, 2, 3ul); });
    add("one callback, at every level", [] { tree.in_signal.raise(mpit::safety::async_signal_safe, 1, 2, 3ul); });
    add("one callback, of an object", [] { tree.of_object[object](1, 2, 3ul); });
    add("one callback, system's clock", [] { tree.timed(1, 2, 3ul); });
    add("one callback, reads element and timestamp", [] { tree.read(1, 2, 3ul); });
    add("one callback, one event in a hundred", [] { tree.sampled(1, 2, 3ul); });
    add("eight callbacks", [] { tree.heard_by_eight(1, 2, 3ul); });
    add_with_two("one callback, ordered source", [] { tree.ordered(1, 2, 3ul); });
    add("dropped", [] { tree.lost.raise(mpit::safety::async_signal_safe, 1, 2, 3ul); });
    add("one callback, twenty losses that cannot be told", [] { tree.beside_untold(1, 2, 3ul); });
    add("dropped and counted", [] { tree.counted.raise(mpit::safety::async_signal_safe, 1, 2, 3ul); });
}

// Those whose operation is one of many in an iteration.
void add_batches() {
    measured("events/one callback, 100 deep", [](benchmark::State& state) {
        while (state.KeepRunningBatch(nesting)) {
            deeper = nesting;
            tree.nested(1, 2, 3ul);
        }
    });
    measured("events/one callback, deferred and delivered", [](benchmark::State& state) {
        constexpr int room = 64;
        while (state.KeepRunningBatch(room)) {
            for (int i = 0; i < room; i++) tree.deferred.defer(1, 2, 3ul);
            tree.deferred.deliver();
        }
    });
    measured("events/one callback, deferred", [](benchmark::State& state) {
        while (state.KeepRunningBatch(kept_instances)) {
            for (int i = 0; i < kept_instances; i++) tree.kept.defer(1, 2, 3ul);
            state.PauseTiming();
            tree.kept.deliver();
            state.ResumeTiming();
        }
    });
}

void listen() {
    registration{"heard"}.call(ignore);
    registration{"heard_anywhere"}.call(ignore, MPI_T_CB_REQUIRE_THREAD_SAFE);
    registration{"timed"}.call(ignore);
    registration{"of_object"}.call(ignore);
    registration{"read"}.call(read_element_and_stamp);
    for (int i = 0; i < 8; i++) registration{"heard_by_eight"}.call(ignore);
    registration{"nested"}.call(raise_again, MPI_T_CB_REQUIRE_THREAD_SAFE);
    registration{"deferred"}.call(ignore);
    registration{"kept", hints{"mpit_buffer_depth", kept_instances}}.call(ignore);
    registration{"ordered"}.call(ignore);
    registration{"sampled"}.call(ignore, MPI_T_CB_REQUIRE_NONE, hints{"mpit_sampling", 100});
    registration{"in_signal"}.call(ignore, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE);
    registration{"lost"}.call(ignore);
    registration{"counted"}.call(ignore).count_losses();
    for (int i = 0; i < 20; i++) registration{"untold"}.count_losses();
    registration{"beside_untold"}.call(ignore);
    tree.untold(1, 2, 3ul);
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    initialize_tool();
    mpit::created(tree, object);
    listen();
    add_floors();
    add_immediate();
    add_batches();
    benchmark::RunSpecifiedBenchmarks();
}
