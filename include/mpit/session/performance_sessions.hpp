// SPDX-License-Identifier: BSD-3-Clause
// Sessions and their handles. A handle has its own state for each element, so that no other session and no other handle
// changes its value (MPI-5.0, 15.3.7).
//
//   std::uint64_t session;  sessions.create(counting, session);   sessions.start(session, handle);
#pragma once

#include <mpit/descriptor/handle_tag.hpp>
#include <mpit/concurrency/read_guard.hpp>
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
        session_slot* made = sessions_.take(word, &kept_sessions_);
        if (made == nullptr) return result::out_of_sessions;
        session = open(*made, word, counting);
        return session != 0 ? result::success : result::not_initialized;
    }
    // The same in a few instructions, if this thread has freed a session before. Returns 0 otherwise.
    [[gnu::always_inline]] std::uint64_t create_again(const epochs& counting) noexcept {
        std::uint64_t word = 0;
        session_slot* const made = sessions_.take_kept(word, kept_sessions_, [](const session_slot&) { return true; });
        return made != nullptr ? open(*made, word, counting) : 0;
    }
    // Frees the handles of the session as well.
    result free(std::uint64_t session) noexcept {
        session_slot* s = open_session(session);
        if (s == nullptr || !session_pool::close(*s, session)) return result::invalid_session;
        end_handles(*s, session);
        sessions_.release(*s, session, &kept_sessions_);
        return result::success;
    }
    // The same in a few instructions, for a session of this thread that has had no handles. Otherwise nothing is done.
    [[gnu::always_inline]] bool free_quickly(std::uint64_t session) noexcept {
        session_slot* const s = sessions_.first_place_for<0>(session);
        return s != nullptr && s->has_had_handles.load() == 0 && sessions_.end_and_keep(*s, session, kept_sessions_, [&] {
            if (!session_pool::is_owned_here(*s, session)) [[unlikely]]
                end_handles(*s, session);
        });
    }
    void free_all(std::uint32_t epoch) noexcept {
        sessions_.end_each([&](const session_slot& s) { return is_of_epoch(s, epoch); },
                           [&](session_slot&, std::uint64_t word) { static_cast<void>(free(word)); });
    }
    // For shims that are being unloaded, after all handles are freed and no reader is left.
    void release_all() noexcept {
        sessions_.release_all();
        kept_sessions_.clear();
        kept_handles_.clear();
        for (performance_pool& pool : handles_.all) pool.release_all();
    }
    [[gnu::always_inline]] bool is_session(std::uint64_t session) const noexcept { return open_session(session) != nullptr; }

    // MPI_T_ERR_OUT_OF_HANDLES without memory, MPI_T_ERR_INVALID_INDEX for null and _INDEX or _HANDLE as of reference::bind.
    result allocate(std::uint64_t session, variable_record* record, const void* object_handle, std::uint64_t& handle,
                    std::uint32_t& count) noexcept {
        session_slot* const owner = open_session(session);
        if (owner == nullptr) return result::invalid_session;
        if (record == nullptr) return result::invalid_index;
        if (!session_pool::is_owned_here(*owner, session)) owner->ownership.share(session);
        const internal::read_guard here;
        performance_handle target;
        std::uint32_t elements = 0;
        const result bound = target.bind(*record, object_handle, elements);
        if (bound != result::success) return bound;
        performance_pool* pool = pool_for(target.state_count());
        std::uint64_t word = 0;
        performance_slot* made = pool == nullptr ? nullptr : pool->take(word, kept_of(*pool));
        if (made == nullptr) return result::out_of_handles;
        const result filled = target.make(*made, word);
        if (filled != result::success) {
            pool->release(*made, word, kept_of(*pool));
            return filled;
        }
        if (!open(*made, word, *owner, session)) return result::invalid_session;
        handle = word;
        count = elements;
        return result::success;
    }
    // The same in a few instructions, if this thread has opened the session, and its last handle was on the same variable of the process:
    // its slot has all that the new one needs. Returns 0 otherwise.
    [[gnu::always_inline]] std::uint64_t allocate_again(std::uint64_t session, const variable_record& record) noexcept {
        session_slot* const owner = open_session(session);
        if (owner == nullptr || !session_pool::is_owned_here(*owner, session)) return 0;
        std::uint64_t word = 0;
        performance_slot* const made = handles_.all[0].take_kept(
            word, kept_handles_, [&](const performance_slot& s) { return s.variable.is_on(record) && s.count.has(1) && s.quick.can_begin_again(); });
        if (made == nullptr) return 0;
        if (!performance_handle::make_again(*made, word)) {
            handles_.all[0].release(*made, word, &kept_handles_);
            return 0;
        }
        return open(*made, word, *owner, session) ? word : 0;
    }
    // What a handle of a session is on, also after its library is unloaded or its object is freed; null for what is not a handle.
    const variable_record* record_of(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* h = find(session, handle);
        if (h == nullptr) return nullptr;
        const reference<descriptor::performance> target = h->variable.load();
        return h->word.load() == handle ? target.record : nullptr;
    }
    // The same in a few instructions, for a handle of this thread. Otherwise nothing is done.
    [[gnu::always_inline]] bool free_handle_quickly(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* const h = handles_.all[0].first_place_for<sizeof(core::double_word)>(handle);
        return h != nullptr && h->session.has(session) && h->has_end.has(0) && handles_.all[0].end_and_keep(*h, handle, kept_handles_, [h] {
            performance_handle::disown(*h);
            h->session.store(0);
        });
    }
    result free_handle(std::uint64_t session, std::uint64_t handle) noexcept {
        if (!is_session(session)) return result::invalid_session;
        performance_slot* h = find(session, handle);
        return h != nullptr && end(*h, handle) ? result::success : result::invalid_handle;
    }

    // Of all handles, those of continuous variables are left alone; MPI_T_ERR_PVAR_NO_STARTSTOP if one fails.
    result start(std::uint64_t session, std::uint64_t handle) noexcept { return change(session, handle, handle_step::start); }
    result stop(std::uint64_t session, std::uint64_t handle) noexcept { return change(session, handle, handle_step::stop); }
    // Of all handles, those of readonly variables are left alone; MPI_T_ERR_PVAR_NO_WRITE if one fails.
    result reset(std::uint64_t session, std::uint64_t handle) noexcept { return change(session, handle, handle_step::reset); }
    // Makes a step of one handle on a number of the process, as most are, in a few instructions, if the thread owns it.
    template <handle_step Step>
    [[gnu::always_inline]] rest make_quickly(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        performance_slot* const h = handles_.all[0].first_place_for<sizeof(core::double_word)>(handle);
        if (h == nullptr) return rest::at_length;
        if (!h->session.has(session)) [[unlikely]]
            return rest::all;
        atomic<std::uint32_t>* const cell = internal::quick_guard::free_cell();
        if (cell == nullptr) return rest::at_length;
        // A read asks for the owner at its end alone.
        if (Step != handle_step::read && !h->owned.is_owned_by(cell)) [[unlikely]]
            return h->quick.source(Step) == word_source::none ? rest::all : rest::at_length;
        const internal::quick_guard here{*cell};
        if (h->quick.make<Step>(h->owned, cell, {*h, h->variable, handle}, buffer)) [[likely]]
            return rest::nothing;
        return h->quick.source(Step) == word_source::none ? rest::all : rest::at_length;
    }
    // The same for handles that need more instructions.
    template <handle_step Step>
    [[gnu::always_inline]] bool make_at_length(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        performance_slot* const h = handles_.all[0].place_for(handle);
        if (h == nullptr || !h->session.has(session) || h->quick.source(Step) == word_source::none) return false;
        const internal::read_guard here;
        return h->quick.make_at_length<Step>(h->owned, *h->states(), {*h, h->variable, handle}, buffer);
    }
    [[gnu::noinline]] result read(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        const internal::read_guard here;
        performance_slot* h = find(session, handle);
        if (h != nullptr && h->is_single.load() != 0) [[likely]] {
            const reference<descriptor::performance> alone = h->variable.load();
            if (h->word.load() == handle && alone.is_loaded()) [[likely]] {
                const element_value value{*alone.variable, alone.cell, 0, performance_handle::stamp_of(handle),
                                          h->shared_states()[0]};
                std::uint64_t word = 0;
                if (!value.read(word) || !h->word.has(handle)) return result::invalid_handle;
                value.put(word, buffer);
                return result::success;
            }
        }
        performance_handle target;
        const result found = resolve(session, handle, target);
        if (found != result::success) return found;
        return visit(target, handle, handle_step::read, buffer);
    }
    // MPI_T_ERR_INVALID for a value that the variable cannot have; then no element is changed.
    result write(std::uint64_t session, std::uint64_t handle, const void* buffer) noexcept {
        return change_one(session, handle, handle_step::write, const_cast<void*>(buffer));
    }
    // MPI_T_ERR_PVAR_NO_ATOMIC if the variable does not promise it, unless that does not matter.
    result read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer,
                          bool also_without_promise = false) noexcept {
        return change_one(session, handle, handle_step::read_and_reset, buffer, also_without_promise);
    }

private:
    struct session_slot : owned_slot_header {
        atomic<std::uint32_t> has_had_handles; // otherwise its end looks for none
    };
    using session_pool = owned_slot_pool<session_slot>;
    // A pool for each power of two of elements, up to 32768.
    static constexpr std::uint32_t pool_count = 16;
    template <std::uint32_t... Pool> struct pools_of {
        performance_pool all[sizeof...(Pool)]{
            performance_pool{descriptor::handle_tag::performance, Pool, sizeof(core::double_word) << Pool}...};
    };
    using pools = pools_of<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

    performance_pool* pool_for(std::uint32_t elements) noexcept {
        if (elements <= 1) [[likely]]
            return &handles_.all[0];
        const auto pool = static_cast<std::uint32_t>(32 - __builtin_clz(elements - 1));
        return pool < pool_count ? &handles_.all[pool] : nullptr;
    }
    // Threads keep slots of the first pool.
    kept_slots* kept_of(const performance_pool& pool) noexcept { return &pool == &handles_.all[0] ? &kept_handles_ : nullptr; }
    void release(performance_slot& h, std::uint64_t word) noexcept {
        performance_pool& pool = handles_.all[handle_word::pool(word)];
        pool.release(h, word, kept_of(pool));
    }
    performance_slot* find(std::uint64_t session, std::uint64_t handle) noexcept {
        performance_slot* h = handles_.all[handle_word::pool(handle)].find(handle);
        return h != nullptr && h->session.load() == session ? h : nullptr;
    }
    result resolve(std::uint64_t session, std::uint64_t handle, performance_handle& target) noexcept {
        performance_slot* h = find(session, handle);
        if (h != nullptr && target.load(*h, handle) && target.is_there()) [[likely]]
            return result::success; // so is its session
        return is_session(session) ? result::invalid_handle : result::invalid_session;
    }
    [[gnu::always_inline]] session_slot* open_session(std::uint64_t session) const noexcept {
        session_slot* const s = sessions_.place_for(session);
        return s != nullptr && s->word.has(session) ? s : nullptr;
    }
    // Returns 0 if the epoch has ended: then the finalize may have missed the session.
    [[gnu::always_inline]] std::uint64_t open(session_slot& made, std::uint64_t word, const epochs& counting) noexcept {
        const std::uint32_t epoch = counting.present();
        made.epoch.store(epoch);
        made.has_had_handles.store(0);
        made.word.store(word);
        if (counting.goes_on(epoch)) [[likely]]
            return word;
        static_cast<void>(free(word));
        return 0;
    }
    // Of a session that has ended. Either this finds a new handle, or its allocation finds that: another thread that allocates takes the
    // session over before.
    [[gnu::noinline]] MPIT_MODULE_LOCAL void end_handles(const session_slot& ended, std::uint64_t session) noexcept {
        core::fence_pair::light(session_pool::is_owned_here(ended, session));
        if (ended.has_had_handles.load() == 0) return;
        for (performance_pool& pool : handles_.all)
            pool.end_each([&](const performance_slot& h) { return h.session.load() == session; },
                          [this](performance_slot& h, std::uint64_t word) { end(h, word); });
    }
    // Opens a handle, whose slot is filled. Returns false if the session has ended: another thread that has freed it meanwhile may have
    // missed the handle.
    [[gnu::always_inline]] bool open(performance_slot& made, std::uint64_t word, session_slot& owner, std::uint64_t session) noexcept {
        made.session.store(session);
        made.word.store(word);
        owner.has_had_handles.store(1);
        if (session_pool::is_owned_here(owner, session)) [[likely]]
            return true;
        core::whole_fence();
        if (owner.word.has(session)) [[likely]]
            return true;
        end(made, word);
        return false;
    }
    // Frees a handle. Returns true to one of several callers.
    bool end(performance_slot& h, std::uint64_t word) noexcept {
        if (h.has_end.load() != 0) return end_at_length(h, word);
        if (!performance_pool::close(h, word)) return false; // what was loaded before may be another handle's
        performance_handle::disown(h);
        h.session.store(0);
        release(h, word);
        return true;
    }
    // The same for a handle whose variable has to do something.
    [[gnu::noinline]] bool end_at_length(performance_slot& h, std::uint64_t word) noexcept {
        const internal::read_guard here;
        performance_handle target;
        if (!target.load(h, word) || !performance_pool::close(h, word)) return false;
        target.leave(word);
        h.session.store(0);
        release(h, word);
        return true;
    }

    template <class Visit> void each_handle(std::uint64_t session, Visit visit_handle) noexcept {
        for (performance_pool& pool : handles_.all)
            pool.each([&](performance_slot& h, std::uint64_t word) {
                if (h.session.load() == session) visit_handle(h, word);
            });
    }
    // Whether the variable's attributes refuse a step, with its answer.
    static result refusal_of(handle_step step, const variable_record& r, bool also_without_promise) noexcept {
        switch (step) {
        case handle_step::start:
        case handle_step::stop: return r.continuous ? result::cannot_start_or_stop : result::success;
        case handle_step::read_and_reset:
            return r.atomically || (!r.readonly && also_without_promise) ? result::success : result::not_atomic;
        default: return r.readonly ? result::cannot_write : result::success;
        }
    }
    // One body for all steps, which are rare where this is called.
    [[gnu::noinline]] MPIT_MODULE_LOCAL result change_one(std::uint64_t session, std::uint64_t handle, handle_step step,
                                                          void* buffer, bool also_without_promise = false) noexcept {
        const internal::read_guard here;
        performance_handle target;
        result answer = resolve(session, handle, target);
        if (answer == result::success) answer = refusal_of(step, target.record(), also_without_promise);
        if (answer == result::success && step == handle_step::write) answer = target.visit(handle_step::check, buffer);
        return answer == result::success ? visit(target, handle, step, buffer) : answer;
    }
    // Of a handle that was freed meanwhile a value may be younger than its end.
    static result visit(performance_handle& target, std::uint64_t handle, handle_step step, void* buffer) noexcept {
        const result answer = target.visit(step, buffer);
        return answer == result::success && !target.is_open(handle) ? result::invalid_handle : answer;
    }
    result change(std::uint64_t session, std::uint64_t handle, handle_step step) noexcept {
        return handle == all_handles ? change_all(session, step) : change_one(session, handle, step, nullptr);
    }
    // Changes every handle of the session that can be changed. A handle that is freed meanwhile is not a failure, one whose
    // object or library no longer exists is; the others are still changed.
    [[gnu::noinline]] MPIT_MODULE_LOCAL result change_all(std::uint64_t session, handle_step step) noexcept {
        if (!is_session(session)) return result::invalid_session;
        result answer = result::success;
        each_handle(session, [&](performance_slot& h, std::uint64_t word) {
            const rest left = step == handle_step::start  ? make_quickly<handle_step::start>(session, word, nullptr)
                              : step == handle_step::stop ? make_quickly<handle_step::stop>(session, word, nullptr)
                                                          : make_quickly<handle_step::reset>(session, word, nullptr);
            if (left == rest::nothing) return; // the thread goes on owning its handles
            const internal::read_guard here;
            performance_handle target;
            if (!target.load(h, word) || refusal_of(step, target.record(), false) != result::success) return;
            const bool is_there = target.is_there();
            if (is_there && target.visit(step) != result::cannot_write) return;
            answer = step == handle_step::reset ? result::cannot_write : result::cannot_start_or_stop;
        });
        return answer;
    }

    session_pool sessions_{descriptor::handle_tag::performance_session, 0, 0};
    pools handles_;
    kept_slots kept_sessions_, kept_handles_;
};

} // namespace session
} // namespace mpit
