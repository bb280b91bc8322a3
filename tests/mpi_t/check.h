/* What the clients in C check with: a condition that does not hold is printed with its place and its round, and
 * makes the exit status 1.
 *
 *   round_name = "after MPI_Init";   CHECK(MPI_T_cvar_get_num(&n) == MPI_SUCCESS);   return report(); */
#ifndef TESTS_C_CHECK_H
#define TESTS_C_CHECK_H

#include <stdio.h>

static const char* round_name = "";
static int checks_made, checks_failed;

static void check(int holds, const char* condition, const char* file, int line) {
    checks_made++;
    if (holds) return;
    checks_failed++;
    printf("%s:%d: %s: %s\n", file, line, round_name, condition);
}
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)

static int report(void) {
    printf("%d checks, %d failed\n", checks_made, checks_failed);
    return checks_failed != 0;
}

#endif
