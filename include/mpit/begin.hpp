// SPDX-License-Identifier: BSD-3-Clause
// A public header includes this header first. Disables three compiler warnings until <mpit/end.hpp>. -Wshadow would
// warn if a program has a global variable with the name of a parameter in mpit. -Wattributes of g++ would warn of
// hidden members in classes that other shared objects see. -Winvalid-offsetof would warn of offsetof() in classes with
// bases, although g++ and clang++ support this use.
//
//   #include <mpit/begin.hpp>   ...   #include <mpit/end.hpp>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
