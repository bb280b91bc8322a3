/* Lesson 10: the same library, seen by a tool of 2011.
 *
 * Before the tool interface was a standard it was a draft, with functions named MPIT_. A library that includes
 * mpit/compat.hpp serves tools of that time from the same variables. This program uses all 40 functions. */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { name_size = 300 };

static void check(int answer, const char* what) {
    if (answer == MPIT_SUCCESS) return;
    fprintf(stderr, "%s failed with error %d\n", what, answer);
    exit(1);
}
#define CHECK(call) check(call, #call)

static const char* name_of_scope(int scope) {
    return scope == MPIT_SCOPE_READONLY ? "readonly" : scope == MPIT_SCOPE_LOCAL ? "local" : "global";
}
static const char* name_of_class(int varclass) {
    static const char* const names[] = {"state",         "level",   "percentage", "high watermark",
                                        "low watermark", "counter", "aggregate",  "timer"};
    return names[varclass - MPIT_PERFVAR_CLASS_STATE];
}

/* The name of a datatype; those of an enumeration are its items. */
static const char* name_of_type(MPIT_Datatype type, char* text) {
    int typeclass, count, length = name_size;
    CHECK(MPIT_Type_get_class(type, &typeclass));
    if (typeclass == MPIT_TYPECLASS_PREDEFINED)
        return type == MPIT_INT         ? "int"
               : type == MPIT_LONG_LONG ? "long long"
               : type == MPIT_DOUBLE    ? "double"
                                        : "char";
    CHECK(MPIT_Type_enum_get_info(type, &count, text, &length));
    for (int item = 0; item < count; ++item) {
        char name[name_size];
        length = name_size;
        CHECK(MPIT_Type_enum_get_item(type, item, name, &length));
        sprintf(text + strlen(text), "%s%s", item == 0 ? ": " : ", ", name);
    }
    return text;
}

static int find_control(const char* wanted) {
    int count;
    CHECK(MPIT_Controlvar_get_num(&count));
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size;
        CHECK(MPIT_Controlvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        if (strcmp(name, wanted) == 0) return i;
    }
    exit(1);
}
static int find_performance(const char* wanted) {
    int count;
    CHECK(MPIT_Perfvar_get_num(&count));
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size;
        CHECK(MPIT_Perfvar_get_info(i, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        if (strcmp(name, wanted) == 0) return i;
    }
    exit(1);
}

/* Every category with its variables, as the draft shows them. */
static void list_category(int category) {
    char name[name_size], description[name_size], text[name_size];
    int length = name_size, description_length = name_size, controls, performances, categories, indices[100];
    CHECK(MPIT_Category_get_info(category, name, &length, description, &description_length, &controls, &performances,
                                 &categories));
    printf("\n%s: %s\n", name, description);
    CHECK(MPIT_Category_get_controlvars(category, 100, indices));
    for (int i = 0; i < controls; ++i) {
        MPIT_Datatype type;
        MPIT_Controlvar_attributes attributes;
        int verbosity, count, size, assoc, scope;
        length = name_size;
        CHECK(MPIT_Controlvar_get_info(indices[i], name, &length, &verbosity, &type, &count, NULL, NULL, &assoc,
                                       &attributes));
        CHECK(MPIT_Controlvar_attr_get_scope(&attributes, &scope));
        CHECK(MPIT_Type_get_size(type, &size));
        printf("  %-40s %-14s %2d x %d  %s\n", name, name_of_scope(scope), count, size, name_of_type(type, text));
    }
    CHECK(MPIT_Category_get_perfvars(category, 100, indices));
    for (int i = 0; i < performances; ++i) {
        MPIT_Datatype type;
        MPIT_Perfvar_attributes attributes;
        int varclass, count, size, readonly, continuous;
        length = name_size;
        CHECK(MPIT_Perfvar_get_info(indices[i], name, &length, NULL, &varclass, &type, &count, NULL, NULL, NULL,
                                    &attributes));
        CHECK(MPIT_Perfvar_attr_get_readonly(&attributes, &readonly));
        CHECK(MPIT_Perfvar_attr_get_continuous(&attributes, &continuous));
        CHECK(MPIT_Type_get_size(type, &size));
        printf("  %-40s %-14s %2d x %d  %s%s%s\n", name, name_of_class(varclass), count, size, name_of_type(type, text),
               readonly ? ", readonly" : "", continuous ? ", continuous" : "");
    }
    CHECK(MPIT_Category_get_categories(category, 100, indices));
    for (int i = 0; i < categories; ++i) list_category(indices[i]);
}

/* Reads and writes a setting. */
static void change_eager_limit(void) {
    MPIT_Controlvar_handle limit;
    int before, after = 100;
    CHECK(MPIT_Controlvar_handle_allocate(find_control("MINI_EAGER_LIMIT"), MPIT_MPI_RESOURCE_GLOBAL, &limit));
    CHECK(MPIT_Controlvar_read(limit, &before));
    CHECK(MPIT_Controlvar_write(limit, &after));
    CHECK(MPIT_Controlvar_read(limit, &after));
    printf("\nMINI_EAGER_LIMIT was %d and is %d.\n", before, after);
    CHECK(MPIT_Controlvar_handle_free(&limit));
}

static void exchange(int count, MPI_Comm comm) {
    char byte = 0;
    for (int i = 0; i < count; ++i) {
        MPI_Send(&byte, 1, MPI_CHAR, 0, 0, comm);
        MPI_Recv(&byte, 1, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
    }
}

/* Counts the messages of the process and of one communicator. */
static void count_messages(void) {
    MPIT_MPI_Resource world;
    MPIT_Perfvar_session session;
    MPIT_Perfvar_handle all, of_world;
    long long sent, on_world, zero = 0;
    CHECK(MPIT_MPI_Resource_communicator(MPI_COMM_WORLD, &world));
    CHECK(MPIT_Perfvar_session_create(&session));
    CHECK(MPIT_Perfvar_handle_allocate(session, find_performance("messages_sent"), MPIT_MPI_RESOURCE_GLOBAL, &all));
    CHECK(MPIT_Perfvar_handle_allocate(session, find_performance("communicator_messages"), world, &of_world));
    CHECK(MPIT_Perfvar_start(session, MPIT_PERFVAR_ALL_HANDLES));
    exchange(3, MPI_COMM_WORLD);
    exchange(2, MPI_COMM_SELF);
    CHECK(MPIT_Perfvar_stop(session, of_world));
    exchange(1, MPI_COMM_WORLD);
    CHECK(MPIT_Perfvar_read(session, all, &sent));
    CHECK(MPIT_Perfvar_readreset(session, of_world, &on_world));
    printf("%lld messages were sent, %lld on MPI_COMM_WORLD before its handle was stopped.\n", sent, on_world);
    CHECK(MPIT_Perfvar_reset(session, all));
    CHECK(MPIT_Perfvar_write(session, of_world, &zero));
    CHECK(MPIT_Perfvar_handle_free(session, &of_world));
    CHECK(MPIT_Perfvar_session_free(&session));
}

/* References to objects of the other kinds are made alike; a variable takes those of its own kind only. */
static void refuse_other_objects(void) {
    MPIT_MPI_Resource resources[7];
    MPIT_Perfvar_session session;
    MPIT_Perfvar_handle handle;
    int refused = 0;
    CHECK(MPIT_MPI_Resource_datatype(MPI_INT, &resources[0]));
    CHECK(MPIT_MPI_Resource_errorhandler(MPI_ERRORS_RETURN, &resources[1]));
    CHECK(MPIT_MPI_Resource_file(NULL, &resources[2]));
    CHECK(MPIT_MPI_Resource_group(NULL, &resources[3]));
    CHECK(MPIT_MPI_Resource_operation(MPI_SUM, &resources[4]));
    CHECK(MPIT_MPI_Resource_request(MPI_REQUEST_NULL, &resources[5]));
    CHECK(MPIT_MPI_Resource_window(MPI_WIN_NULL, &resources[6]));
    CHECK(MPIT_Perfvar_session_create(&session));
    for (int i = 0; i < 7; ++i)
        refused += MPIT_Perfvar_handle_allocate(session, find_performance("communicator_messages"), resources[i],
                                                &handle) == MPIT_ERR_INVALIDHANDLE;
    printf("%d objects that are no communicators are refused.\n", refused);
    CHECK(MPIT_Perfvar_session_free(&session));
}

int main(void) {
    int controls, performances, categories;
    MPI_Init(NULL, NULL);
    CHECK(MPIT_Init());
    CHECK(MPIT_Controlvar_get_num(&controls));
    CHECK(MPIT_Perfvar_get_num(&performances));
    CHECK(MPIT_Category_get_num(&categories));
    printf("%d control variables, %d performance variables, %d categories\n", controls, performances, categories);
    list_category(0);
    change_eager_limit();
    count_messages();
    refuse_other_objects();
    CHECK(MPIT_Finalize());
    return MPI_Finalize();
}
