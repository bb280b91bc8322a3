// SPDX-License-Identifier: BSD-3-Clause
// A lock under which only one thread at a time searches for the registry or creates it. In glibc the lock does nothing,
// because dl_iterate_phdr() already holds the loader's lock while it calls the visitor. In musl the lock is a file lock
// on /proc/self/maps, which no other process locks. A file lock costs about 3 microseconds for each loaded object. In
// musl without /proc, several threads must not load libraries at the same time.
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

namespace mpit::inline v1_0 {
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
    // Unlocks with flock(), because close() does not release the lock if a child of a fork has the file open, too.
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
