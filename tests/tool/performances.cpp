// Performance variables as values of C++, through the reader's sessions and handles.
#include "reader.hpp"

namespace {

using mpit::performance_class;
using mpit::result;
auto& variables = mpit::registered<everything>.performances;
auto& of_objects = mpit::registered<everything>.bound;

} // namespace

FOR_EACH_INTERFACE("A counter shows what its own session has counted") {
    const mpit::tool::session<TestType> session, other;
    auto counter = session.template performance<unsigned long>("p_counter", performance_class::counter);
    auto second = other.template performance<unsigned long>("p_counter", performance_class::counter);
    CHECK(counter.start() == result::success);
    ++variables.counter;
    CHECK(second.start() == result::success);
    variables.counter += 2;
    CHECK(counter.read() == 3);
    CHECK(second.read() == 2);
    CHECK(counter.stop() == result::success);
    ++variables.counter;
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
    variables.timer.add(1'500'000'000);
    CHECK(seconds.read() == 1.5);
    auto share = session.template performance<double>("p_percentage", performance_class::percentage);
    CHECK(share.start() == result::success);
    variables.percentage = 0.125;
    CHECK(share.read() == 0.125);
    auto four = session.template performance<std::array<unsigned long, 4>>("p_counters", performance_class::counter);
    CHECK(four.start() == result::success);
    variables.counters[2] += 5;
    CHECK(four.read() == std::array<unsigned long, 4>{0, 0, 5, 0});
    variables.state = colour::red;
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
    CHECK(level.facts().variable_class == performance_class::level);
    CHECK(room.facts().variable_class == performance_class::size);
    CHECK(room.start() == result::success);
    CHECK(room.read() == 64);
    CHECK(session.template performance<unsigned long>("p_queue", performance_class::timer).answer() ==
          result::invalid_name);
}

FOR_EACH_INTERFACE("What a variable is not for is answered when the handle is made, or in the standard's words") {
    const mpit::tool::session<TestType> session;
    CHECK(session.template performance<unsigned>("p_counter", performance_class::counter).answer() ==
          result::wrong_type);
    CHECK(session.template performance<unsigned long>("p_timer", performance_class::timer).answer() ==
          result::wrong_type);
    CHECK(session.template performance<unsigned long>("p_counters", performance_class::counter).answer() ==
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
    CHECK(always.facts().is_continuous);
    ++variables.continuous;
    CHECK(always.start() == result::success);
    CHECK(always.read() == 1);
    CHECK(always.stop() == result::cannot_start_or_stop);
}

FOR_EACH_INTERFACE("A session starts, stops and resets all of its handles") {
    mpit::tool::session<TestType> session;
    auto first = session.template performance<unsigned long>("p_counter", performance_class::counter);
    auto second = session.template performance<unsigned long>("p_aggregate", performance_class::aggregate);
    CHECK(session.start() == result::success);
    ++variables.counter;
    variables.aggregate += 10;
    CHECK(session.stop() == result::success);
    ++variables.counter;
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
    CHECK(session.template performance<unsigned long>("b_comm", performance_class::counter).answer() ==
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
    ++variables.counter;
    CHECK(counter.read() == 1);
    const auto moved = std::make_optional(std::move(counter));
    CHECK(counter.answer() == result::invalid_handle);
    CHECK(moved->answer() == result::success);
}
