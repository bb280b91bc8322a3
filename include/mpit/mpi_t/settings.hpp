// SPDX-License-Identifier: BSD-3-Clause
// Reads values of control variables from an MPI_Info object. Include this header after mpit/mpi_t.hpp, in the same
// source file. Any thread may call read_info(), but no signal handler may call read_info().
//
//   mpit::settings_result read = mpit::read_info(info, "MPI_Session_init");
#pragma once

#include <mpit/mpi_t/info_exchange.hpp>
#include <mpit/settings/sources.hpp>

namespace mpit::inline v1_0 {

// Reads values of control variables from an MPI_Info object. Another overload of read_info() reads an mpit::info.
// Reports name the info object by the text `place`. The `code` of the result is result::invalid if `handle` is not an
// info object.
MPIT_MODULE_LOCAL inline settings_result read_info(MPI_Info handle, const char* place = "") noexcept {
    info hints;
    const result status = mpi_t::read_info(handle, hints);
    return status == result::success ? read_info(static_cast<const info&>(hints), place) : settings_result{status};
}

} // namespace mpit
