/* Lesson 2: list everything that an MPI library shows.
 *
 * A tool knows no names beforehand. It asks how many variables there are, and then what each of them is: its name, its
 * type, what it belongs to, and, for an enumeration, the names of its values. This program works with any MPI; here it
 * lists the miniature runtime of this folder. MPI itself need not be initialised. */
#include <mpi.h>

#include <stdio.h>

enum { name_size = 128, description_size = 256, most_categories = 1024 };

static const char* name_of_type(MPI_Datatype type) {
    if (type == MPI_INT) return "int";
    if (type == MPI_UNSIGNED) return "unsigned";
    if (type == MPI_UNSIGNED_LONG) return "unsigned long";
    if (type == MPI_UNSIGNED_LONG_LONG) return "unsigned long long";
    if (type == MPI_DOUBLE) return "double";
    if (type == MPI_CHAR) return "char";
    if (type == MPI_COUNT) return "MPI_Count";
    return "exact integer";
}

static const char* name_of_class(int var_class) {
    static const char* const names[] = {"state",         "level",   "size",      "percentage", "high watermark",
                                        "low watermark", "counter", "aggregate", "timer",      "generic"};
    return names[var_class - MPI_T_PVAR_CLASS_STATE];
}

static const char* name_of_binding(int bind) {
    static const char* const names[] = {"-",         "communicator", "datatype", "error handler", "file", "group",
                                        "operation", "request",      "window",   "message",       "info", "session"};
    return names[bind - MPI_T_BIND_NO_OBJECT];
}

static const char* name_of_scope(int scope) {
    static const char* const names[] = {"constant", "readonly", "local", "group", "group, equal", "all", "all, equal"};
    return names[scope - MPI_T_SCOPE_CONSTANT];
}

static void print_items(MPI_T_enum type) {
    char name[name_size];
    int count = 0, value = 0, length = name_size;
    MPI_T_enum_get_info(type, &count, name, &length);
    printf("    %s:", name);
    for (int i = 0; i < count; ++i) {
        length = name_size;
        MPI_T_enum_get_item(type, i, &value, name, &length);
        printf("%s %s = %d", i == 0 ? "" : ",", name, value);
    }
    printf("\n");
}

static void list_controls(void) {
    int count = 0;
    MPI_T_cvar_get_num(&count);
    printf("%d control variables\n\n  %-24s %-19s %-9s %s\n", count, "name", "type", "scope", "bound to");
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size, verbosity, bind, scope;
        MPI_Datatype type;
        MPI_T_enum items;
        if (MPI_T_cvar_get_info(i, name, &length, &verbosity, &type, &items, NULL, NULL, &bind, &scope)) continue;
        printf("  %-24s %-19s %-9s %s\n", name, items != MPI_T_ENUM_NULL ? "enumeration" : name_of_type(type),
               name_of_scope(scope), name_of_binding(bind));
        if (items != MPI_T_ENUM_NULL) print_items(items);
    }
}

static void list_performances(void) {
    int count = 0;
    MPI_T_pvar_get_num(&count);
    printf("\n%d performance variables\n\n  %-24s %-15s %-19s %s\n", count, "name", "class", "type", "bound to");
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size, verbosity, var_class, bind, readonly, continuous, atomic;
        MPI_Datatype type;
        MPI_T_enum items;
        if (MPI_T_pvar_get_info(i, name, &length, &verbosity, &var_class, &type, &items, NULL, NULL, &bind, &readonly,
                                &continuous, &atomic))
            continue;
        printf("  %-24s %-15s %-19s %s\n", name, name_of_class(var_class),
               items != MPI_T_ENUM_NULL ? "enumeration" : name_of_type(type), name_of_binding(bind));
        if (items != MPI_T_ENUM_NULL) print_items(items);
    }
}

/* An event carries elements, whose names are the items of its enumeration. */
static void print_elements(int count, MPI_T_enum names) {
    printf("    ");
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size, number;
        MPI_T_enum_get_item(names, i, &number, name, &length);
        if (i < 5) printf("%s%s", i == 0 ? "" : ", ", name);
        else if (i == 5) printf(" and %d more", count - i);
    }
    printf("\n");
}

static void list_events(void) {
    int count = 0;
    MPI_T_event_get_num(&count);
    printf("\n%d events, with what they carry\n\n  %-24s %-12s %s\n", count, "name", "bound to", "description");
    for (int i = 0; i < count; ++i) {
        char name[name_size], description[description_size];
        int length = name_size, description_length = description_size, elements = 0, bind;
        MPI_T_enum names;
        if (MPI_T_event_get_info(i, name, &length, NULL, NULL, NULL, &elements, &names, NULL, description,
                                 &description_length, &bind))
            continue;
        printf("  %-24s %-12s %s\n", name, name_of_binding(bind), description);
        if (names != MPI_T_ENUM_NULL) print_elements(elements, names);
    }
}

/* What stamps the events with their times. */
static void list_sources(void) {
    int count = 0;
    MPI_T_source_get_num(&count);
    printf("\n%d sources of events\n\n  %-24s %-10s %s\n", count, "name", "order", "ticks a second");
    for (int i = 0; i < count; ++i) {
        char name[name_size];
        int length = name_size;
        MPI_T_source_order order;
        MPI_Count ticks;
        if (MPI_T_source_get_info(i, name, &length, NULL, NULL, &order, &ticks, NULL, NULL)) continue;
        printf("  %-24s %-10s %lld\n", name, order == MPI_T_SOURCE_ORDERED ? "ordered" : "unordered", (long long)ticks);
    }
}

/* A category holds variables, events and further categories. */
static void print_category(int category, int depth) {
    char name[name_size], description[description_size];
    int length = name_size, description_length = description_size, controls, performances, categories, inner[64];
    int events = 0;
    MPI_T_category_get_info(category, name, &length, description, &description_length, &controls, &performances,
                            &categories);
    MPI_T_category_get_num_events(category, &events);
    printf("  %*s%-*s %2d %2d %2d   %s\n", 2 * depth, "", 24 - 2 * depth, name, controls, performances, events,
           description);
    MPI_T_category_get_categories(category, 64, inner);
    for (int i = 0; i < categories && i < 64; ++i) print_category(inner[i], depth + 1);
}

/* A tree begins with a category that no other one contains. */
static void list_categories(void) {
    static char is_inside[most_categories];
    int count = 0, inner[64], categories;
    MPI_T_category_get_num(&count);
    for (int i = 0; i < count && i < most_categories; ++i) {
        MPI_T_category_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, &categories);
        MPI_T_category_get_categories(i, 64, inner);
        for (int j = 0; j < categories && j < 64; ++j) is_inside[inner[j]] = 1;
    }
    printf("\n%d categories, with their numbers of control variables, performance variables and events\n\n", count);
    for (int i = 0; i < count && i < most_categories; ++i)
        if (!is_inside[i]) print_category(i, 0);
}

int main(void) {
    int provided;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    list_controls();
    list_performances();
    list_events();
    list_sources();
    list_categories();
    return MPI_T_finalize();
}
