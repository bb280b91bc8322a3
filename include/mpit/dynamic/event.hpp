// SPDX-License-Identifier: BSD-3-Clause
// Events and event sources that are described at run time. The library declares a cell for each event and each source,
// and the descriptor is in the cell. A raise without a registered callback reads only one word of the cell. The
// run-time group allocates the texts and the elements of events.
//
//   static mpit::source_cell card;   static mpit::event_cell<arrival> arrived;
//   group.source("card_clock", "Clock of the card", {.cell = &card, .ticks_per_second = rate, .clock = &card_ticks});
//   group.event("arrived", "A message has arrived", {.cell = &arrived, .source = &card});   arrived(source, bytes);
#pragma once

#include <mpit/descriptor/object_key.hpp>
#include <mpit/dynamic/settings.hpp>
#include <mpit/event/event.hpp>

#include <cstdlib>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using core::text;

// The descriptor of an event source. `texts` is the memory of the texts, or null if the source is in no run-time group.
struct dynamic_source : descriptor::source {
    void* texts;

    dynamic_source(descriptor::category* parent, text source_name, text source_description, void* memory) noexcept
        : source{parent, source_name, source_description}, texts{memory} {}
    // Frees the texts of the source. The clock stays valid, because events of other groups may still use the clock.
    void release() noexcept {
        name = description = {};
        std::free(texts);
        texts = nullptr;
    }
};

// The attributes of an event that is added at run time, except the name and the description.
struct dynamic_event_traits {
    core::payload_view payload;
    mpit::verbosity verbosity{};
    mpit::binding kind{};
    std::size_t handle_size = 0;             // size of the handle of an MPI object, in bytes: 4 or 8
    bool (*exists)(std::uint64_t) = nullptr; // null if every handle belongs to an object
    descriptor::clock_kind clock{};
    descriptor::source* source = nullptr; // the source, for clock_kind::own
};

// The descriptor of an event. `texts` is the memory of the texts and elements, or null if the event is in no group.
struct dynamic_event : descriptor::event {
    void* texts;
    bool (*exists)(std::uint64_t);

    dynamic_event(descriptor::category* parent, text event_name, text event_description,
                  const dynamic_event_traits& traits, void* memory) noexcept
        : event{parent, event_name, event_description}, texts{memory}, exists{traits.exists} {
        payload = traits.payload;
        verbosity = traits.verbosity;
        binding = traits.kind;
        clock.store(traits.clock);
        event_source = traits.source;
        operations = traits.kind == binding::none ? &unbound_operations
                     : traits.handle_size == 4    ? &bound_operations<std::uint32_t>
                                                  : &bound_operations<std::uint64_t>;
    }
    // Disconnects the event from registered callbacks, and frees the texts and the elements.
    void release() noexcept {
        listening.store(0);
        channel.store(nullptr);
        std::free(texts);
        texts = nullptr;
    }

private:
    static void* locate(descriptor::event& e, descriptor::object_key key, std::uint32_t& generation) {
        generation = 0;
        const auto exists = static_cast<dynamic_event&>(e).exists;
        return exists == nullptr || exists(key) ? &e : nullptr;
    }
    static constexpr descriptor::event_operations unbound_operations{.key = nullptr,
                                                                     .locate = &descriptor::locate_descriptor};
    template <class Handle>
    static constexpr descriptor::event_operations bound_operations{.key = &descriptor::key_at<Handle>,
                                                                   .locate = &locate};
};

// Storage for the descriptor of an event or a source. At first all bytes are zero. is_described() returns true while
// the descriptor is in a run-time group. A run-time group adds no event or source whose storage is already described.
template <class Descriptor> class descriptor_storage {
public:
    constexpr descriptor_storage() noexcept : zero_bytes{} {}
    ~descriptor_storage() {}
    Descriptor* at() noexcept { return &constructed; }
    bool is_described() const noexcept { return constructed.texts != nullptr; }

private:
    union {
        unsigned char zero_bytes[sizeof(Descriptor)];
        Descriptor constructed;
    };
};

} // namespace internal

// The cell of an event source that is described at run time. The cell has to exist while a thread or signal handler
// raises events that name the source.
class source_cell {
public:
    MPIT_MODULE_LOCAL constexpr source_cell() noexcept {}
    source_cell(const source_cell&) = delete;

    // For the library's own use.
    MPIT_MODULE_LOCAL internal::descriptor_storage<internal::dynamic_source>& place() noexcept { return place_; }

private:
    internal::descriptor_storage<internal::dynamic_source> place_;
};

// The cell of an event that is described at run time, with a plain struct as the payload. Any thread may raise the
// event before the event is added to a run-time group, and while the group exists. No thread may raise the event while
// the event is added or the group ends. A raise takes no lock and allocates nothing. A signal handler calls raise()
// with a safety level, or defer().
template <class Payload> class event_cell {
public:
    MPIT_MODULE_LOCAL constexpr event_cell() noexcept {}
    event_cell(const event_cell&) = delete;

    // Raises the event and runs the callbacks before the call returns. The arguments are a payload or its members.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator()(const Member&... members) {
        in(0)(members...);
    }
    // Raises the event in a context where callbacks may not call every function, such as a signal handler. Only
    // callbacks whose safety level is at least `level` run.
    template <class... Member>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void raise(safety level, const Member&... members) {
        in(0).raise(level, members...);
    }
    // Raises the event in a context in which no callback may run. The callbacks run later, in deliver() or before the
    // event is raised again.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void defer(const Member&... members) noexcept {
        in(0).defer(members...);
    }
    // Returns an object that raises the event for an MPI object, as in `freed.in(handle)(members...)`.
    MPIT_MODULE_LOCAL internal::raiser<Payload> in(std::uint64_t handle) noexcept { return {*place_.at(), handle}; }
    // Returns true if a tool has registered for the event, as mpit::event::is_watched() does.
    MPIT_MODULE_LOCAL bool is_watched() noexcept { return place_.at()->is_watched(); }
    // Delivers the deferred instances of the event. Signal handlers must not call this function.
    MPIT_MODULE_LOCAL void deliver(safety level = safety::none) {
        if (is_watched()) internal::deliver_deferred(*place_.at(), level);
    }

    // For the library's own use.
    MPIT_MODULE_LOCAL internal::descriptor_storage<internal::dynamic_event>& place() noexcept { return place_; }

private:
    internal::descriptor_storage<internal::dynamic_event> place_;
};

// Settings of an event source. An event names its source by the address of `cell`. source_settings explains the
// remaining settings.
struct dynamic_source_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    source_cell* cell = nullptr;
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 1'000'000'000;
    std::int64_t max_ticks = INT64_MAX;
    std::int64_t (*clock)() = nullptr;
};

namespace MPIT_MODULE_LOCAL internal {

// The type of the setting `source` of an event. The source is described at run time or declared, or is a clock of mpit.
struct dynamic_source_setting : source_setting {
    bool is_described = true;
    constexpr dynamic_source_setting() noexcept {}
    constexpr dynamic_source_setting(own_clock own) noexcept : source_setting{own} {}
    constexpr dynamic_source_setting(mpit::source* declared) noexcept : source_setting{declared} {}
    dynamic_source_setting(source_cell* cell) noexcept : is_described{cell->place().is_described()} {
        source = cell->place().at();
        kind = descriptor::clock_kind::own;
    }
};

} // namespace internal

// Settings of an event. The library raises the event through `cell`. The clock of `source` stamps the event, and the
// default is the cycle counter of the processor. `bound` is the kind of MPI object to which the event belongs. The
// function `elements` of `bound` must be null. `exists` returns true if an object has the handle. Any thread and any
// signal handler may call `exists`. If `exists` is null, every handle is valid. `verbosity` says which users need the
// event. The run-time group of a source has to end after the groups of the events that name the source.
template <class Payload> struct dynamic_event_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    event_cell<Payload>* cell = nullptr;
    internal::dynamic_source_setting source{};
    dynamic_binding bound{};
    bool (*exists)(std::uint64_t handle) = nullptr;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

} // namespace mpit
