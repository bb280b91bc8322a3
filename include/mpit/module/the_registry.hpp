// SPDX-License-Identifier: BSD-3-Clause
// This shared object's pointer to the registry of the process.
//
//   process_registry* registry = mpit::registry::the_registry();   // null only if memory is exhausted
#pragma once

#include <mpit/concurrency/atomic.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
class process_registry;

// The file of this shared object; empty for the program.
inline constinit const char* name_of_module = "";

// Returns the name of a shared object as reports show it.
inline const char* display_name(const char* name = name_of_module) noexcept {
    return *name == '\0' ? "the program" : name;
}

// True if a shared object with shims was loaded, or being loaded, when this one was: it makes the reports.
inline constinit bool has_shims = false;

// The registry that this shared object uses; null until it is found.
inline constinit atomic<process_registry*> cached_registry{nullptr};

// Finds the registry among all loaded objects, or creates it. (discovery.hpp)
[[gnu::cold]] process_registry* find_the_registry() noexcept;

// The registry of the process. Returns null if memory for it is exhausted, and under MPIT_ONLY_LOOKS if no other shared
// object has created one. The acquire load pairs with the release store in find_the_registry().
inline process_registry* the_registry() noexcept {
    process_registry* registry = cached_registry.load();
    return registry != nullptr ? registry : find_the_registry();
}

} // namespace registry
} // namespace mpit
