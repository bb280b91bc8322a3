// SPDX-License-Identifier: BSD-3-Clause
// A counter, an aggregate or a timer that is described at run time, over a cell of the library, which counts as that of a
// declared variable does.
//
//   static mpit::counter_cell sent;   group.counter<unsigned long>("sent", "Messages sent", {.cell = &sent});
#pragma once

#include <mpit/variable/cells.hpp>
#include <mpit/dynamic/settings.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Settings of a sum: the `cell` that the library counts in, which lives as long as the group. A read visits the cells of all
// threads. The others are those of performance_settings.
template <class Cell> struct dynamic_sum_settings {
    Cell* cell = nullptr;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    internal::flag atomic{};
};

namespace MPIT_MODULE_LOCAL internal {

template <performance_class Class, class T, class Cell> class dynamic_sum : public descriptor::performance {
    static constexpr bool is_in_seconds = Class == performance_class::timer && __is_same(T, double);
    static_assert(core::utilization<T> && (is_in_seconds || !__is_same(T, double)),
                  "a sum in a cell is unsigned, unsigned long or unsigned long long, a timer may also be double");

public:
    using settings = dynamic_sum_settings<Cell>;

    dynamic_sum(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : performance{Class, in_category, called, meaning}, cell_{chosen.cell} {
        type = core::datatype_of<T>();
        operations = &table;
        apply_performance_settings(*this, chosen);
    }
    static bool is_possible(const settings& chosen) noexcept {
        return chosen.cell != nullptr && static_cast<int>(chosen.verbosity) < verbosity_count &&
               !(chosen.readonly && chosen.atomic.value == flag::yes);
    }

private:
    static shard_kept& cell_of(descriptor::performance& d) noexcept { return *static_cast<dynamic_sum&>(d).cell_; }

    static constexpr descriptor::performance_operations table{
        .value_behaviour = behaviour::accumulating,
        .real = false,
        .words_per_unit = is_in_seconds ? 1e9 : 0,
        .in_shards = descriptor::shard_use::sum,
        .locate = [](descriptor::performance& d, object_key, std::uint32_t& generation) -> void* {
            generation = 0;
            return &cell_of(d);
        },
        .sample = [](descriptor::performance&, void* cell,
                     std::uint32_t) { return static_cast<const shard_kept*>(cell)->total(); },
        .level = nullptr,
        .number = [](descriptor::performance& d, std::uint32_t first) { cell_of(d).number(first); },
        .key = nullptr,
        .read = nullptr,
    };

    shard_kept* cell_;
};

} // namespace internal
} // namespace mpit

#pragma GCC diagnostic pop
