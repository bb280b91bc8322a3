/* Functions in front of those that a program calls: they have a version that dlsym() does not find, and call the
 * function that the caller would have called without mpit-info.
 *
 *   IN_FRONT(name) void front_name(int argument);   … { NEXT("name") if (next != NULL) ((void (*)(int))next)(argument); } */
#ifndef MPIT_INFO_IN_FRONT_H
#define MPIT_INFO_IN_FRONT_H

#include "../preload.h"

#include <errno.h>

#define IN_FRONT(name)                                                                                                 \
    __asm__(".symver front_" #name ", " #name "@MPIT_INFO");                                                           \
    __attribute__((visibility("default")))

/* The function `next`; looked up once, unless its library was opened after the start. */
#define NEXT(name)                                                                                                     \
    static _Atomic(any_function) known;                                                                                \
    any_function next = known;                                                                                         \
    if (next == NULL) {                                                                                                \
        const int kept = errno;                                                                                        \
        known = next = function_for_all(name);                                                                         \
        if (next == NULL) next = next_function(name, __builtin_return_address(0));                                     \
        errno = kept;                                                                                                  \
    }

#endif
