// SPDX-License-Identifier: BSD-3-Clause
// A control variable as a value of C++ (MPI-5.0, 15.3.6): the type, the number of elements and the enumeration are checked
// when the handle is made, and never again.
//
//   auto limit = interface.control<int>("EAGER_LIMIT");
//   if (!limit) std::puts(to_string(limit.answer()));   …   limit.write(2 * limit.read().value_or(1024));
#pragma once

#include <mpit/tool/opened.hpp>
#include <mpit/tool/typed_handle.hpp>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// A handle on a control variable, by its name or its number, which is freed with this object. Threads use one handle at once as
// the interface allows: over the registry without limits, over an MPI by its level of thread support. Not for signal handlers.
template <class T, class Interface> class control : public typed_handle<T, control_info> {
    using base = typed_handle<T, control_info>;

public:
    explicit control(const char* name, const object& bound_object = {}) : control{} {
        begin(bound_object,
              [name](control_info& facts) { return tell_named<Interface>(kind::control, name, {}, facts); });
    }
    explicit control(int number, const object& bound_object = {}) : control{} {
        begin(bound_object, [number](control_info& facts) { return Interface::tell(number, facts); });
    }
    control(control&& other) noexcept
        : base{std::move(other)}, interface_{std::move(other.interface_)}, handle_{other.handle_} {}
    ~control() {
        if (base::is_good()) Interface::free(handle_);
    }

    // Reads the value. Returns what the implementation answers, as MPI_T_ERR_INVALID_HANDLE if the library or the object
    // no longer exists.
    result read(T& value) {
        return base::take(value, [this](char* room) { return Interface::read(handle_, room); });
    }
    // The value, or nothing if it cannot be read.
    std::optional<T> read() {
        return base::value_of([this](T& value) { return read(value); });
    }
    // Writes a value. MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_INVALID for a value that it cannot
    // have, or wrong_count.
    result write(const T& value) {
        return base::give(value, [this](const char* bytes) { return Interface::write(handle_, bytes); });
    }

private:
    control() noexcept : control{opened<Interface>{}} {}
    explicit control(opened<Interface> interface) noexcept
        : base{interface.answer()}, interface_{std::move(interface)} {}
    template <class Tell> void begin(const object& bound_object, Tell tell) {
        base::begin(
            bound_object, tell,
            [this](const control_info& facts, const void* address, std::uint32_t& count) {
                return Interface::allocate(facts.number, address, handle_, count);
            },
            [this] { Interface::free(handle_); });
    }

    opened<Interface> interface_;
    typename Interface::control_handle handle_{};
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
