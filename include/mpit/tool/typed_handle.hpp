// SPDX-License-Identifier: BSD-3-Clause
// The common part of handles on control variables and on performance variables: the checks at allocation, and the
// conversion between a type of C++ and the bytes of an implementation.
//
//   class control : public typed_handle<T, control_info> { … };
#pragma once

#include <mpit/tool/object.hpp>
#include <mpit/tool/typed_value.hpp>
#include <mpit/tool/to_string.hpp> // IWYU pragma: export

#include <utility>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// What handles on control variables and on performance variables have in common. These functions read what was told when the
// handle was made: any thread may call them, outside of signal handlers.
template <class T, class Facts> class typed_handle {
public:
    explicit operator bool() const noexcept { return is_good(); }
    // Whether the handle was made, or why not: MPI_T_ERR_INVALID_NAME, MPI_T_ERR_INVALID_HANDLE if the variable needs an
    // object or has none, wrong_type, wrong_count, or what the implementation answers.
    result answer() const noexcept { return answer_; }
    // What the interface tells of the variable.
    const Facts& facts() const noexcept { return facts_; }
    // The number of elements of the value.
    std::uint32_t count() const noexcept { return count_; }

protected:
    explicit typed_handle(result so_far) noexcept : answer_{so_far} {}
    typed_handle(typed_handle&& other) noexcept
        : facts_{std::move(other.facts_)},
          count_{other.count_},
          answer_{std::exchange(other.answer_, result::invalid_handle)} {}

    bool is_good() const noexcept { return answer_ == result::success; }
    // `tell(facts)` and `allocate(facts, address of the object, count)` answer as the interface does, and `free()` undoes the
    // second where the value has another number of elements.
    template <class Tell, class Allocate, class Free>
    void begin(const object& bound_object, Tell tell, Allocate allocate, Free free) {
        if (is_good()) answer_ = tell(facts_);
        if (is_good()) answer_ = check(bound_object, facts_.binding);
        if (is_good() && !typed_value<T>::has_type(facts_)) answer_ = result::wrong_type;
        if (is_good()) answer_ = allocate(facts_, bound_object.address(), count_);
        if (!is_good() || typed_value<T>::has_count(count_)) return;
        free();
        answer_ = result::wrong_count;
    }
    // `get(bytes)` stores what there is.
    template <class Get> result take(T& value, Get get) {
        if (!is_good()) return answer_;
        std::string scratch;
        const result got = get(typed_value<T>::room(value, facts_, count_, scratch));
        if (got == result::success) typed_value<T>::take(value, facts_, count_, scratch);
        return got;
    }
    // `put(bytes)` stores it.
    template <class Put> result give(const T& value, Put put) {
        if (!is_good()) return answer_;
        std::string scratch;
        const char* bytes = typed_value<T>::bytes(value, facts_, count_, scratch);
        return bytes == nullptr ? result::wrong_count : put(bytes);
    }
    // What `read(to)` reads, or nothing.
    template <class Read> static std::optional<T> value_of(Read read) {
        std::optional<T> value{T{}};
        if (read(*value) != result::success) value.reset();
        return value;
    }

private:
    Facts facts_;
    std::uint32_t count_ = 0;
    result answer_;
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
