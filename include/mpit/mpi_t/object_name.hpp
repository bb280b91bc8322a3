// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 7.8: Naming objects. The six functions for a runtime whose mpi.h declares them, over the names that its
// objects hold. They exist where the runtime says, before it includes the shims, where a name is and how an error is
// answered:
//
//   struct object_names {                                          // and the same for MPI_Datatype and MPI_Win
//       static name* find(MPI_Comm comm, int& code);               // null, and the code: there is no such object
//       static int answer(MPI_Comm comm, int code);                // after the error handler of the object has been called
//       static void named(MPI_Comm comm, const char* name);        // it has been given this name, as it is stored
//   };
//   #define MPIT_C_OBJECT_NAMES my_runtime::object_names
#pragma once

#include <mpit/mpi_t/shim.hpp>  // IWYU pragma: keep
#include <mpit/object_name.hpp> // IWYU pragma: keep

#ifdef MPIT_C_OBJECT_NAMES

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

using object_name_here = basic_object_name<MPI_MAX_OBJECT_NAME>;

template <class Object> int set_object_name(Object object, const char* name) {
    int code = MPI_SUCCESS;
    object_name_here* const there = MPIT_C_OBJECT_NAMES::find(object, code);
    if (there != nullptr && name == nullptr) code = MPI_ERR_ARG;
    if (code != MPI_SUCCESS) return MPIT_C_OBJECT_NAMES::answer(object, code);
    // The caller's text, and the object's name, may change before it is told.
    char stored[object_name_here::room];
    core::text setting = core::text_of_at_most(object_name_here::room, name);
    setting = significant_text(setting, object_name_here::room - 1);
    std::memcpy(stored, setting.characters, setting.length);
    stored[setting.length] = '\0';
    if (there->set({stored, setting.length}) != result::success)
        return MPIT_C_OBJECT_NAMES::answer(object, MPI_ERR_OTHER);
    MPIT_C_OBJECT_NAMES::named(object, stored);
    return MPI_SUCCESS;
}

// A null handle has a constant name. Whatever else is not an object leaves an empty one.
template <class Object>
int get_object_name(Object object, Object null, core::text name_of_null, char* name, int* length) {
    if (name == nullptr || length == nullptr) return MPIT_C_OBJECT_NAMES::answer(object, MPI_ERR_ARG);
    int code = MPI_SUCCESS;
    const object_name_here* const there = object == null ? nullptr : MPIT_C_OBJECT_NAMES::find(object, code);
    if (there != nullptr) return *length = static_cast<int>(there->get(name)), MPI_SUCCESS;
    const core::text constant = object == null ? name_of_null : "";
    std::memcpy(name, constant.characters, constant.length + 1);
    *length = static_cast<int>(constant.length);
    return object == null ? MPI_SUCCESS : MPIT_C_OBJECT_NAMES::answer(object, code);
}

} // namespace mpi_t
} // namespace mpit

// MPI_COMM_SET_NAME(comm, comm_name). Replaces the name by a copy, cut to MPI_MAX_OBJECT_NAME-1 characters and without
// the blanks at its end. MPI_ERR_ARG without a name; MPI_ERR_OTHER, and the name as before, in a signal handler that
// has interrupted four threads in this very function.
MPIT_C_FUNCTION_NAMED(MPI_Comm_set_name, PMPI_Comm_set_name, (MPI_Comm comm, const char* comm_name)) {
    return mpit::mpi_t::set_object_name(comm, comm_name);
}

// MPI_COMM_GET_NAME(comm, comm_name, resultlen). `comm_name` has room for MPI_MAX_OBJECT_NAME characters. Empty for an
// object that was never named, and with an error.
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
