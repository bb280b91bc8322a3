/* A tool beside a library that stands on top of an MPI: everything is listed at every moment, and handles on
 * variables of both are used alike, under either name of each function.
 *
 *   tool <path of the plugin> <how many roofs stand on the MPI, one on the other> */
#define _GNU_SOURCE /* dladdr, RTLD_NOLOAD */
#include <mpi.h>

#include "lists.h"

#include <dlfcn.h>

/* The library is linked first, or preloaded. */
int lab_reports(void) __attribute__((weak));
const char* lab_name_of_the_mpi(void) __attribute__((weak));
const char* lab_category_of_the_mpi(void) __attribute__((weak));
void lab_send(int bytes) __attribute__((weak));

/* A function of the MPI itself, without what stands before it. */
static void* of_host(const char* name) {
    Dl_info where;
    void* host = dladdr((void*)(size_t)&PMPI_Init, &where) ? dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (host == NULL) host = dlopen(NULL, RTLD_LAZY);
    return dlsym(host, name);
}

static int roofs;

static int number_of(const char* name) {
    int number = -1;
    CHECK(MPI_T_cvar_get_index(name, &number) == MPI_SUCCESS);
    return number;
}
static int number_of_performance(const char* name, int in) {
    int number = -1;
    CHECK(MPI_T_pvar_get_index(name, in, &number) == MPI_SUCCESS);
    return number;
}

/* What the MPI tells and lets read is told here as well, and reads the same. */
static void compare_with_host(void) {
    int (*get_num)(int*) = (int (*)(int*))of_host("PMPI_T_cvar_get_num");
    int (*get_info)(int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*) = (int (*)(
        int, char*, int*, int*, MPI_Datatype*, MPI_T_enum*, char*, int*, int*, int*))of_host("PMPI_T_cvar_get_info");
    int (*alloc)(int, void*, MPI_T_cvar_handle*, int*) =
        (int (*)(int, void*, MPI_T_cvar_handle*, int*))of_host("PMPI_T_cvar_handle_alloc");
    int (*release)(MPI_T_cvar_handle*) = (int (*)(MPI_T_cvar_handle*))of_host("PMPI_T_cvar_handle_free");
    int (*read)(MPI_T_cvar_handle, void*) = (int (*)(MPI_T_cvar_handle, void*))of_host("PMPI_T_cvar_read");
    int count = 0, compared = 0;
    CHECK((void*)(size_t)get_num != (void*)(size_t)&PMPI_T_cvar_get_num);
    CHECK(get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        static char of_mpi[1 << 16], ours[1 << 16];
        char name[name_room];
        int size = name_room, bind = 0, elements = 0, same = 0, number = -1;
        MPI_T_cvar_handle direct, stacked;
        if (get_info(i, name, &size, NULL, NULL, NULL, NULL, NULL, &bind, NULL) != MPI_SUCCESS) continue;
        if (bind != MPI_T_BIND_NO_OBJECT || alloc(i, NULL, &direct, &elements) != MPI_SUCCESS) continue;
        memset(of_mpi, 1, sizeof of_mpi);
        memset(ours, 1, sizeof ours);
        const int answer = read(direct, of_mpi);
        CHECK(release(&direct) == MPI_SUCCESS);
        if (answer != MPI_SUCCESS) continue;
        CHECK(MPI_T_cvar_get_index(name, &number) == MPI_SUCCESS);
        CHECK(PMPI_T_cvar_handle_alloc(number, NULL, &stacked, &same) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_read(stacked, ours) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_handle_free(&stacked) == MPI_SUCCESS && stacked == MPI_T_CVAR_HANDLE_NULL);
        CHECK(elements == same);
        compared += memcmp(of_mpi, ours, sizeof ours) == 0;
    }
    CHECK(compared > 100);
}

static void use_controls(void) {
    MPI_T_cvar_handle limit, way, job, of_mpi, freed;
    int count = 0, value = 0, old = 0;
    char text[64];
    CHECK(MPI_T_cvar_handle_alloc(number_of("LAB_EAGER_LIMIT"), NULL, &limit, &count) == MPI_SUCCESS && count == 1);
    CHECK(PMPI_T_cvar_handle_alloc(number_of("LAB_PROTOCOL"), NULL, &way, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_alloc(number_of("LAB_JOB"), NULL, &job, &count) == MPI_SUCCESS);
    CHECK(count == 32);
    CHECK(PMPI_T_cvar_read(limit, &old) == MPI_SUCCESS);
    value = 123;
    CHECK(MPI_T_cvar_write(limit, &value) == MPI_SUCCESS);
    value = 0;
    CHECK(MPI_T_cvar_read(limit, &value) == MPI_SUCCESS && value == 123);
    value = -1;
    CHECK(PMPI_T_cvar_write(limit, &value) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(limit, &old) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(way, &value) == MPI_SUCCESS && value == 1);
    CHECK(MPI_T_cvar_read(job, text) == MPI_SUCCESS && strcmp(text, "work") == 0);

    CHECK(MPI_T_cvar_handle_alloc(number_of(lab_name_of_the_mpi()), NULL, &of_mpi, &count) == MPI_SUCCESS);
    value = 77;
    CHECK(MPI_T_cvar_read(of_mpi, &value) == MPI_SUCCESS && value != 77);
    CHECK(MPI_T_cvar_read(of_mpi, NULL) == MPI_T_ERR_INVALID);
    freed = of_mpi;
    CHECK(MPI_T_cvar_handle_free(&of_mpi) == MPI_SUCCESS && of_mpi == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_cvar_read(freed, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_write(freed, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_free(&freed) == MPI_T_ERR_INVALID_HANDLE);
    freed = (MPI_T_cvar_handle)(size_t)&value;
    CHECK(MPI_T_cvar_read(freed, &value) == MPI_T_ERR_INVALID_HANDLE);
    freed = (MPI_T_cvar_handle)((size_t)0xc2 << 56);
    CHECK(MPI_T_cvar_read(freed, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_free(&limit) == MPI_SUCCESS && PMPI_T_cvar_handle_free(&way) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_free(&job) == MPI_SUCCESS);
}

/* A handle on each of the MPI's variables that gives one, in the same session as ours. */
static void use_performances(void) {
    enum { handle_room = 64 };
    static char buffer[1 << 16];
    MPI_T_pvar_session session, other, freed_session;
    MPI_T_pvar_handle messages, queued, of_mpi[handle_room], freed;
    MPI_Comm world = MPI_COMM_WORLD;
    unsigned long long value = 99;
    int count = 0, taken = 0;
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS && PMPI_T_pvar_session_create(&other) == MPI_SUCCESS);
    const int of_messages = number_of_performance("lab_messages", MPI_T_PVAR_CLASS_COUNTER);
    const int of_queued = number_of_performance("lab_queued", MPI_T_PVAR_CLASS_LEVEL);
    CHECK(PMPI_T_pvar_handle_alloc(session, of_messages, NULL, &messages, &count) == MPI_SUCCESS && count == 1);
    CHECK(MPI_T_pvar_handle_alloc(session, of_queued, NULL, &queued, &count) == MPI_SUCCESS);
    for (int i = 0; i < performance_count && taken < handle_room; i++) {
        int bind = 0, continuous = 0, readonly = 0, atomic = 0;
        CHECK(MPI_T_pvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, &readonly, &continuous,
                                  &atomic) == MPI_SUCCESS);
        if (i == of_messages || i == of_queued || strncmp(performances[i].name, "late", 4) == 0) continue;
        if (bind != MPI_T_BIND_NO_OBJECT) {
            CHECK(MPI_T_pvar_handle_alloc(session, i, NULL, &of_mpi[taken], &count) == MPI_T_ERR_INVALID_HANDLE);
            CHECK(of_mpi[taken] == MPI_T_PVAR_HANDLE_NULL && count == 0);
            if (bind != MPI_T_BIND_MPI_COMM) continue;
        }
        if (MPI_T_pvar_handle_alloc(session, i, &world, &of_mpi[taken], &count) != MPI_SUCCESS) continue;
        const MPI_T_pvar_handle h = of_mpi[taken++];
        CHECK(MPI_T_pvar_read(session, h, buffer) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_read(session, h, NULL) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_pvar_read(other, h, buffer) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(PMPI_T_pvar_start(other, h) == MPI_T_ERR_INVALID_HANDLE);
        if (continuous) CHECK(MPI_T_pvar_start(session, h) == MPI_T_ERR_PVAR_NO_STARTSTOP);
        if (readonly) CHECK(MPI_T_pvar_reset(session, h) == MPI_T_ERR_PVAR_NO_WRITE);
        if (readonly) CHECK(MPI_T_pvar_write(session, h, buffer) == MPI_T_ERR_PVAR_NO_WRITE);
        if (!atomic) CHECK(MPI_T_pvar_readreset(session, h, buffer) == MPI_T_ERR_PVAR_NO_ATOMIC);
    }
    printf("%d handles on performance variables of the MPI\n", taken);

    lab_send(10);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    lab_send(10);
    CHECK(MPI_T_pvar_read(session, messages, &value) == MPI_SUCCESS && value == 1);
    CHECK(PMPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    lab_send(10);
    CHECK(PMPI_T_pvar_read(session, messages, &value) == MPI_SUCCESS && value == 1);
    CHECK(MPI_T_pvar_read(other, messages, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_start(other, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);

    if (taken > 0) {
        freed = of_mpi[0];
        CHECK(MPI_T_pvar_handle_free(other, &of_mpi[0]) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_handle_free(session, &of_mpi[0]) == MPI_SUCCESS && of_mpi[0] == MPI_T_PVAR_HANDLE_NULL);
        CHECK(MPI_T_pvar_read(session, freed, buffer) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_pvar_handle_free(session, &freed) == MPI_T_ERR_INVALID_HANDLE);
    }
    freed = (MPI_T_pvar_handle)((size_t)0xb3 << 56 | (size_t)0xabcdef << 32);
    CHECK(MPI_T_pvar_read(session, MPI_T_PVAR_HANDLE_NULL, buffer) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_read(session, freed, buffer) == MPI_T_ERR_INVALID_HANDLE);
    freed_session = session;
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS && session == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_read(freed_session, messages, &value) == MPI_T_ERR_INVALID_SESSION);
    for (int i = 1; i < taken; i++)
        CHECK(MPI_T_pvar_read(freed_session, of_mpi[i], buffer) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_start(freed_session, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_session_free(&freed_session) == MPI_T_ERR_INVALID_SESSION);
    CHECK(PMPI_T_pvar_session_free(&other) == MPI_SUCCESS);
}

/* Ours is a member of the category that both have; the one that has a name of the MPI's is nowhere. */
static void look_at_the_category_of_both(void) {
    int number = -1, cvars = 0, members[most], has_ours = 0, own_members = 0;
    CHECK(MPI_T_category_get_index(lab_category_of_the_mpi(), &number) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(number, NULL, NULL, NULL, NULL, &cvars, NULL, NULL) == MPI_SUCCESS);
    CHECK(cvars > 1 && MPI_T_category_get_cvars(number, most, members) == MPI_SUCCESS);
    for (int i = 0; i < cvars; i++) has_ours += members[i] == number_of("LAB_TUNED");
    CHECK(has_ours == 1 && members[cvars - 1] == number_of("LAB_TUNED"));
    CHECK(MPI_T_category_get_index("lab", &number) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(number, NULL, NULL, NULL, NULL, &own_members, NULL, NULL) == MPI_SUCCESS);
    CHECK(own_members == 3);
    CHECK(lab_reports() == roofs);
}

/* An mpi.h of before MPI-4.0 does not know these functions; tools find them by name. */
static void look_at_events(void) {
    int (*get_num)(int*) = (int (*)(int*))dlsym(RTLD_DEFAULT, "MPI_T_event_get_num");
    int (*get_index)(const char*, int*) = (int (*)(const char*, int*))dlsym(RTLD_DEFAULT, "MPI_T_event_get_index");
    int count = -1, number = -1;
    CHECK(get_num(&count) == MPI_SUCCESS && count >= 1);
    CHECK(get_index("lab_arrival", &number) == MPI_SUCCESS && number >= 0 && number < count);
    int (*source_get_info)(int, char*, int*, char*, int*, int*, MPI_Count*, MPI_Count*, MPI_Info*) =
        (int (*)(int, char*, int*, char*, int*, int*, MPI_Count*, MPI_Count*, MPI_Info*))dlsym(
            RTLD_DEFAULT, "PMPI_T_source_get_info");
    MPI_Info info = MPI_INFO_NULL;
    CHECK(source_get_info(0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &info) == MPI_SUCCESS);
    if (info != MPI_INFO_NULL) CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
}

static void look(const char* moment) {
    round_name = moment;
    walk_all();
    compare_with_host();
    use_controls();
    use_performances();
    look_at_the_category_of_both();
    look_at_events();
    walk_all();
    printf("%s: %d control variables, %d performance variables, %d categories\n", moment, control_count,
           performance_count, category_count);
}

int main(int argc, char* argv[]) {
    int provided = -1, again = -1, unused = 0, before = 0, after = 0;
    round_name = "before MPI_T_init_thread";
    CHECK(argc == 3 && lab_send != NULL);
    roofs = atoi(argv[2]);
    CHECK(MPI_T_cvar_get_num(&unused) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS);
    CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_SERIALIZED);
    CHECK(PMPI_T_init_thread(MPI_THREAD_SINGLE, &again) == MPI_SUCCESS && again == provided);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    look("before MPI_Init");
    MPI_Init(&argc, &argv);
    look("after MPI_Init");

    const int count = control_count;
    CHECK(MPI_T_category_changed(&before) == MPI_SUCCESS);
    void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(plugin != NULL);
    CHECK(number_of("LATE_DEPTH") == count);
    CHECK(MPI_T_category_changed(&after) == MPI_SUCCESS && after > before);
    look("with a plugin");

    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&unused) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SINGLE);
    look("in another epoch");
    MPI_Finalize();
    round_name = "after MPI_Finalize";
    walk_all();
    use_controls();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    return report();
}
