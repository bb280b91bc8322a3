// SPDX-License-Identifier: BSD-3-Clause
// Runs a function once when its shared object is loaded, however many of its source files include the header.
//
//   MPIT_MODULE_LOCAL [[gnu::used]] inline constinit const bool* const is_ready = core::at_load<&prepare>;
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The result is a static member of a class template: clang guards the initialization of other inline variables with
// functions of the C++ runtime library (__cxa_guard_*), which a program that is linked by a C compiler does not have.
template <auto Function> struct load_result {
    static const decltype(Function()) value;
};
template <auto Function> const decltype(Function()) load_result<Function>::value = Function();

// The address of the function's result. Its use (an odr-use) makes the compiler emit the initialization, and so the
// call.
template <auto Function> inline constexpr auto at_load = &load_result<Function>::value;

} // namespace core
} // namespace mpit
