// Calls of the clause on performance variables. What sums and watermarks show is computed beside the library.
#pragma once

#include "control_calls.hpp"

inline void call_pvar_get_num() { call_get_num("pvar_get_num", &MPI_T_pvar_get_num, facts.performances.size()); }
inline void call_pvar_get_index() {
    const std::optional<std::string> wanted = the_world.any_name(facts.performances);
    static constexpr int no_class[] = {-1, 0, 11, INT_MAX};
    const int in_class =
        the_world.in.one_in(10) ? the_world.in.one_of(no_class) : 1 + static_cast<int>(the_world.in.number(10));
    output<int> number{the_world.in};
    int known = -1;
    for (std::size_t i = 0; wanted && i < facts.performances.size(); i++)
        if (facts.performances[i].name == *wanted && facts.performances[i].in_class == in_class)
            known = static_cast<int>(i);
    const text_input text{wanted};
    int expected = code_of_query(wanted && !number.is_null(), true);
    if (expected == MPI_SUCCESS && known < 0) expected = MPI_T_ERR_INVALID_NAME;
    const int code =
        answered("pvar_get_index", MPI_T_pvar_get_index(text.pointer(), in_class, number.pointer()), expected);
    number.expect(code == MPI_SUCCESS, known);
}
inline void call_pvar_get_info() {
    const int number = the_world.any_number(facts.performances.size());
    const variable_info* known = facts_or_null(subject::performance, number);
    description_output told;
    output<int> in_class{the_world.in}, readonly{the_world.in}, continuous{the_world.in}, atomic{the_world.in};
    output<MPI_Datatype> type{the_world.in};
    const bool is_known =
        answered("pvar_get_info",
                 MPI_T_pvar_get_info(number, told.name.characters(), told.name.length(), told.verbosity.pointer(),
                                     in_class.pointer(), type.pointer(), told.enumeration.pointer(),
                                     told.description.characters(), told.description.length(), told.bind.pointer(),
                                     readonly.pointer(), continuous.pointer(), atomic.pointer()),
                 code_of_query(told.is_well_formed(), known != nullptr)) == MPI_SUCCESS;
    const variable_info& f = is_known ? *known : variable_info{};
    told.expect(is_known, f);
    in_class.expect(is_known, f.in_class);
    type.expect(is_known, f.type);
    readonly.expect(is_known, f.readonly);
    continuous.expect(is_known, f.continuous);
    atomic.expect(is_known, f.atomic);
}

inline void call_pvar_session_create() {
    output<MPI_T_pvar_session> session{the_world.in};
    session.hold(the_world.any(the_world.sessions));
    const int expected = code_of_query(!session.is_null(), true);
    const int code = answered("pvar_session_create", MPI_T_pvar_session_create(session.pointer()), expected);
    if (code == MPI_SUCCESS) the_world.sessions.add(session.value(), {});
    else if (the_world.is_open() && !session.is_null()) session.expect(true, MPI_T_PVAR_SESSION_NULL);
    else session.expect_unchanged();
}
inline void call_pvar_session_free() {
    output<MPI_T_pvar_session> session{the_world.in};
    const MPI_T_pvar_session freed = the_world.any(the_world.sessions);
    session.hold(freed);
    int expected = code_of_query(!session.is_null(), true);
    if (expected == MPI_SUCCESS && the_world.sessions.find(freed) == nullptr) expected = MPI_T_ERR_INVALID_SESSION;
    const int code = answered("pvar_session_free", MPI_T_pvar_session_free(session.pointer()), expected);
    session.expect(code == MPI_SUCCESS, MPI_T_PVAR_SESSION_NULL);
    if (code == MPI_SUCCESS) the_world.close_session(word_of(freed));
}

// What the library has counted of an element, or the level that is watched.
inline std::uint64_t present_value(const performance_handle_model& h, int element) {
    if (h.follows != performance_handle_model::sum) return all.performances.level.get();
    return the_world
        .totals[{h.to.number, h.to.variable().is_bound() ? h.to.object : static_cast<std::uint64_t>(element)}];
}
inline performance_handle_model new_handle(const bound_to& to, std::uint64_t session, int count) {
    performance_handle_model made{to, session, count, performance_handle_model::unknown, {}};
    const variable_info& v = to.variable();
    const bool is_sum = v.in_class == MPI_T_PVAR_CLASS_COUNTER || v.name == "p_aggregate";
    if (is_sum) made.follows = performance_handle_model::sum;
    if (v.name == "p_queue" && v.in_class == MPI_T_PVAR_CLASS_HIGHWATERMARK)
        made.follows = performance_handle_model::highest;
    if (v.name == "p_queue" && v.in_class == MPI_T_PVAR_CLASS_LOWWATERMARK)
        made.follows = performance_handle_model::lowest;
    for (int i = 0; i < count; i++) {
        shadow s;
        s.is_running = v.continuous != 0;
        s.since = present_value(made, i);
        s.value = is_sum ? 0 : s.since;
        made.elements.push_back(s);
    }
    return made;
}
// The library has changed the level that watermarks look at.
inline void level_has_changed() {
    const std::uint64_t level = all.performances.level.get();
    for (auto& [word, h] : the_world.performances.open) {
        if (h.follows != performance_handle_model::highest && h.follows != performance_handle_model::lowest) continue;
        const bool highest = h.follows == performance_handle_model::highest;
        for (shadow& s : h.elements)
            if (s.is_running && (highest ? s.value < level : level < s.value)) s.value = level;
    }
}
inline std::uint64_t expected_value(const performance_handle_model& h, int element) {
    const shadow& s = h.elements[static_cast<std::size_t>(element)];
    return h.follows == performance_handle_model::sum && s.is_running ? s.value + present_value(h, element) - s.since
                                                                      : s.value;
}

inline void call_pvar_handle_alloc() {
    const int number = the_world.any_number(facts.performances.size());
    const variable_info* known = facts_or_null(subject::performance, number);
    const MPI_T_pvar_session session = the_world.any(the_world.sessions);
    const object_argument object{known};
    output<MPI_T_pvar_handle> handle{the_world.in};
    output<int> count{the_world.in};
    handle.hold(the_world.any(the_world.performances));
    bound_to to{subject::performance, number};
    const bool is_complete = !handle.is_null() && !count.is_null();
    int expected = code_of_query(is_complete, known != nullptr);
    if (the_world.is_open() && is_complete && the_world.sessions.find(session) == nullptr)
        expected = MPI_T_ERR_INVALID_SESSION;
    if (expected == MPI_SUCCESS) expected = the_world.bind(to, object.pointer());
    const int code = answered(
        "pvar_handle_alloc",
        MPI_T_pvar_handle_alloc(session, number, object.pointer(), handle.pointer(), count.pointer()), expected);
    if (code == MPI_SUCCESS) {
        count.expect(true, known->name == "p_counters" ? 4 : known->type == MPI_CHAR ? 16 : 1);
        the_world.performances.add(handle.value(), new_handle(to, word_of(session), count.value()));
    } else {
        count.expect_unchanged();
        if (the_world.is_open() && is_complete) handle.expect(true, MPI_T_PVAR_HANDLE_NULL);
        else handle.expect_unchanged();
    }
}
// A session, and a handle that is in it more often than not.
struct drawn_handle {
    MPI_T_pvar_handle handle = the_world.any(the_world.performances);
    performance_handle_model* known = the_world.performances.find(handle);
    MPI_T_pvar_session session = known != nullptr && !the_world.in.one_in(6)
                                     ? handle_number<MPI_T_pvar_session>(known->session)
                                     : the_world.any(the_world.sessions);
    drawn_handle() {
        if (known != nullptr && known->session != word_of(session)) known = nullptr;
    }
    bool is_there() const { return known != nullptr && the_world.is_there(known->to); }
    // The code where nothing is wrong but, perhaps, the two handles.
    int code(bool has_arguments) const {
        const int closed_or_incomplete = code_of_query(has_arguments, true);
        if (closed_or_incomplete != MPI_SUCCESS || is_there()) return closed_or_incomplete;
        return the_world.sessions.find(session) == nullptr ? MPI_T_ERR_INVALID_SESSION : MPI_T_ERR_INVALID_HANDLE;
    }
};
inline void call_pvar_handle_free() {
    const drawn_handle on;
    output<MPI_T_pvar_handle> handle{the_world.in};
    handle.hold(on.handle);
    int expected = code_of_query(!handle.is_null(), true);
    if (expected == MPI_SUCCESS && on.known == nullptr)
        expected =
            the_world.sessions.find(on.session) == nullptr ? MPI_T_ERR_INVALID_SESSION : MPI_T_ERR_INVALID_HANDLE;
    const int code = answered("pvar_handle_free", MPI_T_pvar_handle_free(on.session, handle.pointer()), expected);
    handle.expect(code == MPI_SUCCESS, MPI_T_PVAR_HANDLE_NULL);
    if (code == MPI_SUCCESS) the_world.performances.open.erase(word_of(on.handle));
}

inline void start_element(const performance_handle_model& h, int element, shadow& s) {
    if (s.is_running) return;
    if (h.follows != performance_handle_model::sum) {
        const std::uint64_t level = present_value(h, element);
        if (s.is_fresh) s.value = level;
        if (h.follows == performance_handle_model::highest ? s.value < level : level < s.value) s.value = level;
        s.is_fresh = false;
    }
    s.since = present_value(h, element);
    s.is_running = true;
}
inline void stop_element(const performance_handle_model& h, int element, shadow& s) {
    s.value = expected_value(h, element);
    s.is_running = false;
}
inline void reset_element(const performance_handle_model& h, int element, shadow& s) {
    s.since = present_value(h, element);
    s.value = h.follows == performance_handle_model::sum ? 0 : s.since;
    s.is_fresh = !s.is_running;
}
template <class Change> void change_shadow(performance_handle_model& h, Change change) {
    for (int i = 0; i < h.count && h.follows != performance_handle_model::unknown; i++)
        change(h, i, h.elements[static_cast<std::size_t>(i)]);
}
// start, stop and reset, of one handle or of all in a session.
template <class Function, class Change>
void call_on_handles(function_name name, Function function, int variable_info::* refused, int refusal, Change change) {
    const drawn_handle on;
    const MPI_T_pvar_handle handle = the_world.in.one_in(8) ? MPI_T_PVAR_ALL_HANDLES : on.handle;
    int expected = on.code(true);
    std::vector<performance_handle_model*> changed;
    if (handle == MPI_T_PVAR_ALL_HANDLES && the_world.is_open()) {
        expected = the_world.sessions.find(on.session) == nullptr ? MPI_T_ERR_INVALID_SESSION : MPI_SUCCESS;
        for (auto& [word, h] : the_world.performances.open) {
            if (h.session != word_of(on.session) || h.to.variable().*refused != 0) continue;
            if (the_world.is_there(h.to)) changed.push_back(&h);
            else expected = refusal;
        }
    } else if (expected == MPI_SUCCESS) {
        if (on.known->to.variable().*refused != 0) expected = refusal;
        else changed.push_back(on.known);
    }
    answered(name, function(on.session, handle), expected);
    for (performance_handle_model* h : changed) change_shadow(*h, change);
}
inline void call_pvar_start() {
    call_on_handles("pvar_start", &MPI_T_pvar_start, &variable_info::continuous, MPI_T_ERR_PVAR_NO_STARTSTOP,
                    &start_element);
}
inline void call_pvar_stop() {
    call_on_handles("pvar_stop", &MPI_T_pvar_stop, &variable_info::continuous, MPI_T_ERR_PVAR_NO_STARTSTOP,
                    &stop_element);
}
inline void call_pvar_reset() {
    call_on_handles("pvar_reset", &MPI_T_pvar_reset, &variable_info::readonly, MPI_T_ERR_PVAR_NO_WRITE, &reset_element);
}

inline void expect_value(const performance_handle_model& h, const guarded_buffer& value) {
    const std::size_t size = size_of(h.to.variable().type);
    for (int i = 0; i < h.count && h.follows != performance_handle_model::unknown; i++) {
        const std::uint64_t wanted = expected_value(h, i);
        if (is_traced)
            std::fprintf(stderr, "%s of class %d: %llu is expected\n", h.to.variable().name.c_str(),
                         h.to.variable().in_class, static_cast<unsigned long long>(wanted));
        demand(std::memcmp(value.data() + static_cast<std::size_t>(i) * size, &wanted, size) == 0,
               "a handle shows what was counted, or the extreme level, since it was started");
    }
}
inline std::optional<guarded_buffer> value_buffer(const drawn_handle& on) {
    return on.is_there() ? value_buffer(&on.known->to, on.known->count) : value_buffer(nullptr, 0);
}
inline void call_pvar_read() {
    const drawn_handle on;
    const std::optional<guarded_buffer> value = value_buffer(on);
    const int expected = on.code(value.has_value());
    const int code = answered("pvar_read", MPI_T_pvar_read(on.session, on.handle, data_of(value)), expected);
    if (code == MPI_SUCCESS) expect_value(*on.known, *value);
    else if (value) value->expect_unchanged();
}
inline void call_pvar_readreset() {
    const drawn_handle on;
    const std::optional<guarded_buffer> value = value_buffer(on);
    int expected = on.code(value.has_value());
    if (expected == MPI_SUCCESS && on.known->to.variable().atomic == 0) expected = MPI_T_ERR_PVAR_NO_ATOMIC;
    const int code = answered("pvar_readreset", MPI_T_pvar_readreset(on.session, on.handle, data_of(value)), expected);
    if (code == MPI_SUCCESS) {
        expect_value(*on.known, *value);
        change_shadow(*on.known, &reset_element);
    } else if (value) {
        value->expect_unchanged();
    }
}
inline void call_pvar_write() {
    const drawn_handle on;
    std::optional<guarded_buffer> value = value_buffer(on);
    if (value) {
        the_world.in.fill(value->data(), value->size());
        value->keep();
    }
    int expected = on.code(value.has_value());
    if (expected == MPI_SUCCESS && on.known->to.variable().readonly != 0) expected = MPI_T_ERR_PVAR_NO_WRITE;
    const int code = answered("pvar_write", MPI_T_pvar_write(on.session, on.handle, data_of(value)));
    if (value) value->expect_unchanged();
    const bool may_be_impossible = expected == MPI_SUCCESS && (on.known->to.variable().type == MPI_DOUBLE ||
                                                               on.known->to.variable().enumeration != MPI_T_ENUM_NULL);
    demand(code == expected || (may_be_impossible && code == MPI_T_ERR_INVALID), "a value is written where it can be");
    if (code != MPI_SUCCESS) return;
    const std::size_t size = size_of(on.known->to.variable().type);
    change_shadow(*on.known, [&](const performance_handle_model& h, int element, shadow& s) {
        s.value = 0;
        std::memcpy(&s.value, value->data() + static_cast<std::size_t>(element) * size, size);
        s.since = present_value(h, element);
        s.is_fresh = false;
    });
}
