/* Checks of control variables. */
#include "checks.h"

/* CVAR-01 · required · 15.3.6
 * The number of control variables does not shrink. */
CHECK(CVAR_01) {
    int level, before, after;
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&before));
    MPI_Init(NULL, NULL);
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&after));
    if (before < 0 || after < before) FAIL("there are %d before MPI_Init, and %d after", before, after);
    MPI_Finalize();
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&before));
    if (before < after) FAIL("there are %d before MPI_Finalize, and %d after", after, before);
    return 0;
}

/* CVAR-02 · required · 15.3.10
 * MPI_T_cvar_get_info answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(CVAR_02) {
    int n;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_num(&n));
    const int wrong[] = {-1, n, INT_MAX, INT_MIN};
    for (int i = 0; i < 4; i++) {
        printf("at control variable %d\n", wrong[i]);
        EXPECT(MPI_T_ERR_INVALID_INDEX,
               MPI_T_cvar_get_info(wrong[i], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    }
    return 0;
}

/* CVAR-02b · recommended · 15.3.6
 * Each index from 0 to N-1 has information. */
CHECK(CVAR_02b) {
    int n, refused = 0, first = -1;
    begin();
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++)
        if ((MPI_T_cvar_get_info)(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL) != MPI_SUCCESS && !refused++)
            first = i;
    if (refused) {
        MPI_T_cvar_get_info(first, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        FAIL("%d of %d indices are refused, the first one is %d", refused, n, first);
    }
    return 0;
}

/* CVAR-03 · required · 15.3.6
 * What is said about a control variable stays the same over MPI_Init and MPI_Finalize. */
CHECK(CVAR_03) {
    static struct cvar first[4096], now;
    int level, n = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    for (struct cvar v = {.index = -1}; n < 4096 && next_cvar(&v);) first[n++] = v;
    for (int phase = 0; phase < 2; phase++) {
        phase == 0 ? MPI_Init(NULL, NULL) : MPI_Finalize();
        for (int i = 0; i < n; i++) {
            now.index = first[i].index - 1;
            if (!next_cvar(&now) || now.index != first[i].index) continue;
            if (strcmp(now.name, first[i].name) != 0) FAIL("its name was %s", first[i].name);
            if (strcmp(now.description, first[i].description) != 0)
                FAIL("its description was %s", first[i].description);
            if (now.type != first[i].type || now.items != first[i].items) FAIL("it had another type");
            if (now.scope != first[i].scope) FAIL("its scope was %d, and is %d", first[i].scope, now.scope);
            if (now.bind != first[i].bind) FAIL("it was bound to %d, and is to %d", first[i].bind, now.bind);
            if (now.verbosity != first[i].verbosity) FAIL("it had another verbosity level");
        }
    }
    return 0;
}

/* CVAR-04 · required · 15.3.6
 * A null pointer for an output of MPI_T_cvar_get_info leaves this output out, and the others come. */
CHECK_EACH(CVAR_04, cvar, NULL) {
    int level, bind, scope;
    MPI_Datatype type;
    MPI_T_enum items;
    const int i = v->index;
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, &level, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, NULL, &type, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &bind, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &scope));
    if (level != v->verbosity || type != v->type || items != v->items || bind != v->bind || scope != v->scope)
        FAIL("an output differs from that of a call for all");
    return 0;
}

/* CVAR-05 · required · 15.3.6
 * Two control variables have different names. */
CHECK(CVAR_05) {
    static char names[8192][512];
    int n = 0;
    begin();
    for (struct cvar v = {.index = -1}; n < 8192 && next_cvar(&v); n++) {
        snprintf(names[n], sizeof names[n], "%s", v.name);
        for (int i = 0; i < n; i++)
            if (strcmp(names[i], v.name) == 0) FAIL("another one has this name");
    }
    return 0;
}

/* CVAR-06 · required · 15.3.6
 * The scope of a control variable is one of the seven of the standard. */
CHECK_EACH(CVAR_06, cvar, NULL) {
    if (v->scope != MPI_T_SCOPE_CONSTANT && v->scope != MPI_T_SCOPE_READONLY && v->scope != MPI_T_SCOPE_LOCAL &&
        v->scope != MPI_T_SCOPE_GROUP && v->scope != MPI_T_SCOPE_GROUP_EQ && v->scope != MPI_T_SCOPE_ALL &&
        v->scope != MPI_T_SCOPE_ALL_EQ)
        FAIL("its scope is %d", v->scope);
    return 0;
}

/* CVAR-07 · required · 15.3.6
 * A control variable of a scope of several processes has a description, which says which processes must set it. */
CHECK_EACH(CVAR_07, cvar, NULL) {
    if (v->description[0] == '\0' && (v->scope == MPI_T_SCOPE_GROUP || v->scope == MPI_T_SCOPE_GROUP_EQ ||
                                      v->scope == MPI_T_SCOPE_ALL || v->scope == MPI_T_SCOPE_ALL_EQ))
        FAIL("its scope is %d, and it has no description", v->scope);
    return 0;
}

/* CVAR-08 · required · 15.3.6 · processes
 * Control variables of one name in two processes have the same description, verbosity level, type, enumeration, binding
 * and scope. */
CHECK(CVAR_08) {
    int rank, n, index, length;
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    MPI_T_cvar_get_num(&n);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        struct cvar v = {.index = i - 1}, w;
        char mine[MPI_MAX_OBJECT_NAME] = "", theirs[MPI_MAX_OBJECT_NAME] = "";
        if (rank == 0 && next_cvar(&v)) MPI_Type_get_name(v.type, theirs, &length);
        MPI_Bcast(&v, sizeof v, MPI_BYTE, 0, MPI_COMM_WORLD);
        MPI_Bcast(theirs, sizeof theirs, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0 || MPI_T_cvar_get_index(v.name, &index) != MPI_SUCCESS) continue;
        w.index = index - 1;
        if (!next_cvar(&w) || w.index != index) continue;
        MPI_Type_get_name(w.type, mine, &length);
        if (strcmp(w.description, v.description) != 0 || strcmp(mine, theirs) != 0 || w.verbosity != v.verbosity ||
            w.bind != v.bind || w.scope != v.scope || (w.items == MPI_T_ENUM_NULL) != (v.items == MPI_T_ENUM_NULL))
            FAIL("rank %d describes it in another way than rank 0", rank);
    }
    return 0;
}

/* CVAR-09 · required · 15.3.6
 * MPI_T_cvar_get_index returns the index of each name. */
CHECK_EACH(CVAR_09, cvar, NULL) {
    int index;
    EXPECT(MPI_SUCCESS, MPI_T_cvar_get_index(v->name, &index));
    if (index != v->index) FAIL("the index of its name is %d", index);
    return 0;
}

/* CVAR-10 · required · 15.3.6
 * A name that no control variable has is answered with MPI_T_ERR_INVALID_NAME. */
CHECK(CVAR_10) {
    int index;
    begin();
    EXPECT(MPI_T_ERR_INVALID_NAME, MPI_T_cvar_get_index("no control variable has this name", &index));
    EXPECT(MPI_T_ERR_INVALID_NAME, MPI_T_cvar_get_index("", &index));
    return 0;
}

/* CVAR-11 · required · 15.3.6
 * A handle of a control variable comes with the number of its elements. */
CHECK_EACH(CVAR_11, cvar, "no control variable gives a handle") {
    int count;
    MPI_T_cvar_handle handle;
    count = -77;
    if (!cvar_handle(v, &handle, &count)) return NOTHING;
    if (count < 0) FAIL("it has %d elements", count);
    if (handle == MPI_T_CVAR_HANDLE_NULL) FAIL("the handle is MPI_T_CVAR_HANDLE_NULL");
    return 0;
}

/* CVAR-12 · required · 15.3.10
 * MPI_T_cvar_handle_alloc answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(CVAR_12) {
    int n, count;
    MPI_T_cvar_handle handle;
    begin();
    MPI_T_cvar_get_num(&n);
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_handle_alloc(-1, NULL, &handle, &count));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_handle_alloc(n, NULL, &handle, &count));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_cvar_handle_alloc(INT_MAX, NULL, &handle, &count));
    return 0;
}

/* CVAR-13 · required · 15.3.6
 * Two handles of a control variable with the same object read the same value. */
CHECK_EACH(CVAR_13, cvar, NULL) {
    static char one[1 << 16], other[1 << 16];
    MPI_T_cvar_handle first, second;
    int count, again;
    if (!cvar_handle(v, &first, &count) || !cvar_handle(v, &second, &again)) return 0;
    if (count != again) FAIL("one handle has %d elements, the other one %d", count, again);
    if (bytes_of(count, v->type) > (int)sizeof one || MPI_T_cvar_read(first, one) != MPI_SUCCESS) return 0;
    if (MPI_T_cvar_read(second, other) != MPI_SUCCESS) FAIL("only one of two handles can be read");
    if (v->type == MPI_CHAR ? strcmp(one, other) != 0 : memcmp(one, other, (size_t)bytes_of(count, v->type)) != 0)
        FAIL("two handles read different values");
    MPI_T_cvar_handle_free(&first), MPI_T_cvar_handle_free(&second);
    return 0;
}

/* CVAR-14 · required · 15.3.6
 * MPI_T_cvar_handle_free sets the handle to MPI_T_CVAR_HANDLE_NULL. */
CHECK_EACH(CVAR_14, cvar, "no control variable gives a handle") {
    int count;
    MPI_T_cvar_handle handle;
    if (!cvar_handle(v, &handle, &count)) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_free(&handle));
    DO("CALL(handle == MPI_T_CVAR_HANDLE_NULL)");
    if (handle != MPI_T_CVAR_HANDLE_NULL) FAIL("the handle is not MPI_T_CVAR_HANDLE_NULL");
    return 0;
}

/* CVAR-15 · required · 15.3.10
 * MPI_T_CVAR_HANDLE_NULL is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(CVAR_15) {
    int value[4] = {0};
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    begin();
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_write(handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle_free(&handle));
    return 0;
}

/* CVAR-15b · recommended · 15.3.10
 * A handle that was freed is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(CVAR_15b) {
    int count;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle, freed;
        if (!cvar_handle(&v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        freed = handle, DO("freed = handle");
        EXPECT(MPI_SUCCESS, MPI_T_cvar_handle_free(&handle));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_read(freed, value));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_cvar_handle_free(&freed));
        return 0;
    }
    SKIP("no control variable gives a handle");
}

/* CVAR-15c · open · 15.3.10
 * The answer to an address that was never a handle. */
CHECK(CVAR_15c) {
    static int value[1024];
    int code;
    MPI_T_cvar_handle junk;
    begin();
    *(void**)&junk = (void*)16, DO("*(void**)&junk = (void*)16");
    code = MPI_T_cvar_read(junk, value);
    OPEN("MPI_T_cvar_read() returned %d", code);
}

/* CVAR-16 · required · 15.3.6
 * MPI_T_cvar_read stores as many elements as the handle has, and nothing behind them. */
CHECK_EACH(CVAR_16, cvar, NULL) {
    static char value[1 << 17];
    int count;
    MPI_T_cvar_handle handle;
    int bytes;
    if (!cvar_handle(v, &handle, &count) || (bytes = bytes_of(count, v->type)) > 1 << 16) return 0;
    memset(value, 'Z', sizeof value);
    if (MPI_T_cvar_read(handle, value) != MPI_SUCCESS) return 0;
    for (int i = bytes; i < (int)sizeof value; i++)
        if (value[i] != 'Z' && DO("CALL(value[%d])", i)) FAIL("it has %d bytes, and byte %d was written", bytes, i);
    MPI_T_cvar_handle_free(&handle);
    return 0;
}

/* CVAR-16b · required · 15.3.6
 * MPI_T_cvar_read stores all elements of a number. */
CHECK_EACH(CVAR_16b, cvar, NULL) {
    static char one[1 << 16], other[1 << 16];
    int count;
    MPI_T_cvar_handle handle;
    int bytes;
    if (v->type == MPI_CHAR || !cvar_handle(v, &handle, &count)) return 0;
    if ((bytes = bytes_of(count, v->type)) > (int)sizeof one) return 0;
    memset(one, 'Z', sizeof one), memset(other, 'Y', sizeof other);
    if (MPI_T_cvar_read(handle, one) != MPI_SUCCESS || MPI_T_cvar_read(handle, other) != MPI_SUCCESS) return 0;
    for (int i = 0; i < bytes; i++)
        if (one[i] == 'Z' && other[i] == 'Y') FAIL("it has %d bytes, and byte %d was not written", bytes, i);
    return 0;
}

/* CVAR-16c · recommended · 15.3.6
 * A control variable that gives a handle can be read. */
CHECK_EACH(CVAR_16c, cvar, "no control variable gives a handle") {
    int count;
    MPI_T_cvar_handle handle;
    if (!cvar_handle(v, &handle, &count) || bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_cvar_read(handle, value));
    MPI_T_cvar_handle_free(&handle);
    return 0;
}

/* CVAR-17 · required · 15.3.6
 * The value of a control variable of the scope MPI_T_SCOPE_CONSTANT does not change. */
CHECK_EACH(CVAR_17, cvar, "no control variable is constant") {
    int count;
    static char one[1 << 16], other[1 << 16];
    MPI_T_cvar_handle handle;
    if (v->scope != MPI_T_SCOPE_CONSTANT || !cvar_handle(v, &handle, &count)) return NOTHING;
    if (bytes_of(count, v->type) > (int)sizeof one || MPI_T_cvar_read(handle, one) != MPI_SUCCESS) return NOTHING;
    traffic();
    MPI_T_cvar_read(handle, other);
    if (v->type == MPI_CHAR ? strcmp(one, other) != 0 : memcmp(one, other, (size_t)bytes_of(count, v->type)) != 0)
        FAIL("its value changed");
    return 0;
}

/* CVAR-18 · required · 15.3.6
 * A value that MPI_T_cvar_write has set is read by the next MPI_T_cvar_read, also with another handle. */
CHECK(CVAR_18) {
    int found = 0;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle one, other;
        int count, before[64], now[64];
        if (v.type != MPI_INT || !cvar_handle(&v, &one, &count) || !cvar_handle(&v, &other, &count)) continue;
        if (count != 1 || MPI_T_cvar_read(one, before) != MPI_SUCCESS) continue;
        for (int value = 0; value < 2; value++) {
            DO("*(int*)value = %d", value);
            if (MPI_T_cvar_write(one, &value) != MPI_SUCCESS) continue;
            found = 1;
            EXPECT(MPI_SUCCESS, MPI_T_cvar_read(other, now));
            if (now[0] != value) FAIL("%d was written, and %d is read", value, now[0]);
        }
        MPI_T_cvar_write(one, before);
    }
    if (!found) SKIP("no control variable of the type MPI_INT can be written");
    return 0;
}

/* CVAR-18b · required · 15.3.6
 * A text that MPI_T_cvar_write has set is read by the next MPI_T_cvar_read. */
CHECK_EACH(CVAR_18b, cvar, "no text can be written") {
    static char before[1 << 16], now[1 << 16];
    int count;
    MPI_T_cvar_handle handle;
    if (v->type != MPI_CHAR || !cvar_handle(v, &handle, &count) || count < 8 || count > (int)sizeof now) return NOTHING;
    char* value = strcpy(calloc((size_t)count, 1), "check");
    DO("strcpy(value, \"check\")");
    if (MPI_T_cvar_read(handle, before) != MPI_SUCCESS || MPI_T_cvar_write(handle, value) != MPI_SUCCESS)
        return NOTHING;
    if (MPI_T_cvar_read(handle, now) != MPI_SUCCESS || strcmp(now, "check") != 0)
        FAIL("\"check\" was written, and \"%.60s\" is read", now);
    MPI_T_cvar_write(handle, before);
    return 0;
}

/* CVAR-19 · required · 15.3.6
 * A write to a control variable that never changes is answered with MPI_T_ERR_CVAR_SET_NEVER. */
CHECK_EACH(CVAR_19, cvar, "no control variable is constant") {
    int count;
    MPI_T_cvar_handle handle;
    if (v->scope != MPI_T_SCOPE_CONSTANT || !cvar_handle(v, &handle, &count)) return NOTHING;
    if (bytes_of(count, v->type) > (int)sizeof value || MPI_T_cvar_read(handle, value) != MPI_SUCCESS) return NOTHING;
    EXPECT(MPI_T_ERR_CVAR_SET_NEVER, MPI_T_cvar_write(handle, value));
    return 0;
}

/* CVAR-20 · required · 15.3.6
 * A write that is refused is answered with MPI_T_ERR_CVAR_SET_NOT_NOW, MPI_T_ERR_CVAR_SET_NEVER or MPI_T_ERR_INVALID, and
 * the value stays. */
CHECK_EACH(CVAR_20, cvar, NULL) {
    static char one[1 << 16], other[1 << 16];
    MPI_T_cvar_handle handle;
    int count, code;
    if (!cvar_handle(v, &handle, &count) || bytes_of(count, v->type) > (int)sizeof one) return 0;
    if (MPI_T_cvar_read(handle, one) != MPI_SUCCESS) return 0;
    code = MPI_T_cvar_write(handle, one);
    if (code != MPI_SUCCESS && code != MPI_T_ERR_CVAR_SET_NOT_NOW && code != MPI_T_ERR_CVAR_SET_NEVER &&
        code != MPI_T_ERR_INVALID)
        FAIL("MPI_T_cvar_write() of its own value returned %d", code);
    if (code == MPI_SUCCESS || MPI_T_cvar_read(handle, other) != MPI_SUCCESS) return 0;
    if (v->type == MPI_CHAR ? strcmp(one, other) != 0 : memcmp(one, other, (size_t)bytes_of(count, v->type)) != 0)
        FAIL("its value changed");
    return 0;
}

/* CVAR-21 · open · 15.3.6
 * The answer to a write to a control variable of the scope MPI_T_SCOPE_READONLY. */
CHECK(CVAR_21) {
    int code, count;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle;
        if (v.scope != MPI_T_SCOPE_READONLY || !cvar_handle(&v, &handle, &count)) continue;
        if (bytes_of(count, v.type) > (int)sizeof value || MPI_T_cvar_read(handle, value) != MPI_SUCCESS) continue;
        code = MPI_T_cvar_write(handle, value);
        OPEN("MPI_T_cvar_write() to %s returned %d", v.name, code);
    }
    SKIP("no control variable is read-only");
}

/* CVAR-21b · required · 15.3.6
 * A control variable of the scope MPI_T_SCOPE_CONSTANT or MPI_T_SCOPE_READONLY cannot be written. */
CHECK_EACH(CVAR_21b, cvar, "every control variable can be written") {
    int count;
    MPI_T_cvar_handle handle;
    if (v->scope != MPI_T_SCOPE_READONLY && v->scope != MPI_T_SCOPE_CONSTANT) return NOTHING;
    if (!cvar_handle(v, &handle, &count) || bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    if (MPI_T_cvar_read(handle, value) != MPI_SUCCESS) return NOTHING;
    if (MPI_T_cvar_write(handle, value) == MPI_SUCCESS) FAIL("MPI_T_cvar_write() returned MPI_SUCCESS");
    return 0;
}

/* CVAR-23 · required · 15.3.6 · processes
 * MPI_T_cvar_write waits for no other process, also if the scope demands that all processes set the value. */
CHECK(CVAR_23) {
    int rank, done = 0;
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    for (struct cvar v = {.index = -1}; rank == 0 && next_cvar(&v);) {
        static char value[1 << 16];
        MPI_T_cvar_handle handle;
        int count;
        if (!cvar_handle(&v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        if (MPI_T_cvar_read(handle, value) == MPI_SUCCESS) MPI_T_cvar_write(handle, value);
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return 0;
}

/* CVAR-25 · recommended · 15.3.5
 * A write to a text reads the caller's characters up to the null alone. */
CHECK_EACH(CVAR_25, cvar, NULL) {
    MPI_T_cvar_handle handle;
    int count;
    char* text;
    if (v->type != MPI_CHAR || !cvar_handle(v, &handle, &count) || count < 2) return 0;
    text = malloc((size_t)count + 65536);
    if (MPI_T_cvar_read(handle, text) != MPI_SUCCESS) return 0;
    memset(text + strlen(text) + 1, 'Z', (size_t)count + 65535 - strlen(text));
    char* before = strdup(text);
    if (MPI_T_cvar_write(handle, text) != MPI_SUCCESS) return 0;
    MPI_T_cvar_read(handle, text);
    if (strcmp(before, text) != 0) FAIL("the text became \"%.60s\"", text);
    return 0;
}

/* CVAR-26 · open · 15.3.10
 * The answer to a null pointer in place of the value. */
CHECK(CVAR_26) {
    int count, code;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        MPI_T_cvar_handle handle;
        if (!cvar_handle(&v, &handle, &count)) continue;
        code = MPI_T_cvar_read(handle, NULL);
        OPEN("MPI_T_cvar_read(NULL) returned %d", code);
    }
    SKIP("no control variable gives a handle");
}

/* CVAR-26b · open · 15.3.10
 * The answer to a null pointer in place of the number. */
CHECK(CVAR_26b) {
    int code;
    begin();
    code = MPI_T_cvar_get_num(NULL);
    OPEN("MPI_T_cvar_get_num(NULL) returned %d", code);
}

/* CVAR-26c · open · 15.3.10
 * The answer to a null pointer in place of the handle. */
CHECK(CVAR_26c) {
    int code, count;
    begin();
    for (struct cvar v = {.index = -1}; next_cvar(&v);) {
        if (v.bind != MPI_T_BIND_NO_OBJECT) continue;
        code = MPI_T_cvar_handle_alloc(v.index, NULL, NULL, &count);
        OPEN("MPI_T_cvar_handle_alloc() returned %d", code);
    }
    SKIP("there is no control variable without an object");
}
