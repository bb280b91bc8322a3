// The end of a registration: its free function runs once, while nobody is inside a callback, and none begins after it.
// And the end of a library: nobody uses a variable after the wait for those who look. Both rest on a pair of fences of
// which one side is free, so that only the buffers of x86 can show that they are needed.
#include "described.hpp"
#include "scenario.hpp"
#include "shards_of_fibers.hpp"

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/session/event_handles.hpp>

namespace {

using mpit::safety;
using mpit::internal::subscription;
using mpit::internal::tool_function;

// One registration: the last fiber ends it, the others deliver to it.
template <int Fibers, bool EndsInCallback> struct ending {
    static constexpr int fibers = Fibers;
    mpit::registry::process_registry index;
    model::shards_of_fibers<Fibers> shards;
    model::root tree;
    model::described_event event{tree};
    mpit::internal::source_channel source;
    mpit::registry::event_record record;
    model::open_epochs epochs;
    mpit::session::event_handles events;
    std::uint64_t handle = 0;
    mpit::core::atomic<std::uint64_t> moment; // of a callback
    int freed = 0, running = 0, ends = 0;

    static ending& of(void* scenario) { return *static_cast<ending*>(scenario); }
    static inline void* present = nullptr;
    static constexpr mpit::internal::tool_calls calls{
        .event = [](tool_function, void* scenario, std::uint64_t, std::uint64_t, safety) { of(scenario).called(); },
        .dropped = nullptr,
        .freed = [](subscription& ended, std::uint64_t word, safety) { of(present).free_function(ended, word); }};

    ending() {
        present = this;
        model::keep_allocations();
        model::observe(running); // callbacks of several threads count themselves
        model::observe(ends);
        shards.begin(index.shards);
        shards.use(0, index.shards);
        model::call(moment, "moment of a callback");
        model::leave_out(&index.log, sizeof index.log);
        record.item_kind = mpit::descriptor::kind::event;
        record.channel.source = &source;
        record.channel.is_ordered = true; // so that the subscription needs no memory for a queue
        record.live.store(&event);
        model::check(events.allocate(index, record, nullptr, {}, calls, epochs, handle) == mpit::result::success,
                     "there is a registration");
        subscription& l = *record.channel.first.load();
        l.callbacks[0].change([&](mpit::internal::callback& to) {
            to = {reinterpret_cast<tool_function>(16), this, 1};
            return true;
        });
        l.levels.store(1);
        model::call(l, "subscription");
        model::call(l.word, "word of the subscription");
        model::call(l.closing, "closing of the subscription");
        mpit::core::this_thread_shard = {};
    }
    void called() {
        running++;
        model::check(freed == 0, "no callback begins after the free function");
        moment.load();
        if (EndsInCallback) ends += events.free(index, handle, nullptr, nullptr) == mpit::result::success;
        model::check(freed == 0, "the free function waits for callbacks");
        running--;
    }
    void free_function(subscription& ended, std::uint64_t word) {
        model::check(running == 0, "the free function runs while no callback does");
        model::check(freed++ == 0, "the free function runs once");
        moment.load();
        events.release(ended, word);
    }
    void run(int fiber) {
        shards.use(fiber, index.shards);
        if (fiber + 1 < Fibers || EndsInCallback) {
            const char payload[8] = {};
            const mpit::internal::instance what{&record.channel, payload, 0, safety::none};
            record.channel.first.load()->offer({what, 1, 0, 0});
            return;
        }
        ends += events.free(index, handle, nullptr, nullptr) == mpit::result::success;
    }
    int at_end() {
        model::check(ends == 1, "one has ended the registration");
        model::check(freed == 1, "its free function has run");
        model::check(record.channel.first.load()->owner.load() == 0, "its subscription can be used again");
        return 0;
    }
};

// Instances that wait in the queue of a subscription, or of an ordered source, with room for three of them around its
// end.
template <int Fibers> struct queueing {
    static constexpr int fibers = Fibers;
    mpit::core::shard_set set;
    model::shards_of_fibers<Fibers> shards;
    alignas(64) char rooms[2][mpit::internal::instance_queue::bytes_for(6)] = {};
    mpit::internal::source_channel source;
    mpit::internal::event_channel small, large;
    mpit::internal::instance_queue ordered;
    subscription to;
    mpit::core::atomic<std::uint64_t> moment;
    std::uint64_t delivered = 0;

    static constexpr mpit::internal::tool_calls calls{
        .event = [](tool_function, void* scenario, std::uint64_t, std::uint64_t, safety) {
        auto& self = *static_cast<queueing*>(scenario);
        self.moment.load();
        self.delivered++;
    }, .dropped = nullptr, .freed = nullptr};

    queueing() {
        model::observe(delivered); // callbacks of several threads may run at once
        shards.begin(set);
        shards.use(0, set);
        small.size = 8;
        large.size = 32;
        small.source = large.source = &source;
        small.first.store(&to);
        large.first.store(&to);
        to.channel = &large;
        to.in_flight.assign_cell();
        to.calls.store(&calls);
        to.callbacks[0].change([&](mpit::internal::callback& one) {
            one = {reinterpret_cast<tool_function>(16), this, 1};
            return true;
        });
        to.levels.store(1);
        to.owner.store(7);
        to.word.store(7);
        source.queue.store(&ordered);
        begin(ordered, rooms[0]);
        begin(to.queue, rooms[1]);
        model::call(ordered, "queue of the source");
        model::call(to, "subscription");
        model::call(to.queue, "queue of the subscription");
        mpit::core::this_thread_shard = {};
    }
    void begin(mpit::internal::instance_queue& queue, void* room) {
        const char payload[32] = {};
        queue.set_memory(room, 6);
        for (int i = 0; i < 5; i++) {
            queue.push({&small, payload, 0, {}}, 0, 0);
            queue.try_lock();
            queue.pop(*queue.front());
            queue.unlock();
        }
    }
    int at_end() {
        model::check(ordered.is_empty() && to.queue.is_empty(), "nothing stays behind");
        model::check(delivered == Fibers, "what was raised was delivered once");
        return 0;
    }
};
struct raising_in_order : queueing<2> {
    void run(int fiber) {
        shards.use(fiber, set);
        const char payload[32] = {};
        mpit::internal::enqueue_in_order(&ordered, {fiber == 0 ? &large : &small, payload, 0, {}}, {});
        mpit::internal::deliver_in_order(ordered, safety::none);
    }
};
struct keeping_and_flushing : queueing<2> {
    void run(int fiber) {
        shards.use(fiber, set);
        const char payload[32] = {};
        to.defer({fiber == 0 ? &large : &small, payload, 0, {}}, 0, 0);
        to.deliver_deferred(safety::none);
    }
};

// Two raise an event whose callback is neither thread-safe nor re-entrant, each of them several times; with a callback
// that is, the same check has to fail.
template <int Raises, safety Level> struct raising_for_one : queueing<2> {
    int running = 0;
    static constexpr mpit::internal::tool_calls exclusive_calls{
        .event = [](tool_function, void* scenario, std::uint64_t, std::uint64_t, safety) {
        auto& self = *static_cast<raising_for_one*>(scenario);
        model::check(self.running++ == 0, "a callback that is not thread-safe runs alone");
        self.moment.load();
        self.delivered++;
        self.running--;
    }, .dropped = nullptr, .freed = [](subscription& ended, std::uint64_t, safety) { ended.release(); }};

    raising_for_one() {
        to.calls.store(&exclusive_calls);
        to.callbacks[static_cast<int>(Level)].change([&](mpit::internal::callback& one) {
            one = {reinterpret_cast<tool_function>(16), this, 1};
            return true;
        });
        if (Level != safety::none) to.callbacks[0].change([](mpit::internal::callback& one) { return one = {}, true; });
        to.levels.store(static_cast<std::uint8_t>(1u << static_cast<int>(Level)));
    }
    void raise() {
        const char payload[32] = {};
        mpit::internal::deliver({&small, payload, 0, safety::none}, {});
    }
    void run(int fiber) {
        shards.use(fiber, set);
        for (int i = 0; i < (fiber == 0 ? 1 : Raises); i++) raise();
    }
    int at_end() {
        model::check(to.queue.is_empty(), "when the last raise has returned nothing is waiting");
        model::check(delivered == 1 + Raises, "what was raised was delivered once");
        return 0;
    }
};
// The same while the registration ends.
struct ending_for_one : raising_for_one<1, safety::none> {
    void run(int fiber) {
        shards.use(fiber, set);
        if (fiber == 0) return raise();
        raise();
        to.word.store(0, mpit::core::seq_cst);
        set.fences.heavy();
        to.closing.store(7, mpit::core::seq_cst);
        set.fences.heavy();
        to.end_if_idle(safety::none);
    }
    int at_end() {
        model::check(to.owner.load() == 0, "the subscription can be used again");
        model::check(to.queue.is_empty(), "its queue is empty");
        model::check(delivered <= 2, "what was raised was delivered once at most");
        return 0;
    }
};

// An instance that is kept while the registration ends: it is none of the next registration's.
struct keeping_at_the_end : queueing<2> {
    void run(int fiber) {
        shards.use(fiber, set);
        const char payload[32] = {};
        if (fiber == 0) return to.defer({&small, payload, 0, {}}, 0, 0);
        to.word.store(0, mpit::core::seq_cst);
        set.fences.heavy();
        to.closing.store(7, mpit::core::seq_cst);
        set.fences.heavy();
        to.end_if_idle(safety::none);
    }
    static constexpr mpit::internal::tool_calls ending_calls{
        .event = nullptr, .dropped = nullptr, .freed = [](subscription& ended, std::uint64_t, safety) {
        ended.release();
    }};
    keeping_at_the_end() { to.calls.store(&ending_calls); }
    int at_end() {
        model::check(to.owner.load() == 0, "the subscription can be used again");
        model::check(to.queue.is_empty(), "its queue is empty");
        return 0;
    }
};

// One sets and removes the callback of a level, the other one sets that of another level.
struct changing_callbacks : queueing<2> {
    void change(unsigned level, std::uintptr_t function) {
        const auto done = to.change(level, 7, [&](mpit::internal::callback& one) {
            one.function = reinterpret_cast<tool_function>(function);
            return true;
        });
        model::check(done == mpit::result::success, "a callback is changed");
    }
    void run(int fiber) {
        if (fiber == 1) return change(2, 32);
        change(1, 16);
        change(1, 0);
    }
    int at_end() {
        model::check(to.levels.load() == 0b101, "the levels that have a callback are known");
        return 0;
    }
};

// One loses an instance because no callback serves the level, one sets a callback, and one looks for losses: whoever
// looks last is told of it, whatever looks before remembered.
struct losing_without_a_callback : queueing<3> {
    int told = 0;
    static void tell(tool_function, std::int64_t count, std::uint64_t, int, safety, void* scenario) {
        static_cast<losing_without_a_callback*>(scenario)->told += static_cast<int>(count);
    }
    static constexpr mpit::internal::tool_calls telling_calls{
        .event = queueing::calls.event, .dropped = &tell, .freed = nullptr};
    static constexpr unsigned level = static_cast<unsigned>(safety::thread_safe);

    losing_without_a_callback() {
        model::observe(told);
        source.first.store(&small);
        small.next_in_source.store(nullptr);
        large.first.store(nullptr);
        to.channel = &small;
        to.calls.store(&telling_calls);
        to.callbacks[0].change([](mpit::internal::callback& one) { return one = {}, true; });
        to.callbacks[subscription::dropped_handler].change(
            [](mpit::internal::callback& one) { return one.function = reinterpret_cast<tool_function>(32), true; });
        to.levels.store(1u << subscription::dropped_handler);
        model::call(source, "source");
    }
    void look() {
        if (source.unreported.load() != 0) mpit::internal::notify_dropped(source, safety::thread_safe);
    }
    void run(int fiber) {
        shards.use(fiber, set);
        if (fiber == 0) return to.count_dropped(0, 0, safety::thread_safe);
        if (fiber == 1) return look();
        const auto done = to.change(level, 7, [&](mpit::internal::callback& one) {
            one = {reinterpret_cast<tool_function>(16), this, 1};
            return true;
        });
        model::check(done == mpit::result::success, "a callback is set");
    }
    int at_end() {
        look();
        model::check(told == 1, "the loss is told once");
        return 0;
    }
};

// A reader looks whether the variable is there and uses its memory; who unloads withdraws it, waits, and takes the
// memory.
template <int Fibers, bool HaveLanes> struct unloading {
    static constexpr int fibers = Fibers;
    mpit::core::shard_set set;
    model::shards_of_fibers<Fibers> shards;
    mpit::core::atomic<std::uint64_t> live;
    mpit::core::atomic<std::uint64_t> memory;
    bool is_gone = false;

    unloading() {
        model::keep_allocations();
        shards.begin(set);
        if (!HaveLanes) set.first.store(nullptr);
        live.store(1);
        model::call(live, "live");
        model::call(memory, "the variable");
        model::call(set, "shard set");
    }
    void look() {
        const mpit::core::read_guard guard;
        if (live.load() == 0) return;
        memory.load();
        model::check(!is_gone, "a variable that is used is there");
    }
    void run(int fiber) {
        if (HaveLanes) shards.use(fiber, set);
        if (fiber > 0) {
            look();
            if (Fibers == 2) look();
            return;
        }
        live.store(0);
        model::check(mpit::core::wait_for_grace_period(set), "the wait has an end");
        is_gone = true;
    }
    int at_end() { return 0; }
};

// Where there is no memory for a shard, readers are counted together.
struct unloading_without_memory : unloading<2, false> {
    unloading_without_memory() { mpit::core::allocations_left.store(0); }
};

// The same for who is in a look already when a signal handler looks, too.
struct unloading_in_signals : unloading<2, true> {
    void run(int fiber) {
        if (fiber == 0) return unloading::run(fiber);
        shards.use(fiber, set);
        const mpit::core::read_guard guard;
        const bool was_there = live.load() != 0;
        look();
        memory.load();
        model::check(!was_there || !is_gone, "a variable that is used is there");
    }
};

// One looks quickly, a second time, or in a signal handler that has interrupted the first look. Of a mutant the look in
// the handler is quick as well: its end is taken for the end of both.
enum class second_look : std::uint8_t { later, in_a_handler, quick_in_a_handler };
template <second_look Second> struct unloading_quickly : unloading<2, true> {
    template <class Inside> void look_quickly(mpit::core::atomic<std::uint32_t>& cell, Inside inside) {
        const mpit::core::short_read_guard here{cell};
        const bool was_there = live.load() != 0;
        inside();
        if (was_there) memory.load();
        model::check(!was_there || !is_gone, "a variable that is used is there");
    }
    void run(int fiber) {
        if (fiber == 0) return unloading::run(fiber);
        shards.use(fiber, set);
        auto* const cell = mpit::core::short_read_guard::available_cell();
        model::check(cell != nullptr, "a thread with a shard looks quickly");
        look_quickly(*cell, [&] {
            if (Second == second_look::quick_in_a_handler) look_quickly(*cell, [] {});
            if (Second != second_look::in_a_handler) return;
            model::check(mpit::core::short_read_guard::available_cell() == nullptr,
                         "a handler in a quick look knows it");
            look();
        });
        if (Second == second_look::later) look_quickly(*cell, [] {});
    }
};

} // namespace

namespace {

constexpr model::options small{.kept_bytes_of_pages = 2048};

} // namespace

TEST_CASE("The free function of a registration runs once, while no callback runs, and none begins after it") {
    model::explore_all<ending<2, false>>("one delivers, one ends", small);
    model::explore_all<ending<2, true>>("two end it in a callback", small);
}

TEST_CASE("A registration ends correctly if accesses to plain memory are separate from the atomic operations") {
    if (!model::explores(model::x86)) return;
    constexpr model::options apart{model::x86, true, false, 2048};
    CHECK(model::explore<ending<2, false>>("one delivers, one ends, plain accesses apart", apart).mistake == "");
    CHECK(model::explore<ending<2, true>>("two end it in a callback, plain accesses apart", apart).mistake == "");
}

TEST_CASE("Of two threads that deliver the last one runs the free function") {
    model::explore_all<ending<3, false>>("two deliver, one ends", model::bounded(2, 2, small));
}

TEST_CASE("No instance is left in a queue, whichever thread delivers") {
    model::explore_all<raising_in_order>("two raise events of an ordered source");
    model::explore_all<keeping_and_flushing>("two keep an instance and deliver");
}

TEST_CASE("A callback that is not thread-safe runs in one thread at a time, and no instance is lost or left behind") {
    model::explore_all<raising_for_one<1, safety::none>>("two raise for one");
    model::explore_all<raising_for_one<1, safety::restricted>>("two raise for one");
    model::explore_all<ending_for_one>("two raise for one, one ends", model::bounded(2, 3));
    for (const auto memory : model::explored_memories) {
        if (memory == model::sequentially_consistent || model::is_long())
            CHECK(model::explore<raising_for_one<2, safety::none>>("two raise thrice for one", {memory}).mistake == "");
        CHECK(model::explore<raising_for_one<1, safety::thread_safe>>("two raise for one that is thread-safe", {memory})
                  .mistake != "");
    }
}

TEST_CASE("An instance that is queued while its registration ends is not delivered to the next one") {
    model::explore_all<keeping_at_the_end>("one keeps, one ends");
}

TEST_CASE("A subscription has the right levels with callbacks while two of them change") {
    model::explore_all<changing_callbacks>("two levels change");
}

TEST_CASE("A loss is told once a callback serves the level, however often it was looked for in vain before") {
    model::explore_all<losing_without_a_callback>("one loses, one sets a callback, one looks", model::bounded(3, 3));
}

TEST_CASE("No reader uses a variable after the wait for readers") {
    using model::waiting;
    model::explore_all<unloading<2, true>>("one looks twice, one unloads", waiting);
    model::explore_all<unloading<3, true>>("two look, one unloads", waiting);
    model::explore_all<unloading_in_signals>("one looks in a look, one unloads", waiting);
    model::explore_all<unloading<2, false>>("a new thread looks, one unloads",
                                            {.allows_waiting = true, .kept_bytes_of_pages = sizeof(mpit::core::shard)});
    model::explore_all<unloading_without_memory>("a thread without a shard looks, one unloads", waiting);
}

TEST_CASE("No reader that looks quickly uses a variable after the wait for readers") {
    using enum second_look;
    model::explore_all<unloading_quickly<later>>("one looks quickly twice, one unloads", model::waiting);
    model::explore_all<unloading_quickly<in_a_handler>>("one looks in a quick look, one unloads", model::waiting);
    for (const auto memory : model::explored_memories)
        CHECK(model::explore<unloading_quickly<quick_in_a_handler>>("a mutant: both looks are quick",
                                                                    {memory, false, true})
                  .mistake != "");
}

TEST_CASE("A guard, a count of deliveries or the memory of losses with one weaker order is a mistake") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::relaxed, mpit::core::acquire, model::mistake_of_mutant;
    const model::options waits{model::cxx20, false, true}, small_ones{model::cxx20, false, false, 2048};
    using looking = unloading<2, true>;
    using losing = losing_without_a_callback;
    using one_ends = ending<2, false>;
    CHECK(mistake_of_mutant<looking>({"read_guard.hpp", "begin", operation::store, relaxed}, waits) != "");
    CHECK(mistake_of_mutant<looking>({"read_guard.hpp", "~read_guard", operation::store, relaxed}, waits) != "");
    CHECK(mistake_of_mutant<unloading_without_memory>({"read_guard.hpp", "operator()", operation::load, relaxed},
                                                      waits) != "");
    CHECK(mistake_of_mutant<losing>({"channel.hpp", "reset_reported_levels", operation::compare_exchange, acquire}) !=
          "");
    CHECK(mistake_of_mutant<losing>({"delivery.hpp", "notify_dropped", operation::load, relaxed}) != "");
    CHECK(mistake_of_mutant<one_ends>({"in_flight.hpp", "add", operation::add_as_owner, acquire}, small_ones) != "");
    CHECK(mistake_of_mutant<one_ends>({"in_flight.hpp", "is_empty", operation::load, relaxed}, small_ones) != "");
}
