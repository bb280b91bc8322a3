// Reports: what the library has to say to a person, one line each: names declared twice, values from outside that cannot
// be used. Nothing of this stops a program.
//
//   mpit::set_report_handler([](const char* line) { log(line); });
#pragma once

#include <mpit/base/atomic.hpp>

#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace mpit {

// Receives each report, without a newline. It may be called from any thread that loads a library.
using report_handler = void (*)(const char* line);

namespace index {

inline void write_to_standard_error(const char* line) noexcept {
    char with_newline[600];
    const int length = std::snprintf(with_newline, sizeof with_newline, "mpit: %s\n", line);
    if (length > 0 && write(STDERR_FILENO, with_newline, static_cast<std::size_t>(length)) < 0) return;
}

[[gnu::format(printf, 2, 3), gnu::cold]] inline void report(report_handler to, const char* format, ...) noexcept {
    char line[512];
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (to != nullptr ? to : &write_to_standard_error)(line);
}

} // namespace index
} // namespace mpit
