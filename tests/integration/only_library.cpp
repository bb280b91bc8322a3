// A program that has nothing of this library but the constants of the interface, and loads a library with them, again
// and again: the library comes and goes with its standard functions, and its variables keep their numbers and their
// counts.
#include "beside_program.hpp"
#include "resident.hpp"

#include <mpit/config.hpp>
#include <mpit/mpi_t.h>

#include <cstdio>
#include <dlfcn.h>

namespace {

struct library {
    void* module;
    explicit library(const std::string& path) : module{dlopen(path.c_str(), RTLD_NOW)} {
        if (module == nullptr) std::printf("%s\n", dlerror());
    }
    ~library() {
        if (module != nullptr) dlclose(module);
    }
    library(const library&) = delete;
    template <class Function> Function* function(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(module, name));
    }
};

int failures = 0;
void check(bool holds, const char* what, int cycle) {
    if (holds) return;
    failures++;
    std::printf("wrong in cycle %d: %s\n", cycle, what);
}

// The number of a counter; -1 if there is none.
int number_of(const library& in, const char* name) {
    int provided = 0, index = -1;
    in.function<int(int, int*)>("MPI_T_init_thread")(MPI_THREAD_MULTIPLE, &provided);
    in.function<int(const char*, int, int*)>("MPI_T_pvar_get_index")(name, MPI_T_PVAR_CLASS_COUNTER, &index);
    return index;
}

} // namespace

int main() {
    const std::string first = beside_program("only_first"), second = beside_program("only_second");
    constexpr int cycles = MPIT_THREAD_SANITIZER ? 30 : 500;
    int first_number = -1, second_number = -1;
    long before = 0;
    for (int i = 0; i < cycles && failures < 5; i++) {
        if (i == cycles / 10) before = resident_bytes();
        library a{first};
        if (a.module == nullptr) return 1;
        const int number = number_of(a, "only_first_calls");
        if (i == 0) first_number = number;
        check(number >= 0 && number == first_number, "the number of the first library", i);
        library b{second}; // closed before the first one in one half of the cycles
        const int other = number_of(b, "only_second_calls");
        if (i == 0) second_number = other;
        check(other >= 0 && other == second_number && other != number, "the number of the second library", i);
        a.function<void(int)>("count_in_only_first")(3);
        b.function<void(int)>("count_in_only_second")(4);
        const auto all = static_cast<unsigned long long>(i) + 1;
        check(a.function<unsigned long long()>("calls_in_only_first")() == 3 * all, "the counts of the first library",
              i);
        check(b.function<unsigned long long()>("calls_in_only_second")() == 4 * all, "the counts of the second library",
              i);
        if (i % 2 == 0) {
            dlclose(a.module);
            a.module = nullptr;
        }
    }
    const long bytes = (resident_bytes() - before) / (cycles - cycles / 10);
    std::printf("%d cycles of the only libraries with these headers: numbers %d and %d, %ld bytes a cycle\n", cycles,
                first_number, second_number, bytes);
    return failures != 0;
}
