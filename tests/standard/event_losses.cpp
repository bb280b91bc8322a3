// MPI-5.0, 15.3.8: instances that a registration could not be told of, which are counted and reported, and instances
// that are told later. Losses are made by raising where more is demanded than any callback promises, or by deferring
// more than a registration keeps.
#include "recorded_events.hpp"

#include <mpit/mpi_t/shim.hpp> // the registrations and objects that are looked at from inside

namespace {

// A registration that records everything, with callbacks that promise nothing.
struct recording : registration {
    explicit recording(const char* name, MPI_Info hints = MPI_INFO_NULL) : registration{name, nullptr, hints} {
        REQUIRE(call(&record_event) == MPI_SUCCESS);
        REQUIRE(call_for_losses(&record_losses) == MPI_SUCCESS);
        recorded.clear();
    }
};
void lose(int count) {
    for (int i = 0; i < count; i++) all.events.plain.raise(mpit::safety::async_signal_safe, -1, 0, 0ul);
}
void happen(int number, mpit::safety level = mpit::safety::none) { all.events.plain.raise(level, number, 0, 0ul); }

} // namespace

TEST_CASE("Only instances dropped while a handler is set are counted", "[EVT-37]") {
    initialized tools;
    recording r{"e_plain"};
    REQUIRE(r.call_for_losses(nullptr) == MPI_SUCCESS);
    lose(3);
    REQUIRE(r.call_for_losses(&record_losses) == MPI_SUCCESS);
    lose(2);
    happen(1);
    CHECK(numbers() == "lost 2 1 ");
    happen(2);
    CHECK(numbers() == "lost 2 1 2 ");
}

TEST_CASE("A new handler replaces the old one and counts from its own setting on, and a null one ends the counting",
          "[EVT-37][EVT-38]") {
    initialized tools;
    static MPI_Count told;
    told = 0;
    recording r{"e_plain"};
    lose(5);
    REQUIRE(r.call_for_losses([](MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {
        told += count;
    }) == MPI_SUCCESS);
    lose(2);
    happen(1);
    CHECK(told == 2);
    CHECK(numbers() == "1 ");
    lose(4);
    REQUIRE(r.call_for_losses(nullptr) == MPI_SUCCESS);
    lose(4);
    happen(2);
    REQUIRE(r.call_for_losses(&record_losses) == MPI_SUCCESS);
    happen(3);
    CHECK(told == 2);
    CHECK(numbers() == "1 2 3 ");
    lose(1);
    happen(4);
    CHECK(numbers() == "1 2 3 lost 1 4 ");
}

TEST_CASE("The handler gets the drops since its last call, the source and the level", "[EVT-38][EVT-39]") {
    initialized tools;
    const std::pair<const char*, const char*> events[] = {{"e_wrapping", "s_wrapping"}, {"e_ordered", "s_ordered"}};
    for (const auto& [event, source] : events) {
        recording r{event};
        int data = 0;
        REQUIRE(r.call(&record_event, &data, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
        for (const int count : {1, 7, 100}) {
            recorded.clear();
            const auto raise = [is_ordered = std::string{event} == "e_ordered"](mpit::safety level) {
                if (is_ordered) all.events.ordered.raise(level, 5);
                else all.events.wrapped.raise(level, 5);
            };
            for (int i = 0; i < count; i++) raise(mpit::safety::async_signal_safe);
            CHECK(recorded.empty());
            raise(mpit::safety::restricted);
            CHECK(numbers() == "lost " + std::to_string(count) + " 5 ");
            REQUIRE(recorded.size() == 2);
            CHECK(recorded[0].registration == r.handle);
            CHECK(recorded[0].level == MPI_T_CB_REQUIRE_MPI_RESTRICTED);
            CHECK(recorded[0].user_data == &data);
            CHECK(recorded[0].source == recorded[1].source);
            char name[40];
            int length = sizeof name;
            REQUIRE(MPI_T_source_get_info(recorded[0].source, name, &length, nullptr, nullptr, nullptr, nullptr,
                                          nullptr, nullptr) == MPI_SUCCESS);
            CHECK(std::string{name} == source);
        }
    }
}

TEST_CASE("The count stays at the largest MPI_Count when more are dropped", "[EVT-38]") {
    initialized tools;
    recording r{"e_plain"};
    lose(1);
    mpit::internal::subscription* counted = mpit::mpi_t::tools().events.find(mpit::mpi_t::word_of(r.handle));
    REQUIRE(counted != nullptr);
    counted->dropped.store(INT64_MAX - 1);
    lose(2);
    happen(1);
    REQUIRE(recorded.size() == 2);
    CHECK(recorded[0].lost == INT64_MAX);
    lose(1);
    happen(2);
    REQUIRE(recorded.size() == 4);
    CHECK(recorded[2].lost == 1);
}

TEST_CASE("The handler gets the pointer of the callback that serves its invocation", "[EVT-39]") {
    initialized tools;
    int low = 0, high = 0;
    recording r{"e_plain"};
    REQUIRE(r.call(&record_event, &low, MPI_T_CB_REQUIRE_NONE) == MPI_SUCCESS);
    REQUIRE(r.call(&record_event, &high, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    lose(1);
    happen(1, mpit::safety::thread_safe);
    lose(2);
    happen(2);
    lose(3);
    happen(3, mpit::safety::restricted);
    CHECK(numbers() == "lost 1 1 lost 2 2 lost 3 3 ");
    REQUIRE(recorded.size() == 6);
    for (const std::size_t i : {0u, 1u, 4u, 5u}) CHECK(recorded[i].user_data == &high);
    for (const std::size_t i : {2u, 3u}) CHECK(recorded[i].user_data == &low);
    CHECK(recorded[0].level == MPI_T_CB_REQUIRE_THREAD_SAFE);
    CHECK(recorded[2].level == MPI_T_CB_REQUIRE_NONE);
    CHECK(recorded[4].level == MPI_T_CB_REQUIRE_MPI_RESTRICTED);
}

TEST_CASE("Without a callback for the level of the invocation the handler waits for one", "[EVT-39]") {
    initialized tools;
    recording r{"e_plain"};
    lose(2);
    happen(-1, mpit::safety::thread_safe);
    CHECK(recorded.empty());
    REQUIRE(r.call(nullptr) == MPI_SUCCESS);
    happen(-1);
    CHECK(recorded.empty());
    int data = 0;
    REQUIRE(r.call(&record_event, &data, MPI_T_CB_REQUIRE_MPI_RESTRICTED) == MPI_SUCCESS);
    happen(1);
    CHECK(numbers() == "lost 4 1 ");
    CHECK(recorded[0].user_data == &data);
}

TEST_CASE("Drops are reported between the last instance before them and the next one", "[EVT-40]") {
    initialized tools;
    recording r{"e_plain"};
    happen(1);
    happen(2);
    lose(2);
    happen(5);
    CHECK(numbers() == "1 2 lost 2 5 ");
}

TEST_CASE("Drops of one event are reported before the next event of the same source, to each registration",
          "[EVT-40]") {
    initialized tools;
    recording first{"e_plain"}, second{"e_plain"};
    registration of_empty{"e_empty"}, of_ordered_too{"e_ordered_too"}, of_another_source{"e_wrapping"};
    for (const registration* each : {&of_empty, &of_ordered_too, &of_another_source})
        REQUIRE(each->call(&record_event) == MPI_SUCCESS);
    recorded.clear();
    lose(3);
    all.events.wrapped(1);
    CHECK(numbers() == "1 ");
    all.events.empty();
    CHECK(numbers() == "1 lost 3 lost 3 -7 ");

    recording of_ordered{"e_ordered"};
    all.events.ordered.raise(mpit::safety::thread_safe, 1);
    all.events.ordered_too(2);
    CHECK(numbers() == "lost 1 2 ");
}

TEST_CASE("A registration queues as many deferred instances as its hint says, and drops the newest or the oldest",
          "[EVT-15][EVT-38][EVT-40]") {
    initialized tools;
    const std::pair<const char*, const char*> policies[] = {{"newest", "lost 2 1 2 3 6 "},
                                                            {"oldest", "lost 2 3 4 5 6 "}};
    for (const auto& [policy, expected] : policies) {
        recording r{"e_plain", hints{{"mpit_buffer_depth", "3"}, {"mpit_drop_policy", policy}}.info};
        for (int i = 1; i <= 5; i++) all.events.plain.defer(i, 0, 0ul);
        CHECK(recorded.empty());
        happen(6);
        CHECK(numbers() == expected);
    }
    recording r{"e_plain"};
    for (int i = 0; i < 65; i++) all.events.plain.defer(i, 0, 0ul);
    all.events.plain.deliver();
    REQUIRE(recorded.size() == 65);
    CHECK(recorded[0].lost == 1);
    CHECK(recorded[64].number == 63);
}

TEST_CASE("Instances that are nested too deeply are lost and counted", "[EVT-38]") {
    initialized tools;
    recording r{"e_plain"};
    static int depth;
    depth = 0;
    REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        if (++depth < 1000) all.events.plain(1, 0, 0ul);
    }) == MPI_SUCCESS);
    happen(1);
    CHECK(depth == 256);
    CHECK(recorded.empty());
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    happen(2);
    CHECK(numbers() == "lost 1 2 ");
}

TEST_CASE("Deferred instances are delivered in order, before the next instance of their event or on request",
          "[EVT-41]") {
    initialized tools;
    recording r{"e_plain"};
    for (int i = 1; i <= 3; i++) all.events.plain.defer(i, 0, 0ul);
    CHECK(recorded.empty());
    happen(4);
    CHECK(numbers() == "1 2 3 4 ");
    for (int i = 5; i <= 7; i++) all.events.plain.defer(i, 0, 0ul);
    mpit::deliver(all);
    CHECK(numbers() == "1 2 3 4 5 6 7 ");
    mpit::deliver(all);
    CHECK(recorded.size() == 7);
}

TEST_CASE("Registrations see all events of an ordered source in the order of their stamps, raised or deferred",
          "[EVT-41]") {
    initialized tools;
    recording first{"e_ordered"}, second{"e_ordered_too"};
    ticks_of_ordered = 100;
    const auto next = [](int number) {
        ticks_of_ordered++;
        return number;
    };
    all.events.ordered.defer(next(1));
    all.events.ordered_too.defer(next(2));
    all.events.ordered.defer(next(3));
    CHECK(recorded.empty());
    all.events.ordered_too(next(4));
    all.events.ordered.defer(next(5));
    all.events.ordered_too.deliver();
    CHECK(numbers() == "1 2 3 4 5 ");
    REQUIRE(recorded.size() == 5);
    for (std::size_t i = 0; i < 5; i++) {
        CHECK(recorded[i].stamp == 101 + static_cast<int>(i));
        CHECK(recorded[i].registration == (i % 2 == 0 ? first.handle : second.handle));
    }
}

TEST_CASE("An event that a callback raises on an ordered source is delivered when the callback has returned",
          "[EVT-41]") {
    initialized tools;
    recording r{"e_ordered"};
    REQUIRE(r.call([](MPI_T_event_instance i, MPI_T_event_registration own, MPI_T_cb_safety l, void* data) {
        record_event(i, own, l, data);
        const int number = recorded.back().number;
        if (number < 3) all.events.ordered(number + 1);
        record_event(i, own, l, data);
    }) == MPI_SUCCESS);
    all.events.ordered(1);
    CHECK(numbers() == "1 1 2 2 3 3 ");
}
