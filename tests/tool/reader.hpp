// The reader over both interfaces: the index, and the standard's functions, which the roof of tests/tool.hpp defines.
#pragma once

#include "../tool.hpp"

#include <mpit/tool.hpp>
#include <mpit/tool/over_mpi.hpp>

#define FOR_EACH_INTERFACE(name) TEMPLATE_TEST_CASE(name, "", mpit::tool::over_registry, mpit::tool::over_mpi)
