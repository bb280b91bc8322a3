// Communicators of the one-process world: each has one member, its own context, which keeps its messages apart from
// those of others, an error handler, a name, and a cell in which the tool interface counts its bytes.
#pragma once

#include "error.hpp"
#include "object_name.hpp"

#include <mpi.h>
#include <mpit/mpit.hpp>

#include <atomic>
#include <cstddef>

namespace mini {

struct communicator {
    std::atomic<int> context{0};
    std::atomic<MPI_Errhandler> handler{nullptr};
    mpit::counter_cell bytes{};
    object_name name{};
};

// Returns null if the handle is not a communicator's. Takes no lock: a tool may call it in a signal handler.
communicator* find(MPI_Comm handle) noexcept;

// MPI_COMM_WORLD and MPI_COMM_SELF included.
std::size_t communicator_count() noexcept;

// Refuses a missing communicator, and any before MPI_Init or after MPI_Finalize.
int check_communicator(const communicator* where);

// The members of all communicators are the same: this process, rank 0.
inline int check_root(int root) { return root == 0 ? MPI_SUCCESS : MPI_ERR_ROOT; }

// Errors about no valid communicator go to the handler of MPI_COMM_SELF (MPI-5.0, 9.3).
MPI_Errhandler handler_of(const communicator* where);

inline int raise(const communicator* where, int code) { return raise(handler_of(where), code); }
inline int raise_on_self(int code) { return raise(handler_of(nullptr), code); }

} // namespace mini
