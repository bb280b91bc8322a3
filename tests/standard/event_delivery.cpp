// MPI-5.0, 15.3.8: callbacks: which one of a registration's four levels runs for an event, with which arguments, and what it may
// call itself. Instances that a registration could not be told of are counted and reported, and others are told later: losses
// are made by raising where more is demanded than any callback promises, or by deferring more than a registration keeps.
#include "../descriptions.hpp"
#include "recorded_events.hpp"

#include <mpit/mpi_t/constants.hpp>
#include <mpit/mpi_t/shim.hpp> // the registrations and objects that are looked at from inside

#include <algorithm>

namespace {

constexpr int level_count = 4;

// The registration that calls record_event at the levels whose bits are set, each with a pointer of its own.
struct levels {
    registration on{"e_plain"};
    char data[level_count]{};
    explicit levels(int filled) {
        for (int l = 0; l < level_count; l++)
            if ((filled >> l & 1) != 0) REQUIRE(on.call(&record_event, &data[l], every_level[l]) == MPI_SUCCESS);
        REQUIRE(on.call_for_losses(&record_losses) == MPI_SUCCESS);
        recorded.clear();
    }
};
// The lowest filled level that demands as much as the context, or -1.
int serving_level(int filled, int required) {
    for (int l = required; l < level_count; l++)
        if ((filled >> l & 1) != 0) return l;
    return -1;
}
void raise_at(int level, int number) { all.events.plain.raise(every_safety[level], number, 0, 0ul); }

// What one run of a callback found when it called functions of the interface.
struct finding {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;
    int calls = 0, failures = 0, inaccessible = 0;
    void expect_success(int code) {
        failures += code != MPI_SUCCESS;
        inaccessible += code == MPI_T_ERR_NOT_ACCESSIBLE;
    }
};
void call_the_eleven(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
    finding& found = *static_cast<finding*>(user_data);
    found.calls++;
    message_payload payload{};
    unsigned long long value = 0;
    int number = 0;
    MPI_Count ticks = 0;
    const MPI_T_pvar_session s = found.session;
    const MPI_T_pvar_handle h = found.counter;
#define UNDER_BOTH_NAMES(name, ...)                                                                                    \
    found.expect_success(MPI_T_##name(__VA_ARGS__));                                                                   \
    found.expect_success(PMPI_T_##name(__VA_ARGS__))
    UNDER_BOTH_NAMES(event_copy, instance, &payload);
    UNDER_BOTH_NAMES(event_read, instance, 0, &number);
    UNDER_BOTH_NAMES(event_get_source, instance, &number);
    UNDER_BOTH_NAMES(event_get_timestamp, instance, &ticks);
    UNDER_BOTH_NAMES(pvar_start, s, h);
    UNDER_BOTH_NAMES(pvar_write, s, h, &value);
    UNDER_BOTH_NAMES(pvar_read, s, h, &value);
    UNDER_BOTH_NAMES(pvar_reset, s, h);
    UNDER_BOTH_NAMES(pvar_readreset, s, h, &value);
    UNDER_BOTH_NAMES(pvar_stop, s, h);
    UNDER_BOTH_NAMES(source_get_timestamp, 0, &ticks);
#undef UNDER_BOTH_NAMES
}
// Everything else that a tool may want to do while it is told of an event.
void call_others(MPI_T_event_instance, MPI_T_event_registration own, MPI_T_cb_safety, void* user_data) {
    finding& found = *static_cast<finding*>(user_data);
    found.calls++;
    int number = 0, count = 0;
    MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_event_registration other = nullptr;
    MPI_Info info = MPI_INFO_NULL;
    found.expect_success(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &number));
    found.expect_success(MPI_T_cvar_get_num(&number));
    found.expect_success(MPI_T_cvar_get_index("C_INT", &number));
    found.expect_success(MPI_T_cvar_handle_alloc(number, nullptr, &control, &count));
    found.expect_success(MPI_T_cvar_read(control, &number));
    found.expect_success(MPI_T_cvar_handle_free(&control));
    found.expect_success(MPI_T_pvar_session_create(&session));
    found.expect_success(MPI_T_pvar_session_free(&session));
    found.expect_success(MPI_T_event_handle_alloc(1, nullptr, MPI_INFO_NULL, &other));
    found.expect_success(
        MPI_T_event_register_callback(other, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &record_event));
    found.expect_success(MPI_T_event_handle_free(other, nullptr, nullptr));
    found.expect_success(MPI_T_event_handle_get_info(own, &info));
    found.expect_success(MPI_T_event_handle_set_info(own, info));
    found.expect_success(MPI_Info_free(&info));
    found.expect_success(
        MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, user_data, &call_others));
    found.expect_success(MPI_T_category_changed(&number));
    found.expect_success(MPI_T_finalize());
}

} // namespace

TEST_CASE_METHOD(initialized, "Each of the four levels has a function and a pointer of its own", "[EVT-17][EVT-24]") {
    levels four{0b1111};
    for (int level = 0; level < level_count; level++) {
        recorded.clear();
        raise_at(level, level);
        REQUIRE(recorded.size() == 1);
        CHECK(recorded[0].user_data == &four.data[level]);
        CHECK(recorded[0].level == every_level[level]);
    }
}

TEST_CASE_METHOD(initialized,
                 "The callback of the lowest sufficient level for the context runs, or the instance is dropped",
                 "[EVT-21][EVT-22][EVT-23]") {
    for (int filled = 0; filled < 1 << level_count; filled++)
        for (int required = 0; required < level_count; required++) {
            levels some{filled};
            INFO("filled " << filled << ", required " << required);
            const int expected = serving_level(filled, required);
            raise_at(required, 1);
            REQUIRE(recorded.size() == (expected < 0 ? 0u : 1u));
            if (expected >= 0) {
                CHECK(recorded[0].of == recorded_call::event);
                CHECK(recorded[0].number == 1);
                CHECK(recorded[0].registration == some.on.handle);
                CHECK(recorded[0].level == every_level[required]);
                CHECK(recorded[0].user_data == &some.data[expected]);
            }
            // What was lost is told before the next instance that is delivered, and was counted once.
            recorded.clear();
            REQUIRE(some.on.call(&record_event, nullptr, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE) == MPI_SUCCESS);
            raise_at(3, 2);
            CHECK(numbers() == (expected < 0 ? "lost 1 2 " : "2 "));
        }
}

TEST_CASE_METHOD(initialized, "Deferred instances are delivered at the level of the delivering context",
                 "[EVT-21][EVT-23]") {
    for (int filled = 0; filled < 1 << level_count; filled++)
        for (int required = 0; required < level_count; required++) {
            levels some{filled};
            INFO("filled " << filled << ", required " << required);
            const int expected = serving_level(filled, required);
            all.events.plain.defer(1, 0, 0ul);
            CHECK(recorded.empty());
            all.events.plain.deliver(every_safety[required]);
            REQUIRE(recorded.size() == (expected < 0 ? 0u : 1u));
            if (expected < 0) continue;
            CHECK(recorded[0].level == every_level[required]);
            CHECK(recorded[0].user_data == &some.data[expected]);
        }
}

TEST_CASE_METHOD(initialized, "Registering again replaces the callback of that level and of no other", "[EVT-18]") {
    levels four{0b1111};
    int another = 0;
    REQUIRE(four.on.call(&record_event, &another, MPI_T_CB_REQUIRE_THREAD_SAFE, hints{{"mpit_sampling", "2"}}.info) ==
            MPI_SUCCESS);
    for (int level = 0; level < level_count; level++) {
        recorded.clear();
        for (int i = 0; i < 4; i++) raise_at(level, i);
        REQUIRE(recorded.size() == (level == 2 ? 2u : 4u));
        CHECK(recorded[0].user_data == (level == 2 ? static_cast<void*>(&another) : &four.data[level]));
    }
    // Without the hint, the callback has the default again.
    REQUIRE(four.on.call(&record_event, &another, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    recorded.clear();
    for (int i = 0; i < 4; i++) raise_at(2, i);
    CHECK(numbers() == "0 1 2 3 ");
}

TEST_CASE_METHOD(initialized, "A null function removes the callback of its level, whether there was one or not",
                 "[EVT-19]") {
    levels two{0b0101};
    CHECK(two.on.call(nullptr, nullptr, MPI_T_CB_REQUIRE_MPI_RESTRICTED) == MPI_SUCCESS);
    CHECK(two.on.call(nullptr, nullptr, MPI_T_CB_REQUIRE_NONE) == MPI_SUCCESS);
    raise_at(0, 1);
    REQUIRE(recorded.size() == 1);
    CHECK(recorded[0].user_data == &two.data[2]);
    CHECK(two.on.call(nullptr, nullptr, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    raise_at(0, 2);
    CHECK(recorded.size() == 1);
    REQUIRE(two.on.call(&record_event) == MPI_SUCCESS);
    raise_at(0, 3);
    CHECK(numbers() == "1 lost 1 3 ");
}

TEST_CASE_METHOD(initialized, "All four levels are accepted and anything else is invalid", "[EVT-20]") {
    registration r{"e_empty"};
    for (const MPI_T_cb_safety level : every_level) CHECK(r.call(&record_event, nullptr, level) == MPI_SUCCESS);
    MPI_Info info = MPI_INFO_NULL;
    for (const int number : {0x01, 0x07, 0x10, 0x1f, 0x30, 0x3e}) {
        const auto unknown = static_cast<MPI_T_cb_safety>(number);
        CHECK(r.call(&record_event, nullptr, unknown) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_callback_get_info(r.handle, unknown, &info) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_event_callback_set_info(r.handle, unknown, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
    }
    CHECK(info == MPI_INFO_NULL);
}

TEST_CASE("The levels of the library are those of the header in use, in both directions", "[EVT-20]") {
    STATIC_REQUIRE(mpit::safety_count == level_count);
    STATIC_REQUIRE(MPI_T_CB_REQUIRE_NONE == 0x00);
    STATIC_REQUIRE(MPI_T_CB_REQUIRE_MPI_RESTRICTED == 0x03);
    STATIC_REQUIRE(MPI_T_CB_REQUIRE_THREAD_SAFE == 0x0f);
    STATIC_REQUIRE(MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE == 0x3f);
    for (int l = 0; l < level_count; l++) {
        mpit::safety back{};
        CHECK(static_cast<int>(every_safety[l]) == l);
        CHECK(mpit::mpi_t::constant_of(every_safety[l]) == every_level[l]);
        CHECK(mpit::mpi_t::safety_of(every_level[l], back));
        CHECK(back == every_safety[l]);
    }
    for (int number = 0; number < 0x40; number++) {
        mpit::safety untouched = mpit::safety::thread_safe;
        const auto constant = static_cast<MPI_T_cb_safety>(number);
        const bool is_level =
            std::find(std::begin(every_level), std::end(every_level), constant) != std::end(every_level);
        CHECK(mpit::mpi_t::safety_of(constant, untouched) == is_level);
        if (!is_level) CHECK(untouched == mpit::safety::thread_safe);
    }
}

TEST_CASE_METHOD(initialized, "An event that is raised in ordinary code requires nothing of its callback", "[EVT-24]") {
    recorded.clear();
    registration r{"e_plain"};
    REQUIRE(r.call(&record_event, nullptr, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE) == MPI_SUCCESS);
    all.events.plain(1, 2, 3ul);
    all.events.plain(message_payload{4, 5, 6});
    all.events.plain.defer(7, 8, 9ul);
    mpit::deliver(all);
    CHECK(numbers() == "1 4 7 ");
    for (const recorded_call& call : recorded) CHECK(call.level == MPI_T_CB_REQUIRE_NONE);
}

TEST_CASE_METHOD(
    initialized,
    "In callbacks of every level eleven functions work under both names, and they work in each other's callbacks",
    "[EVT-25][EVT-26]") {
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    finding found;
    found.session = s.handle;
    found.counter = counter.handle;
    registration r{"e_plain"};
    for (int level = 0; level < level_count; level++) {
        REQUIRE(r.call(&call_the_eleven, &found, every_level[level]) == MPI_SUCCESS);
        raise_at(level, level);
    }
    CHECK(found.calls == 4);
    CHECK(found.failures == 0);
    CHECK(found.inaccessible == 0);
}

TEST_CASE_METHOD(initialized, "In a callback with no required level a tool may also allocate and free handles",
                 "[EVT-25][EVT-27]") {
    finding found;
    registration r{"e_plain"};
    REQUIRE(r.call(&call_others, &found) == MPI_SUCCESS);
    raise_at(0, 0);
    CHECK(found.calls == 1);
    CHECK(found.failures == 0);
    raise_at(2, 0);
    CHECK(found.calls == 2);
    CHECK(found.failures == 0);
}

TEST_CASE_METHOD(initialized,
                 "A callback may raise events, also its own, and is re-entered only if its level allows it",
                 "[EVT-25]") {
    recorded.clear();
    const MPI_T_cb_safety level = GENERATE(from_range(std::begin(every_level), std::end(every_level)));
    registration inner{"e_plain"}, outer{"e_wrapping"};
    REQUIRE(inner.call([](MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety l, void* data) {
        record_event(i, r, l, data);
        const int number = recorded.back().number;
        if (number < 3) all.events.plain(number + 1, 0, 0ul);
        record_event(i, r, l, data);
    }, nullptr, level) == MPI_SUCCESS);
    REQUIRE(outer.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        all.events.plain(1, 0, 0ul);
    }) == MPI_SUCCESS);
    all.events.wrapped(0);
    CHECK(numbers() == (level >= MPI_T_CB_REQUIRE_THREAD_SAFE ? "1 2 3 3 2 1 " : "1 1 2 2 3 3 "));
}

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

TEST_CASE_METHOD(initialized, "Only instances dropped while a handler is set are counted", "[EVT-37]") {
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

TEST_CASE_METHOD(
    initialized,
    "A new handler replaces the old one and counts from its own setting on, and a null one ends the counting",
    "[EVT-37][EVT-38]") {
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

TEST_CASE_METHOD(initialized, "The handler gets the drops since its last call, the source and the level",
                 "[EVT-38][EVT-39]") {
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
            CHECK(std::string{source_info{recorded[0].source}.name} == source);
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

TEST_CASE_METHOD(initialized, "The handler gets the pointer of the callback that serves its invocation", "[EVT-39]") {
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

TEST_CASE_METHOD(initialized, "Without a callback for the level of the invocation the handler waits for one",
                 "[EVT-39]") {
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

TEST_CASE_METHOD(initialized, "Drops are reported between the last instance before them and the next one", "[EVT-40]") {
    recording r{"e_plain"};
    happen(1);
    happen(2);
    lose(2);
    happen(5);
    CHECK(numbers() == "1 2 lost 2 5 ");
}

TEST_CASE_METHOD(initialized,
                 "Drops of one event are reported before the next event of the same source, to each registration",
                 "[EVT-40]") {
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

TEST_CASE_METHOD(
    initialized,
    "A registration queues as many deferred instances as its hint says, and drops the newest or the oldest",
    "[EVT-15][EVT-38][EVT-40]") {
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

TEST_CASE_METHOD(initialized,
                 "Deferred instances are delivered in order, before the next instance of their event or on request",
                 "[EVT-41]") {
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

TEST_CASE_METHOD(initialized,
                 "Registrations see all events of an ordered source in the order of their stamps, raised or deferred",
                 "[EVT-41]") {
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

TEST_CASE_METHOD(initialized,
                 "An event that a callback raises on an ordered source is delivered when the callback has returned",
                 "[EVT-41]") {
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
