// SPDX-License-Identifier: BSD-3-Clause
// The class tool::library, which initializes a tool interface, lists all variables, events and categories, and creates
// handles and sessions (MPI-5.0, 15.3.4 to 15.3.9). Tools do not include this header, but over_registry.hpp or
// over_mpi.hpp.
//
//   mpit::tool::library<> interface;             // the registry of the process; library<over_mpi>: the MPI in use
//   for (const auto& variable : interface.controls()) std::puts(variable.name.c_str());
#pragma once

#include <mpit/begin.hpp>

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/event.hpp>
#include <mpit/tool/handle.hpp>

#include <iterator>

namespace mpit::inline v1_0::tool {

// An input range over all items of one kind, such as all control variables, in the order of the indices. The range
// skips indices that an implementation does not describe, such as the indices of closed components in Open MPI. Any
// thread may iterate over a listing of the registry at any time. A listing of an MPI may be iterated as the thread
// level of the MPI allows. Signal handlers must not iterate over a listing.
template <class Info, class Interface> class listing {
public:
    // An iterator over the indices that have a description.
    class iterator {
    public:
        using value_type = Info;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() noexcept {}
        explicit iterator(int end) : end_{end} { skip_undescribed(); }
        const Info& operator*() const noexcept { return info_; }
        const Info* operator->() const noexcept { return &info_; }
        iterator& operator++() {
            index_++;
            skip_undescribed();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const noexcept { return index_ >= end_; }

    private:
        void skip_undescribed() {
            while (index_ < end_ && Interface::tell(index_, info_) != result::success) index_++;
        }

        Info info_;
        int index_ = 0;
        int end_ = 0;
    };

    listing() noexcept {} // constructs an empty listing
    explicit listing(int count) noexcept : count_{count} {}
    iterator begin() const { return iterator{count_}; }
    std::default_sentinel_t end() const noexcept { return {}; }

private:
    int count_ = 0;
};

struct over_registry;

// A tool interface, which the constructor initializes. The interface is finalized after this object and all handles and
// sessions that it has created are destroyed. Any thread may use a tool::library over the registry at any time. A
// tool::library over an MPI may be used as the thread level of the MPI allows. Signal handlers must not use a
// tool::library. If the initialization has failed, each function returns the error of the initialization, no value, or
// an empty listing.
template <class Interface = over_registry> class library {
public:
    explicit library(thread_level required = thread_level::multiple) noexcept : interface_{required} {}

    explicit operator bool() const noexcept { return status() == result::success; }
    // Returns the result of the initialization, which is success or MPI_T_ERR_CANNOT_INIT.
    result status() const noexcept { return interface_.status(); }
    // Returns the provided thread level. After MPI_Init_thread, Open MPI provides the thread level of the program.
    thread_level provided() const noexcept { return interface_.provided(); }

    // Returns the current number of items of a kind, such as control variables.
    int count(kind item_kind) const noexcept { return *this ? Interface::count(item_kind) : 0; }
    // Lists all control variables.
    listing<control_info, Interface> controls() const noexcept { return listing_of<control_info>(kind::control); }
    // Lists all performance variables.
    listing<performance_info, Interface> performances() const noexcept {
        return listing_of<performance_info>(kind::performance);
    }
    // Lists all events.
    listing<event_info, Interface> events() const noexcept { return listing_of<event_info>(kind::event); }
    // Lists all sources of events.
    listing<source_info, Interface> sources() const noexcept { return listing_of<source_info>(kind::source); }
    // Lists all categories.
    listing<category_info, Interface> categories() const noexcept { return listing_of<category_info>(kind::category); }
    // Stores the attributes of the item at an index in `info`. Returns MPI_T_ERR_INVALID_INDEX, another result of the
    // implementation, or result::invalid if an attribute has a value that the standard does not define.
    template <class Info> result tell(int index, Info& info) const {
        return *this ? Interface::tell(index, info) : status();
    }
    // Stores the index of the item with a name and, for a performance variable, the class `variable_class`. Returns
    // MPI_T_ERR_INVALID_NAME if no item of the kind has the name.
    result find(kind item_kind, const char* name, performance_class variable_class, int& index) const noexcept {
        return *this ? Interface::find(item_kind, name, variable_class, index) : status();
    }
    // Stores in `stamp` a number that grows when categories change.
    result changes_of_categories(int& stamp) const noexcept {
        return *this ? Interface::changes_of_categories(stamp) : status();
    }

    // Allocates a handle on a control variable. status() of the handle returns the result of the allocation.
    template <class T> tool::control<T, Interface> control(const char* name, const object& bound_object = {}) const {
        return tool::control<T, Interface>{name, bound_object};
    }
    template <class T> tool::control<T, Interface> control(int index, const object& bound_object = {}) const {
        return tool::control<T, Interface>{index, bound_object};
    }
    // Allocates a handle on the control variable that a control_info or a variable_view describes.
    template <class T, info_or_view Item>
    tool::control<T, Interface> control(const Item& item, const object& bound_object = {}) const {
        if constexpr (std::is_same_v<Item, control_info>) return tool::control<T, Interface>{item, bound_object};
        else return control<T>(attribute::number(item), bound_object);
    }
    // Creates a session for performance variables. status() of the session returns the result of the creation.
    tool::session<Interface> session() const { return {}; }

    // Registers `function(const Payload&)`, or `function(const Payload&, const event_instance&)`, as a callback of the
    // event with a name, for the lifetime of the returned object. The members of Payload must match the elements of the
    // event. The function must satisfy the requirements of the safety level `level`. With safety::none the function may
    // call anything. If an event is raised in a context in which functions of this level must not run, such as a signal
    // handler, the instance is deferred or dropped.
    template <class Payload, class Function>
    event<Interface> on(const char* name, Function function, safety level = safety::none,
                        const object& bound_object = {}) const {
        return event<Interface>::template make<Payload>(name, std::move(function), level, bound_object);
    }
    // Registers `function(const event_instance&)` as a callback of the event with an index, for tools that do not know
    // the layout of the payload.
    template <class Function>
    event<Interface> on(int index, Function function, safety level = safety::none,
                        const object& bound_object = {}) const {
        return event<Interface>::make(index, std::move(function), level, bound_object);
    }

private:
    template <class Info> listing<Info, Interface> listing_of(kind item_kind) const noexcept {
        return listing<Info, Interface>{count(item_kind)};
    }

    initialization<Interface> interface_;
};

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
