// SPDX-License-Identifier: BSD-3-Clause
// What a library answers to a value that a tool writes.
//
//   .on_write = [](const int& wanted) { return is_busy() ? mpit::reply::not_now : mpit::reply::accepted; }
#pragma once

#include <mpit/core/words.hpp>

#include <cstdint>

namespace mpit::inline v0_1 {

// The answer of an on-write function: take the value, or refuse it. The tool gets MPI_T_ERR_CVAR_SET_NOT_NOW or
// _SET_NEVER of a control variable, MPI_T_ERR_PVAR_NO_WRITE of a performance variable.
enum class reply : std::uint8_t { accepted, not_now, never };

namespace MPIT_MODULE_LOCAL internal {

// Of a control variable.
constexpr result result_of(reply answer) {
    return answer == reply::accepted  ? result::success
           : answer == reply::not_now ? result::cannot_set_now
                                      : result::cannot_set_ever;
}

} // namespace internal
} // namespace mpit
