// SPDX-License-Identifier: BSD-3-Clause
// Finds, at compile time, a member that has the name of another member of its tree, with a hash table that lives as
// long as the evaluation. The error names the member.
//
//   constexpr holder() : tree{} { descriptor::check_names(tree); }
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL descriptor {

namespace MPIT_MODULE_LOCAL detail {

constexpr std::uint32_t count_members(const category& parent) {
    std::uint32_t sum = parent.members;
    const item* member = parent.first;
    for (std::uint32_t left = parent.members; left != 0; left--) {
        if (member->item_kind == kind::category) sum += count_members(static_cast<const category&>(*member));
        member = member->next;
    }
    return sum;
}

constexpr bool is_same_name(const item& a, const item& b) {
    return a.item_kind == b.item_kind && a.variable_class == b.variable_class &&
           core::equal_in_the_compiler(a.name, b.name);
}
constexpr bool report_compile_error(const item& member) {
    if (member.item_kind == kind::category)
        return error::compile_error_for(&member, error::two_categories_of_one_tree_have_the_same_name);
    if (member.item_kind == kind::control)
        return error::compile_error_for(&member, error::two_control_variables_of_one_tree_have_the_same_name);
    if (member.item_kind == kind::event)
        return error::compile_error_for(&member, error::two_events_of_one_tree_have_the_same_name);
    if (member.item_kind == kind::source)
        return error::compile_error_for(&member, error::two_sources_of_one_tree_have_the_same_name);
    return error::compile_error_for(&member, error::two_performance_variables_of_one_tree_have_the_same_name_and_class);
}

// The report of a former name that is not free.
constexpr bool compile_error_for_former_name(const item& member, bool is_present_name) {
    return is_present_name
               ? error::compile_error_for(&member,
                                          error::the_former_name_of_a_control_variable_is_the_name_of_another_one)
               : error::compile_error_for(&member, error::two_control_variables_of_one_tree_have_the_same_former_name);
}

struct seen_names {
    std::uint32_t mask;
    std::uint32_t* keys; // 0 if there is none
    const item** items;
    bool have_former_names = false; // some of them

    constexpr void add(const item& each) {
        const std::uint32_t key = each.key | 1;
        std::uint32_t index = key >> 1 & mask;
        for (; keys[index] != 0; index = (index + 1) & mask)
            if (keys[index] == key && is_same_name(each, *items[index]) && report_compile_error(each)) break;
        keys[index] = key;
        items[index] = &each;
    }
    constexpr void add_members(const category& parent) {
        if (parent.has_former_names) have_former_names = true;
        const item* member = parent.first;
        for (std::uint32_t left = parent.members; left != 0; left--) {
            add(*member);
            if (member->item_kind == kind::category) add_members(static_cast<const category&>(*member));
            member = member->next;
        }
    }

    // Former names come after all names. They are few, so that each is compared with the others.
    constexpr void check_former_names(const category& parent, const category& whole) {
        const item* member = parent.first;
        for (std::uint32_t i = 0; i < parent.members; i++, member = member->next) {
            if (member->item_kind == kind::category) check_former_names(static_cast<const category&>(*member), whole);
            if (member->item_kind != kind::control || !parent.has_former_names) continue;
            const text former = former_name_of(*member);
            if (former.length == 0) continue;
            if (has_control(former) && compile_error_for_former_name(*member, true)) return;
            if (is_before(whole, former, *member) > 0 && compile_error_for_former_name(*member, false)) return;
        }
    }

private:
    static constexpr text former_name_of(const item& member) {
        const auto& variable = static_cast<const control&>(member);
        return variable.former_name != nullptr ? text{variable.former_name} : text{};
    }
    constexpr bool has_control(text name) const {
        const std::uint32_t key = core::scan(name).key | 1;
        for (std::uint32_t index = key >> 1 & mask; keys[index] != 0; index = (index + 1) & mask)
            if (keys[index] == key && items[index]->item_kind == kind::control &&
                core::equal_in_the_compiler(items[index]->name, name))
                return true;
        return false;
    }
    // 1 where a variable before the other one has had the name as well, -1 if none has.
    static constexpr int is_before(const category& parent, text former, const item& other) {
        const item* member = parent.first;
        for (std::uint32_t i = 0; i < parent.members; i++, member = member->next) {
            if (member == &other) return -1;
            int found = 0;
            if (member->item_kind == kind::category)
                found = is_before(static_cast<const category&>(*member), former, other);
            else if (member->item_kind == kind::control && parent.has_former_names)
                found = core::equal_in_the_compiler(former_name_of(*member), former) ? 1 : 0;
            if (found != 0) return found;
        }
        return 0;
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
    if (seen.have_former_names) seen.check_former_names(tree, tree);
    delete[] seen.items;
    delete[] seen.keys;
}

} // namespace descriptor
} // namespace mpit
