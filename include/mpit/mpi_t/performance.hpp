// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.7: Performance variables, sessions and handles. The six functions that use a handle are
// async-signal-safe: start, stop, read, write, reset and readreset. Queries, and functions that allocate or free
// sessions and handles, are not.
#pragma once

#include <mpit/mpi_t/translation.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL mpi_t {

// Writes the attributes of a performance variable to arguments that are well formed (MPI_T_PVAR_GET_INFO).
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline void tell_performance(const registry::variable_record& record,
                                                                      text_pair name, int* verbosity, int* var_class,
                                                                      MPI_Datatype* datatype, MPI_T_enum* enumtype,
                                                                      text_pair description, int* bind, int* readonly,
                                                                      int* continuous, int* atomic) noexcept {
    name.put_inline(record.name);
    description.put_inline(record.description);
    put(verbosity, constant_of(record.verbosity));
    put(var_class, constant_of(record.variable_class));
    put(datatype, datatype_of(record.type));
    put(enumtype, enumeration_handle(record.enumeration));
    put(bind, constant_of(record.binding));
    put(readonly, record.readonly ? 1 : 0);
    put(continuous, record.continuous ? 1 : 0);
    put(atomic, record.atomically ? 1 : 0);
}

// Reads through an open handle. Returns false, and does nothing, for what is not one and for a null buffer.
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline bool read_open(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buffer,
                                                               int& code) noexcept {
    session::performance_slot* const open = tools().sessions.open_handle(word_of(session), word_of(handle));
    if (open == nullptr || buffer == nullptr) [[unlikely]]
        return false;
    const result status = open->read.load()(*open, word_of(handle), buffer);
    code = status == result::success ? MPI_SUCCESS : code_of(status);
    return true;
}

} // namespace mpi_t
} // namespace mpit

// MPI_T_PVAR_GET_NUM(num_pvar)
MPIT_C_FUNCTION(pvar_get_num, (int* num_pvar), (num_pvar)) {
    return mpit::mpi_t::count(mpit::mpi_t::kind::performance, num_pvar);
}

// MPI_T_PVAR_GET_INFO(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind,
//                     readonly, continuous, atomic)
MPIT_C_LONG_FUNCTION(pvar_get_info,
                     (int pvar_index, char* name, int* name_len, int* verbosity, int* var_class, MPI_Datatype* datatype,
                      MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* readonly, int* continuous,
                      int* atomic),
                     (pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind,
                      readonly, continuous, atomic)) {
    MPIT_C_WHILE_OPEN(pvar_get_info, (pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc,
                                      desc_len, bind, readonly, continuous, atomic))
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::registry::variable_record* found = names().variable(kind::performance, pvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    tell_performance(*found, name_text, verbosity, var_class, datatype, enumtype, description, bind, readonly,
                     continuous, atomic);
    return MPI_SUCCESS;
}

// MPI_T_PVAR_GET_INDEX(name, var_class, pvar_index). MPI_T_ERR_INVALID_NAME also for what is not a class.
MPIT_C_FUNCTION(pvar_get_index, (const char* name, int var_class, int* pvar_index), (name, var_class, pvar_index)) {
    using namespace mpit::mpi_t;
    mpit::performance_class variable_class{};
    if (class_of(var_class, variable_class)) return look_up(kind::performance, name, pvar_index, variable_class);
    return name == nullptr || pvar_index == nullptr ? MPI_T_ERR_INVALID : MPI_T_ERR_INVALID_NAME;
}

// MPI_T_PVAR_SESSION_CREATE(session). A failure sets the session to null.
MPIT_C_FUNCTION(pvar_session_create, (MPI_T_pvar_session* session), (session)) {
    using namespace mpit::mpi_t;
    if (session == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    const mpit::result status = tools().sessions.create(tools().counting, word);
    *session = status == mpit::result::success ? handle_of<MPI_T_pvar_session>(word) : MPI_T_PVAR_SESSION_NULL;
    return code_of(status);
}

// MPI_T_PVAR_SESSION_FREE(session). Frees the handles of the session as well.
MPIT_C_FUNCTION(pvar_session_free, (MPI_T_pvar_session* session), (session)) {
    using namespace mpit::mpi_t;
    if (session == nullptr) return MPI_T_ERR_INVALID;
    const mpit::result status = tools().sessions.free(word_of(*session));
    if (status == mpit::result::success) *session = MPI_T_PVAR_SESSION_NULL;
    return code_of(status);
}

// MPI_T_PVAR_HANDLE_ALLOC(session, pvar_index, obj_handle, handle, count). A failure sets the handle to null.
MPIT_C_FUNCTION(pvar_handle_alloc,
                (MPI_T_pvar_session session, int pvar_index, void* obj_handle, MPI_T_pvar_handle* handle, int* count),
                (session, pvar_index, obj_handle, handle, count)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const mpit::result status = tools().allocate_performance(word_of(session), pvar_index, obj_handle, word, elements);
    *handle = status == mpit::result::success ? handle_of<MPI_T_pvar_handle>(word) : MPI_T_PVAR_HANDLE_NULL;
    if (status == mpit::result::success) *count = static_cast<int>(elements);
    return code_of(status);
}

// MPI_T_PVAR_HANDLE_FREE(session, handle)
MPIT_C_FUNCTION(pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle* handle), (session, handle)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    const mpit::result status = tools().sessions.free_handle(word_of(session), word_of(*handle));
    if (status == mpit::result::success) *handle = MPI_T_PVAR_HANDLE_NULL;
    return code_of(status);
}

// MPI_T_PVAR_START(session, handle). Async-signal-safe, like all functions below.
MPIT_C_FUNCTION(pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.start(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_STOP(session, handle)
MPIT_C_FUNCTION(pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.stop(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_READ(session, handle, buf)
MPIT_C_QUICK_FUNCTION(pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), (session, handle, buf),
                      mpit::mpi_t::read_open(session, handle, buf, code)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().sessions.read(word_of(session), word_of(handle), buf));
}

// MPI_T_PVAR_WRITE(session, handle, buf). Changes the value in this session alone.
MPIT_C_FUNCTION(pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf),
                (session, handle, buf)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().sessions.write(word_of(session), word_of(handle), buf));
}

// MPI_T_PVAR_RESET(session, handle)
MPIT_C_FUNCTION(pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.reset(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_READRESET(session, handle, buf). One step: no update falls between the two.
MPIT_C_FUNCTION(pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), (session, handle, buf)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().sessions.read_and_reset(word_of(session), word_of(handle), buf));
}
