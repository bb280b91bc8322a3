// Events as functions that are called with structures.
#include "reader.hpp"

namespace {

using mpit::result;
using mpit::safety;
auto& events = mpit::registered<everything>.events;

// The same members in other places.
struct spread_message {
    alignas(16) int source;
    alignas(16) int tag;
    alignas(16) unsigned long bytes;
};
struct wrong_message {
    int source;
    double tag;
    unsigned long bytes;
};
struct short_message {
    int source;
    int tag;
};

} // namespace

FOR_EACH_INTERFACE("A function is called with the payload, until its registration ends") {
    const mpit::tool::library<TestType> interface;
    std::vector<unsigned long> seen;
    {
        const auto listening = interface.template on<message_payload>(
            "e_plain", [&](const message_payload& m) { seen.push_back(m.bytes + static_cast<unsigned long>(m.tag)); });
        REQUIRE(listening.status() == result::success);
        events.plain(1, 2, 30ul);
        events.plain(1, 3, 40ul);
        CHECK(listening.dropped() == 0);
    }
    events.plain(1, 2, 50ul);
    CHECK(seen == std::vector<unsigned long>{32, 43});
}

FOR_EACH_INTERFACE("A structure whose members lie elsewhere is filled member by member") {
    const mpit::tool::library<TestType> interface;
    spread_message last{};
    const auto listening = interface.template on<spread_message>("e_plain", [&](const spread_message& m) { last = m; });
    REQUIRE(listening.status() == result::success);
    events.plain(-1, 2, 30ul);
    CHECK(last.source == -1);
    CHECK(last.tag == 2);
    CHECK(last.bytes == 30);
}

FOR_EACH_INTERFACE("A structure with other members is refused when it is registered") {
    const mpit::tool::library<TestType> interface;
    const auto never = [](const auto&) { FAIL("a function that was refused is called"); };
    CHECK(interface.template on<wrong_message>("e_plain", never).status() == result::wrong_type);
    CHECK(interface.template on<short_message>("e_plain", never).status() == result::wrong_count);
    CHECK(interface.template on<message_payload>("e_missing", never).status() == result::invalid_name);
    CHECK(interface.template on<number_payload>("e_bound", never).status() == result::invalid_handle);
    CHECK(interface.template on<message_payload>("e_plain", never, safety::none, handle_number<communicator>(1))
              .status() == result::invalid_handle);
    events.plain(1, 2, 3ul);
}

FOR_EACH_INTERFACE("All types of elements arrive") {
    const mpit::tool::library<TestType> interface;
    payload_of_all_types last{};
    const auto listening =
        interface.template on<payload_of_all_types>("e_all_types", [&](const payload_of_all_types& p) { last = p; });
    REQUIRE(listening.status() == result::success);
    payload_of_all_types sent{};
    sent.letter = 'x';
    sent.of_double = -0.5;
    sent.of_colour = colour::blue;
    sent.text[0] = 'y';
    sent.pair[1] = 2.5;
    events.all_types(sent);
    CHECK(last.letter == 'x');
    CHECK(last.of_double == -0.5);
    CHECK(last.of_colour == colour::blue);
    CHECK(last.text[0] == 'y');
    CHECK(last.pair[1] == 2.5);
}

FOR_EACH_INTERFACE("A function may ask when it happened") {
    const mpit::tool::library<TestType> interface;
    std::int64_t when = -1;
    int source = -1;
    const auto listening = interface.template on<number_payload>(
        "e_ordered", [&](const number_payload&, const mpit::tool::event_instance<TestType>& happened) {
        CHECK(happened.time(when, source) == result::success);
    });
    REQUIRE(listening.status() == result::success);
    ticks_of_ordered = 1234;
    events.ordered(1);
    CHECK(when == 1234);
    mpit::tool::source_info told;
    CHECK(interface.tell(source, told) == result::success);
    CHECK(told.name == "s_ordered");
}

FOR_EACH_INTERFACE("A tool that does not know an event reads its elements one by one") {
    const mpit::tool::library<TestType> interface;
    int number = -1;
    unsigned long bytes = 0;
    result beyond = result::success;
    REQUIRE(interface.find(mpit::tool::kind::event, "e_plain", {}, number) == result::success);
    const auto listening = interface.on(number, [&](const mpit::tool::event_instance<TestType>& happened) {
        CHECK(happened.read(2, &bytes) == result::success);
        beyond = happened.read(3, &bytes);
    });
    REQUIRE(listening.status() == result::success);
    events.plain(1, 2, 99ul);
    CHECK(bytes == 99);
    CHECK(beyond == result::invalid_index);
}

FOR_EACH_INTERFACE("Events of an object are those of that object") {
    const mpit::tool::library<TestType> interface;
    const auto comm = handle_number<communicator>(0x5001), other = handle_number<communicator>(0x5002);
    mpit::created(all, comm);
    mpit::created(all, other);
    int sum = 0;
    {
        const auto listening = interface.template on<number_payload>(
            "e_bound", [&](const number_payload& p) { sum += p.number; }, safety::none, comm);
        REQUIRE(listening.status() == result::success);
        events.bound[comm](5);
        events.bound[other](7);
    }
    CHECK(sum == 5);
    mpit::freed(all, comm);
    mpit::freed(all, other);
}

FOR_EACH_INTERFACE("What a registration holds is deleted when it ends, also when it has moved") {
    const mpit::tool::library<TestType> interface;
    auto held = std::make_shared<int>(0);
    {
        auto first = interface.template on<message_payload>("e_plain", [held](const message_payload&) { ++*held; });
        const auto moved = std::move(first);
        events.plain(1, 2, 3ul);
        CHECK(held.use_count() == 2);
        CHECK(moved);
        CHECK_FALSE(first);
        CHECK(first.status() == result::invalid_handle);
        CHECK(first.dropped() == 0);
    }
    CHECK(*held == 1);
    CHECK(held.use_count() == 1);
}

FOR_EACH_INTERFACE("Losses are counted") {
    const mpit::tool::library<TestType> interface;
    const auto listening = interface.template on<message_payload>("e_plain", [](const message_payload&) {});
    REQUIRE(listening.status() == result::success);
    for (int i = 0; i < 100; i++) events.plain.defer(i, i, 1ul);
    mpit::deliver(all);
    events.plain(1, 2, 3ul);
    CHECK(listening.dropped() == 36);
}
