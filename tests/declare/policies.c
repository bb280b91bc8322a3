/* Groups in C that the author's policy stops: a bad value from outside becomes the library's own error code. The
 * environment has TESTS_STRICT_LIMIT=many and TESTS_STRICT_DEPTH=900. */
#include <mpit/declare.h>

#include "../mpi_t/check.h"

#include <mpit/mpi_t.h>

enum { bad_environment = 77 };
static int limit = 64, depth = 3, window = 8;
static const mpit_control controls[] = {MPIT_ROW_INT("TESTS_LIMIT", &limit, "Most messages", .range = {0, 100}),
                                        MPIT_ROW_INT("TESTS_WINDOW", &window, "Messages under way"), MPIT_ROW_END};
static const mpit_control inner_controls[] = {MPIT_ROW_INT("TESTS_DEPTH", &depth, "Of a queue", .range = {0, 100}),
                                              MPIT_ROW_END};

static int described;
static mpit_group *strict, *inner;
static int describe(void* data) {
    const mpit_policy policy = {
        .environment = data == NULL ? NULL : "TESTS_STRICT_*", .prefix = "TESTS_", .rejection_code = bad_environment};
    described++;
    strict = mpit_open(NULL, "tests_strict", "A bad value stops", &policy);
    inner = mpit_open(strict, "tests_strict_inner", "It has the policy of the group around it", NULL);
    CHECK(mpit_add_controls(strict, controls, NULL) == 0 && mpit_add_controls(inner, inner_controls, NULL) == 0);
    CHECK(mpit_publish(strict) == 0 && mpit_publish(inner) == 0);
    const int code = mpit_rejection_code(strict), inner_code = mpit_rejection_code(inner);
    CHECK(code == inner_code && mpit_rejection_code(strict) == 0); /* it is told once */
    return code;
}
static void close_both(void) {
    mpit_close(inner);
    mpit_close(strict);
}

int main(void) {
    int provided = 0;
    static int with_environment;
    round_name = "a bad value";
    CHECK(mpit_before_tools(describe, &with_environment) == 0 && described == 0);
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == bad_environment && described == 1);
    CHECK(limit == 64 && depth == 3);
    close_both();
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == bad_environment && described == 2);
    close_both();
    round_name = "no bad value";
    CHECK(describe(NULL) == 0);
    close_both();
    round_name = "a group that could not be opened";
    CHECK(mpit_add_controls(NULL, controls, NULL) == -1 && mpit_add_performance(NULL, NULL, NULL) == -1);
    CHECK(mpit_add_events(NULL, NULL) == -1 && mpit_add_sources(NULL, NULL) == -1 && mpit_publish(NULL) == -1);
    CHECK(mpit_given(NULL, "TESTS_LIMIT", MPIT_FROM_ENVIRONMENT, NULL) == -1 && mpit_rejection_code(NULL) == 0);
    mpit_resolve(NULL);
    return report();
}
