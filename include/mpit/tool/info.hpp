// SPDX-License-Identifier: BSD-3-Clause
// The answers of the standard's queries about variables, events, sources and categories as values of C++, from any
// implementation (MPI-5.0, 15.3.5 to 15.3.9).
//
//   for (const mpit::tool::control_info& each : interface.controls()) std::puts(each.name.c_str());
#pragma once

#include <mpit/descriptor/variable.hpp>

#include <optional>
#include <string>
#include <vector>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

using descriptor::kind;

struct enumeration_item {
    int value = 0;
    std::string name;
};

// Without items where a variable has no enumeration.
struct enumeration_info {
    std::string name;
    std::vector<enumeration_item> items;

    // Null where no item has the value.
    const std::string* name_of(int value) const noexcept {
        for (const enumeration_item& each : items)
            if (each.value == value) return &each.name;
        return nullptr;
    }
    // Nothing where no item has the name.
    std::optional<int> value_of(const std::string& name_of_item) const noexcept {
        for (const enumeration_item& each : items)
            if (each.name == name_of_item) return each.value;
        return std::nullopt;
    }
};

struct named_info {
    int number = 0; // the index that tools of the standard see
    std::string name;
    std::string description;
};

struct variable_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    // Nothing where an implementation has a type that is not of the standard's eleven. Only bool of those can be read, as
    // Open MPI has it for control variables.
    std::optional<datatype> type;
    bool is_bool = false;
    enumeration_info enumeration;
};

struct control_info : variable_info {
    mpit::scope scope{};
};

struct performance_info : variable_info {
    performance_class in{};
    bool is_readonly = false;
    bool is_continuous = false;
    bool is_atomic = false; // it can be read and reset in one step
};

struct event_element {
    std::optional<datatype> type;
    std::int64_t displacement = 0; // bytes
    std::string name;              // empty if it has none
};

struct event_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    std::vector<event_element> elements;
};

struct source_info : named_info {
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 0;
    std::int64_t max_ticks = 0;
};

// The members are numbers of their kinds, in the order in which they came.
struct category_info : named_info {
    std::vector<int> controls, performances, events, categories;
};

// The facts of what has a name, or why there are none: MPI_T_ERR_INVALID_NAME, or another answer of the interface.
template <class Interface, class Facts> result tell_named(kind of, const char* name, performance_class in, Facts& to) {
    const result found = Interface::find(of, name, in, to.number);
    return found == result::success ? Interface::tell(to.number, to) : found;
}

} // namespace mpit::tool

#pragma GCC diagnostic pop
