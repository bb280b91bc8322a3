// SPDX-License-Identifier: BSD-3-Clause
// The version of the mpit headers, and the version of the layout of the process-wide registry. All copies of the
// headers with the same layout use the same registry.
//
//   static_assert(mpit::version::major == 0);
#pragma once

namespace mpit::inline v0_1::version {

// The three numbers of the version, such as 0.1.0.
inline constexpr int major = 0;
inline constexpr int minor = 1;
inline constexpr int patch = 0;

// Changes whenever the structure of the process-wide registry changes. Copies of the headers with different layouts
// have separate registries.
inline constexpr int layout = 4;

} // namespace mpit::version
