// SPDX-License-Identifier: BSD-3-Clause
// A counter, an aggregate or a timer that is described at run time, over a cell of the library, which counts as that of a
// declared variable does.
//
//   static mpit::counter_cell sent;   group.counter<unsigned long>("sent", "Messages sent", {.cell = &sent});
#pragma once

#include <mpit/variable/cells.hpp>
#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <performance_class Class, class T, class Cell> class dynamic_sum : public descriptor::performance {
    static constexpr bool is_in_seconds = Class == performance_class::timer && __is_same(T, double);
    static_assert(core::utilization<T> && (is_in_seconds || !__is_same(T, double)),
                  "a sum in a cell is unsigned, unsigned long or unsigned long long, a timer may also be double");

public:
    using settings = dynamic_cell_settings<Cell>;

    dynamic_sum(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : performance{Class, in_category, called, meaning}, cell_{chosen.cell} {
        type = core::datatype_of<T>();
        operations = &table;
        apply_performance_settings(*this, chosen);
    }
    static bool is_possible(const settings& chosen) noexcept { return is_possible_cell(chosen); }

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
