/* A library that adds and changes its performance variables by MPICH's macros, which from_mpich.py --macros defines,
 * and what a tool reads. */
#define HAVE_MPIT_EVENTS 1
#include "cvars.h"

#include <mpit/mpi_t.h>
#include <stdio.h>

/*
=== BEGIN_MPI_T_CVAR_INFO_BLOCK ===

categories:
    - name        : LAB
      description : messages

cvars:
    - name        : MPIR_CVAR_LAB_EAGER_LIMIT
      category    : LAB
      type        : int
      default     : 65536
      class       : none
      verbosity   : MPI_T_VERBOSITY_TUNER_BASIC
      scope       : MPI_T_SCOPE_LOCAL
      description : Largest message that is sent at once

=== END_MPI_T_CVAR_INFO_BLOCK ===
*/

#define ENABLE_PVAR_LAB 1
#define ENABLE_PVAR_OTHER 0
unsigned long long PVAR_COUNTER_lab_sent;
unsigned long long PVAR_COUNTER_lab_by_card[3];
unsigned long long PVAR_COUNTER_other_sent;
unsigned PVAR_LEVEL_lab_queued;
double PVAR_PERCENTAGE_lab_load;
static MPIR_T_pvar_timer_t PVAR_TIMER_lab_waiting;
static MPIR_T_pvar_timer_t PVAR_TIMER_lab_never;
static int lab_events[2];

static void lab_init(unsigned long long* of_processes, int process_count) {
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Aint displacements[2] = {0, 8};
    int source = -1;
    MPIR_T_register_source("LAB", "Messages", MPI_T_SOURCE_ORDERED, NULL, -1, -1, &source);
    MPIR_T_register_event(source, "lab_arrived", MPI_T_VERBOSITY_TUNER_ALL, types, displacements, 2,
                          "A message has come", MPI_T_BIND_NO_OBJECT, "LAB", &lab_events[0]);
    MPIR_T_register_event(source, "lab_taken", MPI_T_VERBOSITY_USER_BASIC, types, displacements, 1,
                          "A message was taken", MPI_T_BIND_NO_OBJECT, "LAB", &lab_events[1]);
    MPIR_T_PVAR_COUNTER_REGISTER_STATIC(LAB, MPI_UNSIGNED_LONG_LONG, lab_sent, MPI_T_VERBOSITY_USER_DETAIL,
                                        MPI_T_BIND_NO_OBJECT, (MPIR_T_PVAR_FLAG_READONLY | MPIR_T_PVAR_FLAG_CONTINUOUS),
                                        "LAB", /* category name */
                                        "Messages sent");
    MPIR_T_PVAR_COUNTER_ARRAY_REGISTER_STATIC(LAB, MPI_UNSIGNED_LONG_LONG, lab_by_card, MPI_T_VERBOSITY_USER_DETAIL,
                                              MPI_T_BIND_NO_OBJECT, (MPIR_T_PVAR_FLAG_READONLY | MPIR_T_PVAR_FLAG_SUM),
                                              "LAB", "Bytes of each card");
    MPIR_T_PVAR_COUNTER_REGISTER_DYNAMIC(LAB, MPI_UNSIGNED_LONG_LONG, lab_by_process, of_processes, process_count,
                                         MPI_T_VERBOSITY_USER_ALL, MPI_T_BIND_NO_OBJECT, MPIR_T_PVAR_FLAG_CONTINUOUS,
                                         NULL, NULL, "NOBODY", "Messages to each process");
    MPIR_T_PVAR_LEVEL_REGISTER_STATIC(LAB, MPI_UNSIGNED, lab_queued, 0, /* init value */
                                      MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT, MPIR_T_PVAR_FLAG_CONTINUOUS,
                                      "LAB", "Messages that wait");
    MPIR_T_PVAR_PERCENTAGE_REGISTER_STATIC(LAB, MPI_DOUBLE, lab_load, 0, MPI_T_VERBOSITY_USER_BASIC,
                                           MPI_T_BIND_NO_OBJECT, MPIR_T_PVAR_FLAG_CONTINUOUS, "LAB", "How busy it is");
    MPIR_T_PVAR_TIMER_REGISTER_STATIC(LAB, MPI_DOUBLE, lab_waiting, MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT,
                                      MPIR_T_PVAR_FLAG_CONTINUOUS, "LAB", "Time spent waiting");
    MPIR_T_PVAR_COUNTER_REGISTER_STATIC(OTHER, MPI_UNSIGNED_LONG_LONG, other_sent, MPI_T_VERBOSITY_USER_DETAIL,
                                        MPI_T_BIND_NO_OBJECT, MPIR_T_PVAR_FLAG_CONTINUOUS, "LAB",
                                        "Of a module that is not built");
}
static void lab_send(unsigned long long* of_processes) {
    MPIR_T_PVAR_TIMER_START(LAB, lab_waiting); /* is started again, and its counter has both */
    MPIR_T_PVAR_TIMER_START(LAB, lab_waiting);
    MPIR_T_PVAR_TIMER_START(LAB, lab_never);
    MPIR_T_PVAR_COUNTER_INC(LAB, lab_sent, 2);
    MPIR_T_PVAR_COUNTER_INC(LAB, lab_by_card[1], 100);
    MPIR_T_PVAR_COUNTER_INC(OTHER, other_sent, 1);
    MPIR_T_PVAR_COUNTER_INC_VAR(LAB, &of_processes[1], 1);
    MPIR_T_PVAR_LEVEL_INC(LAB, lab_queued, 5);
    MPIR_T_PVAR_LEVEL_DEC(LAB, lab_queued, 2);
    MPIR_T_PVAR_PERCENTAGE_SET(LAB, lab_load, 0.5);
    MPIR_T_PVAR_TIMER_END(LAB, lab_never); /* was not added, and is in no cell of another one */
    MPIR_T_PVAR_TIMER_END(LAB, lab_waiting);
}

/* Each handle has what happens after it was allocated. */
static void print_all(MPI_T_pvar_session session, int count, unsigned long long* of_processes) {
    for (int i = 0; i < count; i++) {
        char name[64];
        int length = sizeof name, of_class = 0, readonly = 0, continuous = 0, other = 0, elements = 0;
        unsigned long long words[4] = {0, 0, 0, 0};
        MPI_Datatype type;
        MPI_T_pvar_handle handle;
        MPI_T_pvar_get_info(i, name, &length, &other, &of_class, &type, NULL, NULL, NULL, &other, &readonly,
                            &continuous, &other);
        MPI_T_pvar_handle_alloc(session, i, NULL, &handle, &elements);
        if (!continuous) MPI_T_pvar_start(session, handle);
        PVAR_LEVEL_lab_queued = 0;
        lab_send(of_processes);
        MPI_T_pvar_read(session, handle, words);
        printf("%s%s%s, class %d, %d:", name, readonly ? ", readonly" : "", continuous ? ", continuous" : "",
               of_class - MPI_T_PVAR_CLASS_STATE, elements);
        if (type == MPI_DOUBLE) printf(" %s", *(double*)(void*)words > 0 ? "more than 0" : "0");
        else if (type == MPI_UNSIGNED) printf(" %u", *(unsigned*)(void*)words);
        else
            for (int j = 0; j < elements; j++) printf(" %llu", words[j]);
        printf("\n");
    }
}

/* What a tool does between the first call and the last. */
static void look(unsigned long long* of_processes) {
    int provided = 0, count = 0;
    MPI_T_pvar_session session;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_get_num(&count);
    MPI_T_pvar_session_create(&session);
    print_all(session, count, of_processes);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

/* As a device does that frees an array in its finalization, and allocates another one in the next initialization. */
static void move_storage(unsigned long long* of_processes) {
    int provided = 0, index = -1, elements = 0;
    unsigned long long others[2] = {7, 8}, read[2] = {0, 0};
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("lab_by_process", MPI_T_PVAR_CLASS_COUNTER, &index);
    MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &elements);
    lab_init(others, 2);
    printf("moved: %d", MPI_T_pvar_read(session, handle, read) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &elements);
    others[1] += 5;
    MPI_T_pvar_read(session, handle, read);
    printf(", %d: %llu %llu\n", elements, read[0], read[1]);
    cvars_end_performance(others);
    cvars_end_performance(of_processes); /* is none any more */
    printf("ended: %d", MPI_T_pvar_read(session, handle, read) == MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_handle_free(session, &handle);
    MPI_T_pvar_get_index("lab_sent", MPI_T_PVAR_CLASS_COUNTER, &index);
    printf(", the others: %d\n", MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &elements) == MPI_SUCCESS);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

static void on_event(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void* data) {
    int number = 0;
    double real = 0;
    (void)registration;
    MPI_T_event_read(instance, 0, &number);
    if (data != NULL) MPI_T_event_read(instance, 1, &real);
    printf("event: %d, %g, %d\n", number, real, safety == MPI_T_CB_REQUIRE_MPI_RESTRICTED);
}
static void raise_events(void) {
    const struct {
        int number;
        double real;
    } payload = {42, 0.5};
    int provided = 0, count = 0;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_event_get_num(&count);
    MPIR_T_DO_EVENT(lab_events[0], MPI_T_CB_REQUIRE_MPI_RESTRICTED, &payload); /* no tool listens */
    for (int i = 0; i < count; i++) {
        char name[64], description[64];
        int length = sizeof name, description_length = sizeof description, verbosity = 0, elements = 0, bind = 0;
        MPI_T_event_registration registration;
        MPI_T_event_get_info(i, name, &length, &verbosity, NULL, NULL, &elements, NULL, NULL, description,
                             &description_length, &bind);
        printf("%s: %s, %d\n", name, description, verbosity == MPI_T_VERBOSITY_TUNER_ALL);
        MPI_T_event_handle_alloc(i, NULL, MPI_INFO_NULL, &registration);
        MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_INFO_NULL,
                                      i == 0 ? name : NULL, on_event);
        MPIR_T_DO_EVENT(lab_events[0], MPI_T_CB_REQUIRE_MPI_RESTRICTED, &payload);
        MPIR_T_DO_EVENT(lab_events[1], MPI_T_CB_REQUIRE_MPI_RESTRICTED, &payload);
        MPI_T_event_handle_free(registration, NULL, NULL);
    }
    MPI_T_finalize();
}

int main(void) {
    unsigned long long of_processes[2] = {0, 0};
    int limit = 0;
    printf("refused: %d\n", cvars_open());
    MPIR_CVAR_GET_DEFAULT_INT(MPIR_CVAR_LAB_EAGER_LIMIT, &limit);
    printf("default: %d\n", limit);
    for (int i = 0; i < 2; i++) lab_init(of_processes, 2); /* again, as after MPI_Session_finalize */
    look(of_processes);
    cvars_close();
    printf("closed\n");
    look(of_processes);
    printf("refused: %d\n", cvars_open());
    lab_init(of_processes, 2);
    look(of_processes);
    move_storage(of_processes);
    raise_events();
    cvars_close();
    return 0;
}
