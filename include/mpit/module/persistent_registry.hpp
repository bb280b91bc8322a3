// SPDX-License-Identifier: BSD-3-Clause
// Finds the registry again after every shared object that used it has been unloaded. It is marked by a mapping of an
// unlinked file: the system's list of the process's mappings has its name and its address. Takes no lock of the C
// library: a thread that loads a library holds the loader's lock, and others wait for it while they hold theirs.
//
//   keep_registry(made);   process_registry* registry = persistent_registry();   // later, by another shared object
#pragma once

#include <mpit/core/clock.hpp>
#include <mpit/module/layout.hpp> // IWYU pragma: keep

#include <cstdio>
#include <cstring>
#include <fcntl.h>       // IWYU pragma: keep
#include <link.h>        // IWYU pragma: keep
#include <sys/syscall.h> // IWYU pragma: keep
#include <unistd.h>      // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {
namespace MPIT_MODULE_LOCAL detail {

#if MPIT_CAN_BE_UNLOADED

// Neither copies with another layout find the mapping, nor those in another namespace of the loader, which has a C
// library of its own.
struct registry_name {
    char characters[32];
    registry_name() noexcept {
        const auto here = reinterpret_cast<std::uintptr_t>(&dl_iterate_phdr);
        // Every process does it when it is loaded: snprintf() would be searched for, and costs a thousand instructions
        // more.
        const std::uint64_t number = fingerprint_of_layout ^ here;
        std::memcpy(characters, "mpit-index-", 11);
        char* next = characters + 11;
        for (int shift = 60; shift >= 0; shift -= 4)
            if (number >> shift != 0 || shift == 0) *next++ = "0123456789abcdef"[number >> shift & 15];
        *next = '\0';
    }
};

// Whole pages: ThreadSanitizer stops at less.
inline constexpr std::size_t size_of_page = 4096;

// A file without a name in any folder: one of memory alone, or where the kernel has none, one that has lost its name.
[[gnu::cold]] inline int nameless_file() noexcept {
    const registry_name name;
    int file = static_cast<int>(syscall(SYS_memfd_create, name.characters, 1u));
    constexpr const char* folders[] = {"/dev/shm", "/tmp"};
    for (const char* folder : folders) {
        if (file >= 0) return file;
        char path[96];
        std::snprintf(path, sizeof path, "%s/%s-%d-%llx", folder, name.characters, static_cast<int>(getpid()),
                      static_cast<unsigned long long>(core::nanoseconds()));
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0) unlink(path);
    }
    return file;
}

// Without such a mapping, the next library makes a registry of its own once all that used this one are unloaded: 16 KB
// and 240 KB of addresses each time.
[[gnu::cold]] inline void keep_registry(process_registry* registry) noexcept {
    const int kept = errno;
    const int file = nameless_file();
    if (file >= 0) {
        void* const page = ftruncate(file, size_of_page) != 0
                               ? MAP_FAILED
                               : mmap(nullptr, size_of_page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (page != MAP_FAILED) std::memcpy(page, &registry, sizeof registry);
        close(file);
    }
    errno = kept;
}

// The lines of the list, one by one and whatever their length.
class mapping_list {
public:
    mapping_list() noexcept : file_{open("/proc/self/maps", O_RDONLY | O_CLOEXEC)} {}
    ~mapping_list() {
        if (file_ >= 0) close(file_);
    }
    mapping_list(const mapping_list&) = delete;

    // Null at the end. A line that is too long is cut.
    const char* next_line() noexcept {
        std::size_t length = 0;
        for (;;) {
            if (position_ == end_ && !fill()) return nullptr;
            const char next = buffer_[position_++];
            if (next == '\n') break;
            if (length + 1 < sizeof line_) line_[length++] = next;
        }
        line_[length] = '\0';
        return line_;
    }

private:
    bool fill() noexcept {
        const ssize_t count = file_ < 0 ? 0 : read(file_, buffer_, sizeof buffer_);
        position_ = 0;
        end_ = count > 0 ? static_cast<std::size_t>(count) : 0;
        return end_ != 0;
    }

    int file_;
    std::size_t position_ = 0, end_ = 0;
    char buffer_[1024];
    char line_[256];
};

[[gnu::cold]] inline process_registry* persistent_registry() noexcept {
    const int kept = errno;
    process_registry* found = nullptr;
    const registry_name name;
    mapping_list mappings;
    while (const char* line = mappings.next_line()) {
        unsigned long begin = 0;
        if (std::strstr(line, name.characters) == nullptr || std::sscanf(line, "%lx", &begin) != 1) continue;
        std::memcpy(&found, reinterpret_cast<const void*>(begin), sizeof found);
        break;
    }
    errno = kept;
    return found;
}

#else

inline void keep_registry(process_registry*) noexcept {}
inline process_registry* persistent_registry() noexcept { return nullptr; }

#endif

} // namespace detail
} // namespace registry
} // namespace mpit
