// SPDX-License-Identifier: BSD-3-Clause
// A report of the functions of C, which is sent at once. Any thread may send one; it is not async-signal-safe.
//
//   registry::message said;   said.append("%s cannot be added", name);   declare::send(said);
#pragma once

#include <mpit/dynamic.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL declare {

inline void send(const registry::message& said) noexcept {
    const registry::process_registry* const known = registry::known_registry.load();
    registry::report_list reports;
    reports.add(said);
    reports.send(known == nullptr ? nullptr : known->reports_to.load());
}

} // namespace declare
} // namespace mpit
