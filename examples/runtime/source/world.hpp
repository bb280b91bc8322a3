// The life of MPI in this process: closed, then open between MPI_Init and MPI_Finalize, then closed for good.
#pragma once

namespace mini {

bool world_is_open() noexcept;

// Open now or before: some settings may not change after the start.
bool world_was_opened() noexcept;

} // namespace mini
