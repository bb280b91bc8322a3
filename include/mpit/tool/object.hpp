// SPDX-License-Identifier: BSD-3-Clause
// MPI objects as a reader passes them: by value, so that the address of a wrong object cannot be passed. MPI_T takes
// the address of the handle, which is that of a copy in a buffer larger than any handle.
//
//   session.performance<unsigned long>("collective_calls", counter, MPI_COMM_WORLD);
#pragma once

#include <mpit/core/words.hpp>

#include <cstring>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// An MPI object, or none. A plain value, which holds a copy of the handle: a thread or a signal handler works on its own copy.
class object {
public:
    object() noexcept {}
    template <class Handle> object(const Handle& handle) noexcept : is_there_{true} {
        static_assert(__is_trivially_copyable(Handle) && sizeof(Handle) <= sizeof bytes_,
                      "an object is given as its handle, such as MPI_COMM_WORLD");
        std::memcpy(bytes_, &handle, sizeof handle);
    }
    // The address of the handle; null if no object was given.
    const void* address() const noexcept { return is_there_ ? bytes_ : nullptr; }
    // Whether an object was given.
    bool is_there() const noexcept { return is_there_; }

private:
    alignas(16) unsigned char bytes_[32]{};
    bool is_there_ = false;
};

// Whether an object can be given for a variable, or has to: MPI_T_ERR_INVALID_HANDLE if only one of them has one.
// For the library's own use.
inline result check(const object& setting, binding bind) noexcept {
    return setting.is_there() == (bind != binding::none) ? result::success : result::invalid_handle;
}

} // namespace mpit::tool

#pragma GCC diagnostic pop
