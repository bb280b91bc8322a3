// SPDX-License-Identifier: BSD-3-Clause
// The compile errors of wrong declarations. Each error is a function or a constant whose name is a sentence, and the
// compiler prints this name in its error message. The consteval constructor of an argument's type reports an error in
// one argument, at the line of the declared member. To report an error that several arguments or members cause, the
// constant evaluation of the tree calls a function that is not constexpr, or compares unrelated addresses.
//
//   consteval range(int low, int high) MPIT_REFUSED(MPIT_IF(low > high, the_minimum_is_above_the_maximum)) low_{low} {}
//   if (readonly && atomic) error::a_performance_variable_cannot_be_both_readonly_and_atomic();
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL error {

// The first base class of an argument's type, by which g++ 12 reports an error in the argument. `refusal` is null if
// the argument is valid, and otherwise the address of refused<&error>. The address of an immediate function is not a
// permitted result of a constant expression, so the error message names `error`.
template <auto Error> consteval void refused() {}
struct refusable {
    void (*refusal)() = nullptr;
};

// Errors of names and texts.
inline void a_name_is_empty() {}
inline void a_name_has_a_space_or_a_character_that_is_not_printable() {}
inline void a_name_is_longer_than_255_characters() {}
inline void the_name_of_a_histogram_or_of_an_array_with_labels_has_more_than_56_characters() {}
inline void a_name_is_empty_or_too_long_or_has_a_space_or_a_character_that_is_not_printable() {}
inline void the_former_name_of_a_control_variable_is_the_same_as_its_name() {}
inline void a_name_of_the_environment_is_empty() {}
inline void a_name_of_the_environment_is_longer_than_255_characters() {}
inline void a_name_of_the_environment_has_more_than_one_star() {}
inline void a_name_of_the_environment_has_a_space_an_equals_sign_or_a_character_that_is_not_printable() {}
inline void a_name_of_the_environment_for_several_variables_needs_a_star() {}
inline void the_policy_of_a_category_must_be_declared_before_its_members() {}
inline void a_scope_of_group_or_all_needs_a_description_of_the_processes_that_must_write_the_variable() {}
inline void the_description_of_an_integer_timer_must_name_its_unit_nanoseconds() {}

// Errors that two members of one category tree cause together. Each of these errors is an object, whose address
// compile_error_for() compares with the address of a member. A constant expression cannot order addresses of unrelated
// objects, so the error messages of g++ and clang name the error and the member.
inline constexpr char two_categories_of_one_tree_have_the_same_name{};
inline constexpr char two_control_variables_of_one_tree_have_the_same_name{};
inline constexpr char two_performance_variables_of_one_tree_have_the_same_name_and_class{};
inline constexpr char two_events_of_one_tree_have_the_same_name{};
inline constexpr char two_sources_of_one_tree_have_the_same_name{};
inline constexpr char the_former_name_of_a_control_variable_is_the_name_of_another_one{};
inline constexpr char two_control_variables_of_one_tree_have_the_same_former_name{};
constexpr bool compile_error_for(const void* member, const char& error) { return member < &error; }

// Errors of values.
inline void the_minimum_is_above_the_maximum() {}
inline void the_initial_value_is_outside_the_range() {}
inline void the_initial_value_does_not_fit_the_type_of_the_variable() {}
inline void the_initial_value_is_not_a_number() {}
inline void an_array_has_more_initial_values_than_elements() {}
inline void the_initial_text_does_not_fit_the_array_with_its_terminating_null() {}
inline void the_initial_value_is_not_a_member_of_the_enumeration() {}
inline void the_initial_value_of_a_percentage_must_be_from_0_to_1() {}
inline void the_default_value_is_outside_the_range() {}
inline void the_default_value_is_not_a_member_of_the_enumeration() {}
inline void the_initial_value_is_negative() {}
inline void an_adopted_variable_needs_its_storage() {}
inline void an_adopted_string_that_tools_may_write_needs_an_on_write_that_stores_it() {}
inline void an_item_of_an_enumeration_does_not_fit_the_storage() {}

// Errors of enumerations.
inline void an_enumeration_needs_a_name() {}
inline void an_item_of_an_enumeration_needs_a_name() {}
inline void two_items_of_an_enumeration_have_the_same_name() {}
inline void two_items_of_an_enumeration_have_the_same_other_spelling() {}
inline void two_items_of_an_enumeration_have_the_same_value() {}
inline void an_item_of_an_enumeration_does_not_fit_an_int() {}

// Errors of performance variables.
inline void a_performance_variable_cannot_be_both_readonly_and_atomic() {}
inline void an_array_has_not_as_many_labels_as_elements() {}
inline void an_item_of_the_labels_is_not_the_number_of_an_element() {}
inline void a_label_has_a_comma() {}
inline void a_computed_variable_needs_a_function_for_its_value() {}
inline void a_computed_text_must_be_continuous() {}
inline void a_computed_text_needs_an_on_write_unless_it_is_readonly() {}

// Errors of events and event sources.
inline void the_ticks_of_a_source_must_be_positive() {}

// Returns true if the compiler knows at compile time that a pointer is null. With -fsanitize=undefined, g++ cannot
// evaluate at compile time whether the address of an object or a function is null.
template <class Pointer> constexpr bool is_known_to_be_null(Pointer pointer) {
    return __builtin_constant_p(pointer == nullptr) && pointer == nullptr;
}

} // namespace error
} // namespace mpit
