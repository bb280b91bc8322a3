// SPDX-License-Identifier: BSD-3-Clause
// A double as text: the fewest digits from which the same number is read again, with a point in every locale.
//
//   puts(real_text{0.1}.characters);   // 0.1
#pragma once

#include <mpit/core/parse.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

struct real_text {
    char characters[32];

    // Fifteen digits are there in every double, and those at its end that are 0 are not printed.
    [[gnu::cold]] explicit real_text(double number) noexcept {
        const int kept = errno;
        const locale_t previous = uselocale(plain_locale());
        for (int digits = 15; digits <= 17; digits++) {
            std::snprintf(characters, sizeof characters, "%.*g", digits, number);
            if (std::strtod(characters, nullptr) == number) break;
        }
        uselocale(previous);
        errno = kept;
    }
};

} // namespace core
} // namespace mpit
