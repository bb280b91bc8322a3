// SPDX-License-Identifier: BSD-3-Clause
// The header for libraries that declare variables. The header declares categories, control variables, performance
// variables, events, enumerations, and mpit::registered, which registers the variables of a library. The header adds
// about 0.2 s to the compilation of a source file, and needs no mpi.h.
//
//   struct my_variables : mpit::category<"my_library", "What my library counts"> {
//       mpit::counter<> calls{this, "my_calls", "Calls of the library"};
//   };
//   inline constexpr auto& variables = mpit::registered<my_variables>;
//   ++variables.calls;
#pragma once

#include <mpit/begin.hpp>

#include <mpit/event/event.hpp>                  // IWYU pragma: export
#include <mpit/module/before_tools.hpp>          // IWYU pragma: export
#include <mpit/module/registered.hpp>            // IWYU pragma: export
#include <mpit/module/resolve.hpp>               // IWYU pragma: export
#include <mpit/report_handler.hpp>               // IWYU pragma: export
#include <mpit/variable/category.hpp>            // IWYU pragma: export
#include <mpit/variable/computed.hpp>            // IWYU pragma: export
#include <mpit/variable/control.hpp>             // IWYU pragma: export
#include <mpit/variable/control_array.hpp>       // IWYU pragma: export
#include <mpit/variable/control_ref.hpp>         // IWYU pragma: export
#include <mpit/variable/histogram.hpp>           // IWYU pragma: export
#include <mpit/variable/object_lifetime.hpp>     // IWYU pragma: export
#include <mpit/variable/performance_classes.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
