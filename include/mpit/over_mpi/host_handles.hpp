// SPDX-License-Identifier: BSD-3-Clause
// Handles on variables of the host MPI. Tools receive handles of mpit instead of handles of the host MPI, so that mpit
// can detect null, freed and garbage handles. Tools also receive sessions of mpit, and each session of mpit has an
// associated session of the host MPI.
//
//   host_control* slot = the_host_handles.controls.find(word);   the_host.cvar_read(slot->handle.load(), buffer);
#pragma once

#include <mpit/host/defects.hpp>
#include <mpit/over_mpi/host_info.hpp> // IWYU pragma: keep
#include <mpit/over_mpi/try_lock.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::handle_word;
using core::slot_header;
using core::slot_pool;

struct host_control : slot_header {
    atomic<MPI_T_cvar_handle> handle;
    atomic<const host_variable*> variable;
};
struct host_performance : slot_header {
    atomic<std::uint64_t> session; // mpit's session handle, which tools have
    atomic<MPI_T_pvar_session> host_session;
    atomic<MPI_T_pvar_handle> handle;
    atomic<const host_variable*> variable;
};

class host_handles {
public:
    slot_pool<host_control> controls{descriptor::handle_tag::host_control};
    slot_pool<host_performance> performances{descriptor::handle_tag::host_performance};

    static bool is_control(std::uint64_t word) noexcept {
        return handle_word::tag(word) == descriptor::handle_tag::host_control;
    }
    static bool is_performance(std::uint64_t word) noexcept {
        return handle_word::tag(word) == descriptor::handle_tag::host_performance;
    }

    // Returns the host MPI's session that is associated with `session`, or null. `session` may be an invalid handle.
    MPI_T_pvar_session find_host_session(std::uint64_t session) const noexcept {
        const std::uint32_t slot = handle_word::slot(session);
        return slot < session_count_.load() ? sessions_.find(slot) : MPI_T_PVAR_SESSION_NULL;
    }
    // Returns the host MPI's session that is associated with `session`. Creates the host MPI's session if `session` was
    // created before the host MPI was initialized. Returns null if the host MPI returns an error.
    MPI_T_pvar_session find_or_create_host_session(std::uint64_t session) noexcept {
        MPI_T_pvar_session host_session = find_host_session(session);
        if (host_session != MPI_T_PVAR_SESSION_NULL || !the_host.is_open() ||
            the_host.pvar_session_create(&host_session) != MPI_SUCCESS)
            return host_session;
        atomic<MPI_T_pvar_session>* element = sessions_.ensure(handle_word::slot(session));
        if (element != nullptr && element->compare_and_set(MPI_T_PVAR_SESSION_NULL, host_session)) return host_session;
        the_host.pvar_session_free(&host_session);
        return find_host_session(session);
    }
    // Returns false if memory is exhausted.
    bool store_host_session(std::uint64_t session, MPI_T_pvar_session host_session) noexcept {
        atomic<MPI_T_pvar_session>* element = sessions_.ensure(handle_word::slot(session));
        if (element == nullptr) return false;
        element->store(host_session);
        std::uint32_t count = session_count_.load();
        while (count <= handle_word::slot(session))
            if (session_count_.compare_exchange(count, handle_word::slot(session) + 1)) break;
        return true;
    }

    // Allocates a handle on a control variable of the host MPI. Returns MPI_SUCCESS or the error code of the host MPI.
    int allocate_control(const host_variable& variable, void* object, std::uint64_t& handle, int& count) noexcept {
        const int host_index = variable.host_index.load();
        if (host_index < 0) return MPI_T_ERR_INVALID_INDEX;
        if (!host::prepare_object(variable.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        MPI_T_cvar_handle host_handle = MPI_T_CVAR_HANDLE_NULL;
        int elements = 0;
        if (const int code = the_host.cvar_handle_alloc(host_index, object, &host_handle, &elements);
            code != MPI_SUCCESS)
            return code;
        host_control* slot = controls.take(handle);
        if (slot == nullptr) return the_host.cvar_handle_free(&host_handle), MPI_T_ERR_OUT_OF_HANDLES;
        slot->handle.store(host_handle);
        slot->variable.store(&variable);
        slot->word.store(handle);
        count = elements;
        return MPI_SUCCESS;
    }
    // The lock keeps the session of the host MPI until the handle is allocated. Returns MPI_T_ERR_OUT_OF_HANDLES if
    // another thread holds the lock for about a second.
    int allocate_performance(const host_variable& variable, std::uint64_t session, void* object, std::uint64_t& handle,
                             int& count) noexcept {
        int code = MPI_T_ERR_OUT_OF_HANDLES;
        session_lock_.take([&] { code = allocate_in_session(variable, session, object, handle, count); });
        return code;
    }

    // Calls `free_own(session)` to free the session of mpit, and then frees the handles and the session that the host
    // MPI has for this session. If another thread holds the lock for about a second, the handles are freed at the end
    // of the epoch.
    int free_session(std::uint64_t session, int (*free_own)(std::uint64_t)) noexcept {
        int code = MPI_SUCCESS;
        const bool is_locked = session_lock_.take([&] {
            MPI_T_pvar_session host_session = find_host_session(session);
            code = free_own(session);
            if (code != MPI_SUCCESS || host_session == MPI_T_PVAR_SESSION_NULL) return;
            performances.each([&](host_performance& slot, std::uint64_t word) {
                if (slot.session.load() == session) free(slot, word);
            });
            // The slot of the freed session may already belong to another session.
            sessions_.ensure(handle_word::slot(session))->compare_and_set(host_session, MPI_T_PVAR_SESSION_NULL);
            the_host.pvar_session_free(&host_session);
        });
        return is_locked ? code : free_own(session);
    }
    // Frees all handles and sessions of the host MPI at the end of an init/finalize epoch.
    void free_all() noexcept {
        controls.each([&](host_control& slot, std::uint64_t word) { free(slot, word); });
        session_lock_.take([&] {
            performances.each([&](host_performance& slot, std::uint64_t word) { free(slot, word); });
            for (std::uint32_t i = 0; i < session_count_.load(); i++) {
                MPI_T_pvar_session host_session = sessions_.ensure(i)->exchange(MPI_T_PVAR_SESSION_NULL);
                if (host_session != MPI_T_PVAR_SESSION_NULL) the_host.pvar_session_free(&host_session);
            }
        });
    }
    void release_other_threads() noexcept { session_lock_.release_other_threads(); }

    // Frees a handle on a variable of the host MPI. Returns false if another thread has freed the handle.
    bool free(host_control& slot, std::uint64_t word) noexcept {
        MPI_T_cvar_handle host_handle = slot.handle.load();
        if (!controls.close(slot, word)) return false;
        the_host.cvar_handle_free(&host_handle);
        controls.release(slot, word);
        return true;
    }
    bool free(host_performance& slot, std::uint64_t word) noexcept {
        MPI_T_pvar_handle host_handle = slot.handle.load();
        MPI_T_pvar_session host_session = slot.host_session.load();
        if (!performances.close(slot, word)) return false;
        the_host.pvar_handle_free(host_session, &host_handle);
        performances.release(slot, word);
        return true;
    }

private:
    // Called while the lock is held.
    int allocate_in_session(const host_variable& variable, std::uint64_t session, void* object, std::uint64_t& handle,
                            int& count) noexcept {
        if (!mpi_t::tools().sessions.is_session(session)) return MPI_T_ERR_INVALID_SESSION;
        const int host_index = variable.host_index.load();
        const MPI_T_pvar_session host_session = find_or_create_host_session(session);
        if (host_index < 0 || host_session == MPI_T_PVAR_SESSION_NULL) return MPI_T_ERR_INVALID_INDEX;
        if (!host::prepare_object(variable.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        MPI_T_pvar_handle host_handle = MPI_T_PVAR_HANDLE_NULL;
        int elements = 0;
        host::padded_handle object_copy;
        void* const host_object = object_copy.copy_of(object, the_host.mpi_implementation());
        if (const int code = the_host.pvar_handle_alloc(host_session, host_index, host_object, &host_handle, &elements);
            code != MPI_SUCCESS)
            return code;
        host_performance* slot = performances.take(handle);
        if (slot == nullptr) return the_host.pvar_handle_free(host_session, &host_handle), MPI_T_ERR_OUT_OF_HANDLES;
        slot->session.store(session);
        slot->host_session.store(host_session);
        slot->handle.store(host_handle);
        slot->variable.store(&variable);
        slot->word.store(handle);
        count = elements;
        return MPI_SUCCESS;
    }

    core::append_array<MPI_T_pvar_session> sessions_; // host MPI's sessions, indexed by the slot of the session
    atomic<std::uint32_t> session_count_;
    try_lock session_lock_;
};

inline constinit host_handles the_host_handles;

} // namespace over_mpi
} // namespace mpit
