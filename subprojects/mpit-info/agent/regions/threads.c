/* libmpit-regions.so: the regions of each thread, as a stack, and as a tree in which values are summed up. A thread
 * writes only what is its own: entering and leaving take no lock; the first time in a region allocates.
 *
 *   enter_region("solve", by_program);   …   leave_region("solve"); */
#include "../any_libc.h"

#include "../regions.h"
#include "regions_in_thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of a thread: regions below `most_depth` are part of the last one, and further ones than `most_regions` are counted
 * together. */
enum { most_depth = 64, most_regions = 1024, places = 2 * most_regions };

struct thread {
    struct mpit_info_region_thread shown;
    struct mpit_info_region *last, *others;
    int is_free; /* its thread has ended; another one may continue with it */
    int depth, beyond, count;
    struct {
        struct mpit_info_region* region;
        uint64_t hash; /* of the name, which is not that of the region for the other ones */
        enum region_source source;
    } stack[most_depth];
    struct mpit_info_region* known[places]; /* by a hash of the path */
    struct mpit_info_value before[most_region_variables];
};

#define LOAD(from) __atomic_load_n(&(from), __ATOMIC_RELAXED)
#define STORE(to, value) __atomic_store_n(&(to), value, __ATOMIC_RELAXED)

static struct mpit_info_region_thread* all;
static struct thread* main_one;
static int (*read_values)(struct mpit_info_value* values);
static int variables;
static pthread_key_t at_end;
static int has_key;
static __thread struct thread* own IN_FIRST_BLOCK;
static __thread int is_busy IN_FIRST_BLOCK, is_over IN_FIRST_BLOCK;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void add_values(struct thread* of) {
    struct mpit_info_value values[most_region_variables];
    int (*const read)(struct mpit_info_value*) = __atomic_load_n(&read_values, __ATOMIC_ACQUIRE);
    if (read == NULL || !read(values)) return;
    for (int i = 0; i < variables; i++) {
        uint64_t* const sum = &of->shown.current->sums[i];
        if (values[i].is_real) {
            double real;
            memcpy(&real, sum, sizeof real);
            real += values[i].real - of->before[i].real;
            uint64_t bits;
            memcpy(&bits, &real, sizeof bits);
            STORE(*sum, bits);
        } else {
            STORE(*sum, *sum + values[i].whole - of->before[i].whole);
        }
        of->before[i] = values[i];
    }
}

/* What has passed belongs to the current region. Of other threads than the main one, time outside of regions is not
 * counted. */
static void pass_to(struct thread* of, struct mpit_info_region* next) {
    struct mpit_info_region* const current = of->shown.current;
    const uint64_t moment = now();
    if (current != &of->shown.outside || of == main_one)
        STORE(current->nanoseconds, current->nanoseconds + moment - of->shown.last);
    STORE(of->shown.last, moment);
    if (of == main_one) add_values(of);
    __atomic_store_n(&of->shown.current, next, __ATOMIC_RELEASE);
}

static void give_up(void* of) {
    struct thread* const thread = of;
    pass_to(thread, &thread->shown.outside);
    thread->depth = thread->beyond = 0;
    own = NULL;
    is_over = 1;
    __atomic_store_n(&thread->is_free, 1, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void make_key(void) { has_key = pthread_key_create(&at_end, give_up) == 0; }

/* A thread that has ended leaves its sums to the next one that begins. */
static struct thread* taken_over(void) {
    for (struct mpit_info_region_thread* each = __atomic_load_n(&all, __ATOMIC_ACQUIRE); each != NULL;
         each = each->next) {
        struct thread* const thread = (struct thread*)each;
        int is_free = 1;
        if (thread != main_one && LOAD(thread->is_free) &&
            __atomic_compare_exchange_n(&thread->is_free, &is_free, 0, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return thread;
    }
    return NULL;
}

static struct thread* made(void) {
    struct thread* const thread = calloc(1, sizeof *thread);
    if (thread == NULL) return NULL;
    thread->shown.outside.name = "";
    thread->shown.current = thread->last = &thread->shown.outside;
    thread->shown.next = __atomic_load_n(&all, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&all, &thread->shown.next, &thread->shown, 0, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {}
    return thread;
}

static struct thread* this_thread(void) {
    if (__builtin_expect(own != NULL, 1)) return own;
    if (is_over || is_busy) return NULL;
    is_busy = 1;
    struct thread* thread = taken_over();
    if (thread == NULL) thread = made();
    if (thread != NULL) {
        STORE(thread->shown.last, now());
        if (has_key) pthread_setspecific(at_end, thread);
    }
    own = thread;
    is_busy = 0;
    return thread;
}

static struct mpit_info_region* appended(struct thread* of, const char* name, struct mpit_info_region* above) {
    const size_t length = strnlen(name, longest_region_name);
    struct mpit_info_region* const region = calloc(1, sizeof *region + length + 1);
    if (region == NULL) return NULL;
    region->name = memcpy(region + 1, name, length);
    region->above = above;
    __atomic_store_n(&of->last->next, region, __ATOMIC_RELEASE);
    of->last = region;
    of->count++;
    return region;
}

static uint64_t hash_of(const char* name) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < longest_region_name && name[i] != '\0'; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
    return hash;
}

/* The region of this name below the current one; null without memory. */
static struct mpit_info_region* below(struct thread* of, const char* name, uint64_t hash) {
    struct mpit_info_region* const above = of->shown.current;
    const uint64_t mixed = (hash ^ (uintptr_t)above) * 0x9e3779b97f4a7c15u;
    for (unsigned place = (unsigned)(mixed >> 32);; place++) {
        struct mpit_info_region** const known = &of->known[place % places];
        if (*known == NULL) {
            if (of->count < most_regions) return *known = appended(of, name, above);
            if (of->others == NULL) of->others = appended(of, "other regions", &of->shown.outside);
            return of->others;
        }
        if ((*known)->above == above && strncmp((*known)->name, name, longest_region_name) == 0) return *known;
    }
}

void enter_region(const char* name, enum region_source source) {
    struct thread* const thread = this_thread();
    if (thread == NULL || is_busy || name == NULL || *name == '\0') return;
    is_busy = 1;
    const uint64_t hash = hash_of(name);
    struct mpit_info_region* const region = thread->depth < most_depth ? below(thread, name, hash) : NULL;
    if (region != NULL) {
        pass_to(thread, region);
        STORE(region->visits, region->visits + 1);
        thread->stack[thread->depth].source = source;
        thread->stack[thread->depth].hash = hash;
        thread->stack[thread->depth++].region = region;
    } else {
        thread->beyond++;
    }
    is_busy = 0;
}

/* Leaves all regions down to this place of the stack. */
static void leave_to(struct thread* of, int depth) {
    is_busy = 1;
    pass_to(of, depth > 0 ? of->stack[depth - 1].region : &of->shown.outside);
    of->depth = depth;
    is_busy = 0;
}

void leave_region(const char* name) {
    struct thread* const thread = this_thread();
    if (thread == NULL || is_busy || name == NULL) return;
    if (thread->beyond > 0) {
        thread->beyond--;
        return;
    }
    const uint64_t hash = hash_of(name);
    int place = thread->depth;
    while (place > 0 && thread->stack[place - 1].hash != hash) place--;
    if (place > 0) leave_to(thread, place - 1);
}

int leave_last_region(enum region_source source) {
    struct thread* const thread = this_thread();
    if (thread == NULL || is_busy) return -1;
    if (thread->beyond > 0) return most_depth + --thread->beyond;
    int place = thread->depth;
    while (place > 0 && thread->stack[place - 1].source != source) place--;
    if (place > 0) leave_to(thread, place - 1);
    return place - 1;
}

static void begin(int count, int (*read)(struct mpit_info_value* values)) {
    struct thread* const thread = this_thread();
    if (thread == NULL) return;
    for (struct mpit_info_region* each = &thread->shown.outside; each != NULL; each = each->next) {
        STORE(each->visits, 0);
        STORE(each->nanoseconds, 0);
    }
    /* Those that the thread is in are visited now. */
    for (int i = 0; i < thread->depth; i++) STORE(thread->stack[i].region->visits, 1);
    STORE(thread->shown.last, now());
    variables = count < most_region_variables ? count : most_region_variables;
    if (variables > 0 && read(thread->before)) __atomic_store_n(&read_values, read, __ATOMIC_RELEASE);
    __atomic_store_n(&main_one, thread, __ATOMIC_RELEASE);
}

static void update(void) {
    if (own == NULL || own != main_one || is_busy) return;
    is_busy = 1;
    pass_to(own, own->shown.current);
    is_busy = 0;
}

static void end(void) { __atomic_store_n(&read_values, NULL, __ATOMIC_RELEASE); }

static struct mpit_info_region* current(void) {
    struct thread* const thread = this_thread();
    return thread != NULL ? thread->shown.current : NULL;
}

static struct mpit_info_region_thread* threads(void) { return __atomic_load_n(&all, __ATOMIC_ACQUIRE); }

static struct mpit_info_region_thread* main_thread(void) {
    struct thread* const thread = __atomic_load_n(&main_one, __ATOMIC_ACQUIRE);
    return thread != NULL ? &thread->shown : NULL;
}

__attribute__((visibility("default"))) extern const struct mpit_info_regions mpit_info_regions;
const struct mpit_info_regions mpit_info_regions = {begin, update, end, current, threads, main_thread};
