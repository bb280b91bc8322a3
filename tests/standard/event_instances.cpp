// MPI-5.0, 15.3.8: instances of events, as callbacks look at them: elements and copies of payloads, time stamps,
// sources, and handles that are worth nothing when the callback has returned.
#include "recorded_events.hpp"

#include <cstddef>
#include <thread>

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

TEST_CASE("An instance is valid during its callback, and later use of its handle is refused", "[EVT-29]") {
    initialized tools;
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
    for (const std::uintptr_t garbage :
         {std::uintptr_t{0}, std::uintptr_t{1}, std::uintptr_t{0xdead}, ~std::uintptr_t{0}})
        expect_no_instance(handle_number<MPI_T_event_instance>(garbage));
    expect_no_instance(reinterpret_cast<MPI_T_event_instance>(r.handle));
}

TEST_CASE("While a callback runs, the handle of the instance before it is refused", "[EVT-29]") {
    initialized tools;
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

TEST_CASE("Another thread can read an instance while its callback runs", "[EVT-29]") {
    initialized tools;
    registration r{"e_plain"};
    static int number, code;
    REQUIRE(r.call([](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        std::thread{[instance] { code = MPI_T_event_read(instance, 1, &number); }}.join();
    }) == MPI_SUCCESS);
    all.events.plain(1, 42, 3ul);
    CHECK(code == MPI_SUCCESS);
    CHECK(number == 42);
}

TEST_CASE("Every element is read to any address, and an element that does not exist is MPI_T_ERR_INVALID_INDEX",
          "[EVT-30]") {
    initialized tools;
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

TEST_CASE("A null buffer is invalid for every function that reads an instance", "[EVT-30][EVT-31]") {
    initialized tools;
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

TEST_CASE("A copy contains the bytes from the first element to the end of the last one, with the gaps", "[EVT-31]") {
    initialized tools;
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

TEST_CASE("The stamp is the time of the raise, for every query, every registration and however late the delivery",
          "[EVT-32]") {
    initialized tools;
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

TEST_CASE("A stamp of the library's own clock is before the time at which delivery began", "[EVT-32]") {
    initialized tools;
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

TEST_CASE("An instance names its source", "[EVT-33]") {
    initialized tools;
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
        char name[300];
        int length = sizeof name;
        REQUIRE(MPI_T_source_get_info(seen.source, name, &length, nullptr, nullptr, nullptr, nullptr, nullptr,
                                      nullptr) == MPI_SUCCESS);
        CHECK(std::string{name} == expected);
    }
}
