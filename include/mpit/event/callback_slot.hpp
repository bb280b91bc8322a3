// SPDX-License-Identifier: BSD-3-Clause
// The callback for one safety level, in a sequence lock with two copies (Boehm, "Can seqlocks get along with
// programming language memory models?", MSPC 2012). A change fills the inactive copy and then activates this copy by a
// store to the version. A delivery therefore reads a consistent callback even in a signal handler that has interrupted
// a change.
//
//   slot.change([&](callback& entry) { return entry = {function, data, 1}, true; });   callback entry = slot.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <sched.h>
#include <time.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

// A function of the tool with its type erased. The shims that received the function cast the pointer back for a call.
using tool_function = void (*)();

struct callback {
    tool_function function = nullptr;
    void* user_data = nullptr;
    std::uint64_t one_in = 1; // sampling period, because the function is called for one of `one_in` instances
};

class callback_slot {
public:
    // The acquire loads pair with the release stores in change(). If a load reads a word of a later change, the second
    // load of the version reads another number.
    callback load() const noexcept {
        for (;;) {
            const std::uint32_t version = version_.load();
            const copy& active = copies_[version & 1];
            const callback entry{active.function.load(), active.user_data.load(), active.one_in.load()};
            if (version_.load() == version) return entry;
        }
    }
    // Calls `change(entry)`, and stores `entry` if `change` returns true. Returns false if another thread is still
    // inside change() after `most_tries` tries, which take about one second by default. That thread may have been
    // stopped.
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
    // Called in the child of a fork. Unlocks change(), because only the parent may have the thread inside change().
    void reset_other_threads() noexcept { changing_.store(0); }
    // Counts an instance. Returns true for one of every `one_in` instances.
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
