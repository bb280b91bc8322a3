// SPDX-License-Identifier: BSD-3-Clause
// The callback of one safety level. A delivery reads a whole callback at any moment, also in a signal handler that has
// interrupted its replacement: the new one is written beside the old one, then a word selects it.
//
//   slot.store({function, user_data, 1});   callback now = slot.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>

#include <sched.h>
#include <time.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::atomic;

// A function of the tool; the shims that received it know its type.
using tool_function = void (*)();

struct callback {
    tool_function function = nullptr;
    void* user_data = nullptr;
    std::uint64_t one_in = 1; // of so many instances the callback gets one
};

class callback_slot {
public:
    callback load() const noexcept {
        for (;;) {
            const std::uint32_t version = version_.load();
            const copy& present = copies_[version & 1];
            const callback seen{present.function.load(), present.user_data.load(), present.one_in.load()};
            if (version_.load() == version) return seen;
        }
    }
    // Changes the callback to what `change` makes of it; false if another thread is changing it and does not get on
    // for about a second, or for so many tries.
    template <class Change> bool change(Change change, int most_tries = 10'000) noexcept {
        for (int tries = 1; !changing_.replace(0, 1); tries++) {
            if (tries == most_tries) return false;
            const timespec pause{0, 100'000};
            if (tries < 100) sched_yield();
            else nanosleep(&pause, nullptr);
        }
        callback next = load();
        if (change(next)) {
            const std::uint32_t version = version_.load() + 1;
            copy& other = copies_[version & 1];
            other.function.store(next.function);
            other.user_data.store(next.user_data);
            other.one_in.store(next.one_in);
            version_.store(version, core::sequential);
        }
        changing_.store(0);
        return true;
    }
    // After a fork: the thread that was changing it may be one of the other process.
    void forget_other_threads() noexcept { changing_.store(0); }
    // Whether this instance is the one in so many.
    bool is_due(std::uint64_t one_in) noexcept {
        return one_in == 1 || passed_.fetch_add(1, core::relaxed) % one_in == 0;
    }

private:
    struct copy {
        atomic<tool_function> function;
        atomic<void*> user_data;
        atomic<std::uint64_t> one_in;
    };
    atomic<std::uint32_t> version_;
    atomic<std::uint32_t> changing_;
    atomic<std::uint64_t> passed_;
    copy copies_[2];
};

} // namespace internal
} // namespace mpit
