// The registry of the process, which an agent calls the index, where it may come later: a library that embeds mpit is opened, or
// publishes its first variables, while the program runs. Asking often costs little, and opens no file.
//
//   if (open_index()) …   // from here on the variables of the index can be read
#pragma once

#include "fork_gate.hpp"

#include <mpit/module/registrar.hpp>
#include <mpit/tool/library.hpp>

namespace mpit_info {

template <class Interface> constexpr bool is_of_index = std::is_same_v<Interface, mpit::tool::over_registry>;

// Whether a shared object uses an index. the_registry() reads the list of the process's mappings where a library was closed.
inline bool is_index_there() noexcept {
    mpit::registry::detail::discovery_search search;
    dl_iterate_phdr(
        [](dl_phdr_info* object, std::size_t size, void* argument) noexcept {
            mpit::registry::detail::visit_object(object, size, argument);
            return static_cast<int>(static_cast<mpit::registry::detail::discovery_search*>(argument)->known != nullptr);
        },
        &search);
    return search.known != nullptr;
}

// Finds the index and prepares it for forks. Call this outside of the gate. Returns false if there is no index yet.
inline bool open_index() noexcept {
    mpit::registry::process_registry* index = nullptr;
    {
        const inside_gate reading;
        if (mpit::registry::known_registry.load() != nullptr || is_index_there())
            index = mpit::registry::the_registry();
    }
    return index != nullptr && mpit::registry::become_registrar(*index);
}

} // namespace mpit_info
