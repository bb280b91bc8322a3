#include <cstdio>

void look(mpit::tool::category category) {
@block@
}
