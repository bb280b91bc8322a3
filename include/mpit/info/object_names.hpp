// SPDX-License-Identifier: BSD-3-Clause
// The names of MPI objects by their handles, for runtimes and layers that cannot store a name in the objects
// themselves. Look-up takes no lock; a freed handle has no name if its value is used again (MPI-5.0, 7.8).
//
//   mpit::object_names<MPI_Comm> names;
//   mpit::result set = names.set(comm, "halo exchange");   char name[128];  names.get(comm, name);   names.freed(comm);
#pragma once

#include <mpit/begin.hpp>

#include <mpit/descriptor/cell_store.hpp>
#include <mpit/object_name.hpp>

namespace mpit::inline v0_1 {

// `Object` is a handle type, or mpit::object<kind, type>. A duplicate of an object does not inherit its name. Any
// thread may call the functions at any time. Signal handlers may get names; they must not set them, because the first
// name of a handle allocates memory.
template <class Object, std::uint32_t Room = 128> class object_names {
public:
    using handle = typename descriptor::object_traits<Object>::handle;
    // Bytes of the longest name and its null.
    static constexpr std::uint32_t room = Room;

    MPIT_MODULE_LOCAL constexpr object_names() noexcept {}

    // Calls basic_object_name::set() for the object. MPI_T_ERR_MEMORY if memory for its first name is exhausted.
    MPIT_MODULE_LOCAL result set(handle object, core::text name) noexcept {
        named_object* cell = cells_.find_or_create(object);
        return cell != nullptr ? cell->name.set(name) : result::out_of_memory;
    }
    // Copies the name with its null to `buffer` of `room` characters, and returns its length: 0 for an object that was
    // never named.
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
    // Call it when an object is freed. A later object with an equal handle has no name.
    MPIT_MODULE_LOCAL void freed(handle object) noexcept { cells_.freed(descriptor::key_of(object)); }
    // Removes all names and frees their memory. No other thread may use the names meanwhile.
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
