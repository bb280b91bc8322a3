// SPDX-License-Identifier: BSD-3-Clause
// Settings by name, whether or not there are variables of these names. They belong to the process: they live in memory
// that no shared object owns and are never freed, so that libraries loaded later, or again, take them as well.
// config/settings.hpp has the operations on them.
//
//   registry.settings.count.load();
#pragma once

#include <mpit/concurrency/atomic.hpp>
#include <mpit/core/text.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

using core::atomic;
using core::text;

// One value under one name. Both texts and the place end in a null.
struct setting {
    text name, value;
    const char* place = "";   // its own, so that it tells this value from others
    std::uint32_t key = 0;    // of the name
    std::uint32_t number = 0; // in the order in which values were given, from 1
    mpit::origin source{};
    mutable atomic<bool> is_known;    // a control variable has asked for it
    mutable atomic<bool> is_reported; // that it was refused
    setting* next = nullptr;            // an older one of its chain, perhaps with another name
};

struct setting_store {
    static constexpr std::uint32_t chain_count = 256;
    atomic<setting*> chains[chain_count];
    atomic<std::uint32_t> count;
    atomic<std::uint32_t> order; // of the sources, the weakest one in the lowest byte; 0 for the declared one

    // How often all variables were resolved; how often the order was changed, and up to which of these
    // times all variables have their values: otherwise the environment is asked again.
    atomic<std::uint32_t> wanted, orders, resolved_orders;
};

// Something that was said of a name and is not said again.
struct reported_name {
    reported_name* next = nullptr;
    text name;
    char topic = 0; // tells apart what may concern one name
};

} // namespace registry
} // namespace mpit
