// SPDX-License-Identifier: BSD-3-Clause
// Sends a report once for each name and process, whichever copy of the headers finds the reason.
//
//   if (is_first_report(registry, report_topic::former_name, "MYMPI_EAGER_LIMIT")) reports.add(…);
#pragma once

#include <mpit/registry/process_registry.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

namespace MPIT_MODULE_LOCAL detail {

inline bool is_among(const reported_name* entry, const reported_name* end, report_topic topic, text name) noexcept {
    for (; entry != end; entry = entry->next)
        if (entry->topic == topic && core::equal(entry->name, name)) return true;
    return false;
}

} // namespace detail

// Whether something was said of a name before.
inline bool was_reported(const process_registry& registry, report_topic topic, text name) noexcept {
    return detail::is_among(registry.reported_names.load(), nullptr, topic, name);
}
// Whether this is the first time that it is said. Without memory nothing is.
[[gnu::cold]] inline bool is_first_report(process_registry& registry, report_topic topic, text name) noexcept {
    reported_name* const previous = registry.reported_names.load();
    if (detail::is_among(previous, nullptr, topic, name)) return false;
    auto* made = registry.memory.make<reported_name>(name.length + 1);
    if (made == nullptr) return false;
    auto* kept = reinterpret_cast<char*>(made + 1);
    std::memcpy(kept, name.characters, name.length);
    made->name = {kept, name.length};
    made->topic = topic;
    for (made->next = previous; !registry.reported_names.compare_exchange(made->next, made);)
        if (detail::is_among(made->next, previous, topic, name)) return false;
    return true;
}

} // namespace registry
} // namespace mpit
