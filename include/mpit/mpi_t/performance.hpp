// SPDX-License-Identifier: BSD-3-Clause
// Defines the MPI_T functions on performance variables, sessions and handles (MPI-5.0, 15.3.7). The six functions
// MPI_T_pvar_start, stop, read, write, reset and readreset are async-signal-safe. Functions that query variables, and
// functions that allocate or free sessions and handles, are not async-signal-safe.
#pragma once

#include <mpit/mpi_t/functions.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL mpi_t {

// MPI_T_PVAR_GET_NUM(num_pvar)
template <class Provider> int functions<Provider>::pvar_get_num(int* num_pvar) {
    return get_num(kind::performance, num_pvar);
}

// MPI_T_PVAR_GET_INFO(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind,
//                     readonly, continuous, atomic)
template <class Provider>
int functions<Provider>::pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                                       MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                                       int* bind, int* readonly, int* continuous, int* atomic) {
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    return Provider::visit_variable(kind::performance, pvar_index,
                                    [&](const auto& variable) __attribute__((always_inline)) {
        name_text.put_inline(variable.name);
        description.put_inline(variable.description);
        put(verbosity, constant_of(variable.verbosity));
        put(var_class, constant_of(variable.variable_class));
        put(datatype, constant_of(variable.type));
        put(enumtype, enumeration_handle(variable.enumeration));
        put(bind, constant_of(variable.binding));
        put(readonly, variable.readonly ? 1 : 0);
        put(continuous, variable.continuous ? 1 : 0);
        put(atomic, variable.atomically ? 1 : 0);
        return MPI_SUCCESS;
    });
}

// MPI_T_PVAR_GET_INDEX(name, var_class, pvar_index). Returns MPI_T_ERR_INVALID_NAME if no variable of the class has the
// name, or if the class is unknown.
template <class Provider> int functions<Provider>::pvar_get_index(const char* name, int var_class, int* pvar_index) {
    return get_index(kind::performance, name, pvar_index, var_class);
}

// MPI_T_PVAR_SESSION_CREATE(session). Sets `session` to null if the call fails.
template <class Provider> int functions<Provider>::pvar_session_create(MPI_T_pvar_session* session) {
    if (session == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    const int code = Provider::create_session(word);
    *session = code == MPI_SUCCESS ? handle_of<MPI_T_pvar_session>(word) : MPI_T_PVAR_SESSION_NULL;
    return code;
}

// MPI_T_PVAR_SESSION_FREE(session). Frees the session and the handles of the session.
template <class Provider> int functions<Provider>::pvar_session_free(MPI_T_pvar_session* session) {
    if (session == nullptr) return MPI_T_ERR_INVALID;
    const int code = Provider::free_session(word_of(*session));
    if (code == MPI_SUCCESS) *session = MPI_T_PVAR_SESSION_NULL;
    return code;
}

// MPI_T_PVAR_HANDLE_ALLOC(session, pvar_index, obj_handle, handle, count). Sets `handle` to null if the call fails.
template <class Provider>
int functions<Provider>::pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                                           MPI_T_pvar_handle* handle, int* count) {
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    std::uint64_t word = 0;
    const int code = Provider::allocate_performance(word_of(session), pvar_index, obj_handle, word, *count);
    *handle = code == MPI_SUCCESS ? handle_of<MPI_T_pvar_handle>(word) : MPI_T_PVAR_HANDLE_NULL;
    return code;
}

// MPI_T_PVAR_HANDLE_FREE(session, handle)
template <class Provider>
int functions<Provider>::pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    const int code = Provider::free_performance(word_of(session), word_of(*handle));
    if (code == MPI_SUCCESS) *handle = MPI_T_PVAR_HANDLE_NULL;
    return code;
}

// MPI_T_PVAR_START(session, handle). MPI_T_PVAR_START and the five functions below are async-signal-safe.
// Returns MPI_T_ERR_PVAR_NO_STARTSTOP for a continuous variable, as a stop does.
template <class Provider> int functions<Provider>::pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return Provider::start(word_of(session), handle);
}

// MPI_T_PVAR_STOP(session, handle)
template <class Provider> int functions<Provider>::pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return Provider::stop(word_of(session), handle);
}

// MPI_T_PVAR_READ(session, handle, buf)
template <class Provider>
int functions<Provider>::pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
    return buf == nullptr ? int{MPI_T_ERR_INVALID} : Provider::read(word_of(session), word_of(handle), buf);
}

// MPI_T_PVAR_WRITE(session, handle, buf). Changes the value of the variable only in this session. Returns
// MPI_T_ERR_PVAR_NO_WRITE for a readonly variable, and MPI_T_ERR_INVALID for a value that the variable cannot have.
template <class Provider>
int functions<Provider>::pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf) {
    return buf == nullptr ? int{MPI_T_ERR_INVALID} : Provider::write(word_of(session), word_of(handle), buf);
}

// MPI_T_PVAR_RESET(session, handle). Returns MPI_T_ERR_PVAR_NO_WRITE for a readonly variable, and for a text that its
// library refuses to empty. A tool then subtracts an earlier value itself. If `handle` is MPI_T_PVAR_ALL_HANDLES, skips
// readonly variables.
template <class Provider> int functions<Provider>::pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return Provider::reset(word_of(session), handle);
}

// MPI_T_PVAR_READRESET(session, handle, buf). Reads and resets the variable in one atomic step, so that no update
// occurs between the read and the reset. Returns MPI_T_ERR_PVAR_NO_ATOMIC for a variable that is not atomic.
template <class Provider>
int functions<Provider>::pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
    return buf == nullptr ? int{MPI_T_ERR_INVALID} : Provider::read_and_reset(word_of(session), word_of(handle), buf);
}

} // namespace mpi_t
} // namespace mpit
