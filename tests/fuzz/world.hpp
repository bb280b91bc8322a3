// What must be true of the library at any moment of a run: the handles that are open, what they refer to and what they
// must show, the objects that exist. Every call is held against it.
#pragma once

#include "facts.hpp"

#include <algorithm>
#include <list>
#include <map>
#include <tuple>

// A variable as a handle sees it: of one object, and of one loading of its library.
struct bound_to {
    subject what;
    int number;
    std::uint64_t object = 0;
    unsigned generation = 0, loading = 0;
    const variable_info& variable() const { return facts.of(what)[static_cast<std::size_t>(number)]; }
};

struct control_handle {
    bound_to to;
    int count;
};
// What a handle on a performance variable must show of an element.
struct shadow {
    std::uint64_t value = 0, since = 0;
    bool is_running = false, is_fresh = true;
};
struct performance_handle_model {
    bound_to to;
    std::uint64_t session;
    int count;
    enum { unknown, sum, highest, lowest } follows = unknown;
    std::vector<shadow> elements;
};
struct registration_model {
    bound_to to;
    struct callback {
        bool is_set = false;
        void* user_data = nullptr;
    } callbacks[4];
    bool hears_of_losses = false;
};
// A registration that was ended with a function, which must be called once.
struct promised_end {
    std::uint64_t registration;
    void* user_data;
};
struct session_model {};
using info_model = std::vector<std::pair<std::string, std::string>>;

template <class Handle> std::uint64_t word_of(Handle handle) { return reinterpret_cast<std::uintptr_t>(handle); }

// The open handles of one kind by age, which does not depend on their words: those differ with what other inputs have
// done before.
template <class Model> class handles_by_age {
public:
    auto find(std::uint64_t word) {
        return std::find_if(handles_.begin(), handles_.end(), [&](const auto& each) { return each.first == word; });
    }
    void add(std::uint64_t word, Model model) { handles_.emplace_back(word, std::move(model)); }
    void erase(std::uint64_t word) {
        erase_if([&](const auto& each) { return each.first == word; });
    }
    template <class Condition> void erase_if(Condition condition) { handles_.remove_if(condition); }
    void clear() { handles_.clear(); }
    auto begin() { return handles_.begin(); }
    auto end() { return handles_.end(); }
    std::size_t size() const { return handles_.size(); }
    bool empty() const { return handles_.empty(); }

private:
    std::list<std::pair<std::uint64_t, Model>> handles_;
};

// The handles of one kind: those that are open, and all that ever were in this run.
template <class Handle, class Model> struct handle_pool {
    handles_by_age<Model> open;
    std::vector<std::uint64_t> past;

    Model* find(Handle handle) {
        const auto found = open.find(word_of(handle));
        return found == open.end() ? nullptr : &found->second;
    }
    void add(Handle handle, Model model) {
        demand(word_of(handle) > 4095, "a handle is none of the small numbers");
        demand(find(handle) == nullptr, "a new handle is no other one that is open");
        open.add(word_of(handle), std::move(model));
        past.push_back(word_of(handle));
    }
};

struct world {
    static constexpr int max_nesting = 4, most_handles = 24;

    bytes in;
    int initialized = 0; // calls without their finalize
    int level_of_epoch = MPI_THREAD_MULTIPLE;
    int nesting = 0; // callbacks that run
    int actions_left = 0;
    std::uintptr_t next_user_data = 0x1000;
    unsigned loading = 1;
    bool is_loaded = true;
    unsigned next_generation = 1;
    std::map<std::tuple<subject, int, std::uint64_t>, unsigned> objects; // that exist for a variable
    std::map<std::pair<int, std::uint64_t>, std::uint64_t> totals; // of a performance variable's element or object

    handle_pool<MPI_T_cvar_handle, control_handle> controls;
    handle_pool<MPI_T_pvar_session, session_model> sessions;
    handle_pool<MPI_T_pvar_handle, performance_handle_model> performances;
    handle_pool<MPI_T_event_registration, registration_model> registrations;
    handle_pool<MPI_Info, info_model> infos;
    std::vector<promised_end> promised_ends;
    std::vector<std::uint64_t> shown_instances, past_instances;
    std::vector<int> shown_events, past_events; // of the instances
    std::map<int, std::string> control_values;  // that tools wrote

    bool is_open() const { return initialized > 0; }
    // The number of the event, or -1 where no callback was given such an instance.
    int event_of_instance(std::uint64_t word) const {
        for (std::size_t i = shown_instances.size(); i-- > 0;)
            if (shown_instances[i] == word) return shown_events[i];
        for (std::size_t i = past_instances.size(); i-- > 0;)
            if (past_instances[i] == word) return past_events[i];
        return -1;
    }
    bool is_there(const bound_to& to) const {
        if (!is_current(to)) return false;
        if (!to.variable().is_bound()) return true;
        const auto found = objects.find({to.what, to.number, to.object});
        return found != objects.end() && found->second == to.generation;
    }
    // Whether the library of the variable was not unloaded since.
    bool is_current(const bound_to& to) const {
        return !to.variable().is_passing || (is_loaded && to.loading == loading);
    }
    // What a handle that is made now would refer to, and the code of its allocation.
    int bind(bound_to& to, const void* object) const {
        const variable_info& v = to.variable();
        to.loading = loading;
        if (v.is_passing && !is_loaded) return MPI_T_ERR_INVALID_INDEX;
        if (!v.is_bound()) return MPI_SUCCESS;
        if (reinterpret_cast<std::uintptr_t>(object) < 4096) return MPI_T_ERR_INVALID_HANDLE;
        std::memcpy(&to.object, object, size_of_object(v));
        const auto found = objects.find({to.what, to.number, to.object});
        if (found == objects.end()) return MPI_T_ERR_INVALID_HANDLE;
        to.generation = found->second;
        return MPI_SUCCESS;
    }
    static std::size_t size_of_object(const variable_info& v) { return v.name == "b_named" ? 4 : 8; }
    void announce(int bind, std::uint64_t object, bool exists) {
        for (const subject what : {subject::control, subject::performance, subject::event})
            for (std::size_t i = 0; i < facts.of(what).size(); i++)
                if (facts.of(what)[i].bind == bind) {
                    if (exists) touch(what, static_cast<int>(i), object);
                    else objects.erase({what, static_cast<int>(i), object});
                }
    }
    // The library that comes and goes is unloaded: its next loading begins with the initial values.
    void unload() {
        is_loaded = false;
        std::erase_if(control_values,
                      [](const auto& each) { return facts.controls[static_cast<std::size_t>(each.first)].is_passing; });
    }
    // The library uses the object of one variable, which comes into being where it was not announced.
    void touch(subject what, int number, std::uint64_t object) {
        if (!objects.emplace(std::tuple{what, number, object}, next_generation).second) return;
        next_generation++;
        if (what == subject::performance) totals[{number, object}] = 0;
    }
    // The last finalize, or the end of a session, closes what is left.
    void close_session(std::uint64_t session) {
        performances.open.erase_if([&](const auto& each) { return each.second.session == session; });
        sessions.open.erase(session);
    }
    void close_all() {
        controls.open.clear();
        sessions.open.clear();
        performances.open.clear();
        registrations.open.clear();
    }

    std::uint64_t any_word() {
        const std::vector<std::uint64_t>* pasts[] = {&controls.past,      &sessions.past, &performances.past,
                                                     &registrations.past, &infos.past,    &past_instances};
        const std::vector<std::uint64_t>& from = *in.one_of(pasts);
        static constexpr std::uint64_t garbage[] = {0, 1, 2, 0xdead, 0x130, 0x131, ~std::uint64_t{0}, 0xe1ull << 56};
        if (!from.empty() && in.one_in(2)) return from[in.number(static_cast<unsigned>(from.size()))];
        return in.one_in(4) ? in.word() : in.one_of(garbage);
    }
    // A handle: an open one most often, one that was freed, one that is nearly right, or any other word.
    template <class Handle, class Model> Handle any(handle_pool<Handle, Model>& pool) {
        std::uint64_t word = 0;
        const unsigned choice = in.number(10);
        if (choice < 6 && !pool.open.empty()) {
            auto at = pool.open.begin();
            std::advance(at, in.number(static_cast<unsigned>(pool.open.size())));
            word = at->first;
        } else if (choice < 9 && !pool.past.empty()) {
            word = pool.past[in.number(static_cast<unsigned>(pool.past.size()))];
            if (choice == 7) word ^= std::uint64_t{1} << in.number(64);
            if (choice == 8) word += std::uint64_t{1} << 32;
        } else {
            word = any_word();
        }
        return handle_number<Handle>(word);
    }
    // A number below `end` most often.
    int any_number(std::size_t end) {
        const int count = static_cast<int>(end);
        const int others[] = {-1, count, count + 1, INT_MAX, INT_MIN, static_cast<int>(in.word())};
        return in.one_in(8) ? in.one_of(others) : static_cast<int>(in.number(static_cast<unsigned>(end)));
    }
    // An existing name, a part of one, one that is too long, or any characters; or null.
    template <class Facts> std::optional<std::string> any_name(const std::vector<Facts>& from) {
        const unsigned choice = in.number(16);
        if (choice == 0) return std::nullopt;
        if (choice == 1) return in.text(30);
        std::string name = from[in.number(static_cast<unsigned>(from.size()))].name;
        if (choice == 2) name.resize(in.number(static_cast<unsigned>(name.size())));
        if (choice == 3) name += in.text(3);
        if (choice == 4) name = std::string(300, 'n');
        if (choice == 5) name[in.number(static_cast<unsigned>(name.size()))] ^= 32;
        return name;
    }
};
inline world the_world;

// The object argument of an allocation. For a variable that is bound, the address of a handle; otherwise any pattern,
// which nobody may follow.
class object_argument {
public:
    explicit object_argument(const variable_info* of) {
        if (of == nullptr || !of->is_bound()) {
            pattern_ = handle_number<void*>(the_world.any_word());
            return;
        }
        // The handle itself, where its address is wanted.
        if (the_world.in.one_in(16)) pattern_ = handle_number<void*>(0x101 + the_world.in.number(8));
        if (pattern_ != nullptr || the_world.in.one_in(8)) return;
        static constexpr std::uint64_t others[] = {0, 0x109, 0x201, 0x7fffffff, ~std::uint64_t{0}};
        const std::uint64_t object =
            the_world.in.one_in(8) ? the_world.in.one_of(others) : 0x101 + the_world.in.number(8);
        room_.emplace(world::size_of_object(*of));
        std::memcpy(room_->data(), &object, room_->size());
        room_->keep();
        pattern_ = room_->data();
    }
    ~object_argument() {
        if (room_) room_->expect_unchanged();
    }
    object_argument(const object_argument&) = delete;
    void* pointer() const { return pattern_; }

private:
    void* pattern_ = nullptr;
    std::optional<guarded_buffer> room_;
};
inline const variable_info* facts_or_null(subject what, int number) {
    const std::vector<variable_info>& list = facts.of(what);
    return number >= 0 && static_cast<std::size_t>(number) < list.size() ? &list[static_cast<std::size_t>(number)]
                                                                         : nullptr;
}

// The code of a query: the interface is closed, an argument cannot be, the number is none, or it succeeds.
inline int code_of_query(bool are_well_formed, bool is_a_number) {
    if (!the_world.is_open()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!are_well_formed) return MPI_T_ERR_INVALID;
    return is_a_number ? MPI_SUCCESS : MPI_T_ERR_INVALID_INDEX;
}
