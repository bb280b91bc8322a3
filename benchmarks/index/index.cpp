// The number of a control variable from its name, as a tool asks for it, among 16 to 131072 others; beside what a library
// would use instead. There is one index in a process and it only grows, so each size is a run of its own:
//
//   index-benchmark 1000 [options of Google Benchmark]
//   index-benchmark 1000 registering     with a thread that registers all the time, so that there are more and more names
#include "names.hpp"
#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

#if __has_include(<absl/container/flat_hash_map.h>)
#include <absl/container/flat_hash_map.h>
#endif

namespace {

struct measured_variables : mpit::category<"measured", "Variables that are looked for"> {};

struct name_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};

// What is asked for, in memory of the tool's own.
struct questions {
    static constexpr std::uint32_t count = 1 << 15;
    std::vector<const char*> names;

    // One name after the other, as a tool that walks over all of them asks: the processor learns the order of a few.
    explicit questions(const std::vector<std::string>& from) {
        for (std::uint32_t i = 0; i < count; i++) names.push_back(from[i % from.size()].c_str());
    }
    // Any name, so that the processor can predict neither lengths nor places.
    questions(const std::vector<std::string>& from, name_maker& chance) {
        for (std::uint32_t i = 0; i < count; i++)
            names.push_back(from[chance.number_below(static_cast<std::uint32_t>(from.size()))].c_str());
    }
};

// Asks for one name an iteration; each of several threads begins somewhere else.
template <class Ask> void ask_all(benchmark::State& state, const questions& about, Ask ask) {
    std::uint32_t at = static_cast<std::uint32_t>(state.thread_index()) * 4711;
    for (auto _ : state) {
        benchmark::DoNotOptimize(ask(about.names[at]));
        at = (at + 1) % questions::count;
    }
}
template <class Ask> auto* add(const std::string& called, const questions& about, Ask ask) {
    return benchmark::RegisterBenchmark(called.c_str(),
                                        [&about, ask](benchmark::State& state) { ask_all(state, about, ask); });
}

// A thread that registers one variable after the other, some thousands a second, while this lives.
class registrar {
public:
    registrar() {
        thread_ = std::thread{[this] {
            while (!is_over_) {
                mpit::index::enrol(trees().emplace_back(trees().size()), "the benchmark");
                std::this_thread::sleep_for(std::chrono::microseconds{100});
            }
        }};
    }
    ~registrar() {
        is_over_ = true;
        thread_.join();
    }
    registrar(const registrar&) = delete;

private:
    struct late_tree : mpit::describe::category {
        std::string name;
        mpit::control<int> control;
        explicit late_tree(std::size_t number)
            : category{"late", "Variables that come while others look"},
              name{"LATE_" + std::to_string(number)},
              control{this, name.c_str(), "A variable that came late"} {}
    };
    static std::deque<late_tree>& trees() {
        static std::deque<late_tree> all;
        return all;
    }

    std::atomic<bool> is_over_{false};
    std::thread thread_;
};

} // namespace

int main(int count, char** arguments) {
    const int size = count > 1 ? std::atoi(arguments[1]) : 1000;
    const bool is_registering = count > 2 && std::string_view{arguments[2]} == "registering";
    benchmark::Initialize(&count, arguments);

    name_maker maker;
    std::vector<std::string> present, absent;
    for (int i = 0; i < size; i++) present.push_back(maker.next());
    for (int i = 0; i < size; i++) absent.push_back(maker.next());

    static measured_variables tree;
    static std::vector<std::unique_ptr<mpit::control<int>>> variables; // as long-lived as their tree
    std::unordered_map<std::string, int> map;
    std::map<std::string, int, std::less<>> tree_map;
    std::mutex guarding;
    std::unordered_map<std::string, int, name_hash, std::equal_to<>> transparent_map;
    for (const std::string& name : present) {
        const int number = static_cast<int>(variables.size());
        variables.push_back(std::make_unique<mpit::control<int>>(&tree, name.c_str(), "A variable"));
        map.emplace(name, number);
        transparent_map.emplace(name, number);
        tree_map.emplace(name, number);
    }
#if __has_include(<absl/container/flat_hash_map.h>)
    absl::flat_hash_map<std::string, int> flat_map{map.begin(), map.end()};
#endif
    mpit::index::enrol(tree, "the benchmark");
    initialize_tool();

    const questions walk{present}, hits{present, maker}, misses{absent, maker};
    const auto number_of = [](const char* name) {
        int number = -1;
        MPI_T_cvar_get_index(name, &number);
        return number;
    };
    for (const char* name : hits.names)
        if (number_of(name) != map.at(name)) return 1;

    const std::string group = "index/" + std::to_string(size) + "/";
    const auto add_all = [&](const std::string& what, auto ask) {
        add(group + what + "/walk", walk, ask);
        add(group + what + "/hit", hits, ask);
        add(group + what + "/miss", misses, ask);
    };
    if (is_registering) {
        // Both take turns in one process, because names are added.
        const std::string what = group + "MPI_T_cvar_get_index among more and more/hit";
        add(what, hits, number_of);
        benchmark::RegisterBenchmark((what + ", another thread registers").c_str(), [&](benchmark::State& state) {
            const registrar here;
            ask_all(state, hits, number_of);
        });
        benchmark::RunSpecifiedBenchmarks();
        return 0;
    }
    add_all("MPI_T_cvar_get_index", number_of);
    add_all("unordered_map", [&map](const char* name) {
        const auto found = map.find(name);
        return found == map.end() ? -1 : found->second;
    });
    add_all("unordered_map without a temporary string", [&transparent_map](const char* name) {
        const auto found = transparent_map.find(std::string_view{name});
        return found == transparent_map.end() ? -1 : found->second;
    });
    const auto guarded = [&](const char* name) {
        const std::lock_guard here{guarding};
        const auto found = transparent_map.find(std::string_view{name});
        return found == transparent_map.end() ? -1 : found->second;
    };
    add_all("the same with a mutex", guarded);
    add_all("map", [&tree_map](const char* name) {
        const auto found = tree_map.find(std::string_view{name});
        return found == tree_map.end() ? -1 : found->second;
    });
#if __has_include(<absl/container/flat_hash_map.h>)
    add_all("absl::flat_hash_map", [&flat_map](const char* name) {
        const auto found = flat_map.find(absl::string_view{name});
        return found == flat_map.end() ? -1 : found->second;
    });
#endif
    add(group + "MPI_T_cvar_get_index/hit, two threads", hits, number_of)->Threads(2);
    add(group + "the same with a mutex/hit, two threads", hits, guarded)->Threads(2);
    add_all("strlen", [](const char* name) { return std::strlen(name); });
    add_all("strlen and hash", [](const char* name) { return mpit::base::hash({name}); });
    benchmark::RunSpecifiedBenchmarks();
}
