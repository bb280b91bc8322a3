// Reads chosen performance variables at a rate, in a thread of its own, and sends each sample. The program's threads
// are not stopped and do not wait.
//
//   sampler<over_mpi> watching{to, {.rate = 10, .variables = {"*"}}, since};   …   watching.finish();
#pragma once

#include "agent_thread.hpp"
#include "calls_layer.hpp"
#include "clock.hpp"
#include "event_ring.hpp"
#include "event_totals.hpp"
#include "fork_gate.hpp"
#include "regions_of_process.hpp"
#include "snapshot.hpp"

#include <deque>
#include <fnmatch.h>
#include <numeric>
#include <optional>

namespace mpit_info {

// Seconds since this was loaded.
class stopwatch {
public:
    double seconds() const noexcept { return seconds_of(CLOCK_MONOTONIC) - began_; }

private:
    double began_ = seconds_of(CLOCK_MONOTONIC);
};

// An object of the program that lasts as long as its MPI, for variables that are bound to such objects.
struct known_object {
    mpit::binding kind;
    mpit::tool::object handle;
    std::string name;
};

struct choice {
    double rate = 10;                   // samples a second
    std::vector<std::string> variables; // patterns as the shell has them; none: all
    std::vector<std::string> events;    // none: none
    bool is_split = false;              // the elements of variables of objects; otherwise they are summed
    std::vector<known_object> objects{};
};

template <class Interface> class sampler {
public:
    sampler(channel& to, const choice& chosen, const stopwatch& watch, calls_layer& layer, regions_of_process& regions)
        : to_{to}, watch_{watch}, chosen_{chosen}, layer_{layer}, regions_{regions} {
        {
            const inside_gate reading;
            choose_variables(columns_);
            choose_events();
        }
        if (!send_columns()) to_.send({{"message", "columns"}, {"columns", columns_}});
        thread_.begin(*this, &sampler::run);
    }

    // Sends the last sample and the totals. Returns false if the thread does not end: then it may still be sending.
    bool finish() noexcept { return thread_.finish(); }
    void leave_to_parent() noexcept { thread_.leave_to_parent(); }

private:
    using handle = mpit::tool::performance<mpit::tool::any_value, Interface>;

    // Returns false if they are those of the last message.
    bool send_columns() {
        json more;
        {
            const inside_gate reading;
            more = layer_.new_columns();
        }
        if (!more.is_array()) return false;
        json columns = columns_;
        columns.insert(columns.end(), more.begin(), more.end());
        to_.send({{"message", "columns"}, {"columns", std::move(columns)}});
        return true;
    }
    void choose_variables(json& columns) {
        for (const auto& each : interface_.performances()) {
            if (!chosen_.variables.empty() && !is_chosen(chosen_.variables, each.name)) continue;
            if (!each.type || *each.type == mpit::datatype::char_type) continue;
            if (each.binding == mpit::binding::none) add(each, {}, nullptr, false, columns);
            for (const known_object& object : chosen_.objects)
                if (object.kind == each.binding) add(each, object.handle, object.name, !chosen_.is_split, columns);
        }
    }
    void add(const mpit::tool::performance_info& of, const mpit::tool::object& bound, const json& object, bool is_sum,
             json& columns) {
        handle made = session_.template performance<mpit::tool::any_value>(of.number, bound);
        if (!made || made.start() != result::success) return;
        const bool is_one = made.count() == 1 || is_sum;
        for (std::uint32_t i = 0; i < (is_one ? 1 : made.count()); i++)
            columns.push_back({{"name", of.name},
                               {"class", name_of(of.variable_class)},
                               {"element", is_one ? json(nullptr) : json(i)},
                               {"object", object},
                               {"type", name_of(*of.type)}});
        handles_.push_back({std::move(made), is_sum});
    }
    void choose_events() {
        for (const auto& each : interface_.events()) {
            if (each.binding != mpit::binding::none || !is_chosen(chosen_.events, each.name)) continue;
            events_.push_back(each);
            totals_.emplace_back(each);
        }
        // The lists are complete before the first callback reads them.
        for (std::size_t number = 0; number < events_.size(); number++)
            registrations_.push_back(interface_.on(
                events_[number].number, [this, number](const auto& instance) { take(number, instance); },
                mpit::safety::thread_safe));
    }
    // Runs in the program's thread that raises the event: adds up a few numbers, and copies them if there is a place.
    void take(std::size_t number, const mpit::tool::event_instance<Interface>& instance) noexcept {
        if (generation() != generation_) return; // a forked child has no thread that reads them
        const int kept = errno;
        std::uint64_t elements[happening::most_elements]{};
        const std::size_t count = std::min(events_[number].elements.size(), happening::most_elements);
        for (std::size_t i = 0; i < count; i++) static_cast<void>(instance.read(static_cast<int>(i), &elements[i]));
        totals_[number].add(elements);
        ring_.put([&](happening& what) {
            what.event = number;
            what.time = watch_.seconds();
            std::copy_n(elements, count, what.elements);
        });
        errno = kept;
    }
    json values_of(const happening& what) const {
        json values = json::object();
        const auto& elements = events_[what.event].elements;
        for (std::size_t i = 0; i < std::min(elements.size(), happening::most_elements); i++) {
            if (!elements[i].type || *elements[i].type == mpit::datatype::char_type) continue;
            mpit::tool::variable_info of;
            of.type = elements[i].type;
            const std::string name = elements[i].name.empty() ? std::to_string(i) : elements[i].name;
            values[name] = to_json(mpit::tool::value_in(reinterpret_cast<const char*>(&what.elements[i]), 1, of), {});
        }
        return values;
    }

    void run() {
        const double began = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        const double interval = chosen_.rate > 0 ? 1 / chosen_.rate : 0.1;
        double next = watch_.seconds();
        do {
            sample();
            next += interval;
            if (next < watch_.seconds()) next = watch_.seconds(); // missed samples are not made up for
        } while (thread_.sleep(next - watch_.seconds()));
        {
            const inside_gate reading;
            registrations_.clear();
        }
        sample(true);
        to_.send({{"message", "end"},
                  {"time", watch_.seconds()},
                  {"samples", samples_},
                  {"cost", seconds_of(CLOCK_THREAD_CPUTIME_ID) - began}});
    }
    void sample(bool is_last = false) {
        send_columns();
        const double time = watch_.seconds();
        const json region = regions_.number();
        json taken = {{"message", "sample"}, {"time", time}, {"values", values()}};
        if (!region.is_null()) taken["region"] = region;
        to_.send(taken);
        samples_++;
        send_regions(time, is_last);
        for (std::size_t i = 0; i < event_ring::size; i++) {
            const happening* next = ring_.front();
            if (next == nullptr) break;
            json message = {{"message", "event"},
                            {"time", next->time},
                            {"event", events_[next->event].name},
                            {"values", values_of(*next)}};
            ring_.pop();
            to_.send(message);
        }
        for (event_totals& each : totals_)
            if (json totals = each.message(time); !totals.is_null()) to_.send(totals);
        if (const std::uint64_t lost = ring_.take_lost(); lost != 0)
            to_.send({{"message", "lost"}, {"time", time}, {"events", lost}});
    }
    // Once a second, and at the end.
    void send_regions(double time, bool is_last) {
        if (!regions_.is_there() || (time < next_regions_ && !is_last)) return;
        const json message = regions_.message(time, layer_);
        if (message.is_null()) return;
        next_regions_ = time + 1;
        to_.send(message);
    }
    json values() {
        const inside_gate reading;
        json all = json::array();
        for (watched& each : handles_) {
            const result read = each.of.read(value_);
            const std::uint32_t last = each.of.count(), columns = each.is_sum ? 1 : last;
            for (std::uint32_t i = 0; i < columns; i++)
                all.push_back(read != result::success ? json(nullptr) : each.is_sum ? sum(last) : element(i));
        }
        layer_.add_values(all);
        return all;
    }
    json sum(std::uint32_t count) const {
        return std::visit(
            [&](const auto& elements) -> json {
                if constexpr (std::is_same_v<std::decay_t<decltype(elements)>, std::string>) return nullptr;
                else
                    return to_json(std::accumulate(elements.begin(), elements.begin() + count,
                                                   typename std::decay_t<decltype(elements)>::value_type{}));
            },
            value_);
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
    calls_layer& layer_;
    regions_of_process& regions_;
    double next_regions_ = 0;
    json columns_ = json::array(); // without those of the layer
    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    struct watched {
        handle of;
        bool is_sum; // one column for all elements
    };
    std::vector<watched> handles_;
    mpit::tool::any_value value_;
    std::vector<mpit::tool::event_info> events_;
    std::deque<event_totals> totals_; // of the same events
    std::vector<mpit::tool::event<Interface>> registrations_;

    event_ring ring_;
    std::uint64_t samples_ = 0;
    const int generation_ = generation();
    agent_thread thread_;
};

} // namespace mpit_info
