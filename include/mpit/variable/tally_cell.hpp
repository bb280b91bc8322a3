// SPDX-License-Identifier: BSD-3-Clause
// A sum and its count, readable as of one moment. A change has three steps: it counts its beginning, adds to the sum,
// and counts its end. If a reader finds as many beginnings after reading the sum as ends before it, the sum is that of
// exactly so many changes.
//
//   tally_cell sent;  sent.add(bytes);   const tally_values both = sent.values(false, attempts_left);
#pragma once

#include <mpit/concurrency/add_real.hpp>
#include <mpit/core/value.hpp>
#include <mpit/concurrency/thread_shards.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

struct tally_values {
    std::uint64_t count = 0;
    std::uint64_t sum = 0; // the bits of a double where the sum is one
    bool is_whole = true;  // the sum is that of just so many changes
};

class tally_cell {
    using word = core::atomic<std::uint64_t>;
    static constexpr std::uint32_t begun = core::tally_place::begun, summed = core::tally_place::summed, ended = core::tally_place::ended;

public:
    static constexpr std::uint32_t cell_count = core::tally_place::cell_count; // in every shard

    constexpr tally_cell() noexcept {}
    void add(std::uint64_t n) noexcept {
        const std::uint32_t last = last_.load(core::relaxed);
        if (last < core::this_thread_shard.cells_end) [[likely]]
            change_own(cells_before(&core::this_thread_shard.cell_at(last)), n);
        else change_without_shard(last, n);
    }
    void add_real(double n) noexcept {
        const std::uint32_t last = last_.load(core::relaxed);
        if (last < core::this_thread_shard.cells_end || core::detail::has_shard_cell(last))
            change_own(cells_before(&core::this_thread_shard.cell_at(last)), n);
        else change_shared(n);
    }
    void number(std::uint32_t first) noexcept { last_.store(core::shard::distance_of(first + ended)); }

    // Each of them alone, as it is now.
    std::uint64_t count() const noexcept {
        std::uint64_t all = shared_[ended].load();
        for_each_shard([&](const core::shard&, const word* cells) { all += cells[ended].load(); });
        return all;
    }
    std::uint64_t sum(bool real) const noexcept {
        std::uint64_t all = shared_[summed].load();
        for_each_shard([&](const core::shard&, const word* cells) { all = core::sum(real, all, cells[summed].load()); });
        return all;
    }
    // Both together. If a change is under way it reads again, up to `attempts_left` times, which it counts down.
    [[gnu::always_inline]] tally_values values(bool real, std::uint32_t& attempts_left) const noexcept {
        std::uint64_t count = shared_[ended].load(), sum = shared_[summed].load();
        bool is_whole = shared_[begun].load() == count;
        for_each_shard([&](const core::shard&, const word* cells) {
            const std::uint64_t own_count = cells[ended].load();
            sum = core::sum(real, sum, cells[summed].load());
            is_whole = cells[begun].load() == own_count && is_whole;
            count += own_count;
        });
        if (is_whole) [[likely]]
            return {count, sum, true};
        return values_amid_changes(real, attempts_left);
    }

private:
    template <class Word> static Word* cells_before(Word* last) noexcept { return last - ended; }

    // The steps keep their order for the compiler, for signal handlers of this thread and for other readers.
    template <class N> static void change_own(word* cells, N n) noexcept {
        cells[begun].add_as_owner(1, core::release);
        keep_order();
        if constexpr (__is_same(N, double)) core::add_real_as_owner(cells[summed], n);
        else cells[summed].add_as_owner(n, core::release);
        keep_order();
        cells[ended].add_as_owner(1, core::release);
        keep_order();
    }
    template <class N> void change_shared(N n) noexcept {
        shared_[begun].fetch_add(1);
        if constexpr (__is_same(N, double)) core::add_real(shared_[summed], n);
        else shared_[summed].fetch_add(n);
        shared_[ended].fetch_add(1);
    }
    static void keep_order() noexcept { __asm__ __volatile__("" ::: "memory"); }

    [[gnu::cold, gnu::noinline]] void change_without_shard(std::uint32_t last,
                                                                            std::uint64_t n) noexcept {
        if (core::detail::has_shard_cell(last)) change_own(cells_before(&core::this_thread_shard.cell_at(last)), n);
        else change_shared(n);
    }

    [[gnu::cold, gnu::noinline]] tally_values
    values_amid_changes(bool real, std::uint32_t& attempts_left) const noexcept {
        tally_values all = read_cells(shared_, attempts_left);
        for_each_shard([&](const core::shard& each, const word* cells) {
            // A change of this thread continues when this read has ended.
            std::uint32_t none = 0;
            tally_values own = read_cells(cells, &each == core::present_shard() ? none : attempts_left);
            if (!own.is_whole) own = seen_unless_ended(each, cells);
            all.count += own.count;
            all.sum = core::sum(real, all.sum, own.sum);
            all.is_whole = own.is_whole && all.is_whole;
        });
        return all;
    }
    // What a thread that is no more has not ended stays so. It may have ended it, and itself, since the last read.
    static tally_values seen_unless_ended(const core::shard& thread_shard, const word* cells) noexcept {
        const std::uint64_t owner = thread_shard.owner.load();
        const bool has_ended = core::detail::has_ended(core::shard_owner::thread(owner), core::detail::this_thread_identity());
        std::uint32_t none = 0;
        tally_values own = read_cells(cells, none);
        own.is_whole = own.is_whole || (has_ended && thread_shard.owner.load() == owner);
        return own;
    }
    static tally_values read_cells(const word* cells, std::uint32_t& attempts_left) noexcept {
        for (;;) {
            const std::uint64_t count = cells[ended].load(), sum = cells[summed].load();
            const bool is_whole = cells[begun].load() == count;
            if (is_whole || attempts_left == 0) return {count, sum, is_whole};
            attempts_left--;
        }
    }
    template <class Visit> void for_each_shard(Visit visit) const noexcept {
        const core::shard_set* set = core::shards.load();
        const std::uint32_t last = last_.load();
        if (set == nullptr || last >= set->cells_end) return;
        for (core::shard* l = set->first.load(); l != nullptr; l = l->next()) visit(*l, cells_before(&l->cell_at(last)));
    }

    word shared_[cell_count]; // for what is counted without a shard
    core::atomic<std::uint32_t> last_{core::no_shard_cell}; // its distance in every shard
};

} // namespace internal
} // namespace mpit
