// MPI-5.0, 15.3.8: the end of a registration. It may be asked for by anybody at any time, also by the registration's
// own callback, and the function that is called at the end is called once, when nothing else of it can run any more.
#include "recorded_events.hpp"

#include <atomic>
#include <thread>

namespace {

void expect_freed(MPI_T_event_registration freed) {
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_event_handle_free(freed, nullptr, &record_end) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_register_callback(freed, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &record_event) ==
          MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_callback_get_info(freed, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_callback_set_info(freed, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_handle_get_info(freed, &info) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_handle_set_info(freed, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_set_dropped_handler(freed, &record_losses) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(info == MPI_INFO_NULL);
}

// A callback that stays inside until it is let go, for threads that meet there.
std::atomic<bool> is_inside{false}, may_leave{false};
std::atomic<int> ends{0}, late_calls{0};
void stay_inside(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    late_calls += ends.load() != 0;
    is_inside = true;
    while (!may_leave) std::this_thread::yield();
    late_calls += ends.load() != 0;
}
void count_end(MPI_T_event_registration, MPI_T_cb_safety, void*) { ends++; }

} // namespace

TEST_CASE("A freed registration is refused by every function", "[EVT-34]") {
    initialized tools;
    recorded.clear();
    registration r{"e_plain"};
    const MPI_T_event_registration copy = r.handle;
    CHECK(MPI_T_event_handle_free(r.handle, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(r.handle == copy);
    expect_freed(copy);
    // Another registration may use the same memory, and the old handle is not its handle.
    registration again{"e_plain"};
    CHECK(again.handle != copy);
    expect_freed(copy);
    CHECK(again.call(&record_event) == MPI_SUCCESS);
    r.handle = nullptr;
    CHECK(recorded.empty());
}

TEST_CASE("Values that never were a handle are refused", "[EVT-34]") {
    initialized tools;
    int on_the_stack = 0;
    for (void* garbage : {static_cast<void*>(nullptr), handle_number<void*>(1), handle_number<void*>(0xdead),
                          handle_number<void*>(~std::uintptr_t{0}), static_cast<void*>(&on_the_stack)})
        expect_freed(static_cast<MPI_T_event_registration>(garbage));
    cvar control{"C_INT"};
    session s;
    expect_freed(reinterpret_cast<MPI_T_event_registration>(control.handle));
    expect_freed(reinterpret_cast<MPI_T_event_registration>(s.handle));
}

TEST_CASE("A registration without a delivery in flight ends at once, and its function gets the argument of the call",
          "[EVT-35]") {
    initialized tools;
    for (const char* name : {"e_plain", "e_ordered", "e_empty"}) {
        recorded.clear();
        registration r{name};
        int data = 0, other = 0;
        REQUIRE(r.call(&record_event, &other) == MPI_SUCCESS);
        const MPI_T_event_registration freed = r.handle;
        CHECK(r.free(&record_end, &data) == MPI_SUCCESS);
        REQUIRE(recorded.size() == 1);
        CHECK(recorded[0].of == recorded_call::end);
        CHECK(recorded[0].registration == freed);
        CHECK(recorded[0].level == MPI_T_CB_REQUIRE_NONE);
        CHECK(recorded[0].user_data == &data);
        all.events.plain(1, 2, 3ul);
        all.events.ordered(1);
        all.events.empty();
        CHECK(recorded.size() == 1);
    }
}

TEST_CASE("Deferred instances are delivered before the end", "[EVT-35][EVT-41]") {
    initialized tools;
    recorded.clear();
    registration r{"e_plain"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    for (int i = 0; i < 3; i++) all.events.plain.defer(i, 0, 0ul);
    CHECK(recorded.empty());
    CHECK(r.free(&record_end) == MPI_SUCCESS);
    CHECK(numbers() == "0 1 2 end ");
}

TEST_CASE("A registration whose callback runs in another thread ends when the callback has returned", "[EVT-35]") {
    initialized tools;
    for (const bool is_ordered : {false, true}) {
        is_inside = may_leave = false;
        ends = late_calls = 0;
        registration r{is_ordered ? "e_ordered" : "e_plain"};
        REQUIRE(r.call(&stay_inside) == MPI_SUCCESS);
        std::thread other{[=] {
            if (is_ordered) all.events.ordered(1);
            else all.events.plain(1, 2, 3ul);
        }};
        while (!is_inside) std::this_thread::yield();
        const MPI_T_event_registration freed = r.handle;
        CHECK(r.free(&count_end) == MPI_SUCCESS);
        CHECK(ends == 0);
        CHECK(MPI_T_event_handle_free(freed, nullptr, &count_end) == MPI_T_ERR_INVALID_HANDLE);
        // Nobody is told of what happens now.
        all.events.plain(1, 2, 3ul);
        CHECK(ends == 0);
        may_leave = true;
        other.join();
        CHECK(ends == 1);
        CHECK(late_calls == 0);
        all.events.plain(1, 2, 3ul);
        all.events.ordered(1);
        CHECK(ends == 1);
        CHECK(late_calls == 0);
    }
}

TEST_CASE("Of two threads inside a callback, the last one to leave ends the registration", "[EVT-35]") {
    initialized tools;
    static std::atomic<int> inside{0}, allowed{0};
    inside = allowed = ends = 0;
    registration r{"e_plain"};
    REQUIRE(r.call([](MPI_T_event_instance i, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        int number = 0;
        MPI_T_event_read(i, 0, &number);
        inside++;
        while (allowed < number) std::this_thread::yield();
    }, nullptr, MPI_T_CB_REQUIRE_THREAD_SAFE) == MPI_SUCCESS);
    std::thread first{[] { all.events.plain(1, 0, 0ul); }}, second{[] { all.events.plain(2, 0, 0ul); }};
    while (inside < 2) std::this_thread::yield();
    CHECK(r.free(&count_end) == MPI_SUCCESS);
    allowed = 1;
    first.join();
    CHECK(ends == 0);
    allowed = 2;
    second.join();
    CHECK(ends == 1);
}

TEST_CASE("A callback may free its own registration, which ends when it has returned", "[EVT-36]") {
    initialized tools;
    for (const bool is_ordered : {false, true}) {
        recorded.clear();
        static int code, code_of_second;
        registration r{is_ordered ? "e_ordered" : "e_plain"};
        REQUIRE(r.call([](MPI_T_event_instance i, MPI_T_event_registration own, MPI_T_cb_safety l, void* data) {
            record_event(i, own, l, data);
            code = MPI_T_event_handle_free(own, data, &record_end);
            code_of_second = MPI_T_event_handle_free(own, data, &record_end);
            // The instance is still there, and what is raised now comes too late.
            record_event(i, own, l, data);
            all.events.plain(8, 0, 0ul);
            all.events.ordered(8);
        }, &r) == MPI_SUCCESS);
        for (int i = 1; i < 4; i++) {
            if (is_ordered) all.events.ordered(i);
            else all.events.plain(i, 0, 0ul);
        }
        CHECK(code == MPI_SUCCESS);
        CHECK(code_of_second == MPI_T_ERR_INVALID_HANDLE);
        CHECK(numbers() == "1 1 end ");
        REQUIRE(recorded.size() == 3);
        CHECK(recorded[2].user_data == &r);
        CHECK(recorded[2].registration == r.handle);
        r.handle = nullptr;
    }
}

TEST_CASE("A registration that is freed in a callback of another one still ends once", "[EVT-36]") {
    initialized tools;
    recorded.clear();
    registration first{"e_plain"}, second{"e_plain"};
    REQUIRE(first.call(&record_event) == MPI_SUCCESS);
    REQUIRE(second.call(&record_event) == MPI_SUCCESS);
    static registration* to_free[2];
    to_free[0] = &first;
    to_free[1] = &second;
    const auto free_both = [](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        for (registration* each : to_free) each->free(&record_end);
    };
    registration third{"e_wrapping"};
    REQUIRE(third.call(free_both) == MPI_SUCCESS);
    all.events.wrapped(1);
    CHECK(numbers() == "end end ");
    CHECK(recorded[0].registration != recorded[1].registration);
    all.events.plain(1, 0, 0ul);
    CHECK(recorded.size() == 2);
}

TEST_CASE("The free callback may use the interface, and the handle is already invalid", "[EVT-35]") {
    initialized tools;
    static int code_of_old, code_of_new;
    static MPI_T_event_registration made;
    made = nullptr;
    registration r{"e_plain"};
    CHECK(r.free([](MPI_T_event_registration freed, MPI_T_cb_safety, void*) {
        code_of_old = MPI_T_event_handle_free(freed, nullptr, nullptr);
        code_of_new = MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &made);
    }) == MPI_SUCCESS);
    CHECK(code_of_old == MPI_T_ERR_INVALID_HANDLE);
    CHECK(code_of_new == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_free(made, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("While threads raise an event, registrations begin and end, each once and after its last call", "[EVT-35]") {
    initialized tools;
    struct life {
        std::atomic<int> calls{0}, ended{0}, late{0};
    };
    static std::vector<life> lives(200);
    std::atomic<bool> done{false};
    std::vector<std::thread> raisers;
    for (int t = 0; t < 3; t++)
        raisers.emplace_back([&done, t] {
            while (!done) {
                if (t == 0) all.events.ordered(1);
                else all.events.plain(1, 2, 3ul);
            }
        });
    for (std::size_t i = 0; i < lives.size(); i++) {
        registration r{i % 4 == 0 ? "e_ordered" : "e_plain"};
        REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
            life& own = *static_cast<life*>(data);
            own.late += own.ended.load();
            own.calls++;
        }, &lives[i]) == MPI_SUCCESS);
        if (i % 2 == 0) std::this_thread::yield();
        REQUIRE(r.free([](MPI_T_event_registration, MPI_T_cb_safety, void* data) { static_cast<life*>(data)->ended++; },
                       &lives[i]) == MPI_SUCCESS);
    }
    done = true;
    for (std::thread& each : raisers) each.join();
    int wrong = 0;
    for (const life& each : lives) wrong += each.ended != 1 || each.late != 0;
    CHECK(wrong == 0);
}

TEST_CASE("The end of an epoch ends the registrations that are left, without their tool's functions", "[EVT-34]") {
    MPI_T_event_registration left = nullptr;
    recorded.clear();
    {
        initialized tools;
        REQUIRE(MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &left) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_register_callback(left, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &record_event) ==
                MPI_SUCCESS);
        all.events.plain(1, 0, 0ul);
    }
    all.events.plain(2, 0, 0ul);
    initialized tools;
    all.events.plain(3, 0, 0ul);
    CHECK(numbers() == "1 ");
    expect_freed(left);
}
