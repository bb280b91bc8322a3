// A file descriptor of an agent in another program. Its number is above those that the program can get, if the limits
// allow that, so that the program gets the same numbers as without the agent. The program may close it, and may get the
// same number for something else: the agent recognizes its own file by device and inode before each use.
//
//   descriptor kept{socket(…)};   if (kept.is_own()) send(kept.number(), …);
#pragma once

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace mpit_info {

class descriptor {
public:
    descriptor() noexcept {}
    // Moves `low` to a high number and closes it. A number below 3 is closed only: it belongs to the program's standard
    // streams.
    explicit descriptor(int low) noexcept {
        if (low < 0) return;
        number_ = high_copy(low);
        close(low);
        struct stat found;
        if (number_ < 0 || fstat(number_, &found) != 0) return;
        device_ = found.st_dev;
        inode_ = found.st_ino;
    }
    descriptor(descriptor&& other) noexcept
        : number_{std::exchange(other.number_, -1)}, device_{other.device_}, inode_{other.inode_} {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        std::swap(device_, other.device_);
        std::swap(inode_, other.inode_);
        return *this;
    }
    ~descriptor() { close_own(); }

    int number() const noexcept { return number_; }
    // Returns false if the program has closed it. Does not detect that the program closes it and opens another socket
    // between this check and the following use.
    bool is_own() const noexcept {
        const int kept = errno;
        struct stat found;
        const bool is =
            number_ >= 0 && fstat(number_, &found) == 0 && found.st_dev == device_ && found.st_ino == inode_;
        errno = kept;
        return is;
    }
    void close_own() noexcept {
        if (is_own()) close(number_);
        number_ = -1;
    }

private:
    // Raises the limit of the process during one call. Another thread that reads the limit meanwhile sees the raised
    // one.
    static int high_copy(int low) noexcept {
        constexpr rlim_t most = 4096, room = 64; // each fork copies the kernel's table up to the number
        rlimit before{};
        if (getrlimit(RLIMIT_NOFILE, &before) != 0) return copy_above(low, 3);
        const rlim_t first = std::min(before.rlim_cur, most);
        rlimit raised = before;
        raised.rlim_cur = std::max(before.rlim_cur, std::min(before.rlim_max, first + room));
        const bool is_raised = raised.rlim_cur > before.rlim_cur && setrlimit(RLIMIT_NOFILE, &raised) == 0;
        int copy = copy_above(low, first);
        if (is_raised) setrlimit(RLIMIT_NOFILE, &before);
        if (copy < 0 && first > 2 * room) copy = copy_above(low, first - room);
        return copy >= 0 ? copy : copy_above(low, 3);
    }
    static int copy_above(int low, rlim_t first) noexcept {
        return fcntl(low, F_DUPFD_CLOEXEC, static_cast<int>(first));
    }

    int number_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace mpit_info
