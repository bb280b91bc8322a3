/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of control variables over existing globals or members of a struct (MPI-5.0, 15.3.6). Storage of another type
 * than that of the row's macro is a compile error, which names the macro that fits.
 *
 *   static const mpit_control controls[] = {
 *       MPIT_ROW_INT("MY_LIMIT", &limit, "Largest message, in bytes", .range = {0, 1 << 30}, .unit = MPIT_BYTES),
 *       MPIT_ROW_CHOICE("MY_ALGORITHM", &algorithm, &algorithms, "How to reduce"),
 *       MPIT_ROW_END};
 *
 * Rows are constant data: any thread and any signal handler may read them. mpit_add_controls() copies a table with all
 * its texts, so that the table may end after the call.
 *
 * Each address in a static table costs a relocation when the program is loaded. With MPIT_AUTOMATIC_TABLES defined
 * before the include, tables and items are local variables of a function, which fills them when it runs: they cost
 * nothing at load, except one relocation for each enumeration with gcc 16. A static table is then a compile error. */
#ifndef MPIT_DECLARE_CONTROL_H
#define MPIT_DECLARE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For the library's own use: the type that C gives enumerations without a negative value. Without it in C++, a row with
 * a value that is not an enumerator would have undefined behavior there. */
#ifdef __cplusplus
#define MPIT_ENUM_TYPE : unsigned
#else
#define MPIT_ENUM_TYPE
#endif

/* The kind of MPI object that a variable or an event is bound to (MPI-5.0, 15.3.2). */
typedef enum mpit_bind MPIT_ENUM_TYPE {
    MPIT_BIND_NO_OBJECT,
    MPIT_BIND_COMM,
    MPIT_BIND_DATATYPE,
    MPIT_BIND_ERRHANDLER,
    MPIT_BIND_FILE,
    MPIT_BIND_GROUP,
    MPIT_BIND_OP,
    MPIT_BIND_REQUEST,
    MPIT_BIND_WIN,
    MPIT_BIND_MESSAGE,
    MPIT_BIND_INFO,
    MPIT_BIND_SESSION
} mpit_bind;

/* The users whom a variable is for, and its level of detail (table 15.1). */
typedef enum mpit_verbosity MPIT_ENUM_TYPE {
    MPIT_USER_BASIC,
    MPIT_USER_DETAIL,
    MPIT_USER_ALL,
    MPIT_TUNER_BASIC,
    MPIT_TUNER_DETAIL,
    MPIT_TUNER_ALL,
    MPIT_DEVELOPER_BASIC,
    MPIT_DEVELOPER_DETAIL,
    MPIT_DEVELOPER_ALL
} mpit_verbosity;

/* Whether tools can change a control variable, and on which processes they have to (table 15.3): by default local. */
typedef enum mpit_scope MPIT_ENUM_TYPE {
    MPIT_LOCAL,
    MPIT_CONSTANT,
    MPIT_READONLY,
    MPIT_GROUP,
    MPIT_GROUP_EQUAL,
    MPIT_ALL,
    MPIT_ALL_EQUAL
} mpit_scope;

/* The unit of a number. With MPIT_BYTES a user may write 64k or 2MiB, in the environment for example. */
typedef enum mpit_unit MPIT_ENUM_TYPE { MPIT_NO_UNIT, MPIT_BYTES } mpit_unit;

/* The reply of a function to a value that a tool writes: MPI_SUCCESS, MPI_T_ERR_CVAR_SET_NOT_NOW or _SET_NEVER. */
typedef enum mpit_reply MPIT_ENUM_TYPE { MPIT_ACCEPTED, MPIT_NOT_NOW, MPIT_NEVER } mpit_reply;

/* The types of values. MPIT_TYPE_SWITCH is a bool in an int, MPIT_TYPE_CHOICE an int with the values of an enumeration.
 * Only elements of events have MPIT_TYPE_CHAR. */
typedef enum mpit_type MPIT_ENUM_TYPE {
    MPIT_TYPE_NONE,
    MPIT_TYPE_INT,
    MPIT_TYPE_UNSIGNED,
    MPIT_TYPE_UNSIGNED_LONG,
    MPIT_TYPE_UNSIGNED_LONG_LONG,
    MPIT_TYPE_DOUBLE,
    MPIT_TYPE_BOOL,
    MPIT_TYPE_SWITCH,
    MPIT_TYPE_CHOICE,
    MPIT_TYPE_TEXT,
    MPIT_TYPE_LONG,
    MPIT_TYPE_LONG_LONG,
    MPIT_TYPE_CHAR
} mpit_type;

/* An item of an enumeration: a named value. */
typedef struct mpit_item {
    const char* name;
    int value;
    const char* also; /* other spellings that a user may write, separated by commas, or NULL; may be omitted */
} mpit_item;

/* An item: MPIT_ROW_ITEM("tree", 1), MPIT_ROW_ITEM("ring", 2, "circle"). C++ cannot mix it with designators. */
#ifdef __cplusplus
#define MPIT_ROW_ITEM(name_, ...) {name_, __VA_ARGS__}
#else
#define MPIT_ROW_ITEM(name_, ...) {.name = MPIT_ROW_NAME(name_), .value = __VA_ARGS__}
#endif

/* An enumeration (15.3.5): its name, and its items up to MPIT_ROW_END. */
typedef struct mpit_enumeration {
    const char* name;
    const mpit_item* items;
} mpit_enumeration;

/* The smallest and the largest value. If both are 0, there is no limit. */
typedef struct mpit_range {
    long long minimum; /* in the unit of the variable */
    long long maximum; /* in the same unit */
} mpit_range;

/* The smallest and the largest value of a double. If both are 0, there is no limit. */
typedef struct mpit_real_range {
    double minimum; /* in the unit of the variable */
    double maximum; /* in the same unit */
} mpit_real_range;

/* The .environment of a control variable that no environment variable sets. */
#define MPIT_NO_ENVIRONMENT ""

/* A row of a table. The macros fill the members up to `description`; a row names the others, in C++ in this order. */
typedef struct mpit_control {
    const char* name; /* shown to tools */
    mpit_type type;   /* of the value */
    void* storage;    /* NULL for a member of the object that is passed to mpit_add_controls() */
    size_t offset;    /* of the member, in bytes */
    size_t size;      /* in bytes: of a text with its null, of one of several numbers, else of the storage */
    unsigned count;   /* of the numbers; 0 for one */
    const mpit_enumeration* enumeration; /* of MPIT_TYPE_CHOICE */
    /* For a text without storage: writes it to `text`, at most `size` bytes with the null. Called by any thread. */
    void (*read_text)(char* text, size_t size, void* data);
    /* For a bound variable: returns the struct of the object with this handle, which has the value as a member, or NULL
     * if the object does not exist. Called by any thread, and in signal handlers. */
    void* (*object_of)(uint64_t handle, void* data);
    const char* description;

    mpit_range range;           /* of whole numbers */
    mpit_real_range real_range; /* of doubles */
    mpit_unit unit;
    const char* environment;  /* names, separated by commas: the first that is set counts. NULL: those of the policy */
    const char* renamed_from; /* a former name, which the environment and files may still use; or NULL */
    const char* deprecated;   /* the reason and the replacement, reported once if a user sets the variable; or NULL */
    mpit_scope scope;
    mpit_verbosity verbosity;
    /* Gets a value, as it would be stored, before it is stored, and may refuse it. Called in the thread of the tool
     * that writes the value, not in signal handlers. */
    mpit_reply (*on_write)(const void* value, void* data);
    /* For a text: a longer one from outside of the program is accepted. on_write gets all of it, in mpit_publish() too,
     * and tools see as much as fits into `size` bytes. */
    bool any_length;
    void* data; /* passed to the functions. NULL: the storage, or without one the object of mpit_add_controls() */

    mpit_bind bind;     /* with MPIT_ROW_IN_OBJECT */
    size_t handle_size; /* of a bound variable: the bytes of a handle, 4 or 8 */
    /* The on_write of a bound variable, which gets the handle of the object as well. */
    mpit_reply (*on_write_in)(uint64_t handle, const void* value, void* data);
} mpit_control;

/* The offset in a row whose value is a member of nothing. For the library's own use. */
#define MPIT_NO_MEMBER ((size_t)-1)

/* For the library's own use: the name in a row. In automatic tables the assembly hides from the compiler that it is
 * constant; otherwise the compiler would put the whole table into constant data. */
#if defined(MPIT_AUTOMATIC_TABLES) && !defined(__cplusplus)
static inline const char* mpit_name_of_row(const char* name) {
    __asm__("" : "+r"(name));
    return name;
}
/* For the library's own use. */
#define MPIT_ROW_NAME(name_) mpit_name_of_row(name_)
#else
/* For the library's own use. */
#define MPIT_ROW_NAME(name_) name_
#endif

/* For the library's own use: the C type of storage of each MPIT_TYPE_. */
#define MPIT_STORED_INT int
#define MPIT_STORED_UNSIGNED unsigned
#define MPIT_STORED_LONG long
#define MPIT_STORED_UNSIGNED_LONG unsigned long
#define MPIT_STORED_LONG_LONG long long
#define MPIT_STORED_UNSIGNED_LONG_LONG unsigned long long
#define MPIT_STORED_DOUBLE double
#define MPIT_STORED_BOOL MPIT_BOOL_TYPE
#define MPIT_STORED_SWITCH int
#define MPIT_STORED_CHOICE int
#define MPIT_STORED_TEXT char

#ifdef __cplusplus
extern "C++" {
/* For the library's own use: check the type of storage, and return its address, its size or its mpit_type. */
template <bool HasType> static constexpr void mpit_check_storage() {
    static_assert(HasType, "the row does not fit the storage: use MPIT_ROW_INT, MPIT_ROW_SWITCH or MPIT_ROW_CHOICE for "
                           "an int, MPIT_ROW_NUMBER for another number, MPIT_ROW_BOOL for a bool, MPIT_ROW_TEXT for an "
                           "array of char, and MPIT_ROW_TEXT_GET for a pointer to a text and for each other type");
}
template <class Type, class Stored> static constexpr void* mpit_address(Stored* storage) {
    mpit_check_storage<__is_same(Stored, Type) || __is_same(Stored, volatile Type)>();
    return const_cast<Type*>(storage);
}
template <class Type, class Item, size_t N> static constexpr void* mpit_address(Item (*array)[N]) {
    mpit_check_storage<__is_same(Type, char)>();
    return mpit_address<Type>(*array);
}
template <class Type, class Stored> static constexpr size_t mpit_member_size(Stored* member) {
    static_cast<void>(mpit_address<Type>(member));
    return sizeof(Stored);
}
template <class Stored> static constexpr mpit_type mpit_number_type(volatile Stored*) {
    const mpit_type type = __is_same(Stored, int)                  ? MPIT_TYPE_INT
                           : __is_same(Stored, unsigned)           ? MPIT_TYPE_UNSIGNED
                           : __is_same(Stored, long)               ? MPIT_TYPE_LONG
                           : __is_same(Stored, unsigned long)      ? MPIT_TYPE_UNSIGNED_LONG
                           : __is_same(Stored, long long)          ? MPIT_TYPE_LONG_LONG
                           : __is_same(Stored, unsigned long long) ? MPIT_TYPE_UNSIGNED_LONG_LONG
                           : __is_same(Stored, double)             ? MPIT_TYPE_DOUBLE
                                                                   : MPIT_TYPE_NONE;
    mpit_check_storage<type != MPIT_TYPE_NONE>();
    return type;
}
}
/* For the library's own use: the address of storage of this type or of an array of char, the size of such a member, and
 * the type and the address of a number. Another type is a compile error. */
#define MPIT_ADDRESS(type, pointer) mpit_address<type>(pointer)
#define MPIT_MEMBER_SIZE(type, member) mpit_member_size<type>(static_cast<decltype(&(member))>(nullptr))
#define MPIT_NUMBER_TYPE(pointer) mpit_number_type(pointer)
#define MPIT_NUMBER_ADDRESS(pointer) const_cast<void*>(static_cast<volatile void*>(pointer))
#else
/* For the library's own use: each type is the result of the macros below for storage of a wrong type. It converts to no
 * member of a row, and its name in the compiler's error says which row fits. */
struct mpit_its_type_is_INT_as_in_MPIT_ROW_INT_SWITCH_CHOICE {
    char unused;
};
struct mpit_its_type_is_UNSIGNED_as_in_MPIT_ROW_UNSIGNED {
    char unused;
};
struct mpit_its_type_is_LONG_as_in_MPIT_ROW_LONG {
    char unused;
};
struct mpit_its_type_is_UNSIGNED_LONG_as_in_MPIT_ROW_UNSIGNED_LONG {
    char unused;
};
struct mpit_its_type_is_LONG_LONG_as_in_MPIT_ROW_LONG_LONG {
    char unused;
};
struct mpit_its_type_is_UNSIGNED_LONG_LONG_as_in_MPIT_ROW_UNSIGNED_LONG_LONG {
    char unused;
};
struct mpit_its_type_is_DOUBLE_as_in_MPIT_ROW_DOUBLE {
    char unused;
};
struct mpit_its_type_is_BOOL_as_in_MPIT_ROW_BOOL {
    char unused;
};
struct mpit_an_array_of_char_is_in_MPIT_ROW_TEXT {
    char unused;
};
struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_GET {
    char unused;
};
struct mpit_its_type_has_no_row_but_functions_in_MPIT_ROW_TEXT_GET {
    char unused;
};
struct mpit_its_storage_is_const {
    char unused;
};
/* For the library's own use: `result` for a pointer to `type` or volatile `type`, in a _Generic. */
#define MPIT_EITHER(type, result) type* : result, volatile type* : result
#define MPIT_FITTING_ROW(pointer)                                                                                      \
    _Generic((pointer),                                                                                                \
        MPIT_EITHER(int, (struct mpit_its_type_is_INT_as_in_MPIT_ROW_INT_SWITCH_CHOICE){0}),                           \
        MPIT_EITHER(unsigned, (struct mpit_its_type_is_UNSIGNED_as_in_MPIT_ROW_UNSIGNED){0}),                          \
        MPIT_EITHER(long, (struct mpit_its_type_is_LONG_as_in_MPIT_ROW_LONG){0}),                                      \
        MPIT_EITHER(unsigned long, (struct mpit_its_type_is_UNSIGNED_LONG_as_in_MPIT_ROW_UNSIGNED_LONG){0}),           \
        MPIT_EITHER(long long, (struct mpit_its_type_is_LONG_LONG_as_in_MPIT_ROW_LONG_LONG){0}),                       \
        MPIT_EITHER(unsigned long long,                                                                                \
                    (struct mpit_its_type_is_UNSIGNED_LONG_LONG_as_in_MPIT_ROW_UNSIGNED_LONG_LONG){0}),                \
        MPIT_EITHER(double, (struct mpit_its_type_is_DOUBLE_as_in_MPIT_ROW_DOUBLE){0}),                                \
        MPIT_EITHER(_Bool, (struct mpit_its_type_is_BOOL_as_in_MPIT_ROW_BOOL){0}),                                     \
        MPIT_EITHER(char, (struct mpit_an_array_of_char_is_in_MPIT_ROW_TEXT){0}),                                      \
        char(*)[sizeof *(pointer)]: (struct mpit_an_array_of_char_is_in_MPIT_ROW_TEXT){0},                             \
        MPIT_EITHER(char*, (struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_GET){0}),               \
        MPIT_EITHER(const char*, (struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_GET){0}),         \
        default: (struct mpit_its_type_has_no_row_but_functions_in_MPIT_ROW_TEXT_GET){0})
#define MPIT_IF_FITTING(type, pointer, result)                                                                         \
    __extension__ _Generic((pointer),                                                                                  \
        MPIT_EITHER(type, result),                                                                                     \
        type(*)[sizeof *(pointer)]: result,                                                                            \
        volatile type(*)[sizeof *(pointer)]: result,                                                                   \
        const type*: (struct mpit_its_storage_is_const){0},                                                            \
        default: MPIT_FITTING_ROW(pointer))
#define MPIT_ADDRESS(type, pointer) MPIT_IF_FITTING(type, pointer, (void*)(pointer))
#define MPIT_MEMBER_SIZE(type, member) MPIT_IF_FITTING(type, &(member), sizeof(member))
#define MPIT_NUMBER_TYPE(pointer)                                                                                      \
    __extension__ _Generic((pointer),                                                                                  \
        MPIT_EITHER(int, MPIT_TYPE_INT),                                                                               \
        MPIT_EITHER(unsigned, MPIT_TYPE_UNSIGNED),                                                                     \
        MPIT_EITHER(long, MPIT_TYPE_LONG),                                                                             \
        MPIT_EITHER(unsigned long, MPIT_TYPE_UNSIGNED_LONG),                                                           \
        MPIT_EITHER(long long, MPIT_TYPE_LONG_LONG),                                                                   \
        MPIT_EITHER(unsigned long long, MPIT_TYPE_UNSIGNED_LONG_LONG),                                                 \
        MPIT_EITHER(double, MPIT_TYPE_DOUBLE),                                                                         \
        default: MPIT_FITTING_ROW(pointer))
#define MPIT_NUMBER_ADDRESS(pointer) ((void*)(pointer))
#endif

/* For the library's own use: a row with a type, and the address and size of its storage. */
#define MPIT_ROW_OF(name_, type_, address, size_, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = type_,                                                                                                    \
     .storage = address,                                                                                               \
     .offset = 0,                                                                                                      \
     .size = size_,                                                                                                    \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}

/* An int: a name, the address of the storage, a description, and settings such as .range = {1, 64}. */
#define MPIT_ROW_INT(name_, pointer, ...)                                                                              \
    MPIT_ROW_OF(name_, MPIT_TYPE_INT, MPIT_ADDRESS(int, pointer), sizeof *(pointer), __VA_ARGS__)
/* An unsigned. */
#define MPIT_ROW_UNSIGNED(name_, pointer, ...)                                                                         \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED, MPIT_ADDRESS(unsigned, pointer), sizeof *(pointer), __VA_ARGS__)
/* A long. */
#define MPIT_ROW_LONG(name_, pointer, ...)                                                                             \
    MPIT_ROW_OF(name_, MPIT_TYPE_LONG, MPIT_ADDRESS(long, pointer), sizeof *(pointer), __VA_ARGS__)
/* An unsigned long. */
#define MPIT_ROW_UNSIGNED_LONG(name_, pointer, ...)                                                                    \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG, MPIT_ADDRESS(unsigned long, pointer), sizeof *(pointer), __VA_ARGS__)
/* A long long. */
#define MPIT_ROW_LONG_LONG(name_, pointer, ...)                                                                        \
    MPIT_ROW_OF(name_, MPIT_TYPE_LONG_LONG, MPIT_ADDRESS(long long, pointer), sizeof *(pointer), __VA_ARGS__)
/* An unsigned long long. */
#define MPIT_ROW_UNSIGNED_LONG_LONG(name_, pointer, ...)                                                               \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG_LONG, MPIT_ADDRESS(unsigned long long, pointer), sizeof *(pointer),     \
                __VA_ARGS__)
/* A double. */
#define MPIT_ROW_DOUBLE(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_TYPE_DOUBLE, MPIT_ADDRESS(double, pointer), sizeof *(pointer), __VA_ARGS__)
/* A number of any of these types, also under another name, such as size_t, int64_t or time_t. */
#define MPIT_ROW_NUMBER(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_NUMBER_TYPE(pointer), MPIT_NUMBER_ADDRESS(pointer), sizeof *(pointer), __VA_ARGS__)
/* A number of bytes in a size_t, which is unsigned long on Linux. A user may write 64k or 2MiB. */
#ifdef __cplusplus
#define MPIT_ROW_SIZE(name_, pointer, ...)                                                                             \
    mpit_in_bytes(mpit_control MPIT_ROW_UNSIGNED_LONG(name_, pointer, __VA_ARGS__))
/* For the library's own use: in C++ a designator of the unit cannot follow those of later members. */
static constexpr mpit_control mpit_in_bytes(mpit_control row) {
    row.unit = MPIT_BYTES;
    return row;
}
#else
#define MPIT_ROW_SIZE(name_, pointer, ...)                                                                             \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG, MPIT_ADDRESS(size_t, pointer), sizeof *(pointer), __VA_ARGS__,         \
                .unit = MPIT_BYTES)
#endif
/* A bool of one byte. */
#define MPIT_ROW_BOOL(name_, pointer, ...)                                                                             \
    MPIT_ROW_OF(name_, MPIT_TYPE_BOOL, MPIT_ADDRESS(MPIT_BOOL_TYPE, pointer), sizeof *(pointer), __VA_ARGS__)
/* A bool in an int. Tools read 0 for 0, and 1 for every other number. */
#define MPIT_ROW_SWITCH(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_TYPE_SWITCH, MPIT_ADDRESS(int, pointer), sizeof *(pointer), __VA_ARGS__)
/* An int that has one of the values of an enumeration. */
#define MPIT_ROW_CHOICE(name_, pointer, enumeration_, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_CHOICE,                                                                                         \
     .storage = MPIT_ADDRESS(int, pointer),                                                                            \
     .offset = 0,                                                                                                      \
     .size = sizeof *(pointer),                                                                                        \
     .count = 0,                                                                                                       \
     .enumeration = enumeration_,                                                                                      \
     .description = __VA_ARGS__}
/* A text in an array of char, whose size is the largest size of the text with its null. */
#define MPIT_ROW_TEXT(name_, array, ...)                                                                               \
    MPIT_ROW_OF(name_, MPIT_TYPE_TEXT, MPIT_ADDRESS(char, &(array)), sizeof(array), __VA_ARGS__)
/* A text that functions of the library read and store: MPIT_ROW_TEXT_GET("MY_ROUTES", 256, read_routes, "...",
 * .on_write = set_routes, .data = &routes). `size_` is the largest number of bytes with the null. on_write stores what
 * it accepts, also values from the environment. A row without on_write needs .scope = MPIT_READONLY. */
#define MPIT_ROW_TEXT_GET(name_, size_, function, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_TEXT,                                                                                           \
     .storage = NULL,                                                                                                  \
     .offset = MPIT_NO_MEMBER,                                                                                         \
     .size = size_,                                                                                                    \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .read_text = function,                                                                                            \
     .description = __VA_ARGS__}
/* Adjacent numbers, as in an array or in a struct of two: MPIT_ROW_NUMBERS(INT, "MY_PORTS", &ports[0], 2, "..."). A
 * user separates them by commas, two of them also by a colon. */
#define MPIT_ROW_NUMBERS(type_, name_, pointer, count_, ...)                                                           \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .storage = MPIT_ADDRESS(MPIT_STORED_##type_, pointer),                                                            \
     .offset = 0,                                                                                                      \
     .size = sizeof *(pointer),                                                                                        \
     .count = count_,                                                                                                  \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}
/* A member of the object of mpit_add_controls(): MPIT_ROW_MEMBER(INT, "MY_DEPTH", struct my_config, depth, "..."). */
#define MPIT_ROW_MEMBER(type_, name_, struct_, member, ...)                                                            \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .storage = NULL,                                                                                                  \
     .offset = offsetof(struct_, member),                                                                              \
     .size = MPIT_MEMBER_SIZE(MPIT_STORED_##type_, ((struct_*)0)->member),                                             \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}
/* A member of the struct of each MPI object, which `function` returns for a handle: MPIT_ROW_IN_OBJECT(INT,
 * "MY_COMM_LIMIT", struct communicator, limit, communicator_of, "...", .bind = MPIT_BIND_COMM, .handle_size =
 * sizeof(MPI_Comm)). A row of CHOICE names its .enumeration. With .count = 3, the member `parts[0]` is the first of
 * three numbers. The environment, files and the command line cannot set such a variable. */
#define MPIT_ROW_IN_OBJECT(type_, name_, struct_, member, function, ...)                                               \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .offset = offsetof(struct_, member),                                                                              \
     .size = MPIT_MEMBER_SIZE(MPIT_STORED_##type_, ((struct_*)0)->member),                                             \
     .object_of = function,                                                                                            \
     .description = __VA_ARGS__}

/* The type of MPIT_ROW_BOOL. For the library's own use. */
#ifdef __cplusplus
#define MPIT_BOOL_TYPE bool
#else
#define MPIT_BOOL_TYPE _Bool
#endif

/* The last row of every table. */
#define MPIT_ROW_END {.name = NULL}

#ifdef __cplusplus
}
#endif

#endif
