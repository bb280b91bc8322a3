// Trees that wait: two threads that have made the records of the same tree publish it once, and one that is stopped for
// ever at any step leaves the other one no more than the work that is left.
#include "scenario.hpp"

#include <mpit/registry/pending_trees.hpp>
#include <mpit/registry/publication_log.hpp>

namespace {

using mpit::registry::pending_tree;
using mpit::registry::batch;
using mpit::registry::category_record;
using mpit::registry::event_record;
using mpit::registry::kind;
using mpit::registry::membership;
using mpit::registry::record;

struct some_tree : mpit::descriptor::category {
    some_tree() : category{"tree", ""} {}
};

// One category with two events of one source. `IsDecided` is false for a mutant: each thread publishes its own batch.
template <bool IsDecided> struct waiting_tree {
    static constexpr int fibers = 2;
    mpit::registry::pending_tree_list trees;
    mpit::registry::publication_log log;
    mpit::internal::source_channel source;
    some_tree tree;
    pending_tree place;
    category_record in;
    event_record events[2];
    record* rooms[fibers][3];
    membership joined[fibers];
    batch batches[fibers];

    waiting_tree() {
        model::keep_allocations();
        model::call(trees, "trees");
        model::call(log, "log");
        model::call(source, "source");
        model::call(place, "pending tree");
        model::call(in, "category");
        model::call(events, "events");
        model::call(batches, "batches");
        in.item_kind = kind::category;
        for (event_record& each : events) {
            each.item_kind = kind::event;
            each.channel.source = &source;
        }
        for (int f = 0; f < fibers; f++) {
            add(batches[f], rooms[f], in);
            add(batches[f], rooms[f] + 1, events[0]);
            add(batches[f], rooms[f] + 1, events[1]);
            joined[f].parent = &in;
            joined[f].item_kind = kind::event;
            joined[f].members = rooms[f] + 1;
            joined[f].count = 2;
            batches[f].first_membership = &joined[f];
            batches[f].is_whole = true;
        }
        place.tree.store(&tree);
        trees.set_pending(place);
    }
    static void add(batch& to, record** room, record& r) {
        batch::part& part = to.parts[static_cast<int>(r.item_kind)];
        part.records = room;
        part.records[part.count++] = &r;
    }
    void run(int fiber) {
        {
            const mpit::registry::publishing_guard here{place};
            if (here.is_pending()) {
                model::check(IsDecided ? log.publish_one(place.published_batch, nullptr, batches[fiber]) != nullptr
                                       : log.publish(batches[fiber]),
                             "a tree enters");
                trees.set_published(place);
            }
        }
        const int number = events[1].number.load();
        model::check(number >= 0 && log.count(kind::event) > number, "who has entered a tree finds what is in it");
        model::check(place.state.load() == pending_tree::published, "a tree that was entered does not wait");
    }
    void always() {
        for (int i = 0, end = log.count(kind::event); i < end; i++) {
            const record* r = log.at(kind::event, i);
            model::check(r != nullptr && r->number.load() == i, "every number below the count has its record");
        }
        int length = 0;
        for (auto* c = source.first.load(); c != nullptr && length < 4; c = c->next_of_source.load()) length++;
        model::check(length <= 2, "the list of a source has an end");
    }
    int at_end() {
        model::check(log.count(kind::category) == 1 && log.count(kind::event) == 2, "every record has one number");
        const membership* m = in.members[static_cast<int>(kind::event)].load();
        model::check(m != nullptr && m->next.load() == nullptr, "an event is a member once");
        model::check(log.updates() == 3, "every change is counted once");
        const auto* last = source.first.load();
        model::check(last == &events[1].channel && last->next_of_source.load() == &events[0].channel &&
                         events[0].channel.next_of_source.load() == nullptr,
                     "a source has each of its events once");
        model::check(!trees.has_pending() && place.publishing_threads.load() == 0,
                     "no tree waits, and no thread is at it");
        return m == &joined[0];
    }
};

} // namespace

TEST_CASE("Two threads that register one tree publish it once, and one that is stopped forever at any step does not "
          "make the other one wait") {
    for (const auto memory : model::both_memories) {
        if (memory == model::x86 && !model::is_long()) continue;
        const auto all = model::explore<waiting_tree<true>>("two enter a tree", model::with_bounds({memory}, 1, 2));
        CHECK(all.mistake == "");
        CHECK(all.outcomes.size() == 2);
        CHECK(all.longest_alone < 150);
    }
}

TEST_CASE("If each thread published a batch of its own, an event would be a member twice") {
    const auto all = model::explore<waiting_tree<false>>("two batches of one tree", {model::both_memories[0]});
    CHECK(all.mistake.find("an event is a member once") != std::string::npos);
}

TEST_CASE("A tree whose publication has no order for a thread that finds it published is a mistake") {
    if (!model::finds_mutants()) return;
    const model::options with = model::with_bounds({model::cxx20}, 1, 2);
    CHECK(model::mistake_of_mutant<waiting_tree<true>>(
              {"pending_trees.hpp", "is_pending", model::operation::load, mpit::core::relaxed}, with) != "");
}
