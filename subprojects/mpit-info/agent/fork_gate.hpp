// Prevents a fork from copying an agent that is working. A thread that reads variables is inside; a fork waits until
// the other threads are outside, for a second at most, and threads that come later wait for the fork. No mutex is
// locked during the copy, and each wait is bounded, so that it cannot become a deadlock. The handlers of
// pthread_atfork() run for fork(); vfork() and posix_spawn() copy no memory, and _Fork() and clone() call no handler.
// The gate of mpit (concurrency/fork_gate.hpp) does not serve an agent: it yields where a sampling thread must sleep,
// makes a thread that forks inside wait for itself, waits at each fork for a thread that never leaves, and counts no
// generations.
//
//   the_fork_gate.begin();   { const inside_gate reading; … }   if (generation() == before) …
#pragma once

#include <atomic>
#include <cerrno>
#include <ctime>
#include <pthread.h>

namespace mpit_info {

class fork_gate {
public:
    // Once for each agent. Not inside: a fork may hold the lock of pthread_atfork() while it waits for the threads
    // inside.
    void begin(void (*in_child)()) noexcept {
        in_child_ = in_child;
        if (!has_begun_.exchange(true)) pthread_atfork(&before_fork, &after_fork, &in_child_of_fork);
    }
    void enter() noexcept {
        const int kept = errno;
        if (depth_++ > 0) return;
        for (bool may_wait = true;; may_wait = wait(forks_, 0)) {
            threads_.fetch_add(1);
            if (!may_wait || forks_.load() == 0) break;
            threads_.fetch_sub(1);
        }
        errno = kept;
    }
    void leave() noexcept {
        if (--depth_ == 0 && threads_.fetch_sub(1) == 1) has_waited_.store(false);
    }
    // The number of forks between the process in which this was loaded and this one. Safe in signal handlers.
    int generation() const noexcept { return generation_.load(); }

private:
    // Returns when there are no more than `least`, or after about a second.
    static bool wait(const std::atomic<int>& count, int least) noexcept {
        constexpr timespec pause{0, 100'000};
        for (int i = 0; count.load() > least && i < 5000; i++) nanosleep(&pause, nullptr);
        return count.load() <= least;
    }
    static void before_fork() noexcept;
    static void after_fork() noexcept;
    static void in_child_of_fork() noexcept;

    std::atomic<int> threads_{0}, forks_{0}, generation_{0};
    std::atomic<bool> has_begun_{false};
    std::atomic<bool> has_waited_{false}; // a thread that never returns delays one fork, not all
    void (*in_child_)() = nullptr;
    // A thread that forks while it is inside does not wait for itself. No memory is allocated for it.
    [[gnu::tls_model("initial-exec")]] static inline thread_local int depth_ = 0;
};

inline fork_gate the_fork_gate;

inline void fork_gate::before_fork() noexcept {
    const int kept = errno, own = depth_ > 0;
    the_fork_gate.forks_.fetch_add(1);
    if (!the_fork_gate.has_waited_.load() && !wait(the_fork_gate.threads_, own)) the_fork_gate.has_waited_.store(true);
    errno = kept;
}
inline void fork_gate::after_fork() noexcept { the_fork_gate.forks_.fetch_sub(1); }
inline void fork_gate::in_child_of_fork() noexcept {
    const int kept = errno;
    the_fork_gate.threads_.store(depth_ > 0);
    the_fork_gate.forks_.store(0);
    the_fork_gate.has_waited_.store(false);
    the_fork_gate.generation_.fetch_add(1);
    if (the_fork_gate.in_child_ != nullptr) the_fork_gate.in_child_();
    errno = kept;
}

class inside_gate {
public:
    inside_gate() noexcept { the_fork_gate.enter(); }
    ~inside_gate() { the_fork_gate.leave(); }
    inside_gate(const inside_gate&) = delete;
};

inline int generation() noexcept { return the_fork_gate.generation(); }

} // namespace mpit_info
