// SPDX-License-Identifier: BSD-3-Clause
// The info objects of one library. An info object contains hints and has a handle. A handle can be checked at any time,
// even after free(). Each info object has a separate mutex, so that threads with distinct objects never wait for each
// other. No function is async-signal-safe. Info objects need no initialized MPI (MPI-5.0, chapter 10 and 11.4.1).
//
//   mpit::info empty;  std::uint64_t handle = 0;  the_info_objects.add(empty, handle);
//   the_info_objects.use(handle, [&](mpit::info& hints) { … });
#pragma once

#include <mpit/concurrency/fork_gate.hpp>
#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/info.hpp>
#include <mpit/info/fortran_integers.hpp>

#include <pthread.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// Locks a mutex in the constructor and unlocks the mutex in the destructor.
class mutex_guard {
public:
    explicit mutex_guard(pthread_mutex_t& mutex) noexcept : mutex_{mutex} { pthread_mutex_lock(&mutex_); }
    ~mutex_guard() { pthread_mutex_unlock(&mutex_); }
    mutex_guard(const mutex_guard&) = delete;
    mutex_guard& operator=(const mutex_guard&) = delete;

private:
    pthread_mutex_t& mutex_;
};

class info_objects {
public:
    // Creates an info object and moves `hints` into the info object. If memory is exhausted, `hints` does not change.
    result add(info& hints, std::uint64_t& handle) noexcept {
        std::uint64_t word = 0;
        const core::fork_gate::inside fork_guard{core::the_fork_gate};
        slot* object = pool_.take(word);
        if (object == nullptr) return result::out_of_memory;
        object->hints.exchange(hints);
        object->word.store(word);
        handle = word;
        return result::success;
    }

    bool is_valid(std::uint64_t handle) noexcept { return pool_.find(handle) != nullptr; }

    // Calls `use` while this thread holds the info object's mutex. Returns false if the handle is invalid.
    template <class Use> bool use(std::uint64_t handle, Use use) noexcept {
        slot* object = pool_.find(handle);
        if (object == nullptr) return false;
        const core::fork_gate::inside fork_guard{core::the_fork_gate};
        const mutex_guard lock{object->mutex};
        if (object->word.load() != handle) return false; // another thread has freed the object
        use(object->hints);
        return true;
    }

    // Frees the info object when no other thread uses it. Returns false if the handle is invalid.
    bool free(std::uint64_t handle) noexcept {
        slot* object = pool_.find(handle);
        if (object == nullptr) return false;
        const core::fork_gate::inside fork_guard{core::the_fork_gate};
        {
            const mutex_guard lock{object->mutex};
            if (!pool::close(*object, handle)) return false;
            info freed_hints;
            object->hints.exchange(freed_hints);
            if (object->integer != info_integer::none) integers_.end(object->integer);
            object->integer = info_integer::none;
        }
        pool_.release(*object, handle);
        return true;
    }

    // Returns the Fortran INTEGER of an info object, or none if the handle is invalid or memory is exhausted.
    std::uint32_t integer_of(std::uint64_t handle) noexcept {
        slot* object = pool_.find(handle);
        if (object == nullptr) return info_integer::none;
        const core::fork_gate::inside fork_guard{core::the_fork_gate};
        const mutex_guard lock{object->mutex};
        if (object->word.load() != handle) return info_integer::none;
        if (object->integer == info_integer::none) object->integer = integers_.give(handle);
        return object->integer;
    }
    // Returns the handle of an INTEGER, or an invalid handle if no info object has the INTEGER.
    std::uint64_t handle_of(std::uint32_t integer) noexcept {
        const std::uint64_t handle = integers_.handle_of(integer);
        return handle != 0 ? handle : core::handle_word::make(tag, 0, 0);
    }

    // Unlocks all mutexes in the child of a fork, because threads of the parent may have held mutexes.
    void reset_other_threads() noexcept {
        pool_.each_slot(pool_.slot_count(), [](slot& object) { object.mutex = PTHREAD_MUTEX_INITIALIZER; });
    }

private:
    // Zeroed memory is a valid slot, with an unlocked mutex and no hints.
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

// The info objects. Each shared object with shims has its own info objects.
inline constinit info_objects the_info_objects;

} // namespace session
} // namespace mpit
