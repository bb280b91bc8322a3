// SPDX-License-Identifier: BSD-3-Clause
// The functions that each file with variables or events contains otherwise, for one source file of a shared object or a program whose files
// are all compiled with -DMPIT_SEPARATE_COMPILATION=1. Without that macro this header adds nothing.
//
//   #include <mpit/module/implementation.hpp>   // in a file of its own, or in that with <mpit/mpi_t.hpp>
#pragma once

// A global of the program may have the name of a parameter in these headers.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

#include <mpit/concurrency/present_buffer.hpp>
#include <mpit/concurrency/shard_walks.hpp>
#include <mpit/core/read_number.hpp>
#include <mpit/event/raise_to_tools.hpp>
#include <mpit/module/adopted_variables.hpp>
#include <mpit/module/discovery.hpp>
#include <mpit/module/load.hpp>
#include <mpit/module/report_handler_of_module.hpp>
#include <mpit/module/tool_hook.hpp>

#pragma GCC diagnostic pop
