// SPDX-License-Identifier: BSD-3-Clause
// Defines six functions such as MPI_Comm_set_name, for communicators, datatypes and windows (MPI-5.0, 7.8). The
// functions are for an MPI runtime whose mpi.h declares them and whose objects contain an mpit::object_name.
//
//   #define MPIT_C_OBJECT_NAMES my_runtime::object_names       // then <mpit/mpi_t.hpp>
#pragma once

#include <mpit/mpi_t/shim.hpp>  // IWYU pragma: keep
#include <mpit/object_name.hpp> // IWYU pragma: keep

// MPIT_C_OBJECT_NAMES, by default not defined, is the name of a class with the following members. The six functions are
// defined if a runtime defines MPIT_C_OBJECT_NAMES before it includes mpit/mpi_t.hpp.
//
//   struct object_names {                                      // and overloads for MPI_Datatype and MPI_Win
//       static mpit::object_name* find(MPI_Comm, int& code);   // null and an error code if the object does not exist
//       static int call_errhandler(MPI_Comm, int code);        // calls the object's error handler and returns the code
//       static void named(MPI_Comm, const char* name);         // called after the name was set, with the stored name
//   };
#ifdef MPIT_C_OBJECT_NAMES

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

using runtime_object_name = basic_object_name<MPI_MAX_OBJECT_NAME>;

template <class Object> int set_object_name(Object object, const char* name) {
    int code = MPI_SUCCESS;
    runtime_object_name* const name_of_object = MPIT_C_OBJECT_NAMES::find(object, code);
    if (name_of_object != nullptr && name == nullptr) code = MPI_ERR_ARG;
    if (code != MPI_SUCCESS) return MPIT_C_OBJECT_NAMES::call_errhandler(object, code);
    // named() gets a copy, because another thread may change the caller's text or the object's name in the meantime.
    char stored[runtime_object_name::room];
    core::text new_name = core::bounded_text(runtime_object_name::room, name);
    new_name = significant_text(new_name, runtime_object_name::room - 1);
    std::memcpy(stored, new_name.characters, new_name.length);
    stored[new_name.length] = '\0';
    if (name_of_object->set({stored, new_name.length}) != result::success)
        return MPIT_C_OBJECT_NAMES::call_errhandler(object, MPI_ERR_OTHER);
    MPIT_C_OBJECT_NAMES::named(object, stored);
    return MPI_SUCCESS;
}

// Returns the text `name_of_null` for a null handle. Returns an empty name if the object does not exist.
template <class Object>
int get_object_name(Object object, Object null, core::text name_of_null, char* name, int* length) {
    if (name == nullptr || length == nullptr) return MPIT_C_OBJECT_NAMES::call_errhandler(object, MPI_ERR_ARG);
    int code = MPI_SUCCESS;
    const runtime_object_name* const name_of_object =
        object == null ? nullptr : MPIT_C_OBJECT_NAMES::find(object, code);
    if (name_of_object != nullptr) return *length = static_cast<int>(name_of_object->get(name)), MPI_SUCCESS;
    const core::text constant = object == null ? name_of_null : "";
    std::memcpy(name, constant.characters, constant.length + 1);
    *length = static_cast<int>(constant.length);
    return object == null ? MPI_SUCCESS : MPIT_C_OBJECT_NAMES::call_errhandler(object, code);
}

} // namespace mpi_t
} // namespace mpit

// MPI_COMM_SET_NAME(comm, comm_name). Gives the communicator a copy of `comm_name` as its name. The copy is cut to
// MPI_MAX_OBJECT_NAME-1 characters and has no trailing blanks. Returns MPI_ERR_ARG if `comm_name` is null. Returns
// MPI_ERR_OTHER and does not change the name if a signal handler makes the call and has interrupted at least three
// other calls of this function for the same communicator.
MPIT_C_FUNCTION_NAMED(MPI_Comm_set_name, PMPI_Comm_set_name, (MPI_Comm comm, const char* comm_name)) {
    return mpit::mpi_t::set_object_name(comm, comm_name);
}

// MPI_COMM_GET_NAME(comm, comm_name, resultlen). The buffer `comm_name` must have room for MPI_MAX_OBJECT_NAME
// characters. The returned name is empty after an error, and for a communicator that was never named.
MPIT_C_FUNCTION_NAMED(MPI_Comm_get_name, PMPI_Comm_get_name, (MPI_Comm comm, char* comm_name, int* resultlen)) {
    return mpit::mpi_t::get_object_name<MPI_Comm>(comm, MPI_COMM_NULL, "MPI_COMM_NULL", comm_name, resultlen);
}

// MPI_TYPE_SET_NAME(datatype, type_name)
MPIT_C_FUNCTION_NAMED(MPI_Type_set_name, PMPI_Type_set_name, (MPI_Datatype datatype, const char* type_name)) {
    return mpit::mpi_t::set_object_name(datatype, type_name);
}

// MPI_TYPE_GET_NAME(datatype, type_name, resultlen)
MPIT_C_FUNCTION_NAMED(MPI_Type_get_name, PMPI_Type_get_name, (MPI_Datatype datatype, char* type_name, int* resultlen)) {
    return mpit::mpi_t::get_object_name<MPI_Datatype>(datatype, MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL", type_name,
                                                      resultlen);
}

// MPI_WIN_SET_NAME(win, win_name)
MPIT_C_FUNCTION_NAMED(MPI_Win_set_name, PMPI_Win_set_name, (MPI_Win win, const char* win_name)) {
    return mpit::mpi_t::set_object_name(win, win_name);
}

// MPI_WIN_GET_NAME(win, win_name, resultlen)
MPIT_C_FUNCTION_NAMED(MPI_Win_get_name, PMPI_Win_get_name, (MPI_Win win, char* win_name, int* resultlen)) {
    return mpit::mpi_t::get_object_name<MPI_Win>(win, MPI_WIN_NULL, "MPI_WIN_NULL", win_name, resultlen);
}

#endif
