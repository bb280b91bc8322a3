// SPDX-License-Identifier: BSD-3-Clause
// The predecessors of the standard's tool interface, over the same registry: the draft of January 24th, 2011, and the
// taxonomy proposal of 2010. Include it in one .cpp of a library, with or without the shims; tools include
// mpit/compat.h. It shows the variables of the registry only, also if the shims add those of an MPI below.
//
//   #define MPIT_C_IS_MPI 1      // shows names that begin with MPI_ or MPIT_; the default with an mpi.h
//   #include <mpit/compat.hpp>
#pragma once

#include <mpit/begin.hpp>

#include <mpit/compat/category.hpp>    // IWYU pragma: export
#include <mpit/compat/control.hpp>     // IWYU pragma: export
#include <mpit/compat/datatype.hpp>    // IWYU pragma: export
#include <mpit/compat/performance.hpp> // IWYU pragma: export
#include <mpit/compat/resource.hpp>    // IWYU pragma: export
#include <mpit/compat/taxonomy.hpp>    // IWYU pragma: export

#include <mpit/end.hpp>
