// What the interface says of everything that it lists: one struct of each kind, filled by the query of its kind, and its line of text for
// comparisons, without the index and the handle of an enumeration, which may differ between processes.
//     cvar_info{"C_INT"}.scope   cvar_line(3)   lines_of_all<event_info>()
#pragma once

#include "tool.hpp"

inline std::string line_of_enumeration(MPI_T_enum enumeration) {
    if (enumeration == MPI_T_ENUM_NULL) return "";
    char name[300];
    int length = sizeof name, items = -1;
    if (MPI_T_enum_get_info(enumeration, &items, name, &length) != MPI_SUCCESS) return "no enumeration";
    std::string line = std::string{" "} + name;
    for (int i = 0; i < items; i++) {
        int value = -1;
        length = sizeof name;
        if (MPI_T_enum_get_item(enumeration, i, &value, name, &length) != MPI_SUCCESS) return "no item";
        line += std::string{" "} + name + "=" + std::to_string(value);
    }
    return line;
}

struct texts_of_one {
    char name[300] = "untouched", description[1100] = "untouched";
    int name_length = sizeof name, description_length = sizeof description;

protected:
    std::string line_with(std::initializer_list<long long> numbers) const {
        std::string line = std::string{name} + ": " + description;
        for (const long long each : numbers) line += " " + std::to_string(each);
        return line;
    }
    static long long number_of(MPI_Datatype type) {
        return static_cast<long long>(reinterpret_cast<std::uintptr_t>(type));
    }
};
struct typed_texts : texts_of_one {
    int verbosity = -1, bind = -1;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration = handle_number<MPI_T_enum>(0xdead);
};

struct cvar_info : typed_texts {
    int scope = -1;
    cvar_info() = default;
    explicit cvar_info(int index) { REQUIRE(query(index) == MPI_SUCCESS); }
    explicit cvar_info(const char* called) : cvar_info{cvar_index(called)} {}
    static int get_num(int* number) { return MPI_T_cvar_get_num(number); }
    int query(int index) {
        return MPI_T_cvar_get_info(index, name, &name_length, &verbosity, &datatype, &enumeration, description,
                                   &description_length, &bind, &scope);
    }
    std::string line() const {
        return line_with({verbosity, bind, scope, number_of(datatype)}) + line_of_enumeration(enumeration);
    }
};
struct pvar_info : typed_texts {
    int in_class = -1, readonly = -1, continuous = -1, atomic = -1;
    pvar_info() = default;
    explicit pvar_info(int index) { REQUIRE(query(index) == MPI_SUCCESS); }
    explicit pvar_info(const char* called, int in = MPI_T_PVAR_CLASS_COUNTER) : pvar_info{pvar_index(called, in)} {}
    static int get_num(int* number) { return MPI_T_pvar_get_num(number); }
    int query(int index) {
        return MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &in_class, &datatype, &enumeration,
                                   description, &description_length, &bind, &readonly, &continuous, &atomic);
    }
    std::string line() const {
        return line_with({verbosity, bind, in_class, readonly, continuous, atomic, number_of(datatype)}) +
               line_of_enumeration(enumeration);
    }
};
struct event_info : typed_texts {
    static constexpr int room = 32; // for elements
    int count = room;
    MPI_Datatype types[room]{};
    MPI_Aint displacements[room]{};
    std::string hints;
    event_info() = default;
    explicit event_info(int index) {
        MPI_Info info = MPI_INFO_NULL;
        REQUIRE(query(index) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_get_info(index, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &info,
                                     nullptr, nullptr, nullptr) == MPI_SUCCESS);
        hints = text_of(info);
    }
    explicit event_info(const char* called) : event_info{event_index(called)} {}
    static int get_num(int* number) { return MPI_T_event_get_num(number); }
    int query(int index) {
        return MPI_T_event_get_info(index, name, &name_length, &verbosity, types, displacements, &count, &enumeration,
                                    nullptr, description, &description_length, &bind);
    }
    std::string line() const {
        std::string line = line_with({verbosity, bind});
        for (int i = 0; i < count; i++)
            line += " " + std::to_string(number_of(types[i])) + "@" + std::to_string(displacements[i]);
        return line + line_of_enumeration(enumeration) + hints;
    }
};
struct source_info : texts_of_one {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = -7, max_ticks = -7;
    source_info() = default;
    explicit source_info(int index) { REQUIRE(query(index) == MPI_SUCCESS); }
    static int get_num(int* number) { return MPI_T_source_get_num(number); }
    int query(int index) {
        return MPI_T_source_get_info(index, name, &name_length, description, &description_length, &ordering,
                                     &ticks_per_second, &max_ticks, nullptr);
    }
    std::string line() const { return line_with({ordering, ticks_per_second, max_ticks}); }
};
struct category_info : texts_of_one {
    int cvars = -1, pvars = -1, categories = -1, events = -1;
    category_info() = default;
    explicit category_info(int index) { REQUIRE(query(index) == MPI_SUCCESS); }
    static int get_num(int* number) { return MPI_T_category_get_num(number); }
    int query(int index) {
        const int code = MPI_T_category_get_info(index, name, &name_length, description, &description_length, &cvars,
                                                 &pvars, &categories);
        return code != MPI_SUCCESS ? code : MPI_T_category_get_num_events(index, &events);
    }
    // Without the members, which grow.
    std::string line() const { return line_with({}); }
};

// Empty where the query does not succeed, so that any thread may ask.
template <class Info> std::string line_of(int index) {
    Info of;
    return of.query(index) == MPI_SUCCESS ? of.line() : "";
}
inline std::string cvar_line(int index) { return line_of<cvar_info>(index); }
inline std::string pvar_line(int index) { return line_of<pvar_info>(index); }
inline std::string event_line(int index) { return line_of<event_info>(index); }
inline std::string source_line(int index) { return line_of<source_info>(index); }
inline std::string category_line(int index) { return line_of<category_info>(index); }

template <class Info> int number_of_all() {
    int number = -1;
    REQUIRE(Info::get_num(&number) == MPI_SUCCESS);
    return number;
}
template <class Info> std::vector<Info> all_of() {
    std::vector<Info> infos;
    for (int i = 0; i < number_of_all<Info>(); i++) infos.emplace_back(i);
    return infos;
}
template <class Info> std::vector<std::string> lines_of_all() {
    std::vector<std::string> lines;
    for (const Info& each : all_of<Info>()) lines.push_back(each.line());
    return lines;
}
inline int category_index(const char* name) {
    int found = -1;
    REQUIRE(MPI_T_category_get_index(name, &found) == MPI_SUCCESS);
    return found;
}
inline int source_index(const std::string& name) {
    for (int i = 0; i < number_of_all<source_info>(); i++)
        if (source_info{i}.name == name) return i;
    FAIL("no source is called " << name);
    return -1;
}
