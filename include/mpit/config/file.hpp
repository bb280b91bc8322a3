// SPDX-License-Identifier: BSD-3-Clause
// Configuration files: each line assigns a value to a name. A line of another form is reported, and the rest is read.
//
//   const file_content read = read_settings_of_file(registry, "mympi.conf");   read.settings;  read.refused;
#pragma once

#include <mpit/concurrency/arena.hpp>
#include <mpit/config/environment_values.hpp>
#include <mpit/config/line_parser.hpp>
#include <mpit/config/resolver.hpp>
#include <mpit/config/settings.hpp>
#include <mpit/registry/report_limit.hpp>
#include <mpit/registry/report_once.hpp>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The content of a file, in memory that stays, with a null behind it.
class file_in_memory {
public:
    // The result of read() for a pipe or a device: from these it could wait for ever, or read for ever.
    static constexpr int is_no_file = EINVAL;

    // Answers the number of the error, or 0.
    [[gnu::cold]] int read(const char* path) noexcept {
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (file < 0) return errno;
        struct stat seen{};
        int error = fstat(file, &seen) != 0  ? errno
                    : S_ISDIR(seen.st_mode)  ? EISDIR
                    : !S_ISREG(seen.st_mode) ? is_no_file
                    : seen.st_size > longest ? EFBIG // before any of it is read
                                             : 0;
        for (bool is_more = true; is_more && error == 0;) {
            if (size_ - length_ < 2 && !grow()) error = size_ < most ? ENOMEM : EFBIG;
            const ssize_t got = error != 0 ? 0 : ::read(file, begin_ + length_, size_ - length_ - 1);
            is_more = got > 0 || (got < 0 && errno == EINTR);
            if (got > 0) length_ += static_cast<std::size_t>(got);
            else if (got < 0 && !is_more) error = errno;
        }
        close(file);
        if (error != 0) release();
        return error;
    }
    void release() noexcept {
        if (begin_ != nullptr) core::release_memory(begin_, size_);
        begin_ = nullptr;
    }
    char* begin() const noexcept { return begin_; }
    char* end() const noexcept { return begin_ + length_; }

private:
    static constexpr std::size_t least = 1 << 14, most = 1 << 26;
    static constexpr off_t longest = most - 2; // a null is behind it, and a byte that the last read asks for
    bool grow() noexcept {
        const std::size_t size = size_ == 0 ? least : 2 * size_;
        if (size > most) return false;
        auto* larger = static_cast<char*>(core::pages(size));
        if (larger == nullptr) return false;
        if (length_ != 0) std::memcpy(larger, begin_, length_);
        if (begin_ != nullptr) core::release_memory(begin_, size_);
        begin_ = larger;
        size_ = size;
        return true;
    }
    char* begin_ = nullptr;
    std::size_t size_ = 0, length_ = 0;
};

struct file_content {
    int error = 0;    // of the file, as errno
    int settings = 0; // lines with a value
    int refused = 0;  // lines that are something else
};

// Adds the values of a file to those that were given. Of lines that cannot be read the first few are reported, and how
// many more there are.
[[gnu::cold]] inline file_content read_settings_of_file(process_registry& registry, const char* path,
                                                        report_list& reports) noexcept {
    file_content found;
    file_in_memory file;
    report_limit limit;
    bool is_kept = false; // something points into it
    if ((found.error = file.read(path)) != 0) return found;
    char* begin = file.begin();
    if (file.end() - begin >= 3 && std::memcmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3; // how some editors mark their files
    for (int number = 1; begin < file.end(); number++) {
        auto* end = static_cast<char*>(std::memchr(begin, '\n', static_cast<std::size_t>(file.end() - begin)));
        if (end == nullptr) end = file.end();
        configuration_line line;
        const misreading wrong = line.read(begin, end);
        message place;
        place.append("%s:%d", path, number);
        if (wrong == misreading::none) {
            found.settings++;
            const text where{place.line(), place.length()};
            if (same_setting(registry, origin::configuration, line.name, line.value, where) == nullptr) {
                is_kept = true;
                if (give(registry, origin::configuration, line.name, line.value, where) == nullptr)
                    found.error = ENOMEM;
            }
        } else if (wrong != misreading::nothing) {
            found.refused++;
            if (limit.allows_one_more()) {
                message said;
                said.append_escaped({place.line(), place.length()}, 600);
                said.append(" is not read: %s: ", to_string(wrong));
                said.append_escaped({begin, static_cast<std::uint32_t>(end - begin)}, 120);
                reports.add(said);
            }
        }
        begin = end + 1;
    }
    if (limit.left_out() != 0) {
        message said;
        said.append_escaped(path, 600);
        said.append(" has %d more lines that are not read", limit.left_out());
        reports.add(said);
    }
    if (!is_kept) file.release();
    return found;
}
[[gnu::cold]] inline file_content read_settings_of_file(process_registry& registry, const char* path) noexcept {
    report_list reports;
    const file_content found = read_settings_of_file(registry, path, reports);
    reports.send(registry.reports_to.load());
    return found;
}

// Reads the configuration files that the environment names, once: before the first tree takes its values where that is
// possible, otherwise before the code of the tree's library runs. Files that are named later win. A program with more
// rights than its user reads none.
//
//   MPIT_CONFIGURATION=/etc/mympi.conf:$HOME/.mympi.conf ./program
[[gnu::cold]] inline void read_named_files(process_registry& registry, report_list& reports) noexcept {
    constexpr const char* variable = MPIT_CONFIGURATION_VARIABLE;
    const char* named = *variable == '\0' ? nullptr : value_in_environment(variable);
    if (named == nullptr || !is_first_report(registry, report_topic::files, variable)) return;
    int settings = 0;
    for (const char* end = named; *named != '\0'; named = *end == '\0' ? end : end + 1) {
        end = strchrnul(named, ':');
        if (end == named) continue;
        const auto length = static_cast<std::uint32_t>(end - named);
        auto* path = static_cast<char*>(registry.memory.allocate(length + 1)); // zeroed
        if (path == nullptr) continue;
        std::memcpy(path, named, length);
        const file_content found = read_settings_of_file(registry, path, reports);
        settings += found.settings;
        if (found.error == 0) continue;
        message said;
        said.append_escaped({path, length}, 600);
        said.append(" cannot be read, which %s names: ", variable);
        said.append("%s",
                    found.error == file_in_memory::is_no_file ? "it is no regular file" : std::strerror(found.error));
        reports.add(said);
    }
    if (settings != 0) resolve_setting(registry, reports);
}

} // namespace registry
} // namespace mpit
