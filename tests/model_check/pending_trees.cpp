// Trees that wait: two threads that have made the records of the same tree publish it once, and one that is stopped for
// ever at any step leaves the other one no more than the work that is left.
#include "scenario.hpp"

#include <mpit/module/load.hpp>
#include <mpit/registry/publication_log.hpp>

namespace {

using mpit::registry::category_record;
using mpit::registry::event_record;
using mpit::registry::kind;
using mpit::registry::log_entry;
using mpit::registry::membership;
using mpit::registry::pending_tree;
using mpit::registry::record;

struct some_tree : mpit::descriptor::category {
    some_tree() : category{"tree", ""} {}
};

// One category with two events of one source. `IsDecided` is false for a mutant: each thread publishes its own entry.
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
    log_entry entries[fibers];

    waiting_tree() {
        model::keep_allocations();
        model::call(trees, "trees");
        model::call(log, "log");
        model::call(source, "source");
        model::call(place, "pending tree");
        model::call(in, "category");
        model::call(events, "events");
        model::call(entries, "entries");
        in.item_kind = kind::category;
        for (event_record& each : events) {
            each.item_kind = kind::event;
            each.channel.source = &source;
        }
        place.tree.store(&tree);
        trees.set_pending(place);
    }
    // By the thread that publishes it, so that another one that helps has to be ordered after it.
    void fill(int f) {
        add(entries[f], rooms[f], in);
        add(entries[f], rooms[f] + 1, events[0]);
        add(entries[f], rooms[f] + 1, events[1]);
        joined[f].parent = &in;
        joined[f].item_kind = kind::event;
        joined[f].members = rooms[f] + 1;
        joined[f].count = 2;
        entries[f].first_membership = &joined[f];
        entries[f].is_complete = true;
    }
    static void add(log_entry& to, record** room, record& r) {
        log_entry::part& part = to.parts[static_cast<int>(r.item_kind)];
        part.records = room;
        part.records[part.count++] = &r;
    }
    void run(int fiber) {
        {
            const mpit::registry::publishing_guard here{place};
            if (here.is_pending()) {
                fill(fiber);
                model::check(IsDecided ? log.publish_one(place.published_entry, nullptr, entries[fiber]) != nullptr
                                       : log.publish(entries[fiber]),
                             "a tree enters");
                trees.set_published(place);
            }
        }
        const int number = events[1].index.load();
        model::check(number >= 0 && log.count(kind::event) > number, "who has entered a tree finds what is in it");
        model::check(place.state.load() == pending_tree::published, "a tree that was entered does not wait");
    }
    void always() {
        for (int i = 0, end = log.count(kind::event); i < end; i++) {
            const record* r = log.at(kind::event, i);
            model::check(r != nullptr && r->index.load() == i, "every number below the count has its record");
        }
        int length = 0;
        for (auto* c = source.first.load(); c != nullptr && length < 4; c = c->next_in_source.load()) length++;
        model::check(length <= 2, "the list of a source has an end");
    }
    int at_end() {
        model::check(log.count(kind::category) == 1 && log.count(kind::event) == 2, "every record has one number");
        const membership* m = in.members[static_cast<int>(kind::event)].load();
        model::check(m != nullptr && m->next.load() == nullptr, "an event is a member once");
        model::check(log.updates() == 3, "every change is counted once");
        const auto* last = source.first.load();
        model::check(last == &events[1].channel && last->next_in_source.load() == &events[0].channel &&
                         events[0].channel.next_in_source.load() == nullptr,
                     "a source has each of its events once");
        model::check(!trees.has_pending() && place.publishing_threads.load() == 0,
                     "no tree waits, and no thread is at it");
        return m == &joined[0];
    }
};

// A tree is loaded while the first tool comes: its loader finds the registrar, or the tool finds the tree.
struct coming_tree {
    static constexpr int fibers = 2;
    mpit::registry::process_registry index;
    some_tree tree;
    pending_tree* place = nullptr;
    mpit::registry::registrar keeper;

    coming_tree() {
        model::keep_allocations();
        model::keep_shards();
        model::call(index.pending_trees, "trees");
        model::call(keeper, "registrar");
        model::leave_out(&index.log, sizeof index.log);
        place = index.pending_trees.add(index.memory, tree, "tree", "");
        model::check(place != nullptr, "there is memory");
    }
    static void publish(mpit::registry::process_registry& in, pending_tree& a, mpit::registry::report_list&) {
        if (in.pending_trees.has_tools.load(mpit::core::seq_cst) == 0) return;
        const mpit::registry::publishing_guard here{a};
        if (here.is_pending()) in.pending_trees.set_published(a);
    }
    void run(int fiber) {
        mpit::registry::report_list reports;
        if (fiber == 0) {
            index.pending_trees.set_pending(*place);
            return mpit::registry::notify_registrar(index, *place, reports);
        }
        // As become_registrar() and open_to_tools().
        mpit::registry::pending_tree_list& trees = index.pending_trees;
        keeper.on_load.store(&publish);
        keeper.next = trees.registrars.load();
        while (!trees.registrars.compare_exchange(keeper.next, &keeper)) {}
        trees.has_tools.store(1, mpit::core::seq_cst);
        if (trees.has_pending()) trees.each([&](pending_tree& a) { publish(index, a, reports); });
    }
    int at_end() {
        model::check(place->state.load() == pending_tree::published,
                     "a tree that comes with the first tool is published");
        return 0;
    }
};

// A tree is unloaded while another thread enters it.
struct leaving_tree {
    static constexpr int fibers = 2;
    mpit::registry::pending_tree_list trees;
    mpit::core::arena memory;
    some_tree tree;
    pending_tree* place = nullptr;
    int content = 1;

    leaving_tree() {
        model::keep_allocations();
        model::call(trees, "trees");
        model::call(content, "content");
        place = trees.add(memory, tree, "tree", "");
        model::check(place != nullptr, "there is memory");
        model::call(*place, "pending tree");
        trees.set_pending(*place);
    }
    void run(int fiber) {
        if (fiber == 0) {
            const mpit::registry::publishing_guard here{*place};
            if (!here.is_pending()) return;
            model::check(content == 1, "a tree that is entered is there");
            trees.set_published(*place);
            model::check(content == 1, "a tree that is entered is there");
            return;
        }
        leave();
        content = 0;
        trees.remove(*place);
    }
    // As unload_tree().
    void leave() {
        trees.set_unloading(*place);
        mpit::core::bounded_wait{}.wait_while([&] { return place->publishing_threads.load(mpit::core::seq_cst) > 0; });
    }
    int at_end() {
        model::check(!trees.has_pending() && place->publishing_threads.load() == 0,
                     "no tree waits, and no thread is at it");
        return 0;
    }
};

// One tree goes, another one takes its place or a new one, and a third thread looks at those that wait.
struct next_tree : leaving_tree {
    static constexpr int fibers = 3;
    some_tree other;
    const char* const names[2] = {"one", "other"};
    pending_tree* made = nullptr;

    next_tree() { place->module = names[0]; }
    void run(int fiber) {
        if (fiber == 0) {
            leave();
            model::check(place->module == names[0], "a tree has its place until it goes");
            trees.remove(*place);
        } else if (fiber == 1) {
            made = trees.add(memory, other, "other", names[1]);
            model::check(made != nullptr && made->published_entry.load() == nullptr, "the other tree has a place");
            if (made != nullptr) trees.set_pending(*made);
        } else {
            trees.each([&](pending_tree& a) {
                const mpit::registry::publishing_guard here{a};
                if (here.is_pending())
                    model::check(a.module == names[a.tree.load() == &other], "a tree that waits is filled");
            });
        }
    }
    int at_end() {
        model::check(trees.find(other) == made && trees.find(tree) == nullptr, "one has gone, the other one is there");
        return made == place;
    }
};

} // namespace

TEST_CASE("A tree that is loaded while the first tool comes is published") {
    model::explore_all<coming_tree>("one loads a tree, one is the first tool");
}

TEST_CASE("A tree that another thread enters is unloaded afterwards, and its place is another one's then") {
    model::explore_all<leaving_tree>("one enters a tree, one unloads it", model::waiting);
    model::explore_all<next_tree>("a tree goes, one comes, one looks", model::bounded(2, 2, model::waiting), 2);
}

TEST_CASE("Two threads that register one tree publish it once, and one that is stopped forever at any step does not "
          "make the other one wait") {
    for (const auto memory : model::explored_memories) {
        if (memory == model::x86 && !model::is_long()) continue;
        const auto all = model::explore<waiting_tree<true>>("two enter a tree", model::with_bounds({memory}, 1, 2));
        CHECK(all.mistake == "");
        CHECK(all.outcomes.size() == 2);
        CHECK(all.longest_alone < 150);
    }
}

TEST_CASE("If each thread published an entry of its own, an event would be a member twice") {
    const auto all = model::explore<waiting_tree<false>>("two entries of one tree", {model::explored_memories[0]});
    CHECK(all.mistake.find("an event is a member once") != std::string::npos);
}

TEST_CASE("A tree whose publication has no order for a thread that finds it published is a mistake") {
    if (!model::finds_mutants()) return;
    const model::options with = model::with_bounds({model::cxx20}, 1, 2);
    CHECK(model::mistake_of_mutant<waiting_tree<true>>(
              {"pending_trees.hpp", "is_pending", model::operation::load, mpit::core::relaxed}, with) != "");
}
