// SPDX-License-Identifier: BSD-3-Clause
// Event registrations that call a function of a tool with the payload of the event as a C++ structure (MPI-5.0,
// 15.3.8). The registration checks the types of the structure's members. If the MPI stores the elements of the payload
// in another layout than the structure, the elements are read one by one.
//
//   struct message { int source; int tag; unsigned long bytes; };
//   auto arrivals = interface.on<message>("unexpected_message", [](const message& m) { … });
//   if (!arrivals) std::puts(to_string(arrivals.status()));
#pragma once

#include <mpit/core/payload.hpp>
#include <mpit/tool/handle.hpp>

#include <memory>

namespace mpit::inline v1_0::tool {

// One occurrence of an event. The object is passed to a callback and is valid while the callback runs. During the
// callback, any thread and any signal handler may read an instance of an event of the registry. An MPI may have
// stricter rules for its own events. After the callback, the member functions return MPI_T_ERR_INVALID_HANDLE.
template <class Interface> class event_instance {
public:
    // For the library's own use.
    explicit event_instance(typename Interface::event_instance instance) noexcept : instance_{instance} {}
    // Reads an element into `value`, which has the element's type. Returns MPI_T_ERR_INVALID_INDEX for an unknown
    // element.
    result read(int element, void* value) const noexcept { return Interface::read_element(instance_, element, value); }
    // Stores the time of the event in ticks of the source, and the index of the source.
    result time(std::int64_t& ticks, int& source) const noexcept {
        return Interface::time_of(instance_, ticks, source);
    }
    // Copies the payload, from the first element to the end of the last element.
    result copy(void* payload) const noexcept { return Interface::copy_payload(instance_, payload); }

private:
    typename Interface::event_instance instance_;
};

namespace MPIT_MODULE_LOCAL detail {

// The callback data of a registration. A listener is deleted when no callback of the registration runs any more.
template <class Function, class Interface> struct listener {
    Function function;
    std::shared_ptr<core::atomic<std::int64_t>> dropped;

    void call(typename Interface::event_instance instance) { function(event_instance<Interface>{instance}); }
    void drop(std::int64_t count) noexcept { dropped->fetch_add(count); }
};

// The layout of an event's elements in a structure of the tool.
template <class Payload> class payload_layout {
public:
    // Returns wrong_type or wrong_count if the elements of the event differ from the members of the structure.
    result check(const event_info& info) {
        if (info.elements.size() != view.element_count()) return result::wrong_count;
        return for_each_element([&](int index, datatype type, std::uint32_t displacement) {
            const event_element& element = info.elements[static_cast<std::size_t>(index)];
            is_same_ = is_same_ && element.displacement == displacement;
            return element.type && are_alike(*element.type, type) ? result::success : result::wrong_type;
        });
    }
    template <class Interface> result read(const event_instance<Interface>& instance, Payload& payload) const noexcept {
        if (is_same_) return instance.copy(&payload);
        return for_each_element([&](int index, datatype, std::uint32_t displacement) {
            return instance.read(index, reinterpret_cast<char*>(&payload) + displacement);
        });
    }

private:
    static constexpr core::payload_view view = core::payload_of<Payload>();

    // Calls `visit(index, type, displacement in the structure)` for each element until `visit` returns an error.
    template <class Visit> static result for_each_element(Visit visit) {
        int index = 0;
        for (std::uint32_t m = 0; m < view.count; m++)
            for (std::uint32_t i = 0; i < view.members[m].count; i++)
                if (const result status = visit(index++, view.members[m].type, view.members[m].displacement(i));
                    status != result::success)
                    return status;
        return result::success;
    }

    bool is_same_ = true; // true if the event and the structure have the same layout
};

} // namespace detail

// A registration of a callback for an event. The destructor frees the registration. After the destruction, no new call
// of the callback begins, and the callback is destroyed when its last call has returned. The threads that raise the
// event call the callback. Only one thread at a time may move or destroy this object, outside of signal handlers.
template <class Interface> class event {
public:
    // Registers `function(const event_instance<Interface>&)` for library::on(). For the library's own use.
    template <class Function>
    static event make(int index, Function function, safety level, const object& bound_object) {
        event registration;
        event_info info;
        registration.check_event(info, bound_object, [&] { return Interface::tell(index, info); });
        if (registration.is_valid()) registration.begin(index, std::move(function), level, bound_object);
        return registration;
    }
    // Registers a function that receives the payload as a structure. For the library's own use.
    template <class Payload, class Function>
    static event make(const char* name, Function function, safety level, const object& bound_object) {
        event registration;
        event_info info;
        registration.check_event(info, bound_object,
                                 [&] { return describe_by_name<Interface>(kind::event, name, {}, info); });
        detail::payload_layout<Payload> layout;
        if (registration.is_valid()) registration.status_ = layout.check(info);
        if (!registration.is_valid()) return registration;
        registration.begin(info.number,
                           [layout, function = std::move(function)](const event_instance<Interface>& raised) mutable {
            Payload payload{};
            if (layout.read(raised, payload) != result::success) return;
            if constexpr (requires { function(payload, raised); }) function(payload, raised);
            else function(payload);
        }, level, bound_object);
        return registration;
    }

    event(event&& other) noexcept
        : interface_{std::move(other.interface_)},
          handle_{other.handle_},
          end_{std::exchange(other.end_, nullptr)},
          listener_{other.listener_},
          dropped_{std::move(other.dropped_)},
          status_{std::exchange(other.status_, result::invalid_handle)} {}
    ~event() {
        if (end_ != nullptr) end_(handle_, listener_);
    }

    explicit operator bool() const noexcept { return is_valid(); }
    // Returns the result of the registration, which is success, MPI_T_ERR_INVALID_NAME, wrong_type, wrong_count, or
    // another result of the implementation. MPI_T_ERR_INVALID_HANDLE means that a bound event was used without an MPI
    // object, or an unbound event with an MPI object. MPI_T_ERR_NOT_SUPPORTED means that the MPI is older than MPI-4.0.
    result status() const noexcept { return status_; }
    // Returns how many event instances were dropped, as reported by the implementation.
    std::int64_t dropped() const noexcept { return dropped_ == nullptr ? 0 : dropped_->load(); }

private:
    event() noexcept : status_{interface_.status()} {}
    bool is_valid() const noexcept { return status_ == result::success; }

    // Calls `describe()`, which fills `info`. Then checks `bound_object` against the binding of the event.
    template <class Describe> void check_event(const event_info& info, const object& bound_object, Describe describe) {
        if (is_valid()) status_ = describe();
        if (is_valid()) status_ = check(bound_object, info.binding);
    }
    template <class Function> void begin(int index, Function function, safety level, const object& bound_object) {
        using listener = detail::listener<Function, Interface>;
        status_ = Interface::allocate_event(index, bound_object.address(), handle_);
        if (!is_valid()) return;
        dropped_ = std::make_shared<core::atomic<std::int64_t>>();
        auto* data = new listener{std::move(function), dropped_};
        listener_ = data;
        end_ = [](typename Interface::event_registration handle, void* callback_data) {
            Interface::end_event(handle, static_cast<listener*>(callback_data));
        };
        status_ = Interface::register_callback(handle_, level, *data);
    }

    initialization<Interface> interface_;
    typename Interface::event_registration handle_{};
    void (*end_)(typename Interface::event_registration, void*) = nullptr;
    void* listener_ = nullptr;
    std::shared_ptr<core::atomic<std::int64_t>> dropped_;
    result status_;
};

} // namespace mpit::tool
