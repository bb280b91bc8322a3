/* Makes every mistake that a tool can make with the runtime, and expects the exact code: indices out of range, names
 * that are none, null outputs, handles that are null, garbage, freed or of another kind or session, and what a
 * variable refuses. MPI's errors are fatal meanwhile, and no mistake of a tool is an error of MPI. */
/* [INIT-14] No refusal calls an error handler or ends the process, and MPI and the interface work afterwards. */
/* [RC-02] Every refusal is one of the codes of the tool information interface. */
#include <mpi.h>

#include "check.h"

#include <limits.h>
#include <string.h>

static MPI_T_pvar_session session, other_session;

/* [RC-01] No code is that of another error of MPI: two equal labels would not compile. */
static int is_known(int code) {
    switch (code) {
    case MPI_SUCCESS:
    case MPI_ERR_BUFFER:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
    case MPI_ERR_REQUEST:
    case MPI_ERR_ROOT:
    case MPI_ERR_GROUP:
    case MPI_ERR_OP:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
    case MPI_ERR_ARG:
    case MPI_ERR_UNKNOWN:
    case MPI_ERR_TRUNCATE:
    case MPI_ERR_OTHER:
    case MPI_ERR_INTERN:
    case MPI_ERR_PENDING:
    case MPI_ERR_IN_STATUS:
    case MPI_ERR_ACCESS:
    case MPI_ERR_AMODE:
    case MPI_ERR_ASSERT:
    case MPI_ERR_BAD_FILE:
    case MPI_ERR_BASE:
    case MPI_ERR_CONVERSION:
    case MPI_ERR_DISP:
    case MPI_ERR_DUP_DATAREP:
    case MPI_ERR_FILE_EXISTS:
    case MPI_ERR_FILE_IN_USE:
    case MPI_ERR_FILE:
    case MPI_ERR_INFO_KEY:
    case MPI_ERR_INFO_NOKEY:
    case MPI_ERR_INFO_VALUE:
    case MPI_ERR_INFO:
    case MPI_ERR_IO:
    case MPI_ERR_KEYVAL:
    case MPI_ERR_LOCKTYPE:
    case MPI_ERR_NAME:
    case MPI_ERR_NO_MEM:
    case MPI_ERR_NOT_SAME:
    case MPI_ERR_NO_SPACE:
    case MPI_ERR_NO_SUCH_FILE:
    case MPI_ERR_PORT:
    case MPI_ERR_QUOTA:
    case MPI_ERR_READ_ONLY:
    case MPI_ERR_RMA_ATTACH:
    case MPI_ERR_RMA_CONFLICT:
    case MPI_ERR_RMA_RANGE:
    case MPI_ERR_RMA_SHARED:
    case MPI_ERR_RMA_SYNC:
    case MPI_ERR_SERVICE:
    case MPI_ERR_SIZE:
    case MPI_ERR_SPAWN:
    case MPI_ERR_UNSUPPORTED_DATAREP:
    case MPI_ERR_UNSUPPORTED_OPERATION:
    case MPI_ERR_WIN:
    case MPI_ERR_RMA_FLAVOR:
    case MPI_ERR_PROC_ABORTED:
    case MPI_ERR_VALUE_TOO_LARGE:
    case MPI_ERR_SESSION:
    case MPI_ERR_ERRHANDLER:
    case MPI_ERR_ABI:
    case MPI_ERR_LASTCODE: return 0;
    /* [RC-06] All eighteen codes exist, also those that are never returned. */
    case MPI_T_ERR_CANNOT_INIT:
    case MPI_T_ERR_NOT_ACCESSIBLE:
    case MPI_T_ERR_NOT_INITIALIZED:
    case MPI_T_ERR_NOT_SUPPORTED:
    case MPI_T_ERR_MEMORY:
    case MPI_T_ERR_INVALID:
    case MPI_T_ERR_INVALID_INDEX:
    case MPI_T_ERR_INVALID_ITEM:
    case MPI_T_ERR_INVALID_SESSION:
    case MPI_T_ERR_INVALID_HANDLE:
    case MPI_T_ERR_INVALID_NAME:
    case MPI_T_ERR_OUT_OF_HANDLES:
    case MPI_T_ERR_OUT_OF_SESSIONS:
    case MPI_T_ERR_CVAR_SET_NOT_NOW:
    case MPI_T_ERR_CVAR_SET_NEVER:
    case MPI_T_ERR_PVAR_NO_WRITE:
    case MPI_T_ERR_PVAR_NO_STARTSTOP:
    case MPI_T_ERR_PVAR_NO_ATOMIC: return 1;
    default: return 0;
    }
}

/* [RC-07] Every code has a short text, and no two have the same. */
static void check_texts_of_codes(void) {
    char texts[18][MPI_MAX_ERROR_STRING];
    int count = 0;
    round_name = "texts of codes";
    for (int code = 1; code <= MPI_ERR_LASTCODE; code++) {
        int length = 0;
        if (!is_known(code)) continue;
        CHECK(count < 18);
        if (count == 18) return;
        CHECK(MPI_Error_string(code, texts[count], &length) == MPI_SUCCESS);
        CHECK(length > 0 && length == (int)strlen(texts[count]));
        for (int i = 0; i < count; i++) CHECK(strcmp(texts[i], texts[count]) != 0);
        count++;
    }
    CHECK(count == 18);
}

static int cvar_index(const char* name) {
    int found = -1;
    CHECK(MPI_T_cvar_get_index(name, &found) == MPI_SUCCESS);
    return found;
}
static int pvar_index(const char* name, int in) {
    int found = -1;
    CHECK(MPI_T_pvar_get_index(name, in, &found) == MPI_SUCCESS);
    return found;
}
static MPI_T_cvar_handle control_handle(const char* name) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index(name), NULL, &handle, &count) == MPI_SUCCESS);
    return handle;
}
static int event_index(const char* name) {
    int found = -1;
    CHECK(MPI_T_event_get_index(name, &found) == MPI_SUCCESS);
    return found;
}
static MPI_T_event_registration event_registration(const char* name, void* object) {
    MPI_T_event_registration registration = NULL;
    CHECK(MPI_T_event_handle_alloc(event_index(name), object, MPI_INFO_NULL, &registration) == MPI_SUCCESS);
    return registration;
}
static MPI_T_pvar_handle performance_handle(const char* name, int in, void* object) {
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int count;
    CHECK(MPI_T_pvar_handle_alloc(session, pvar_index(name, in), object, &handle, &count) == MPI_SUCCESS);
    return handle;
}

static void check_indices(void) {
    int controls, performances, categories, events, sources, number = -7, length = 0;
    MPI_Info info = MPI_INFO_NULL;
    MPI_T_cvar_handle control;
    MPI_T_pvar_handle performance;
    MPI_T_event_registration registration;
    MPI_Count stamp = -7;
    round_name = "indices";
    CHECK(MPI_T_cvar_get_num(&controls) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_get_num(&performances) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_num(&categories) == MPI_SUCCESS);
    CHECK(MPI_T_event_get_num(&events) == MPI_SUCCESS);
    CHECK(MPI_T_source_get_num(&sources) == MPI_SUCCESS);
    for (int i = 0; i < 5; i++) {
        const int wrong[] = {-1, 0, 1, INT_MAX, INT_MIN};
        const int is_beyond = i == 1 || i == 2;
#define BAD(count) (is_beyond ? (count) + wrong[i] : wrong[i])
        CHECK(MPI_T_cvar_get_info(BAD(controls), NULL, &length, &number, NULL, NULL, NULL, NULL, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_cvar_handle_alloc(BAD(controls), NULL, &control, &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(control == MPI_T_CVAR_HANDLE_NULL);
        CHECK(MPI_T_pvar_get_info(BAD(performances), NULL, &length, &number, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                  NULL, NULL) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_pvar_handle_alloc(session, BAD(performances), NULL, &performance, &number) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(performance == MPI_T_PVAR_HANDLE_NULL);
        CHECK(MPI_T_category_get_info(BAD(categories), NULL, &length, NULL, NULL, &number, NULL, NULL) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_category_get_cvars(BAD(categories), 1, &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_category_get_pvars(BAD(categories), 1, &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_category_get_events(BAD(categories), 1, &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_category_get_categories(BAD(categories), 1, &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_category_get_num_events(BAD(categories), &number) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_event_get_info(BAD(events), NULL, &length, &number, NULL, NULL, &number, NULL, &info, NULL, NULL,
                                   &number) == MPI_T_ERR_INVALID_INDEX);
        registration = (MPI_T_event_registration)0xdead;
        CHECK(MPI_T_event_handle_alloc(BAD(events), NULL, MPI_INFO_NULL, &registration) == MPI_T_ERR_INVALID_INDEX);
        CHECK(registration == NULL);
        CHECK(MPI_T_source_get_info(BAD(sources), NULL, &length, NULL, NULL, NULL, &stamp, NULL, &info) ==
              MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_source_get_timestamp(BAD(sources), &stamp) == MPI_T_ERR_INVALID_INDEX);
    }
    CHECK(number == -7);
    CHECK(length == 0);
    CHECK(stamp == -7);
    CHECK(info == MPI_INFO_NULL);
}

static void check_names_and_nulls(void) {
    int number = -7;
    MPI_T_cvar_handle control;
    MPI_T_pvar_handle performance;
    round_name = "names and null arguments";
    CHECK(MPI_T_cvar_get_index("no such name", &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_cvar_get_index("messages_sent", &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_LEVEL, &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_index("messages_sent", 0, &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_category_get_index("MINI", &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_event_get_index("no such name", &number) == MPI_T_ERR_INVALID_NAME);
    CHECK(number == -7);
    CHECK(MPI_T_cvar_get_num(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_get_num(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_num(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_num(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_num(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_changed(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_num_events(0, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_cvars(0, 1, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_cvars(0, -1, &number) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_category_get_cvars(0, 0, NULL) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_create(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_session_free(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_alloc(0, NULL, NULL, &number) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_alloc(0, NULL, &control, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_handle_free(NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_alloc(session, 0, NULL, NULL, &number) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_alloc(session, 0, NULL, &performance, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_handle_free(session, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_init_thread(12345, &number) == MPI_T_ERR_INVALID);
}

/* [RC-04] What is ill-formed is refused before the handle or the index is looked at. */
/* [EVT-20] A level that the standard does not name is invalid. */
static void check_arguments_of_events(void) {
    const MPI_T_cb_safety no_level = (MPI_T_cb_safety)7;
    char text[8] = "";
    int negative = -1, number = -7;
    long long value[8] = {0};
    MPI_Aint displacement = -7;
    MPI_T_event_registration registration = NULL;
    MPI_Info info = MPI_INFO_NULL;
    round_name = "arguments of functions on events";
    CHECK(MPI_T_event_get_index(NULL, &number) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_index("no such name", NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(-1, text, &negative, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_info(-1, NULL, NULL, NULL, NULL, &displacement, &negative, NULL, NULL, NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_info(-1, text, &negative, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_source_get_timestamp(-1, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_alloc(-1, NULL, MPI_INFO_NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_handle_get_info(NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_register_callback(NULL, no_level, MPI_INFO_NULL, NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(NULL, no_level, &info) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_get_info(NULL, MPI_T_CB_REQUIRE_NONE, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_callback_set_info(NULL, no_level, MPI_INFO_NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_read(NULL, -1, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_copy(NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_timestamp(NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_get_source(NULL, NULL) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_event_read(NULL, -1, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(negative == -1 && number == -7 && displacement == -7 && registration == NULL && info == MPI_INFO_NULL);
}

/* Everything that can be done with a handle on a control variable that is none. */
static void expect_no_control(MPI_T_cvar_handle handle) {
    MPI_T_cvar_handle copy = handle;
    long long value[8] = {0};
    CHECK(MPI_T_cvar_read(handle, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_write(handle, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_free(&copy) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(copy == handle);
}
static void expect_no_performance(MPI_T_pvar_session in, MPI_T_pvar_handle handle, int code) {
    MPI_T_pvar_handle copy = handle;
    long long value[8] = {0};
    CHECK(MPI_T_pvar_start(in, handle) == code);
    CHECK(MPI_T_pvar_stop(in, handle) == code);
    CHECK(MPI_T_pvar_reset(in, handle) == code);
    CHECK(MPI_T_pvar_read(in, handle, value) == code);
    CHECK(MPI_T_pvar_write(in, handle, value) == code);
    CHECK(MPI_T_pvar_readreset(in, handle, value) == code);
    CHECK(MPI_T_pvar_handle_free(in, &copy) == code);
    CHECK(copy == handle);
}
static void expect_no_session(MPI_T_pvar_session none, MPI_T_pvar_handle handle) {
    MPI_T_pvar_session copy = none;
    MPI_T_pvar_handle made = handle;
    int count = -7;
    expect_no_performance(none, handle, MPI_T_ERR_INVALID_SESSION);
    CHECK(MPI_T_pvar_handle_alloc(none, 0, NULL, &made, &count) == MPI_T_ERR_INVALID_SESSION);
    CHECK(made == MPI_T_PVAR_HANDLE_NULL && count == -7);
    CHECK(MPI_T_pvar_session_free(&copy) == MPI_T_ERR_INVALID_SESSION);
    CHECK(copy == none);
}
static void expect_no_registration(void* handle) {
    MPI_T_event_registration registration = (MPI_T_event_registration)handle;
    MPI_Info info = MPI_INFO_NULL;
    CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_handle_get_info(registration, &info) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_handle_set_info(registration, MPI_INFO_NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL) ==
          MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_callback_get_info(registration, MPI_T_CB_REQUIRE_NONE, &info) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_callback_set_info(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL) ==
          MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_set_dropped_handler(registration, NULL) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(info == MPI_INFO_NULL);
}
static void expect_no_instance(void* handle) {
    MPI_T_event_instance instance = (MPI_T_event_instance)handle;
    MPI_Count stamp = -7;
    long long value[8] = {-7};
    int source = -7;
    CHECK(MPI_T_event_read(instance, 0, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_read(instance, -1, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_copy(instance, value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_timestamp(instance, &stamp) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_event_get_source(instance, &source) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(stamp == -7 && source == -7 && value[0] == -7);
}

/* A callback keeps the instance that it got, as no tool should. */
static void keep_instance(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety level,
                          void* user_data) {
    (void)registration;
    (void)level;
    *(MPI_T_event_instance*)user_data = instance;
}

static void check_handles(void) {
    const MPI_T_cvar_handle control = control_handle("MINI_EAGER_LIMIT");
    const MPI_T_pvar_handle performance = performance_handle("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_cvar_handle freed_control = control_handle("MINI_EAGER_LIMIT"), control_copy = freed_control;
    MPI_T_pvar_handle freed_performance = performance_handle("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle performance_copy = freed_performance;
    MPI_T_pvar_session freed_session, session_copy;
    const MPI_T_event_registration registration = event_registration("message_sent", NULL);
    const MPI_T_event_registration freed_registration = event_registration("message_sent", NULL);
    MPI_T_event_instance instance = NULL;
    MPI_Request request;
    int on_the_stack = 0, value = 0;

    round_name = "handles that are freed";
    CHECK(MPI_T_pvar_session_create(&freed_session) == MPI_SUCCESS);
    session_copy = freed_session;
    CHECK(MPI_T_pvar_session_free(&session_copy) == MPI_SUCCESS);
    CHECK(session_copy == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_cvar_handle_free(&control_copy) == MPI_SUCCESS);
    CHECK(control_copy == MPI_T_CVAR_HANDLE_NULL);
    CHECK(MPI_T_pvar_handle_free(session, &performance_copy) == MPI_SUCCESS);
    CHECK(performance_copy == MPI_T_PVAR_HANDLE_NULL);

    CHECK(MPI_T_event_handle_free(freed_registration, NULL, NULL) == MPI_SUCCESS);
    CHECK(MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, &instance,
                                        &keep_instance) == MPI_SUCCESS);
    MPI_Isend(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Recv(&on_the_stack, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(instance != NULL);

    void* const none[] = {NULL,    (void*)0xdead, (void*)-1,         &on_the_stack, control,      performance,
                          session, freed_control, freed_performance, freed_session, registration, freed_registration,
                          instance};
    round_name = "handles that are null, garbage, freed or of another kind";
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        if (none[i] != control) expect_no_control((MPI_T_cvar_handle)none[i]);
        if (none[i] != performance)
            expect_no_performance(session, (MPI_T_pvar_handle)none[i], MPI_T_ERR_INVALID_HANDLE);
        if (none[i] != session) expect_no_session((MPI_T_pvar_session)none[i], performance);
        if (none[i] != registration) expect_no_registration(none[i]);
        expect_no_instance(none[i]);
        CHECK(MPI_T_enum_get_info((MPI_T_enum)none[i], &value, NULL, NULL) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_enum_get_item((MPI_T_enum)none[i], 0, &value, NULL, NULL) == MPI_T_ERR_INVALID);
    }
    round_name = "handles of another session";
    expect_no_performance(other_session, performance, MPI_T_ERR_INVALID_HANDLE);

    round_name = "handles that were good all the time";
    CHECK(MPI_T_cvar_read(control, &value) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_start(session, performance) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_set_info(registration, MPI_INFO_NULL) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_free(registration, NULL, NULL) == MPI_SUCCESS);
    expect_no_registration(registration);
}

static void check_refusals_of_variables(void) {
    const MPI_T_cvar_handle constant = control_handle("MINI_ABI_VERSION"), limit = control_handle("MINI_EAGER_LIMIT");
    const MPI_T_pvar_handle continuous = performance_handle("unexpected_queue_length", MPI_T_PVAR_CLASS_LEVEL, NULL);
    const MPI_T_pvar_handle readonly = performance_handle("communicators", MPI_T_PVAR_CLASS_LEVEL, NULL);
    const MPI_T_pvar_handle not_atomic = performance_handle("match_attempts", MPI_T_PVAR_CLASS_COUNTER, NULL);
    const int negative = -1;
    unsigned long long value = 0;
    round_name = "what a variable refuses";
    CHECK(MPI_T_cvar_write(constant, &negative) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_cvar_write(limit, &negative) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_pvar_start(session, continuous) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_stop(session, continuous) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_write(session, readonly, &value) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_reset(session, readonly) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_readreset(session, not_atomic, &value) == MPI_T_ERR_PVAR_NO_ATOMIC);
}

/* [BIND-14] A bound variable needs an object that exists; MPI_COMM_NULL is none. */
/* [BIND-15] A predefined communicator is bound through a copy of its handle. */
static void check_objects(void) {
    const int index = pvar_index("communicator_messages", MPI_T_PVAR_CLASS_COUNTER);
    MPI_Comm world = MPI_COMM_WORLD, copy, null_handle = MPI_COMM_NULL, garbage = (MPI_Comm)0xdeadbeef, freed;
    MPI_Comm* const wrong[] = {NULL, &null_handle, &garbage, &freed};
    MPI_T_pvar_handle handle;
    int count = -7, sent = 1, received = 0;
    unsigned long messages = 0;
    round_name = "objects";
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    freed = copy;
    const MPI_T_pvar_handle of_world = performance_handle("communicator_messages", MPI_T_PVAR_CLASS_COUNTER, &world);
    const MPI_T_pvar_handle of_copy = performance_handle("communicator_messages", MPI_T_PVAR_CLASS_COUNTER, &copy);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    MPI_Send(&sent, 1, MPI_INT, 0, 1, copy);
    MPI_Recv(&received, 1, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);
    CHECK(MPI_T_pvar_read(session, of_copy, &messages) == MPI_SUCCESS);
    CHECK(messages == 1);
    CHECK(MPI_T_pvar_read(session, of_world, &messages) == MPI_SUCCESS);
    CHECK(messages == 0);
    MPI_Comm_free(&copy);
    CHECK(MPI_T_pvar_read(session, of_copy, &messages) == MPI_T_ERR_INVALID_HANDLE);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        handle = of_world;
        CHECK(MPI_T_pvar_handle_alloc(session, index, wrong[i], &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(handle == MPI_T_PVAR_HANDLE_NULL);
    }
    CHECK(count == -7);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        MPI_T_event_registration registration = (MPI_T_event_registration)0xdead;
        CHECK(MPI_T_event_handle_alloc(event_index("communicator_freed"), wrong[i], MPI_INFO_NULL, &registration) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(registration == NULL);
    }
    CHECK(MPI_T_event_handle_free(event_registration("communicator_freed", &world), NULL, NULL) == MPI_SUCCESS);
}

int main(int argc, char** argv) {
    int provided, number = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    CHECK(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_create(&other_session) == MPI_SUCCESS);
    check_texts_of_codes();
    check_indices();
    check_names_and_nulls();
    check_arguments_of_events();
    check_handles();
    check_refusals_of_variables();
    check_objects();
    round_name = "after all refusals";
    CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS && number > 0);
    CHECK(MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(MPI_Finalize() == MPI_SUCCESS);
    return report();
}
