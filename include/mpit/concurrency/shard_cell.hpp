// SPDX-License-Identifier: BSD-3-Clause
// A sum with a cell in the shard of every thread: an addition is one instruction in the thread's own cell, a total
// visits all shards.
//
//   mpit::core::shard_cell calls;  calls.add(1);  calls.total();
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// A cell in every shard, with one that all threads share for what is counted before it has a number.
class shard_cell {
public:
    constexpr shard_cell() noexcept {}
    constexpr explicit shard_cell(std::uint64_t start) noexcept : shared_{start} {}

    void add(std::uint64_t n) noexcept {
        const std::uint32_t distance = distance_.load(core::relaxed);
        if (distance < this_thread_shard.cells_end) [[likely]]
            this_thread_shard.cell_at(distance).add_as_owner(n);
        else add_without_shard(distance, n);
    }
    // The same for a cell that holds the bits of a double.
    void add_real(double n) noexcept {
        const std::uint32_t distance = distance_.load(core::relaxed);
        if (distance < this_thread_shard.cells_end || detail::has_shard_cell(distance))
            core::add_real_as_owner(this_thread_shard.cell_at(distance), n);
        else core::add_real(shared_, n);
    }
    std::uint64_t total() const noexcept {
        const std::uint32_t distance = distance_.load();
        return total_at(shared_, distance, first_shard(distance));
    }
    // The same for callers that know its parts.
    static std::uint64_t total_at(const atomic<std::uint64_t>& shared, std::uint64_t distance,
                                  const shard* first) noexcept {
        std::uint64_t sum = shared.load();
        shard::for_each(
            first, [&](const shard& each) __attribute__((always_inline)) { sum += each.cell_at(distance).load(); });
        return sum;
    }
    // The same where few threads count, in fewer instructions for one. Returns false for more: total_at() has eight
    // loads in flight at once. The list of the shards begins with the highest number.
    [[gnu::always_inline]] static bool total_of_few(const atomic<std::uint64_t>& shared, std::uint64_t distance,
                                                    const shard* first, std::uint64_t& sum) noexcept {
        constexpr std::uint32_t few = 8;
        if (first->number >= few) [[unlikely]]
            return false;
        sum = shared.load();
        do sum += first->cell_at(distance).load();
        while ((first = first->next()) != nullptr);
        return true;
    }
    double total_real() const noexcept {
        double sum = core::double_of(shared_.load());
        const std::uint32_t distance = distance_.load();
        shard::for_each(first_shard(distance),
                        [&](const shard& each) { sum += core::double_of(each.cell_at(distance).load()); });
        return sum;
    }
    // The same for tools, out of line. (shard_walks.hpp)
    static std::uint64_t word_of(const shard_cell& cell, bool is_real) noexcept;
    // Of `count` cells whose numbers follow each other, in one walk over the shards.
    static void words_of(const shard_cell* cells, std::uint32_t count, bool are_real, std::uint64_t* words) noexcept;
    // Gives it a place in every shard, once.
    void number(std::uint32_t cell) noexcept;
    // Its two parts, for reads of many: the cell that all threads share, and the distance in every shard.
    const atomic<std::uint64_t>& shared() const noexcept { return shared_; }
    std::uint32_t distance_in_shards() const noexcept { return distance_.load(); }
    constexpr void begin_with(std::uint64_t start) noexcept { shared_.begin_with(start); }
    // For cells without a number, which are in no shard.
    void reset(std::uint64_t start) noexcept { shared_.store(start); }

private:
    static shard* first_shard(std::uint32_t distance) noexcept {
        const shard_set* set = shards.load();
        return set != nullptr && distance < set->cells_end ? set->first.load() : nullptr;
    }
    // Cells of objects have no number, and a thread has no shard until it counts. (shard_walks.hpp)
    [[gnu::cold]] void add_without_shard(std::uint32_t distance, std::uint64_t n) noexcept;
    [[gnu::cold]] void add_in_new_shard(std::uint32_t distance, std::uint64_t n) noexcept;

    atomic<std::uint64_t> shared_;
    atomic<std::uint32_t> distance_{no_shard_cell};
};

} // namespace core
} // namespace mpit
