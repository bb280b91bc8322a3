// A sleeping agent, for MPIT_AGENT=resident: its thread waits on a listener, without a wake-up, until the tool connects
// and sends one line, the request. It serves one connection at a time; the tool's end, however it ends, is the end of
// the connection.
//
//   resident sleeping{of, &agent::serve};   sleeping.begin();   …   sleeping.finish();
#pragma once

#include "agent_thread.hpp"
#include "channel.hpp"
#include "listener.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

namespace mpit_info {

template <class Agent> class resident {
public:
    using serve_function = void (Agent::*)(channel& to, const json& request);

    resident(Agent& of, serve_function serve) : of_{of}, serve_{serve} {}
    // Returns false if it cannot listen.
    bool begin() noexcept {
        if (!at_.is_open() || !wake_.is_own()) return false;
        watch_main_thread();
        return thread_.begin(*this, &resident::run);
    }
    // Call this in another thread. Returns false if the thread does not end in time, or if the program has closed what
    // wakes it.
    bool finish() noexcept {
        is_over_.store(true);
        return wake() && thread_.finish();
    }
    void leave_to_parent() noexcept {
        at_.leave_to_parent();
        wake_.close_own();
        process_.leave_to_parent();
        thread_.leave_to_parent();
        if (to_ != nullptr) to_->leave_to_parent();
    }
    // In its thread: sleeps until the tool leaves or the program ends. `threads` of the agent are alive. Returns false
    // if the program ends.
    bool sleep_until_left(const channel& to, long threads) noexcept {
        while (!is_over_.load() && wake_.is_own() && to.is_open()) {
            pollfd files[] = {{to.number(), POLLIN | POLLRDHUP, 0}, {wake_.number(), POLLIN, 0}};
            poll(files, 2, milliseconds());
            if (files[0].revents != 0) return true;
            if (is_last(threads)) break;
        }
        return to.is_open() ? false : !is_over_.load();
    }

private:
    static constexpr int most_request = 1 << 16, milliseconds_of_request = 2000;

    bool wake() noexcept {
        const std::uint64_t one = 1;
        return wake_.is_own() && write(wake_.number(), &one, sizeof one) == sizeof one;
    }
    // The agent's thread must not prolong a process whose main thread ends by pthread_exit(): this calls a destructor,
    // which wakes.
    void watch_main_thread() noexcept {
        pthread_key_t key;
        constexpr auto at_end = [](void* of) {
            resident& self = *static_cast<resident*>(of);
            if (getpid() != self.owner_) return;
            self.has_main_ended_.store(true);
            self.wake();
        };
        has_main_ended_.store(syscall(SYS_gettid) != getpid() || pthread_key_create(&key, at_end) != 0 ||
                              pthread_setspecific(key, this) != 0);
    }
    int milliseconds() const noexcept { return has_main_ended_.load() ? 100 : -1; }
    bool is_last(long threads) const noexcept { return has_main_ended_.load() && process_.has_only_agent(threads); }

    void run() {
        while (!is_over_.load() && at_.is_open() && wake_.is_own()) {
            pollfd files[] = {{at_.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}};
            // After the main thread's end its wake-up must not keep this loop busy.
            if (has_main_ended_.load()) take_wake();
            poll(files, 2, milliseconds());
            if (is_over_.load() || is_last(1)) break;
            if ((files[0].revents & POLLIN) == 0) continue;
            if (descriptor made = at_.accept(); made.number() >= 0) answer(std::move(made));
        }
        at_.close();
    }
    void take_wake() noexcept {
        std::uint64_t count = 0;
        if (!is_over_.load()) static_cast<void>(!read(wake_.number(), &count, sizeof count));
    }
    void answer(descriptor made) {
        channel to{std::move(made)};
        to_ = &to;
        const struct leaving {
            channel*& to;
            ~leaving() { to = nullptr; } // also when the time to end is over
        } after{to_};
        if (const json request = request_of(to); request.is_object()) (of_.*serve_)(to, request);
    }
    // One line within the time; null otherwise.
    json request_of(const channel& to) {
        std::string text;
        for (const double end = seconds_of(CLOCK_MONOTONIC) + milliseconds_of_request / 1e3;
             text.find('\n') == text.npos && text.size() < most_request && to.is_open() && !is_over_.load();) {
            char part[4096];
            const ssize_t length = recv(to.number(), part, sizeof part, MSG_DONTWAIT);
            if (length > 0) text.append(part, static_cast<std::size_t>(length));
            else if (length == 0 || (errno != EAGAIN && errno != EINTR)) return nullptr;
            const int left = static_cast<int>(1e3 * (end - seconds_of(CLOCK_MONOTONIC)));
            if (left <= 0) return nullptr;
            pollfd files[] = {{to.number(), POLLIN, 0}, {wake_.number(), POLLIN, 0}};
            if (text.find('\n') == text.npos) poll(files, 2, left);
        }
        return json::parse(text, nullptr, false);
    }

    Agent& of_;
    serve_function serve_;
    listener at_;
    descriptor wake_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
    process_state process_;
    channel* to_ = nullptr;
    const pid_t owner_ = getpid();
    std::atomic<bool> is_over_{false}, has_main_ended_{false};
    agent_thread thread_;
};

} // namespace mpit_info
