// SPDX-License-Identifier: BSD-3-Clause
// Passes calls on to a real MPI of the process, unchanged: arguments and handles are words for both. The library's own
// interface is never initialized then. A call searches for an MPI only if that interface is closed, so that a call on
// the library's own variables costs nothing more.
//
//   if (!is_initialized()) [[unlikely]] return passed::cvar_read(handle, buf);   // made by MPIT_C_FUNCTION
#pragma once

#include <mpit/mpi_t.h>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// One function under one of its names. The address is kept in epochs that were opened through this shared object. The
// name stands in the code that asks for it: a pointer to it would be relocated in each process.
struct passed_function {
    core::atomic<void*> next;
    core::atomic<passed_function*> following; // of those that have an address; itself at the end
};

class passing_on {
public:
    // The function of the MPI; null without an MPI, or if the MPI lacks the function. Takes no lock once the address is
    // kept.
    void* find(passed_function& function, const char* name) noexcept {
        void* known = function.next.load();
        return known != nullptr ? known : look_up(function, name);
    }

    // The first step of MPI_T_INIT_THREAD and of MPI_T_FINALIZE: true if the call was passed on, with the answer in
    // `code`. `call` calls the function that it gets. While the library's interface is open, no MPI is searched for: a
    // search takes the lock of the loader, which a thread may hold that is stopped. An MPI that is loaded meanwhile is
    // found when the next epoch begins.
    template <class Call> bool opens(passed_function&, const char* name, bool is_open, Call call, int& code) noexcept {
        real_mpi mpi;
        if (is_open || !mpi.find_if_news()) return false;
        code = MPI_T_ERR_CANNOT_INIT;
        void* held = mpi.hold();
        if (void* next = mpi.next(name)) code = call(next);
        if (code != MPI_SUCCESS) return real_mpi::let_go(held), true;
        held_.store(held);
        open_.fetch_add(1);
        return true;
    }
    template <class Call>
    bool closes(passed_function& function, const char* name, bool is_open, Call call, int& code) noexcept {
        void* next = is_open ? nullptr : find(function, name);
        if (next == nullptr) return false;
        code = call(next);
        if (code != MPI_SUCCESS || !take_one_open()) return true;
        void* held = held_.load();
        if (open_.load() == 0) forget_all();
        real_mpi::let_go(held);
        return true;
    }

private:
    [[gnu::cold, gnu::noinline]] void* look_up(passed_function& function, const char* name) noexcept {
        real_mpi mpi;
        void* next = mpi.next(name);
        if (next == nullptr || open_.load() == 0) return next;
        function.next.store(next);
        if (!function.following.replace(nullptr, &function)) return next; // it is in the list
        passed_function* first = known_.load();
        do function.following.store(first != nullptr ? first : &function);
        while (!known_.compare_exchange(first, &function));
        return next;
    }
    // Only finalizing what was initialized here lets go of the MPI: a tool may have called the MPI directly.
    bool take_one_open() noexcept {
        int open = open_.load();
        while (open > 0)
            if (open_.compare_exchange(open, open - 1)) return true;
        return false;
    }
    void forget_all() noexcept {
        for (passed_function* each = known_.load(); each != nullptr;) {
            passed_function* following = each->following.load();
            each->next.store(nullptr);
            if (following == each) break;
            each = following;
        }
    }

    core::atomic<int> open_;
    core::atomic<void*> held_;
    core::atomic<passed_function*> known_;
};

inline constinit passing_on the_passing_on;

template <class Function>
[[gnu::always_inline]] inline Function* next_function(passed_function& function, const char* name) noexcept {
    return reinterpret_cast<Function*>(the_passing_on.find(function, name));
}

} // namespace mpi_t
} // namespace mpit
