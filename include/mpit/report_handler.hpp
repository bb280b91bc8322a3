// SPDX-License-Identifier: BSD-3-Clause
// The handler of reports, which are messages to users about declarations and settings.
//
//   mpit::set_report_handler([](const char* report) { my_log(report); });
#pragma once

#include <mpit/begin.hpp>

#include <mpit/registry/report.hpp>

namespace mpit::inline v0_1 {

// Sends the reports of the process to a function, until its shared object is unloaded; null sends them to standard
// error again. For any thread, not for signal handlers: it may allocate, and does nothing if memory is exhausted.
[[gnu::cold]] MPIT_MODULE_LOCAL void set_report_handler(report_handler handler) noexcept;

} // namespace mpit

#include <mpit/end.hpp>
