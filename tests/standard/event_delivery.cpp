// MPI-5.0, 15.3.8: callbacks: which one of a registration's four levels runs for an event, with which arguments, and
// what it may call itself.
#include "recorded_events.hpp"

#include <mpit/mpi_t/constants.hpp>

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
    found.expect_success(MPI_T_event_copy(instance, &payload));
    found.expect_success(MPI_T_event_read(instance, 0, &number));
    found.expect_success(MPI_T_event_get_source(instance, &number));
    found.expect_success(MPI_T_event_get_timestamp(instance, &ticks));
    found.expect_success(MPI_T_pvar_start(s, h));
    found.expect_success(MPI_T_pvar_write(s, h, &value));
    found.expect_success(MPI_T_pvar_read(s, h, &value));
    found.expect_success(MPI_T_pvar_reset(s, h));
    found.expect_success(MPI_T_pvar_readreset(s, h, &value));
    found.expect_success(MPI_T_pvar_stop(s, h));
    found.expect_success(MPI_T_source_get_timestamp(0, &ticks));
    found.expect_success(PMPI_T_event_copy(instance, &payload));
    found.expect_success(PMPI_T_event_read(instance, 0, &number));
    found.expect_success(PMPI_T_event_get_source(instance, &number));
    found.expect_success(PMPI_T_event_get_timestamp(instance, &ticks));
    found.expect_success(PMPI_T_pvar_start(s, h));
    found.expect_success(PMPI_T_pvar_write(s, h, &value));
    found.expect_success(PMPI_T_pvar_read(s, h, &value));
    found.expect_success(PMPI_T_pvar_reset(s, h));
    found.expect_success(PMPI_T_pvar_readreset(s, h, &value));
    found.expect_success(PMPI_T_pvar_stop(s, h));
    found.expect_success(PMPI_T_source_get_timestamp(0, &ticks));
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

TEST_CASE("Each of the four levels has a function and a pointer of its own", "[EVT-17][EVT-24]") {
    initialized tools;
    levels four{0b1111};
    for (int level = 0; level < level_count; level++) {
        recorded.clear();
        raise_at(level, level);
        REQUIRE(recorded.size() == 1);
        CHECK(recorded[0].user_data == &four.data[level]);
        CHECK(recorded[0].level == every_level[level]);
    }
}

TEST_CASE("The callback of the lowest sufficient level for the context runs, or the instance is dropped",
          "[EVT-21][EVT-22][EVT-23]") {
    initialized tools;
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

TEST_CASE("Deferred instances are delivered at the level of the delivering context", "[EVT-21][EVT-23]") {
    initialized tools;
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

TEST_CASE("Registering again replaces the callback of that level and of no other", "[EVT-18]") {
    initialized tools;
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

TEST_CASE("A null function removes the callback of its level, whether there was one or not", "[EVT-19]") {
    initialized tools;
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

TEST_CASE("All four levels are accepted and anything else is invalid", "[EVT-20]") {
    initialized tools;
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

TEST_CASE("An event that is raised in ordinary code requires nothing of its callback", "[EVT-24]") {
    initialized tools;
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

TEST_CASE("In callbacks of every level eleven functions work under both names, and they work in each other's callbacks",
          "[EVT-25][EVT-26]") {
    initialized tools;
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

TEST_CASE("In a callback with no required level a tool may also allocate and free handles", "[EVT-25][EVT-27]") {
    initialized tools;
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

TEST_CASE("A callback may raise events, also its own, and is re-entered only if its level allows it", "[EVT-25]") {
    initialized tools;
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
