/* Checks of the texts that functions return: names and descriptions. */
#include "checks.h"

/* STR-01 · required · 15.3.3
 * A function writes no more bytes of a text than the caller has room for, and the last one is a null. */
CHECK(STR_01) {
    static struct text t;
    begin();
    while (next_text(&t))
        for (int room = 1; room < 12; room++) {
            char buffer[16];
            int length = room;
            memset(buffer, 'Z', sizeof buffer);
            text(t.which, t.index, buffer, &length);
            if (buffer[room] != 'Z') FAIL("with room for %d bytes more was written", room);
            if (memchr(buffer, '\0', (size_t)room) == NULL) FAIL("the %d bytes have no null", room);
        }
    return 0;
}

/* STR-02 · required · 15.3.3
 * If a text does not fit, the length comes back as the number of bytes that the whole text needs. */
CHECK(STR_02) {
    static struct text t;
    begin();
    while (next_text(&t)) {
        char buffer[4];
        int needed = (int)strlen(t.whole) + 1, length = 4;
        text(t.which, t.index, buffer, &length);
        if (needed > 4 && length != needed)
            FAIL("\"%s\" needs %d bytes; the length for 4 bytes is %d", t.whole, needed, length);
    }
    return 0;
}

/* STR-03 · recommended · 15.3.3
 * If a text fits, the length comes back as that of the text with its null. */
CHECK(STR_03) {
    static struct text t;
    begin();
    while (next_text(&t))
        if (t.length != (int)strlen(t.whole) + 1) FAIL("the length of \"%s\" is %d", t.whole, t.length);
    return 0;
}

/* STR-04 · required · 15.3.3
 * A buffer of n bytes gets the first n - 1 characters of a text. */
CHECK(STR_04) {
    static struct text t;
    static char part[1 << 16];
    begin();
    while (next_text(&t))
        for (int end = (int)strlen(t.whole), room = end > 3 ? end - 2 : 1; room <= end + 1; room++) {
            int length = room;
            text(t.which, t.index, part, &length);
            if (strncmp(part, t.whole, (size_t)room - 1) != 0 || (int)strlen(part) != room - 1)
                FAIL("room for %d bytes of \"%s\" got \"%s\"", room, t.whole, part);
        }
    return 0;
}

/* STR-05 · required · 15.3.3
 * With a null pointer in place of the buffer a function returns the size of the text, whatever the length was. */
CHECK(STR_05) {
    static struct text t;
    const int lengths[] = {0, 1, 100, INT_MAX};
    begin();
    while (next_text(&t))
        for (int k = 0; k < 4; k++) {
            int length = lengths[k];
            if (text(t.which, t.index, NULL, &length) != MPI_SUCCESS || length != (int)strlen(t.whole) + 1)
                FAIL("the size of \"%s\" is %d, when the length was %d", t.whole, length, lengths[k]);
        }
    return 0;
}

/* STR-06 · required · 15.3.3
 * With the length 0 a function leaves the buffer as it is, and returns the size of the text. */
CHECK(STR_06) {
    static struct text t;
    begin();
    while (next_text(&t)) {
        char buffer[4] = "ZZZ";
        int length = 0;
        if (text(t.which, t.index, buffer, &length) != MPI_SUCCESS) FAIL("the call fails");
        if (memcmp(buffer, "ZZZ", 4) != 0) FAIL("the buffer was written");
        if (length != (int)strlen(t.whole) + 1) FAIL("the size of \"%s\" is %d", t.whole, length);
    }
    return 0;
}

/* STR-07 · required · 15.3.3
 * With a null pointer in place of the length a function leaves the buffer as it is, and succeeds. */
CHECK(STR_07) {
    static struct text t;
    begin();
    while (next_text(&t)) {
        char buffer[4] = "ZZZ";
        if (text(t.which, t.index, buffer, NULL) != MPI_SUCCESS) FAIL("the call fails");
        if (memcmp(buffer, "ZZZ", 4) != 0) FAIL("the buffer was written");
    }
    return 0;
}

/* STR-08 · required · 15.3.3
 * The two texts of a call are independent of each other. */
CHECK_EACH(STR_08, cvar, NULL) {
    char name[3] = "", alone[3] = "", description[4096];
    int size = 3, expected = 3, room = sizeof description;
    MPI_T_cvar_get_info(v->index, alone, &expected, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    MPI_T_cvar_get_info(v->index, name, &size, NULL, NULL, NULL, description, &room, NULL, NULL);
    if (strcmp(description, v->description) != 0) FAIL("a shorter name changes the description");
    if (strcmp(name, alone) != 0 || size != expected) FAIL("a description changes the name, or its length");
    return 0;
}

/* STR-09 · required · 15.3.5 to 15.3.9
 * A name has at least one character. */
CHECK(STR_09) {
    static struct text t;
    begin();
    while (next_text(&t))
        if (t.which % 2 == 0 && t.whole[0] == '\0') FAIL("it has no character");
    return 0;
}

/* STR-10 · required · 15.3.6 to 15.3.9
 * A variable or category without a description has the empty text as its description, with the length 1. */
CHECK(STR_10) {
    static struct text t;
    int found = 0;
    begin();
    for (memset(t.whole, 'Z', 8); next_text(&t); memset(t.whole, 'Z', 8)) {
        if (t.which % 2 == 0 || t.length > 1) continue;
        found = 1;
        if (t.whole[0] != '\0' || t.length != 1) FAIL("\"%.8s\" of the length %d", t.whole, t.length);
    }
    if (!found) SKIP("everything has a description");
    return 0;
}

/* STR-11 · required · 15.3.3
 * Names are compared as a whole: a name that begins like that of a variable is not its name. */
CHECK_EACH(STR_11, cvar, NULL) {
    int other;
    v->name[strlen(v->name) - 1] = '\0';
    if (v->name[0] != '\0' && MPI_T_cvar_get_index(v->name, &other) == MPI_SUCCESS && other == v->index)
        FAIL("%s gets the index %d", v->name, v->index);
    return 0;
}

/* STR-12 · open · 15.3.10
 * The answer to a negative length of a text. */
CHECK(STR_12) {
    char name[16];
    int n, length = -1, code;
    begin();
    if (MPI_T_cvar_get_num(&n), n == 0) SKIP("there is no control variable");
    code = MPI_T_cvar_get_info(0, name, &length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    OPEN("MPI_T_cvar_get_info() with the length -1 returned %d, and the length %d", code, length);
}

/* STR-13 · open · 15.3.10
 * The answer to a null pointer as the name that is looked up. */
CHECK(STR_13) {
    int n, code;
    begin();
    code = MPI_T_cvar_get_index(NULL, &n);
    OPEN("MPI_T_cvar_get_index(NULL) returned %d", code);
}
