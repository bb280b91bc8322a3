// The numbers of each function of the MPI in a region of the program: the thread that calls it adds to the cells of its
// own region, with plain additions; the agent's thread reads them.
//
//   count_in_region(function::MPI_Send, bytes, taken, waited, false);
#pragma once

#include "variables.hpp"

#include "../regions.h"

#include <atomic>
#include <cstdlib>

namespace mpit_info {

// Finds the region of the calling thread; null if calls are not counted by region. A tool that leaves takes it away
// while threads count.
inline std::atomic<mpit_info_region* (*)()> the_region{nullptr};

// Calls, bytes, nanoseconds, nanoseconds waited of each function, and the late senders.
inline constexpr std::size_t region_words = 4,
                             region_cells = static_cast<std::size_t>(function::count) * region_words + 1;
inline std::size_t region_cell_of(std::ptrdiff_t function_number, std::size_t which) noexcept {
    return static_cast<std::size_t>(function_number) * region_words + which;
}

[[gnu::noinline]] inline void count_in_region_of(mpit_info_region* (*find)(), function of, std::uint64_t bytes,
                                                 std::uint64_t taken, std::uint64_t waited, bool is_late) noexcept {
    mpit_info_region* const here = find();
    if (here == nullptr) return;
    if (here->cells == nullptr) [[unlikely]] {
        void* const made = std::calloc(region_cells, sizeof *here->cells);
        if (made == nullptr) return;
        __atomic_store_n(&here->cells, static_cast<std::uint64_t*>(made), __ATOMIC_RELEASE);
    }
    const auto add = [](std::uint64_t& to, std::uint64_t number) {
        __atomic_store_n(&to, to + number, __ATOMIC_RELAXED);
    };
    std::uint64_t* const cells = here->cells + region_cell_of(static_cast<std::ptrdiff_t>(of), 0);
    add(cells[0], 1);
    add(cells[1], bytes);
    add(cells[2], taken);
    add(cells[3], waited);
    if (is_late) add(here->cells[region_cells - 1], 1);
}
inline void count_in_region(function of, std::uint64_t bytes, std::uint64_t taken, std::uint64_t waited,
                            bool is_late) noexcept {
    if (mpit_info_region * (*const find)() = the_region.load(std::memory_order_relaxed))
        count_in_region_of(find, of, bytes, taken, waited, is_late);
}

} // namespace mpit_info
