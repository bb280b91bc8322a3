/* What a library hears of a value from outside that cannot be used. */
#include "cvars.h"

#include <stdio.h>

int main(void) {
    const int refused = cvars_open(), code = cvars_rejected();
    printf("refused %d, rejected %d, then %d, limit %d\n", refused, code, cvars_rejected(), MPIR_CVAR_LAB_LIMIT);
    cvars_close();
    return 0;
}
