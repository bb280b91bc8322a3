/* Cells of doubles in C: amounts, seconds, levels with their watermarks, and parts of a whole. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <math.h>
#include <mpit/mpi_t.h>
#include <pthread.h>

static mpit_real energy = MPIT_REAL_CELL, waited = MPIT_REAL_CELL;
static mpit_real_level load = MPIT_REAL_LEVEL_CELL(1.5), filled = MPIT_REAL_LEVEL_CELL(0);

static const mpit_performance measures[] = {
    MPIT_ROW_REAL_AGGREGATE("tests_energy", &energy, "Energy, in joules"),
    MPIT_ROW_SECONDS("tests_waited", &waited, "Time spent waiting, in seconds", .continuous = true),
    MPIT_ROW_REAL_LEVEL("tests_load", &load, "Load", .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_REAL_HIGHEST("tests_highest_load", &load, "Highest load"),
    MPIT_ROW_REAL_LOWEST("tests_lowest_load", &load, "Lowest load"),
    MPIT_ROW_PERCENTAGE("tests_filled", &filled, "A part", .readonly = true),
    MPIT_ROW_END};

static MPI_T_pvar_handle handle_on(MPI_T_pvar_session session, const char* name, int of_class) {
    MPI_Datatype type = MPI_CHAR;
    int verbosity, seen_class, bind, is_readonly, is_continuous, is_atomic;
    CHECK(MPI_T_pvar_get_info(pvar_index_of(name, of_class), NULL, NULL, &verbosity, &seen_class, &type, NULL, NULL,
                              NULL, &bind, &is_readonly, &is_continuous, &is_atomic) == MPI_SUCCESS &&
          type == MPI_DOUBLE);
    return measured(session, name, of_class, NULL, 1);
}
static double value_of(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    double value = -1;
    CHECK(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS);
    return value;
}

static void check_sums(void) {
    double value = 0;
    round_name = "sums";
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle of_energy = handle_on(session, "tests_energy", MPI_T_PVAR_CLASS_AGGREGATE),
                            of_time = handle_on(session, "tests_waited", MPI_T_PVAR_CLASS_TIMER);
    mpit_add_real(&energy, 8); /* before the start */
    CHECK(MPI_T_pvar_start(session, of_energy) == MPI_SUCCESS);
    mpit_add_real(&energy, 0.25);
    mpit_add_real(&energy, 0.5);
    mpit_add_real(&energy, -1);
    mpit_add_real(&energy, INFINITY);
    mpit_add_real(&energy, NAN);
    CHECK(value_of(session, of_energy) == 0.75);
    CHECK(MPI_T_pvar_readreset(session, of_energy, &value) == MPI_SUCCESS && value == 0.75 &&
          value_of(session, of_energy) == 0);
    value = 3.5;
    CHECK(MPI_T_pvar_write(session, of_energy, &value) == MPI_SUCCESS);
    mpit_add_real(&energy, 1);
    CHECK(value_of(session, of_energy) == 4.5);
    mpit_add_real(&waited, 1.25);
    CHECK(value_of(session, of_time) == 1.25);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

static void check_levels(void) {
    round_name = "levels";
    MPI_T_pvar_session session = begin_session();
    const MPI_T_pvar_handle level = handle_on(session, "tests_load", MPI_T_PVAR_CLASS_LEVEL),
                            highest = handle_on(session, "tests_highest_load", MPI_T_PVAR_CLASS_HIGHWATERMARK),
                            lowest = handle_on(session, "tests_lowest_load", MPI_T_PVAR_CLASS_LOWWATERMARK),
                            part = handle_on(session, "tests_filled", MPI_T_PVAR_CLASS_PERCENTAGE);
    mpit_set_real(&load, 1.5);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    mpit_change_real(&load, 2.25);
    mpit_change_real(&load, -3.5);
    CHECK(mpit_real_level_of(&load) == 0.25 && value_of(session, level) == 0.25);
    CHECK(value_of(session, highest) == 3.75 && value_of(session, lowest) == 0.25);
    mpit_set_real(&load, 10);
    CHECK(value_of(session, highest) == 10 && value_of(session, level) == 10);
    mpit_set_real(&filled, 0.75);
    CHECK(value_of(session, part) == 0.75);
    mpit_set_real(&filled, 1.25);
    CHECK(value_of(session, part) == 1);
    CHECK(MPI_T_pvar_reset(session, part) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

enum { thread_count = 4, times = 20000 };
static void* add_much(void* unused) {
    for (int i = 0; i < times; i++) mpit_add_real(&energy, 0.5), mpit_change_real(&load, 0.5);
    return unused;
}
/* Nothing is lost to other threads. */
static void check_threads(void) {
    pthread_t threads[thread_count];
    const double before = mpit_real_total(&energy);
    round_name = "threads";
    mpit_set_real(&load, 0);
    for (int i = 0; i < thread_count; i++) CHECK(pthread_create(&threads[i], NULL, add_much, NULL) == 0);
    for (int i = 0; i < thread_count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(mpit_real_total(&energy) - before == 0.5 * thread_count * times &&
          mpit_real_level_of(&load) == 0.5 * thread_count * times);
}

int test_reals(void) {
    round_name = "groups";
    mpit_add_real(&energy, 0.5); /* before it is registered */
    CHECK(mpit_real_total(&energy) == 0.5);
    begin_tool();
    for (int i = 0; i < 2; i++) {
        mpit_group* const group = mpit_open(NULL, "tests_reals", "Doubles", NULL);
        CHECK(mpit_add_performance(group, measures, NULL) == 0 && mpit_publish(group) == 0);
        check_sums();
        check_levels();
        check_threads();
        mpit_close(group);
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
