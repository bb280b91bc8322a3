// SPDX-License-Identifier: BSD-3-Clause
// Makes it one atomic step to find or create the registry. glibc holds the loader's lock while it calls the visitor of
// dl_iterate_phdr(). musl does not; there the lock is a file of /proc that only this process locks, at about 3
// microseconds for each shared object. Without /proc, several threads must not load libraries at once.
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
    // The child of a fork that happened meanwhile has the file open, too: closing it here would not unlock it.
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
