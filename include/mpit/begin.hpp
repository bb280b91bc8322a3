// SPDX-License-Identifier: BSD-3-Clause
// Begins a public header: disables three warnings until <mpit/end.hpp>. Globals of a program may have names of
// parameters in these headers (-Wshadow). Classes that other shared objects see have hidden members (-Wattributes of
// g++). Descriptors have offsets in classes with bases, which both compilers support (-Winvalid-offsetof).
//
//   #include <mpit/begin.hpp>   ...   #include <mpit/end.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
