// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of mpit/declare.h. One C++ file of a C library includes this header, and usually also
// <mpit/mpi_t.hpp>, which defines the MPI_T functions for tools. The headers cells.h, event.h and group.h in
// mpit/declare say which threads and signal handlers may call each function, and which errors the function returns.
//
//   #include <mpit/declare.hpp>
//   #include <mpit/mpi_t.hpp>
#pragma once

#include <mpit/begin.hpp>

#include <mpit/declare.h>         // IWYU pragma: export
#include <mpit/declare/group.hpp> // IWYU pragma: export
#include <mpit/module/before_tools.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL declare {

using core::text;

inline void report_unknown_name(const char* name) noexcept {
    registry::message report;
    report.append("mpit_given returns -1: the group has no control variable of the name \"");
    report.append_escaped(internal::text_of(name), 256);
    report.append("\"; add its row before the call");
    send(report);
}
template <class Table> [[gnu::cold]] void report_row(const Table& row, void* object, result status) noexcept {
    registry::message report;
    report.append_escaped(text{row.name}, 256);
    report.append(" cannot be added: ");
    if (status == result::out_of_memory) report.append("memory is exhausted");
    else if (status == result::invalid_name) append_name_defect(report, row);
    else append_defect(report, row, object);
    send(report);
}
[[gnu::cold]] inline void report_no_table() noexcept {
    registry::message report;
    report.append("no row is added: the table is NULL");
    send(report);
}
// Adds all rows of a table to a category. Returns the number of rows with an error, or -1 if the table is null.
template <class Table> int add_rows(const dynamic_category& category, const Table* table, void* object) noexcept {
    if (table == nullptr) return report_no_table(), -1;
    // Allocates the descriptors of all variables of the table at once. Events and sources need no allocation, because
    // their descriptors are in an mpit_event or an mpit_source.
    if constexpr (!__is_same(Table, mpit_event_type) && !__is_same(Table, mpit_source_type)) {
        std::size_t count = 0;
        while (table[count].name != nullptr) count++;
        category.expect(count);
    }
    int refused_count = 0;
    for (; table->name != nullptr; table++) {
        const result status = add_row(category, *table, object);
        if (status == result::success) continue;
        refused_count++;
        report_row(*table, object, status);
    }
    return refused_count;
}

} // namespace declare
} // namespace mpit

extern "C" [[gnu::used]] inline mpit_group* mpit_open(const mpit_group* parent, const char* name,
                                                      const char* description, const mpit_policy* policy) {
    return mpit_group::open(parent, name, description, policy);
}
extern "C" [[gnu::used]] inline int mpit_add_controls(mpit_group* group, const mpit_control* table, void* object) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->category(), table, object);
}
extern "C" [[gnu::used]] inline int mpit_add_performance(mpit_group* group, const mpit_performance* table,
                                                         void* object) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->category(), table, object);
}
extern "C" [[gnu::used]] inline int mpit_add_events(mpit_group* group, const mpit_event_type* table) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->category(), table, nullptr);
}
extern "C" [[gnu::used]] inline int mpit_add_sources(mpit_group* group, const mpit_source_type* table) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->category(), table, nullptr);
}
extern "C" [[gnu::used]] inline void mpit_raise_heard(mpit_event* event, const void* payload, std::uint64_t handle,
                                                      mpit_safety level) {
    mpit::internal::raise(mpit::declare::event_of(event), payload, handle, static_cast<mpit::safety>(level));
}
extern "C" [[gnu::used]] inline void mpit_defer_heard(mpit_event* event, const void* payload, std::uint64_t handle) {
    mpit::internal::defer(mpit::declare::event_of(event), payload, handle);
}
extern "C" [[gnu::used]] inline void mpit_deliver_heard(mpit_event* event, mpit_safety level) {
    mpit::internal::deliver_deferred(mpit::declare::event_of(event), static_cast<mpit::safety>(level));
}
extern "C" [[gnu::used]] inline int mpit_publish(mpit_group* group) {
    if (group == nullptr) return -1;
    const mpit::dynamic_result published = group->tree->publish();
    if (group->rejection_code == 0) group->rejection_code = published.rejection_code;
    return published.code == mpit::result::success || published.refused != 0 ? published.refused : -1;
}
extern "C" [[gnu::used]] inline int mpit_rejection_code(mpit_group* group) {
    if (group == nullptr) return 0;
    const int code_of_publish = group->rejection_code, later_code = group->tree->rejection_code();
    group->rejection_code = 0;
    return code_of_publish != 0 ? code_of_publish : later_code;
}
extern "C" [[gnu::used]] inline int mpit_given(mpit_group* group, const char* name, mpit_origin origin,
                                               const char* location) {
    if (group == nullptr || static_cast<unsigned>(origin) > MPIT_FROM_INFO) return -1;
    const mpit::result status = group->tree->given(name, static_cast<mpit::origin>(origin), location);
    if (status == mpit::result::invalid_name) mpit::declare::report_unknown_name(name);
    return status == mpit::result::success ? 0 : -1;
}
extern "C" [[gnu::used]] inline void mpit_resolve(mpit_group* group) {
    if (group != nullptr) group->tree->resolve();
}
extern "C" [[gnu::used]] inline void mpit_close(mpit_group* group) {
    if (group != nullptr) group->end();
}
extern "C" [[gnu::used]] inline int mpit_before_tools(int (*function)(void*), void* data) {
    return function != nullptr && mpit::before_tools(function, data) == mpit::result::success ? 0 : -1;
}
extern "C" [[gnu::used]] inline void mpit_add_elsewhere(mpit_counter* cell, std::uint64_t amount) {
    reinterpret_cast<mpit::counter_cell*>(cell)->operator+=(amount);
}
extern "C" [[gnu::used]] inline std::uint64_t mpit_total(const mpit_counter* cell) {
    return reinterpret_cast<const mpit::counter_cell*>(cell)->get();
}
extern "C" [[gnu::used]] inline void mpit_level_changed(mpit_level* level, std::uint64_t present) {
    reinterpret_cast<mpit::level_cell<unsigned long long>*>(level)->update_watermarks(present);
}
extern "C" [[gnu::used]] inline void mpit_add_real_elsewhere(mpit_real* cell, double amount) {
    reinterpret_cast<mpit::real_cell*>(cell)->operator+=(amount);
}
extern "C" [[gnu::used]] inline double mpit_real_total(const mpit_real* cell) {
    return reinterpret_cast<const mpit::real_cell*>(cell)->get();
}
extern "C" [[gnu::used]] inline void mpit_real_level_changed(mpit_real_level* level, double present) {
    reinterpret_cast<mpit::level_cell<double>*>(level)->update_watermarks(mpit::core::bits_of(present));
}
extern "C" [[gnu::used]] inline void mpit_record_elsewhere(mpit_histogram* histogram, std::uint64_t value) {
    reinterpret_cast<mpit::internal::histogram_base*>(histogram)->record_whole(value);
}
extern "C" [[gnu::used]] inline std::uint64_t mpit_start(void) { return mpit::core::nanoseconds(); }

#include <mpit/end.hpp>
