// SPDX-License-Identifier: BSD-3-Clause
// Events and sources that are described at run time, in storage of their owner: a raise without a listener reads one
// word there. Their texts and elements are in memory of the group.
//
//   static mpit::source_cell card;   static mpit::event_cell<arrival> arrived;
//   group.source("card_clock", "Clock of the card", {.cell = &card, .ticks_per_second = rate, .clock = &card_ticks});
//   group.event("arrived", "A message has come", {.cell = &arrived, .source = &card});      arrived(source, bytes);
#pragma once

#include <mpit/descriptor/object_key.hpp>
#include <mpit/dynamic/settings.hpp>
#include <mpit/event/event.hpp>

#include <cstdlib>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using core::text;

// `room` has the texts of a source, and is null while it is in no group.
struct dynamic_source : descriptor::source {
    void* room;

    dynamic_source(descriptor::category* in_category, text called, text meaning, void* memory) noexcept
        : source{in_category, called, meaning}, room{memory} {}
    // Its clock still stamps events of groups that end later.
    void release() noexcept {
        name = description = {};
        std::free(room);
        room = nullptr;
    }
};

// What an event is besides its names.
struct dynamic_event_traits {
    core::payload_view payload;
    mpit::verbosity verbosity{};
    mpit::binding kind{};
    std::size_t handle_size = 0;             // of a bound event: 4 or 8
    bool (*exists)(std::uint64_t) = nullptr; // null: every handle is one
    descriptor::clock_kind clock{};
    descriptor::source* source = nullptr; // if the clock is its own
};

// `room` has the texts and elements of an event, and is null while it is in no group.
struct dynamic_event : descriptor::event {
    void* room;
    bool (*exists)(std::uint64_t);

    dynamic_event(descriptor::category* in_category, text called, text meaning, const dynamic_event_traits& has,
                  void* memory) noexcept
        : event{in_category, called, meaning}, room{memory}, exists{has.exists} {
        payload = has.payload;
        verbosity = has.verbosity;
        binding = has.kind;
        clock.store(has.clock);
        event_source = has.source;
        operations = has.kind == binding::none ? &of_the_process
                     : has.handle_size == 4    ? &of_objects<std::uint32_t>
                                               : &of_objects<std::uint64_t>;
    }
    // From now on no tool listens.
    void release() noexcept {
        listening.store(0);
        channel.store(nullptr);
        std::free(room);
        room = nullptr;
    }

private:
    static void* locate(descriptor::event& e, descriptor::object_key key, std::uint32_t& generation) {
        generation = 0;
        const auto exists = static_cast<dynamic_event&>(e).exists;
        return exists == nullptr || exists(key) ? &e : nullptr;
    }
    static constexpr descriptor::event_operations of_the_process{.key = nullptr,
                                                                 .locate = &descriptor::locate_descriptor};
    template <class Handle>
    static constexpr descriptor::event_operations of_objects{.key = &descriptor::key_at<Handle>, .locate = &locate};
};

// Zeros until a description is put there. One that is in a group is not described again.
template <class Description> class described_place {
public:
    constexpr described_place() noexcept : zeros_{} {}
    ~described_place() {}
    Description* at() noexcept { return &description_; }
    bool is_described() const noexcept { return description_.room != nullptr; }

private:
    union {
        unsigned char zeros_[sizeof(Description)];
        Description description_;
    };
};

} // namespace internal

// A source that is described at run time. It lives as long as events that name it are raised, and begins as zeros.
// Raising such an event reads it, in any thread and in signal handlers.
class source_cell {
public:
    MPIT_MODULE_LOCAL constexpr source_cell() noexcept {}
    source_cell(const source_cell&) = delete;

    // For the library's own use.
    MPIT_MODULE_LOCAL internal::described_place<internal::dynamic_source>& place() noexcept { return place_; }

private:
    internal::described_place<internal::dynamic_source> place_;
};

// An event that is described at run time, with a plain struct as its payload. Any thread may raise it while its group
// lives, and before it is added, but not while it is added or its group ends. It takes no lock and allocates nothing; a
// signal handler names the level, or defers.
template <class Payload> class event_cell {
public:
    MPIT_MODULE_LOCAL constexpr event_cell() noexcept {}
    event_cell(const event_cell&) = delete;

    // It has happened: callbacks run now. The arguments are the members of the payload, or a payload.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator()(const Member&... members) {
        in(0)(members...);
    }
    // The same in a context where callbacks may do less, as in a signal handler.
    template <class... Member>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void raise(safety level, const Member&... members) {
        in(0).raise(level, members...);
    }
    // For contexts in which no callback may run: they run before the next event of this kind, or in deliver().
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void defer(const Member&... members) noexcept {
        in(0).defer(members...);
    }
    // The event of the object with this handle: `freed.in(handle)(members…)`.
    MPIT_MODULE_LOCAL internal::raiser<Payload> in(std::uint64_t handle) noexcept { return {*place_.at(), handle}; }
    // Delivers what was deferred. Not for signal handlers.
    MPIT_MODULE_LOCAL void deliver(safety level = safety::none) {
        if (place_.at()->listening.load(core::relaxed) != 0) internal::deliver_kept(*place_.at(), level);
    }

    // For the library's own use.
    MPIT_MODULE_LOCAL internal::described_place<internal::dynamic_event>& place() noexcept { return place_; }

private:
    internal::described_place<internal::dynamic_event> place_;
};

// Settings of a source: the `cell` that events name. The others are those of source_settings.
struct dynamic_source_settings {
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    source_cell* cell = nullptr;
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 1'000'000'000;
    std::int64_t max_ticks = INT64_MAX;
    std::int64_t (*clock)() = nullptr;
};

namespace MPIT_MODULE_LOCAL internal {

// Whose clock stamps an event: a source that is described in a group, a declared one, or one of the library's own.
struct dynamic_source_choice : source_choice {
    bool is_described = true;
    constexpr dynamic_source_choice() noexcept {}
    constexpr dynamic_source_choice(own_clock own) noexcept : source_choice{own} {}
    constexpr dynamic_source_choice(mpit::source* declared) noexcept : source_choice{declared} {}
    dynamic_source_choice(source_cell* cell) noexcept : is_described{cell->place().is_described()} {
        source = cell->place().at();
        kind = descriptor::clock_kind::own;
    }
};

} // namespace internal

// Settings of an event: the `cell` that the library raises; the `source` that stamps it, the processor's cycle counter
// if nothing is said; the kind of object that it is `bound` to, without `elements`, and whether there `exists` one with
// a handle, for any thread and signal handler: null is always. The group of a source ends after those of its events.
// `verbosity` says for whom it is.
template <class Payload> struct dynamic_event_settings {
    // A value without a name, which is refused.
    [[no_unique_address]] internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    event_cell<Payload>* cell = nullptr;
    internal::dynamic_source_choice source{};
    dynamic_binding bound{};
    bool (*exists)(std::uint64_t handle) = nullptr;
    mpit::verbosity verbosity = mpit::verbosity::user_basic;
};

} // namespace mpit
