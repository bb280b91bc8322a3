// SPDX-License-Identifier: BSD-3-Clause
// What an author of variables includes: categories, control variables, performance variables, events, enumerations, and the one
// line that enrols them. It costs about 0.2 s a file, and knows no mpi.h.
//
//   struct my_variables : mpit::category<"my_library", "What my library counts"> {
//       mpit::counter<> calls{this, "my_calls", "Calls made"};
//   };
//   inline constexpr auto& variables = mpit::enrolled<my_variables>;
//   ++variables.calls;
#pragma once

#include <mpit/declare/adopted_text.hpp>
#include <mpit/declare/announce.hpp>
#include <mpit/declare/category.hpp>
#include <mpit/declare/computed.hpp>
#include <mpit/declare/control.hpp>
#include <mpit/declare/control_array.hpp>
#include <mpit/declare/control_ref.hpp>
#include <mpit/declare/counter.hpp>
#include <mpit/declare/event.hpp>
#include <mpit/declare/generic.hpp>
#include <mpit/declare/level.hpp>
#include <mpit/declare/state.hpp>
#include <mpit/declare/tally.hpp>
#include <mpit/declare/timer.hpp>
#include <mpit/declare/watermark.hpp>
#include <mpit/index/arriving.hpp>
#include <mpit/index/report_handler.hpp>
#include <mpit/index/resolving.hpp>
