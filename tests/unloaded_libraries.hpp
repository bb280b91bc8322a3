// Whether dlclose() unloads a library that nobody uses any more. musl leaves each library where it is.
//     if (!unloads_libraries) return std::puts(no_unloading), void();
#pragma once

#include <cstdio>
#include <dlfcn.h>

#if defined(__GLIBC__)
inline constexpr bool unloads_libraries = true;
#else
inline constexpr bool unloads_libraries = false;
#endif
#ifndef RTLD_DEEPBIND // musl has none
#define RTLD_DEEPBIND RTLD_LOCAL
#endif
inline constexpr char no_unloading[] = "skipped: dlclose() of this C library unloads nothing";
