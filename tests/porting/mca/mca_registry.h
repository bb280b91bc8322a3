/* SPDX-License-Identifier: BSD-3-Clause */
/* A small registry with the names that Open MPI's has, as far as examples/porting/mca_variables.c uses them: groups
 * of variables that end and come back. The headers in opal/ include it. */
#ifndef MCA_REGISTRY_H
#define MCA_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPAL_SUCCESS = 0, OPAL_ERROR = -1, OPAL_ERR_NOT_FOUND = -13 };

/* A list of numbers. */
typedef struct opal_value_array_t {
    int numbers[64];
    size_t size;
} opal_value_array_t;
static inline size_t opal_value_array_get_size(opal_value_array_t* list) { return list->size; }
#define OPAL_VALUE_ARRAY_GET_ITEM(list, type, i) ((type)(list)->numbers[i])

/* clang-format off */
typedef enum {
    MCA_BASE_VAR_TYPE_INT, MCA_BASE_VAR_TYPE_UNSIGNED_INT, MCA_BASE_VAR_TYPE_UNSIGNED_LONG,
    MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, MCA_BASE_VAR_TYPE_SIZE_T, MCA_BASE_VAR_TYPE_STRING,
    MCA_BASE_VAR_TYPE_VERSION_STRING, MCA_BASE_VAR_TYPE_BOOL, MCA_BASE_VAR_TYPE_DOUBLE, MCA_BASE_VAR_TYPE_LONG,
    MCA_BASE_VAR_TYPE_INT32_T, MCA_BASE_VAR_TYPE_UINT32_T, MCA_BASE_VAR_TYPE_INT64_T, MCA_BASE_VAR_TYPE_UINT64_T,
} mca_base_var_type_t;

typedef enum {
    MCA_BASE_VAR_SOURCE_DEFAULT, MCA_BASE_VAR_SOURCE_COMMAND_LINE, MCA_BASE_VAR_SOURCE_ENV, MCA_BASE_VAR_SOURCE_FILE,
    MCA_BASE_VAR_SOURCE_SET, MCA_BASE_VAR_SOURCE_OVERRIDE,
} mca_base_var_source_t;

typedef enum {
    MCA_BASE_VAR_SCOPE_CONSTANT, MCA_BASE_VAR_SCOPE_READONLY, MCA_BASE_VAR_SCOPE_LOCAL, MCA_BASE_VAR_SCOPE_GROUP,
    MCA_BASE_VAR_SCOPE_GROUP_EQ, MCA_BASE_VAR_SCOPE_ALL, MCA_BASE_VAR_SCOPE_ALL_EQ,
} mca_base_var_scope_t;

typedef enum { OPAL_INFO_LVL_1, OPAL_INFO_LVL_9 = 8 } mca_base_var_info_lvl_t;
typedef enum {
    MCA_BASE_VAR_FLAG_SETTABLE = 4, MCA_BASE_VAR_FLAG_DEPRECATED = 8, MCA_BASE_VAR_FLAG_DWG = 0x40,
} mca_base_var_flag_t;
/* clang-format on */

typedef union {
    int intval;
    unsigned uintval;
    char* stringval;
    bool boolval;
    unsigned long ulval;
    unsigned long long ullval;
    size_t sizetval;
    double lfval;
} mca_base_var_storage_t;

typedef struct mca_base_var_enum_value_t {
    int value;
    const char* string;
} mca_base_var_enum_value_t;

typedef struct mca_base_var_enum_t {
    char* enum_name;
    int (*get_count)(struct mca_base_var_enum_t*, int*);
    int (*get_value)(struct mca_base_var_enum_t*, int, int*, const char**);
    mca_base_var_enum_value_t* enum_values;
} mca_base_var_enum_t;

typedef struct mca_base_var_t {
    int mbv_index;
    int mbv_group_index;
    mca_base_var_info_lvl_t mbv_info_lvl;
    mca_base_var_type_t mbv_type;
    const char* mbv_variable_name;
    const char* mbv_full_name;
    const char* mbv_long_name;
    mca_base_var_flag_t mbv_flags;
    mca_base_var_scope_t mbv_scope;
    mca_base_var_source_t mbv_source;
    int mbv_synonym_for;
    const char* mbv_description;
    const char* mbv_source_file;
    mca_base_var_enum_t* mbv_enumerator;
    mca_base_var_storage_t* mbv_storage;
    bool is_valid; /* of this registry */
} mca_base_var_t;

typedef struct mca_base_var_group_t {
    bool group_isvalid;
    const char* group_full_name;
    const char* group_description;
    opal_value_array_t group_subgroups;
    opal_value_array_t group_vars;
    opal_value_array_t group_pvars;
    opal_value_array_t group_events;
} mca_base_var_group_t;

typedef enum {
    MCA_BASE_PVAR_HANDLE_BIND,
    MCA_BASE_PVAR_HANDLE_START,
    MCA_BASE_PVAR_HANDLE_STOP,
    MCA_BASE_PVAR_HANDLE_UNBIND
} mca_base_pvar_event_t;
typedef enum {
    MCA_BASE_PVAR_FLAG_IWG = 0x040,
    MCA_BASE_PVAR_FLAG_READONLY = 0x080,
    MCA_BASE_PVAR_FLAG_CONTINUOUS = 0x100,
    MCA_BASE_PVAR_FLAG_INVALID = 0x400
} mca_base_pvar_flag_t;
enum {
    MCA_BASE_PVAR_CLASS_STATE,
    MCA_BASE_PVAR_CLASS_LEVEL,
    MCA_BASE_PVAR_CLASS_SIZE,
    MCA_BASE_PVAR_CLASS_PERCENTAGE,
    MCA_BASE_PVAR_CLASS_HIGHWATERMARK,
    MCA_BASE_PVAR_CLASS_LOWWATERMARK,
    MCA_BASE_PVAR_CLASS_COUNTER,
    MCA_BASE_PVAR_CLASS_AGGREGATE,
    MCA_BASE_PVAR_CLASS_TIMER,
    MCA_BASE_PVAR_CLASS_GENERIC
};
enum {
    MCA_BASE_VAR_BIND_NO_OBJECT,
    MCA_BASE_VAR_BIND_MPI_COMM,
    MCA_BASE_VAR_BIND_MPI_FILE = 5,
    MCA_BASE_VAR_BIND_MPI_WIN = 9,
    MCA_BASE_VAR_BIND_FIRST_AVAILABLE = 11
};

typedef struct mca_base_pvar_t {
    const char* name;
    const char* description;
    mca_base_var_info_lvl_t verbosity;
    int var_class;
    mca_base_var_type_t type;
    int bind;
    mca_base_pvar_flag_t flags;
    int (*get_value)(const struct mca_base_pvar_t*, void* value, void* object);
    int (*set_value)(struct mca_base_pvar_t*, const void* value, void* object); /* NULL of a readonly one */
    int (*notify)(struct mca_base_pvar_t*, mca_base_pvar_event_t, void* object, int* count);
    void* ctx;
} mca_base_pvar_t;

typedef enum { MCA_BASE_EVENT_SOURCE_ORDERED, MCA_BASE_EVENT_SOURCE_UNORDERED } mca_base_event_source_order_t;
typedef enum { MCA_BASE_EVENT_CB_REQUIRE_NONE, MCA_BASE_EVENT_CB_REQUIRE_MAX = 4 } mca_base_event_cb_safety_t;
typedef enum { MCA_BASE_EVENT_FLAG_IWG = 0x040 } mca_base_event_flag_t;
typedef struct mca_base_event_source_t {
    int source_index;
    const char* name;
    const char* description;
    mca_base_event_source_order_t ordering;
    int64_t ticks_per_second;
    int64_t (*get_timestamp)(void* ctx);
    void (*fold_consume_fn)(void* ctx, int64_t* count, int64_t* bytes);
    void (*activate_fn)(void* ctx, bool active);
    struct mca_base_event_t* fold_event;
    void* ctx;
} mca_base_event_source_t;
typedef struct mca_base_event_t {
    int event_index;
    const char* name;
    const char* description;
    int group_index;
    mca_base_var_info_lvl_t verbosity;
    int num_elements;
    const mca_base_var_type_t* element_types;
    const ptrdiff_t* element_offsets;
    size_t buffer_size;
    int bind;
    mca_base_event_flag_t flags;
    mca_base_event_source_t* source;
    int num_active;
} mca_base_event_t;
int mca_base_event_get_by_index(int index, mca_base_event_t** event);
void mca_base_event_raise_internal(mca_base_event_t* event, mca_base_event_source_t* source, void* object,
                                   const void* payload, mca_base_event_cb_safety_t safety);

int mca_base_var_get_count(void);
int mca_base_var_get(int index, const mca_base_var_t** variable);
int mca_base_var_get_value(int index, const void* value, mca_base_var_source_t* source, const char** file);
int mca_base_var_env_name(const char* name, char** in_environment);
int mca_base_var_set_value(int index, const void* value, size_t size, mca_base_var_source_t source, const char* file);
int mca_base_pvar_get(int index, const mca_base_pvar_t** variable);
int mca_base_var_group_get(int index, const mca_base_var_group_t** group);
int mca_base_var_group_get_count(void);

#endif
