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
        const result bound = made->at.bind(record, object_handle);
        if (bound != result::success || !begin(*made, word)) {
            pool->give_back(*made, word);
            return bound != result::success ? bound : result::out_of_handles;
        }
        count = record.count;
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

    result start(std::uint64_t session, std::uint64_t handle) noexcept {
        return switch_handles(session, handle, [](element_value on) { on.start(); });
    }
    result stop(std::uint64_t session, std::uint64_t handle) noexcept {
        return switch_handles(session, handle, [](element_value on) { on.stop(); });
    }
    result reset(std::uint64_t session, std::uint64_t handle) noexcept {
        const auto reset_one = [](element_value on) { on.reset(); };
        if (!is_session(session)) return result::invalid_session;
        if (handle == all_handles) {
            bool all = true;
            each_handle(session, [&](handle_slot& h, std::uint64_t) {
                if (!h.at.record().readonly) all = visit(h, h.at.cell(), reset_one) && all;
            });
            return all ? result::success : result::cannot_write;
        }
        target on;
        if (!resolve(session, handle, on)) return result::invalid_handle;
        if (on.record().readonly) return result::cannot_write;
        visit(*on.handle, on.cell, reset_one);
        return result::success;
    }
    result read(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        if (!is_session(session)) return result::invalid_session;
        target on;
        if (!resolve(session, handle, on)) return result::invalid_handle;
        describe::performance& variable = on.handle->at.variable();
        if (variable.operations->of == behaviour::direct) return variable.operations->read(variable, buffer);
        visit(*on.handle, on.cell, [&](element_value e) { e.put(e.read(), buffer); });
        return result::success;
    }
    // MPI_T_ERR_INVALID for a value that the variable cannot have; then no element is changed.
    result write(std::uint64_t session, std::uint64_t handle, const void* buffer) noexcept {
        if (!is_session(session)) return result::invalid_session;
        target on;
        if (!resolve(session, handle, on)) return result::invalid_handle;
        if (on.record().readonly) return result::cannot_write;
        bool possible = true;
        std::uint64_t word = 0;
        visit(*on.handle, on.cell, [&](element_value e) { possible = e.take(buffer, word) && possible; });
        if (!possible) return result::invalid;
        visit(*on.handle, on.cell, [&](element_value e) {
            if (e.take(buffer, word)) e.write(word);
        });
        return result::success;
    }
    result read_and_reset(std::uint64_t session, std::uint64_t handle, void* buffer) noexcept {
        if (!is_session(session)) return result::invalid_session;
        target on;
        if (!resolve(session, handle, on)) return result::invalid_handle;
        if (!on.record().atomically) return result::not_atomic;
        visit(*on.handle, on.cell, [&](element_value e) { e.put(e.read_and_reset(), buffer); });
        return result::success;
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
        // Of watermarks the value is the address of a mark, of all others the state itself.
        base::double_word* states() noexcept { return reinterpret_cast<base::double_word*>(this + 1); }
    };
    using handle_pool = slot_pool<handle_slot>;

    struct target {
        handle_slot* handle = nullptr;
        void* cell = nullptr;
        const variable_record& record() const noexcept { return handle->at.record(); }
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
    bool resolve(std::uint64_t session, std::uint64_t handle, target& to) noexcept {
        to.handle = find(session, handle);
        if (to.handle == nullptr) return false;
        to.cell = to.handle->at.cell();
        return to.cell != nullptr && to.handle->word.load() == handle;
    }

    // Calls `with` for each element; false when the variable or its object is gone.
    template <class With> static bool visit(handle_slot& h, void* cell, With with) noexcept {
        if (cell == nullptr) return false;
        describe::performance& variable = h.at.variable();
        for (std::uint32_t i = 0; i < h.at.record().count; i++)
            with(element_value{variable, cell, i, is_mark(variable) ? mark_of(h, i)->state : h.states()[i]});
        return true;
    }
    static bool is_mark(const describe::performance& v) noexcept {
        return v.operations->of == behaviour::marking_high || v.operations->of == behaviour::marking_low;
    }
    static declare::mark* mark_of(handle_slot& h, std::uint32_t element) noexcept {
        return reinterpret_cast<declare::mark*>(h.states()[element].load().value);
    }
    static declare::watched_level& level_of(handle_slot& h, void* cell, std::uint32_t element) noexcept {
        describe::performance& v = h.at.variable();
        return *static_cast<declare::watched_level*>(v.operations->level(v, cell, element));
    }

    // Prepares the states of a handle; false where there is no memory for the marks of a watermark.
    static bool begin(handle_slot& h, std::uint64_t word) noexcept {
        void* cell = h.at.cell();
        if (cell == nullptr) return false;
        describe::performance& variable = h.at.variable();
        if (is_mark(variable) && !take_marks(h, cell, word)) return false;
        visit(h, cell, [](element_value on) { on.begin(); });
        return true;
    }
    static bool take_marks(handle_slot& h, void* cell, std::uint64_t word) noexcept {
        describe::performance& variable = h.at.variable();
        const bool highest = variable.operations->of == behaviour::marking_high;
        for (std::uint32_t i = 0; i < variable.count; i++) {
            declare::mark* taken = level_of(h, cell, i).watch(highest, word);
            if (taken == nullptr) {
                leave_marks(h, cell, word, i);
                return false;
            }
            h.states()[i].initialise({reinterpret_cast<std::uint64_t>(taken), 0});
        }
        return true;
    }
    static void leave_marks(handle_slot& h, void* cell, std::uint64_t word, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i++) level_of(h, cell, i).leave(*mark_of(h, i), word);
    }
    // Frees a handle; false for all but one of those who try. The marks of an object that is gone went with it.
    static bool end(handle_slot& h, std::uint64_t word) noexcept {
        if (!handle_pool::close(h, word)) return false;
        void* cell = h.at.cell();
        if (cell != nullptr && is_mark(h.at.variable())) leave_marks(h, cell, word, h.at.record().count);
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
    // Start and stop: of all handles, those of continuous variables are left alone.
    template <class Switch> result switch_handles(std::uint64_t session, std::uint64_t handle, Switch switch_one) noexcept {
        if (!is_session(session)) return result::invalid_session;
        if (handle == all_handles) {
            bool all = true;
            each_handle(session, [&](handle_slot& h, std::uint64_t) {
                if (!h.at.record().continuous) all = visit(h, h.at.cell(), switch_one) && all;
            });
            return all ? result::success : result::cannot_start_or_stop;
        }
        target on;
        if (!resolve(session, handle, on)) return result::invalid_handle;
        if (on.record().continuous) return result::cannot_start_or_stop;
        visit(*on.handle, on.cell, switch_one);
        return result::success;
    }

    slot_pool<session_slot> sessions_{session_tag, 0, 0};
    pools handles_;
};

} // namespace mpit::session
