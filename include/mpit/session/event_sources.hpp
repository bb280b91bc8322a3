// SPDX-License-Identifier: BSD-3-Clause
// Finds event sources by index (MPI-5.0, 15.3.8). The first indices belong to mpit's own clocks. Higher indices belong
// to the event sources that libraries declare.
//
//   source_info info;  if (find_source(registry, index, info)) …   result r = source_time(registry, index, ticks);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/event/delivery.hpp>
#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL session {

struct source_info {
    core::text name;
    core::text description;
    mpit::ordering ordering = mpit::ordering::unordered;
    std::int64_t ticks_per_second = 0;
    std::int64_t max_ticks = INT64_MAX;
};

inline int source_count(const registry::process_registry& registry) noexcept {
    return registry.own_source_count() + registry.count(descriptor::kind::source);
}
// Returns the record of an event source that a library declares, or null if no such source has the index.
inline registry::source_record* declared_source(const registry::process_registry& registry, int index) noexcept {
    const int first = registry.own_source_count();
    return index < first ? nullptr
                         : static_cast<registry::source_record*>(registry.at(descriptor::kind::source, index - first));
}

// Stores the name, the description and the ordering of an event source in `info`. Returns false for an invalid index.
inline bool find_source_names(const registry::process_registry& registry, int index, source_info& info) noexcept {
    if (index < 0) return false;
    if (index < registry.own_source_count()) {
        const bool is_steady = index == registry::steady_source;
        info.name = is_steady ? "steady_clock" : "cycle_counter";
        info.description = is_steady ? "Nanoseconds of the system's monotonic clock"
                                     : "Cycles of the processor's time stamp counter, which runs at one rate";
        return true;
    }
    const registry::source_record* record = declared_source(registry, index);
    if (record == nullptr) return false;
    info.name = record->name;
    info.description = record->description;
    info.ordering = record->ordering;
    return true;
}

// Stores all attributes of an event source in `info`. The first call for the processor's cycle counter takes 10 ms to
// measure the counter's rate. Returns false for an invalid index.
inline bool find_source(registry::process_registry& registry, int index, source_info& info) noexcept {
    if (!find_source_names(registry, index, info)) return false;
    if (index == registry::steady_source) {
        info.ticks_per_second = 1'000'000'000;
    } else if (index < registry.own_source_count()) {
        info.ticks_per_second = registry.cycles_per_second();
    } else {
        const registry::source_record& record = *declared_source(registry, index);
        info.ticks_per_second = record.ticks_per_second;
        info.max_ticks = record.channel.max_ticks;
    }
    return true;
}

// Reads the clock of an event source. Returns MPI_T_ERR_INVALID_INDEX for an invalid index. Returns
// MPI_T_ERR_NOT_SUPPORTED if the source has no clock function or the source's library is not loaded.
inline result source_time(registry::process_registry& registry, int index, std::int64_t& ticks) noexcept {
    if (index == registry::steady_source) {
        ticks = static_cast<std::int64_t>(core::nanoseconds());
        return result::success;
    }
    if (index == registry::cycle_source && registry.own_source_count() > registry::cycle_source) {
        ticks = static_cast<std::int64_t>(core::cycles() & INT64_MAX);
        return result::success;
    }
    const registry::source_record* record = declared_source(registry, index);
    if (record == nullptr) return result::invalid_index;
    const core::read_guard guard;
    const descriptor::source* source = record->live.load();
    if (source == nullptr || source->clock == nullptr) return result::not_supported;
    ticks = internal::wrapped_ticks(source->clock(), record->channel.max_ticks);
    return result::success;
}

} // namespace session
} // namespace mpit
