// The check of a test program without a library for tests: `check(sum == 3, "the sum is right");`, and main() returns `failures`.
#pragma once

#include <cstdio>

inline int failures = 0;
inline void check(bool holds, const char* what) {
    std::printf("%s: %s\n", holds ? "ok" : "FAILED", what);
    failures += holds ? 0 : 1;
}
