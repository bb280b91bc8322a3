// SPDX-License-Identifier: BSD-3-Clause
// A counter, an aggregate or a timer that is described at run time, over a cell of the library, which counts as that of a
// declared variable does.
//
//   static mpit::counter_cell sent;   group.counter<unsigned long>("sent", "Messages sent", {.cell = &sent});
#pragma once

#include <mpit/variable/cells.hpp>
#include <mpit/dynamic/over_cell.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// The cell of amounts of T.
template <class T> struct cell_of_amounts { using type = counter_cell; };
template <> struct cell_of_amounts<double> { using type = real_cell; };

template <performance_class Class, class T, class Cell> class dynamic_sum : public over_cell<shard_kept> {
    static constexpr bool is_real = __is_same(Cell, real_cell);
    static constexpr bool is_in_seconds = Class == performance_class::timer && __is_same(T, double) && !is_real;
    static_assert(core::utilization<T> && (Class != performance_class::counter || !__is_same(T, double)),
                  "a sum in a cell is unsigned, unsigned long or unsigned long long, an aggregate or a timer may also be double");

public:
    using settings = dynamic_cell_settings<Cell>;

    dynamic_sum(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : over_cell{Class, in_category, called, meaning, chosen, table} {
        type = core::datatype_of<T>();
    }
    static bool is_possible(const settings& chosen) noexcept { return is_possible_cell(chosen); }

private:
    static constexpr descriptor::performance_operations table{
        .value_behaviour = behaviour::accumulating,
        .real = is_real,
        .words_per_unit = is_in_seconds ? 1e9 : 0,
        .in_shards = descriptor::shard_use::sum,
        .locate = &locate,
        .sample = [](descriptor::performance&, void* cell,
                     std::uint32_t) { return static_cast<const Cell&>(*static_cast<const shard_kept*>(cell)).word(); },
        .level = nullptr,
        .number = [](descriptor::performance& d, std::uint32_t first) { cell_of(d).number(first); },
        .key = nullptr,
        .read = nullptr,
    };
};

} // namespace internal
} // namespace mpit
