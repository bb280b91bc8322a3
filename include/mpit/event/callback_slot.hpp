// SPDX-License-Identifier: BSD-3-Clause
// Stores the callback for one safety level in a sequence lock with two copies (Boehm, "Can seqlocks get along with
// programming language memory models?", MSPC 2012). A change fills the inactive copy and activates this copy by a store
// to the version. A delivery therefore reads a consistent callback even in a signal handler that interrupts a change.
//
//   slot.change([&](callback& entry) { return entry = {function, data, 1}, true; });   callback entry = slot.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <sched.h>
#include <time.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

// A pointer to a function of the tool, cast to one common type. The caller casts the pointer back to its true type.
using tool_function = void (*)();

struct callback {
    tool_function function = nullptr;
    void* user_data = nullptr;
    std::uint64_t one_in = 1; // sampling period, because the function is called for one of `one_in` instances
};

class callback_slot {
public:
    // The acquire loads of the active copy pair with the release stores in change(). If load() reads a value of a later
    // change, its second load of the version number returns another number, and load() tries again.
    callback load() const noexcept {
        for (;;) {
            const std::uint32_t version = version_.load();
            const copy& active = copies_[version & 1];
            const callback entry{active.function.load(), active.user_data.load(), active.one_in.load()};
            if (version_.load() == version) return entry;
        }
    }
    // Calls `change(entry)` with a copy of the callback, and stores the copy if `change` returns true. Returns false if
    // another thread is still inside change() after `most_tries` tries, by default after about one second. The wait is
    // limited, because the other thread may have been stopped inside change().
    template <class Change> bool change(Change change, int most_tries = 10'000) noexcept {
        for (int tries = 1; !changing_.compare_and_set(0, 1); tries++) {
            if (tries == most_tries) return false;
            const timespec pause{0, 100'000};
            if (tries < 100) sched_yield();
            else nanosleep(&pause, nullptr);
        }
        callback entry = load();
        if (change(entry)) {
            const std::uint32_t version = version_.load() + 1;
            copy& inactive = copies_[version & 1];
            inactive.function.store(entry.function);
            inactive.user_data.store(entry.user_data);
            inactive.one_in.store(entry.one_in);
            version_.store(version, core::seq_cst);
        }
        changing_.store(0);
        return true;
    }
    // Releases the lock of change() in the child of a fork, because the lock's holder may exist only in the parent.
    void reset_other_threads() noexcept { changing_.store(0); }
    // Counts an event instance, and returns true for one of every `one_in` instances, for which the callback is called.
    bool is_due(std::uint64_t one_in) noexcept {
        return one_in == 1 || passed_.fetch_add(1, core::relaxed) % one_in == 0;
    }

private:
    struct copy {
        atomic<tool_function> function;
        atomic<void*> user_data;
        atomic<std::uint64_t> one_in;
    };
    atomic<std::uint32_t> version_; // the lowest bit is the index of the active copy
    atomic<std::uint32_t> changing_;
    atomic<std::uint64_t> passed_;
    copy copies_[2];
};

} // namespace internal
} // namespace mpit
