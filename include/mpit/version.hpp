// SPDX-License-Identifier: BSD-3-Clause
// The version of these headers, and of the layout that copies of them in different shared objects share.
//
//   static_assert(mpit::version::major == 0);
#pragma once

namespace mpit::inline v0_1::version {

// The numbers of the version, as in 0.1.0.
inline constexpr int major = 0;
inline constexpr int minor = 1;
inline constexpr int patch = 0;

// Changes with each structure of the process-wide registry. A copy of another layout has a registry of its own.
inline constexpr int layout = 4;

} // namespace mpit::version
