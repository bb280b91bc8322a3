// The cost of a batch of variables, compared with a call for each through the handles of one session.
//
//   batch-benchmark [options of Google Benchmark]
#include "harness.hpp"
#include "tool.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using mpit::performance_class;

constexpr std::size_t most = 1000;
constexpr std::size_t amounts[] = {10, 100, 1000};
struct sample {
    unsigned long all[most];
};

std::string name_of(std::size_t i) { return "batch_variable_" + std::to_string(i); }

// As many counters, timers, levels and watermarks as a large library has.
struct many_variables : mpit::category<"batch", "Variables that are read together"> {
    many_variables() {
        names.reserve(most);
        for (std::size_t i = 0; i < most; i++) {
            const mpit::core::checked_name called{names.emplace_back(name_of(i)).c_str()};
            counters.push_back(std::make_unique<mpit::counter<>>(this, called, "A number"));
            timers.emplace_back(new mpit::timer_of<unsigned long>{this, called, "Time, in nanoseconds"});
            levels.push_back(std::make_unique<mpit::level<>>(this, called, "A level"));
            watermarks.push_back(std::make_unique<mpit::high_watermark<>>(this, called, "A level at its highest"));
        }
    }
    std::vector<std::string> names{};
    std::vector<std::unique_ptr<mpit::counter<>>> counters{};
    std::vector<std::unique_ptr<mpit::timer_of<unsigned long>>> timers{};
    std::vector<std::unique_ptr<mpit::level<>>> levels{};
    std::vector<std::unique_ptr<mpit::high_watermark<>>> watermarks{};
};
many_variables& variables() {
    static many_variables all;
    return all;
}

struct kind_of_variable {
    performance_class variable_class;
    int constant;
};
constexpr kind_of_variable counter{performance_class::counter, MPI_T_PVAR_CLASS_COUNTER};
constexpr kind_of_variable mixed[] = {{performance_class::timer, MPI_T_PVAR_CLASS_TIMER},
                                      {performance_class::level, MPI_T_PVAR_CLASS_LEVEL},
                                      {performance_class::high_watermark, MPI_T_PVAR_CLASS_HIGHWATERMARK}};

// Variables that are read in both ways.
struct chosen {
    std::unique_ptr<mpit::tool::batch<sample>> batch = std::make_unique<mpit::tool::batch<sample>>();
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    std::vector<MPI_T_pvar_handle> handles{};

    chosen() { check(MPI_T_pvar_session_create(&session)); }
    void add(const std::string& name, kind_of_variable chosen) {
        const std::size_t at = handles.size();
        if (batch->add(&sample::all, at, name.c_str(), chosen.variable_class) != mpit::result::success)
            check(MPI_T_ERR_INVALID);
        int elements = 0;
        MPI_T_pvar_handle& handle = handles.emplace_back();
        check(
            MPI_T_pvar_handle_alloc(session, pvar_number(name.c_str(), chosen.constant), nullptr, &handle, &elements));
    }
    void start() {
        if (batch->start() != mpit::result::success) check(MPI_T_ERR_INVALID);
        check(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    }
    void read_singly(sample& now) const {
        for (std::size_t i = 0; i < handles.size(); i++) check(MPI_T_pvar_read(session, handles[i], &now.all[i]));
        benchmark::ClobberMemory();
    }
    void read_at_once(sample& now) const {
        if (batch->read(now) != mpit::result::success) check(MPI_T_ERR_INVALID);
        benchmark::ClobberMemory();
    }
};

void add_both(const std::string& called, const std::shared_ptr<chosen>& of) {
    of->start();
    measured("batch/" + called + " single reads", [of](benchmark::State& state) {
        sample now{};
        for (auto _ : state) of->read_singly(now);
        benchmark::DoNotOptimize(now);
    });
    measured("batch/" + called + " variables", [of](benchmark::State& state) {
        sample now{};
        for (auto _ : state) of->read_at_once(now);
        benchmark::DoNotOptimize(now);
    });
}

// Another thread counts in all of them during the measurement.
class counting_thread {
public:
    counting_thread()
        : thread_{[this] {
              while (!ends_.load(std::memory_order_relaxed))
                  for (auto& each : variables().counters) ++*each;
          }} {}
    ~counting_thread() {
        ends_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> ends_{false};
    std::thread thread_;
};
void add_while_counting(const std::shared_ptr<chosen>& of) {
    measured("batch/100 single reads while a thread counts", [of](benchmark::State& state) {
        counting_thread other;
        sample now{};
        for (auto _ : state) of->read_singly(now);
    });
    measured("batch/100 variables while a thread counts", [of](benchmark::State& state) {
        counting_thread other;
        sample now{};
        for (auto _ : state) of->read_at_once(now);
    });
}

} // namespace

int main(int argc, char** argv) {
    static const mpit::registry::registration registered{variables(), "batch"};
    initialize_tool();
    for (const std::size_t amount : amounts) {
        const auto counters = std::make_shared<chosen>(), others = std::make_shared<chosen>();
        for (std::size_t i = 0; i < amount; i++) {
            counters->add(name_of(i), counter);
            others->add(name_of(i), mixed[i % 3]);
        }
        const std::string called = std::to_string(amount);
        add_both(called, counters);
        add_both(called + " timers, levels and watermarks:", others);
        if (amount == 100) add_while_counting(counters);
    }
    for (auto& each : variables().counters) ++*each;
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    check(MPI_T_finalize());
}
