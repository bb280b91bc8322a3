/* Walks the lists of a tool: every number below the count can be asked for, leads back from its name, and never
 * changes.
 *
 *   walk_all();   at several moments of a program: each walk is compared with those before */
#ifndef TESTS_MPI_LISTS_H
#define TESTS_MPI_LISTS_H

#include <mpi.h>

#include "../mpi_t/check.h"

#include <stdlib.h>
#include <string.h>

enum { most = 4096, name_room = 256, text_room = 4096 };

/* What was said of every number at the first walk that met it. */
struct facts {
    char name[name_room];
    unsigned long sum;
};
static struct facts controls[most], performances[most], categories[most];
static int control_count, performance_count, category_count;
static int member_counts[most][3];

static unsigned long add(unsigned long sum, const void* from, size_t size) {
    for (size_t i = 0; i < size; i++) sum = sum * 31 + ((const unsigned char*)from)[i];
    return sum;
}
static unsigned long add_number(unsigned long sum, long long number) { return add(sum, &number, sizeof number); }

/* Compares with what was said before, or keeps it. */
static void keep(struct facts* all, int number, int known, const char* name, unsigned long sum) {
    if (number < known) {
        CHECK(strcmp(all[number].name, name) == 0);
        CHECK(all[number].sum == sum);
    } else {
        snprintf(all[number].name, name_room, "%s", name);
        all[number].sum = sum;
    }
}

static unsigned long items_of(MPI_T_enum enumeration, unsigned long sum) {
    char name[name_room];
    int count = -1, size = name_room, value = 0;
    if (enumeration == MPI_T_ENUM_NULL) return sum;
    CHECK(MPI_T_enum_get_info(enumeration, &count, name, &size) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        size = name_room;
        CHECK(PMPI_T_enum_get_item(enumeration, i, &value, name, &size) == MPI_SUCCESS);
        sum = add_number(add(sum, name, strlen(name)), value);
    }
    CHECK(MPI_T_enum_get_item(enumeration, count, &value, name, NULL) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_enum_get_item(enumeration, -1, &value, name, NULL) == MPI_T_ERR_INVALID_INDEX);
    return sum;
}

static void walk_controls(void) {
    static char text[text_room];
    int count = 0;
    CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    CHECK(count >= control_count && count <= most);
    for (int i = 0; i < count; i++) {
        char name[name_room];
        int name_size = name_room, size = text_room, verbosity, bind, scope, number = -1;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        CHECK(MPI_T_cvar_get_info(i, name, &name_size, &verbosity, &type, &enumeration, text, &size, &bind, &scope) ==
              MPI_SUCCESS);
        CHECK(PMPI_T_cvar_get_index(name, &number) == MPI_SUCCESS);
        CHECK(number == i);
        unsigned long sum = add(add(0, text, strlen(text)), &type, sizeof type);
        sum = add_number(add_number(add_number(sum, verbosity), bind), scope);
        keep(controls, i, control_count, name, items_of(enumeration, sum));
    }
    control_count = count;
    const int wrong[] = {-1, count, count + 1000, 1 << 30};
    for (int i = 0; i < 4; i++)
        CHECK(MPI_T_cvar_get_info(wrong[i], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX);
}

static void walk_performances(void) {
    static char text[text_room];
    int count = 0;
    CHECK(MPI_T_pvar_get_num(&count) == MPI_SUCCESS);
    CHECK(count >= performance_count && count <= most);
    for (int i = 0; i < count; i++) {
        char name[name_room];
        int name_size = name_room, size = text_room, number = -1, said[6], in;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        CHECK(MPI_T_pvar_get_info(i, name, &name_size, &said[0], &in, &type, &enumeration, text, &size, &said[1],
                                  &said[2], &said[3], &said[4]) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_get_index(name, in, &number) == MPI_SUCCESS);
        CHECK(number == i);
        unsigned long sum = add(add(0, text, strlen(text)), &type, sizeof type);
        for (int k = 0; k < 5; k++) sum = add_number(sum, said[k]);
        keep(performances, i, performance_count, name, items_of(enumeration, add_number(sum, in)));
    }
    performance_count = count;
    CHECK(MPI_T_pvar_get_info(count, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_pvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID_INDEX);
}

/* The members of a list are numbers of things that are there, each once. */
static void check_members(int category, int count, int below, int (*list)(int, int, int*)) {
    int* members = malloc(((size_t)count + 1) * sizeof *members);
    for (int i = 0; i <= count; i++) members[i] = -7;
    CHECK(list(category, count, members) == MPI_SUCCESS);
    CHECK(members[count] == -7);
    for (int i = 0; i < count; i++) {
        CHECK(members[i] >= 0 && members[i] < below);
        for (int k = 0; k < i; k++) CHECK(members[i] != members[k]);
    }
    if (count > 1) {
        const int second = members[1];
        members[1] = -7;
        CHECK(list(category, 1, members) == MPI_SUCCESS);
        CHECK(members[1] == -7 && second >= 0);
    }
    free(members);
}

static void walk_categories(void) {
    static char text[text_room];
    int count = 0, before = -1, after = -1;
    CHECK(MPI_T_category_get_num(&count) == MPI_SUCCESS);
    CHECK(MPI_T_category_changed(&before) == MPI_SUCCESS);
    CHECK(count >= category_count && count <= most);
    for (int i = 0; i < count; i++) {
        char name[name_room];
        int name_size = name_room, size = text_room, members[3], number = -1;
        CHECK(MPI_T_category_get_info(i, name, &name_size, text, &size, &members[0], &members[1], &members[2]) ==
              MPI_SUCCESS);
        CHECK(MPI_T_category_get_index(name, &number) == MPI_SUCCESS);
        CHECK(number == i);
        check_members(i, members[0], control_count, &MPI_T_category_get_cvars);
        check_members(i, members[1], performance_count, &PMPI_T_category_get_pvars);
        check_members(i, members[2], count, &MPI_T_category_get_categories);
        for (int k = 0; k < 3; k++) {
            CHECK(members[k] >= member_counts[i][k]);
            member_counts[i][k] = members[k];
        }
        keep(categories, i, category_count, name, add(0, text, strlen(text)));
    }
    category_count = count;
    CHECK(MPI_T_category_changed(&after) == MPI_SUCCESS);
    CHECK(before == after);
    CHECK(MPI_T_category_get_cvars(count, 0, NULL) == MPI_T_ERR_INVALID_INDEX);
    CHECK(MPI_T_category_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID_INDEX);
}

static void walk_all(void) {
    walk_controls();
    walk_performances();
    walk_categories();
}

#endif
