// Names of objects (MPI-5.0, 7.8): their storage, the error handling, and the notification about a new name. The
// functions of MPI are the library's.
#pragma once

#include <mpi.h>
#include <mpit/object_name.hpp>

namespace mini {

using object_name = mpit::basic_object_name<MPI_MAX_OBJECT_NAME>;

struct object_names {
    static object_name* find(MPI_Comm comm, int& code);
    static object_name* find(MPI_Datatype datatype, int& code);
    static object_name* find(MPI_Win win, int& code);
    static int call_errhandler(MPI_Comm comm, int code);
    static int call_errhandler(MPI_Datatype datatype, int code);
    static int call_errhandler(MPI_Win win, int code);
    static void named(MPI_Comm comm, const char* name);
    static void named(MPI_Datatype, const char*) {}
    static void named(MPI_Win, const char*) {}
};

} // namespace mini
