// Reads chosen performance variables at a rate, in a thread of its own, and sends each sample. The program's threads
// are not stopped and do not wait. Variables that come while it samples are chosen in the same way, and sent in new
// columns; those of a library that was closed have none.
//
//   sampler<over_mpi> watching{to, {.rate = 10, .variables = {"*"}}, since};   watching.begin();   …   watching.finish();
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
#include <functional>
#include <list>
#include <numeric>
#include <optional>
#include <set>

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
    // `describe` is called when other variables are there than at the beginning, once a second at most.
    sampler(channel& to, const choice& chosen, const stopwatch& watch, calls_layer& layer, regions_of_process& regions,
            std::function<void()> describe)
        : to_{to}, watch_{watch}, chosen_{chosen}, layer_{layer}, regions_{regions}, describe_{std::move(describe)} {
        static_cast<void>(choose_new());
        send_columns(true);
    }

    void begin() {
        own_.emplace();
        thread_ = &*own_;
        own_->begin(*this, &sampler::run);
    }
    // Samples in the calling thread, which is `in`, until that has to end.
    void run_in(agent_thread& in) {
        thread_ = &in;
        run();
    }
    // Sends the last sample and the totals. Returns false if the thread does not end: then it may still be sending.
    bool finish() noexcept { return !own_ || own_->finish(); }
    // Behind finish(): says so if the time was over before the thread had sent everything.
    void say_if_cut() {
        if (!has_sent_all_.load())
            to_.send({{"message", "end"}, {"time", watch_.seconds()}, {"samples", samples_}, {"cut", true}});
    }
    void leave_to_parent() noexcept {
        if (own_) own_->leave_to_parent();
    }

private:
    using handle = mpit::tool::performance<mpit::tool::any_value, Interface>;

    // What shows that variables have come: how many there are, how often categories have changed, and of the index how
    // often trees were published, since a library that was opened again brings nothing new.
    struct changes {
        int variables = 0, events = 0, categories = 0, published = 0;
        bool operator==(const changes&) const = default;
    };
    changes changes_now() const {
        changes now;
        now.variables = interface_.count(kind::performance);
        now.events = interface_.count(kind::event);
        static_cast<void>(interface_.changes_of_categories(now.categories));
        if constexpr (is_of_index<Interface> || is_beside_index<Interface>)
            if (mpit::registry::process_registry* const index = mpit::registry::cached_registry.load())
                now.published = index->log.length();
        return now;
    }
    // Returns false if no column has come or gone since the last call.
    bool choose_new() {
        if constexpr (is_of_index<Interface> || is_beside_index<Interface>)
            if (!index_.open() && is_of_index<Interface>) return false;
        const inside_gate reading;
        publish_declared<Interface>();
        if (is_of_index<Interface> && !interface_) {
            interface_ = mpit::tool::library<Interface>{};
            session_ = mpit::tool::session<Interface>{};
        }
        const std::size_t lost = std::erase_if(handles_, [](const watched& each) { return each.is_over; });
        has_lost_ = has_lost_ || lost != 0;
        // An MPI does not show that a library was opened again.
        const bool is_due = !is_of_index<Interface> && has_lost_ && watch_.seconds() >= next_choice_;
        const changes now = changes_now();
        if (chosen_at_ == now && !is_due && lost == 0) return false;
        chosen_at_ = now;
        next_choice_ = watch_.seconds() + 1;
        const std::size_t before = handles_.size();
        choose_variables();
        choose_events();
        return lost != 0 || handles_.size() != before;
    }
    // Those of the process, and behind them those of the layer.
    void send_columns(bool are_new) {
        json more;
        {
            const inside_gate reading;
            more = layer_.new_columns();
        }
        if (more.is_array()) of_layer_ = std::move(more);
        else if (!are_new) return;
        json columns = json::array();
        for (const watched& each : handles_) columns.insert(columns.end(), each.columns.begin(), each.columns.end());
        columns.insert(columns.end(), of_layer_.begin(), of_layer_.end());
        to_.send({{"message", "columns"}, {"columns", std::move(columns)}});
    }
    void choose_variables() {
        std::set<std::pair<int, std::string>> known;
        for (const watched& each : handles_) known.emplace(each.of.info().number, each.object);
        names_with_bounds_.reset();
        for (const auto& each : interface_.performances()) {
            agent_thread::check_time();
            if (!chosen_.variables.empty() && !is_chosen(chosen_.variables, each.name)) continue;
            if (!each.type || *each.type == mpit::datatype::char_type) continue;
            if (each.binding == mpit::binding::none && known.count({each.number, {}}) == 0) add(each, {}, {}, false);
            for (const known_object& object : chosen_.objects)
                if (object.kind == each.binding && known.count({each.number, object.name}) == 0)
                    add(each, object.handle, object.name, !chosen_.is_split);
        }
    }
    // Whether the elements of a variable are buckets of a distribution: the sum of these says nothing. The control
    // variables are asked only if there is an array of an object.
    bool has_bounds(const std::string& name) {
        if (!names_with_bounds_) {
            constexpr std::string_view end = "_bounds";
            names_with_bounds_.emplace();
            for (const auto& each : interface_.controls()) {
                agent_thread::check_time();
                if (each.name.ends_with(end))
                    names_with_bounds_->insert(each.name.substr(0, each.name.size() - end.size()));
            }
        }
        return names_with_bounds_->count(name) != 0;
    }
    void add(const mpit::tool::performance_info& of, const mpit::tool::object& bound, const std::string& object,
             bool is_sum) {
        handle made = session_.template performance<mpit::tool::any_value>(of, bound);
        if (!made || made.start() != result::success) return;
        if (is_sum && made.count() != 1 && has_bounds(of.name)) is_sum = false;
        const bool is_one = made.count() == 1 || is_sum;
        json columns = json::array();
        for (std::uint32_t i = 0; i < (is_one ? 1 : made.count()); i++)
            columns.push_back({{"name", of.name},
                               {"class", name_of(of.variable_class)},
                               {"element", is_one ? json(nullptr) : json(i)},
                               {"object", object.empty() ? json(nullptr) : json(object)},
                               {"type", name_of(*of.type)}});
        handles_.push_back({std::move(made), object, is_sum, std::move(columns), false, false});
    }
    void choose_events() {
        const std::size_t before = events_.size();
        int number = 0;
        for (const auto& each : interface_.events()) {
            if (each.number < next_event_) continue;
            number = each.number + 1;
            if (each.binding != mpit::binding::none || !is_chosen(chosen_.events, each.name)) continue;
            events_.push_back(each);
            totals_.emplace_back(each);
        }
        next_event_ = std::max(next_event_, number);
        for (std::size_t place = before; place < events_.size(); place++)
            registrations_.push_back(
                interface_.on(events_[place].number,
                              [this, place, &of = events_[place], &totals = totals_[place]](const auto& instance) {
                take(place, of, totals, instance);
            }, mpit::safety::thread_safe));
    }
    // Runs in the program's thread that raises the event: adds up a few numbers, and copies them if there is a place.
    // The lists, which grow meanwhile, leave their elements in their places.
    void take(std::size_t place, const mpit::tool::event_info& of, event_totals& totals,
              const mpit::tool::event_instance<Interface>& instance) noexcept {
        if (generation() != generation_) return; // a forked child has no thread that reads them
        const int kept = errno;
        std::uint64_t elements[happening::most_elements]{};
        const std::size_t count = std::min(of.elements.size(), happening::most_elements);
        for (std::size_t i = 0; i < count; i++) static_cast<void>(instance.read(static_cast<int>(i), &elements[i]));
        totals.add(elements);
        ring_.put([&](happening& what) {
            what.event = place;
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
        } while (thread_->sleep(next - watch_.seconds()));
        {
            const inside_gate reading;
            registrations_.clear();
        }
        sample(true);
        to_.send({{"message", "end"},
                  {"time", watch_.seconds()},
                  {"samples", samples_},
                  {"cost", seconds_of(CLOCK_THREAD_CPUTIME_ID) - began}});
        has_sent_all_.store(true);
    }
    void sample(bool is_last = false) {
        agent_thread::check_time();
        send_news();
        double time = watch_.seconds();
        json read = values();
        // Closed since then.
        if (has_ended_) {
            send_news();
            time = watch_.seconds();
            read = values();
        }
        const json region = regions_.number();
        json taken = {{"message", "sample"}, {"time", time}, {"values", std::move(read)}};
        if (!region.is_null()) taken["region"] = region;
        to_.send(taken);
        samples_++;
        send_regions(time, is_last);
        send_distributions(time, is_last);
        if (time >= next_calls_) {
            next_calls_ = time + 1;
            if (const json quiet = layer_.quiet_calls(time); !quiet.is_null()) to_.send(quiet);
        }
        for (std::size_t i = 0; i < event_ring::size; i++) {
            agent_thread::check_time();
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
    void send_news() {
        const bool are_new = choose_new();
        are_described_ = are_described_ && !are_new;
        if (!are_described_ && watch_.seconds() >= next_description_) {
            describe_();
            are_described_ = true;
            next_description_ = watch_.seconds() + 1;
        }
        send_columns(are_new);
    }
    // Once a second, and at the end.
    void send_regions(double time, bool is_last) {
        if (!regions_.is_there() || (time < next_regions_ && !is_last)) return;
        const json message = regions_.message(time, layer_);
        if (message.is_null()) return;
        next_regions_ = time + 1;
        to_.send(message);
    }
    void send_distributions(double time, bool is_last) {
        if (time < next_distributions_ && !is_last) return;
        next_distributions_ = time + 1;
        if (const json message = layer_.distributions(time); !message.is_null()) to_.send(message);
    }
    json values() {
        const inside_gate reading;
        json all = json::array();
        has_ended_ = false;
        for (watched& each : handles_) {
            agent_thread::check_time();
            const result read = each.of.read(value_);
            each.is_read = each.is_read || read == result::success;
            each.is_over = each.is_read && read == result::invalid_handle; // its library was closed
            has_ended_ = has_ended_ || each.is_over;
            const std::uint32_t last = each.of.count(), columns = each.is_sum ? 1 : last;
            for (std::uint32_t i = 0; i < columns; i++)
                all.push_back(read != result::success ? json(nullptr) : each.is_sum ? sum(last) : element(i));
        }
        layer_.add_values(all);
        return all;
    }
    json sum(std::uint32_t count) const {
        return std::visit([&](const auto& elements) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(elements)>, std::string>) return nullptr;
            else
                return to_json(std::accumulate(elements.begin(), elements.begin() + count,
                                               typename std::decay_t<decltype(elements)>::value_type{}));
        }, value_);
    }
    json element(std::uint32_t number) const {
        return std::visit([&](const auto& elements) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(elements)>, std::string>) return nullptr;
            else return to_json(elements[number]);
        }, value_);
    }

    channel& to_;
    const stopwatch& watch_;
    choice chosen_;
    calls_layer& layer_;
    regions_of_process& regions_;
    std::function<void()> describe_;
    double next_regions_ = 0, next_description_ = 0, next_choice_ = 0, next_calls_ = 1, next_distributions_ = 1;
    bool has_lost_ = false, has_ended_ = false;
    bool are_described_ = true;
    json of_layer_ = json::array(); // its columns
    index_search index_;
    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    struct watched {
        handle of;
        std::string object; // its name; empty without one
        bool is_sum;        // one column for all elements
        json columns;
        bool is_read = false, is_over = false;
    };
    std::list<watched> handles_;
    std::optional<std::set<std::string>> names_with_bounds_; // at the last choice, if they were asked for
    std::optional<changes> chosen_at_;
    mpit::tool::any_value value_;
    int next_event_ = 0; // those before it have been chosen or not
    std::deque<mpit::tool::event_info> events_;
    std::deque<event_totals> totals_; // of the same events
    std::vector<mpit::tool::event<Interface>> registrations_;

    event_ring ring_;
    std::uint64_t samples_ = 0;
    std::atomic<bool> has_sent_all_{false};
    const int generation_ = generation();
    std::optional<agent_thread> own_;
    agent_thread* thread_ = nullptr;
};

} // namespace mpit_info
