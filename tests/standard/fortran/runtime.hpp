// A runtime with one communicator, one datatype and one window, which Fortran knows by INTEGERs that are nothing like
// their handles. What an error handler has heard is the code and 1000 more.
#pragma once

#include <mpi.h>
#include <mpit/object_name.hpp>

#include <cstdint>

struct only_objects {
    using name = mpit::basic_object_name<MPI_MAX_OBJECT_NAME>;
    template <class Handle> static constexpr std::uintptr_t address = 0x7000;
    template <class Handle> static Handle handle() { return reinterpret_cast<Handle>(address<Handle>); }
    template <class Handle> static inline name name_of;
    template <class Handle> static inline int times_named = 0;

    template <class Handle> static name* find(Handle object, int& code) {
        code = object == handle<Handle>() ? MPI_SUCCESS : MPI_ERR_ARG;
        return code == MPI_SUCCESS ? &name_of<Handle> : nullptr;
    }
    template <class Handle> static int call_errhandler(Handle, int code) { return 1000 + code; }
    template <class Handle> static void named(Handle, const char*) { times_named<Handle> ++; }

    static constexpr int integer = 42, null_integer = 3;
    template <class Handle> static Handle from_fortran(int number, Handle null) {
        return number == integer ? handle<Handle>() : number == null_integer ? null : nullptr;
    }
};
