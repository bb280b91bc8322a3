// How much of the process is in memory, in bytes.
#pragma once

#include <cstdio>
#include <unistd.h>

inline long resident_bytes() {
    long resident = 0;
    FILE* facts = std::fopen("/proc/self/statm", "r");
    if (facts == nullptr) return 0;
    if (std::fscanf(facts, "%*d %ld", &resident) != 1) resident = 0;
    std::fclose(facts);
    return resident * sysconf(_SC_PAGESIZE);
}
