// SPDX-License-Identifier: BSD-3-Clause
// A description of this process's variables, events and categories, as a list that processes can compare: everything
// that the standard requires to be equal where names are equal (MPI-5.0, 15.3.6 to 15.3.9), and no numbers, since those
// are local.
// One thread at a time calls the functions, outside of signal handlers: they allocate.
//
//   for (const mpit::fact& f : mpit::description_of_this_process()) …   // "control variable EAGER_LIMIT", "datatype", "MPI_INT"
#pragma once

#ifndef MPIT_MPI_HEADER
#error "what uses an MPI needs its header: #define MPIT_MPI_HEADER <mpi.h>"
#endif
#include MPIT_MPI_HEADER
#include <mpit/core/hash.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

// g++ warns of a class that other shared objects see and that has hidden parts; here it is meant so.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes"

namespace mpit::inline v0_1 {

// One thing that is said of a `subject`: the `value` of an `aspect`. That the subject exists is a fact without an aspect.
struct fact {
    std::string subject;
    std::string aspect;
    std::string value;

    friend bool operator==(const fact&, const fact&) = default;
    friend bool operator<(const fact& a, const fact& b) {
        return std::tie(a.subject, a.aspect, a.value) < std::tie(b.subject, b.aspect, b.value);
    }
    // A number that is equal for equal facts in all processes.
    MPIT_MODULE_LOCAL std::uint64_t hash() const noexcept {
        const std::string whole = subject + '\n' + aspect + '\n' + value;
        return core::hash({whole.data(), static_cast<std::uint32_t>(whole.size())}, 0);
    }
};

namespace MPIT_MODULE_LOCAL detail {

// Asks with rooms of the lengths that a first call has told. Returns false if either call fails.
template <class Ask> bool ask_for_texts(std::string& name, std::string& description, Ask ask) {
    int name_length = 0, description_length = 0;
    if (ask(nullptr, &name_length, nullptr, &description_length) != MPI_SUCCESS) return false;
    name.assign(static_cast<std::size_t>(std::max(name_length, 1)), '\0');
    description.assign(static_cast<std::size_t>(std::max(description_length, 1)), '\0');
    name_length = static_cast<int>(name.size());
    description_length = static_cast<int>(description.size());
    if (ask(name.data(), &name_length, description.data(), &description_length) != MPI_SUCCESS) return false;
    name.resize(std::strlen(name.c_str()));
    description.resize(std::strlen(description.c_str()));
    return true;
}

inline std::string name_of(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (type == MPI_DATATYPE_NULL || MPI_Type_get_name(type, name, &length) != MPI_SUCCESS) return "none";
    return name;
}

// Its items are no fact: the standard lets processes have different ones.
inline std::string name_of(MPI_T_enum enumeration) {
    char name[1024] = "";
    int length = sizeof name, items = 0;
    if (enumeration == MPI_T_ENUM_NULL || MPI_T_enum_get_info(enumeration, &items, name, &length) != MPI_SUCCESS)
        return "none";
    return name;
}

class fact_list {
public:
    explicit fact_list(std::vector<fact>& facts) noexcept : facts_{facts} {}

    void begin(const char* kind, const std::string& name) {
        subject_ = std::string{kind} + " " + name;
        add("", "");
    }
    void add(const char* aspect, std::string value) { facts_.push_back({subject_, aspect, std::move(value)}); }
    void add(const char* aspect, int value) { add(aspect, std::to_string(value)); }

private:
    std::vector<fact>& facts_;
    std::string subject_;
};

inline void add_control_variables(fact_list& facts) {
    int count = 0;
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        std::string name, description;
        int verbosity = 0, bind = 0, scope = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        if (!ask_for_texts(name, description, [&](char* n, int* n_length, char* d, int* d_length) {
                return MPI_T_cvar_get_info(i, n, n_length, &verbosity, &type, &enumeration, d, d_length, &bind, &scope);
            }))
            continue;
        facts.begin("control variable", name);
        facts.add("verbosity", verbosity);
        facts.add("datatype", name_of(type));
        facts.add("enumeration", name_of(enumeration));
        facts.add("description", description);
        facts.add("binding", bind);
        facts.add("scope", scope);
    }
}

inline void add_performance_variables(fact_list& facts) {
    int count = 0;
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        std::string name, description;
        int verbosity = 0, variable_class = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0;
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        if (!ask_for_texts(name, description, [&](char* n, int* n_length, char* d, int* d_length) {
                return MPI_T_pvar_get_info(i, n, n_length, &verbosity, &variable_class, &type, &enumeration, d,
                                           d_length, &bind, &readonly, &continuous, &atomic);
            }))
            continue;
        facts.begin("performance variable", name + " of class " + std::to_string(variable_class));
        facts.add("verbosity", verbosity);
        facts.add("datatype", name_of(type));
        facts.add("enumeration", name_of(enumeration));
        facts.add("description", description);
        facts.add("binding", bind);
        facts.add("readonly, continuous, atomic",
                  std::to_string(readonly) + ", " + std::to_string(continuous) + ", " + std::to_string(atomic));
    }
}

#if MPI_VERSION >= 4
inline void add_events(fact_list& facts) {
    int count = 0;
    MPI_T_event_get_num(&count);
    for (int i = 0; i < count; i++) {
        std::string name, description;
        int verbosity = 0, bind = 0, elements = 0;
        MPI_T_enum enumeration = MPI_T_ENUM_NULL;
        if (!ask_for_texts(name, description, [&](char* n, int* n_length, char* d, int* d_length) {
                elements = 0;
                return MPI_T_event_get_info(i, n, n_length, &verbosity, nullptr, nullptr, &elements, &enumeration,
                                            nullptr, d, d_length, &bind);
            }))
            continue;
        facts.begin("event", name);
        facts.add("verbosity", verbosity);
        facts.add("elements", elements);
        facts.add("enumeration", name_of(enumeration));
        facts.add("description", description);
        facts.add("binding", bind);
    }
}
#endif

inline void add_categories(fact_list& facts) {
    int count = 0;
    MPI_T_category_get_num(&count);
    for (int i = 0; i < count; i++) {
        std::string name, description;
        if (!ask_for_texts(name, description, [&](char* n, int* n_length, char* d, int* d_length) {
                return MPI_T_category_get_info(i, n, n_length, d, d_length, nullptr, nullptr, nullptr);
            }))
            continue;
        facts.begin("category", name);
        facts.add("description", description);
    }
}

} // namespace detail

// All facts of this process, sorted. A number that the implementation does not describe is left out.
MPIT_MODULE_LOCAL inline std::vector<fact> description_of_this_process() {
    std::vector<fact> all;
    detail::fact_list facts{all};
    detail::add_control_variables(facts);
    detail::add_performance_variables(facts);
#if MPI_VERSION >= 4
    detail::add_events(facts);
#endif
    detail::add_categories(facts);
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace mpit

#pragma GCC diagnostic pop
