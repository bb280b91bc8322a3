/* Lists everything that a tool can list, at several moments, and compares: names, numbers and all that is said of them
 * never change. Another process of the same program must say the same.
 *
 *   listing          compares
 *   listing print    prints the list, for the other process
 */
/* [INIT-12] Names and indices are the same after a finalization and a new initialisation. */
/* [INIT-15] All variables are there before MPI_Init. */
/* [VERB-02] Every variable has one of the nine verbosities. */
/* [DT-01] Every variable has one of the eleven types. */
/* [DT-04] Types can be compared before MPI_Init. */
/* [DT-16] Enumerations of one name have the same items in two processes. */
#define _POSIX_C_SOURCE 200809L /* popen, readlink */
#include <mpi.h>

#include "check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { list_room = 1 << 16, text_room = 1024 };

struct list {
    char text[list_room];
    size_t length;
};

static void add(struct list* to, const char* format, ...) {
    va_list values;
    va_start(values, format);
    const int added = vsnprintf(to->text + to->length, list_room - to->length, format, values);
    va_end(values);
    CHECK(added > 0 && to->length + (size_t)added < list_room);
    if (added > 0 && to->length + (size_t)added < list_room) to->length += (size_t)added;
}

/* Handles differ between processes, so types and enumerations are listed by what they mean. */
static const char* type_name(MPI_Datatype type) {
    const struct {
        MPI_Datatype type;
        const char* name;
    } types[] = {
        {MPI_INT, "int"},
        {MPI_UNSIGNED, "unsigned"},
        {MPI_UNSIGNED_LONG, "unsigned long"},
        {MPI_UNSIGNED_LONG_LONG, "unsigned long long"},
        {MPI_DOUBLE, "double"},
        {MPI_CHAR, "char"},
        {MPI_COUNT, "count"},
        {MPI_INT32_T, "int32"},
        {MPI_INT64_T, "int64"},
        {MPI_UINT32_T, "uint32"},
        {MPI_UINT64_T, "uint64"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) return types[i].name;
    return NULL;
}
static int is_verbosity(int level) {
    const int audience = level & 0x38, depth = level & 0x07;
    return level == (audience | depth) && (audience == 0x08 || audience == 0x10 || audience == 0x20) &&
           (depth == 1 || depth == 2 || depth == 4);
}

static void add_enumeration(struct list* to, MPI_T_enum enumeration) {
    char name[text_room];
    int length = text_room, count = 0;
    if (enumeration == MPI_T_ENUM_NULL) return;
    CHECK(MPI_T_enum_get_info(enumeration, &count, name, &length) == MPI_SUCCESS);
    CHECK(count >= 1);
    add(to, "    enumeration %s:", name);
    for (int i = 0; i < count; i++) {
        int value = 0;
        length = text_room;
        CHECK(MPI_T_enum_get_item(enumeration, i, &value, name, &length) == MPI_SUCCESS);
        add(to, " %s=%d", name, value);
    }
    add(to, "\n");
}

static void add_controls(struct list* to) {
    int count = 0;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        char name[text_room], description[text_room];
        int name_length = text_room, description_length = text_room, verbosity, bind, scope, found = -1;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        CHECK(MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &enumeration, description,
                                  &description_length, &bind, &scope) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_get_index(name, &found) == MPI_SUCCESS);
        CHECK(found == i);
        CHECK(is_verbosity(verbosity));
        CHECK(type_name(type) != NULL);
        CHECK(enumeration == MPI_T_ENUM_NULL || type == MPI_INT);
        add(to, "control %d %s, %s: %d %s %d %d\n", i, name, description, verbosity, type_name(type), bind, scope);
        add_enumeration(to, enumeration);
    }
}

static void add_performances(struct list* to) {
    int count = 0;
    CHECK(MPI_T_pvar_get_num(&count) == MPI_SUCCESS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        char name[text_room], description[text_room];
        int name_length = text_room, description_length = text_room, verbosity, in, bind, found = -1;
        int readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        CHECK(MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &in, &type, &enumeration, description,
                                  &description_length, &bind, &readonly, &continuous, &atomic) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_get_index(name, in, &found) == MPI_SUCCESS);
        CHECK(found == i);
        CHECK(is_verbosity(verbosity));
        CHECK(type_name(type) != NULL);
        CHECK(enumeration == MPI_T_ENUM_NULL || type == MPI_INT);
        add(to, "performance %d %s, %s: %d %d %s %d %d %d %d\n", i, name, description, verbosity, in, type_name(type),
            bind, readonly, continuous, atomic);
        add_enumeration(to, enumeration);
    }
}

static void add_members(struct list* to, const char* what, int (*get)(int, int, int[]), int category, int count) {
    int numbers[256];
    CHECK(count <= 256);
    CHECK(get(category, count, numbers) == MPI_SUCCESS);
    add(to, "    %s:", what);
    for (int i = 0; i < count; i++) add(to, " %d", numbers[i]);
    add(to, "\n");
}

static void add_categories(struct list* to) {
    int count = 0;
    CHECK(MPI_T_category_get_num(&count) == MPI_SUCCESS);
    CHECK(count > 0);
    for (int i = 0; i < count; i++) {
        char name[text_room], description[text_room];
        int name_length = text_room, description_length = text_room, controls, performances, categories, found = -1;
        CHECK(MPI_T_category_get_info(i, name, &name_length, description, &description_length, &controls, &performances,
                                      &categories) == MPI_SUCCESS);
        CHECK(MPI_T_category_get_index(name, &found) == MPI_SUCCESS);
        CHECK(found == i);
        add(to, "category %d %s, %s\n", i, name, description);
        add_members(to, "controls", MPI_T_category_get_cvars, i, controls);
        add_members(to, "performances", MPI_T_category_get_pvars, i, performances);
        add_members(to, "categories", MPI_T_category_get_categories, i, categories);
    }
}

static void make_list(struct list* to) {
    int provided;
    to->length = 0;
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    add_controls(to);
    add_performances(to);
    add_categories(to);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}

/* What another process of this program lists. */
static void read_from_another_process(struct list* to) {
    char program[4096], command[4200];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    to->length = 0;
    to->text[0] = '\0';
    CHECK(length > 0);
    if (length <= 0) return;
    program[length] = '\0';
    snprintf(command, sizeof command, "'%s' print", program);
    FILE* const output = popen(command, "r");
    CHECK(output != NULL);
    if (output == NULL) return;
    to->length = fread(to->text, 1, list_room - 1, output);
    to->text[to->length] = '\0';
    CHECK(pclose(output) == 0);
}

static struct list first, later;

static void compare(const char* when) {
    round_name = when;
    make_list(&later);
    CHECK(strcmp(first.text, later.text) == 0);
}

int main(int argc, char** argv) {
    make_list(&first);
    if (argc > 1 && strcmp(argv[1], "print") == 0) {
        fputs(first.text, stdout);
        return checks_failed != 0;
    }
    CHECK(strstr(first.text, "MINI_EAGER_LIMIT") != NULL);
    CHECK(strstr(first.text, "enumeration protocol: automatic=0") != NULL);
    compare("once more");
    MPI_Init(&argc, &argv);
    compare("after MPI_Init");
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    compare("after a communicator came and went");
    MPI_Finalize();
    compare("after MPI_Finalize");
    round_name = "in another process";
    read_from_another_process(&later);
    CHECK(strcmp(first.text, later.text) == 0);
    return report();
}
