// SPDX-License-Identifier: BSD-3-Clause
// Defines the MPI_T functions on control variables (MPI-5.0, 15.3.6).
#pragma once

#include <mpit/mpi_t/functions.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// MPI_T_CVAR_GET_NUM(num_cvar)
template <class Provider> int functions<Provider>::cvar_get_num(int* num_cvar) {
    return get_num(kind::control, num_cvar);
}

// MPI_T_CVAR_GET_INFO(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope)
template <class Provider>
int functions<Provider>::cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity,
                                       MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                                       int* bind, int* scope) {
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    return Provider::visit_variable(kind::control, cvar_index,
                                    [&](const auto& variable) __attribute__((always_inline)) {
        name_text.put_inline(variable.name);
        description.put_inline(variable.description);
        put(verbosity, constant_of(variable.verbosity));
        put(datatype, constant_of(variable.type));
        put(enumtype, enumeration_handle(variable.enumeration));
        put(bind, constant_of(variable.binding));
        put(scope, constant_of(variable.scope));
        return MPI_SUCCESS;
    });
}

// MPI_T_CVAR_GET_INDEX(name, cvar_index). Returns MPI_T_ERR_INVALID_NAME if no control variable has the name.
template <class Provider> int functions<Provider>::cvar_get_index(const char* name, int* cvar_index) {
    return get_index(kind::control, name, cvar_index);
}

// MPI_T_CVAR_HANDLE_ALLOC(cvar_index, obj_handle, handle, count). Sets `handle` to null if the call fails.
template <class Provider>
int functions<Provider>::cvar_handle_alloc(int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count) {
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    const int code = Provider::allocate_control(cvar_index, obj_handle, word, *count);
    *handle = code == MPI_SUCCESS ? handle_of<MPI_T_cvar_handle>(word) : MPI_T_CVAR_HANDLE_NULL;
    return code;
}

// MPI_T_CVAR_HANDLE_FREE(handle)
template <class Provider> int functions<Provider>::cvar_handle_free(MPI_T_cvar_handle* handle) {
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    const int code = Provider::free_control(word_of(*handle));
    if (code == MPI_SUCCESS) *handle = MPI_T_CVAR_HANDLE_NULL;
    return code;
}

// MPI_T_CVAR_READ(handle, buf)
template <class Provider> int functions<Provider>::cvar_read(MPI_T_cvar_handle handle, void* buf) {
    return buf == nullptr ? int{MPI_T_ERR_INVALID} : Provider::read_control(word_of(handle), buf);
}

// MPI_T_CVAR_WRITE(handle, buf). Returns MPI_T_ERR_CVAR_SET_NEVER if the scope is constant or readonly, and
// MPI_T_ERR_INVALID if the value is out of range, is not an item of the enumeration, or is refused by `.valid`. If
// `.on_write` refuses the value, returns MPI_T_ERR_CVAR_SET_NEVER or MPI_T_ERR_CVAR_SET_NOT_NOW. After
// MPI_T_ERR_CVAR_SET_NOT_NOW, a tool may try again later.
template <class Provider> int functions<Provider>::cvar_write(MPI_T_cvar_handle handle, const void* buf) {
    return buf == nullptr ? int{MPI_T_ERR_INVALID} : Provider::write_control(word_of(handle), buf);
}

} // namespace mpi_t
} // namespace mpit
