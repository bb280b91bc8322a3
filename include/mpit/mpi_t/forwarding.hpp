// SPDX-License-Identifier: BSD-3-Clause
// Forwards calls to a real MPI of the process, unchanged: each argument is one word, whatever its type is in the MPI.
// The library's own interface is never initialized then. A call searches for an MPI only while that interface is not
// initialized, so that calls on the library's own variables have no additional cost.
//
//   if (!is_initialized()) [[unlikely]] return forwarding::cvar_read(handle, buf);   // see mpit/mpi_t/entries.hpp
#pragma once

#include <mpit/mpi_t.h>
#include <mpit/mpi_t/real_mpi.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// One function under one of its names, with its address in the MPI during epochs that began through this shared object.
// The name is an argument of the search: a pointer to it in this object would be relocated in each process.
struct forwarded_function {
    core::atomic<void*> address;
    core::atomic<forwarded_function*> next; // in the list of functions with an address; the last one refers to itself
};

class forwarder {
public:
    // Returns the function of the MPI, or null without an MPI, or if that lacks the function. Takes no lock if the
    // address is stored.
    void* find(forwarded_function& function, const char* name) noexcept {
        void* address = function.address.load();
        return address != nullptr ? address : look_up(function, name);
    }

    // The first steps of MPI_T_INIT_THREAD and MPI_T_FINALIZE. They return true, with the MPI's `code`, if the call was
    // passed on: `call` calls the function at an address. No MPI is searched for while the library's interface is open,
    // because a search takes the lock of the loader, which a stopped thread may hold. An MPI that is loaded meanwhile
    // is found when the next epoch begins.
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
        function.address.store(address);
        if (!function.next.compare_and_set(nullptr, &function)) return address; // it is in the list already
        forwarded_function* first = first_.load();
        do function.next.store(first != nullptr ? first : &function);
        while (!first_.compare_exchange(first, &function));
        return address;
    }
    // Returns false for a finalize without an init_thread that was passed on: a tool may have called the MPI directly.
    bool decrement_open_count() noexcept {
        int count = open_count_.load();
        while (count > 0)
            if (open_count_.compare_exchange(count, count - 1)) return true;
        return false;
    }
    void clear_addresses() noexcept {
        for (forwarded_function* function = first_.load(); function != nullptr;) {
            forwarded_function* next = function->next.load();
            function->address.store(nullptr);
            if (next == function) break;
            function = next;
        }
    }

    core::atomic<int> open_count_;            // calls of init_thread that were passed on, without their finalize
    core::atomic<void*> loader_handle_;       // keeps the MPI loaded
    core::atomic<forwarded_function*> first_; // of a list to which each function is added once, and never removed
};

inline constinit forwarder the_forwarder;

template <class Function>
[[gnu::always_inline]] inline Function* next_function(forwarded_function& function, const char* name) noexcept {
    return reinterpret_cast<Function*>(the_forwarder.find(function, name));
}

} // namespace mpi_t
} // namespace mpit
