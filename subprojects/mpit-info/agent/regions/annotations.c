/* The functions by which libraries for annotations name regions: Caliper's and ROCTX's in front of those of the
 * libraries, and NVTX's by its interface for tools, which loads this library because it is named in
 * NVTX_INJECTION64_PATH. Each still does what it did.
 *
 *   cali_begin_region("solve");   roctxRangePushA("halo");   roctxRangePop();   cali_end_region("solve"); */
#include "../any_libc.h"

#include "in_front.h"
#include "regions_in_thread.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many functions of Caliper and ROCTX this thread is in. They may pass their regions on to each other and to
 * NVTX. */
static __thread int inside IN_FIRST_BLOCK;

#define NAMED(name, act)                                                                                               \
    IN_FRONT(name) void front_##name(const char* region);                                                              \
    void front_##name(const char* region) {                                                                            \
        NEXT(#name)                                                                                                    \
        if (inside++ == 0) act;                                                                                        \
        if (next != NULL) ((void (*)(const char*))next)(region);                                                       \
        inside--;                                                                                                      \
    }
NAMED(cali_begin_region, enter_region(region, by_program))
NAMED(cali_end_region, leave_region(region))
NAMED(cali_begin_phase, enter_region(region, by_program))
NAMED(cali_end_phase, leave_region(region))
NAMED(cali_begin_comm_region, enter_region(region, by_program))
NAMED(cali_end_comm_region, leave_region(region))

/* A range without a name has an end as well. */
static const char* name_of(const char* message) { return message != NULL && *message != '\0' ? message : "unnamed"; }

IN_FRONT(roctxRangePushA) int front_roctxRangePushA(const char* message);
int front_roctxRangePushA(const char* message) {
    NEXT("roctxRangePushA")
    if (inside++ == 0) enter_region(name_of(message), by_roctx);
    const int level = next != NULL ? ((int (*)(const char*))next)(message) : -1;
    inside--;
    return level;
}
IN_FRONT(roctxRangePop) int front_roctxRangePop(void);
int front_roctxRangePop(void) {
    NEXT("roctxRangePop")
    if (inside++ == 0) leave_last_region(by_roctx);
    const int level = next != NULL ? ((int (*)(void))next)() : -1;
    inside--;
    return level;
}

/* What NVTX 2 and 3 pass: the beginning of nvtxEventAttributes_t, and of their tables of functions. */
struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t colour_type;
    uint32_t colour;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const void* message;
};
enum message_type { ascii = 1, unicode = 2, registered = 3 };
struct tables {
    size_t size;
    int (*functions)(int module, any_function*** table, unsigned* size);
};
enum { callbacks = 1, core = 1, push_with_attributes = 8, push_ascii = 9, push_unicode = 10, pop = 11 };
enum { core_of_domains = 5, push_in_domain = 4, pop_in_domain = 5, register_ascii = 10, register_unicode = 11 };

static int push(const char* message) {
    if (inside == 0) enter_region(name_of(message), by_nvtx);
    return 0;
}
static int push_wide(const wchar_t* message) {
    char text[64];
    size_t length = 0;
    for (; message != NULL && message[length] != 0 && length + 1 < sizeof text; length++)
        text[length] = message[length] < 128 ? (char)message[length] : '?';
    text[length] = '\0';
    return push(text);
}
static int push_attributes(const struct attributes* of) {
    if (of == NULL || of->size < sizeof *of || of->message == NULL) return push(NULL);
    if (of->message_type == unicode) return push_wide(of->message);
    return push(of->message_type == ascii || of->message_type == registered ? of->message : NULL);
}
static int push_attributes_in(void* domain, const struct attributes* of) {
    (void)domain;
    return push_attributes(of);
}
static int leave(void) { return inside == 0 ? leave_last_region(by_nvtx) : 0; }
static int leave_in(void* domain) {
    (void)domain;
    return leave();
}
/* The handle of a text is a copy of it. */
static void* registered_text(void* domain, const char* text) {
    (void)domain;
    return text != NULL ? strdup(text) : NULL;
}

static void put(any_function** table, unsigned size, unsigned place, any_function function) {
    if (table != NULL && place < size && table[place] != NULL) *table[place] = function;
}

/* NVTX calls this at the first annotation of a program. Returns 1 if annotations are taken. */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void* (*table_of)(uint32_t));
int InitializeInjectionNvtx2(const void* (*table_of)(uint32_t)) {
    const struct tables* const all = table_of(callbacks);
    any_function** table = NULL;
    unsigned size = 0;
    if (all == NULL || all->size < sizeof *all || !all->functions(core, &table, &size)) return 0;
    put(table, size, push_with_attributes, (any_function)push_attributes);
    put(table, size, push_ascii, (any_function)push);
    put(table, size, push_unicode, (any_function)push_wide);
    put(table, size, pop, (any_function)leave);
    if (!all->functions(core_of_domains, &table, &size)) return 1;
    put(table, size, push_in_domain, (any_function)push_attributes_in);
    put(table, size, pop_in_domain, (any_function)leave_in);
    put(table, size, register_ascii, (any_function)registered_text);
    return 1;
}
