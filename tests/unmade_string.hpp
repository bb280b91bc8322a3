// Whether a std::string whose constructor has not run differs from an empty one. In libc++ both are zeros.
//     if (!knows_unmade_strings) return std::puts(no_unmade_strings), void();
#pragma once

#include <cstdio>
#include <string>

#if defined(_LIBCPP_VERSION)
inline constexpr bool knows_unmade_strings = false;
#else
inline constexpr bool knows_unmade_strings = true;
#endif
inline constexpr char no_unmade_strings[] = "skipped: in libc++ a std::string that is not made yet is an empty one";
