// Random call sequences against a reference model: sessions, handles and variables as plain values in maps, changed at
// once by every call and by every change of the library. After each step the standard functions must give the model's
// answers and, through every open handle, the model's values.
//     MPIT_MODEL_SEED=7 MPIT_MODEL_SEQUENCES=1 session-model     repeats the sequence that a failure has named
// Amounts are multiples of a quarter, so that sums of doubles are exact.

#include "../long_tests.hpp"
#include "modelled.hpp"
#include "reference.hpp"

#include <mpit/mpi_t/constants.hpp>

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>
#include <stdexcept>

namespace {

constexpr int object_count = 5;
communicator handle_of_object(int object) {
    return handle_number<communicator>(0x1000u + static_cast<unsigned>(object));
}

struct disagreement : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What is open, in the order in which it was opened: handle words differ from run to run, their order must not.
template <class Model> struct opened : std::vector<std::pair<std::uintptr_t, Model>> {
    Model* find(std::uintptr_t word) {
        for (auto& [known, model] : *this)
            if (known == word) return &model;
        return nullptr;
    }
    bool has(std::uintptr_t word) { return find(word) != nullptr; }
    void forget(std::uintptr_t word) {
        std::erase_if(*this, [&](const auto& one) { return one.first == word; });
    }
};
struct session_model {};

class model_test {
public:
    model_test() {
        initialized now;
        add_performances();
        add_controls();
    }
    // Runs one sequence; its whole history is told when the library and the model disagree.
    void run(std::uint64_t seed, int steps) {
        random_.seed(seed);
        history_.str("");
        try {
            begin_sequence();
            for (int step = 0; step < steps; step++) {
                history_ << "\n" << step << ": ";
                make_step();
                compare_everything();
            }
        } catch (const disagreement& d) {
            FAIL("MPIT_MODEL_SEED=" << seed << ": " << d.what() << " after" << history_.str());
        }
    }

private:
    // The variables.

    performance_model& add(const mpit::descriptor::performance& v, const char* name, motion moves, values initial) {
        performances_.emplace_back();
        performance_model& m = performances_.back();
        for (int i = 0; i < mpit::performance_class_count; i++)
            if (static_cast<int>(v.variable_class) == i) m.in_class = mpit::mpi_t::class_constants[i];
        m.index = pvar_index(name, m.in_class);
        m.type = mpit::mpi_t::constant_of(v.type);
        m.bound = v.binding != mpit::binding::none;
        m.count = initial.size();
        m.moves = moves;
        m.readonly = v.readonly;
        m.continuous = v.continuous;
        m.atomic = v.atomic;
        m.initial = initial;
        if (!m.bound) m.begin(0);
        return m;
    }
    performance_model& add_computed(const mpit::descriptor::performance& v, const char* name, motion moves,
                                    values initial) {
        performance_model& m = add(v, name, moves, initial);
        m.computed = true;
        return m;
    }
    template <class V> performance_model& add_cells(V& v, const char* name, motion moves, values initial) {
        performance_model& m = add(v, name, moves, initial);
        m.change = [this, &v, &m](int object, std::size_t i, double to) {
            const double old = m.of(object).present[i];
            if constexpr (requires(communicator c) { v[c]; }) change_cell(v[handle_of_object(object)], m.type, old, to);
            else if constexpr (requires { v[i]; }) change_cell(v[i], m.type, old, to);
            else change_cell(v, m.type, old, to);
        };
        return m;
    }
    template <class Cell> void change_cell(Cell& cell, MPI_Datatype type, double old, double to) {
        if constexpr (std::is_base_of_v<mpit::timer_cell, Cell>) {
            cell.add(static_cast<std::uint64_t>((to - old) * (type == MPI_DOUBLE ? 1e9 : 1)));
        } else if constexpr (std::is_base_of_v<mpit::counter_cell, Cell>) {
            if (to - old == 1) ++cell;
            else cell += static_cast<std::uint64_t>(to - old);
        } else if constexpr (std::is_base_of_v<mpit::real_cell, Cell>) {
            cell += to - old;
        } else {
            using T = decltype(cell.get());
            if constexpr (requires { cell -= 1; }) {
                if (chance(2)) return cell += to - old;
            }
            if constexpr (std::is_enum_v<T>) cell = static_cast<T>(static_cast<int>(to));
            else if constexpr (std::is_arithmetic_v<T>) cell = static_cast<T>(to);
            else cell = T{static_cast<decltype(T::value)>(to)};
        }
    }
    void add_performances() {
        performances_.reserve(64);
        auto& v = modelled;
        const double red = static_cast<int>(colour::red), blue = static_cast<int>(colour::blue);
        add_cells(v.counter, "m_counter", motion::sum, {0});
        add_cells(v.narrow, "m_narrow", motion::sum, {0});
        add_cells(v.counters, "m_counters", motion::sum, {0, 0, 0});
        add_cells(v.continuous, "m_continuous", motion::sum, {0});
        add_cells(v.readonly, "m_readonly", motion::sum, {0});
        add_cells(v.watched, "m_watched", motion::sum, {0});
        add_cells(v.not_atomic, "m_not_atomic", motion::sum, {0});
        add_cells(v.amount, "m_amount", motion::sum, {0});
        add_cells(v.timer, "m_timer", motion::sum, {0});
        add_cells(v.nanoseconds, "m_nanoseconds", motion::sum, {0});
        performance_model& level = add_cells(v.level, "m_level", motion::follow, {3});
        add_cells(v.real_level, "m_real_level", motion::follow, {0});
        add_cells(v.levels, "m_levels", motion::follow, {0, 0});
        add_cells(v.size, "m_size", motion::follow, {64});
        add_cells(v.percentage, "m_percentage", motion::follow, {0.25});
        add_cells(v.full, "m_full", motion::follow, {0});
        add(v.highest, "m_level", motion::highest, {0}).level = &level;
        add(v.lowest, "m_level", motion::lowest, {0}).level = &level;
        add_cells(v.own_high, "m_own_high", motion::highest, {1});
        add_cells(v.own_low, "m_own_low", motion::lowest, {10});
        add_cells(v.high_pair, "m_high_pair", motion::highest, {0, 0});
        add_cells(v.always_low, "m_always_low", motion::lowest, {5});
        add_cells(v.state, "m_state", motion::choose, {blue});
        add_cells(v.open_state, "m_open_state", motion::choose, {red});
        add_cells(v.generic, "m_generic", motion::sum, {100}).starting_value = 100;
        add_cells(v.small_generic, "m_small_generic", motion::sum, {0});
        add_cells(v.real_generic, "m_real_generic", motion::sum, {-0.5}).starting_value = -0.5;
        add_computed(v.of_level, "m_computed_level", motion::follow, {3}).change = [](int, std::size_t, double to) {
            computed_level = to;
        };
        add_computed(v.of_sum, "m_computed_sum", motion::sum, {0}).change = [](int, std::size_t, double to) {
            computed_sum = to;
        };
        add_computed(v.of_state, "m_computed_state", motion::choose, {red}).change = [](int, std::size_t, double to) {
            computed_state = static_cast<colour>(static_cast<int>(to));
        };
        add_computed(v.of_colour, "m_computed_colour", motion::choose, {blue}).change =
            [](int, std::size_t, double to) { computed_colour = static_cast<colour>(static_cast<int>(to)); };
        add(v.of_text, "m_text", motion::fixed, {'x', 0, 0, 0, 0, 0, 0, 0});
        add_cells(v.bound_counter, "m_bound_counter", motion::sum, {0});
        add_cells(v.bound_amount, "m_bound_amount", motion::sum, {0});
        add_cells(v.bound_level, "m_bound_level", motion::follow, {2});
        add_cells(v.bound_high, "m_bound_high", motion::highest, {4});
        add_cells(v.bound_low, "m_bound_low", motion::lowest, {6});
        add_cells(v.bound_state, "m_bound_state", motion::choose, {100});
        add_cells(v.bound_generic, "m_bound_generic", motion::sum, {-7}).starting_value = -7;
    }

    static int always(const values&) { return MPI_SUCCESS; }
    static int valid_if(bool holds) { return holds ? MPI_SUCCESS : MPI_T_ERR_INVALID; }
    control_model& add_control(const mpit::descriptor::control& v, const char* name, values initial,
                               int (*judge)(const values&) = always) {
        controls_.emplace_back();
        control_model& m = controls_.back();
        m.index = cvar_index(name);
        m.type = mpit::mpi_t::constant_of(v.type);
        m.bound = v.binding != mpit::binding::none;
        m.scope = mpit::mpi_t::constant_of(v.scope);
        m.count = initial.size();
        m.initial = initial;
        m.judge = judge;
        if (!m.bound) m.begin(0);
        return m;
    }
    template <class V>
    control_model& add_number(V& v, const char* name, double initial, int (*judge)(const values&) = always) {
        control_model& m = add_control(v, name, {initial}, judge);
        m.change = [&v](int object, const values& to) {
            if constexpr (requires { v.get(); }) {
                using T = decltype(v.get());
                if constexpr (std::is_class_v<T>) v = T{static_cast<decltype(T::value)>(to[0])};
                else if constexpr (std::is_enum_v<T>) v = static_cast<T>(static_cast<int>(to[0]));
                else v = static_cast<T>(to[0]);
            } else {
                v[handle_of_object(object)] = static_cast<int>(to[0]);
            }
        };
        return m;
    }
    void add_controls() {
        controls_.reserve(32);
        auto& c = all.controls;
        add_number(c.plain, "C_INT", 5);
        add_number(c.of_unsigned_long, "C_UNSIGNED_LONG", 0);
        add_number(c.of_double, "C_DOUBLE", 0.5, [](const values& v) { return valid_if(!std::isnan(v[0])); });
        add_number(c.of_int64, "C_INT64", 0);
        add_number(c.ranged, "C_RANGED", 50, [](const values& v) { return valid_if(v[0] >= 0 && v[0] <= 100); });
        add_number(c.enumerated, "C_COLOUR", 100, [](const values& v) { return valid_if(is_colour(v[0])); });
        add_number(c.constant, "C_CONSTANT", 42);
        add_number(c.readonly, "C_READONLY", 0);
        add_number(c.of_all_equal, "C_ALL_EQ", 0);
        add_number(c.in_phases, "C_PHASE", 0,
                   [](const values&) -> int { return phase_is_open ? MPI_SUCCESS : MPI_T_ERR_CVAR_SET_NOT_NOW; });
        add_number(c.frozen, "C_FROZEN", 0, [](const values&) -> int { return MPI_T_ERR_CVAR_SET_NEVER; });
        add_number(c.even, "C_EVEN", 0, [](const values& v) { return valid_if(std::fmod(v[0], 2) == 0); });
        add_number(c.bound, "C_BOUND", 7);
        add_control(c.array, "C_ARRAY", {1, 2, 3, 4}).change = [](int, const values& to) {
            mpit::elements<int, 4> whole;
            for (std::size_t i = 0; i < 4; i++) whole[i] = static_cast<int>(to[i]);
            all.controls.array = whole;
        };
        control_model& sized = add_control(c.bound_array, "C_BOUND_ARRAY", values(8));
        sized.elements = [](int object) { return reinterpret_cast<std::uintptr_t>(handle_of_object(object)) & 7; };
        sized.change = [](int object, const values& to) {
            mpit::elements<int, 8> whole;
            for (std::size_t i = 0; i < 8; i++) whole[i] = static_cast<int>(to[i]);
            all.controls.bound_array[handle_of_object(object)].set(whole);
        };
    }
    static bool is_colour(double v) { return v == -5 || v == 7 || v == 100; }

    // Chances.

    std::size_t up_to(std::size_t n) { return static_cast<std::size_t>(random_()) % n; }
    bool chance(std::size_t one_in) { return up_to(one_in) == 0; }
    double number(int from, int to) {
        return from + static_cast<double>(up_to(static_cast<std::size_t>(to - from + 1)));
    }
    int any_object() { return 1 + static_cast<int>(up_to(object_count)); }
    double any_colour() {
        static constexpr int colours[] = {-5, 7, 100};
        return colours[up_to(3)];
    }
    // A handle of `known`, or one that never was, or one of something else.
    template <class Model> std::uintptr_t any(const opened<Model>& known) {
        if (!known.empty() && !chance(8)) return known[up_to(known.size())].first;
        switch (up_to(5)) {
        case 0: return 0;
        case 1: return stale_.empty() ? 2 : stale_[up_to(stale_.size())];
        case 2: return static_cast<std::uintptr_t>(random_());
        case 3: return sessions_.empty() ? 3 : sessions_.front().first;
        default: return cvars_.empty() ? 4 : cvars_.front().first;
        }
    }

    // What the library does by itself.

    double next_present(const performance_model& m, double old) {
        switch (m.moves) {
        case motion::sum: {
            const double step = m.in_class == MPI_T_PVAR_CLASS_GENERIC ? number(-3, 3) : number(0, 3);
            return old + (m.type == MPI_DOUBLE ? step * 0.25 : step);
        }
        case motion::choose: return any_colour();
        default:
            if (m.is_percentage()) return number(-2, 6) * 0.25;
            return m.type == MPI_DOUBLE ? number(0, 40) * 0.25 : number(0, 12);
        }
    }
    void change_a_performance() {
        performance_model& m = performances_[up_to(performances_.size())];
        if (!m.change) return;
        const int object = m.bound ? any_object() : 0;
        const std::size_t i = up_to(m.count);
        m.begin(object);
        const double old = m.of(object).present[i], to = next_present(m, old);
        history_ << "\n   the library changes performance variable " << m.index << "[" << object << "][" << i
                 << "] from " << old << " to " << to;
        m.change(object, i, to);
        m.of(object).present[i] = to;
        for (auto& [word, h] : pvars_)
            if ((h.variable == &m || h.variable->level == &m) && h.object == object && h.is_alive()) h.notice(i, old);
    }
    void change_a_control() {
        control_model& m = controls_[up_to(controls_.size())];
        if (m.scope == MPI_T_SCOPE_CONSTANT) return;
        const int object = m.bound ? any_object() : 0;
        history_ << "the library changes control variable " << m.index << "[" << object << "]";
        values to(m.count);
        for (double& x : to) x = is_colour(m.initial[0]) ? any_colour() : number(0, 50);
        m.begin(object);
        m.change(object, to);
        m.of(object).present = to;
    }
    void create_an_object() {
        const int object = any_object();
        history_ << "object " << object << " is created";
        mpit::created(modelled, handle_of_object(object));
        mpit::created(all, handle_of_object(object));
        for (auto& m : performances_)
            if (m.bound) m.begin(object);
        for (auto& m : controls_)
            if (m.bound) m.begin(object);
    }
    void free_an_object(int object) {
        history_ << "object " << object << " is freed";
        mpit::freed(modelled, handle_of_object(object));
        mpit::freed(all, handle_of_object(object));
        for (auto& m : performances_) m.end(object);
        for (auto& m : controls_) m.end(object);
    }

    // Answers.

    void demand(const char* function, int answer, int wanted) {
        history_ << " -> " << answer;
        if (answer != wanted)
            throw disagreement{std::string{function} + " answers " + std::to_string(answer) + " instead of " +
                               std::to_string(wanted)};
    }
    void demand(bool holds, const char* what) {
        if (!holds) throw disagreement{what};
    }
    template <class Shown>
    void demand_values(const value_buffer& buffer, MPI_Datatype type, std::size_t count, Shown shown) {
        static const value_buffer untouched;
        const std::size_t size = size_of(type);
        for (std::size_t i = 0; i < count; i++) {
            const double read = got(type, buffer.bytes + i * size);
            if (read == shown(i)) continue;
            std::ostringstream said;
            said << "element " << i << " is " << read << " instead of " << shown(i);
            throw disagreement{said.str()};
        }
        demand(std::memcmp(buffer.bytes + count * size, untouched.bytes, buffer_size - count * size) == 0,
               "bytes behind the value were written");
    }
    int epoch_or(int answer) const { return epochs_ == 0 ? MPI_T_ERR_NOT_INITIALIZED : answer; }

    void forget_all() {
        for (auto& [word, s] : sessions_) stale_.push_back(word);
        for (auto& [word, h] : pvars_) stale_.push_back(word);
        for (auto& [word, h] : cvars_) stale_.push_back(word);
        sessions_.clear();
        pvars_.clear();
        cvars_.clear();
    }

    // The calls of a tool.

    void initialize() {
        history_ << "init_thread";
        int provided = -1;
        demand("init_thread", MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), MPI_SUCCESS);
        epochs_++;
    }
    void finalize() {
        history_ << "finalize";
        demand("finalize", MPI_T_finalize(), epoch_or(MPI_SUCCESS));
        if (epochs_ > 0 && --epochs_ == 0) forget_all();
    }
    void create_session() {
        history_ << "session_create";
        MPI_T_pvar_session made = MPI_T_PVAR_SESSION_NULL;
        demand("pvar_session_create", MPI_T_pvar_session_create(&made), epoch_or(MPI_SUCCESS));
        if (epochs_ == 0) return;
        const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(made);
        demand(word != 0 && !sessions_.has(word) && !pvars_.has(word), "the new session is not new");
        sessions_.push_back({word, {}});
    }
    void free_session() {
        const std::uintptr_t word = any(sessions_);
        history_ << "session_free " << word;
        auto s = reinterpret_cast<MPI_T_pvar_session>(word);
        const bool is_known = sessions_.has(word);
        demand("pvar_session_free", MPI_T_pvar_session_free(&s),
               epoch_or(is_known ? MPI_SUCCESS : MPI_T_ERR_INVALID_SESSION));
        if (!is_known) return demand(reinterpret_cast<std::uintptr_t>(s) == word, "a refused session was changed");
        demand(s == MPI_T_PVAR_SESSION_NULL, "a freed session is not null");
        sessions_.forget(word);
        stale_.push_back(word);
        for (auto& [handle, h] : pvars_)
            if (h.session == word) stale_.push_back(handle);
        std::erase_if(pvars_, [&](const auto& one) { return one.second.session == word; });
    }
    // The variable of an index that is sometimes none.
    template <class Variable> Variable* any_variable(std::vector<Variable>& from, int& index) {
        Variable& m = from[up_to(from.size())];
        index = m.index;
        if (!chance(20)) return &m;
        index = chance(2) ? -1 : INT_MAX;
        return nullptr;
    }
    // The answer for an object: whether the address is null, and whether it is known.
    template <class Variable> int judge_object(const Variable* m, bool has_address, int object) {
        if (m == nullptr) return MPI_T_ERR_INVALID_INDEX;
        return m->bound && (!has_address || !m->has(object)) ? MPI_T_ERR_INVALID_HANDLE : MPI_SUCCESS;
    }
    void allocate_pvar() {
        if (pvars_.size() > 12) return free_pvar();
        const std::uintptr_t session = any(sessions_);
        int index = 0, count = -7;
        performance_model* m = any_variable(performances_, index);
        const int object = any_object();
        const bool has_address = !chance(8);
        communicator object_handle = handle_of_object(object);
        history_ << "pvar_handle_alloc of " << index << "[" << object << "] in " << session;
        MPI_T_pvar_handle made = MPI_T_PVAR_ALL_HANDLES;
        const int wanted =
            epoch_or(!sessions_.has(session) ? MPI_T_ERR_INVALID_SESSION : judge_object(m, has_address, object));
        demand("pvar_handle_alloc",
               MPI_T_pvar_handle_alloc(reinterpret_cast<MPI_T_pvar_session>(session), index,
                                       has_address ? &object_handle : nullptr, &made, &count),
               wanted);
        if (wanted == MPI_T_ERR_NOT_INITIALIZED) return;
        if (wanted != MPI_SUCCESS)
            return demand(made == MPI_T_PVAR_HANDLE_NULL && count == -7,
                          "a failed allocation left a handle or a count");
        demand(count == static_cast<int>(m->count), "wrong count");
        const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(made);
        demand(word > 1 && !pvars_.has(word) && !cvars_.has(word), "the new handle is not new");
        pvars_.push_back({word, {}});
        pvar_model& h = pvars_.back().second;
        h.session = session;
        h.variable = m;
        h.object = m->bound ? object : 0;
        h.birth = m->of(h.object).birth;
        h.begin();
    }
    // A session and a handle that mostly belong together, and what a function that takes any handle has to answer.
    struct choice {
        std::uintptr_t session, handle;
        pvar_model* found;
        int answer;
        MPI_T_pvar_session s() const { return reinterpret_cast<MPI_T_pvar_session>(session); }
        MPI_T_pvar_handle h() const { return reinterpret_cast<MPI_T_pvar_handle>(handle); }
    };
    choice choose() {
        choice c{any(sessions_), any(pvars_), nullptr, MPI_SUCCESS};
        pvar_model* at = pvars_.find(c.handle);
        if (at != nullptr && !chance(8)) c.session = at->session;
        if (!sessions_.has(c.session)) c.answer = MPI_T_ERR_INVALID_SESSION;
        else if (at == nullptr || at->session != c.session) c.answer = MPI_T_ERR_INVALID_HANDLE;
        else c.found = at;
        history_ << " " << c.session << " " << c.handle;
        return c;
    }
    choice choose_alive() {
        choice c = choose();
        if (c.found != nullptr && !c.found->is_alive()) {
            c.found = nullptr;
            c.answer = MPI_T_ERR_INVALID_HANDLE;
        }
        return c;
    }
    void free_pvar() {
        history_ << "pvar_handle_free";
        choice c = choose();
        auto h = c.h();
        demand("pvar_handle_free", MPI_T_pvar_handle_free(c.s(), &h), epoch_or(c.answer));
        if (c.found == nullptr) return demand(h == c.h(), "a refused handle was changed");
        demand(h == MPI_T_PVAR_HANDLE_NULL, "a freed handle is not null");
        stale_.push_back(c.handle);
        pvars_.forget(c.handle);
    }
    // Start, stop or reset of one handle or of all handles of a session.
    template <class Refuses, class Change>
    void change_handles(const char* name, int (*function)(MPI_T_pvar_session, MPI_T_pvar_handle), Refuses refuses,
                        int refusal, Change change) {
        history_ << name;
        if (!chance(5)) {
            choice c = choose_alive();
            if (c.found != nullptr && refuses(*c.found->variable)) {
                c.found = nullptr;
                c.answer = refusal;
            }
            demand(name, function(c.s(), c.h()), epoch_or(c.answer));
            if (c.found != nullptr) change(*c.found);
            return;
        }
        const std::uintptr_t session = any(sessions_);
        history_ << " " << session << " ALL";
        int wanted = !sessions_.has(session) ? MPI_T_ERR_INVALID_SESSION : MPI_SUCCESS;
        for (auto& [word, h] : pvars_) {
            if (h.session != session || refuses(*h.variable)) continue;
            if (h.is_alive()) change(h);
            else wanted = refusal;
        }
        demand(name, function(reinterpret_cast<MPI_T_pvar_session>(session), MPI_T_PVAR_ALL_HANDLES), epoch_or(wanted));
    }
    static bool is_continuous(const performance_model& m) { return m.continuous; }
    static bool is_readonly(const performance_model& m) { return m.readonly; }
    void start() {
        change_handles("pvar_start", &MPI_T_pvar_start, is_continuous, MPI_T_ERR_PVAR_NO_STARTSTOP,
                       [](pvar_model& h) { h.start(); });
    }
    void stop() {
        change_handles("pvar_stop", &MPI_T_pvar_stop, is_continuous, MPI_T_ERR_PVAR_NO_STARTSTOP,
                       [](pvar_model& h) { h.stop(); });
    }
    void reset() {
        change_handles("pvar_reset", &MPI_T_pvar_reset, is_readonly, MPI_T_ERR_PVAR_NO_WRITE,
                       [](pvar_model& h) { h.reset(); });
    }

    void read_pvar(bool and_reset) {
        history_ << (and_reset ? "pvar_readreset" : "pvar_read");
        choice c = choose_alive();
        if (chance(30))
            c.handle = 1, c.found = nullptr,
            c.answer = sessions_.has(c.session) ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_INVALID_SESSION;
        if (and_reset && c.found != nullptr && !c.found->variable->atomic) {
            c.found = nullptr;
            c.answer = MPI_T_ERR_PVAR_NO_ATOMIC;
        }
        value_buffer buffer;
        if (chance(40)) {
            const int answer = (and_reset ? &MPI_T_pvar_readreset : &MPI_T_pvar_read)(c.s(), c.h(), nullptr);
            return demand("reading into no buffer", answer, epoch_or(MPI_T_ERR_INVALID));
        }
        demand("pvar_read", (and_reset ? &MPI_T_pvar_readreset : &MPI_T_pvar_read)(c.s(), c.h(), buffer.bytes),
               epoch_or(c.answer));
        if (c.found == nullptr) return demand_values(buffer, MPI_CHAR, 0, [](std::size_t) { return 0.0; });
        demand_values(buffer, c.found->variable->type, c.found->variable->count,
                      [&](std::size_t i) { return c.found->shown(i); });
        if (and_reset) c.found->reset();
    }
    bool may_be(const performance_model& m, double value) {
        if (m.moves == motion::choose) return is_colour(value);
        if (m.type != MPI_DOUBLE) return true;
        if (std::isnan(value) || (value < 0 && m.in_class != MPI_T_PVAR_CLASS_GENERIC)) return false;
        return !m.is_percentage() || value <= 1;
    }
    double any_value_for(const performance_model& m) {
        if (m.moves == motion::choose) return chance(6) ? 3 : any_colour();
        if (m.type != MPI_DOUBLE) return number(m.in_class == MPI_T_PVAR_CLASS_GENERIC ? -9 : 0, 20);
        if (chance(10)) return chance(2) ? std::nan("") : -1;
        return number(0, m.is_percentage() ? 5 : 40) * 0.25;
    }
    void write_pvar() {
        history_ << "pvar_write";
        choice c = choose_alive();
        value_buffer buffer;
        values wanted;
        if (c.found != nullptr) {
            const performance_model& m = *c.found->variable;
            for (std::size_t i = 0; i < m.count; i++) {
                wanted.push_back(m.moves == motion::fixed ? 'y' : any_value_for(m));
                put(m.type, wanted.back(), buffer.bytes + i * size_of(m.type));
                history_ << " " << wanted.back();
                if (!may_be(m, wanted.back())) c.answer = MPI_T_ERR_INVALID;
            }
            if (m.readonly) c.answer = MPI_T_ERR_PVAR_NO_WRITE;
        }
        demand("pvar_write", MPI_T_pvar_write(c.s(), c.h(), buffer.bytes), epoch_or(c.answer));
        if (c.found != nullptr && c.answer == MPI_SUCCESS) c.found->write(wanted);
    }

    void allocate_cvar() {
        if (cvars_.size() > 6) return free_cvar();
        int index = 0, count = -7;
        control_model* m = any_variable(controls_, index);
        const int object = any_object();
        const bool has_address = !chance(8);
        communicator object_handle = handle_of_object(object);
        history_ << "cvar_handle_alloc of " << index << "[" << object << "]";
        MPI_T_cvar_handle made = reinterpret_cast<MPI_T_cvar_handle>(std::uintptr_t{5});
        const int wanted = epoch_or(judge_object(m, has_address, object));
        demand("cvar_handle_alloc",
               MPI_T_cvar_handle_alloc(index, has_address ? &object_handle : nullptr, &made, &count), wanted);
        if (wanted == MPI_T_ERR_NOT_INITIALIZED) return;
        if (wanted != MPI_SUCCESS)
            return demand(made == MPI_T_CVAR_HANDLE_NULL && count == -7,
                          "a failed allocation left a handle or a count");
        const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(made);
        demand(word != 0 && !pvars_.has(word) && !cvars_.has(word), "the new handle is not new");
        const int of = m->bound ? object : 0;
        demand(count == static_cast<int>(m->elements_of(of)), "wrong count");
        cvars_.push_back({word, {m, of, m->of(of).birth}});
    }
    void free_cvar() {
        const std::uintptr_t word = any(cvars_);
        history_ << "cvar_handle_free " << word;
        auto h = reinterpret_cast<MPI_T_cvar_handle>(word);
        const bool is_known = cvars_.has(word);
        demand("cvar_handle_free", MPI_T_cvar_handle_free(&h),
               epoch_or(is_known ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE));
        if (!is_known) return demand(reinterpret_cast<std::uintptr_t>(h) == word, "a refused handle was changed");
        demand(h == MPI_T_CVAR_HANDLE_NULL, "a freed handle is not null");
        cvars_.forget(word);
        stale_.push_back(word);
    }
    cvar_model* find_cvar(std::uintptr_t word) {
        cvar_model* at = cvars_.find(word);
        return at != nullptr && at->is_alive() ? at : nullptr;
    }
    void demand_control(const value_buffer& buffer, const cvar_model& h) {
        const values& present = h.variable->of(h.object).present;
        demand_values(buffer, h.variable->type, h.variable->elements_of(h.object),
                      [&](std::size_t i) { return present[i]; });
    }
    void read_cvar() {
        const std::uintptr_t word = any(cvars_);
        history_ << "cvar_read " << word;
        value_buffer buffer;
        const cvar_model* h = find_cvar(word);
        demand("cvar_read", MPI_T_cvar_read(reinterpret_cast<MPI_T_cvar_handle>(word), buffer.bytes),
               epoch_or(h != nullptr ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE));
        if (h == nullptr) demand_values(buffer, MPI_CHAR, 0, [](std::size_t) { return 0.0; });
        else demand_control(buffer, *h);
    }
    void write_cvar() {
        const std::uintptr_t word = any(cvars_);
        history_ << "cvar_write " << word;
        value_buffer buffer;
        cvar_model* h = find_cvar(word);
        values wanted;
        int answer = MPI_T_ERR_INVALID_HANDLE;
        if (h != nullptr) {
            control_model& m = *h->variable;
            wanted.resize(m.count);
            for (std::size_t i = 0; i < m.elements_of(h->object); i++) {
                wanted[i] = m.type == MPI_DOUBLE && chance(10)     ? std::nan("")
                            : is_colour(m.initial[0]) && chance(2) ? any_colour()
                                                                   : number(0, 130);
                put(m.type, wanted[i], buffer.bytes + i * size_of(m.type));
                history_ << " " << wanted[i];
            }
            answer = m.scope == MPI_T_SCOPE_CONSTANT || m.scope == MPI_T_SCOPE_READONLY ? MPI_T_ERR_CVAR_SET_NEVER
                                                                                        : m.judge(wanted);
        }
        demand("cvar_write", MPI_T_cvar_write(reinterpret_cast<MPI_T_cvar_handle>(word), buffer.bytes),
               epoch_or(answer));
        if (answer == MPI_SUCCESS) h->variable->of(h->object).present = wanted;
    }

    // Sequences.

    void begin_sequence() {
        while (epochs_ > 0) finalize();
        forget_all();
        stale_.clear();
        phase_is_open = false;
        for (int object = 1; object <= object_count; object++) free_an_object(object);
        for (int i = 0; i < 3; i++) create_an_object();
        initialize();
        create_session();
        history_.str("");
    }
    void make_step() {
        if (epochs_ == 0 && chance(3)) return initialize();
        if (sessions_.empty() && chance(3)) return create_session();
        switch (up_to(32)) {
        case 0: return chance(4) || epochs_ == 0 ? initialize() : create_session();
        case 1: return chance(4) ? finalize() : create_session();
        case 2: return chance(4) ? free_session() : start();
        case 3: return create_an_object();
        case 4: return chance(2) ? free_an_object(any_object()) : create_an_object();
        case 5:
        case 6:
        case 7:
        case 8:
        case 9: return allocate_pvar();
        case 10: return free_pvar();
        case 11:
        case 12:
        case 13: return start();
        case 14:
        case 15: return stop();
        case 16:
        case 17: return reset();
        case 18: return read_pvar(false);
        case 19:
        case 20: return read_pvar(true);
        case 21:
        case 22:
        case 23: return write_pvar();
        case 24: return allocate_cvar();
        case 25: return chance(2) ? free_cvar() : read_cvar();
        case 26:
        case 27: return write_cvar();
        case 28: phase_is_open = !phase_is_open; return change_a_control();
        default:
            for (int i = 0; i < 6; i++) change_a_performance();
        }
    }
    // Looking changes nothing, so every handle can be looked at after every step.
    void compare_everything() {
        for (auto& [word, h] : pvars_) {
            value_buffer buffer;
            const bool is_alive = h.is_alive();
            const int answer = MPI_T_pvar_read(reinterpret_cast<MPI_T_pvar_session>(h.session),
                                               reinterpret_cast<MPI_T_pvar_handle>(word), buffer.bytes);
            if (answer != (is_alive ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE))
                demand("looking at a pvar", answer, is_alive ? MPI_SUCCESS : MPI_T_ERR_INVALID_HANDLE);
            if (is_alive)
                demand_values(buffer, h.variable->type, h.variable->count,
                              [&model = h](std::size_t i) { return model.shown(i); });
        }
        for (auto& [word, h] : cvars_) {
            if (!h.is_alive()) continue;
            value_buffer buffer;
            if (MPI_T_cvar_read(reinterpret_cast<MPI_T_cvar_handle>(word), buffer.bytes) != MPI_SUCCESS)
                throw disagreement{"looking at a cvar fails"};
            demand_control(buffer, h);
        }
    }

    std::mt19937_64 random_;
    std::ostringstream history_;
    std::vector<performance_model> performances_;
    std::vector<control_model> controls_;
    int epochs_ = 0;
    opened<session_model> sessions_;
    opened<pvar_model> pvars_;
    opened<cvar_model> cvars_;
    std::vector<std::uintptr_t> stale_;
};

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* given = std::getenv(name);
    return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

} // namespace

TEST_CASE("Random sequences of calls give the answers and the values of a simple model") {
    const std::uint64_t seed = setting("MPIT_MODEL_SEED", is_long() ? std::random_device{}() : 1);
    const std::uint64_t sequences = setting("MPIT_MODEL_SEQUENCES", is_long()               ? 200000
                                                                    : MPIT_THREAD_SANITIZER ? 400
                                                                                            : 4000);
    model_test test;
    for (std::uint64_t n = 0; n < sequences; n++) test.run(seed + n, 100);
    SUCCEED();
}
