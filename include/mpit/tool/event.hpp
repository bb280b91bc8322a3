// SPDX-License-Identifier: BSD-3-Clause
// Events as functions that are called with the payload as a structure (MPI-5.0, 15.3.8). The types of its members are
// checked at registration; if the MPI stores them otherwise they are read one by one.
//
//   struct message { int source; int tag; unsigned long bytes; };
//   auto arrivals = interface.on<message>("unexpected_message", [](const message& m) { … });
//   if (!arrivals) std::puts(to_string(arrivals.answer()));
#pragma once

#include <mpit/core/payload.hpp>
#include <mpit/tool/handle.hpp>

#include <memory>

namespace mpit::inline v0_1::tool {

// An instance, as long as the function that was given it runs. Over the registry any thread and any signal handler may
// read it meanwhile; over an MPI, as that allows. After that each function returns MPI_T_ERR_INVALID_HANDLE.
template <class Interface> class event_instance {
public:
    // For the library's own use.
    explicit event_instance(typename Interface::event_instance instance) noexcept : instance_{instance} {}
    // Reads one element into `value`, which has the element's type. MPI_T_ERR_INVALID_INDEX for an element that it has
    // not.
    result read(int element, void* value) const noexcept { return Interface::read_element(instance_, element, value); }
    // The time of the event in ticks of its source, and the number of this source.
    result time(std::int64_t& ticks, int& source) const noexcept {
        return Interface::time_of(instance_, ticks, source);
    }
    // Copies the payload, from the first element to the end of the last.
    result copy(void* payload) const noexcept { return Interface::copy_payload(instance_, payload); }

private:
    typename Interface::event_instance instance_;
};

namespace MPIT_MODULE_LOCAL detail {

// What is kept of a registration until no callback runs any more.
template <class Function, class Interface> struct listener {
    Function function;
    std::shared_ptr<core::atomic<std::int64_t>> dropped;

    void happened(typename Interface::event_instance instance) { function(event_instance<Interface>{instance}); }
    void lost(std::int64_t count) noexcept { dropped->fetch_add(count); }
};

// How the elements of an event lie in a structure of the tool's.
template <class Payload> class payload_form {
public:
    // wrong_type or wrong_count where the event has other elements than the structure.
    result check(const event_info& info) {
        if (info.elements.size() != known.element_count()) return result::wrong_count;
        return each_element([&](int number, datatype type, std::uint32_t displacement) {
            const event_element& told = info.elements[static_cast<std::size_t>(number)];
            is_same_ = is_same_ && told.displacement == displacement;
            return told.type && are_alike(*told.type, type) ? result::success : result::wrong_type;
        });
    }
    template <class Interface> result read(const event_instance<Interface>& instance, Payload& payload) const noexcept {
        if (is_same_) return instance.copy(&payload);
        return each_element([&](int number, datatype, std::uint32_t displacement) {
            return instance.read(number, reinterpret_cast<char*>(&payload) + displacement);
        });
    }

private:
    static constexpr core::payload_view known = core::payload_of<Payload>();

    // Calls `visit(number, type, displacement in the structure)` until it answers something else than success.
    template <class Visit> static result each_element(Visit visit) {
        int number = 0;
        for (std::uint32_t m = 0; m < known.count; m++)
            for (std::uint32_t i = 0; i < known.members[m].count; i++)
                if (const result answer = visit(number++, known.members[m].type, known.members[m].displacement(i));
                    answer != result::success)
                    return answer;
        return result::success;
    }

    bool is_same_ = true;
};

} // namespace detail

// A registration, which ends with this object: from then on the function is not called, and what it holds is deleted
// when no call of it runs any more. The function is called in the threads that raise events. One thread at a time moves
// or ends the object, outside of signal handlers.
template <class Interface> class event {
public:
    // `function` takes const event_instance<Interface>&. It must be ready for what the level allows it: with
    // safety::none it may do everything and is called where everything is allowed; an instance that comes elsewhere
    // waits, or is lost. `number` is the index of the event. library::on() calls it.
    template <class Function>
    static event make(int number, Function function, safety level, const object& bound_object) {
        event made;
        event_info facts;
        made.learn(facts, bound_object, [&] { return Interface::tell(number, facts); });
        if (made.is_good()) made.begin(number, std::move(function), level, bound_object);
        return made;
    }
    // The same for a payload as a structure, whose members are compared with the elements of the event.
    template <class Payload, class Function>
    static event make(const char* name, Function function, safety level, const object& bound_object) {
        event made;
        event_info facts;
        made.learn(facts, bound_object, [&] { return tell_named<Interface>(kind::event, name, {}, facts); });
        detail::payload_form<Payload> form;
        if (made.is_good()) made.answer_ = form.check(facts);
        if (!made.is_good()) return made;
        made.begin(facts.number,
                   [form, function = std::move(function)](const event_instance<Interface>& happened) mutable {
            Payload payload{};
            if (form.read(happened, payload) != result::success) return;
            if constexpr (requires { function(payload, happened); }) function(payload, happened);
            else function(payload);
        }, level, bound_object);
        return made;
    }
    event(event&& other) noexcept
        : interface_{std::move(other.interface_)},
          handle_{other.handle_},
          end_{std::exchange(other.end_, nullptr)},
          listener_{other.listener_},
          dropped_{std::move(other.dropped_)},
          answer_{other.answer_} {}
    ~event() {
        if (end_ != nullptr) end_(handle_, listener_);
    }

    explicit operator bool() const noexcept { return is_good(); }
    // Whether the registration was made, or why not: MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID_HANDLE if the event
    // needs an object or has none, wrong_type, wrong_count, or what the implementation answers; MPI_T_ERR_NOT_SUPPORTED
    // before MPI-4.0.
    result answer() const noexcept { return answer_; }
    // How many instances were lost, as far as the implementation has told.
    std::int64_t dropped() const noexcept { return dropped_ == nullptr ? 0 : dropped_->load(); }

private:
    event() noexcept : answer_{interface_.answer()} {}
    bool is_good() const noexcept { return answer_ == result::success; }

    // `tell()` fills the facts, and an object is given exactly where the event has one.
    template <class Tell> void learn(const event_info& facts, const object& bound_object, Tell tell) {
        if (is_good()) answer_ = tell();
        if (is_good()) answer_ = check(bound_object, facts.binding);
    }
    template <class Function> void begin(int number, Function function, safety level, const object& bound_object) {
        using listener = detail::listener<Function, Interface>;
        answer_ = Interface::allocate_event(number, bound_object.address(), handle_);
        if (!is_good()) return;
        dropped_ = std::make_shared<core::atomic<std::int64_t>>();
        auto* made = new listener{std::move(function), dropped_};
        listener_ = made;
        end_ = [](typename Interface::event_registration handle, void* data) {
            Interface::end_event(handle, static_cast<listener*>(data));
        };
        answer_ = Interface::register_callback(handle_, level, *made);
    }

    opened<Interface> interface_;
    typename Interface::event_registration handle_{};
    void (*end_)(typename Interface::event_registration, void*) = nullptr;
    void* listener_ = nullptr;
    std::shared_ptr<core::atomic<std::int64_t>> dropped_;
    result answer_;
};

} // namespace mpit::tool
