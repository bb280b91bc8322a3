/* A library with the symbols of libraries for annotations: of Caliper, of ROCTX, and of NVTX with its interface for
 * tools. It counts what reaches it. Caliper's regions are passed on to ROCTX, as its services do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*any_function)(void);

int annotations_seen;
static int level;

int roctxRangePushA(const char* message);
int roctxRangePop(void);
int roctxRangePushA(const char* message) {
    annotations_seen += message != NULL;
    return level++;
}
int roctxRangePop(void) { return --level; }

#define NAMED(name)                                                                                                    \
    void cali_begin_##name(const char* region);                                                                        \
    void cali_end_##name(const char* region);                                                                          \
    void cali_begin_##name(const char* region) {                                                                       \
        annotations_seen++;                                                                                            \
        roctxRangePushA(region);                                                                                       \
    }                                                                                                                  \
    void cali_end_##name(const char* region) {                                                                         \
        (void)region;                                                                                                  \
        roctxRangePop();                                                                                               \
    }
NAMED(region)
NAMED(phase)
NAMED(comm_region)

/* The tables of NVTX: the module is 1 for functions without a domain, and 5 for those with one. */
static any_function of_core[16], of_domains[16];
static any_function *places_of_core[16], *places_of_domains[16];
static int functions(int module, any_function*** table, unsigned* size) {
    for (int i = 0; i < 16; i++) {
        places_of_core[i] = i > 0 ? &of_core[i] : NULL;
        places_of_domains[i] = i > 0 ? &of_domains[i] : NULL;
    }
    *table = module == 1 ? places_of_core : places_of_domains;
    *size = 16;
    return module == 1 || module == 5;
}
static const struct {
    size_t size;
    int (*functions)(int, any_function***, unsigned*);
} tables = {sizeof tables, functions};
static const void* table_of(uint32_t number) { return number == 1 ? &tables : NULL; }

static void begin(void) {
    static int has_begun;
    if (has_begun++ != 0) return;
    const char* const path = getenv("NVTX_INJECTION64_PATH");
    void* const library = path != NULL ? dlopen(path, RTLD_LAZY) : NULL;
    void* const symbol = library != NULL ? dlsym(library, "InitializeInjectionNvtx2") : NULL;
    int (*initialize)(const void* (*)(uint32_t));
    memcpy(&initialize, &symbol, sizeof initialize);
    if (initialize != NULL) initialize(table_of);
}
int nvtxRangePushA(const char* message);
int nvtxRangePushEx(const void* attributes);
int nvtxRangePop(void);
int nvtxDomainRangePushEx(void* domain, const void* attributes);
int nvtxDomainRangePop(void* domain);
void* nvtxDomainRegisterStringA(void* domain, const char* text);
int nvtxRangePushA(const char* message) {
    begin();
    return of_core[9] != NULL ? ((int (*)(const char*))of_core[9])(message) : -1;
}
int nvtxRangePushEx(const void* attributes) {
    begin();
    return of_core[8] != NULL ? ((int (*)(const void*))of_core[8])(attributes) : -1;
}
int nvtxRangePop(void) { return of_core[11] != NULL ? ((int (*)(void))of_core[11])() : -1; }
int nvtxDomainRangePushEx(void* domain, const void* attributes) {
    begin();
    return of_domains[4] != NULL ? ((int (*)(void*, const void*))of_domains[4])(domain, attributes) : -1;
}
int nvtxDomainRangePop(void* domain) { return of_domains[5] != NULL ? ((int (*)(void*))of_domains[5])(domain) : -1; }
void* nvtxDomainRegisterStringA(void* domain, const char* text) {
    begin();
    return of_domains[10] != NULL ? ((void* (*)(void*, const char*))of_domains[10])(domain, text) : NULL;
}
