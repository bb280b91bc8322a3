// Interrupts this program every fifty microseconds while it lives, so that a signal handler meets every instruction of
// a hot path sooner or later. A test that uses it goes on until the handler has run often enough.
#pragma once

#include "catch.hpp"

#include <csignal>
#include <sys/time.h>

struct alarms {
    explicit alarms(void (*handler)(int)) {
        struct sigaction action {};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        REQUIRE(sigaction(SIGALRM, &action, nullptr) == 0);
        set_interval(50);
    }
    ~alarms() {
        set_interval(0);
        std::signal(SIGALRM, SIG_IGN);
    }
    alarms(const alarms&) = delete;
    alarms& operator=(const alarms&) = delete;

private:
    static void set_interval(int microseconds) {
        const itimerval every{{0, microseconds}, {0, microseconds}};
        setitimer(ITIMER_REAL, &every, nullptr);
    }
};
