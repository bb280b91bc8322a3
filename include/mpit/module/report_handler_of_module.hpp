// SPDX-License-Identifier: BSD-3-Clause
// The handler of reports that this shared object has set; it is forgotten when the shared object is unloaded.
//
//   registry::set_handler_of_module(&log);
#pragma once

#include <mpit/module/unload.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The last one that this shared object has set; it is called no more once the shared object is unloaded.
MPIT_MODULE_LOCAL inline constinit atomic<report_handler> handler_of_module{nullptr};

[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE void set_handler_of_module(report_handler handler) noexcept {
    process_registry* const registry = the_registry();
    if (registry == nullptr) return;
    const auto forget = [](void* data) noexcept {
        static_cast<process_registry*>(data)->reports_to.replace(handler_of_module.load(), nullptr);
    };
    if (handler != nullptr && handler_of_module.exchange(handler) == nullptr) at_unloading(*registry, forget, registry);
    registry->reports_to.store(handler);
}

} // namespace registry
} // namespace mpit
