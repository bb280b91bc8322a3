// The cost of a variable for its author: one change of each kind, by one or two threads, on one variable or one for
// each thread, with no, one or eight started handles. For comparison: code that an author would write without mpit.
//
//   hot-benchmark [options of Google Benchmark]
#include "harness.hpp"
#include "models.hpp"
#include "tool.hpp"

#include <mpit/mpit.hpp>

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
inline constexpr auto& first = mpit::registered<first_set>;
inline constexpr auto& second = mpit::registered<second_set>;

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

// The ways of two threads; `one_each`: the second thread has a variable of its own.
struct way {
    const char* called;
    int threads;
    bool one_each;
};
constexpr way ways[] = {{"1 thread", 1, false}, {"2 threads on one", 2, false}, {"2 threads on one each", 2, true}};

// Registers `change(i)`, which changes the first or the second variable once, for each way; calls `prepare()` before
// and `end()` after it.
template <class Change, class Prepare, class End>
void add_ways(const std::string& group, const std::string& suffix, Change change, Prepare prepare, End end) {
    for (const way& each : ways) {
        measured("hot/" + group + "/" + each.called + suffix, [=](benchmark::State& state) {
            if (state.thread_index() == 0) prepare();
            const bool on_second = each.one_each && state.thread_index() == 1;
            for (auto _ : state) {
                change(on_second);
                benchmark::ClobberMemory();
            }
            if (state.thread_index() == 0) end();
        })->Threads(each.threads);
    }
}
std::string suffix_of(long handles) { return std::string{"/"}.append(std::to_string(handles)).append(" handles"); }

// One kind, with the handles of a tool.
template <class Change> void add(const char* called, int var_class, Change change) {
    for (const long handles : {0, 1, 8}) {
        const auto attach = [=] { tool.attach(called, var_class, handles); };
        add_ways(called, suffix_of(handles), change, attach, [] { tool.leave(); });
    }
}
// Code that an author would write without mpit.
template <class Change> void add_rival(const char* called, Change change) {
    add_ways(called, "", change, [] {}, [] {});
}
// A model of an MPI, with this number of handles.
template <class Change> void add_model(const char* called, void (*attach)(long), Change change) {
    for (const long handles : {0, 1, 8}) add_ways(called, suffix_of(handles), change, [=] { attach(handles); }, [] {});
}

void add_rivals() {
    // The addresses escape, so that each change is made in memory.
    benchmark::DoNotOptimize(&plain_global);
    benchmark::DoNotOptimize(&thread_local_word);
    measured("hot/plain global/1 thread", [](benchmark::State& state) {
        for (auto _ : state) {
            ++plain_global;
            benchmark::ClobberMemory();
        }
    });
    add_rival("thread_local", [](bool) { ++thread_local_word; });
    add_rival("shared atomic",
              [](bool on_second) { shared_words[on_second].value.fetch_add(1, std::memory_order_relaxed); });
    add_rival("clock read twice", [](bool) {
        benchmark::DoNotOptimize(mpit::core::nanoseconds());
        benchmark::DoNotOptimize(mpit::core::nanoseconds());
    });
}

void add_models() {
    add_rival("counter as in MPICH", [](bool on_second) { models::mpich_counter[on_second] += 1; });
    add_model("counter as in Open MPI", &models::attach_to_open_mpi,
              [](bool on_second) { models::open_mpi_count(on_second, 1); });
    add_rival("timer as in MPICH", [](bool on_second) {
        models::mpich_timers[on_second].start();
        models::mpich_timers[on_second].stop();
    });
    add_model("timer as in Open MPI", &models::attach_to_open_mpi,
              [](bool on_second) { models::open_mpi_time(on_second); });
#if MODELS_HAVE_RSEQ
    if (models::has_processor_cells())
        add_rival("counter of each processor", [](bool on_second) { models::processor_count(on_second, 1); });
#endif
    add_model("watermark as in MPICH", &models::attach_to_mpich, [](bool on_second) {
        models::mpich_watermarks[on_second].update(1);
        models::mpich_watermarks[on_second].update(0);
    });
    add_model("watermark as in Open MPI", &models::attach_to_open_mpi, [](bool on_second) {
        models::open_mpi_mark(on_second, 2 + on_second, 1);
        models::open_mpi_mark(on_second, 2 + on_second, -1);
    });
}

void add_kinds() {
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
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    initialize_tool();
    add_rivals();
    add_kinds();
    add_models();
    benchmark::RunSpecifiedBenchmarks();
}
