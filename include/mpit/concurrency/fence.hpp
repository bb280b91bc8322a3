// SPDX-License-Identifier: BSD-3-Clause
// An asymmetric fence (P1202) orders a store before a later load on both sides of a protocol, so that at least one side
// reads the store of the other side (the Dekker pattern, store buffering). The light side runs often and is a compiler
// barrier. The heavy side makes the kernel run a fence on every processor that runs the process.
//
//   often:   announce.store(1);  fences.light();  if (!closed.load()) ...
//   seldom:  closed.store(1);    fences.heavy();  if (announce.load() == 0) ...
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/concurrency/bounded_wait.hpp>

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// If the kernel has no membarrier(), both sides run a seq_cst fence. register_process() chooses the kind of fence once,
// before the first heavy fence. Under ThreadSanitizer, which has no fences, both sides need seq_cst operations.
class asymmetric_fence {
public:
    // Registers the process with membarrier(). Before the registration every light fence is a seq_cst fence.
    void register_process() noexcept {
        if (choice_.load() == undecided)
            choice_.compare_and_set(undecided, register_membarrier() ? asymmetric : symmetric);
    }
    void light() const noexcept { light(is_light_free()); }
    // Runs the light side of the fence. A caller may store is_light_free(), because true never becomes false.
    static void light(bool is_light_free) noexcept {
        if (!is_light_free) [[unlikely]]
            seq_cst();
        __asm__ __volatile__("" ::: "memory");
    }
    // Returns true if the light side is a compiler barrier without an instruction.
    bool is_light_free() const noexcept { return choice_.load(relaxed) == asymmetric; }
    // Runs a seq_cst fence, for protocols in which both sides run seldom.
    static void seq_cst() noexcept { seq_cst_fence(); }
    // Runs the heavy side of the fence. After a fork the child process may have to register with membarrier() again. If
    // the kernel refuses membarrier(), as in a sandbox, heavy() waits for a millisecond, in which store buffers drain.
    void heavy() const noexcept {
        seq_cst();
        if (choice_.load() != asymmetric || run_membarrier() || (register_membarrier() && run_membarrier())) return;
        wait_for_store_buffers();
    }

private:
    enum : std::uint8_t { undecided, symmetric, asymmetric };

    static bool register_membarrier() noexcept {
        return !MPIT_THREAD_SANITIZER && membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
    }
    static bool run_membarrier() noexcept { return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); }
    static bool membarrier(int command) noexcept {
        const int saved_errno = errno;
        const bool is_done = syscall(SYS_membarrier, command, 0, 0) == 0;
        errno = saved_errno;
        return is_done;
    }
    // Yields and never sleeps, because a sandbox may refuse the system call that sleeps.
    [[gnu::cold, gnu::noinline]] static void wait_for_store_buffers() noexcept {
        constexpr std::uint64_t millisecond = 1'000'000;
        const int saved_errno = errno;
        bounded_wait{millisecond}.wait_while([] { return true; });
        seq_cst();
        errno = saved_errno;
    }

    atomic<std::uint8_t> choice_{undecided};
};

} // namespace core
} // namespace mpit
