// The resources that a process uses between two moments: time, page faults, memory that it has to itself.
//
//   const usage before = usage::begin();  ...  const usage used = before.end();
#pragma once

#include <mpit/core/clock.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

struct usage {
    long long nanoseconds = 0;
    long page_faults = 0;
    long bytes = 0;

    // The clock is read last here and first at the end, because reading the memory usage takes a while.
    static usage begin() {
        usage at;
        at.bytes = own_bytes();
        at.page_faults = faults();
        at.nanoseconds = now();
        return at;
    }
    usage end() const {
        usage used;
        used.nanoseconds = now() - nanoseconds;
        used.page_faults = faults() - page_faults;
        used.bytes = own_bytes() - bytes;
        return used;
    }

private:
    static long long now() { return static_cast<long long>(mpit::core::nanoseconds()); }
    static long faults() {
        rusage counted{};
        getrusage(RUSAGE_SELF, &counted);
        return counted.ru_minflt + counted.ru_majflt;
    }
    // Exact, and read without a buffer on the heap, which would be counted.
    static long own_bytes() {
        static const int file = open("/proc/self/smaps_rollup", O_RDONLY | O_CLOEXEC);
        static char text[4096];
        if (pread(file, text, sizeof text - 1, 0) <= 0) return 0;
        const char* dirty = std::strstr(text, "Private_Dirty:");
        return dirty == nullptr ? 0 : 1024 * std::atol(dirty + std::strlen("Private_Dirty:"));
    }
};
