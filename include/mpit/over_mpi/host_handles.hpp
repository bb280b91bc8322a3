// SPDX-License-Identifier: BSD-3-Clause
// Handles on the host's variables: words of the library, so that a handle that is null, freed or garbage is detected
// before the host sees it. Sessions are the library's own; each has one of the host.
//
//   host_control* h = the_host_handles.controls.find(word);   the_host.cvar_read(h->handle.load(), buffer);
#pragma once

#include <mpit/over_mpi/host_info.hpp> // IWYU pragma: keep

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

using core::handle_word;
using core::slot_header;
using core::slot_pool;

struct host_control : slot_header {
    atomic<MPI_T_cvar_handle> handle;
    atomic<const host_variable*> variable;
};
struct host_performance : slot_header {
    atomic<std::uint64_t> session; // as tools see it
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

    // The session of the host that a session holds, or null; of what may be no session.
    MPI_T_pvar_session host_session(std::uint64_t session) const noexcept {
        const std::uint32_t slot = handle_word::slot(session);
        return slot < session_count_.load() ? sessions_.find(slot) : MPI_T_PVAR_SESSION_NULL;
    }
    // The same for a handle on one of the host's variables: a session that is older than the host's has one made now.
    MPI_T_pvar_session needed_host_session(std::uint64_t session) noexcept {
        MPI_T_pvar_session made = host_session(session);
        if (made != MPI_T_PVAR_SESSION_NULL || !the_host.is_open() ||
            the_host.pvar_session_create(&made) != MPI_SUCCESS)
            return made;
        atomic<MPI_T_pvar_session>* place = sessions_.place(handle_word::slot(session));
        if (place != nullptr && place->replace(MPI_T_PVAR_SESSION_NULL, made)) return made;
        the_host.pvar_session_free(&made);
        return host_session(session);
    }
    // Returns false without memory.
    bool keep_session(std::uint64_t session, MPI_T_pvar_session of_host) noexcept {
        atomic<MPI_T_pvar_session>* place = sessions_.place(handle_word::slot(session));
        if (place == nullptr) return false;
        place->store(of_host);
        std::uint32_t count = session_count_.load();
        while (count <= handle_word::slot(session))
            if (session_count_.compare_exchange(count, handle_word::slot(session) + 1)) break;
        return true;
    }

    // A handle on one of the host's variables, or its refusal.
    int allocate_control(const host_variable& variable, void* object, std::uint64_t& handle, int& count) noexcept {
        const int host_number = variable.host_number.load();
        if (host_number < 0) return MPI_T_ERR_INVALID_INDEX;
        if (!host::takes_object(variable.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        MPI_T_cvar_handle of_host = MPI_T_CVAR_HANDLE_NULL;
        int elements = 0;
        if (const int code = the_host.cvar_handle_alloc(host_number, object, &of_host, &elements); code != MPI_SUCCESS)
            return code;
        host_control* slot = controls.take(handle);
        if (slot == nullptr) return the_host.cvar_handle_free(&of_host), MPI_T_ERR_OUT_OF_HANDLES;
        slot->handle.store(of_host);
        slot->variable.store(&variable);
        slot->word.store(handle);
        count = elements;
        return MPI_SUCCESS;
    }
    int allocate_performance(const host_variable& variable, std::uint64_t session, void* object, std::uint64_t& handle,
                             int& count) noexcept {
        const int host_number = variable.host_number.load();
        const MPI_T_pvar_session host_session = needed_host_session(session);
        if (host_number < 0 || host_session == MPI_T_PVAR_SESSION_NULL) return MPI_T_ERR_INVALID_INDEX;
        if (!host::takes_object(variable.binding, object)) return MPI_T_ERR_INVALID_HANDLE;
        MPI_T_pvar_handle of_host = MPI_T_PVAR_HANDLE_NULL;
        int elements = 0;
        host::lone_handle copy;
        void* const of_object = copy.of(object, the_host.which());
        if (const int code = the_host.pvar_handle_alloc(host_session, host_number, of_object, &of_host, &elements);
            code != MPI_SUCCESS)
            return code;
        host_performance* slot = performances.take(handle);
        if (slot == nullptr) return the_host.pvar_handle_free(host_session, &of_host), MPI_T_ERR_OUT_OF_HANDLES;
        slot->session.store(session);
        slot->host_session.store(host_session);
        slot->handle.store(of_host);
        slot->variable.store(&variable);
        slot->word.store(handle);
        core::whole_fence();
        // A session that another thread has freed meanwhile may have missed this handle.
        if (!mpi_t::tools().sessions.is_session(session)) {
            free(*slot, handle);
            free_session(session, host_session);
            return MPI_T_ERR_INVALID_SESSION;
        }
        count = elements;
        return MPI_SUCCESS;
    }

    // The handles of a session that was freed. Its place may have the host's session of the next one already.
    void free_session(std::uint64_t session, MPI_T_pvar_session of_host) noexcept {
        if (of_host == MPI_T_PVAR_SESSION_NULL) return;
        performances.each([&](host_performance& h, std::uint64_t word) {
            if (h.session.load() == session) free(h, word);
        });
        if (atomic<MPI_T_pvar_session>* place = sessions_.place(handle_word::slot(session)))
            place->replace(of_host, MPI_T_PVAR_SESSION_NULL);
        the_host.pvar_session_free(&of_host);
    }
    // All of them, at the end of an epoch.
    void free_all() noexcept {
        performances.each([&](host_performance& h, std::uint64_t word) { free(h, word); });
        controls.each([&](host_control& h, std::uint64_t word) { free(h, word); });
        for (std::uint32_t i = 0; i < session_count_.load(); i++) {
            MPI_T_pvar_session of_host = sessions_.place(i)->exchange(MPI_T_PVAR_SESSION_NULL);
            if (of_host != MPI_T_PVAR_SESSION_NULL) the_host.pvar_session_free(&of_host);
        }
    }

    // Returns true to one of several callers.
    bool free(host_control& h, std::uint64_t word) noexcept {
        MPI_T_cvar_handle of_host = h.handle.load();
        if (!controls.close(h, word)) return false;
        the_host.cvar_handle_free(&of_host);
        controls.release(h, word);
        return true;
    }
    bool free(host_performance& h, std::uint64_t word) noexcept {
        MPI_T_pvar_handle of_host = h.handle.load();
        MPI_T_pvar_session host_session = h.host_session.load();
        if (!performances.close(h, word)) return false;
        the_host.pvar_handle_free(host_session, &of_host);
        performances.release(h, word);
        return true;
    }

private:
    core::append_array<MPI_T_pvar_session> sessions_;
    atomic<std::uint32_t> session_count_;
};

inline constinit host_handles the_host_handles;

} // namespace over_mpi
} // namespace mpit
