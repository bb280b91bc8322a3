// SPDX-License-Identifier: BSD-3-Clause
// A function among the settings of a declaration, and whether it was set.
//
//   needed_function<int()> value{};   if (!chosen.value.is_given) error::a_computed_variable_needs_a_function_for_its_value();
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// Whether it was given is kept apart: g++ 12 cannot compare its address with null
// under -fsanitize=undefined.
template <class Function> struct needed_function {
    Function* function = nullptr;
    bool is_given = false;
    constexpr needed_function() noexcept {}
    template <class Given> constexpr needed_function(Given setting) noexcept : function{setting}, is_given{true} {}
};

} // namespace internal
} // namespace mpit
