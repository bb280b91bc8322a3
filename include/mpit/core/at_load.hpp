// SPDX-License-Identifier: BSD-3-Clause
// Runs a function once when a shared object is loaded, however many source files of the shared object use the header.
//
//   MPIT_MODULE_LOCAL [[gnu::used]] inline constinit const bool* const is_ready = core::at_load<&prepare>;
#pragma once

#include <mpit/config.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// The result is a static member of a class template, because clang guards the initialization of other inline variables
// by functions of the C++ runtime library (__cxa_guard_*). A program that a C compiler links lacks this library.
template <auto Function> struct load_result {
    static const decltype(Function()) value;
};
template <auto Function> const decltype(Function()) load_result<Function>::value = Function();

// The address of the result. An odr-use of this address makes the compiler emit the initialization, and so the call of
// `Function`.
template <auto Function> inline constexpr auto at_load = &load_result<Function>::value;

} // namespace core
} // namespace mpit
