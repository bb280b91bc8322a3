// SPDX-License-Identifier: BSD-3-Clause
// This shared object's way to the registry of the process.
//
//   process_registry* registry = mpit::registry::the_registry();   // null only without memory
#pragma once

#include <mpit/concurrency/atomic.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
class process_registry;

// Where this shared object was loaded from; empty for the program.
inline constinit const char* name_of_module = "";

// For sentences.
inline const char* words_for_module(const char* name = name_of_module) noexcept {
    return *name == '\0' ? "the program" : name;
}

// Whether an object serves tools that was there, loaded or about to be, when this one was loaded.
inline constinit bool are_shims_there = false;

// The registry that this shared object uses.
inline constinit atomic<process_registry*> known_registry{nullptr};

// Finds it among all loaded objects, or makes it. (discovery.hpp)
[[gnu::cold]] process_registry* find_the_registry() noexcept;

// The index of the process. Returns null if there is no memory for one, and under MPIT_ONLY_LOOKS if no other shared
// object has made one.
inline process_registry* the_registry() noexcept {
    process_registry* known = known_registry.load();
    return known != nullptr ? known : find_the_registry();
}

} // namespace registry
} // namespace mpit
