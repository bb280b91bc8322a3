// SPDX-License-Identifier: BSD-3-Clause
// The reply of a library to a value that a tool writes.
//
//   .on_write = [](const int& value) { return is_busy() ? mpit::reply::not_now : mpit::reply::accepted; }
#pragma once

#include <mpit/core/words.hpp>

#include <cstdint>

namespace mpit::inline v1_0 {

// The result of an on_write function, which accepts or rejects a value. If the value of a control variable is rejected,
// a tool gets MPI_T_ERR_CVAR_SET_NOT_NOW for `not_now` and MPI_T_ERR_CVAR_SET_NEVER for `never`. For a rejected value
// of a performance variable a tool gets MPI_T_ERR_PVAR_NO_WRITE.
enum class reply : std::uint8_t { accepted, not_now, never };

namespace MPIT_MODULE_LOCAL internal {

// Converts the reply of an on_write function to the result of a write to a control variable.
constexpr result result_of(reply library_reply) {
    return library_reply == reply::accepted  ? result::success
           : library_reply == reply::not_now ? result::set_not_now
                                             : result::set_never;
}

} // namespace internal
} // namespace mpit
