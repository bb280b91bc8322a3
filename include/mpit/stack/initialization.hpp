// MPI-5.0, 15.3.4 on top of a host: epochs are counted here, and the first one initializes the host for the life of the process.
#pragma once

#include <mpit/stack/discovery.hpp>
#include <mpit/stack/host_events.hpp>
#include <mpit/stack/host_handles.hpp>

#include <pthread.h>
#include <sched.h>

namespace mpit::inline v0_1::stack {

// One thread at a time. The tool interface of the host is not finalized: MPICH 4.0.2 crashes after another initialization,
// and Open MPI 4.1.4 gives its things other numbers.
class MPIT_MODULE_LOCAL both_interfaces {
public:
    int initialize(int required, int* provided) noexcept {
        const holding here{is_busy_};
        if (const int wrong = initialize_host(required); wrong != MPI_SUCCESS) return wrong;
        int level = required;
        const int code = own::init_thread(required, &level);
        if (code != MPI_SUCCESS) return code;
        c::put(provided, has_host_ && level_of_host_ < level ? level_of_host_ : level);
        return MPI_SUCCESS;
    }
    int finalize() noexcept {
        const holding here{is_busy_};
        const int code = own::finalize();
        if (code == MPI_SUCCESS && !c::is_initialized()) {
            the_host_events.free_all();
            the_host_handles.free_all();
        }
        return code;
    }

private:
    struct holding {
        explicit holding(atomic<int>& is_busy) noexcept : is_busy_{is_busy} {
            while (!is_busy_.replace(0, 1)) sched_yield();
        }
        ~holding() { is_busy_.store(0); }
        atomic<int>& is_busy_;
    };
    // A host that was not there where an epoch began may have come with a plugin when the next one begins.
    int initialize_host(int required) noexcept {
        if (!is_told_of_forks_) is_told_of_forks_ = pthread_atfork(nullptr, nullptr, &in_child_of_fork) == 0;
        if (has_host_ || c::is_initialized() || !the_host.find() || has_ended_with(the_host)) return MPI_SUCCESS;
        level_of_host_ = required;
        const int code = the_host.init_thread(required, &level_of_host_);
        has_host_ = code == MPI_SUCCESS;
        if (has_host_) keep_plugins();
        return code;
    }

    // Threads that were inside are not in the child.
    static void in_child_of_fork() noexcept;

    atomic<int> is_busy_;
    bool is_told_of_forks_ = false;
    bool has_host_ = false;
    int level_of_host_ = 0;
};

MPIT_MODULE_LOCAL inline constinit both_interfaces the_interfaces;

MPIT_MODULE_LOCAL inline void both_interfaces::in_child_of_fork() noexcept {
    the_interfaces.is_busy_.store(0);
    the_numbers.forget_other_threads();
}

} // namespace mpit::stack

// MPI_T_INIT_THREAD(required, provided). The level is the lower of the host's and ours. What the host refuses is refused.
MPIT_C_STACKED_FUNCTION(init_thread, (int required, int* provided)) {
    mpit::thread_level asked{};
    if (!mpit::c::level_of(required, asked)) return MPI_T_ERR_INVALID;
    return mpit::stack::the_interfaces.initialize(required, provided);
}

// MPI_T_FINALIZE(). The last one frees all sessions and handles, the host's as well.
MPIT_C_STACKED_FUNCTION(finalize, (void)) { return mpit::stack::the_interfaces.finalize(); }
