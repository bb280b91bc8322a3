// How each benchmark is registered: by a name, of which the part before the first slash is the folder, and a function.
// With BENCHMARK_TURNS in the environment each makes so many turns and no more: count.py counts the instructions of a
// turn so.
//
//   measured("hot/counter/1 thread", [](benchmark::State& state) { for (auto _ : state) ++counter; });
#pragma once

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <utility>

template <class Function> benchmark::internal::Benchmark* measured(const std::string& name, Function function) {
    benchmark::internal::Benchmark* made = benchmark::RegisterBenchmark(name.c_str(), std::move(function));
    if (const char* turns = std::getenv("BENCHMARK_TURNS")) made->Iterations(std::atoll(turns));
    return made;
}
