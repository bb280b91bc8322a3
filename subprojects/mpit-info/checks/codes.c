/* Checks of the error codes, of the constants, and of the names that the library exports. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "checks.h"

/* The codes of MPI-3, of which MPI_T_ERR_INVALID_ITEM is deprecated. */
static const int codes[] = {
    MPI_T_ERR_MEMORY,          MPI_T_ERR_NOT_INITIALIZED,  MPI_T_ERR_CANNOT_INIT,    MPI_T_ERR_INVALID_INDEX,
    MPI_T_ERR_INVALID_ITEM,    MPI_T_ERR_INVALID_HANDLE,   MPI_T_ERR_OUT_OF_HANDLES, MPI_T_ERR_OUT_OF_SESSIONS,
    MPI_T_ERR_INVALID_SESSION, MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER, MPI_T_ERR_PVAR_NO_STARTSTOP,
    MPI_T_ERR_PVAR_NO_WRITE,   MPI_T_ERR_PVAR_NO_ATOMIC,   MPI_T_ERR_INVALID_NAME,   MPI_T_ERR_INVALID};

/* RC-01 · required · 15.3.10
 * Each error code is different from the others, above 0, and at most MPI_ERR_LASTCODE. */
CHECK(RC_01) {
    for (int i = 0; i < 16; i++) {
        if (codes[i] <= 0 || codes[i] > MPI_ERR_LASTCODE) FAIL("code %d of the list is %d", i, codes[i]);
        for (int k = 0; k < i; k++)
            if (codes[i] == codes[k]) FAIL("codes %d and %d of the list are %d", k, i, codes[i]);
    }
    return 0;
}

/* RC-06 · required · 15.3.10 · itself
 * The header of an MPI-4 has MPI_T_ERR_NOT_SUPPORTED and MPI_T_ERR_NOT_ACCESSIBLE. */
CHECK(RC_06) {
#if MPI_VERSION < 4
    SKIP("the header is of MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
#elif !HAS_CODES_OF_MPI_4
    FAIL("one of the two is missing");
#else
    return MPI_T_ERR_NOT_SUPPORTED == MPI_T_ERR_NOT_ACCESSIBLE;
#endif
}

/* RC-07 · required · 9.4, 15.3.10
 * MPI_Error_string has a text for each error code. */
CHECK(RC_07) {
    begin();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 16; i++) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        if (codes[i] == MPI_T_ERR_INVALID_ITEM) continue;
        if (MPI_Error_string(codes[i], text, &length) != MPI_SUCCESS || length == 0)
            FAIL("the code %d, number %d of the list, has none", codes[i], i);
    }
    return 0;
}

/* RC-02 · required · 15.3, 15.3.10
 * What a function returns in the case of an error is a code of the interface, and no other error class of MPI. */
static int is_code(int code) {
    return code == MPI_SUCCESS || code == MPI_T_ERR_MEMORY || code == MPI_T_ERR_NOT_INITIALIZED ||
           code == MPI_T_ERR_CANNOT_INIT || code == MPI_T_ERR_INVALID_INDEX || code == MPI_T_ERR_INVALID_ITEM ||
           code == MPI_T_ERR_INVALID_HANDLE || code == MPI_T_ERR_OUT_OF_HANDLES || code == MPI_T_ERR_OUT_OF_SESSIONS ||
           code == MPI_T_ERR_INVALID_SESSION || code == MPI_T_ERR_INVALID_NAME || code == MPI_T_ERR_INVALID;
}
#define EXPECT_CODE(call)                                                                                              \
    do {                                                                                                               \
        const int code = (call);                                                                                       \
        if (!is_code(code)) FAIL(#call " returned %d, which is no code of the interface", code);                       \
    } while (0)
CHECK(RC_02) {
    int n;
    begin();
    EXPECT_CODE(MPI_T_cvar_get_index("no such name", &n));
    EXPECT_CODE(MPI_T_pvar_get_index("no such name", 12345, &n));
    EXPECT_CODE(MPI_T_category_get_index("no such name", &n));
    EXPECT_CODE(MPI_T_cvar_get_info(-1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT_CODE(MPI_T_category_get_cvars(-1, 0, NULL));
    return 0;
}

/* RC-02b · recommended · 15.3.10
 * A level that MPI_T_init_thread does not know is accepted, or answered with a code of the interface. */
CHECK(RC_02b) {
    int provided = -77;
    EXPECT_CODE(MPI_T_init_thread(77, &provided));
    return 0;
}

/* PMPI-01 · required · 15.3.11
 * The library has each function also with the prefix PMPI_T_. */
static int lacks_one(const char* const* names, int n) {
    for (int i = 0; i < n; i++) {
        char name[64];
        snprintf(name, sizeof name, "PMPI_T_%s", names[i]);
        if (dlsym(RTLD_DEFAULT, name) == NULL) FAIL("there is no %s", name);
        if (dlsym(RTLD_DEFAULT, name + 1) == NULL) FAIL("there is no %s", name + 1);
    }
    return 0;
}
CHECK(PMPI_01) {
    const char* const names[] = {
        "init_thread",       "finalize",           "enum_get_info",    "enum_get_item",      "cvar_get_num",
        "cvar_get_info",     "cvar_get_index",     "cvar_read",        "cvar_write",         "cvar_handle_alloc",
        "cvar_handle_free",  "pvar_get_num",       "pvar_get_info",    "pvar_get_index",     "pvar_session_create",
        "pvar_session_free", "pvar_handle_alloc",  "pvar_start",       "pvar_stop",          "pvar_handle_free",
        "pvar_read",         "pvar_write",         "pvar_reset",       "pvar_readreset",     "category_get_num",
        "category_get_info", "category_get_cvars", "category_changed", "category_get_pvars", "category_get_categories",
        "category_get_index"};
    return lacks_one(names, 31);
}

/* PMPI-01b · required · 15.3.11
 * The library of an MPI-4 has each function of events with both prefixes. */
CHECK(PMPI_01b) {
    const char* const names[] = {"category_get_events",
                                 "category_get_num_events",
                                 "event_callback_get_info",
                                 "event_callback_set_info",
                                 "event_copy",
                                 "event_get_index",
                                 "event_get_info",
                                 "event_get_num",
                                 "event_get_source",
                                 "event_get_timestamp",
                                 "event_handle_alloc",
                                 "event_handle_free",
                                 "event_handle_get_info",
                                 "event_handle_set_info",
                                 "event_read",
                                 "event_register_callback",
                                 "event_set_dropped_handler",
                                 "source_get_info",
                                 "source_get_num",
                                 "source_get_timestamp"};
    if (MPI_VERSION < 4) SKIP("the header is of MPI %d.%d", MPI_VERSION, MPI_SUBVERSION);
    return lacks_one(names, 20);
}

/* PMPI-04 · required · 15.3
 * A function with the prefix PMPI_T_ answers as that with the prefix MPI_T_. */
CHECK(PMPI_04) {
    int (*const by_tool)(int*) = MPI_T_cvar_get_num;
    int (*const by_profiler)(int*) = PMPI_T_cvar_get_num;
    int one = -1, other = -2;
    begin();
    if (by_tool(&one) != MPI_SUCCESS || by_profiler(&other) != MPI_SUCCESS || one != other)
        FAIL("MPI_T_cvar_get_num() counts %d, and PMPI_T_cvar_get_num() %d", one, other);
    return 0;
}

/* ABI-03 · required · Annex A · itself
 * In the header of the ABI the error codes have the numbers 1001 to 1018. */
CHECK(ABI_03) {
#if !defined(MPI_ABI_VERSION) || defined(OPEN_MPI) || defined(MPICH_VERSION)
    SKIP("the header is not that of the ABI");
#else
    if (MPI_T_ERR_CANNOT_INIT != 1001 || MPI_T_ERR_NOT_ACCESSIBLE != 1002 || MPI_T_ERR_NOT_INITIALIZED != 1003 ||
        MPI_T_ERR_NOT_SUPPORTED != 1004 || MPI_T_ERR_MEMORY != 1005 || MPI_T_ERR_INVALID != 1006 ||
        MPI_T_ERR_INVALID_INDEX != 1007 || MPI_T_ERR_INVALID_ITEM != 1008 || MPI_T_ERR_INVALID_SESSION != 1009 ||
        MPI_T_ERR_INVALID_HANDLE != 1010 || MPI_T_ERR_INVALID_NAME != 1011 || MPI_T_ERR_OUT_OF_HANDLES != 1012 ||
        MPI_T_ERR_OUT_OF_SESSIONS != 1013 || MPI_T_ERR_CVAR_SET_NOT_NOW != 1014 || MPI_T_ERR_CVAR_SET_NEVER != 1015 ||
        MPI_T_ERR_PVAR_NO_WRITE != 1016 || MPI_T_ERR_PVAR_NO_STARTSTOP != 1017 || MPI_T_ERR_PVAR_NO_ATOMIC != 1018)
        FAIL("one of them has another number");
    return 0;
#endif
}

/* ABI-02 · required · 20.3.3
 * With the ABI the address of a handle or session is none of 0 to 4095. */
CHECK(ABI_02) {
#if !defined(MPI_ABI_VERSION) || defined(OPEN_MPI) || defined(MPICH_VERSION)
    SKIP("the header is not that of the ABI");
#else
    int count;
    MPI_T_pvar_session session;
    begin();
    MPI_T_pvar_session_create(&session);
    if ((size_t)session < 4096) FAIL("a session is %zu", (size_t)session);
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle;
        if (cvar_handle(&v, &handle, &count) && (size_t)handle < 4096) FAIL("its handle is %zu", (size_t)handle);
    }
    return 0;
#endif
}
