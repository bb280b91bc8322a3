/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of control variables whose values are in global variables or in members of a struct (MPI-5.0, 15.3.6). If the
 * storage has a wrong type for the row's macro, the compiler reports an error that names the right macro.
 *
 *   static const mpit_control controls[] = {
 *       MPIT_ROW_INT("MY_LIMIT", &limit, "Largest message, in bytes", .range = {0, 1 << 30}, .unit = MPIT_BYTES),
 *       MPIT_ROW_CHOICE("MY_ALGORITHM", &algorithm, &algorithms, "How to reduce"),
 *       MPIT_ROW_END};
 *
 * Rows are constant data. Any thread and any signal handler may read rows. mpit_add_controls() copies a table with all
 * its texts, so that the program may free the table. If mpit_policy.texts_kept is true, the texts are not copied. */
#ifndef MPIT_DECLARE_CONTROL_H
#define MPIT_DECLARE_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The underlying type of the enumerations below in C++. In C, enumerations without a negative value have this
 * underlying type, too. Without the underlying type, a C++ row with a value that is not an enumerator would be
 * undefined behavior. For the library's own use. */
#ifdef __cplusplus
#define MPIT_ENUM_TYPE : unsigned
#else
#define MPIT_ENUM_TYPE
#endif

/* The kind of MPI object to which a variable or an event is bound (MPI-5.0, 15.3.2). */
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

/* The users for whom a variable or an event is meant, and its level of detail (MPI-5.0, table 15.1). */
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

/* The scope of a control variable (MPI-5.0, table 15.3), which says whether tools can change the variable, and on which
 * processes. The default is MPIT_LOCAL. */
typedef enum mpit_scope MPIT_ENUM_TYPE {
    MPIT_LOCAL,
    MPIT_CONSTANT,
    MPIT_READONLY,
    MPIT_GROUP,
    MPIT_GROUP_EQUAL,
    MPIT_ALL,
    MPIT_ALL_EQUAL
} mpit_scope;

/* The unit of a number. If the unit is MPIT_BYTES, a user may write values such as 64k or 2MiB in the environment. */
typedef enum mpit_unit MPIT_ENUM_TYPE { MPIT_NO_UNIT, MPIT_BYTES } mpit_unit;

/* The reply of the author's function on_write to a value that a tool writes. The MPI_T call that writes a control
 * variable returns MPI_SUCCESS for MPIT_ACCEPTED, MPI_T_ERR_CVAR_SET_NOT_NOW for MPIT_NOT_NOW, and
 * MPI_T_ERR_CVAR_SET_NEVER for MPIT_NEVER. */
typedef enum mpit_reply MPIT_ENUM_TYPE { MPIT_ACCEPTED, MPIT_NOT_NOW, MPIT_NEVER } mpit_reply;

/* The types of the values of variables and of elements of events. MPIT_TYPE_SWITCH is a bool that is stored in an int.
 * MPIT_TYPE_CHOICE is an int with one of the values of an enumeration. Only elements of events have MPIT_TYPE_CHAR. */
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

/* An item of an enumeration, which is a named value. */
typedef struct mpit_item {
    const char* name;
    int value;
    const char* also; /* other spellings for users, separated by commas; NULL or omitted if there are none */
} mpit_item;

/* An item of an enumeration, such as MPIT_ROW_ITEM("tree", 1) or MPIT_ROW_ITEM("ring", 2, "circle"). In C++ the macro
 * uses no designators, because C++ does not mix designators with plain values. */
#ifdef __cplusplus
#define MPIT_ROW_ITEM(name_, ...) {name_, __VA_ARGS__}
#else
#define MPIT_ROW_ITEM(name_, ...) {.name = MPIT_ROW_NAME(name_), .value = __VA_ARGS__}
#endif

/* An enumeration (MPI-5.0, 15.3.5), which has a name and an array of items that ends with MPIT_ROW_END. */
typedef struct mpit_enumeration {
    const char* name;
    const mpit_item* items;
} mpit_enumeration;

/* The smallest and the largest value of an integer variable. If both members are 0, there are no limits. */
typedef struct mpit_range {
    long long minimum; /* in the unit of the variable */
    long long maximum; /* in the unit of the variable */
} mpit_range;

/* The smallest and the largest value of a double variable. If both members are 0, there are no limits. */
typedef struct mpit_real_range {
    double minimum; /* in the unit of the variable */
    double maximum; /* in the unit of the variable */
} mpit_real_range;

/* The value of .environment for a control variable that no environment variable sets. */
#define MPIT_NO_ENVIRONMENT ""

/* A row of a table of control variables. The MPIT_ROW_ macros fill the members up to `description`. The author of a row
 * can set later members by designators, which C++ requires in the order of the struct. */
typedef struct mpit_control {
    const char* name; /* the name that tools see */
    mpit_type type;   /* the type of the value */
    void* storage;    /* address of the value, or NULL for a member of the object of mpit_add_controls() */
    size_t offset;    /* offset of the member, in bytes */
    size_t size;      /* bytes of a text with the null, of one of several numbers, or of the storage */
    unsigned count;   /* number of adjacent numbers, or 0 for a single number */
    const mpit_enumeration* enumeration; /* the enumeration of an MPIT_TYPE_CHOICE */
    /* Writes the value of a text without storage to `text`, in at most `size` bytes. Any thread may call read_text. */
    void (*read_text)(char* text, size_t size, void* data);
    /* Returns the struct of the MPI object with this handle, or NULL if the object does not exist. The value of a bound
     * variable is a member of this struct. Any thread and any signal handler may call object_of. */
    void* (*object_of)(uint64_t handle, void* data);
    const char* description;

    mpit_range range;           /* limits of an integer */
    mpit_real_range real_range; /* limits of a double */
    mpit_unit unit;
    /* Names of environment variables, separated by commas. The variable gets the value of the first name that is set.
     * If `environment` is NULL, the group's policy has the names. */
    const char* environment;
    const char* renamed_from; /* a former name that the environment and files may still use, or NULL */
    const char* deprecated;   /* reason and replacement, reported once if a user sets the variable, or NULL */
    mpit_scope scope;
    mpit_verbosity verbosity;
    /* Receives a value that a tool writes, in the type of the storage, before the value is stored. on_write may reject
     * the value. on_write runs in the thread of the tool, but not in signal handlers. */
    mpit_reply (*on_write)(const void* value, void* data);
    /* True if the environment and files may contain a text that is too long for `size` bytes. on_write receives the
     * complete text, also during mpit_publish(). Tools read the part of the text that fits into `size` bytes. */
    bool any_length;
    /* The last argument of the row's functions. If `data` is NULL, the functions receive the address of the storage, or
     * the object of mpit_add_controls() if the row has no storage. */
    void* data;

    mpit_bind bind;     /* kind of object of MPIT_ROW_IN_OBJECT */
    size_t handle_size; /* bytes of an object's handle, 4 or 8, for a bound variable */
    /* Replaces on_write for a bound variable, and also receives the handle of the MPI object. */
    mpit_reply (*on_write_in)(uint64_t handle, const void* value, void* data);
} mpit_control;

/* The value of mpit_control.offset if the variable's value is not a member of a struct. For the library's own use. */
#define MPIT_NO_MEMBER ((size_t)-1)

/* MPIT_AUTOMATIC_TABLES, by default not defined, saves a C file the relocations of its tables. The loader relocates
 * each address in a static table when the program starts. To avoid these relocations, a file can define
 * MPIT_AUTOMATIC_TABLES before the include and declare tables and items as local variables of a function. With gcc 16,
 * each enumeration of a local table still needs one relocation. With MPIT_AUTOMATIC_TABLES, a static table is a compile
 * error. */

/* The name in a row. For the library's own use. In automatic tables, an assembly statement hides from the compiler that
 * the name is constant. Without this statement, the compiler would relocate a constant copy of the table. */
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

/* For each mpit_type, the C type of the storage. For the library's own use. */
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
/* These functions reject storage of a wrong type at compile time, and return the address, the size or the mpit_type of
 * the storage. For the library's own use. */
template <bool HasType> static constexpr void mpit_check_storage() {
    static_assert(HasType, "the row does not fit the storage: use MPIT_ROW_INT, MPIT_ROW_SWITCH or MPIT_ROW_CHOICE for "
                           "an int, MPIT_ROW_NUMBER for another number, MPIT_ROW_BOOL for a bool, MPIT_ROW_TEXT for an "
                           "array of char, and MPIT_ROW_TEXT_BY for a pointer to a text and for each other type");
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
/* The macros for the address of storage, the size of a member, and the type and the address of a number. Storage that
 * is neither a `type` nor an array of char is a compile error. For the library's own use. */
#define MPIT_ADDRESS(type, pointer) mpit_address<type>(pointer)
#define MPIT_MEMBER_SIZE(type, member) mpit_member_size<type>(static_cast<decltype(&(member))>(nullptr))
#define MPIT_NUMBER_TYPE(pointer) mpit_number_type(pointer)
#define MPIT_NUMBER_ADDRESS(pointer) const_cast<void*>(static_cast<volatile void*>(pointer))
#else
/* Types that produce readable compile errors. If the storage has a wrong type, a macro returns one of these types,
 * which a row's member cannot have. The type's name in the error says which macro fits. For the library's own use. */
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
struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_BY {
    char unused;
};
struct mpit_its_type_has_no_row_but_functions_in_MPIT_ROW_TEXT_BY {
    char unused;
};
struct mpit_its_storage_is_const {
    char unused;
};
/* Parts of a _Generic that select `result` for a pointer to `type` or volatile `type`. For the library's own use. */
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
        MPIT_EITHER(char*, (struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_BY){0}),                \
        MPIT_EITHER(const char*, (struct mpit_a_text_behind_a_pointer_has_functions_in_MPIT_ROW_TEXT_BY){0}),          \
        default: (struct mpit_its_type_has_no_row_but_functions_in_MPIT_ROW_TEXT_BY){0})
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

/* A row whose storage has the address `address` and the mpit_type `type_`. For the library's own use. */
#define MPIT_ROW_OF(name_, type_, address, size_, ...)                                                                 \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = type_,                                                                                                    \
     .storage = address,                                                                                               \
     .offset = 0,                                                                                                      \
     .size = size_,                                                                                                    \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}

/* A control variable of type int. The arguments are a name, the address of the storage, a description, and settings
 * such as .range = {1, 64}. */
#define MPIT_ROW_INT(name_, pointer, ...)                                                                              \
    MPIT_ROW_OF(name_, MPIT_TYPE_INT, MPIT_ADDRESS(int, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type unsigned. */
#define MPIT_ROW_UNSIGNED(name_, pointer, ...)                                                                         \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED, MPIT_ADDRESS(unsigned, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type long. */
#define MPIT_ROW_LONG(name_, pointer, ...)                                                                             \
    MPIT_ROW_OF(name_, MPIT_TYPE_LONG, MPIT_ADDRESS(long, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type unsigned long. */
#define MPIT_ROW_UNSIGNED_LONG(name_, pointer, ...)                                                                    \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG, MPIT_ADDRESS(unsigned long, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type long long. */
#define MPIT_ROW_LONG_LONG(name_, pointer, ...)                                                                        \
    MPIT_ROW_OF(name_, MPIT_TYPE_LONG_LONG, MPIT_ADDRESS(long long, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type unsigned long long. */
#define MPIT_ROW_UNSIGNED_LONG_LONG(name_, pointer, ...)                                                               \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG_LONG, MPIT_ADDRESS(unsigned long long, pointer), sizeof *(pointer),     \
                __VA_ARGS__)
/* A control variable of type double. */
#define MPIT_ROW_DOUBLE(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_TYPE_DOUBLE, MPIT_ADDRESS(double, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable of type int, unsigned, long, unsigned long, long long, unsigned long long or double. The type may
 * have another name, such as size_t, int64_t or time_t. */
#define MPIT_ROW_NUMBER(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_NUMBER_TYPE(pointer), MPIT_NUMBER_ADDRESS(pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable that is a number of bytes, in a size_t. A user may write 64k or 2MiB. */
#ifdef __cplusplus
#define MPIT_ROW_BYTES(name_, pointer, ...)                                                                            \
    mpit_in_bytes(mpit_control MPIT_ROW_UNSIGNED_LONG(name_, pointer, __VA_ARGS__))
/* Sets the unit of a row in C++, where the designator .unit cannot follow the author's designators of later members.
 * For the library's own use. */
static constexpr mpit_control mpit_in_bytes(mpit_control row) {
    row.unit = MPIT_BYTES;
    return row;
}
#else
#define MPIT_ROW_BYTES(name_, pointer, ...)                                                                            \
    MPIT_ROW_OF(name_, MPIT_TYPE_UNSIGNED_LONG, MPIT_ADDRESS(size_t, pointer), sizeof *(pointer), __VA_ARGS__,         \
                .unit = MPIT_BYTES)
#endif
/* A control variable of type bool. */
#define MPIT_ROW_BOOL(name_, pointer, ...)                                                                             \
    MPIT_ROW_OF(name_, MPIT_TYPE_BOOL, MPIT_ADDRESS(MPIT_BOOL_TYPE, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable that is a bool in an int. Tools read 0 if the int is 0, and 1 for any other int. */
#define MPIT_ROW_SWITCH(name_, pointer, ...)                                                                           \
    MPIT_ROW_OF(name_, MPIT_TYPE_SWITCH, MPIT_ADDRESS(int, pointer), sizeof *(pointer), __VA_ARGS__)
/* A control variable that is an item of an enumeration, in an int. */
#define MPIT_ROW_CHOICE(name_, pointer, enumeration_, ...)                                                             \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_CHOICE,                                                                                         \
     .storage = MPIT_ADDRESS(int, pointer),                                                                            \
     .offset = 0,                                                                                                      \
     .size = sizeof *(pointer),                                                                                        \
     .count = 0,                                                                                                       \
     .enumeration = enumeration_,                                                                                      \
     .description = __VA_ARGS__}
/* A control variable that is a text in an array of char. The text and the terminating null must fit into the array. */
#define MPIT_ROW_TEXT(name_, array, ...)                                                                               \
    MPIT_ROW_OF(name_, MPIT_TYPE_TEXT, MPIT_ADDRESS(char, &(array)), sizeof(array), __VA_ARGS__)
/* A control variable that is a text without storage, such as MPIT_ROW_TEXT_BY("MY_ROUTES", 256, read_routes, "...",
 * .on_write = set_routes, .data = &routes). `function` writes the current text to a buffer of `size_` bytes. on_write
 * stores each accepted text, also a text from the environment. A row without on_write needs .scope = MPIT_READONLY. */
#define MPIT_ROW_TEXT_BY(name_, size_, function, ...)                                                                  \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_TEXT,                                                                                           \
     .storage = NULL,                                                                                                  \
     .offset = MPIT_NO_MEMBER,                                                                                         \
     .size = size_,                                                                                                    \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .read_text = function,                                                                                            \
     .description = __VA_ARGS__}
/* A control variable of adjacent numbers in an array or struct, such as MPIT_ROW_NUMBERS(INT, "MY_PORTS", &ports[0], 2,
 * "..."). A user separates the numbers by commas. An array of two numbers may have a colon instead of the comma. */
#define MPIT_ROW_NUMBERS(type_, name_, pointer, count_, ...)                                                           \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .storage = MPIT_ADDRESS(MPIT_STORED_##type_, pointer),                                                            \
     .offset = 0,                                                                                                      \
     .size = sizeof *(pointer),                                                                                        \
     .count = count_,                                                                                                  \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}
/* A control variable in a member of the object of mpit_add_controls(), such as MPIT_ROW_MEMBER(INT, "MY_DEPTH", struct
 * my_config, depth, "..."). */
#define MPIT_ROW_MEMBER(type_, name_, struct_, member, ...)                                                            \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .storage = NULL,                                                                                                  \
     .offset = offsetof(struct_, member),                                                                              \
     .size = MPIT_MEMBER_SIZE(MPIT_STORED_##type_, ((struct_*)0)->member),                                             \
     .count = 0,                                                                                                       \
     .enumeration = NULL,                                                                                              \
     .description = __VA_ARGS__}
/* A control variable that is bound to MPI objects. The value is a member of the struct that `function` returns for an
 * object's handle. An example is MPIT_ROW_IN_OBJECT(INT, "MY_COMM_LIMIT", struct communicator, limit, communicator_of,
 * "...", .bind = MPIT_BIND_COMM, .handle_size = sizeof(MPI_Comm)). A row of type CHOICE needs .enumeration. With .count
 * = 3, the member is the first of three adjacent numbers. Only tools can set a bound variable. */
#define MPIT_ROW_IN_OBJECT(type_, name_, struct_, member, function, ...)                                               \
    {.name = MPIT_ROW_NAME(name_),                                                                                     \
     .type = MPIT_TYPE_##type_,                                                                                        \
     .offset = offsetof(struct_, member),                                                                              \
     .size = MPIT_MEMBER_SIZE(MPIT_STORED_##type_, ((struct_*)0)->member),                                             \
     .object_of = function,                                                                                            \
     .description = __VA_ARGS__}

/* The type of the storage of MPIT_ROW_BOOL. For the library's own use. */
#ifdef __cplusplus
#define MPIT_BOOL_TYPE bool
#else
#define MPIT_BOOL_TYPE _Bool
#endif

/* The last row of every table, which marks the end of the table. */
#define MPIT_ROW_END {.name = NULL}

#ifdef __cplusplus
}
#endif

#endif
