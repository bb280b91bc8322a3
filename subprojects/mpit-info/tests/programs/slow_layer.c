/* In place of mpit-info-calls-<interface>.so: reading its values takes longer than the end of the MPI waits for the
 * agent's thread. At exit it prints what that thread did then. */
#include "../../agent/calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int is_over, is_gone, calls_behind;
static pthread_key_t of_reader;

static void wait_for(atomic_int* flag) {
    for (int i = 0; i < 20000 && !*flag; i++) usleep(1000);
}

static void at_end_of_reader(void* nothing) {
    (void)nothing;
    is_gone = 1;
}

static void at_exit(void) {
    wait_for(&is_gone);
    printf("the reader %s, having read %d times more\n", is_gone ? "has ended" : "is there", calls_behind);
    fflush(stdout);
}

static int begin(const struct mpit_info_layer_start* how) {
    (void)how;
    pthread_key_create(&of_reader, at_end_of_reader);
    atexit(at_exit);
    return 1;
}

static const char* columns(void) {
    static int are_told;
    if (are_told++) return NULL;
    return "[{\"name\": \"slow\", \"class\": \"counter\", \"element\": null, \"object\": null, "
           "\"type\": \"unsigned_long_long\"}]";
}

static size_t values(struct mpit_info_value* room, size_t size) {
    if (size > 0) room[0] = (struct mpit_info_value){0, 1, 0};
    pthread_setspecific(of_reader, &of_reader);
    if (is_over) {
        calls_behind++;
        return 1;
    }
    wait_for(&is_over);
    usleep(100000); /* the thread that ends the MPI goes on */
    return 1;
}

static const char* variables(int first) {
    (void)first;
    return "";
}

static const char* categories(int first, int first_variable) {
    (void)first, (void)first_variable;
    return "";
}

static const char* values_of_cells(const unsigned long long* cells) {
    (void)cells;
    return "{}";
}

static const char* distributions(void) { return NULL; }

static const char* quiet_calls(void) { return NULL; }

static void set_phase(int phase) { (void)phase; }

static void end(void) { is_over = 1; }

static void leave_to_parent(void) {}

__attribute__((visibility("default"))) extern const struct mpit_info_layer mpit_info_layer;
static int hold(unsigned operation, unsigned milliseconds, int with_new, unsigned* begun) {
    (void)operation, (void)milliseconds, (void)with_new, (void)begun;
    return 0;
}

const struct mpit_info_layer mpit_info_layer = {begin,           columns,       values,      variables, categories, 0,
                                                values_of_cells, distributions, quiet_calls, hold,      set_phase,  end,
                                                leave_to_parent};
