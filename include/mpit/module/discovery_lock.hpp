// SPDX-License-Identifier: BSD-3-Clause
// A lock that makes discovery of the registry atomic. In glibc, dl_iterate_phdr() already holds the loader's lock while
// the visitor runs, so that this lock does nothing. In musl, the lock is a file lock on a file in /proc, which only
// this process locks and which costs about 3 microseconds for each shared object. In musl without /proc, several
// threads must not load libraries at the same time.
//
//   const discovery_lock lock;   dl_iterate_phdr(&visit, &search);
#pragma once

#include <mpit/config.hpp>

#include <features.h> // defines __GLIBC__
#if !defined(__GLIBC__)
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {
namespace MPIT_MODULE_LOCAL detail {

#if defined(__GLIBC__)

struct discovery_lock {
    discovery_lock() noexcept {}
};

#else

class discovery_lock {
public:
    discovery_lock() noexcept : file_{open("/proc/self/maps", O_RDONLY | O_CLOEXEC)} {
        const int saved_errno = errno;
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {}
        errno = saved_errno;
    }
    discovery_lock(const discovery_lock&) = delete;
    // If the process has forked meanwhile, the child also has the file open, so that only flock() releases the lock.
    ~discovery_lock() {
        if (file_ < 0) return;
        flock(file_, LOCK_UN);
        close(file_);
    }

private:
    int file_;
};

#endif

} // namespace detail
} // namespace registry
} // namespace mpit
