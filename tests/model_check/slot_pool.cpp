// The slots behind handles: nobody shares one, the free list bears slots that come back at once, and a stale handle
// finds nothing.
#include "scenario.hpp"

#include <mpit/concurrency/slot_pool.hpp>

namespace {

struct owned_slot : mpit::core::slot_header {
    int owner = 0;
};
using pool_of_two = mpit::core::slot_pool<owned_slot, 2>;

struct taken {
    owned_slot* slot = nullptr;
    std::uint64_t word = 0;
};

struct slots {
    pool_of_two pool{0xb7};

    slots() {
        model::keep_allocations();
        model::call(pool, "pool");
    }
    taken open() {
        taken t;
        t.slot = pool.take(t.word);
        model::check(t.slot != nullptr, "there is a slot");
        model::check(t.slot->owner == 0, "a slot belongs to one at a time");
        t.slot->owner = 1 + model::this_fiber();
        model::check(pool.find(t.word) == nullptr, "a handle is not found before it is open");
        t.slot->word.store(t.word);
        model::check(pool.find(t.word) == t.slot, "an open handle finds its slot");
        return t;
    }
    void close(const taken& t) {
        model::check(t.slot->owner == 1 + model::this_fiber(), "a slot stays with its owner");
        t.slot->owner = 0;
        model::check(pool_of_two::close(*t.slot, t.word), "the owner can close");
        model::check(pool.find(t.word) == nullptr, "a closed handle finds nothing");
        pool.release(*t.slot, t.word);
    }
};

// One opens two, gives the first one back and keeps the other; the others open. The free list begins with both slots.
template <int Fibers> struct coming_back : slots {
    static constexpr int fibers = Fibers;
    taken held[static_cast<std::size_t>(Fibers)];
    std::uint64_t stale = 0;

    coming_back() {
        const taken first = open(), second = open();
        close(second);
        close(first);
        stale = first.word;
    }
    void run(int fiber) {
        const taken first = open();
        if (fiber == 1) return close(first);
        // The remainder shows g++ 14 that the place is inside of the array.
        held[static_cast<unsigned>(fiber) % static_cast<unsigned>(Fibers)] = fiber == 0 ? open() : first;
        if (fiber == 0) close(first);
        model::check(pool.find(stale) == nullptr, "a handle of an earlier generation finds nothing");
    }
    int at_end() {
        int open = 0;
        pool.each([&](owned_slot& s, std::uint64_t word) {
            open++;
            model::check(s.owner != 0 && pool.find(word) == &s, "what is open is held");
        });
        for (const taken& t : held)
            model::check(t.slot == nullptr || pool.find(t.word) == t.slot, "what is held is open");
        return open;
    }
};

// Both hold on to what they open: the free list must not hand out what it has handed out.
struct holding : slots {
    static constexpr int fibers = 2;
    taken held[2][2];

    holding() {
        const taken first = open(), second = open();
        close(second);
        close(first);
    }
    void run(int fiber) {
        if (fiber == 0) {
            held[0][0] = open();
            held[0][1] = open();
            return;
        }
        const taken first = open();
        held[1][0] = open();
        close(first);
        held[1][1] = open();
    }
    int at_end() {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < i; j++)
                model::check(held[i / 2][i % 2].slot != held[j / 2][j % 2].slot, "all that is held is different");
        return 0;
    }
};

// One handle that several want to end, while its slot is used again by who has ended it.
template <int Fibers> struct ending : slots {
    static constexpr int fibers = Fibers;
    taken contested;
    mpit::core::atomic<std::uint64_t> ended;

    ending() { contested = open(), contested.slot->owner = 0; }
    void run(int) {
        if (pool_of_two::close(*contested.slot, contested.word)) {
            ended.fetch_add(1);
            pool.release(*contested.slot, contested.word);
            close(open());
        }
        model::check(pool.find(contested.word) == nullptr, "the ended handle finds nothing");
    }
    int at_end() {
        model::check(ended.load() == 1, "one has ended the handle");
        return 0;
    }
};

// One opens two slots of a new pool and ends both handles; the other one finds them in the free list, or makes others.
struct taking_over : slots {
    static constexpr int fibers = 2;
    void run(int fiber) {
        const taken first = open(), second = open();
        if (fiber == 1) return;
        close(second);
        close(first);
    }
    int at_end() { return 0; }
};

// A pool without any slot yet.
struct extending : slots {
    static constexpr int fibers = 2;
    void run(int) {
        const taken first = open();
        open();
        close(first);
    }
    int at_end() { return 0; }
};

// A slot that was taken from the free list goes back to it, when the list has lost the slot that followed it: who still
// finds that one behind it would hand out a slot that is held.
struct going_back : slots {
    static constexpr int fibers = 2;
    taken back;

    going_back() {
        back = open();
        const taken behind = open();
        close(behind);
        close(back); // the list is `back`, then `behind`
        back = open();
        back.slot->owner = 1;
        open().slot->owner = 3; // the one behind, for ever
    }
    void run(int fiber) {
        if (fiber == 0) return close(back);
        for (int i = 0; i < 3; i++) open();
    }
    int at_end() { return 0; }
};

// A handle that comes to another thread by a way without an order is not found, or what was stored in its slot is
// there.
template <int Held> struct passing : slots {
    static constexpr int fibers = 2;
    mpit::core::atomic<std::uint64_t> passed;

    passing() {
        model::call(passed, "passed");
        for (int i = 0; i < Held; i++) open();
    }
    void run(int fiber) {
        if (fiber == 0) {
            open();
            return passed.store(open().word,
                                mpit::core::relaxed); // not the first one of its piece, whose address may be null
        }
        const std::uint64_t word = passed.load(mpit::core::relaxed);
        if (word == 0) return;
        const owned_slot* const found = pool.find(word);
        model::check(found == nullptr || found->owner == 1, "a handle that is found has its slot");
        pool.each([&](owned_slot& s, std::uint64_t) {
            model::check(Held != 0 || s.owner == 1, "what is open has an owner");
        });
    }
    int at_end() { return 0; }
};

} // namespace

TEST_CASE("Slots that are released at once are never held by two threads") {
    model::explore_all<holding>("slots that are held", model::bounded(3));
    model::explore_all<coming_back<2>>("slots that come back");
}

TEST_CASE("Of several threads that free a handle at once one succeeds, and the slot is reused from then on") {
    model::explore_all<ending<2>>("two end a handle");
    model::explore_all<ending<3>>("three end a handle");
}

TEST_CASE("A slot that goes back to the free list leads to no slot that is held") {
    model::explore_all<going_back>("a slot goes back", model::bounded(3));
}

TEST_CASE("A handle that another thread has made is not found, or its slot is filled") {
    model::explore_all<passing<0>>("a handle of a new pool is passed");
    model::explore_all<passing<2>>("a handle of a later piece is passed");
}

TEST_CASE("Two threads that extend a pool at once get different slots") {
    model::explore_all<extending>("two extend a pool", model::bounded(3));
    model::explore_all<taking_over>("one extends a pool, one takes its slots", model::bounded(2));
}

TEST_CASE("No two threads share a slot where accesses to plain memory are separate from the atomic operations") {
    if (!model::explores(model::x86)) return;
    CHECK(model::explore<holding>("slots that are held, plain accesses apart", {model::x86, true}).mistake == "");
}

TEST_CASE("A slot that is taken with a weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    const model::weakening mutant{"slot_pool.hpp", "pop", model::operation::compare_exchange, mpit::core::relaxed};
    CHECK(model::mistake_of_mutant<coming_back<2>>(mutant) != "");
}
