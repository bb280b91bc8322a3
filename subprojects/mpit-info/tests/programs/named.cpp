// Names regions by mpit-info/regions.h, without an MPI, and counts by variables of mpit a number of times that is known
// in each.
#include <mpit-info/regions.h>
#include <mpit/mpit.hpp>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

struct work_variables : mpit::category<"work", "What the program does"> {
    mpit::counter<> steps{this, "steps", "Steps done"};
    mpit::timer waiting{this, "waiting", "Time waited, in seconds"};
};
inline constexpr auto& work = mpit::registered<work_variables>;

static void in_region(const char* name, int steps) {
    mpit_region_begin(name);
    work.steps += steps;
    mpit_region_end(name);
}

int main() {
    mpit_region_begin("main");
    for (int i = 0; i < 3; i++) in_region("solve", 5);
    work.waiting.add(250'000'000);
    // A name in memory that is used again.
    char name[200] = "input";
    in_region(name, 1);
    std::snprintf(name, sizeof name, "output");
    in_region(name, 2);
    // Names are cut, and so are their ends.
    std::snprintf(name, sizeof name, "%0150d", 7);
    in_region(name, 4);
    // Threads have regions of their own; their sums are one number.
    for (int i = 0; i < 4; i++) std::thread{[] { in_region("solve", 0); }}.join();
    std::thread a{[] { in_region("solve", 0); }}, b{[] { in_region("solve", 0); }};
    a.join();
    b.join();
    // Deeper than a stack of regions: the ends belong to their beginnings.
    mpit_region_begin("deep");
    for (int i = 0; i < 100; i++) mpit_region_begin("deeper");
    for (int i = 0; i < 100; i++) mpit_region_end("deeper");
    work.steps += 7;
    mpit_region_end("deep");
    // More regions than a thread has places for.
    mpit_region_begin("many");
    for (int i = 0; i < 2000; i++) {
        std::snprintf(name, sizeof name, "%d", i);
        in_region(name, 1);
    }
    mpit_region_end("many");
    // A forked child changes nothing here.
    if (const pid_t child = fork(); child == 0) {
        for (int i = 0; i < 9; i++) in_region("child", 1000);
        _exit(0);
    } else {
        waitpid(child, nullptr, 0);
    }
    mpit_region_end("main");
    in_region("last", 3);
    return 0;
}
