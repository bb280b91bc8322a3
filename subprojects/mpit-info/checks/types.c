/* Checks of verbosity levels, bindings, datatypes and enumerations. */
#include "checks.h"

/* VERB-01 · required · 15.3.1
 * The nine verbosity levels are in increasing order. */
CHECK(VERB_01) {
    const int levels[] = {MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
                          MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
                          MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL};
    for (int i = 1; i < 9; i++)
        if (levels[i] <= levels[i - 1]) FAIL("level %d is %d, level %d is %d", i - 1, levels[i - 1], i, levels[i]);
    return 0;
}

/* VERB-02 · required · 15.3.1
 * Every variable has one of the nine verbosity levels. */
static int is_level(int level) {
    return level == MPI_T_VERBOSITY_USER_BASIC || level == MPI_T_VERBOSITY_USER_DETAIL ||
           level == MPI_T_VERBOSITY_USER_ALL || level == MPI_T_VERBOSITY_TUNER_BASIC ||
           level == MPI_T_VERBOSITY_TUNER_DETAIL || level == MPI_T_VERBOSITY_TUNER_ALL ||
           level == MPI_T_VERBOSITY_MPIDEV_BASIC || level == MPI_T_VERBOSITY_MPIDEV_DETAIL ||
           level == MPI_T_VERBOSITY_MPIDEV_ALL;
}
CHECK_EACH(VERB_02, cvar, NULL) {
    if (!is_level(v->verbosity)) FAIL("its level is %d", v->verbosity);
    return 0;
}

/* VERB-02b · required · 15.3.1
 * Every performance variable has one of the nine verbosity levels. */
CHECK_EACH(VERB_02b, pvar, NULL) {
    if (v->verbosity < MPI_T_VERBOSITY_USER_BASIC || v->verbosity > MPI_T_VERBOSITY_MPIDEV_ALL)
        FAIL("its level is %d", v->verbosity);
    return 0;
}

/* BIND-00 · required · 15.3.2
 * Every variable is bound to a kind of object of the standard, or to none. */
static int is_kind(int bind) {
    return bind == MPI_T_BIND_NO_OBJECT || bind == MPI_T_BIND_MPI_COMM || bind == MPI_T_BIND_MPI_DATATYPE ||
           bind == MPI_T_BIND_MPI_ERRHANDLER || bind == MPI_T_BIND_MPI_FILE || bind == MPI_T_BIND_MPI_GROUP ||
           bind == MPI_T_BIND_MPI_OP || bind == MPI_T_BIND_MPI_REQUEST || bind == MPI_T_BIND_MPI_WIN ||
           bind == MPI_T_BIND_MPI_MESSAGE || bind == MPI_T_BIND_MPI_INFO ||
           /* MPI_T_BIND_MPI_SESSION, which not every header of MPI-4.0 has. */
           (MPI_VERSION >= 4 && bind == MPI_T_BIND_MPI_INFO + 1);
}
CHECK(BIND_00) {
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);)
        if (!is_kind(v.bind)) FAIL("it is bound to the kind %d", v.bind);
    for (struct pvar v = {.index = -1}; next_pvar(&v);)
        if (!is_kind(v.bind)) FAIL("it is bound to the kind %d", v.bind);
    return 0;
}

/* BIND-01 · required · 15.3.2, 15.3.6
 * A variable that is not bound ignores the argument for the object. */
CHECK_EACH(BIND_01, cvar, NULL) {
    int count, other;
    MPI_T_cvar_handle handle;
    if (v->bind != MPI_T_BIND_NO_OBJECT) return 0;
    if (MPI_T_cvar_handle_alloc(v->index, NULL, &handle, &count) != MPI_SUCCESS) return 0;
    MPI_T_cvar_handle_free(&handle);
    EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_alloc(v->index, (void*)1, &handle, &other));
    if (other != count) FAIL("the number of elements is %d with NULL, and %d with another address", count, other);
    EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_free(&handle));
    return 0;
}

/* BIND-01b · required · 15.3.2, 15.3.7
 * A performance variable that is not bound ignores the argument for the object. */
CHECK_EACH(BIND_01b, pvar, NULL) {
    int count;
    MPI_T_pvar_handle handle;
    if (v->bind != MPI_T_BIND_NO_OBJECT) return 0;
    if (MPI_T_pvar_handle_alloc(session, v->index, NULL, &handle, &count) != MPI_SUCCESS) return 0;
    MPI_T_pvar_handle_free(session, &handle);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_alloc(session, v->index, (void*)1, &handle, &count));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &handle));
    return 0;
}

/* BIND-02 · required · 15.3.6, 15.3.7
 * A performance variable of communicators can be bound to MPI_COMM_WORLD, and to a duplicate. */
CHECK_EACH(BIND_02, pvar, "no performance variable is bound to a communicator") {
    int count;
    for (int i = 0; v->bind == MPI_T_BIND_MPI_COMM && i < 2; i++) {
        MPI_T_pvar_handle handle;
        MPI_Comm comm = MPI_COMM_WORLD;
        if (i == 1) MPI_Comm_dup(MPI_COMM_WORLD, &comm), DO("MPI_Comm_dup(object, &object)");
        EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_alloc(session, v->index, &comm, &handle, &count));
        EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &handle));
    }
    return 0;
}

/* BIND-13 · required · 15.3.6, 15.3.7
 * The handle of the object is read during the call: the variable that held it may change afterwards. */
CHECK(BIND_13) {
    int count, found = 0;
    MPI_T_pvar_session session;
    begin();
    MPI_T_pvar_session_create(&session);
    for (struct pvar v = {.index = -1}; next_pvar(&v);) {
        static char value[1 << 16];
        MPI_T_pvar_handle handle;
        MPI_Comm comm = MPI_COMM_WORLD;
        if (v.bind != MPI_T_BIND_MPI_COMM) continue;
        if (MPI_T_pvar_handle_alloc(session, v.index, &comm, &handle, &count) != MPI_SUCCESS) continue;
        found = 1, comm = MPI_COMM_NULL, DO("object = MPI_COMM_NULL");
        MPI_T_pvar_start(session, handle);
        if (bytes_of(count, v.type) <= (int)sizeof value) EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value));
    }
    if (!found) SKIP("no performance variable is bound to a communicator");
    return 0;
}

/* BIND-14 · recommended · 15.3.7
 * A null pointer as the object of a bound variable is refused. */
CHECK_EACH(BIND_14, pvar, "no performance variable is bound to an object") {
    int count;
    MPI_T_pvar_handle handle;
    if (v->bind == MPI_T_BIND_NO_OBJECT) return NOTHING;
    if (MPI_T_pvar_handle_alloc(session, v->index, NULL, &handle, &count) == MPI_SUCCESS) FAIL("it gives a handle");
    return 0;
}

/* DT-01 · required · 15.3.5
 * The datatype of a variable is one of the eleven that the standard lists. */
static int is_listed(MPI_Datatype t) {
    return t == MPI_INT || t == MPI_INT32_T || t == MPI_INT64_T || t == MPI_UNSIGNED || t == MPI_UNSIGNED_LONG ||
           t == MPI_UNSIGNED_LONG_LONG || t == MPI_UINT32_T || t == MPI_UINT64_T || t == MPI_COUNT || t == MPI_CHAR ||
           t == MPI_DOUBLE;
}
static const char* name_of(MPI_Datatype t) {
    static char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Type_get_name(t, name, &length);
    return name;
}
CHECK_EACH(DT_01, cvar, NULL) {
    if (!is_listed(v->type)) FAIL("its datatype is %s", name_of(v->type));
    return 0;
}

/* DT-01b · required · 15.3.5
 * The datatype of a performance variable is one of the eleven that the standard lists. */
CHECK_EACH(DT_01b, pvar, NULL) {
    if (!is_listed(v->type)) FAIL("its datatype is %s", name_of(v->type));
    return 0;
}

/* DT-04 · required · 15.3.5
 * The datatypes of variables are known before MPI_Init, and are the same afterwards. */
CHECK(DT_04) {
    static struct cvar before[2048];
    int level, n = 0, size;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    for (struct cvar v = {.index = -1}; n < 2048 && next_cvar(&v);) before[n++] = v;
    if (n == 0) SKIP("there is no control variable before MPI_Init");
    MPI_Init(NULL, NULL);
    for (int i = 0; i < n; i++) {
        struct cvar v = {.index = before[i].index - 1};
        if (!next_cvar(&v) || v.index != before[i].index) continue;
        if (v.type != before[i].type) FAIL("it had another datatype before MPI_Init");
        if (MPI_Type_size(v.type, &size) != MPI_SUCCESS || size < 1) FAIL("its datatype has no size");
    }
    return 0;
}

/* DT-05 · required · 15.3.5
 * The value of a variable of the type MPI_CHAR has a null within its elements. */
CHECK_EACH(DT_05, cvar, "no control variable has the type MPI_CHAR") {
    int count;
    MPI_T_cvar_handle handle;
    char* value;
    if (v->type != MPI_CHAR || !cvar_handle(v, &handle, &count)) return NOTHING;
    if (count < 1) FAIL("it has %d elements, and so no room for the null", count);
    value = memset(malloc((size_t)count + 65536), 'Z', (size_t)count + 65536);
    if (MPI_T_cvar_read(handle, value) != MPI_SUCCESS) return NOTHING;
    if (memchr(value, '\0', (size_t)count) == NULL) FAIL("its %d characters have no null: %.60s", count, value);
    return 0;
}

/* DT-07 · required · 15.3.6
 * Only a variable of the type MPI_INT has an enumeration; for others the argument becomes MPI_T_ENUM_NULL. */
CHECK_EACH(DT_07, cvar, NULL) {
    MPI_T_enum items;
    memset(&items, 0x5A, sizeof items);
    MPI_T_cvar_get_info(v->index, NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL);
    if (v->type != MPI_INT && items != MPI_T_ENUM_NULL) FAIL("its type is not MPI_INT, and it has an enumeration");
    return 0;
}

/* DT-07b · required · 15.3.7
 * Only a performance variable of the type MPI_INT has an enumeration; for others the argument becomes MPI_T_ENUM_NULL. */
CHECK_EACH(DT_07b, pvar, NULL) {
    MPI_T_enum items;
    memset(&items, 0x5A, sizeof items);
    MPI_T_pvar_get_info(v->index, NULL, NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL, NULL, NULL);
    if (v->type != MPI_INT && items != MPI_T_ENUM_NULL) FAIL("its type is not MPI_INT, and it has an enumeration");
    return 0;
}

/* DT-07c · required · 15.3.6, 15.3.7
 * The argument for the enumeration is set for a variable of the type MPI_INT, too. */
CHECK_EACH(DT_07c, cvar, NULL) {
    MPI_T_enum garbage, items;
    memset(&garbage, 0x5A, sizeof garbage);
    items = garbage;
    MPI_T_cvar_get_info(v->index, NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL);
    if (items == garbage) FAIL("the argument keeps its value");
    return 0;
}

/* DT-08 · required · 15.3.5
 * An enumeration has a name, and a number of items that is at least 1. */
CHECK_EACH(DT_08, cvar, "no control variable has an enumeration") {
    char name[256];
    int items = -1, size = sizeof name;
    if (v->type != MPI_INT || v->items == MPI_T_ENUM_NULL) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_enum_get_info(v->items, &items, name, &size));
    if (items < 1 || size < 2) FAIL("its enumeration, \"%s\", has %d items", name, items);
    return 0;
}

/* DT-09 · required · 15.3.5
 * Two enumerations have different names. */
CHECK(DT_09) {
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);)
        for (struct cvar w = {.index = -1}; v.items != MPI_T_ENUM_NULL && w.index < v.index && next_cvar(&w);) {
            char one[256] = "", other[256] = "";
            int size = 256, room = 256, n;
            if (w.items == MPI_T_ENUM_NULL || w.items == v.items) continue;
            MPI_T_enum_get_info(v.items, &n, one, &size);
            MPI_T_enum_get_info(w.items, &n, other, &room);
            if (strcmp(one, other) == 0) FAIL("%s has another enumeration of the name \"%s\"", v.name, one);
        }
    return 0;
}

/* DT-10 · required · 15.3.5
 * Each item of an enumeration has a name and a value; names and values differ within the enumeration. */
CHECK_EACH(DT_10, cvar, "no control variable has an enumeration") {
    char names[64][128];
    int n = 0, values[64];
    if (v->items == MPI_T_ENUM_NULL || MPI_T_enum_get_info(v->items, &n, NULL, NULL) != MPI_SUCCESS) return NOTHING;
    for (int i = 0; i < n && i < 64; i++) {
        int size = sizeof names[i];
        EXPECT(MPI_SUCCESS, MPI_T_enum_get_item(v->items, i, &values[i], names[i], &size));
        if (size < 2) FAIL("item %d of its enumeration has no name", i);
        for (int k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0) FAIL("items %d and %d have the name \"%s\"", k, i, names[i]);
    }
    return 0;
}

/* DT-12 · required · 15.3.10
 * The index of an item that an enumeration does not have is answered with MPI_T_ERR_INVALID_INDEX. */
CHECK(DT_12) {
    int n, value;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        if (v.items == MPI_T_ENUM_NULL || MPI_T_enum_get_info(v.items, &n, NULL, NULL) != MPI_SUCCESS) continue;
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(v.items, -1, &value, NULL, NULL));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(v.items, n, &value, NULL, NULL));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_enum_get_item(v.items, INT_MAX, &value, NULL, NULL));
        return 0;
    }
    SKIP("no control variable has an enumeration");
}

/* DT-14 · open · 15.3.10
 * The answer to MPI_T_ENUM_NULL as an enumeration. */
CHECK(DT_14) {
    int n, code;
    begin();
    code = MPI_T_enum_get_info(MPI_T_ENUM_NULL, &n, NULL, NULL);
    OPEN("MPI_T_enum_get_info(MPI_T_ENUM_NULL) returned %d", code);
}

/* DT-15 · recommended · 15.3.5
 * The value of a variable with an enumeration is that of an item. */
CHECK_EACH(DT_15, cvar, "no control variable has an enumeration") {
    int count, n, item;
    MPI_T_cvar_handle handle;
    int value[64], is_item = 0;
    if (v->items == MPI_T_ENUM_NULL || !cvar_handle(v, &handle, &count) || count > 64) return NOTHING;
    if (MPI_T_cvar_read(handle, value) != MPI_SUCCESS) return NOTHING;
    MPI_T_enum_get_info(v->items, &n, NULL, NULL);
    for (int i = 0; i < n; i++) is_item |= !MPI_T_enum_get_item(v->items, i, &item, NULL, NULL) && item == value[0];
    if (!is_item) FAIL("no item of its enumeration has its value, %d", value[0]);
    return 0;
}

/* DT-15b · recommended · 15.3.5
 * A value that no item of the enumeration has is refused, and the value stays. */
CHECK_EACH(DT_15b, cvar, "no control variable with an enumeration can be written") {
    int count;
    MPI_T_cvar_handle handle;
    int before, after, wrong = 123454321;
    if (v->items == MPI_T_ENUM_NULL || v->scope == MPI_T_SCOPE_READONLY || v->scope == MPI_T_SCOPE_CONSTANT)
        return NOTHING;
    if (!cvar_handle(v, &handle, &count) || count != 1 || MPI_T_cvar_read(handle, &before) != MPI_SUCCESS)
        return NOTHING;
    DO("*(int*)value = %d", wrong);
    if (MPI_T_cvar_write(handle, &wrong) == MPI_SUCCESS) FAIL("it takes the value %d", wrong);
    if (MPI_T_cvar_read(handle, &after) != MPI_SUCCESS || after != before) FAIL("its value changed to %d", after);
    return 0;
}

/* DT-16 · required · 15.3.5 · processes
 * Items of one name in enumerations of one name in two processes have the same value. */
static int value_here(const char* items, const char* item, int* value) {
    char text[256];
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        int n = 0, size = sizeof text;
        if (v.items == MPI_T_ENUM_NULL || MPI_T_enum_get_info(v.items, &n, text, &size) || strcmp(text, items) != 0)
            continue;
        for (int i = 0; i < n; i++) {
            size = sizeof text;
            if (!MPI_T_enum_get_item(v.items, i, value, text, &size) && strcmp(text, item) == 0) return 1;
        }
    }
    return 0;
}
CHECK(DT_16) {
    int rank, size, compared = 0;
    struct cvar v = {.index = -1};
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    for (int more = 1; more;) {
        struct {
            char items[256], item[256];
            int n, value;
        } sent = {"", "", 0, 0};
        if (rank == 0) more = next_cvar(&v);
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        size = sizeof sent.items;
        if (rank == 0 && more && v.items != MPI_T_ENUM_NULL) MPI_T_enum_get_info(v.items, &sent.n, sent.items, &size);
        MPI_Bcast(&sent, sizeof sent, MPI_BYTE, 0, MPI_COMM_WORLD);
        for (int i = 0; i < sent.n; i++, compared++) {
            int value;
            size = sizeof sent.item;
            if (rank == 0) MPI_T_enum_get_item(v.items, i, &sent.value, sent.item, &size);
            MPI_Bcast(&sent, sizeof sent, MPI_BYTE, 0, MPI_COMM_WORLD);
            if (rank != 0 && value_here(sent.items, sent.item, &value) && value != sent.value)
                FAIL("%s of \"%s\" is %d in rank 0, and %d in rank %d", sent.item, sent.items, sent.value, value, rank);
        }
    }
    if (compared == 0) SKIP("no control variable has an enumeration");
    return 0;
}
