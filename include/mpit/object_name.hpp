// SPDX-License-Identifier: BSD-3-Clause
// A name that an MPI can embed in its communicators, datatypes and windows. Threads and signal handlers may set and get
// a name concurrently, without a lock. A reader never gets parts of two names (MPI-5.0, 7.8).
//
//   struct communicator { mpit::object_name name; };
//   mpit::result set = comm.name.set("halo exchange");   char name[128];  comm.name.get(name);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/core/text.hpp>
#include <mpit/core/words.hpp>

namespace mpit::inline v1_0 {

// Returns the part of `source` that becomes the name of an MPI object. The name has at most `max_length` characters.
// Leading blanks belong to the name, and trailing blanks do not. For the library's own use.
MPIT_MODULE_LOCAL constexpr core::text significant_text(core::text source, std::uint32_t max_length) noexcept {
    if (source.length > max_length) source.length = max_length;
    return core::without_trailing_blanks(source);
}

// The name of an MPI object (MPI-5.0, 7.8). `Room` is MPI_MAX_OBJECT_NAME, which is the size of the longest name with
// its terminating null, in bytes. The object occupies five times as many bytes as `Room`, so that a name can change
// while threads and signal handlers read the name.
template <std::uint32_t Room> class basic_object_name {
    static_assert(Room >= 64, "MPI_MAX_OBJECT_NAME must be at least 64");

public:
    // Size of the longest name with its terminating null, in bytes.
    static constexpr std::uint32_t room = Room;

    // Constructs the empty name of an object without a name.
    MPIT_MODULE_LOCAL constexpr basic_object_name() noexcept {}
    // Constructs the initial name of a predefined object.
    MPIT_MODULE_LOCAL constexpr basic_object_name(const char* name) noexcept : value_{words_of(name)} {}
    // Constructs an empty name, because the duplicate of an MPI object does not inherit the name of the object.
    MPIT_MODULE_LOCAL constexpr basic_object_name(const basic_object_name&) noexcept : basic_object_name{} {}
    basic_object_name& operator=(const basic_object_name&) = delete;

    // Stores a copy of `name`, truncated to room - 1 bytes. In a signal handler that has interrupted at least three
    // other calls of set() in its thread, returns MPI_T_ERR_CVAR_SET_NOT_NOW after about a second and changes nothing.
    MPIT_MODULE_LOCAL result set(core::text name) noexcept {
        const core::text significant = significant_text(name, Room - 1);
        return value_.write(significant.characters, significant.length) ? result::success : result::set_not_now;
    }
    // Copies the name with its terminating null to `buffer`, which must have `room` bytes. Returns the length of the
    // name in characters.
    MPIT_MODULE_LOCAL std::uint32_t get(char* buffer) const noexcept {
        char name[Room];
        value_.read(name);
        const auto length = static_cast<std::uint32_t>(strnlen(name, Room - 1));
        std::memcpy(buffer, name, length);
        buffer[length] = '\0';
        return length;
    }

private:
    using value = core::seqlock_value<Room>;
    using words = typename value::words;

    MPIT_MODULE_LOCAL static constexpr words words_of(core::text name) noexcept {
        words packed;
        const core::text significant = significant_text(name, Room - 1);
        for (std::uint32_t i = 0; i < significant.length; i++)
            packed.values[i / 8] |= std::uint64_t{static_cast<unsigned char>(significant.characters[i])} << 8 * (i % 8);
        return packed;
    }

    value value_;
};

// A name of at most 127 characters. MPI_MAX_OBJECT_NAME is 128 in the MPI-5.0 ABI, in MPICH and in Open MPI 5.
using object_name = basic_object_name<128>;

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
