// MPI-5.0, 15.3.7: the ten classes of performance variables: their types, what they start with, and how they move. All
// times are given to the timers as numbers, so that no clock decides a test.

#include "../descriptions.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace {

constexpr int state_class = MPI_T_PVAR_CLASS_STATE, level_class = MPI_T_PVAR_CLASS_LEVEL,
              size_class = MPI_T_PVAR_CLASS_SIZE, percentage_class = MPI_T_PVAR_CLASS_PERCENTAGE,
              high_class = MPI_T_PVAR_CLASS_HIGHWATERMARK, low_class = MPI_T_PVAR_CLASS_LOWWATERMARK,
              counter_class = MPI_T_PVAR_CLASS_COUNTER, aggregate_class = MPI_T_PVAR_CLASS_AGGREGATE,
              timer_class = MPI_T_PVAR_CLASS_TIMER, generic_class = MPI_T_PVAR_CLASS_GENERIC;
static_assert(state_class == 1 && level_class == 2 && size_class == 3 && percentage_class == 4 && high_class == 5 &&
              low_class == 6 && counter_class == 7 && aggregate_class == 8 && timer_class == 9 && generic_class == 10);

// Variables of this file alone, so that nobody else has moved them.
struct class_variables : mpit::category<"classes", "One variable of each class for its motion"> {
    mpit::state<colour> state{this, "k_state", "A colour", {.initial = colour::blue}};
    mpit::level<unsigned long> level{this, "k_level", "A level", {.initial = 3}};
    mpit::level<double> real_level{this, "k_real_level", "A level"};
    mpit::size<unsigned> size{this, "k_size", "A size", {.initial = 64}};
    mpit::percentage<> percentage{this, "k_percentage", "A part", {.initial = 0.25}};
    mpit::percentage<> continuous{this, "k_continuous", "A part that always runs", {.continuous = true}};
    mpit::high_watermark<unsigned long> highest{this, "k_level", "The highest level", {.of = &level}};
    mpit::low_watermark<unsigned long> lowest{this, "k_level", "The lowest level", {.of = &level}};
    mpit::high_watermark<double> real_highest{this, "k_real_mark", "The highest level"};
    mpit::low_watermark<double> real_lowest{this, "k_real_mark", "The lowest level"};
    mpit::high_watermark<double> of_real_level{this, "k_real_level", "The highest level", {.of = &real_level}};
    mpit::high_watermark<double> of_percentage{this, "k_percentage", "The largest part", {.of = &percentage}};
    mpit::counter<> counter{this, "k_counter", "Events"};
    mpit::counter<unsigned> narrow{this, "k_narrow", "Events"};
    mpit::aggregate<> aggregate{this, "k_aggregate", "Amounts"};
    mpit::aggregate<double> real_aggregate{this, "k_real_aggregate", "Amounts"};
    mpit::aggregate<double> overflowing{this, "k_overflowing", "Amounts whose sum is larger than every double"};
    mpit::timer timer{this, "k_timer", "Time"};
    mpit::timer_of<unsigned long> nanoseconds{this, "k_nanoseconds", "Time, in nanoseconds"};
    mpit::generic<mpit::count> generic{this, "k_generic", "Begins at 100", {.initial = 100}};
    mpit::generic<double> real_generic{this, "k_real_generic", "Begins below zero", {.initial = -0.5}};
    mpit::computed<mpit::performance_class::generic, colour> computed{
        this, "k_computed", "A colour that is computed", {.value = [] { return colour::red; }}};
};
constexpr auto& classes = mpit::registered<class_variables>;

// The classes that the table of the standard allows for a type, in the order of their values.
template <class T> std::string classes_that_may_have() {
    using enum mpit::performance_class;
    const bool may[] = {
        mpit::internal::is_type_of_class<state, T>(),          mpit::internal::is_type_of_class<level, T>(),
        mpit::internal::is_type_of_class<size, T>(),           mpit::internal::is_type_of_class<percentage, T>(),
        mpit::internal::is_type_of_class<high_watermark, T>(), mpit::internal::is_type_of_class<low_watermark, T>(),
        mpit::internal::is_type_of_class<counter, T>(),        mpit::internal::is_type_of_class<aggregate, T>(),
        mpit::internal::is_type_of_class<timer, T>(),          mpit::internal::is_type_of_class<generic, T>()};
    std::string said;
    for (const bool one : may) said += one ? '+' : '.';
    return said;
}

} // namespace

TEST_CASE("A class has the types of the table in 15.3.7 and no others",
          "[PCLASS-02][PCLASS-03][PCLASS-04][PCLASS-05][PCLASS-10][PCLASS-11][PCLASS-12][PCLASS-13][PCLASS-15]") {
    // State, level, size, percentage, high and low watermark, counter, aggregate, timer, generic. Watermarks cannot be
    // computed; the types of their declarations are those of levels.
    CHECK(classes_that_may_have<colour>() == "+........+");
    CHECK(classes_that_may_have<int>() == ".........+");
    CHECK(classes_that_may_have<unsigned>() == ".++...++++");
    CHECK(classes_that_may_have<unsigned long>() == ".++...++++");
    CHECK(classes_that_may_have<unsigned long long>() == ".++...++++");
    CHECK(classes_that_may_have<double>() == ".+++...+++");
    CHECK(classes_that_may_have<mpit::exact<std::int32_t>>() == ".........+");
    CHECK(classes_that_may_have<mpit::exact<std::int64_t>>() == ".........+");
    CHECK(classes_that_may_have<mpit::exact<std::uint32_t>>() == ".........+");
    CHECK(classes_that_may_have<mpit::exact<std::uint64_t>>() == ".........+");
    CHECK(classes_that_may_have<mpit::count>() == ".........+");
    // A text is a computed generic variable by a declaration of its own.
    CHECK(classes_that_may_have<char[16]>() == "..........");
    STATIC_REQUIRE(mpit::core::utilization<unsigned>);
    STATIC_REQUIRE(mpit::core::utilization<double>);
    STATIC_REQUIRE_FALSE(mpit::core::utilization<int>);
    STATIC_REQUIRE_FALSE(mpit::core::utilization<mpit::count>);
}

TEST_CASE_METHOD(
    initialized, "Each of the ten classes occurs and no other, and a variable's type is allowed for its class",
    "[PCLASS-01][PCLASS-02][PCLASS-03][PCLASS-04][PCLASS-05][PCLASS-06][PCLASS-07][PCLASS-10][PCLASS-11][PCLASS-"
    "12][PCLASS-15]") {
    const std::set<MPI_Datatype> whole{MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG},
        amounts{MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG, MPI_DOUBLE};
    const std::map<int, std::set<MPI_Datatype>> allowed{
        {state_class, {MPI_INT}},         {level_class, amounts},     {size_class, amounts},
        {percentage_class, {MPI_DOUBLE}}, {high_class, amounts},      {low_class, amounts},
        {counter_class, whole},           {aggregate_class, amounts}, {timer_class, amounts}};
    std::set<int> seen;
    for (const pvar_info& about : all_of<pvar_info>()) {
        seen.insert(about.in_class);
        if (about.in_class != generic_class) CHECK(allowed.at(about.in_class).count(about.datatype) == 1);
        if (about.in_class == state_class) CHECK(about.enumeration != MPI_T_ENUM_NULL);
    }
    CHECK(seen == std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
}

TEST_CASE_METHOD(in_session, "A state is the present state, and a reset keeps it", "[PCLASS-02]") {
    pvar running{in, "k_state", state_class}, stopped{in, "k_state", state_class};
    classes.state = colour::blue;
    CHECK(running.start() == MPI_SUCCESS);
    for (const colour present : {colour::red, colour::green, colour::blue}) {
        classes.state = present;
        CHECK(running.read<int>() == static_cast<int>(present));
        CHECK(classes.state.get() == present);
    }
    CHECK(running.write(static_cast<int>(colour::red)) == MPI_SUCCESS);
    CHECK(running.reset() == MPI_SUCCESS);
    CHECK(running.read<int>() == static_cast<int>(colour::blue));
    classes.state = colour::green;
    CHECK(stopped.reset() == MPI_SUCCESS);
    CHECK(stopped.read<int>() == static_cast<int>(colour::green));
}

TEST_CASE_METHOD(in_session, "A state that a tool has written stands until the library changes it, even back",
                 "[PCLASS-02][HNDL-17]") {
    pvar state{in, "k_state", state_class};
    classes.state = colour::blue;
    CHECK(state.start() == MPI_SUCCESS);
    CHECK(state.write(static_cast<int>(colour::red)) == MPI_SUCCESS);
    classes.state = colour::blue;
    CHECK(state.read<int>() == static_cast<int>(colour::red));
    classes.state = colour::green;
    classes.state = colour::blue;
    CHECK(state.read<int>() == static_cast<int>(colour::blue));
    CHECK(state.write(12345) == MPI_T_ERR_INVALID);
    CHECK(state.read<int>() == static_cast<int>(colour::blue));
}

TEST_CASE_METHOD(in_session, "A level rises and falls, and starts with the present level", "[PCLASS-03]") {
    pvar level{in, "k_level", level_class}, real{in, "k_real_level", level_class};
    CHECK(level.start() == MPI_SUCCESS);
    CHECK(real.start() == MPI_SUCCESS);
    for (const unsigned long present : {9ul, 2ul, 0ul, 7ul}) {
        classes.level = present;
        classes.real_level = static_cast<double>(present) / 4;
        CHECK(level.read<unsigned long>() == present);
        CHECK(real.read<double>() == static_cast<double>(present) / 4);
    }
    CHECK(level.write(1ul) == MPI_SUCCESS);
    CHECK(level.reset() == MPI_SUCCESS);
    CHECK(level.read<unsigned long>() == 7);
}

TEST_CASE_METHOD(in_session, "A level that a tool has written changes with the library's, and is never below zero",
                 "[PCLASS-03][HNDL-17]") {
    pvar level{in, "k_level", level_class};
    classes.level = 10;
    CHECK(level.start() == MPI_SUCCESS);
    CHECK(level.write(4ul) == MPI_SUCCESS);
    CHECK(level.read<unsigned long>() == 4);
    classes.level = 12;
    CHECK(level.read<unsigned long>() == 6);
    classes.level = 1;
    CHECK(level.read<unsigned long>() == 0);
    CHECK(level.readreset<unsigned long>() == 0);
    CHECK(level.read<unsigned long>() == 1);
}

TEST_CASE_METHOD(in_session, "A size may change, and a reset gives the new one", "[PCLASS-04]") {
    pvar size{in, "k_size", size_class};
    CHECK(size.read<unsigned>() == 64);
    CHECK(size.start() == MPI_SUCCESS);
    classes.size = 128u;
    CHECK(size.read<unsigned>() == 128);
    CHECK(size.stop() == MPI_SUCCESS);
    classes.size = 256u;
    CHECK(size.read<unsigned>() == 128);
    CHECK(size.reset() == MPI_SUCCESS);
    CHECK(size.read<unsigned>() == 256);
    classes.size = 64u;
}

TEST_CASE_METHOD(in_session, "A percentage is never outside 0 and 1 and always a number", "[PCLASS-05]") {
    const double nothing = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
    const pvar running{in, "k_percentage", percentage_class};
    CHECK(running.start() == MPI_SUCCESS);
    for (const double present : {-0.5, 1.5, nothing, endless, -endless, 0.0, 1.0, 0.75}) {
        classes.percentage = present;
        classes.continuous = present;
        const double seen = std::isnan(present) || present < 0 ? 0 : present > 1 ? 1 : present;
        INFO(present);
        pvar at{in, "k_percentage", percentage_class}, continuous{in, "k_continuous", percentage_class};
        CHECK(running.read<double>() == seen);
        CHECK(at.read<double>() == seen);
        CHECK(continuous.read<double>() == seen);
        CHECK(at.reset() == MPI_SUCCESS);
        CHECK(at.read<double>() == seen);
        CHECK(at.start() == MPI_SUCCESS);
        CHECK(at.read<double>() == seen);
        CHECK(at.readreset<double>() == seen);
        CHECK(at.stop() == MPI_SUCCESS);
        CHECK(at.read<double>() == seen);
        for (const double impossible : {-0.25, 1.25, nothing}) CHECK(at.write(impossible) == MPI_T_ERR_INVALID);
        CHECK(at.read<double>() == seen);
    }
    classes.percentage = 0.25;
}

TEST_CASE_METHOD(in_session, "A high watermark is the largest level since it was started or reset", "[PCLASS-06]") {
    pvar mark{in, "k_level", high_class}, real{in, "k_real_mark", high_class}, of_level{in, "k_real_level", high_class};
    classes.level = 1;
    classes.real_highest = 0.25;
    classes.real_level = 0.25;
    for (const pvar* at : {&mark, &real, &of_level}) CHECK(at->start() == MPI_SUCCESS);
    for (const unsigned long present : {3ul, 9ul, 4ul}) {
        classes.level = present;
        classes.real_highest = static_cast<double>(present) / 4;
        classes.real_level = static_cast<double>(present) / 4;
    }
    CHECK(mark.read<unsigned long>() == 9);
    CHECK(real.read<double>() == 2.25);
    CHECK(of_level.read<double>() == 2.25);
    CHECK(mark.reset() == MPI_SUCCESS);
    CHECK(mark.read<unsigned long>() == 4);
    CHECK(real.readreset<double>() == 2.25);
    CHECK(real.read<double>() == 1);
}

TEST_CASE_METHOD(in_session, "A low watermark is the smallest level since it was started or reset", "[PCLASS-07]") {
    pvar mark{in, "k_level", low_class}, real{in, "k_real_mark", low_class};
    classes.level = 8;
    classes.real_lowest = 2;
    CHECK(mark.start() == MPI_SUCCESS);
    CHECK(real.start() == MPI_SUCCESS);
    for (const unsigned long present : {7ul, 2ul, 5ul}) {
        classes.level = present;
        classes.real_lowest = static_cast<double>(present) / 4;
    }
    CHECK(mark.read<unsigned long>() == 2);
    CHECK(real.read<double>() == 0.5);
    CHECK(mark.reset() == MPI_SUCCESS);
    CHECK(mark.read<unsigned long>() == 5);
    CHECK(real.readreset<double>() == 0.5);
    CHECK(real.read<double>() == 1.25);
}

TEST_CASE_METHOD(in_session, "A watermark begins with the level at its start, not at its allocation", "[PCLASS-08]") {
    classes.level = 10;
    pvar high{in, "k_level", high_class}, low{in, "k_level", low_class};
    CHECK(high.read<unsigned long>() == 10);
    classes.level = 2;
    CHECK(high.start() == MPI_SUCCESS);
    CHECK(high.read<unsigned long>() == 2);
    classes.level = 20;
    CHECK(low.start() == MPI_SUCCESS);
    CHECK(low.read<unsigned long>() == 20);
}

TEST_CASE_METHOD(in_session, "A stopped watermark keeps its mark, and a later start merges the present level into it",
                 "[PCLASS-09]") {
    classes.level = 6;
    pvar high{in, "k_level", high_class}, low{in, "k_level", low_class};
    CHECK(high.start() == MPI_SUCCESS);
    CHECK(low.start() == MPI_SUCCESS);
    classes.level = 9;
    CHECK(high.stop() == MPI_SUCCESS);
    CHECK(low.stop() == MPI_SUCCESS);
    classes.level = 20;
    CHECK(high.read<unsigned long>() == 9);
    CHECK(low.read<unsigned long>() == 6);
    classes.level = 5;
    CHECK(high.start() == MPI_SUCCESS);
    CHECK(low.start() == MPI_SUCCESS);
    CHECK(high.read<unsigned long>() == 9);
    CHECK(low.read<unsigned long>() == 5);
}

TEST_CASE_METHOD(in_session, "A watermark that was reset while it was stopped starts as if for the first time",
                 "[PCLASS-09]") {
    classes.level = 9;
    pvar high{in, "k_level", high_class};
    CHECK(high.start() == MPI_SUCCESS);
    CHECK(high.stop() == MPI_SUCCESS);
    classes.level = 7;
    CHECK(high.reset() == MPI_SUCCESS);
    CHECK(high.read<unsigned long>() == 7);
    classes.level = 3;
    CHECK(high.start() == MPI_SUCCESS);
    CHECK(high.read<unsigned long>() == 3);
}

TEST_CASE_METHOD(in_session, "A counter starts at 0 and grows by one for each event", "[PCLASS-10]") {
    ++classes.counter;
    pvar counter{in, "k_counter", counter_class};
    CHECK(counter.start() == MPI_SUCCESS);
    CHECK(counter.read() == 0);
    for (int i = 0; i < 1000; i++) ++classes.counter;
    CHECK(counter.read() == 1000);
    CHECK(counter.readreset() == 1000);
    CHECK(counter.read() == 0);
}

TEST_CASE_METHOD(in_session, "An aggregate starts at 0 and grows by amounts that are not negative", "[PCLASS-11]") {
    pvar whole{in, "k_aggregate", aggregate_class}, real{in, "k_real_aggregate", aggregate_class};
    CHECK(whole.start() == MPI_SUCCESS);
    CHECK(real.start() == MPI_SUCCESS);
    for (const int amount : {5, 0, 7, -3}) {
        classes.aggregate += amount;
        classes.real_aggregate += amount / 2.0;
    }
    classes.real_aggregate += std::nan("");
    CHECK(whole.read() == 12);
    classes.aggregate += -1l;
    classes.aggregate += static_cast<unsigned char>(200);
    CHECK(whole.read() == 212);
    CHECK(real.read<double>() == 6);
    CHECK(real.reset() == MPI_SUCCESS);
    CHECK(real.read<double>() == 0);
}

TEST_CASE_METHOD(in_session, "A timer of doubles counts seconds, one of integers the unit in its description",
                 "[PCLASS-12]") {
    pvar seconds{in, "k_timer", timer_class}, integer{in, "k_nanoseconds", timer_class};
    CHECK(seconds.start() == MPI_SUCCESS);
    CHECK(integer.start() == MPI_SUCCESS);
    classes.timer.add(50'000'000);
    classes.nanoseconds.add(50'000'000);
    CHECK(seconds.read<double>() == 0.05);
    CHECK(integer.read<unsigned long>() == 50'000'000);
    CHECK(std::string{pvar_info{"k_nanoseconds", timer_class}.description}.find("nanoseconds") != std::string::npos);
}

TEST_CASE_METHOD(in_session, "A timed section takes no longer than the code around it, and ends once", "[PCLASS-12]") {
    pvar integer{in, "k_nanoseconds", timer_class};
    CHECK(integer.start() == MPI_SUCCESS);
    const std::uint64_t before = mpit::core::nanoseconds();
    std::uint64_t inside = 0;
    {
        auto running = classes.nanoseconds.start();
        const std::uint64_t begin = mpit::core::nanoseconds();
        while (inside < 1000) inside = mpit::core::nanoseconds() - begin;
    }
    const std::uint64_t around = mpit::core::nanoseconds() - before;
    const auto measured = integer.read<unsigned long>();
    CHECK(measured >= inside);
    CHECK(measured <= around);
    auto running = classes.nanoseconds.start();
    running.stop();
    const auto stopped = integer.read<unsigned long>();
    running.stop();
    CHECK(integer.read<unsigned long>() == stopped);
}

TEST_CASE_METHOD(in_session, "A time that is too long for a timer is refused, and the timer keeps its value",
                 "[PCLASS-12][HNDL-17]") {
    pvar seconds{in, "k_timer", timer_class};
    CHECK(seconds.write(1e6) == MPI_SUCCESS);
    CHECK(seconds.read<double>() == 1e6);
    for (const double endless : {1e300, std::numeric_limits<double>::infinity(), 1e10}) {
        CHECK(seconds.write(endless) == MPI_T_ERR_INVALID);
        CHECK(seconds.read<double>() == 1e6);
    }
}

TEST_CASE_METHOD(in_session, "An aggregate adds no infinite amount, and is 0 after a reset if its sum was too large",
                 "[PCLASS-11]") {
    const double endless = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
    pvar real{in, "k_real_aggregate", aggregate_class}, large{in, "k_overflowing", aggregate_class};
    pvar later{in, "k_overflowing", aggregate_class};
    CHECK(real.start() == MPI_SUCCESS);
    CHECK(large.start() == MPI_SUCCESS);
    classes.real_aggregate += endless;
    classes.real_aggregate += 0.5;
    CHECK(real.read<double>() == 0.5);
    classes.overflowing += largest;
    CHECK(large.read<double>() == largest);
    CHECK(large.reset() == MPI_SUCCESS);
    CHECK(large.read<double>() == 0);
    classes.overflowing += largest;
    CHECK(large.read<double>() == endless);
    CHECK(large.readreset<double>() == endless);
    CHECK(later.start() == MPI_SUCCESS);
    classes.overflowing += 1;
    for (pvar* each : {&large, &later}) {
        CHECK(each->read<double>() == 0);
        CHECK(each->stop() == MPI_SUCCESS);
        CHECK(each->read<double>() == 0);
        CHECK(each->start() == MPI_SUCCESS);
        CHECK(each->read<double>() == 0);
    }
    CHECK(real.write(endless) == MPI_SUCCESS);
    CHECK(real.read<double>() == endless);
    CHECK(real.reset() == MPI_SUCCESS);
    classes.real_aggregate += 0.5;
    CHECK(real.read<double>() == 0.5);
}

TEST_CASE_METHOD(in_session, "A generic variable begins with a value of its own, which a reset restores",
                 "[PCLASS-13]") {
    pvar generic{in, "k_generic", generic_class}, real{in, "k_real_generic", generic_class};
    CHECK(generic.read<MPI_Count>() == 100);
    CHECK(real.read<double>() == -0.5);
    CHECK(generic.start() == MPI_SUCCESS);
    classes.generic += mpit::count{-130};
    CHECK(generic.read<MPI_Count>() == -30);
    CHECK(generic.reset() == MPI_SUCCESS);
    CHECK(generic.read<MPI_Count>() == 100);
    CHECK(real.write(-7.5) == MPI_SUCCESS);
    CHECK(real.read<double>() == -7.5);
    CHECK(real.reset() == MPI_SUCCESS);
    CHECK(real.read<double>() == -0.5);
}

TEST_CASE_METHOD(in_session, "A generic variable with an enumeration shows one of its items", "[PCLASS-13]") {
    pvar computed{in, "k_computed", generic_class};
    CHECK(computed.read<int>() == static_cast<int>(colour::red));
    CHECK(computed.start() == MPI_SUCCESS);
    CHECK(computed.read<int>() == static_cast<int>(colour::red));
}

TEST_CASE_METHOD(in_session, "A sum wraps at the width of its type and goes on", "[PCLASS-14]") {
    pvar wide{in, "k_counter", counter_class}, narrow{in, "k_narrow", counter_class};
    CHECK(wide.start() == MPI_SUCCESS);
    CHECK(narrow.start() == MPI_SUCCESS);
    classes.counter += ~0ull - 1;
    CHECK(wide.read() == ~0ull - 1);
    classes.narrow += ~0u;
    CHECK(narrow.read<unsigned>() == ~0u);
    for (int i = 0; i < 2; i++) {
        ++classes.counter;
        ++classes.narrow;
    }
    CHECK(wide.read() == 0);
    CHECK(narrow.read<unsigned>() == 1);
    CHECK(narrow.write(~0u) == MPI_SUCCESS);
    ++classes.narrow;
    CHECK(narrow.read<unsigned>() == 0);
    CHECK(pvar_info{"k_counter"}.datatype == MPI_UNSIGNED_LONG_LONG);
}
