// Finds in the compiler what has the name of another member of its tree: a hash table that lives as long as the evaluation
// of the tree. The error says which member it is.
//
//   constexpr holder() : tree{} { describe::check_names(tree); }
#pragma once

#include <mpit/describe/descriptor.hpp>

namespace mpit::inline v0_1::describe {

namespace detail {

constexpr std::uint32_t count_members(const category& in) {
    std::uint32_t sum = in.members;
    const item* at = in.first;
    for (std::uint32_t i = 0; i < in.members; i++, at = at->next)
        if (at->of == kind::category) sum += count_members(static_cast<const category&>(*at));
    return sum;
}

constexpr bool is_same_name(const item& a, const item& b) {
    return a.of == b.of && a.in == b.in && base::equal_in_the_compiler(a.name, b.name);
}
constexpr bool complain(const item& member) {
    if (member.of == kind::category)
        return error::complain_of(&member, error::two_categories_of_one_tree_have_the_same_name);
    if (member.of == kind::control)
        return error::complain_of(&member, error::two_control_variables_of_one_tree_have_the_same_name);
    if (member.of == kind::event) return error::complain_of(&member, error::two_events_of_one_tree_have_the_same_name);
    if (member.of == kind::source)
        return error::complain_of(&member, error::two_sources_of_one_tree_have_the_same_name);
    return error::complain_of(&member, error::two_performance_variables_of_one_tree_have_the_same_name_and_class);
}

struct seen_names {
    std::uint32_t mask;
    std::uint32_t* keys; // 0 where there is none
    const item** items;

    constexpr void add(const item& each) {
        const std::uint32_t key = each.key | 1;
        std::uint32_t at = key >> 1 & mask;
        for (; keys[at] != 0; at = (at + 1) & mask)
            if (keys[at] == key && is_same_name(each, *items[at]) && complain(each)) break;
        keys[at] = key;
        items[at] = &each;
    }
    constexpr void add_members(const category& in) {
        const item* at = in.first;
        for (std::uint32_t i = 0; i < in.members; i++, at = at->next) {
            add(*at);
            if (at->of == kind::category) add_members(static_cast<const category&>(*at));
        }
    }
};

} // namespace detail

// Only the compiler calls it.
constexpr void check_names(const category& tree) {
    const std::uint32_t names = detail::count_members(tree) + 1;
    std::uint32_t size = 2;
    while (size < names + names / 2) size *= 2;
    detail::seen_names seen{size - 1, new std::uint32_t[size]{}, new const item* [size] {}};
    seen.add(tree);
    seen.add_members(tree);
    delete[] seen.items;
    delete[] seen.keys;
}

} // namespace mpit::describe
