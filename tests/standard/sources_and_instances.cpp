// MPI-5.0, 15.3.8: sources of events: what they say of their clocks, the time that a tool can ask for, and the order in which an
// ordered source is heard; instances of events, as callbacks look at them; and the end of a registration, which may be asked for
// by anybody at any time, also by the registration's own callback: the function for it is called once, when nothing else of it
// can run any more.
#include "../descriptions.hpp"
#include "recorded_events.hpp"

#include <mpit/mpi_t/constants.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <thread>
#include <time.h>

namespace {

MPI_Count time_of(int index) {
    MPI_Count ticks = -7;
    REQUIRE(MPI_T_source_get_timestamp(index, &ticks) == MPI_SUCCESS);
    return ticks;
}
double seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

TEST_CASE_METHOD(initialized,
                 "The library's own clocks are first and have working time stamps, and declared sources follow",
                 "[SRC-01][SRC-02]") {
    const bool counts_cycles = mpit::core::has_cycle_counter();
    const int own = counts_cycles ? 2 : 1;
    REQUIRE(number_of_all<source_info>() == own + 3);
    CHECK(std::string{source_info{0}.name} == "steady_clock");
    if (counts_cycles) CHECK(std::string{source_info{1}.name} == "cycle_counter");
    for (int i = 0; i < own; i++) CHECK(time_of(i) > 0);
    CHECK(std::string{source_info{own}.name} == "s_ordered");
    CHECK(std::string{source_info{own + 1}.name} == "s_clockless");
    CHECK(std::string{source_info{own + 2}.name} == "s_wrapping");
}

TEST_CASE_METHOD(initialized, "A source has the attributes of its declaration", "[SRC-02][SRC-03][SRC-04][SRC-05]") {
    const auto line = [](const char* name) { return source_line(source_index(name)); };
    CHECK(line("s_ordered") == "s_ordered: A clock that the tests drive 1 1000 9223372036854775807");
    CHECK(line("s_clockless") == "s_clockless: Tools cannot ask for the time 2 1000000 9223372036854775807");
    CHECK(line("s_wrapping") == "s_wrapping: A clock that begins again after 1000 2 10 1000");
    for (const source_info& each : all_of<source_info>()) {
        CHECK(each.name_length == static_cast<int>(std::strlen(each.name)) + 1);
        CHECK(each.description_length == static_cast<int>(std::strlen(each.description)) + 1);
    }
    const source_info steady{0};
    CHECK(steady.ordering == MPI_T_SOURCE_UNORDERED);
    CHECK(steady.ticks_per_second == 1'000'000'000);
    CHECK(steady.description_length > 1);
    STATIC_REQUIRE(MPI_T_SOURCE_ORDERED == 1);
    STATIC_REQUIRE(MPI_T_SOURCE_UNORDERED == 2);
    CHECK(mpit::mpi_t::constant_of(mpit::ordering::ordered) == MPI_T_SOURCE_ORDERED);
    CHECK(mpit::mpi_t::constant_of(mpit::ordering::unordered) == MPI_T_SOURCE_UNORDERED);
}

TEST_CASE("The description of a source never changes", "[SRC-01][SRC-02]") {
    std::vector<std::string> before;
    {
        initialized tools;
        before = lines_of_all<source_info>();
    }
    initialized tools;
    CHECK(lines_of_all<source_info>() == before);
    for (const source_info& each : all_of<source_info>()) CHECK((each.ticks_per_second > 0 && each.max_ticks > 0));
}

TEST_CASE_METHOD(initialized, "The info object of a source is new for every query and belongs to the caller",
                 "[SRC-06]") {
    for (int i = 0; i < number_of_all<source_info>(); i++) {
        MPI_Info made[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
        for (MPI_Info& each : made)
            REQUIRE(MPI_T_source_get_info(i, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &each) ==
                    MPI_SUCCESS);
        CHECK(made[0] != made[1]);
        for (const MPI_Info each : made) CHECK(text_of(each) == "");
    }
}

TEST_CASE_METHOD(initialized, "The time of a source runs at its declared rate", "[SRC-04]") {
    const int driven = source_index("s_ordered");
    const MPI_Count before = time_of(driven);
    CHECK(before == ticks_of_ordered);
    ticks_of_ordered += source_info{driven}.ticks_per_second;
    CHECK(time_of(driven) == before + 1000);
    // Of the library's own clocks: as much time has passed as lies between two looks at another clock, one inside and
    // one outside of the two stamps.
    for (int own = 0; own < source_index("s_ordered"); own++) {
        const auto rate = static_cast<double>(source_info{own}.ticks_per_second);
        const double outer_begin = seconds();
        const MPI_Count first = time_of(own);
        const double inner_begin = seconds();
        while (seconds() - inner_begin < 0.05) std::this_thread::yield();
        const double inner_end = seconds();
        const MPI_Count last = time_of(own);
        const double outer_end = seconds(), passed = static_cast<double>(last - first) / rate;
        INFO(source_info{own}.name);
        CHECK(passed >= (inner_end - inner_begin) * 0.95);
        CHECK(passed <= (outer_end - outer_begin) * 1.05);
    }
}

TEST_CASE_METHOD(initialized, "No stamp is larger than the declared maximum of the source", "[SRC-05][SRC-08]") {
    const int source = source_index("s_wrapping");
    registration r{"e_wrapping"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    const std::pair<std::int64_t, MPI_Count> times[] = {{0, 0},
                                                        {999, 999},
                                                        {1000, 1000},
                                                        {1001, 0},
                                                        {1002, 1},
                                                        {2001, 1000},
                                                        {2002, 0},
                                                        {123456, 123456 % 1001},
                                                        {INT64_MAX, INT64_MAX % 1001}};
    for (const auto& [ticks, expected] : times) {
        ticks_of_wrapping = ticks;
        recorded.clear();
        all.events.wrapped(1);
        all.events.wrapped.defer(2);
        all.events.wrapped.deliver();
        REQUIRE(recorded.size() == 2);
        CHECK(recorded[0].stamp == expected);
        CHECK(recorded[1].stamp == expected);
        CHECK(recorded[0].source == source);
        CHECK(time_of(source) == expected);
    }
    for (const std::int64_t negative : {std::int64_t{-1}, INT64_MIN}) {
        ticks_of_wrapping = negative;
        recorded.clear();
        all.events.wrapped(1);
        REQUIRE(recorded.size() == 1);
        CHECK((recorded[0].stamp >= 0 && recorded[0].stamp <= 1000));
    }
    ticks_of_wrapping = 0;
}

TEST_CASE_METHOD(initialized, "The stamp of an event lies between the times of its source before and after the raise",
                 "[SRC-08]") {
    registration plain{"e_plain"}, of_steady{"e_all_types"};
    for (const registration* each : {&plain, &of_steady}) REQUIRE(each->call(&record_event) == MPI_SUCCESS);
    for (int i = 0; i < 100; i++) {
        recorded.clear();
        MPI_Count before[2] = {}, after[2] = {};
        for (int own = 0; own < source_index("s_ordered"); own++) before[own] = time_of(own);
        all.events.plain(1, 2, 3ul);
        all.events.all_types(payload_of_all_types{});
        for (int own = 0; own < source_index("s_ordered"); own++) after[own] = time_of(own);
        REQUIRE(recorded.size() == 2);
        for (const recorded_call& call : recorded) {
            CHECK(call.stamp >= before[call.source]);
            CHECK(call.stamp <= after[call.source]);
        }
    }
}

TEST_CASE_METHOD(initialized,
                 "The time of a source without a clock cannot be read, and its events are stamped all the same",
                 "[SRC-09]") {
    const int source = source_index("s_clockless");
    MPI_Count ticks = -7;
    CHECK(MPI_T_source_get_timestamp(source, &ticks) == MPI_T_ERR_NOT_SUPPORTED);
    CHECK(ticks == -7);
    CHECK(MPI_T_source_get_timestamp(source, nullptr) == MPI_T_ERR_INVALID);
    registration r{"e_clockless"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    recorded.clear();
    const double before = seconds();
    all.events.clockless(1);
    const double after = seconds();
    REQUIRE(recorded.size() == 1);
    CHECK(recorded[0].source == source);
    CHECK(recorded[0].stamp >= static_cast<MPI_Count>(std::floor(before * 1e6)) - 1);
    CHECK(recorded[0].stamp <= static_cast<MPI_Count>(std::ceil(after * 1e6)) + 1);
}

TEST_CASE_METHOD(initialized, "Stamps of an ordered source never decrease, even when its clock does", "[SRC-03]") {
    registration r{"e_ordered"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    recorded.clear();
    // Two threads that overtake one another between the clock and the source look like this.
    const std::int64_t before = ticks_of_ordered;
    for (const int passed : {10, 8, 9, 11, 11}) {
        ticks_of_ordered = before + passed;
        all.events.ordered(1);
    }
    std::vector<MPI_Count> passed;
    for (const recorded_call& call : recorded) passed.push_back(call.stamp - before);
    CHECK(passed == std::vector<MPI_Count>{10, 10, 10, 11, 11});
}

namespace {

// Behind the last element the compiler has left a hole that belongs to the struct, and not to the payload.
struct open_end_payload {
    char first;
    unsigned long second;
    char third;
};
struct more_events : mpit::category<"more_events", "Events that this file alone needs"> {
    mpit::event<open_end_payload> open_end{this, "e_open_end", "Its last element is a character"};
};
constexpr auto& more = mpit::registered<more_events>;

// Functions of a tool that look at an instance with what a test case gives them.
struct view {
    MPI_T_event_instance instance{};
    int elements = 0;
    std::vector<int> codes;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(512, 0x5a);
    int source = -7;
    MPI_Count stamps[2] = {-7, -7};
};
void copy_instance(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
    view& seen = *static_cast<view*>(user_data);
    seen.instance = instance;
    seen.codes.push_back(MPI_T_event_copy(instance, seen.bytes.data() + 1));
    seen.codes.push_back(MPI_T_event_get_source(instance, &seen.source));
    for (MPI_Count& stamp : seen.stamps) seen.codes.push_back(MPI_T_event_get_timestamp(instance, &stamp));
}
// Each element goes to an odd address 17 bytes behind the last one.
void read_elements(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* user_data) {
    view& seen = *static_cast<view*>(user_data);
    for (int i = -1; i <= seen.elements; i++)
        seen.codes.push_back(MPI_T_event_read(instance, i, seen.bytes.data() + 1 + 16 * (i + 1)));
    seen.codes.push_back(MPI_T_event_read(instance, INT_MAX, seen.bytes.data()));
    seen.codes.push_back(MPI_T_event_read(instance, INT_MIN, seen.bytes.data()));
}
void expect_no_instance(MPI_T_event_instance instance) {
    unsigned long value[4] = {7, 7, 7, 7};
    MPI_Count stamp = -7;
    int source = -7;
    CHECK(MPI_T_event_read(instance, 0, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_copy(instance, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_timestamp(instance, &stamp) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_source(instance, &source) == MPI_T_ERR_INVALID_HANDLE);
    CHECK((value[0] == 7 && value[1] == 7 && stamp == -7 && source == -7));
}

payload_of_all_types sample() {
    payload_of_all_types p{};
    std::memset(static_cast<void*>(&p), 0x33, sizeof p);
    p.letter = 'x';
    p.of_int = -5;
    p.of_double = 0.5;
    p.of_int64 = INT64_MIN;
    p.of_uint64 = UINT64_MAX;
    p.of_count = 77;
    p.of_colour = colour::red;
    std::memcpy(p.text, "four", 5);
    p.pair[1] = -2.5;
    return p;
}

} // namespace

TEST_CASE_METHOD(initialized, "An instance is valid during its callback, and later use of its handle is refused",
                 "[EVT-29]") {
    registration r{"e_plain"};
    view seen;
    REQUIRE(r.call(&copy_instance, &seen) == MPI_SUCCESS);
    all.events.plain(1, 2, 3ul);
    REQUIRE(seen.codes == std::vector<int>(4, MPI_SUCCESS));
    const MPI_T_event_instance first = seen.instance;
    expect_no_instance(first);
    for (int i = 0; i < 3; i++) {
        all.events.plain(1, 2, 3ul);
        CHECK(seen.instance != first);
        expect_no_instance(first);
        expect_no_instance(seen.instance);
    }
}

TEST_CASE_METHOD(initialized, "While a callback runs, the handle of the instance before it is refused", "[EVT-29]") {
    registration r{"e_plain"};
    static std::vector<int> codes;
    static MPI_T_event_instance before;
    codes.clear();
    before = nullptr;
    REQUIRE(r.call([](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        int number = 0;
        codes.push_back(MPI_T_event_read(before, 0, &number));
        codes.push_back(MPI_T_event_read(instance, 0, &number));
        before = instance;
    }) == MPI_SUCCESS);
    for (int i = 0; i < 3; i++) all.events.plain(i, 0, 0ul);
    for (std::size_t i = 0; i < codes.size(); i += 2) {
        CHECK(codes[i] == MPI_T_ERR_INVALID_HANDLE);
        CHECK(codes[i + 1] == MPI_SUCCESS);
    }
    CHECK(codes.size() == 6);
}

TEST_CASE_METHOD(initialized, "Another thread can read an instance while its callback runs", "[EVT-29]") {
    registration r{"e_plain"};
    static int number, code;
    REQUIRE(r.call([](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        std::thread{[instance] { code = MPI_T_event_read(instance, 1, &number); }}.join();
    }) == MPI_SUCCESS);
    all.events.plain(1, 42, 3ul);
    CHECK(code == MPI_SUCCESS);
    CHECK(number == 42);
}

TEST_CASE_METHOD(initialized,
                 "Every element is read to any address, and an element that does not exist is MPI_T_ERR_INVALID_INDEX",
                 "[EVT-30]") {
    registration r{"e_all_types"};
    view seen;
    seen.elements = 19;
    const payload_of_all_types sent = sample();
    REQUIRE(r.call(&read_elements, &seen) == MPI_SUCCESS);
    all.events.all_types(sent);
    std::vector<int> codes(23, MPI_SUCCESS);
    codes[0] = codes[20] = codes[21] = codes[22] = MPI_T_ERR_INVALID_INDEX;
    CHECK(seen.codes == codes);

    std::vector<unsigned char> expected(512, 0x5a);
    const auto element = [&](std::size_t i, const void* from, std::size_t size) {
        std::memcpy(expected.data() + 1 + 16 * (i + 1), from, size);
    };
    element(0, &sent.letter, 1);
    element(1, &sent.of_int, 4);
    element(2, &sent.of_unsigned, 4);
    element(3, &sent.of_unsigned_long, 8);
    element(4, &sent.of_unsigned_long_long, 8);
    element(5, &sent.of_double, 8);
    element(6, &sent.of_int32, 4);
    element(7, &sent.of_int64, 8);
    element(8, &sent.of_uint32, 4);
    element(9, &sent.of_uint64, 8);
    element(10, &sent.of_count, 8);
    element(11, &sent.of_colour, 4);
    for (std::size_t i = 0; i < 5; i++) element(12 + i, &sent.text[i], 1);
    for (std::size_t i = 0; i < 2; i++) element(17 + i, &sent.pair[i], 8);
    CHECK(seen.bytes == expected);
}

TEST_CASE_METHOD(initialized, "A null buffer is invalid for every function that reads an instance",
                 "[EVT-30][EVT-31]") {
    registration r{"e_plain"};
    static std::vector<int> codes;
    codes.clear();
    REQUIRE(r.call([](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        codes = {MPI_T_event_read(instance, 0, nullptr), MPI_T_event_copy(instance, nullptr),
                 MPI_T_event_get_timestamp(instance, nullptr), MPI_T_event_get_source(instance, nullptr)};
    }) == MPI_SUCCESS);
    all.events.plain(1, 2, 3ul);
    CHECK(codes == std::vector<int>(4, MPI_T_ERR_INVALID));
}

TEST_CASE_METHOD(initialized,
                 "A copy contains the bytes from the first element to the end of the last one, with the gaps",
                 "[EVT-31]") {
    const auto check_copy = [](const char* name, const void* sent, std::size_t size, auto raise) {
        registration r{name};
        view seen;
        REQUIRE(r.call(&copy_instance, &seen) == MPI_SUCCESS);
        raise();
        INFO(name);
        CHECK(seen.codes == std::vector<int>(4, MPI_SUCCESS));
        CHECK(std::memcmp(seen.bytes.data() + 1, sent, size) == 0);
        CHECK(seen.bytes[0] == 0x5a);
        for (std::size_t i = size + 1; i < seen.bytes.size(); i++) REQUIRE(seen.bytes[i] == 0x5a);
    };
    const message_payload plain{1, -2, ~0ul};
    check_copy("e_plain", &plain, 16, [&] { all.events.plain(plain); });
    const payload_of_all_types whole = sample();
    check_copy("e_all_types", &whole, sizeof whole, [&] { all.events.all_types(whole); });
    check_copy("e_empty", &plain, 0, [] { all.events.empty(); });
    open_end_payload open{};
    std::memset(static_cast<void*>(&open), 0, sizeof open);
    open.first = 'a';
    open.second = ~0ul;
    open.third = 'z';
    const std::size_t end = offsetof(open_end_payload, third) + 1;
    static_assert(sizeof(open_end_payload) > offsetof(open_end_payload, third) + 1);
    check_copy("e_open_end", &open, end, [&] { more.open_end(open); });
    check_copy("e_open_end", &open, end, [&] {
        more.open_end.defer(open);
        more.open_end.deliver();
    });
}

TEST_CASE_METHOD(
    initialized,
    "The stamp is the time of the raise, for every query, every registration and however late the delivery",
    "[EVT-32]") {
    registration first{"e_wrapping"}, second{"e_wrapping"};
    view seen[2];
    REQUIRE(first.call(&copy_instance, &seen[0]) == MPI_SUCCESS);
    REQUIRE(second.call(&copy_instance, &seen[1]) == MPI_SUCCESS);
    ticks_of_wrapping = 10;
    all.events.wrapped(1);
    for (const view& each : seen) CHECK((each.stamps[0] == 10 && each.stamps[1] == 10));
    ticks_of_wrapping = 20;
    all.events.wrapped.defer(2);
    ticks_of_wrapping = 30;
    all.events.wrapped.deliver();
    for (const view& each : seen) CHECK((each.stamps[0] == 20 && each.stamps[1] == 20));
    ticks_of_wrapping = 0;
}

TEST_CASE_METHOD(initialized, "A stamp of the library's own clock is before the time at which delivery began",
                 "[EVT-32]") {
    for (const char* name : {"e_plain", "e_all_types"}) {
        registration r{name};
        view seen;
        REQUIRE(r.call(&copy_instance, &seen) == MPI_SUCCESS);
        all.events.plain.defer(1, 2, 3ul);
        all.events.all_types.defer(sample());
        // Which of the library's two clocks it is, the instance tells.
        MPI_Count times[2] = {-7, -7};
        for (int i = 0; i < 2; i++) MPI_T_source_get_timestamp(i, &times[i]);
        mpit::deliver(all);
        REQUIRE((seen.source == 0 || seen.source == 1));
        CHECK(seen.stamps[0] <= times[seen.source]);
        CHECK(seen.stamps[0] > 0);
    }
}

TEST_CASE_METHOD(initialized, "An instance names its source", "[EVT-33]") {
    const std::pair<const char*, const char*> sources[] = {{"e_all_types", "steady_clock"},
                                                           {"e_ordered", "s_ordered"},
                                                           {"e_clockless", "s_clockless"},
                                                           {"e_wrapping", "s_wrapping"}};
    for (const auto& [event, expected] : sources) {
        registration r{event};
        view seen;
        REQUIRE(r.call(&copy_instance, &seen) == MPI_SUCCESS);
        all.events.all_types(sample());
        all.events.ordered(1);
        all.events.clockless(1);
        all.events.wrapped(1);
        CHECK(std::string{source_info{seen.source}.name} == expected);
    }
}

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

TEST_CASE_METHOD(
    initialized,
    "A registration without a delivery in flight ends at once, and its function gets the argument of the call",
    "[EVT-35]") {
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

TEST_CASE_METHOD(initialized, "Deferred instances are delivered before the end", "[EVT-35][EVT-41]") {
    recorded.clear();
    registration r{"e_plain"};
    REQUIRE(r.call(&record_event) == MPI_SUCCESS);
    for (int i = 0; i < 3; i++) all.events.plain.defer(i, 0, 0ul);
    CHECK(recorded.empty());
    CHECK(r.free(&record_end) == MPI_SUCCESS);
    CHECK(numbers() == "0 1 2 end ");
}

TEST_CASE_METHOD(initialized,
                 "A registration whose callback runs in another thread ends when the callback has returned",
                 "[EVT-35]") {
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

TEST_CASE_METHOD(initialized, "Of two threads inside a callback, the last one to leave ends the registration",
                 "[EVT-35]") {
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

TEST_CASE_METHOD(initialized, "A callback may free its own registration, which ends when it has returned", "[EVT-36]") {
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

TEST_CASE_METHOD(initialized, "A registration that is freed in a callback of another one still ends once", "[EVT-36]") {
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

TEST_CASE_METHOD(initialized, "The free callback may use the interface, and the handle is already invalid",
                 "[EVT-35]") {
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

TEST_CASE("The end of an epoch ends the registrations that are left, without their tool's functions", "[EVT-34]") {
    MPI_T_event_registration left = nullptr;
    recorded.clear();
    {
        initialized tools;
        REQUIRE(MPI_T_event_handle_alloc(event_index("e_plain"), nullptr, MPI_INFO_NULL, &left) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_register_callback(left, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &record_event) ==
                MPI_SUCCESS);
        all.events.plain(1, 0, 0ul);
    }
    all.events.plain(2, 0, 0ul);
    initialized tools;
    all.events.plain(3, 0, 0ul);
    expect_freed(left);
    CHECK(numbers() == "1 ");
}
