// SPDX-License-Identifier: BSD-3-Clause
// A level, a size, a percentage or a watermark that is described at run time, over a cell of the library. Several variables may be
// over one cell: a level, and its highest and lowest value.
//
//   static mpit::level_cell<unsigned long> queued;   group.high_watermark("longest_queue", "Messages", {.cell = &queued});
#pragma once

#include <mpit/dynamic/over_cell.hpp>
#include <mpit/variable/watched_level.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// A level, a size and a percentage behave alike, and share one table, whose addresses the loader writes in each process.
template <behaviour Behaviour, bool Real> struct level_operations {
    static constexpr descriptor::performance_operations table{
        .value_behaviour = Behaviour,
        .real = Real,
        .words_per_unit = 0,
        .in_shards = descriptor::shard_use::none,
        .locate = &over_cell<watched_level>::locate,
        .sample = [](descriptor::performance&, void* cell, std::uint32_t) { return static_cast<watched_level*>(cell)->word(); },
        .level = [](descriptor::performance&, void* cell, std::uint32_t) { return cell; },
        .number = nullptr,
        .key = nullptr,
        .read = nullptr,
        .stored =
            [](descriptor::performance&, void* cell, std::uint32_t& bytes) {
                bytes = 8;
                return static_cast<watched_level*>(cell)->stored();
            },
    };
};

template <performance_class Class, class T> class dynamic_level : public over_cell<watched_level> {
    static constexpr behaviour behaves = Class == performance_class::high_watermark  ? behaviour::marking_high
                                         : Class == performance_class::low_watermark ? behaviour::marking_low
                                                                                     : behaviour::following;

public:
    using settings = dynamic_cell_settings<level_cell<T>>;

    dynamic_level(descriptor::category* in_category, text called, text meaning, const settings& chosen) noexcept
        : over_cell{Class, in_category, called, meaning, chosen,
                    level_operations<behaves, __is_same(T, double)>::table} {
        type = core::datatype_of<T>();
    }
    static bool is_possible(const settings& chosen) noexcept { return is_possible_cell(chosen); }
};

} // namespace internal
} // namespace mpit
