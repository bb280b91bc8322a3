// Loading of the plugins beside the test program, and what a tool sees of all variables.
#pragma once

#include "../descriptions.hpp"
#include "../unloaded_libraries.hpp"
#include "beside_program.hpp"

#include <dlfcn.h>
#include <string>
#include <unistd.h>
#include <vector>

// A plugin that is loaded while one of these lives.
class plugin {
public:
    explicit plugin(const char* called, int binding = RTLD_LOCAL)
        : path_{beside_program(called)}, module_{dlopen(path_.c_str(), RTLD_NOW | binding)} {
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
