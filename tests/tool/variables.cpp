// The reader in C++ over both interfaces, the index and the standard's functions, which the roof of tests/tool.hpp defines: what
// there is as ranges of facts, control and performance variables as values of C++, and the categories of a variable.
#include "reader.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

// The values of colour under other names.
enum class paint { crimson = -5, lime = 100, navy = 7 };
template <>
inline constexpr auto mpit::enumeration_of<paint> =
    mpit::enumerators<paint>("paint", {{"crimson", paint::crimson}, {"lime", paint::lime}, {"navy", paint::navy}});

namespace {

using mpit::result;
using mpit::tool::any_value;
auto& controls = mpit::registered<everything>.controls;

} // namespace

FOR_EACH_INTERFACE("A handle reads and writes a number of each type") {
    const mpit::tool::library<TestType> interface;
    const auto holds = [&](const char* name, auto number) {
        using number_type = decltype(number);
        auto handle = interface.template control<number_type>(name);
        CHECK(handle.write(number) == result::success);
        return handle.read() == number;
    };
    CHECK(holds("C_INT", -3));
    CHECK(holds("C_UNSIGNED", ~0u));
    CHECK(holds("C_UNSIGNED_LONG", ~0ul));
    CHECK(holds("C_UNSIGNED_LONG_LONG", ~0ull));
    CHECK(holds("C_DOUBLE", 1e-300));
    CHECK(holds("C_INT32", mpit::exact<std::int32_t>{-7}));
    CHECK(holds("C_INT64", INT64_MIN));
    CHECK(holds("C_UINT32", mpit::exact<std::uint32_t>{UINT32_MAX}));
    CHECK(holds("C_UINT64", mpit::exact<std::uint64_t>{UINT64_MAX}));
    CHECK(holds("C_COUNT", mpit::count{-1}));
    CHECK(controls.plain == -3);
}

FOR_EACH_INTERFACE("Types of one size and kind hold each other's values") {
    const mpit::tool::library<TestType> interface;
    controls.of_unsigned_long = 12;
    CHECK(interface.template control<unsigned long long>("C_UNSIGNED_LONG").read() == 12);
    CHECK(interface.template control<mpit::exact<std::uint64_t>>("C_UNSIGNED_LONG").read().has_value());
    controls.plain = -12;
    CHECK(interface.template control<mpit::exact<std::int32_t>>("C_INT").read().has_value());
    controls.enumerated = colour::blue;
    CHECK(interface.template control<int>("C_COLOUR").read() == 7);
}

FOR_EACH_INTERFACE("A variable of another type is refused when the handle is made, and is never read") {
    const mpit::tool::library<TestType> interface;
    CHECK(interface.template control<unsigned>("C_INT").status() == result::wrong_type);
    CHECK(interface.template control<long>("C_INT").status() == result::wrong_type);
    CHECK(interface.template control<double>("C_UNSIGNED_LONG").status() == result::wrong_type);
    CHECK(interface.template control<unsigned long>("C_DOUBLE").status() == result::wrong_type);
    CHECK(interface.template control<std::string>("C_INT").status() == result::wrong_type);
    CHECK(interface.template control<int>("C_TEXT").status() == result::wrong_type);
    CHECK(interface.template control<bool>("C_INT").status() == result::wrong_type);
    CHECK(interface.template control<lamp>("C_COLOUR").status() == result::wrong_type);
    CHECK(interface.template control<paint>("C_COLOUR").status() == result::wrong_type);
    auto handle = interface.template control<double>("C_INT");
    CHECK(!handle);
    CHECK(!handle.read().has_value());
    CHECK(handle.write(1.0) == result::wrong_type);
}

FOR_EACH_INTERFACE("A variable with another number of elements is refused") {
    const mpit::tool::library<TestType> interface;
    CHECK(interface.template control<int>("C_ARRAY").status() == result::wrong_count);
    CHECK(interface.template control<std::array<int, 3>>("C_ARRAY").status() == result::wrong_count);
    CHECK(interface.template control<std::array<int, 5>>("C_ARRAY").status() == result::wrong_count);
    CHECK(interface.template control<std::array<unsigned, 4>>("C_ARRAY").status() == result::wrong_type);
}

FOR_EACH_INTERFACE("Arrays and vectors have the elements of the variable") {
    const mpit::tool::library<TestType> interface;
    auto array = interface.template control<std::array<int, 4>>("C_ARRAY");
    CHECK(array.write({-1, 2, -3, 4}) == result::success);
    auto vector = interface.template control<std::vector<int>>("C_ARRAY");
    CHECK(vector.read() == std::vector<int>{-1, 2, -3, 4});
    CHECK(vector.write({1, 2, 3}) == result::wrong_count);
    CHECK(vector.write({1, 2, 3, 4, 5}) == result::wrong_count);
    CHECK(vector.write({5, 6, 7, 8}) == result::success);
    CHECK(array.read() == std::array<int, 4>{5, 6, 7, 8});
}

FOR_EACH_INTERFACE("An enumeration is read as its own type, and named") {
    const mpit::tool::library<TestType> interface;
    controls.enumerated = colour::green;
    auto handle = interface.template control<colour>("C_COLOUR");
    CHECK(handle.read() == colour::green);
    CHECK(handle.write(colour::red) == result::success);
    CHECK(controls.enumerated == colour::red);
    CHECK(*handle.info().enumeration.name_of(-5) == "red");
    CHECK(handle.info().enumeration.name_of(6) == nullptr);
    CHECK(handle.info().enumeration.value_of("blue") == 7);
    CHECK(!handle.info().enumeration.value_of("violet").has_value());
}

FOR_EACH_INTERFACE("A text is a string, and one that is too long is refused whole") {
    const mpit::tool::library<TestType> interface;
    auto handle = interface.template control<std::string>("C_TEXT");
    CHECK(handle.write("a longer text") == result::success);
    CHECK(handle.read() == "a longer text");
    CHECK(handle.write("") == result::success);
    CHECK(handle.read() == "");
    CHECK(handle.write(std::string(31, 'x')) == result::success);
    CHECK(handle.read() == std::string(31, 'x'));
    CHECK(handle.write(std::string(32, 'y')) == result::wrong_count);
    CHECK(handle.read() == std::string(31, 'x'));
}

FOR_EACH_INTERFACE("A value of any type loses neither sign nor fraction") {
    const mpit::tool::library<TestType> interface;
    const auto text_of = [&](const char* name) {
        auto handle = interface.template control<any_value>(name);
        REQUIRE(handle.status() == result::success);
        return mpit::tool::text_of(*handle.read(), handle.info().enumeration);
    };
    controls.plain = -1;
    controls.of_unsigned_long = ~0ul;
    controls.of_double = 0.1;
    controls.enumerated = colour::red;
    CHECK(interface.template control<std::string>("C_TEXT").write("text") == result::success);
    CHECK(interface.template control<std::array<int, 4>>("C_ARRAY").write({-1, 0, 1, 2}) == result::success);
    CHECK(text_of("C_INT") == "-1");
    CHECK(text_of("C_UNSIGNED_LONG") == "18446744073709551615");
    CHECK(text_of("C_DOUBLE") == "0.1");
    CHECK(text_of("C_COLOUR") == "red");
    CHECK(text_of("C_TEXT") == "text");
    CHECK(text_of("C_ARRAY") == "-1 0 1 2");
}

FOR_EACH_INTERFACE("A value of any type is written where it is of the variable's kind") {
    const mpit::tool::library<TestType> interface;
    using signed_numbers = std::vector<std::int64_t>;
    using real_numbers = std::vector<double>;
    auto number = interface.template control<any_value>("C_INT");
    CHECK(number.write(signed_numbers{-9}) == result::success);
    CHECK(controls.plain == -9);
    CHECK(number.write(real_numbers{1.5}) == result::wrong_count);
    CHECK(number.write(signed_numbers{1, 2}) == result::wrong_count);
    CHECK(number.write(std::string{"9"}) == result::wrong_count);
    CHECK(controls.plain == -9);
    auto text = interface.template control<any_value>("C_TEXT");
    CHECK(text.write(std::string{"any"}) == result::success);
    CHECK(text.read() == any_value{std::string{"any"}});
    CHECK(text.write(signed_numbers{1}) == result::wrong_count);
    auto array = interface.template control<any_value>("C_ARRAY");
    CHECK(array.write(signed_numbers{4, 3, 2, -1}) == result::success);
    CHECK(array.read() == any_value{signed_numbers{4, 3, 2, -1}});
}

FOR_EACH_INTERFACE("Objects are given by value, where a variable has one and nowhere else") {
    const mpit::tool::library<TestType> interface;
    const auto first = handle_number<communicator>(0x1001), second = handle_number<communicator>(0x1003);
    mpit::created(all, first);
    mpit::created(all, second);
    auto one = interface.template control<int>("C_BOUND", first),
         other = interface.template control<int>("C_BOUND", second);
    CHECK(one.write(11) == result::success);
    CHECK(other.write(22) == result::success);
    CHECK(one.read() == 11);
    CHECK(interface.template control<std::vector<int>>("C_BOUND_ARRAY", second).count() == 3);
    CHECK(interface.template control<int>("C_BOUND").status() == result::invalid_handle);
    CHECK(interface.template control<int>("C_INT", first).status() == result::invalid_handle);
    CHECK(interface.template control<int>("C_BOUND", handle_number<communicator>(0x2222)).status() ==
          result::invalid_handle);
    mpit::freed(all, first);
    CHECK(!one.read().has_value());
    CHECK(other.read() == 22);
    mpit::freed(all, second);
}

FOR_EACH_INTERFACE("A name that nothing has, and a write that is refused, are answered in words") {
    const mpit::tool::library<TestType> interface;
    auto missing = interface.template control<int>("C_MISSING");
    CHECK(missing.status() == result::invalid_name);
    CHECK(std::string{to_string(missing.status())} == "there is no item of this kind and name");
    CHECK(interface.template control<int>("C_CONSTANT").write(1) == result::set_never);
    CHECK(interface.template control<int>("C_RANGED").write(101) == result::invalid);
    phase_is_open = false;
    CHECK(interface.template control<int>("C_PHASE").write(1) == result::set_not_now);
}

FOR_EACH_INTERFACE("A handle works as long as it is there, whatever became of the library that made it") {
    std::optional<mpit::tool::library<TestType>> interface{std::in_place};
    auto handle = interface->template control<int>("C_INT");
    auto session = interface->session();
    interface.reset();
    CHECK(handle.write(77) == result::success);
    auto moved = std::move(handle);
    CHECK(moved.read() == 77);
    CHECK(!handle.read().has_value());
    CHECK(session.status() == result::success);
}

FOR_EACH_INTERFACE("A session that was moved is still a session, which lasts as long as one of its objects") {
    mpit::tool::session<TestType> first;
    auto moved = std::move(first);
    CHECK(first);
    CHECK(moved.start() == result::success);
    CHECK(first.template performance<unsigned long>("p_counter", mpit::performance_class::counter).read().has_value());
}

FOR_EACH_INTERFACE("A handle that was moved ends once, and ends nothing of others") {
    const mpit::tool::library<TestType> interface;
    {
        auto handle = interface.template control<int>("C_INT");
        const auto moved = std::move(handle);
        CHECK(moved.status() == result::success);
    }
    CHECK(interface.count(mpit::tool::kind::control) > 0);
    CHECK(interface.template control<int>("C_INT").read().has_value());
}

namespace {

using mpit::performance_class;
auto& performances = mpit::registered<everything>.performances;
auto& of_objects = mpit::registered<everything>.bound;

} // namespace

FOR_EACH_INTERFACE("A counter shows what its own session has counted") {
    const mpit::tool::session<TestType> session, other;
    auto counter = session.template performance<unsigned long>("p_counter", performance_class::counter);
    auto second = other.template performance<unsigned long>("p_counter", performance_class::counter);
    CHECK(counter.start() == result::success);
    ++performances.counter;
    CHECK(second.start() == result::success);
    performances.counter += 2;
    CHECK(counter.read() == 3);
    CHECK(second.read() == 2);
    CHECK(counter.stop() == result::success);
    ++performances.counter;
    CHECK(counter.read() == 3);
    unsigned long last = 0;
    CHECK(second.read_and_reset(last) == result::success);
    CHECK(last == 3);
    CHECK(second.read() == 0);
    CHECK(counter.reset() == result::success);
    CHECK(counter.read() == 0);
    CHECK(counter.write(40) == result::success);
    CHECK(counter.read() == 40);
}

FOR_EACH_INTERFACE("Doubles are doubles, arrays are arrays, and a state is its enumeration") {
    const mpit::tool::session<TestType> session;
    auto seconds = session.template performance<double>("p_timer", performance_class::timer);
    CHECK(seconds.start() == result::success);
    performances.timer.add(1'500'000'000);
    CHECK(seconds.read() == 1.5);
    auto share = session.template performance<double>("p_percentage", performance_class::percentage);
    CHECK(share.start() == result::success);
    performances.percentage = 0.125;
    CHECK(share.read() == 0.125);
    auto four = session.template performance<std::array<unsigned long, 4>>("p_counters", performance_class::counter);
    CHECK(four.start() == result::success);
    performances.counters[2] += 5;
    CHECK(four.read() == std::array<unsigned long, 4>{0, 0, 5, 0});
    performances.state = colour::red;
    auto state = session.template performance<colour>("p_state", performance_class::state);
    CHECK(state.start() == result::success);
    CHECK(state.read() == colour::red);
    auto text = session.template performance<std::string>("p_computed_text", performance_class::generic);
    CHECK(text.start() == result::success);
    CHECK(text.read() == "x");
}

FOR_EACH_INTERFACE("A class tells variables of one name apart") {
    const mpit::tool::session<TestType> session;
    auto level = session.template performance<unsigned long>("p_queue", performance_class::level);
    auto room = session.template performance<unsigned long>("p_queue", performance_class::size);
    CHECK(level.info().variable_class == performance_class::level);
    CHECK(room.info().variable_class == performance_class::size);
    CHECK(room.start() == result::success);
    CHECK(room.read() == 64);
    CHECK(session.template performance<unsigned long>("p_queue", performance_class::timer).status() ==
          result::invalid_name);
}

FOR_EACH_INTERFACE("What a variable is not for is answered when the handle is made, or in the standard's words") {
    const mpit::tool::session<TestType> session;
    CHECK(session.template performance<unsigned>("p_counter", performance_class::counter).status() ==
          result::wrong_type);
    CHECK(session.template performance<unsigned long>("p_timer", performance_class::timer).status() ==
          result::wrong_type);
    CHECK(session.template performance<unsigned long>("p_counters", performance_class::counter).status() ==
          result::wrong_count);
    auto readonly = session.template performance<unsigned long>("p_readonly", performance_class::counter);
    CHECK(readonly.reset() == result::cannot_write);
    CHECK(readonly.write(1) == result::cannot_write);
    auto not_atomic = session.template performance<unsigned long>("p_not_atomic", performance_class::counter);
    unsigned long value = 0;
    CHECK(not_atomic.read_and_reset(value) == result::not_atomic);
}

FOR_EACH_INTERFACE("A continuous variable needs no start, and cannot be stopped") {
    const mpit::tool::session<TestType> session;
    auto always = session.template performance<unsigned long>("p_continuous", performance_class::counter);
    CHECK(always.info().is_continuous);
    ++performances.continuous;
    CHECK(always.start() == result::success);
    CHECK(always.read() == 1);
    CHECK(always.stop() == result::cannot_start_or_stop);
}

FOR_EACH_INTERFACE("A session starts, stops and resets all of its handles") {
    mpit::tool::session<TestType> session;
    auto first = session.template performance<unsigned long>("p_counter", performance_class::counter);
    auto second = session.template performance<unsigned long>("p_aggregate", performance_class::aggregate);
    CHECK(session.start() == result::success);
    ++performances.counter;
    performances.aggregate += 10;
    CHECK(session.stop() == result::success);
    ++performances.counter;
    CHECK(first.read() == 1);
    CHECK(second.read() == 10);
    CHECK(session.reset() == result::success);
    CHECK(first.read() == 0);
    CHECK(second.read() == 0);
}

FOR_EACH_INTERFACE("A counter of an object counts for that object") {
    const mpit::tool::session<TestType> session;
    const auto comm = handle_number<communicator>(0x3001), other = handle_number<communicator>(0x3002);
    mpit::created(all, comm);
    mpit::created(all, other);
    auto calls = session.template performance<unsigned long>("b_comm", performance_class::counter, comm);
    CHECK(calls.start() == result::success);
    of_objects.comm[comm] += 3;
    of_objects.comm[other] += 5;
    CHECK(calls.read() == 3);
    CHECK(session.template performance<unsigned long>("b_comm", performance_class::counter).status() ==
          result::invalid_handle);
    mpit::freed(all, comm);
    mpit::freed(all, other);
    CHECK(!calls.read().has_value());
}

FOR_EACH_INTERFACE("A handle keeps its session") {
    std::optional<mpit::tool::session<TestType>> session{std::in_place};
    auto counter = session->template performance<unsigned long>("p_counter", performance_class::counter);
    session.reset();
    CHECK(counter.start() == result::success);
    ++performances.counter;
    CHECK(counter.read() == 1);
    const auto moved = std::make_optional(std::move(counter));
    CHECK(counter.status() == result::invalid_handle);
    CHECK(moved->status() == result::success);
}

namespace {

using mpit::tool::kind;

template <class Range> auto named(const Range& listed, const char* name) {
    for (const auto& each : listed)
        if (each.name == name) return each;
    FAIL("there is no " << name);
    return *listed.begin();
}

} // namespace

FOR_EACH_INTERFACE("Every number is listed once, in its order, and found by its name") {
    const mpit::tool::library<TestType> interface;
    const auto is_whole = [&](kind of, const auto& listed) {
        int number = 0;
        for (const auto& each : listed) {
            int found = -1;
            mpit::performance_class in{};
            if constexpr (requires { each.variable_class; }) in = each.variable_class;
            CHECK(each.number == number++);
            if (of == kind::source) continue;
            CHECK(interface.find(of, each.name.c_str(), in, found) == result::success);
            CHECK(found == each.number);
        }
        return number > 0 && number == interface.count(of);
    };
    CHECK(is_whole(kind::control, interface.controls()));
    CHECK(is_whole(kind::performance, interface.performances()));
    CHECK(is_whole(kind::event, interface.events()));
    CHECK(is_whole(kind::source, interface.sources()));
    CHECK(is_whole(kind::category, interface.categories()));
}

FOR_EACH_INTERFACE("The facts of variables are those of their declarations") {
    const mpit::tool::library<TestType> interface;
    const auto ranged = named(interface.controls(), "C_GROUP_EQ");
    CHECK(ranged.description == "Written with one value by the processes of a node");
    CHECK(ranged.type == mpit::datatype::int_type);
    CHECK(ranged.scope == mpit::scope::group_equal);
    CHECK(ranged.binding == mpit::binding::none);
    CHECK(named(interface.controls(), "C_BOUND").binding == mpit::binding::communicator);
    CHECK(named(interface.controls(), "C_COLOUR").enumeration.items.size() == 3);
    CHECK(named(interface.controls(), "C_INT").enumeration.items.empty());
    const auto tuner = named(interface.performances(), "v_tuner_all");
    CHECK(tuner.verbosity == mpit::verbosity::tuner_all);
    CHECK(tuner.variable_class == mpit::performance_class::counter);
    CHECK(tuner.is_atomic);
    CHECK(named(interface.performances(), "p_readonly").is_readonly);
    CHECK(named(interface.performances(), "p_continuous").is_continuous);
    CHECK(!named(interface.performances(), "p_not_atomic").is_atomic);
}

FOR_EACH_INTERFACE("An event tells its elements with their names and places") {
    const mpit::tool::library<TestType> interface;
    const auto plain = named(interface.events(), "e_plain");
    REQUIRE(plain.elements.size() == 3);
    CHECK(plain.elements[0].name == "source");
    CHECK(plain.elements[2].name == "bytes");
    CHECK(plain.elements[2].type == mpit::datatype::unsigned_long_type);
    CHECK(plain.elements[2].displacement == offsetof(message_payload, bytes));
    CHECK(named(interface.events(), "e_empty").elements.empty());
    CHECK(named(interface.events(), "e_bound").binding == mpit::binding::communicator);
    const auto source = named(interface.sources(), "s_ordered");
    CHECK(source.ordering == mpit::ordering::ordered);
    CHECK(source.ticks_per_second == 1000);
    CHECK(named(interface.sources(), "s_wrapping").max_ticks == 1000);
}

FOR_EACH_INTERFACE("A category tells its members of all kinds") {
    const mpit::tool::library<TestType> interface;
    const auto whole = named(interface.categories(), "everything");
    const auto holds = [&](const char* name) {
        return std::ranges::find(whole.categories, named(interface.categories(), name).number) !=
               whole.categories.end();
    };
    CHECK(holds("controls"));
    CHECK(holds("events"));
    const auto events = named(interface.categories(), "events");
    CHECK(events.events.size() == 8);
    CHECK(events.controls.empty());
    const auto verbosities = named(interface.categories(), "verbosities");
    CHECK(verbosities.performances.size() == 9);
    CHECK(verbosities.performances.front() == named(interface.performances(), "v_user_basic").number);
    int changes = -1;
    CHECK(interface.changes_of_categories(changes) == result::success);
    CHECK(changes > 0);
}

FOR_EACH_INTERFACE("Listings are input ranges of the standard library") {
    const mpit::tool::library<TestType> interface;
    static_assert(std::ranges::input_range<decltype(interface.controls())>);
    auto enumerated = interface.controls();
    CHECK(std::ranges::count_if(enumerated, [](const auto& each) { return !each.enumeration.items.empty(); }) == 1);
}

FOR_EACH_INTERFACE("A number that is none tells nothing") {
    const mpit::tool::library<TestType> interface;
    mpit::tool::control_info control;
    mpit::tool::event_info event;
    mpit::tool::category_info category;
    CHECK(interface.tell(-1, control) == result::invalid_index);
    CHECK(interface.tell(interface.count(kind::control), control) == result::invalid_index);
    CHECK(interface.tell(100000, event) == result::invalid_index);
    CHECK(interface.tell(100000, category) == result::invalid_index);
}

TEST_CASE("The reader of the registry opens no epoch of the shims, and needs none") {
    const mpit::tool::library<> interface;
    int count = 0;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(interface.count(kind::control) > 0);
}

namespace {

struct pipe_variables : mpit::category<"pipe", "A pipe"> {
    mpit::control<int> limit{this, "PIPE_LIMIT", "Most bytes"};
    struct : mpit::category<"pipe_inside", "Its inside"> {
        mpit::level<unsigned long> level{this, "PIPE_LIMIT", "Bytes in it"};
        mpit::counter<> counter{this, "PIPE_LIMIT", "Bytes that came"};
    } inside{this};
};
[[maybe_unused]] constexpr auto& declared_pipe = mpit::registered<pipe_variables>;

std::vector<std::string> all_of(const mpit::registry::parent_categories& categories) {
    std::vector<std::string> names;
    for (const mpit::core::text name : categories) names.emplace_back(name.characters);
    return names;
}
using names = std::vector<std::string>;

} // namespace

TEST_CASE("A variable has its own category, even if other entries have its name", "[TAXON-03]") {
    using mpit::tool::categories_of;
    CHECK(all_of(categories_of("PIPE_LIMIT")) == names{"pipe"});
    CHECK(all_of(categories_of("PIPE_LIMIT", mpit::performance_class::level)) == names{"pipe_inside"});
    CHECK(all_of(categories_of("PIPE_LIMIT", mpit::performance_class::counter)) == names{"pipe_inside"});
    CHECK(all_of(categories_of(mpit::descriptor::kind::category, "pipe_inside")) == names{"pipe"});
}

TEST_CASE("A name that the registry does not have is in no category", "[TAXON-03]") {
    using mpit::tool::categories_of;
    CHECK(all_of(categories_of("PIPE_LIMI")).empty());
    CHECK(all_of(categories_of(nullptr)).empty());
    CHECK(all_of(categories_of("PIPE_LIMIT", mpit::performance_class::timer)).empty());
    CHECK(all_of(categories_of(mpit::descriptor::kind::category, "pipe")).empty());
}
