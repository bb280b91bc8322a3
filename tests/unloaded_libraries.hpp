// Whether dlclose() unloads a library that nobody uses any more. musl leaves each library where it is.
//     if (!unloads_libraries) return std::puts(no_unloading), void();
#pragma once

#include <cstdio>

#if defined(__GLIBC__)
inline constexpr bool unloads_libraries = true;
#else
inline constexpr bool unloads_libraries = false;
#endif
inline constexpr char no_unloading[] = "skipped: dlclose() of this C library unloads nothing";
