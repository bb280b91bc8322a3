// SPDX-License-Identifier: BSD-3-Clause
// Events: something that happens in a library, reported to tools at that moment with a payload. A payload is a plain
// struct; without a subscription a raise costs a load and a branch (MPI-5.0, 15.3.8).
//
//   struct unexpected_message { int source; int tag; unsigned long bytes; };
//   mpit::event<unexpected_message> unexpected{this, "unexpected_message", "A message without a matching receive"};
//   tree.unexpected(source, tag, bytes);
#pragma once

#include <mpit/descriptor/cell_store.hpp>
#include <mpit/event/source.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::text;

// Whose clock stamps an event: a source of the author, or one of the library's own.
struct source_choice {
    descriptor::source* source = nullptr;
    descriptor::clock_kind kind = descriptor::clock_kind::cycles;
    constexpr source_choice() noexcept {}
    constexpr source_choice(own_clock own) noexcept : kind{own.kind} {}
    constexpr source_choice(mpit::source* of_author) noexcept : source{of_author}, kind{descriptor::clock_kind::own} {}
};

template <class Object> struct exists_setting {
    using type = bool (*)(typename descriptor::object_traits<Object>::handle);
};
template <> struct exists_setting<void> {
    using type = not_bound;
};

} // namespace internal

// Settings of an event.
template <class Object> struct event_settings {
    // A value without a name, which is refused.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    internal::source_choice source{}; // whose clock stamps it; the processor's cycle counter if nothing is said
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for whom it is
    // Of bound events: whether the object exists, where the library is not told by mpit::created and mpit::freed.
    typename internal::exists_setting<Object>::type exists{};
};

namespace MPIT_MODULE_LOCAL internal {

// Raises an event, for the whole library or for one object. The arguments are the members of the payload, or a payload.
template <class Payload> class raiser {
public:
    raiser(descriptor::event& e, object_key key) noexcept : event_{e}, key_{key} {}

    // It has happened: callbacks run now.
    template <class... Member> void operator()(const Member&... members) const { raise(safety::none, members...); }
    // The same in a context where callbacks may do less, as in a signal handler.
    template <class... Member> void raise(safety level, const Member&... members) const {
        if (!has_listener()) [[likely]]
            return;
        const Payload payload{members...};
        internal::raise(event_, &payload, key_, level);
    }
    // For contexts in which no callback may run: they run before the next event of this kind, or in deliver().
    template <class... Member> void defer(const Member&... members) const noexcept {
        if (!has_listener()) [[likely]]
            return;
        const Payload payload{members...};
        internal::keep(event_, &payload, key_);
    }

private:
    bool has_listener() const noexcept { return event_.listening.load(core::relaxed) != 0; }

    descriptor::event& event_;
    object_key key_;
};

// The record of an object in a bound event: that it exists.
struct known_object {
    void reset(not_bound) noexcept {}
};

template <class Payload, class Object> class described_event : public descriptor::event {
    // Asked here, so that what is wrong with a payload is reported at the line of the event.
    static_assert(core::has_elements<Payload>());

protected:
    constexpr described_event(descriptor::category* in_category, core::checked_name called, text meaning,
                              const event_settings<Object>& chosen, const descriptor::event_operations& reached_by)
        : descriptor::event{in_category, called, meaning} {
        payload = core::payload_of<Payload>();
        verbosity = chosen.verbosity;
        binding = descriptor::object_traits<Object>::binding;
        clock.begin_with(chosen.source.kind);
        event_source = chosen.source.source;
        operations = &reached_by;
    }

public:
    // Delivers what was deferred, as a library does from where it makes progress.
    void deliver(safety level = safety::none) {
        if (listening.load(core::relaxed) != 0) internal::deliver_kept(*this, level);
    }
};

} // namespace internal

// An event of the process, or of each MPI object. `Payload` is a plain struct of at most 24 members and 4096 bytes:
// numbers, char, enumerations, and arrays of these. Any thread may raise it: that takes no lock and allocates nothing,
// and callbacks run in this thread; what a callback throws, the raise throws. A signal handler names the level,
// `x.raise(mpit::safety::async_signal_safe, …)`, or calls `x.defer(…)`. Instances that cannot be delivered are counted,
// and reported to dropped handlers. A bound event is raised as `x[object](…)`, `x[object].raise(…)` or
// `x[object].defer(…)`; the object need not be announced.
template <class Payload, class Object = void> class event : public internal::described_event<Payload, Object> {
    using handle = typename descriptor::object_traits<Object>::handle;
    using store = internal::cell_store<internal::known_object, Object, internal::not_bound>;

public:
    constexpr event(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const event_settings<Object>& chosen = internal::no_settings<event_settings<Object>>)
        : internal::described_event<Payload, Object>{in_category, called, meaning, chosen, table},
          known_{{}, nullptr},
          exists_{chosen.exists} {
        this->announce = internal::announcement_function<event, Object>();
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr event(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const internal::unnamed_setting&, const More&...)
        : event{in_category, called, meaning} {}

    // The event of an object: `tree.freed[comm](members…)`.
    MPIT_MODULE_LOCAL internal::raiser<Payload> operator[](handle object) noexcept {
        return {*this, descriptor::key_of(object)};
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL store& cells() noexcept { return known_; }

private:
    store known_;
    typename internal::exists_setting<Object>::type exists_;

    MPIT_MODULE_LOCAL static void* locate(descriptor::event& e, descriptor::object_key key, std::uint32_t& generation) {
        auto& self = static_cast<event&>(e);
        if (void* known = self.known_.existing(key, generation)) return known;
        if (generation != 0 || self.exists_ == nullptr) return nullptr;
        return self.exists_(descriptor::handle_of<handle>(key)) ? &e : nullptr;
    }
    static constexpr descriptor::event_operations table{.key = internal::key_function<Object>(), .locate = &locate};
};

// An event of the process: `x(members…)`. Any thread may raise it; a signal handler does so with raise() or defer().
template <class Payload> class event<Payload, void> : public internal::described_event<Payload, void> {
public:
    constexpr event(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const event_settings<void>& chosen = internal::no_settings<event_settings<void>>)
        : internal::described_event<Payload, void>{in_category, called, meaning, chosen, table} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr event(descriptor::category* in_category, core::declared_name called, core::text meaning,
                    const internal::unnamed_setting&, const More&...)
        : event{in_category, called, meaning} {}

    // It has happened: callbacks run now, in this thread. The arguments are the members of the payload, or a payload.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator()(const Member&... members) {
        raiser()(members...);
    }
    // The same in a context where callbacks may do less, as in a signal handler. Callbacks that need more are not
    // called, and the loss is counted.
    template <class... Member>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void raise(safety level, const Member&... members) {
        raiser().raise(level, members...);
    }
    // For contexts in which no callback may run, such as under a lock: they run before the next event of this kind, or
    // in deliver().
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void defer(const Member&... members) noexcept {
        raiser().defer(members...);
    }

private:
    MPIT_MODULE_LOCAL internal::raiser<Payload> raiser() noexcept { return {*this, 0}; }
    static constexpr descriptor::event_operations table{.key = nullptr, .locate = &descriptor::locate_descriptor};
};

namespace MPIT_MODULE_LOCAL internal {

inline void deliver(descriptor::category& in_category, safety level) {
    for (descriptor::item* item = in_category.first; item != nullptr; item = item->next) {
        if (item->item_kind == descriptor::kind::category) deliver(static_cast<descriptor::category&>(*item), level);
        if (item->item_kind != descriptor::kind::event) continue;
        auto& e = static_cast<descriptor::event&>(*item);
        if (e.listening.load(core::relaxed) != 0) deliver_kept(e, level);
    }
}

} // namespace internal

// Delivers the deferred events of a tree: for the progress loop of a library. `level` is what callbacks may do here.
// Any thread may call it, outside of signal handlers; callbacks run in that thread. Takes no lock.
MPIT_MODULE_LOCAL inline void deliver(descriptor::category& tree, safety level = safety::none) {
    internal::deliver(tree, level);
}

} // namespace mpit
