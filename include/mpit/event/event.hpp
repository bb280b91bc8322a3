// SPDX-License-Identifier: BSD-3-Clause
// Events: something that happens in a library, reported to tools at that moment with a payload. A payload is a plain
// struct. A raise costs a load and a branch while no tool has subscribed (MPI-5.0, 15.3.8).
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

// The source whose clock stamps an event: one of the author, or one of mpit.
struct source_setting {
    descriptor::source* source = nullptr;
    descriptor::clock_kind kind = descriptor::clock_kind::cycles;
    constexpr source_setting() noexcept {}
    constexpr source_setting(own_clock clock) noexcept : kind{clock.kind} {}
    constexpr source_setting(mpit::source* declared) noexcept : source{declared}, kind{descriptor::clock_kind::own} {}
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
    // Refuses a setting without its name.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;
    internal::source_setting source{}; // its clock stamps the event; the processor's cycle counter by default
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // for which users it is
    // For bound events: returns true if the object exists. Needed if mpit::created and mpit::freed are not called.
    typename internal::exists_setting<Object>::type exists{};
};

namespace MPIT_MODULE_LOCAL internal {

// Raises an event, for the whole library or for one object. The arguments are the members of the payload, or a payload.
template <class Payload> class raiser {
public:
    raiser(descriptor::event& e, object_key key) noexcept : event_{e}, key_{key} {}

    // Raises the event: callbacks run now.
    template <class... Member> void operator()(const Member&... members) const { raise(safety::none, members...); }
    // Raises the event in a context in which callbacks may do less, such as a signal handler.
    template <class... Member> void raise(safety level, const Member&... members) const {
        if (!has_listener()) [[likely]]
            return;
        const Payload payload{members...};
        internal::raise(event_, &payload, key_, level);
    }
    // Raises the event in a context in which no callback may run: they run before the next instance, or in deliver().
    template <class... Member> void defer(const Member&... members) const noexcept {
        if (!has_listener()) [[likely]]
            return;
        const Payload payload{members...};
        internal::defer(event_, &payload, key_);
    }

private:
    bool has_listener() const noexcept { return event_.listening.load(core::relaxed) != 0; }

    descriptor::event& event_;
    object_key key_;
};

// The cell of an object in a bound event. It has no value: that it exists is enough.
struct existing_object {
    void reset(not_bound) noexcept {}
};

template <class Payload, class Object> class described_event : public descriptor::event {
    // In the class, so that the compiler reports a mistake in a payload at the line of the event.
    static_assert(core::has_elements<Payload>());

protected:
    constexpr described_event(descriptor::category* parent, core::checked_name event_name, text event_description,
                              const event_settings<Object>& settings,
                              const descriptor::event_operations& event_operations)
        : descriptor::event{parent, event_name, event_description} {
        payload = core::payload_of<Payload>();
        verbosity = settings.verbosity;
        binding = descriptor::object_traits<Object>::binding;
        clock.initialize(settings.source.kind);
        event_source = settings.source.source;
        operations = &event_operations;
    }

public:
    // Delivers the deferred instances. For the progress function of a library.
    void deliver(safety level = safety::none) {
        if (listening.load(core::relaxed) != 0) internal::deliver_deferred(*this, level);
    }
};

} // namespace internal

// An event of the process, or of each MPI object. `Payload` is a plain struct of at most 24 members and 4096 bytes:
// numbers, char, enumerations, and arrays of these. Any thread may raise it: that takes no lock and allocates nothing,
// and callbacks run in this thread; an exception of a callback passes through. A signal handler passes the level,
// `x.raise(mpit::safety::async_signal_safe, ...)`, or calls `x.defer(...)`. Instances that cannot be delivered are
// counted, and reported to dropped handlers. A bound event is raised as `x[object](...)`, `x[object].raise(...)` or
// `x[object].defer(...)`; the object need not be announced.
template <class Payload, class Object = void> class event : public internal::described_event<Payload, Object> {
    using handle = typename descriptor::object_traits<Object>::handle;
    using store = internal::cell_store<internal::existing_object, Object, internal::not_bound>;

public:
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const event_settings<Object>& settings = internal::no_settings<event_settings<Object>>)
        : internal::described_event<Payload, Object>{parent, event_name, event_description, settings, table},
          objects_{{}, nullptr},
          exists_{settings.exists} {
        this->announce = internal::announcement_function<event, Object>();
    }
    // Refuses a setting without its name.
    template <class... More>
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const internal::unnamed_setting&, const More&...)
        : event{parent, event_name, event_description} {}

    // Returns the event of an object: `tree.freed[comm](members...)`.
    MPIT_MODULE_LOCAL internal::raiser<Payload> operator[](handle object) noexcept {
        return {*this, descriptor::key_of(object)};
    }
    // For the library's own use.
    MPIT_MODULE_LOCAL store& cells() noexcept { return objects_; }

private:
    store objects_;
    typename internal::exists_setting<Object>::type exists_;

    MPIT_MODULE_LOCAL static void* locate(descriptor::event& e, descriptor::object_key key, std::uint32_t& generation) {
        auto& self = static_cast<event&>(e);
        if (void* object = self.objects_.existing(key, generation)) return object;
        if (generation != 0 || self.exists_ == nullptr) return nullptr;
        return self.exists_(descriptor::handle_of<handle>(key)) ? &e : nullptr;
    }
    static constexpr descriptor::event_operations table{.key = internal::key_function<Object>(), .locate = &locate};
};

// An event of the process: `x(members...)`. Any thread may raise it; a signal handler uses raise() or defer().
template <class Payload> class event<Payload, void> : public internal::described_event<Payload, void> {
public:
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const event_settings<void>& settings = internal::no_settings<event_settings<void>>)
        : internal::described_event<Payload, void>{parent, event_name, event_description, settings, table} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const internal::unnamed_setting&, const More&...)
        : event{parent, event_name, event_description} {}

    // Raises the event: callbacks run now, in this thread. The arguments are the members of the payload, or a payload.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator()(const Member&... members) {
        raiser()(members...);
    }
    // Raises the event in a context in which callbacks may do less, such as a signal handler. Callbacks of lower levels
    // are not called, and the instance is counted as dropped.
    template <class... Member>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void raise(safety level, const Member&... members) {
        raiser().raise(level, members...);
    }
    // Raises the event for a later delivery, as under a lock: callbacks run before the next instance or in deliver().
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void defer(const Member&... members) noexcept {
        raiser().defer(members...);
    }

private:
    MPIT_MODULE_LOCAL internal::raiser<Payload> raiser() noexcept { return {*this, 0}; }
    static constexpr descriptor::event_operations table{.key = nullptr, .locate = &descriptor::locate_descriptor};
};

namespace MPIT_MODULE_LOCAL internal {

inline void deliver(descriptor::category& parent, safety level) {
    for (descriptor::item* item = parent.first; item != nullptr; item = item->next) {
        if (item->item_kind == descriptor::kind::category) deliver(static_cast<descriptor::category&>(*item), level);
        if (item->item_kind != descriptor::kind::event) continue;
        auto& e = static_cast<descriptor::event&>(*item);
        if (e.listening.load(core::relaxed) != 0) deliver_deferred(e, level);
    }
}

} // namespace internal

// Delivers the deferred instances of a tree's events, as a progress function does. `level` is the level that the
// context demands. Any thread may call it, outside of signal handlers; callbacks run in that thread. Takes no lock.
MPIT_MODULE_LOCAL inline void deliver(descriptor::category& tree, safety level = safety::none) {
    internal::deliver(tree, level);
}

} // namespace mpit
