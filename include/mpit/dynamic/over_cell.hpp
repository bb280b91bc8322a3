// SPDX-License-Identifier: BSD-3-Clause
// The common part of performance variables that are described at run time over a cell of the library: sums, levels and states.
//
//   class dynamic_sum : public over_cell<counter_cell> { … };
#pragma once

#include <mpit/dynamic/settings.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <class Cell> class over_cell : public descriptor::performance {
public:
    static void* locate(descriptor::performance& d, object_key, std::uint32_t& generation) {
        generation = 0;
        return &cell_of(d);
    }

protected:
    template <class Settings>
    over_cell(performance_class of_class, descriptor::category* in_category, text called, text meaning,
              const Settings& chosen, const descriptor::performance_operations& table) noexcept
        : performance{of_class, in_category, called, meaning}, cell_{chosen.cell} {
        operations = &table;
        apply_performance_settings(*this, chosen);
    }
    static Cell& cell_of(descriptor::performance& d) noexcept { return *static_cast<over_cell&>(d).cell_; }

private:
    Cell* cell_;
};

// What the settings of each of them have to be.
template <class Settings> bool is_possible_cell(const Settings& chosen) noexcept {
    return chosen.cell != nullptr && static_cast<int>(chosen.verbosity) < verbosity_count &&
           !(chosen.readonly && chosen.atomic.value == flag::yes);
}

} // namespace internal
} // namespace mpit
