// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.6: Control variables.
#pragma once

#include <mpit/mpi_t/translation.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Writes the attributes of a control variable to arguments that are well formed (MPI_T_CVAR_GET_INFO).
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline void tell_control(const registry::variable_record& record,
                                                                  text_pair name, int* verbosity,
                                                                  MPI_Datatype* datatype, MPI_T_enum* enumtype,
                                                                  text_pair description, int* bind,
                                                                  int* scope) noexcept {
    name.put_inline(record.name);
    description.put_inline(record.description);
    put(verbosity, constant_of(record.verbosity));
    put(datatype, datatype_of(record.type));
    put(enumtype, enumeration_handle(record.enumeration));
    put(bind, constant_of(record.binding));
    put(scope, constant_of(record.scope));
}

} // namespace mpi_t
} // namespace mpit

// MPI_T_CVAR_GET_NUM(num_cvar)
MPIT_C_FUNCTION(cvar_get_num, (int* num_cvar), (num_cvar)) { return mpit::mpi_t::count(mpit::mpi_t::kind::control, num_cvar); }

// MPI_T_CVAR_GET_INFO(cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope)
MPIT_C_LONG_FUNCTION(cvar_get_info,
                     (int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                      MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope),
                     (cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope)) {
    MPIT_C_WHILE_OPEN(cvar_get_info,
                      (cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope))
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::registry::variable_record* found = names().variable(kind::control, cvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    tell_control(*found, name_text, verbosity, datatype, enumtype, description, bind, scope);
    return MPI_SUCCESS;
}

// MPI_T_CVAR_GET_INDEX(name, cvar_index). MPI_T_ERR_INVALID_NAME if no control variable has the name.
MPIT_C_FUNCTION(cvar_get_index, (const char* name, int* cvar_index), (name, cvar_index)) {
    return mpit::mpi_t::look_up(mpit::mpi_t::kind::control, name, cvar_index);
}

// MPI_T_CVAR_HANDLE_ALLOC(cvar_index, obj_handle, handle, count). A failure sets the handle to null.
MPIT_C_FUNCTION(cvar_handle_alloc, (int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count),
                (cvar_index, obj_handle, handle, count)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result status = tools().allocate_control(cvar_index, obj_handle, word, elements);
    *handle = status == mpit::result::success ? handle_of<MPI_T_cvar_handle>(word) : MPI_T_CVAR_HANDLE_NULL;
    if (status == mpit::result::success) *count = static_cast<int>(elements);
    return code_of(status);
}

// MPI_T_CVAR_HANDLE_FREE(handle)
MPIT_C_FUNCTION(cvar_handle_free, (MPI_T_cvar_handle* handle), (handle)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    const mpit::result status = tools().controls.free(word_of(*handle));
    if (status == mpit::result::success) *handle = MPI_T_CVAR_HANDLE_NULL;
    return code_of(status);
}

// MPI_T_CVAR_READ(handle, buf)
MPIT_C_QUICK_FUNCTION(cvar_read, (MPI_T_cvar_handle handle, void* buf), (handle, buf),
                      mpit::mpi_t::tools().controls.read_number(mpit::mpi_t::word_of(handle), buf)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().controls.read(word_of(handle), buf));
}

// MPI_T_CVAR_WRITE(handle, buf). MPI_T_ERR_CVAR_SET_NEVER or _SET_NOT_NOW where the variable refuses, MPI_T_ERR_INVALID
// for a value that it cannot have.
MPIT_C_FUNCTION(cvar_write, (MPI_T_cvar_handle handle, const void* buf), (handle, buf)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().controls.write(word_of(handle), buf));
}
