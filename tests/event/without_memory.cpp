// Trees of events that enter an index while memory ends: raising works for the author all the time, and what tools see
// is whole, then and after a second try.

#include "../catch.hpp"
#include "../trees.hpp"

using mpit::registry::event_record;
using mpit::registry::kind;

namespace {

struct measurement {
    int where;
    double values[40];
    colour lamp;
};

// Events with elements that have names, some of them of a source of the tree's own.
struct event_tree {
    std::deque<std::string> texts;
    named_category root;
    mpit::source line;
    std::deque<mpit::event<measurement>> events;

    event_tree(const std::string& prefix, int size)
        : root{keep(prefix)}, line{&root, name(prefix + "_clock"), "", {.ordering = mpit::ordering::ordered}} {
        for (int i = 0; i < size; i++) {
            const mpit::event_settings<void> of_line{.source = &line}, of_cycles{};
            events.emplace_back(&root, name(prefix + "_event_" + std::to_string(i)), "An event",
                                i % 2 == 0 ? of_line : of_cycles);
        }
    }
    const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
    mpit::core::checked_name name(std::string text) { return keep(std::move(text)); }
    void raise_all() {
        for (mpit::event<measurement>& e : events) {
            e(measurement{});
            e.defer(measurement{});
            e.deliver();
        }
        mpit::deliver(root);
    }
};

// How many events of an index have elements without a name, a source without a number, or no channel that they are on.
int half_events(const mpit::registry::process_registry& in) {
    int found = 0;
    for (int i = 0; i < in.count(kind::event); i++) {
        const auto* r = static_cast<const event_record*>(in.variable(kind::event, i));
        found += r == nullptr || in.index_of(kind::event, r->name) != i;
        if (r == nullptr) continue;
        found += r->channel.element_count != 42 || r->channel.elements == nullptr || r->channel.source == nullptr;
        found += r->enumeration == nullptr || r->enumeration->count != 42 || r->enumeration->index.load() < 0;
        if (r->enumeration != nullptr) found += std::string(r->enumeration->items[3].name.characters) != "values[2]";
        if (r->channel.source == nullptr || !r->channel.is_ordered) continue;
        const int source = r->channel.source->index() - r->channel.source->first_index;
        found += in.at(kind::source, source) == nullptr;
    }
    return found;
}

} // namespace

TEST_CASE(
    "Wherever memory ends while events enter an index, they can be raised, and a second try makes all of them seen") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        event_tree first{"first", 3}, hungry{"hungry", 60}, later{"later", 2};
        REQUIRE(enter(index, first.root));
        mpit::core::allocations_left.store(allowed);
        const bool entered = enter(index, hungry.root);
        mpit::core::allocations_left.store(-1);
        hungry.raise_all();
        first.raise_all();
        CHECK(half_events(index) == 0);
        CHECK(contradictions(index) == 0);
        if (entered) {
            CHECK(index.count(kind::event) == 63);
            break;
        }
        failures++;
        CHECK(enter(index, later.root));
        later.raise_all();
        mpit::registry::unregister(hungry.root);
        CHECK(enter(index, hungry.root));
        CHECK(half_events(index) == 0);
        CHECK(contradictions(index) == 0);
        CHECK(index.count(kind::event) == 65);
        CHECK(index.count(kind::source) == 3);
        CHECK(index.index_of(kind::event, "hungry_event_59") >= 0);
        hungry.raise_all();
    }
    CHECK(failures >= 3);
}
