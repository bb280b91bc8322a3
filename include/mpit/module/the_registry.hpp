// SPDX-License-Identifier: BSD-3-Clause
// Each shared object has a pointer to the registry, which is the process-wide list of variables, events and categories.
//
//   process_registry* registry = mpit::registry::the_registry();   // null only if memory is exhausted
#pragma once

#include <mpit/concurrency/atomic.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
class process_registry;

// The file name of this shared object, or an empty string for the program.
inline constinit const char* name_of_module = "";

// Returns the name by which reports call a shared object or the program.
inline const char* display_name(const char* name = name_of_module) noexcept {
    return *name == '\0' ? "the program" : name;
}

// True if a shared object with mpit's MPI_T functions was loaded, or being loaded, when this shared object was loaded.
// If has_shims is true, only the shared object with MPI_T functions reports on settings.
inline constinit bool has_shims = false;

// The registry that this shared object uses, or null until the registry is found.
inline constinit atomic<process_registry*> cached_registry{nullptr};

// Finds the registry among all loaded objects, or creates the registry. (discovery.hpp)
[[gnu::cold]] process_registry* find_the_registry() noexcept;

// Returns the registry of the process, or null if memory is exhausted. Under MPIT_ONLY_LOOKS the result is also null if
// no other shared object has created a registry. The acquire load pairs with the release store in find_the_registry().
inline process_registry* the_registry() noexcept {
    process_registry* registry = cached_registry.load();
    return registry != nullptr ? registry : find_the_registry();
}

} // namespace registry
} // namespace mpit
