/* The number of functions of the MPI tool information interface in MPI-5.0, for tables that are made from the
 * library's list of them (mpit/mpi_t/functions.def): a list with one more does not compile, and one with one less
 * fails. And the names of those on info objects. */
#ifndef TESTS_STANDARD_FUNCTIONS_H
#define TESTS_STANDARD_FUNCTIONS_H

enum { function_count = 51 };

#define EVERY_INFO_FUNCTION(X)                                                                                         \
    X(create)                                                                                                          \
    X(create_env) X(delete) X(dup) X(free) X(get) X(get_nkeys) X(get_nthkey) X(get_string) X(get_valuelen) X(set)

#endif
