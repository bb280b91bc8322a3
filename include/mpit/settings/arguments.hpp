// SPDX-License-Identifier: BSD-3-Clause
// Settings on a command line: `--mpit NAME=VALUE` and `--mpit=NAME=VALUE`, up to `--`. They are removed; the other
// arguments keep their order.
//
//   take_settings(argc, argv, "--mpit", [](core::text setting, int number) { … });
#pragma once

#include <mpit/core/text.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// Calls `take(setting, number of the argument)`; the setting is empty if the option is the last argument.
template <class Take> void take_settings(int& argc, char** argv, core::text option, const Take& take) noexcept {
    int kept = 1;
    bool has_ended = false;
    for (int i = 1; i < argc; i++) {
        const core::text argument = argv[i];
        has_ended = has_ended || core::equal(argument, "--");
        const char separator = core::has_prefix(argument, option) ? argument.characters[option.length] : 'x';
        if (has_ended || (separator != '\0' && separator != '=')) {
            argv[kept++] = argv[i];
        } else if (separator == '=') {
            take(core::text{argument.characters + option.length + 1}, i);
        } else if (i + 1 == argc || core::equal(argv[i + 1], "--")) {
            take(core::text{}, i);
        } else {
            i++;
            take(core::text{argv[i]}, i);
        }
    }
    if (kept >= argc) return;
    argc = kept;
    argv[kept] = nullptr;
}

} // namespace session
} // namespace mpit
