// SPDX-License-Identifier: BSD-3-Clause
// Begins a public header: two warnings are off until <mpit/end.hpp>. A global of the program may have the name of a parameter in these
// headers (-Wshadow), and a class that other shared objects see has members that are hidden (-Wattributes of g++).
//
//   #include <mpit/begin.hpp>   …   #include <mpit/end.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wattributes"
