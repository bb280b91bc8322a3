// SPDX-License-Identifier: BSD-3-Clause
// A public header includes this header last. Restores the warnings that <mpit/begin.hpp> has disabled. Unless the macro
// MPIT_SEPARATE_COMPILATION is 1 (config.hpp), this header includes the definitions of public functions.
//
//   #include <mpit/begin.hpp>   ...   #include <mpit/end.hpp>

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/implementation.hpp> // IWYU pragma: export
#endif

#pragma GCC diagnostic pop
