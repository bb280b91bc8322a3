// SPDX-License-Identifier: BSD-3-Clause
// The handler of reports: messages to people about declarations and settings.
//
//   mpit::set_report_handler([](const char* sentence) { my_log(sentence); });
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/registry/report.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL registry {

// Until this shared object is unloaded. (module/report_handler_of_module.hpp)
[[gnu::cold]] MPIT_MODULE_LOCAL MPIT_ONCE void set_handler_of_module(report_handler handler) noexcept;

} // namespace registry

// Sends the reports of the process to a function of yours; null sends them to standard error again. Any thread may call it,
// outside of signal handlers: it may allocate. Without memory for a registry the handler is not set.
MPIT_MODULE_LOCAL inline void set_report_handler(report_handler handler) noexcept { registry::set_handler_of_module(handler); }

} // namespace mpit

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/module/report_handler_of_module.hpp>
#endif

#pragma GCC diagnostic pop
