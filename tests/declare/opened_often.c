/* Two libraries in C that are opened and closed in the order that glibc's small store for thread storage does not
 * bear: their C files find the cells of a thread as their C++ file does. A group that one of them leaves open is
 * closed by dlclose(): it can be opened again, and its memory is released.
 *     opened_often <library> <library> */
#include <mpit/mpi_t.h>

#include "../mpi_t/check.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stddef.h>
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

static int open_group(void* library) {
    int (*open)(void);
    void* const function = dlsym(library, "plugin_open");
    memcpy(&open, &function, sizeof open);
    return open();
}
/* The bytes that malloc() has given out; 0 where it does not say. */
static size_t bytes_given_out(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}
static void leave_groups_open(const char* path) {
    size_t before = 0;
    for (int i = 0; i < cycles && checks_failed == 0; i++) {
        void* const library = opened(path);
        CHECK(library != NULL);
        if (library == NULL) return;
        CHECK(open_group(library) == 0);
        CHECK(dlclose(library) == 0);
        if (i == 10) before = bytes_given_out();
    }
    /* A group has 1.2 KB. */
    CHECK(bytes_given_out() <= before + (size_t)cycles * 100);
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
    leave_groups_open(argv[1]);
    return report();
}
