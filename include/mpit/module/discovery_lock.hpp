// SPDX-License-Identifier: BSD-3-Clause
// Makes finding and making the registry one step for all threads. glibc holds the loader's lock while it calls the
// visitor of dl_iterate_phdr(); musl does not, and there a file of the system that only this process locks takes its
// place: about 3 microseconds for each shared object. Where /proc is not mounted, libraries must not be loaded by
// several threads at once.
//
//   const discovery_lock alone;   dl_iterate_phdr(&visit, &search);
#pragma once

#include <mpit/config.hpp>

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
        const int kept = errno;
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {}
        errno = kept;
    }
    discovery_lock(const discovery_lock&) = delete;
    // A child that was made meanwhile has the file, too, so that closing it is not enough.
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
