/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of performance variables in C (MPI-5.0, 15.3.7). The value of a variable is in a cell, is at an address, or is
 * the result of a function.
 *
 *   static mpit_counter sent = MPIT_COUNTER_CELL;
 *   static const mpit_performance measures[] = {MPIT_ROW_COUNTER("sent", &sent, "Messages sent"), MPIT_ROW_END};
 *
 * Rows are constant data. Any thread and any signal handler may read rows. */
#ifndef MPIT_DECLARE_PERFORMANCE_H
#define MPIT_DECLARE_PERFORMANCE_H

#include <mpit/declare/cells.h>
#include <mpit/declare/control.h>
#include <mpit/declare/histogram.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The class of a performance variable (MPI-5.0, 15.3.7). */
typedef enum mpit_class MPIT_ENUM_TYPE {
    MPIT_CLASS_COUNTER,
    MPIT_CLASS_AGGREGATE,
    MPIT_CLASS_TIMER,
    MPIT_CLASS_LEVEL,
    MPIT_CLASS_SIZE,
    MPIT_CLASS_PERCENTAGE,
    MPIT_CLASS_GENERIC,
    MPIT_CLASS_STATE,
    MPIT_CLASS_HIGHWATERMARK,
    MPIT_CLASS_LOWWATERMARK
} mpit_class;

/* A row of a table of performance variables. The value of a row is in exactly one cell, in storage, or behind one
 * function. All other members for cells, storage and value functions are NULL. The MPIT_ROW_ macros fill the members
 * before `verbosity`. */
typedef struct mpit_performance {
    const char* name;                    /* the name that tools see */
    mpit_class variable_class;           /* a class that can have values of `type` (MPI-5.0, 15.3.7) */
    mpit_type type;                      /* type of the value that tools read */
    mpit_counter* counter;               /* the cell of a counter or an aggregate */
    mpit_timer* timer;                   /* the cell of a timer */
    mpit_level* level;                   /* the cell of a level, a size or a watermark, which several rows may share */
    mpit_state* state;                   /* the cell of a state */
    mpit_real* real;                     /* the cell of an aggregate of doubles, or of a timer in seconds */
    mpit_real_level* real_level;         /* the cell of a level, a size, a percentage or a watermark of doubles */
    mpit_histogram* histogram;           /* the cell of a histogram, of only one row */
    const mpit_enumeration* enumeration; /* the enumeration of a state */
    const void* storage;                 /* address of a number that the library changes */
    size_t size;                         /* bytes of the storage, or most bytes of a text with the null */
    /* These functions return the value, or one element of the value. If the variable is bound, the value is the value
     * of the MPI object with this handle. Threads and signal handlers may call the functions concurrently. */
    unsigned long long (*value)(void* data);
    double (*real_value)(void* data);
    unsigned long long (*value_at)(uint64_t handle, unsigned element, void* data);
    double (*real_value_at)(uint64_t handle, unsigned element, void* data);
    /* Writes the values of `count` elements, at most 128, into an array of the row's type, beginning with the element
     * `first`. */
    void (*values_at)(uint64_t handle, unsigned first, unsigned count, void* values, void* data);
    /* Writes a text of at most `size` bytes with the terminating null. All handles of tools share this text. */
    void (*text_at)(uint64_t handle, char* text, size_t size, void* data);
    const char* description;

    mpit_verbosity verbosity;
    void* data;        /* last argument of the functions, or NULL for the object of mpit_add_performance() */
    bool readonly;     /* true if tools cannot reset or write the variable */
    bool continuous;   /* true if tools cannot start or stop the variable */
    bool when_watched; /* true if a histogram records values only while a tool's handle is running */
    unsigned count;    /* number of adjacent numbers at the address, or of elements, or 0 for 1 */
    /* For a counter whose .count elements are the buckets of a histogram, the largest value of each bucket, in
     * increasing order up to INFINITY. Tools see the bounds as a variable whose name ends with _bounds. */
    const double* bounds;
    /* The labels of the elements, with commas between them, or a function that writes the label of an element, at most
     * `room` bytes with the terminating null. Tools see the labels as a variable whose name ends with _labels. Any
     * thread and any signal handler may call the function. */
    const char* labels;
    void (*label)(uint64_t handle, unsigned element, char* label, size_t room, void* data);
    mpit_bind bind;     /* kind of object of MPIT_ROW_GET_AT, _GET_REAL_AT, _GET_ALL and _GET_TEXT */
    size_t handle_size; /* bytes of an object's handle, 4 or 8, for a bound variable */
    /* For a bound variable, returns the number of elements of the MPI object with this handle, or 0 if the object does
     * not exist. Any thread and any signal handler may call `elements`. */
    unsigned (*elements)(uint64_t handle, void* data);
    /* For a row without a cell, receives 1 before a tool's handle is started, and -1 after a running handle was stopped
     * or freed. The sum of all arguments is the number of running handles. Threads may call on_watch concurrently. */
    void (*on_watch)(int change, void* data);
    /* Stores the text that a tool writes, or "" if a tool resets the variable. If on_write rejects the text, the tool
     * receives MPI_T_ERR_PVAR_NO_WRITE. A text without on_write is readonly. Threads may call on_write concurrently. */
    mpit_reply (*on_write)(uint64_t handle, const char* text, void* data);
} mpit_performance;

/* A row whose value is in a counter, a timer or storage, or is the result of a function. For the library's own use. */
#define MPIT_MEASURE(name_, class_, type_, counter_, timer_, storage_, size_, value_, real_value_, ...)                \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = class_,                                                                                         \
     .type = type_,                                                                                                    \
     .counter = counter_,                                                                                              \
     .timer = timer_,                                                                                                  \
     .storage = storage_,                                                                                              \
     .size = size_,                                                                                                    \
     .value = value_,                                                                                                  \
     .real_value = real_value_,                                                                                        \
     .description = __VA_ARGS__}

/* The address of a number that mpit reads. In C, a number of another type is a compile error. For the library's own
 * use. */
#if defined(__cplusplus)
#define MPIT_READ_ADDRESS(type, pointer) pointer
#else
#define MPIT_READ_ADDRESS(type, pointer)                                                                               \
    __extension__ _Generic((pointer),                                                                                  \
        MPIT_EITHER(type, (const void*)(pointer)),                                                                     \
        MPIT_EITHER(const type, (const void*)(pointer)),                                                               \
        _Atomic(type)*: (const void*)(pointer),                                                                        \
        default: MPIT_FITTING_ROW(pointer))
#endif

/* A counter in an mpit_counter. Tools read unsigned long long. */
#define MPIT_ROW_COUNTER(name_, cell, ...)                                                                             \
    MPIT_MEASURE(name_, MPIT_CLASS_COUNTER, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL, __VA_ARGS__)
/* A sum of amounts in an mpit_counter. Tools read unsigned long long. */
#define MPIT_ROW_AGGREGATE(name_, cell, ...)                                                                           \
    MPIT_MEASURE(name_, MPIT_CLASS_AGGREGATE, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL,           \
                 __VA_ARGS__)
/* A sum of times in an mpit_timer. Tools read a double, in seconds. */
#define MPIT_ROW_TIMER(name_, cell, ...)                                                                               \
    MPIT_MEASURE(name_, MPIT_CLASS_TIMER, MPIT_TYPE_DOUBLE, NULL, cell, NULL, 0, NULL, NULL, __VA_ARGS__)
/* A level in an mpit_level, such as MPIT_ROW_LEVEL("queued", &queued, "Waiting"). Tools read unsigned long long. */
#define MPIT_ROW_LEVEL(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LEVEL, cell, __VA_ARGS__)
/* The size of a resource, in an mpit_level, in the unit that the description names. Tools read unsigned long long. */
#define MPIT_ROW_SIZE(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_SIZE, cell, __VA_ARGS__)
/* The highest value of a level since a tool's handle was started or reset. Each handle has its own highest value. */
#define MPIT_ROW_HIGHEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_HIGHWATERMARK, cell, __VA_ARGS__)
/* The lowest value of a level since a tool's handle was started or reset. Each handle has its own lowest value. */
#define MPIT_ROW_LOWEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LOWWATERMARK, cell, __VA_ARGS__)
/* A row whose value is in an mpit_level. For the library's own use. */
#define MPIT_ROW_OF_LEVEL(name_, class_, cell, ...)                                                                    \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = class_,                                                                                         \
     .type = MPIT_TYPE_UNSIGNED_LONG_LONG,                                                                             \
     .level = cell,                                                                                                    \
     .description = __VA_ARGS__}
/* Rows for doubles. An mpit_real is a sum of amounts or of seconds, to which mpit_add_real() adds. An mpit_real_level
 * is a level, for which further rows may record the highest and the lowest value. */
#define MPIT_ROW_REAL_AGGREGATE(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_AGGREGATE, real, cell, __VA_ARGS__)
#define MPIT_ROW_SECONDS(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_TIMER, real, cell, __VA_ARGS__)
#define MPIT_ROW_REAL_LEVEL(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_LEVEL, real_level, cell, __VA_ARGS__)
#define MPIT_ROW_REAL_HIGHEST(name_, cell, ...)                                                                        \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_HIGHWATERMARK, real_level, cell, __VA_ARGS__)
/* The lowest value of a level of doubles since a tool's handle was started or reset. */
#define MPIT_ROW_REAL_LOWEST(name_, cell, ...)                                                                         \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_LOWWATERMARK, real_level, cell, __VA_ARGS__)
/* A percentage from 0.0 to 1.0, in an mpit_real_level. */
#define MPIT_ROW_PERCENTAGE(name_, cell, ...)                                                                          \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_PERCENTAGE, real_level, cell, __VA_ARGS__)
/* A row whose value is in an mpit_real or an mpit_real_level. For the library's own use. */
#define MPIT_ROW_OF_REAL(name_, class_, member, cell, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = class_,                                                                                         \
     .type = MPIT_TYPE_DOUBLE,                                                                                         \
     .member = cell,                                                                                                   \
     .description = __VA_ARGS__}
/* A state in an mpit_state, such as MPIT_ROW_STATE("phase", &phase, &phases, "Activity"). Tools read an int. */
#define MPIT_ROW_STATE(name_, cell, enumeration_, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_STATE,                                                                               \
     .type = MPIT_TYPE_INT,                                                                                            \
     .state = cell,                                                                                                    \
     .enumeration = enumeration_,                                                                                      \
     .description = __VA_ARGS__}
/* A histogram in an mpit_histogram, whose name has at most 56 characters. Tools see six variables, whose values are in
 * the unit of the description, such as MPIT_ROW_HISTOGRAM("sizes", &sizes, "Sizes of messages, in bytes"). */
#define MPIT_ROW_HISTOGRAM(name_, cell, ...)                                                                           \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_COUNTER,                                                                             \
     .type = MPIT_TYPE_UNSIGNED_LONG_LONG,                                                                             \
     .histogram = cell,                                                                                                \
     .description = __VA_ARGS__}
/* A histogram of times. The library records nanoseconds, and tools read seconds. */
#define MPIT_ROW_LATENCY(name_, cell, ...)                                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_TIMER,                                                                               \
     .type = MPIT_TYPE_DOUBLE,                                                                                         \
     .histogram = cell,                                                                                                \
     .description = __VA_ARGS__}
/* A row for a number that the library itself changes in its storage, such as MPIT_ROW_AT(LEVEL, UNSIGNED, "queued",
 * &queued, "Receives posted"). With .count = 4, `pointer` is the address of the first of four adjacent numbers. */
#define MPIT_ROW_AT(class_, type_, name_, pointer, ...)                                                                \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL,                                            \
                 MPIT_READ_ADDRESS(MPIT_STORED_##type_, pointer), sizeof *(pointer), NULL, NULL, __VA_ARGS__)
/* A row for the result of a function, such as MPIT_ROW_GET(SIZE, UNSIGNED, "peers", peers, "Connected processes", .data
 * = &table). */
#define MPIT_ROW_GET(class_, type_, name_, function, ...)                                                              \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL, NULL, 0, function, NULL, __VA_ARGS__)
/* A row for the result of a function that returns a double. */
#define MPIT_ROW_GET_REAL(class_, name_, function, ...)                                                                \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_DOUBLE, NULL, NULL, NULL, 0, NULL, function, __VA_ARGS__)
/* A row for the results of a function that returns one element, such as MPIT_ROW_GET_AT(SIZE, UNSIGNED_LONG,
 * "unexpected", unexpected_of, "Messages that wait, of each process", .bind = MPIT_BIND_COMM, .handle_size =
 * sizeof(MPI_Comm), .elements = processes_of). A variable that is not bound has .count elements. */
#define MPIT_ROW_GET_AT(class_, type_, name_, function, ...)                                                           \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .value_at = function,                                                                                             \
     .description = __VA_ARGS__}
/* A row for the results of a function that returns one element as a double. */
#define MPIT_ROW_GET_REAL_AT(class_, name_, function, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_DOUBLE,                                                                                         \
     .real_value_at = function,                                                                                        \
     .description = __VA_ARGS__}

/* A row for a function that writes all elements into an array of the row's type. When a tool reads n elements, mpit
 * calls the function once for each 128 elements. */
#define MPIT_ROW_GET_ALL(class_, type_, name_, function, ...)                                                          \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .values_at = function,                                                                                            \
     .description = __VA_ARGS__}

/* A row for a text of the process or of an MPI object, in at most `size_` bytes with the terminating null. `function`
 * writes the current text, and .on_write stores a text. An example is MPIT_ROW_GET_TEXT("trace", 256, read_name, "File
 * that a stop writes", .on_write = set_name, .on_watch = write). */
#define MPIT_ROW_GET_TEXT(name_, size_, function, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_GENERIC,                                                                             \
     .type = MPIT_TYPE_TEXT,                                                                                           \
     .size = size_,                                                                                                    \
     .text_at = function,                                                                                              \
     .description = __VA_ARGS__}

#ifdef __cplusplus
}
#endif

#endif
