// SPDX-License-Identifier: BSD-3-Clause
// Finds the registry again after all shared objects that used the registry were unloaded. The address of the registry
// is in a page that is mapped from an unnamed file. The file /proc/self/maps lists the name and the address of the
// mapping. The functions run under the loader's lock and acquire no lock of the C library, to avoid a deadlock. Another
// thread may hold a lock of the C library while it waits for the loader's lock.
//
//   keep_registry(registry);   process_registry* registry = persistent_registry();   // later, in another shared object
#pragma once

#include <mpit/core/clock.hpp>
#include <mpit/module/layout.hpp> // IWYU pragma: keep

#include <cstdio>
#include <cstring>
#include <fcntl.h>       // IWYU pragma: keep
#include <link.h>        // IWYU pragma: keep
#include <sys/syscall.h> // IWYU pragma: keep
#include <unistd.h>      // IWYU pragma: keep

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {
namespace MPIT_MODULE_LOCAL detail {

#if MPIT_CAN_BE_UNLOADED

// The name of the mapping contains the fingerprint of the layout and an address in the C library. Copies of mpit with
// another layout therefore do not find the mapping. Copies of mpit in another dlmopen() namespace do not find the
// mapping, because each namespace has a separate C library.
struct registry_name {
    char characters[32];
    registry_name() noexcept {
        const auto c_library = reinterpret_cast<std::uintptr_t>(&dl_iterate_phdr);
        // snprintf() is avoided here, because every process runs this code at load and the first call of snprintf()
        // costs a thousand instructions.
        const std::uint64_t number = fingerprint_of_layout ^ c_library;
        std::memcpy(characters, "mpit-index-", 11);
        char* next = characters + 11;
        for (int shift = 60; shift >= 0; shift -= 4)
            if (number >> shift != 0 || shift == 0) *next++ = "0123456789abcdef"[number >> shift & 15];
        *next = '\0';
    }
};

// The size of the mapping in bytes. ThreadSanitizer aborts on mappings that are not full pages.
inline constexpr std::size_t size_of_page = 4096;

// Opens a file without a directory entry, in memory or, if memfd_create() fails, on disk.
[[gnu::cold]] inline int open_unnamed_file() noexcept {
    const registry_name name;
    int file = static_cast<int>(syscall(SYS_memfd_create, name.characters, 1u));
    constexpr const char* directories[] = {"/dev/shm", "/tmp"};
    for (const char* directory : directories) {
        if (file >= 0) return file;
        char path[96];
        std::snprintf(path, sizeof path, "%s/%s-%d-%llx", directory, name.characters, static_cast<int>(getpid()),
                      static_cast<unsigned long long>(core::nanoseconds()));
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file >= 0) unlink(path);
    }
    return file;
}

// Maps a page with the address of the registry. If the mapping fails, a library that is loaded after all users of the
// registry were unloaded creates a new registry. Each new registry costs 16 KB of memory and 240 KB of address space.
[[gnu::cold]] inline void keep_registry(process_registry* registry) noexcept {
    const int saved_errno = errno;
    const int file = open_unnamed_file();
    if (file >= 0) {
        void* const page = ftruncate(file, size_of_page) != 0
                               ? MAP_FAILED
                               : mmap(nullptr, size_of_page, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
        if (page != MAP_FAILED) std::memcpy(page, &registry, sizeof registry);
        close(file);
    }
    errno = saved_errno;
}

// Reads the memory mappings of the process from /proc/self/maps line by line.
class mapping_list {
public:
    mapping_list() noexcept : file_{open("/proc/self/maps", O_RDONLY | O_CLOEXEC)} {}
    ~mapping_list() {
        if (file_ >= 0) close(file_);
    }
    mapping_list(const mapping_list&) = delete;

    // Returns the next line of /proc/self/maps, or null at the end. A long line is cut to the size of line_.
    const char* next_line() noexcept {
        std::size_t length = 0;
        for (;;) {
            if (position_ == end_ && !fill()) return nullptr;
            const char character = buffer_[position_++];
            if (character == '\n') break;
            if (length + 1 < sizeof line_) line_[length++] = character;
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
    const int saved_errno = errno;
    process_registry* registry = nullptr;
    const registry_name name;
    mapping_list mappings;
    while (const char* line = mappings.next_line()) {
        unsigned long begin = 0;
        if (std::strstr(line, name.characters) == nullptr || std::sscanf(line, "%lx", &begin) != 1) continue;
        std::memcpy(&registry, reinterpret_cast<const void*>(begin), sizeof registry);
        break;
    }
    errno = saved_errno;
    return registry;
}

#else

inline void keep_registry(process_registry*) noexcept {}
inline process_registry* persistent_registry() noexcept { return nullptr; }

#endif

} // namespace detail
} // namespace registry
} // namespace mpit
