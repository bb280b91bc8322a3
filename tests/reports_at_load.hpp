// The lines that the library reports from the load of the program on, in a program without Catch2.
//     std::strcmp(lines, "…\n") == 0
#pragma once

#include <mpit/report_handler.hpp>

#include <cstring>

inline char lines[4096];
// Trees read the environment when the program is loaded: this comes before them.
[[gnu::constructor(101)]] inline void take_reports() {
    mpit::set_report_handler([](const char* line) {
        std::strncat(lines, line, sizeof lines - std::strlen(lines) - 1);
        std::strncat(lines, "\n", sizeof lines - std::strlen(lines) - 1);
    });
}
