// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.4 on top of a host: epochs are counted here, and the first one initializes the host for the life of the
// process.
#pragma once

#include <mpit/host/thread_level.hpp>
#include <mpit/mpi_t/registry_provider.hpp>
#include <mpit/over_mpi/discovery.hpp>
#include <mpit/over_mpi/host_events.hpp>
#include <mpit/over_mpi/host_handles.hpp>

#include <pthread.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// One thread at a time. The tool interface of the host is not finalized: MPICH 4.0.2 crashes after another
// initialization, and Open MPI 4.1.4 gives its things other numbers.
class both_interfaces {
public:
    using own = mpi_t::registry_provider;

    // A call from inside the host's own initialization, by a plugin that the host opens, counts an epoch of ours only;
    // the host's variables come when the host is ready. MPI_T_ERR_CANNOT_INIT if another thread is inside for about a
    // second.
    int initialize(thread_level required, int* provided) noexcept {
        if (lock_.is_own()) return own::initialize(required, provided);
        int code = MPI_T_ERR_CANNOT_INIT;
        lock_.take([&] { code = initialize_both(required, provided); });
        return code;
    }
    // Where another thread is inside for about a second, what is left of the host's is freed when the next epoch
    // begins.
    int finalize() noexcept {
        if (lock_.is_own()) return own::finalize();
        int code = MPI_SUCCESS;
        const bool is_alone = lock_.take([&] {
            code = own::finalize();
            if (code == MPI_SUCCESS && !mpi_t::is_initialized()) free_all_of_host();
        });
        return is_alone ? code : own::finalize();
    }

private:
    int initialize_both(thread_level required, int* provided) noexcept {
        const bool begins = !mpi_t::is_initialized();
        if (begins) free_all_of_host();
        // Our epoch begins first, so that the first call decides the level for calls from inside the host's
        // initialization.
        int level = mpi_t::constant_of(required);
        if (const int wrong = own::initialize(required, &level); wrong != MPI_SUCCESS) return wrong;
        if (const int wrong = begins ? initialize_host() : MPI_SUCCESS; wrong != MPI_SUCCESS) {
            own::finalize();
            return wrong;
        }
        mpi_t::put(provided, the_host.is_open() && level_of_host_ < level ? level_of_host_ : level);
        return MPI_SUCCESS;
    }
    // A host that was not there where an epoch began may have come with a plugin when the next one begins. It is asked
    // for the highest level, because it stays initialized while epochs of other levels come. Where it may only be asked
    // for the program's level, its answer says nothing of the tool interface: Open MPI locks that at every level.
    int initialize_host() noexcept {
        if (!has_fork_handler_) has_fork_handler_ = pthread_atfork(nullptr, nullptr, &in_child_of_fork) == 0;
        if (the_host.is_open() || !the_host.find() || has_ended_with(the_host)) return MPI_SUCCESS;
        const int asked = host::level_to_ask(
            {the_host.is_initialized, the_host.is_finalized, the_host.query_thread, the_host.get_library_version},
            MPI_THREAD_MULTIPLE);
        int answer = asked;
        const int code = the_host.init_thread(asked, &answer);
        if (code != MPI_SUCCESS) return code;
        level_of_host_ = asked < MPI_THREAD_MULTIPLE ? int{MPI_THREAD_MULTIPLE} : answer;
        the_host.open();
        keep_plugins(the_host.which());
        return MPI_SUCCESS;
    }
    static void free_all_of_host() noexcept {
        the_host_events.free_all();
        the_host_handles.free_all();
    }

    // Threads that were inside are not in the child.
    static void in_child_of_fork() noexcept;

    try_lock lock_;
    bool has_fork_handler_ = false;
    int level_of_host_ = 0;
};

inline constinit both_interfaces the_interfaces;

inline void both_interfaces::in_child_of_fork() noexcept {
    the_interfaces.lock_.forget_other_threads();
    the_numbers.forget_other_threads();
}

} // namespace over_mpi
} // namespace mpit
