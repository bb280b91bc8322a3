// SPDX-License-Identifier: BSD-3-Clause
// Raising an event that a tool has subscribed to, as its author does. No code behind it runs while no tool has.
//
//   internal::raise(event, &payload, {}, safety::none);
#pragma once

#include <mpit/event/channel.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// An event has happened. It is delivered now, at the level that the context demands. Throws what a callback throws.
// (raise_to_tools.hpp)
MPIT_MODULE_LOCAL MPIT_ONCE void raise(descriptor::event& e, const void* payload, object_key key, safety level);
// An event has happened in which no callback may run. It is delivered before the next event of its kind, or by deliver_kept.
MPIT_MODULE_LOCAL MPIT_ONCE void keep(descriptor::event& e, const void* payload, object_key key) noexcept;
// Delivers what was kept.
MPIT_MODULE_LOCAL MPIT_ONCE void deliver_kept(descriptor::event& e, safety level);

} // namespace internal
} // namespace mpit

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/event/raise_to_tools.hpp>
#endif
