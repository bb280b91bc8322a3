/* [ABI-03] The header is C99 by itself, with the values of the binary interface. */
/* [VERB-01] [VERB-03] The nine verbosities have the values of the binary interface, each an audience or-ed with a depth. */
/* [ABI-04] The callback safety levels have the values of the binary interface in C. */
#include <mpit/mpi_t.h>

#include "values.h"

EVERY_NUMBER(EXPECT_NUMBER)

int wrong_addresses_as_c99(void) {
    int wrong = 0;
    EVERY_ADDRESS(COUNT_WRONG_ADDRESS)
    return wrong;
}
