// Requests: operations of non-blocking calls, in a pool behind MPI_Request handles.
#pragma once

#include "engine.hpp"

#include <cstddef>

namespace mini {

// Makes a request of a transfer that is yet to be started; null when there are too many.
operation* open_request(const transfer& what, MPI_Request* request);

// A request that is done already, for calls that have nothing to wait for.
int open_finished_request(const transfer& what, MPI_Request* request);

std::size_t request_count() noexcept;

// The transfer of a call without a message, as its status shows it (MPI-5.0, 3.7.3).
inline constexpr transfer nothing{.label = {.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG}};

// The fields of a message in a status; the caller's choice of MPI_STATUS_IGNORE is respected.
void write_status(const transfer& what, MPI_Status* status);

} // namespace mini
