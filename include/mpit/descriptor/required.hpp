// SPDX-License-Identifier: BSD-3-Clause
// A setting that is a required function, and a flag that is true if the author has set the function.
//
//   required_function<int()> value{};
//   if (!settings.value.is_given) error::a_computed_variable_needs_a_function_...();
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The flag is a separate member, because g++ 12 cannot compare an address with null under -fsanitize=undefined.
template <class Function> struct required_function {
    Function* function = nullptr;
    bool is_given = false;
    constexpr required_function() noexcept {}
    template <class Setting>
    constexpr required_function(Setting setting) noexcept : function{setting}, is_given{true} {}
};

} // namespace internal
} // namespace mpit
