// SPDX-License-Identifier: BSD-3-Clause
// Describes the variables, events and categories of this process as a list of facts that processes can compare. If
// processes have items with equal names, the standard requires some properties of these items to be equal (MPI-5.0,
// 15.3.6 to 15.3.9). The list has all properties that must be equal, but no indices. Only one thread at a time may call
// the functions. The functions allocate memory, and so must not be called in a signal handler.
//
//   for (const mpit::fact& entry : mpit::description_of_this_process()) …
//   // "control variable EAGER_LIMIT", "datatype", "MPI_INT"
#pragma once

#ifndef MPIT_MPI_HEADER
#error "mpit/collective.hpp needs the header of an MPI: #define MPIT_MPI_HEADER <mpi.h>"
#endif
#include <mpit/core/hash.hpp>
#include <mpit/host/reader.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace mpit::inline v1_0 {

// A fact says that an `aspect` of a `subject` has a `value`. An empty `aspect` means that the subject exists. For the
// library's own use.
struct fact {
    std::string subject;
    std::string aspect;
    std::string value;

    friend bool operator==(const fact&, const fact&) = default;
    friend bool operator<(const fact& a, const fact& b) {
        return std::tie(a.subject, a.aspect, a.value) < std::tie(b.subject, b.aspect, b.value);
    }
    // Returns a hash value that is equal for equal facts in all processes.
    MPIT_MODULE_LOCAL std::uint64_t hash() const noexcept {
        const std::string key = subject + '\n' + aspect + '\n' + value;
        return core::hash({key.data(), static_cast<std::uint32_t>(key.size())}, 0);
    }
};

namespace MPIT_MODULE_LOCAL detail {

inline std::string name_of(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (type == MPI_DATATYPE_NULL || MPI_Type_get_name(type, name, &length) != MPI_SUCCESS) return "none";
    return name;
}

// Returns only the name of an enumeration, because processes may have different items of an enumeration.
inline std::string name_of(MPI_T_enum enumeration) {
    std::string name = "none";
    const auto begin = [&](core::text text, int) { return name = text.characters, false; };
    static_cast<void>(
        host::linked_reader{}.enumeration(enumeration, begin, [](int, int, core::text) { return false; }));
    return name;
}

class fact_list {
public:
    explicit fact_list(std::vector<fact>& facts) noexcept : facts_{facts} {}

    // For each index of a kind, calls `read(index, item, allocate)` and, if `read` succeeds, `describe(item)`.
    template <class Item, class Read, class Describe>
    void add_all(descriptor::kind item_kind, Read read, Describe describe) {
        const int count = host::linked_reader{}.count(item_kind);
        for (int i = 0; i < count; i++) {
            Item item;
            std::string texts;
            const auto allocate = [&](std::size_t bytes) { return texts.assign(bytes, '\0'), texts.data(); };
            if (read(i, item, allocate) == MPI_SUCCESS) describe(item);
        }
    }
    void begin(const char* kind, const std::string& name) {
        subject_ = std::string{kind} + " " + name;
        add("", "");
    }
    void add(const char* aspect, std::string value) { facts_.push_back({subject_, aspect, std::move(value)}); }
    void add(const char* aspect, int value) { add(aspect, std::to_string(value)); }
    void add_variable(const host::described_variable& v) {
        add("verbosity", v.verbosity);
        add("datatype", name_of(v.type));
        add("enumeration", name_of(v.enumeration));
        add("description", v.description.characters);
        add("binding", v.binding);
    }

private:
    std::vector<fact>& facts_;
    std::string subject_;
};

inline void add_control_variables(fact_list& facts) {
    using variable = host::described_variable;
    const auto read = [](int i, variable& v, auto allocate) { return host::linked_reader{}.control(i, v, allocate); };
    facts.add_all<variable>(descriptor::kind::control, read, [&](const variable& v) {
        facts.begin("control variable", v.name.characters);
        facts.add_variable(v);
        facts.add("scope", v.scope);
    });
}

inline void add_performance_variables(fact_list& facts) {
    using variable = host::described_variable;
    const auto read = [](int i, variable& v, auto allocate) {
        return host::linked_reader{}.performance(i, v, allocate);
    };
    facts.add_all<variable>(descriptor::kind::performance, read, [&](const variable& v) {
        facts.begin("performance variable", v.name.characters + (" of class " + std::to_string(v.variable_class)));
        facts.add_variable(v);
        facts.add("readonly, continuous, atomic", std::to_string(v.readonly) + ", " + std::to_string(v.continuous) +
                                                      ", " + std::to_string(v.atomically));
    });
}

#if MPI_VERSION >= 4
inline void add_events(fact_list& facts) {
    using event = host::described_event;
    const auto read = [](int i, event& e, auto allocate) {
        return host::linked_reader{}.event(i, e, allocate, [](int) { return true; });
    };
    facts.add_all<event>(descriptor::kind::event, read, [&](const event& e) {
        facts.begin("event", e.name.characters);
        facts.add("verbosity", e.verbosity);
        facts.add("elements", e.element_count);
        facts.add("enumeration", name_of(e.enumeration));
        facts.add("description", e.description.characters);
        facts.add("binding", e.binding);
    });
}
#endif

inline void add_categories(fact_list& facts) {
    using category = host::described_item;
    const auto read = [](int i, category& c, auto allocate) { return host::linked_reader{}.category(i, c, allocate); };
    facts.add_all<category>(descriptor::kind::category, read, [&](const category& c) {
        facts.begin("category", c.name.characters);
        facts.add("description", c.description.characters);
    });
}

} // namespace detail

// Returns all facts of this process in sorted order. Omits the indices that the MPI library does not describe. For the
// library's own use.
MPIT_MODULE_LOCAL inline std::vector<fact> description_of_this_process() {
    std::vector<fact> facts;
    detail::fact_list list{facts};
    detail::add_control_variables(list);
    detail::add_performance_variables(list);
#if MPI_VERSION >= 4
    detail::add_events(list);
#endif
    detail::add_categories(list);
    std::sort(facts.begin(), facts.end());
    return facts;
}

} // namespace mpit
