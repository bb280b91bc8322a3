// A thread that stands still before the operation of one's choice, and a watch over the test itself, which must not
// wait for it. The programs are compiled with stopping_atomic.hpp in the place of the atomic operations.
//     stopped_thread other{7, [] { register_something(); }};   if (other.is_stopped()) use_everything();   other.go_on();
#pragma once

#include "../long_tests.hpp"
#include "../sanitizers.hpp"
#include "plugin.hpp"

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace stopping {

inline std::atomic<int> state{0}; // 1: the thread has stopped, 2: it has ended
inline std::atomic<bool> may_go_on{false};

// Called in the place of a stop, where it is set.
inline void (*instead_of_stopping)() = nullptr;

inline void stop_here() noexcept {
    if (instead_of_stopping != nullptr) return instead_of_stopping();
    state = 1;
    while (!may_go_on) usleep(20);
}

} // namespace stopping

class stopped_thread {
public:
    // Returns when the thread has stopped before its k-th operation, or has ended before.
    template <class Function> stopped_thread(long k, Function function) {
        stopping::state = 0;
        stopping::may_go_on = false;
        thread_ = std::thread{[=] {
            stopping::steps_left = k;
            function();
            stopping::steps_left = 0;
            stopping::state = 2;
        }};
        while (stopping::state == 0) std::this_thread::yield();
    }
    ~stopped_thread() { go_on(); }
    stopped_thread(const stopped_thread&) = delete;
    bool is_stopped() const { return stopping::state == 1; }
    void go_on() {
        stopping::may_go_on = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    std::thread thread_;
};

// Ends the program with words when what is going on takes longer than any machine needs for it, because it waits.
class time_limit {
public:
    explicit time_limit(const char* doing) {
        doing_ = doing;
        std::signal(SIGALRM, [](int) {
            const char* parts[] = {"this test waits for a thread that stands still: ", doing_, "\n"};
            for (const char* part : parts) {
                if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
            }
            _exit(99);
        });
        alarm(seconds);
    }
    // Once more the whole time.
    static void begin_again() { alarm(seconds); }
    // Half of it, for a child: its parent shall see it end. A handler would be too much for a sanitizer that hangs.
    static void begin_in_child() {
        std::signal(SIGALRM, SIG_DFL);
        alarm(seconds / 2);
    }
    ~time_limit() { alarm(0); }
    time_limit(const time_limit&) = delete;

private:
    static constexpr unsigned seconds = MPIT_THREAD_SANITIZER ? 60 : 20;
    static inline const char* doing_ = "";
};
