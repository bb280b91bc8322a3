// SPDX-License-Identifier: BSD-3-Clause
// What a reader of variables includes: typed handles, listings and events, over the registry of the process, where no function
// of the standard is needed; batches, which read many variables at once; and the way from a variable to its categories.
// mpit/tool/over_mpi.hpp is the same over any MPI. Handles and listings cost a tool's file about a second, as the shims do;
// mpit/batch.hpp has batches alone.
//
//   mpit::tool::library<> interface;   auto limit = interface.control<int>("EAGER_LIMIT");   limit.write(4096);
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/batch.hpp> // IWYU pragma: export
#include <mpit/tool/parent_categories.hpp> // IWYU pragma: export
#include <mpit/tool/over_registry.hpp> // IWYU pragma: export

#pragma GCC diagnostic pop
