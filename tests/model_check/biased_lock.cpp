// A lock that belongs to one thread until another one tries: one holds it at a time, and work that is left by one who
// is refused is done.
#include "scenario.hpp"
#include "shards_of_fibers.hpp"

#include <mpit/concurrency/biased_lock.hpp>

namespace {

enum class turns : std::uint8_t { one, two, nested };

// Each fiber leaves work, and then does all that it finds while it has the lock. The first one does so twice, or once
// more while it has the lock, as a callback or a signal handler does. A mutant ends an ownership with a fence of its
// own thread alone.
template <int Fibers, turns OfFirst, bool HasFences = true> struct doing_work {
    static constexpr int fibers = Fibers;
    mpit::core::shard_set set, without_fences;
    model::shards_of_fibers<Fibers> shards;
    mpit::core::biased_lock lock;
    mpit::core::atomic<int> left[std::size_t{Fibers} + 1]; // the last one is the first fiber's second work
    int done = 0, holders = 0;

    doing_work() {
        shards.begin(set);
        if (!HasFences) mpit::core::shards.store(&without_fences);
        model::call(lock, "lock");
        for (auto& each : left) model::call(each, "work");
    }
    bool is_work_left() {
        for (auto& each : left)
            if (each.load(mpit::core::seq_cst) != 0) return true;
        return false;
    }
    void do_all(bool is_nested) {
        for (int n = 0; n <= Fibers; n++) {
            if (left[n].load(mpit::core::seq_cst) == 0) continue;
            done++;
            if (is_nested && n == 0) work(Fibers, false);
            left[n].store(0);
        }
    }
    void work(int number, bool is_nested) {
        left[number].store(1, mpit::core::seq_cst);
        while (is_work_left() && lock.try_lock()) {
            model::check(holders++ == 0, "one holds the lock at a time");
            do_all(is_nested);
            holders--;
            lock.unlock();
        }
    }
    void run(int fiber) {
        shards.use(fiber, set);
        model::check(!lock.is_held_by_this_thread(), "a thread does not hold what another one has taken");
        work(fiber, fiber == 0 && OfFirst == turns::nested);
        if (fiber == 0 && OfFirst == turns::two) work(Fibers, false);
        model::check(!lock.is_held_by_this_thread(), "a thread that has released the lock does not hold it");
    }
    int at_end() {
        model::check(!is_work_left(), "no work is left");
        // Where the other one does the first work, nothing is nested.
        model::check(OfFirst == turns::nested ? done >= Fibers : done == Fibers + (OfFirst == turns::two),
                     "all work is done, once");
        return 0;
    }
};

template <class Scenario> std::string mistake(const char* name, model::options of) {
    return model::explore<Scenario>(name, of).mistake;
}

} // namespace

TEST_CASE("A lock of one thread that another one tries is held by one at a time, and no work is left") {
    for (const auto memory : model::explored_memories) {
        CHECK(mistake<doing_work<2, turns::one>>("two do work", {memory}) == "");
        CHECK(mistake<doing_work<2, turns::two>>("two do work, one of them twice", {memory}) == "");
        CHECK(mistake<doing_work<2, turns::nested>>("two do work, one of them in a handler, too", {memory}) == "");
        if (memory == model::cxx20 || model::is_long())
            CHECK(mistake<doing_work<3, turns::one>>("three do work", model::with_bounds({memory}, 2, 2)) == "");
    }
}

TEST_CASE("A lock whose ownership ends without the heavy fence is held by two") {
    for (const auto memory : {model::x86, model::cxx20})
        if (model::explores(memory))
            CHECK(mistake<doing_work<2, turns::two, false>>("a mutant: no heavy fence", {memory}) != "");
}

TEST_CASE("A lock with one weaker order is held by two, or leaves work behind") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed, mpit::core::release, mpit::core::acquire;
    const auto mistake_of = [](const char* function, operation what, int to) {
        return model::mistake_of_mutant<doing_work<2, turns::two>>({"biased_lock.hpp", function, what, to});
    };
    CHECK(mistake_of("unlock", operation::store, relaxed) != "");
    CHECK(mistake_of("try_lock_unbiased", operation::load, acquire) != "");
    CHECK(mistake_of("try_lock_unbiased", operation::compare_exchange, relaxed) != "");
}
