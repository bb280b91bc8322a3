// Tables in C++, where a row names the members of its struct in their order, and each value in it has one way: every
// macro of a row, each with settings behind it. all_rows.py looks that none is missing. The reports of groups in C:
// each NULL has a line that says why and what to do instead, and what was said of a name is not said again.
#include "../catch.hpp"
#include "../tool.hpp"

#include <mpit/declare.hpp>
#include <mpit/report_handler.hpp>
#include <mpit/tool.hpp>

#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "../reports_kept.hpp"

namespace {

// A value that is none of the names is defined, so that a row with it is refused: that needs a fixed type.
static_assert(mpit_bind{99} > MPIT_BIND_SESSION && mpit_verbosity{99} > MPIT_DEVELOPER_ALL &&
              mpit_scope{99} > MPIT_ALL_EQUAL && mpit_unit{99} > MPIT_BYTES && mpit_reply{99} > MPIT_NEVER &&
              mpit_type{99} > MPIT_TYPE_CHAR && mpit_class{99} > MPIT_CLASS_LOWWATERMARK &&
              mpit_safety{99} > MPIT_ASYNC_SIGNAL_SAFE && mpit_clock{99} > MPIT_STEADY_CLOCK &&
              mpit_origin{99} > MPIT_FROM_INFO);

struct in_object {
    int limit;
    double weights[2];
};
int number = 3, choice = 1, is_on = 1, ports[2] = {4000, 4100};
unsigned natural = 4;
unsigned long longer = 5, of_room = 65536;
unsigned long long longest = 6;
long below = -7;
long long far_below = -8;
double real = 0.5;
bool flag = true;
char text[16] = "here";
in_object only = {9, {0.25, 0.75}};

void read_routes(char* to, std::size_t size, void*) { std::snprintf(to, size, "direct"); }
void* find(std::uint64_t handle, void*) { return handle == 0 ? nullptr : &only; }
mpit_reply accept(const void*, void*) { return MPIT_ACCEPTED; }

// Members that a row does not name are 0; g++ warns of that in C++ only.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

const mpit_item items[] = {MPIT_ROW_ITEM("ring", 0), MPIT_ROW_ITEM("tree", 1, "binomial"), MPIT_ROW_END};
const mpit_enumeration shapes = {"rows_shape", items};
// clang-format off: one line for each row, which all_rows.py reads
const mpit_control controls[] = {
    MPIT_ROW_INT("rows_int", &number, "", .range = {0, 64}, .unit = MPIT_BYTES, .environment = MPIT_NO_ENVIRONMENT),
    MPIT_ROW_UNSIGNED("rows_unsigned", &natural, "", .range = {0, 64}, .scope = MPIT_LOCAL),
    MPIT_ROW_LONG("rows_long", &below, "", .range = {-64, 64}, .environment = MPIT_NO_ENVIRONMENT),
    MPIT_ROW_LONG_LONG("rows_long_long", &far_below, "", .range = {-64, 64}),
    MPIT_ROW_NUMBER("rows_number", &below, "", .range = {-64, 64}),
    MPIT_ROW_UNSIGNED_LONG("rows_unsigned_long", &longer, "", .range = {0, 64}, .unit = MPIT_BYTES),
    MPIT_ROW_UNSIGNED_LONG_LONG("rows_unsigned_long_long", &longest, "", .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_DOUBLE("rows_double", &real, "", .real_range = {0, 1}),
    MPIT_ROW_BYTES("rows_bytes", &of_room, "", .range = {1, 1 << 30}, .scope = MPIT_LOCAL, .verbosity = MPIT_TUNER_ALL),
    MPIT_ROW_BOOL("rows_bool", &flag, "", .on_write = accept),
    MPIT_ROW_SWITCH("rows_switch", &is_on, "", .on_write = accept),
    MPIT_ROW_CHOICE("rows_choice", &choice, &shapes, "", .renamed_from = "rows_former_choice"),
    MPIT_ROW_TEXT("rows_text", text, "", .deprecated = "because"),
    MPIT_ROW_TEXT_BY("rows_text_by", 32, read_routes, "", .scope = MPIT_READONLY),
    MPIT_ROW_NUMBERS(INT, "rows_numbers", &ports[0], 2, "", .range = {0, 65535}),
    MPIT_ROW_MEMBER(INT, "rows_member", in_object, limit, "", .range = {0, 64}),
    MPIT_ROW_IN_OBJECT(INT, "rows_in_object", in_object, limit, find, "", .range = {0, 64}, .bind = MPIT_BIND_COMM, .handle_size = sizeof(void*)),
    MPIT_ROW_END};

mpit_counter counter = MPIT_COUNTER_CELL, aggregate = MPIT_COUNTER_CELL;
mpit_timer timer = MPIT_TIMER_CELL;
mpit_level level = MPIT_LEVEL_CELL(7);
mpit_state state = MPIT_STATE_CELL(1);
mpit_real sum = MPIT_REAL_CELL, seconds = MPIT_REAL_CELL;
mpit_real_level load = MPIT_REAL_LEVEL_CELL(0.5);
mpit_histogram sizes, times;
mpit_counter sums_of_sizes[MPIT_HISTOGRAM_SUMS(0, 0, 31)], sums_of_times[MPIT_HISTOGRAM_SUMS(2, 6, 34)];
unsigned long buckets[2];
const double bounds[2] = {64, __builtin_inf()};

unsigned long long get(void*) { return 11; }
double get_real(void*) { return 0.125; }
unsigned long long get_at(std::uint64_t, unsigned element, void*) { return 20 + element; }
double get_real_at(std::uint64_t, unsigned element, void*) { return 0.5 + element; }
void get_all(std::uint64_t, unsigned first, unsigned count, void* values, void*) {
    for (unsigned i = 0; i < count; i++) static_cast<unsigned*>(values)[i] = 30 + first + i;
}
char note[16] = "first";
void get_text(std::uint64_t, char* to, std::size_t size, void*) { std::snprintf(to, size, "%s", note); }
mpit_reply set_text(std::uint64_t, const char* from, void*) {
    std::snprintf(note, sizeof note, "%s", from);
    return MPIT_ACCEPTED;
}
const mpit_performance measures[] = {
    MPIT_ROW_COUNTER("rows_counter", &counter, "", .readonly = true),
    MPIT_ROW_AGGREGATE("rows_aggregate", &aggregate, "", .readonly = true),
    MPIT_ROW_TIMER("rows_timer", &timer, "", .readonly = true),
    MPIT_ROW_LEVEL("rows_level", &level, "", .verbosity = MPIT_USER_ALL, .readonly = true),
    MPIT_ROW_SIZE("rows_size", &level, "", .verbosity = MPIT_USER_ALL, .readonly = true),
    MPIT_ROW_HIGHEST("rows_highest", &level, "", .verbosity = MPIT_USER_ALL),
    MPIT_ROW_LOWEST("rows_lowest", &level, "", .verbosity = MPIT_USER_ALL),
    MPIT_ROW_REAL_AGGREGATE("rows_real_aggregate", &sum, "", .readonly = true),
    MPIT_ROW_SECONDS("rows_seconds", &seconds, "", .readonly = true),
    MPIT_ROW_REAL_LEVEL("rows_real_level", &load, "", .readonly = true),
    MPIT_ROW_REAL_HIGHEST("rows_real_highest", &load, "", .verbosity = MPIT_USER_ALL),
    MPIT_ROW_REAL_LOWEST("rows_real_lowest", &load, "", .verbosity = MPIT_USER_ALL),
    MPIT_ROW_PERCENTAGE("rows_percentage", &load, "", .readonly = true),
    MPIT_ROW_STATE("rows_state", &state, &shapes, "", .readonly = true),
    MPIT_ROW_HISTOGRAM("rows_histogram", &sizes, "", .verbosity = MPIT_USER_ALL, .when_watched = true),
    MPIT_ROW_LATENCY("rows_latency", &times, "", .verbosity = MPIT_USER_ALL),
    MPIT_ROW_AT(LEVEL, UNSIGNED, "rows_at", &natural, "", .readonly = true),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "rows_buckets", &buckets[0], "", .count = 2, .bounds = bounds),
    MPIT_ROW_GET(LEVEL, UNSIGNED, "rows_get", get, "", .data = &number, .readonly = true),
    MPIT_ROW_GET_REAL(LEVEL, "rows_get_real", get_real, "", .data = &number),
    MPIT_ROW_GET_AT(LEVEL, UNSIGNED, "rows_get_at", get_at, "", .data = &number, .count = 3),
    MPIT_ROW_GET_REAL_AT(LEVEL, "rows_get_real_at", get_real_at, "", .data = &number, .count = 3),
    MPIT_ROW_GET_ALL(LEVEL, UNSIGNED, "rows_get_all", get_all, "", .data = &number, .count = 3),
    MPIT_ROW_GET_TEXT("rows_get_text", sizeof note, get_text, "", .data = &number, .on_write = set_text),
    MPIT_ROW_END};
// clang-format on

template <class T> T value_of(const session& of, const char* name, int variable_class) {
    const pvar variable{of, name, variable_class};
    T values[4] = {};
    variable.start();
    REQUIRE(MPI_T_pvar_read(of.handle, variable.handle, values) == MPI_SUCCESS);
    return values[variable.count - 1];
}

} // namespace

TEST_CASE("Each row of a table in C++ is the variable that the same row is in C") {
    mpit_init_histogram(&sizes, sums_of_sizes, 0, 0, 31);
    mpit_init_histogram(&times, sums_of_times, 2, 6, 34);
    mpit_group* const group = mpit_open(nullptr, "rows", "Rows in C++", nullptr);
    REQUIRE(group != nullptr);
    CHECK(mpit_add_controls(group, controls, &only) == 0);
    CHECK(mpit_add_performance(group, measures, nullptr) == 0);
    REQUIRE(mpit_publish(group) == 0);
    const initialized here;

    const cvar of_long{"rows_long"};
    CHECK(of_long.read<long>() == -7);
    const long highest = 64, above = 65;
    CHECK(MPI_T_cvar_write(of_long.handle, &above) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(of_long.handle, &highest) == MPI_SUCCESS);
    CHECK(below == 64);
    // clang-format off
    for (const auto& [name, value] : {
        std::pair{"rows_int", "3"}, {"rows_unsigned", "4"}, {"rows_number", "64"}, {"rows_long_long", "-8"},
        {"rows_unsigned_long", "5"}, {"rows_unsigned_long_long", "6"}, {"rows_double", "0.5"}, {"rows_bytes", "65536"},
        {"rows_bool", "true"}, {"rows_switch", "true"}, {"rows_choice", "tree"}, {"rows_text", "here"},
        {"rows_text_by", "direct"}, {"rows_numbers", "4000,4100"}, {"rows_member", "9"}}) {
        // clang-format on
        char seen[32];
        mpit::tool::find_control(name).format_value(seen, sizeof seen);
        CHECK(std::string{name} + " " + seen == std::string{name} + " " + value);
    }
    CHECK((cvar{"rows_histogram_bounds"}.count == 33 && cvar{"rows_buckets_bounds"}.count == 2));
    void* object = &number;
    CHECK(cvar{"rows_in_object", &object}.read() == 9);

    {
        const session reading;
        // clang-format off
        using whole = std::tuple<const char*, int, unsigned long long>;
        for (const auto& [name, of_class, value] : {
            whole{"rows_level", MPI_T_PVAR_CLASS_LEVEL, 7}, {"rows_size", MPI_T_PVAR_CLASS_SIZE, 7},
            {"rows_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK, 7},
            {"rows_lowest", MPI_T_PVAR_CLASS_LOWWATERMARK, 7}, {"rows_counter", MPI_T_PVAR_CLASS_COUNTER, 0},
            {"rows_aggregate", MPI_T_PVAR_CLASS_AGGREGATE, 0}, {"rows_histogram_sum", MPI_T_PVAR_CLASS_AGGREGATE, 0}})
            CHECK(value_of<unsigned long long>(reading, name, of_class) == value);
        using real = std::tuple<const char*, int, double>;
        for (const auto& [name, of_class, value] : {
            real{"rows_real_level", MPI_T_PVAR_CLASS_LEVEL, 0.5}, {"rows_real_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK, 0.5},
            {"rows_real_lowest", MPI_T_PVAR_CLASS_LOWWATERMARK, 0.5}, {"rows_percentage", MPI_T_PVAR_CLASS_PERCENTAGE, 0.5},
            {"rows_get_real", MPI_T_PVAR_CLASS_LEVEL, 0.125}, {"rows_get_real_at", MPI_T_PVAR_CLASS_LEVEL, 2.5},
            {"rows_timer", MPI_T_PVAR_CLASS_TIMER, 0}, {"rows_real_aggregate", MPI_T_PVAR_CLASS_AGGREGATE, 0},
            {"rows_seconds", MPI_T_PVAR_CLASS_TIMER, 0}, {"rows_latency_sum", MPI_T_PVAR_CLASS_TIMER, 0}})
            CHECK(value_of<double>(reading, name, of_class) == value);
        for (const auto& [name, value] : {std::pair{"rows_at", 4u}, {"rows_get", 11}, {"rows_get_at", 22}, {"rows_get_all", 32}})
            CHECK(value_of<unsigned>(reading, name, MPI_T_PVAR_CLASS_LEVEL) == value);
        // clang-format on
        CHECK(mpit_timer_total(&timer) == 0);
        CHECK(value_of<int>(reading, "rows_state", MPI_T_PVAR_CLASS_STATE) == 1);
        char read[32] = "";
        const pvar said{reading, "rows_get_text", MPI_T_PVAR_CLASS_GENERIC};
        CHECK(MPI_T_pvar_write(reading.handle, said.handle, "second") == MPI_SUCCESS);
        CHECK(MPI_T_pvar_read(reading.handle, said.handle, read) == MPI_SUCCESS);
        CHECK(std::string{read} == "second");
    }
    mpit_close(group);
}

namespace {

// The one report that a refused group makes; "opened" if it is not refused.
std::string refusal(const mpit_group* parent, const char* name, const mpit_policy* policy = nullptr) {
    const reports_kept here;
    mpit_group* const group = mpit_open(parent, name, "", policy);
    mpit_close(group);
    if (group != nullptr) return reports.empty() ? "opened" : reports[0];
    return reports.size() == 1 ? reports[0] : std::to_string(reports.size()) + " reports";
}

} // namespace

TEST_CASE("A group in C that cannot be opened is reported with the reason and a name that can be") {
    CHECK(refusal(nullptr, "reports_good") == "opened");
    CHECK(refusal(nullptr, "UCP context") ==
          "mpit_open returns NULL: the category \"UCP context\" has a name that is not accepted: expected 1 to 255 "
          "printable ASCII characters without blanks, as in UCP_context");
    CHECK(refusal(nullptr, "") == "mpit_open returns NULL: the category \"\" has a name that is not accepted: expected "
                                  "1 to 255 printable ASCII characters without blanks, as in tcp");
    CHECK(refusal(nullptr, nullptr) == "mpit_open returns NULL: the name of the category is NULL");
    const std::string long_name(256, 'x');
    CHECK(refusal(nullptr, long_name.c_str()).find("has a name that is not accepted") != std::string::npos);
    mpit_policy policy{};
    policy.environment = "MY_*_*";
    CHECK(refusal(nullptr, "reports_stars", &policy) ==
          "mpit_open returns NULL: the category \"reports_stars\" has a policy with a wrong .environment: expected "
          "names with one * each, separated by commas, but found MY_*_*");
    mpit_group* groups[8];
    for (int i = 0; i < 8; i++) {
        groups[i] =
            mpit_open(i == 0 ? nullptr : groups[i - 1], ("reports_level_" + std::to_string(i)).c_str(), "", nullptr);
        REQUIRE(groups[i] != nullptr);
    }
    CHECK(refusal(groups[7], "reports_too_deep") == "mpit_open returns NULL: the category \"reports_too_deep\" is "
                                                    "inside of 8 others, expected at most 7; open it in an outer one");
    for (mpit_group* each : groups) mpit_close(each);
}

TEST_CASE("An origin in C of a variable that the group has not is reported") {
    const reports_kept here;
    mpit_group* const group = mpit_open(nullptr, "reports_given", "", nullptr);
    CHECK(mpit_given(group, "NOBODY", MPIT_FROM_ENVIRONMENT, nullptr) == -1);
    mpit_close(group);
    REQUIRE(reports.size() == 1);
    CHECK(
        reports[0] ==
        "mpit_given returns -1: the group has no control variable of the name \"NOBODY\"; add its row before the call");
}

TEST_CASE("Groups in C that describe one category or variable differently are reported once, however often they come "
          "and go") {
    static int value = 1;
    const reports_kept here;
    int provided = 0;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    for (int i = 0; i < 5; i++) {
        const std::string words = "Node " + std::to_string(i);
        mpit_control row[2]{};
        row[0].name = "REPORTS_VALUE";
        row[0].type = MPIT_TYPE_INT;
        row[0].storage = &value;
        row[0].size = sizeof value;
        row[0].description = words.c_str();
        mpit_group* const group = mpit_open(nullptr, "reports_node", words.c_str(), nullptr);
        CHECK(mpit_add_controls(group, row, nullptr) == 0);
        CHECK(mpit_publish(group) == 0);
        mpit_close(group);
    }
    MPI_T_finalize();
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].find("the category reports_node has two descriptions") == 0);
    CHECK(reports[1].find("REPORTS_VALUE has two descriptions") == 0);
}
