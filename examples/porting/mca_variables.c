/* SPDX-License-Identifier: BSD-3-Clause */
/* mca_variables.h says what this is for. A group is described again where one of its variables has changed, since a
 * row cannot end alone.
 *
 *   cc -I<include of mpit> -I<Open MPI> -c mca_variables.c
 *
 * With -DMCA_HAS_EVENTS also the events, by mca_events.c. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_getattr_np */
#endif
#include "mca_variables.h"

#include "opal/class/opal_value_array.h"
#include "opal/constants.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_base_var.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { text_room = 2048, most_items = 256, most_levels = 8, most_attempts = 10000 };

/* What a row needs as long as its group is open. */
struct memory {
    struct memory* next;
};

/* A row of a control variable, and where its value comes from. */
struct control {
    mpit_control rows[2]; /* the second one ends the table */
    int index;            /* of the variable, or of the one that it is a synonym of */
    int owner;            /* the group of that one */
    mca_base_var_storage_t* storage;
    const mca_base_var_t* variable;
    mpit_enumeration enumeration;
};

struct measure {
    mpit_performance rows[2];
    mca_base_pvar_t* variable;
    unsigned count; /* of elements, if it is not bound */
    int running;    /* handles */
    int told;       /* 1 after START, 0 after STOP */
    int telling;    /* 1 while a thread tells */
};

/* What is described of a list of the MCA: at the same places, or NULL. */
struct list {
    void** rows;
    size_t count;
};

/* A group of the MCA. */
struct described {
    mpit_group* group; /* NULL while it is not described */
    struct memory* memory;
    struct list controls;
    struct list measures;
    bool has_ended; /* before the first tool came: the lists are not known */
};

static pthread_mutex_t describing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t texts = PTHREAD_MUTEX_INITIALIZER;
static void* (*find_object)(int bind, uint64_t handle);
static struct described* all;
static int all_count;

/* Zeroed memory that ends with the group. */
static void* keep(struct described* in, size_t size) {
    struct memory* made = calloc(1, sizeof(struct memory) + size);
    if (made == NULL) return NULL;
    made->next = in->memory;
    in->memory = made;
    return made + 1;
}

static void end(struct described* ended) {
#ifdef MCA_HAS_EVENTS
    mca_events_ending(ended->group);
#endif
    mpit_close(ended->group);
    while (ended->memory != NULL) {
        struct memory* next = ended->memory->next;
        free(ended->memory);
        ended->memory = next;
    }
    free(ended->controls.rows);
    free(ended->measures.rows);
    memset(ended, 0, sizeof *ended);
}

/* The value of a text. A tool that interrupts the thread that stores one in a signal handler gets none. */
static void read_text(char* text, size_t size, void* data) {
    const struct control* from = data;
    int attempts = 0;
    *text = '\0';
    while (pthread_mutex_trylock(&texts) != 0)
        if (++attempts == most_attempts) return;
        else sched_yield();
    if (from->storage->stringval != NULL) strncat(text, from->storage->stringval, size - 1);
    pthread_mutex_unlock(&texts);
}

/* The MCA checks a value, and notes where it is from. It reads a whole int of a bool. */
static mpit_reply set_value(const void* value, void* data) {
    const struct control* to = data;
    mca_base_var_storage_t wanted;
    size_t size = sizeof wanted;
    const void* given = value;
    memset(&wanted, 0, sizeof wanted);
    switch (to->rows[0].type) {
    case MPIT_TYPE_TEXT: size = strlen(value) + 1; break;
    default: memcpy(&wanted, value, to->rows[0].size); given = &wanted;
    }
    pthread_mutex_lock(&texts);
    const int answer = mca_base_var_set_value(to->index, given, size, MCA_BASE_VAR_SOURCE_SET, NULL);
    pthread_mutex_unlock(&texts);
    return answer == OPAL_SUCCESS ? MPIT_ACCEPTED : MPIT_NEVER;
}

static mpit_type type_of(mca_base_var_type_t type) {
    switch (type) {
    case MCA_BASE_VAR_TYPE_INT:
    case MCA_BASE_VAR_TYPE_INT32_T: return MPIT_TYPE_INT;
    case MCA_BASE_VAR_TYPE_UNSIGNED_INT:
    case MCA_BASE_VAR_TYPE_UINT32_T: return MPIT_TYPE_UNSIGNED;
    case MCA_BASE_VAR_TYPE_UNSIGNED_LONG:
    case MCA_BASE_VAR_TYPE_UINT64_T:
    case MCA_BASE_VAR_TYPE_SIZE_T: return MPIT_TYPE_UNSIGNED_LONG;
    case MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG: return MPIT_TYPE_UNSIGNED_LONG_LONG;
    case MCA_BASE_VAR_TYPE_DOUBLE: return MPIT_TYPE_DOUBLE;
    case MCA_BASE_VAR_TYPE_BOOL: return MPIT_TYPE_BOOL;
    case MCA_BASE_VAR_TYPE_STRING:
    case MCA_BASE_VAR_TYPE_VERSION_STRING: return MPIT_TYPE_TEXT;
    case MCA_BASE_VAR_TYPE_LONG:
    case MCA_BASE_VAR_TYPE_INT64_T: return MPIT_TYPE_LONG;
    default: return MPIT_TYPE_NONE;
    }
}
static size_t size_of(mpit_type type) {
    switch (type) {
    case MPIT_TYPE_INT:
    case MPIT_TYPE_UNSIGNED: return sizeof(int);
    case MPIT_TYPE_BOOL: return sizeof(bool);
    case MPIT_TYPE_TEXT: return text_room;
    default: return sizeof(long long);
    }
}
static mpit_scope scope_of(const mca_base_var_t* variable) {
    switch (variable->mbv_scope) {
    case MCA_BASE_VAR_SCOPE_CONSTANT: return MPIT_CONSTANT;
    case MCA_BASE_VAR_SCOPE_READONLY: return MPIT_READONLY;
    case MCA_BASE_VAR_SCOPE_GROUP: return MPIT_GROUP;
    case MCA_BASE_VAR_SCOPE_GROUP_EQ: return MPIT_GROUP_EQUAL;
    case MCA_BASE_VAR_SCOPE_ALL: return MPIT_ALL;
    case MCA_BASE_VAR_SCOPE_ALL_EQ: return MPIT_ALL_EQUAL;
    default: return MPIT_LOCAL;
    }
}

/* The items of an enumerator, if a tool can have all its values: the present one is one of them. */
static bool has_items(struct described* in, struct control* made) {
    mca_base_var_enum_t* from = made->variable->mbv_enumerator;
    int count = 0;
    bool is_there = false;
    if (from == NULL || made->rows[0].type != MPIT_TYPE_INT || from->enum_name == NULL || from->enum_values == NULL)
        return false;
    if (from->get_count(from, &count) != OPAL_SUCCESS || count <= 0 || count > most_items) return false;
    mpit_item* items = keep(in, ((size_t)count + 1) * sizeof *items);
    if (items == NULL) return false;
    for (int i = 0; i < count; i++) {
        if (from->get_value(from, i, &items[i].value, &items[i].name) != OPAL_SUCCESS || items[i].name == NULL)
            return false;
        for (int j = 0; j < i; j++)
            if (items[j].value == items[i].value || strcmp(items[j].name, items[i].name) == 0) return false;
        is_there = is_there || items[i].value == *(const int*)(const void*)made->storage;
    }
    made->enumeration.name = from->enum_name;
    made->enumeration.items = items;
    return is_there;
}

/* The value is from the environment: from the name there, unless that of a synonym was set. */
static void note_environment(mpit_group* group, const mca_base_var_t* variable) {
    char* name = NULL;
    if (mca_base_var_env_name(variable->mbv_full_name, &name) != OPAL_SUCCESS) name = NULL;
    (void)mpit_given(group, variable->mbv_full_name, MPIT_FROM_ENVIRONMENT,
                     name != NULL && getenv(name) != NULL ? name : NULL);
    free(name);
}
static void note_origin(mpit_group* group, const mca_base_var_t* variable) {
    mca_base_var_source_t source = MCA_BASE_VAR_SOURCE_DEFAULT;
    const char* file = NULL;
    if (mca_base_var_get_value(variable->mbv_index, NULL, &source, &file) != OPAL_SUCCESS) return;
    switch (source) {
    case MCA_BASE_VAR_SOURCE_COMMAND_LINE:
        (void)mpit_given(group, variable->mbv_full_name, MPIT_FROM_COMMAND_LINE, NULL);
        return;
    case MCA_BASE_VAR_SOURCE_ENV: note_environment(group, variable); return;
    case MCA_BASE_VAR_SOURCE_FILE:
    case MCA_BASE_VAR_SOURCE_OVERRIDE:
        (void)mpit_given(group, variable->mbv_full_name, MPIT_FROM_CONFIGURATION, file);
        return;
    default: return;
    }
}

/* A variable, and the one that has its value: another one, if it is a synonym. Returns false for one that has ended. */
static bool find_variable(int index, const mca_base_var_t** variable, const mca_base_var_t** original) {
    if (mca_base_var_get(index, variable) != OPAL_SUCCESS) return false;
    *original = *variable;
    return (*variable)->mbv_synonym_for < 0 || mca_base_var_get((*variable)->mbv_synonym_for, original) == OPAL_SUCCESS;
}

/* MPI requires one of a variable whose scope is wider than the process (MPI-5.0, 15.3.6), and Open MPI 4.1 has two
 * such without. */
static const char* description_of(const mca_base_var_t* variable) {
    const char* const given = variable->mbv_description;
    return given == NULL || *given == '\0' ? "Open MPI has no description of this variable" : given;
}

/* Open MPI 5.0 registers variables of functions that have returned: a value that is written there replaces what
 * another function keeps on its stack. */
static bool is_on_stack(const void* storage) {
    static void* lowest = NULL;
    static size_t size = 0; /* of the thread that describes first */
    pthread_attr_t attributes;
    if (lowest == NULL && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        (void)pthread_attr_getstack(&attributes, &lowest, &size);
        (void)pthread_attr_destroy(&attributes);
    }
    return (uintptr_t)storage - (uintptr_t)lowest < size;
}

/* Returns NULL if there is nothing that can be described. */
static struct control* describe_control(struct described* in, int index, int without) {
    const mca_base_var_t *variable, *original;
    if (!find_variable(index, &variable, &original)) return NULL;
    if (original->mbv_group_index == without && (original->mbv_flags & MCA_BASE_VAR_FLAG_DWG) != 0) return NULL;
    const mpit_type type = type_of(original->mbv_type);
    if (type == MPIT_TYPE_NONE || original->mbv_storage == NULL) return NULL;
    const bool is_lost = is_on_stack(original->mbv_storage);
    struct control* made = is_lost && type == MPIT_TYPE_TEXT ? NULL : keep(in, sizeof *made);
    if (made == NULL) return NULL;
    const mpit_control row = {
        .name = variable->mbv_full_name,
        .type = type,
        .storage = type == MPIT_TYPE_TEXT ? NULL : original->mbv_storage,
        .offset = type == MPIT_TYPE_TEXT ? MPIT_NO_MEMBER : 0,
        .size = size_of(type),
        .description = description_of(variable),
        .environment = MPIT_NO_ENVIRONMENT,
        .deprecated =
            (variable->mbv_flags & MCA_BASE_VAR_FLAG_DEPRECATED) != 0 ? "its description names another one" : NULL,
        .scope = is_lost ? MPIT_READONLY : scope_of(variable),
        .verbosity = (mpit_verbosity)variable->mbv_info_lvl,
        .on_write = set_value,
        .data = made,
        .read_text = type == MPIT_TYPE_TEXT ? read_text : NULL,
    };
    made->rows[0] = row;
    made->index = original->mbv_index;
    made->owner = original->mbv_group_index;
    made->storage = original->mbv_storage;
    made->variable = original;
    if (has_items(in, made)) {
        made->rows[0].type = MPIT_TYPE_CHOICE;
        made->rows[0].enumeration = &made->enumeration;
    }
    if (mpit_add_controls(in->group, made->rows, NULL) != 0) return NULL;
    note_origin(in->group, variable);
    return made;
}

/* How many elements the MCA has for an object, or for the process. */
static unsigned bound_count(mca_base_pvar_t* variable, void* object) {
    int count = 0;
    if (variable->notify(variable, MCA_BASE_PVAR_HANDLE_BIND, object, &count) != OPAL_SUCCESS) return 0;
    (void)variable->notify(variable, MCA_BASE_PVAR_HANDLE_UNBIND, object, NULL);
    return count < 0 ? 0 : (unsigned)count;
}
/* The object that a variable has values of: NULL for one that is not bound. Returns false if the object has ended. */
static bool get_object(const struct measure* of, uint64_t handle, void** object) {
    const bool is_bound = of->variable->bind != MCA_BASE_VAR_BIND_NO_OBJECT;
    *object = is_bound ? find_object(of->variable->bind, handle) : NULL;
    return !is_bound || *object != NULL;
}
static unsigned count_of(uint64_t handle, void* data) {
    const struct measure* of = data;
    void* object;
    return get_object(of, handle, &object) ? bound_count(of->variable, object) : 0;
}
/* The values of some elements, of which the MCA reads all at once: of an object that has ended they are 0. */
static void read_values(uint64_t handle, unsigned first, unsigned count, void* values, void* data) {
    const struct measure* of = data;
    const size_t size = size_of(of->rows[0].type);
    void* object;
    memset(values, 0, count * size);
    if (!get_object(of, handle, &object)) return;
    const unsigned present = of->count != 0 ? of->count : bound_count(of->variable, object);
    if (first + count > present) return;
    void* const whole = count == present ? values : malloc(present * size);
    if (whole != NULL && of->variable->get_value(of->variable, whole, object) == OPAL_SUCCESS && whole != values)
        memcpy(values, (char*)whole + first * size, count * size);
    if (whole != values) free(whole);
}
/* A text, which the MCA has as a whole: of an object while that is there. */
static unsigned has_text(uint64_t handle, void* data) {
    void* object;
    return get_object(data, handle, &object);
}
static void read_whole_text(uint64_t handle, char* text, size_t size, void* data) {
    const struct measure* of = data;
    void* object;
    (void)size; /* text_room: the MCA asks for none */
    if (!get_object(of, handle, &object) || of->variable->get_value(of->variable, text, object) != OPAL_SUCCESS)
        *text = '\0';
}
/* A component reads a pointer's worth of the text, also if that is shorter. */
static mpit_reply set_text(uint64_t handle, const char* text, void* data) {
    const struct measure* of = data;
    char wanted[text_room] = "";
    void* object;
    strncat(wanted, text, sizeof wanted - 1);
    if (!get_object(of, handle, &object)) return MPIT_NEVER;
    return of->variable->set_value(of->variable, wanted, object) == OPAL_SUCCESS ? MPIT_ACCEPTED : MPIT_NEVER;
}
/* The MCA counts while it is told that a tool does. A signal handler may start a handle: no thread waits, the one
 * that tells looks again. */
static void watch(int change, void* data) {
    struct measure* of = data;
    (void)__atomic_add_fetch(&of->running, change, __ATOMIC_SEQ_CST);
    while ((__atomic_load_n(&of->running, __ATOMIC_SEQ_CST) > 0) != __atomic_load_n(&of->told, __ATOMIC_SEQ_CST)) {
        if (__atomic_exchange_n(&of->telling, 1, __ATOMIC_SEQ_CST) != 0) return;
        const int is_running = __atomic_load_n(&of->running, __ATOMIC_SEQ_CST) > 0;
        if (is_running != __atomic_load_n(&of->told, __ATOMIC_SEQ_CST))
            (void)of->variable->notify(of->variable,
                                       is_running ? MCA_BASE_PVAR_HANDLE_START : MCA_BASE_PVAR_HANDLE_STOP, NULL, NULL);
        __atomic_store_n(&of->told, is_running, __ATOMIC_SEQ_CST);
        __atomic_store_n(&of->telling, 0, __ATOMIC_SEQ_CST);
    }
}

/* Returns false for a class that only the MCA can keep: states, watermarks. */
static bool find_class(int of_mca, mpit_class* of_table) {
    switch (of_mca) {
    case MCA_BASE_PVAR_CLASS_LEVEL: *of_table = MPIT_CLASS_LEVEL; return true;
    case MCA_BASE_PVAR_CLASS_SIZE: *of_table = MPIT_CLASS_SIZE; return true;
    case MCA_BASE_PVAR_CLASS_PERCENTAGE: *of_table = MPIT_CLASS_PERCENTAGE; return true;
    case MCA_BASE_PVAR_CLASS_COUNTER: *of_table = MPIT_CLASS_COUNTER; return true;
    case MCA_BASE_PVAR_CLASS_AGGREGATE: *of_table = MPIT_CLASS_AGGREGATE; return true;
    case MCA_BASE_PVAR_CLASS_TIMER: *of_table = MPIT_CLASS_TIMER; return true;
    case MCA_BASE_PVAR_CLASS_GENERIC: *of_table = MPIT_CLASS_GENERIC; return true;
    default: return false;
    }
}

/* Returns NULL for one that cannot be described. */
static struct measure* describe_measure(struct described* in, int index, bool is_ending) {
    const mca_base_pvar_t* variable;
    mpit_class of_table;
    if (mca_base_pvar_get(index, &variable) != OPAL_SUCCESS || (variable->flags & MCA_BASE_PVAR_FLAG_INVALID) != 0)
        return NULL;
    if (is_ending && (variable->flags & MCA_BASE_PVAR_FLAG_IWG) != 0) return NULL;
    const mpit_type type = type_of(variable->type);
    if (type == MPIT_TYPE_NONE || type == MPIT_TYPE_BOOL || type == MPIT_TYPE_LONG) return NULL;
    const bool is_text = type == MPIT_TYPE_TEXT, is_readonly = (variable->flags & MCA_BASE_PVAR_FLAG_READONLY) != 0;
    if (variable->bind < 0 || variable->bind >= MCA_BASE_VAR_BIND_FIRST_AVAILABLE) return NULL;
    struct measure* made = find_class(variable->var_class, &of_table) ? keep(in, sizeof *made) : NULL;
    if (made == NULL) return NULL;
    const bool is_bound = variable->bind != MCA_BASE_VAR_BIND_NO_OBJECT;
    made->variable = (mca_base_pvar_t*)(uintptr_t)variable;
    made->count = is_bound || is_text ? 0 : bound_count(made->variable, NULL);
    if (!is_bound && !is_text && made->count == 0) made->count = 1; /* of one that counts nothing yet */
    const mpit_performance row = {
        .name = variable->name,
        .variable_class = of_table,
        .type = type,
        .size = is_text ? text_room : 0,
        .values_at = is_text ? NULL : read_values,
        .text_at = is_text ? read_whole_text : NULL,
        .description = variable->description,
        .verbosity = (mpit_verbosity)variable->verbosity,
        .data = made,
        .readonly = is_readonly,
        .continuous = (variable->flags & MCA_BASE_PVAR_FLAG_CONTINUOUS) != 0,
        .count = made->count,
        .bind = (mpit_bind)variable->bind,
        .handle_size = sizeof(void*),
        .elements = !is_bound ? NULL
                    : is_text ? has_text
                              : count_of,
        .on_watch = watch,
        .on_write = is_text && !is_readonly ? set_text : NULL,
    };
    made->rows[0] = row;
    return mpit_add_performance(in->group, made->rows, NULL) == 0 ? made : NULL;
}

/* The lists of the MCA, whose functions take no constant ones. */
static size_t length_of(const opal_value_array_t* list) {
    return opal_value_array_get_size((opal_value_array_t*)(uintptr_t)list);
}
static int number_in(const opal_value_array_t* list, size_t i) {
    return OPAL_VALUE_ARRAY_GET_ITEM((opal_value_array_t*)(uintptr_t)list, int, i);
}

/* The group whose category the one of this group is in, or -1. */
static int parent_of(int group) {
    const int count = mca_base_var_group_get_count();
    for (int i = 0; i < count; i++) {
        const mca_base_var_group_t* candidate;
        if (i == group || mca_base_var_group_get(i, &candidate) != OPAL_SUCCESS) continue;
        const size_t members = length_of(&candidate->group_subgroups);
        for (size_t j = 0; j < members; j++)
            if (number_in(&candidate->group_subgroups, j) == group) return i;
    }
    return -1;
}

/* Returns false without memory. */
static bool lengthen(struct list* list, size_t wanted) {
    void** longer = realloc(list->rows, (wanted + 1) * sizeof *longer);
    if (longer == NULL) return false;
    for (; list->count < wanted; list->count++) longer[list->count] = NULL;
    list->rows = longer;
    return true;
}

/* Describes what has come since the last time. `without` is a group whose variables end, except those that the MCA
 * leaves there. */
static void add_new_ones(struct described* to, const mca_base_var_group_t* from, int without, bool is_ending) {
    const size_t controls = length_of(&from->group_vars), measures = length_of(&from->group_pvars);
    bool is_new = to->controls.rows == NULL; /* the category itself */
    if (!lengthen(&to->controls, controls) || !lengthen(&to->measures, measures)) return;
    for (size_t i = 0; i < controls; i++) {
        if (to->controls.rows[i] != NULL) continue;
        to->controls.rows[i] = describe_control(to, number_in(&from->group_vars, i), without);
        is_new = is_new || to->controls.rows[i] != NULL;
    }
    for (size_t i = 0; i < measures; i++) {
        if (to->measures.rows[i] != NULL) continue;
        to->measures.rows[i] = describe_measure(to, number_in(&from->group_pvars, i), is_ending);
        is_new = is_new || to->measures.rows[i] != NULL;
    }
#ifdef MCA_HAS_EVENTS
    is_new = mca_events_add(to->group, &from->group_events, is_ending) || is_new;
#endif
    if (is_new) (void)mpit_publish(to->group);
}
/* Whether all that is described is still what the MCA has. */
static bool is_present(const struct described* made, const mca_base_var_group_t* from) {
    for (size_t i = 0; i < made->controls.count; i++) {
        const struct control* row = made->controls.rows[i];
        const mca_base_var_t *variable, *original;
        if (row == NULL) continue;
        if (!find_variable(number_in(&from->group_vars, i), &variable, &original)) return false;
        if (row->variable != original || row->storage != original->mbv_storage) return false;
    }
    for (size_t i = 0; i < made->measures.count; i++) {
        const struct measure* row = made->measures.rows[i];
        const mca_base_pvar_t* variable;
        if (row == NULL) continue;
        if (mca_base_pvar_get(number_in(&from->group_pvars, i), &variable) != OPAL_SUCCESS) return false;
        if (row->variable != variable || (variable->flags & MCA_BASE_PVAR_FLAG_INVALID) != 0) return false;
    }
    return true;
}

/* Returns false without memory. */
static bool has_place(int group) {
    if (group < 0) return false;
    if (group < all_count) return true;
    struct described* more = realloc(all, ((size_t)group + 1) * sizeof *all);
    if (more == NULL) return false;
    memset(more + all_count, 0, (size_t)(group + 1 - all_count) * sizeof *more);
    all = more;
    all_count = group + 1;
    return true;
}

/* Describes a variable that the MCA has left there when it deregistered the group, before the first tool came. The
 * MCA no longer tells the name of the group: it is what stands before that of the variable. */
static void describe_lasting_one(int index) {
    const mca_base_var_t *variable, *original;
    const mca_base_var_group_t* from;
    char name[256];
    if (!find_variable(index, &variable, &original) || variable->mbv_variable_name == NULL) return;
    const int group = variable->mbv_group_index;
    if (mca_base_var_group_get(group, &from) == OPAL_SUCCESS || !has_place(group)) return;
    const size_t length = strlen(variable->mbv_long_name), own = strlen(variable->mbv_variable_name);
    if (length < own + 2 || length - own > sizeof name) return;
    memcpy(name, variable->mbv_long_name, length - own - 1);
    name[length - own - 1] = '\0';
    if (all[group].group == NULL) all[group].group = mpit_open(NULL, name, NULL, NULL);
    if (all[group].group == NULL) return;
    all[group].has_ended = true;
    (void)describe_control(&all[group], index, -1);
    (void)mpit_publish(all[group].group);
}

/* Describes a group and those around it, and what is new in it. Returns NULL for a group that cannot be described. */
static struct described* describe(int group, int without, int level) {
    const mca_base_var_group_t* from;
    if (level == most_levels || mca_base_var_group_get(group, &from) != OPAL_SUCCESS || !has_place(group)) return NULL;
    if (all[group].group != NULL && (all[group].has_ended || !is_present(&all[group], from))) end(&all[group]);
    if (all[group].group == NULL) {
        const int parent = parent_of(group);
        const struct described* around = parent < 0 ? NULL : describe(parent, without, level + 1);
        all[group].group =
            mpit_open(around == NULL ? NULL : around->group, from->group_full_name, from->group_description, NULL);
        if (all[group].group == NULL) return NULL;
    }
    add_new_ones(&all[group], from, without, group == without);
    return &all[group];
}

void* mca_variables_find(int bind, uint64_t handle) { return find_object(bind, handle); }

int mca_variables_open(void* (*find)(int bind, uint64_t handle)) {
    int answer = 0;
    pthread_mutex_lock(&describing);
    __atomic_store_n(&find_object, find, __ATOMIC_RELEASE);
    const int count = mca_base_var_group_get_count();
    for (int i = 0; i < count; i++) {
        const mca_base_var_group_t* group;
        if (mca_base_var_group_get(i, &group) == OPAL_SUCCESS && describe(i, -1, 0) == NULL) answer = -1;
    }
    const int variable_count = mca_base_var_get_count();
    for (int i = 0; i < variable_count; i++) describe_lasting_one(i);
    pthread_mutex_unlock(&describing);
    return answer;
}

static bool is_open(void) { return __atomic_load_n(&find_object, __ATOMIC_ACQUIRE) != NULL; }

void mca_variables_registered(int group) {
    if (!is_open()) return;
    pthread_mutex_lock(&describing);
    (void)describe(group, -1, 0);
    pthread_mutex_unlock(&describing);
}

/* Whether the MCA leaves variables of a group there when it deregisters the group: those that several components
 * share. */
static bool has_lasting_ones(int group) {
    const mca_base_var_group_t* from;
    if (mca_base_var_group_get(group, &from) != OPAL_SUCCESS) return false;
    for (size_t i = 0; i < length_of(&from->group_vars); i++) {
        const mca_base_var_t* variable;
        if (mca_base_var_get(number_in(&from->group_vars, i), &variable) == OPAL_SUCCESS &&
            (variable->mbv_flags & MCA_BASE_VAR_FLAG_DWG) == 0)
            return true;
    }
    for (size_t i = 0; i < length_of(&from->group_pvars); i++) {
        const mca_base_pvar_t* variable;
        if (mca_base_pvar_get(number_in(&from->group_pvars, i), &variable) == OPAL_SUCCESS &&
            (variable->flags & (MCA_BASE_PVAR_FLAG_IWG | MCA_BASE_PVAR_FLAG_INVALID)) == 0)
            return true;
    }
#ifdef MCA_HAS_EVENTS
    return mca_events_add(NULL, &from->group_events, true);
#else
    return false;
#endif
}

void mca_variables_ending(int group) {
    if (!is_open()) return;
    pthread_mutex_lock(&describing);
    if (group >= 0 && group < all_count && all[group].group != NULL) {
        end(&all[group]);
        if (has_lasting_ones(group)) (void)describe(group, group, 0);
    }
    for (int i = 0; i < all_count; i++) {
        bool has_synonyms = false;
        for (size_t j = 0; j < all[i].controls.count; j++) {
            const struct control* row = all[i].controls.rows[j];
            has_synonyms = has_synonyms || (row != NULL && row->owner == group);
        }
        if (!has_synonyms || i == group) continue;
        end(&all[i]);
        (void)describe(i, group, 0);
    }
    pthread_mutex_unlock(&describing);
}

void mca_variables_close(void) {
    pthread_mutex_lock(&describing);
    for (int i = 0; i < all_count; i++) end(&all[i]);
    free(all);
    all = NULL;
    all_count = 0;
    __atomic_store_n(&find_object, NULL, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&describing);
}
