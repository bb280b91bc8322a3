// Interrupts this program fifty microseconds after the last interruption ended, while it lives, so that a signal
// handler meets every instruction of a hot path sooner or later. The time counts from the end: on a slow machine
// handlers that follow each other without a gap would never let the program go on. A test that uses it goes on until
// the handler has seen enough.
#pragma once

#include "catch.hpp"

#include <atomic>
#include <csignal>
#include <sys/time.h>

struct alarms {
    explicit alarms(void (*handler)(int)) {
        called = handler;
        struct sigaction action{};
        action.sa_handler = [](int number) {
            called.load()(number);
            set_time(interval);
        };
        action.sa_flags = SA_RESTART;
        REQUIRE(sigaction(SIGALRM, &action, nullptr) == 0);
        interval = 50;
        set_time(interval);
    }
    ~alarms() {
        interval = 0;
        set_time(0);
        std::signal(SIGALRM, SIG_IGN);
    }
    alarms(const alarms&) = delete;
    alarms& operator=(const alarms&) = delete;

private:
    static void set_time(int microseconds) {
        const itimerval once{{0, 0}, {0, microseconds}};
        setitimer(ITIMER_REAL, &once, nullptr);
    }
    static inline std::atomic<void (*)(int)> called;
    static inline std::atomic<int> interval; // in microseconds; 0 after the last one
};
