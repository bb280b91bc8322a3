// SPDX-License-Identifier: BSD-3-Clause
// The results of the standard's queries about variables, events, sources and categories as values of C++, from any
// implementation (MPI-5.0, 15.3.5 to 15.3.9).
// They are plain values: one thread at a time may change a value. Their texts allocate: not for signal handlers.
// `number` is the index of the standard.
//
//   for (const mpit::tool::control_info& variable : interface.controls()) std::puts(variable.name.c_str());
#pragma once

#include <mpit/begin.hpp>

#include <mpit/descriptor/variable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace mpit::inline v0_1::tool {

using descriptor::kind;

// An item of an enumeration: its `value` and its `name`.
struct enumeration_item {
    int value = 0;
    std::string name;
};

// The `name` and the `items` of an enumeration. Both are empty if a variable has no enumeration.
struct enumeration_info {
    std::string name;
    std::vector<enumeration_item> items;

    // The name of a value; null if no item has the value.
    const std::string* name_of(int value) const noexcept {
        for (const enumeration_item& item : items)
            if (item.value == value) return &item.name;
        return nullptr;
    }
    // The value of a name; nothing if no item has the name.
    std::optional<int> value_of(const std::string& name_of_item) const noexcept {
        for (const enumeration_item& item : items)
            if (item.name == name_of_item) return item.value;
        return std::nullopt;
    }
};

// The attributes of every kind: a `number`, a `name` and a `description`.
struct named_info {
    int number = 0; // the index of the standard
    std::string name;
    std::string description;
};

// The common attributes of control variables and performance variables: `verbosity`, the kind of objects in `binding`,
// `type` or `is_bool`, and an `enumeration`.
struct variable_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    // Nothing if the type is not one of the eleven types of the standard. Of other types only bool can be read, which
    // Open MPI has for control variables.
    std::optional<datatype> type;
    bool is_bool = false;
    enumeration_info enumeration;
};

// A control variable, with its `scope`.
struct control_info : variable_info {
    mpit::scope scope{};
};

// A performance variable: its `variable_class`, `is_readonly`, `is_continuous` and `is_atomic`.
struct performance_info : variable_info {
    performance_class variable_class{};
    bool is_readonly = false;
    bool is_continuous = false;
    bool is_atomic = false; // it can be read and reset in one step
};

// An element of the payload of an event: `type`, `displacement` and `name`.
struct event_element {
    std::optional<datatype> type;
    std::int64_t displacement = 0; // bytes
    std::string name;              // empty if the element has none
};

// An event: `verbosity`, the kind of objects in `binding`, and the `elements` of its payload.
struct event_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    std::vector<event_element> elements;
};

// A source of events: the `ordering` of its stamps, its rate in `ticks_per_second`, and its largest stamp, `max_ticks`.
struct source_info : named_info {
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 0;
    std::int64_t max_ticks = 0;
};

// A category: its `controls`, `performances`, `events` and `categories`, as indices of each kind, in the order in which
// they were added.
struct category_info : named_info {
    std::vector<int> controls, performances, events, categories;
};

// Fills the info of the item with a name. MPI_T_ERR_INVALID_NAME, or another result of the interface. For the library's
// own use.
template <class Interface, class Info>
result describe_by_name(kind item_kind, const char* name, performance_class variable_class, Info& info) {
    const result status = Interface::find(item_kind, name, variable_class, info.number);
    return status == result::success ? Interface::tell(info.number, info) : status;
}

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
