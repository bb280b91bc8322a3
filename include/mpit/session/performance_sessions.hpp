// Sessions and the handles in them. A handle has a state of its own for each element, so nothing that is done in one
// session, or through another handle, changes what it shows (MPI-5.0, 15.3.7).
//
//   std::uint64_t session;  sessions.create(epoch, session);   sessions.start(session, handle);
#pragma once

#include <mpit/session/bound_variable.hpp>
#include <mpit/session/element_value.hpp>
#include <mpit/session/slot_pool.hpp>

namespace mpit::session {

inline constexpr std::uint64_t all_handles = 1;

class performance_sessions {
public:
    // MPI_T_ERR_OUT_OF_SESSIONS without memory.
    result create(std::uint32_t epoch, std::uint64_t& session) noexcept {
        std::uint64_t word = 0;
        session_slot* made = sessions_.take(word);
        if (made == nullptr) return result::out_of_sessions;
        made->epoch.store(epoch);
        made->word.store(word);
        session = word;
        return result::success;
    }
    // Frees the handles of the session as well.
    result free(std::uint64_t session) noexcept {
        session_slot* s = sessions_.find(session);
        if (s == nullptr || !sessions_.close(*s, session)) return result::invalid_session;
        each_handle(session, [](handle_slot& h, std::uint64_t word) { end(h, word); });
        sessions_.give_back(*s, session);
        return result::success;
    }
    bool is_session(std::uint64_t session) noexcept { return sessions_.find(session) != nullptr; }

    // MPI_T_ERR_OUT_OF_HANDLES without memory, MPI_T_ERR_INVALID_INDEX or _HANDLE as of bound_variable::bind.
    result allocate(std::uint64_t session, variable_record& record, const void* object_handle, std::uint32_t epoch,
                    std::uint64_t& handle, std::uint32_t& count) noexcept {
        if (!is_session(session)) return result::invalid_session;
        handle_pool* pool = pool_for(record.count);
        std::uint64_t word = 0;
        handle_slot* made = pool == nullptr ? nullptr : pool->take(word);
        if (made == nullptr) return result::out_of_handles;
        target on{made, {}, nullptr, stamp_of(word)};
        result bound = on.to.bind(record, object_handle);
        on.cell = on.to.cell;
        if (bound == result::success && !begin(on, word)) bound = result::out_of_handles;
        if (bound != result::success) {
            pool->give_back(*made, word);
            return bound;
        }
        count = record.count;
        made->at.store(on.to);
        made->home = pool;
        made->session.store(session);
        made->epoch.store(epoch);
        made->word.store(word, base::sequential);
        // A session that another thread has freed meanwhile may have missed this handle.
        if (!is_session(session)) {
            end(*made, word);
            return result::invalid_session;
        }
        handle = word;
        return result::success;
    }
    result free_handle(std::uint64_t session, std::uint64_t handle) noexcept {
        if (!is_session(session)) return result::invalid_session;
        handle_slot* h = find(session, handle);
        return h != nullptr && end(*h, handle) ? result::success : result::invalid_handle;
    }

    // Of all handles, those of continuous variables are left alone; MPI_T_ERR_PVAR_NO_STARTSTOP where one fails.
    result start(std::uint64_t session, std::uint64_t handle) noexcept {
        return switch_handles(session, handle, [](element_value on) { return on.start(); });
    }
    result stop(std::uint64_t session, std::uint64_t handle) noexcept {
        return switch_handles(session, handle, [](element_value on) { return on.stop(); });
    }
    // Of all handles, those of readonly variables are left alone; MPI_T_ERR_PVAR_NO_WRITE where one fails.
    result reset(std::uint64_t session, std::uint64_t handle) noexcept {
        const auto is_readonly = [](const variable_record& r) { return r.readonly; };
        const auto reset_one = [](element_value on) { return on.reset(); };
        return handle == all_handles ? change_all(session, is_readonly, result::cannot_write, reset_one)
                                     : change(session, handle, is_readonly, result::cannot_write, reset_one);
    }
    result read(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        target on;
        const result found = resolve(session, handle, on);
        if (found != result::success) return found;
        describe::performance& variable = *on.to.variable;
        if (variable.operations->of == behaviour::direct) return variable.operations->read(variable, buffer);
        return visit(on, [&](element_value e) {
            std::uint64_t word = 0;
            const bool mine = e.read(word);
            if (mine) e.put(word, buffer);
            return mine;
        });
    }
    // MPI_T_ERR_INVALID for a value that the variable cannot have; then no element is changed.
    result write(std::uint64_t session, std::uint64_t handle, const void* buffer) noexcept {
        target on;
        const result found = resolve(session, handle, on);
        if (found != result::success) return found;
        if (on.to.record->readonly) return result::cannot_write;
        std::uint64_t word = 0;
        bool possible = true;
        const result looked = visit(on, [&](element_value e) {
            possible = e.take(buffer, word) && possible;
            return true;
        });
        if (looked != result::success || !possible) return possible ? looked : result::invalid;
        return visit(on, [&](element_value e) { return e.take(buffer, word) && e.write(word); });
    }
    result read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        const auto is_not_atomic = [](const variable_record& r) { return !r.atomically; };
        return change(session, handle, is_not_atomic, result::not_atomic, [&](element_value e) {
            std::uint64_t word = 0;
            const bool mine = e.read_and_reset(word);
            if (mine) e.put(word, buffer);
            return mine;
        });
    }

    void free_all(std::uint32_t epoch) noexcept {
        sessions_.each([&](session_slot& s, std::uint64_t word) {
            if (s.epoch.load() == epoch) static_cast<void>(free(word));
            return true;
        });
    }

private:
    struct session_slot : slot_header {};
    struct handle_slot : slot_header {
        bound_variable<describe::performance> at;
        atomic<std::uint64_t> session;
        slot_pool<handle_slot>* home = nullptr;
        base::double_word* states() noexcept { return reinterpret_cast<base::double_word*>(this + 1); }
    };
    using handle_pool = slot_pool<handle_slot>;

    // What an operation works on.
    struct target {
        handle_slot* handle = nullptr;
        reference<describe::performance> to;
        void* cell = nullptr;
        std::uint64_t stamp = 0;
    };

    // A pool for each power of two of elements, up to 32768.
    static constexpr std::uint32_t pool_count = 16;
    static constexpr std::uint8_t handle_tag = 0xb1, session_tag = 0xb2;
    template <std::uint32_t... Pool> struct pools_of {
        handle_pool all[sizeof...(Pool)]{handle_pool{handle_tag, Pool, sizeof(base::double_word) << Pool}...};
    };
    using pools = pools_of<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

    handle_pool* pool_for(std::uint32_t elements) noexcept {
        std::uint32_t pool = 0;
        while (pool < pool_count && (1u << pool) < elements) pool++;
        return pool < pool_count ? &handles_.all[pool] : nullptr;
    }
    handle_slot* find(std::uint64_t session, std::uint64_t handle) noexcept {
        handle_slot* h = handles_.all[handle_word::pool(handle)].find(handle);
        return h != nullptr && h->session.load() == session ? h : nullptr;
    }
    // Differs for the handles that one slot, or one mark, has one after the other.
    static std::uint64_t stamp_of(std::uint64_t handle) noexcept {
        return (handle >> handle_word::generation_shift ^ handle_word::slot(handle) * 0x9e3779b1u) & 0xffffff;
    }
    // False when the handle was freed meanwhile. The cell is null where the variable or the object is gone.
    static bool load(handle_slot& h, std::uint64_t handle, target& on) noexcept {
        on = {&h, h.at.load(), nullptr, stamp_of(handle)};
        if (h.word.load() != handle) return false;
        on.cell = on.to.present_cell();
        return true;
    }
    result resolve(std::uint64_t session, std::uint64_t handle, target& on) noexcept {
        if (!is_session(session)) return result::invalid_session;
        handle_slot* h = find(session, handle);
        return h != nullptr && load(*h, handle, on) && on.cell != nullptr ? result::success : result::invalid_handle;
    }

    // Calls `with` for each element, until it answers that the handle was freed.
    template <class With> static result visit(target& on, With with) noexcept {
        for (std::uint32_t i = 0; i < on.to.record->count; i++) {
            base::double_word* state = &on.handle->states()[i];
            if (is_mark(*on.to.variable)) state = state_of_mark(*state, on.stamp);
            if (state == nullptr || !with(element_value{*on.to.variable, on.cell, i, on.stamp, *state}))
                return result::invalid_handle;
        }
        return result::success;
    }
    static bool is_mark(const describe::performance& v) noexcept {
        return v.operations->of == behaviour::marking_high || v.operations->of == behaviour::marking_low;
    }
    // A handle on a watermark keeps the address of its mark where others keep their state.
    static base::double_word* state_of_mark(const base::double_word& state, std::uint64_t stamp) noexcept {
        const base::word_pair seen = state.load();
        const bool is_mine = (seen.facts & base::double_word::user_mask) == stamp;
        return is_mine ? &reinterpret_cast<declare::mark*>(seen.value)->state : nullptr;
    }
    static declare::watched_level& level_of(const target& on, std::uint32_t element) noexcept {
        return *static_cast<declare::watched_level*>(
            on.to.variable->operations->level(*on.to.variable, on.cell, element));
    }

    // Prepares the states of a handle; false where there is no memory for the marks of a watermark.
    static bool begin(target& on, std::uint64_t word) noexcept {
        if (on.to.variable->operations->of == behaviour::direct) return true;
        if (is_mark(*on.to.variable) && !take_marks(on, word)) return false;
        return visit(on, [](element_value e) { return e.begin(), true; }) == result::success;
    }
    static bool take_marks(target& on, std::uint64_t word) noexcept {
        const bool highest = on.to.variable->operations->of == behaviour::marking_high;
        for (std::uint32_t i = 0; i < on.to.record->count; i++) {
            declare::mark* taken = level_of(on, i).watch(highest, word);
            if (taken == nullptr) {
                leave_marks(on, word, i);
                return false;
            }
            on.handle->states()[i].overwrite({reinterpret_cast<std::uint64_t>(taken), on.stamp});
        }
        return true;
    }
    static void leave_marks(const target& on, std::uint64_t word, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i++)
            level_of(on, i).leave(*reinterpret_cast<declare::mark*>(on.handle->states()[i].load().value), word);
    }
    // Frees a handle; false for all but one of those who try. The marks of an object that is gone went with it.
    static bool end(handle_slot& h, std::uint64_t word) noexcept {
        target on;
        if (!load(h, word, on) || !handle_pool::close(h, word)) return false;
        if (on.cell != nullptr && is_mark(*on.to.variable)) leave_marks(on, word, on.to.record->count);
        h.session.store(0);
        h.home->give_back(h, word);
        return true;
    }

    template <class Visit> void each_handle(std::uint64_t session, Visit visit_handle) noexcept {
        for (handle_pool& pool : handles_.all)
            pool.each([&](handle_slot& h, std::uint64_t word) {
                if (h.session.load() == session) visit_handle(h, word);
                return true;
            });
    }
    // Changes one handle, unless the variable's attributes refuse it.
    template <class Refused, class Change>
    result change(std::uint64_t session, std::uint64_t handle, Refused refused, result refusal, Change change_one) noexcept {
        target on;
        const result found = resolve(session, handle, on);
        if (found != result::success) return found;
        return refused(*on.to.record) ? refusal : visit(on, change_one);
    }
    // Changes every handle of the session that can be changed. A handle that is freed meanwhile is no failure, one whose
    // object or library is gone is; the others are still changed.
    template <class Skipped, class Change>
    result change_all(std::uint64_t session, Skipped skipped, result failure, Change change_one) noexcept {
        if (!is_session(session)) return result::invalid_session;
        result answer = result::success;
        each_handle(session, [&](handle_slot& h, std::uint64_t word) {
            target on;
            if (!load(h, word, on) || skipped(*on.to.record)) return;
            if (on.cell == nullptr) answer = failure;
            else static_cast<void>(visit(on, change_one));
        });
        return answer;
    }
    template <class Switch> result switch_handles(std::uint64_t session, std::uint64_t handle, Switch switch_one) noexcept {
        const auto is_continuous = [](const variable_record& r) { return r.continuous; };
        return handle == all_handles ? change_all(session, is_continuous, result::cannot_start_or_stop, switch_one)
                                     : change(session, handle, is_continuous, result::cannot_start_or_stop, switch_one);
    }

    slot_pool<session_slot> sessions_{session_tag, 0, 0};
    pools handles_;
};

} // namespace mpit::session
