// SPDX-License-Identifier: BSD-3-Clause
// The first include of a public header, which disables three compiler warnings until <mpit/end.hpp>. -Wshadow would
// warn if a program has a global variable with the name of a parameter in mpit. -Wattributes of g++ would warn of
// hidden members in classes that other shared objects see. -Winvalid-offsetof would warn of offsetof() in classes with
// bases, which g++ and clang++ support.
//
//   #include <mpit/begin.hpp>   ...   #include <mpit/end.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
