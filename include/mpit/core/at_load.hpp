// SPDX-License-Identifier: BSD-3-Clause
// A function that runs once when its shared object is loaded, however many of its source files include the header.
//
//   MPIT_MODULE_LOCAL [[gnu::used]] inline constinit const bool* const is_ready = core::at_load<&prepare>;
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// A member of a template: for other inline variables clang calls functions of the C++ runtime library, which a program
// that is linked by a C compiler does not have.
template <auto Function> struct load_result {
    static const decltype(Function()) value;
};
template <auto Function> const decltype(Function()) load_result<Function>::value = Function();

// Where the answer of the function is kept. Using the address is what makes the compiler call the function.
template <auto Function> inline constexpr auto at_load = &load_result<Function>::value;

} // namespace core
} // namespace mpit
