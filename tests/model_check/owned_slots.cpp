// Handles that their threads end by plain stores: others end them at the same moment, one of all succeeds, and no slot is held twice.
#include "owners_of_fibers.hpp"

namespace {

struct owned_slot : mpit::session::owned_slot_header {
    int holder = 0;
};
using pool_of_two = mpit::session::owned_slot_pool<owned_slot, 2>;

struct taken {
    owned_slot* slot = nullptr;
    std::uint64_t word = 0;
};

// The first fiber owns a handle that is open when they begin. A mutant takes a slot over with a fence of its own thread alone.
template <int Fibers, bool HasFences = true> struct slots {
    static constexpr int fibers = Fibers;
    mpit::internal::shard_set without_fences;
    model::owners_of_fibers<Fibers> owners;
    pool_of_two pool{0xb7, 0, 0};
    mpit::session::kept_slots kept;
    mpit::core::atomic<std::uint64_t> ended;

    slots() {
        model::keep_allocations();
        model::call(pool, "pool");
        model::call(ended, "ended");
        owners.begin();
        if (!HasFences) mpit::internal::shards.store(&without_fences);
    }
    taken open() {
        taken t;
        t.slot = pool.take(t.word, &kept);
        model::check(t.slot != nullptr, "there is a slot");
        model::check(t.slot->holder++ == 0, "a slot is held by one at a time");
        t.slot->word.store(t.word);
        return t;
    }
    // Whether this one has ended the handle.
    bool end(const taken& t, bool is_quick) {
        const bool is_ended = is_quick && pool.end_and_keep(*t.slot, t.word, kept, [&] { t.slot->holder--; });
        if (!is_ended && !pool_of_two::close(*t.slot, t.word)) return false;
        if (!is_ended) {
            t.slot->holder--;
            pool.release(*t.slot, t.word, &kept);
        }
        model::check(pool.find(t.word) == nullptr, "an ended handle finds nothing");
        return true;
    }
};

// All want to end the handle of the first fiber; who has done it uses the slot again. The owner does so in a few instructions, or at
// length; or it is the second one that owns what the first one has.
template <int Fibers, bool IsQuick, bool HasFences = true> struct ending : slots<Fibers, HasFences> {
    using base = slots<Fibers, HasFences>;
    taken contested;

    ending() {
        base::owners.become(0);
        contested = base::open();
        base::owners.become_none();
    }
    void run(int fiber) {
        base::owners.become(fiber);
        if (base::end(contested, IsQuick)) {
            base::ended.fetch_add(1);
            model::check(base::end(base::open(), IsQuick), "who owns a handle alone can end it");
        } else {
            model::check(fiber != 0 || base::pool.find(contested.word) == nullptr, "the owner is refused what has ended");
        }
    }
    int at_end() {
        model::check(base::ended.load() == 1, "one has ended the handle");
        model::check(base::pool.find(contested.word) == nullptr, "and it has ended");
        return 0;
    }
};

// The owner ends its handle and opens another one in the same slot, which it ends as well; the other one ends both if it finds them.
struct ending_both : slots<2> {
    taken first;
    mpit::core::atomic<std::uint64_t> second;

    ending_both() {
        model::call(second, "second");
        owners.become(0);
        first = open();
        owners.become_none();
    }
    void run(int fiber) {
        owners.become(fiber);
        if (fiber == 0) {
            if (end(first, true)) ended.fetch_add(1);
            const taken again = open();
            second.store(again.word);
            if (end(again, true)) ended.fetch_add(1);
            return;
        }
        if (end(first, false)) ended.fetch_add(1);
        const std::uint64_t word = second.load();
        if (word != 0 && end({&pool.slot_of(word), word}, false)) ended.fetch_add(1);
    }
    int at_end() {
        model::check(ended.load() == 2, "each handle is ended once");
        return 0;
    }
};

// The owner ends and opens handles; the other one opens and ends its own, which it finds in the same pool.
struct side_by_side : slots<2> {
    void run(int fiber) {
        owners.become(fiber);
        const taken first = open();
        model::check(end(first, true), "who owns a handle alone can end it");
        const taken again = open();
        model::check(fiber == 1 || again.slot == first.slot || !pool_of_two::is_first(first.word), "a thread keeps its slot for itself");
        model::check(end(again, true), "who owns a handle alone can end it");
    }
    int at_end() { return 0; }
};

// Two libraries have handles with the same word. The owner of both ends one of them while another thread ends the other one.
struct same_word : slots<2> {
    pool_of_two second_pool{0xb7, 0, 0};
    taken first, second;

    same_word() {
        model::call(second_pool, "second pool");
        owners.become(0);
        first = open();
        second.slot = second_pool.take(second.word, nullptr);
        second.slot->word.store(second.word);
        model::check(first.word == second.word, "the words are the same");
        owners.become_none();
    }
    void run(int fiber) {
        owners.become(fiber);
        const taken& mine = fiber == 0 ? second : first;
        model::check(pool_of_two::close(*mine.slot, mine.word), "who ends a handle alone succeeds");
    }
    int at_end() { return 0; }
};

} // namespace

TEST_CASE("Of several threads that end a handle at once, its owner among them, one succeeds") {
    model::explore_all<ending<2, true>>("two end an owned handle");
    model::explore_all<ending<2, false>>("two end an owned handle, the owner at length");
    model::explore_all<ending<3, true>>("three end an owned handle", 2);
}

TEST_CASE("A handle that its owner opens in the slot of one that another thread ends is another one") {
    model::explore_all<ending_both>("two handles of one owned slot");
}

TEST_CASE("A thread ends a handle whose owner ends another library's handle with the same word") { model::explore_all<same_word>("two libraries"); }

TEST_CASE("Threads that open and end handles at once have slots of their own") { model::explore_all<side_by_side>("two threads with handles of their own", 3); }

TEST_CASE("A slot whose end or whose owner is told in a weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    const auto mistake_of = [](const char* function, operation what) {
        const model::weakening mutant{"owned_slot_pool.hpp", function, what, relaxed};
        return model::mistake_of_mutant<ending<2, true>>(mutant) + model::mistake_of_mutant<ending_both>(mutant);
    };
    CHECK(mistake_of("begin", operation::store) != "");
    CHECK(mistake_of("close_as_owner", operation::store) != "");
    CHECK(mistake_of("owner", operation::load) != "");
}

TEST_CASE("A slot that is taken over without the heavy fence is ended twice") {
    for (const auto memory : {model::x86, model::cxx20})
        if (model::explores(memory)) CHECK(model::explore<ending<2, true, false>>("a mutant: no heavy fence", {memory}).mistake != "");
}
