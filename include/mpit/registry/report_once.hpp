// SPDX-License-Identifier: BSD-3-Clause
// Ensures that a process makes each report about a name only once, even if several copies of mpit find the same reason.
//
//   if (is_first_report(registry, report_topic::former_name, "MYMPI_EAGER_LIMIT")) reports.add(…);
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

namespace MPIT_MODULE_LOCAL detail {

inline bool is_among(const reported_name* entry, const reported_name* end, report_topic topic, text name) noexcept {
    for (; entry != end; entry = entry->next)
        if (entry->topic == topic && core::equal(entry->name, name)) return true;
    return false;
}

} // namespace detail

// Returns true if a report on the topic was already made for this name.
inline bool was_reported(const process_registry& registry, report_topic topic, text name) noexcept {
    return detail::is_among(registry.reported_names.load(), nullptr, topic, name);
}
// Records that a report about a name is made. Returns true for the first report on this topic and name. Returns false
// for every later report, and if memory is exhausted.
[[gnu::cold]] inline bool is_first_report(process_registry& registry, report_topic topic, text name) noexcept {
    reported_name* const previous = registry.reported_names.load();
    if (detail::is_among(previous, nullptr, topic, name)) return false;
    auto* entry = registry.memory.make<reported_name>(name.length + 1);
    if (entry == nullptr) return false;
    auto* characters = reinterpret_cast<char*>(entry + 1);
    std::memcpy(characters, name.characters, name.length);
    entry->name = {characters, name.length};
    entry->topic = topic;
    for (entry->next = previous; !registry.reported_names.compare_exchange(entry->next, entry);)
        if (detail::is_among(entry->next, previous, topic, name)) return false;
    return true;
}

} // namespace registry
} // namespace mpit
