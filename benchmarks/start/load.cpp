// The cost of opening and closing a library with variables. It prints the nanoseconds of both, the first time
// and the second. Libraries without mpit call the registration functions that stand here.
//
//   load-benchmark library.so
#include "tool.hpp"

#include <mpit/mpit.hpp>

#include <dlfcn.h>

#include <string>
#include <unordered_map>

namespace {

struct record {
    std::string category, description;
    void* storage;
    int kind, type, verbosity, scope;
};
std::unordered_map<std::string, record>& registered() {
    static std::unordered_map<std::string, record> all;
    return all;
}

int variables() {
    int controls = 0, performances = 0;
    check(MPI_T_cvar_get_num(&controls));
    check(MPI_T_pvar_get_num(&performances));
    return controls + performances + static_cast<int>(registered().size());
}

} // namespace

extern "C++" {
[[gnu::visibility("default")]] void register_variable(const char* category, const char* name, const char* description,
                                                      void* storage, int kind, int type, int verbosity, int scope) {
    registered().try_emplace(name, record{category, description, storage, kind, type, verbosity, scope});
}
[[gnu::visibility("default")]] void unregister_variable(const char* name) { registered().erase(name); }
}

int main(int, char** arguments) {
    initialize_tool();
    const int before = variables();
    unsigned long long taken[4];
    for (int round = 0; round < 2; round++) {
        const auto start = mpit::core::nanoseconds();
        void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        const auto opened = mpit::core::nanoseconds();
        if (library == nullptr || variables() < before + 1000) {
            std::fprintf(stderr, "%d variables; %s\n", variables(), library == nullptr ? dlerror() : "");
            return 1;
        }
        const auto end = mpit::core::nanoseconds();
        dlclose(library);
        taken[2 * round] = opened - start;
        taken[2 * round + 1] = mpit::core::nanoseconds() - end;
        if (dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) != nullptr) {
            std::fprintf(stderr, "the library is still there\n");
            return 1;
        }
    }
    std::printf("{\"open\": %llu, \"close\": %llu, \"open again\": %llu, \"close again\": %llu}\n", taken[0], taken[1],
                taken[2], taken[3]);
}
