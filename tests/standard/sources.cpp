// MPI-5.0, 15.3.8: sources of events: what they say of their clocks, the time that a tool can ask for, and the order in
// which an ordered source is heard. The library's own clocks come first; the others belong to tests/variables.hpp.
#include "recorded_events.hpp"

#include <mpit/mpi_t/constants.hpp>

#include <cmath>
#include <thread>
#include <time.h>

namespace {

int number_of_sources() {
    int count = -7;
    REQUIRE(MPI_T_source_get_num(&count) == MPI_SUCCESS);
    return count;
}

struct source_info {
    std::string name, description;
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = -7, max_ticks = -7;
    bool operator==(const source_info&) const = default;
};
source_info info_of(int index) {
    source_info found;
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description;
    REQUIRE(MPI_T_source_get_info(index, name, &name_length, description, &description_length, &found.ordering,
                                  &found.ticks_per_second, &found.max_ticks, nullptr) == MPI_SUCCESS);
    CHECK(name_length == static_cast<int>(std::strlen(name)) + 1);
    CHECK(description_length == static_cast<int>(std::strlen(description)) + 1);
    found.name = name;
    found.description = description;
    return found;
}
int source_index(const std::string& name) {
    for (int i = 0; i < number_of_sources(); i++)
        if (info_of(i).name == name) return i;
    FAIL("no source is called " << name);
    return -1;
}
MPI_Count time_of(int index) {
    MPI_Count ticks = -7;
    REQUIRE(MPI_T_source_get_timestamp(index, &ticks) == MPI_SUCCESS);
    return ticks;
}
std::vector<source_info> all_sources() {
    std::vector<source_info> all;
    for (int i = 0; i < number_of_sources(); i++) all.push_back(info_of(i));
    return all;
}
double seconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

} // namespace

TEST_CASE("The library's own clocks are first and have working time stamps, and declared sources follow",
          "[SRC-01][SRC-02]") {
    initialized tools;
    const bool counts_cycles = mpit::core::has_cycle_counter();
    const int own = counts_cycles ? 2 : 1;
    REQUIRE(number_of_sources() == own + 3);
    CHECK(info_of(0).name == "steady_clock");
    if (counts_cycles) CHECK(info_of(1).name == "cycle_counter");
    for (int i = 0; i < own; i++) CHECK(time_of(i) > 0);
    CHECK(info_of(own).name == "s_ordered");
    CHECK(info_of(own + 1).name == "s_clockless");
    CHECK(info_of(own + 2).name == "s_wrapping");
    CHECK(MPI_T_source_get_num(nullptr) == MPI_T_ERR_INVALID);
}

TEST_CASE("A source has the attributes of its declaration", "[SRC-02][SRC-03][SRC-04][SRC-05]") {
    initialized tools;
    CHECK(info_of(source_index("s_ordered")) ==
          source_info{"s_ordered", "A clock that the tests drive", MPI_T_SOURCE_ORDERED, 1000, INT64_MAX});
    CHECK(info_of(source_index("s_clockless")) ==
          source_info{"s_clockless", "Tools cannot ask for the time", MPI_T_SOURCE_UNORDERED, 1'000'000, INT64_MAX});
    CHECK(info_of(source_index("s_wrapping")) ==
          source_info{"s_wrapping", "A clock that begins again after 1000", MPI_T_SOURCE_UNORDERED, 10, 1000});
    const source_info steady = info_of(0);
    CHECK(steady.ordering == MPI_T_SOURCE_UNORDERED);
    CHECK(steady.ticks_per_second == 1'000'000'000);
    CHECK_FALSE(steady.description.empty());
    STATIC_REQUIRE(MPI_T_SOURCE_ORDERED == 1);
    STATIC_REQUIRE(MPI_T_SOURCE_UNORDERED == 2);
    CHECK(mpit::mpi_t::constant_of(mpit::ordering::ordered) == MPI_T_SOURCE_ORDERED);
    CHECK(mpit::mpi_t::constant_of(mpit::ordering::unordered) == MPI_T_SOURCE_UNORDERED);
}

TEST_CASE("An index of no source is MPI_T_ERR_INVALID_INDEX, and the description of an index never changes",
          "[SRC-01][SRC-02][SRC-09]") {
    std::vector<source_info> before;
    {
        initialized tools;
        before = all_sources();
        for (const int wrong : {-1, number_of_sources(), INT_MAX, INT_MIN}) {
            int length = 0;
            MPI_Count ticks = -7;
            MPI_Info info = MPI_INFO_NULL;
            CHECK(MPI_T_source_get_info(wrong, nullptr, &length, nullptr, nullptr, nullptr, &ticks, &ticks, &info) ==
                  MPI_T_ERR_INVALID_INDEX);
            CHECK(MPI_T_source_get_timestamp(wrong, &ticks) == MPI_T_ERR_INVALID_INDEX);
            CHECK(length == 0);
            CHECK(ticks == -7);
            CHECK(info == MPI_INFO_NULL);
        }
    }
    initialized tools;
    CHECK(all_sources() == before);
    for (const source_info& each : before) CHECK(each.ticks_per_second > 0);
    for (const source_info& each : before) CHECK(each.max_ticks > 0);
}

TEST_CASE("Every argument of get_info may be null, alone or with all others", "[SRC-06][SRC-07]") {
    initialized tools;
    const int index = source_index("s_wrapping");
    for (int missing = 0; missing < 256; missing++) {
        const auto wanted = [&](int argument) { return (missing >> argument & 1) == 0; };
        char name[40] = "", description[80] = "";
        int name_length = sizeof name, description_length = sizeof description;
        MPI_T_source_order ordering = MPI_T_SOURCE_ORDERED;
        MPI_Count rate = -7, most = -7;
        MPI_Info info = MPI_INFO_NULL;
        REQUIRE(MPI_T_source_get_info(index, wanted(0) ? name : nullptr, wanted(1) ? &name_length : nullptr,
                                      wanted(2) ? description : nullptr, wanted(3) ? &description_length : nullptr,
                                      wanted(4) ? &ordering : nullptr, wanted(5) ? &rate : nullptr,
                                      wanted(6) ? &most : nullptr, wanted(7) ? &info : nullptr) == MPI_SUCCESS);
        CHECK(std::string(name) == (wanted(0) && wanted(1) ? "s_wrapping" : ""));
        CHECK(name_length == (wanted(1) ? 11 : int{sizeof name}));
        CHECK(std::string(description).empty() == !(wanted(2) && wanted(3)));
        CHECK(description_length == (wanted(3) ? 37 : int{sizeof description}));
        CHECK(ordering == (wanted(4) ? MPI_T_SOURCE_UNORDERED : MPI_T_SOURCE_ORDERED));
        CHECK(rate == (wanted(5) ? 10 : -7));
        CHECK(most == (wanted(6) ? 1000 : -7));
        CHECK((info != MPI_INFO_NULL) == wanted(7));
        if (info != MPI_INFO_NULL) CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    }
}

TEST_CASE("The info object of a source is new for every query and belongs to the caller", "[SRC-06]") {
    initialized tools;
    for (int i = 0; i < number_of_sources(); i++) {
        MPI_Info made[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
        for (MPI_Info& each : made)
            REQUIRE(MPI_T_source_get_info(i, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &each) ==
                    MPI_SUCCESS);
        CHECK(made[0] != made[1]);
        for (const MPI_Info each : made) CHECK(text_of(each) == "");
    }
}

TEST_CASE("The time of a source runs at its declared rate", "[SRC-04]") {
    initialized tools;
    const int driven = source_index("s_ordered");
    const MPI_Count before = time_of(driven);
    CHECK(before == ticks_of_ordered);
    ticks_of_ordered += info_of(driven).ticks_per_second;
    CHECK(time_of(driven) == before + 1000);
    // Of the library's own clocks: as much time has passed as lies between two looks at another clock, one inside and
    // one outside of the two stamps.
    for (int own = 0; own < source_index("s_ordered"); own++) {
        const auto rate = static_cast<double>(info_of(own).ticks_per_second);
        const double outer_begin = seconds();
        const MPI_Count first = time_of(own);
        const double inner_begin = seconds();
        while (seconds() - inner_begin < 0.05) std::this_thread::yield();
        const double inner_end = seconds();
        const MPI_Count last = time_of(own);
        const double outer_end = seconds(), passed = static_cast<double>(last - first) / rate;
        INFO(info_of(own).name);
        CHECK(passed >= (inner_end - inner_begin) * 0.95);
        CHECK(passed <= (outer_end - outer_begin) * 1.05);
    }
}

TEST_CASE("No stamp is larger than the declared maximum of the source", "[SRC-05][SRC-08]") {
    initialized tools;
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

TEST_CASE("The stamp of an event lies between the times of its source before and after the raise", "[SRC-08]") {
    initialized tools;
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

TEST_CASE("The time of a source without a clock cannot be read, and its events are stamped all the same", "[SRC-09]") {
    initialized tools;
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

TEST_CASE("Stamps of an ordered source never decrease, even when its clock does", "[SRC-03]") {
    initialized tools;
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

TEST_CASE("Four threads raise events of an ordered source, and no callback gets a decreasing stamp",
          "[SRC-03][EVT-41]") {
    initialized tools;
    constexpr int threads = 4, raises = 2000;
    // The source is heard by one thread after the other, so that these need no lock.
    struct sequence {
        MPI_Count last = 0, lost = 0;
        int calls = 0, steps_back = 0;
    };
    static sequence seen[2];
    seen[0] = seen[1] = {};
    const auto look = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
        sequence& own = *static_cast<sequence*>(data);
        MPI_Count stamp = -7;
        if (MPI_T_event_get_timestamp(instance, &stamp) != MPI_SUCCESS || stamp < own.last) own.steps_back++;
        own.last = stamp;
        own.calls++;
    };
    registration first{"e_ordered"}, second{"e_ordered_too"};
    int number = 0;
    for (const registration* each : {&first, &second}) {
        REQUIRE(each->call(look, &seen[number++]) == MPI_SUCCESS);
        REQUIRE(each->call_for_losses([](MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void* data) {
            static_cast<sequence*>(data)->lost += count;
        }) == MPI_SUCCESS);
    }
    std::vector<std::thread> raisers;
    for (int t = 0; t < threads; t++)
        raisers.emplace_back([t] {
            for (int i = 0; i < raises; i++) {
                ticks_of_ordered++;
                if (t % 2 == 0) all.events.ordered(i);
                else all.events.ordered_too(i);
            }
        });
    for (std::thread& each : raisers) each.join();
    // The next event brings the losses that are not told yet.
    all.events.ordered(-1);
    all.events.ordered_too(-1);
    for (const sequence& each : seen) {
        CHECK(each.steps_back == 0);
        CHECK(each.calls + each.lost == raises * threads / 2 + 1);
    }
}
