// SPDX-License-Identifier: BSD-3-Clause
// A pair of fences that orders a store before a later load. The light side, which runs often, is a compiler barrier;
// the heavy side makes the kernel run a fence on every processor that runs the process.
//
//   often:   announce.store(1);  fences.light();  if (!closed.load()) …
//   seldom:  closed.store(1);    fences.heavy();  if (announce.load() == 0) …
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// Which sides run a fence; decided once in a process, before the first heavy fence. ThreadSanitizer knows no fences:
// where it reads, both sides must be sequential operations anyway.
class fence_pair {
public:
    // Until the decision is made, light fences are whole ones.
    void decide() noexcept {
        if (choice_.load() == undecided) choice_.replace(undecided, the_kernel_helps() ? one_side : both_sides);
    }
    void light() const noexcept { light(is_one_sided()); }
    // The same for callers that keep the decision, which never changes.
    static void light(bool is_one_sided) noexcept {
        if (!is_one_sided) [[unlikely]]
            whole();
        __asm__ __volatile__("" ::: "memory");
    }
    bool is_one_sided() const noexcept { return choice_.load(relaxed) == one_side; }
    // For one side alone, where both come seldom.
    static void whole() noexcept { whole_fence(); }
    // After a fork the new process may have to ask for the help again. If the kernel helps no more, it takes a
    // millisecond: a store waits in the buffer of a processor much less.
    void heavy() const noexcept {
        whole();
        if (choice_.load() != one_side || every_processor() || (the_kernel_helps() && every_processor())) return;
        rest();
    }

private:
    enum : std::uint8_t { undecided, both_sides, one_side };

    static bool the_kernel_helps() noexcept {
        return !MPIT_THREAD_SANITIZER && call(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    }
    // Yields, since a sleep may be refused as well.
    [[gnu::cold, gnu::noinline]] static void rest() noexcept {
        constexpr std::uint64_t millisecond = 1'000'000;
        const int kept = errno;
        bounded_wait{millisecond}.wait_while([] { return true; });
        whole();
        errno = kept;
    }
    static bool every_processor() noexcept { return call(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }
    static bool call(int command) noexcept {
        const int kept = errno;
        const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
        errno = kept;
        return done;
    }

    atomic<std::uint8_t> choice_{undecided};
};

} // namespace core
} // namespace mpit
