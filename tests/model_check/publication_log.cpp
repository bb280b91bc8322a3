// The log of the index: numbers without holes at every moment, lists of members that agree with the update number, and
// nobody who waits for a thread that was stopped in the middle of its publication.
#include "scenario.hpp"

#include <mpit/registry/publication_log.hpp>

namespace {

using mpit::registry::category_record;
using mpit::registry::kind;
using mpit::registry::log_entry;
using mpit::registry::membership;
using mpit::registry::publication_log;
using mpit::registry::record;

struct published {
    publication_log log;
    category_record top, inner;
    record shared, own[3];

    struct entry : log_entry {
        record* room[2][2];
        membership joined[2];
        int joined_count = 0;
        membership** end_of_memberships = &first_membership;
        void add(record& r) {
            part& to = parts[static_cast<int>(r.item_kind)];
            to.records = room[r.item_kind == kind::category];
            to.records[to.count++] = &r;
        }
        void join(category_record& into, record* const* members, std::uint32_t count) {
            membership& m = *new (&joined[joined_count++]) membership;
            m.parent = &into;
            m.item_kind = members[0]->item_kind;
            m.members = members;
            m.count = count;
            *end_of_memberships = &m;
            end_of_memberships = &m.next_in_entry;
        }
    };
    entry entries[3];
    record* const category_of_entry[2] = {&inner, &top};

    published() {
        model::keep_allocations();
        model::call(log, "log");
        for (entry& e : entries) model::call(e, "entry");
        model::call(top, "top");
        model::call(inner, "inner");
        model::call(shared, "shared");
        top.item_kind = inner.item_kind = kind::category;
        shared.item_kind = kind::performance;
        for (record& r : own) model::call(r, "own");
    }
    void check_dense(kind of) {
        const int end = log.count(of);
        for (int i = 0; i < end; i++) {
            const record* r = log.at(of, i);
            model::check(r != nullptr, "every number below the count has a record");
            if (r == nullptr) continue;
            model::check(r->index.load() == i, "the record has the number");
            model::check(r->item_kind == of, "the record is filled");
        }
    }
    static std::int64_t member_count(const category_record& in, kind of) {
        std::int64_t sum = 0;
        int length = 0;
        for (const membership* m = in.members[static_cast<int>(of)].load(); m != nullptr; m = m->next.load()) {
            sum += m->count;
            if (++length > 8) {
                model::check(false, "a list of members has an end");
                break;
            }
        }
        return sum;
    }
    void always() {
        check_dense(kind::performance);
        check_dense(kind::category);
    }
    int outcome() { return own[0].index.load() * 16 + own[1].index.load() * 4 + shared.index.load(); }
};

// Batches that share a record, and add it, with one of their own, to a category that both publish. Each thread fills
// its entry and its record itself, so that others who read them have to be ordered after it.
template <int Publishers, int Readers> struct publishing : published {
    static constexpr int fibers = Publishers + Readers;
    void fill(int p) {
        entry& e = entries[p];
        (new (&own[p]) record)->item_kind = kind::performance;
        e.add(top);
        if (p != 1) e.add(own[p]), e.add(shared);
        else e.add(shared), e.add(own[p]);
        record** const both = e.parts[static_cast<int>(kind::performance)].records;
        e.join(top, both, 2);
    }
    void run(int fiber) {
        if (fiber < Publishers) {
            fill(fiber);
            model::check(log.publish(entries[fiber]), "an entry is published");
            model::check(own[fiber].index.load() >= 0 && log.count(kind::performance) > own[fiber].index.load(),
                         "who has published finds the numbers");
            return;
        }
        const std::int64_t before = log.updates();
        model::check(before == 0 || (before - 1) % 2 == 0, "an entry counts as a whole");
        model::check(member_count(top, kind::performance) >= before - 1, "every change that is counted is there");
        check_dense(kind::performance);
        model::check(log.updates() >= before, "the update number grows");
    }
    int at_end() {
        model::check(log.count(kind::performance) == Publishers + 1, "every record has one number");
        model::check(log.count(kind::category) == 1, "the category has one number");
        model::check(log.updates() == 1 + 2 * Publishers, "every change is counted once");
        model::check(member_count(top, kind::performance) == 2 * Publishers, "every member is there once");
        return outcome();
    }
};

// One publishes two entries and asks; another one, who asks too, helps and is slow.
struct asking_after_two : publishing<2, 0> {
    static constexpr int fibers = 2;
    void run(int fiber) {
        if (fiber == 1) {
            log.updates();
            return;
        }
        for (int i = 0; i < 2; i++) {
            fill(i);
            model::check(log.publish(entries[i]), "an entry is published");
        }
        model::check(log.updates() == 5, "who has published two entries finds both counted");
    }
    int at_end() { return publishing<2, 0>::at_end(); }
};

// Who looks without helping: at the category of a member, and at the members of the category.
struct looking_at_members : publishing<1, 0> {
    static constexpr int fibers = 2;
    void run(int fiber) {
        if (fiber == 0) return publishing<1, 0>::run(fiber);
        if (top.holds(shared))
            model::check(member_count(top, kind::performance) == 2, "a category that holds a member has it");
        check_dense(kind::performance);
    }
};

// Who looks without helping: at the last number that counts, and at the number of a record.
template <bool ByNumber> struct looking_on : publishing<2, 0> {
    static constexpr int fibers = 3;
    void run(int fiber) {
        if (fiber < 2) return publishing<2, 0>::run(fiber);
        if (ByNumber) {
            const int end = log.count(kind::performance);
            if (end == 0) return;
            const record* const last = log.at(kind::performance, end - 1);
            model::check(last != nullptr, "every number below the count has a record");
            if (last == nullptr) return;
            model::check(last->index.load() == end - 1, "the record has the number");
            model::check(last->item_kind == kind::performance, "the record is filled");
        } else {
            const int number = shared.index.load();
            if (number >= 0 && number < log.count(kind::performance))
                model::check(log.at(kind::performance, number) == &shared, "a number that counts leads to its record");
        }
    }
};

// Each wants one category inside of the other one.
template <int Fibers> struct circular : published {
    static constexpr int fibers = Fibers;
    circular() {
        for (int p = 0; p < 2; p++) {
            entries[p].add(top);
            entries[p].add(inner);
            entries[p].join(p == 0 ? top : inner, &category_of_entry[p], 1);
        }
    }
    void run(int fiber) {
        if (fiber < 2) {
            model::check(log.publish(entries[fiber]), "an entry is published");
            return;
        }
        const bool down = member_count(top, kind::category) != 0, up = member_count(inner, kind::category) != 0;
        model::check(!down || !up, "no category is inside of itself");
        const std::int64_t seen = log.updates();
        model::check(seen == 0 || seen == 3, "a refused member is no change");
    }
    void always() {
        published::always();
        model::check(!top.holds_anywhere(top) && !inner.holds_anywhere(inner), "no category is inside of itself");
    }
    int at_end() {
        const bool down = top.holds(inner), up = inner.holds(top);
        model::check(down != up, "one of them is accepted");
        model::check(entries[0].joined[0].decision.load() == (down ? membership::accepted : membership::refused) &&
                         entries[1].joined[0].decision.load() == (up ? membership::accepted : membership::refused),
                     "the decisions are what the lists say");
        model::check(log.updates() == 3, "the refused one is no change");
        return down;
    }
};

// Both put the same category into the other one.
struct twice : published {
    static constexpr int fibers = 2;
    twice() {
        for (int p = 0; p < 2; p++) {
            entries[p].add(top);
            entries[p].add(inner);
            entries[p].join(top, &category_of_entry[0], 1);
        }
    }
    void run(int fiber) { model::check(log.publish(entries[fiber]), "an entry is published"); }
    int at_end() {
        model::check(member_count(top, kind::category) == 1, "a category is a member once");
        model::check(log.updates() == 3, "and is one change");
        return 0;
    }
};

template <class Scenario> void explore_all(const char* name, std::size_t outcomes) {
    for (const auto memory : model::explored_memories) {
        const auto all = model::explore<Scenario>(name, model::with_bounds({memory, false, false, 64}, 2, 2));
        CHECK(all.mistake == "");
        CHECK(all.outcomes.size() == outcomes);
        CHECK(all.longest_alone < 150);
    }
}

} // namespace

TEST_CASE(
    "Two who publish at once give every record one number and count every member once, and one who is stopped for "
    "ever at whatever step delays the other one by no more than the work that is left") {
    explore_all<publishing<2, 0>>("two publish", 2);
}

TEST_CASE("A reader finds numbers without holes while two threads publish") {
    if (!model::is_long()) return;
    explore_all<looking_on<true>>("two publish, one looks at a number", 2);
    explore_all<looking_on<false>>("two publish, one looks at a record", 2);
}

TEST_CASE("A reader of the update number finds the changes that it counts while a thread publishes") {
    explore_all<publishing<1, 1>>("one publishes, one asks", 1);
    explore_all<asking_after_two>("one publishes twice, one asks", 1);
}

TEST_CASE("A reader of a category finds each member and its category filled while a thread publishes") {
    explore_all<looking_at_members>("one publishes, one looks at a category", 1);
}

TEST_CASE("Of two categories that add each other at once one is refused") {
    explore_all<circular<2>>("two categories in each other", 2);
    explore_all<twice>("the same category twice in another one", 1);
}

TEST_CASE("A publication log with one weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed, mpit::core::acquire;
    const model::options with = model::with_bounds({model::cxx20, false, false, 64}, 2, 2);
    const auto mistake_of = [&](const char* function, operation what, int to) {
        return model::mistake_of_mutant<publishing<1, 1>>({"publication_log.hpp", function, what, to}, with);
    };
    CHECK(mistake_of("finish_pending", operation::load, relaxed) != "");
    CHECK(mistake_of("assign_indices", operation::compare_exchange, acquire) != "");
}
