// SPDX-License-Identifier: BSD-3-Clause
// The first member of every settings struct, which makes a setting without a name a compile error. A value without a
// name initializes this member or selects a constructor template, and both cause the compile error.
//
// The types of settings that a declaration cannot have, such as not_bound, refuse a value by a constructor that is not
// constexpr: g++ 14 and newer evaluate a constexpr one, and stop before they print the text of its assertion.
//
//   struct settings { unnamed_setting unnamed = no_unnamed_setting; int initial = 0; };   // {.initial = 8}, not {8}
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

template <class... Values> constexpr bool is_setting_with_name = false;
template <class... Values> constexpr bool refuse_setting_without_name() {
    static_assert(is_setting_with_name<Values...>,
                  "a setting needs its name, as in {.initial = 8} or {.readonly = true}");
    return true;
}

// The struct is not an aggregate, so that a designated initializer cannot initialize it. The exception specification
// reports a missing name, so that the compile error names the line of the author's value.
struct unnamed_setting {
    enum class is { absent };
    constexpr explicit unnamed_setting(is) noexcept {}
    template <class... Values>
    constexpr unnamed_setting(const Values&...) noexcept(refuse_setting_without_name<Values...>()) {}
};
// The initial value of a settings struct's first member, which compiles faster than a constructor call.
inline constexpr unnamed_setting no_unnamed_setting{unnamed_setting::is::absent};

// The settings of a declaration that has none. The compiler evaluates the constant once for all declarations.
template <class Settings> inline constexpr Settings no_settings{};

} // namespace internal
} // namespace mpit
