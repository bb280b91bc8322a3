// Lanes: no two threads that live at once count in one, also where the kernel gives the number of a thread that has
// ended to another one, and there are not more than twice as many as threads.
#include "scenario.hpp"

namespace {

using mpit::core::shard;
using mpit::core::shard_owner;
using mpit::core::shard_set;
using mpit::core::this_thread_shard;

// Of the slab those of the shards that the fibers can have, and of the ended one its places for instances, which lie
// far behind.
constexpr std::size_t kept_bytes = 6 * mpit::core::shard_parts::bytes;
constexpr std::size_t bytes_of_instances = mpit::core::max_nesting * sizeof(mpit::core::instance_slot);

// All fibers look for their shard. There is one of a thread that has ended, to whose number fiber 0 is born; or none,
// and no memory for shards yet.
template <int Fibers, bool HaveOne = true> struct finding {
    static constexpr int fibers = Fibers;
    shard_set set;
    mpit::core::atomic<int> is_born;
    const void* found[static_cast<std::size_t>(Fibers)] = {};

    static inline finding* present = nullptr;
    static bool knows(int number) { return number != 100 || present->is_born.load() != 0; }

    finding() {
        present = this;
        model::knows_thread = &knows;
        model::keep_allocations();
        model::keep_shards();
        model::call(is_born, "is_born");
        model::call(set, "set");
        set.begin(0);
        set.key.store(mpit::core::detail::thread_specific_shard::without_key); // fibers are one thread of the C library
        model::keep_for_each_fiber(&this_thread_shard, sizeof this_thread_shard);
        if (!HaveOne) return;
        set.shard_limit.store(1);
        shard* ended = mpit::core::detail::new_shard(set, thread(0));
        model::check(ended != nullptr, "there is memory");
        if (ended == nullptr) return;
        model::keep(ended->instances, bytes_of_instances);
        model::leave_in_order(ended->instances, bytes_of_instances);
    }
    static std::uint64_t thread(int fiber) noexcept {
        return static_cast<std::uint64_t>(getpid()) << 32 | static_cast<std::uint32_t>(100 + fiber);
    }
    void run(int fiber) {
        if (fiber == 0) is_born.store(1, mpit::core::seq_cst);
        mpit::core::detail::find_shard(set);
        found[fiber] = this_thread_shard.shard;
    }
    int at_end() {
        for (int i = 0; i < Fibers; i++) {
            model::check(found[i] != nullptr, "every thread has a shard");
            for (int j = 0; j < i; j++) model::check(found[i] != found[j], "no two threads have one shard");
            const auto address = reinterpret_cast<std::uintptr_t>(found[i]);
            const auto instances = reinterpret_cast<std::uintptr_t>(static_cast<const shard*>(found[i])->instances);
            const std::uint64_t slab = address & ~std::uint64_t{4095};
            model::check(instances == slab + set.bytes_before_instances() +
                                          (address - slab) / mpit::core::shard_parts::bytes * bytes_of_instances,
                         "its places for instances are its own");
        }
        model::check(set.shard_count.load() <= 2 * Fibers, "there are at most twice as many shards as threads");
        return static_cast<int>(set.shard_count.load());
    }
};

// Every change of an owner is one step under x86 as well, and what a thread had begun is forgotten in hundreds of
// stores.
template <class Scenario> void explore_all(const char* name) {
    for (const auto memory : {model::sequentially_consistent, model::cxx20}) {
        const model::options with{.memory = memory, .kept_bytes_of_pages = kept_bytes};
        if (model::explores(memory))
            CHECK(model::explore<Scenario>(name, model::with_bounds(with, 2, 2)).mistake == "");
    }
    model::knows_thread = nullptr;
}

} // namespace

TEST_CASE("A new thread with the number of an ended one shares no shard") {
    explore_all<finding<2>>("two find their shards");
    explore_all<finding<2, false>>("two find the first shards");
    if (model::is_long()) explore_all<finding<3>>("three find their shards");
}

TEST_CASE("A thread that may not see the change of a shard's owner shares it") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::acquire;
    const model::options with = model::with_bounds({.memory = model::cxx20, .kept_bytes_of_pages = kept_bytes}, 2, 2);
    CHECK(model::mistake_of_mutant<finding<2>>(
              {"shard_walks.hpp", "new_shard", model::operation::compare_exchange, acquire}, with) != "");
    model::knows_thread = nullptr;
}
