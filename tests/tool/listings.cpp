// What a tool interface has, as ranges of facts.
#include "reader.hpp"

#include <algorithm>
#include <ranges>

namespace {

using mpit::result;
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
