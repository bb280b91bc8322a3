// SPDX-License-Identifier: BSD-3-Clause
// Sets the function that receives the reports of the process. A report is a message to the user of the program about a
// declaration or a setting.
//
//   mpit::set_report_handler([](const char* report) { my_log(report); });
#pragma once

#include <mpit/begin.hpp>

#include <mpit/registry/report.hpp>

namespace mpit::inline v1_0 {

// Sends the reports of the process to `handler`, until the calling shared object is unloaded. If `handler` is null,
// reports are written to standard error again. Any thread may call this function outside of signal handlers, because
// the function may allocate memory. The function does nothing if memory is exhausted.
[[gnu::cold]] MPIT_MODULE_LOCAL void set_report_handler(report_handler handler) noexcept;

} // namespace mpit

#include <mpit/end.hpp>
