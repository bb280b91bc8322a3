/* A tool that is preloaded into a program of the messaging layer. It opens handles when the program begins, and
 * tells when it ends what it has found: every control variable, those of libfabric beside what libfabric itself
 * reports, and the layer's counts. It knows the names of variables and nothing else of the layer. */
#ifdef BESIDE_AN_MPI
#include <mpi.h>
#else
#include <mpit/mpi_t.h>
#endif

#include <rdma/fabric.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { most = 64, name_room = 256, text_room = 4096 };

static int broken;
static void expect(int holds, const char* what, const char* name) {
    if (holds) return;
    broken++;
    printf("witness: not true that %s: %s\n", what, name);
}

static MPI_T_pvar_session session;
static struct {
    MPI_T_pvar_handle handle;
    char name[name_room];
    int is_number;
} watched[most];
static int watched_count;

static void begin(void) {
    int provided = 0, count = 0;
    expect(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "the interface opens", "");
    expect(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "there is a session", "");
    expect(MPI_T_pvar_get_num(&count) == MPI_SUCCESS, "variables can be counted", "");
    for (int i = 0; i < count && watched_count < most; i++) {
        char* name = watched[watched_count].name;
        int size = name_room, in_class = 0, bind = 0, continuous = 0, elements = 0;
        MPI_Datatype type = MPI_CHAR;
        if (MPI_T_pvar_get_info(i, name, &size, NULL, &in_class, &type, NULL, NULL, NULL, &bind, NULL, &continuous,
                                NULL) != MPI_SUCCESS ||
            strncmp(name, "fabric_", 7) != 0)
            continue;
        if (in_class == MPI_T_PVAR_CLASS_HIGHWATERMARK) strcat(name, "_highest");
        watched[watched_count].is_number = type == MPI_UNSIGNED_LONG_LONG;
        MPI_T_pvar_handle* handle = &watched[watched_count++].handle;
        expect(MPI_T_pvar_handle_alloc(session, i, NULL, handle, &elements) == MPI_SUCCESS && elements == 1,
               "there is a handle", name);
        if (!continuous) expect(MPI_T_pvar_start(session, *handle) == MPI_SUCCESS, "it starts", name);
    }
}

/* What the layer says of one parameter: the value of its type, -1 or an empty text where it is not set. */
static void compare(const struct fi_param* reported, int in_category, int category_size, const int* members) {
    int number = -1, size = text_room, scope = -1, bind = -1, elements = 0, is_member = 0;
    char description[text_room];
    union {
        int number;
        unsigned long size;
        char text[text_room];
    } value;
    MPI_Datatype type = MPI_CHAR;
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_T_cvar_handle handle;
    const char *name = reported->name, *set = reported->value;
    if (MPI_T_cvar_get_index(name, &number) != MPI_SUCCESS ||
        MPI_T_cvar_get_info(number, NULL, NULL, NULL, &type, &items, description, &size, &bind, &scope) != MPI_SUCCESS)
        return expect(0, "a parameter is seen", name);
    expect(strcmp(description, reported->help_string) == 0, "it is described in libfabric's words", name);
    expect(scope == MPI_T_SCOPE_CONSTANT && bind == MPI_T_BIND_NO_OBJECT, "it is a constant of the process", name);
    for (int i = 0; i < category_size; i++) is_member += members[i] == number;
    expect(is_member == 1 && in_category >= 0, "it is in its category once", name);
    if (MPI_T_cvar_handle_alloc(number, NULL, &handle, &elements) != MPI_SUCCESS)
        return expect(0, "it has a handle", name);
    expect(type == MPI_CHAR ? elements <= text_room : elements == 1, "it has room for its value", name);
    expect(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS, "it can be read", name);
    switch (reported->type) {
    case FI_PARAM_INT:
        expect(type == MPI_INT && value.number == (set != NULL ? atoi(set) : -1), "its int is equal", name);
        break;
    case FI_PARAM_SIZE_T:
        expect(type == MPI_UNSIGNED_LONG && value.size == (set != NULL ? strtoul(set, NULL, 0) : ~0ul),
               "its size is equal", name);
        break;
    case FI_PARAM_BOOL: {
        const int is_yes = set != NULL && (strcasecmp(set, "yes") == 0 || strcmp(set, "1") == 0);
        expect(type == MPI_INT && items != MPI_T_ENUM_NULL && value.number == (set == NULL ? -1 : is_yes),
               "its boolean is equal", name);
        break;
    }
    default: expect(type == MPI_CHAR && strcmp(value.text, set != NULL ? set : "") == 0, "its text is equal", name);
    }
    value.number = 0;
    expect(MPI_T_cvar_write(handle, &value) == MPI_T_ERR_CVAR_SET_NEVER, "it cannot be written", name);
    expect(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS, "its handle can be freed", name);
}

static void end(int rank) {
    static int members[4096];
    int count = 0, of_libfabric = 0, of_layer = 0, category = -1, category_size = 0, reported_count = 0, set = 0,
        given = 0;
    struct fi_param* reported = NULL;
    expect(MPI_T_cvar_get_num(&count) == MPI_SUCCESS, "control variables can be counted", "");
    for (int i = 0; i < count; i++) {
        char name[name_room];
        int size = name_room, number = -1;
        expect(MPI_T_cvar_get_info(i, name, &size, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_SUCCESS,
               "there is no hole", "");
        expect(MPI_T_cvar_get_index(name, &number) == MPI_SUCCESS && number == i, "a name leads to its number", name);
        of_libfabric += strncmp(name, "FI_", 3) == 0;
        of_layer += strncmp(name, "FABRIC_", 7) == 0;
    }
    expect(MPI_T_category_get_index("libfabric", &category) == MPI_SUCCESS &&
               MPI_T_category_get_info(category, NULL, NULL, NULL, NULL, &category_size, NULL, NULL) == MPI_SUCCESS &&
               MPI_T_category_get_cvars(category, 4096, members) == MPI_SUCCESS,
           "there is a category", "libfabric");
    if (fi_getparams(&reported, &reported_count) != 0) reported_count = 0;
    for (int i = 0; i < reported_count; i++) {
        compare(&reported[i], category, category_size, members);
        set += reported[i].value != NULL;
        given += getenv(reported[i].name) != NULL;
    }
    fi_freeparams(reported);
    printf("witness %d: %d control variables, %d FABRIC, %d FI, %d in the category, %d reported, %d of %d set\n", rank,
           count, of_layer, of_libfabric, category_size, reported_count, set, given);
    for (int i = 0; i < watched_count; i++) {
        unsigned long long number = 0;
        double seconds = 0;
        void* to = watched[i].is_number ? (void*)&number : (void*)&seconds;
        expect(MPI_T_pvar_read(session, watched[i].handle, to) == MPI_SUCCESS, "it can be read", watched[i].name);
        if (watched[i].is_number) printf("witness %d: %s %llu\n", rank, watched[i].name, number);
        else expect(seconds > 0, "time has passed", watched[i].name);
    }
    expect(MPI_T_pvar_session_free(&session) == MPI_SUCCESS, "the session ends", "");
    expect(MPI_T_finalize() == MPI_SUCCESS, "the interface closes", "");
    printf("witness %d: %d broken\n", rank, broken);
    fflush(stdout);
}

#ifdef BESIDE_AN_MPI
int MPI_Init(int* argc, char*** argv) {
    const int answer = PMPI_Init(argc, argv);
    begin();
    return answer;
}
int MPI_Finalize(void) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    end(rank);
    return PMPI_Finalize();
}
#else
__attribute__((constructor)) static void at_begin(void) { begin(); }
__attribute__((destructor)) static void at_end(void) { end(0); }
#endif
