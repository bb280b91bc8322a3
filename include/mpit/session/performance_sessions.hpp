// SPDX-License-Identifier: BSD-3-Clause
// Sessions and their handles. A handle has its own state for each element, so that no other session and no other handle
// changes its value (MPI-5.0, 15.3.7).
//
//   std::uint64_t session;  sessions.create(counting, session);   sessions.start(session, handle);
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/session/epochs.hpp>
#include <mpit/session/performance_handle.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL session {

// MPI_T_PVAR_ALL_HANDLES.
inline constexpr std::uint64_t all_handles = 1;

class performance_sessions {
public:
    // MPI_T_ERR_OUT_OF_SESSIONS without memory, MPI_T_ERR_NOT_INITIALIZED if the epoch ends meanwhile.
    result create(const epochs& counting, std::uint64_t& session) noexcept {
        std::uint64_t word = 0;
        session_slot* const slot = sessions_.take(word);
        if (slot == nullptr) return result::out_of_sessions;
        const std::uint32_t epoch = counting.present();
        slot->epoch.store(epoch);
        slot->has_had_handles.store(0);
        slot->word.store(word, core::sequential); // pairs with slot_pool::each() in free_all()
        session = word;
        if (counting.goes_on(epoch)) return result::success;
        static_cast<void>(free(word));
        return result::not_initialized;
    }
    // Frees the handles of the session as well.
    result free(std::uint64_t session) noexcept {
        session_slot* const s = sessions_.find(session);
        if (s == nullptr || !session_pool::close(*s, session)) return result::invalid_session;
        if (s->has_had_handles.load(core::sequential) != 0)
            each_handle(session, [this](performance_slot& h, std::uint64_t word) { static_cast<void>(end(h, word)); });
        sessions_.release(*s, session);
        return result::success;
    }
    void free_all(std::uint32_t epoch) noexcept {
        sessions_.each([&](session_slot& s, std::uint64_t word) {
            if (core::is_of_epoch(s, epoch)) static_cast<void>(free(word));
        });
    }
    // For shims that are being unloaded, after all handles are freed and no reader is left.
    void release_all() noexcept {
        sessions_.release_all();
        handles_.release_all();
        for (state_pool& pool : states_.all) pool.release_all();
    }
    bool is_session(std::uint64_t session) noexcept { return sessions_.find(session) != nullptr; }

    // MPI_T_ERR_OUT_OF_HANDLES without memory, MPI_T_ERR_INVALID_INDEX for null and _INDEX or _HANDLE as of
    // reference::bind.
    result allocate(std::uint64_t session, variable_record* record, const void* object_handle, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        session_slot* const owner = sessions_.find(session);
        if (owner == nullptr) return result::invalid_session;
        if (record == nullptr) return result::invalid_index;
        const core::read_guard guard;
        performance_handle target;
        const result bound = target.bind(*record, object_handle, count);
        if (bound != result::success) return bound;
        std::uint64_t word = 0;
        performance_slot* const slot = handles_.take(word);
        core::double_word* const states = slot == nullptr ? nullptr : take_states(*slot, target.state_count());
        const result filled = states == nullptr ? result::out_of_handles : target.make(*slot, states, word);
        if (filled != result::success) {
            if (slot != nullptr) release(*slot, states, word);
            return filled;
        }
        slot->session.store(session);
        // The sequential operations pair with those of free(): one of the two threads finds what the other one has
        // done.
        if (owner->has_had_handles.load() == 0) owner->has_had_handles.store(1, core::sequential);
        slot->word.store(word, core::sequential);
        if (owner->word.load(core::sequential) != session) {
            static_cast<void>(end(*slot, word));
            return result::invalid_session;
        }
        handle = word;
        return result::success;
    }
    // What a handle of a session is on, also after its library is unloaded or its object is freed; null for what is not
    // a handle.
    const variable_record* record_of(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* const slot = open_handle(session, handle);
        if (slot == nullptr) return nullptr;
        const reference<descriptor::performance> target = slot->variable.load();
        return slot->word.load() == handle ? target.record : nullptr;
    }
    result free_handle(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* const slot = open_handle(session, handle);
        return slot != nullptr && end(*slot, handle) ? result::success : missing(session);
    }

    // Of all handles, those of continuous variables are left alone; MPI_T_ERR_PVAR_NO_STARTSTOP if one fails.
    result start(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_step::start);
    }
    result stop(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_step::stop);
    }
    // Of all handles, those of readonly variables are left alone; MPI_T_ERR_PVAR_NO_WRITE if one fails.
    result reset(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_step::reset);
    }
    // The slot of a handle, or null. What is loaded of it counts if its word is the handle afterwards.
    [[gnu::always_inline]] performance_slot* open_handle(std::uint64_t session, std::uint64_t handle) const noexcept {
        performance_slot* const slot = handles_.place_for(handle);
        return slot != nullptr && slot->word.has(handle) && slot->session.has(session) ? slot : nullptr;
    }
    result read(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        performance_slot* const slot = open_handle(session, handle);
        return slot != nullptr ? slot->read.load()(*slot, handle, buffer) : missing(session);
    }
    // MPI_T_ERR_INVALID for a value that the variable cannot have; then no element is changed.
    result write(std::uint64_t session, std::uint64_t handle, const void* buffer) noexcept {
        return change_one(session, handle, handle_step::write, const_cast<void*>(buffer));
    }
    // MPI_T_ERR_PVAR_NO_ATOMIC if the variable does not promise it.
    result read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        return change_one(session, handle, handle_step::read_and_reset, buffer);
    }
    // The same for drafts that know no such promise: of every variable that can be reset.
    result read_and_reset_of_drafts(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        performance_slot* const slot = open_handle(session, handle);
        if (slot == nullptr || !target.load(*slot, handle) || !target.is_there()) return missing(session);
        const bool is_refused = target.record().readonly && !target.record().atomically;
        return is_refused ? result::not_atomic : target.act(handle_step::read_and_reset, buffer);
    }

private:
    struct session_slot : core::slot_header {
        atomic<std::uint32_t> has_had_handles; // otherwise its end looks for none
    };
    using session_pool = core::slot_pool<session_slot>;
    // The states of a handle on several elements. Their memory never serves another purpose, so that a late user of a
    // freed handle finds states, which are not its own.
    struct alignas(core::double_word) state_block : core::slot_header {
        std::uint32_t pool = 0;
        core::double_word* states() noexcept { return reinterpret_cast<core::double_word*>(this + 1); }
    };
    using state_pool = core::slot_places<64>;
    // A pool for each power of two, up to 32768 elements.
    template <std::uint32_t... Pool> struct pools_of {
        state_pool all[sizeof...(Pool)]{state_pool{descriptor::handle_tag::performance,
                                                   sizeof(state_block) + (sizeof(core::double_word) << Pool)}...};
    };
    using pools = pools_of<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

    // Null without memory, and for more elements than the largest pool has.
    core::double_word* take_states(performance_slot& slot, std::uint32_t count) noexcept {
        if (count <= 1) return &slot.state;
        const auto pool = static_cast<std::uint32_t>(32 - __builtin_clz(count - 1));
        std::uint64_t word = 0;
        auto* const taken = static_cast<state_block*>(
            pool < sizeof states_.all / sizeof states_.all[0] ? states_.all[pool].take(word) : nullptr);
        if (taken == nullptr) return nullptr;
        taken->pool = pool;
        taken->word.store(word);
        return taken->states();
    }
    void release(performance_slot& h, core::double_word* states, std::uint64_t word) noexcept {
        if (states != nullptr && states != &h.state) {
            state_block& block = reinterpret_cast<state_block*>(states)[-1];
            states_.all[block.pool].release(block, block.word.load());
        }
        handles_.release(h, word);
    }
    // The code for what is no handle of the session.
    [[gnu::cold, gnu::noinline]] result missing(std::uint64_t session) noexcept {
        return is_session(session) ? result::invalid_handle : result::invalid_session;
    }
    template <class Visit> void each_handle(std::uint64_t session, Visit visit_handle) noexcept {
        handles_.each([&](performance_slot& h, std::uint64_t word) {
            if (h.session.load() == session) visit_handle(h, word);
        });
    }
    // Frees a handle. Returns true to one of several callers.
    bool end(performance_slot& h, std::uint64_t word) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(h, word) || !target.end(word)) return false;
        release(h, target.states(), word);
        return true;
    }
    [[gnu::always_inline]] result change_one(std::uint64_t session, std::uint64_t handle, handle_step step,
                                             void* buffer) noexcept {
        performance_slot* const slot = open_handle(session, handle);
        return slot != nullptr ? slot->change.load()(*slot, handle, step, buffer) : missing(session);
    }
    result change(std::uint64_t session, std::uint64_t handle, handle_step step) noexcept {
        return handle == all_handles ? change_all(session, step) : change_one(session, handle, step, nullptr);
    }
    // Changes every handle of the session that can be changed. A handle that is freed meanwhile is not a failure, one
    // whose object or library no longer exists is; the others are still changed.
    [[gnu::noinline]] result change_all(std::uint64_t session, handle_step step) noexcept {
        if (!is_session(session)) return result::invalid_session;
        result status = result::success;
        each_handle(session, [&](performance_slot& h, std::uint64_t word) {
            const core::read_guard guard;
            performance_handle target;
            if (!target.load(h, word) || target.refusal_of(step) != result::success) return;
            if (target.is_there() && target.act(step, nullptr) != result::cannot_write) return;
            status = step == handle_step::reset ? result::cannot_write : result::cannot_start_or_stop;
        });
        return status;
    }

    session_pool sessions_{descriptor::handle_tag::performance_session};
    core::slot_pool<performance_slot> handles_{descriptor::handle_tag::performance};
    pools states_;
};

} // namespace session
} // namespace mpit
