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

// A step of most handles, and of those that need more instructions.
template <session::handle_step Step>
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline session::rest make_quickly(MPI_T_pvar_session in_session,
                                                                          MPI_T_pvar_handle handle, void* buffer) noexcept {
    constexpr bool has_buffer = Step == session::handle_step::read || Step == session::handle_step::read_and_reset;
    if (has_buffer && buffer == nullptr) return session::rest::all;
    return tools().sessions.make_quickly<Step>(word_of(in_session), word_of(handle), buffer);
}
template <session::handle_step Step>
[[gnu::always_inline]] MPIT_MODULE_LOCAL inline bool make_at_length(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                                                   void* buffer) noexcept {
    constexpr bool has_buffer = Step == session::handle_step::read || Step == session::handle_step::read_and_reset;
    return (!has_buffer || buffer != nullptr) && tools().sessions.make_at_length<Step>(word_of(session), word_of(handle), buffer);
}

// Sessions and handles of all kinds. Apart, so that the quick ways save no registers.
[[gnu::noinline]] MPIT_MODULE_LOCAL inline int create_session(MPI_T_pvar_session* session) noexcept {
    std::uint64_t word = 0;
    const result answer = tools().sessions.create(tools().counting, word);
    *session = answer == result::success ? handle_of<MPI_T_pvar_session>(word) : MPI_T_PVAR_SESSION_NULL;
    return code_of(answer);
}
[[gnu::noinline]] MPIT_MODULE_LOCAL inline int free_session(MPI_T_pvar_session* session) noexcept {
    const result answer = tools().sessions.free(word_of(*session));
    if (answer == result::success) *session = MPI_T_PVAR_SESSION_NULL;
    return code_of(answer);
}
[[gnu::noinline]] MPIT_MODULE_LOCAL inline int free_performance(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) noexcept {
    const result answer = tools().sessions.free_handle(word_of(session), word_of(*handle));
    if (answer == result::success) *handle = MPI_T_PVAR_HANDLE_NULL;
    return code_of(answer);
}
[[gnu::noinline]] MPIT_MODULE_LOCAL inline int allocate_performance(MPI_T_pvar_session session, registry::variable_record* record,
                                                                    void* obj_handle, MPI_T_pvar_handle* handle,
                                                                    int* count) noexcept {
    std::uint64_t word = 0;
    std::uint32_t elements = 0;
    const result answer = tools().sessions.allocate(word_of(session), record, obj_handle, word, elements);
    *handle = answer == result::success ? handle_of<MPI_T_pvar_handle>(word) : MPI_T_PVAR_HANDLE_NULL;
    if (answer == result::success) *count = static_cast<int>(elements);
    return code_of(answer);
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
    const std::uint64_t word = tools().sessions.create_again(tools().counting);
    if (word == 0) return create_session(session);
    *session = handle_of<MPI_T_pvar_session>(word);
    return MPI_SUCCESS;
}

// MPI_T_PVAR_SESSION_FREE(session). Frees the handles of the session as well.
MPIT_C_FUNCTION(pvar_session_free, (MPI_T_pvar_session* session), (session)) {
    using namespace mpit::mpi_t;
    if (session == nullptr) return MPI_T_ERR_INVALID;
    if (!tools().sessions.free_quickly(word_of(*session))) return free_session(session);
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

// MPI_T_PVAR_HANDLE_ALLOC(session, pvar_index, obj_handle, handle, count). A failure sets the handle to null.
MPIT_C_FUNCTION(pvar_handle_alloc,
                (MPI_T_pvar_session session, int pvar_index, void* obj_handle, MPI_T_pvar_handle* handle, int* count),
                (session, pvar_index, obj_handle, handle, count)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    auto* const record = names().variable(kind::performance, pvar_index);
    const std::uint64_t word = record != nullptr ? tools().sessions.allocate_again(word_of(session), *record) : 0;
    if (word == 0) return allocate_performance(session, record, obj_handle, handle, count);
    *handle = handle_of<MPI_T_pvar_handle>(word);
    *count = 1;
    return MPI_SUCCESS;
}

// MPI_T_PVAR_HANDLE_FREE(session, handle)
MPIT_C_FUNCTION(pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle* handle), (session, handle)) {
    using namespace mpit::mpi_t;
    if (handle == nullptr) return MPI_T_ERR_INVALID;
    if (!tools().sessions.free_handle_quickly(word_of(session), word_of(*handle))) return free_performance(session, handle);
    *handle = MPI_T_PVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

// MPI_T_PVAR_START(session, handle). Async-signal-safe, like all functions below.
MPIT_C_QUICK_FUNCTION(pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle),
                      mpit::mpi_t::make_quickly<mpit::session::handle_step::start>(session, handle, nullptr),
                      mpit::mpi_t::make_at_length<mpit::session::handle_step::start>(session, handle, nullptr)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.start(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_STOP(session, handle)
MPIT_C_QUICK_FUNCTION(pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle),
                      mpit::mpi_t::make_quickly<mpit::session::handle_step::stop>(session, handle, nullptr),
                      mpit::mpi_t::make_at_length<mpit::session::handle_step::stop>(session, handle, nullptr)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.stop(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_READ(session, handle, buf)
MPIT_C_QUICK_FUNCTION(pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), (session, handle, buf),
                      mpit::mpi_t::make_quickly<mpit::session::handle_step::read>(session, handle, buf),
                      mpit::mpi_t::make_at_length<mpit::session::handle_step::read>(session, handle, buf)) {
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
MPIT_C_QUICK_FUNCTION(pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle), (session, handle),
                      mpit::mpi_t::make_quickly<mpit::session::handle_step::reset>(session, handle, nullptr),
                      mpit::mpi_t::make_at_length<mpit::session::handle_step::reset>(session, handle, nullptr)) {
    using namespace mpit::mpi_t;
    return code_of(tools().sessions.reset(word_of(session), performance_word_of(handle)));
}

// MPI_T_PVAR_READRESET(session, handle, buf). One step: no update falls between the two.
MPIT_C_QUICK_FUNCTION(pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf), (session, handle, buf),
                      mpit::mpi_t::make_quickly<mpit::session::handle_step::read_and_reset>(session, handle, buf),
                      mpit::mpi_t::make_at_length<mpit::session::handle_step::read_and_reset>(session, handle, buf)) {
    using namespace mpit::mpi_t;
    if (buf == nullptr) return MPI_T_ERR_INVALID;
    return code_of(tools().sessions.read_and_reset(word_of(session), word_of(handle), buf));
}
