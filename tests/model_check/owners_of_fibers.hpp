// Fibers that own the slots of handles, as threads do.
//     owners.begin();   owners.become(0); open(); owners.become_none();   …in run():   owners.become(fiber);
#pragma once

#include "shards_of_fibers.hpp"

#include <mpit/session/owned_slot_pool.hpp>

namespace model {

template <int Fibers> struct MPIT_MODULE_LOCAL owners_of_fibers {
    mpit::internal::shard_set set;
    shards_of_fibers<Fibers> shards;

    void begin() {
        shards.begin(set);
        keep_for_each_fiber(&mpit::session::this_slot_owner, sizeof mpit::session::this_slot_owner);
    }
    // Also outside of the fibers, for what one of them owns when they begin.
    void become(int fiber) {
        shards.use(fiber, set);
        mpit::session::this_slot_owner = {};
        mpit::session::this_slot_owner.begin();
        check(mpit::session::this_slot_owner.number == static_cast<std::uint64_t>(fiber) + 1, "a thread owns slots");
    }
    static void become_none() {
        mpit::session::this_slot_owner = {};
        mpit::internal::this_thread_shard = {};
    }
};

} // namespace model
