// The number of a control variable from its name, as a tool asks for it, among 16, 1000 or 16384 others. There is one
// index in a process and it only grows, so each size is a run of its own:
//
//   index-benchmark 1000 [options of Google Benchmark]
#include "names.hpp"
#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <benchmark/benchmark.h>

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

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

// Asks for one name an iteration.
template <class Ask> void add(const std::string& called, const questions& about, Ask ask) {
    benchmark::RegisterBenchmark(called.c_str(), [&about, ask](benchmark::State& state) {
        std::uint32_t at = 0;
        for (auto _ : state) {
            benchmark::DoNotOptimize(ask(about.names[at]));
            at = (at + 1) % questions::count;
        }
    });
}

} // namespace

int main(int count, char** arguments) {
    const int size = count > 1 ? std::atoi(arguments[1]) : 1000;
    benchmark::Initialize(&count, arguments);

    name_maker maker;
    std::vector<std::string> present, absent;
    for (int i = 0; i < size; i++) present.push_back(maker.next());
    for (int i = 0; i < size; i++) absent.push_back(maker.next());

    static measured_variables tree;
    static std::vector<std::unique_ptr<mpit::control<int>>> variables; // as long-lived as their tree
    std::unordered_map<std::string, int> map;
    std::unordered_map<std::string, int, name_hash, std::equal_to<>> transparent_map;
    for (const std::string& name : present) {
        const int number = static_cast<int>(variables.size());
        variables.push_back(std::make_unique<mpit::control<int>>(&tree, name.c_str(), "A variable"));
        map.emplace(name, number);
        transparent_map.emplace(name, number);
    }
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
    add_all("MPI_T_cvar_get_index", number_of);
    add_all("unordered_map", [&map](const char* name) {
        const auto found = map.find(name);
        return found == map.end() ? -1 : found->second;
    });
    add_all("unordered_map without a temporary string", [&transparent_map](const char* name) {
        const auto found = transparent_map.find(std::string_view{name});
        return found == transparent_map.end() ? -1 : found->second;
    });
    add_all("strlen", [](const char* name) { return std::strlen(name); });
    add_all("strlen and hash", [](const char* name) { return mpit::base::hash({name}); });
    benchmark::RunSpecifiedBenchmarks();
}
