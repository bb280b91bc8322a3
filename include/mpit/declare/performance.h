/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of performance variables (MPI-5.0, 15.3.7): in cells, at an address, or what a function returns.
 *
 *   static mpit_counter sent = MPIT_COUNTER_CELL;
 *   static const mpit_performance measures[] = {MPIT_ROW_COUNTER("sent", &sent, "Messages sent"), MPIT_ROW_END};
 *
 * Rows are constant data: any thread and any signal handler may read them. */
#ifndef MPIT_DECLARE_PERFORMANCE_H
#define MPIT_DECLARE_PERFORMANCE_H

#include <mpit/declare/cells.h>
#include <mpit/declare/control.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The classes of performance variables that a table may have. */
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

/* A performance variable: in a cell, at an address, or what a function returns. The macros fill the members before
 * `verbosity`. */
typedef struct mpit_performance {
    const char* name;            /* as tools see it */
    mpit_class variable_class;   /* with a type that it may have (15.3.7) */
    mpit_type type;              /* of the value that tools read */
    mpit_counter* counter;       /* the cell of a counter or an aggregate */
    mpit_timer* timer;           /* the cell of a timer */
    mpit_level* level;           /* the cell of a level, a size or a watermark; several rows may have the same one */
    mpit_state* state;           /* the cell of a state */
    mpit_real* real;             /* the cell of an aggregate of doubles, or of a timer in seconds */
    mpit_real_level* real_level; /* the cell of a level, a size, a percentage or a watermark of doubles */
    const mpit_enumeration* enumeration;     /* of a state */
    const void* storage;                     /* of a number that the library changes itself */
    size_t size;                             /* of the storage, in bytes; of a text, the room for it with its null */
    unsigned long long (*value)(void* data); /* called by any thread, and in signal handlers */
    double (*real_value)(void* data);
    unsigned long long (*value_at)(uint64_t handle, unsigned element,
                                   void* data); /* of one element, of an object if it is bound */
    double (*real_value_at)(uint64_t handle, unsigned element, void* data);
    /* Writes the values of `count` elements from `first` on into an array of the row's type: at most 128 in one
     * call. */
    void (*values_at)(uint64_t handle, unsigned first, unsigned count, void* values, void* data);
    /* Writes a text of at most `size` bytes with its null. It is the library's own for every handle of a tool. */
    void (*text_at)(uint64_t handle, char* text, size_t size, void* data);
    const char* description;

    mpit_verbosity verbosity;
    void* data;         /* for the function; NULL is the object that the table is added with */
    bool readonly;      /* a tool cannot reset or write it */
    bool continuous;    /* a tool cannot start or stop it */
    unsigned count;     /* of numbers that follow each other at the address, or of elements; 0 is 1 */
    mpit_bind bind;     /* with MPIT_ROW_GET_AT and MPIT_ROW_GET_ALL */
    size_t handle_size; /* of a bound variable: the bytes of a handle, 4 or 8 */
    /* Of a bound variable: how many elements it has for the object with this handle, 0 if there is no such object.
     * Called by any thread, and in signal handlers. */
    unsigned (*elements)(uint64_t handle, void* data);
    /* Of a row that is no cell: called with 1 before a handle on the variable starts to run, with -1 after it has
     * stopped or is freed: the sum is the number of running handles. Called in the thread of the tool, also
     * concurrently. */
    void (*on_watch)(int change, void* data);
    /* Of a text: stores the one that a tool writes, "" if it resets the variable, or refuses it with
     * MPI_T_ERR_PVAR_NO_WRITE. Without it the text is readonly. Called in the thread of the tool, also concurrently. */
    mpit_reply (*on_write)(uint64_t handle, const char* text, void* data);
} mpit_performance;

/* For the library's own use. */
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

/* For the library's own use: the address of a number that is only read, checked by the compiler in C. */
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

/* Rows: sums in cells, as unsigned long long; a timer shows seconds. */
#define MPIT_ROW_COUNTER(name_, cell, ...)                                                                             \
    MPIT_MEASURE(name_, MPIT_CLASS_COUNTER, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL, __VA_ARGS__)
/* The same for amounts. */
#define MPIT_ROW_AGGREGATE(name_, cell, ...)                                                                           \
    MPIT_MEASURE(name_, MPIT_CLASS_AGGREGATE, MPIT_TYPE_UNSIGNED_LONG_LONG, cell, NULL, NULL, 0, NULL, NULL,           \
                 __VA_ARGS__)
/* The same for times. */
#define MPIT_ROW_TIMER(name_, cell, ...)                                                                               \
    MPIT_MEASURE(name_, MPIT_CLASS_TIMER, MPIT_TYPE_DOUBLE, NULL, cell, NULL, 0, NULL, NULL, __VA_ARGS__)
/* A level in a cell, as unsigned long long: MPIT_ROW_LEVEL("queued", &queued, "Messages that wait"). */
#define MPIT_ROW_LEVEL(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LEVEL, cell, __VA_ARGS__)
/* The highest value of a level, for each handle of a tool since it was started or reset. */
#define MPIT_ROW_HIGHEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_HIGHWATERMARK, cell, __VA_ARGS__)
/* The lowest value. */
#define MPIT_ROW_LOWEST(name_, cell, ...) MPIT_ROW_OF_LEVEL(name_, MPIT_CLASS_LOWWATERMARK, cell, __VA_ARGS__)
/* For the library's own use. */
#define MPIT_ROW_OF_LEVEL(name_, class_, cell, ...)                                                                    \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = class_,                                                                                         \
     .type = MPIT_TYPE_UNSIGNED_LONG_LONG,                                                                             \
     .level = cell,                                                                                                    \
     .description = __VA_ARGS__}
/* Doubles in cells: amounts; seconds that mpit_add_real() adds; a level, and its highest and lowest value; a part
 * from 0.0 to 1.0. */
#define MPIT_ROW_REAL_AGGREGATE(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_AGGREGATE, real, cell, __VA_ARGS__)
#define MPIT_ROW_SECONDS(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_TIMER, real, cell, __VA_ARGS__)
#define MPIT_ROW_REAL_LEVEL(name_, cell, ...) MPIT_ROW_OF_REAL(name_, MPIT_CLASS_LEVEL, real_level, cell, __VA_ARGS__)
#define MPIT_ROW_REAL_HIGHEST(name_, cell, ...)                                                                        \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_HIGHWATERMARK, real_level, cell, __VA_ARGS__)
#define MPIT_ROW_REAL_LOWEST(name_, cell, ...)                                                                         \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_LOWWATERMARK, real_level, cell, __VA_ARGS__)
#define MPIT_ROW_PERCENTAGE(name_, cell, ...)                                                                          \
    MPIT_ROW_OF_REAL(name_, MPIT_CLASS_PERCENTAGE, real_level, cell, __VA_ARGS__)
/* For the library's own use. */
#define MPIT_ROW_OF_REAL(name_, class_, member, cell, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = class_,                                                                                         \
     .type = MPIT_TYPE_DOUBLE,                                                                                         \
     .member = cell,                                                                                                   \
     .description = __VA_ARGS__}
/* A state in a cell: MPIT_ROW_STATE("phase", &phase, &phases, "What the library does"). */
#define MPIT_ROW_STATE(name_, cell, enumeration_, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_STATE,                                                                               \
     .type = MPIT_TYPE_INT,                                                                                            \
     .state = cell,                                                                                                    \
     .enumeration = enumeration_,                                                                                      \
     .description = __VA_ARGS__}
/* A number that the library changes itself: MPIT_ROW_AT(LEVEL, UNSIGNED, "queued", &queued, "Receives posted"). With
 * .count = 4 it is the first of four. */
#define MPIT_ROW_AT(class_, type_, name_, pointer, ...)                                                                \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL,                                            \
                 MPIT_READ_ADDRESS(MPIT_STORED_##type_, pointer), sizeof *(pointer), NULL, NULL, __VA_ARGS__)
/* What a function returns: MPIT_ROW_GET(SIZE, UNSIGNED, "peers", peers, "Processes that are connected", .data =
 * &table). */
#define MPIT_ROW_GET(class_, type_, name_, function, ...)                                                              \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_##type_, NULL, NULL, NULL, 0, function, NULL, __VA_ARGS__)
/* The same for doubles. */
#define MPIT_ROW_GET_REAL(class_, name_, function, ...)                                                                \
    MPIT_MEASURE(name_, MPIT_CLASS_##class_, MPIT_TYPE_DOUBLE, NULL, NULL, NULL, 0, NULL, function, __VA_ARGS__)
/* What a function returns for each element: MPIT_ROW_GET_AT(SIZE, UNSIGNED_LONG, "unexpected", unexpected_of,
 * "Messages that wait, of each process", .bind = MPIT_BIND_COMM, .handle_size = sizeof(MPI_Comm), .elements =
 * processes_of), or with .count elements. */
#define MPIT_ROW_GET_AT(class_, type_, name_, function, ...)                                                           \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .value_at = function,                                                                                             \
     .description = __VA_ARGS__}
/* The same for doubles. */
#define MPIT_ROW_GET_REAL_AT(class_, name_, function, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_DOUBLE,                                                                                         \
     .real_value_at = function,                                                                                        \
     .description = __VA_ARGS__}

/* The same for a function that writes several elements at once into an array of the type: for numbers that the
 * library has only as a whole. A tool's operation on n elements calls it once for each 128 of them. */
#define MPIT_ROW_GET_ALL(class_, type_, name_, function, ...)                                                          \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .variable_class = MPIT_CLASS_##class_,                                                                            \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .values_at = function,                                                                                            \
     .description = __VA_ARGS__}

/* A text that functions have, of the process or of an object: MPIT_ROW_GET_TEXT("trace_file", 256, read_name, "File
 * that a stop writes", .on_write = set_name, .on_watch = write_trace). `size_` is its room in bytes. */
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
