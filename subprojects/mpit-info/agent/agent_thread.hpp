// The thread of an agent in a process of another program. All signals are blocked in it. It ends when finish() is
// called, or when it is the last thread of the process. Two seconds after finish() it stops by itself, where
// check_time() is called: finish() waits half a second more, and abandons a thread that has not ended then. Whatever
// that uses is never freed.
//
//   agent_thread thread;   thread.begin(*this, &sampler::run);   … thread.sleep(0.1) … agent_thread::check_time(); …   thread.finish();
#pragma once

#include "clock.hpp"
#include "descriptor.hpp"

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <limits>
#include <pthread.h>
#include <semaphore.h>

namespace mpit_info {

// A process whose main thread has ended by pthread_exit() lasts until its other threads have ended; the agent's thread
// must not prolong it. No file is opened while the program runs, since the program may rely on the next free
// descriptor.
class process_state {
public:
    process_state() noexcept : file_{open("/proc/self/stat", O_RDONLY | O_CLOEXEC)} {}

    // Whether the main thread has ended and the agent's are the only other threads.
    bool has_only_agent(long of_agent = 1) const noexcept {
        char text[512];
        const ssize_t length = file_.is_own() ? pread(file_.number(), text, sizeof text - 1, 0) : 0;
        if (length <= 0) return false;
        text[length] = '\0';
        const char* after_name = std::strrchr(text, ')');
        char state = ' ';
        long threads = 0;
        constexpr const char* fields = " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %ld";
        return after_name != nullptr && std::sscanf(after_name + 1, fields, &state, &threads) == 2 && state == 'Z' &&
               threads == 1 + of_agent;
    }

    void leave_to_parent() noexcept { file_.close_own(); }

private:
    descriptor file_;
};

class agent_thread {
public:
    static constexpr double most_seconds_to_end = 2, seconds_to_stop = 0.5;

    // What check_time() throws.
    struct time_is_over {};

    // Call this in work whose length the program determines, such as a loop over its regions or variables. Throws if
    // the calling thread is an agent's, and its time to end is over.
    static void check_time() {
        if (this_thread_ != nullptr && seconds_of(CLOCK_MONOTONIC) > this_thread_->end_.load()) throw time_is_over{};
    }

    // Calls `(of.*run)()` there. Returns false if no thread can be made.
    template <class Class> bool begin(Class& of, void (Class::*run)()) noexcept {
        struct call {
            agent_thread& self;
            Class& of;
            void (Class::*run)();
            sigset_t before;
            sem_t is_taken;
        } made{*this, of, run, {}, {}};
        constexpr auto start = [](void* argument) -> void* {
            call& given = *static_cast<call*>(argument);
            agent_thread& self = given.self;
            Class& there = given.of;
            void (Class::* const there_run)() = given.run;
            const sigset_t before = given.before;
            pthread_detach(pthread_self());
            sem_post(&given.is_taken);
            this_thread_ = &self;
            try {
                (there.*there_run)();
            } catch (...) { // without memory or time there are no more samples
            }
            this_thread_ = nullptr;
            sem_post(&self.is_ended_);
            // The last thread of a process runs exit(), with the program's functions.
            pthread_sigmask(SIG_SETMASK, &before, nullptr);
            return nullptr;
        };
        pthread_attr_t how;
        if (pthread_attr_init(&how) != 0) return false;
        sem_init(&made.is_taken, 0, 0);
        // A new thread inherits the blocked signals of the thread that makes it.
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &made.before);
        pthread_t thread;
        const bool is_small = pthread_attr_setstacksize(&how, size_of_stack) == 0;
        is_begun_ = is_small && pthread_create(&thread, &how, start, &made) == 0;
        // Thread-local variables of the program may take more than that.
        is_begun_ = is_begun_ || pthread_create(&thread, nullptr, start, &made) == 0;
        if (is_begun_) wait(made.is_taken);
        pthread_sigmask(SIG_SETMASK, &made.before, nullptr);
        pthread_attr_destroy(&how);
        return is_begun_;
    }

    // Call this in the thread. Returns false when it has to end.
    bool sleep(double seconds) noexcept {
        constexpr double between_looks = 0.1;
        for (const double end = seconds_of(CLOCK_MONOTONIC) + seconds;;) {
            const double part = std::min(end - seconds_of(CLOCK_MONOTONIC), between_looks);
            if (part > 0 && wait(to_wake_, part)) return false;
            if (is_over_.load()) return false;
            const double at = seconds_of(CLOCK_MONOTONIC);
            if (at - last_look_ >= between_looks) {
                last_look_ = at;
                if (process_.has_only_agent()) return false;
            }
            if (!(at < end)) return true;
        }
    }

    // Call this in any other thread. Returns false if the thread does not end: it may wait for a lock of the caller.
    // May be called again.
    bool finish() noexcept {
        if (!is_begun_) return true;
        const double now = seconds_of(CLOCK_MONOTONIC);
        if (!is_over_.load()) end_.store(now + most_seconds_to_end);
        is_over_.store(true);
        sem_post(&to_wake_);
        is_begun_ = !wait(is_ended_, std::max(end_.load() - now, 0.0) + seconds_to_stop);
        return !is_begun_;
    }

    // Call this in a forked child, which has no such thread.
    void leave_to_parent() noexcept { process_.leave_to_parent(); }

    agent_thread() noexcept {
        sem_init(&to_wake_, 0, 0);
        sem_init(&is_ended_, 0, 0);
    }
    agent_thread(const agent_thread&) = delete;

private:
    // Bytes. Functions of the program that compute values run on this stack.
    static constexpr std::size_t size_of_stack = 1 << 20;

    static void wait(sem_t& on) noexcept {
        while (sem_wait(&on) != 0 && errno == EINTR) {}
    }
    static bool wait(sem_t& on, double seconds) noexcept {
        timespec until{};
        clock_gettime(CLOCK_MONOTONIC, &until);
        const double whole = std::floor(seconds);
        until.tv_sec += static_cast<std::time_t>(whole);
        until.tv_nsec += static_cast<long>((seconds - whole) * 1e9);
        if (until.tv_nsec >= 1'000'000'000) {
            until.tv_sec++;
            until.tv_nsec -= 1'000'000'000;
        }
        int answer = 0;
        while ((answer = sem_clockwait(&on, CLOCK_MONOTONIC, &until)) != 0 && errno == EINTR) {}
        return answer == 0;
    }

    [[gnu::tls_model("initial-exec")]] static inline thread_local agent_thread* this_thread_ = nullptr;
    process_state process_;
    sem_t to_wake_, is_ended_;
    std::atomic<bool> is_over_{false};
    std::atomic<double> end_{std::numeric_limits<double>::infinity()}; // in seconds of CLOCK_MONOTONIC
    bool is_begun_ = false;
    double last_look_ = 0;
};

} // namespace mpit_info
