// The whole content of a tool interface, as the document of ../schema.json.
//
//   json document = mpit_info::snapshot<mpit::tool::over_mpi>{}.document();
#pragma once

#include "agent_thread.hpp"
#include "index.hpp"
#include "provenance.hpp"

#include <mpit/tool/library.hpp>

#include <cmath>
#include <map>

namespace mpit_info {

using mpit::result;
using mpit::tool::kind;

// Numbers as JSON has them; a double that JSON has no number for is a text.
inline json to_json(double number) {
    if (std::isnan(number)) return "nan";
    if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
    return number;
}
inline json to_json(std::int64_t number) { return number; }
inline json to_json(std::uint64_t number) { return number; }

// One element as itself, more of them as an array, items of enumerations by name.
inline json to_json(const mpit::tool::any_value& value, const mpit::tool::enumeration_info& of) {
    return std::visit([&](const auto& elements) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(elements)>, std::string>) {
            return elements;
        } else {
            json all = json::array();
            for (const auto each : elements) {
                const std::string* item = of.name_of(static_cast<int>(each));
                all.push_back(item != nullptr ? json(*item) : to_json(each));
            }
            return all.size() == 1 ? all[0] : all;
        }
    }, value);
}

// Whether a handle that was started just before it is read has no value to show: it counts from its start, or marks the
// highest or lowest value since then. Handles of an MPI on continuous variables may count from its own start.
template <class Interface> bool has_no_value_at_start(const mpit::tool::performance_info& of) noexcept {
    using mpit::performance_class;
    const bool is_indexed = is_in_index<Interface>(mpit::tool::kind::performance, of.number);
    switch (of.variable_class) {
    case performance_class::counter:
    case performance_class::aggregate:
    case performance_class::timer:
    case performance_class::high_watermark:
    case performance_class::low_watermark: return is_indexed || !of.is_continuous;
    // In the index one of numbers is a sum as well.
    case performance_class::generic:
        return is_indexed && of.type != mpit::datatype::char_type && of.enumeration.items.empty();
    default: return false;
    }
}

template <class Interface> class snapshot {
public:
    explicit snapshot(environment_names before = {}) : before_{std::move(before)} {}
    // Whether the interface can be read: not so without an index.
    bool is_open() const noexcept { return static_cast<bool>(interface_); }
    // Starts the performance variables, for the following documents.
    void start() {
        is_starting_ = true;
        for (const auto& each : interface_.performances()) handle_on(each);
        is_starting_ = false;
    }
    // Those that were not there at start() have counted nothing before `moment`.
    json document(const char* moment = "at this moment") {
        moment_ = moment;
        enumerations_ = json::array();
        enumerations_known_.clear();
        holes_ = json::array();
        json whole = {{"control_variables", controls()},
                      {"performance_variables", performances()},
                      {"events", events()},
                      {"sources", sources()},
                      {"categories", categories()}};
        whole["enumerations"] = std::move(enumerations_);
        whole["holes"] = std::move(holes_);
        return whole;
    }
    bool is_empty() const {
        return interface_.count(kind::control) + interface_.count(kind::performance) + interface_.count(kind::event) ==
               0;
    }

    // How many performance variables of an MPI count or time what happens, are of no object and can be read.
    int count_watched() {
        using mpit::performance_class;
        int count = 0;
        for (const auto& each : interface_.performances()) {
            const auto of = each.variable_class;
            if (of != performance_class::counter && of != performance_class::aggregate &&
                of != performance_class::timer)
                continue;
            if (is_beside_index<Interface> && is_in_index<Interface>(kind::performance, each.number)) continue;
            if (counted* const there = handle_on(each)) count += there->handle.answer() == result::success;
        }
        return count;
    }

private:
    using performance_handle = mpit::tool::performance<mpit::tool::any_value, Interface>;
    struct counted {
        performance_handle handle;
        bool is_late; // it was not there at start()
    };

    // Calls `add(facts, to)` for each index with a description, and notes the others.
    template <class Facts, class Add> json list(kind of, const char* called, Add add) {
        json all = json::array();
        for (int i = 0, end = interface_.count(of); i < end; i++) {
            agent_thread::check_time();
            Facts facts;
            if (const result told = interface_.tell(i, facts); told != result::success) {
                holes_.push_back({{"kind", called}, {"index", i}, {"problem", to_string(told)}});
                continue;
            }
            json one = {{"index", facts.number}, {"name", facts.name}, {"description", facts.description}};
            add(facts, one);
            all.push_back(std::move(one));
        }
        return all;
    }
    // The name of an enumeration in the document. Another one of the same name has a number behind it.
    json enumeration(const mpit::tool::enumeration_info& of) {
        if (of.items.empty()) return nullptr;
        json items = json::array();
        for (const auto& each : of.items) items.push_back({{"value", each.value}, {"name", each.name}});
        const std::string first = of.name.empty() ? "unnamed" : of.name;
        std::string name = first;
        for (int number = 2;; number++) {
            const auto [known, is_new] = enumerations_known_.try_emplace(name, items);
            if (is_new) enumerations_.push_back({{"name", name}, {"items", items}});
            if (known->second == items) return name;
            name = first + " " + std::to_string(number);
        }
    }
    void describe(const mpit::tool::variable_info& of, json& to) {
        to["verbosity"] = name_of(of.verbosity);
        to["type"] = of.type ? name_of(*of.type) : of.is_bool ? "bool" : "unknown";
        to["count"] = 1;
        to["binding"] = name_of(of.binding);
        to["enumeration"] = enumeration(of.enumeration);
    }
    // Of variables of no object.
    template <class Handle> static void put_value(Handle&& handle, json& to) {
        mpit::tool::any_value value;
        const result read = handle.answer() == result::success ? handle.read(value) : handle.answer();
        to["value"] = read == result::success ? to_json(value, handle.facts().enumeration) : json(nullptr);
        if (handle) to["count"] = handle.count();
        if (read != result::success) to["problem"] = to_string(read);
    }

    json controls() {
        using mpit::tool::any_value;
        const bool has_registry = mpit::registry::the_registry() != nullptr;
        return list<mpit::tool::control_info>(kind::control, "control variable", [=, this](const auto& of, json& to) {
            describe(of, to);
            to["scope"] = name_of(of.scope);
            to["value"] = nullptr;
            if (of.binding == mpit::binding::none) put_value(interface_.template control<any_value>(of.number), to);
            put_provenance(of, before_, has_registry, to);
        });
    }
    // A library that was opened again has its variables under their numbers, and no handle from before is good.
    static bool is_over(performance_handle& handle) {
        mpit::tool::any_value value;
        return is_in_index<Interface>(kind::performance, handle.facts().number) &&
               (handle.answer() != result::success || handle.read(value) == result::invalid_handle);
    }
    // Null for variables of objects.
    counted* handle_on(const mpit::tool::performance_info& of) {
        if (of.binding != mpit::binding::none) return nullptr;
        const auto known = handles_.find(of.number);
        if (known != handles_.end() && !is_over(known->second.handle)) return &known->second;
        if (known != handles_.end()) handles_.erase(known);
        counted made{session_.template performance<mpit::tool::any_value>(of.number), !is_starting_};
        static_cast<void>(made.handle.start());
        return &handles_.emplace(of.number, std::move(made)).first->second;
    }
    void put_performance(counted& of, json& to) {
        put_value(of.handle, to);
        if (!of.is_late || to["value"].is_null() || !has_no_value_at_start<Interface>(of.handle.facts())) return;
        to["value"] = nullptr;
        to["problem"] = std::string{"no value: counting began "} + moment_;
    }
    json performances() {
        return list<mpit::tool::performance_info>(kind::performance, "performance variable",
                                                  [this](const auto& of, json& to) {
            describe(of, to);
            to["class"] = name_of(of.variable_class);
            to["readonly"] = of.is_readonly;
            to["continuous"] = of.is_continuous;
            to["atomic"] = of.is_atomic;
            to["value"] = nullptr;
            if (counted* const there = handle_on(of)) put_performance(*there, to);
        });
    }
    json events() {
        return list<mpit::tool::event_info>(kind::event, "event", [](const auto& of, json& to) {
            to["verbosity"] = name_of(of.verbosity);
            to["binding"] = name_of(of.binding);
            to["elements"] = json::array();
            for (const auto& each : of.elements)
                to["elements"].push_back({{"name", each.name.empty() ? json(nullptr) : json(each.name)},
                                          {"type", each.type ? name_of(*each.type) : "unknown"},
                                          {"displacement", each.displacement}});
        });
    }
    json sources() {
        return list<mpit::tool::source_info>(kind::source, "source", [](const auto& of, json& to) {
            to["ordering"] = name_of(of.ordering);
            to["ticks_per_second"] = of.ticks_per_second;
            to["max_ticks"] = of.max_ticks;
        });
    }
    json categories() {
        return list<mpit::tool::category_info>(kind::category, "category", [](const auto& of, json& to) {
            to["controls"] = of.controls;
            to["performances"] = of.performances;
            to["events"] = of.events;
            to["categories"] = of.categories;
        });
    }

    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    std::map<int, counted> handles_;
    bool is_starting_ = false;
    const char* moment_ = ""; // of the document that is being made
    const environment_names before_;
    json enumerations_ = json::array();
    json holes_ = json::array();
    std::map<std::string, json> enumerations_known_; // the items
};

} // namespace mpit_info
