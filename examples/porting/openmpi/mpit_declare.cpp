/* SPDX-License-Identifier: BSD-3-Clause */
// The functions of mpit/declare.h, in libopen-pal. mca_variables.c, mca_events.c and the libraries above call them.
#include <mpit/declare.hpp>
