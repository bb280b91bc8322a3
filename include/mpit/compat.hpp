// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions of two predecessors of the MPI tool information interface, which are the draft of January 24th,
// 2011, and the taxonomy proposal of 2010. Include this header in one .cpp of a library, with or without the shims
// (mpit/mpi_t.hpp). Tools include mpit/compat.h. The functions return only variables of the registry, even if the shims
// also return the variables of an MPI.
//
//   #define MPIT_C_IS_MPI 1      // shows names that begin with MPI_ or MPIT_, as by default with an mpi.h
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
