// SPDX-License-Identifier: BSD-3-Clause
// For those who own a program or a library: values of control variables from configuration files, the command line and info
// objects. A variable takes the value of the strongest source that has one which it can have: a configuration file, the
// environment, the command line, an info object; what a tool writes wins over all. Values are kept for the life of the
// process, for libraries that are loaded later. What is wrong is reported with its place, and stops nothing.
//
//   mpit::settings_answer read = mpit::read_configuration("mympi.conf");     // NAME = value
//   read = mpit::take_arguments(argc, argv);                                  // --mpit NAME=VALUE
#pragma once

#include <mpit/report_handler.hpp>
#include <mpit/settings/sources.hpp>
