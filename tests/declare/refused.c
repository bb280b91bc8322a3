/* Rows that are refused: the report of each names its reason, and the member that it is about. */
#define _POSIX_C_SOURCE 200809L /* fileno */

#include <mpit/declare.h>

#include "../mpi_t/check.h"
#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number, pair[2], seven = 7;
static unsigned natural;
static long distance;
static double real;
static char room[8];
/* An address in it is that of no number. */
static char bytes[64] __attribute__((aligned(16)));
#define MISALIGNED(type) ((type*)(void*)(bytes + 1))
static mpit_counter sent = MPIT_COUNTER_CELL;
static mpit_level queued = MPIT_LEVEL_CELL(0);
static mpit_state phase = MPIT_STATE_CELL(7);
static mpit_real energy = MPIT_REAL_CELL;
static mpit_real_level load = MPIT_REAL_LEVEL_CELL(0);
static const mpit_item few[] = {MPIT_ROW_ITEM("no", 0), MPIT_ROW_ITEM("yes", 1), MPIT_ROW_END};
static const mpit_item twice[] = {MPIT_ROW_ITEM("no", 0), MPIT_ROW_ITEM("no", 1), MPIT_ROW_END};
static const mpit_item equal[] = {MPIT_ROW_ITEM("no", 0), MPIT_ROW_ITEM("off", 0), MPIT_ROW_END};
static const mpit_item nameless[] = {MPIT_ROW_ITEM("", 0), MPIT_ROW_END};
static const mpit_item none[] = {MPIT_ROW_END};
static const mpit_enumeration answers = {"answers", few}, of_twice = {"answers", twice}, of_equal = {"answers", equal},
                              of_nameless = {"answers", nameless}, of_none = {"answers", none},
                              without_name = {"", few};

struct __attribute__((packed)) packed {
    char first;
    int limit;
};
struct object {
    int limit;
    char words[4];
};
static void* find(uint64_t handle, void* data) { return (void)handle, data; }
static mpit_reply accept(const void* value, void* data) { return (void)value, (void)data, MPIT_ACCEPTED; }
static mpit_reply accept_in(uint64_t handle, const void* value, void* data) {
    return (void)handle, accept(value, data);
}
static void read_words(char* text, size_t size, void* data) { memset(text, 0, size), (void)data; }
static unsigned long long whole(void* data) { return (void)data, 1; }
static double part(void* data) { return (void)data, 0.5; }
static unsigned long long whole_at(uint64_t handle, unsigned element, void* data) {
    return (void)handle, whole(data) + element;
}
static void text_at(uint64_t handle, char* text, size_t size, void* data) {
    (void)handle, read_words(text, size, data);
}
static mpit_reply accept_text(uint64_t handle, const char* text, void* data) { return accept_in(handle, text, data); }
static void watch(int change, void* data) { (void)change, (void)data; }

static mpit_group* group;
static char said[2000];
/* What a function reports while it adds one row that is refused. */
static const char* report_of(int (*add)(const void* row), const void* row) {
    FILE* const file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    const int refused = add(row);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    return refused == 1 ? said : "not refused";
}
static int add_control(const void* row) {
    const mpit_control table[] = {*(const mpit_control*)row, MPIT_ROW_END};
    return mpit_add_controls(group, table, NULL);
}
static int add_measure(const void* row) {
    const mpit_performance table[] = {*(const mpit_performance*)row, MPIT_ROW_END};
    return mpit_add_performance(group, table, NULL);
}
static int add_event(const void* row) {
    const mpit_event_type table[] = {*(const mpit_event_type*)row, MPIT_ROW_END};
    return mpit_add_events(group, table);
}
static int add_source(const void* row) {
    const mpit_source_type table[] = {*(const mpit_source_type*)row, MPIT_ROW_END};
    return mpit_add_sources(group, table);
}
static void expect(int line, const char* name, const char* reason, const char* reported) {
    char line_of_report[400];
    snprintf(line_of_report, sizeof line_of_report, "mpit: %s cannot be added: %s\n", name, reason);
    if (strcmp(reported, line_of_report) != 0) printf("line %d: %s  instead of %s", line, reported, line_of_report);
    CHECK(strcmp(reported, line_of_report) == 0);
}
#define REFUSED(type, add, reason, ...)                                                                                \
    do {                                                                                                               \
        const type row = __VA_ARGS__;                                                                                  \
        expect(__LINE__, row.name, reason, report_of(add, &row));                                                      \
    } while (0)
#define CONTROL(reason, ...) REFUSED(mpit_control, add_control, reason, __VA_ARGS__)
#define MEASURE(reason, ...) REFUSED(mpit_performance, add_measure, reason, __VA_ARGS__)
#define EVENT(reason, ...) REFUSED(mpit_event_type, add_event, reason, __VA_ARGS__)
#define SOURCE(reason, ...) REFUSED(mpit_source_type, add_source, reason, __VA_ARGS__)

static void check_names(void) {
    static char longer[257];
    memset(longer, 'x', sizeof longer - 1);
    CONTROL(".name is empty, expected 1 to 255 printable ASCII characters without blanks",
            MPIT_ROW_INT("", &number, ""));
    CONTROL(".name has a wrong character, expected 1 to 255 printable ASCII characters without blanks",
            MPIT_ROW_INT("A limit", &number, ""));
    CONTROL(".environment has a name with two stars, expected names separated by commas, with at most one * each",
            MPIT_ROW_INT("A", &number, "", .environment = "A_*_*"));
    CONTROL(".environment has an empty name, expected names separated by commas, with at most one * each",
            MPIT_ROW_INT("A", &number, "", .environment = "A,,B"));
    CONTROL(".environment has a name with a blank, an = or a character that is not printable, expected names separated "
            "by commas, with at most one * each",
            MPIT_ROW_INT("A", &number, "", .environment = "A=B"));
    CONTROL(".environment has a name of more than 255 characters, expected names separated by commas, with at most one "
            "* each",
            MPIT_ROW_INT("A", &number, "", .environment = longer));
    CONTROL(".renamed_from is too long, expected 1 to 255 printable ASCII characters without blanks",
            MPIT_ROW_INT("A", &number, "", .renamed_from = longer));
    CONTROL(".renamed_from is the same as .name, expected the former name",
            MPIT_ROW_INT("A", &number, "", .renamed_from = "A"));
    MEASURE(".name is empty, expected 1 to 255 printable ASCII characters without blanks",
            MPIT_ROW_COUNTER("", &sent, ""));
    static mpit_event happened;
    static mpit_source clock;
    EVENT(".name has a wrong character, expected 1 to 255 printable ASCII characters without blanks",
          {.name = "a b", .event = &happened});
    SOURCE(".name has a wrong character, expected 1 to 255 printable ASCII characters without blanks",
           {.name = "a clock", .source = &clock});
}

static void check_controls(void) {
    CONTROL(".storage and the object of the table are NULL, expected one of them",
            MPIT_ROW_MEMBER(INT, "A", struct object, limit, ""));
    CONTROL(".read_text is NULL, expected a function", MPIT_ROW_TEXT_BY("A", 8, NULL, ""));
    CONTROL("it has 2 sources, expected only one of .storage, .read_text and .object_of",
            MPIT_ROW_TEXT("A", room, "", .read_text = read_words));
    CONTROL(".type is 12, expected MPIT_TYPE_INT to MPIT_TYPE_LONG_LONG",
            {.name = "A", .type = MPIT_TYPE_CHAR, .storage = room, .size = 1});
    CONTROL(".read_text is set, expected .type = MPIT_TYPE_TEXT",
            {.name = "A", .type = MPIT_TYPE_INT, .read_text = read_words, .size = 4});
    CONTROL(".verbosity is 9, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
            MPIT_ROW_INT("A", &number, "", .verbosity = (mpit_verbosity)9));
    CONTROL(".verbosity is -1, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
            MPIT_ROW_INT("A", &number, "", .verbosity = (mpit_verbosity)-1));
    CONTROL(".unit is 99, expected MPIT_NO_UNIT or MPIT_BYTES", MPIT_ROW_INT("A", &number, "", .unit = (mpit_unit)99));
    CONTROL("its storage is at a misaligned address, expected a multiple of 4", MPIT_ROW_INT("A", MISALIGNED(int), ""));
    CONTROL("its storage is at a misaligned address, expected a multiple of 8",
            MPIT_ROW_NUMBERS(LONG, "A", MISALIGNED(long), 2, ""));
    CONTROL("its storage is at a misaligned address, expected a multiple of 4",
            MPIT_ROW_SWITCH("A", MISALIGNED(int), ""));
    CONTROL("its storage has the value 7, expected that of an item of .enumeration",
            MPIT_ROW_CHOICE("A", &seven, &answers, ""));
    CONTROL(".range has a minimum above its maximum", MPIT_ROW_LONG("A", &distance, "", .range = {2, 1}));
    CONTROL(".scope is 7, expected MPIT_LOCAL to MPIT_ALL_EQUAL",
            MPIT_ROW_INT("A", &number, "", .scope = (mpit_scope)7));
    CONTROL(".scope is MPIT_GROUP or more, expected a .description of the processes that must write it",
            MPIT_ROW_INT("A", &number, "", .scope = MPIT_ALL));
    CONTROL(".size is 2, expected 4, the size of .type",
            {.name = "A", .type = MPIT_TYPE_INT, .storage = &number, .size = 2});
    CONTROL(".size is 1, expected 2 bytes to 1 MiB for a text",
            {.name = "A", .type = MPIT_TYPE_TEXT, .storage = room, .size = 1});
    CONTROL(".read_text is set without .on_write, expected .scope = MPIT_READONLY",
            MPIT_ROW_TEXT_BY("A", 8, read_words, ""));
    CONTROL(".any_length is set, expected an .on_write that stores the longer text",
            MPIT_ROW_TEXT("A", room, "", .any_length = true));
    CONTROL(".range has a minimum above its maximum", MPIT_ROW_INT("A", &number, "", .range = {2, 1}));
    CONTROL(".range is from 0 to 2147483648, expected numbers of .type",
            MPIT_ROW_INT("A", &number, "", .range = {0, 2147483648}));
    CONTROL(".range is from -1 to 5, expected numbers of .type",
            MPIT_ROW_UNSIGNED("A", &natural, "", .range = {-1, 5}));
    CONTROL(".real_range has a minimum above its maximum", MPIT_ROW_DOUBLE("A", &real, "", .real_range = {2, 1}));
    CONTROL(".count is 513, expected at most 512", MPIT_ROW_NUMBERS(INT, "A", pair, 513, ""));
    CONTROL(".enumeration is NULL, expected the address of an mpit_enumeration",
            MPIT_ROW_CHOICE("A", &number, NULL, ""));
    CONTROL(".enumeration has no items, expected at least one", MPIT_ROW_CHOICE("A", &number, &of_none, ""));
    CONTROL(".enumeration has no .name", MPIT_ROW_CHOICE("A", &number, &without_name, ""));
    CONTROL("an item of .enumeration has an empty .name", MPIT_ROW_CHOICE("A", &number, &of_nameless, ""));
    CONTROL("two items of .enumeration have the same name: no", MPIT_ROW_CHOICE("A", &number, &of_twice, ""));
    CONTROL("two items of .enumeration have the same value: no and off", MPIT_ROW_CHOICE("A", &number, &of_equal, ""));
}

static void check_controls_of_objects(void) {
    CONTROL(".bind is set, expected .object_of, too", MPIT_ROW_INT("A", &number, "", .bind = MPIT_BIND_COMM));
    CONTROL(".on_write_in is set, expected .object_of, too", MPIT_ROW_INT("A", &number, "", .on_write_in = accept_in));
    CONTROL(".object_of is set, expected NULL for a text",
            MPIT_ROW_IN_OBJECT(TEXT, "A", struct object, words, find, "", .bind = MPIT_BIND_COMM, .handle_size = 4));
    CONTROL(".on_write is set, expected .on_write_in for a variable with .object_of",
            MPIT_ROW_IN_OBJECT(INT, "A", struct object, limit, find, "", .bind = MPIT_BIND_COMM, .handle_size = 4,
                               .on_write = accept));
    CONTROL(".bind is 0, expected MPIT_BIND_COMM to MPIT_BIND_SESSION",
            MPIT_ROW_IN_OBJECT(INT, "A", struct object, limit, find, "", .handle_size = 4));
    CONTROL(".bind is 13, expected MPIT_BIND_COMM to MPIT_BIND_SESSION",
            MPIT_ROW_IN_OBJECT(INT, "A", struct object, limit, find, "", .bind = (mpit_bind)13, .handle_size = 4));
    CONTROL(".handle_size is 2, expected 4 or 8",
            MPIT_ROW_IN_OBJECT(INT, "A", struct object, limit, find, "", .bind = MPIT_BIND_COMM, .handle_size = 2));
    CONTROL(".offset is 1, expected a multiple of 4",
            MPIT_ROW_IN_OBJECT(INT, "A", struct packed, limit, find, "", .bind = MPIT_BIND_COMM, .handle_size = 4));
    CONTROL(".count is 2, expected 1 for values that are not numbers", MPIT_ROW_NUMBERS(SWITCH, "A", &pair[0], 2, ""));
    CONTROL(".count is 2, expected 1 for values that are not numbers",
            MPIT_ROW_IN_OBJECT(SWITCH, "A", struct object, limit, find, "", .bind = MPIT_BIND_COMM, .handle_size = 4,
                               .count = 2));
}

static void check_measures(void) {
    MEASURE("its cell, .storage or function is NULL, expected one of them", MPIT_ROW_COUNTER("a", NULL, ""));
    MEASURE("it has 2 sources, expected only one cell, .storage or function",
            MPIT_ROW_COUNTER("a", &sent, "", .level = &queued));
    MEASURE(".count is 2, expected 1 for a cell", MPIT_ROW_COUNTER("a", &sent, "", .count = 2));
    MEASURE(".bind is set, expected MPIT_BIND_NO_OBJECT for a cell",
            MPIT_ROW_COUNTER("a", &sent, "", .bind = MPIT_BIND_COMM));
    MEASURE(".on_watch is set, expected NULL for a cell", MPIT_ROW_COUNTER("a", &sent, "", .on_watch = watch));
    MEASURE(".variable_class is 3, expected MPIT_CLASS_COUNTER or _AGGREGATE for a .counter",
            {.name = "a", .variable_class = MPIT_CLASS_LEVEL, .type = MPIT_TYPE_UNSIGNED_LONG_LONG, .counter = &sent});
    MEASURE(".variable_class is 2, expected MPIT_CLASS_LEVEL, _SIZE, _HIGHWATERMARK or _LOWWATERMARK for a .level",
            {.name = "a", .variable_class = MPIT_CLASS_TIMER, .type = MPIT_TYPE_UNSIGNED_LONG_LONG, .level = &queued});
    MEASURE(".variable_class is 5, expected MPIT_CLASS_LEVEL, _SIZE, _HIGHWATERMARK or _LOWWATERMARK for a .level",
            {.name = "a", .variable_class = MPIT_CLASS_PERCENTAGE, .level = &queued});
    MEASURE(".variable_class is 0, expected MPIT_CLASS_AGGREGATE or _TIMER for a .real",
            MPIT_ROW_OF_REAL("a", MPIT_CLASS_COUNTER, real, &energy, ""));
    MEASURE(".variable_class is 7, expected MPIT_CLASS_LEVEL, _SIZE, _PERCENTAGE, _HIGHWATERMARK or _LOWWATERMARK for "
            "a .real_level",
            MPIT_ROW_OF_REAL("a", MPIT_CLASS_STATE, real_level, &load, ""));
    MEASURE(".count is 2, expected 1 for a cell", MPIT_ROW_REAL_LEVEL("a", &load, "", .count = 2));
    MEASURE(".enumeration is NULL, expected the address of an mpit_enumeration", MPIT_ROW_STATE("a", &phase, NULL, ""));
    MEASURE(".state has a value that is not an item of .enumeration", MPIT_ROW_STATE("a", &phase, &answers, ""));
    MEASURE(".verbosity is 9, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
            MPIT_ROW_COUNTER("a", &sent, "", .verbosity = (mpit_verbosity)9));
    MEASURE(".verbosity is -1, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
            MPIT_ROW_GET(LEVEL, UNSIGNED, "a", whole, "", .verbosity = (mpit_verbosity)-1));
    MEASURE(".type is 5, expected MPIT_TYPE_UNSIGNED_LONG_LONG for its cell",
            {.name = "a", .variable_class = MPIT_CLASS_COUNTER, .type = MPIT_TYPE_DOUBLE, .counter = &sent});
    MEASURE(".type is 0, expected MPIT_TYPE_INT for its cell",
            {.name = "a", .variable_class = MPIT_CLASS_STATE, .state = &phase, .enumeration = &answers});
    MEASURE("its cell is at a misaligned address, expected a multiple of 8",
            MPIT_ROW_TIMER("a", MISALIGNED(mpit_timer), ""));
    MEASURE(".storage is at a misaligned address, expected a multiple of 4",
            MPIT_ROW_AT(LEVEL, UNSIGNED, "a", MISALIGNED(unsigned), ""));
    MEASURE(
        ".type is 10, expected MPIT_TYPE_INT to MPIT_TYPE_DOUBLE",
        {.name = "a", .variable_class = MPIT_CLASS_GENERIC, .type = MPIT_TYPE_LONG, .storage = &distance, .size = 8});
    MEASURE(".variable_class is that of a state or a watermark, expected a cell",
            MPIT_ROW_AT(HIGHWATERMARK, UNSIGNED, "a", &natural, ""));
    MEASURE(".type is 7, expected MPIT_TYPE_INT to MPIT_TYPE_DOUBLE",
            {.name = "a", .variable_class = MPIT_CLASS_LEVEL, .type = MPIT_TYPE_SWITCH, .storage = &number, .size = 4});
    MEASURE(".type is 5, expected a type of .variable_class (MPI-5.0, 15.3.7)",
            MPIT_ROW_AT(COUNTER, DOUBLE, "a", &real, ""));
    MEASURE(".type is 2, expected a type of .variable_class (MPI-5.0, 15.3.7)",
            MPIT_ROW_AT(PERCENTAGE, UNSIGNED, "a", &natural, ""));
    MEASURE(".type is 1, expected a type of .variable_class (MPI-5.0, 15.3.7)",
            MPIT_ROW_AT(LEVEL, INT, "a", &number, ""));
    MEASURE(".size is 8, expected 4, the size of .type",
            {.name = "a", .variable_class = MPIT_CLASS_LEVEL, .type = MPIT_TYPE_UNSIGNED, .storage = &real, .size = 8});
    MEASURE("its function returns a double, expected .type = MPIT_TYPE_DOUBLE",
            {.name = "a", .variable_class = MPIT_CLASS_LEVEL, .type = MPIT_TYPE_UNSIGNED, .real_value = part});
    MEASURE(".type is MPIT_TYPE_DOUBLE, expected .real_value or .real_value_at",
            MPIT_ROW_GET(LEVEL, DOUBLE, "a", whole, ""));
    MEASURE(".bind is 12, expected MPIT_BIND_COMM to MPIT_BIND_SESSION",
            MPIT_ROW_GET(LEVEL, UNSIGNED, "a", whole, "", .bind = (mpit_bind)12));
    MEASURE(".handle_size is 0, expected 4 or 8",
            MPIT_ROW_GET_AT(LEVEL, UNSIGNED, "a", whole_at, "", .bind = MPIT_BIND_COMM));
    MEASURE(".bind is set, expected .value_at, .real_value_at or .values_at",
            MPIT_ROW_GET(LEVEL, UNSIGNED, "a", whole, "", .bind = MPIT_BIND_COMM, .handle_size = 4));
    MEASURE(".bind is set, expected .elements, too",
            MPIT_ROW_GET_AT(LEVEL, UNSIGNED, "a", whole_at, "", .bind = MPIT_BIND_COMM, .handle_size = 4));
    MEASURE(".count is 2, expected .value_at, .real_value_at or .values_at",
            MPIT_ROW_GET(LEVEL, UNSIGNED, "a", whole, "", .count = 2));
    MEASURE(".on_write is set, expected .text_at, too", MPIT_ROW_COUNTER("a", &sent, "", .on_write = accept_text));
    MEASURE(".on_write is set, expected .text_at, too",
            MPIT_ROW_GET(LEVEL, UNSIGNED, "a", whole, "", .on_write = accept_text));
    MEASURE(".text_at is set, expected .type = MPIT_TYPE_TEXT",
            {.name = "a", .variable_class = MPIT_CLASS_GENERIC, .type = MPIT_TYPE_INT, .text_at = text_at});
    MEASURE(".type is MPIT_TYPE_TEXT, expected .text_at, too",
            {.name = "a", .variable_class = MPIT_CLASS_GENERIC, .type = MPIT_TYPE_TEXT, .storage = room, .size = 8});
    MEASURE(".variable_class is 3, expected MPIT_CLASS_GENERIC for a text",
            {.name = "a", .variable_class = MPIT_CLASS_LEVEL, .type = MPIT_TYPE_TEXT, .text_at = text_at, .size = 8});
    MEASURE(".size is 1, expected 2 bytes to 1 MiB for a text", MPIT_ROW_GET_TEXT("a", 1, text_at, ""));
    MEASURE(".size is 1048577, expected 2 bytes to 1 MiB for a text", MPIT_ROW_GET_TEXT("a", 1048577, text_at, ""));
    MEASURE(".count is 2, expected 1 for a text", MPIT_ROW_GET_TEXT("a", 8, text_at, "", .count = 2));
    MEASURE(".bind is set, expected .elements, too",
            MPIT_ROW_GET_TEXT("a", 8, text_at, "", .bind = MPIT_BIND_COMM, .handle_size = 4));
    MEASURE(".count is 32769, expected at most 32768",
            MPIT_ROW_GET_AT(LEVEL, UNSIGNED, "a", whole_at, "", .count = 32769));
}

static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31), zeros, scaled = MPIT_HISTOGRAM_CELL(5, 0, 3),
                      unscaled = MPIT_HISTOGRAM_CELL(0, 0, 3), empty = MPIT_HISTOGRAM_CELL(0, 7, 7),
                      far = MPIT_HISTOGRAM_CELL(0, 0, 64), many = MPIT_HISTOGRAM_CELL(4, 0, 20);
static unsigned long long one_of_object(uint64_t handle, unsigned element, void* data) {
    (void)handle, (void)data;
    return element;
}
static unsigned elements_of_object(uint64_t handle, void* data) {
    (void)handle, (void)data;
    return 1;
}
static void check_histograms(void) {
    static const double finite[2] = {1, 2}, equal_bounds[3] = {1, 1, INFINITY}, fitting[2] = {1, INFINITY};
    static unsigned long counts[3];
    static char long_name[58];
    memset(long_name, 'h', sizeof long_name - 1);
    unscaled.scale = -1;
    MEASURE("its cell has no sums, expected MPIT_HISTOGRAM_CELL or mpit_init_histogram()",
            MPIT_ROW_HISTOGRAM("a", &zeros, ""));
    MEASURE("its cell has the scale 5, expected 0 to 4", MPIT_ROW_HISTOGRAM("a", &scaled, ""));
    MEASURE("its cell has the scale -1, expected 0 to 4", MPIT_ROW_HISTOGRAM("a", &unscaled, ""));
    MEASURE("its cell has buckets from 2^7 to 2^7, expected a lowest exponent below the highest",
            MPIT_ROW_LATENCY("a", &empty, ""));
    MEASURE("its cell has buckets from 2^0 to 2^64, expected exponents from 0 to 63", MPIT_ROW_LATENCY("a", &far, ""));
    MEASURE("its cell has 322 buckets, expected at most 118", MPIT_ROW_HISTOGRAM("a", &many, ""));
    MEASURE(".name has 57 characters, expected at most 56 for a histogram", MPIT_ROW_HISTOGRAM(long_name, &sizes, ""));
    MEASURE(".readonly is set, expected false for a histogram", MPIT_ROW_HISTOGRAM("a", &sizes, "", .readonly = true));
    MEASURE(".continuous is set, expected false for a histogram",
            MPIT_ROW_HISTOGRAM("a", &sizes, "", .continuous = true));
    MEASURE(".count is 2, expected 1 for a cell", MPIT_ROW_HISTOGRAM("a", &sizes, "", .count = 2));
    MEASURE("its cell is at a misaligned address, expected a multiple of 8",
            MPIT_ROW_HISTOGRAM("a", MISALIGNED(mpit_histogram), ""));
    MEASURE(".variable_class is 1, expected MPIT_CLASS_COUNTER or _TIMER for a .histogram",
            {.name = "a", .variable_class = MPIT_CLASS_AGGREGATE, .histogram = &sizes});
    MEASURE(".type is 5, expected MPIT_TYPE_UNSIGNED_LONG_LONG for its cell",
            {.name = "a", .variable_class = MPIT_CLASS_COUNTER, .type = MPIT_TYPE_DOUBLE, .histogram = &sizes});
    MEASURE(".when_watched is set, expected .histogram, too", MPIT_ROW_COUNTER("a", &sent, "", .when_watched = true));
    MEASURE(".bounds is set, expected NULL for a cell", MPIT_ROW_HISTOGRAM("a", &sizes, "", .bounds = fitting));
    MEASURE(".bounds is set, expected .count bounds of a counter that increase up to INFINITY",
            MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "a", &counts[0], "", .count = 2, .bounds = finite));
    MEASURE(".bounds is set, expected .count bounds of a counter that increase up to INFINITY",
            MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "a", &counts[0], "", .count = 3, .bounds = equal_bounds));
    MEASURE(".bounds is set, expected .count bounds of a counter that increase up to INFINITY",
            MPIT_ROW_AT(LEVEL, UNSIGNED_LONG, "a", &counts[0], "", .count = 2, .bounds = fitting));
    MEASURE(".name has 57 characters, expected at most 56 for a variable with bounds or labels",
            MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, long_name, &counts[0], "", .count = 2, .bounds = fitting));
    MEASURE(".labels is set, expected NULL for a cell", MPIT_ROW_HISTOGRAM("a", &sizes, "", .labels = "b"));
    MEASURE(".labels or .label is set, expected one of them, with .count labels",
            MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "a", &counts[0], "", .count = 3, .labels = "b,c"));
    MEASURE(".labels is set, expected .label for a bound variable",
            MPIT_ROW_GET_AT(COUNTER, UNSIGNED_LONG, "a", one_of_object, "", .bind = MPIT_BIND_COMM, .handle_size = 8,
                            .elements = elements_of_object, .labels = "b"));
    mpit_record(&scaled, 1), mpit_record(&unscaled, 100), mpit_record(&far, UINT64_MAX); /* record nothing */
}

static void check_events_and_sources(void) {
    static mpit_event happened, known;
    static mpit_source clock, elsewhere;
    const mpit_element outside[] = {{"far", MPIT_TYPE_INT, 4, 4}, MPIT_ROW_END},
                       before[] = {{"first", MPIT_TYPE_INT, 4, 4}, {"second", MPIT_TYPE_INT, 0, 4}, MPIT_ROW_END};
    const mpit_element odd[] = {{"odd", MPIT_TYPE_INT, 0, 3}, MPIT_ROW_END},
                       typeless[] = {{"typeless", MPIT_TYPE_TEXT, 0, 4}, MPIT_ROW_END};
    EVENT(".event is NULL, expected the address of an mpit_event", {.name = "a", .size = 4});
    EVENT(".bind is 12, expected MPIT_BIND_COMM to MPIT_BIND_SESSION",
          {.name = "a", .event = &happened, .bind = (mpit_bind)12});
    EVENT(".handle_size is 0, expected 4 or 8", {.name = "a", .event = &happened, .bind = MPIT_BIND_COMM});
    EVENT(".source is not in an open group; add its row first",
          {.name = "a", .event = &happened, .source = &elsewhere});
    EVENT(".verbosity is 9, expected MPIT_USER_BASIC to MPIT_DEVELOPER_ALL",
          {.name = "a", .event = &happened, .verbosity = (mpit_verbosity)9});
    EVENT(".clock is 99, expected MPIT_CYCLE_COUNTER or MPIT_STEADY_CLOCK",
          {.name = "a", .event = &happened, .clock = (mpit_clock)99});
    EVENT(".event is at a misaligned address, expected a multiple of 8",
          {.name = "a", .event = MISALIGNED(mpit_event)});
    SOURCE(".source is at a misaligned address, expected a multiple of 8",
           {.name = "a", .source = MISALIGNED(mpit_source)});
    EVENT(".size is 4097, expected at most 4096", {.name = "a", .event = &happened, .size = 4097});
    EVENT("its element far has an .offset and a .size beyond the .size of the event",
          {.name = "a", .event = &happened, .elements = outside, .size = 4});
    EVENT("its element second has an .offset before the end of the previous element",
          {.name = "a", .event = &happened, .elements = before, .size = 8});
    EVENT("its element odd has a wrong .size, expected a multiple of the size of .type",
          {.name = "a", .event = &happened, .elements = odd, .size = 4});
    EVENT("its element typeless has a wrong .type, expected a number or MPIT_TYPE_CHAR",
          {.name = "a", .event = &happened, .elements = typeless, .size = 4});
    CHECK(add_event(&(mpit_event_type){.name = "known", .event = &known}) == 0);
    EVENT(".event is in another row of an open group, expected one row for each", {.name = "b", .event = &known});
    SOURCE(".source is NULL, expected the address of an mpit_source", {.name = "a"});
    SOURCE(".ticks_per_second is negative, expected 0 or more",
           {.name = "a", .source = &elsewhere, .ticks_per_second = -1});
    SOURCE(".max_ticks is negative, expected 0 or more", {.name = "a", .source = &elsewhere, .max_ticks = -1});
    CHECK(add_source(&(mpit_source_type){.name = "clock", .source = &clock}) == 0);
    SOURCE(".source is in another row of an open group, expected one row for each", {.name = "b", .source = &clock});
}

static int add_no_table(const void* row) {
    (void)row;
    CHECK(mpit_add_controls(group, NULL, NULL) == -1);
    CHECK(mpit_add_performance(group, NULL, NULL) == -1);
    CHECK(mpit_add_events(group, NULL) == -1);
    CHECK(mpit_add_sources(group, NULL) == -1);
    CHECK(mpit_before_tools(NULL, NULL) == -1);
    return 1;
}
/* The others of a table are added. */
static int add_both(const void* row) {
    const mpit_control table[] = {*(const mpit_control*)row, MPIT_ROW_INT("RIGHT", &number, ""), MPIT_ROW_END};
    const int refused = mpit_add_controls(group, table, NULL);
    CHECK(mpit_given(group, "RIGHT", MPIT_FROM_COMMAND_LINE, NULL) == 0);
    return refused;
}
static void check_tables(void) {
    REFUSED(mpit_control, add_both, ".range has a minimum above its maximum",
            MPIT_ROW_INT("A", &number, "", .range = {2, 1}));
    const char* const reports = report_of(add_no_table, NULL);
    CHECK(strcmp(reports, "mpit: no row is added: the table is NULL\nmpit: no row is added: the table is NULL\nmpit: "
                          "no row is added: the table is NULL\nmpit: no row is added: the table is NULL\n") == 0);
}

int test_refused(void) {
    round_name = "refused";
    group = mpit_open(NULL, "tests_refused", "Rows with a mistake", NULL);
    check_names();
    check_controls();
    check_controls_of_objects();
    check_measures();
    check_histograms();
    check_events_and_sources();
    check_tables();
    mpit_close(group);
    return report();
}
