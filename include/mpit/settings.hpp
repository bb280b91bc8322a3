// SPDX-License-Identifier: BSD-3-Clause
// Values of control variables from configuration files, the command line and info objects, for owners of a program or a
// library. A variable takes the setting of the strongest source that it accepts: a configuration file, the environment,
// the command line, an info object; a tool's write overrides all. Settings are kept for the life of the process, for
// libraries that are loaded later. A rejected setting is reported with its place, and stops nothing.
//
//   mpit::settings_answer read = mpit::read_configuration("mympi.conf");     // NAME = value
//   read = mpit::take_arguments(argc, argv);                                  // --mpit NAME=VALUE
#pragma once

#include <mpit/begin.hpp>

#include <mpit/report_handler.hpp>   // IWYU pragma: export
#include <mpit/settings/sources.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
