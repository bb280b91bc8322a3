// SPDX-License-Identifier: BSD-3-Clause
// Structures with the attributes of variables, events, event sources and categories, as the queries of the standard
// return them (MPI-5.0, 15.3.5 to 15.3.9). Only one thread at a time may change a structure. The texts allocate memory,
// so that signal handlers must not use the structures. The member `number` is the index that the functions of the
// standard use.
//
//   for (const mpit::tool::control_info& variable : interface.controls()) std::puts(variable.name.c_str());
#pragma once

#include <mpit/begin.hpp>

#include <mpit/descriptor/variable.hpp>

#include <optional>
#include <string>
#include <vector>

namespace mpit::inline v1_0::tool {

// The kinds of items that a tool counts, or finds by name, such as control variables.
using descriptor::kind;

// An item of an enumeration, with its `value` and its `name`.
struct enumeration_item {
    int value = 0;
    std::string name;
};

// The `name` and the `items` of an enumeration. `name` and `items` are empty if a variable has no enumeration.
struct enumeration_info {
    std::string name;
    std::vector<enumeration_item> items;

    // Returns the name of a value, or null if no item has the value.
    const std::string* name_of(int value) const noexcept {
        for (const enumeration_item& item : items)
            if (item.value == value) return &item.name;
        return nullptr;
    }
    // Returns the value of a name, or nothing if no item has the name.
    std::optional<int> value_of(const std::string& name_of_item) const noexcept {
        for (const enumeration_item& item : items)
            if (item.name == name_of_item) return item.value;
        return std::nullopt;
    }
};

// The attributes `number`, `name` and `description`, which variables, events, sources and categories have in common.
struct named_info {
    int number = 0; // index of the item, as in the functions of the standard
    std::string name;
    std::string description;
};

// The common attributes of control variables and performance variables. `binding` is the kind of MPI objects to which
// the variable is bound. Further attributes of a variable are `verbosity`, `type` or `is_bool`, and `enumeration`.
struct variable_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    // `type` is empty if the variable has none of the eleven types of the standard. Open MPI also has control variables
    // of type bool. Tools can read bool, but no other non-standard type.
    std::optional<datatype> type;
    bool is_bool = false;
    enumeration_info enumeration;
};

// The attributes of a control variable, with its `scope`.
struct control_info : variable_info {
    mpit::scope scope{};
};

// The attributes of a performance variable, with `variable_class`, `is_readonly`, `is_continuous` and `is_atomic`.
struct performance_info : variable_info {
    performance_class variable_class{};
    bool is_readonly = false;
    bool is_continuous = false;
    bool is_atomic = false; // true if the variable can be read and reset in one step
};

// An element of the payload of an event, with `type`, `displacement` and `name`.
struct event_element {
    std::optional<datatype> type;
    std::int64_t displacement = 0; // displacement in bytes
    std::string name;              // empty if the element has no name
};

// The attributes of an event. `binding` is the kind of MPI objects to which the event is bound. Further attributes of
// an event are the `verbosity` and the `elements` of the payload.
struct event_info : named_info {
    mpit::verbosity verbosity{};
    mpit::binding binding{};
    std::vector<event_element> elements;
};

// The attributes of an event source. `ordering` is the order of the time stamps, `ticks_per_second` is the rate of the
// clock, and `max_ticks` is the largest time stamp.
struct source_info : named_info {
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 0;
    std::int64_t max_ticks = 0;
};

// The attributes of a category. `controls`, `performances`, `events` and `categories` are the indices of the members of
// each kind, in the order in which the members were added.
struct category_info : named_info {
    std::vector<int> controls, performances, events, categories;
};

// Finds the variable, event or category with a name, and stores its attributes in `info`. Returns
// MPI_T_ERR_INVALID_NAME if no item has the name, or another result of the interface. For the library's own use.
template <class Interface, class Info>
result describe_by_name(kind item_kind, const char* name, performance_class variable_class, Info& info) {
    const result status = Interface::find(item_kind, name, variable_class, info.number);
    return status == result::success ? Interface::tell(info.number, info) : status;
}

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
