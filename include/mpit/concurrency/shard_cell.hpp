// SPDX-License-Identifier: BSD-3-Clause
// A sum with one cell in the shard of every thread (as in folly's ThreadCachedInt). An addition is one instruction on
// the cell of the calling thread, and total() reads the cells of all shards.
//
//   mpit::core::shard_cell calls;  calls.add(1);  calls.total();
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/concurrency/thread_shards.hpp>
#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// A sum with a numbered cell in every shard, and with one shared cell to which threads without a shard add. A sum
// without a cell number, such as the sum of one MPI object, has only the shared cell.
class shard_cell {
public:
    constexpr shard_cell() noexcept {}
    constexpr explicit shard_cell(std::uint64_t start) noexcept : shared_{start} {}

    void add(std::uint64_t n) noexcept {
        const std::uint32_t offset = offset_.load(core::relaxed);
        if (offset < this_thread_shard.cells_end) [[likely]]
            this_thread_shard.cell_at(offset).add_as_owner(n);
        else add_without_shard(offset, n);
    }
    // Performs add() on a sum whose cells hold the bits of doubles.
    void add_real(double n) noexcept {
        const std::uint32_t offset = offset_.load(core::relaxed);
        if (offset < this_thread_shard.cells_end || detail::has_shard_cell(offset))
            core::add_real_as_owner(this_thread_shard.cell_at(offset), n);
        else core::add_real(shared_, n);
    }
    std::uint64_t total() const noexcept {
        const std::uint32_t offset = offset_.load();
        return total_at(shared_, offset, first_shard(offset));
    }
    // Returns total() for a caller that has already loaded the offset of the cell and the first shard.
    static std::uint64_t total_at(const atomic<std::uint64_t>& shared, std::uint64_t offset,
                                  const shard* first) noexcept {
        std::uint64_t sum = shared.load();
        shard::for_each(first, [&](const shard& s) __attribute__((always_inline)) { sum += s.cell_at(offset).load(); });
        return sum;
    }
    // Computes the result of total_at() by a shorter loop. Returns false for more than eight shards, because total_at()
    // loads the cells of several shards at once and is then faster. The first shard of the list has the highest number.
    [[gnu::always_inline]] static bool total_of_few(const atomic<std::uint64_t>& shared, std::uint64_t offset,
                                                    const shard* first, std::uint64_t& sum) noexcept {
        constexpr std::uint32_t few = 8;
        if (first->number >= few) [[unlikely]]
            return false;
        sum = shared.load();
        do sum += first->cell_at(offset).load();
        while ((first = first->next()) != nullptr);
        return true;
    }
    double total_real() const noexcept {
        double sum = core::double_of(shared_.load());
        const std::uint32_t offset = offset_.load();
        shard::for_each(first_shard(offset), [&](const shard& s) { sum += core::double_of(s.cell_at(offset).load()); });
        return sum;
    }
    // Returns total(), or the bits of total_real() if `is_real` is true. shard_walks.hpp defines this function.
    static std::uint64_t word_of(const shard_cell& cell, bool is_real) noexcept;
    // Computes the totals of `count` sums with consecutive cell numbers. Reads all shards part by part.
    static void words_of(const shard_cell* cells, std::uint32_t count, bool are_real, std::uint64_t* words) noexcept;
    // Assigns the cells with number `cell` in all shards to the sum. The registry assigns cells to a sum only once.
    void assign_cell(std::uint32_t cell) noexcept;
    // Return arguments of total_at(), which are the shared cell and the offset of the numbered cell in a shard.
    const atomic<std::uint64_t>& shared() const noexcept { return shared_; }
    std::uint32_t offset_in_shards() const noexcept { return offset_.load(); }
    constexpr void initialize(std::uint64_t start) noexcept { shared_.initialize(start); }
    // Sets the value of a sum without a cell number, which has only the shared cell.
    void reset(std::uint64_t start) noexcept { shared_.store(start); }

private:
    static shard* first_shard(std::uint32_t offset) noexcept {
        const shard_set* set = shards.load();
        return set != nullptr && offset < set->cells_end ? set->first.load() : nullptr;
    }
    // Adds to a sum if the sum has no cell number, or if the thread has no shard yet. Defined in shard_walks.hpp.
    [[gnu::cold]] void add_without_shard(std::uint32_t offset, std::uint64_t n) noexcept;
    [[gnu::cold]] void add_in_new_shard(std::uint32_t offset, std::uint64_t n) noexcept;

    atomic<std::uint64_t> shared_;
    atomic<std::uint32_t> offset_{no_shard_cell};
};

} // namespace core
} // namespace mpit
