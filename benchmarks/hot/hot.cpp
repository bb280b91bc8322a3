// What a variable costs its author: one change of each kind, with one or two threads on one variable or on one each,
// and with no tool, one handle or eight handles that have started. Beside them what an author would write without mpit.
//
//   hot-benchmark [options of Google Benchmark]
#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <string>

namespace {

// Two of each kind, far enough apart that two threads on one each share no cache line.
struct alignas(128) first_set : mpit::category<"hot_first", "What the threads change"> {
    mpit::counter<> counter{this, "counter", "Events"};
    mpit::aggregate<> aggregate{this, "aggregate", "Amounts"};
    mpit::aggregate<double> real_aggregate{this, "real_aggregate", "Amounts"};
    mpit::timer timer{this, "timer", "Time"};
    mpit::level<> level{this, "level", "A level"};
    mpit::high_watermark<> watermark{this, "watermark", "A level with its highest mark"};
};
struct alignas(128) second_set : mpit::category<"hot_second", "What the second thread changes"> {
    mpit::counter<> counter{this, "counter_2", "Events"};
    mpit::aggregate<> aggregate{this, "aggregate_2", "Amounts"};
    mpit::aggregate<double> real_aggregate{this, "real_aggregate_2", "Amounts"};
    mpit::timer timer{this, "timer_2", "Time"};
    mpit::level<> level{this, "level_2", "A level"};
    mpit::high_watermark<> watermark{this, "watermark_2", "A level with its highest mark"};
};
inline constexpr auto& first = mpit::enrolled<first_set>;
inline constexpr auto& second = mpit::enrolled<second_set>;

struct alignas(128) line_of_its_own {
    std::atomic<unsigned long> value;
};
unsigned long plain_global;
thread_local unsigned long thread_local_word;
line_of_its_own shared_words[2];

// A session with handles that have started on both variables of a kind.
class attached_tool {
public:
    void attach(const char* name, int var_class, long handles) {
        if (handles == 0) return;
        check(MPI_T_pvar_session_create(&session_));
        const std::string names[] = {name, std::string{name} + "_2"};
        for (const std::string& each : names)
            for (long i = 0; i < handles; i++) start(each.c_str(), var_class);
    }
    void leave() {
        if (session_ != MPI_T_PVAR_SESSION_NULL) check(MPI_T_pvar_session_free(&session_));
    }

private:
    void start(const char* name, int var_class) {
        MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
        int elements = 0;
        check(MPI_T_pvar_handle_alloc(session_, pvar_number(name, var_class), nullptr, &handle, &elements));
        check(MPI_T_pvar_start(session_, handle));
    }

    MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
};
attached_tool tool;

// Registers one kind: `change(i)` changes the first or the second variable once.
template <class Change> void add(const char* called, int var_class, Change change) {
    for (const long handles : {0, 1, 8}) {
        for (const char* threads : {"1 thread", "2 threads on one", "2 threads on one each"}) {
            const bool two = threads[0] == '2', one_each = two && std::string{threads}.ends_with("each");
            const std::string name =
                std::string{"hot/"} + called + "/" + threads + "/" + std::to_string(handles) + " handles";
            benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
                if (state.thread_index() == 0) tool.attach(called, var_class, handles);
                const bool on_second = one_each && state.thread_index() == 1;
                for (auto _ : state) {
                    change(on_second);
                    benchmark::ClobberMemory();
                }
                if (state.thread_index() == 0) tool.leave();
            })->Threads(two ? 2 : 1);
        }
    }
}

// Registers what an author would write without mpit.
template <class Change> void add_rival(const char* called, Change change, bool bears_threads = true) {
    for (const char* threads : {"1 thread", "2 threads on one", "2 threads on one each"}) {
        const bool two = threads[0] == '2', one_each = two && std::string{threads}.ends_with("each");
        if (two && !bears_threads) continue;
        const std::string name = std::string{"hot/"} + called + "/" + threads;
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
            const bool on_second = one_each && state.thread_index() == 1;
            for (auto _ : state) {
                change(on_second);
                benchmark::ClobberMemory();
            }
        })->Threads(two ? 2 : 1);
    }
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    initialize_tool();

    add_rival(
        "plain global", [](bool) { ++plain_global; }, false);
    add_rival("thread_local", [](bool) {
        ++thread_local_word;
        benchmark::DoNotOptimize(&thread_local_word);
    });
    add_rival("shared atomic",
              [](bool on_second) { shared_words[on_second].value.fetch_add(1, std::memory_order_relaxed); });
    add_rival("clock read twice", [](bool) {
        benchmark::DoNotOptimize(mpit::base::nanoseconds());
        benchmark::DoNotOptimize(mpit::base::nanoseconds());
    });
    add("counter", MPI_T_PVAR_CLASS_COUNTER, [](bool on_second) { on_second ? ++second.counter : ++first.counter; });
    add("aggregate", MPI_T_PVAR_CLASS_AGGREGATE,
        [](bool on_second) { on_second ? second.aggregate += 64 : first.aggregate += 64; });
    add("real_aggregate", MPI_T_PVAR_CLASS_AGGREGATE,
        [](bool on_second) { on_second ? second.real_aggregate += 0.5 : first.real_aggregate += 0.5; });
    add("timer", MPI_T_PVAR_CLASS_TIMER,
        [](bool on_second) { const auto running = on_second ? second.timer.start() : first.timer.start(); });
    add("level", MPI_T_PVAR_CLASS_LEVEL, [](bool on_second) { on_second ? ++second.level : ++first.level; });
    // Up and down, so that the mark is passed once and no more: one change is half of it.
    add("watermark", MPI_T_PVAR_CLASS_HIGHWATERMARK, [](bool on_second) {
        on_second ? ++second.watermark : ++first.watermark;
        on_second ? --second.watermark : --first.watermark;
    });
    benchmark::RunSpecifiedBenchmarks();
}
