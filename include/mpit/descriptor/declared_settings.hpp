// SPDX-License-Identifier: BSD-3-Clause
// What the settings of all declarations have in common: each setting has its name. A value without one arrives in their
// first member, or in a constructor that takes everything else, and both refuse it in the same words.
//
//   struct settings { unnamed_setting unnamed = no_unnamed_setting; int initial = 0; };   // {.initial = 8}, and not {8}
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

template <class... Given> constexpr bool is_setting_with_name = false;
template <class... Given> constexpr bool refuse_setting_without_name() {
    static_assert(is_setting_with_name<Given...>,
                  "a setting has no name: settings stand in braces with their names, as "
                  "{.initial = 8} or {.readonly = true}");
    return true;
}

// No designated initializer makes one: it is no aggregate. An exception specification is instantiated where the
// author's value is converted, so that the compiler names the line of the member.
struct unnamed_setting {
    enum class is { absent };
    constexpr explicit unnamed_setting(is) noexcept {}
    template <class... Given>
    constexpr unnamed_setting(const Given&...) noexcept(refuse_setting_without_name<Given...>()) {}
};
// A copy costs a compiler less than a call, in each declaration.
inline constexpr unnamed_setting no_unnamed_setting{unnamed_setting::is::absent};

// What a declaration without settings is given. The compiler makes it once, and not for each declaration.
template <class Settings> inline constexpr Settings no_settings{};

} // namespace internal
} // namespace mpit
