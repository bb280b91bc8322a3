// SPDX-License-Identifier: BSD-3-Clause
// What an author of variables includes: categories, control variables, performance variables, events, enumerations, and
// the line that registers them. Costs about 0.2 s a source file, and needs no mpi.h.
//
//   struct my_variables : mpit::category<"my_library", "What my library counts"> {
//       mpit::counter<> calls{this, "my_calls", "Calls made"};
//   };
//   inline constexpr auto& variables = mpit::registered<my_variables>;
//   ++variables.calls;
#pragma once

#include <mpit/variable/adopted_text.hpp>
#include <mpit/variable/object_lifetime.hpp>
#include <mpit/variable/category.hpp>
#include <mpit/variable/computed.hpp>
#include <mpit/variable/control.hpp>
#include <mpit/variable/control_array.hpp>
#include <mpit/variable/control_ref.hpp>
#include <mpit/variable/counter.hpp>
#include <mpit/event/event.hpp>
#include <mpit/variable/generic.hpp>
#include <mpit/variable/level.hpp>
#include <mpit/variable/state.hpp>
#include <mpit/variable/tally.hpp>
#include <mpit/variable/timer.hpp>
#include <mpit/variable/watermark.hpp>
#include <mpit/module/load.hpp>
#include <mpit/report_handler.hpp>
#include <mpit/module/resolve.hpp>
