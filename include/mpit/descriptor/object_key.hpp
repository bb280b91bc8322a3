// SPDX-License-Identifier: BSD-3-Clause
// Maps a handle type to a kind of MPI object, and the value of a handle to a key. mpit's headers do not include mpi.h.
// A library whose handle types differ from the types of the MPI-5.0 ABI specialises binding_of (MPI-5.0, 15.3.2).
//
//   template <> inline constexpr mpit::binding mpit::binding_of<my_communicator*> = mpit::binding::communicator;
#pragma once

#include <mpit/descriptor/variable.hpp>

struct MPI_ABI_Comm;
struct MPI_ABI_Datatype;
struct MPI_ABI_Errhandler;
struct MPI_ABI_File;
struct MPI_ABI_Group;
struct MPI_ABI_Op;
struct MPI_ABI_Request;
struct MPI_ABI_Win;
struct MPI_ABI_Message;
struct MPI_ABI_Info;
struct MPI_ABI_Session;

namespace mpit::inline v1_0 {

// The kind of MPI object to which a handle type refers. The specialisations below are for the MPI-5.0 ABI.
template <class Handle> inline constexpr binding binding_of = binding::none;
template <> inline constexpr binding binding_of<MPI_ABI_Comm*> = binding::communicator;
template <> inline constexpr binding binding_of<MPI_ABI_Datatype*> = binding::datatype;
template <> inline constexpr binding binding_of<MPI_ABI_Errhandler*> = binding::error_handler;
template <> inline constexpr binding binding_of<MPI_ABI_File*> = binding::file;
template <> inline constexpr binding binding_of<MPI_ABI_Group*> = binding::group;
template <> inline constexpr binding binding_of<MPI_ABI_Op*> = binding::operation;
template <> inline constexpr binding binding_of<MPI_ABI_Request*> = binding::request;
template <> inline constexpr binding binding_of<MPI_ABI_Win*> = binding::window;
template <> inline constexpr binding binding_of<MPI_ABI_Message*> = binding::message;
template <> inline constexpr binding binding_of<MPI_ABI_Info*> = binding::info;
template <> inline constexpr binding binding_of<MPI_ABI_Session*> = binding::session;

// Names the kind of MPI object for a handle type that several kinds share, such as `int` in some implementations. An
// example is mpit::counter<unsigned long, mpit::object<mpit::binding::communicator, MPI_Comm>>.
template <binding Kind, class Handle> struct object {};

namespace MPIT_MODULE_LOCAL descriptor {

template <class Object> struct object_traits {
    using handle = Object;
    static constexpr mpit::binding binding = binding_of<Object>;
    static_assert(binding != mpit::binding::none, "the handle type of a bound variable needs a specialisation of "
                                                  "mpit::binding_of, or its kind, as in mpit::object<kind, type>");
};
template <> struct object_traits<void> {
    using handle = void;
    static constexpr mpit::binding binding = mpit::binding::none;
};
template <mpit::binding Kind, class Handle> struct object_traits<object<Kind, Handle>> {
    using handle = Handle;
    static constexpr mpit::binding binding = Kind;
};

template <class Handle> object_key key_of(Handle handle) noexcept {
    static_assert(sizeof(Handle) <= sizeof(object_key),
                  "a handle must be a number or an address of at most eight bytes");
    object_key key = 0;
    std::memcpy(&key, &handle, sizeof handle);
    return key;
}
template <class Handle> Handle handle_of(object_key key) noexcept {
    Handle handle{};
    std::memcpy(&handle, &key, sizeof handle);
    return handle;
}
// Returns the key of the handle at an address that a tool passes. The address is valid only during the call.
template <class Handle> object_key key_at(const void* object_handle) noexcept {
    Handle handle{};
    std::memcpy(&handle, object_handle, sizeof handle);
    return key_of(handle);
}

} // namespace descriptor
} // namespace mpit
