// SPDX-License-Identifier: BSD-3-Clause
// Sets control variables from configuration files, the command line and info objects, for authors of programs and
// libraries. Among the settings that a variable accepts, the setting of the strongest origin takes effect. From weak to
// strong, the origins are a configuration file, the environment, the command line, an info object and a write by a
// tool. A setting stays for the life of the process, and applies to libraries that are loaded later. The report about a
// rejected setting names the location of the setting.
//
//   mpit::settings_result counts = mpit::read_configuration("mympi.conf");   // NAME = value
//   counts = mpit::take_arguments(argc, argv);                               // --mpit NAME=VALUE
#pragma once

#include <mpit/begin.hpp>

#include <mpit/report_handler.hpp>   // IWYU pragma: export
#include <mpit/settings/sources.hpp> // IWYU pragma: export

#include <mpit/end.hpp>
