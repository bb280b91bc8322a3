// SPDX-License-Identifier: BSD-3-Clause
// Keeps a tool interface initialized for the lifetime of an object. Libraries, sessions and handles each have one, so
// that they may end in any order.
//
//   opened<over_mpi> here;   if (here.answer() != result::success) …
#pragma once

#include <mpit/core/words.hpp>

#include <utility>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1::tool {

// For the library's own use.
template <class Interface> class opened {
public:
    explicit opened(thread_level required = thread_level::multiple) noexcept
        : answer_{Interface::initialize(required, provided_)} {}
    opened(opened&& other) noexcept
        : provided_{other.provided_}, answer_{std::exchange(other.answer_, result::not_initialized)} {}
    opened& operator=(opened&& other) noexcept {
        std::swap(provided_, other.provided_);
        std::swap(answer_, other.answer_);
        return *this;
    }
    ~opened() {
        if (answer_ == result::success) Interface::finalize();
    }

    // MPI_T_ERR_CANNOT_INIT if the interface cannot be had.
    result answer() const noexcept { return answer_; }
    thread_level provided() const noexcept { return provided_; }

private:
    thread_level provided_ = thread_level::single;
    result answer_;
};

} // namespace mpit::tool

#pragma GCC diagnostic pop
