// SPDX-License-Identifier: BSD-3-Clause
// The name of an MPI object, to be embedded in a runtime's communicators, datatypes and windows. Threads and signal
// handlers may set and get it at once, without a lock, and see whole names only (MPI-5.0, 7.8).
//
//   struct communicator { mpit::object_name name; };
//   mpit::result set = comm.name.set("halo exchange");   char name[128];  comm.name.get(name);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/concurrency/seqlock_value.hpp>
#include <mpit/core/text.hpp>
#include <mpit/core/words.hpp>

namespace mpit::inline v0_1 {

// The part of a text that becomes a name: leading blanks are part of it, trailing ones are not, also where it was cut.
// For the library's own use.
MPIT_MODULE_LOCAL constexpr core::text significant_text(core::text source, std::uint32_t longest) noexcept {
    if (source.length > longest) source.length = longest;
    return core::without_trailing_blanks(source);
}

// `Room` is MPI_MAX_OBJECT_NAME: the longest name and its null. Five times as many bytes let a name change while it is
// read.
template <std::uint32_t Room> class basic_object_name {
    static_assert(Room >= 64, "MPI_MAX_OBJECT_NAME is at least 64");

public:
    // Bytes of the longest name and its null.
    static constexpr std::uint32_t room = Room;

    // An object that has no name answers the empty one.
    MPIT_MODULE_LOCAL constexpr basic_object_name() noexcept {}
    // The name of a predefined object, until it is set.
    MPIT_MODULE_LOCAL constexpr basic_object_name(const char* name) noexcept : value_{words_of(name)} {}
    // Names are not copied to duplicates.
    MPIT_MODULE_LOCAL constexpr basic_object_name(const basic_object_name&) noexcept : basic_object_name{} {}
    basic_object_name& operator=(const basic_object_name&) = delete;

    // Replaces the name by a copy of this one, cut if it is too long. MPI_T_ERR_CVAR_SET_NOT_NOW, and the name as
    // before, in a signal handler that has interrupted four threads' changes of it.
    MPIT_MODULE_LOCAL result set(core::text name) noexcept {
        const core::text significant = significant_text(name, Room - 1);
        return value_.write(significant.characters, significant.length) ? result::success : result::cannot_set_now;
    }
    // Copies the name with its null to `buffer`, which has room for `room` characters, and answers its length.
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

// With the MPI_MAX_OBJECT_NAME of the MPI-5.0 ABI, of MPICH and of Open MPI 5.
using object_name = basic_object_name<128>;

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
