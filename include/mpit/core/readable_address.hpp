// SPDX-License-Identifier: BSD-3-Clause
// Checks by a system call, without a signal, whether an address can be read: some tools pass the handle of an MPI
// object instead of its address.
//
//   if (!mpit::core::is_readable(object_handle)) return result::invalid_handle;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL core {

// True if the aligned eight bytes that contain the address, which are in one page, can be read. An address in the first
// page is invalid, even if it is mapped.
inline bool is_readable(const void* address) noexcept {
    constexpr std::uintptr_t first_page = 4096, word = 8;
    const auto aligned = reinterpret_cast<std::uintptr_t>(address) & ~(word - 1);
    if (aligned < first_page) return false;
    const int saved_errno = errno;
    // The kernel copies the set of signals (EFAULT if it cannot) before it rejects the operation (EINVAL).
    constexpr long invalid_operation = ~0l;
    const bool fails = syscall(SYS_rt_sigprocmask, invalid_operation, aligned, nullptr, word) != 0 && errno == EFAULT;
    errno = saved_errno;
    return !fails;
}

} // namespace core
} // namespace mpit
