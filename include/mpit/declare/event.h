/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of events in C: the library reports to tools that something happens, at that moment, with a plain struct as
 * the payload. Without a registered callback a raise is one load and one branch (MPI-5.0, 15.3.8).
 *
 *   struct freed { int id; unsigned long handle; };
 *   static mpit_event comm_freed;
 *   static const mpit_element freed_elements[] = {
 *       MPIT_ROW_ELEMENT(struct freed, id), MPIT_ROW_ELEMENT(struct freed, handle), MPIT_ROW_END};
 *   static const mpit_event_type events[] = {
 *       MPIT_ROW_EVENT("comm_freed", &comm_freed, struct freed, freed_elements, "Communicator freed"), MPIT_ROW_END};
 *
 *   mpit_raise(&comm_freed, &(struct freed){id, handle});
 *
 * These functions have no errors: an instance that cannot be delivered is counted, and reported to dropped handlers.
 * Any thread may raise an event while its group is open and before, not during mpit_add_events() and mpit_close(). */
#ifndef MPIT_DECLARE_EVENT_H
#define MPIT_DECLARE_EVENT_H

#include <mpit/declare/control.h>
#include <mpit/declare/names.h>
#include <mpit/declare/source.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An event. It must begin as zeros, as an object of static storage duration does, and one row of one open group
 * describes it. Its members are for the library's own use. */
typedef struct mpit_event {
    uint64_t description[20];
    uint32_t listening;
    uint32_t unused;
    uint64_t rest[4];
} mpit_event;

/* A member of the payload: one element of the event, or an array of elements. */
typedef struct mpit_element {
    const char* name; /* shown to tools */
    mpit_type type;   /* of one element */
    size_t offset;    /* in the struct, in bytes */
    size_t size;      /* of the member, in bytes */
} mpit_element;

/* The safety level that the context of a raise requires of callbacks (MPI-5.0, 15.3.8). */
typedef enum mpit_safety MPIT_ENUM_TYPE {
    MPIT_NO_RESTRICTION,
    MPIT_RESTRICTED,
    MPIT_THREAD_SAFE,
    MPIT_ASYNC_SIGNAL_SAFE
} mpit_safety;

/* A row of a table. The macro fills the members before `verbosity`. */
typedef struct mpit_event_type {
    const char* name;             /* shown to tools */
    mpit_event* event;            /* the object that the library raises */
    const mpit_element* elements; /* in the order of their offsets, up to MPIT_ROW_END; NULL for none */
    size_t size;                  /* of the payload, at most 4096 bytes */
    const char* description;

    mpit_verbosity verbosity;
    mpit_bind bind;     /* a bound event is raised with mpit_raise_in() */
    size_t handle_size; /* of a bound event: the bytes of a handle, 4 or 8 */
    /* Returns true for the handle of an object; NULL: every handle. Called by any thread, and in signal handlers. */
    bool (*exists)(uint64_t handle);
    /* The source whose clock stamps the event, in an open group that is closed after this one. NULL: `clock`. */
    mpit_source* source;
    mpit_clock clock; /* the clock if `source` is NULL */
} mpit_event_type;

/* The parts of the functions below for an event with a registered callback. For the library's own use. */
MPIT_NAMED void mpit_raise_heard(mpit_event* event, const void* payload, uint64_t handle, mpit_safety level)
    __attribute__((cold));
MPIT_NAMED void mpit_defer_heard(mpit_event* event, const void* payload, uint64_t handle) __attribute__((cold));
MPIT_NAMED void mpit_deliver_heard(mpit_event* event, mpit_safety level) __attribute__((cold));

#ifdef __cplusplus
}
#else

/* Returns false if no callback is registered: no payload is needed. One load, for any thread and signal handler. */
static inline bool mpit_is_heard(const mpit_event* event) {
    return __builtin_expect(__atomic_load_n(&event->listening, __ATOMIC_RELAXED) != 0, 0);
}
/* Raises an event: callbacks run during the call, in this thread. `mpit_raise(&event, &(struct message){source,
 * bytes});` evaluates the payload only if a callback is registered; otherwise it is one load and one branch. Takes no
 * lock and does not allocate. Not for signal handlers, which use mpit_raise_at(). */
#define mpit_raise(event, ...) MPIT_IF_HEARD(event, mpit_raise_heard(mpit_heard_, __VA_ARGS__, 0, MPIT_NO_RESTRICTION))
/* Raises an event that is bound to MPI objects, for the object with this handle; otherwise as mpit_raise(). */
#define mpit_raise_in(event, handle, ...)                                                                              \
    MPIT_IF_HEARD(event, mpit_raise_heard(mpit_heard_, __VA_ARGS__, handle, MPIT_NO_RESTRICTION))
/* Raises an event in a context that requires `level` of callbacks, such as a signal handler. Callbacks of a lower level
 * are not called, and the loss is counted. The handle is 0 if the event is not bound. */
#define mpit_raise_at(event, level, handle, ...)                                                                       \
    MPIT_IF_HEARD(event, mpit_raise_heard(mpit_heard_, __VA_ARGS__, handle, level))
/* Raises an event in a context where no callback may run, such as under a lock: callbacks run before the next event of
 * this kind, or in mpit_deliver(). For any thread and signal handler. The handle is 0 if the event is not bound. */
#define mpit_defer(event, handle, ...) MPIT_IF_HEARD(event, mpit_defer_heard(mpit_heard_, __VA_ARGS__, handle))
/* For the library's own use. */
#define MPIT_IF_HEARD(event, ...)                                                                                      \
    do {                                                                                                               \
        mpit_event* const mpit_heard_ = (event);                                                                       \
        if (mpit_is_heard(mpit_heard_)) __VA_ARGS__;                                                                   \
    } while (0)
/* Delivers the deferred instances, for the progress loop of a library. For any thread, not for signal handlers. */
static inline void mpit_deliver(mpit_event* event) {
    if (mpit_is_heard(event)) mpit_deliver_heard(event, MPIT_NO_RESTRICTION);
}

/* For the library's own use: the mpit_type of a member, or of the elements of an array. Other types are a compile
 * error. An array type of _Generic must not have the length 0, so that a member smaller than `type` gets 1. */
#define MPIT_ARRAY_LIKE(type, member) type(*)[sizeof(member) / (sizeof(type)) + (sizeof(member) < sizeof(type))]
#define MPIT_ELEMENT_IS(type, member, result) type* : result, MPIT_ARRAY_LIKE(type, member) : result
#define MPIT_TYPE_OF_ELEMENT(member)                                                                                   \
    __extension__ _Generic(&(member),                                                                                  \
        MPIT_ELEMENT_IS(char, member, MPIT_TYPE_CHAR),                                                                 \
        MPIT_ELEMENT_IS(int, member, MPIT_TYPE_INT),                                                                   \
        MPIT_ELEMENT_IS(unsigned, member, MPIT_TYPE_UNSIGNED),                                                         \
        MPIT_ELEMENT_IS(long, member, MPIT_TYPE_LONG),                                                                 \
        MPIT_ELEMENT_IS(unsigned long, member, MPIT_TYPE_UNSIGNED_LONG),                                               \
        MPIT_ELEMENT_IS(long long, member, MPIT_TYPE_LONG_LONG),                                                       \
        MPIT_ELEMENT_IS(unsigned long long, member, MPIT_TYPE_UNSIGNED_LONG_LONG),                                     \
        MPIT_ELEMENT_IS(double, member, MPIT_TYPE_DOUBLE))

/* A member of a struct as an element or an array of elements, with the name of the member. */
#define MPIT_ROW_ELEMENT(struct_, member)                                                                              \
    {.name = MPIT_ROW_NAME(#member),                                                                                   \
     .type = MPIT_TYPE_OF_ELEMENT(((struct_*)0)->member),                                                              \
     .offset = offsetof(struct_, member),                                                                              \
     .size = sizeof(((struct_*)0)->member)}
/* An event: MPIT_ROW_EVENT("my_freed", &freed, struct freed, elements, "It was freed", .bind = MPIT_BIND_COMM). */
#define MPIT_ROW_EVENT(name_, event_, struct_, elements_, ...)                                                         \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .event = event_,                                                                                                  \
     .elements = elements_,                                                                                            \
     .size = sizeof(struct_),                                                                                          \
     .description = __VA_ARGS__}

#endif

#endif
