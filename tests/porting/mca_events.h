/* SPDX-License-Identifier: BSD-3-Clause */
/* Of mca.c: the events of a registry such as Open MPI's through examples/porting/mca_events.c: of the process, of communicators,
 * counted in an allocator, and of a group that ends and comes back. */
#ifndef TESTS_PORTING_MCA_EVENTS_H
#define TESTS_PORTING_MCA_EVENTS_H

#include "mca/mca_registry.h"

#include "../mpi_t/control_variables.h"

#include <mpit/mpi_t.h>
#include <string.h>

struct connected {
    int peer;
    unsigned long bytes;
};
static const mca_base_var_type_t of_connected[] = {MCA_BASE_VAR_TYPE_INT32_T, MCA_BASE_VAR_TYPE_UINT64_T};
static const mca_base_var_type_t of_counted[] = {MCA_BASE_VAR_TYPE_UINT64_T, MCA_BASE_VAR_TYPE_UINT64_T};
static const mca_base_var_type_t of_strange[] = {MCA_BASE_VAR_TYPE_BOOL};
static const ptrdiff_t event_places[] = {0, 8};
static mca_base_event_source_t ordered_source = {
    0, "mca", "In order", MCA_BASE_EVENT_SOURCE_ORDERED, 1000000000, NULL, NULL, NULL, NULL, NULL};
static mca_base_event_source_t allocator = {
    1, "mca.unordered", "Of an allocator", MCA_BASE_EVENT_SOURCE_UNORDERED, 1000000000, NULL, NULL, NULL, NULL, NULL};
static mca_base_event_t events[] = {
    {0, "mca.connected", "A peer", 1, OPAL_INFO_LVL_9, 2, of_connected, event_places, sizeof(struct connected), 0,
     MCA_BASE_EVENT_FLAG_IWG, &ordered_source, 0},
    {1, "mca.named", "Of a communicator", 1, OPAL_INFO_LVL_1, 2, of_connected, event_places, sizeof(struct connected),
     MCA_BASE_VAR_BIND_MPI_COMM, (mca_base_event_flag_t)0, &ordered_source, 0},
    {2, "mca.released", "Memory", 1, OPAL_INFO_LVL_9, 2, of_counted, event_places, 16, 0, (mca_base_event_flag_t)0,
     &allocator, 0},
    {3, "mca.strange", "Of a type that MPI_T has not", 1, OPAL_INFO_LVL_9, 1, of_strange, event_places, 8, 0,
     (mca_base_event_flag_t)0, &ordered_source, 0},
};
int mca_base_event_get_by_index(int index, mca_base_event_t** event) {
    *event = &events[index];
    return OPAL_SUCCESS;
}
static int64_t released;
static bool is_hooked;
static void consume(void* ctx, int64_t* count, int64_t* bytes) {
    *count = released != 0;
    *bytes = released;
    released = 0;
    CHECK(ctx == &released);
}
static void activate(void* ctx, bool active) { is_hooked = active && ctx == &released; }

static void raise_event(int index, void* object, int peer) {
    const struct connected payload = {peer, 1ul << 40};
    if (events[index].num_active == 0) return; /* as Open MPI's inline function has it */
    mca_base_event_raise_internal(&events[index], NULL, object, &payload, MCA_BASE_EVENT_CB_REQUIRE_NONE);
}

static void register_events(opal_value_array_t* list) {
    allocator.fold_consume_fn = consume;
    allocator.activate_fn = activate;
    allocator.ctx = &released;
    allocator.fold_event = &events[2];
    for (int i = 0; i < 4; i++) list->numbers[list->size++] = i;
    raise_event(0, NULL, 1); /* no tool is there: nothing happens */
}

static int calls, last_peer;
static unsigned long last_bytes;
static void hear(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                 void* data) {
    (void)registration;
    (void)safety;
    calls++;
    CHECK(MPI_T_event_read(instance, 1, &last_bytes) == MPI_SUCCESS);
    if (data == NULL) CHECK(MPI_T_event_read(instance, 0, &last_peer) == MPI_SUCCESS);
}
static int event_index_of(const char* name) {
    int index = -1;
    return MPI_T_event_get_index(name, &index) == MPI_SUCCESS ? index : -1;
}
static MPI_T_event_registration listen_to(const char* name, void* object, void* data) {
    MPI_T_event_registration made;
    CHECK(MPI_T_event_handle_alloc(event_index_of(name), object, MPI_INFO_NULL, &made) == MPI_SUCCESS);
    CHECK(MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, data, hear) == MPI_SUCCESS);
    return made;
}

/* [EVT-02] [SRC-02] [CAT-10] */
static void check_events(int category) {
    char name[64];
    int length = sizeof name, verbosity = -1, bind = -1, count = 0, source = -1, number = 0;
    round_name = "events";
    CHECK(event_index_of("mca.strange") == -1);
    CHECK(MPI_T_event_get_info(event_index_of("mca.connected"), NULL, NULL, &verbosity, NULL, NULL, &count, NULL, NULL,
                               NULL, NULL, &bind) == MPI_SUCCESS);
    CHECK(count == 2 && verbosity == MPI_T_VERBOSITY_MPIDEV_ALL && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(MPI_T_category_get_num_events(category, &number) == MPI_SUCCESS && number == 3);
    MPI_T_event_registration first = listen_to("mca.connected", NULL, NULL);
    raise_event(0, NULL, 7);
    CHECK(calls == 1 && last_peer == 7 && last_bytes == 1ul << 40);
    CHECK(MPI_T_source_get_num(&number) == MPI_SUCCESS && number >= 2);
    for (source = 0; source < number; source++) {
        MPI_T_source_order order;
        length = sizeof name;
        CHECK(MPI_T_source_get_info(source, name, &length, NULL, NULL, &order, NULL, NULL, NULL) == MPI_SUCCESS);
        if (strcmp(name, "mca") == 0) CHECK(order == MPI_T_SOURCE_ORDERED);
        if (strcmp(name, "mca.unordered") == 0) CHECK(order == MPI_T_SOURCE_UNORDERED);
    }
    CHECK(MPI_T_event_handle_free(first, NULL, NULL) == MPI_SUCCESS);
}

/* [EVT-13] An event of one communicator, and what an allocator has counted before it. */
static void check_events_of(void* object, void* other) {
    MPI_T_event_registration none;
    void* const ended = &calls;
    round_name = "events of objects";
    CHECK(MPI_T_event_handle_alloc(event_index_of("mca.named"), (void*)&ended, MPI_INFO_NULL, &none) != MPI_SUCCESS);
    MPI_T_event_registration of_object = listen_to("mca.named", &object, NULL);
    calls = 0;
    raise_event(1, other, 3);
    CHECK(calls == 0);
    raise_event(1, object, 4);
    CHECK(calls == 1 && last_peer == 4);
    CHECK(is_hooked);
    MPI_T_event_registration of_memory = listen_to("mca.released", NULL, &calls);
    released = 4096;
    raise_event(1, other, 3);
    CHECK(calls == 2 && last_bytes == 4096);
    CHECK(MPI_T_event_handle_free(of_memory, NULL, NULL) == MPI_SUCCESS);
    CHECK(MPI_T_event_handle_free(of_object, NULL, NULL) == MPI_SUCCESS);
}

static int of_connected_before;
static void check_ended_events(void) {
    round_name = "events that have ended";
    of_connected_before = event_index_of("mca.connected");
    CHECK(events[0].num_active == 0);
    calls = 0;
    raise_event(0, NULL, 7);
    mca_base_event_raise_internal(&events[0], NULL, NULL, &(struct connected){0, 0}, MCA_BASE_EVENT_CB_REQUIRE_NONE);
    CHECK(calls == 0);
    CHECK(events[1].num_active == 1); /* the registry left it there */
}
static void check_events_again(void) {
    round_name = "events again";
    CHECK(event_index_of("mca.connected") == of_connected_before);
    MPI_T_event_registration again = listen_to("mca.connected", NULL, NULL);
    raise_event(0, NULL, 9);
    CHECK(calls == 1 && last_peer == 9);
    CHECK(MPI_T_event_handle_free(again, NULL, NULL) == MPI_SUCCESS);
}

#endif
