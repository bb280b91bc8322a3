/* Tables of events in C: a struct with its elements, of the process and of objects, deferred, and closed while a
 * tool listens. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>
#include <string.h>

struct arrival {
    int source;
    unsigned long bytes;
    double wait;
    int ranks[3];
    char text[8];
};
static mpit_event arrived, freed, empty;
static const mpit_element arrival_elements[] = {
    MPIT_ROW_ELEMENT(struct arrival, source), MPIT_ROW_ELEMENT(struct arrival, bytes),
    MPIT_ROW_ELEMENT(struct arrival, wait),   MPIT_ROW_ELEMENT(struct arrival, ranks),
    MPIT_ROW_ELEMENT(struct arrival, text),   MPIT_ROW_END};
static bool exists(uint64_t handle) { return handle == 1; }

static const mpit_event_type events[] = {
    MPIT_ROW_EVENT("tests_arrived", &arrived, struct arrival, arrival_elements, "A message has come",
                   .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_EVENT("tests_freed", &freed, struct arrival, arrival_elements, "An object is freed",
                   .bind = MPIT_BIND_COMM, .handle_size = sizeof(int), .exists = exists),
    MPIT_ROW_EVENT("tests_empty", &empty, struct arrival, NULL, "Something"), MPIT_ROW_END};

static int calls;
static struct arrival seen;
static void hear(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void* data) {
    (void)registration;
    (void)safety;
    (void)data;
    calls++;
    memset(&seen, 0, sizeof seen);
    CHECK(MPI_T_event_read(instance, 0, &seen.source) == MPI_SUCCESS);
    CHECK(MPI_T_event_read(instance, 1, &seen.bytes) == MPI_SUCCESS);
    CHECK(MPI_T_event_read(instance, 2, &seen.wait) == MPI_SUCCESS);
    CHECK(MPI_T_event_read(instance, 5, &seen.ranks[2]) == MPI_SUCCESS);
    CHECK(MPI_T_event_read(instance, 7, &seen.text[1]) == MPI_SUCCESS);
}
static int index_of(const char* name) {
    int index = -1;
    return MPI_T_event_get_index(name, &index) == MPI_SUCCESS ? index : -1;
}
static MPI_T_event_registration listen_to(const char* name, void* object) {
    MPI_T_event_registration made;
    CHECK(MPI_T_event_handle_alloc(index_of(name), object, MPI_INFO_NULL, &made) == MPI_SUCCESS);
    CHECK(MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, hear) == MPI_SUCCESS);
    return made;
}

static mpit_group* opened(void) {
    mpit_group* const made = mpit_open(NULL, "tests_events", "Events in C", NULL);
    CHECK(made != NULL);
    CHECK(mpit_add_events(made, events) == 0 && mpit_publish(made) == 0);
    return made;
}

static const struct arrival now = {3, 1ul << 40, 0.5, {1, 2, 7}, "abc"};
static mpit_group* group;

static void check_attributes(void) {
    char name[64];
    int length = sizeof name, verbosity = -1, bind = -1, count = -1, value = -1;
    MPI_T_enum names = MPI_T_ENUM_NULL;
    round_name = "attributes";
    CHECK(MPI_T_event_get_info(index_of("tests_arrived"), name, &length, &verbosity, NULL, NULL, &count, &names, NULL,
                               NULL, NULL, &bind) == MPI_SUCCESS);
    CHECK(count == 14 && verbosity == MPI_T_VERBOSITY_TUNER_BASIC && bind == MPI_T_BIND_NO_OBJECT);
    length = sizeof name;
    CHECK(MPI_T_enum_get_item(names, 1, &value, name, &length) == MPI_SUCCESS && strcmp(name, "bytes") == 0);
    count = 0;
    CHECK(MPI_T_event_get_info(index_of("tests_freed"), NULL, NULL, NULL, NULL, NULL, &count, NULL, NULL, NULL, NULL,
                               &bind) == MPI_SUCCESS);
    CHECK(bind == MPI_T_BIND_MPI_COMM);
}

static void check_raises(void) {
    round_name = "raises";
    int computed = 0;
    mpit_raise(&arrived, (computed++, &now));
    CHECK(!mpit_event_is_watched(&arrived) && calls == 0 && computed == 0);
    MPI_T_event_registration listening = listen_to("tests_arrived", NULL);
    CHECK(mpit_event_is_watched(&arrived));
    mpit_raise(&arrived, &(struct arrival){3, 1ul << 40, 0.5, {1, computed, 7}, "abc"});
    CHECK(calls == 1 && seen.source == 3 && seen.bytes == 1ul << 40 && seen.wait == 0.5 && seen.ranks[2] == 7 &&
          seen.text[1] == 'b');
    mpit_defer(&arrived, 0, &now);
    CHECK(calls == 1);
    mpit_deliver(&arrived);
    CHECK(calls == 2);
    mpit_raise_at(&arrived, MPIT_ASYNC_SIGNAL_SAFE, 0, &now);
    CHECK(calls == 2); /* the callback may do more */
    CHECK(MPI_T_event_handle_free(listening, NULL, NULL) == MPI_SUCCESS && !mpit_event_is_watched(&arrived));
}

static void check_objects(void) {
    int one = 1, two = 2;
    MPI_T_event_registration of_two;
    round_name = "objects";
    MPI_T_event_registration of_one = listen_to("tests_freed", &one);
    CHECK(MPI_T_event_handle_alloc(index_of("tests_freed"), &two, MPI_INFO_NULL, &of_two) != MPI_SUCCESS);
    calls = 0;
    mpit_raise_in(&freed, 2, &now);
    CHECK(calls == 0);
    mpit_raise_in(&freed, 1, &now);
    CHECK(calls == 1);
    CHECK(MPI_T_event_handle_free(of_one, NULL, NULL) == MPI_SUCCESS);
}

/* Nobody hears an event of a closed group, and it comes again with the same number. */
static void check_closing(void) {
    const int index = index_of("tests_arrived");
    MPI_T_event_registration before = listen_to("tests_arrived", NULL);
    round_name = "closed groups";
    mpit_close(group);
    calls = 0;
    CHECK(!mpit_event_is_watched(&arrived));
    mpit_raise(&arrived, &now);
    CHECK(calls == 0);
    group = opened();
    CHECK(index_of("tests_arrived") == index);
    MPI_T_event_registration after = listen_to("tests_arrived", NULL);
    mpit_raise(&arrived, &now);
    CHECK(calls >= 1);
    CHECK(MPI_T_event_handle_free(before, NULL, NULL) == MPI_SUCCESS && mpit_event_is_watched(&arrived));
    CHECK(MPI_T_event_handle_free(after, NULL, NULL) == MPI_SUCCESS && !mpit_event_is_watched(&arrived));
}

void begin_events(void) {
    mpit_raise(&arrived, &now); /* before it is added */
    round_name = "groups";
    group = opened();
}
int test_events(void) {
    begin_tool();
    check_attributes();
    check_raises();
    check_objects();
    check_closing();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    mpit_close(group);
    return report();
}
