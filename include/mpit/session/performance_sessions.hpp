// SPDX-License-Identifier: BSD-3-Clause
// Creates and frees sessions, and performs operations on a session's handles of performance variables. A handle has its
// own state for each element of the variable. Operations on one handle therefore do not change the values that a tool
// reads by another handle (MPI-5.0, 15.3.7).
//
//   std::uint64_t session;  sessions.create(epochs, session);   sessions.start(session, handle);
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/session/epochs.hpp>
#include <mpit/session/performance_handle.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

// The value of MPI_T_PVAR_ALL_HANDLES, which means all handles of a session.
inline constexpr std::uint64_t all_handles = 1;

class performance_sessions {
public:
    // Returns MPI_T_ERR_OUT_OF_SESSIONS if memory is exhausted, and MPI_T_ERR_NOT_INITIALIZED if another thread calls
    // the last finalize during this call.
    result create(const epoch_counter& epochs, std::uint64_t& session) noexcept {
        std::uint64_t word = 0;
        session_slot* const slot = sessions_.take(word);
        if (slot == nullptr) return result::out_of_sessions;
        const std::uint32_t epoch = epochs.current();
        slot->epoch.store(epoch);
        slot->may_have_handles.store(0);
        slot->word.store(word, core::seq_cst); // pairs with slot_pool::each() in free_all()
        session = word;
        if (epochs.is_current(epoch)) return result::success;
        static_cast<void>(free(word));
        return result::not_initialized;
    }
    // Frees a session and all its handles.
    result free(std::uint64_t session) noexcept {
        session_slot* const owner = sessions_.find(session);
        if (owner == nullptr || !session_pool::close(*owner, session)) return result::invalid_session;
        if (owner->may_have_handles.load(core::seq_cst) != 0)
            for_each_handle(session,
                            [this](performance_slot& slot, std::uint64_t word) { static_cast<void>(end(slot, word)); });
        sessions_.release(*owner, session);
        return result::success;
    }
    void free_all(std::uint32_t epoch) noexcept {
        sessions_.each([&](session_slot& slot, std::uint64_t word) {
            if (core::is_of_epoch(slot, epoch)) static_cast<void>(free(word));
        });
    }
    // Releases the memory of all sessions and handles. The unload of this shared object calls release_all() after all
    // handles were freed and after a grace period.
    void release_all() noexcept {
        sessions_.release_all();
        handles_.release_all();
        for (state_pool& pool : states_.pools) pool.release_all();
    }
    bool is_session(std::uint64_t session) noexcept { return sessions_.find(session) != nullptr; }

    // Returns MPI_T_ERR_OUT_OF_HANDLES if memory is exhausted, and MPI_T_ERR_INVALID_INDEX if `record` is null.
    // allocate() also returns the errors of performance_handle::bind().
    result allocate(std::uint64_t session, variable_record* record, const void* object_handle, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        session_slot* const owner = sessions_.find(session);
        if (owner == nullptr) return result::invalid_session;
        if (record == nullptr) return result::invalid_index;
        const core::read_guard guard;
        performance_handle target;
        const result bind_status = target.bind(*record, object_handle, count);
        if (bind_status != result::success) return bind_status;
        std::uint64_t word = 0;
        performance_slot* const slot = handles_.take(word);
        core::atomic_word_pair* const states = slot == nullptr ? nullptr : allocate_states(*slot, target.state_count());
        const result status = states == nullptr ? result::out_of_handles : target.make(*slot, states, word);
        if (status != result::success) {
            if (slot != nullptr) release(*slot, states, word);
            return status;
        }
        slot->session.store(session);
        // allocate() and free() form a Dekker pattern of seq_cst operations. allocate() stores may_have_handles and the
        // handle, and then loads the session's word. free() sets the session's word to 0, and then loads
        // may_have_handles and the handles. Either allocate() reads the 0, or free() finds the handle.
        if (owner->may_have_handles.load() == 0) owner->may_have_handles.store(1, core::seq_cst);
        slot->word.store(word, core::seq_cst);
        if (owner->word.load(core::seq_cst) != session) {
            static_cast<void>(end(*slot, word));
            return result::invalid_session;
        }
        handle = word;
        return result::success;
    }
    // Returns the registry's record of a handle's variable, or null for an invalid handle. A handle stays valid after
    // the variable's library is unloaded and after the bound object is freed.
    const variable_record* record_of(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* const slot = find_open_handle(session, handle);
        if (slot == nullptr) return nullptr;
        const reference<descriptor::performance> target = slot->variable.load();
        return slot->word.load() == handle ? target.record : nullptr;
    }
    result free_handle(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* const slot = find_open_handle(session, handle);
        return slot != nullptr && end(*slot, handle) ? result::success : invalid_code(session);
    }

    // If `handle` is all_handles, start() and stop() skip handles on continuous variables. start() and stop() return
    // MPI_T_ERR_PVAR_NO_STARTSTOP if the operation fails for a handle that they do not skip.
    result start(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_operation::start);
    }
    result stop(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_operation::stop);
    }
    // If `handle` is all_handles, reset() skips handles on readonly variables. reset() returns MPI_T_ERR_PVAR_NO_WRITE
    // if the reset fails for a handle that it does not skip.
    result reset(std::uint64_t session, std::uint64_t handle) noexcept {
        return change(session, handle, handle_operation::reset);
    }
    // Returns the slot of a handle, or null for an invalid handle. Values that are loaded from the slot are valid if
    // the slot's word still equals the handle after the loads.
    [[gnu::always_inline]] performance_slot* find_open_handle(std::uint64_t session,
                                                              std::uint64_t handle) const noexcept {
        performance_slot* const slot = handles_.candidate_slot(handle);
        return slot != nullptr && slot->word.load_equals(handle) && slot->session.load_equals(session) ? slot : nullptr;
    }
    result read(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        performance_slot* const slot = find_open_handle(session, handle);
        return slot != nullptr ? slot->read.load()(*slot, handle, buffer) : invalid_code(session);
    }
    // If the variable rejects one of the values, returns MPI_T_ERR_INVALID and changes no element.
    result write(std::uint64_t session, std::uint64_t handle, const void* buffer) noexcept {
        return change_one(session, handle, handle_operation::write, const_cast<void*>(buffer));
    }
    // Returns MPI_T_ERR_PVAR_NO_ATOMIC if the variable does not support an atomic read and reset.
    result read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        return change_one(session, handle, handle_operation::read_and_reset, buffer);
    }
    // Reads and resets any variable that is not readonly. MPI_T's draft of 2011 allows a tool to do so.
    result read_and_reset_without_promise(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        const core::read_guard guard;
        performance_handle target;
        performance_slot* const slot = find_open_handle(session, handle);
        if (slot == nullptr || !target.load(*slot, handle) || !target.has_target()) return invalid_code(session);
        const bool is_refused = target.record().readonly && !target.record().atomically;
        return is_refused ? result::not_atomic : target.perform(handle_operation::read_and_reset, buffer);
    }

private:
    struct session_slot : core::slot_header {
        atomic<std::uint32_t> may_have_handles; // 0 if free() need not search for handles
    };
    using session_pool = core::slot_pool<session_slot>;
    // The states of a handle on several elements. After a free, the block still contains states. An operation that
    // races with the free therefore reads a state, and rejects the state if its stamp is wrong.
    struct alignas(core::atomic_word_pair) state_block : core::slot_header {
        std::uint32_t pool_index = 0;
        core::atomic_word_pair* states() noexcept { return reinterpret_cast<core::atomic_word_pair*>(this + 1); }
    };
    using state_pool = core::slot_storage<64>;
    // Each pool has blocks of one size, which is a power of two from 1 to 32768 states.
    template <std::uint32_t... Exponent> struct pools_of {
        state_pool pools[sizeof...(Exponent)]{
            state_pool{descriptor::handle_tag::performance,
                       sizeof(state_block) + (sizeof(core::atomic_word_pair) << Exponent)}...};
    };
    using state_pools = pools_of<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

    // Allocates `count` states. Returns null if memory is exhausted, or if `count` is larger than the largest block.
    core::atomic_word_pair* allocate_states(performance_slot& slot, std::uint32_t count) noexcept {
        if (count <= 1) return &slot.state;
        const auto index = static_cast<std::uint32_t>(32 - __builtin_clz(count - 1));
        std::uint64_t word = 0;
        auto* const block = static_cast<state_block*>(
            index < sizeof states_.pools / sizeof states_.pools[0] ? states_.pools[index].take(word) : nullptr);
        if (block == nullptr) return nullptr;
        block->pool_index = index;
        block->word.store(word);
        return block->states();
    }
    void release(performance_slot& slot, core::atomic_word_pair* states, std::uint64_t word) noexcept {
        if (states != nullptr && states != &slot.state) {
            state_block& block = reinterpret_cast<state_block*>(states)[-1];
            states_.pools[block.pool_index].release(block, block.word.load());
        }
        handles_.release(slot, word);
    }
    // Returns MPI_T_ERR_INVALID_HANDLE if the session is valid, and MPI_T_ERR_INVALID_SESSION if it is not.
    [[gnu::cold, gnu::noinline]] result invalid_code(std::uint64_t session) noexcept {
        return is_session(session) ? result::invalid_handle : result::invalid_session;
    }
    template <class Visit> void for_each_handle(std::uint64_t session, Visit visit) noexcept {
        handles_.each([&](performance_slot& slot, std::uint64_t word) {
            if (slot.session.load() == session) visit(slot, word);
        });
    }
    // Frees a handle. If several threads free the handle at once, only one of the calls returns true.
    bool end(performance_slot& slot, std::uint64_t word) noexcept {
        const core::read_guard guard;
        performance_handle target;
        if (!target.load(slot, word) || !target.end(word)) return false;
        release(slot, target.states(), word);
        return true;
    }
    [[gnu::always_inline]] result change_one(std::uint64_t session, std::uint64_t handle, handle_operation step,
                                             void* buffer) noexcept {
        performance_slot* const slot = find_open_handle(session, handle);
        return slot != nullptr ? slot->change.load()(*slot, handle, step, buffer) : invalid_code(session);
    }
    result change(std::uint64_t session, std::uint64_t handle, handle_operation step) noexcept {
        return handle == all_handles ? change_all(session, step) : change_one(session, handle, step, nullptr);
    }
    // Performs an operation on each handle of the session if the handle's variable allows the operation. A handle that
    // is freed during the call causes no error. If the bound object of a handle was freed, or the variable's library
    // was unloaded, returns an error, but still performs the operation on the remaining handles.
    [[gnu::noinline]] result change_all(std::uint64_t session, handle_operation step) noexcept {
        if (!is_session(session)) return result::invalid_session;
        result status = result::success;
        for_each_handle(session, [&](performance_slot& slot, std::uint64_t word) {
            const core::read_guard guard;
            performance_handle target;
            if (!target.load(slot, word) || target.refusal_of(step) != result::success) return;
            if (target.has_target() && target.perform(step, nullptr) != result::cannot_write) return;
            status = step == handle_operation::reset ? result::cannot_write : result::cannot_start_or_stop;
        });
        return status;
    }

    session_pool sessions_{descriptor::handle_tag::performance_session};
    core::slot_pool<performance_slot> handles_{descriptor::handle_tag::performance};
    state_pools states_;
};

} // namespace session
} // namespace mpit
