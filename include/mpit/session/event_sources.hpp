// SPDX-License-Identifier: BSD-3-Clause
// The sources of events as tools see them: the library's own clocks first, then declared ones (MPI-5.0, 15.3.8).
//
//   source_info facts;  if (find_source(registry, number, facts)) …   result r = source_time(registry, number, ticks);
#pragma once

#include <mpit/concurrency/read_guard.hpp>
#include <mpit/event/delivery.hpp>
#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
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
// The record of a source that a library declares, or null.
inline registry::source_record* declared_source(const registry::process_registry& registry, int number) noexcept {
    const int first = registry.own_source_count();
    return number < first
               ? nullptr
               : static_cast<registry::source_record*>(registry.at(descriptor::kind::source, number - first));
}

// The name, the description and the ordering; false if there is none.
inline bool find_source_names(const registry::process_registry& registry, int number, source_info& facts) noexcept {
    if (number < 0) return false;
    if (number < registry.own_source_count()) {
        const bool is_steady = number == registry::steady_source;
        facts.name = is_steady ? "steady_clock" : "cycle_counter";
        facts.description = is_steady ? "Nanoseconds of the system's monotonic clock"
                                      : "Cycles of the processor's time stamp counter, which runs at one rate";
        return true;
    }
    const registry::source_record* record = declared_source(registry, number);
    if (record == nullptr) return false;
    facts.name = record->name;
    facts.description = record->description;
    facts.ordering = record->ordering;
    return true;
}

// Everything. The first use of the cycle counter takes a hundredth of a second.
inline bool find_source(registry::process_registry& registry, int number, source_info& facts) noexcept {
    if (!find_source_names(registry, number, facts)) return false;
    if (number == registry::steady_source) {
        facts.ticks_per_second = 1'000'000'000;
    } else if (number < registry.own_source_count()) {
        facts.ticks_per_second = registry.cycles_per_second();
    } else {
        const registry::source_record& record = *declared_source(registry, number);
        facts.ticks_per_second = record.ticks_per_second;
        facts.max_ticks = record.channel.max_ticks;
    }
    return true;
}

// MPI_T_ERR_INVALID_INDEX if there is no source, MPI_T_ERR_NOT_SUPPORTED if it cannot be asked: it has no clock, or
// its library is not loaded.
inline result source_time(registry::process_registry& registry, int number, std::int64_t& ticks) noexcept {
    if (number == registry::steady_source) {
        ticks = static_cast<std::int64_t>(core::nanoseconds());
        return result::success;
    }
    if (number == registry::cycle_source && registry.own_source_count() > registry::cycle_source) {
        ticks = static_cast<std::int64_t>(core::cycles() & INT64_MAX);
        return result::success;
    }
    const registry::source_record* record = declared_source(registry, number);
    if (record == nullptr) return result::invalid_index;
    const core::read_guard guard;
    const descriptor::source* source = record->live.load();
    if (source == nullptr || source->clock == nullptr) return result::not_supported;
    ticks = internal::wrapped_ticks(source->clock(), record->channel.max_ticks);
    return result::success;
}

} // namespace session
} // namespace mpit
