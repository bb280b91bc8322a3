// The library's own side: it counts, moves levels, announces objects, raises events and is loaded again, while tools
// look.
#pragma once

#include "performance_calls.hpp"
#include "registration_calls.hpp"

#include <new>
#include <set>

inline std::uint64_t any_object() { return 0x101 + the_world.in.number(8); }
inline communicator any_communicator() { return handle_number<communicator>(any_object()); }

inline void count_something() {
    auto& p = all.performances;
    const unsigned amount = the_world.in.number(1000);
    const auto counted = [](const char* name, std::uint64_t n, std::uint64_t element = 0) {
        the_world.totals[{facts.number_of(subject::performance, name), element}] += n;
    };
    switch (the_world.in.number(9)) {
    case 0: ++p.counter, counted("p_counter", 1); break;
    case 1: p.counter += amount, counted("p_counter", amount); break;
    case 2: p.counter_unsigned += 0xffff0000u, counted("p_counter_unsigned", 0xffff0000u); break;
    case 3: p.counters[amount % 4] += amount, counted("p_counters", amount, amount % 4); break;
    case 4: p.aggregate += ~0ull / 3, counted("p_aggregate", ~0ull / 3); break;
    case 5: p.continuous++, counted("p_continuous", 1); break;
    case 6: p.readonly++, counted("p_readonly", 1); break;
    case 7: p.not_atomic++, counted("p_not_atomic", 1); break;
    case 8: passing.tree.counter += amount, counted("x_counter", amount); break;
    }
}
inline void count_for_an_object() {
    const std::uint64_t object = any_object();
    static const int counter = facts.number_of(subject::performance, "b_comm"),
                     watermark = facts.number_of(subject::performance, "b_watermark"),
                     control = facts.number_of(subject::control, "C_BOUND");
    switch (the_world.in.number(3)) {
    case 0:
        the_world.touch(subject::performance, counter, object);
        all.bound.comm[handle_number<communicator>(object)]++;
        the_world.totals[{counter, object}]++;
        break;
    case 1:
        the_world.touch(subject::performance, watermark, object);
        all.bound.watermark[handle_number<communicator>(object)] = the_world.in.number(100);
        break;
    case 2:
        the_world.touch(subject::control, control, object);
        all.controls.bound[handle_number<communicator>(object)] = static_cast<int>(the_world.in.number(100));
        break;
    }
}
inline void move_a_level() {
    auto& p = all.performances;
    const unsigned amount = the_world.in.number(100);
    switch (the_world.in.number(8)) {
    case 0: p.level = amount; return level_has_changed();
    case 1: ++p.level; return level_has_changed();
    case 2:
        if (p.level.get() < amount) return;
        p.level -= amount;
        return level_has_changed();
    case 3: p.size = amount; break;
    case 4: p.own_high = amount / 3.0; break;
    case 5: p.own_low = amount; break;
    case 6: p.percentage = amount / 100.0; break;
    case 7: passing.tree.highest = amount; break;
    }
}
inline void change_something_else() {
    auto& p = all.performances;
    const unsigned amount = the_world.in.number(100);
    static constexpr colour colours[] = {colour::red, colour::green, colour::blue};
    switch (the_world.in.number(7)) {
    case 0: p.state = the_world.in.one_of(colours); break;
    case 1: p.generic = amount; break;
    case 2: p.generic_int32 = static_cast<int>(amount) - 50; break;
    case 3: p.aggregate_double += amount / 7.0; break;
    case 4: p.timer.add(amount); break;
    case 5: p.timer_integer.add(amount); break;
    case 6: phase_is_open = amount % 2 == 0; break;
    }
}

// What a tool does before anything can be seen: the calls that belong together, with arguments that are right.
inline void start_listening() {
    const int number = static_cast<int>(the_world.in.number(static_cast<unsigned>(facts.events.size())));
    const std::uint64_t object = any_object();
    bound_to to{subject::event, number};
    MPI_T_event_registration made{};
    if (!the_world.is_open() || the_world.bind(to, &object) != MPI_SUCCESS) return;
    const bool keeps_few = the_world.in.one_in(3);
    MPI_Info hints = MPI_INFO_NULL;
    if (keeps_few) {
        demand(MPI_Info_create(&hints) == MPI_SUCCESS && MPI_Info_set(hints, "mpit_buffer_depth", "2") == MPI_SUCCESS &&
                   MPI_Info_set(hints, "mpit_drop_policy", "oldest") == MPI_SUCCESS,
               "an info object can be made and filled");
    }
    demand(MPI_T_event_handle_alloc(number, const_cast<std::uint64_t*>(&object), hints, &made) == MPI_SUCCESS,
           "an event that is there can be listened to");
    if (keeps_few) demand(MPI_Info_free(&hints) == MPI_SUCCESS, "an info object can be freed");
    registration_model model{to, {}, the_world.in.one_in(2)};
    const unsigned levels = the_world.in.number(16);
    for (unsigned level = 0; level < 4; level++) {
        if ((levels >> level & 1) == 0) continue;
        model.callbacks[level] = {true, next_user_data()};
        demand(MPI_T_event_register_callback(made, every_level[level], MPI_INFO_NULL, model.callbacks[level].user_data,
                                             &event_happened) == MPI_SUCCESS,
               "a callback can be registered for every level");
    }
    if (model.hears_of_losses)
        demand(MPI_T_event_set_dropped_handler(made, &events_were_lost) == MPI_SUCCESS, "losses can be asked for");
    the_world.registrations.add(made, model);
}
inline void start_controlling() {
    const int number = static_cast<int>(the_world.in.number(static_cast<unsigned>(facts.controls.size())));
    const std::uint64_t object = any_object();
    bound_to to{subject::control, number};
    MPI_T_cvar_handle made{};
    int count = 0;
    if (!the_world.is_open() || the_world.bind(to, &object) != MPI_SUCCESS) return;
    demand(MPI_T_cvar_handle_alloc(number, const_cast<std::uint64_t*>(&object), &made, &count) == MPI_SUCCESS,
           "a variable that is there can be controlled");
    the_world.controls.add(made, {to, count});
}
inline void start_measuring() {
    const int number = static_cast<int>(the_world.in.number(static_cast<unsigned>(facts.performances.size())));
    const std::uint64_t object = any_object();
    bound_to to{subject::performance, number};
    MPI_T_pvar_handle made{};
    int count = 0;
    if (!the_world.is_open() || the_world.sessions.open.empty() || the_world.bind(to, &object) != MPI_SUCCESS) return;
    const std::uint64_t session = the_world.sessions.open.begin()->first;
    demand(MPI_T_pvar_handle_alloc(handle_number<MPI_T_pvar_session>(session), number,
                                   const_cast<std::uint64_t*>(&object), &made, &count) == MPI_SUCCESS,
           "a variable that is there can be measured");
    performance_handle_model model = new_handle(to, session, count);
    if (to.variable().continuous == 0) {
        demand(MPI_T_pvar_start(handle_number<MPI_T_pvar_session>(session), made) == MPI_SUCCESS,
               "a handle can be started");
        change_shadow(model, &start_element);
    }
    the_world.performances.add(made, model);
}

using mpit::descriptor::announcement;
inline constexpr mpit::binding every_binding[] = {
    mpit::binding::communicator, mpit::binding::datatype,  mpit::binding::error_handler, mpit::binding::file,
    mpit::binding::group,        mpit::binding::operation, mpit::binding::request,       mpit::binding::window,
    mpit::binding::message,      mpit::binding::info,      mpit::binding::session};
inline void announce_an_object() {
    const mpit::binding kind =
        the_world.in.one_in(2) ? mpit::binding::communicator : the_world.in.one_of(every_binding);
    const std::uint64_t object = any_object();
    const bool exists = !the_world.in.one_in(3);
    mpit::internal::announce(all, kind, object, exists ? announcement::created : announcement::freed);
    the_world.announce(mpit::mpi_t::constant_of(kind), object, exists);
}
inline void forget_all_objects() {
    std::set<std::pair<int, std::uint64_t>> there; // few, in most inputs
    for (const auto& [place, generation] : the_world.objects) {
        const auto& [what, number, object] = place;
        there.emplace(facts.of(what)[static_cast<std::size_t>(number)].bind, object);
    }
    for (const mpit::binding kind : every_binding)
        for (const auto& [bind, object] : there)
            if (bind == mpit::mpi_t::constant_of(kind)) {
                mpit::internal::announce(all, kind, object, announcement::freed);
                the_world.announce(bind, object, false);
            }
}

inline void move_the_clocks() {
    ticks_of_ordered += the_world.in.number(1000);
    ticks_of_wrapping += the_world.in.number(1000);
}
template <class Event, class... Members> void happen(Event& event, const Members&... members) {
    if (the_world.in.one_in(3)) event.defer(members...);
    else event.raise(static_cast<mpit::safety>(the_world.in.number(4)), members...);
}
inline void raise_an_event() {
    auto& e = all.events;
    const int a = static_cast<int>(the_world.in.number(256)), b = static_cast<int>(the_world.in.number(256));
    std::uint64_t object = any_object();
    int event = static_cast<int>(the_world.in.number(9));
    if (!the_world.registrations.open.empty() && !the_world.in.one_in(4)) {
        auto at = the_world.registrations.open.begin();
        std::advance(at, the_world.in.number(static_cast<unsigned>(the_world.registrations.open.size())));
        event = at->second.to.number;
        if (at->second.to.object != 0) object = at->second.to.object;
    }
    payload_of_all_types everything_at_once{};
    switch (event) {
    case 0: happen(e.plain, a, b, static_cast<unsigned long>(a ^ b)); break;
    case 1: happen(e.all_types, everything_at_once); break;
    case 2: happen(e.empty); break;
    case 3: happen(e.ordered, 0x5a00 | a); break;
    case 4: happen(e.ordered_too, 0x5a00 | a); break;
    case 5: happen(e.clockless, 0x5a00 | a); break;
    case 6: happen(e.wrapped, 0x5a00 | a); break;
    case 7: {
        auto of_object = e.bound[handle_number<communicator>(object)];
        happen(of_object, 0x5a00 | static_cast<int>(object & 0xff));
        break;
    }
    case 8:
        if (the_world.is_loaded) happen(passing.tree.event, 0x5a00 | a);
        break;
    }
}
inline void raise_many_events() {
    const unsigned count = the_world.in.number(80);
    for (unsigned i = 0; i < count; i++) all.events.plain.defer(1, 2, 3ul);
    if (the_world.in.one_in(4))
        for (unsigned i = 0; i < 20 * count; i++) all.events.ordered.defer(0x5a00);
}
inline void deliver_events() {
    const auto level = static_cast<mpit::safety>(the_world.in.number(4));
    if (the_world.in.one_in(2)) mpit::deliver(all, level);
    else all.events.plain.deliver(level);
}

inline bool load_the_library() {
    mpit::registry::process_registry& index = *mpit::registry::the_registry();
    mpit::registry::report_list reports;
    const bool is_whole = mpit::registry::tree_publisher{index, passing.tree, "passing_variables", reports}.publish();
    reports.send(index.reports_to.load());
    return is_whole;
}
// As dlclose() and dlopen() would: the tree that comes back is a new one. The index keeps a record of every loading, so
// that there cannot be too many of them in one process.
inline void reload_the_library() {
    static int loadings_left = 100'000;
    if (the_world.nesting > 0 || (the_world.is_loaded && loadings_left-- <= 0)) return;
    if (the_world.is_loaded) {
        mpit::registry::unregister(passing.tree);
        new (&passing) passing_library;
        the_world.unload();
    } else {
        demand(load_the_library(), "there is memory");
        the_world.loading++;
        the_world.is_loaded = true;
    }
}
