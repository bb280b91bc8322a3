// The look-ups that are measured: one name after the other, any name, with full or emptied caches.
//
//   questions hits{present, maker};  ask_all(state, hits, [&](const char* name) { return map.find(name); });
#pragma once

#include "names.hpp"

#include <mpit/core/clock.hpp>

#include <benchmark/benchmark.h>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/cycle.hpp>
#include <range/v3/view/generate_n.hpp>
#include <range/v3/view/take.hpp>
#include <range/v3/view/transform.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

// Names in memory of the tool's own.
struct questions {
    static constexpr std::uint32_t count = 1 << 15;
    std::vector<const char*> names;

    // One name after the other, as a tool that iterates over all of them does: the processor predicts the order of a
    // few.
    explicit questions(const std::vector<std::string>& from)
        : names{from | ranges::views::cycle | ranges::views::transform(&std::string::c_str) |
                ranges::views::take(count) | ranges::to<std::vector>()} {}
    // Any name, so that the processor can predict neither lengths nor places.
    questions(const std::vector<std::string>& from, name_maker& chance)
        : names{ranges::views::generate_n(
                    [&, size = static_cast<std::uint32_t>(from.size())] {
                        return from[chance.number_below(size)].c_str();
                    }, count) |
                ranges::to<std::vector>()} {}
};

// Looks up one name a turn; each of several threads begins at another name.
template <class Ask> void ask_all(benchmark::State& state, const questions& about, Ask ask) {
    std::uint32_t at = static_cast<std::uint32_t>(state.thread_index()) * 4711;
    for (auto _ : state) {
        benchmark::DoNotOptimize(ask(about.names[at]));
        at = (at + 1) % questions::count;
    }
}

// Writes twice as many bytes as the largest cache holds, so that nothing else is in any of them.
inline void empty_the_caches() {
    static std::vector<char> more_than_all(
        2 * static_cast<std::size_t>(std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), 16L << 20)));
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < more_than_all.size(); i += line) more_than_all[i]++;
    benchmark::ClobberMemory();
}

// One turn: the median of some look-ups, each with empty caches but for the name and the clock, as of a tool that does
// something else in between.
constexpr int cold_repetitions = 7;
template <class Ask> void ask_cold(benchmark::State& state, const questions& about, Ask ask) {
    static std::uint32_t at = 0;
    std::array<std::uint64_t, 9> taken;
    for (auto _ : state) {
        for (std::uint64_t& each : taken) {
            const char* name = about.names[at++ % questions::count];
            empty_the_caches();
            benchmark::DoNotOptimize(std::strlen(name));
            benchmark::DoNotOptimize(mpit::core::nanoseconds());
            const auto before = mpit::core::nanoseconds();
            benchmark::DoNotOptimize(ask(name));
            each = static_cast<std::uint64_t>(mpit::core::nanoseconds() - before);
        }
        std::nth_element(taken.begin(), taken.begin() + taken.size() / 2, taken.end());
        state.SetIterationTime(1e-9 * static_cast<double>(taken[taken.size() / 2]));
    }
}
