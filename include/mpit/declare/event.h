/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of events in C (MPI-5.0, 15.3.8). A library raises an event when something happens, with a plain struct as the
 * payload. Without a registered callback, a raise is one load and one branch.
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
 * The functions of this header return no errors. Instances of an event that cannot be delivered are counted, and the
 * tool's dropped-handler callback receives the count. Any thread may raise an event before the event is added and until
 * the event's group is closed, but not during mpit_add_events() and mpit_close(). */
#ifndef MPIT_DECLARE_EVENT_H
#define MPIT_DECLARE_EVENT_H

#include <mpit/core/probe.h>
#include <mpit/declare/control.h>
#include <mpit/declare/names.h>
#include <mpit/declare/source.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An event. The object must be zeros at first, as an object of static storage duration is. While a row's group is open,
 * no other row may name the same mpit_event. The struct's members are for the library's own use. */
typedef struct mpit_event {
    uint64_t description[20];
    uint32_t listening;
    uint32_t unused;
    uint64_t rest[4];
} mpit_event;

/* A member of an event's payload struct, which is one element or an array of elements of the event. */
typedef struct mpit_element {
    const char* name; /* the name that tools see */
    mpit_type type;   /* type of one element */
    size_t offset;    /* offset of the member in the struct, in bytes */
    size_t size;      /* size of the member, in bytes */
} mpit_element;

/* The safety level that callbacks need if they run in the context in which an event is raised (MPI-5.0, 15.3.8). */
typedef enum mpit_safety MPIT_ENUM_TYPE {
    MPIT_NO_RESTRICTION,
    MPIT_RESTRICTED,
    MPIT_THREAD_SAFE,
    MPIT_ASYNC_SIGNAL_SAFE
} mpit_safety;

/* A row of a table of events. MPIT_ROW_EVENT fills the members before `verbosity`. */
typedef struct mpit_event_type {
    const char* name;             /* the name that tools see */
    mpit_event* event;            /* the object that the library raises */
    const mpit_element* elements; /* elements by increasing offset, up to MPIT_ROW_END, or NULL for none */
    size_t size;                  /* size of the payload, at most 4096 bytes */
    const char* description;

    mpit_verbosity verbosity;
    mpit_bind bind;     /* kind of MPI object to which the event is bound */
    size_t handle_size; /* bytes of an object's handle, 4 or 8, for a bound event */
    /* Returns true if the handle belongs to an MPI object. If `exists` is NULL, every handle belongs to an object. Any
     * thread and any signal handler may call `exists`. */
    bool (*exists)(uint64_t handle);
    /* The source whose clock stamps the event. The source's group must be closed after the event's group. If `source`
     * is NULL, the member `clock` selects the clock. */
    mpit_source* source;
    mpit_clock clock; /* the clock of an event whose `source` is NULL */
} mpit_event_type;

/* The functions that mpit_raise(), mpit_defer() and mpit_deliver() call if a callback is registered. For the library's
 * own use. */
MPIT_NAMED void mpit_raise_heard(mpit_event* event, const void* payload, uint64_t handle, mpit_safety level)
    __attribute__((cold));
MPIT_NAMED void mpit_defer_heard(mpit_event* event, const void* payload, uint64_t handle) __attribute__((cold));
MPIT_NAMED void mpit_deliver_heard(mpit_event* event, mpit_safety level) __attribute__((cold));

#ifdef __cplusplus
}
#else

/* Returns false if no callback is registered for the event. Without a callback, the caller needs no payload. The
 * function is one load. Any thread and any signal handler may call the function. */
static inline bool mpit_event_is_watched(const mpit_event* event) {
    return __builtin_expect(__atomic_load_n(&event->listening, __ATOMIC_RELAXED) != 0, 0);
}
/* Raises an event, as in `mpit_raise(&event, &(struct message){source, bytes});`. Callbacks run in this thread before
 * the macro returns. The macro evaluates the payload only if a callback is registered. Without a registered callback,
 * the macro is one load and one branch. The macro takes no lock and does not allocate memory. Signal handlers use
 * mpit_raise_at() instead. */
#define mpit_raise(event, ...) mpit_raise_at(event, MPIT_NO_RESTRICTION, 0, __VA_ARGS__)
/* Raises an event that is bound to MPI objects, for the object with this handle, in the same way as mpit_raise(). */
#define mpit_raise_in(event, handle, ...) mpit_raise_at(event, MPIT_NO_RESTRICTION, handle, __VA_ARGS__)
/* Raises an event in a context that requires callbacks of the safety level `level`, such as a signal handler. Callbacks
 * of a lower level do not run, and the instance is counted as dropped. The handle is 0 if the event is not bound. */
#define mpit_raise_at(event, level, handle, ...)                                                                       \
    MPIT_IF_HEARD(event, handle, mpit_raise_heard(mpit_heard_, mpit_payload_, mpit_object_, level), __VA_ARGS__)
/* Raises an event in a context where no callback may run, such as code that holds a lock. The callbacks run before the
 * next instance of the event, or in mpit_deliver(). Any thread and any signal handler may use the macro. The handle is
 * 0 if the event is not bound. */
#define mpit_defer(event, handle, ...)                                                                                 \
    MPIT_IF_HEARD(event, handle, mpit_defer_heard(mpit_heard_, mpit_payload_, mpit_object_), __VA_ARGS__)
/* Runs a statement if a callback is registered for the event, and evaluates the handle and the payload only then. With
 * MPIT_PROBES=1 both are evaluated always, for the probe. For the library's own use. */
#define MPIT_IF_HEARD(event, handle, statement, ...)                                                                   \
    do {                                                                                                               \
        mpit_event* const mpit_heard_ = (event);                                                                       \
        MPIT_IF_PROBED(MPIT_RAISED(handle, __VA_ARGS__) MPIT_PROBE_RAISED(mpit_heard_, mpit_object_, mpit_payload_);)  \
        if (mpit_event_is_watched(mpit_heard_)) {                                                                      \
            MPIT_IF_NOT_PROBED(MPIT_RAISED(handle, __VA_ARGS__))                                                       \
            statement;                                                                                                 \
        }                                                                                                              \
    } while (0)
#define MPIT_RAISED(handle, ...)                                                                                       \
    const uint64_t mpit_object_ = (handle);                                                                            \
    const void* const mpit_payload_ = __VA_ARGS__;
/* Delivers the instances of an event that mpit_defer() has deferred. Any thread may call the function, for example in a
 * progress loop, but no signal handler. */
static inline void mpit_deliver(mpit_event* event) {
    if (mpit_event_is_watched(event)) mpit_deliver_heard(event, MPIT_NO_RESTRICTION);
}

/* The mpit_type of a member of the payload, or of the elements of an array. A member of a type without an mpit_type is
 * a compile error. MPIT_ARRAY_LIKE has the length 1 for a member that is smaller than `type`, because an array type of
 * _Generic must not have the length 0. For the library's own use. */
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

/* A row for a member of the payload struct. The element of the event has the name of the member. */
#define MPIT_ROW_ELEMENT(struct_, member)                                                                              \
    {.name = MPIT_ROW_NAME(#member),                                                                                   \
     .type = MPIT_TYPE_OF_ELEMENT(((struct_*)0)->member),                                                              \
     .offset = offsetof(struct_, member),                                                                              \
     .size = sizeof(((struct_*)0)->member)}
/* A row of a table of events, such as MPIT_ROW_EVENT("my_freed", &freed, struct freed, elements, "It was freed", .bind
 * = MPIT_BIND_COMM). */
#define MPIT_ROW_EVENT(name_, event_, struct_, elements_, ...)                                                         \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .event = event_,                                                                                                  \
     .elements = elements_,                                                                                            \
     .size = sizeof(struct_),                                                                                          \
     .description = __VA_ARGS__}

#endif

#endif
