// SPDX-License-Identifier: BSD-3-Clause
// An MPI object as an argument of handles, batches and measurements. The object is passed by value, so that a caller
// cannot pass the address of a wrong object. The functions of the standard receive the address of a copy of the object
// handle, in a buffer that is larger than any handle.
//
//   session.performance<unsigned long>("messages_sent", mpit::performance_class::counter, MPI_COMM_WORLD);
#pragma once

#include <mpit/core/value.hpp>

#include <cstring>

namespace mpit::inline v1_0::tool {

namespace MPIT_MODULE_LOCAL detail {

// True for pointers to object handles, which are numbers or pointers.
template <class Handle> constexpr bool is_address_of_handle = false;
template <class Handle> constexpr bool is_address_of_handle<Handle*> = core::number<Handle>;
template <class Target> constexpr bool is_address_of_handle<Target**> = true;

} // namespace detail

// An optional MPI object as an argument. The class contains a copy of the object handle, so that each thread and each
// signal handler works on its own copy.
class object {
public:
    object() noexcept {}
    template <class Handle> object(const Handle& handle) noexcept : is_given_{true} {
        static_assert(
            __is_trivially_copyable(Handle) && sizeof(Handle) <= sizeof bytes_ && !detail::is_address_of_handle<Handle>,
            "an object must be given as its handle, such as MPI_COMM_WORLD");
        std::memcpy(bytes_, &handle, sizeof handle);
    }
    // Returns the address of the object handle, or null if no object was passed.
    const void* address() const noexcept { return is_given_ ? bytes_ : nullptr; }
    // Returns true if an object was passed.
    bool is_there() const noexcept { return is_given_; }

private:
    alignas(16) unsigned char bytes_[32]{};
    bool is_given_ = false;
};

} // namespace mpit::tool
