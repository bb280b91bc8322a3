// Reads of variables of one kind each: declared, described in a C++ group, and in rows of C tables. reads.py counts the
// instructions.
//
//   reads-benchmark declared|group|rows control|adopted|counter|level|computed
#include "tool.hpp"

#include <mpit/declare.hpp>
#include <mpit/mpit.hpp>

#include <string>

namespace {

constexpr int reads = 1000;
int burst = 4, burst_of_group = 4, burst_of_rows = 4;

struct declared_variables : mpit::category<"declared", "Declared"> {
    mpit::control<int> limit{this, "DECLARED_CONTROL", "Of the library"};
    mpit::control_ref<int> present{this, "DECLARED_ADOPTED", "In storage", {.storage = &burst}};
    mpit::counter<> sent{this, "declared_counter", "Messages"};
    mpit::level<> queued{this, "declared_level", "Messages that wait"};
    mpit::computed<mpit::performance_class::level, unsigned long long> open{
        this, "declared_computed", "Connections", {.value = [] { return static_cast<unsigned long long>(burst); }}};
};
inline constexpr auto& declared = mpit::registered<declared_variables>;

mpit::counter_cell sent_of_group;
mpit::level_cell<unsigned long long> queued_of_group;
mpit_counter sent_of_rows = MPIT_COUNTER_CELL;
mpit_level queued_of_rows = MPIT_LEVEL_CELL(0);
unsigned long long open_of_group(void*) { return static_cast<unsigned long long>(burst_of_group); }
unsigned long long open_of_rows(void*) { return static_cast<unsigned long long>(burst_of_rows); }

bool describe() {
    using mpit::result;
    static mpit::dynamic group{"group", "In a group"};
    bool is_added = group.control<int>("GROUP_CONTROL", "Of the group", {.initial = 1}) == result::success;
    is_added &= group.control<int>("GROUP_ADOPTED", "In storage", {.storage = &burst_of_group}) == result::success;
    is_added &= group.counter("group_counter", "Messages", {.cell = &sent_of_group}) == result::success;
    is_added &= group.level("group_level", "Messages that wait", {.cell = &queued_of_group}) == result::success;
    is_added &= group.computed<mpit::performance_class::level, unsigned long long>(
                    "group_computed", "Connections", {.value = &open_of_group}) == result::success;
    mpit_control control{};
    control.name = "ROWS_ADOPTED";
    control.description = "In storage";
    control.type = MPIT_TYPE_INT;
    control.storage = &burst_of_rows;
    control.size = sizeof burst_of_rows;
    mpit_performance counter{}, level{}, computed{};
    counter.name = "rows_counter";
    counter.variable_class = MPIT_CLASS_COUNTER;
    counter.counter = &sent_of_rows;
    level.name = "rows_level";
    level.variable_class = MPIT_CLASS_LEVEL;
    level.level = &queued_of_rows;
    computed.name = "rows_computed";
    computed.variable_class = MPIT_CLASS_LEVEL;
    computed.value = &open_of_rows;
    counter.type = level.type = computed.type = MPIT_TYPE_UNSIGNED_LONG_LONG;
    counter.description = level.description = computed.description = "Of a row";
    const mpit_control controls[] = {control, {}};
    const mpit_performance measures[] = {counter, level, computed, {}};
    mpit_group* const rows = mpit_open(nullptr, "rows", "In rows", nullptr);
    return is_added && group.publish().code == result::success && mpit_add_controls(rows, controls, nullptr) == 0 &&
           mpit_add_performance(rows, measures, nullptr) == 0 && mpit_publish(rows) == 0;
}

// callgrind counts what is between their begin and their end.
[[gnu::noinline]] void read_control(MPI_T_cvar_handle handle) {
    for (int i = 0, value; i < reads; i++) check(MPI_T_cvar_read(handle, &value));
}
[[gnu::noinline]] void read_performance(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    unsigned long long value;
    for (int i = 0; i < reads; i++) check(MPI_T_pvar_read(session, handle, &value));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3 || !describe()) return 2;
    ++declared.sent, ++declared.queued, ++sent_of_group, ++queued_of_group;
    initialize_tool();
    const std::string kind = arguments[1], variable = arguments[2], name = kind + "_" + variable;
    int elements = 0;
    if (variable == "control" || variable == "adopted") {
        MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
        const std::string capitals = (kind == "declared" ? "DECLARED_"
                                      : kind == "group"  ? "GROUP_"
                                                         : "ROWS_") +
                                     std::string{variable == "control" ? "CONTROL" : "ADOPTED"};
        check(MPI_T_cvar_handle_alloc(cvar_number(capitals.c_str()), nullptr, &handle, &elements));
        read_control(handle);
        return 0;
    }
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    check(MPI_T_pvar_session_create(&session));
    const int var_class = variable == "counter" ? MPI_T_PVAR_CLASS_COUNTER : MPI_T_PVAR_CLASS_LEVEL;
    check(MPI_T_pvar_handle_alloc(session, pvar_number(name.c_str(), var_class), nullptr, &handle, &elements));
    check(MPI_T_pvar_start(session, handle));
    read_performance(session, handle);
    return 0;
}
