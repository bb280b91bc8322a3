/* A small tool that watches an MPI library from inside a running program. LD_PRELOAD brings it in; it stands in front
 * of MPI_Init_thread and MPI_Finalize and knows nothing but mpi.h, so it shows the variables of any MPI library:
 *
 *   LD_PRELOAD=./libwatch.so ./load 7
 *
 * When the program initializes MPI, it prints the control variables and the categories. Then a thread of its own
 * samples the performance variables while the program works, and changes MINI_EAGER_LIMIT under the running program. It
 * stands in front of MPI_Comm_set_name as well, and counts for each communicator that gets a name. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { name_size = 128, description_size = 1024, text_size = 256, most_variables = 512, sample_count = 3 };

static int columns = 80; /* of the terminal */

static void check(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    fprintf(stderr, "watch: %s answered %d\n", call, code);
    exit(1);
}

/* A bold line; plain where the output is no terminal. */
static void print_title(const char* format, ...) {
    const int is_terminal = isatty(STDOUT_FILENO);
    va_list arguments;
    va_start(arguments, format);
    printf("%s", is_terminal ? "\n\033[1m" : "\n");
    vprintf(format, arguments);
    printf("%s", is_terminal ? "\033[0m\n" : "\n");
    va_end(arguments);
    fflush(stdout);
}

static int width_of_terminal(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 80) return 80;
    return size.ws_col < 120 ? size.ws_col : 120;
}

/* Prints a text from the present column on, broken between words. */
static void print_broken(const char* text, int from_column) {
    const int room = columns - from_column;
    while ((int)strlen(text) > room) {
        int length = room;
        while (length > 1 && text[length] != ' ') --length;
        printf("%.*s\n%*s", length, text, from_column, "");
        text += length + (text[length] == ' ');
    }
    printf("%s\n", text);
}

/* ---- Values of any type ------------------------------------------------------------------------------------------ */

/* MPI promises that no element of a variable is longer than eight bytes. */
union value {
    int of_int;
    unsigned of_unsigned;
    unsigned long of_unsigned_long;
    unsigned long long of_unsigned_long_long;
    double of_double;
    int32_t of_int32;
    int64_t of_int64;
    uint32_t of_uint32;
    uint64_t of_uint64;
    MPI_Count of_count;
    char text[text_size];
};

static const char* name_of_type(MPI_Datatype type) {
    if (type == MPI_INT) return "int";
    if (type == MPI_UNSIGNED) return "unsigned";
    if (type == MPI_UNSIGNED_LONG) return "u. long";
    if (type == MPI_UNSIGNED_LONG_LONG) return "u. l. long";
    if (type == MPI_DOUBLE) return "double";
    if (type == MPI_CHAR) return "text";
    if (type == MPI_COUNT) return "MPI_Count";
    return "exact int";
}

static double number_of(MPI_Datatype type, const union value* value) {
    if (type == MPI_INT) return value->of_int;
    if (type == MPI_UNSIGNED) return value->of_unsigned;
    if (type == MPI_UNSIGNED_LONG) return (double)value->of_unsigned_long;
    if (type == MPI_UNSIGNED_LONG_LONG) return (double)value->of_unsigned_long_long;
    if (type == MPI_INT32_T) return value->of_int32;
    if (type == MPI_INT64_T) return (double)value->of_int64;
    if (type == MPI_UINT32_T) return value->of_uint32;
    if (type == MPI_UINT64_T) return (double)value->of_uint64;
    if (type == MPI_COUNT) return (double)value->of_count;
    return value->of_double;
}

/* The name of an item of an enumeration. */
static void describe_item(MPI_T_enum enumeration, int wanted, char* text) {
    char name[name_size];
    int count = 0, name_length = sizeof name, value = 0, item_length;
    check(MPI_T_enum_get_info(enumeration, &count, name, &name_length), "MPI_T_enum_get_info");
    snprintf(text, text_size, "%d", wanted);
    for (int i = 0; i < count; ++i) {
        item_length = sizeof name;
        check(MPI_T_enum_get_item(enumeration, i, &value, name, &item_length), "MPI_T_enum_get_item");
        if (value == wanted) snprintf(text, text_size, "%s", name);
    }
}

/* ---- Control variables ------------------------------------------------------------------------------------------- */

static const char* name_of_scope(int scope) {
    switch (scope) {
    case MPI_T_SCOPE_CONSTANT: return "constant";
    case MPI_T_SCOPE_READONLY: return "readonly";
    case MPI_T_SCOPE_LOCAL: return "local";
    case MPI_T_SCOPE_GROUP: return "group";
    case MPI_T_SCOPE_GROUP_EQ: return "group =";
    case MPI_T_SCOPE_ALL: return "all";
    default: return "all =";
    }
}

/* The value as a person reads it; the elements of an array after the first one are not shown. */
static void describe_value(int number, MPI_Datatype type, MPI_T_enum enumeration, int bind, char* text) {
    MPI_T_cvar_handle handle;
    union value values[64];
    int count = 0;
    snprintf(text, text_size, "(by object)");
    if (bind != MPI_T_BIND_NO_OBJECT) return;
    check(MPI_T_cvar_handle_alloc(number, NULL, &handle, &count), "MPI_T_cvar_handle_alloc");
    snprintf(text, text_size, "(%d elements)", count);
    if (count <= (int)sizeof values / 8) {
        check(MPI_T_cvar_read(handle, values), "MPI_T_cvar_read");
        if (type == MPI_CHAR) snprintf(text, text_size, "%s", values[0].text);
        else if (enumeration != MPI_T_ENUM_NULL) describe_item(enumeration, values[0].of_int, text);
        else snprintf(text, text_size, "%.10g%s", number_of(type, values), count > 1 ? ", ..." : "");
    }
    check(MPI_T_cvar_handle_free(&handle), "MPI_T_cvar_handle_free");
}

static void show_control_variables(void) {
    int count = 0;
    check(MPI_T_cvar_get_num(&count), "MPI_T_cvar_get_num");
    print_title("%d control variables", count);
    printf("%-19s %-12s %-10s %-8s %s\n", "name", "value", "type", "scope", "description");
    for (int i = 0; i < count; ++i) {
        char name[name_size], description[description_size], text[text_size];
        int name_length = sizeof name, description_length = sizeof description, verbosity, bind, scope;
        MPI_Datatype type;
        MPI_T_enum enumeration;
        check(MPI_T_cvar_get_info(i, name, &name_length, &verbosity, &type, &enumeration, description,
                                  &description_length, &bind, &scope),
              "MPI_T_cvar_get_info");
        describe_value(i, type, enumeration, bind, text);
        if (name_length > 20) printf("%s\n", name); /* with its end, longer than the column */
        printf("%-19s %-12.12s %-10s %-8s ", name_length > 20 ? "" : name, text,
               enumeration == MPI_T_ENUM_NULL ? name_of_type(type) : "enum", name_of_scope(scope));
        print_broken(description, 53);
    }
}

/* ---- Categories -------------------------------------------------------------------------------------------------- */

static void show_category(int number, int depth) {
    char name[name_size], description[description_size];
    int name_length = sizeof name, description_length = sizeof description, controls, performances, categories;
    check(MPI_T_category_get_info(number, name, &name_length, description, &description_length, &controls,
                                  &performances, &categories),
          "MPI_T_category_get_info");
    printf("%*s%-*s %7d %11d   ", 2 * depth, "", 24 - 2 * depth, name, controls, performances);
    print_broken(description, 47);
    int* const inside = malloc((size_t)(categories + 1) * sizeof *inside);
    check(MPI_T_category_get_categories(number, categories, inside), "MPI_T_category_get_categories");
    for (int i = 0; i < categories; ++i) show_category(inside[i], depth + 1);
    free(inside);
}

/* The roots are the categories that no category contains. */
static void show_categories(void) {
    int count = 0;
    check(MPI_T_category_get_num(&count), "MPI_T_category_get_num");
    int* const is_contained = calloc((size_t)count + 1, sizeof *is_contained);
    int* const inside = malloc(((size_t)count + 1) * sizeof *inside);
    for (int i = 0; i < count; ++i) {
        int categories = 0;
        check(MPI_T_category_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, &categories), "MPI_T_category_get_info");
        check(MPI_T_category_get_categories(i, categories, inside), "MPI_T_category_get_categories");
        for (int k = 0; k < categories; ++k) is_contained[inside[k]] = 1;
    }
    print_title("%d categories", count);
    printf("%-24s %7s %11s   %s\n", "category", "control", "performance", "description");
    for (int i = 0; i < count; ++i)
        if (!is_contained[i]) show_category(i, 0);
    free(inside);
    free(is_contained);
}

/* ---- Performance variables --------------------------------------------------------------------------------------- */

/* A performance variable of the process that has one number, and what was read of it. */
struct watched {
    char name[name_size];
    int var_class;
    MPI_Datatype type;
    MPI_T_pvar_handle handle;
    double samples[sample_count];
};

static MPI_T_pvar_session session;
static struct watched watched[most_variables];
static int watched_count;

static int is_a_sum(int var_class) {
    return var_class == MPI_T_PVAR_CLASS_COUNTER || var_class == MPI_T_PVAR_CLASS_AGGREGATE ||
           var_class == MPI_T_PVAR_CLASS_TIMER;
}

static const char* name_of_class(int var_class) {
    static const char* const names[] = {"state",  "level",   "size", "percentage", "highest",
                                        "lowest", "counter", "sum",  "timer",      "generic"};
    return names[var_class - MPI_T_PVAR_CLASS_STATE];
}

static double read_number(const struct watched* w) {
    union value value;
    check(MPI_T_pvar_read(session, w->handle, &value), "MPI_T_pvar_read");
    return number_of(w->type, &value);
}

/* Makes and starts a handle on every variable that can be shown as a number. */
static void open_handles(void) {
    int count = 0;
    check(MPI_T_pvar_session_create(&session), "MPI_T_pvar_session_create");
    check(MPI_T_pvar_get_num(&count), "MPI_T_pvar_get_num");
    for (int i = 0; i < count && watched_count < most_variables; ++i) {
        struct watched* const w = &watched[watched_count];
        int name_length = sizeof w->name, verbosity, bind, readonly, continuous, atomic, elements;
        MPI_T_enum enumeration;
        check(MPI_T_pvar_get_info(i, w->name, &name_length, &verbosity, &w->var_class, &w->type, &enumeration, NULL,
                                  NULL, &bind, &readonly, &continuous, &atomic),
              "MPI_T_pvar_get_info");
        if (bind != MPI_T_BIND_NO_OBJECT || enumeration != MPI_T_ENUM_NULL || w->type == MPI_CHAR) continue;
        check(MPI_T_pvar_handle_alloc(session, i, NULL, &w->handle, &elements), "MPI_T_pvar_handle_alloc");
        if (elements != 1) {
            check(MPI_T_pvar_handle_free(session, &w->handle), "MPI_T_pvar_handle_free");
            continue;
        }
        if (!continuous) check(MPI_T_pvar_start(session, w->handle), "MPI_T_pvar_start");
        ++watched_count;
    }
}

static const struct watched* find_counter(const char* name) {
    for (int i = 0; i < watched_count; ++i)
        if (watched[i].var_class == MPI_T_PVAR_CLASS_COUNTER && strcmp(watched[i].name, name) == 0) return &watched[i];
    return NULL;
}

/* ---- Communicators ----------------------------------------------------------------------------------------------- */

enum { most_communicators = 16, most_bound = 3 };

/* A sum that each communicator has, with a handle for each that is watched. */
struct bound {
    int number;
    char name[name_size];
    MPI_Datatype type;
    MPI_T_pvar_handle handles[most_communicators];
};

static struct bound bound[most_bound];
static MPI_Comm communicators[most_communicators];
static int bound_count, communicator_count;
static pthread_mutex_t communicator_mutex = PTHREAD_MUTEX_INITIALIZER;

static void find_bound_variables(void) {
    int count = 0;
    check(MPI_T_pvar_get_num(&count), "MPI_T_pvar_get_num");
    for (int i = 0; i < count && bound_count < most_bound; ++i) {
        struct bound* const b = &bound[bound_count];
        int name_length = sizeof b->name, var_class, bind;
        check(MPI_T_pvar_get_info(i, b->name, &name_length, NULL, &var_class, &b->type, NULL, NULL, NULL, &bind, NULL,
                                  NULL, NULL),
              "MPI_T_pvar_get_info");
        b->number = i;
        bound_count += bind == MPI_T_BIND_MPI_COMM && is_a_sum(var_class);
    }
}

/* Begins to count for a communicator; one that is renamed is counted already. */
static void watch_communicator(MPI_Comm comm) {
    pthread_mutex_lock(&communicator_mutex);
    int at = 0;
    while (at < communicator_count && communicators[at] != comm) ++at;
    if (at == communicator_count && at < most_communicators) {
        communicators[communicator_count++] = comm;
        for (int i = 0; i < bound_count; ++i) {
            int elements;
            check(MPI_T_pvar_handle_alloc(session, bound[i].number, &comm, &bound[i].handles[at], &elements),
                  "MPI_T_pvar_handle_alloc");
            check(MPI_T_pvar_start(session, bound[i].handles[at]), "MPI_T_pvar_start");
        }
    }
    pthread_mutex_unlock(&communicator_mutex);
}

/* A line for each that was not freed: its name, and what its variables say. */
static void show_communicators(void) {
    print_title("What each communicator that has a name has moved");
    printf("%-24s", "communicator");
    for (int i = 0; i < bound_count; ++i) printf(" %24s", bound[i].name);
    printf("\n");
    pthread_mutex_lock(&communicator_mutex);
    for (int at = 0; at < communicator_count; ++at) {
        char name[MPI_MAX_OBJECT_NAME];
        int length, is_there = 1;
        union value values[most_bound];
        for (int i = 0; i < bound_count; ++i)
            is_there = is_there && MPI_T_pvar_read(session, bound[i].handles[at], &values[i]) == MPI_SUCCESS;
        if (!is_there) continue;
        check(MPI_Comm_get_name(communicators[at], name, &length), "MPI_Comm_get_name");
        printf("%-24s", name);
        for (int i = 0; i < bound_count; ++i) printf(" %24.0f", number_of(bound[i].type, &values[i]));
        printf("\n");
    }
    pthread_mutex_unlock(&communicator_mutex);
}

/* ---- The thread that watches ------------------------------------------------------------------------------------- */

static pthread_t watcher;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_over = PTHREAD_COND_INITIALIZER;
static int program_is_over;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Answers whether the program goes on; its end wakes the sleeper. */
static int sleep_while_it_runs(int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += milliseconds % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        ++until.tv_sec;
        until.tv_nsec -= 1000000000L;
    }
    int answer = 0;
    pthread_mutex_lock(&mutex);
    while (!program_is_over && answer == 0) answer = pthread_cond_timedwait(&is_over, &mutex, &until);
    const int goes_on = !program_is_over;
    pthread_mutex_unlock(&mutex);
    return goes_on;
}

static void print_number(double number) {
    const int is_broken = number < 100 && number != (int)number;
    printf(" %10.*f", is_broken ? 4 : 0, number);
}

/* Three samples side by side, of the variables that change. */
static void show_performance_variables(void) {
    double times[sample_count];
    for (int sample = 0; sample < sample_count; ++sample) {
        if (!sleep_while_it_runs(700)) return;
        times[sample] = now();
        for (int i = 0; i < watched_count; ++i) watched[i].samples[sample] = read_number(&watched[i]);
    }
    int changing = 0;
    for (int i = 0; i < watched_count; ++i) {
        const double* const s = watched[i].samples;
        if (s[0] == s[1] && s[1] == s[2]) continue;
        ++changing;
        printf("%-24s %-10s", watched[i].name, name_of_class(watched[i].var_class));
        for (int sample = 0; sample < sample_count; ++sample) print_number(s[sample]);
        if (is_a_sum(watched[i].var_class)) print_number((s[2] - s[0]) / (times[2] - times[0]));
        printf("\n");
    }
    printf("%d of %d change\n", changing, watched_count);
}

static void write_eager_limit(int limit) {
    MPI_T_cvar_handle handle;
    int number, count;
    check(MPI_T_cvar_get_index("MINI_EAGER_LIMIT", &number), "MPI_T_cvar_get_index");
    check(MPI_T_cvar_handle_alloc(number, NULL, &handle, &count), "MPI_T_cvar_handle_alloc");
    check(MPI_T_cvar_write(handle, &limit), "MPI_T_cvar_write");
    check(MPI_T_cvar_handle_free(&handle), "MPI_T_cvar_handle_free");
    printf("-- the tool writes MINI_EAGER_LIMIT = %d\n", limit);
}

/* One line each half second: how many messages travelled in which way. */
static int watch_the_switch(const struct watched* eager, const struct watched* rendezvous) {
    double eager_before = read_number(eager), rendezvous_before = read_number(rendezvous), before = now();
    for (int line = 0; line < 3; ++line) {
        static const char full[] = "##############################";
        if (!sleep_while_it_runs(500)) return 0;
        const double eager_now = read_number(eager), rendezvous_now = read_number(rendezvous), time = now();
        const double eager_rate = (eager_now - eager_before) / (time - before);
        const double rendezvous_rate = (rendezvous_now - rendezvous_before) / (time - before);
        const double all = eager_rate + rendezvous_rate;
        const int length = (int)(sizeof full - 1), share = all > 0 ? (int)(eager_rate / all * length + 0.5) : 0;
        printf("%14.0f %16.0f   [%.*s%*s] %3.0f %%\n", eager_rate, rendezvous_rate, share, full, length - share, "",
               all > 0 ? 100 * eager_rate / all : 0);
        fflush(stdout);
        eager_before = eager_now;
        rendezvous_before = rendezvous_now;
        before = time;
    }
    return 1;
}

static void* watch(void* unused) {
    (void)unused;
    print_title("Performance variables that change, three samples 0.7 seconds apart");
    printf("%-24s %-10s %10s %10s %10s %10s\n", "name", "class", "first", "second", "third", "per second");
    show_performance_variables();
    if (bound_count > 0) show_communicators();

    const struct watched* const eager = find_counter("eager_messages");
    const struct watched* const rendezvous = find_counter("rendezvous_messages");
    if (eager == NULL || rendezvous == NULL) return NULL;
    print_title("A control variable is written while the program runs");
    printf("%14s %16s   %s\n", "eager/s", "rendezvous/s", "part of the messages that travels eagerly");
    if (!watch_the_switch(eager, rendezvous)) return NULL;
    write_eager_limit(0);
    if (!watch_the_switch(eager, rendezvous)) return NULL;
    write_eager_limit(1 << 20);
    watch_the_switch(eager, rendezvous);
    return NULL;
}

/* ---- What the program calls instead of MPI's functions ----------------------------------------------------------- */

static void begin(void) {
    int provided;
    columns = width_of_terminal();
    check(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided), "MPI_T_init_thread");
    show_control_variables();
    show_categories();
    open_handles();
    find_bound_variables();
    watch_communicator(MPI_COMM_WORLD);
    if (pthread_create(&watcher, NULL, watch, NULL) != 0) exit(1);
}

int MPI_Init(int* argc, char*** argv) {
    const int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS) begin();
    return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    const int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) begin();
    return code;
}

int MPI_Comm_set_name(MPI_Comm comm, const char* name) {
    const int code = PMPI_Comm_set_name(comm, name);
    if (code == MPI_SUCCESS) watch_communicator(comm);
    return code;
}

int MPI_Finalize(void) {
    pthread_mutex_lock(&mutex);
    program_is_over = 1;
    pthread_cond_signal(&is_over);
    pthread_mutex_unlock(&mutex);
    pthread_join(watcher, NULL);
    check(MPI_T_pvar_session_free(&session), "MPI_T_pvar_session_free");
    check(MPI_T_finalize(), "MPI_T_finalize");
    return PMPI_Finalize();
}
