// SPDX-License-Identifier: BSD-3-Clause
// A state that is described at run time, over a cell of the library. Its items are those of its enumeration, or are known only at run
// time.
//
//   static mpit::state_cell<int> phase;   group.state("phase", "What it does", {.cell = &phase, .items = {"phases", phases}});
#pragma once

#include <mpit/dynamic/over_cell.hpp>
#include <mpit/variable/state.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// Settings of a state: the `cell` that the library sets, which lives as long as the group, and the `items` of a state_cell<int>, one
// of which the library sets. The others are those of performance_settings.
template <class Cell> struct dynamic_state_settings {
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    Cell* cell = nullptr;
    dynamic_items items{};
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
    bool readonly = false;
    bool continuous = false;
    internal::flag atomic{};
};

namespace MPIT_MODULE_LOCAL internal {

template <class E> class dynamic_state : public over_cell<state_cell<E>> {
public:
    using settings = dynamic_state_settings<state_cell<E>>;

    // The items are checked, and stay where they are.
    dynamic_state(descriptor::category* in_category, text called, text meaning, const core::enumeration_view& items,
                  const settings& chosen) noexcept
        : over_cell<state_cell<E>>{performance_class::state, in_category, called, meaning, chosen, table} {
        this->type = datatype::int_type;
        this->enumeration = items;
    }
    static core::enumeration_view items_of_type() noexcept { return core::enumeration_view_of<E>(); }
    static bool is_possible(const settings& chosen, const core::enumeration_view& items) noexcept {
        return is_possible_cell(chosen) && items.has(static_cast<int>(chosen.cell->get())) &&
               (__is_same(E, int) || chosen.items.count == 0);
    }

private:
    static constexpr descriptor::performance_operations table{
        .value_behaviour = behaviour::choosing,
        .real = false,
        .words_per_unit = 0,
        .in_shards = descriptor::shard_use::none,
        .locate = &over_cell<state_cell<E>>::locate,
        .sample = [](descriptor::performance&, void* cell, std::uint32_t) { return static_cast<const state_cell<E>*>(cell)->word(); },
        .level = nullptr,
        .number = nullptr,
        .key = nullptr,
        .read = nullptr,
    };
};

} // namespace internal
} // namespace mpit

#pragma GCC diagnostic pop
