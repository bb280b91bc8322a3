// SPDX-License-Identifier: BSD-3-Clause
// Initializes and finalizes the tool interface on top of a host MPI (MPI-5.0, 15.3.4). An init/finalize epoch lasts
// from the first initialization to the last finalization. The host MPI stays initialized after an epoch.
#pragma once

#include <mpit/host/thread_level.hpp>
#include <mpit/mpi_t/registry_provider.hpp>
#include <mpit/over_mpi/discovery.hpp>
#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/host_handles.hpp>

#include <pthread.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using mpi_t::registry_provider;

// Initializes and finalizes the tool interfaces of mpit and of the host MPI, one thread at a time. The tool interface
// of the host MPI is never finalized. If the tool interface were initialized again, MPICH 4.0.2 would crash, and Open
// MPI 4.1.4 would assign other indices.
class both_interfaces {
public:
    // Begins an init/finalize epoch or enters the current epoch. A plugin that the host MPI loads may call this
    // function while the host MPI is being initialized. A call from a plugin initializes only mpit, because the outer
    // call initializes the host MPI. Returns MPI_T_ERR_CANNOT_INIT if another thread holds the lock for about a second.
    int initialize(thread_level required, int* provided) noexcept {
        if (lock_.is_held_by_this_thread()) return registry_provider::initialize(required, provided);
        int code = MPI_T_ERR_CANNOT_INIT;
        lock_.take([&] { code = initialize_both(required, provided); });
        return code;
    }
    // Leaves the current init/finalize epoch, and ends the epoch if no other initialization remains. If another thread
    // holds the lock for about a second, the handles of the host MPI are freed only when the next epoch begins.
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
        // The epoch of mpit begins before the host MPI is initialized, so that the tool's call determines the thread
        // level. During its initialization the host MPI may load a plugin that also initializes mpit.
        int level = mpi_t::constant_of(required);
        if (const int code = registry_provider::initialize(required, &level); code != MPI_SUCCESS) return code;
        if (const int code = begins_epoch ? initialize_host() : MPI_SUCCESS; code != MPI_SUCCESS) {
            registry_provider::finalize();
            return code;
        }
        mpi_t::put(provided, the_host.is_open() && host_level_ < level ? host_level_ : level);
        return MPI_SUCCESS;
    }
    // Called at the beginning of each epoch, because a plugin may have loaded the host MPI since the last epoch.
    // Requests the highest thread level, because the host MPI stays initialized and later epochs may need a higher
    // level. Only for Open MPI, level_to_request() may return a lower level. mpit then ignores the level that Open MPI
    // provides, because Open MPI protects the tool interface by a lock at every thread level.
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

    // In the child of a fork, releases the locks that are held by threads of the parent.
    static void in_child_of_fork() noexcept;

    try_lock lock_;
    bool has_fork_handler_ = false;
    int host_level_ = 0;
};

inline constinit both_interfaces the_interfaces;

inline void both_interfaces::in_child_of_fork() noexcept {
    the_interfaces.lock_.release_other_threads();
    the_indices.release_other_threads();
    the_host_handles.release_other_threads();
}

} // namespace over_mpi
} // namespace mpit
