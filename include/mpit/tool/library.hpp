// SPDX-License-Identifier: BSD-3-Clause
// A tool interface as a whole: ranges of what it has, and handles on it. It stays initialized while this object, or
// anything made from it, exists (MPI-5.0, 15.3.4 to 15.3.9). over_registry.hpp or over_mpi.hpp includes it.
//
//   mpit::tool::library<> interface;             // the registry of the process; library<over_mpi>: the MPI in use
//   for (const auto& each : interface.controls()) std::printf("%s: %s\n", each.name.c_str(), each.description.c_str());
#pragma once

#include <mpit/begin.hpp>

#include <mpit/tool/attribute.hpp>
#include <mpit/tool/event.hpp>
#include <mpit/tool/handle.hpp>

#include <iterator>

namespace mpit::inline v0_1::tool {

// The facts of everything of one kind, by number, as an input range. Numbers of which an implementation tells nothing,
// as Open MPI does not of closed components, are passed over. Over the registry any thread may walk it at any time;
// over an MPI, as that allows. Not for signal handlers.
template <class Facts, class Interface> class listing {
public:
    // Goes from one number to the next that has facts.
    class iterator {
    public:
        using value_type = Facts;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::input_iterator_tag;

        iterator() noexcept {}
        explicit iterator(int end) : end_{end} { find_next(); }
        const Facts& operator*() const noexcept { return facts_; }
        const Facts* operator->() const noexcept { return &facts_; }
        iterator& operator++() {
            number_++;
            find_next();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const noexcept { return number_ >= end_; }

    private:
        void find_next() {
            while (number_ < end_ && Interface::tell(number_, facts_) != result::success) number_++;
        }

        Facts facts_;
        int number_ = 0;
        int end_ = 0;
    };

    listing() noexcept {} // of nothing
    explicit listing(int count) noexcept : count_{count} {}
    iterator begin() const { return iterator{count_}; }
    std::default_sentinel_t end() const noexcept { return {}; }

private:
    int count_ = 0;
};

struct over_registry;

// A tool interface, which is initialized with this object and finalized after the last handle that was made from it.
// Over the registry any thread may use it at any time; over an MPI, as its level of thread support allows. Not for
// signal handlers. Without an initialized interface each function returns the answer(), nothing, or an empty listing.
template <class Interface = over_registry> class library {
public:
    explicit library(thread_level required = thread_level::multiple) noexcept : interface_{required} {}

    explicit operator bool() const noexcept { return answer() == result::success; }
    // Whether the interface is initialized: success or MPI_T_ERR_CANNOT_INIT.
    result answer() const noexcept { return interface_.answer(); }
    // The level of thread support that was given. Open MPI gives the one that the program has, after MPI_Init_thread.
    thread_level provided() const noexcept { return interface_.provided(); }

    // How many numbers there are now.
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
    // The facts of a number. MPI_T_ERR_INVALID_INDEX, or another answer of the implementation; result::invalid for
    // facts that the standard lacks.
    template <class Facts> result tell(int number, Facts& info) const {
        return *this ? Interface::tell(number, info) : answer();
    }
    // The number of what has a name; `in` is the class of a performance variable. MPI_T_ERR_INVALID_NAME.
    result find(kind item_kind, const char* name, performance_class variable_class, int& number) const noexcept {
        return *this ? Interface::find(item_kind, name, variable_class, number) : answer();
    }
    // A number that grows when categories change.
    result changes_of_categories(int& number) const noexcept {
        return *this ? Interface::changes_of_categories(number) : answer();
    }

    // A handle on a control variable, by its name or its number. Its answer() says whether it could be made.
    template <class T> tool::control<T, Interface> control(const char* name, const object& bound_object = {}) const {
        return tool::control<T, Interface>{name, bound_object};
    }
    template <class T> tool::control<T, Interface> control(int number, const object& bound_object = {}) const {
        return tool::control<T, Interface>{number, bound_object};
    }
    // The same by its info, or by its view.
    template <class T, described Item>
    tool::control<T, Interface> control(const Item& item, const object& bound_object = {}) const {
        return control<T>(attribute::number(item), bound_object);
    }
    // A session of its own, for performance variables. Its answer() says whether it could be made.
    tool::session<Interface> session() const { return {}; }

    // Calls `function(const Payload&)`, or `function(const Payload&, const event_instance&)`, when an event happens,
    // until what is returned here ends.
    template <class Payload, class Function>
    event<Interface> on(const char* name, Function function, safety level = safety::none,
                        const object& bound_object = {}) const {
        return event<Interface>::template make<Payload>(name, std::move(function), level, bound_object);
    }
    // The same by the number of the event, with `function(const event_instance&)`, for tools that do not know the
    // event.
    template <class Function>
    event<Interface> on(int number, Function function, safety level = safety::none,
                        const object& bound_object = {}) const {
        return event<Interface>::make(number, std::move(function), level, bound_object);
    }

private:
    template <class Facts> listing<Facts, Interface> listing_of(kind all) const noexcept {
        return listing<Facts, Interface>{count(all)};
    }

    opened<Interface> interface_;
};

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
