// SPDX-License-Identifier: BSD-3-Clause
// The handler of reports: messages to people about declarations and settings.
//
//   mpit::set_report_handler([](const char* sentence) { my_log(sentence); });
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/module/unload.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// The last one that this shared object has set; it is called no more once the shared object is unloaded.
MPIT_MODULE_LOCAL inline constinit atomic<report_handler> handler_of_module{nullptr};

} // namespace registry

// Sends the reports of the process to a function of yours; null sends them to standard error again. Any thread may call it,
// outside of signal handlers: it may allocate. Without memory for a registry the handler is not set.
MPIT_MODULE_LOCAL inline void set_report_handler(report_handler handler) noexcept {
    registry::process_registry* registry = registry::the_registry();
    if (registry == nullptr) return;
    const auto forget = [](void* data) noexcept {
        static_cast<registry::process_registry*>(data)->reports_to.replace(registry::handler_of_module.load(), nullptr);
    };
    if (handler != nullptr && registry::handler_of_module.exchange(handler) == nullptr)
        registry::at_unloading(*registry, forget, registry);
    registry->reports_to.store(handler);
}

} // namespace mpit

#pragma GCC diagnostic pop
