// SPDX-License-Identifier: BSD-3-Clause
// Values of control variables from configuration files, the command line and info objects, for the author of a program
// or a library. A variable takes the setting of the strongest origin that it accepts; the origins from the weakest on
// are a configuration file, the environment, the command line, an info object; a tool's write overrides all. Settings
// stay for the life of the process, for libraries that are loaded later. A rejected setting is reported with its place.
//
//   mpit::settings_answer counts = mpit::read_configuration("mympi.conf");   // NAME = value
//   counts = mpit::take_arguments(argc, argv);                               // --mpit NAME=VALUE
#pragma once

#include <mpit/begin.hpp>

#include <mpit/report_handler.hpp>   // IWYU pragma: export
#include <mpit/settings/sources.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
