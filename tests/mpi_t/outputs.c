/* Asks a library on top of the runtime for every text with every room that matters, and for every combination of outputs of
 * the queries, the others being null, and holds what comes back against what a complete query said. tests/over_mpi runs it;
 * without a host between, tests/standard/strings.cpp does the same. */
/* [STR-01] Every text is cut to the room with its null, and nothing is stored behind it. */
/* [STR-02] The length of the whole text and its null comes back where the text was cut. */
/* [STR-03] The length of the whole text and its null comes back where the text fits. */
/* [STR-04] Every room from one character to two more than needed. */
/* [STR-05] A null buffer asks for the length alone. */
/* [STR-06] The length 0 asks for the length alone. */
/* [STR-07] A null length switches its pair off. */
/* [STR-08] Pairs of one call are independent. */
/* [STR-09] Every name has at least one character. */
#include <mpi.h>

#include "check.h"

#include <limits.h>
#include <string.h>

enum { room = 1024, canary = 0x5a };

static int control_name(int i, char* text, int* length) {
    return MPI_T_cvar_get_info(i, text, length, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}
static int control_description(int i, char* text, int* length) {
    return MPI_T_cvar_get_info(i, NULL, NULL, NULL, NULL, NULL, text, length, NULL, NULL);
}
static int performance_name(int i, char* text, int* length) {
    return MPI_T_pvar_get_info(i, text, length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}
static int performance_description(int i, char* text, int* length) {
    return MPI_T_pvar_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, text, length, NULL, NULL, NULL, NULL);
}
static int category_name(int i, char* text, int* length) {
    return MPI_T_category_get_info(i, text, length, NULL, NULL, NULL, NULL, NULL);
}
static int category_description(int i, char* text, int* length) {
    return MPI_T_category_get_info(i, NULL, NULL, text, length, NULL, NULL, NULL);
}
static int event_name(int i, char* text, int* length) {
    return MPI_T_event_get_info(i, text, length, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}
static int event_description(int i, char* text, int* length) {
    return MPI_T_event_get_info(i, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, text, length, NULL);
}
static int source_name(int i, char* text, int* length) {
    return MPI_T_source_get_info(i, text, length, NULL, NULL, NULL, NULL, NULL, NULL);
}
static int source_description(int i, char* text, int* length) {
    return MPI_T_source_get_info(i, NULL, NULL, text, length, NULL, NULL, NULL, NULL);
}
static MPI_T_enum protocols;
static int enumeration_name(int i, char* text, int* length) {
    return i == 0 ? MPI_T_enum_get_info(protocols, NULL, text, length) : MPI_T_ERR_INVALID_INDEX;
}
static int item_name(int i, char* text, int* length) { return MPI_T_enum_get_item(protocols, i, NULL, text, length); }

typedef int text_query(int, char*, int*);

static int holds_canaries(const char* from, const char* end) {
    while (from < end)
        if (*from++ != canary) return 0;
    return 1;
}

/* One text with one room. */
static void check_room(text_query* get, int i, const char* whole, int capacity) {
    char buffer[room];
    const int needed = (int)strlen(whole) + 1, stored = capacity < needed ? capacity : needed;
    int length = capacity;
    memset(buffer, canary, room);
    CHECK(get(i, buffer, &length) == MPI_SUCCESS);
    CHECK(length == needed);
    CHECK(holds_canaries(buffer + stored, buffer + room));
    if (stored == 0) return;
    CHECK(memcmp(buffer, whole, (size_t)stored - 1) == 0);
    CHECK(buffer[stored - 1] == '\0');
}

static void check_texts(const char* what, text_query* get, int is_name) {
    char whole[room], buffer[room];
    int i = 0;
    round_name = what;
    for (int length = room; get(i, whole, &length) == MPI_SUCCESS; i++, length = room) {
        CHECK(length >= (is_name ? 2 : 1));
        CHECK(length == (int)strlen(whole) + 1);
        const int needed = length;
        for (int capacity = 0; capacity <= needed + 2; capacity++) check_room(get, i, whole, capacity);
        const int lengths[] = {0, 1, needed, INT_MAX, -1, INT_MIN};
        for (int each = 0; each < 6; each++) {
            length = lengths[each];
            CHECK(get(i, NULL, &length) == MPI_SUCCESS);
            CHECK(length == needed);
        }
        memset(buffer, canary, room);
        CHECK(get(i, buffer, NULL) == MPI_SUCCESS);
        CHECK(holds_canaries(buffer, buffer + room));
        length = -1;
        CHECK(get(i, buffer, &length) == MPI_T_ERR_INVALID);
        CHECK(length == -1);
    }
    CHECK(i > 0);
}

/* Outputs of a query, so that one call fills them and the next is compared. */
struct outputs {
    char name[room], description[room];
    int name_length, description_length;
    int numbers[6];
    MPI_Datatype type;
    MPI_T_enum enumeration;
    MPI_Aint displacement;
    MPI_Count ticks;
};
static void fill(struct outputs* with) {
    memset(with, canary, sizeof *with);
    with->name_length = with->description_length = room;
}

/* The argument where its bit is set, and null otherwise. */
#define IF(bit, argument) ((wanted >> (bit) & 1) != 0 ? (argument) : NULL)

static int query_control(int i, unsigned wanted, struct outputs* to) {
    return MPI_T_cvar_get_info(i, IF(0, to->name), IF(1, &to->name_length), IF(2, &to->numbers[0]), IF(3, &to->type),
                               IF(4, &to->enumeration), IF(5, to->description), IF(6, &to->description_length),
                               IF(7, &to->numbers[1]), IF(8, &to->numbers[2]));
}
static int query_performance(int i, unsigned wanted, struct outputs* to) {
    return MPI_T_pvar_get_info(i, IF(0, to->name), IF(1, &to->name_length), IF(2, &to->numbers[0]),
                               IF(7, &to->numbers[1]), IF(3, &to->type), IF(4, &to->enumeration),
                               IF(5, to->description), IF(6, &to->description_length), IF(8, &to->numbers[2]),
                               IF(9, &to->numbers[3]), IF(10, &to->numbers[4]), IF(11, &to->numbers[5]));
}
static int query_category(int i, unsigned wanted, struct outputs* to) {
    return MPI_T_category_get_info(i, IF(0, to->name), IF(1, &to->name_length), IF(5, to->description),
                                   IF(6, &to->description_length), IF(2, &to->numbers[0]), IF(7, &to->numbers[1]),
                                   IF(8, &to->numbers[2]));
}

/* [EVT-03] Each output of the query of an event may be null. */
/* [EVT-06] Without a number of elements neither array is filled. */
/* The number of elements has the bit 8; here there is room for one, and every info object is freed at once. */
static int query_event(int i, unsigned wanted, struct outputs* to) {
    MPI_Info info = MPI_INFO_NULL;
    to->numbers[2] = 1;
    const int code =
        MPI_T_event_get_info(i, IF(0, to->name), IF(1, &to->name_length), IF(2, &to->numbers[0]), IF(3, &to->type),
                             IF(9, &to->displacement), IF(8, &to->numbers[2]), IF(4, &to->enumeration), IF(10, &info),
                             IF(5, to->description), IF(6, &to->description_length), IF(7, &to->numbers[1]));
    CHECK((info != MPI_INFO_NULL) == ((wanted >> 10 & 1) != 0));
    if (info != MPI_INFO_NULL) CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    if ((wanted >> 8 & 1) == 0) to->numbers[2] = 0x5a5a5a5a;
    return code;
}
/* [SRC-07] Each output of the query of a source may be null. */
static int query_source(int i, unsigned wanted, struct outputs* to) {
    MPI_T_source_order ordering = (MPI_T_source_order)to->numbers[0];
    MPI_Info info = MPI_INFO_NULL;
    const int code =
        MPI_T_source_get_info(i, IF(0, to->name), IF(1, &to->name_length), IF(5, to->description),
                              IF(6, &to->description_length), IF(2, &ordering), IF(3, &to->ticks), NULL, IF(4, &info));
    CHECK((info != MPI_INFO_NULL) == ((wanted >> 4 & 1) != 0));
    if (info != MPI_INFO_NULL) CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
    to->numbers[0] = (int)ordering;
    return code;
}

/* What must be there when only some outputs are wanted: of the others, what they held before. A buffer needs both
 * bits of its pair, and an array of elements also that of their number. The numbers have the bits 2 and 7 to 11. */
static void keep_wanted(struct outputs* of, unsigned wanted) {
    static const unsigned bits_of_numbers[] = {2, 7, 8, 9, 10, 11};
    struct outputs unwanted;
    fill(&unwanted);
    if ((wanted & 3) != 3) memcpy(of->name, unwanted.name, room);
    if ((wanted >> 1 & 1) == 0) of->name_length = unwanted.name_length;
    if ((wanted >> 5 & 3) != 3) memcpy(of->description, unwanted.description, room);
    if ((wanted >> 6 & 1) == 0) of->description_length = unwanted.description_length;
    if ((wanted >> 3 & 1) == 0) of->type = unwanted.type;
    if ((wanted >> 4 & 1) == 0) of->enumeration = unwanted.enumeration;
    if ((wanted >> 3 & 1) == 0) of->ticks = unwanted.ticks;
    for (int i = 0; i < 6; i++)
        if ((wanted >> bits_of_numbers[i] & 1) == 0) of->numbers[i] = unwanted.numbers[i];
}

static void keep_wanted_elements(struct outputs* of, unsigned wanted) {
    struct outputs unwanted;
    fill(&unwanted);
    if ((wanted >> 8 & 1) == 0) of->type = unwanted.type;
    if ((wanted >> 8 & wanted >> 9 & 1) == 0) of->displacement = unwanted.displacement;
}

static void check_outputs(const char* what, int (*query)(int, unsigned, struct outputs*), unsigned end) {
    static struct outputs expected, found;
    round_name = what;
    for (unsigned wanted = 0; wanted < end; wanted++) {
        fill(&expected);
        fill(&found);
        CHECK(query(0, end - 1, &expected) == MPI_SUCCESS);
        CHECK(query(0, wanted, &found) == MPI_SUCCESS);
        keep_wanted(&expected, wanted);
        if (query == query_event) keep_wanted_elements(&expected, wanted);
        CHECK(memcmp(&expected, &found, sizeof found) == 0);
    }
}

int main(void) {
    int provided, protocol = -1;
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    CHECK(MPI_T_cvar_get_index("MINI_PROTOCOL", &protocol) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_info(protocol, NULL, NULL, NULL, NULL, &protocols, NULL, NULL, NULL, NULL) == MPI_SUCCESS);
    check_texts("name of a control variable", control_name, 1);
    check_texts("description of a control variable", control_description, 0);
    check_texts("name of a performance variable", performance_name, 1);
    check_texts("description of a performance variable", performance_description, 0);
    check_texts("name of a category", category_name, 1);
    check_texts("description of a category", category_description, 0);
    check_texts("name of an event", event_name, 1);
    check_texts("description of an event", event_description, 0);
    check_texts("name of a source", source_name, 1);
    check_texts("description of a source", source_description, 0);
    check_texts("name of an enumeration", enumeration_name, 1);
    check_texts("name of an item", item_name, 1);
    check_outputs("outputs of a control variable", query_control, 1u << 9);
    check_outputs("outputs of a performance variable", query_performance, 1u << 12);
    check_outputs("outputs of a category", query_category, 1u << 9);
    check_outputs("outputs of an event", query_event, 1u << 11);
    check_outputs("outputs of a source", query_source, 1u << 7);
    MPI_T_finalize();
    return report();
}
