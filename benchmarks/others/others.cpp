// What people would choose instead of mpit, beside it in one run: a count by one to four threads, a sample of a
// distribution by one to sixteen, the value after many threads have counted, a metric by its name, all of 1000 values,
// and an event that nothing listens to, or that is recorded. Libraries that are installed are used; the others are
// models.
//
//   others-benchmark [options of Google Benchmark]
//
// Cells of threads that have ended stay, so that "sample" and each number of threads of "value" are processes of their
// own.
#include "harness.hpp"
#include "listening.hpp"
#include "others/distribution_models.hpp"
#include "others/models.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/mpit.hpp>

#if BENCHMARK_HAS_PROMETHEUS
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#endif
#if BENCHMARK_HAS_LTTNG
#include "others/tracepoints.h"
#endif

#include <array>
#include <atomic>
#include <barrier>
#include <cmath>
#include <deque>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr int many = 1000;

struct counted_tree : mpit::category<"others", "What is compared"> {
    mpit::counter<> counter{this, "counter", "Events"};
    mpit::histogram<unsigned long> sizes{this, "sizes", "Buckets as of the models"};
    mpit::histogram<unsigned long, mpit::buckets{.scale = 2, .lowest = 2, .highest = 30}> fine{this, "fine", "Four"};
    mpit::histogram<double> real{this, "real", "Doubles"};
    mpit::latency<> time{this, "time", "Time, in seconds"};
    mpit::event<message> unheard{this, "unheard", "Nothing listens"};
    mpit::event<message> heard{this, "heard", "One callback copies it into a ring"};
};
inline constexpr auto& tree = mpit::registered<counted_tree>;

// As many counters as a library has that describes them at run time.
std::deque<std::string> names = [] {
    std::deque<std::string> made;
    for (int i = 0; i < many; i++) made.push_back("others_counter_" + std::to_string(i));
    return made;
}();
mpit::dynamic described{"others_many", "Counters that are described at run time"};
mpit::counter_cell cells[many];

struct alignas(128) own_line {
    std::atomic<unsigned long> value;
};
own_line shared_word;
unsigned long plain_global;
thread_local unsigned long thread_local_word;

#if BENCHMARK_HAS_PROMETHEUS
prometheus::Registry registry;
prometheus::Family<prometheus::Counter>& family =
    prometheus::BuildCounter().Name("others").Help("Events").Register(registry);
prometheus::Counter& prometheus_counter = family.Add({{"name", "counter"}});
#endif

std::string in_words(int threads) { return std::to_string(threads) + (threads == 1 ? " thread" : " threads"); }

template <class Count> void add_count(const char* called, Count count) {
    for (const int threads : {1, 2, 4})
        measured("others/count, " + in_words(threads) + "/" + called, [count](benchmark::State& state) {
            for (auto _ : state) {
                count();
                benchmark::ClobberMemory();
            }
        })->Threads(threads);
}
void add_counts() {
    add_count("mpit", [] { ++tree.counter; });
    measured("others/count, 1 thread/plain global", [](benchmark::State& state) {
        benchmark::DoNotOptimize(&plain_global);
        for (auto _ : state) {
            ++plain_global;
            benchmark::ClobberMemory();
        }
    });
    add_count("thread_local", [] { benchmark::DoNotOptimize(++thread_local_word); });
    add_count("shared atomic", [] { shared_word.value.fetch_add(1, std::memory_order_relaxed); });
#if BENCHMARK_HAS_PROMETHEUS
    add_count("prometheus-cpp", [] { prometheus_counter.Increment(); });
#endif
    add_count("model of folly::ThreadCachedInt", [] { models::folly_counter.increment(1); });
    add_count("model of OpenTelemetry's SDK", [] { models::open_telemetry_counter.add(1); });
    add_count("model of LCI", [] { models::lci_counters.add(0, 1); });
    add_count("model of UCX, off", [] { models::ucx_count(0, 1); });
}

// From 1 to 2^30 in an order without a pattern, as many in each power of two, so that buckets and branches are not
// known.
template <class T>
const std::array<T, 2048> samples = [] {
    std::array<T, 2048> made{};
    std::uint64_t word = 1;
    for (T& each : made) {
        word = word * 6364136223846793005u + 1442695040888963407u;
        each = static_cast<T>((word >> 34 | 1u << 29) >> (word >> 32) % 30);
    }
    return made;
}();
#if BENCHMARK_HAS_PROMETHEUS
prometheus::Histogram prometheus_histogram{[] {
    prometheus::Histogram::BucketBoundaries made;
    for (int power = 0; power <= 31; power++) made.push_back(std::ldexp(1.0, power));
    return made;
}()};
#endif

// `bytes_of_thread()` is the memory of one distribution in each thread that records.
template <class T, class Record, class Bytes>
void add_sample(const char* called, Record record, Bytes bytes_of_thread) {
    for (const int threads : {1, 2, 16})
        measured("others/sample, " + in_words(threads) + "/" + called, [=](benchmark::State& state) {
            std::size_t next = 0;
            for (auto _ : state) {
                record(samples<T>[next++ % samples<T>.size()]);
                benchmark::ClobberMemory();
            }
            if (state.thread_index() == 0) state.counters["bytes_of_thread"] = static_cast<double>(bytes_of_thread());
        })->Threads(threads);
}
// The buckets and the sum are in cells of the thread.
template <class T, class Histogram, class Record>
void add_histogram(const char* called, Histogram& histogram, Record record) {
    add_sample<T>(called, record, [&histogram] { return (histogram.bucket_count() + 1) * sizeof(std::uint64_t); });
}
template <class Model> void add_model(const char* called, Model& model) {
    add_sample<unsigned long>(called, [&model](unsigned long value) { model.record(value); },
                              [&model] { return model.bytes_of_thread(); });
}
void add_samples() {
    const auto none = [] { return 0; };
    add_histogram<unsigned long>("mpit", tree.sizes, [](unsigned long value) { tree.sizes.record(value); });
    add_histogram<unsigned long>("mpit, scale 2", tree.fine, [](unsigned long value) { tree.fine.record(value); });
    add_histogram<double>("mpit, double", tree.real, [](double value) { tree.real.record(value); });
    add_histogram<unsigned long>("mpit, latency", tree.time,
                                 [](unsigned long) { const auto running = tree.time.start(); });
    add_sample<unsigned long>("the loop alone", [](unsigned long value) { benchmark::DoNotOptimize(value); }, none);
    add_model("a mutex", models::mutex_histogram);
    add_model("shared atomics", models::atomic_histogram);
#if BENCHMARK_HAS_PROMETHEUS
    add_sample<double>("prometheus-cpp", [](double value) { prometheus_histogram.Observe(value); }, none);
#endif
    add_model("model of bvar::LatencyRecorder", models::bvar_recorder);
    add_model("model of babylon", models::babylon_recorder);
    add_model("model of fb303::TLHistogram", models::folly_histogram);
}

// Threads that have counted once and live until the end of a measurement.
class counting_threads {
public:
    template <class Count> counting_threads(int number, Count count) : ready_{number + 1}, end_{number + 1} {
        for (int i = 0; i < number; i++)
            threads_.emplace_back([this, count] {
                count();
                ready_.arrive_and_wait();
                end_.arrive_and_wait();
            });
        ready_.arrive_and_wait();
    }
    counting_threads(const counting_threads&) = delete;
    ~counting_threads() {
        end_.arrive_and_wait();
        for (std::thread& each : threads_) each.join();
    }

private:
    std::barrier<> ready_, end_;
    std::vector<std::thread> threads_;
};

class read_handle {
public:
    explicit read_handle(const char* name) {
        int count = 0;
        check(MPI_T_pvar_session_create(&session_));
        check(
            MPI_T_pvar_handle_alloc(session_, pvar_number(name, MPI_T_PVAR_CLASS_COUNTER), nullptr, &handle_, &count));
        check(MPI_T_pvar_start(session_, handle_));
    }
    unsigned long read() const {
        unsigned long value = 0;
        check(MPI_T_pvar_read(session_, handle_, &value));
        return value;
    }

private:
    MPI_T_pvar_session session_ = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle_ = MPI_T_PVAR_HANDLE_NULL;
};

template <class Count, class Read> void add_read(const char* called, Count count, Read read) {
    for (const int threads : {1, 16, 256})
        measured("others/value, " + in_words(threads) + "/" + called, [=](benchmark::State& state) {
            const counting_threads alive{threads, count};
            for (auto _ : state) benchmark::DoNotOptimize(read());
        });
}
void add_reads() {
    add_read("mpit", [] { ++tree.counter; }, [] {
        static const read_handle handle{"counter"};
        return handle.read();
    });
    add_read("shared atomic", [] { shared_word.value.fetch_add(1, std::memory_order_relaxed); },
             [] { return shared_word.value.load(std::memory_order_relaxed); });
#if BENCHMARK_HAS_PROMETHEUS
    add_read("prometheus-cpp", [] { prometheus_counter.Increment(); }, [] { return prometheus_counter.Value(); });
#endif
    add_read("model of folly::ThreadCachedInt", [] { models::folly_counter.increment(1); },
             [] { return models::folly_counter.read_full(); });
    add_read("model of OpenTelemetry's SDK", [] { models::open_telemetry_counter.add(1); },
             [] { return models::open_telemetry_counter.read(); });
    add_read("model of LCI", [] { models::lci_counters.add(0, 1); }, [] { return models::lci_counters.read(0); });
}

template <class Find> void add_find(const char* called, Find find) {
    measured("others/by name among 1000/" + std::string{called}, [find](benchmark::State& state) {
        std::size_t next = 0;
        for (auto _ : state) {
            benchmark::DoNotOptimize(find(names[next]));
            next = (next + 377) % many;
        }
    });
}
template <class Read> void add_all_values(const char* called, Read read) {
    measured("others/1000 values/" + std::string{called}, [read](benchmark::State& state) {
        for (auto _ : state) read();
    });
}
void check_result(mpit::result answer) { check(answer == mpit::result::success ? MPI_SUCCESS : MPI_T_ERR_INVALID); }
void add_many() {
    for (int i = 0; i < many; i++)
        check_result(described.counter<unsigned long>(names[static_cast<std::size_t>(i)].c_str(), "Events",
                                                      {.cell = &cells[i]}));
    check_result(described.publish().code);
    add_find("mpit", [](const std::string& name) { return pvar_number(name.c_str(), MPI_T_PVAR_CLASS_COUNTER); });
    add_all_values("mpit", [] {
        static const std::deque<read_handle> handles = [] {
            std::deque<read_handle> made;
            for (const std::string& each : names) made.emplace_back(each.c_str());
            return made;
        }();
        for (const read_handle& each : handles) benchmark::DoNotOptimize(each.read());
    });
#if BENCHMARK_HAS_PROMETHEUS
    static prometheus::Registry other;
    static auto& all = prometheus::BuildCounter().Name("others_many").Help("Events").Register(other);
    for (const std::string& each : names) all.Add({{"name", each}}).Increment();
    add_find("prometheus-cpp", [](const std::string& name) { return &all.Add({{"name", name}}); });
    add_all_values("prometheus-cpp", [] { benchmark::DoNotOptimize(other.Collect()); });
#endif
}

// What a recording tool does with an event at the least: a copy of its elements and its time into a ring.
struct recorded {
    message payload;
    MPI_Count stamp;
};
recorded ring[1024];
unsigned next_recorded;
void record(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    recorded& to = ring[next_recorded++ % 1024];
    check(MPI_T_event_copy(instance, &to.payload));
    check(MPI_T_event_get_timestamp(instance, &to.stamp));
}

template <class Raise> void add_event(const char* how, const char* called, Raise raise) {
    measured(std::string{"others/event, "} + how + "/" + called, [raise](benchmark::State& state) {
        for (auto _ : state) {
            raise();
            benchmark::ClobberMemory();
        }
    });
}
void add_events() {
    add_event("nothing listens", "mpit", [] { tree.unheard(1, 2, 3ul); });
    add_event("recorded", "mpit", [] { tree.heard(1, 2, 3ul); });
#if BENCHMARK_HAS_LTTNG
    const bool is_recorded = lttng_ust_tracepoint_enabled(mpit_benchmark, message);
    add_event(is_recorded ? "recorded" : "nothing listens", "LTTng-UST",
              [] { lttng_ust_tracepoint(mpit_benchmark, message, 1, 2, 3ul); });
#endif
}

} // namespace

int main(int count, char** arguments) {
    benchmark::Initialize(&count, arguments);
    initialize_tool();
    static registration heard{"heard"};
    heard.call(&record);
    add_counts();
    add_samples();
    add_reads();
    add_many();
    add_events();
    benchmark::RunSpecifiedBenchmarks();
}
