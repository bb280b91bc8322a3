// SPDX-License-Identifier: BSD-3-Clause
// Detects null handles of MPI objects, such as MPI_COMM_NULL. Open MPI 4.1.4 lets a tool bind a variable to a null
// handle, and crashes when the tool reads the variable. The included mpi.h defines the null handles as constants. If
// mpi.h does not define the null handle of a kind of objects, no handle of this kind counts as null.
//
//   if (is_null_communicator(obj_handle)) return MPI_T_ERR_INVALID_HANDLE;
//   padded_handle copy;   … pvar_handle_alloc(session, index, copy.copy_of(obj_handle, implementation), …)
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep

#include <cstring>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL host {

template <class Handle> bool equals(const void* object, Handle null) noexcept {
    Handle handle;
    std::memcpy(&handle, object, sizeof handle);
    return handle == null;
}

// The caller must have checked that the address `object` can be read.
inline bool is_null_communicator([[maybe_unused]] const void* object) noexcept {
#ifdef MPI_COMM_NULL
    return equals<MPI_Comm>(object, MPI_COMM_NULL);
#else
    return false;
#endif
}

// `bind` is one of the constants MPI_T_BIND_MPI_*. The caller must have checked that the address `object` can be read.
inline bool is_null_object(int bind, const void* object) noexcept {
    switch (bind) {
    case MPI_T_BIND_MPI_COMM: return is_null_communicator(object);
#ifdef MPI_DATATYPE_NULL
    case MPI_T_BIND_MPI_DATATYPE: return equals<MPI_Datatype>(object, MPI_DATATYPE_NULL);
#endif
#ifdef MPI_ERRHANDLER_NULL
    case MPI_T_BIND_MPI_ERRHANDLER: return equals<MPI_Errhandler>(object, MPI_ERRHANDLER_NULL);
#endif
#ifdef MPI_FILE_NULL
    case MPI_T_BIND_MPI_FILE: return equals<MPI_File>(object, MPI_FILE_NULL);
#endif
#ifdef MPI_GROUP_NULL
    case MPI_T_BIND_MPI_GROUP: return equals<MPI_Group>(object, MPI_GROUP_NULL);
#endif
#ifdef MPI_OP_NULL
    case MPI_T_BIND_MPI_OP: return equals<MPI_Op>(object, MPI_OP_NULL);
#endif
#ifdef MPI_REQUEST_NULL
    case MPI_T_BIND_MPI_REQUEST: return equals<MPI_Request>(object, MPI_REQUEST_NULL);
#endif
#ifdef MPI_WIN_NULL
    case MPI_T_BIND_MPI_WIN: return equals<MPI_Win>(object, MPI_WIN_NULL);
#endif
#ifdef MPI_MESSAGE_NULL
    case MPI_T_BIND_MPI_MESSAGE: return equals<MPI_Message>(object, MPI_MESSAGE_NULL);
#endif
#ifdef MPI_INFO_NULL
    case MPI_T_BIND_MPI_INFO: return equals<MPI_Info>(object, MPI_INFO_NULL);
#endif
#ifdef MPI_SESSION_NULL
    case MPI_T_BIND_MPI_INFO + 1: return equals<MPI_Session>(object, MPI_SESSION_NULL); // MPI_T_BIND_MPI_SESSION
#endif
    default: return false;
    }
}

// A copy of an object handle, followed by zeros. If a tool binds a performance variable to an object, Open MPI 6.0.0rc2
// wrongly reads up to 224 bytes after the handle as the state of the object. Zeros after the handle make Open MPI
// accept the object. Bytes that are not zero may cause an error.
class padded_handle {
public:
    // Returns the address that the MPI gets instead of `object`. `object` must be null or a readable address.
    void* copy_of(void* object, implementation host) noexcept {
        if (object == nullptr || host != implementation::open_mpi) return object;
        return std::memcpy(bytes_, object, sizeof(void*));
    }

private:
    alignas(16) unsigned char bytes_[256]{};
};

} // namespace host
} // namespace mpit
