/* SPDX-License-Identifier: BSD-3-Clause */
/* As Open MPI has it; tests/porting/mca.c uses it. */
#include "../../../mca_registry.h"
