// SPDX-License-Identifier: BSD-3-Clause
// Values of control variables from an MPI_Info object. Include it after the shims, in their source file.
// Any thread may call it, outside of signal handlers.
//
//   mpit::settings_answer read = mpit::read_info(info, "MPI_Session_init");
#pragma once

#include <mpit/mpi_t/info_exchange.hpp>
#include <mpit/settings/sources.hpp>

namespace mpit::inline v0_1 {

// Reads the hints of an MPI_Info object, as the function for mpit::info. `code` is MPI_T_ERR_INVALID if `from` is not
// an object.
MPIT_MODULE_LOCAL inline settings_answer read_info(MPI_Info handle, const char* place = "") noexcept {
    info hints;
    const result found = mpi_t::read_info(handle, hints);
    return found == result::success ? read_info(static_cast<const info&>(hints), place) : settings_answer{found};
}

} // namespace mpit
