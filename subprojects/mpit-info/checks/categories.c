/* Checks of categories. */
#include "checks.h"

/* CAT-01 · required · 15.3.9
 * The number of categories does not shrink. */
CHECK(CAT_01) {
    int level, before, after;
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_category_get_num(&before));
    MPI_Init(NULL, NULL);
    EXPECT(MPI_SUCCESS, MPI_T_category_get_num(&after));
    if (before < 0 || after < before) FAIL("there are %d before MPI_Init, and %d after", before, after);
    return 0;
}

/* CAT-01b · recommended · 15.3.9
 * Each index from 0 to N-1 has information. */
CHECK(CAT_01b) {
    int n, refused = 0, first = -1;
    begin();
    MPI_T_category_get_num(&n);
    for (int i = 0; i < n; i++)
        if ((MPI_T_category_get_info)(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL) != MPI_SUCCESS && !refused++)
            first = i;
    if (refused) {
        MPI_T_category_get_info(first, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        FAIL("%d of %d indices are refused, the first one is %d", refused, n, first);
    }
    return 0;
}

/* CAT-02 · required · 15.3.9
 * The lists of a category have as many members as MPI_T_category_get_info says. */
static int count_written(int code, const int* list, int room) {
    int n = 0;
    for (int i = 0; code == MPI_SUCCESS && i < room; i++) n += list[i] != -77;
    return n;
}
CHECK_EACH(CAT_02, category, NULL) {
    static int list[3][4096];
    for (int i = 0; i < 4096; i++) list[0][i] = list[1][i] = list[2][i] = -77;
    const int cvars = count_written(MPI_T_category_get_cvars(c->index, 4096, list[0]), list[0], 4096);
    const int pvars = count_written(MPI_T_category_get_pvars(c->index, 4096, list[1]), list[1], 4096);
    const int subs = count_written(MPI_T_category_get_categories(c->index, 4096, list[2]), list[2], 4096);
    if (cvars != c->cvars) FAIL("it has %d control variables, and lists %d", c->cvars, cvars);
    if (pvars != c->pvars) FAIL("it has %d performance variables, and lists %d", c->pvars, pvars);
    if (subs != c->categories) FAIL("it has %d categories, and lists %d", c->categories, subs);
    return 0;
}

/* CAT-03 · required · 15.3.9
 * Two categories have different names. */
CHECK(CAT_03) {
    static struct category seen[2048];
    int n = 0;
    begin();
    for (struct category c = {.index = -1}; n < 2048 && next_category(&c); seen[n++] = c)
        for (int i = 0; i < n; i++)
            if (strcmp(seen[i].name, c.name) == 0) FAIL("category %d has this name, too", seen[i].index);
    return 0;
}

/* CAT-04 · required · 15.3.9
 * A null pointer for an output of MPI_T_category_get_info leaves this output out, and the others come. */
CHECK_EACH(CAT_04, category, NULL) {
    int n[3];
    EXPECT(MPI_SUCCESS, MPI_T_category_get_info(c->index, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_category_get_info(c->index, NULL, NULL, NULL, NULL, &n[0], NULL, NULL));
    EXPECT(MPI_SUCCESS, MPI_T_category_get_info(c->index, NULL, NULL, NULL, NULL, NULL, &n[1], NULL));
    EXPECT(MPI_SUCCESS, MPI_T_category_get_info(c->index, NULL, NULL, NULL, NULL, NULL, NULL, &n[2]));
    if (n[0] != c->cvars || n[1] != c->pvars || n[2] != c->categories) FAIL("an output differs");
    return 0;
}

/* CAT-05 · required · 15.3.9 · processes
 * Categories of one name in two processes have the same description. */
CHECK(CAT_05) {
    int rank, n, index;
    if ((rank = begin_several()) < 0) SKIP("there is one process");
    MPI_T_category_get_num(&n);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        struct category c = {.index = i - 1}, d;
        if (rank == 0) next_category(&c);
        MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, MPI_COMM_WORLD);
        if (rank == 0 || MPI_T_category_get_index(c.name, &index) != MPI_SUCCESS) continue;
        d.index = index - 1;
        if (next_category(&d) && d.index == index && strcmp(d.description, c.description) != 0)
            FAIL("rank %d describes it in another way than rank 0", rank);
    }
    return 0;
}

/* CAT-06 · required · 15.3.10
 * The functions of categories answer an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(CAT_06) {
    int n, list[4];
    begin();
    MPI_T_category_get_num(&n);
    const int wrong[] = {-1, n, INT_MAX};
    for (int i = 0; i < 3; i++) {
        printf("at category %d\n", wrong[i]);
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_info(wrong[i], NULL, NULL, NULL, NULL, &n, NULL, NULL));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_cvars(wrong[i], 4, list));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_pvars(wrong[i], 4, list));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_categories(wrong[i], 4, list));
    }
    return 0;
}

/* CAT-06b · required · 15.3.10
 * The functions that list members answer a wrong index with MPI_T_ERR_INVALID_INDEX also for a list of the length 0. */
CHECK(CAT_06b) {
    int list[1];
    begin();
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_cvars(-1, 0, list));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_pvars(-1, 0, list));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_categories(-1, 0, list));
    return 0;
}

/* CAT-08 · required · 15.3.9
 * MPI_T_category_get_index returns the index of each name. */
CHECK_EACH(CAT_08, category, NULL) {
    int index;
    EXPECT(MPI_SUCCESS, MPI_T_category_get_index(c->name, &index));
    if (index != c->index) FAIL("the index of its name is %d", index);
    return 0;
}

/* CAT-08b · required · 15.3.9
 * A name that no category has is answered with MPI_T_ERR_INVALID_NAME. */
CHECK(CAT_08b) {
    int index;
    begin();
    EXPECT(MPI_T_ERR_INVALID_NAME, MPI_T_category_get_index("no category has this name", &index));
    return 0;
}

/* CAT-09 · required · 15.3.9
 * The lists of a category write no more members than there are and than the caller has room for. */
CHECK_EACH(CAT_09, category, NULL) {
    static int list[4096];
    for (int which = 0; which < 3; which++) {
        const int members = which == 0 ? c->cvars : which == 1 ? c->pvars : c->categories;
        for (int room = 0; room <= members + 2 && room < 4096; room += room < 3 || room > members - 2 ? 1 : 7) {
            for (int i = 0; i < 4096; i++) list[i] = -77;
            if (which == 0) EXPECT(MPI_SUCCESS, MPI_T_category_get_cvars(c->index, room, list));
            if (which == 1) EXPECT(MPI_SUCCESS, MPI_T_category_get_pvars(c->index, room, list));
            if (which == 2) EXPECT(MPI_SUCCESS, MPI_T_category_get_categories(c->index, room, list));
            for (int i = 0; i < 4096; i++)
                if ((list[i] != -77) != (i < room && i < members) && DO("CALL(list[%d])", i))
                    FAIL("list %d of %d members with room for %d: element %d", which, members, room, i);
        }
    }
    return 0;
}

/* CAT-11 · required · 15.3.9
 * Each member of a category is the index of a variable or category, and no list has a member twice. */
CHECK(CAT_11) {
    static int list[4096];
    int n[3];
    begin();
    MPI_T_cvar_get_num(&n[0]), MPI_T_pvar_get_num(&n[1]), MPI_T_category_get_num(&n[2]);
    for (struct category c = {.index = -1}; next_category(&c);)
        for (int which = 0; which < 3; which++) {
            const int members = which == 0 ? c.cvars : which == 1 ? c.pvars : c.categories;
            if (which == 0) MPI_T_category_get_cvars(c.index, 4096, list);
            if (which == 1) MPI_T_category_get_pvars(c.index, 4096, list);
            if (which == 2) MPI_T_category_get_categories(c.index, 4096, list);
            for (int i = 0; i < members && i < 4096; i++) {
                if (list[i] < 0 || list[i] >= n[which]) FAIL("list %d has %d, of %d", which, list[i], n[which]);
                for (int k = 0; k < i; k++)
                    if (list[k] == list[i]) FAIL("list %d has %d twice", which, list[i]);
            }
        }
    return 0;
}

/* CAT-13 · required · 15.3.9
 * No category contains itself, directly or through others. */
CHECK(CAT_13) {
    static int list[2048], next[2048], reached[2048];
    begin();
    for (struct category c = {.index = -1}; next_category(&c);) {
        int ends = 1;
        memset(reached, 0, sizeof reached);
        next[0] = c.index;
        for (int begins = 0; begins < ends; begins++) {
            struct category d = {.index = next[begins] - 1};
            if (!next_category(&d)) continue;
            MPI_T_category_get_categories(d.index, 2048, list);
            for (int i = 0; i < d.categories && i < 2048 && list[i] < 2048; i++) {
                if (list[i] == c.index) FAIL("category %d, %s, contains itself", c.index, c.name);
                if (!reached[list[i]]++) next[ends++] = list[i];
            }
        }
    }
    return 0;
}

/* CAT-14 · required · 15.3.9
 * The number of MPI_T_category_changed never decreases, and is the same while no category changes. */
CHECK(CAT_14) {
    int level, stamp[4];
    EXPECT(MPI_SUCCESS, MPI_T_init_thread(MPI_THREAD_SINGLE, &level));
    EXPECT(MPI_SUCCESS, MPI_T_category_changed(&stamp[0]));
    MPI_Init(NULL, NULL);
    EXPECT(MPI_SUCCESS, MPI_T_category_changed(&stamp[1]));
    for (struct category c = {.index = -1}; next_category(&c););
    EXPECT(MPI_SUCCESS, MPI_T_category_changed(&stamp[2]));
    if (stamp[1] < stamp[0]) FAIL("it was %d, and %d after MPI_Init", stamp[0], stamp[1]);
    if (stamp[2] != stamp[1]) FAIL("it was %d, and %d after queries", stamp[1], stamp[2]);
    return 0;
}

/* CAT-15 · required · 15.3.9
 * If MPI_Init adds categories, or members to categories, the number of MPI_T_category_changed becomes larger. */
static int count_members(void) {
    int n = 0;
    for (struct category c = {.index = -1}; next_category(&c);) n += 1 + c.cvars + c.pvars + c.categories;
    return n;
}
CHECK(CAT_15) {
    int level, before, after, stamp[2];
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    before = count_members();
    MPI_T_category_changed(&stamp[0]);
    MPI_Init(NULL, NULL);
    after = count_members();
    MPI_T_category_changed(&stamp[1]);
    if (after == before) SKIP("MPI_Init adds nothing to categories");
    if (stamp[1] <= stamp[0]) FAIL("there were %d members, and are %d; the number is %d", before, after, stamp[1]);
    return 0;
}

/* CAT-17 · open · 15.3.10
 * The answer to a null pointer in place of a list of members. */
CHECK(CAT_17) {
    int code;
    begin();
    for (struct category c = {.index = -1}; next_category(&c);) {
        if (c.cvars == 0) continue;
        code = MPI_T_category_get_cvars(c.index, 1, NULL);
        OPEN("MPI_T_category_get_cvars() with NULL returned %d", code);
    }
    SKIP("no category has a control variable");
}

/* CAT-18 · recommended · 15.3.9
 * Every control variable is in a category. */
CHECK(CAT_18) {
    static int list[8192], is_in[8192];
    begin();
    for (struct category c = {.index = -1}; next_category(&c);) {
        MPI_T_category_get_cvars(c.index, 8192, list);
        for (int i = 0; i < c.cvars && i < 8192; i++)
            if (list[i] >= 0 && list[i] < 8192) is_in[list[i]] = 1;
    }
    for (struct cvar v = {.index = -1}; v.index < 8191 && next_cvar(&v);)
        if (!is_in[v.index]) FAIL("no category has it");
    return 0;
}
