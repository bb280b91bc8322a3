// SPDX-License-Identifier: BSD-3-Clause
// The callback of a safety level, as a sequence lock (Boehm, "Can seqlocks get along with programming language memory
// models?", MSPC 2012) with two copies: a change fills the inactive one, then its store to the version selects it. So a
// delivery reads a consistent callback also in a signal handler that has interrupted a change.
//
//   slot.change([&](callback& entry) { return entry = {function, data, 1}, true; });   callback entry = slot.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <sched.h>
#include <time.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

// A function of the tool. The shims that received it cast it back to its type.
using tool_function = void (*)();

struct callback {
    tool_function function = nullptr;
    void* user_data = nullptr;
    std::uint64_t one_in = 1; // sampling: the function is called for one instance in so many
};

class callback_slot {
public:
    // The loads pair with the stores in change(): a word of a later change makes the second load of the version differ.
    callback load() const noexcept {
        for (;;) {
            const std::uint32_t version = version_.load();
            const copy& active = copies_[version & 1];
            const callback entry{active.function.load(), active.user_data.load(), active.one_in.load()};
            if (version_.load() == version) return entry;
        }
    }
    // Calls `change(entry)`, and stores the entry if that returns true. Returns false if another thread is inside
    // change() for `most_tries` tries, about a second by default: it may be stopped there.
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
    // In the child of a fork: the thread inside change() may be one of the parent.
    void reset_other_threads() noexcept { changing_.store(0); }
    // Counts an instance. True for the first one of each `one_in` instances.
    bool is_due(std::uint64_t one_in) noexcept {
        return one_in == 1 || passed_.fetch_add(1, core::relaxed) % one_in == 0;
    }

private:
    struct copy {
        atomic<tool_function> function;
        atomic<void*> user_data;
        atomic<std::uint64_t> one_in;
    };
    atomic<std::uint32_t> version_; // its lowest bit is the index of the active copy
    atomic<std::uint32_t> changing_;
    atomic<std::uint64_t> passed_;
    copy copies_[2];
};

} // namespace internal
} // namespace mpit
