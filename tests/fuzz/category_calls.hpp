// Calls of the clause on categories, and those that count events and sources.
#pragma once

#include "control_calls.hpp"

inline const category_info* any_category(int& number) {
    number = the_world.any_number(facts.categories.size());
    const bool is_one = number >= 0 && static_cast<std::size_t>(number) < facts.categories.size();
    return is_one ? &facts.categories[static_cast<std::size_t>(number)] : nullptr;
}
inline void call_category_get_num() {
    call_get_num("category_get_num", &MPI_T_category_get_num, facts.categories.size());
}
inline void call_category_get_index() {
    call_get_index("category_get_index", facts.categories, &MPI_T_category_get_index);
}
inline void call_category_changed() {
    call_get_num("category_changed", &MPI_T_category_changed, static_cast<std::size_t>(facts.update_number));
}
inline void call_category_get_info() {
    int number = 0;
    const category_info* known = any_category(number);
    text_output name{the_world.in}, description{the_world.in};
    output<int> controls{the_world.in}, performances{the_world.in}, categories{the_world.in};
    const int expected = code_of_query(name.is_well_formed() && description.is_well_formed(), known != nullptr);
    const bool is_known =
        answered("category_get_info",
                 MPI_T_category_get_info(number, name.characters(), name.length(), description.characters(),
                                         description.length(), controls.pointer(), performances.pointer(),
                                         categories.pointer()),
                 expected) == MPI_SUCCESS;
    const category_info& f = is_known ? *known : category_info{};
    name.expect(is_known, f.name);
    description.expect(is_known, f.description);
    controls.expect(is_known, static_cast<int>(f.controls.size()));
    performances.expect(is_known, static_cast<int>(f.performances.size()));
    categories.expect(is_known, static_cast<int>(f.categories.size()));
}
inline void call_category_get_num_events() {
    int number = 0;
    const category_info* known = any_category(number);
    output<int> count{the_world.in};
    const int expected = code_of_query(!count.is_null(), known != nullptr);
    const int code =
        answered("category_get_num_events", MPI_T_category_get_num_events(number, count.pointer()), expected);
    count.expect(code == MPI_SUCCESS, known != nullptr ? static_cast<int>(known->events.size()) : 0);
}

// A list of members into an array of exactly its length, or of room for all where the length says too much.
template <class Function>
void call_list(function_name name, Function function, std::vector<int> category_info::* members) {
    int number = 0;
    const category_info* known = any_category(number);
    static constexpr int lengths[] = {0, 1, INT_MAX, -1, INT_MIN};
    const int length =
        the_world.in.one_in(3) ? the_world.in.one_of(lengths) : static_cast<int>(the_world.in.number(64));
    std::optional<guarded_buffer> room;
    if (!the_world.in.one_in(8))
        room.emplace(length <= 0 ? 0 : static_cast<std::size_t>(length < 64 ? length : 64) * sizeof(int));
    const int expected = code_of_query(length >= 0 && (room || length == 0), known != nullptr);
    const int code = answered(name, function(number, length, static_cast<int*>(data_of(room))), expected);
    if (!room) return;
    if (code != MPI_SUCCESS) return room->expect_unchanged();
    const std::vector<int>& whole = known->*members;
    const std::size_t stored =
        static_cast<std::size_t>(length) < whole.size() ? static_cast<std::size_t>(length) : whole.size();
    demand(stored == 0 || std::memcmp(room->data(), whole.data(), stored * sizeof(int)) == 0,
           "the members of a category are those that it had, in their order");
    room->expect_unchanged_from(stored * sizeof(int));
}
inline void call_category_get_cvars() {
    call_list("category_get_cvars", &MPI_T_category_get_cvars, &category_info::controls);
}
inline void call_category_get_pvars() {
    call_list("category_get_pvars", &MPI_T_category_get_pvars, &category_info::performances);
}
inline void call_category_get_events() {
    call_list("category_get_events", &MPI_T_category_get_events, &category_info::events);
}
inline void call_category_get_categories() {
    call_list("category_get_categories", &MPI_T_category_get_categories, &category_info::categories);
}
