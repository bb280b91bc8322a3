/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of a registry such as Open MPI's through examples/porting/mca_variables.c, read as a tool does:
 * groups that end and come back, synonyms, texts that the registry owns, variables of communicators, and a registry
 * that checks what is written. */
#include "mca/mca_registry.h"

#include "../../examples/porting/mca_variables.h"
#include "../mpi_t/control_variables.h"
#include "mca_events.h"

#include <alloca.h>
#include <mpit/declare.h>
#include <mpit/mpi_t.h>

#include <stdlib.h>
#include <string.h>

/* The registry: an outer group, a component in it, and one with a synonym of a variable of the component. */
enum { outer, component, aliases, empty, early, group_count };
static mca_base_var_group_t groups[group_count] = {
    {true, "mca", "A project", {{component, aliases, empty}, 3}, {{0}, 0}, {{0}, 0}, {{0}, 0}},
    {true, "mca_tcp", "A component", {{0}, 0}, {{0}, 0}, {{0}, 0}, {{0}, 0}},
    {true, "mca_old", "Old names", {{0}, 0}, {{0}, 0}, {{0}, 0}, {{0}, 0}},
    {true, "mca_empty", NULL, {{0}, 0}, {{0}, 0}, {{0}, 0}, {{0}, 0}},
    {true, "mca_early", NULL, {{0}, 0}, {{0}, 0}, {{0}, 0}, {{0}, 0}},
};
static mca_base_var_t variables[32];
static mca_base_pvar_t measures[32];
static int variable_count, measure_count;

int mca_base_var_group_get_count(void) { return group_count; }
int mca_base_var_group_get(int index, const mca_base_var_group_t** group) {
    *group = index >= 0 && index < group_count && groups[index].group_isvalid ? &groups[index] : NULL;
    return *group != NULL ? OPAL_SUCCESS : OPAL_ERR_NOT_FOUND;
}
int mca_base_var_get_count(void) { return variable_count; }
int mca_base_var_get(int index, const mca_base_var_t** variable) {
    *variable = index >= 0 && index < variable_count ? &variables[index] : NULL;
    return *variable != NULL && variables[index].is_valid ? OPAL_SUCCESS : OPAL_ERR_NOT_FOUND;
}
int mca_base_pvar_get(int index, const mca_base_pvar_t** variable) {
    *variable = index >= 0 && index < measure_count ? &measures[index] : NULL;
    return *variable != NULL && (measures[index].flags & MCA_BASE_PVAR_FLAG_INVALID) == 0 ? OPAL_SUCCESS
                                                                                          : OPAL_ERR_NOT_FOUND;
}
int mca_base_var_get_value(int index, const void* value, mca_base_var_source_t* source, const char** file) {
    const mca_base_var_t* from = NULL;
    if (value != NULL || mca_base_var_get(index, &from) != OPAL_SUCCESS) return OPAL_ERROR;
    *source = from->mbv_source;
    *file = from->mbv_source_file;
    return OPAL_SUCCESS;
}
int mca_base_var_env_name(const char* name, char** in_environment) {
    char* const made = malloc(strlen(name) + 10);
    if (made == NULL) return OPAL_ERROR;
    *in_environment = strcat(strcpy(made, "OMPI_MCA_"), name);
    return OPAL_SUCCESS;
}
/* What mca_variables.c says of origins, which tools of MPI_T do not see. The linker puts it before the library's
 * function. */
static char places[2][64] = {"not told", "not told"};
int MPIT_NAMES_JOIN(__real_, mpit_given)(mpit_group* group, const char* name, mpit_origin origin, const char* place);
int MPIT_NAMES_JOIN(__wrap_, mpit_given)(mpit_group* group, const char* name, mpit_origin origin, const char* place);
int MPIT_NAMES_JOIN(__wrap_, mpit_given)(mpit_group* group, const char* name, mpit_origin origin, const char* place) {
    const int of = strcmp(name, "mca_tcp_piece") == 0 ? 0 : strcmp(name, "mca_tcp_factor") == 0 ? 1 : -1;
    if (of >= 0 && origin == MPIT_FROM_ENVIRONMENT)
        strncpy(places[of], place == NULL ? "elsewhere" : place, sizeof places[of] - 1);
    return MPIT_NAMES_JOIN(__real_, mpit_given)(group, name, origin, place);
}
/* As Open MPI's: of a bool it checks an int. */
int mca_base_var_set_value(int index, const void* value, size_t size, mca_base_var_source_t source, const char* file) {
    mca_base_var_t* const to = &variables[index];
    (void)file;
    if (!to->is_valid || (to->mbv_flags & MCA_BASE_VAR_FLAG_SETTABLE) == 0) return OPAL_ERROR;
    if (to->mbv_type == MCA_BASE_VAR_TYPE_BOOL && *(const int*)value != 0 && *(const int*)value != 1) return OPAL_ERROR;
    if (to->mbv_type == MCA_BASE_VAR_TYPE_STRING) {
        char* const copy = malloc(size);
        memcpy(copy, value, size);
        free(to->mbv_storage->stringval);
        to->mbv_storage->stringval = copy;
    } else {
        memcpy(to->mbv_storage, value,
               to->mbv_type == MCA_BASE_VAR_TYPE_BOOL  ? 1
               : to->mbv_type == MCA_BASE_VAR_TYPE_INT ? 4
                                                       : 8);
    }
    to->mbv_source = source;
    return OPAL_SUCCESS;
}
static int add(int group, const char* name, mca_base_var_type_t type, void* storage, mca_base_var_flag_t flags) {
    int index = 0;
    while (index < variable_count && strcmp(variables[index].mbv_full_name, name) != 0) index++;
    mca_base_var_t* const made = &variables[index];
    if (index == variable_count) {
        variable_count++;
        groups[group].group_vars.numbers[groups[group].group_vars.size++] = index;
    }
    made->mbv_index = index;
    made->mbv_group_index = group;
    made->mbv_info_lvl = OPAL_INFO_LVL_9;
    made->mbv_type = type;
    made->mbv_full_name = made->mbv_long_name = name;
    made->mbv_variable_name = strrchr(name, '_') + 1;
    made->mbv_flags = flags;
    made->mbv_scope =
        (flags & MCA_BASE_VAR_FLAG_SETTABLE) != 0 ? MCA_BASE_VAR_SCOPE_LOCAL : MCA_BASE_VAR_SCOPE_READONLY;
    made->mbv_synonym_for = -1;
    made->mbv_description = "Of the registry";
    if (strcmp(made->mbv_variable_name, "silent") == 0) {
        made->mbv_scope = MCA_BASE_VAR_SCOPE_ALL;
        made->mbv_description = NULL;
    }
    made->mbv_storage = storage;
    made->is_valid = true;
    groups[group].group_isvalid = true;
    mca_variables_registered(group);
    return index;
}
static void measure(int group, const char* name, mca_base_pvar_t with) {
    const int index = measure_count++;
    with.name = name;
    with.description = "Of the registry";
    measures[index] = with;
    groups[group].group_pvars.numbers[groups[group].group_pvars.size++] = index;
    mca_variables_registered(group);
}
static void deregister(int group) {
    mca_variables_ending(group);
    groups[group].group_isvalid = false;
    for (size_t i = 0; i < groups[group].group_vars.size; i++) {
        mca_base_var_t* const ended = &variables[groups[group].group_vars.numbers[i]];
        if ((ended->mbv_flags & MCA_BASE_VAR_FLAG_DWG) == 0) continue;
        ended->is_valid = false;
        const bool is_on_stack = strcmp(ended->mbv_variable_name, "word") == 0;
        if (ended->mbv_type == MCA_BASE_VAR_TYPE_STRING && ended->mbv_synonym_for < 0 && !is_on_stack) {
            free(ended->mbv_storage->stringval);
            ended->mbv_storage->stringval = NULL;
        }
    }
    for (size_t i = 0; i < groups[group].group_pvars.size; i++) {
        mca_base_pvar_t* const ended = &measures[groups[group].group_pvars.numbers[i]];
        if ((ended->flags & MCA_BASE_PVAR_FLAG_IWG) != 0) ended->flags |= MCA_BASE_PVAR_FLAG_INVALID;
    }
    groups[group].group_events.size = 0;
}

/* The component. */
static struct {
    int limit, kind, strange, fixed;
    unsigned long window;
    size_t piece;
    double factor;
    char* network;
    bool copies;
    long signed_one;
} own;
static int item_count(mca_base_var_enum_t* of, int* count) {
    return *count = of->enum_values[2].string == NULL ? 2 : 3, OPAL_SUCCESS;
}
static int item(mca_base_var_enum_t* of, int i, int* number, const char** name) {
    return *number = of->enum_values[i].value, *name = of->enum_values[i].string, OPAL_SUCCESS;
}
static mca_base_var_enum_value_t kinds[] = {{0, "ring"}, {4, "tree"}, {0, NULL}};
static mca_base_var_enum_t kind_of = {(char*)"mca_kinds", item_count, item, kinds};

/* A communicator has a count of messages for each of its processes. */
static struct communicator {
    int size;
    bool is_there;
    unsigned long messages[100];
} world = {3, true, {0}}, wide = {100, true, {0}};
static void* find(int bind, uint64_t handle) {
    struct communicator* const object = (struct communicator*)(uintptr_t)handle;
    const bool is_one = object == &world || object == &wide;
    return bind == MCA_BASE_VAR_BIND_MPI_COMM && is_one && object->is_there ? object : NULL;
}
static int counting; /* handles that run, as the registry knows it */
static int notify_of_communicator(mca_base_pvar_t* of, mca_base_pvar_event_t event, void* object, int* count) {
    (void)of;
    if (event == MCA_BASE_PVAR_HANDLE_BIND) *count = ((struct communicator*)object)->size;
    counting += (event == MCA_BASE_PVAR_HANDLE_START) - (event == MCA_BASE_PVAR_HANDLE_STOP);
    return OPAL_SUCCESS;
}
static int notify(mca_base_pvar_t* of, mca_base_pvar_event_t event, void* object, int* count) {
    (void)object;
    if (event == MCA_BASE_PVAR_HANDLE_BIND && strcmp(of->name, "mca_tcp_of_cards") == 0) *count = 2;
    counting += (event == MCA_BASE_PVAR_HANDLE_START) - (event == MCA_BASE_PVAR_HANDLE_STOP);
    return OPAL_SUCCESS;
}
static int reads_of_communicator;
static int values_of_communicator(const mca_base_pvar_t* of, void* values, void* object) {
    const struct communicator* from = object;
    (void)of;
    reads_of_communicator++;
    memcpy(values, from->messages, (size_t)from->size * sizeof *from->messages);
    return OPAL_SUCCESS;
}
static int values(const mca_base_pvar_t* of, void* to, void* object) {
    (void)object;
    if (of->type == MCA_BASE_VAR_TYPE_UNSIGNED_INT) memcpy(to, of->ctx, sizeof(unsigned) * 2);
    else memcpy(to, of->ctx, 8);
    return OPAL_SUCCESS;
}
/* A text, as a monitoring component has it: nothing is read, and a short one is looked at as a pointer. */
static char trace_file[64];
static int set_file(mca_base_pvar_t* of, const void* value, void* object) {
    void* first;
    (void)of;
    CHECK(object == NULL);
    memcpy(&first, value, sizeof first);
    if (strcmp(value, "/") == 0) return OPAL_ERROR;
    strcpy(trace_file, first == NULL ? "nothing" : value);
    return OPAL_SUCCESS;
}
static int no_value(const mca_base_pvar_t* of, void* to, void* object) {
    return (void)of, (void)to, (void)object, OPAL_SUCCESS;
}
/* One of each communicator, which is readonly. */
static int name_of_communicator(const mca_base_pvar_t* of, void* to, void* object) {
    (void)of;
    strcpy(to, object == &world ? "world" : "wide");
    return OPAL_SUCCESS;
}
static int no_elements(mca_base_pvar_t* of, mca_base_pvar_event_t event, void* object, int* count) {
    if (event == MCA_BASE_PVAR_HANDLE_BIND) *count = 0;
    return (void)of, (void)object, OPAL_SUCCESS;
}
static unsigned long long retries;
static unsigned cards[2] = {7, 8};
static double filled = 0.5;

static int shared = 11, early_shared = 12, early_own = 13;
/* Open MPI's are of functions that have returned; these stay, since sanitizers refuse to read such. */
static int* number_on_stack;
static char** text_on_stack;

static void register_component(void) {
    const mca_base_var_flag_t settable = (mca_base_var_flag_t)(MCA_BASE_VAR_FLAG_SETTABLE | MCA_BASE_VAR_FLAG_DWG);
    own.network = strdup("eth0");
    own.limit = 64;
    own.kind = 4;
    own.strange = 9;
    add(component, "mca_tcp_limit", MCA_BASE_VAR_TYPE_INT, &own.limit, settable);
    variables[add(component, "mca_tcp_kind", MCA_BASE_VAR_TYPE_INT, &own.kind, settable)].mbv_enumerator = &kind_of;
    variables[add(component, "mca_tcp_strange", MCA_BASE_VAR_TYPE_INT, &own.strange, settable)].mbv_enumerator =
        &kind_of;
    add(component, "mca_tcp_window", MCA_BASE_VAR_TYPE_UNSIGNED_LONG, &own.window, settable);
    add(component, "mca_tcp_piece", MCA_BASE_VAR_TYPE_SIZE_T, &own.piece, settable);
    add(component, "mca_tcp_factor", MCA_BASE_VAR_TYPE_DOUBLE, &own.factor, settable);
    add(component, "mca_tcp_network", MCA_BASE_VAR_TYPE_STRING, &own.network, settable);
    add(component, "mca_tcp_copies", MCA_BASE_VAR_TYPE_BOOL, &own.copies, settable);
    add(component, "mca_tcp_fixed", MCA_BASE_VAR_TYPE_INT, &own.fixed, MCA_BASE_VAR_FLAG_DWG);
    add(component, "mca_tcp_signed", MCA_BASE_VAR_TYPE_LONG, &own.signed_one, settable);
    add(component, "mca_tcp_shared", MCA_BASE_VAR_TYPE_INT, &shared,
        MCA_BASE_VAR_FLAG_SETTABLE); /* it outlives the component */
    add(component, "mca_tcp_silent", MCA_BASE_VAR_TYPE_INT, &own.fixed, settable);
    const int old = add(aliases, "mca_old_network", MCA_BASE_VAR_TYPE_STRING, NULL, settable);
    variables[old].mbv_synonym_for = variables[old].mbv_index - 6;
    mca_variables_registered(aliases);
    add(component, "mca_tcp_local", MCA_BASE_VAR_TYPE_INT, number_on_stack, settable);
    add(component, "mca_tcp_word", MCA_BASE_VAR_TYPE_STRING, text_on_stack, settable);
}

static void check_controls(void) {
    char text[2048] = "";
    int number = 0, count = 0, scope = -1;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    round_name = "control variables";
    long long signed_value = 0;
    own.signed_one = -(1l << 40);
    CHECK(read_of("mca_tcp_signed", &signed_value) == MPI_SUCCESS && signed_value == own.signed_one);
    CHECK(read_of("mca_tcp_limit", &number) == MPI_SUCCESS && number == 64);
    number = 65;
    CHECK(write_of("mca_tcp_limit", &number) == MPI_SUCCESS && own.limit == 65 &&
          variables[0].mbv_source == MCA_BASE_VAR_SOURCE_SET);
    own.limit = 66;
    CHECK(read_of("mca_tcp_limit", &number) == MPI_SUCCESS && number == 66);
    CHECK(MPI_T_cvar_get_info(index_of("mca_tcp_kind"), NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL) ==
          MPI_SUCCESS);
    CHECK(MPI_T_enum_get_info(items, &count, NULL, NULL) == MPI_SUCCESS && count == 2);
    number = 3;
    CHECK(write_of("mca_tcp_kind", &number) == MPI_T_ERR_INVALID && own.kind == 4);
    CHECK(MPI_T_cvar_get_info(index_of("mca_tcp_strange"), NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL) ==
          MPI_SUCCESS);
    CHECK(items == MPI_T_ENUM_NULL && read_of("mca_tcp_strange", &number) == MPI_SUCCESS && number == 9);
    CHECK(read_of("mca_tcp_network", text) == MPI_SUCCESS && strcmp(text, "eth0") == 0);
    memset(text, 0, sizeof text);
    strcpy(text, "ib0");
    CHECK(write_of("mca_tcp_network", text) == MPI_SUCCESS && strcmp(own.network, "ib0") == 0);
    CHECK(read_of("mca_old_network", text) == MPI_SUCCESS && strcmp(text, "ib0") == 0);
    strcpy(text, "ib1");
    CHECK(write_of("mca_old_network", text) == MPI_SUCCESS && strcmp(own.network, "ib1") == 0);
    number = 1;
    CHECK(write_of("mca_tcp_copies", &number) == MPI_SUCCESS && own.copies);
    CHECK(read_of("mca_tcp_copies", &number) == MPI_SUCCESS && number == 1);
    CHECK(write_of("mca_tcp_fixed", &number) == MPI_T_ERR_CVAR_SET_NEVER && own.fixed == 0);
    CHECK(MPI_T_cvar_get_info(index_of("mca_tcp_fixed"), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &scope) ==
          MPI_SUCCESS);
    CHECK(scope == MPI_T_SCOPE_READONLY);
    CHECK(MPI_T_cvar_get_info(index_of("mca_tcp_silent"), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &scope) ==
          MPI_SUCCESS);
    CHECK(scope == MPI_T_SCOPE_ALL); /* a scope that needs a description, and the registry has none */
    CHECK(strcmp(places[0], "OMPI_MCA_mca_tcp_piece") == 0);
    CHECK(strcmp(places[1], "elsewhere") == 0);                            /* set by another name */
    CHECK(write_of("mca_tcp_local", &number) == MPI_T_ERR_CVAR_SET_NEVER); /* storage on the stack */
    CHECK(index_of("mca_tcp_word") == -1);
    variables[3].mbv_flags = (mca_base_var_flag_t)0; /* a variable that its component has closed meanwhile */
    const unsigned long wide_window = 8;
    CHECK(write_of("mca_tcp_window", &wide_window) == MPI_T_ERR_CVAR_SET_NEVER && own.window == 0);
}

static void check_categories(void) {
    int index = -1, of_controls = 0, of_measures = 0, of_categories = 0;
    round_name = "categories";
    CHECK(MPI_T_category_get_index("mca", &index) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(index, NULL, NULL, NULL, NULL, &of_controls, &of_measures, &of_categories) ==
          MPI_SUCCESS);
    CHECK(of_controls == 0 && of_measures == 0 && of_categories == 3);
    CHECK(MPI_T_category_get_index("mca_tcp", &index) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(index, NULL, NULL, NULL, NULL, &of_controls, &of_measures, &of_categories) ==
          MPI_SUCCESS);
    CHECK(of_controls == 13 && of_measures == 6 && of_categories == 0);
    CHECK(MPI_T_category_get_index("mca_empty", &index) == MPI_SUCCESS);
}

static MPI_T_pvar_handle measured(MPI_T_pvar_session session, const char* name, int variable_class, void* object,
                                  int elements) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = 0;
    CHECK(MPI_T_pvar_get_index(name, variable_class, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, index, object, &handle, &count) == MPI_SUCCESS && count == elements);
    return handle;
}

static void check_measures(void) {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle gone;
    struct communicator *world_handle = &world, *wide_handle = &wide, *no_handle = (struct communicator*)&own;
    unsigned long long sum = 9;
    unsigned of_cards[2] = {0, 0};
    unsigned long messages[100] = {0};
    double part = 0;
    int index = -1, count = 0;
    round_name = "performance variables";
    CHECK(MPI_T_pvar_get_index("mca_tcp_state", MPI_T_PVAR_CLASS_STATE, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    const MPI_T_pvar_handle of_retries = measured(session, "mca_tcp_retries", MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    const MPI_T_pvar_handle all_cards = measured(session, "mca_tcp_of_cards", MPI_T_PVAR_CLASS_LEVEL, NULL, 2);
    const MPI_T_pvar_handle of_filled = measured(session, "mca_tcp_filled", MPI_T_PVAR_CLASS_PERCENTAGE, NULL, 1);
    MPI_T_pvar_handle of_world = measured(session, "mca_tcp_messages", MPI_T_PVAR_CLASS_SIZE, &world_handle, 3);
    const MPI_T_pvar_handle of_wide = measured(session, "mca_tcp_messages", MPI_T_PVAR_CLASS_SIZE, &wide_handle, 100);
    CHECK(MPI_T_pvar_get_index("mca_tcp_messages", MPI_T_PVAR_CLASS_SIZE, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, index, &no_handle, &gone, &count) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(counting == 1); /* the continuous one */
    retries = 100;
    CHECK(MPI_T_pvar_start(session, of_retries) == MPI_SUCCESS && counting == 2);
    CHECK(MPI_T_pvar_start(session, of_world) == MPI_SUCCESS && counting == 3);
    CHECK(MPI_T_pvar_start(session, of_wide) == MPI_SUCCESS && counting == 3); /* the registry counts for both */
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    retries += 5;
    world.messages[2] = 12;
    wide.messages[99] = 13;
    CHECK(MPI_T_pvar_read(session, of_retries, &sum) == MPI_SUCCESS && sum == 5);
    CHECK(MPI_T_pvar_read(session, all_cards, of_cards) == MPI_SUCCESS && of_cards[0] == 7 && of_cards[1] == 8);
    CHECK(MPI_T_pvar_read(session, of_filled, &part) == MPI_SUCCESS && part == 0.5);
    CHECK(MPI_T_pvar_read(session, of_world, messages) == MPI_SUCCESS && messages[0] == 0 && messages[2] == 12);
    reads_of_communicator = 0;
    CHECK(MPI_T_pvar_read(session, of_wide, messages) == MPI_SUCCESS && messages[0] == 0 && messages[99] == 13);
    CHECK(reads_of_communicator == 1); /* all 100 at once */
    world.is_there = false;            /* it is freed */
    CHECK(MPI_T_pvar_read(session, of_world, messages) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_free(session, &of_world) == MPI_SUCCESS);
    world.is_there = true;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && counting == 0);
}

/* Texts, which a tool writes, and whose component hears that a handle runs. */
static void check_measured_texts(void) {
    MPI_T_pvar_session session;
    struct communicator* world_handle = &world;
    char text[2048];
    round_name = "performance variables that are texts";
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    const MPI_T_pvar_handle of_file = measured(session, "mca_tcp_trace", MPI_T_PVAR_CLASS_GENERIC, NULL, 2048);
    const MPI_T_pvar_handle of_name = measured(session, "mca_tcp_name", MPI_T_PVAR_CLASS_GENERIC, &world_handle, 2048);
    CHECK(MPI_T_pvar_start(session, of_file) == MPI_SUCCESS && counting == 1);
    CHECK(MPI_T_pvar_write(session, of_file, "phase_1") == MPI_SUCCESS && strcmp(trace_file, "phase_1") == 0);
    CHECK(MPI_T_pvar_write(session, of_file, "x") == MPI_SUCCESS && strcmp(trace_file, "x") == 0);
    CHECK(MPI_T_pvar_read(session, of_file, text) == MPI_SUCCESS && text[0] == '\0');
    CHECK(MPI_T_pvar_write(session, of_file, "/") == MPI_T_ERR_PVAR_NO_WRITE && strcmp(trace_file, "x") == 0);
    CHECK(MPI_T_pvar_reset(session, of_file) == MPI_SUCCESS && strcmp(trace_file, "nothing") == 0);
    CHECK(MPI_T_pvar_stop(session, of_file) == MPI_SUCCESS && counting == 0);
    CHECK(MPI_T_pvar_read(session, of_name, text) == MPI_SUCCESS && strcmp(text, "world") == 0);
    CHECK(MPI_T_pvar_write(session, of_name, "mine") == MPI_T_ERR_PVAR_NO_WRITE);
    world.is_there = false;
    CHECK(MPI_T_pvar_read(session, of_name, text) == MPI_T_ERR_INVALID_HANDLE);
    world.is_there = true;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

static void check_groups(void) {
    MPI_T_cvar_handle of_limit = handle_of("mca_tcp_limit"), of_old = handle_of("mca_old_network");
    const int index = index_of("mca_tcp_limit");
    char text[2048];
    int number = 0, in_category = -1, of_measures = 0, gone = -1;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle none = MPI_T_PVAR_HANDLE_NULL;
    static int late = 5;
    round_name = "groups that change";
    add(component, "mca_tcp_late", MCA_BASE_VAR_TYPE_INT, &late, MCA_BASE_VAR_FLAG_SETTABLE);
    CHECK(MPI_T_cvar_read(of_limit, &number) == MPI_SUCCESS && number == own.limit); /* a handle stays */
    CHECK(read_of("mca_tcp_late", &number) == MPI_SUCCESS && number == 5);
    add(component, "mca_tcp_limit", MCA_BASE_VAR_TYPE_INT, &late, MCA_BASE_VAR_FLAG_SETTABLE);
    CHECK(MPI_T_cvar_read(of_limit, &number) == MPI_T_ERR_INVALID_HANDLE); /* it has other storage */
    CHECK(index_of("mca_tcp_limit") == index && read_of("mca_tcp_limit", &number) == MPI_SUCCESS && number == 5);
    MPI_T_cvar_handle_free(&of_limit);
    deregister(component);
    check_ended_events();
    CHECK(MPI_T_cvar_read(of_old, text) == MPI_T_ERR_INVALID_HANDLE);         /* it was a synonym */
    CHECK(read_of("mca_tcp_shared", &number) == MPI_SUCCESS && number == 11); /* the registry left it there */
    CHECK(MPI_T_category_get_index("mca_tcp", &in_category) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_num_events(in_category, &number) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(in_category, NULL, NULL, NULL, NULL, &number, &of_measures, NULL) == MPI_SUCCESS &&
          of_measures == 6);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_get_index("mca_tcp_retries", MPI_T_PVAR_CLASS_COUNTER, &gone) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(session, gone, NULL, &none, &number) != MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_free(session, &none) != MPI_SUCCESS);
    (void)measured(session, "mca_tcp_filled", MPI_T_PVAR_CLASS_PERCENTAGE, NULL, 1); /* as this one */
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
    MPI_T_cvar_handle_free(&of_old);
    register_events(&groups[component].group_events);
    register_component();
    check_events_again();
    CHECK(index_of("mca_tcp_limit") == index && read_of("mca_tcp_limit", &number) == MPI_SUCCESS && number == 64);
    CHECK(read_of("mca_old_network", text) == MPI_SUCCESS && strcmp(text, "eth0") == 0);
}

/* A component that has closed before the first tool came, and opens again. */
static void check_early(void) {
    int number = 0, index = -1;
    round_name = "a group that has ended early";
    CHECK(index_of("mca_early_own") == -1 && read_of("mca_early_shared", &number) == MPI_SUCCESS && number == 12);
    CHECK(MPI_T_category_get_index("mca_early", &index) == MPI_SUCCESS);
    add(early, "mca_early_own", MCA_BASE_VAR_TYPE_INT, &early_own, MCA_BASE_VAR_FLAG_DWG);
    CHECK(read_of("mca_early_own", &number) == MPI_SUCCESS && number == 13);
    CHECK(read_of("mca_early_shared", &number) == MPI_SUCCESS && number == 12);
    CHECK(MPI_T_category_get_info(index, NULL, NULL, NULL, NULL, &number, NULL, NULL) == MPI_SUCCESS && number == 2);
}

static int describe(void* data) {
    (void)data;
    return mca_variables_open(find);
}

int main(void) {
    number_on_stack = alloca(sizeof *number_on_stack); /* a sanitizer may keep a named variable elsewhere */
    *number_on_stack = 5;
    text_on_stack = alloca(sizeof *text_on_stack);
    *text_on_stack = NULL;
    char text[2048];
    int provided = 0, category = -1;
    register_events(&groups[component].group_events);
    mca_variables_registered(component); /* no tool is there: nothing happens */
    register_component();
    add(early, "mca_early_shared", MCA_BASE_VAR_TYPE_INT, &early_shared, MCA_BASE_VAR_FLAG_SETTABLE);
    add(early, "mca_early_own", MCA_BASE_VAR_TYPE_INT, &early_own, MCA_BASE_VAR_FLAG_DWG);
    deregister(early);
    /* clang-format off */
    measure(component, "mca_tcp_retries", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_COUNTER, .type = MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG,
        .flags = MCA_BASE_PVAR_FLAG_IWG, .get_value = values, .notify = notify, .ctx = &retries});
    measure(component, "mca_tcp_of_cards", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_LEVEL, .type = MCA_BASE_VAR_TYPE_UNSIGNED_INT,
        .flags = MCA_BASE_PVAR_FLAG_CONTINUOUS, .get_value = values, .notify = notify, .ctx = cards});
    measure(component, "mca_tcp_filled", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_PERCENTAGE, .type = MCA_BASE_VAR_TYPE_DOUBLE,
        .get_value = values, .notify = notify, .ctx = &filled});
    measure(component, "mca_tcp_state", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_STATE, .type = MCA_BASE_VAR_TYPE_INT,
        .get_value = values, .notify = notify, .ctx = &retries});
    measure(component, "mca_tcp_messages", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_SIZE, .type = MCA_BASE_VAR_TYPE_UNSIGNED_LONG, .bind = MCA_BASE_VAR_BIND_MPI_COMM,
        .flags = MCA_BASE_PVAR_FLAG_READONLY, .get_value = values_of_communicator, .notify = notify_of_communicator});
    measure(component, "mca_tcp_trace", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_GENERIC, .type = MCA_BASE_VAR_TYPE_STRING,
        .get_value = no_value, .set_value = set_file, .notify = notify});
    measure(component, "mca_tcp_name", (mca_base_pvar_t){
        .var_class = MCA_BASE_PVAR_CLASS_GENERIC, .type = MCA_BASE_VAR_TYPE_STRING, .bind = MCA_BASE_VAR_BIND_MPI_COMM,
        .flags = MCA_BASE_PVAR_FLAG_READONLY, .get_value = name_of_communicator, .notify = no_elements});
    /* clang-format on */
    variables[0].mbv_source = MCA_BASE_VAR_SOURCE_FILE;
    variables[0].mbv_source_file = "mca.conf";
    variables[4].mbv_source = variables[5].mbv_source = MCA_BASE_VAR_SOURCE_ENV;
    CHECK(mpit_before_tools(describe, NULL) == 0);
    CHECK(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    check_categories();
    check_controls();
    check_measures();
    check_measured_texts();
    CHECK(MPI_T_category_get_index("mca_tcp", &category) == MPI_SUCCESS);
    check_events(category);
    check_events_of(&world, &wide);
    check_groups();
    check_early();
    round_name = "the end";
    MPI_T_cvar_handle of_network = handle_of("mca_tcp_network");
    mca_variables_close();
    CHECK(MPI_T_cvar_read(of_network, text) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_cvar_handle_free(&of_network);
    mca_variables_registered(component);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    free(own.network);
    return report();
}
