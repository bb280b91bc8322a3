// SPDX-License-Identifier: BSD-3-Clause
// Formats a double with the fewest digits that parse as the same double, and with a decimal point in any locale.
//
//   puts(real_text{0.1}.characters);   // 0.1
#pragma once

#include <mpit/core/parse.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

struct real_text {
    char characters[32];

    // The loop begins with 15 digits, which a double always keeps (DBL_DIG), because %g omits trailing zeros.
    [[gnu::cold]] explicit real_text(double number) noexcept {
        const int saved_errno = errno;
        const locale_t previous = uselocale(c_locale());
        for (int digits = 15; digits <= 17; digits++) {
            std::snprintf(characters, sizeof characters, "%.*g", digits, number);
            if (std::strtod(characters, nullptr) == number) break;
        }
        uselocale(previous);
        errno = saved_errno;
    }
};

} // namespace core
} // namespace mpit
