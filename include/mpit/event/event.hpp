// SPDX-License-Identifier: BSD-3-Clause
// An event notifies tools at once when something happens in a library (MPI-5.0, 15.3.8). A notification contains a
// payload, which is a plain struct. If no tool has registered for an event, a raise costs a load and a branch.
//
//   struct unexpected_message { int source; int tag; unsigned long bytes; };
//   mpit::event<unexpected_message> unexpected{this, "unexpected_message", "A message without a matching receive"};
//   tree.unexpected(source, tag, bytes);
#pragma once

#include <mpit/core/probe.h>
#include <mpit/descriptor/cell_store.hpp>
#include <mpit/event/source.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

using descriptor::text;

// The `source` setting of an event, which selects the clock that stamps the event. The clock is declared by the author
// of the library, or is a clock of mpit.
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

// Optional settings in the declaration of an event.
template <class Object> struct event_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    internal::source_setting source{}; // the clock that stamps the event, by default the cycle counter
    mpit::verbosity verbosity = mpit::verbosity::user_basic; // the users for whom the event is made
    // Returns true if the MPI object with this handle exists. A bound event needs this function if the library does not
    // announce the object by mpit::created and mpit::freed.
    typename internal::exists_setting<Object>::type exists{};
};

namespace MPIT_MODULE_LOCAL internal {

// Raises an event for the process or for one MPI object. The arguments are the members of the payload, or one payload.
// Members behind the last argument are 0, and compilers warn about such a call with -Wextra.
template <class Payload> class raiser {
public:
    raiser(descriptor::event& e, object_key key) noexcept : event_{e}, key_{key} {}

    // Raises the event and runs the tools' callbacks during this call.
    template <class... Member> void operator()(const Member&... members) const { raise(safety::none, members...); }
    // Raises the event in a context that restricts callbacks, such as a signal handler. `level` is the safety level
    // that this context requires of callbacks.
    template <class... Member> void raise(safety level, const Member&... members) const {
        MPIT_PROBE_EVENT(Payload, event_.name.characters, key_, members...);
        if (!event_.is_watched()) [[likely]]
            return;
        const Payload payload{members...};
        internal::raise(event_, &payload, key_, level);
    }
    // Raises the event in a context in which no callback may run. The tools' callbacks run later, before the event's
    // next instance or in deliver().
    template <class... Member> void defer(const Member&... members) const noexcept {
        MPIT_PROBE_EVENT(Payload, event_.name.characters, key_, members...);
        if (!event_.is_watched()) [[likely]]
            return;
        const Payload payload{members...};
        internal::defer(event_, &payload, key_);
    }

private:
    descriptor::event& event_;
    object_key key_;
};

// The cell of an object in a bound event. The cell has no value, because only its existence matters.
struct existing_object {
    void reset(not_bound) noexcept {}
};

template <class Payload, class Object> class described_event : public descriptor::event {
    // The assertion is in the class, so that the compiler reports a wrong payload at the event's declaration.
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
    // Delivers the event's instances that defer() has queued. A library calls deliver() in a progress function.
    void deliver(safety level = safety::none) {
        if (this->is_watched()) internal::deliver_deferred(*this, level);
    }
};

} // namespace internal

// An event that is bound to MPI objects, or an event of the whole process if `Object` is void. `Payload` is a plain
// struct of at most 24 members and 4096 bytes. A member of the payload is a number, a char, an enumeration, or an array
// of these types. Any thread may raise an event. A raise waits for no lock and allocates no memory. Callbacks usually
// run in the raising thread. An exception of a callback propagates out of the raise. A signal handler raises an event
// `x` by `x.raise(mpit::safety::async_signal_safe, ...)` or `x.defer(...)`. Instances that cannot be delivered are
// counted and reported to the tools' dropped handlers. A bound event is raised as `x[object](...)`,
// `x[object].raise(...)` or `x[object].defer(...)`. The library need not announce the object of a bound event to mpit.
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
    // Makes the compiler reject a setting that is not a designated initializer.
    template <class... More>
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const internal::unnamed_setting&, const More&...)
        : event{parent, event_name, event_description} {}

    // Selects the MPI object for which the event is raised, as in `tree.freed[comm](members...)`.
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

// An event of the whole process. A library raises an event `x` as `x(members...)`. Any thread may raise the event. In a
// signal handler the event must be raised by raise() or defer().
template <class Payload> class event<Payload, void> : public internal::described_event<Payload, void> {
public:
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const event_settings<void>& settings = internal::no_settings<event_settings<void>>)
        : internal::described_event<Payload, void>{parent, event_name, event_description, settings, table} {}
    // Makes the compiler reject a setting that is not a designated initializer.
    template <class... More>
    constexpr event(descriptor::category* parent, core::declared_name event_name, core::text event_description,
                    const internal::unnamed_setting&, const More&...)
        : event{parent, event_name, event_description} {}

    // Raises the event. The arguments are the members of the payload, or one payload. The callbacks usually run in this
    // thread during this call.
    template <class... Member> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator()(const Member&... members) {
        raiser()(members...);
    }
    // Raises the event in a context that restricts callbacks, such as a signal handler. `level` is the safety level
    // that this context requires of callbacks. A registration that has callbacks only for lower levels counts the
    // instance as dropped.
    template <class... Member>
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void raise(safety level, const Member&... members) {
        raiser().raise(level, members...);
    }
    // Raises the event for a later delivery, for example while the caller holds a lock. The callbacks run before the
    // event's next instance or in deliver().
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
        if (e.is_watched()) deliver_deferred(e, level);
    }
}

} // namespace internal

// Delivers the instances that defer() has queued for the events of a tree. A library calls deliver() in a progress
// function. `level` is the safety level that the context requires of callbacks. Any thread may call deliver(), but a
// signal handler must not. Callbacks usually run in the calling thread. deliver() waits for no lock.
MPIT_MODULE_LOCAL inline void deliver(descriptor::category& tree, safety level = safety::none) {
    internal::deliver(tree, level);
}

} // namespace mpit
