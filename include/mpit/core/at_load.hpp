// SPDX-License-Identifier: BSD-3-Clause
// Runs a function once when a shared object is loaded, even if several source files of the object include this header.
//
//   MPIT_MODULE_LOCAL [[gnu::used]] inline constinit const bool* const is_ready = core::at_load<&prepare>;
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// The result of `Function` is a static member of a class template. clang would guard the initialization of an inline
// variable by __cxa_guard_* of the C++ runtime library, which is missing in a program that a C compiler links.
template <auto Function> struct load_result {
    static const decltype(Function()) value;
};
template <auto Function> const decltype(Function()) load_result<Function>::value = Function();

// The address of the result of `Function`. An odr-use of the address makes the compiler emit the initialization of the
// result, and so the call of `Function`.
template <auto Function> inline constexpr auto at_load = &load_result<Function>::value;

} // namespace core
} // namespace mpit
