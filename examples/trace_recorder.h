/* A recorder of MPI_T events that writes a trace for chrome://tracing and https://ui.perfetto.dev. It needs nothing
 * but an mpi.h, and works with any MPI. Include it in one file, after defining _GNU_SOURCE for gettid(), or copy it.
 *
 *   start_tracing();   ...   stop_tracing();   write_trace("trace.json", rank); */
#ifndef TRACE_RECORDER_H
#define TRACE_RECORDER_H

#include <mpi.h>

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most_events = 64, most_elements = 160, most_sources = 16, record_count = 1 << 14 };
enum { name_size = 128, largest_payload = 256 }; /* bytes */

static void check(int answer, const char* what) {
    if (answer == MPI_SUCCESS) return;
    fprintf(stderr, "%s failed with error %d\n", what, answer);
    exit(1);
}

/* What is known beforehand. */

struct event {
    char name[name_size];
    int count; /* of elements */
    char element_names[most_elements][name_size];
    MPI_Datatype types[most_elements];
    MPI_Aint displacements[most_elements];
    MPI_T_event_registration registration;
};

/* Every source counts in ticks of its own, from a moment of its own: what all of them show at the start makes them
 * comparable. It is -1 for a source that cannot be asked for the time, and starts with its first event. */
struct source {
    MPI_Count ticks_per_second, max_ticks, start;
};

static struct event events[most_events];
static struct source sources[most_sources];
static int event_count, source_count, bound_count;

static size_t size_of(MPI_Datatype type) {
    if (type == MPI_CHAR) return 1;
    if (type == MPI_INT || type == MPI_UNSIGNED || type == MPI_INT32_T || type == MPI_UINT32_T) return 4;
    return 8;
}

/* While the program is running. */

static struct record {
    const struct event* event;
    MPI_Count stamp;
    long thread;
    int source;
    unsigned char payload[largest_payload];
} records[record_count];
static atomic_size_t next_record;
static atomic_llong dropped;
static atomic_int registered;

/* Nobody waits here: each call takes the next record, and the last ones find none. */
static void on_event(MPI_T_event_instance instance, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void* user_data) {
    (void)registration, (void)safety;
    const size_t number = atomic_fetch_add(&next_record, 1);
    if (number >= record_count) {
        atomic_fetch_add(&dropped, 1);
        return;
    }
    static _Thread_local long this_thread;
    if (this_thread == 0) this_thread = gettid();
    struct record* const record = &records[number];
    record->event = user_data;
    record->thread = this_thread;
    MPI_T_event_get_source(instance, &record->source);
    MPI_T_event_get_timestamp(instance, &record->stamp);
    MPI_T_event_copy(instance, record->payload);
}

/* What MPI could not deliver. */
static void on_dropped(MPI_Count count, MPI_T_event_registration registration, int source, MPI_T_cb_safety safety,
                       void* user_data) {
    (void)registration, (void)source, (void)safety, (void)user_data;
    atomic_fetch_add(&dropped, count);
}

/* From now on the event calls nobody. */
static void on_freed(MPI_T_event_registration registration, MPI_T_cb_safety safety, void* user_data) {
    (void)registration, (void)safety, (void)user_data;
    atomic_fetch_sub(&registered, 1);
}

/* Start and stop. */

static MPI_Count now(int source) {
    MPI_Count ticks = -1;
    return MPI_T_source_get_timestamp(source, &ticks) == MPI_SUCCESS ? ticks : -1;
}

/* Keeps what it has read if that took less time than ever before. */
static MPI_Count read_all_clocks(MPI_Count fastest) {
    MPI_Count ticks[most_sources];
    for (int i = 0; i < source_count; ++i) ticks[i] = now(i);
    const MPI_Count taken = now(0) - ticks[0];
    if (taken >= fastest) return fastest;
    for (int i = 0; i < source_count; ++i) sources[i].start = ticks[i];
    return taken;
}

static void look_at_sources(void) {
    MPI_Count fastest = INT64_MAX;
    check(MPI_T_source_get_num(&source_count), "MPI_T_source_get_num");
    if (source_count > most_sources) source_count = most_sources;
    for (int i = 0; i < source_count; ++i) {
        struct source* const source = &sources[i];
        MPI_T_source_get_info(i, NULL, NULL, NULL, NULL, NULL, &source->ticks_per_second, &source->max_ticks, NULL);
    }
    /* The time of all at one moment: of some rounds the fastest counts. */
    for (int round = 0; round < 20; ++round) fastest = read_all_clocks(fastest);
}

/* False for an event that belongs to objects which we have none of, or that carries too much. */
static int look_at_event(int index, struct event* event, int* bind) {
    MPI_T_enum names;
    int length = name_size;
    event->count = most_elements;
    check(MPI_T_event_get_info(index, event->name, &length, NULL, event->types, event->displacements, &event->count,
                               &names, NULL, NULL, NULL, bind),
          "MPI_T_event_get_info");
    const int last = event->count - 1;
    if (event->count > most_elements) return 0;
    if (last >= 0 && (size_t)event->displacements[last] + size_of(event->types[last]) > largest_payload) return 0;
    for (int i = 0; i < event->count; ++i) {
        char* const name = event->element_names[i];
        snprintf(name, name_size, "%d", i);
        if (names != MPI_T_ENUM_NULL) MPI_T_enum_get_item(names, i, &(int){0}, name, &(int){name_size});
    }
    return *bind == MPI_T_BIND_MPI_COMM || *bind == MPI_T_BIND_NO_OBJECT;
}

static void start_tracing(void) {
    MPI_Comm world = MPI_COMM_WORLD;
    int count = 0, bind;
    look_at_sources();
    check(MPI_T_event_get_num(&count), "MPI_T_event_get_num");
    for (int i = 0; i < count && event_count < most_events; ++i) {
        struct event* const event = &events[event_count];
        if (!look_at_event(i, event, &bind)) continue;
        MPI_T_event_registration* const made = &event->registration;
        check(MPI_T_event_handle_alloc(i, bind == MPI_T_BIND_MPI_COMM ? &world : NULL, MPI_INFO_NULL, made),
              event->name);
        atomic_fetch_add(&registered, 1);
        check(MPI_T_event_set_dropped_handler(*made, on_dropped), "MPI_T_event_set_dropped_handler");
        /* It does nothing that a signal handler may not do, so it serves wherever the event happens. */
        check(MPI_T_event_register_callback(*made, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, event, on_event),
              "MPI_T_event_register_callback");
        event_count++;
        bound_count += bind == MPI_T_BIND_MPI_COMM;
    }
}

/* A callback may still be at work in another thread: MPI says when each has ended. */
static void stop_tracing(void) {
    for (int i = 0; i < event_count; ++i) MPI_T_event_handle_free(events[i].registration, NULL, on_freed);
    while (atomic_load(&registered) > 0) sched_yield();
}

/* The trace file. */

static double microseconds_of(const struct record* record) {
    struct source* const source = &sources[record->source];
    if (source->start < 0) source->start = record->stamp;
    double ticks = (double)(record->stamp - source->start);
    if (ticks < 0) ticks += (double)source->max_ticks + 1; /* the clock has begun again */
    return ticks * 1e6 / (double)source->ticks_per_second;
}

static void write_character(FILE* to, char c) {
    if (c == '"' || c == '\\') fputc('\\', to);
    if ((unsigned char)c < ' ') fprintf(to, "\\u%04x", (unsigned)c);
    else fputc(c, to);
}

static void write_value(FILE* to, MPI_Datatype type, const unsigned char* from) {
    int32_t narrow = 0;
    int64_t wide = 0;
    double real = 0;
    memcpy(&real, from, size_of(type));
    memcpy(size_of(type) == sizeof narrow ? (void*)&narrow : &wide, from, size_of(type));
    if (type == MPI_INT || type == MPI_INT32_T) fprintf(to, "%d", narrow);
    else if (type == MPI_UNSIGNED || type == MPI_UINT32_T) fprintf(to, "%u", (unsigned)narrow);
    else if (type == MPI_COUNT || type == MPI_INT64_T) fprintf(to, "%lld", (long long)wide);
    else if (type != MPI_DOUBLE) fprintf(to, "%llu", (unsigned long long)wide);
    else if (isfinite(real)) fprintf(to, "%.17g", real);
    else fprintf(to, "null");
}

/* Characters in a row are a text: name[0], name[1] and so on are written as name. Returns the number of the next
 * element. */
static int write_text(FILE* to, const struct record* record, int first) {
    const struct event* const event = record->event;
    const char* const name = event->element_names[first];
    const size_t length = strcspn(name, "[");
    int at = first, is_over = 0;
    fprintf(to, "\"%.*s\":\"", (int)length, name);
    /* The bracket is compared, too. */
    for (; at < event->count && strncmp(event->element_names[at], name, length + 1) == 0; ++at) {
        const char c = (char)record->payload[event->displacements[at]];
        is_over = is_over || c == '\0';
        if (!is_over) write_character(to, c);
    }
    fprintf(to, "\"");
    return at;
}

static void write_record(FILE* to, const struct record* record, int process) {
    const struct event* const event = record->event;
    fprintf(to, "{\"name\":\"%s\",\"ph\":\"i\",\"s\":\"t\",\"pid\":%d,\"tid\":%ld,\"ts\":%.3f,\"args\":{", event->name,
            process, record->thread, microseconds_of(record));
    for (int i = 0; i < event->count;) {
        if (i > 0) fprintf(to, ",");
        if (event->types[i] == MPI_CHAR) {
            i = write_text(to, record, i);
        } else {
            fprintf(to, "\"%s\":", event->element_names[i]);
            write_value(to, event->types[i], record->payload + event->displacements[i]);
            ++i;
        }
    }
    fprintf(to, "}}");
}

static size_t write_trace(const char* path, int process) {
    FILE* const to = fopen(path, "w");
    check(to != NULL ? MPI_SUCCESS : MPI_ERR_OTHER, path);
    const size_t taken = atomic_load(&next_record), count = taken < record_count ? taken : record_count;
    fprintf(to, "{\"traceEvents\":[\n");
    for (size_t i = 0; i < count; ++i) {
        if (i > 0) fprintf(to, ",\n");
        write_record(to, &records[i], process);
    }
    fprintf(to, "\n],\"otherData\":{\"dropped\":%lld}}\n", (long long)atomic_load(&dropped));
    fclose(to);
    return count;
}

#endif
