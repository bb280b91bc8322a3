// A registration that ends, and one for another object that begins in its place, while a third thread raises: an
// instance reaches the callback of its own object, with the user data of its registration, or none.
#include "described.hpp"
#include "scenario.hpp"
#include "shards_of_fibers.hpp"

#include <mpit/session/event_handles.hpp>

namespace {

using mpit::safety;
using mpit::descriptor::object_key;
using mpit::internal::subscription;
using mpit::internal::tool_function;

// What is raised is of the object of the first registration, or of that of the second.
template <object_key Raised> struct registering_again {
    static constexpr int fibers = 2;
    mpit::registry::process_registry index;
    model::shards_of_fibers<2> shards;
    model::root tree;
    model::described_event event{tree};
    mpit::internal::source_channel source;
    mpit::registry::event_record record;
    model::open_epochs epochs;
    mpit::session::event_handles events;
    std::uint64_t first = 0, second = 0;
    object_key objects[2]{1, 2};
    int called = 0;

    static inline registering_again* present = nullptr;
    // The user data of a callback is its object.
    static constexpr mpit::internal::tool_calls calls{
        .event = [](tool_function, void* object, std::uint64_t, std::uint64_t, safety) {
        model::check(*static_cast<const object_key*>(object) == Raised, "an instance reaches callbacks of its object");
        present->called++;
    }, .dropped = nullptr, .freed = [](subscription& ended, std::uint64_t word, safety) {
        present->events.release(ended, word);
    }};

    registering_again() {
        present = this;
        model::keep_allocations();
        shards.begin(index.shards);
        shards.use(0, index.shards);
        model::leave_out(&index.log, sizeof index.log);
        record.item_kind = mpit::descriptor::kind::event;
        record.binding = mpit::binding::communicator;
        record.channel.source = &source;
        record.channel.is_ordered = true; // so that the subscription needs no memory for a queue
        record.live.store(&event);
        first = begin(objects[0]);
        subscription& l = *record.channel.first.load();
        model::call(events, "registrations");
        model::call(l, "subscription");
        model::call(l.word, "word of the subscription");
        model::call(l.key, "key of the subscription");
        mpit::core::this_thread_shard = {};
    }
    std::uint64_t begin(object_key& object) {
        std::uint64_t made = 0;
        model::check(events.allocate(index, record, &object, {}, calls, epochs, made) == mpit::result::success,
                     "a registration begins");
        const auto registered =
            events.register_callback(made, safety::none, reinterpret_cast<tool_function>(16), &object, {});
        model::check(registered == mpit::result::success, "it has a callback");
        return made;
    }
    void run(int fiber) {
        shards.use(fiber, index.shards);
        if (fiber == 0) {
            const char payload[8] = {};
            const mpit::internal::instance what{&record.channel, payload, 0, safety::none};
            record.channel.first.load()->offer({what, 1, Raised, 0});
            return;
        }
        model::check(events.free(index, first, nullptr, nullptr) == mpit::result::success,
                     "who ends a registration alone succeeds");
        second = begin(objects[1]);
    }
    int at_end() {
        model::check(called <= 1, "an instance is delivered once at most");
        model::check(events.free(index, second, nullptr, nullptr) == mpit::result::success,
                     "the second registration is open");
        return called;
    }
};

} // namespace

TEST_CASE("An instance reaches callbacks of its own object, while a registration ends and one of another object begins "
          "in its place") {
    model::explore_all<registering_again<1>>(
        "one raises for the object of a registration that ends, one begins another", model::bounded(3, 3), 2);
    model::explore_all<registering_again<2>>(
        "one raises for the object of a registration that begins in the place of another", model::bounded(3, 3), 2);
}

TEST_CASE("A registration whose word is stored or loaded in a weaker order gets instances of another object") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed;
    const model::options with = model::with_bounds({model::cxx20}, 3, 3);
    using again = registering_again<1>;
    CHECK(model::mistake_of_mutant<again>({"event_handles.hpp", "allocate", operation::store, relaxed}, with) != "");
    CHECK(model::mistake_of_mutant<again>({"subscription.hpp", "visit", operation::load, relaxed}, with) != "");
}
