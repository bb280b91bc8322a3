// SPDX-License-Identifier: BSD-3-Clause
// Reads configuration files, in which each line sets a control variable. A malformed line is reported and skipped.
//
//   const file_content counts = read_settings_of_file(registry, "mympi.conf");   counts.settings;  counts.refused;
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

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

// Holds the content of a configuration file with a terminating null in memory until release() is called.
class file_in_memory {
public:
    // read() returns not_a_regular_file for a pipe or a device, because a read from it might never end.
    static constexpr int not_a_regular_file = EINVAL;

    // Reads the complete file. Returns an errno value, or 0 for success.
    [[gnu::cold]] int read(const char* path) noexcept {
        const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (file < 0) return errno;
        struct stat status{};
        int error = fstat(file, &status) != 0     ? errno
                    : S_ISDIR(status.st_mode)     ? EISDIR
                    : !S_ISREG(status.st_mode)    ? not_a_regular_file
                    : status.st_size > max_length ? EFBIG // no byte was read
                                                  : 0;
        for (bool has_more = true; has_more && error == 0;) {
            if (size_ - length_ < 2 && !grow()) error = size_ < max_size ? ENOMEM : EFBIG;
            const ssize_t read_bytes = error != 0 ? 0 : ::read(file, begin_ + length_, size_ - length_ - 1);
            has_more = read_bytes > 0 || (read_bytes < 0 && errno == EINTR);
            if (read_bytes > 0) length_ += static_cast<std::size_t>(read_bytes);
            else if (read_bytes < 0 && !has_more) error = errno;
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
    static constexpr std::size_t initial_size = 1 << 14, max_size = 1 << 26;
    static constexpr off_t max_length =
        max_size - 2; // without the null and the byte for the read that finds the end of the file
    bool grow() noexcept {
        const std::size_t size = size_ == 0 ? initial_size : 2 * size_;
        if (size > max_size) return false;
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
    int error = 0;    // errno value of open() or read(), or 0
    int settings = 0; // number of lines with a well-formed setting
    int refused = 0;  // number of malformed lines
};

// Adds the settings in a configuration file to the registry. Reports the first malformed lines and counts the others.
[[gnu::cold]] inline file_content read_settings_of_file(process_registry& registry, const char* path,
                                                        report_list& reports) noexcept {
    file_content counts;
    file_in_memory file;
    report_limit limit;
    bool is_referenced = false; // a setting refers to a text in the content of the file
    if ((counts.error = file.read(path)) != 0) return counts;
    char* begin = file.begin();
    if (file.end() - begin >= 3 && std::memcmp(begin, "\xef\xbb\xbf", 3) == 0)
        begin += 3; // skips the byte order mark that some editors write
    for (int number = 1; begin < file.end(); number++) {
        auto* end = static_cast<char*>(std::memchr(begin, '\n', static_cast<std::size_t>(file.end() - begin)));
        if (end == nullptr) end = file.end();
        configuration_line line;
        const line_error error = line.read(begin, end);
        message place;
        place.append("%s:%d", path, number);
        const text place_text{place.line(), place.length()};
        if (error == line_error::none) {
            counts.settings++;
            if (equal_setting(registry, origin::configuration, line.name, line.value, place_text) == nullptr) {
                is_referenced = true;
                if (add_setting(registry, origin::configuration, line.name, line.value, place_text) == nullptr)
                    counts.error = ENOMEM;
            }
        } else if (error != line_error::no_setting) {
            counts.refused++;
            if (limit.allows_one_more()) {
                message report;
                report.append_escaped(place_text, 600);
                report.append(" is not read: %s: ", to_string(error));
                report.append_escaped({begin, static_cast<std::uint32_t>(end - begin)}, 120);
                reports.add(report);
            }
        }
        begin = end + 1;
    }
    if (limit.left_out() != 0) {
        message report;
        report.append_escaped(path, 600);
        report.append(" has %d more lines that are not read", limit.left_out());
        reports.add(report);
    }
    if (!is_referenced) file.release();
    return counts;
}
[[gnu::cold]] inline file_content read_settings_of_file(process_registry& registry, const char* path) noexcept {
    report_list reports;
    const file_content counts = read_settings_of_file(registry, path, reports);
    reports.send(registry.reports_to.load());
    return counts;
}

// Reads the configuration files that an environment variable lists, once in a process. The files are read before the
// code of a tree's library runs, if possible even before the first tree of variables gets values. A later file in the
// list takes precedence over an earlier file. A setuid program reads no configuration file.
//
//   MPIT_CONFIGURATION=/etc/mympi.conf:$HOME/.mympi.conf ./program
[[gnu::cold]] inline void read_named_files(process_registry& registry, report_list& reports) noexcept {
    constexpr const char* variable = MPIT_CONFIGURATION_VARIABLE;
    const char* paths = *variable == '\0' ? nullptr : value_in_environment(variable);
    if (paths == nullptr || !is_first_report(registry, report_topic::files, variable)) return;
    int settings = 0;
    for (const char* end = paths; *paths != '\0'; paths = *end == '\0' ? end : end + 1) {
        end = strchrnul(paths, ':');
        if (end == paths) continue;
        const auto length = static_cast<std::uint32_t>(end - paths);
        auto* path = static_cast<char*>(registry.memory.allocate(length + 1)); // zeroed memory
        if (path == nullptr) continue;
        std::memcpy(path, paths, length);
        const file_content counts = read_settings_of_file(registry, path, reports);
        settings += counts.settings;
        if (counts.error == 0) continue;
        message report;
        report.append_escaped({path, length}, 600);
        report.append(", named in %s, cannot be read: %s", variable,
                      counts.error == file_in_memory::not_a_regular_file ? "it is not a regular file"
                                                                         : std::strerror(counts.error));
        reports.add(report);
    }
    if (settings != 0) apply_settings(registry, reports);
}

} // namespace registry
} // namespace mpit
