// What the library says of itself at the beginning of a run, which it must say again and again: everything about a
// number stays as it was.
#pragma once

#include "../variables.hpp"
#include "codes.hpp"

// A tree whose library comes and goes.
struct passing_variables : mpit::category<"passing", "Variables of a library that comes and goes"> {
    mpit::control<int> control{this, "X_INT", "A number"};
    mpit::counter<> counter{this, "x_counter", "Events"};
    mpit::high_watermark<unsigned long> highest{this, "x_highest", "A watermark with a level of its own"};
    mpit::event<number_payload> event{this, "x_event", "A number"};
};
// Wrapped, because g++ 12 would adopt the members of an aggregate twice.
struct passing_library {
    passing_variables tree;
    constexpr passing_library() noexcept : tree{} {}
};
inline constinit passing_library passing;

enum class subject { control, performance, event };

struct variable_info {
    std::string name, description;
    int verbosity = 0, in_class = 0, bind = 0, scope = 0, readonly = 0, continuous = 0, atomic = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    std::vector<MPI_Datatype> types; // of the elements of an event
    std::vector<MPI_Aint> displacements;
    bool is_passing = false;
    bool is_bound() const { return bind != MPI_T_BIND_NO_OBJECT; }
};
struct category_info {
    std::string name, description;
    std::vector<int> controls, performances, events, categories;
};
struct source_info {
    std::string name, description;
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0, max_ticks = 0;
};
struct item_facts {
    std::string name;
    int value;
};
struct enumeration_info {
    std::string name;
    std::vector<item_facts> items;
    MPI_T_enum handle;
};

inline std::size_t size_of(MPI_Datatype type) {
    if (type == MPI_CHAR) return 1;
    return type == MPI_INT || type == MPI_UNSIGNED || type == MPI_INT32_T || type == MPI_UINT32_T ? 4 : 8;
}

struct all_facts {
    std::vector<variable_info> controls, performances, events;
    std::vector<category_info> categories;
    std::vector<source_info> sources;
    std::vector<enumeration_info> enumerations;
    int update_number = -1;

    std::vector<variable_info>& of(subject what) {
        return what == subject::control ? controls : what == subject::performance ? performances : events;
    }
    int number_of(subject what, const char* name, int in_class = 0) {
        const std::vector<variable_info>& list = of(what);
        for (std::size_t i = 0; i < list.size(); i++)
            if (list[i].name == name && (in_class == 0 || list[i].in_class == in_class)) return static_cast<int>(i);
        demand(false, "a variable of the tests is there");
        return -1;
    }
    const enumeration_info* enumeration(MPI_T_enum handle) const {
        for (const enumeration_info& each : enumerations)
            if (each.handle == handle) return &each;
        return nullptr;
    }
    void learn();

private:
    static constexpr int room = text_output::more_than_any_text;
    char name_[room], description_[room];
    int name_length_ = room, description_length_ = room;

    template <class Query> int ask(Query query) {
        name_length_ = description_length_ = room;
        return query(name_, &name_length_, description_, &description_length_);
    }
    void learn_enumeration(MPI_T_enum handle);
    void learn_variables();
    void learn_events();
    void learn_categories();
};
inline all_facts facts;

inline void all_facts::learn_enumeration(MPI_T_enum handle) {
    if (handle == MPI_T_ENUM_NULL || enumeration(handle) != nullptr) return;
    enumeration_info made{"", {}, handle};
    int count = 0;
    name_length_ = room;
    demand(MPI_T_enum_get_info(handle, &count, name_, &name_length_) == MPI_SUCCESS, "an enumeration is there");
    made.name = name_;
    for (int i = 0; i < count; i++) {
        int value = 0;
        name_length_ = room;
        demand(MPI_T_enum_get_item(handle, i, &value, name_, &name_length_) == MPI_SUCCESS, "an item is there");
        made.items.push_back({name_, value});
    }
    enumerations.push_back(made);
}
inline void all_facts::learn_variables() {
    for (int i = 0;; i++) {
        variable_info f;
        if (ask([&](char* n, int* n_length, char* d, int* d_length) {
            return MPI_T_cvar_get_info(i, n, n_length, &f.verbosity, &f.type, &f.enumeration, d, d_length, &f.bind,
                                       &f.scope);
        }) != MPI_SUCCESS)
            break;
        f.name = name_, f.description = description_, f.is_passing = f.name.starts_with("X_");
        learn_enumeration(f.enumeration);
        controls.push_back(f);
    }
    for (int i = 0;; i++) {
        variable_info f;
        if (ask([&](char* n, int* n_length, char* d, int* d_length) {
            return MPI_T_pvar_get_info(i, n, n_length, &f.verbosity, &f.in_class, &f.type, &f.enumeration, d, d_length,
                                       &f.bind, &f.readonly, &f.continuous, &f.atomic);
        }) != MPI_SUCCESS)
            break;
        f.name = name_, f.description = description_, f.is_passing = f.name.starts_with("x_");
        learn_enumeration(f.enumeration);
        performances.push_back(f);
    }
}
inline void all_facts::learn_events() {
    for (int i = 0;; i++) {
        variable_info f;
        f.types.resize(64);
        f.displacements.resize(64);
        int count = 64;
        if (ask([&](char* n, int* n_length, char* d, int* d_length) {
            return MPI_T_event_get_info(i, n, n_length, &f.verbosity, f.types.data(), f.displacements.data(), &count,
                                        &f.enumeration, nullptr, d, d_length, &f.bind);
        }) != MPI_SUCCESS)
            break;
        f.types.resize(static_cast<std::size_t>(count));
        f.displacements.resize(static_cast<std::size_t>(count));
        f.name = name_, f.description = description_, f.is_passing = f.name.starts_with("x_");
        learn_enumeration(f.enumeration);
        events.push_back(f);
    }
    for (int i = 0;; i++) {
        source_info f;
        if (ask([&](char* n, int* n_length, char* d, int* d_length) {
            return MPI_T_source_get_info(i, n, n_length, d, d_length, &f.ordering, &f.ticks_per_second, &f.max_ticks,
                                         nullptr);
        }) != MPI_SUCCESS)
            break;
        f.name = name_, f.description = description_;
        sources.push_back(f);
    }
}
inline void all_facts::learn_categories() {
    for (int i = 0;; i++) {
        category_info f;
        int counts[4];
        if (ask([&](char* n, int* n_length, char* d, int* d_length) {
            return MPI_T_category_get_info(i, n, n_length, d, d_length, &counts[0], &counts[1], &counts[2]);
        }) != MPI_SUCCESS)
            break;
        f.name = name_, f.description = description_;
        MPI_T_category_get_num_events(i, &counts[3]);
        f.controls.resize(static_cast<std::size_t>(counts[0]));
        f.performances.resize(static_cast<std::size_t>(counts[1]));
        f.categories.resize(static_cast<std::size_t>(counts[2]));
        f.events.resize(static_cast<std::size_t>(counts[3]));
        MPI_T_category_get_cvars(i, counts[0], f.controls.data());
        MPI_T_category_get_pvars(i, counts[1], f.performances.data());
        MPI_T_category_get_categories(i, counts[2], f.categories.data());
        MPI_T_category_get_events(i, counts[3], f.events.data());
        categories.push_back(f);
    }
    MPI_T_category_changed(&update_number);
}
inline void all_facts::learn() {
    learn_variables();
    learn_events();
    learn_categories();
    demand(controls.size() > 20 && performances.size() > 30 && events.size() > 8 && categories.size() > 5,
           "the variables of the tests are there");
}
