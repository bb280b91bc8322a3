/* What the checks of `mpit-info check` share: CHECK(CVAR_02) { begin(); ... return 0; }
 *
 * Each check is a function that returns 0 if the MPI keeps a rule of chapter 15.3, 1 if the MPI breaks the rule, and
 * NOTHING if the MPI has nothing to which the rule applies. The comment above a check has the name of the check, the
 * kind of the rule, the clause of MPI-5.0, and the rule. `required` is what the standard demands, `recommended` what its
 * advice or the users of tools ask for; of a rule that is `open` the check reports the choice of the MPI.
 *
 * The calls that the check makes are traced (trace.h), so that a failure comes with a program of at most 30 lines that
 * shows it alone. Functions of threads and signals are not: the function of such a check stands for itself, and uses of
 * this header only EXPECT, FAIL and SKIP. */
#ifndef MPIT_INFO_CHECKS_H
#define MPIT_INFO_CHECKS_H

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

/* The compiler is first asked for a program with the events and the error codes of MPI-4.0, and then for one without
 * what it does not know: the version of the standard in mpi.h does not tell. */
#ifndef HAS_EVENTS
#define HAS_EVENTS 1
#endif
#ifndef HAS_CODES_OF_MPI_4
#define HAS_CODES_OF_MPI_4 1
#endif

/* The functions of suite.c. */
void add_check(const char* name, int (*check)(void));
int is_left_out(const char* kind, int index);

#define CHECK(name)                                                                                                    \
    static int check_##name(void);                                                                                     \
    __attribute__((constructor)) static void add_##name(void) { add_check(#name, check_##name); }                      \
    static int check_##name(void)

#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-value"

#include "trace.h"

#define NOTHING 77

#define FAIL(...) return printf(__VA_ARGS__), putchar('\n'), 1

#define OPEN(...) return printf(__VA_ARGS__), putchar('\n'), 0

#define SKIP(...) return printf(__VA_ARGS__), putchar('\n'), 77

/* Ends the check if a call does not return the expected code. */
#define EXPECT(expected, call)                                                                                         \
    do {                                                                                                               \
        const int code = (call);                                                                                       \
        if (code != (expected)) FAIL(#call " returned %d, not %d, " #expected, code, expected);                        \
    } while (0)

/* Starts the MPI and its tool information interface. */
static void begin(void) {
    int level;
    setvbuf(stdout, NULL, _IONBF, 0);
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &level);
}

/* The same in each of several processes: the number of this one, or -1 if there is no other. */
static int begin_several(void) {
    int rank, size;
    begin();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size < 2 ? -1 : rank;
}

/* A session for the checks of performance variables, and room for the values of most variables. */
static MPI_T_pvar_session session;
static char value[1 << 16];

/* Prints where the check is: what ends the process is found by this line. False if an earlier check has ended there. */
static int at(const char* kind, int index, const char* name) {
    return !is_left_out(kind, index) && printf("at %s %d, %s\n", kind, index, name);
}

/* Goes to the next control variable. Information about one that has gone may be refused. */
struct cvar {
    int index, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum items;
    char name[512], description[4096];
};

static int next_cvar(struct cvar* v) {
    for (int n; (MPI_T_cvar_get_num)(&n), ++v->index < n;) {
        int size = sizeof v->name, room = sizeof v->description;
        if ((MPI_T_cvar_get_info)(v->index, v->name, &size, &v->verbosity, &v->type, &v->items, v->description, &room,
                                  &v->bind, &v->scope) == MPI_SUCCESS &&
            at("control variable", v->index, v->name))
            return 1;
    }
    return 0;
}

/* Goes to the next performance variable. */
struct pvar {
    int index, verbosity, class, bind, readonly, continuous, atomic;
    MPI_Datatype type;
    MPI_T_enum items;
    char name[512], description[4096];
};

static int next_pvar(struct pvar* v) {
    for (int n; (MPI_T_pvar_get_num)(&n), ++v->index < n;) {
        int size = sizeof v->name, room = sizeof v->description;
        if ((MPI_T_pvar_get_info)(v->index, v->name, &size, &v->verbosity, &v->class, &v->type, &v->items,
                                  v->description, &room, &v->bind, &v->readonly, &v->continuous,
                                  &v->atomic) == MPI_SUCCESS &&
            at("performance variable", v->index, v->name))
            return 1;
    }
    return 0;
}

/* Goes to the next category. */
struct category {
    int index, cvars, pvars, categories;
    char name[512], description[4096];
};

static int next_category(struct category* c) {
    for (int n; (MPI_T_category_get_num)(&n), ++c->index < n;) {
        int size = sizeof c->name, room = sizeof c->description;
        if ((MPI_T_category_get_info)(c->index, c->name, &size, c->description, &room, &c->cvars, &c->pvars,
                                      &c->categories) == MPI_SUCCESS)
            return at("category", c->index, c->name);
    }
    return 0;
}

#if HAS_EVENTS
/* Goes to the next event type. */
struct event {
    int index, verbosity, elements, bind;
    MPI_T_enum items;
    MPI_Datatype types[64];
    MPI_Aint places[64];
    char name[512], description[4096];
};

static int next_event(struct event* e) {
    for (int n; (MPI_T_event_get_num)(&n), ++e->index < n;) {
        int size = sizeof e->name, room = sizeof e->description;
        e->elements = 64;
        if ((MPI_T_event_get_info)(e->index, e->name, &size, &e->verbosity, e->types, e->places, &e->elements,
                                   &e->items, NULL, e->description, &room, &e->bind) == MPI_SUCCESS &&
            at("event type", e->index, e->name))
            return 1;
    }
    return 0;
}
#endif

/* A check of each variable, category or event type: CHECK_EACH(PVAR_08, pvar, "no variable is read-only") { ... }. The
 * body gets it as `v`, `c` or `e`; it returns 0 if the MPI keeps the rule there, 1 if not, and NOTHING if the rule does
 * not apply. If it never applies, the sentence says so; with NULL the rule is kept. */
#define CHECK_EACH(name, kind, nothing)                                                                                \
    static int each_of_##name(PARAMETER_##kind);                                                                       \
    CHECK(name) {                                                                                                      \
        const char* const sentence = nothing;                                                                          \
        int found = sentence == NULL;                                                                                  \
        begin();                                                                                                       \
        BEFORE_##kind;                                                                                                 \
        for (struct kind each = {.index = -1}; next_##kind(&each);) {                                                  \
            const int result = each_of_##name(&each);                                                                  \
            if (result == 1) return 1;                                                                                 \
            found |= result == 0;                                                                                      \
        }                                                                                                              \
        if (!found) SKIP("%s", sentence);                                                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static int each_of_##name(PARAMETER_##kind)

#define PARAMETER_cvar struct cvar* v
#define PARAMETER_pvar struct pvar* v
#define PARAMETER_category struct category* c
#define PARAMETER_event struct event* e
#define BEFORE_cvar (void)0
#define BEFORE_pvar MPI_T_pvar_session_create(&session)
#define BEFORE_category (void)0
#define BEFORE_event (void)0

/* Returns the address of an object to which a variable can be bound; null for one that is not bound. */
static void* object(int bind) {
    static MPI_Comm comm;
    static MPI_Datatype type;
    static MPI_Errhandler handler;
    static MPI_Op op;
    comm = MPI_COMM_WORLD, type = MPI_INT, handler = MPI_ERRORS_RETURN, op = MPI_SUM;
    return bind == MPI_T_BIND_MPI_COMM         ? (void*)&comm
           : bind == MPI_T_BIND_MPI_DATATYPE   ? (void*)&type
           : bind == MPI_T_BIND_MPI_ERRHANDLER ? (void*)&handler
           : bind == MPI_T_BIND_MPI_OP         ? (void*)&op
                                               : NULL;
}

/* False for the kinds of objects of which there is none here. */
static int has_object(int bind) { return bind == MPI_T_BIND_NO_OBJECT || object(bind) != NULL; }

/* Allocates a handle of a control variable; false if there is none. A macro, for the names in the trace. */
#define cvar_handle(v, handle, count)                                                                                  \
    (*(handle) = MPI_T_CVAR_HANDLE_NULL,                                                                               \
     has_object((v)->bind) && MPI_T_cvar_handle_alloc((v)->index, object((v)->bind), handle, count) == MPI_SUCCESS)

/* Allocates a handle of a performance variable; false if there is none. */
#define pvar_handle(session, v, handle, count)                                                                         \
    (*(handle) = MPI_T_PVAR_HANDLE_NULL,                                                                               \
     has_object((v)->bind) &&                                                                                          \
         MPI_T_pvar_handle_alloc(session, (v)->index, object((v)->bind), handle, count) == MPI_SUCCESS)

/* Returns the bytes of `count` elements. */
static int bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    MPI_Type_size(type, &size);
    return count * size;
}

/* Sends messages of the process to itself, and calls collective functions. */
static void traffic(void) {
    static int sent[4096], received[4096];
    DO("traffic()");
    for (int i = 0; i < 20; i++) {
        MPI_Request request;
        MPI_Isend(sent, i * 200, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
        MPI_Recv(received, 4096, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_SELF);
    }
}

/* Returns the value of one element as a number. */
static double number(MPI_Datatype type, const void* value) {
    return type == MPI_INT                  ? *(const int*)value
           : type == MPI_UNSIGNED           ? *(const unsigned*)value
           : type == MPI_UNSIGNED_LONG      ? (double)*(const unsigned long*)value
           : type == MPI_UNSIGNED_LONG_LONG ? (double)*(const unsigned long long*)value
           : type == MPI_DOUBLE             ? *(const double*)value
                                            : -1;
}

/* Queries a name or a description: text(0 to 5, index, buffer, &length). */
static int text(int which, int i, char* s, int* n) {
    switch (which) {
    case 0: return MPI_T_cvar_get_info(i, s, n, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    case 1: return MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, s, n, NULL, NULL);
    case 2: return MPI_T_pvar_get_info(i, s, n, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    case 3: return MPI_T_pvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, s, n, NULL, NULL, NULL, NULL);
    case 4: return MPI_T_category_get_info(i, s, n, NULL, NULL, NULL, NULL, NULL);
    default: return MPI_T_category_get_info(i, NULL, NULL, s, n, NULL, NULL, NULL);
    }
}

/* Goes to the next name or description. */
struct text {
    int which, next, index, length;
    char whole[1 << 16];
};

static int next_text(struct text* t) {
    static const char* const names[] = {"name of control variable",
                                        "description of control variable",
                                        "name of performance variable",
                                        "description of performance variable",
                                        "name of category",
                                        "description of category"};
    for (int n; t->which < 6; t->which++, t->next = 0) {
        t->which < 2   ? (MPI_T_cvar_get_num)(&n)
        : t->which < 4 ? (MPI_T_pvar_get_num)(&n)
                       : (MPI_T_category_get_num)(&n);
        for (t->index = t->next; t->index < n; t->index++) {
            t->length = sizeof t->whole;
            if (text(t->which, t->index, t->whole, &t->length) != MPI_SUCCESS) continue;
            t->next = t->index + 1;
            return at(names[t->which], t->index, t->which % 2 == 0 ? t->whole : "") || next_text(t);
        }
    }
    return 0;
}

#endif
