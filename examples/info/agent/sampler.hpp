// Reads chosen performance variables at a rate, in a thread of its own, and sends each sample on its way. The program's
// threads are not stopped, and get none of its signals.
//
//   sampler<over_mpi> watching{to, {.rate = 10, .variables = {"*"}}, since};   …   watching.finish();
#pragma once

#include "snapshot.hpp"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <fnmatch.h>
#include <mutex>
#include <optional>
#include <thread>

namespace mpit_info {

// Seconds since this was loaded.
class stopwatch {
public:
    double seconds() const noexcept { return now(CLOCK_MONOTONIC) - began_; }
    static double now(clockid_t clock) noexcept {
        timespec at{};
        clock_gettime(clock, &at);
        return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
    }

private:
    double began_ = now(CLOCK_MONOTONIC);
};

struct choice {
    double rate = 10;                   // samples a second
    std::vector<std::string> variables; // patterns as the shell has them; none: all
    std::vector<std::string> events;    // none: none
};

inline bool is_chosen(const std::vector<std::string>& patterns, const std::string& name) {
    for (const std::string& each : patterns)
        if (fnmatch(each.c_str(), name.c_str(), FNM_CASEFOLD) == 0) return true;
    return false;
}

template <class Interface> class sampler {
public:
    sampler(channel& to, const choice& chosen, const stopwatch& watch) : to_{to}, watch_{watch}, chosen_{chosen} {
        choose_variables();
        choose_events();
        // A thread inherits the signals that are blocked where it is made.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        thread_ = std::thread{[this] {
            try {
                run();
            } catch (...) { // without memory there are no more samples
            }
        }};
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }
    ~sampler() { finish(); }

    // The last sample, and the sum of it all.
    void finish() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard guard{state_};
            is_over_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }

private:
    using handle = mpit::tool::performance<mpit::tool::any_value, Interface>;
    static constexpr std::size_t most_elements = 16;
    struct happening {
        std::size_t event;
        double time;
        std::uint64_t elements[most_elements];
    };
    // Between two samples. A track in a report has no room for more, and the program has other things to do.
    static constexpr std::size_t most_waiting = 100;

    void choose_variables() {
        json columns = json::array();
        for (const auto& each : interface_.performances()) {
            if (each.binding != mpit::binding::none) continue;
            if (!chosen_.variables.empty() && !is_chosen(chosen_.variables, each.name)) continue;
            handle made = session_.template performance<mpit::tool::any_value>(each.number);
            if (!made || made.start() != result::success || !each.type || *each.type == mpit::datatype::char_type)
                continue;
            for (std::uint32_t i = 0; i < made.count(); i++)
                columns.push_back({{"name", each.name},
                                   {"class", name_of(each.in)},
                                   {"element", made.count() > 1 ? json(i) : json(nullptr)},
                                   {"object", nullptr},
                                   {"type", name_of(*each.type)}});
            handles_.push_back(std::move(made));
        }
        to_.send({{"message", "columns"}, {"columns", std::move(columns)}});
    }
    void choose_events() {
        waiting_.reserve(most_waiting);
        happened_.reserve(most_waiting);
        for (const auto& each : interface_.events()) {
            if (each.binding != mpit::binding::none || !is_chosen(chosen_.events, each.name)) continue;
            const std::size_t number = events_.size();
            events_.push_back(each);
            registrations_.push_back(interface_.on(
                each.number, [this, number](const auto& instance) { take(number, instance); },
                mpit::safety::thread_safe));
        }
    }
    // Runs where the event happens: it copies a few numbers, or only counts.
    void take(std::size_t number, const mpit::tool::event_instance<Interface>& instance) {
        if (waiting_count_.load(std::memory_order_relaxed) >= most_waiting) {
            lost_.fetch_add(1, std::memory_order_relaxed);
            return;
        }
        happening what{number, watch_.seconds(), {}};
        const std::size_t count = std::min(events_[number].elements.size(), most_elements);
        for (std::size_t i = 0; i < count; i++)
            static_cast<void>(instance.read(static_cast<int>(i), &what.elements[i]));
        const std::lock_guard guard{state_};
        waiting_.push_back(what);
        waiting_count_.store(waiting_.size(), std::memory_order_relaxed);
    }
    json values_of(const happening& what) const {
        json values = json::object();
        const auto& elements = events_[what.event].elements;
        for (std::size_t i = 0; i < std::min(elements.size(), most_elements); i++) {
            if (!elements[i].type || *elements[i].type == mpit::datatype::char_type) continue;
            mpit::tool::variable_facts of;
            of.type = elements[i].type;
            const std::string name = elements[i].name.empty() ? std::to_string(i) : elements[i].name;
            values[name] = to_json(mpit::tool::value_in(reinterpret_cast<const char*>(&what.elements[i]), 1, of), {});
        }
        return values;
    }

    void run() {
        const double began = stopwatch::now(CLOCK_THREAD_CPUTIME_ID), interval = 1 / chosen_.rate;
        double next = watch_.seconds();
        for (bool is_over = false; !is_over;) {
            sample();
            next += interval;
            const double wait = next - watch_.seconds();
            if (wait < 0) next = watch_.seconds(); // a machine that stood still is not asked to catch up
            std::unique_lock lock{state_};
            is_over = changed_.wait_for(lock, std::chrono::duration<double>{wait > 0 ? wait : 0},
                                        [this] { return is_over_; });
        }
        registrations_.clear();
        sample();
        to_.send({{"message", "end"},
                  {"time", watch_.seconds()},
                  {"samples", samples_},
                  {"cost", stopwatch::now(CLOCK_THREAD_CPUTIME_ID) - began}});
    }
    void sample() {
        json values = json::array();
        const double time = watch_.seconds();
        for (handle& each : handles_) {
            const result read = each.read(value_);
            for (std::uint32_t i = 0; i < each.count(); i++)
                values.push_back(read == result::success ? element(i) : json(nullptr));
        }
        to_.send({{"message", "sample"}, {"time", time}, {"values", std::move(values)}});
        samples_++;
        happened_.clear();
        {
            const std::lock_guard guard{state_};
            happened_.swap(waiting_);
            waiting_count_.store(0, std::memory_order_relaxed);
        }
        for (const happening& each : happened_)
            to_.send({{"message", "event"},
                      {"time", each.time},
                      {"event", events_[each.event].name},
                      {"values", values_of(each)}});
        if (const std::uint64_t lost = lost_.exchange(0); lost != 0)
            to_.send({{"message", "lost"}, {"time", time}, {"events", lost}});
    }
    json element(std::uint32_t number) const {
        return std::visit(
            [&](const auto& elements) -> json {
                if constexpr (std::is_same_v<std::decay_t<decltype(elements)>, std::string>) return nullptr;
                else return to_json(elements[number]);
            },
            value_);
    }

    channel& to_;
    const stopwatch& watch_;
    choice chosen_;
    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    std::vector<handle> handles_;
    mpit::tool::any_value value_;
    std::vector<mpit::tool::event_facts> events_;
    std::vector<mpit::tool::event<Interface>> registrations_;

    std::mutex state_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::vector<happening> waiting_, happened_;
    std::atomic<std::size_t> waiting_count_{0};
    std::atomic<std::uint64_t> lost_{0};
    std::uint64_t samples_ = 0;
    std::thread thread_;
};

} // namespace mpit_info
