// SPDX-License-Identifier: BSD-3-Clause
// Tells whether an object handle is the null constant of its kind. Open MPI 4.1.4 allocates a handle on it, and crashes
// where that is read. A null constant is that of the mpi.h with which this is compiled; of a kind without one, no
// handle is null.
//
//   if (is_null_communicator(obj_handle)) return MPI_T_ERR_INVALID_HANDLE;
//   lone_handle copy;   … pvar_handle_alloc(session, number, copy.of(obj_handle, which), …)
#pragma once

#include <mpit/host/implementation.hpp>
#include <mpit/mpi_t/constants.hpp> // IWYU pragma: keep

#include <cstring>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL host {

template <class Handle> bool holds(const void* object, Handle null) noexcept {
    Handle handle;
    std::memcpy(&handle, object, sizeof handle);
    return handle == null;
}

// The address can be read.
inline bool is_null_communicator([[maybe_unused]] const void* object) noexcept {
#ifdef MPI_COMM_NULL
    return holds<MPI_Comm>(object, MPI_COMM_NULL);
#else
    return false;
#endif
}

// The address can be read, and `bind` is one of the constants MPI_T_BIND_MPI_*.
inline bool is_null_object(int bind, const void* object) noexcept {
    switch (bind) {
    case MPI_T_BIND_MPI_COMM: return is_null_communicator(object);
#ifdef MPI_DATATYPE_NULL
    case MPI_T_BIND_MPI_DATATYPE: return holds<MPI_Datatype>(object, MPI_DATATYPE_NULL);
#endif
#ifdef MPI_ERRHANDLER_NULL
    case MPI_T_BIND_MPI_ERRHANDLER: return holds<MPI_Errhandler>(object, MPI_ERRHANDLER_NULL);
#endif
#ifdef MPI_FILE_NULL
    case MPI_T_BIND_MPI_FILE: return holds<MPI_File>(object, MPI_FILE_NULL);
#endif
#ifdef MPI_GROUP_NULL
    case MPI_T_BIND_MPI_GROUP: return holds<MPI_Group>(object, MPI_GROUP_NULL);
#endif
#ifdef MPI_OP_NULL
    case MPI_T_BIND_MPI_OP: return holds<MPI_Op>(object, MPI_OP_NULL);
#endif
#ifdef MPI_REQUEST_NULL
    case MPI_T_BIND_MPI_REQUEST: return holds<MPI_Request>(object, MPI_REQUEST_NULL);
#endif
#ifdef MPI_WIN_NULL
    case MPI_T_BIND_MPI_WIN: return holds<MPI_Win>(object, MPI_WIN_NULL);
#endif
#ifdef MPI_MESSAGE_NULL
    case MPI_T_BIND_MPI_MESSAGE: return holds<MPI_Message>(object, MPI_MESSAGE_NULL);
#endif
#ifdef MPI_INFO_NULL
    case MPI_T_BIND_MPI_INFO: return holds<MPI_Info>(object, MPI_INFO_NULL);
#endif
#ifdef MPI_SESSION_NULL
    case MPI_T_BIND_MPI_INFO + 1: return holds<MPI_Session>(object, MPI_SESSION_NULL); // MPI_T_BIND_MPI_SESSION
#endif
    default: return false;
    }
}

// Open MPI 6.0.0rc2 takes bytes behind the handle that a performance variable is bound to, the last at 224, for the
// state of the object, and may refuse it: Open MPI gets a copy with zeros behind it, which say that the object is
// valid.
class lone_handle {
public:
    // The address can be read, or is null.
    void* of(void* object, implementation host) noexcept {
        if (object == nullptr || host != implementation::open_mpi) return object;
        return std::memcpy(bytes_, object, sizeof(void*));
    }

private:
    alignas(16) unsigned char bytes_[256]{};
};

} // namespace host
} // namespace mpit
