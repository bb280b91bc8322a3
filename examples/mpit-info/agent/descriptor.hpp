// A file descriptor that an agent has in a program of others. It lies above the numbers that the program can get, where the
// limits allow that, so that each number the program gets is the one that it would get alone. The program may close it, and may
// get the same number for something else: the agent recognizes its own file by device and inode before each use.
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
    // Takes over `low`, which is closed. Of a number below 3 nothing is kept: it is for the program's standard streams.
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
    // False if the program has closed it. A program that closes it and opens another socket between this question and the use
    // that follows is not recognized.
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
    // The limit of the process is higher for the length of one call. Another thread that asks for it meanwhile sees that.
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
