/* Checks of MPI_T_init_thread and MPI_T_finalize. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "checks.h"

/* INIT-01 · required · 15.3.4, 15.3.10
 * Before MPI_T_init_thread every other function returns MPI_T_ERR_NOT_INITIALIZED. */
CHECK(INIT_01) {
    int n = 0, index[1];
    char name[8] = "x";
    MPI_T_pvar_session session;
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_changed(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_index(name, &n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_index(name, &n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_info(0, name, &n, &n, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_info(0, name, &n, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_cvars(0, 1, index));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_pvars(0, 1, index));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_categories(0, 1, index));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_session_create(&session));
    return 0;
}

/* INIT-01b · required · 15.3.4, 15.3.10
 * Before MPI_T_init_thread the functions of handles and sessions return MPI_T_ERR_NOT_INITIALIZED. */
CHECK(INIT_01b) {
    int value;
    MPI_T_cvar_handle cvar = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_handle pvar = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_handle_alloc(0, NULL, &cvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_read(cvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_write(cvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_handle_free(&cvar));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_handle_alloc(session, 0, NULL, &pvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_start(session, pvar));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_stop(session, pvar));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_read(session, pvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_write(session, pvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_reset(session, pvar));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_readreset(session, pvar, &value));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_handle_free(session, &pvar));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_session_free(&session));
    return 0;
}

/* INIT-01c · required · 15.3.4, 15.3.10
 * After the last MPI_T_finalize the functions return MPI_T_ERR_NOT_INITIALIZED, although MPI is still initialized. */
CHECK(INIT_01c) {
    int n;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_pvar_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_num(&n));
    return 0;
}

/* INIT-02 · required · 15.3.4
 * The interface works in a process that has not called MPI_Init. */
CHECK(INIT_02) {
    int level, n;
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_category_get_num(&n));
    for (struct cvar v = {.index = -1}; next_cvar(&v);)
        if (v.name[0] == '\0') FAIL("a control variable has no name");
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    return 0;
}

/* INIT-02b · required · 15.3.4
 * The interface works after MPI_Finalize. */
CHECK(INIT_02b) {
    int n, count, value[512];
    begin();
    MPI_Finalize();
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle;
        if (v.bind != MPI_T_BIND_NO_OBJECT || v.type != MPI_INT) continue;
        if (MPI_T_cvar_handle_alloc(v.index, NULL, &handle, &count) != MPI_SUCCESS || count > 512) continue;
        MPI_T_cvar_read(handle, value);
        EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_free(&handle));
    }
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    return 0;
}

/* INIT-02c · required · 15.3.4
 * The interface can be opened for the first time after MPI_Finalize. */
CHECK(INIT_02c) {
    int level, n;
    MPI_Init(NULL, NULL);
    MPI_Finalize();
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    return 0;
}

/* INIT-03 · required · 15.3.4
 * Initialization is counted: the interface stays open until MPI_T_finalize was called as often as MPI_T_init_thread. */
CHECK(INIT_03) {
    int level, n;
    for (int i = 0; i < 3; i++) EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    for (int i = 0; i < 2; i++) EXPECT(MPI_SUCCESS, MPI_T_finalize());
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    return 0;
}

/* INIT-04 · required · 15.3.4
 * A further MPI_T_init_thread, and its MPI_T_finalize, leave sessions and handles as they are. */
CHECK(INIT_04) {
    int level, count;
    MPI_T_pvar_session session;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle;
        char value[1 << 16];
        if (!cvar_handle(&v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        if (MPI_T_cvar_read(handle, value) != MPI_SUCCESS) continue;
        EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
        EXPECT(MPI_SUCCESS, MPI_T_finalize());
        EXPECT(MPI_SUCCESS, MPI_T_cvar_read(handle, value));
        EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_free(&handle));
        break;
    }
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&session));
    return 0;
}

/* INIT-05 · required · 15.3.4
 * The level that MPI_T_init_thread provides is one of the four levels of MPI. */
CHECK(INIT_05) {
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    for (int i = 0; i < 4; i++) {
        int provided = -77;
        DO("provided = -77");
        EXPECT(MPI_SUCCESS, MPI_T_init_thread(levels[i], &provided));
        if (provided != MPI_THREAD_SINGLE && provided != MPI_THREAD_FUNNELED && provided != MPI_THREAD_SERIALIZED &&
            provided != MPI_THREAD_MULTIPLE)
            FAIL("MPI_T_init_thread(%d) provided the level %d", levels[i], provided);
    }
    return 0;
}

/* INIT-05b · recommended · 15.3.4
 * A further MPI_T_init_thread provides the level of the first one. */
CHECK(INIT_05b) {
    int outer = -77, inner = -77;
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_MULTIPLE, &outer));
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &inner));
    if (outer != inner) FAIL("the first call provides the level %d, the second one %d", outer, inner);
    return 0;
}

/* INIT-06 · required · 15.3.4
 * MPI_T_finalize without an MPI_T_init_thread before it returns an error, and the count does not become negative. */
CHECK(INIT_06) {
    int level, n;
    if (MPI_T_finalize() == MPI_SUCCESS) FAIL("MPI_T_finalize() before MPI_T_init_thread() returned MPI_SUCCESS");
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    if (MPI_T_finalize() == MPI_SUCCESS) FAIL("a second MPI_T_finalize() returned MPI_SUCCESS");
    return 0;
}

/* INIT-06b · recommended · 15.3.10
 * MPI_T_finalize without an MPI_T_init_thread before it returns MPI_T_ERR_NOT_INITIALIZED. */
CHECK(INIT_06b) {
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_finalize());
    return 0;
}

/* INIT-07 · required · 15.3.4
 * After the last MPI_T_finalize the interface can be opened again, before, during and after the use of MPI. */
CHECK(INIT_07) {
    int level, n;
    for (int i = 0; i < 6; i++) {
        if (i == 2) MPI_Init(NULL, NULL);
        if (i == 4) MPI_Finalize();
        EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
        EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
        EXPECT(MPI_SUCCESS, MPI_T_finalize());
    }
    return 0;
}

/* INIT-09 · open · 15.3.10
 * The answer to MPI_T_init_thread with a level that is none of the four. */
CHECK(INIT_09) {
    int provided = -1, code = MPI_T_init_thread(77, &provided);
    OPEN("MPI_T_init_thread(77) returned %d", code);
}

/* INIT-09b · open · 15.3.10
 * The answer to MPI_T_init_thread with a null pointer for the level that is provided. */
CHECK(INIT_09b) {
    int code = MPI_T_init_thread(MPI_THREAD_SINGLE, NULL);
    OPEN("MPI_T_init_thread(NULL) returned %d", code);
}

/* INIT-10 · recommended · 15.3.4 · itself
 * Several threads may call MPI_T_init_thread and MPI_T_finalize at once. */
static void* open_and_close(void* failed) {
    for (int i = 0, level, n; i < 200; i++)
        if ((MPI_T_init_thread)(MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS ||
            (MPI_T_cvar_get_num)(&n) != MPI_SUCCESS || (MPI_T_finalize)() != MPI_SUCCESS)
            *(int*)failed = 1;
    return failed;
}
CHECK(INIT_10) {
    int n, failed[4] = {0};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, open_and_close, &failed[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    if (failed[0] || failed[1] || failed[2] || failed[3]) FAIL("a call returned an error in a thread");
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_cvar_get_num(&n));
    return 0;
}

/* INIT-11 · recommended · 15.3.4
 * A session or a handle from before the last MPI_T_finalize is refused after the next MPI_T_init_thread. */
CHECK(INIT_11) {
    int level, count;
    char value[1 << 16];
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    for (struct pvar v = {.index = -1}; next_pvar(&v);) {
        if (!pvar_handle(session, &v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        EXPECT(MPI_SUCCESS, MPI_T_finalize());
        EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
        if (MPI_T_pvar_read(session, handle, value) == MPI_SUCCESS) FAIL("MPI_T_pvar_read() returned MPI_SUCCESS");
        return 0;
    }
    SKIP("no performance variable gives a handle");
}

/* INIT-11b · recommended · 15.3.4
 * A handle of a control variable from before the last MPI_T_finalize is refused after the next MPI_T_init_thread. */
CHECK(INIT_11b) {
    int level, count;
    MPI_T_cvar_handle handle;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        if (!cvar_handle(&v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        EXPECT(MPI_SUCCESS, MPI_T_finalize());
        EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
        if (MPI_T_cvar_read(handle, value) == MPI_SUCCESS) FAIL("MPI_T_cvar_read() returned MPI_SUCCESS");
        return 0;
    }
    SKIP("no control variable gives a handle");
}

/* INIT-12 · recommended · 15.3.4
 * Names have the same indices after the interface was closed and opened again. */
CHECK_EACH(INIT_12, cvar, NULL) {
    int level, other;
    if (v->index % 50 != 0) return 0;
    EXPECT(MPI_SUCCESS, MPI_T_finalize());
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_index(v->name, &other));
    if (other != v->index) FAIL("the index of %s was %d, and is now %d", v->name, v->index, other);
    return 0;
}

/* INIT-12b · recommended · 15.3.4
 * There are as many variables and categories after the interface was closed and opened again. */
CHECK(INIT_12b) {
    int level, before[3], after[3];
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&before[0]), MPI_T_pvar_get_num(&before[1]), MPI_T_category_get_num(&before[2]);
    MPI_T_finalize();
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&after[0]), MPI_T_pvar_get_num(&after[1]), MPI_T_category_get_num(&after[2]);
    for (int i = 0; i < 3; i++)
        if (before[i] != after[i])
            FAIL("of %s there were %d, and are %d",
                 i == 0   ? "control variables"
                 : i == 1 ? "performance variables"
                          : "categories",
                 before[i], after[i]);
    return 0;
}

/* INIT-13 · required · 15.3 · processes
 * No function of the interface waits for another process. */
CHECK(INIT_13) {
    int rank, done = 0, count;
    MPI_T_pvar_session session;
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    for (struct pvar v = {.index = -1}; rank == 0 && next_pvar(&v);) {
        MPI_T_pvar_handle handle;
        MPI_T_pvar_session_create(&session);
        if (pvar_handle(session, &v, &handle, &count)) MPI_T_pvar_start(session, handle);
        if (handle != MPI_T_PVAR_HANDLE_NULL) MPI_T_pvar_handle_free(session, &handle);
        MPI_T_pvar_session_free(&session);
    }
    MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return 0;
}

/* INIT-14 · required · 15.3.10
 * An error of a function of the interface calls no error handler of MPI, and does not end the process. */
static int handler_calls;
static void count_call(MPI_Comm* comm, int* code, ...) {
    (void)comm, (void)code;
    handler_calls++;
}
CHECK(INIT_14) {
    int n;
    MPI_Errhandler handler;
    int (*create)(void (*)(MPI_Comm*, int*, ...), MPI_Errhandler*);
    *(void**)&create = dlsym(RTLD_DEFAULT, "MPI_Comm_create_errhandler");
    if (create == NULL) SKIP("there is no MPI_Comm_create_errhandler");
    begin();
    create(count_call, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    if (MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) == MPI_SUCCESS)
        FAIL("MPI_T_cvar_get_info(-1) returned MPI_SUCCESS");
    if (MPI_T_cvar_get_index("no such name", &n) == MPI_SUCCESS) FAIL("MPI_T_cvar_get_index() of no name succeeded");
    if (MPI_T_category_get_index("no such name", &n) == MPI_SUCCESS) FAIL("MPI_T_category_get_index() succeeded");
    if (handler_calls > 0) FAIL("the error handler of a communicator was called");
    return 0;
}

/* INIT-15 · recommended · 15.3.4
 * As many variables as possible are there before MPI_Init. */
CHECK(INIT_15) {
    int level, n[4];
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_T_cvar_get_num(&n[0]), MPI_T_pvar_get_num(&n[1]);
    MPI_Init(NULL, NULL);
    MPI_T_cvar_get_num(&n[2]), MPI_T_pvar_get_num(&n[3]);
    if (n[2] > n[0] || n[3] > n[1])
        FAIL("MPI_Init added %d control variables to %d, and %d performance variables to %d", n[2] - n[0], n[0],
             n[3] - n[1], n[1]);
    return 0;
}
