/* A library that a user has the loader ask, in LD_AUDIT: it sees each symbol that is bound, and counts nothing. */
#define _GNU_SOURCE
#include <link.h>

unsigned la_version(unsigned version) { return version < LAV_CURRENT ? version : LAV_CURRENT; }
unsigned la_objopen(struct link_map* object, Lmid_t space, uintptr_t* cookie) {
    (void)object, (void)space, (void)cookie;
    return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}
