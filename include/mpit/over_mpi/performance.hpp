// SPDX-License-Identifier: BSD-3-Clause
// MPI-5.0, 15.3.7 on top of a host: performance variables of both, in sessions of ours that each have one of the
// host's. A handle says whose variable it is on, so that calls on ours cost one comparison more.
#pragma once

#include <mpit/over_mpi/control.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

MPIT_MODULE_LOCAL inline int allocate_performance(const host_variable& v, std::uint64_t session, void* object,
                                                  MPI_T_pvar_handle& handle, int& elements) noexcept {
    const int host_number = v.host_number.load();
    const MPI_T_pvar_session host_session = the_host_handles.needed_host_session(session);
    if (host_number < 0 || host_session == MPI_T_PVAR_SESSION_NULL) return MPI_T_ERR_INVALID_INDEX;
    if (!takes_object(v.bind, object)) return MPI_T_ERR_INVALID_HANDLE;
    MPI_T_pvar_handle of_host = MPI_T_PVAR_HANDLE_NULL;
    int count_of_host = 0;
    lone_handle copy;
    void* const of_object = copy.of(object, the_host.which());
    if (const int wrong = the_host.pvar_handle_alloc(host_session, host_number, of_object, &of_host, &count_of_host);
        wrong != MPI_SUCCESS)
        return wrong;
    std::uint64_t word = 0;
    host_performance* made = the_host_handles.performances.take(word);
    if (made == nullptr) {
        the_host.pvar_handle_free(host_session, &of_host);
        return MPI_T_ERR_OUT_OF_HANDLES;
    }
    made->session.store(session);
    made->host_session.store(host_session);
    made->handle.store(of_host);
    made->variable.store(&v);
    made->word.store(word);
    core::whole_fence();
    // A session that another thread has freed meanwhile may have missed this handle.
    if (!mpi_t::tools().sessions.is_session(session)) {
        the_host_handles.free(*made, word);
        the_host_handles.free_session(session, host_session);
        return MPI_T_ERR_INVALID_SESSION;
    }
    handle = mpi_t::handle_of<MPI_T_pvar_handle>(word);
    elements = count_of_host;
    return MPI_SUCCESS;
}

// Calls `with(slot)` for the host's handle in its session, or answers what is wrong with the two.
template <class With>
MPIT_MODULE_LOCAL int with_host_handle(MPI_T_pvar_session session, std::uint64_t word, With use) noexcept {
    if (!mpi_t::is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    host_performance* h = the_host_handles.performances.find(word);
    if (h != nullptr && h->session.load() == mpi_t::word_of(session)) [[likely]]
        return use(*h);
    return mpi_t::tools().sessions.is_session(mpi_t::word_of(session)) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION;
}
// What starts, stops and resets is called so.
using switch_function = int (*)(MPI_T_pvar_session, MPI_T_pvar_handle);

// A call for all handles of a session, after ours were called: the first error is the answer.
MPIT_MODULE_LOCAL inline int change_all(switch_function function, MPI_T_pvar_session session, int own_code) noexcept {
    if (own_code == MPI_T_ERR_NOT_INITIALIZED || own_code == MPI_T_ERR_INVALID_SESSION) return own_code;
    const MPI_T_pvar_session of_host = the_host_handles.host_session(mpi_t::word_of(session));
    if (of_host == MPI_T_PVAR_SESSION_NULL) return own_code;
    const int host_code = function(of_host, MPI_T_PVAR_ALL_HANDLES);
    return own_code != MPI_SUCCESS ? own_code : host_code;
}
// A call for one handle of either, or for all; the attributes of the host's variable may refuse it.
template <class Refused>
MPIT_MODULE_LOCAL int change(switch_function of_host, switch_function own, MPI_T_pvar_session session,
                             MPI_T_pvar_handle handle, Refused is_refused, int rejection_message) noexcept {
    const std::uint64_t word = mpi_t::word_of(handle);
    if (host_handles::is_performance(word))
        return with_host_handle(session, word, [&](const host_performance& h) {
            return is_refused(*h.variable.load()) ? rejection_message : of_host(h.host_session.load(), h.handle.load());
        });
    const int code = own(session, handle);
    return handle == MPI_T_PVAR_ALL_HANDLES ? change_all(of_host, session, code) : code;
}

inline constexpr auto is_continuous = [](const host_variable& v) { return v.continuous != 0; };
inline constexpr auto is_readonly = [](const host_variable& v) { return v.readonly != 0; };

} // namespace over_mpi
} // namespace mpit

// MPI_T_PVAR_GET_NUM(num_pvar)
MPIT_C_STACKED_FUNCTION(pvar_get_num, (int* num_pvar)) {
    return mpit::over_mpi::count(mpit::mpi_t::kind::performance, num_pvar);
}

// MPI_T_PVAR_GET_INFO(pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind,
//                     readonly, continuous, atomic)
MPIT_C_STACKED_FUNCTION(pvar_get_info, (int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                                        MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                                        int* bind, int* readonly, int* continuous, int* atomic)) {
    using namespace mpit::mpi_t;
    const text_pair name_text{name, name_len}, description{desc, desc_len};
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!name_text.is_well_formed() || !description.is_well_formed()) return MPI_T_ERR_INVALID;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::performance, pvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    if (found->own != nullptr) {
        tell_performance(*found->own, name_text, verbosity, var_class, datatype, enumtype, description, bind, readonly,
                         continuous, atomic);
        return MPI_SUCCESS;
    }
    const auto& of_host = static_cast<const mpit::over_mpi::host_variable&>(*found);
    name_text.put(of_host.name);
    put(verbosity, of_host.verbosity);
    put(var_class, of_host.variable_class);
    put(datatype, of_host.datatype);
    put(enumtype, of_host.enumeration);
    description.put(of_host.description);
    put(bind, of_host.bind);
    put(readonly, of_host.readonly);
    put(continuous, of_host.continuous);
    put(atomic, of_host.atomically);
    return MPI_SUCCESS;
}

// MPI_T_PVAR_GET_INDEX(name, var_class, pvar_index)
MPIT_C_STACKED_FUNCTION(pvar_get_index, (const char* name, int var_class, int* pvar_index)) {
    return mpit::over_mpi::look_up(mpit::mpi_t::kind::performance, name, var_class, pvar_index);
}

// MPI_T_PVAR_SESSION_CREATE(session). Refuses what the host refuses.
MPIT_C_STACKED_FUNCTION(pvar_session_create, (MPI_T_pvar_session* session)) {
    using namespace mpit::over_mpi;
    const int code = mpit::own::pvar_session_create(session);
    if (code != MPI_SUCCESS) return code;
    MPI_T_pvar_session of_host = MPI_T_PVAR_SESSION_NULL;
    const bool has_host = the_host.is_open() && the_host.has_performance();
    int host_code = has_host ? the_host.pvar_session_create(&of_host) : MPI_SUCCESS;
    if (host_code == MPI_SUCCESS && !the_host_handles.keep_session(mpit::mpi_t::word_of(*session), of_host))
        host_code = MPI_T_ERR_OUT_OF_SESSIONS;
    if (host_code == MPI_SUCCESS) return MPI_SUCCESS;
    if (of_host != MPI_T_PVAR_SESSION_NULL) the_host.pvar_session_free(&of_host);
    mpit::own::pvar_session_free(session);
    return host_code;
}

// MPI_T_PVAR_SESSION_FREE(session). Frees the handles of the session as well.
MPIT_C_STACKED_FUNCTION(pvar_session_free, (MPI_T_pvar_session* session)) {
    const std::uint64_t word = session == nullptr ? 0 : mpit::mpi_t::word_of(*session);
    const MPI_T_pvar_session of_host = mpit::over_mpi::the_host_handles.host_session(word);
    const int code = mpit::own::pvar_session_free(session);
    if (code == MPI_SUCCESS) mpit::over_mpi::the_host_handles.free_session(word, of_host);
    return code;
}

// MPI_T_PVAR_HANDLE_ALLOC(session, pvar_index, obj_handle, handle, count). A failure sets the handle to null and the count
// to 0.
MPIT_C_STACKED_FUNCTION(pvar_handle_alloc, (MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                                            MPI_T_pvar_handle* handle, int* count)) {
    using namespace mpit::mpi_t;
    if (!is_initialized()) return MPI_T_ERR_NOT_INITIALIZED;
    if (handle == nullptr || count == nullptr) return MPI_T_ERR_INVALID;
    *handle = MPI_T_PVAR_HANDLE_NULL;
    *count = 0;
    if (!tools().sessions.is_session(word_of(session))) return MPI_T_ERR_INVALID_SESSION;
    const mpit::over_mpi::merged_entry* found = mpit::over_mpi::entry_at(kind::performance, pvar_index);
    if (found == nullptr) return MPI_T_ERR_INVALID_INDEX;
    if (!found->is_of_host)
        return mpit::own::pvar_handle_alloc(session, found->own_number.load(), obj_handle, handle, count);
    const auto& of_host = static_cast<const mpit::over_mpi::host_variable&>(*found);
    return mpit::over_mpi::allocate_performance(of_host, word_of(session), obj_handle, *handle, *count);
}

// MPI_T_PVAR_HANDLE_FREE(session, handle)
MPIT_C_STACKED_FUNCTION(pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle* handle)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = handle == nullptr ? 0 : mpit::mpi_t::word_of(*handle);
    if (!host_handles::is_performance(word)) return mpit::own::pvar_handle_free(session, handle);
    return with_host_handle(session, word, [&](host_performance& h) {
        if (!the_host_handles.free(h, word)) return MPI_T_ERR_INVALID_HANDLE;
        *handle = MPI_T_PVAR_HANDLE_NULL;
        return MPI_SUCCESS;
    });
}

// MPI_T_PVAR_START(session, handle)
MPIT_C_STACKED_FUNCTION(pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle)) {
    using namespace mpit::over_mpi;
    return change(the_host.pvar_start, &mpit::own::pvar_start, session, handle, is_continuous,
                  MPI_T_ERR_PVAR_NO_STARTSTOP);
}

// MPI_T_PVAR_STOP(session, handle)
MPIT_C_STACKED_FUNCTION(pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle)) {
    using namespace mpit::over_mpi;
    return change(the_host.pvar_stop, &mpit::own::pvar_stop, session, handle, is_continuous,
                  MPI_T_ERR_PVAR_NO_STARTSTOP);
}

// MPI_T_PVAR_READ(session, handle, buf)
MPIT_C_STACKED_FUNCTION(pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = mpit::mpi_t::word_of(handle);
    if (!host_handles::is_performance(word)) return mpit::own::pvar_read(session, handle, buf);
    return with_host_handle(session, word, [&](const host_performance& h) {
        if (buf == nullptr) return int{MPI_T_ERR_INVALID};
        return the_host.pvar_read(h.host_session.load(), h.handle.load(), buf);
    });
}

// MPI_T_PVAR_WRITE(session, handle, buf)
MPIT_C_STACKED_FUNCTION(pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = mpit::mpi_t::word_of(handle);
    if (!host_handles::is_performance(word)) return mpit::own::pvar_write(session, handle, buf);
    return with_host_handle(session, word, [&](const host_performance& h) {
        if (buf == nullptr) return int{MPI_T_ERR_INVALID};
        if (is_readonly(*h.variable.load())) return int{MPI_T_ERR_PVAR_NO_WRITE};
        return the_host.pvar_write(h.host_session.load(), h.handle.load(), buf);
    });
}

// MPI_T_PVAR_RESET(session, handle)
MPIT_C_STACKED_FUNCTION(pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle)) {
    using namespace mpit::over_mpi;
    return change(the_host.pvar_reset, &mpit::own::pvar_reset, session, handle, is_readonly, MPI_T_ERR_PVAR_NO_WRITE);
}

// MPI_T_PVAR_READRESET(session, handle, buf)
MPIT_C_STACKED_FUNCTION(pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf)) {
    using namespace mpit::over_mpi;
    const std::uint64_t word = mpit::mpi_t::word_of(handle);
    if (!host_handles::is_performance(word)) return mpit::own::pvar_readreset(session, handle, buf);
    return with_host_handle(session, word, [&](const host_performance& h) {
        if (buf == nullptr) return int{MPI_T_ERR_INVALID};
        if (h.variable.load()->atomically == 0) return int{MPI_T_ERR_PVAR_NO_ATOMIC};
        return the_host.pvar_readreset(h.host_session.load(), h.handle.load(), buf);
    });
}
