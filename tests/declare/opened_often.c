/* Two libraries in C that are opened and closed in the order that glibc's small store for thread storage does not bear: their C
 * files find the cells of a thread as their C++ file does.
 *     opened_often <library> <library> */
#include <mpit/mpi_t.h>

#include "../mpi_t/check.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

enum { cycles = 300 };

static void* opened(const char* path) {
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) puts(dlerror());
    return library;
}
static uint64_t counted(void* library, uint64_t amount) {
    uint64_t (*count)(uint64_t);
    void* const function = dlsym(library, "plugin_count");
    memcpy(&count, &function, sizeof count);
    return count(amount);
}

int main(int argc, char** argv) {
    if (argc < 3) return puts("no libraries"), 2;
    round_name = "libraries in C that are opened often";
    for (int i = 0; i < cycles && checks_failed == 0; i++) {
        void* const first = opened(argv[1]);
        void* const second = opened(argv[2]);
        CHECK(first != NULL && second != NULL);
        if (first == NULL || second == NULL) break;
        const uint64_t before_first = counted(first, 0), before_second = counted(second, 0);
        CHECK(counted(first, 3) == before_first + 3);
        CHECK(counted(second, 5) == before_second + 5);
        CHECK(dlclose(first) == 0);
        CHECK(dlclose(second) == 0);
    }
    return report();
}
