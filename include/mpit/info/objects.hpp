// SPDX-License-Identifier: BSD-3-Clause
// The info objects of one library: hints behind handles that can be checked at any age. Each object has its own mutex,
// so that distinct objects never wait for each other; no function is async-signal-safe. They need no initialization and
// live until free() (MPI-5.0, chapter 10 and 11.4.1).
//
//   mpit::info empty;  std::uint64_t handle = 0;  the_info_objects.add(empty, handle);
//   the_info_objects.use(handle, [&](mpit::info& hints) { … });
#pragma once

#include <mpit/concurrency/fork_gate.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/info.hpp>
#include <mpit/info/fortran_integers.hpp>

#include <pthread.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// Holds a mutex for the length of a block.
class locked {
public:
    explicit locked(pthread_mutex_t& mutex) noexcept : mutex_{mutex} { pthread_mutex_lock(&mutex_); }
    ~locked() { pthread_mutex_unlock(&mutex_); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;

private:
    pthread_mutex_t& mutex_;
};

class info_objects {
public:
    // A new object that takes the hints; without memory they stay where they are.
    result add(info& hints, std::uint64_t& handle) noexcept {
        std::uint64_t word = 0;
        const core::fork_gate::inside here{core::the_fork_gate};
        slot* fresh = pool_.take(word);
        if (fresh == nullptr) return result::out_of_memory;
        fresh->hints.exchange(hints);
        fresh->word.store(word);
        handle = word;
        return result::success;
    }

    bool is_valid(std::uint64_t handle) noexcept { return pool_.find(handle) != nullptr; }

    // Calls `use` under the object's mutex. Returns false if it is not a handle.
    template <class Use> bool use(std::uint64_t handle, Use use) noexcept {
        slot* found = pool_.find(handle);
        if (found == nullptr) return false;
        const core::fork_gate::inside here{core::the_fork_gate};
        const locked lock{found->mutex};
        if (found->word.load() != handle) return false; // freed while this thread waited
        use(found->hints);
        return true;
    }

    // Waits for the users of the object. Returns false if it is not a handle.
    bool free(std::uint64_t handle) noexcept {
        slot* found = pool_.find(handle);
        if (found == nullptr) return false;
        const core::fork_gate::inside here{core::the_fork_gate};
        {
            const locked lock{found->mutex};
            if (!pool::close(*found, handle)) return false;
            info ended;
            found->hints.exchange(ended);
            if (found->integer != info_integer::none) integers_.end(found->integer);
            found->integer = info_integer::none;
        }
        pool_.release(*found, handle);
        return true;
    }

    // The object's INTEGER, for Fortran, which it has until it is freed; none for what is not a handle, and without
    // memory.
    std::uint32_t integer_of(std::uint64_t handle) noexcept {
        slot* found = pool_.find(handle);
        if (found == nullptr) return info_integer::none;
        const core::fork_gate::inside here{core::the_fork_gate};
        const locked lock{found->mutex};
        if (found->word.load() != handle) return info_integer::none;
        if (found->integer == info_integer::none) found->integer = integers_.give(handle);
        return found->integer;
    }
    // For what is not an object's INTEGER a handle that is none.
    std::uint64_t handle_of(std::uint32_t integer) noexcept {
        const std::uint64_t handle = integers_.handle_of(integer);
        return handle != 0 ? handle : core::handle_word::make(tag, 0, 0);
    }

    // For the child of a fork that has copied a thread inside: no object is in use.
    void forget_other_threads() noexcept {
        pool_.each_slot(pool_.slot_count(), [](slot& s) { s.mutex = PTHREAD_MUTEX_INITIALIZER; });
    }

private:
    // In zeroed memory the mutex is open and the hints are empty.
    struct slot : core::slot_header {
        pthread_mutex_t mutex;
        info hints;
        std::uint32_t integer;
    };
    using pool = core::slot_pool<slot>;
    static constexpr std::uint8_t tag = descriptor::handle_tag::info_object;

    pool pool_{tag};
    info_integers integers_;
};

// One for each shared object with shims.
inline constinit info_objects the_info_objects;

} // namespace session
} // namespace mpit
