// SPDX-License-Identifier: BSD-3-Clause
// Detects the null handles of MPI objects. Open MPI 4.1.4 allocates a handle on a variable that is bound to a null
// object, and crashes when the variable is read. The null handles are the constants of the included mpi.h. A kind of
// objects without such a constant has no null handle.
//
//   if (is_null_communicator(obj_handle)) return MPI_T_ERR_INVALID_HANDLE;
//   padded_handle copy;   … pvar_handle_alloc(session, index, copy.copy_of(obj_handle, implementation), …)
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep

#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

template <class Handle> bool equals(const void* object, Handle null) noexcept {
    Handle handle;
    std::memcpy(&handle, object, sizeof handle);
    return handle == null;
}

// The caller must have checked that the address can be read.
inline bool is_null_communicator([[maybe_unused]] const void* object) noexcept {
#ifdef MPI_COMM_NULL
    return equals<MPI_Comm>(object, MPI_COMM_NULL);
#else
    return false;
#endif
}

// `bind` is one of the constants MPI_T_BIND_MPI_*. The caller must have checked that the address can be read.
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

// A copy of an object handle, with zeros after the handle. Open MPI 6.0.0rc2 reads the bytes after the handle to which
// a performance variable is bound, up to offset 224, as the state of the object, and may return an error. Zeros mean
// that the object is valid.
class padded_handle {
public:
    // Returns the address to pass to the MPI. `object` must be null or an address that can be read.
    void* copy_of(void* object, implementation host) noexcept {
        if (object == nullptr || host != implementation::open_mpi) return object;
        return std::memcpy(bytes_, object, sizeof(void*));
    }

private:
    alignas(16) unsigned char bytes_[256]{};
};

} // namespace host
} // namespace mpit
