// The reference model: sessions, handles and variables as a tool may expect them to behave, as plain values that every
// call and every change of the library changes at once. It knows nothing of how the library does it (MPI-5.0, 15.3.6,
// 15.3.7).
#pragma once

#include "tool.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

// Values as a tool has them in a buffer.
inline constexpr std::size_t buffer_size = 64;
using values = std::vector<double>;
struct value_buffer {
    alignas(8) char bytes[buffer_size];
    value_buffer() { std::memset(bytes, 0x5a, buffer_size); }
};

template <class T> void put_as(double value, char* to) {
    const T typed = static_cast<T>(value);
    std::memcpy(to, &typed, sizeof typed);
}
template <class T> double got_as(const char* from) {
    T typed{};
    std::memcpy(&typed, from, sizeof typed);
    return static_cast<double>(typed);
}
inline std::size_t size_of(MPI_Datatype type) {
    if (type == MPI_CHAR) return 1;
    return type == MPI_INT || type == MPI_INT32_T || type == MPI_UNSIGNED || type == MPI_UINT32_T ? 4 : 8;
}
inline void put(MPI_Datatype type, double value, char* to) {
    if (type == MPI_CHAR) put_as<char>(value, to);
    else if (type == MPI_DOUBLE) put_as<double>(value, to);
    else if (type == MPI_UNSIGNED || type == MPI_UINT32_T) put_as<std::uint32_t>(value, to);
    else if (size_of(type) == 4) put_as<std::int32_t>(value, to);
    else if (type == MPI_INT64_T || type == MPI_COUNT) put_as<std::int64_t>(value, to);
    else put_as<std::uint64_t>(value, to);
}
inline double got(MPI_Datatype type, const char* from) {
    if (type == MPI_CHAR) return got_as<char>(from);
    if (type == MPI_DOUBLE) return got_as<double>(from);
    if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return got_as<std::uint32_t>(from);
    if (size_of(type) == 4) return got_as<std::int32_t>(from);
    if (type == MPI_INT64_T || type == MPI_COUNT) return got_as<std::int64_t>(from);
    return got_as<std::uint64_t>(from);
}

// An object has a life for each variable, since a variable also learns of objects by being used with them.
struct life {
    bool exists = false;
    int birth = 0;
    values present;
};

// What control and performance variables of the model have in common. Object 0 stands for no object.
struct model_variable {
    int index = -1;
    MPI_Datatype type{};
    bool bound = false;
    std::size_t count = 1;
    values initial;
    std::map<int, life> lives;

    bool has(int object) const { return !bound || (lives.count(object) != 0 && lives.at(object).exists); }
    life& of(int object) { return lives[bound ? object : 0]; }
    void begin(int object) {
        life& l = of(object);
        if (l.exists) return;
        l = {true, l.birth + 1, initial};
    }
    void end(int object) {
        if (bound && lives.count(object) != 0) lives[object].exists = false;
    }
};

enum class motion { sum, follow, choose, highest, lowest, fixed };

struct performance_model : model_variable {
    motion moves{};
    int in_class = 0;
    bool readonly = false, continuous = false, atomic = false;
    bool computed = false; // then the library does not hear of a change: it sees it, or does not, when it is asked
    double starting_value = 0;
    performance_model* level = nullptr;                   // of watermarks: whose level is marked
    std::function<void(int, std::size_t, double)> change; // tells the library
    bool is_mark() const { return moves == motion::highest || moves == motion::lowest; }
    bool is_percentage() const { return in_class == MPI_T_PVAR_CLASS_PERCENTAGE; }
    double seen_by_tools(double value) const {
        if (moves != motion::follow) return value;
        return std::clamp(value, 0.0, is_percentage() ? 1.0 : std::numeric_limits<double>::max());
    }
};

struct control_model : model_variable {
    int scope = MPI_T_SCOPE_LOCAL;
    std::function<int(const values&)> judge;        // the answer to a write
    std::function<void(int, const values&)> change; // tells the library
    std::function<std::size_t(int)> elements;
    std::size_t elements_of(int object) const { return elements ? elements(object) : count; }
};

struct element_model {
    bool running = false, fresh = false, overridden = false;
    double value = 0;      // what a stopped handle shows; sums and marks keep it up to date while they run
    double written_at = 0; // of a running state: what the library had when a tool wrote another
    double shift = 0;      // of a running level: what a tool has written, above the level of that moment
};

struct pvar_model {
    std::uintptr_t session = 0;
    performance_model* variable = nullptr;
    int object = 0, birth = 0;
    std::vector<element_model> elements;

    bool is_alive() const { return variable->has(object) && (!variable->bound || variable->of(object).birth == birth); }
    double level(std::size_t i) const {
        return (variable->level != nullptr ? variable->level : variable)->of(object).present[i];
    }
    double shown(std::size_t i) const {
        const element_model& e = elements[i];
        if (variable->moves == motion::fixed) return variable->initial[i];
        if (!e.running || variable->moves == motion::sum || variable->is_mark()) return e.value;
        if (variable->moves == motion::follow) return variable->seen_by_tools(level(i) + e.shift);
        const bool stands = e.overridden && (!variable->computed || level(i) == e.written_at);
        return stands ? e.value : level(i);
    }
    void merge(std::size_t i) {
        double& value = elements[i].value;
        value = variable->moves == motion::highest ? std::max(value, level(i)) : std::min(value, level(i));
    }
    double beginning(std::size_t i) const {
        return variable->moves == motion::sum ? variable->starting_value : variable->seen_by_tools(level(i));
    }
    void begin() {
        elements.resize(variable->count);
        if (variable->moves == motion::fixed) return;
        for (std::size_t i = 0; i < elements.size(); i++)
            elements[i] = {variable->continuous, !variable->continuous, false, beginning(i), 0, 0};
    }
    void start() {
        for (std::size_t i = 0; i < elements.size(); i++) {
            element_model& e = elements[i];
            if (e.running) continue;
            if (variable->is_mark() && e.fresh) e.value = level(i);
            if (variable->is_mark()) merge(i);
            e = {true, false, false, e.value, 0, 0};
        }
    }
    void stop() {
        for (std::size_t i = 0; i < elements.size(); i++) {
            if (!elements[i].running) continue;
            elements[i].value = shown(i);
            elements[i].running = false;
        }
    }
    void reset() {
        for (std::size_t i = 0; i < elements.size(); i++) {
            const bool running = elements[i].running;
            elements[i] = {running, !running, false, beginning(i), 0, 0};
        }
    }
    void write(const values& wanted) {
        for (std::size_t i = 0; i < elements.size(); i++) {
            element_model& e = elements[i];
            e.value = wanted[i];
            e.fresh = false;
            if (!e.running) continue;
            if (variable->moves == motion::follow) e.shift = wanted[i] - level(i);
            if (variable->moves == motion::choose) e.overridden = true, e.written_at = level(i);
        }
    }
    // The library has changed one element from `old`.
    void notice(std::size_t i, double old) {
        element_model& e = elements[i];
        if (!e.running) return;
        if (variable->moves == motion::sum) e.value += level(i) - old;
        if (variable->moves == motion::choose && !variable->computed && level(i) != old) e.overridden = false;
        if (variable->is_mark()) merge(i);
    }
};

struct cvar_model {
    control_model* variable = nullptr;
    int object = 0, birth = 0;
    bool is_alive() const { return variable->has(object) && (!variable->bound || variable->of(object).birth == birth); }
};
