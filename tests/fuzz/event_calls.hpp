// Calls of the clause on events that look: at events, at their sources, and at the instances that callbacks are given.
#pragma once

#include "info_calls.hpp"

inline void call_event_get_num() { call_get_num("event_get_num", &MPI_T_event_get_num, facts.events.size()); }
inline void call_event_get_index() { call_get_index("event_get_index", facts.events, &MPI_T_event_get_index); }
inline void call_source_get_num() { call_get_num("source_get_num", &MPI_T_source_get_num, facts.sources.size()); }

inline bool is_ordered(const variable_info& event) { return event.name.starts_with("e_ordered"); }

inline void call_event_get_info() {
    const int number = the_world.any_number(facts.events.size());
    const variable_info* known = facts_or_null(subject::event, number);
    description_output told;
    output<int> count{the_world.in};
    output<MPI_Info> info{the_world.in};
    static constexpr int rooms[] = {0, 1, 64, INT_MAX, -1};
    const int room = the_world.in.one_in(2) ? the_world.in.one_of(rooms) : static_cast<int>(the_world.in.number(24));
    count.hold(room);
    const std::size_t elements = room < 0 ? 0 : static_cast<std::size_t>(room < 64 ? room : 64);
    std::optional<guarded_buffer> types, displacements;
    if (!the_world.in.one_in(4)) types.emplace(elements * sizeof(MPI_Datatype));
    if (!the_world.in.one_in(4)) displacements.emplace(elements * sizeof(MPI_Aint));
    const bool has_arrays = !count.is_null() && (types || displacements);
    const bool are_well_formed = told.is_well_formed() && !(has_arrays && room < 0);
    const int expected = code_of_query(are_well_formed, known != nullptr);
    const bool is_known =
        answered("event_get_info",
                 MPI_T_event_get_info(number, told.name.characters(), told.name.length(), told.verbosity.pointer(),
                                      static_cast<MPI_Datatype*>(data_of(types)),
                                      static_cast<MPI_Aint*>(data_of(displacements)), count.pointer(),
                                      told.enumeration.pointer(), info.pointer(), told.description.characters(),
                                      told.description.length(), told.bind.pointer()),
                 expected) == MPI_SUCCESS;
    const variable_info& f = is_known ? *known : variable_info{};
    const std::size_t stored = !is_known || !has_arrays || room < 0 ? 0
                               : elements < f.types.size()          ? elements
                                                                    : f.types.size();
    if (types) {
        demand(stored == 0 || std::memcmp(types->data(), f.types.data(), stored * sizeof(MPI_Datatype)) == 0,
               "the elements of an event have the types that they had");
        types->expect_unchanged_from(stored * sizeof(MPI_Datatype));
    }
    if (displacements) {
        demand(
            stored == 0 || std::memcmp(displacements->data(), f.displacements.data(), stored * sizeof(MPI_Aint)) == 0,
            "the elements of an event stay at their places");
        displacements->expect_unchanged_from(stored * sizeof(MPI_Aint));
    }
    told.expect(is_known, f);
    count.expect(is_known, static_cast<int>(f.types.size()));
    static const info_model hints{{"mpit_buffer_depth", "64"}, {"mpit_drop_policy", "newest"}};
    expect_new_info(is_known, info, is_ordered(f) ? info_model{} : hints);
}

inline void call_source_get_info() {
    const int number = the_world.any_number(facts.sources.size());
    const bool is_one = number >= 0 && static_cast<std::size_t>(number) < facts.sources.size();
    text_output name{the_world.in}, description{the_world.in};
    output<MPI_T_source_order> ordering{the_world.in};
    output<MPI_Count> ticks{the_world.in}, most{the_world.in};
    output<MPI_Info> info{the_world.in};
    const int expected = code_of_query(name.is_well_formed() && description.is_well_formed(), is_one);
    const bool is_known =
        answered("source_get_info",
                 MPI_T_source_get_info(number, name.characters(), name.length(), description.characters(),
                                       description.length(), ordering.pointer(), ticks.pointer(), most.pointer(),
                                       info.pointer()),
                 expected) == MPI_SUCCESS;
    const source_info& f = is_known ? facts.sources[static_cast<std::size_t>(number)] : source_info{};
    name.expect(is_known, f.name);
    description.expect(is_known, f.description);
    ordering.expect(is_known, f.ordering);
    ticks.expect(is_known, f.ticks_per_second);
    most.expect(is_known, f.max_ticks);
    expect_new_info(is_known, info, {});
}
inline void call_source_get_timestamp() {
    const int number = the_world.any_number(facts.sources.size());
    const bool is_one = number >= 0 && static_cast<std::size_t>(number) < facts.sources.size();
    output<MPI_Count> stamp{the_world.in};
    int expected = code_of_query(!stamp.is_null(), is_one);
    if (expected == MPI_SUCCESS && facts.sources[static_cast<std::size_t>(number)].name == "s_clockless")
        expected = MPI_T_ERR_NOT_SUPPORTED;
    const int code = answered("source_get_timestamp", MPI_T_source_get_timestamp(number, stamp.pointer()), expected);
    if (code != MPI_SUCCESS) return stamp.expect_unchanged();
    demand(stamp.value() >= 0 && stamp.value() <= facts.sources[static_cast<std::size_t>(number)].max_ticks,
           "a time is not above the largest one of its source");
}

// An instance of an event, most often the one that the innermost callback was given. What was shown to an earlier
// callback may still be there until the last one of the same event has returned, and never when no callback runs.
struct drawn_instance {
    std::uint64_t word = draw();
    int event = the_world.event_of_instance(word);
    bool is_shown = std::find(the_world.shown_instances.begin(), the_world.shown_instances.end(), word) !=
                    the_world.shown_instances.end();
    bool may_be_there = is_shown || the_world.nesting > 0;
    MPI_T_event_instance handle() const { return handle_number<MPI_T_event_instance>(word); }
    const variable_info* known() const { return event < 0 ? nullptr : facts_or_null(subject::event, event); }
    // The bytes of one element, or of all if there is no such element; a lot where it is not known which event it is.
    std::size_t size(int element) const {
        if (!may_be_there) return 0;
        if (known() == nullptr) return 256;
        const variable_info& f = *known();
        if (f.types.empty()) return 0;
        if (element >= 0 && static_cast<std::size_t>(element) < f.types.size())
            return size_of(f.types[static_cast<std::size_t>(element)]);
        return element == all_elements ? static_cast<std::size_t>(f.displacements.back()) + size_of(f.types.back()) : 0;
    }
    static constexpr int all_elements = INT_MIN + 7;
    // Holds the code of a call against what is known.
    void check(int code, bool has_buffer, bool has_element) const {
        const int expected = code_of_query(has_buffer, has_element);
        const bool is_right = is_shown                                             ? code == expected
                              : the_world.is_open() && has_buffer && !may_be_there ? code == MPI_T_ERR_INVALID_HANDLE
                              : the_world.is_open() && has_buffer
                                  ? known() == nullptr || code == expected || code == MPI_T_ERR_INVALID_HANDLE
                                  : code == expected;
        demand(is_right, "an instance can be looked at while it is shown, and never afterwards");
    }

private:
    static std::uint64_t draw() {
        const unsigned choice = the_world.in.number(6);
        if (choice < 3 && !the_world.shown_instances.empty()) return the_world.shown_instances.back();
        if (choice == 3 && !the_world.shown_instances.empty())
            return the_world
                .shown_instances[the_world.in.number(static_cast<unsigned>(the_world.shown_instances.size()))];
        if (choice == 4 && !the_world.past_instances.empty())
            return the_world
                .past_instances[the_world.in.number(static_cast<unsigned>(the_world.past_instances.size()))];
        return the_world.any_word();
    }
};
inline void call_event_read() {
    const drawn_instance instance;
    const variable_info* known = instance.known();
    int element = the_world.any_number(known != nullptr && !known->types.empty() ? known->types.size() : 1);
    if (element == drawn_instance::all_elements) element = -1;
    std::optional<guarded_buffer> value;
    if (!the_world.in.one_in(8)) value.emplace(instance.size(element));
    const int code = answered("event_read", MPI_T_event_read(instance.handle(), element, data_of(value)));
    instance.check(code, value.has_value(),
                   known != nullptr && element >= 0 && static_cast<std::size_t>(element) < known->types.size());
    if (code != MPI_SUCCESS && code != MPI_T_ERR_INVALID_HANDLE && value) value->expect_unchanged();
}
inline void call_event_copy() {
    const drawn_instance instance;
    std::optional<guarded_buffer> value;
    if (!the_world.in.one_in(8)) value.emplace(instance.size(drawn_instance::all_elements));
    instance.check(answered("event_copy", MPI_T_event_copy(instance.handle(), data_of(value))), value.has_value(),
                   true);
}
inline void call_event_get_timestamp() {
    const drawn_instance instance;
    output<MPI_Count> stamp{the_world.in};
    const int code = answered("event_get_timestamp", MPI_T_event_get_timestamp(instance.handle(), stamp.pointer()));
    instance.check(code, !stamp.is_null(), true);
    if (code == MPI_SUCCESS) demand(stamp.value() >= 0, "a time stamp is not negative");
    else if (!instance.may_be_there) stamp.expect_unchanged();
}
inline void call_event_get_source() {
    const drawn_instance instance;
    output<int> source{the_world.in};
    const int code = answered("event_get_source", MPI_T_event_get_source(instance.handle(), source.pointer()));
    instance.check(code, !source.is_null(), true);
    if (code == MPI_SUCCESS)
        demand(source.value() >= 0 && static_cast<std::size_t>(source.value()) < facts.sources.size(),
               "a source has a number");
}
