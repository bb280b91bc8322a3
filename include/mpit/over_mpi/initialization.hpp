// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.4 on top of a host: init/finalize epochs are counted by this library, and the first one initializes the
// host's tool interface for the life of the process.
#pragma once

#include <mpit/host/thread_level.hpp>
#include <mpit/mpi_t/registry_provider.hpp>
#include <mpit/over_mpi/discovery.hpp>
#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/host_handles.hpp>

#include <pthread.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using mpi_t::registry_provider;

// Initializes and finalizes both interfaces, one thread at a time. The host's interface is not finalized: MPICH 4.0.2
// crashes after another initialization, and Open MPI 4.1.4 assigns other indices in it.
class both_interfaces {
public:
    // A call during the host's own initialization, by a plugin that the host loads, begins or enters an epoch of this
    // library only; the host's items are added when the host is initialized. MPI_T_ERR_CANNOT_INIT if another thread
    // holds the lock for about a second.
    int initialize(thread_level required, int* provided) noexcept {
        if (lock_.is_held_by_this_thread()) return registry_provider::initialize(required, provided);
        int code = MPI_T_ERR_CANNOT_INIT;
        lock_.take([&] { code = initialize_both(required, provided); });
        return code;
    }
    // If another thread holds the lock for about a second, the host's handles are freed when the next epoch begins.
    int finalize() noexcept {
        if (lock_.is_held_by_this_thread()) return registry_provider::finalize();
        int code = MPI_SUCCESS;
        const bool is_locked = lock_.take([&] {
            code = registry_provider::finalize();
            if (code == MPI_SUCCESS && !mpi_t::is_initialized()) free_host_handles();
        });
        return is_locked ? code : registry_provider::finalize();
    }

private:
    int initialize_both(thread_level required, int* provided) noexcept {
        const bool begins_epoch = !mpi_t::is_initialized();
        if (begins_epoch) free_host_handles();
        // The epoch of this library begins first, so that this call determines the thread level, and no call during the
        // host's initialization does.
        int level = mpi_t::constant_of(required);
        if (const int code = registry_provider::initialize(required, &level); code != MPI_SUCCESS) return code;
        if (const int code = begins_epoch ? initialize_host() : MPI_SUCCESS; code != MPI_SUCCESS) {
            registry_provider::finalize();
            return code;
        }
        mpi_t::put(provided, the_host.is_open() && host_level_ < level ? host_level_ : level);
        return MPI_SUCCESS;
    }
    // Called at the begin of each epoch, because a plugin may have loaded the host since the last one. Requests the
    // highest thread level, because the host stays initialized in epochs of other levels. If level_to_request() returns
    // the program's level, the level that the host provides is not that of its tool interface: Open MPI locks it at
    // any.
    int initialize_host() noexcept {
        if (!has_fork_handler_) has_fork_handler_ = pthread_atfork(nullptr, nullptr, &in_child_of_fork) == 0;
        if (the_host.is_open() || !the_host.find() || is_unsafe_to_initialize(the_host)) return MPI_SUCCESS;
        const int required = host::level_to_request(
            {the_host.is_initialized, the_host.is_finalized, the_host.query_thread, the_host.get_library_version},
            MPI_THREAD_MULTIPLE);
        int provided = required;
        const int code = the_host.init_thread(required, &provided);
        if (code != MPI_SUCCESS) return code;
        host_level_ = required < MPI_THREAD_MULTIPLE ? int{MPI_THREAD_MULTIPLE} : provided;
        the_host.open();
        keep_plugins(the_host.mpi_implementation());
        return MPI_SUCCESS;
    }
    static void free_host_handles() noexcept {
        the_host_events.free_all();
        the_host_handles.free_all();
    }

    // Releases the locks of threads that do not exist in the child.
    static void in_child_of_fork() noexcept;

    try_lock lock_;
    bool has_fork_handler_ = false;
    int host_level_ = 0;
};

inline constinit both_interfaces the_interfaces;

inline void both_interfaces::in_child_of_fork() noexcept {
    the_interfaces.lock_.release_other_threads();
    the_indices.release_other_threads();
}

} // namespace over_mpi
} // namespace mpit
