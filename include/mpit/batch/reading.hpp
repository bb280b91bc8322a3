// SPDX-License-Identifier: BSD-3-Clause
// One read of a batch, pass after pass. Each pass covers elements that are adjacent in memory, and leaves the fields of
// unregistered variables as they are. The caller holds a read guard.
//
//   const batch_reading now{memory, registry.shards, stamp, sample};   now.sums<false>(batch_pass::sums);   now.levels();
#pragma once

#include <mpit/batch/memory.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

struct batch_reading {
    const batch_memory& memory;
    const internal::shard_set& shards;
    std::uint64_t stamp;
    char* sample;

    // With few shards, each sum is taken over all of them at once.
    template <bool Real> void sums(batch_pass pass) const noexcept {
        const batch_memory::list& all = memory.elements_of(pass);
        if (all.count == 0) return;
        const internal::shard* own[most_shards];
        std::uint32_t shard_count = 0;
        for (internal::shard* l = shards.first.load(); l != nullptr; l = l->next()) {
            if (shard_count == most_shards) return sums_by_shard<Real>(all);
            own[shard_count++] = l;
        }
        for (const batch_element& each : all) {
            const auto* shared = static_cast<const atomic<std::uint64_t>*>(each.source.load());
            if (shared == nullptr) [[unlikely]]
                continue;
            std::uint64_t total = shared->load();
            for (std::uint32_t i = 0; i < shard_count; i++) total = core::sum(Real, total, own[i]->cell_at(each.distance).load());
            each.put(each.sum_of(Real, total), sample);
        }
    }
    void levels() const noexcept {
        for (const batch_element& each : memory.elements_of(batch_pass::levels)) {
            const auto* level = static_cast<const internal::watched_level*>(each.source.load());
            if (level == nullptr) continue;
            const std::uint64_t present = level->word(); // before the state: it may be stopped at any moment
            const word_pair seen = each.state.load();
            each.put(each.is_running(seen) ? present : seen.value, sample);
        }
    }
    void marks() const noexcept {
        for (const batch_element& each : memory.elements_of(batch_pass::marks))
            if (const auto* mark = static_cast<const internal::mark*>(each.source.load()))
                each.put(mark->state.load().value, sample);
    }
    // Values from functions and of objects. Returns false if a variable is unregistered.
    bool calls() const noexcept {
        bool all_are_there = true;
        for (const batch_variable& each : memory.called_variables()) {
            void* cell = each.target.present_cell();
            if (cell == nullptr) all_are_there = false;
            else if (each.is_text())
                static_cast<void>(each.target.variable->operations->read(*each.target.variable, cell, sample + each.offset));
            else all_are_there = call(each, cell) && all_are_there;
        }
        return all_are_there;
    }
    // Returns false if a sum may be of other changes than its count.
    MPIT_MODULE_LOCAL bool tallies() const noexcept {
        std::uint32_t attempts_left = batch_tally::most_attempts;
        bool are_together = true;
        for (const batch_tally& each : memory.tallies()) are_together = each.read(sample, attempts_left) && are_together;
        return are_together;
    }

private:
    static constexpr std::uint32_t most_shards = 8; // that are few

    // Goes from shard to shard with some sums at a time.
    template <bool Real> [[gnu::noinline]] void sums_by_shard(const batch_memory::list& all) const noexcept {
        static constexpr std::uint32_t most = 64;
        std::uint64_t totals[most];
        for (batch_element* first = all.begin(); first < all.end(); first += most) {
            const auto left = static_cast<std::uint32_t>(all.end() - first), count = left < most ? left : most;
            for (std::uint32_t i = 0; i < count; i++) {
                const auto* shared = static_cast<const atomic<std::uint64_t>*>(first[i].source.load());
                totals[i] = shared != nullptr ? shared->load() : 0;
            }
            for (internal::shard* l = shards.first.load(); l != nullptr; l = l->next()) {
                for (std::uint32_t i = 0; i < count; i++)
                    totals[i] = core::sum(Real, totals[i], l->cell_at(first[i].distance).load());
            }
            for (std::uint32_t i = 0; i < count; i++)
                if (first[i].source.load() != nullptr) first[i].put(first[i].sum_of(Real, totals[i]), sample);
        }
    }
    bool call(const batch_variable& variable, void* cell) const noexcept {
        return variable.each_element(cell, stamp, [&](auto element) {
            std::uint64_t word = 0;
            if (!element.read(word)) return false;
            element.put(word, sample + variable.offset);
            return true;
        });
    }
};

} // namespace session
} // namespace mpit
