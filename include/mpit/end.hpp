// SPDX-License-Identifier: BSD-3-Clause
// Ends a public header. Includes the definitions of the functions that its headers declare, unless one file of the
// shared object has them (MPIT_SEPARATE_COMPILATION in config.hpp). Restores the warnings of <mpit/begin.hpp>.
//
//   #include <mpit/begin.hpp>   ...   #include <mpit/end.hpp>

#if !MPIT_SEPARATE_COMPILATION
#include <mpit/implementation.hpp> // IWYU pragma: export
#endif

#pragma GCC diagnostic pop
