/* Lesson 11: the same library, seen by a tool of 2010.
 *
 * A proposal of that year let tools walk sets of variables with iterators, and ask in which sets a variable is,
 * which no later text has. This program uses all five functions; MPIT_Init comes from the draft that the proposal
 * was made for. */
#include <mpi.h>

#include <stdio.h>

static void list_set(const char* set, int depth) {
    char name[MPIT_MAX_SET_NAME], description[MPIT_MAX_SET_DESC];
    MPIT_Taxonquery_iterator sets = MPIT_TAXONQUERY_START, variables = MPIT_TAXONQUERY_START;
    int length, type;
    if (MPIT_Taxon_describe_set(set, description, &length) == MPIT_SUCCESS)
        printf("%*s%s: %s\n", 2 * depth, "", set, description);
    while (MPIT_Taxon_query_set_variables(&variables, set, name, &length, &type) == MPIT_SUCCESS)
        printf("%*s%s %s\n", 2 * depth + 2, "", type == MPIT_TYPE_CONFIG ? "config     " : "performance", name);
    while (MPIT_Taxon_query_set_sets(&sets, set, name, &length, &type) == MPIT_SUCCESS) list_set(name, depth + 1);
}

static void list_sets_of(const char* variable) {
    char name[MPIT_MAX_SET_NAME];
    MPIT_Taxonquery_iterator sets = MPIT_TAXONQUERY_START;
    int length, type;
    printf("%s is in", variable);
    while (MPIT_Taxon_query_variable_sets(&sets, variable, name, &length, &type) == MPIT_SUCCESS)
        printf(" %s as a %s variable", name, type == MPIT_TYPE_CONFIG ? "configuration" : "performance");
    printf("\n");
}

int main(void) {
    int before, after;
    if (MPIT_Init() != MPIT_SUCCESS) return 1;
    MPIT_Taxon_changed(&before);
    list_set(MPIT_ROOT_SETS, -1);
    MPIT_Taxon_changed(&after);
    printf("\nBefore the first query the sets had %schanged, after it they had %s.\n", before ? "" : "not ",
           after ? "changed" : "not");
    list_sets_of("MINI_EAGER_LIMIT");
    list_sets_of("unexpected_queue_length (high watermark)");
    return MPIT_Finalize() != MPIT_SUCCESS;
}
