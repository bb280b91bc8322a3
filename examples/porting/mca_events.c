/* SPDX-License-Identifier: BSD-3-Clause */
/* The events that components of Open MPI 6 register with the MCA, raised by mpit: this file takes the place of
 * mca_base_event_dispatch.c. The events stay in the registry of the MCA. From the first MPI_T_init_thread on a raise
 * comes here, and is a load and a branch more without a callback.
 *
 *   cc -I<include of mpit> -I<Open MPI> -c mca_events.c */
#include "mca_variables.h"

#include "opal/class/opal_value_array.h"
#include "opal/constants.h"
#include "opal/mca/base/mca_base_event.h"
#include "opal/mca/base/mca_base_pvar.h"

#include <stdio.h>
#include <time.h>

enum { most_events = 128, most_sources = 16, most_elements = 16 };

static struct described_event {
    mpit_event event;
    mpit_event_type rows[2]; /* the second one ends the table */
    mpit_element elements[most_elements + 1];
    mpit_group* group; /* NULL while the event is not described */
    mca_base_event_t* of_mca;
} events[most_events]; /* by the index that the MCA has */

static struct {
    mpit_source source;
    mpit_source_type rows[2];
} sources[most_sources];

/* The event of what an allocator has counted, where nothing can be raised; Open MPI has one. */
static struct described_event* counted;

/* The clock of the sources of Open MPI: nanoseconds. */
static int64_t now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A source stays, since events of several groups of the MCA may have it. Returns NULL without room. */
static mpit_source* describe_source(const mca_base_event_source_t* from, int mca_group) {
    static mpit_group* all = NULL;
    const mca_base_var_group_t* first;
    const int i = from->source_index;
    if (i < 0 || i >= most_sources) return NULL;
    if (sources[i].rows[0].name != NULL) return &sources[i].source;
    const mpit_source_type row = {.name = from->name,
                                  .source = &sources[i].source,
                                  .clock = from->get_timestamp == NULL ? now : NULL,
                                  .description = from->description,
                                  .ticks_per_second = from->ticks_per_second,
                                  .is_ordered = from->ordering == MCA_BASE_EVENT_SOURCE_ORDERED};
    if (all == NULL && mca_base_var_group_get(mca_group, &first) == OPAL_SUCCESS)
        all = mpit_open(NULL, first->group_full_name, first->group_description, NULL);
    if (all == NULL) return NULL;
    sources[i].rows[0] = row;
    return mpit_add_sources(all, sources[i].rows) == 0 && mpit_publish(all) == 0 ? &sources[i].source : NULL;
}

/* The MCA has no names of elements, and MPI_T no datatype for a bool. */
static bool describe_elements(struct described_event* made) {
    static const struct {
        mca_base_var_type_t of_mca;
        mpit_type type;
        size_t size;
    } types[] = {{MCA_BASE_VAR_TYPE_INT, MPIT_TYPE_INT, sizeof(int)},
                 {MCA_BASE_VAR_TYPE_INT32_T, MPIT_TYPE_INT, sizeof(int)},
                 {MCA_BASE_VAR_TYPE_UNSIGNED_INT, MPIT_TYPE_UNSIGNED, sizeof(int)},
                 {MCA_BASE_VAR_TYPE_UINT32_T, MPIT_TYPE_UNSIGNED, sizeof(int)},
                 {MCA_BASE_VAR_TYPE_LONG, MPIT_TYPE_LONG, sizeof(long)},
                 {MCA_BASE_VAR_TYPE_INT64_T, MPIT_TYPE_LONG, sizeof(long)},
                 {MCA_BASE_VAR_TYPE_UNSIGNED_LONG, MPIT_TYPE_UNSIGNED_LONG, sizeof(long)},
                 {MCA_BASE_VAR_TYPE_UINT64_T, MPIT_TYPE_UNSIGNED_LONG, sizeof(long)},
                 {MCA_BASE_VAR_TYPE_SIZE_T, MPIT_TYPE_UNSIGNED_LONG, sizeof(long)},
                 {MCA_BASE_VAR_TYPE_DOUBLE, MPIT_TYPE_DOUBLE, sizeof(double)}};
    static char names[most_elements][16];
    const mca_base_event_t* const from = made->of_mca;
    if (from->num_elements > most_elements) return false;
    for (int i = 0; i < from->num_elements; i++) {
        size_t j = 0;
        while (j < sizeof types / sizeof *types && types[j].of_mca != from->element_types[i]) j++;
        if (j == sizeof types / sizeof *types) return false;
        (void)snprintf(names[i], sizeof names[i], "element_%d", i);
        const mpit_element element = {names[i], types[j].type, (size_t)from->element_offsets[i], types[j].size};
        made->elements[i] = element;
    }
    return true;
}

static bool has_comm(uint64_t handle) { return mca_variables_find(MCA_BASE_VAR_BIND_MPI_COMM, handle) != NULL; }
static bool has_win(uint64_t handle) { return mca_variables_find(MCA_BASE_VAR_BIND_MPI_WIN, handle) != NULL; }
static bool has_file(uint64_t handle) { return mca_variables_find(MCA_BASE_VAR_BIND_MPI_FILE, handle) != NULL; }

static bool describe(mpit_group* group, mca_base_event_t* from) {
    struct described_event* const made = &events[from->event_index];
    mpit_source* const source = describe_source(from->source, from->group_index);
    made->of_mca = from;
    if (source == NULL || !describe_elements(made)) return false;
    const mpit_event_type row = {.name = from->name,
                                 .event = &made->event,
                                 .elements = made->elements,
                                 .size = from->buffer_size,
                                 .description = from->description,
                                 .verbosity = (mpit_verbosity)from->verbosity,
                                 .bind = (mpit_bind)from->bind,
                                 .handle_size = from->bind == MCA_BASE_VAR_BIND_NO_OBJECT ? 0 : sizeof(void*),
                                 .exists = from->bind == MCA_BASE_VAR_BIND_MPI_COMM   ? has_comm
                                           : from->bind == MCA_BASE_VAR_BIND_MPI_WIN  ? has_win
                                           : from->bind == MCA_BASE_VAR_BIND_MPI_FILE ? has_file
                                                                                      : NULL,
                                 .source = source};
    made->rows[0] = row;
    if (mpit_add_events(group, made->rows) != 0) return false;
    __atomic_store_n(&made->group, group, __ATOMIC_RELEASE);
    from->num_active = 1;
    if (from->source->fold_event == from) {
        from->source->activate_fn(from->source->ctx, true);
        __atomic_store_n(&counted, made, __ATOMIC_RELEASE);
    }
    return true;
}

bool mca_events_add(mpit_group* group, const void* list, bool is_ending) {
    opal_value_array_t* const numbers = (opal_value_array_t*)(uintptr_t)list;
    bool has_new = false;
    for (size_t i = 0; i < opal_value_array_get_size(numbers); i++) {
        const int index = OPAL_VALUE_ARRAY_GET_ITEM(numbers, int, i);
        mca_base_event_t* event;
        if (index >= most_events || events[index].group != NULL) continue;
        if (mca_base_event_get_by_index(index, &event) != OPAL_SUCCESS) continue;
        if (is_ending && (event->flags & MCA_BASE_EVENT_FLAG_IWG) != 0) continue;
        has_new = (group == NULL || describe(group, event)) || has_new;
    }
    return has_new;
}

void mca_events_ending(mpit_group* group) {
    for (int i = 0; i < most_events; i++)
        if (events[i].group == group && group != NULL) {
            events[i].of_mca->num_active = 0;
            __atomic_store_n(&events[i].group, NULL, __ATOMIC_RELEASE);
        }
}

void mca_base_event_raise_internal(mca_base_event_t* event, mca_base_event_source_t* source, void* object,
                                   const void* payload, mca_base_event_cb_safety_t safety) {
    (void)source; /* that of the event, always */
    struct described_event* const made = &events[event->event_index];
    if (__atomic_load_n(&made->group, __ATOMIC_ACQUIRE) == NULL) return;
    struct described_event* const late = __atomic_load_n(&counted, __ATOMIC_ACQUIRE);
    if (late != NULL && __atomic_load_n(&late->group, __ATOMIC_ACQUIRE) != NULL) {
        int64_t count_and_bytes[2] = {0, 0};
        mca_base_event_source_t* const from = late->of_mca->source;
        from->fold_consume_fn(from->ctx, &count_and_bytes[0], &count_and_bytes[1]);
        if (count_and_bytes[0] != 0) mpit_raise(&late->event, count_and_bytes);
    }
    mpit_raise_at(&made->event, (mpit_safety)safety, (uint64_t)(uintptr_t)object, payload);
}
