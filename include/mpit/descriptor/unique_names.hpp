// SPDX-License-Identifier: BSD-3-Clause
// Finds, at compile time, two members of one category tree with the same name, by a hash table with open addressing and
// linear probing. The table exists only during the constant evaluation. The compile error names one of the two members.
//
//   constexpr holder() : tree{} { descriptor::check_names(tree); }
#pragma once

#include <mpit/descriptor/variable.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL descriptor {

namespace MPIT_MODULE_LOCAL detail {

constexpr std::uint32_t count_members(const category& parent) {
    std::uint32_t count = parent.members;
    const item* member = parent.first;
    for (std::uint32_t remaining = parent.members; remaining != 0; remaining--, member = member->next)
        if (member->item_kind == kind::category) count += count_members(static_cast<const category&>(*member));
    return count;
}

constexpr bool is_same_name(const item& a, const item& b) {
    return a.item_kind == b.item_kind && a.variable_class == b.variable_class && core::constexpr_equal(a.name, b.name);
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

// Causes the compile error for a former name that is also the current or a former name of another variable.
constexpr bool compile_error_for_former_name(const item& member, bool is_present_name) {
    return is_present_name
               ? error::compile_error_for(&member,
                                          error::the_former_name_of_a_control_variable_is_the_name_of_another_one)
               : error::compile_error_for(&member, error::two_control_variables_of_one_tree_have_the_same_former_name);
}

struct name_table {
    std::uint32_t mask;
    std::uint32_t* keys; // keys of the members, 0 in an empty slot
    const item** items;
    bool has_former_names = false; // true if a control variable in the table has a former name

    constexpr void add(const item& member) {
        const std::uint32_t key = member.key | 1;
        std::uint32_t index = key >> 1 & mask;
        for (; keys[index] != 0; index = (index + 1) & mask)
            if (keys[index] == key && is_same_name(member, *items[index]) && report_compile_error(member)) break;
        keys[index] = key;
        items[index] = &member;
    }
    constexpr void add_members(const category& parent) {
        if (parent.has_former_names) has_former_names = true;
        const item* member = parent.first;
        for (std::uint32_t remaining = parent.members; remaining != 0; remaining--, member = member->next) {
            add(*member);
            if (member->item_kind == kind::category) add_members(static_cast<const category&>(*member));
        }
    }

    // Compares each former name with all names in the complete table, and with the other former names.
    constexpr void check_former_names(const category& parent, const category& tree) {
        const item* member = parent.first;
        for (std::uint32_t i = 0; i < parent.members; i++, member = member->next) {
            if (member->item_kind == kind::category) check_former_names(static_cast<const category&>(*member), tree);
            if (member->item_kind != kind::control || !parent.has_former_names) continue;
            const text former = former_name_of(*member);
            if (former.length == 0) continue;
            if (has_control(former) && compile_error_for_former_name(*member, true)) return;
            if (search_before(tree, former, *member) > 0 && compile_error_for_former_name(*member, false)) return;
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
                core::constexpr_equal(items[index]->name, name))
                return true;
        return false;
    }
    // Returns 1 if the search finds the former name, -1 if it finds `last` first, and 0 if it finds neither.
    static constexpr int search_before(const category& parent, text former, const item& last) {
        const item* member = parent.first;
        for (std::uint32_t i = 0; i < parent.members; i++, member = member->next) {
            if (member == &last) return -1;
            int status = 0;
            if (member->item_kind == kind::category)
                status = search_before(static_cast<const category&>(*member), former, last);
            else if (member->item_kind == kind::control && parent.has_former_names)
                status = core::constexpr_equal(former_name_of(*member), former) ? 1 : 0;
            if (status != 0) return status;
        }
        return 0;
    }
};

} // namespace detail

// Causes a compile error if two members of the tree have the same name. Runs only in constant expressions.
constexpr void check_names(const category& tree) {
    const std::uint32_t count = detail::count_members(tree) + 1;
    std::uint32_t size = 2;
    while (size < count + count / 2) size *= 2;
    detail::name_table names{size - 1, new std::uint32_t[size]{}, new const item* [size] {}};
    names.add(tree);
    names.add_members(tree);
    if (names.has_former_names) names.check_former_names(tree, tree);
    delete[] names.items;
    delete[] names.keys;
}

} // namespace descriptor
} // namespace mpit
