// Shards of the fibers of a scenario, so that they guard their reads and are counted as threads are.
//     shards.begin(set);   …in run():   shards.use(fiber, set);
#pragma once

#include "scenario.hpp"

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/event/instance.hpp>

namespace model {

// A shard with four cells for counters and one in which its thread announces itself.
struct MPIT_MODULE_LOCAL shard_of_fiber {
    mpit::core::shard first;
    mpit::core::atomic<std::uint64_t> cells[5];
    mpit::core::instance_slot instances[mpit::core::max_nesting];
};
static_assert(offsetof(shard_of_fiber, cells) == sizeof(mpit::core::shard));

// The shards of all fibers, which are there before they begin; most of their places for instances are not used.
template <int Fibers> struct MPIT_MODULE_LOCAL shards_of_fibers {
    shard_of_fiber shards[static_cast<std::size_t>(Fibers)];

    void begin(mpit::core::shard_set& set) {
        set.begin(4);
        set.key.store(mpit::core::detail::thread_specific_shard::without_key); // fibers are one thread of the C library
        for (int f = 0; f < Fibers; f++) {
            mpit::core::shard& l = shards[f].first;
            l.owner.store(static_cast<std::uint64_t>(getpid()) << 32 | static_cast<std::uint32_t>(100 + f));
            l.number = set.shard_count.fetch_add(1);
            l.instances = shards[f].instances;
            constexpr std::size_t used = 2;
            leave_out(&l.instances[used], sizeof shards[f].instances - used * sizeof l.instances[0]);
            call(shards[f], "shard");
            call(l.reader_state, "reader state of a shard");
            call(l.short_section, "quick state of a shard");
            call(shards[f].cells[4], "presence in a shard");
        }
        for (int f = Fibers - 2; f >= 0; f--) shards[f].first.link_before(&shards[f + 1].first);
        set.first.store(&shards[0].first);
        keep_shards();
        mpit::core::shards.store(&set);
        keep_for_each_fiber(&mpit::core::this_thread_shard, sizeof mpit::core::this_thread_shard);
    }
    void use(int fiber, const mpit::core::shard_set& set) {
        mpit::core::this_thread_shard.shard = &shards[fiber].first;
        mpit::core::this_thread_shard.cells_end = set.cells_end;
        mpit::core::this_thread_shard.is_light_free = set.fences.is_light_free();
        mpit::core::this_thread_shard.short_section =
            set.fences.is_light_free() ? &shards[fiber].first.short_section : nullptr;
    }
};

} // namespace model
