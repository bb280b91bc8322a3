// SPDX-License-Identifier: BSD-3-Clause
// Maps the handles of MPI objects to names, for MPI libraries and layers that cannot store a name inside the objects. A
// look-up acquires no lock. A freed handle has no name, even if a new object gets the same handle value (MPI-5.0, 7.8).
//
//   mpit::object_names<MPI_Comm> names;
//   mpit::result set = names.set(comm, "halo exchange");   char name[128];  names.get(comm, name);   names.freed(comm);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/descriptor/cell_store.hpp>
#include <mpit/object_name.hpp>

namespace mpit::inline v1_0 {

// Stores the names of MPI objects. `Object` is a handle type, or mpit::object<kind, type>. The duplicate of an MPI
// object has no name at first. Any thread may call these functions at any time. Signal handlers may call get(), but not
// set(), because the first name of a handle allocates memory.
template <class Object, std::uint32_t Room = 128> class object_names {
public:
    using handle = typename descriptor::object_traits<Object>::handle;
    // Size of the longest name in bytes, including the terminating null.
    static constexpr std::uint32_t room = Room;

    MPIT_MODULE_LOCAL constexpr object_names() noexcept {}

    // Sets the name of an MPI object with basic_object_name::set(). Returns MPI_T_ERR_MEMORY if memory for the first
    // name of the object is exhausted.
    MPIT_MODULE_LOCAL result set(handle object, core::text name) noexcept {
        named_object* cell = cells_.find_or_create(object);
        return cell != nullptr ? cell->name.set(name) : result::out_of_memory;
    }
    // Copies the name with a terminating null to `buffer`, which has `room` characters. Returns the length of the name,
    // or 0 for an object without a name.
    MPIT_MODULE_LOCAL std::uint32_t get(handle object, char* buffer) noexcept {
        std::uint32_t first_generation = 0, last_generation = 0;
        const descriptor::object_key key = descriptor::key_of(object);
        const named_object* cell = cells_.existing(key, first_generation);
        const std::uint32_t length = cell == nullptr ? 0 : cell->name.get(buffer);
        if (length != 0 && cells_.existing(key, last_generation) == cell && last_generation == first_generation)
            return length;
        buffer[0] = '\0';
        return 0;
    }
    // Removes the name of an MPI object that is freed, so that a later object with an equal handle has no name.
    MPIT_MODULE_LOCAL void freed(handle object) noexcept { cells_.freed(descriptor::key_of(object)); }
    // Removes all names and frees the memory of the names. No other thread may use this object_names during the call.
    MPIT_MODULE_LOCAL void release_all() noexcept { cells_.unloaded(); }

private:
    struct nothing {};
    struct named_object {
        basic_object_name<Room> name;
        MPIT_MODULE_LOCAL void reset(nothing) noexcept { static_cast<void>(name.set({})); }
    };

    internal::cell_store<named_object, Object, nothing> cells_{nothing{}, nullptr};
};

} // namespace mpit

#pragma GCC diagnostic pop // of begin.hpp
