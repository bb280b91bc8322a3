// SPDX-License-Identifier: BSD-3-Clause
// The reserved hints about the start of a process: command, argv, host, arch and wdir, each where it is known. Read on
// the first query, so that equal queries have equal answers (MPI-5.0, chapter 10).
//
//   mpit::info hints;  the_info_environment.describe(argc, argv, hints);
#pragma once

#include <mpit/core/at_load.hpp>
#include <mpit/info/objects.hpp>

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// The name of a program and its arguments, taken one by one, as the hints that they become.
class program_arguments {
public:
    void add(core::text argument) noexcept {
        if (count_++ == 0) command_ = argument;
        else append(argument);
    }
    // An MPI_Info value has a greatest length; what is longer stays unknown, since a part of it would be wrong.
    info_result put(info& target) const noexcept {
        info_result answer = info_result::success;
        if (command_.length != 0 && command_.length <= longest) answer = target.set("command", command_);
        if (answer == info_result::success && count_ > 1 && !is_too_long_)
            answer = target.set("argv", {joined_, length_});
        return answer;
    }

private:
    static constexpr std::uint32_t longest = info_limits{}.value;

    void append(core::text argument) noexcept {
        const std::uint32_t space = count_ > 2 ? 1 : 0;
        is_too_long_ = is_too_long_ || argument.length > longest - space || length_ > longest - space - argument.length;
        if (is_too_long_) return;
        if (space != 0) joined_[length_++] = ' ';
        std::memcpy(joined_ + length_, argument.characters, argument.length);
        length_ += argument.length;
    }

    core::text command_;
    int count_ = 0;
    char joined_[longest + 1]{};
    std::uint32_t length_ = 0;
    bool is_too_long_ = false;
};

class info_environment {
public:
    // Calls `use` with all that is known of this process; result::out_of_memory without memory to keep it.
    template <class Use> result use(Use use) noexcept {
        const core::fork_gate::inside here{core::the_fork_gate};
        const locked lock{mutex_};
        if (whole_ == nullptr) {
            info* const fresh = new (core::place{room_}) info;
            if (find_out(*fresh) != info_result::success) return result::out_of_memory;
            whole_ = fresh;
        }
        use(static_cast<const info&>(*whole_));
        return result::success;
    }

    // The same with the arguments of the caller in place of the process's own. `target` is unchanged without memory.
    result describe(int argc, const char* const* argv, info& target) noexcept {
        program_arguments setting;
        for (int i = 0; i < argc && argv[i] != nullptr; i++) setting.add(argv[i]);
        info fresh;
        info_result answer = setting.put(fresh);
        const result found = use([&](const info& known) {
            for (const char* key : place)
                if (const core::text* value = known.find(key); value != nullptr && answer == info_result::success)
                    answer = fresh.set(key, *value);
        });
        if (found != result::success || answer != info_result::success) return result::out_of_memory;
        target.exchange(fresh);
        return result::success;
    }

    // For the child of a fork that has copied a thread inside.
    void forget_other_threads() noexcept { mutex_ = PTHREAD_MUTEX_INITIALIZER; }

private:
    static constexpr const char* place[] = {"host", "arch", "wdir"};

    static info_result find_out(info& target) noexcept {
        char arguments[2 * (info_limits{}.value + 2)]; // what follows points into it
        program_arguments own;
        read_arguments(arguments, sizeof arguments, own);
        info fresh;
        info_result answer = own.put(fresh);
        utsname system{};
        if (uname(&system) == 0) {
            if (answer == info_result::success) answer = put_known(fresh, "host", system.nodename);
            if (answer == info_result::success) answer = put_known(fresh, "arch", system.machine);
        }
        char folder[info_limits{}.value + 1];
        if (answer == info_result::success && getcwd(folder, sizeof folder) != nullptr)
            answer = put_known(fresh, "wdir", folder);
        if (answer == info_result::success) target.exchange(fresh);
        return answer;
    }
    static info_result put_known(info& target, const char* key, core::text value) noexcept {
        return value.length != 0 ? target.set(key, value) : info_result::success;
    }

    // The kernel keeps the arguments one behind the other, each with its null. Where they fill the room there may be
    // more, which would be too long for a value in any case: then the command alone is known.
    static void read_arguments(char* room, std::size_t size, program_arguments& arguments) noexcept {
        const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
        if (file < 0) return;
        std::size_t length = 0;
        for (ssize_t got = 1; got > 0 && length < size; length += got > 0 ? static_cast<std::size_t>(got) : 0)
            got = read(file, room + length, size - length);
        close(file);
        const bool are_whole = length < size;
        for (std::size_t offset = 0; offset < length && (are_whole || offset == 0);) {
            const std::size_t piece = strnlen(room + offset, length - offset);
            arguments.add({room + offset, static_cast<std::uint32_t>(piece)});
            offset += piece + 1;
        }
    }

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    // It has no destructor: functions that run at the exit may still ask, and nothing has to be registered for the
    // exit.
    const info* whole_ = nullptr;
    alignas(info) unsigned char room_[sizeof(info)]{};
};

// One for each shared object with shims.
inline constinit info_environment the_info_environment;

inline void before_fork_with_info() noexcept { core::the_fork_gate.before_fork(); }
inline void in_parent_of_fork_with_info() noexcept { core::the_fork_gate.in_parent_of_fork(); }
inline void in_child_of_fork_with_info() noexcept {
    if (!core::the_fork_gate.in_child_of_fork()) return;
    the_info_objects.forget_other_threads();
    the_info_environment.forget_other_threads();
}
[[gnu::cold]] inline int register_fork_handler() noexcept {
    return pthread_atfork(&before_fork_with_info, &in_parent_of_fork_with_info, &in_child_of_fork_with_info);
}
[[gnu::used, gnu::retain]] inline constinit const int* forks_are_told_of = core::at_load<&register_fork_handler>;

} // namespace session
} // namespace mpit
