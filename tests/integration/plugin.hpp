// Loading of the plugins beside the test program, and what a tool sees of all variables.
#pragma once

#include "../tool.hpp"
#include "../unloaded_libraries.hpp"

#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

// A plugin that is loaded while one of these lives.
class plugin {
public:
    explicit plugin(const char* called, int binding = RTLD_LOCAL)
        : path_{folder() + "/" + called + ".so"}, module_{dlopen(path_.c_str(), RTLD_NOW | binding)} {
        if (module_ == nullptr) FAIL(dlerror());
    }
    plugin(const plugin&) = delete;
    ~plugin() { close(); }
    void close() {
        if (module_ != nullptr) dlclose(module_);
        module_ = nullptr;
    }
    // Code of C++ with symbols that are unique in the process stays loaded when it is closed.
    bool is_loaded() const {
        void* const there = dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (there != nullptr) dlclose(there);
        return there != nullptr;
    }
    const std::string& path() const { return path_; }
    void count(int calls) const { function<void(int)>("plugin_count")(calls); }
    unsigned long long calls() const { return function<unsigned long long()>("plugin_calls")(); }
    int limit() const { return function<int()>("plugin_limit")(); }
    // For functions of one library alone.
    template <class Function> Function* function(const char* called) const {
        return reinterpret_cast<Function*>(dlsym(module_, called));
    }

private:
    static std::string folder() {
        char path[4096];
        const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
        const std::string program{path, length > 0 ? static_cast<std::size_t>(length) : 0};
        return program.substr(0, program.rfind('/'));
    }

    std::string path_;
    void* module_;
};

struct numbers {
    int cvars = -1, pvars = -1, events = -1, sources = -1, categories = -1;
    bool operator==(const numbers&) const = default;
};
inline numbers present_numbers() {
    numbers n;
    MPI_T_cvar_get_num(&n.cvars);
    MPI_T_pvar_get_num(&n.pvars);
    MPI_T_event_get_num(&n.events);
    MPI_T_source_get_num(&n.sources);
    MPI_T_category_get_num(&n.categories);
    return n;
}

// All that the get_info functions say of one thing, as a line of text; empty if they do not answer.
inline std::string enumeration_line(MPI_T_enum enumeration) {
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
inline std::string cvar_line(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description, verbosity = -1, bind = -1, scope = -1;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration{};
    if (MPI_T_cvar_get_info(index, name, &name_length, &verbosity, &datatype, &enumeration, description,
                            &description_length, &bind, &scope) != MPI_SUCCESS)
        return "";
    return std::string{name} + ": " + description + " " + std::to_string(verbosity) + " " + std::to_string(bind) + " " +
           std::to_string(scope) + " " + std::to_string(reinterpret_cast<std::uintptr_t>(datatype)) +
           enumeration_line(enumeration);
}
inline std::string pvar_line(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description, verbosity = -1, bind = -1, var_class = -1;
    int readonly = -1, continuous = -1, atomic = -1;
    MPI_Datatype datatype{};
    MPI_T_enum enumeration{};
    if (MPI_T_pvar_get_info(index, name, &name_length, &verbosity, &var_class, &datatype, &enumeration, description,
                            &description_length, &bind, &readonly, &continuous, &atomic) != MPI_SUCCESS)
        return "";
    std::string line = std::string{name} + ": " + description;
    for (const int n : {verbosity, bind, var_class, readonly, continuous, atomic}) line += " " + std::to_string(n);
    return line + " " + std::to_string(reinterpret_cast<std::uintptr_t>(datatype)) + enumeration_line(enumeration);
}
inline std::string event_line(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description, verbosity = -1, bind = -1, count = 32;
    MPI_Datatype types[32]{};
    MPI_Aint displacements[32]{};
    MPI_T_enum enumeration{};
    if (MPI_T_event_get_info(index, name, &name_length, &verbosity, types, displacements, &count, &enumeration, nullptr,
                             description, &description_length, &bind) != MPI_SUCCESS)
        return "";
    std::string line =
        std::string{name} + ": " + description + " " + std::to_string(verbosity) + " " + std::to_string(bind);
    for (int i = 0; i < count && i < 32; i++)
        line +=
            " " + std::to_string(reinterpret_cast<std::uintptr_t>(types[i])) + "@" + std::to_string(displacements[i]);
    return line + enumeration_line(enumeration);
}
inline std::string source_line(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description;
    MPI_T_source_order ordering{};
    MPI_Count rate = -1, most = -1;
    if (MPI_T_source_get_info(index, name, &name_length, description, &description_length, &ordering, &rate, &most,
                              nullptr) != MPI_SUCCESS)
        return "";
    return std::string{name} + ": " + description + " " + std::to_string(ordering) + " " + std::to_string(rate) + " " +
           std::to_string(most);
}
inline std::string category_line(int index) {
    char name[300], description[1100];
    int name_length = sizeof name, description_length = sizeof description;
    if (MPI_T_category_get_info(index, name, &name_length, description, &description_length, nullptr, nullptr,
                                nullptr) != MPI_SUCCESS)
        return "";
    return std::string{name} + ": " + description;
}

// The lines of everything, for each kind apart.
struct catalogue {
    std::vector<std::string> cvars, pvars, events, sources, categories;
    bool operator==(const catalogue&) const = default;
};
inline catalogue present_catalogue() {
    const numbers n = present_numbers();
    catalogue lines;
    for (int i = 0; i < n.cvars; i++) lines.cvars.push_back(cvar_line(i));
    for (int i = 0; i < n.pvars; i++) lines.pvars.push_back(pvar_line(i));
    for (int i = 0; i < n.events; i++) lines.events.push_back(event_line(i));
    for (int i = 0; i < n.sources; i++) lines.sources.push_back(source_line(i));
    for (int i = 0; i < n.categories; i++) lines.categories.push_back(category_line(i));
    return lines;
}
inline bool is_beginning(const catalogue& older, const catalogue& newer) {
    const auto begins = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
        return a.size() <= b.size() &&
               std::vector<std::string>(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(a.size())) == a;
    };
    return begins(older.cvars, newer.cvars) && begins(older.pvars, newer.pvars) && begins(older.events, newer.events) &&
           begins(older.sources, newer.sources) && begins(older.categories, newer.categories);
}
