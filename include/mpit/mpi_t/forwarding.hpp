// SPDX-License-Identifier: BSD-3-Clause
// Forwards calls of MPI_T functions to a real MPI of the process, from a library that only has variables of its own.
// The arguments are forwarded unchanged, because each argument is one machine word in every MPI. While the library's
// own interface is initialized, calls are not forwarded and cost no extra time.
//
//   if (!is_initialized()) [[unlikely]] return forwarding::cvar_read(handle, buf);   // see mpit/mpi_t/entries.hpp
#pragma once

#include <mpit/mpi_t.h>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// A forwarded function of the interface, with the plain name or the profiling name. A forwarded MPI_T_init_thread
// stores the address of the MPI's function, and the matching MPI_T_finalize clears it. The function's name is an
// argument of find(), because the loader would relocate a stored pointer to the name in each process.
struct forwarded_function {
    core::atomic<void*> address;
    core::atomic<forwarded_function*> next; // next function in the list; the last function refers to itself
};

class forwarder {
public:
    // Returns the address of the MPI's function, or null if the process has no MPI or the MPI lacks the function. Takes
    // no lock if the address is already stored.
    void* find(forwarded_function& function, const char* name) noexcept {
        void* address = function.address.load();
        return address != nullptr ? address : look_up(function, name);
    }

    // MPI_T_init_thread first calls init(), and MPI_T_finalize first calls finalize(). init() and finalize() return
    // true if they have forwarded the call, with the error code of the MPI in `code`. `call(address)` calls the MPI's
    // function at `address`. The argument `is_open` says whether the library's own interface is initialized. While the
    // interface is initialized, init() does not search for an MPI. A search takes the loader's lock, and a stopped
    // thread may hold this lock. If an MPI is loaded while the interface is initialized, the first init() after the
    // last finalize() finds the MPI.
    template <class Call>
    bool init(forwarded_function&, const char* name, bool is_open, Call call, int& code) noexcept {
        real_mpi mpi;
        if (is_open || !mpi.find_if_changed()) return false;
        code = MPI_T_ERR_CANNOT_INIT;
        void* loader_handle = mpi.keep_loaded();
        if (void* address = mpi.next(name)) code = call(address);
        if (code != MPI_SUCCESS) return real_mpi::release(loader_handle), true;
        loader_handle_.store(loader_handle);
        open_count_.fetch_add(1);
        return true;
    }
    template <class Call>
    bool finalize(forwarded_function& function, const char* name, bool is_open, Call call, int& code) noexcept {
        void* address = is_open ? nullptr : find(function, name);
        if (address == nullptr) return false;
        code = call(address);
        if (code != MPI_SUCCESS || !decrement_open_count()) return true;
        void* loader_handle = loader_handle_.load();
        if (open_count_.load() == 0) clear_addresses();
        real_mpi::release(loader_handle);
        return true;
    }

private:
    [[gnu::cold, gnu::noinline]] void* look_up(forwarded_function& function, const char* name) noexcept {
        real_mpi mpi;
        void* address = mpi.next(name);
        if (address == nullptr || open_count_.load() == 0) return address;
        if (function.next.compare_and_set(nullptr, &function)) { // the function is not in the list yet
            forwarded_function* first = first_.load();
            do function.next.store(first != nullptr ? first : &function);
            while (!first_.compare_exchange(first, &function));
        }
        // Dekker pattern with finalize(), which changes open_count_ and then clears the addresses.
        function.address.store(address, core::seq_cst);
        if (open_count_.load(core::seq_cst) == 0) function.address.store(nullptr);
        return address;
    }
    // Returns false if no forwarded MPI_T_init_thread matches an MPI_T_finalize, for example because a tool has called
    // the MPI's MPI_T_init_thread directly.
    bool decrement_open_count() noexcept {
        int count = open_count_.load();
        while (count > 0)
            if (open_count_.compare_exchange(count, count - 1)) return true;
        return false;
    }
    void clear_addresses() noexcept {
        for (forwarded_function* function = first_.load(); function != nullptr;) {
            forwarded_function* next = function->next.load();
            function->address.store(nullptr, core::seq_cst);
            if (next == function) break;
            function = next;
        }
    }

    core::atomic<int> open_count_;            // forwarded init_thread calls without a forwarded finalize
    core::atomic<void*> loader_handle_;       // loader handle that keeps the MPI loaded
    core::atomic<forwarded_function*> first_; // first element of the list, from which no function is removed
};

inline constinit forwarder the_forwarder;

template <class Function>
[[gnu::always_inline]] inline Function* next_function(forwarded_function& function, const char* name) noexcept {
    return reinterpret_cast<Function*>(the_forwarder.find(function, name));
}

} // namespace mpi_t
} // namespace mpit
