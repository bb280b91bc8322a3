/* Checks of event types, sources and registrations, which came with MPI-4.0. */
#include "checks.h"

#if HAS_EVENTS

/* The registration for the event type of a check. */
static MPI_T_event_registration registration;
#define has_registration(e)                                                                                            \
    (has_object((e)->bind) &&                                                                                          \
     MPI_T_event_handle_alloc((e)->index, object((e)->bind), MPI_INFO_NULL, &registration) == MPI_SUCCESS)

/* Sends messages while a callback is registered; false if there is no registration. */
static int send_for(struct event* e, MPI_T_event_cb_function* callback, void* data) {
    if (!has_registration(e)) return 0;
    MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, data, callback);
    traffic();
    MPI_T_event_handle_free(registration, NULL, NULL);
    return 1;
}

/* EVT-00 · open · 15.3.8
 * The number of event types and sources. An MPI may have none. */
CHECK(EVT_00) {
    int events, sources;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_event_get_num(&events));
    EXPECT(MPI_SUCCESS, MPI_T_source_get_num(&sources));
    OPEN("there are %d event types and %d sources", events, sources);
}

/* EVT-00b · required · 15.3.4, 15.3.10
 * Before MPI_T_init_thread the functions of events return MPI_T_ERR_NOT_INITIALIZED. */
CHECK(EVT_00b) {
    int n, list[1];
    MPI_T_event_registration registration;
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_event_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_event_get_index("x", &n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_source_get_num(&n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_num_events(0, &n));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_category_get_events(0, 1, list));
    EXPECT(MPI_T_ERR_NOT_INITIALIZED, MPI_T_event_handle_alloc(0, NULL, MPI_INFO_NULL, &registration));
    return 0;
}

/* EVT-02 · required · 15.3.10
 * MPI_T_event_get_info answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(EVT_02) {
    int n;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_event_get_num(&n));
    const int wrong[] = {-1, n, INT_MAX};
    for (int i = 0; i < 3; i++) {
        printf("at event type %d\n", wrong[i]);
        EXPECT(MPI_T_ERR_INVALID_INDEX,
               MPI_T_event_get_info(wrong[i], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    }
    return 0;
}

/* EVT-03 · required · 15.3.8
 * A null pointer for an output of MPI_T_event_get_info leaves this output out, and the others come. */
CHECK_EACH(EVT_03, event, "there is no event type") {
    int n[3] = {0};
    const int i = e->index;
    n[1] = 0;
    EXPECT(MPI_SUCCESS, MPI_T_event_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_event_get_info(i, 0, 0, &n[0], 0, 0, 0, 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_event_get_info(i, 0, 0, 0, 0, 0, &n[1], 0, 0, 0, 0, 0));
    EXPECT(MPI_SUCCESS, MPI_T_event_get_info(i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, &n[2]));
    if (n[0] != e->verbosity || n[1] != e->elements || n[2] != e->bind) FAIL("an output differs");
    return 0;
}

/* EVT-04 · required · 15.3.8
 * Each event type has a name of its own, with at least one character. */
CHECK(EVT_04) {
    static struct event seen[1024];
    int n = 0;
    begin();
    for (struct event e = {.index = -1}; n < 1024 && next_event(&e); seen[n++] = e) {
        if (e.name[0] == '\0') FAIL("it has no name");
        for (int i = 0; i < n; i++)
            if (strcmp(seen[i].name, e.name) == 0) FAIL("event type %d has this name, too", seen[i].index);
    }
    if (n == 0) SKIP("there is no event type");
    return 0;
}

/* EVT-05 · required · 15.3.8
 * The number of elements comes back, and no more elements are written than the caller has room for. */
CHECK_EACH(EVT_05, event, "there is no event type") {
    for (int room = 0; room <= e->elements + 1 && room < 64; room++) {
        MPI_Aint places[65];
        int n = room;
        for (int i = 0; i < 65; i++) places[i] = -77;
        EXPECT(MPI_SUCCESS,
               MPI_T_event_get_info(e->index, NULL, NULL, NULL, NULL, places, &n, NULL, NULL, NULL, NULL, NULL));
        if (n != e->elements) FAIL("with room for %d it has %d elements, else %d", room, n, e->elements);
        for (int i = 0; i < 65; i++)
            if ((places[i] != -77) != (i < room && i < n)) FAIL("with room for %d: element %d", room, i);
    }
    return 0;
}

/* EVT-07 · required · 15.3.8
 * The displacements of the elements are in ascending order, begin with 0, and the elements do not overlap. */
CHECK_EACH(EVT_07, event, "there is no event type") {
    for (int i = 0; i < e->elements && i < 64; i++) {
        const MPI_Aint least = i == 0 ? 0 : e->places[i - 1] + bytes_of(1, e->types[i - 1]);
        if ((e->places[i] < least || (i == 0 && e->places[0] != 0)) && DO("CALL(places[%d])", i))
            FAIL("element %d is at %ld, which is before %ld", i, (long)e->places[i], (long)least);
    }
    return 0;
}

/* EVT-08 · required · 15.3.8
 * The argument for the enumeration of an event type is set. */
CHECK_EACH(EVT_08, event, "there is no event type") {
    MPI_T_enum garbage, items;
    memset(&garbage, 0x5A, sizeof garbage);
    items = garbage;
    MPI_T_event_get_info(e->index, NULL, NULL, NULL, NULL, NULL, NULL, &items, NULL, NULL, NULL, NULL);
    if (items == garbage) FAIL("the argument keeps its value");
    return 0;
}

/* EVT-09 · required · 15.3.8
 * MPI_T_event_get_info returns a new info object, which may be empty; MPI_INFO_NULL is none. */
CHECK_EACH(EVT_09, event, "there is no event type") {
    int keys;
    MPI_Info info = MPI_INFO_NULL;
    MPI_T_event_get_info(e->index, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &info, NULL, NULL, NULL);
    DO("CALL(info == MPI_INFO_NULL)");
    if (info == MPI_INFO_NULL) FAIL("the info object is MPI_INFO_NULL");
    EXPECT(MPI_SUCCESS, MPI_Info_get_nkeys(info, &keys));
    EXPECT(MPI_SUCCESS, MPI_Info_free(&info));
    return 0;
}

/* EVT-11 · required · 15.3.8
 * MPI_T_event_get_index returns the index of each name. */
CHECK_EACH(EVT_11, event, "there is no event type") {
    int index;
    EXPECT(MPI_SUCCESS, MPI_T_event_get_index(e->name, &index));
    if (index != e->index) FAIL("the index of its name is %d", index);
    return 0;
}

/* EVT-11b · required · 15.3.8
 * A name that no event type has is answered with MPI_T_ERR_INVALID_NAME. */
CHECK(EVT_11b) {
    int index;
    begin();
    EXPECT(MPI_T_ERR_INVALID_NAME, MPI_T_event_get_index("no event type has this name", &index));
    return 0;
}

/* EVT-12 · required · 15.3.10
 * MPI_T_event_handle_alloc answers an index outside of 0 to N-1 with MPI_T_ERR_INVALID_INDEX. */
CHECK(EVT_12) {
    int n;
    MPI_T_event_registration registration;
    begin();
    MPI_T_event_get_num(&n);
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_event_handle_alloc(-1, NULL, MPI_INFO_NULL, &registration));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_event_handle_alloc(n, NULL, MPI_INFO_NULL, &registration));
    return 0;
}

/* EVT-16 · required · 15.3.8
 * A registration has an info object with the hints in use, which may be empty. */
CHECK_EACH(EVT_16, event, "no event type gives a registration") {
    MPI_Info info = MPI_INFO_NULL;
    if (!has_registration(e)) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_event_handle_get_info(registration, &info));
    if (info == MPI_INFO_NULL) FAIL("the info object is MPI_INFO_NULL");
    EXPECT(MPI_SUCCESS, MPI_Info_free(&info));
    EXPECT(MPI_SUCCESS, MPI_T_event_handle_set_info(registration, MPI_INFO_NULL));
    return 0;
}

/* EVT-17 · required · 15.3.8
 * A callback can be registered, replaced and removed at each of the four safety levels. */
static void ignore(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    (void)i, (void)r, (void)level, (void)data;
}
CHECK_EACH(EVT_17, event, "no event type gives a registration") {
    const MPI_T_cb_safety levels[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                      MPI_T_CB_REQUIRE_THREAD_SAFE, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
    if (!has_registration(e)) return NOTHING;
    for (int i = 0; i < 4; i++) {
        EXPECT(MPI_SUCCESS, MPI_T_event_register_callback(registration, levels[i], MPI_INFO_NULL, NULL, ignore));
        EXPECT(MPI_SUCCESS, MPI_T_event_register_callback(registration, levels[i], MPI_INFO_NULL, NULL, ignore));
        EXPECT(MPI_SUCCESS, MPI_T_event_register_callback(registration, levels[i], MPI_INFO_NULL, NULL, NULL));
    }
    EXPECT(MPI_SUCCESS, MPI_T_event_handle_free(registration, NULL, NULL));
    return 0;
}

/* EVT-20b · required · 15.3.8 · itself
 * The three types of callbacks are function types: a program declares a pointer to one with an asterisk. */
typedef void event_function(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*);
typedef void free_function(MPI_T_event_registration, MPI_T_cb_safety, void*);
typedef void dropped_function(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*);
CHECK(EVT_20b) {
    if (!__builtin_types_compatible_p(MPI_T_event_cb_function, event_function))
        FAIL("MPI_T_event_cb_function is another type");
    if (!__builtin_types_compatible_p(MPI_T_event_free_cb_function, free_function))
        FAIL("MPI_T_event_free_cb_function is another type");
    if (!__builtin_types_compatible_p(MPI_T_event_dropped_cb_function, dropped_function))
        FAIL("MPI_T_event_dropped_cb_function is another type");
    return 0;
}

/* EVT-34 · required · 15.3.10
 * A registration that is null is answered with MPI_T_ERR_INVALID_HANDLE. */
CHECK(EVT_34) {
    MPI_T_event_registration registration;
    begin();
    memset(&registration, 0, sizeof registration), DO("memset(&registration, 0, sizeof registration)");
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_free(registration, NULL, NULL));
    return 0;
}

/* EVT-34b · recommended · 15.3.10
 * The other functions of registrations answer one that is null with MPI_T_ERR_INVALID_HANDLE, too. */
CHECK(EVT_34b) {
    MPI_Info info;
    MPI_T_event_registration registration;
    begin();
    memset(&registration, 0, sizeof registration), DO("memset(&registration, 0, sizeof registration)");
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_handle_get_info(registration, &info));
    EXPECT(MPI_T_ERR_INVALID_HANDLE, MPI_T_event_set_dropped_handler(registration, NULL));
    EXPECT(MPI_T_ERR_INVALID_HANDLE,
           MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL, NULL));
    return 0;
}

/* EVT-34c · open · 15.3.10
 * The answer to an address that was never a registration. */
CHECK(EVT_34c) {
    int code;
    MPI_T_event_registration junk;
    begin();
    *(void**)&junk = (void*)16, DO("*(void**)&junk = (void*)16");
    code = MPI_T_event_handle_free(junk, NULL, NULL);
    OPEN("MPI_T_event_handle_free() returned %d", code);
}

/* EVT-35 · required · 15.3.8
 * The function for the end of a registration is called once, with the registration and the pointer of the caller. */
static int frees;
static void count_free(MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    (void)level;
    frees += data == &frees && r == registration ? 1 : 1000;
}
CHECK_EACH(EVT_35, event, "no event type gives a registration") {
    frees = 0;
    if (!has_registration(e)) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_event_handle_free(registration, &frees, count_free));
    traffic();
    if (frees > 999) FAIL("it was called with other arguments");
    if (frees != 1) FAIL("it was called %d times", frees);
    return 0;
}

/* EVT-23 · required · 15.3.8
 * A callback gets its registration, one of the four levels, and the pointer of the caller. */
static int events_seen, events_wrong;
static void check_arguments(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    events_seen++;
    events_wrong += !i || *(MPI_T_event_registration*)data != r ||
                    (level != MPI_T_CB_REQUIRE_NONE && level != MPI_T_CB_REQUIRE_MPI_RESTRICTED &&
                     level != MPI_T_CB_REQUIRE_THREAD_SAFE && level != MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE);
}
CHECK_EACH(EVT_23, event, "no event was raised") {
    if (!send_for(e, check_arguments, &registration)) return NOTHING;
    if (events_wrong) FAIL("%d of %d calls had other arguments", events_wrong, events_seen);
    return events_seen > 0 ? 0 : NOTHING;
}

/* EVT-30 · required · 15.3.8
 * A callback can read each element of an event. */
static int reads, elements_of_event, refused;
static void read_elements(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    char value[64];
    (void)r, (void)level, (void)data;
    for (int k = 0; k < elements_of_event && !refused; k++, reads++)
        refused = MPI_T_event_read(i, k, value) != MPI_SUCCESS;
}
CHECK_EACH(EVT_30, event, "no event with elements was raised") {
    elements_of_event = e->elements;
    if (!send_for(e, read_elements, NULL)) return NOTHING;
    if (refused) FAIL("an element is refused");
    return reads > 0 ? 0 : NOTHING;
}

/* EVT-30b · required · 15.3.10
 * An element that an event does not have is answered with MPI_T_ERR_INVALID_INDEX. */
static int wrong_reads, accepted;
static void read_wrong_elements(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    char value[64];
    (void)r, (void)level, (void)data;
    accepted += MPI_T_event_read(i, elements_of_event, value) != MPI_T_ERR_INVALID_INDEX;
    accepted += MPI_T_event_read(i, -1, value) != MPI_T_ERR_INVALID_INDEX;
    wrong_reads++;
}
CHECK_EACH(EVT_30b, event, "no event was raised") {
    elements_of_event = e->elements;
    if (!send_for(e, read_wrong_elements, NULL)) return NOTHING;
    if (accepted) FAIL("MPI_T_event_read() returned another code");
    return wrong_reads > 0 ? 0 : NOTHING;
}

/* EVT-31 · required · 15.3.8
 * MPI_T_event_copy writes the elements at their displacements, as MPI_T_event_read does one by one. */
static const struct event* copied;
static int copies, differences;
static void compare_copy(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    static char whole[8192], part[8192];
    (void)r, (void)level, (void)data;
    if (MPI_T_event_copy(i, whole) != MPI_SUCCESS) differences++;
    for (int k = 0; k < copied->elements; k++, copies++) {
        MPI_T_event_read(i, k, part);
        differences += memcmp(part, whole + copied->places[k], (size_t)bytes_of(1, copied->types[k])) != 0;
    }
}
CHECK_EACH(EVT_31, event, "no event with elements was raised") {
    copied = e;
    if (!send_for(e, compare_copy, NULL)) return NOTHING;
    if (differences) FAIL("%d of %d elements differ", differences, copies);
    return copies > 0 ? 0 : NOTHING;
}

/* EVT-32 · required · 15.3.8
 * An event has a source, and a time that is not after the present time of the source. */
static int times, wrong_times;
static void compare_times(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    MPI_Count then = 0, now = 0;
    int source = -1, sources = 0;
    (void)r, (void)level, (void)data;
    MPI_T_source_get_num(&sources);
    if (MPI_T_event_get_source(i, &source) != MPI_SUCCESS || source < 0 || source >= sources) wrong_times++;
    if (MPI_T_event_get_timestamp(i, &then) != MPI_SUCCESS) wrong_times++;
    if (MPI_T_source_get_timestamp(source, &now) == MPI_SUCCESS) wrong_times += then > now;
    times++;
}
CHECK_EACH(EVT_32, event, "no event was raised") {
    if (!send_for(e, compare_times, NULL)) return NOTHING;
    if (wrong_times) FAIL("%d of %d events", wrong_times, times);
    return times > 0 ? 0 : NOTHING;
}

/* EVT-36 · recommended · 15.3.8
 * A callback can end its own registration; no call follows. */
static int calls_until_free;
static void free_itself(MPI_T_event_instance i, MPI_T_event_registration r, MPI_T_cb_safety level, void* data) {
    (void)i, (void)level, (void)data;
    if (calls_until_free++ == 0) MPI_T_event_handle_free(r, NULL, NULL);
}
CHECK_EACH(EVT_36, event, "no event was raised") {
    if (!has_registration(e)) return NOTHING;
    MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, MPI_INFO_NULL, NULL, free_itself);
    calls_until_free = 0;
    traffic();
    if (calls_until_free > 1) FAIL("it was called %d times", calls_until_free);
    if (calls_until_free == 0) MPI_T_event_handle_free(registration, NULL, NULL);
    return calls_until_free > 0 ? 0 : NOTHING;
}

/* EVT-37 · required · 15.3.8
 * A function for dropped events can be set and removed. */
static void ignore_drops(MPI_Count n, MPI_T_event_registration r, int source, MPI_T_cb_safety level, void* data) {
    (void)n, (void)r, (void)source, (void)level, (void)data;
}
CHECK_EACH(EVT_37, event, "no event type gives a registration") {
    if (!has_registration(e)) return NOTHING;
    EXPECT(MPI_SUCCESS, MPI_T_event_set_dropped_handler(registration, ignore_drops));
    EXPECT(MPI_SUCCESS, MPI_T_event_set_dropped_handler(registration, NULL));
    MPI_T_event_handle_free(registration, NULL, NULL);
    return 0;
}

/* SRC-02 · required · 15.3.10
 * MPI_T_source_get_info and MPI_T_source_get_timestamp answer a wrong index with MPI_T_ERR_INVALID_INDEX. */
CHECK(SRC_02) {
    int n;
    MPI_Count time;
    begin();
    EXPECT(MPI_SUCCESS, MPI_T_source_get_num(&n));
    const int wrong[] = {-1, n, INT_MAX};
    for (int i = 0; i < 3; i++) {
        printf("at source %d\n", wrong[i]);
        EXPECT(MPI_T_ERR_INVALID_INDEX,
               MPI_T_source_get_info(wrong[i], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL));
        EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_source_get_timestamp(wrong[i], &time));
    }
    return 0;
}

/* SRC-03 · required · 15.3.8
 * A source has a name, one of two orderings, and a clock whose rate and largest value are above 0. */
CHECK(SRC_03) {
    int n;
    begin();
    MPI_T_source_get_num(&n);
    if (n == 0) SKIP("there is no source");
    for (int i = 0; i < n; i++) {
        char name[256] = "";
        int size = sizeof name;
        MPI_T_source_order order;
        MPI_Count rate = -1, most = -1;
        MPI_Info info = MPI_INFO_NULL;
        EXPECT(MPI_SUCCESS, MPI_T_source_get_info(i, name, &size, NULL, NULL, &order, &rate, &most, &info));
        if (size < 2) FAIL("source %d has no name", i);
        if (order != MPI_T_SOURCE_ORDERED && order != MPI_T_SOURCE_UNORDERED) FAIL("its ordering is %d", (int)order);
        if (rate <= 0 || most <= 0)
            FAIL("source %d, %s: %lld ticks a second, at most %lld", i, name, (long long)rate, (long long)most);
        if (info == MPI_INFO_NULL) FAIL("the info object of source %d is MPI_INFO_NULL", i);
    }
    return 0;
}

/* SRC-08 · required · 15.3.8
 * The time of a source does not go back, and is at most its largest value; without a clock the answer is
 * MPI_T_ERR_NOT_SUPPORTED. */
CHECK(SRC_08) {
    int n, code;
    begin();
    MPI_T_source_get_num(&n);
    if (n == 0) SKIP("there is no source");
    for (int i = 0; i < n; i++) {
        MPI_Count before = 0, now = 0, most = 0;
        MPI_T_source_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, &most, NULL);
        code = MPI_T_source_get_timestamp(i, &before);
#if HAS_CODES_OF_MPI_4
        if (code == MPI_T_ERR_NOT_SUPPORTED) continue;
#endif
        if (code != MPI_SUCCESS) FAIL("MPI_T_source_get_timestamp(%d) returned %d", i, code);
        traffic();
        EXPECT(MPI_SUCCESS, MPI_T_source_get_timestamp(i, &now));
        if (now < before || now > most) FAIL("source %d went from %lld to %lld", i, (long long)before, (long long)now);
    }
    return 0;
}

/* CAT-06c · required · 15.3.10
 * The functions for the events of a category answer a wrong index with MPI_T_ERR_INVALID_INDEX. */
CHECK(CAT_06c) {
    int n, list[1];
    begin();
    MPI_T_category_get_num(&n);
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_num_events(-1, list));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_num_events(n, list));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_events(-1, 1, list));
    EXPECT(MPI_T_ERR_INVALID_INDEX, MPI_T_category_get_events(n, 0, list));
    return 0;
}

/* CAT-07 · required · 15.3.9
 * A category lists as many event types as MPI_T_category_get_num_events says, and each of them is there. */
CHECK(CAT_07) {
    static int list[1024];
    int n, events;
    begin();
    MPI_T_event_get_num(&events);
    for (struct category c = {.index = -1}; next_category(&c);) {
        for (int i = 0; i < 1024; i++) list[i] = -77;
        EXPECT(MPI_SUCCESS, MPI_T_category_get_num_events(c.index, &n));
        EXPECT(MPI_SUCCESS, MPI_T_category_get_events(c.index, 1024, list));
        for (int i = 0; i < 1024; i++)
            if (i < n ? list[i] < 0 || list[i] >= events : list[i] != -77)
                FAIL("it has %d event types, and element %d of the list is %d", n, i, list[i]);
    }
    return 0;
}

#endif
