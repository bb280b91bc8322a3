// SPDX-License-Identifier: BSD-3-Clause
// Checks by a system call whether an address can be read, so that an invalid address raises no signal. Some tools pass
// the handle of an MPI object where the standard requires the address of the handle.
//
//   if (!mpit::core::is_readable(object_handle)) return result::invalid_handle;
#pragma once

#include <mpit/config.hpp>

#include <cstdint>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL core {

// Returns true if the aligned eight-byte word that contains the address can be read. An address in the first page
// counts as unreadable, even if the page is mapped.
inline bool is_readable(const void* address) noexcept {
    constexpr std::uintptr_t first_page = 4096, word = 8;
    const auto aligned = reinterpret_cast<std::uintptr_t>(address) & ~(word - 1);
    if (aligned < first_page) return false;
    const int saved_errno = errno;
    // The system call changes nothing, because the operation is invalid. The kernel fails with EFAULT if it cannot read
    // the signal set at the address, and otherwise rejects the operation with EINVAL.
    constexpr long invalid_operation = ~0l;
    const bool fails = syscall(SYS_rt_sigprocmask, invalid_operation, aligned, nullptr, word) != 0 && errno == EFAULT;
    errno = saved_errno;
    return !fails;
}

} // namespace core
} // namespace mpit
