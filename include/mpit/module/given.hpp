// SPDX-License-Identifier: BSD-3-Clause
// For a library that reads its settings itself: it says who has given the value that is in the storage of an adopted variable.
//
//   if (!mpit::is_outranked(p2p.limit, mpit::origin::environment)) {
//       eager_limit = parsed;
//       mpit::given(p2p.limit, mpit::origin::environment, "OLD_EAGER_LIMIT");
#pragma once

#include <mpit/variable/adopted_text.hpp>
#include <mpit/config/adopted_values.hpp>
#include <mpit/config/settings.hpp>
#include <mpit/module/discovery.hpp>
#include <mpit/registry/report_once.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// A copy that is never freed, one for each text; null without memory.
[[gnu::cold]] inline const char* kept_place(process_registry& registry, text place) noexcept {
    static constexpr char of_places = 'p';
    static_cast<void>(is_first_report(registry, of_places, place));
    const reported_name* entry = registry.said.load();
    while (entry != nullptr && (entry->topic != of_places || !core::equal(entry->name, place))) entry = entry->next;
    return entry != nullptr ? entry->name.characters : nullptr;
}

// Whether the value is from a stronger source.
[[gnu::cold]] inline bool is_outranked(const process_registry* registry, descriptor::control& variable,
                                       mpit::origin source) noexcept {
    const descriptor::provenance held{variable.provenance_word.load()};
    return registry != nullptr && held.word() != 0 &&
           rank_of(registry->settings, source) < rank_of(registry->settings, held.origin());
}

[[gnu::cold]] inline result note_given(process_registry* registry, descriptor::control& variable, mpit::origin source,
                                       text place) noexcept {
    if (static_cast<int>(source) >= origin_count || source == origin::tool) return result::invalid;
    if (is_outranked(registry, variable, source)) return result::cannot_set_now;
    const char* kept = nullptr;
    if (place.length != 0 && source != origin::library) {
        kept = registry == nullptr ? nullptr : kept_place(*registry, place);
        if (kept == nullptr) return result::out_of_memory;
    }
    variable.resolution.replace(descriptor::control::not_resolved, descriptor::control::resolved_later);
    variable.provenance_word.store(source == origin::library ? 0 : descriptor::provenance{source, kept}.word());
    keep_fingerprint(variable);
    return result::success;
}

} // namespace registry

// Says that a source has given the value that is in the storage of an adopted variable now. The value does not change;
// its origin and its place do, and a weaker source no longer replaces it. `place` is copied: the name in the environment if it
// is not the variable's own, or a file with its line. MPI_T_ERR_CVAR_SET_NOT_NOW if a stronger source has given a value before:
// the origin stays, and mpit::resolve stores that value again. MPI_T_ERR_INVALID for origin::tool, MPI_T_ERR_MEMORY without
// memory for the place. For the thread that initializes the library, not for signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL result given(control_ref<T, Storage>& variable, origin source, const char* place = "") noexcept {
    return registry::note_given(registry::the_registry(), variable, source, place);
}
// Whether a stronger source than this one has given the value of an adopted variable, so that the library does not replace
// it. Any thread may call it; not for signal handlers.
template <class T, class Storage>
MPIT_MODULE_LOCAL bool is_outranked(control_ref<T, Storage>& variable, origin source) noexcept {
    return registry::is_outranked(registry::the_registry(), variable, source);
}

} // namespace mpit
