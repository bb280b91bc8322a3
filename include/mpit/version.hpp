// SPDX-License-Identifier: BSD-3-Clause
// The version of the mpit headers, and the version of the layout of the process-wide registry. Shared objects that are
// compiled with the same layout version use the same registry.
//
//   static_assert(mpit::version::major == 0);
#pragma once

namespace mpit::inline v0_1::version {

// The three numbers of the version, such as 0.1.0.
inline constexpr int major = 0;
inline constexpr int minor = 1;
inline constexpr int patch = 0;

// The layout version changes whenever the structure of the process-wide registry changes. Shared objects with different
// layout versions have separate registries.
inline constexpr int layout = 5;

} // namespace mpit::version
