/* libmpit-calls.so: a function in front of each function of functions.txt, which jumps to that of the MPI, or to one
 * that counts, after an agent has routed the calls (../calls.h). Until then a call costs a load, a branch and a
 * jump.
 *
 * The functions know no mpi.h: each argument is a number or an address, and is handed on in the same register or
 * place of the stack. Like those of entries.c they have a version that dlsym() does not find. */
#include "../any_libc.h"

#include "../calls.h"
#include "../preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define PASS_ON(number, name, parameters, arguments)
#define NAMES_OF_FUNCTIONS
static const char* const names[] = {
#include "passing.inc"
};
#undef NAMES_OF_FUNCTIONS
#undef PASS_ON
enum { count = sizeof names / sizeof *names };

/* Where a call goes; null if that depends on the caller, as with an MPI that was opened after the start. */
static _Atomic(any_function) targets[count];
/* The functions of the MPI that is watched, and those that count; null while calls are passed on. */
static any_function watched[count];
static const _Atomic(any_function)* counting_now;
static _Atomic(any_function) counting[count];

/* The code of MPIs for an unspecific error: the caller has used a function that no MPI of the process has. */
static int no_function(void) { return 16; }

/* What a caller at an address calls. A library that is closed leaves its callers here, until others take their
 * places. */
struct known_caller {
    _Atomic(const void*) caller;
    _Atomic(any_function) function;
    atomic_uint changes; /* odd while the place is written */
};
static struct known_caller known[1024];

static struct known_caller* place_of(int number, const void* caller) {
    const uintptr_t mixed = ((uintptr_t)caller ^ (uintptr_t)number << 4) * 0x9e3779b97f4a7c15u;
    return &known[mixed >> (8 * sizeof mixed - 10)];
}

static any_function function_for(int number, const void* caller) {
    struct known_caller* const place = place_of(number, caller);
    const void* const key = (const char*)caller + number; /* two functions are never called from one place */
    unsigned before = place->changes;
    if ((before & 1) == 0 && place->caller == key) {
        const any_function there = place->function;
        if (place->changes == before) return there;
    }
    const int kept = errno;
    any_function found = next_function(names[number], caller);
    if (found == NULL) found = (any_function)no_function;
    before = place->changes;
    if ((before & 1) == 0 && atomic_compare_exchange_strong(&place->changes, &before, before + 1)) {
        place->caller = key;
        place->function = found;
        place->changes = before + 2;
    }
    errno = kept;
    return found;
}

/* Where a call goes that has no target. */
static any_function resolve(int number, const void* caller) {
    const int kept = errno;
    const any_function all = function_for_all(names[number]);
    errno = kept;
    const any_function found = all != NULL ? all : function_for(number, caller);
    const int is_counted = counting_now != NULL && found == watched[number] && counting[number] != NULL;
    const any_function target = is_counted ? counting[number] : found;
    any_function none = NULL;
    /* A thread that routes at the same time has the last word. */
    if (all != NULL) atomic_compare_exchange_strong(&targets[number], &none, target);
    return target;
}

#define PASS_ON(number, name, parameters, arguments)                                                                   \
    __asm__(".symver front_" #name ", " #name "@MPIT_INFO");                                                           \
    __attribute__((visibility("default"))) int front_##name parameters;                                                \
    int front_##name parameters {                                                                                      \
        any_function target = atomic_load_explicit(&targets[number], memory_order_acquire);                            \
        if (__builtin_expect(target == NULL, 0)) target = resolve(number, __builtin_return_address(0));                \
        return ((int(*) parameters)target)arguments;                                                                   \
    }
#include "passing.inc"

static void route(any_function (*find)(const char* name), const any_function* to, any_function* real) {
    for (int i = 0; i < count; i++) {
        watched[i] = real[i] = find(names[i]);
        counting[i] = real[i] != NULL ? to[i] : NULL;
    }
    counting_now = counting;
    for (int i = 0; i < count; i++)
        if (counting[i] != NULL && function_for_all(names[i]) == watched[i]) targets[i] = counting[i];
}

static void unroute(void) {
    counting_now = NULL;
    for (int i = 0; i < count; i++)
        if (counting[i] != NULL && targets[i] == counting[i]) targets[i] = watched[i];
}

static struct mpit_info_moment loaded;
/* As both_clocks() of mpit/core/clock.hpp, in C: the fastest of four readings, since if the thread is interrupted between the clocks, the reading is wrong, and slow. */
__attribute__((constructor)) static void note_clocks(void) {
#if defined(__x86_64__)
    unsigned long long shortest = ~0ull;
    for (int tries = 0; tries < 4; tries++) {
        struct timespec now;
        const unsigned long long begin = __builtin_ia32_rdtsc();
        clock_gettime(CLOCK_MONOTONIC, &now);
        const unsigned long long duration = __builtin_ia32_rdtsc() - begin;
        if (duration >= shortest) continue;
        shortest = duration;
        loaded.cycle = begin + duration / 2;
        loaded.nanosecond = (unsigned long long)now.tv_sec * 1000000000 + (unsigned long long)now.tv_nsec;
    }
#endif
}

__attribute__((visibility("default"))) extern const struct mpit_info_passing mpit_info_passing;
const struct mpit_info_passing mpit_info_passing = {count, names, route, unroute, &loaded};
