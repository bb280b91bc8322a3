// SPDX-License-Identifier: BSD-3-Clause
// The handler of reports: messages to people about declarations and settings.
//
//   mpit::set_report_handler([](const char* sentence) { my_log(sentence); });
#pragma once

#include <mpit/begin.hpp>

#include <mpit/registry/report.hpp>

namespace mpit::inline v0_1 {

// Sends the reports of the process to a function of yours, until its shared object is unloaded; null sends them to
// standard error again. Any thread may call it, outside of signal handlers: it may allocate. Without memory for a
// registry the handler is not set.
[[gnu::cold]] MPIT_MODULE_LOCAL void set_report_handler(report_handler handler) noexcept;

} // namespace mpit

#include <mpit/end.hpp>
