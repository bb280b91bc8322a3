/* Sources in C: the clocks of a library stamp its events, and tools ask them for the time. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <mpit/mpi_t.h>
#include <string.h>

static int64_t card_time = 5;
static int64_t card_ticks(void) { return card_time; }

static mpit_source card, silent, unused, other;
static const mpit_source_type sources[] = {
    MPIT_ROW_SOURCE("tests_card", &card, card_ticks, "Clock of the network card", .ticks_per_second = 1000,
                    .max_ticks = 99, .is_ordered = true),
    MPIT_ROW_SOURCE("tests_silent", &silent, NULL, "Milliseconds of the steady clock", .ticks_per_second = 1000),
    MPIT_ROW_END};

static mpit_event arrived, waited, steady;
static const mpit_event_type events[] = {
    MPIT_ROW_EVENT("tests_card_arrived", &arrived, int, NULL, "A message has come", .source = &card),
    MPIT_ROW_EVENT("tests_card_waited", &waited, int, NULL, "A wait has ended", .source = &silent),
    MPIT_ROW_EVENT("tests_steady", &steady, int, NULL, "Something", .clock = MPIT_STEADY_CLOCK), MPIT_ROW_END};

struct seen_source {
    char name[64], description[64];
    int index;
    MPI_T_source_order ordering;
    MPI_Count ticks_per_second, max_ticks;
};
/* What tools are told of a source; its index is -1 if there is none. */
static struct seen_source source_of(const char* name) {
    struct seen_source found;
    int count = 0;
    CHECK(MPI_T_source_get_num(&count) == MPI_SUCCESS);
    for (found.index = 0; found.index < count; found.index++) {
        int length = sizeof found.name, room = sizeof found.description;
        CHECK(MPI_T_source_get_info(found.index, found.name, &length, found.description, &room, &found.ordering,
                                    &found.ticks_per_second, &found.max_ticks, NULL) == MPI_SUCCESS);
        if (strcmp(found.name, name) == 0) return found;
    }
    found.index = -1;
    return found;
}

static int calls, last_source;
static MPI_Count last_stamp;
static void hear(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void* data) {
    (void)registration;
    (void)safety;
    (void)data;
    calls++;
    CHECK(MPI_T_event_get_timestamp(instance, &last_stamp) == MPI_SUCCESS);
    CHECK(MPI_T_event_get_source(instance, &last_source) == MPI_SUCCESS);
}
static MPI_T_event_registration listen_to(const char* name) {
    MPI_T_event_registration made;
    int index = -1;
    CHECK(MPI_T_event_get_index(name, &index) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &made) == MPI_SUCCESS);
    CHECK(MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, hear) == MPI_SUCCESS);
    return made;
}

/* [SRC-02][SRC-03][SRC-04] Tools see a source as its row says. */
static void check_attributes(void) {
    round_name = "attributes";
    const struct seen_source of_card = source_of("tests_card"), of_silent = source_of("tests_silent");
    CHECK(of_card.index >= 0 && strcmp(of_card.description, "Clock of the network card") == 0);
    CHECK(of_card.ordering == MPI_T_SOURCE_ORDERED && of_card.ticks_per_second == 1000 && of_card.max_ticks == 99);
    CHECK(of_silent.index >= 0 && of_silent.ordering == MPI_T_SOURCE_UNORDERED && of_silent.max_ticks == INT64_MAX);
}

/* [SRC-05][SRC-08][SRC-09] The clock of the library answers a tool, and stamps events; a stamp is not above
 * max_ticks. */
static void check_stamps(void) {
    const int now = 0, card_index = source_of("tests_card").index, silent_index = source_of("tests_silent").index;
    MPI_Count ticks = -1, before = 0, after = 0;
    round_name = "stamps";
    card_time = 42;
    CHECK(MPI_T_source_get_timestamp(card_index, &ticks) == MPI_SUCCESS && ticks == 42);
    CHECK(MPI_T_source_get_timestamp(silent_index, &ticks) == MPI_T_ERR_NOT_SUPPORTED);
    MPI_T_event_registration all[] = {listen_to("tests_card_arrived"), listen_to("tests_card_waited"),
                                      listen_to("tests_steady")};
    card_time = 60;
    mpit_raise(&arrived, &now);
    CHECK(calls == 1 && last_stamp == 60 && last_source == card_index);
    card_time = 103;
    mpit_raise(&arrived, &now);
    CHECK(calls == 2 && last_stamp == 3);
    mpit_raise(&waited, &now);
    CHECK(calls == 3 && last_stamp > 0 && last_source == silent_index);
    CHECK(MPI_T_source_get_timestamp(0, &before) == MPI_SUCCESS); /* the steady clock is the first source */
    mpit_raise(&steady, &now);
    CHECK(MPI_T_source_get_timestamp(0, &after) == MPI_SUCCESS);
    CHECK(calls == 4 && last_source == 0 && before <= last_stamp && last_stamp <= after);
    for (int i = 0; i < 3; i++) CHECK(MPI_T_event_handle_free(all[i], NULL, NULL) == MPI_SUCCESS);
}

/* [SRC-01] A source keeps its index when its group is closed, and has it again later. */
static void check_closing(void) {
    const int index = source_of("tests_card").index;
    int count = 0, again = 0;
    MPI_Count ticks = -1;
    round_name = "closed groups";
    CHECK(MPI_T_source_get_num(&count) == MPI_SUCCESS);
    CHECK(MPI_T_source_get_timestamp(index, &ticks) == MPI_T_ERR_NOT_SUPPORTED);
    mpit_group* const group = mpit_open(NULL, "tests_sources", "Clocks", NULL);
    CHECK(mpit_add_sources(group, sources) == 0 && mpit_publish(group) == 0);
    CHECK(MPI_T_source_get_num(&again) == MPI_SUCCESS && again == count && source_of("tests_card").index == index);
    card_time = 7;
    CHECK(MPI_T_source_get_timestamp(index, &ticks) == MPI_SUCCESS && ticks == 7);
    mpit_close(group);
}

/* The second description of a source is refused. */
static void check_another(void) {
    static const mpit_source_type one[] = {MPIT_ROW_SOURCE("tests_other", &other, card_ticks, "A clock"), MPIT_ROW_END};
    static const mpit_source_type another[] = {
        MPIT_ROW_SOURCE("tests_other", &unused, card_ticks, "Another rate", .ticks_per_second = 3), MPIT_ROW_END};
    mpit_group* const group = mpit_open(NULL, "tests_first_sources", NULL, NULL);
    mpit_group* const second = mpit_open(NULL, "tests_second_sources", NULL, NULL);
    round_name = "another rate";
    CHECK(mpit_add_sources(group, one) == 0 && mpit_publish(group) == 0);
    CHECK(mpit_add_sources(second, another) == 0 && mpit_publish(second) == 1);
    CHECK(source_of("tests_other").ticks_per_second == 1000000000);
    mpit_close(second);
    mpit_close(group);
}

static mpit_group *clocks, *raised;
void begin_sources(void) {
    round_name = "groups";
    clocks = mpit_open(NULL, "tests_sources", "Clocks", NULL);
    raised = mpit_open(clocks, "tests_stamped", "Events", NULL);
    CHECK(mpit_add_sources(clocks, sources) == 0 && mpit_add_events(raised, events) == 0);
    CHECK(mpit_publish(raised) == 0 && mpit_publish(clocks) == 0); /* in any order */
}
int test_sources(void) {
    begin_tool();
    check_attributes();
    check_stamps();
    mpit_close(raised);
    mpit_close(clocks);
    check_closing();
    check_another();
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
