// SPDX-License-Identifier: BSD-3-Clause
// The version of the mpit headers, and the version of the layout of the process-wide registry. Shared objects that are
// compiled with the same layout version use the same registry.
//
//   static_assert(mpit::version::major == 1);
#pragma once

namespace mpit::inline v1_0::version {

// The three numbers of the version, such as 1.0.0.
inline constexpr int major = 1;
inline constexpr int minor = 0;
inline constexpr int patch = 0;

// The layout version changes only with a major version, when the structure of the process-wide registry changes. Shared
// objects with different layout versions have separate registries.
inline constexpr int layout = 5;

} // namespace mpit::version
