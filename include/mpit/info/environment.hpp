// SPDX-License-Identifier: BSD-3-Clause
// The reserved hints command, argv, host, arch and wdir, which describe the start of a process. A hint is absent if its
// value cannot be determined. The hints are read only once, so that all queries have equal results (MPI-5.0, chapter
// 10).
//
//   mpit::info hints;  the_info_environment.describe(argc, argv, hints);
#pragma once

#include <mpit/core/at_load.hpp>
#include <mpit/info/objects.hpp>

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// Collects the name and the arguments of a program for the hints `command` and `argv`.
class program_arguments {
public:
    void add(core::text argument) noexcept {
        if (count_++ == 0) command_ = argument;
        else append(argument);
    }
    // Sets the hints `command` and `argv`. If a text is too long for an MPI_Info object, the hint is omitted, because a
    // truncated command would be wrong.
    info_result put(info& target) const noexcept {
        info_result status = info_result::success;
        if (command_.length != 0 && command_.length <= limit) status = target.set("command", command_);
        if (status == info_result::success && count_ > 1 && !is_too_long_)
            status = target.set("argv", {joined_, length_});
        return status;
    }

private:
    static constexpr std::uint32_t limit = info_limits{}.value;

    void append(core::text argument) noexcept {
        const std::uint32_t space = count_ > 2 ? 1 : 0;
        is_too_long_ = is_too_long_ || argument.length > limit - space || length_ > limit - space - argument.length;
        if (is_too_long_) return;
        if (space != 0) joined_[length_++] = ' ';
        std::memcpy(joined_ + length_, argument.characters, argument.length);
        length_ += argument.length;
    }

    core::text command_;
    int count_ = 0;
    char joined_[limit + 1]{};
    std::uint32_t length_ = 0;
    bool is_too_long_ = false;
};

class info_environment {
public:
    // Calls `use` with the hints of this process. Returns out_of_memory if memory for the hints is exhausted.
    template <class Use> result use(Use use) noexcept {
        const core::fork_gate::inside fork_guard{core::the_fork_gate};
        const mutex_guard lock{mutex_};
        if (hints_ == nullptr) {
            info* const hints = new (core::placement{storage_}) info;
            if (read_process(*hints) != info_result::success) return result::out_of_memory;
            hints_ = hints;
        }
        use(static_cast<const info&>(*hints_));
        return result::success;
    }

    // Sets `target` to the hints of the process. The caller's arguments give the hints `command` and `argv`. If memory
    // is exhausted, `target` does not change.
    result describe(int argc, const char* const* argv, info& target) noexcept {
        program_arguments arguments;
        for (int i = 0; i < argc && argv[i] != nullptr; i++) arguments.add(argv[i]);
        info new_hints;
        info_result status = arguments.put(new_hints);
        const result use_status = use([&](const info& process) {
            for (const char* key : copied_keys)
                if (const core::text* value = process.find(key); value != nullptr && status == info_result::success)
                    status = new_hints.set(key, *value);
        });
        if (use_status != result::success || status != info_result::success) return result::out_of_memory;
        target.exchange(new_hints);
        return result::success;
    }

    // Unlocks the mutex in the child of a fork, because a thread of the parent may have held the mutex.
    void reset_other_threads() noexcept { mutex_ = PTHREAD_MUTEX_INITIALIZER; }

private:
    static constexpr const char* copied_keys[] = {"host", "arch", "wdir"};

    static info_result read_process(info& target) noexcept {
        char command_line[2 * (info_limits{}.value + 2)]; // `arguments` refers to this buffer
        program_arguments arguments;
        read_arguments(command_line, sizeof command_line, arguments);
        info new_hints;
        info_result status = arguments.put(new_hints);
        utsname system{};
        if (uname(&system) == 0) {
            if (status == info_result::success) status = put_if_set(new_hints, "host", system.nodename);
            if (status == info_result::success) status = put_if_set(new_hints, "arch", system.machine);
        }
        char directory[info_limits{}.value + 1];
        if (status == info_result::success && getcwd(directory, sizeof directory) != nullptr)
            status = put_if_set(new_hints, "wdir", directory);
        if (status == info_result::success) target.exchange(new_hints);
        return status;
    }
    static info_result put_if_set(info& target, const char* key, core::text value) noexcept {
        return value.length != 0 ? target.set(key, value) : info_result::success;
    }

    // Reads the command line of the process, in which the kernel separates the arguments by nulls. If the arguments
    // fill the buffer, they are too long for a hint and may be incomplete, and the hint `argv` is omitted.
    static void read_arguments(char* buffer, std::size_t size, program_arguments& arguments) noexcept {
        const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        std::size_t length = 0;
        for (ssize_t count = 1; count > 0 && length < size; length += count > 0 ? static_cast<std::size_t>(count) : 0)
            count = read(file, buffer + length, size - length);
        close(file);
        const bool is_complete = length < size;
        for (std::size_t offset = 0; offset < length && (is_complete || offset == 0);) {
            const std::size_t argument_length = strnlen(buffer + offset, length - offset);
            arguments.add({buffer + offset, static_cast<std::uint32_t>(argument_length)});
            offset += argument_length + 1;
        }
    }

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    // The hints are never destroyed, because handlers of atexit() may still query them.
    const info* hints_ = nullptr;
    alignas(info) unsigned char storage_[sizeof(info)]{};
};

// The hints about the process. Each shared object with shims has its own copy of the hints.
inline constinit info_environment the_info_environment;

inline void before_fork_with_info() noexcept { core::the_fork_gate.before_fork(); }
inline void in_parent_of_fork_with_info() noexcept { core::the_fork_gate.in_parent_of_fork(); }
inline void in_child_of_fork_with_info() noexcept {
    if (!core::the_fork_gate.in_child_of_fork()) return;
    the_info_objects.reset_other_threads();
    the_info_environment.reset_other_threads();
}
[[gnu::cold]] inline int register_fork_handler() noexcept {
    return pthread_atfork(&before_fork_with_info, &in_parent_of_fork_with_info, &in_child_of_fork_with_info);
}
[[gnu::used, gnu::retain]] inline constinit const int* fork_handler_status = core::at_load<&register_fork_handler>;

} // namespace session
} // namespace mpit
