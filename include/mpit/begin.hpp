// SPDX-License-Identifier: BSD-3-Clause
// Begins a public header: three warnings are off until <mpit/end.hpp>. A global of the program may have the name of a
// parameter in these headers (-Wshadow), a class that other shared objects see has members that are hidden
// (-Wattributes of g++), and a descriptor says where a class has its value (-Winvalid-offsetof: that of a class with a
// base has a place with both compilers, too).
//
//   #include <mpit/begin.hpp>   …   #include <mpit/end.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
