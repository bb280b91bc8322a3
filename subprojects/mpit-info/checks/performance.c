/* Checks of performance variables, their sessions and handles. */
#include "checks.h"

static int is_sum(const struct pvar* v) {
    return v->class == MPI_T_PVAR_CLASS_COUNTER || v->class == MPI_T_PVAR_CLASS_AGGREGATE ||
           v->class == MPI_T_PVAR_CLASS_TIMER;
}

/* PVAR-01 · required · 15.3.7
 * The number of performance variables does not shrink. */
CHECK(PVAR_01) {
    int level, before, after;
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&before));
    MPI_Init(NULL, NULL);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&after));
    if (before < 0 || after < before) FAIL("there are %d before MPI_Init, and %d after", before, after);
    MPI_Finalize();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&before));
    if (before < after) FAIL("there are %d before MPI_Finalize, and %d after", after, before);
    return 0;
}

/* PVAR-02 · required · 15.3.10
 * MPI_T_pvar_get_info answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(PVAR_02) {
    int n;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_num(&n));
    const int wrong[] = {-1, n, INT_MAX, INT_MIN};
    for (int i = 0; i < 4; i++) {
        printf("at performance variable %d\n", wrong[i]);
        EXPECT(MPI_T_ERR_INVALID_INDEX,
               MPI_T_pvar_get_info(wrong[i], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    }
    return 0;
}

/* PVAR-02b · recommended · 15.3.7
 * Each index from 0 to N-1 has information. */
CHECK(PVAR_02b) {
    int n, refused = 0, first = -1;
    begin();
    MPI_T_pvar_get_num(&n);
    for (int i = 0; i < n; i++)
        if ((MPI_T_pvar_get_info)(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != MPI_SUCCESS && !refused++) first = i;
    if (refused) {
        MPI_T_pvar_get_info(first, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        FAIL("%d of %d indices are refused, the first one is %d", refused, n, first);
    }
    return 0;
}

/* PVAR-03 · required · 15.3.7
 * What is said about a performance variable stays the same over MPI_Init and MPI_Finalize. */
CHECK(PVAR_03) {
    static struct pvar first[2048], now;
    int level, n = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    for (struct pvar v = {.index = -1}; n < 2048 && next_pvar(&v);) first[n++] = v;
    for (int phase = 0; phase < 2; phase++) {
        phase == 0 ? MPI_Init(NULL, NULL) : MPI_Finalize();
        for (int i = 0; i < n; i++) {
            const struct pvar* old = &first[i];
            now.index = old->index - 1;
            if (!next_pvar(&now) || now.index != old->index) continue;
            if (strcmp(now.name, old->name) != 0) FAIL("its name was %s", old->name);
            if (strcmp(now.description, old->description) != 0) FAIL("its description was %s", old->description);
            if (now.class != old->class || now.type != old->type) FAIL("it had another class or type");
            if (now.bind != old->bind || now.verbosity != old->verbosity) FAIL("it had another binding or level");
            if (now.readonly != old->readonly || now.continuous != old->continuous || now.atomic != old->atomic)
                FAIL("it had other flags");
        }
    }
    return 0;
}

/* PVAR-04 · required · 15.3.7
 * A null pointer for an output of MPI_T_pvar_get_info leaves this output out, and the others come. */
CHECK_EACH(PVAR_04, pvar, NULL) {
    int n[6];
    MPI_Datatype type;
    const int i = v->index;
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, &n[0], 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, &n[1], 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, &type, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, &n[2], 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, &n[3], 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &n[4], 0));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &n[5]));
    if (n[0] != v->verbosity || n[1] != v->class || type != v->type || n[2] != v->bind || n[3] != v->readonly ||
        n[4] != v->continuous || n[5] != v->atomic)
        FAIL("an output differs from that of a call for all");
    return 0;
}

/* PVAR-05 · required · 15.3.7
 * Two performance variables differ in name or class. */
CHECK(PVAR_05) {
    static struct pvar seen[2048];
    int n = 0;
    begin();
    for (struct pvar v = {.index = -1}; n < 2048 && next_pvar(&v); seen[n++] = v)
        for (int i = 0; i < n; i++)
            if (seen[i].class == v.class && strcmp(seen[i].name, v.name) == 0)
                FAIL("performance variable %d has this name and class, too", seen[i].index);
    return 0;
}

/* PVAR-06 · required · 15.3.7
 * MPI_T_pvar_get_index returns the index of each name and class. */
CHECK_EACH(PVAR_06, pvar, NULL) {
    int index;
    EXPECT(MPI_SUCCESS, MPI_T_pvar_get_index(v->name, v->class, &index));
    if (index != v->index) FAIL("the index of its name and class is %d", index);
    return 0;
}

/* PVAR-07 · required · 15.3.7
 * A name that no performance variable of the class has is answered with MPI_T_ERR_INVALID_NAME. */
CHECK(PVAR_07) {
    int index;
    begin();
    EXPECT(MPI_T_ERR_INVALID_NAME,
           MPI_T_pvar_get_index("no performance variable has this name", MPI_T_PVAR_CLASS_COUNTER, &index));
    return 0;
}

/* PVAR-07b · required · 15.3.7
 * The name of a performance variable with another class is answered with MPI_T_ERR_INVALID_NAME. */
CHECK_EACH(PVAR_07b, pvar, NULL) {
    int index, code;
    const int other = v->class == MPI_T_PVAR_CLASS_GENERIC ? MPI_T_PVAR_CLASS_STATE : MPI_T_PVAR_CLASS_GENERIC;
    code = MPI_T_pvar_get_index(v->name, other, &index);
    if (code == MPI_SUCCESS && index == v->index) FAIL("MPI_T_pvar_get_index() ignores the class");
    if (code != MPI_SUCCESS && code != MPI_T_ERR_INVALID_NAME)
        FAIL("MPI_T_pvar_get_index() with another class returned %d", code);
    return 0;
}

/* PVAR-07c · recommended · 15.3.7
 * A class that does not exist is answered with MPI_T_ERR_INVALID_NAME. */
CHECK(PVAR_07c) {
    int index;
    begin();
    EXPECT(MPI_T_ERR_INVALID_NAME, MPI_T_pvar_get_index("no performance variable has this name", 12345, &index));
    return 0;
}

/* PVAR-08 · required · 15.3.7
 * A read-only performance variable is neither written nor reset; the answer is MPI_T_ERR_PVAR_NO_WRITE. */
CHECK_EACH(PVAR_08, pvar, "no performance variable is read-only") {
    int count;
    MPI_T_pvar_handle handle;
    if (!v->readonly || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    EXPECT(MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_write(session, handle, value));
    EXPECT(MPI_T_ERR_PVAR_NO_WRITE, MPI_T_pvar_reset(session, handle));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* PVAR-09 · required · 15.3.7
 * A continuous performance variable is neither started nor stopped; the answer is MPI_T_ERR_PVAR_NO_STARTSTOP. */
CHECK_EACH(PVAR_09, pvar, "no performance variable is continuous") {
    int count;
    MPI_T_pvar_handle handle;
    if (!v->continuous || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    EXPECT(MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_pvar_start(session, handle));
    EXPECT(MPI_T_ERR_PVAR_NO_STARTSTOP, MPI_T_pvar_stop(session, handle));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* PVAR-09b · required · 15.3.7
 * A performance variable that is not continuous can be started and stopped. */
CHECK_EACH(PVAR_09b, pvar, "every performance variable is continuous") {
    int count;
    MPI_T_pvar_handle handle;
    if (v->continuous || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, handle));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_stop(session, handle));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &handle));
    return 0;
}

/* PVAR-10 · required · 15.3.7
 * A performance variable that is not atomic answers MPI_T_pvar_readreset with MPI_T_ERR_PVAR_NO_ATOMIC. */
CHECK_EACH(PVAR_10, pvar, "every performance variable is atomic") {
    int code, count;
    MPI_T_pvar_handle handle;
    if (v->atomic || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    if (bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    code = MPI_T_pvar_readreset(session, handle, value);
    if (code != MPI_T_ERR_PVAR_NO_ATOMIC && !(v->readonly && code == MPI_T_ERR_PVAR_NO_WRITE))
        FAIL("MPI_T_pvar_readreset() returned %d, not %d, MPI_T_ERR_PVAR_NO_ATOMIC", code, MPI_T_ERR_PVAR_NO_ATOMIC);
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* PVAR-10b · required · 15.3.7
 * An atomic performance variable can be read and reset at once. */
CHECK_EACH(PVAR_10b, pvar, "no performance variable is atomic") {
    int count;
    MPI_T_pvar_handle handle;
    if (!v->atomic || v->readonly || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    if (bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_readreset(session, handle, value));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* PVAR-11 · required · 15.3.7 · processes
 * Performance variables of one name and class in two processes have the same description, verbosity level, type, binding
 * and flags. */
CHECK(PVAR_11) {
    int rank, n, index, length;
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    MPI_T_pvar_get_num(&n);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        struct pvar v = {.index = i - 1}, w;
        char mine[MPI_MAX_OBJECT_NAME] = "", theirs[MPI_MAX_OBJECT_NAME] = "";
        if (rank == 0 && next_pvar(&v)) MPI_Type_get_name(v.type, theirs, &length);
        MPI_Bcast(&v, sizeof v, MPI_BYTE, 0, MPI_COMM_WORLD);
        MPI_Bcast(theirs, sizeof theirs, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0 || MPI_T_pvar_get_index(v.name, v.class, &index) != MPI_SUCCESS) continue;
        w.index = index - 1;
        if (!next_pvar(&w) || w.index != index) continue;
        MPI_Type_get_name(w.type, mine, &length);
        if (strcmp(w.description, v.description) != 0 || strcmp(mine, theirs) != 0 || w.verbosity != v.verbosity ||
            w.bind != v.bind || w.readonly != v.readonly || w.continuous != v.continuous || w.atomic != v.atomic)
            FAIL("rank %d describes it in another way than rank 0", rank);
    }
    return 0;
}

/* PCLASS-01 · required · 15.3.7
 * The class of a performance variable is one of the ten of the standard. */
CHECK_EACH(PCLASS_01, pvar, NULL) {
    if (v->class != MPI_T_PVAR_CLASS_STATE && v->class != MPI_T_PVAR_CLASS_LEVEL && v->class != MPI_T_PVAR_CLASS_SIZE &&
        v->class != MPI_T_PVAR_CLASS_PERCENTAGE && v->class != MPI_T_PVAR_CLASS_HIGHWATERMARK &&
        v->class != MPI_T_PVAR_CLASS_LOWWATERMARK && v->class != MPI_T_PVAR_CLASS_COUNTER &&
        v->class != MPI_T_PVAR_CLASS_AGGREGATE && v->class != MPI_T_PVAR_CLASS_TIMER &&
        v->class != MPI_T_PVAR_CLASS_GENERIC)
        FAIL("its class is %d", v->class);
    return 0;
}

/* PCLASS-02 · required · 15.3.7
 * A performance variable of the class MPI_T_PVAR_CLASS_STATE has the type MPI_INT. */
CHECK_EACH(PCLASS_02, pvar, "no performance variable has this class") {
    if (v->class != MPI_T_PVAR_CLASS_STATE) return NOTHING;
    if (v->type != MPI_INT) FAIL("its type is not MPI_INT");
    return 0;
}

/* PCLASS-03 · required · 15.3.7
 * A level, size or watermark has the type MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG or MPI_DOUBLE. */
static int has_wrong_type(const struct pvar* v, int is_double_allowed) {
    int length;
    char name[MPI_MAX_OBJECT_NAME] = "";
    if (v->type == MPI_UNSIGNED || v->type == MPI_UNSIGNED_LONG || v->type == MPI_UNSIGNED_LONG_LONG ||
        (is_double_allowed && v->type == MPI_DOUBLE))
        return 0;
    MPI_Type_get_name(v->type, name, &length);
    FAIL("its type is %s", name);
}
CHECK_EACH(PCLASS_03, pvar, "no performance variable has such a class") {
    if (v->class != MPI_T_PVAR_CLASS_LEVEL && v->class != MPI_T_PVAR_CLASS_SIZE &&
        v->class != MPI_T_PVAR_CLASS_HIGHWATERMARK && v->class != MPI_T_PVAR_CLASS_LOWWATERMARK)
        return NOTHING;
    return has_wrong_type(v, 1);
}

/* PCLASS-05 · required · 15.3.7
 * A percentage has the type MPI_DOUBLE, and a value from 0.0 to 1.0. */
CHECK_EACH(PCLASS_05, pvar, "no performance variable is a percentage") {
    int count;
    MPI_T_pvar_handle handle;
    static double value[4096];
    if (v->class != MPI_T_PVAR_CLASS_PERCENTAGE) return NOTHING;
    if (v->type != MPI_DOUBLE) FAIL("its type is not MPI_DOUBLE");
    if (!pvar_handle(session, v, &handle, &count) || count > 4096) return 0;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    traffic();
    if (MPI_T_pvar_read(session, handle, value) != MPI_SUCCESS) return 0;
    for (int i = 0; i < count; i++)
        if (!(value[i] >= 0 && value[i] <= 1)) FAIL("its value is %g", value[i]);
    return 0;
}

/* PCLASS-06 · required · 15.3.7
 * A high watermark does not fall, and a low watermark does not rise, while the handle is not reset. */
CHECK_EACH(PCLASS_06, pvar, "no watermark can be read") {
    int count;
    MPI_T_pvar_handle handle;
    char value[2][64] = {{0}};
    double before, after;
    if (v->class != MPI_T_PVAR_CLASS_HIGHWATERMARK && v->class != MPI_T_PVAR_CLASS_LOWWATERMARK) return NOTHING;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    if (MPI_T_pvar_read(session, handle, value[0]) != MPI_SUCCESS) return NOTHING;
    traffic();
    MPI_T_pvar_read(session, handle, value[1]);
    before = number(v->type, value[0]), after = number(v->type, value[1]);
    if (v->class == MPI_T_PVAR_CLASS_HIGHWATERMARK ? after < before : after > before)
        FAIL("it went from %g to %g", before, after);
    return 0;
}

/* PCLASS-10 · required · 15.3.7
 * A counter has the type MPI_UNSIGNED, MPI_UNSIGNED_LONG or MPI_UNSIGNED_LONG_LONG. */
CHECK_EACH(PCLASS_10, pvar, "no performance variable is a counter") {
    return v->class == MPI_T_PVAR_CLASS_COUNTER ? has_wrong_type(v, 0) : NOTHING;
}

/* PCLASS-11 · required · 15.3.7
 * An aggregate or a timer has the type MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG or MPI_DOUBLE. */
CHECK_EACH(PCLASS_11, pvar, "no performance variable is an aggregate or a timer") {
    if (v->class != MPI_T_PVAR_CLASS_AGGREGATE && v->class != MPI_T_PVAR_CLASS_TIMER) return NOTHING;
    return has_wrong_type(v, 1);
}

/* PCLASS-10b · required · 15.3.7
 * A counter, aggregate or timer begins at 0 when its handle is allocated. */
CHECK_EACH(PCLASS_10b, pvar, "no such variable can be read before its start") {
    int count;
    MPI_T_pvar_handle handle;
    char value[64] = {0};
    if (!is_sum(v) || v->continuous) return NOTHING;
    traffic();
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    if (MPI_T_pvar_read(session, handle, value) != MPI_SUCCESS) return NOTHING;
    if (number(v->type, value) > 0) FAIL("the value of a handle that was not started is %g", number(v->type, value));
    return 0;
}

/* PCLASS-10c · required · 15.3.7
 * After MPI_T_pvar_reset a stopped counter, aggregate or timer is 0. */
CHECK_EACH(PCLASS_10c, pvar, "no such variable can be started and reset") {
    int count;
    MPI_T_pvar_handle handle;
    char value[64] = {0};
    if (!is_sum(v) || v->continuous || v->readonly) return NOTHING;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    MPI_T_pvar_start(session, handle);
    traffic();
    MPI_T_pvar_stop(session, handle);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_reset(session, handle));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value));
    if (number(v->type, value) > 0) FAIL("after the reset it is %g", number(v->type, value));
    return 0;
}

/* SESS-01 · required · 15.3.7
 * Each session differs from the others. */
CHECK(SESS_01) {
    MPI_T_pvar_session a, b, c;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&a));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&b));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&c));
    DO("CALL(a == b || b == c || a == c)");
    if (a == b || b == c || a == c) FAIL("two of three sessions are the same");
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&b));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&a));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&c));
    return 0;
}

/* SESS-02 · required · 15.3.7
 * What a tool does to a performance variable in one session changes nothing in another session. */
static int reset_changes_another(MPI_T_pvar_session one, MPI_T_pvar_session other, struct pvar* v) {
    int count;
    MPI_T_pvar_handle a, b;
    char value[2][64] = {{0}};
    if (v->continuous || !is_sum(v)) return NOTHING;
    if (!pvar_handle(one, v, &a, &count) || !pvar_handle(other, v, &b, &count)) return NOTHING;
    if (bytes_of(count, v->type) > 64 || MPI_T_pvar_start(one, a) || MPI_T_pvar_start(other, b)) return NOTHING;
    traffic();
    MPI_T_pvar_stop(one, a);
    MPI_T_pvar_read(one, a, value[0]);
    MPI_T_pvar_stop(other, b), MPI_T_pvar_reset(other, b);
    MPI_T_pvar_read(one, a, value[1]);
    return memcmp(value[0], value[1], 64) != 0;
}
CHECK_EACH(SESS_02, pvar, "no counter, aggregate or timer can be started and stopped") {
    int result;
    MPI_T_pvar_session other;
    MPI_T_pvar_session_create(&other);
    DO("one = session");
    result = reset_changes_another(session, other, v);
    MPI_T_pvar_session_free(&other);
    if (result == 1) FAIL("a reset in one session changes the value in another session");
    return result;
}

/* SESS-03 · recommended · 15.3.7
 * Two handles of a variable in one session are independent of each other. */
CHECK_EACH(SESS_03, pvar, "no counter, aggregate or timer can be started and stopped") {
    DO("one = session, other = session");
    const int result = reset_changes_another(session, session, v);
    if (result == 1) FAIL("a reset of one handle changes the value of another handle");
    return result;
}

/* SESS-04 · required · 15.3.7
 * MPI_T_pvar_session_free sets the session to MPI_T_PVAR_SESSION_NULL. */
CHECK(SESS_04) {
    MPI_T_pvar_session session;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&session));
    DO("CALL(session == MPI_T_PVAR_SESSION_NULL)");
    if (session != MPI_T_PVAR_SESSION_NULL) FAIL("the session is not MPI_T_PVAR_SESSION_NULL");
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&session));
    return 0;
}

/* SESS-04b · recommended · 15.3.7
 * A session that was freed is answered with MPI_T_ERR_INVALID_SESSION. */
CHECK(SESS_04b) {
    MPI_T_pvar_session session, freed;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    freed = session, DO("freed = session");
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&session));
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_start(freed, MPI_T_PVAR_ALL_HANDLES));
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_session_free(&freed));
    return 0;
}

/* SESS-05 · recommended · 15.3.7
 * MPI_T_pvar_session_free releases the handles of the session. */
CHECK(SESS_05) {
    int count, n = 0;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    begin();
    for (int i = 0; i < 3; i++) {
        EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
        for (struct pvar v = {.index = -1}; next_pvar(&v);) n += pvar_handle(session, &v, &handle, &count);
        EXPECT(MPI_SUCCESS, MPI_T_pvar_session_free(&session));
    }
    traffic();
    if (n == 0) SKIP("no performance variable gives a handle");
    return 0;
}

/* HNDL-01 · required · 15.3.7
 * A handle of each performance variable can be allocated and freed, and comes with the number of its elements. */
CHECK_EACH(HNDL_01, pvar, "no performance variable gives a handle") {
    int count = -77;
    MPI_T_pvar_handle handle;
    if (!pvar_handle(session, v, &handle, &count)) return NOTHING;
    if (handle == MPI_T_PVAR_HANDLE_NULL || count < 0) FAIL("its handle has %d elements", count);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &handle));
    return 0;
}

/* HNDL-01b · required · 15.3.10
 * MPI_T_pvar_handle_alloc answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(HNDL_01b) {
    int n, count;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    MPI_T_pvar_get_num(&n);
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_handle_alloc(session, -1, NULL, &handle, &count));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_handle_alloc(session, n, NULL, &handle, &count));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_pvar_handle_alloc(session, INT_MAX, NULL, &handle, &count));
    return 0;
}

/* HNDL-01c · required · 15.3.10
 * MPI_T_pvar_handle_alloc answers MPI_T_PVAR_SESSION_NULL with MPI_T_ERR_INVALID_SESSION. */
CHECK(HNDL_01c) {
    int n, count;
    MPI_T_pvar_handle handle;
    begin();
    if (MPI_T_pvar_get_num(&n), n == 0) SKIP("there is no performance variable");
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, 0, NULL, &handle, &count));
    return 0;
}

/* HNDL-02 · required · 15.3.7
 * A handle of a variable that is not continuous is stopped at first, and does not follow the variable. */
CHECK_EACH(HNDL_02, pvar, "no variable that can be started is read before its start") {
    int count;
    MPI_T_pvar_handle handle;
    char value[2][64] = {{0}};
    if (v->continuous || !pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    if (MPI_T_pvar_read(session, handle, value[0]) != MPI_SUCCESS) return NOTHING;
    traffic();
    MPI_T_pvar_read(session, handle, value[1]);
    if (memcmp(value[0], value[1], 64) != 0) FAIL("its value changes before MPI_T_pvar_start");
    return 0;
}

/* HNDL-04 · required · 15.3.7
 * MPI_T_pvar_handle_free sets the handle to MPI_T_PVAR_HANDLE_NULL, and leaves other handles of the variable. */
CHECK_EACH(HNDL_04, pvar, "no performance variable gives a handle") {
    int count;
    MPI_T_pvar_handle one, other;
    if (!pvar_handle(session, v, &one, &count) || !pvar_handle(session, v, &other, &count)) return NOTHING;
    if (!v->continuous) EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, other));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &one));
    DO("CALL(one == MPI_T_PVAR_HANDLE_NULL)");
    if (one != MPI_T_PVAR_HANDLE_NULL) FAIL("the handle is not MPI_T_PVAR_HANDLE_NULL");
    if (bytes_of(count, v->type) <= (int)sizeof value) EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, other, value));
    return 0;
}

/* HNDL-05 · required · 15.3.7
 * A handle with a session that is not its own is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK_EACH(HNDL_05, pvar, "no performance variable gives a handle") {
    int count;
    MPI_T_pvar_session other;
    MPI_T_pvar_handle handle;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    MPI_T_pvar_session_create(&other);
    /* With one fault: the order in which an MPI looks for several is its own. */
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(other, handle, value));
    if (!v->continuous) {
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_start(other, handle));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_stop(other, handle));
    }
    if (!v->readonly) {
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_write(other, handle, value));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_reset(other, handle));
    }
    if (v->atomic && !v->readonly) EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_readreset(other, handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(other, &handle));
    return 0;
}

/* HNDL-06 · required · 15.3.10
 * MPI_T_PVAR_HANDLE_NULL is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(HNDL_06) {
    int value[4] = {0};
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_start(session, handle));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_stop(session, handle));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(session, handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_write(session, handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_reset(session, handle));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_readreset(session, handle, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(session, &handle));
    return 0;
}

/* HNDL-06b · required · 15.3.10
 * MPI_T_PVAR_SESSION_NULL is answered with MPI_T_ERR_INVALID_SESSION. */
CHECK_EACH(HNDL_06b, pvar, "no performance variable gives a handle") {
    int count;
    MPI_T_pvar_session null = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle;
    if (!pvar_handle(session, v, &handle, &count)) return NOTHING;
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_read(null, handle, value));
    if (!v->continuous) EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_start(null, handle));
    if (!v->continuous) EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_stop(null, handle));
    if (!v->readonly) EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_reset(null, handle));
    EXPECT(MPI_T_ERR_INVALID_SESSION, MPI_T_pvar_handle_free(null, &handle));
    return 0;
}

/* HNDL-06c · recommended · 15.3.10
 * A handle that was freed is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(HNDL_06c) {
    int count;
    MPI_T_pvar_session session;
    begin();
    MPI_T_pvar_session_create(&session);
    for (struct pvar v = {.index = -1}; next_pvar(&v);) {
        MPI_T_pvar_handle handle, freed;
        if (!pvar_handle(session, &v, &handle, &count) || bytes_of(count, v.type) > (int)sizeof value) continue;
        freed = handle, DO("freed = handle");
        EXPECT(MPI_SUCCESS, MPI_T_pvar_handle_free(session, &handle));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(session, freed, value));
        EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(session, &freed));
        return 0;
    }
    SKIP("no performance variable gives a handle");
}

/* HNDL-06d · open · 15.3.10
 * The answer to addresses that were never a session and a handle. */
CHECK(HNDL_06d) {
    static int value[1024];
    int code;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle junk;
    begin();
    *(void**)&session = (void*)16, *(void**)&junk = (void*)16;
    DO("*(void**)&session = (void*)16, *(void**)&junk = (void*)16");
    code = MPI_T_pvar_read(session, junk, value);
    OPEN("MPI_T_pvar_read() returned %d", code);
}

/* HNDL-07 · recommended · 15.3.7
 * MPI_T_pvar_start succeeds for a handle that runs, and MPI_T_pvar_stop for one that is stopped. */
CHECK_EACH(HNDL_07, pvar, "every performance variable is continuous") {
    int count;
    MPI_T_pvar_handle handle;
    if (v->continuous || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    for (int i = 0; i < 2; i++) EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, handle));
    for (int i = 0; i < 2; i++) EXPECT(MPI_SUCCESS, MPI_T_pvar_stop(session, handle));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* HNDL-08 · required · 15.3.7
 * A handle that is stopped keeps its value, and can be read. */
CHECK_EACH(HNDL_08, pvar, "every performance variable is continuous") {
    int count;
    MPI_T_pvar_handle handle;
    char value[2][64] = {{0}};
    if (v->continuous || !pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    MPI_T_pvar_start(session, handle);
    traffic();
    MPI_T_pvar_stop(session, handle);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value[0]));
    traffic();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value[1]));
    if (memcmp(value[0], value[1], 64) != 0) FAIL("its value changes although it is stopped");
    return 0;
}

/* HNDL-10 · required · 15.3.7
 * MPI_T_pvar_start after MPI_T_pvar_stop goes on from the value: a counter does not become less. */
CHECK_EACH(HNDL_10, pvar, "no counter, aggregate or timer can be started") {
    int count, result = NOTHING;
    MPI_T_pvar_handle handle;
    char value[2][64] = {{0}};
    if (!is_sum(v) || v->continuous) return NOTHING;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    for (int i = 0; i < 2; i++) {
        MPI_T_pvar_start(session, handle);
        traffic();
        MPI_T_pvar_stop(session, handle);
        if (MPI_T_pvar_read(session, handle, value[i]) == MPI_SUCCESS) result = 0;
    }
    if (number(v->type, value[1]) < number(v->type, value[0]))
        FAIL("it went from %g to %g", number(v->type, value[0]), number(v->type, value[1]));
    return result;
}

/* HNDL-11 · required · 15.3.7
 * MPI_T_PVAR_ALL_HANDLES starts, stops and resets the handles of a session, also if there are none. */
CHECK(HNDL_11) {
    MPI_T_pvar_session session;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    return 0;
}

/* HNDL-12 · required · 15.3.7
 * MPI_T_PVAR_ALL_HANDLES leaves out continuous and read-only handles, and succeeds although there are some. */
CHECK(HNDL_12) {
    int count, found = 0;
    MPI_T_pvar_session session;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_pvar_session_create(&session));
    for (struct pvar v = {.index = -1}; next_pvar(&v);) {
        MPI_T_pvar_handle handle;
        if ((found = (v.continuous || v.readonly) && pvar_handle(session, &v, &handle, &count))) break;
    }
    if (!found) SKIP("no performance variable is continuous or read-only");
    EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES));
    return 0;
}

/* HNDL-14 · required · 15.3.7
 * MPI_T_PVAR_ALL_HANDLES is about the handles of one session alone. */
CHECK_EACH(HNDL_14, pvar, "no counter, aggregate or timer is read before its start") {
    int count;
    MPI_T_pvar_session other;
    MPI_T_pvar_handle handle;
    char value[2][64] = {{0}};
    if (!is_sum(v) || v->continuous) return NOTHING;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > 64) return NOTHING;
    MPI_T_pvar_session_create(&other);
    MPI_T_pvar_start(other, MPI_T_PVAR_ALL_HANDLES);
    if (MPI_T_pvar_read(session, handle, value[0]) != MPI_SUCCESS) return NOTHING;
    traffic();
    MPI_T_pvar_read(session, handle, value[1]);
    if (memcmp(value[0], value[1], 64) != 0) FAIL("it was started by another session");
    return 0;
}

/* HNDL-15 · required · 15.3.7
 * MPI_T_pvar_read stores as many elements as the handle has, and nothing behind them. */
CHECK_EACH(HNDL_15, pvar, NULL) {
    static char value[1 << 17];
    int count;
    MPI_T_pvar_handle handle;
    int bytes;
    if (!pvar_handle(session, v, &handle, &count) || (bytes = bytes_of(count, v->type)) > 1 << 16) return 0;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    memset(value, 'Z', sizeof value);
    if (MPI_T_pvar_read(session, handle, value) != MPI_SUCCESS) return 0;
    for (int i = bytes; i < (int)sizeof value; i++)
        if (value[i] != 'Z' && DO("CALL(value[%d])", i)) FAIL("it has %d bytes, and byte %d was written", bytes, i);
    return 0;
}

/* HNDL-15b · required · 15.3.7
 * MPI_T_pvar_read stores all elements. */
CHECK_EACH(HNDL_15b, pvar, NULL) {
    static char one[1 << 16], other[1 << 16];
    int count;
    MPI_T_pvar_handle handle;
    int bytes;
    if (!pvar_handle(session, v, &handle, &count) || (bytes = bytes_of(count, v->type)) > 1 << 16) return 0;
    if (!v->continuous) MPI_T_pvar_start(session, handle), MPI_T_pvar_stop(session, handle);
    memset(one, 'Z', sizeof one), memset(other, 'Y', sizeof other);
    if (MPI_T_pvar_read(session, handle, one) || MPI_T_pvar_read(session, handle, other)) return 0;
    for (int i = 0; i < bytes && v->type != MPI_CHAR; i++)
        if (one[i] == 'Z' && other[i] == 'Y') FAIL("it has %d bytes, and byte %d was not written", bytes, i);
    return 0;
}

/* HNDL-15c · required · 15.3.7
 * A handle that was started, or is continuous, can be read. */
CHECK_EACH(HNDL_15c, pvar, "no performance variable gives a handle") {
    int count;
    MPI_T_pvar_handle handle;
    if (!pvar_handle(session, v, &handle, &count) || bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    if (!v->continuous) EXPECT(MPI_SUCCESS, MPI_T_pvar_start(session, handle));
    EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* HNDL-16 · recommended · 15.3.7
 * A handle that was never started can be read: it has the starting value of its class. */
CHECK_EACH(HNDL_16, pvar, "every performance variable is continuous") {
    int count;
    MPI_T_pvar_handle handle;
    if (v->continuous || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    if (bytes_of(count, v->type) > (int)sizeof value) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_pvar_read(session, handle, value));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* HNDL-17 · required · 15.3.7
 * A value that MPI_T_pvar_write has set is read while the handle is stopped; other sessions do not see it. */
CHECK_EACH(HNDL_17, pvar, "no counter, aggregate or timer can be written") {
    int count;
    MPI_T_pvar_session other;
    MPI_T_pvar_handle a, b;
    unsigned long long value[8] = {0}, before[8] = {0}, now[8] = {0}, seen[8] = {0};
    if (v->readonly || v->continuous || !is_sum(v)) return NOTHING;
    MPI_T_pvar_session_create(&other);
    if (!pvar_handle(session, v, &a, &count) || !pvar_handle(other, v, &b, &count) || count != 1) return NOTHING;
    MPI_T_pvar_start(session, a), MPI_T_pvar_stop(session, a), MPI_T_pvar_start(other, b), MPI_T_pvar_stop(other, b);
    MPI_T_pvar_read(other, b, before);
    if (v->type == MPI_DOUBLE) *(double*)value = 2, DO("*(double*)value = 2");
    else value[0] = 12345, DO("*(unsigned long long*)value = 12345");
    if (MPI_T_pvar_write(session, a, value) != MPI_SUCCESS) return NOTHING;
    MPI_T_pvar_read(session, a, now), MPI_T_pvar_read(other, b, seen);
    if (memcmp(now, value, (size_t)bytes_of(1, v->type)) != 0) FAIL("it does not read what was written");
    if (memcmp(before, seen, sizeof seen) != 0) FAIL("another session sees what was written");
    return 0;
}

/* HNDL-17b · required · 15.3.7
 * A performance variable that is not read-only can be reset. */
CHECK_EACH(HNDL_17b, pvar, "every performance variable is read-only") {
    int count;
    MPI_T_pvar_handle handle;
    if (v->readonly || !pvar_handle(session, v, &handle, &count)) return NOTHING;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    EXPECT(MPI_SUCCESS, MPI_T_pvar_reset(session, handle));
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* HNDL-20 · required · 15.3.7
 * The values of several MPI_T_pvar_readreset add up to that of a handle that was not reset. */
CHECK_EACH(HNDL_20, pvar, "no counter or aggregate is atomic") {
    int count;
    MPI_T_pvar_handle a, b;
    char part[64] = {0}, whole[64] = {0};
    double sum = 0;
    if (!v->atomic || v->continuous || !is_sum(v) || v->class == MPI_T_PVAR_CLASS_TIMER) return NOTHING;
    if (!pvar_handle(session, v, &a, &count) || !pvar_handle(session, v, &b, &count) || count != 1) return NOTHING;
    MPI_T_pvar_start(session, a), MPI_T_pvar_start(session, b);
    for (int i = 0; i < 5; i++, sum += number(v->type, part)) {
        traffic();
        if (i == 4) MPI_T_pvar_stop(session, a), MPI_T_pvar_stop(session, b);
        MPI_T_pvar_readreset(session, a, part);
    }
    MPI_T_pvar_read(session, b, whole);
    if (sum != number(v->type, whole)) FAIL("the sum is %g, the whole is %g", sum, number(v->type, whole));
    return 0;
}

/* HNDL-22 · required · 15.3.7
 * MPI_T_PVAR_ALL_HANDLES is no handle for reading, writing and freeing: the answer is an error. */
CHECK(HNDL_22) {
    int value[4] = {0};
    MPI_T_pvar_session session;
    MPI_T_pvar_handle all = MPI_T_PVAR_ALL_HANDLES;
    begin();
    MPI_T_pvar_session_create(&session);
    if (MPI_T_pvar_read(session, all, value) == MPI_SUCCESS) FAIL("MPI_T_pvar_read() returned MPI_SUCCESS");
    if (MPI_T_pvar_write(session, all, value) == MPI_SUCCESS) FAIL("MPI_T_pvar_write() returned MPI_SUCCESS");
    if (MPI_T_pvar_readreset(session, all, value) == MPI_SUCCESS) FAIL("MPI_T_pvar_readreset() returned MPI_SUCCESS");
    if (MPI_T_pvar_handle_free(session, &all) == MPI_SUCCESS) FAIL("MPI_T_pvar_handle_free() returned MPI_SUCCESS");
    return 0;
}

/* HNDL-22b · recommended · 15.3.7
 * MPI_T_PVAR_ALL_HANDLES for reading, writing and freeing is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(HNDL_22b) {
    int value[4] = {0};
    MPI_T_pvar_session session;
    MPI_T_pvar_handle all = MPI_T_PVAR_ALL_HANDLES;
    begin();
    MPI_T_pvar_session_create(&session);
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_read(session, all, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_write(session, all, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_readreset(session, all, value));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_pvar_handle_free(session, &all));
    return 0;
}

/* HNDL-23 · open · 15.3.10
 * The answer to a null pointer in place of the value. */
CHECK(HNDL_23) {
    int count, code;
    MPI_T_pvar_session session;
    begin();
    MPI_T_pvar_session_create(&session);
    for (struct pvar v = {.index = -1}; next_pvar(&v);) {
        MPI_T_pvar_handle handle;
        if (!pvar_handle(session, &v, &handle, &count)) continue;
        if (!v.continuous) MPI_T_pvar_start(session, handle);
        code = MPI_T_pvar_read(session, handle, NULL);
        OPEN("MPI_T_pvar_read(NULL) returned %d", code);
    }
    SKIP("no performance variable gives a handle");
}

/* HNDL-23b · open · 15.3.10
 * The answer to a null pointer in place of the session. */
CHECK(HNDL_23b) {
    int code;
    begin();
    code = MPI_T_pvar_session_create(NULL);
    OPEN("MPI_T_pvar_session_create(NULL) returned %d", code);
}

/* HNDL-24 · recommended · 15.3.2
 * A handle whose communicator was freed does not end the process. */
CHECK_EACH(HNDL_24, pvar, "no performance variable is bound to a communicator") {
    int count;
    MPI_T_pvar_handle handle;
    MPI_Comm comm;
    if (v->bind != MPI_T_BIND_MPI_COMM) return NOTHING;
    MPI_Comm_dup(MPI_COMM_SELF, &comm), DO("MPI_Comm_dup(MPI_COMM_SELF, &object)");
    if (MPI_T_pvar_handle_alloc(session, v->index, &comm, &handle, &count) != MPI_SUCCESS) return NOTHING;
    if (!v->continuous) MPI_T_pvar_start(session, handle);
    MPI_Comm_free(&comm), DO("MPI_Comm_free(&object)");
    if (bytes_of(count, v->type) <= (int)sizeof value) MPI_T_pvar_read(session, handle, value);
    MPI_T_pvar_handle_free(session, &handle);
    return 0;
}

/* ASYNC-01 · recommended · 15.3.7 · itself
 * A signal handler can read and reset performance variables. */
static MPI_T_pvar_session signal_session;
static MPI_T_pvar_handle signal_handle;
static volatile int signals;
static void read_and_reset(int number) {
    static char value[1 << 16];
    (MPI_T_pvar_read)(signal_session, signal_handle, value);
    (MPI_T_pvar_reset)(signal_session, signal_handle);
    signals += number == SIGALRM;
}
CHECK(ASYNC_01) {
    const struct itimerval often = {{0, 1000}, {0, 1000}};
    int n, count, bind;
    MPI_Init(NULL, NULL), MPI_T_init_thread(MPI_THREAD_SINGLE, &n), MPI_T_pvar_get_num(&n);
    MPI_T_pvar_session_create(&signal_session);
    signal(SIGALRM, read_and_reset);
    for (int i = 0, before; before = signals, i < n; i++) {
        (MPI_T_pvar_get_info)(i, 0, 0, 0, 0, 0, 0, 0, 0, &bind, 0, 0, 0);
        if (bind != MPI_T_BIND_NO_OBJECT || is_left_out("performance variable", i)) continue;
        if ((MPI_T_pvar_handle_alloc)(signal_session, i, NULL, &signal_handle, &count) != MPI_SUCCESS) continue;
        for (setitimer(ITIMER_REAL, &often, NULL); signals < before + 3;) MPI_Barrier(MPI_COMM_SELF);
    }
    return signals == 0 ? 77 : 0;
}

/* ASYNC-04 · recommended · 15.3.4 · itself
 * Threads can allocate, read and free handles at the same time, each in a session of its own. */
static void* use_handles(void* returned) {
    char value[1 << 16];
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    (MPI_T_pvar_session_create)(&session);
    for (int round = 0, n, count, bind = 0; round < 20; round++)
        for (int i = 0; (MPI_T_pvar_get_num)(&n), i < n; i++) {
            (MPI_T_pvar_get_info)(i, 0, 0, 0, 0, 0, 0, 0, 0, &bind, 0, 0, 0);
            if (bind != MPI_T_BIND_NO_OBJECT || is_left_out("performance variable", i)) continue;
            if ((MPI_T_pvar_handle_alloc)(session, i, NULL, &handle, &count) != MPI_SUCCESS) continue;
            (MPI_T_pvar_read)(session, handle, value);
            if ((MPI_T_pvar_handle_free)(session, &handle) != MPI_SUCCESS) return NULL;
        }
    return returned;
}
CHECK(ASYNC_04) {
    pthread_t threads[4];
    void* returned = threads;
    int level, n = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level), MPI_T_init_thread(MPI_THREAD_MULTIPLE, &n);
    for (int i = 0; i < 4 && level == MPI_THREAD_MULTIPLE; i++) pthread_create(&threads[i], NULL, use_handles, threads);
    for (int i = 0; i < 4 && level == MPI_THREAD_MULTIPLE && returned; i++) pthread_join(threads[i], &returned);
    return level != MPI_THREAD_MULTIPLE ? 77 : returned == NULL;
}
