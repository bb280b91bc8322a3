// A program with a hundred counters that count all the time, for run.py: it prints how many rounds it has made in a
// second of its thread's own time, so that whatever else the machine does is left out.
//     watched <seconds>
#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>

// A round counts each of them once.
#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define HUNDRED(f) TEN(f, 0) TEN(f, 1) TEN(f, 2) TEN(f, 3) TEN(f, 4) TEN(f, 5) TEN(f, 6) TEN(f, 7) TEN(f, 8) TEN(f, 9)

struct watched_variables : mpit::category<"watched", "A hundred counters"> {
#define DECLARE(n) mpit::counter<> c##n{this, "counter_" #n, "Rounds"};
    HUNDRED(DECLARE)
};
constexpr auto& watched = mpit::registered<watched_variables>;

static double seconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int main(int argc, char** argv) {
    const double limit = argc > 1 ? std::atof(argv[1]) : 3;
    const double end = seconds(CLOCK_MONOTONIC) + limit, began = seconds(CLOCK_THREAD_CPUTIME_ID);
    unsigned long rounds = 0;
    while (seconds(CLOCK_MONOTONIC) < end)
        for (int i = 0; i < 1000; i++, rounds++) {
#define COUNT(n) ++watched.c##n;
            HUNDRED(COUNT)
        }
    std::printf("%.0f\n", static_cast<double>(rounds) / (seconds(CLOCK_THREAD_CPUTIME_ID) - began));
}
