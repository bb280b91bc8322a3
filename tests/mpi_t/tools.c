/* A tool in C over the miniature runtime. While the tool interface is closed, before and after MPI, every call says so. What can
 * be listed never changes. And no mistake of a tool is an error of MPI, whose errors are fatal meanwhile. What each function
 * answers in detail stands in tests/standard. */
#include <mpi.h>

#include "../mpi/lists.h"
#include "../standard/abi/values.h"
#include "../standard/calls.h"

/* [INIT-01] While the interface is closed every function but init_thread says so and stores nothing. */
/* [INIT-02] The interface opens before MPI_Init, and after MPI_Finalize. */
/* [INIT-06] A finalization without an initialisation is refused. */
static void expect_closed(const char* when) {
    round_name = when;
    for (int i = 1; i < function_count; i++) {
        set_arguments();
        if (every_call[i].plain() != MPI_T_ERR_NOT_INITIALIZED ||
            every_call[i].profiling() != MPI_T_ERR_NOT_INITIALIZED)
            printf("%s is open\n", every_call[i].name);
        CHECK(every_call[i].plain() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(every_call[i].profiling() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(arguments_are_untouched());
    }
}

/* [INIT-12] Names and indices are the same after a finalization and a new initialisation. */
/* [INIT-15] All variables are there before MPI_Init. */
static void walk(const char* when) {
    int provided = -1;
    expect_closed(when);
    CHECK(MPI_T_init_thread(MPI_THREAD_SERIALIZED, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SERIALIZED);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS && provided == MPI_THREAD_SERIALIZED);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    const int controls_before = control_count, performances_before = performance_count,
              categories_before = category_count;
    walk_all();
    CHECK(control_count > 0 && performance_count > 0 && category_count > 0);
    CHECK(controls_before == 0 || (control_count == controls_before && performance_count == performances_before &&
                                   category_count == categories_before));
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    expect_closed(when);
}

/* [RC-06] All eighteen codes exist, also those that are never returned. */
#define EACH(name, value) name,
static const int codes[] = {EVERY_CODE(EACH)};
#undef EACH
enum { code_count = sizeof codes / sizeof *codes };
static int is_code(int code) {
    for (int i = 0; i < code_count; i++)
        if (codes[i] == code) return 1;
    return 0;
}
/* [RC-01] No code is that of another error of MPI. */
/* clang-format off */
static const int other_codes[] = {
    MPI_SUCCESS, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_REQUEST,
    MPI_ERR_ROOT, MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN,
    MPI_ERR_TRUNCATE, MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_PENDING, MPI_ERR_IN_STATUS, MPI_ERR_ACCESS, MPI_ERR_AMODE,
    MPI_ERR_ASSERT, MPI_ERR_BAD_FILE, MPI_ERR_BASE, MPI_ERR_CONVERSION, MPI_ERR_DISP, MPI_ERR_DUP_DATAREP,
    MPI_ERR_FILE_EXISTS, MPI_ERR_FILE_IN_USE, MPI_ERR_FILE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_VALUE,
    MPI_ERR_INFO, MPI_ERR_IO, MPI_ERR_KEYVAL, MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM, MPI_ERR_NOT_SAME,
    MPI_ERR_NO_SPACE, MPI_ERR_NO_SUCH_FILE, MPI_ERR_PORT, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_ATTACH,
    MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_RANGE, MPI_ERR_RMA_SHARED, MPI_ERR_RMA_SYNC, MPI_ERR_SERVICE, MPI_ERR_SIZE,
    MPI_ERR_SPAWN, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_WIN, MPI_ERR_RMA_FLAVOR,
    MPI_ERR_PROC_ABORTED, MPI_ERR_VALUE_TOO_LARGE, MPI_ERR_SESSION, MPI_ERR_ERRHANDLER, MPI_ERR_ABI, MPI_ERR_LASTCODE,
};
/* clang-format on */
/* [RC-07] Every code has a short text, and no two have the same. */
static void check_codes(void) {
    char texts[code_count][MPI_MAX_ERROR_STRING];
    round_name = "codes and their texts";
    CHECK(code_count == 18);
    for (size_t i = 0; i < sizeof other_codes / sizeof *other_codes; i++) {
        CHECK(!is_code(other_codes[i]));
        for (size_t j = 0; j < i; j++) CHECK(other_codes[i] != other_codes[j]);
    }
    for (int i = 0; i < code_count; i++) {
        int length = 0;
        CHECK(codes[i] > 0 && codes[i] < MPI_ERR_LASTCODE);
        CHECK(MPI_Error_string(codes[i], texts[i], &length) == MPI_SUCCESS);
        CHECK(length > 0 && length == (int)strlen(texts[i]));
        for (int j = 0; j < i; j++) CHECK(codes[j] != codes[i] && strcmp(texts[j], texts[i]) != 0);
    }
}

static MPI_T_pvar_session session;
static int pvar_index(const char* name, int in) {
    int found = -1;
    CHECK(MPI_T_pvar_get_index(name, in, &found) == MPI_SUCCESS);
    return found;
}
static MPI_T_pvar_handle handle_on(int index, void* object) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count;
    CHECK(MPI_T_pvar_handle_alloc(session, index, object, &handle, &count) == MPI_SUCCESS);
    return handle;
}

/* [INIT-14] No refusal calls an error handler or ends the process, and MPI and the interface work afterwards. */
/* [RC-02] Every refusal is one of the codes of the tool information interface. */
static void make_mistakes(void) {
    const MPI_T_pvar_handle continuous = handle_on(pvar_index("unexpected_queue_length", MPI_T_PVAR_CLASS_LEVEL), NULL);
    const MPI_T_pvar_handle readonly = handle_on(pvar_index("communicators", MPI_T_PVAR_CLASS_LEVEL), NULL);
    MPI_T_cvar_handle constant = MPI_T_CVAR_HANDLE_NULL;
    int found = -1, count = -1;
    unsigned long long value = 0;
    round_name = "mistakes";
    for (int i = 1; i < function_count - 1; i++) {
        set_arguments();
        const int code = every_call[i].plain();
        CHECK(code == MPI_SUCCESS || is_code(code));
        if (memcmp(&given.info, &given_before.info, sizeof given.info) != 0) MPI_Info_free(&given.info);
    }
    CHECK(MPI_T_cvar_get_index("MINI_ABI_VERSION", &found) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_handle_alloc(found, NULL, &constant, &count) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_write(constant, &count) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_pvar_start(session, continuous) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_write(session, readonly, &value) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
}

/* [BIND-14] A bound variable needs an object that exists; MPI_COMM_NULL is none. */
/* [BIND-15] A predefined communicator is bound through a copy of its handle. */
static void check_objects(void) {
    const int index = pvar_index("communicator_messages", MPI_T_PVAR_CLASS_COUNTER);
    MPI_Comm world = MPI_COMM_WORLD, copy, null_handle = MPI_COMM_NULL, garbage = (MPI_Comm)0xdeadbeef, freed;
    MPI_Comm* const wrong[] = {NULL, &null_handle, &garbage, &freed};
    int count, sent = 1, received = 0, event = -1;
    unsigned long messages = 0;
    MPI_T_event_registration registration;
    round_name = "objects";
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    freed = copy;
    const MPI_T_pvar_handle of_world = handle_on(index, &world), of_copy = handle_on(index, &copy);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    MPI_Send(&sent, 1, MPI_INT, 0, 1, copy);
    MPI_Recv(&received, 1, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);
    CHECK(MPI_T_pvar_read(session, of_copy, &messages) == MPI_SUCCESS && messages == 1);
    CHECK(MPI_T_pvar_read(session, of_world, &messages) == MPI_SUCCESS && messages == 0);
    MPI_Comm_free(&copy);
    CHECK(MPI_T_pvar_read(session, of_copy, &messages) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_index("communicator_freed", &event) == MPI_SUCCESS);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MPI_T_pvar_handle handle = of_world;
        registration = (MPI_T_event_registration)0xdead;
        CHECK(MPI_T_pvar_handle_alloc(session, index, wrong[i], &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_event_handle_alloc(event, wrong[i], MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(handle == MPI_T_PVAR_HANDLE_NULL && registration == NULL);
    }
    CHECK(MPI_T_event_handle_alloc(event, &world, MPI_INFO_NULL, &registration) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
    int provided;
    walk("before MPI_Init");
    MPI_Init(&argc, &argv);
    walk("after MPI_Init");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    check_codes();
    make_mistakes();
    check_objects();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    walk("after a communicator came and went");
    MPI_Finalize();
    walk("after MPI_Finalize");
    return report();
}
