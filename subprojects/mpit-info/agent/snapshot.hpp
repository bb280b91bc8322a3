// The whole content of a tool interface, as the document of ../schema.json.
//
//   json_writer document{line, '{'};   mpit_info::snapshot<mpit::tool::over_mpi> all;   all.write(document, "at the end", add_more);
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

struct all_names {
    bool operator()(const std::string&) const noexcept { return true; }
};

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
    // Adds its lists to a document; `add_more(kind, list, next)` may add to the list of a kind, with numbers from `next`
    // on. Variables that were not there at start() have counted nothing before `moment`.
    template <class AddMore> void write(json_writer& to, const char* moment, AddMore add_more) {
        moment_ = moment;
        enumerations_.clear();
        enumerations_known_.clear();
        holes_.clear();
        const auto add = [&](const char* name, kind of, auto list) {
            json_writer all{to.next(name), '['};
            add_more(of, all, list(all));
            all.end();
        };
        add("control_variables", kind::control, [this](json_writer& all) { return add_controls(all); });
        add("performance_variables", kind::performance, [this](json_writer& all) { return add_performances(all); });
        add("events", kind::event, [this](json_writer& all) { return add_events(all); });
        add("sources", kind::source, [this](json_writer& all) { return add_sources(all); });
        add("categories", kind::category, [this](json_writer& all) { return add_categories(all); });
        (to.next("enumerations") += '[' + enumerations_) += ']';
        (to.next("holes") += '[' + holes_) += ']';
    }
    // Those with a name that `is_told` accepts; the first one of the interface has the number `first`.
    template <class IsTold = all_names> int add_performances(json_writer& to, int first = 0, IsTold is_told = {}) {
        return add<mpit::tool::performance_info>(to, kind::performance, "performance variable", first, is_told,
                                                 [this](const auto& of, json_writer& one) {
            counted* const there = handle_on(of);
            reading got = there != nullptr ? reading_of(there->handle) : reading{};
            if (there != nullptr && there->is_late && !got.value.is_null() && has_no_value_at_start<Interface>(of)) {
                got.value = nullptr;
                got.problem = std::string{"no value: counting began "} + moment_;
            }
            describe(of, got.count, one);
            one.add("class", name_of(of.variable_class));
            one.add("readonly", of.is_readonly);
            one.add("continuous", of.is_continuous);
            one.add("atomic", of.is_atomic);
            put(got, one);
        });
    }
    int add_categories(json_writer& to, int first = 0, int first_performance = 0) {
        return add<mpit::tool::category_info>(to, kind::category, "category", first, all_names{},
                                              [=](const auto& of, json_writer& one) {
            add_numbers(one.next("controls"), of.controls, 0);
            add_numbers(one.next("performances"), of.performances, first_performance);
            add_numbers(one.next("events"), of.events, 0);
            add_numbers(one.next("categories"), of.categories, first);
        });
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
            if (counted* const there = handle_on(each)) count += there->handle.status() == result::success;
        }
        return count;
    }

private:
    using performance_handle = mpit::tool::performance<mpit::tool::any_value, Interface>;
    struct counted {
        performance_handle handle;
        bool is_late; // it was not there at start()
    };

    // What reading a variable has returned. Variables of objects are not read.
    struct reading {
        json value = nullptr;
        std::uint32_t count = 1;
        std::string problem{};
    };

    // Writes an element for each item with a description and a name that `is_told` accepts; `describe(facts, element)`
    // adds what its kind has. Notes the items without a description. Returns the next number.
    template <class Facts, class IsTold, class Describe>
    int add(json_writer& to, kind of, const char* called, int first, IsTold is_told, Describe describe) {
        int next = first;
        Facts facts;
        for (int i = 0, end = interface_.count(of); i < end; i++) {
            agent_thread::check_time();
            if (const result told = interface_.tell(i, facts); told != result::success) {
                json_writer hole{next_in(holes_), '{'};
                hole.add("kind", called);
                hole.add("index", i);
                hole.add("problem", to_string(told));
                hole.end();
                continue;
            }
            if (!is_told(facts.name)) continue;
            json_writer one{to.next(), '{'};
            one.add("index", first + facts.number);
            one.add("name", facts.name);
            one.add("description", facts.description);
            describe(facts, one);
            one.end();
            next = first + facts.number + 1;
        }
        return next;
    }
    // The text of elements, ready for one more.
    static std::string& next_in(std::string& elements) { return elements.empty() ? elements : elements += ','; }
    static void add_numbers(std::string& to, const std::vector<int>& numbers, int first) {
        json_writer all{to, '['};
        for (const int each : numbers) append_number(all.next(), first + each);
        all.end();
    }
    // The name of an enumeration in the document; empty without one. Another one of the same name has a number behind
    // it.
    std::string enumeration(const mpit::tool::enumeration_info& of) {
        if (of.items.empty()) return {};
        std::string items;
        json_writer all{items, '['};
        for (const auto& each : of.items) {
            json_writer one{all.next(), '{'};
            one.add("value", each.value);
            one.add("name", each.name);
            one.end();
        }
        all.end();
        const std::string first = of.name.empty() ? "unnamed" : of.name;
        std::string name = first;
        for (int number = 2;; number++) {
            const auto [known, is_new] = enumerations_known_.try_emplace(name, items);
            if (is_new) {
                json_writer one{next_in(enumerations_), '{'};
                one.add("name", name);
                one.next("items") += items;
                one.end();
            }
            if (known->second == items) return name;
            name = first + " " + std::to_string(number);
        }
    }
    void describe(const mpit::tool::variable_info& of, std::uint32_t count, json_writer& to) {
        to.add("verbosity", name_of(of.verbosity));
        to.add("type", of.type ? name_of(*of.type) : of.is_bool ? "bool" : "unknown");
        to.add("count", count);
        to.add("binding", name_of(of.binding));
        const std::string name = enumeration(of.enumeration);
        to.add("enumeration", name.empty() ? nullptr : name.c_str());
    }
    template <class Handle> static reading reading_of(Handle&& handle) {
        mpit::tool::any_value value;
        const result read = handle.status() == result::success ? handle.read(value) : handle.status();
        const bool is_read = read == result::success;
        return {is_read ? to_json(value, handle.info().enumeration) : json(nullptr), handle ? handle.count() : 1,
                is_read ? "" : to_string(read)};
    }
    static void put(const reading& got, json_writer& to) {
        append_text(to.next("value"), got.value);
        if (!got.problem.empty()) to.add("problem", got.problem);
    }

    int add_controls(json_writer& to) {
        using mpit::tool::any_value;
        const bool has_registry = mpit::registry::cached_registry.load() != nullptr;
        return add<mpit::tool::control_info>(to, kind::control, "control variable", 0, all_names{},
                                             [=, this](const auto& of, json_writer& one) {
            const reading got =
                of.binding == mpit::binding::none ? reading_of(interface_.template control<any_value>(of)) : reading{};
            describe(of, got.count, one);
            one.add("scope", name_of(of.scope));
            put(got, one);
            add_provenance(of, before_, has_registry, one);
        });
    }
    // A library that was opened again has its variables under their numbers, and no handle from before is good.
    static bool is_over(performance_handle& handle) {
        mpit::tool::any_value value;
        return is_in_index<Interface>(kind::performance, handle.info().number) &&
               (handle.status() != result::success || handle.read(value) == result::invalid_handle);
    }
    // Null for variables of objects.
    counted* handle_on(const mpit::tool::performance_info& of) {
        if (of.binding != mpit::binding::none) return nullptr;
        const auto known = handles_.find(of.number);
        if (known != handles_.end() && !is_over(known->second.handle)) return &known->second;
        if (known != handles_.end()) handles_.erase(known);
        counted made{session_.template performance<mpit::tool::any_value>(of), !is_starting_};
        static_cast<void>(made.handle.start());
        return &handles_.emplace(of.number, std::move(made)).first->second;
    }
    int add_events(json_writer& to) {
        return add<mpit::tool::event_info>(to, kind::event, "event", 0, all_names{},
                                           [](const auto& of, json_writer& one) {
            one.add("verbosity", name_of(of.verbosity));
            one.add("binding", name_of(of.binding));
            json_writer elements{one.next("elements"), '['};
            for (const auto& each : of.elements) {
                json_writer element{elements.next(), '{'};
                element.add("name", each.name.empty() ? nullptr : each.name.c_str());
                element.add("type", each.type ? name_of(*each.type) : "unknown");
                element.add("displacement", each.displacement);
                element.end();
            }
            elements.end();
        });
    }
    int add_sources(json_writer& to) {
        return add<mpit::tool::source_info>(to, kind::source, "source", 0, all_names{},
                                            [](const auto& of, json_writer& one) {
            one.add("ordering", name_of(of.ordering));
            one.add("ticks_per_second", of.ticks_per_second);
            one.add("max_ticks", of.max_ticks);
        });
    }

    mpit::tool::library<Interface> interface_;
    mpit::tool::session<Interface> session_;
    std::map<int, counted> handles_;
    bool is_starting_ = false;
    const char* moment_ = "at this moment"; // of the document that is being made
    const environment_names before_;
    std::string enumerations_, holes_;                      // elements of the document
    std::map<std::string, std::string> enumerations_known_; // the texts of their items
};

} // namespace mpit_info
