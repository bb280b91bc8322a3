// SPDX-License-Identifier: BSD-3-Clause
// A tool interface: listings of what it contains, handles and sessions. It stays initialized while this object, or an
// object created by it, exists (MPI-5.0, 15.3.4 to 15.3.9). over_registry.hpp and over_mpi.hpp include this header.
//
//   mpit::tool::library<> interface;             // the registry of the process; library<over_mpi>: the MPI in use
//   for (const auto& variable : interface.controls()) std::puts(variable.name.c_str());
#pragma once

#include <mpit/begin.hpp>

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/event.hpp>
#include <mpit/tool/handle.hpp>

#include <iterator>

namespace mpit::inline v0_1::tool {

// The infos of all items of one kind, in the order of their indices, as an input range. It skips indices that an
// implementation does not describe, as those of closed components in Open MPI. Over the registry any thread may iterate
// at any time; over an MPI, as that allows. Not for signal handlers.
template <class Info, class Interface> class listing {
public:
    // Moves from one index to the next one that is described.
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

    listing() noexcept {} // an empty listing
    explicit listing(int count) noexcept : count_{count} {}
    iterator begin() const { return iterator{count_}; }
    std::default_sentinel_t end() const noexcept { return {}; }

private:
    int count_ = 0;
};

struct over_registry;

// A tool interface, which is initialized with this object and finalized after the last handle that was created by it.
// Over the registry any thread may use it at any time; over an MPI, as its level of thread support allows. Not for
// signal handlers. If the initialization has failed, each function returns answer(), nothing, or an empty listing.
template <class Interface = over_registry> class library {
public:
    explicit library(thread_level required = thread_level::multiple) noexcept : interface_{required} {}

    explicit operator bool() const noexcept { return answer() == result::success; }
    // The result of the initialization: success or MPI_T_ERR_CANNOT_INIT.
    result answer() const noexcept { return interface_.status(); }
    // The provided level of thread support. After MPI_Init_thread, Open MPI provides the level of the program.
    thread_level provided() const noexcept { return interface_.provided(); }

    // The current number of items of a kind.
    int count(kind item_kind) const noexcept { return *this ? Interface::count(item_kind) : 0; }
    // All control variables.
    listing<control_info, Interface> controls() const noexcept { return listing_of<control_info>(kind::control); }
    // All performance variables.
    listing<performance_info, Interface> performances() const noexcept {
        return listing_of<performance_info>(kind::performance);
    }
    // All events.
    listing<event_info, Interface> events() const noexcept { return listing_of<event_info>(kind::event); }
    // All sources of events.
    listing<source_info, Interface> sources() const noexcept { return listing_of<source_info>(kind::source); }
    // All categories.
    listing<category_info, Interface> categories() const noexcept { return listing_of<category_info>(kind::category); }
    // Fills the info of an index. MPI_T_ERR_INVALID_INDEX, or another result of the implementation; result::invalid if
    // an attribute has a value that the standard does not define.
    template <class Info> result tell(int index, Info& info) const {
        return *this ? Interface::tell(index, info) : answer();
    }
    // Stores the index of the item with a name; `variable_class` is the class of a performance variable.
    // MPI_T_ERR_INVALID_NAME.
    result find(kind item_kind, const char* name, performance_class variable_class, int& index) const noexcept {
        return *this ? Interface::find(item_kind, name, variable_class, index) : answer();
    }
    // Stores a number that grows when categories change.
    result changes_of_categories(int& stamp) const noexcept {
        return *this ? Interface::changes_of_categories(stamp) : answer();
    }

    // A handle on a control variable, by its name or its index. Its answer() is the result of the allocation.
    template <class T> tool::control<T, Interface> control(const char* name, const object& bound_object = {}) const {
        return tool::control<T, Interface>{name, bound_object};
    }
    template <class T> tool::control<T, Interface> control(int index, const object& bound_object = {}) const {
        return tool::control<T, Interface>{index, bound_object};
    }
    // A handle on the control variable of an info or a view.
    template <class T, info_or_view Item>
    tool::control<T, Interface> control(const Item& item, const object& bound_object = {}) const {
        return control<T>(attribute::number(item), bound_object);
    }
    // A new session, for performance variables. Its answer() is the result of the creation.
    tool::session<Interface> session() const { return {}; }

    // Registers `function(const Payload&)`, or `function(const Payload&, const event_instance&)`, as a callback of an
    // event, for the lifetime of the returned object.
    template <class Payload, class Function>
    event<Interface> on(const char* name, Function function, safety level = safety::none,
                        const object& bound_object = {}) const {
        return event<Interface>::template make<Payload>(name, std::move(function), level, bound_object);
    }
    // Registers `function(const event_instance&)` for the event of an index, for tools that do not know the payload.
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
