// The alternatives to the registry: maps of the standard library, absl's, one that gperf has made, and a
// mutex around each that may change.
//
//   rivals all{names};  all.in_map("MPIR_CVAR_...")   // a number, or -1
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#ifdef BENCHMARK_HAS_ABSL
#include "map_of_a_library.h"

#include <absl/container/flat_hash_map.h>
#endif
#ifdef BENCHMARK_HAS_GPERF
struct numbered_name {
    const char* name;
    int number;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion" // the lines are gperf's
#include <perfect_1000.hpp>
#include <perfect_16.hpp>
#pragma GCC diagnostic pop
#endif

struct name_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
};

template <class Map, class Name> int number_in(const Map& map, const Name& name) {
    const auto found = map.find(name);
    return found == map.end() ? -1 : found->second;
}

struct rivals {
    std::unordered_map<std::string, int> hash_map{};
    std::unordered_map<std::string, int, name_hash, std::equal_to<>> transparent_map{};
    std::map<std::string, int, std::less<>> tree_map{};
#ifdef BENCHMARK_HAS_ABSL
    absl::flat_hash_map<std::string, int> flat_map{};
#endif
    std::mutex guarding{};

    explicit rivals(const std::vector<std::string>& names) {
        int number = 0;
        for (const std::string& name : names) {
            hash_map.emplace(name, number);
            transparent_map.emplace(name, number);
            tree_map.emplace(name, number);
#ifdef BENCHMARK_HAS_ABSL
            flat_map.emplace(name, number);
            map_add(name.c_str(), number);
#endif
            number++;
        }
    }

    // Calls `function(name, look_up)` for each of them; only gperf's is made for certain numbers of names.
    template <class Function> void for_each(int size, Function function) {
        function("unordered_map", [this](const char* name) { return number_in(hash_map, name); });
        function("unordered_map without a temporary string",
                 [this](const char* name) { return number_in(transparent_map, std::string_view{name}); });
        function("map", [this](const char* name) { return number_in(tree_map, std::string_view{name}); });
#ifdef BENCHMARK_HAS_ABSL
        function("absl::flat_hash_map",
                 [this](const char* name) { return number_in(flat_map, absl::string_view{name}); });
        function("absl::flat_hash_map behind a C function", [](const char* name) {
            int number = -1;
            map_get_index(name, &number);
            return number;
        });
#endif
#ifdef BENCHMARK_HAS_GPERF
        if (size == 16) function("table of gperf", &number_of_gperf<perfect_16>);
        if (size == 1000) function("table of gperf", &number_of_gperf<perfect_1000>);
#endif
        (void)size;
    }
    // The same for those that may change.
    template <class Function> void for_each_guarded(Function function) {
        function("unordered_map with a mutex", [this](const char* name) {
            const std::lock_guard here{guarding};
            return number_in(transparent_map, std::string_view{name});
        });
        function("map with a mutex", [this](const char* name) {
            const std::lock_guard here{guarding};
            return number_in(tree_map, std::string_view{name});
        });
#ifdef BENCHMARK_HAS_ABSL
        function("absl::flat_hash_map with a mutex", [this](const char* name) {
            const std::lock_guard here{guarding};
            return number_in(flat_map, absl::string_view{name});
        });
#endif
    }

private:
#ifdef BENCHMARK_HAS_GPERF
    template <class Table> static int number_of_gperf(const char* name) {
        const numbered_name* found = Table::in_word_set(name, std::strlen(name));
        return found == nullptr ? -1 : found->number;
    }
#endif
};
