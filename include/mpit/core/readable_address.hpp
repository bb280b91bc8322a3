// SPDX-License-Identifier: BSD-3-Clause
// Tells whether an address can be read. Costs a system call and raises no signal. Some tools pass the handle of an
// object where its address is expected.
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

// Reads the eight bytes around it that stand in one page. An address in the first page is invalid, even if it is
// mapped.
inline bool is_readable(const void* address) noexcept {
    constexpr std::uintptr_t first_page = 4096, word = 8;
    const auto aligned = reinterpret_cast<std::uintptr_t>(address) & ~(word - 1);
    if (aligned < first_page) return false;
    const int kept = errno;
    // The kernel fetches the set of signals before it refuses to do something unknown with it.
    constexpr long invalid_operation = ~0l;
    const bool is_none = syscall(SYS_rt_sigprocmask, invalid_operation, aligned, nullptr, word) != 0 && errno == EFAULT;
    errno = kept;
    return !is_none;
}

} // namespace core
} // namespace mpit
