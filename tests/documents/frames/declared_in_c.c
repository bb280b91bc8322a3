#include <mpit/declare.h>

@block@
