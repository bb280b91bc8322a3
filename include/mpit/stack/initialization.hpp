// MPI-5.0, 15.3.4 on top of a host: an epoch of ours is one of the host's as well.
#pragma once

#include <mpit/stack/host_handles.hpp>

#include <sched.h>

namespace mpit::inline v0_1::stack {

// Initializes and finalizes the tool interfaces of both; one thread at a time.
class both_interfaces {
public:
    int initialize(int required, int* provided) noexcept {
        const holding here{is_busy_};
        const bool has_host = c::is_initialized() ? the_host.is_there() : the_host.find();
        int level = required, level_of_host = required;
        if (has_host)
            if (const int wrong = the_host.init_thread(required, &level_of_host); wrong != MPI_SUCCESS) return wrong;
        const int code = own::init_thread(required, &level);
        if (code == MPI_SUCCESS) c::put(provided, level < level_of_host ? level : level_of_host);
        else if (has_host) the_host.finalize();
        return code;
    }
    int finalize() noexcept {
        const holding here{is_busy_};
        const int code = own::finalize();
        if (code != MPI_SUCCESS || !the_host.is_there()) return code;
        if (!c::is_initialized()) the_host_handles.free_all();
        return the_host.finalize();
    }

private:
    struct holding {
        explicit holding(atomic<int>& is_busy) noexcept : is_busy_{is_busy} {
            while (!is_busy_.replace(0, 1)) sched_yield();
        }
        ~holding() { is_busy_.store(0); }
        atomic<int>& is_busy_;
    };
    atomic<int> is_busy_;
};

MPIT_MODULE_LOCAL inline constinit both_interfaces the_interfaces;

} // namespace mpit::stack

// MPI_T_INIT_THREAD(required, provided). The level is the lower of the host's and ours. What the host refuses is refused.
MPIT_C_STACKED_FUNCTION(init_thread, (int required, int* provided)) {
    mpit::thread_level asked{};
    if (!mpit::c::level_of(required, asked)) return MPI_T_ERR_INVALID;
    return mpit::stack::the_interfaces.initialize(required, provided);
}

// MPI_T_FINALIZE(). The last one frees all sessions and handles, the host's before the host is finalized.
MPIT_C_STACKED_FUNCTION(finalize, (void)) { return mpit::stack::the_interfaces.finalize(); }
