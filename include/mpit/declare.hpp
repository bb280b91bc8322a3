// SPDX-License-Identifier: BSD-3-Clause
// The functions of mpit/declare.h. One C++ file of a library in C includes it, and that with the functions for tools.
// Threads, signal handlers and errors are as mpit/declare/group.h and performance.h say.
//
//   #include <mpit/declare.hpp>
//   #include <mpit/mpi_t.hpp>
#pragma once

#include <mpit/begin.hpp>

#include <mpit/declare.h>
#include <mpit/declare/group.hpp>
#include <mpit/module/before_tools.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

using core::text;

inline void report_unknown(const char* name) noexcept {
    registry::message said;
    said.append("mpit_given returns -1: no control variable of the group is called \"");
    said.append_escaped(internal::text_of(name), 256);
    said.append("\"; its row is added first");
    send(said);
}
template <class Table> [[gnu::cold]] void report_row(const Table& row, void* object, result why) noexcept {
    registry::message said;
    said.append_escaped(text{row.name}, 256);
    said.append(" cannot be added: ");
    if (why == result::out_of_memory) said.append("no memory for it");
    else if (why == result::invalid_name) append_name_defect(said, row);
    else append_defect(said, row, object);
    send(said);
}
[[gnu::cold]] inline void report_no_table() noexcept {
    registry::message said;
    said.append("a table is NULL, and no row is added");
    send(said);
}
// Adds all rows. Returns how many could not be, or -1 without a table.
template <class Table> int add_rows(const dynamic_category& category, const Table* table, void* object) noexcept {
    if (table == nullptr) return report_no_table(), -1;
    if constexpr (!__is_same(Table, mpit_event_type) &&
                  !__is_same(Table, mpit_source_type)) { // these are in places of the library
        std::size_t count = 0;
        while (table[count].name != nullptr) count++;
        category.expect(count);
    }
    int refused = 0;
    for (; table->name != nullptr; table++) {
        const result added = add_row(category, *table, object);
        if (added == result::success) continue;
        refused++;
        report_row(*table, object, added);
    }
    return refused;
}

} // namespace declare
} // namespace mpit

extern "C" [[gnu::used]] inline mpit_group* mpit_open(const mpit_group* parent, const char* name,
                                                      const char* description, const mpit_policy* policy) {
    return mpit_group::open(parent, name, description, policy);
}
extern "C" [[gnu::used]] inline int mpit_add_controls(mpit_group* group, const mpit_control* table, void* object) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->at(), table, object);
}
extern "C" [[gnu::used]] inline int mpit_add_performance(mpit_group* group, const mpit_performance* table,
                                                         void* object) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->at(), table, object);
}
extern "C" [[gnu::used]] inline int mpit_add_events(mpit_group* group, const mpit_event_type* table) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->at(), table, nullptr);
}
extern "C" [[gnu::used]] inline int mpit_add_sources(mpit_group* group, const mpit_source_type* table) {
    return group == nullptr ? -1 : mpit::declare::add_rows(group->at(), table, nullptr);
}
extern "C" [[gnu::used]] inline void mpit_raise_heard(mpit_event* event, const void* payload, std::uint64_t handle,
                                                      mpit_safety level) {
    mpit::internal::raise(mpit::declare::described(event), payload, handle, static_cast<mpit::safety>(level));
}
extern "C" [[gnu::used]] inline void mpit_defer_heard(mpit_event* event, const void* payload, std::uint64_t handle) {
    mpit::internal::keep(mpit::declare::described(event), payload, handle);
}
extern "C" [[gnu::used]] inline void mpit_deliver_heard(mpit_event* event, mpit_safety level) {
    mpit::internal::deliver_kept(mpit::declare::described(event), static_cast<mpit::safety>(level));
}
extern "C" [[gnu::used]] inline int mpit_publish(mpit_group* group) {
    if (group == nullptr) return -1;
    const mpit::dynamic_answer answer = group->tree->publish();
    if (group->rejected == 0) group->rejected = answer.rejected;
    return answer.code == mpit::result::success || answer.refused != 0 ? answer.refused : -1;
}
extern "C" [[gnu::used]] inline int mpit_rejected(mpit_group* group) {
    if (group == nullptr) return 0;
    const int published = group->rejected, later = group->tree->rejected();
    group->rejected = 0;
    return published != 0 ? published : later;
}
extern "C" [[gnu::used]] inline int mpit_given(mpit_group* group, const char* name, mpit_origin origin,
                                               const char* place) {
    if (group == nullptr || static_cast<unsigned>(origin) > MPIT_FROM_INFO) return -1;
    const mpit::result noted = group->tree->given(name, static_cast<mpit::origin>(origin), place);
    if (noted == mpit::result::invalid_name) mpit::declare::report_unknown(name);
    return noted == mpit::result::success ? 0 : -1;
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
    reinterpret_cast<mpit::level_cell<unsigned long long>*>(level)->tell(present);
}
extern "C" [[gnu::used]] inline void mpit_add_real_elsewhere(mpit_real* cell, double amount) {
    reinterpret_cast<mpit::real_cell*>(cell)->operator+=(amount);
}
extern "C" [[gnu::used]] inline double mpit_real_total(const mpit_real* cell) {
    return reinterpret_cast<const mpit::real_cell*>(cell)->get();
}
extern "C" [[gnu::used]] inline void mpit_real_level_changed(mpit_real_level* level, double present) {
    reinterpret_cast<mpit::level_cell<double>*>(level)->tell(mpit::core::bits_of(present));
}
extern "C" [[gnu::used]] inline std::uint64_t mpit_start(void) { return mpit::core::nanoseconds(); }

#include <mpit/end.hpp>
