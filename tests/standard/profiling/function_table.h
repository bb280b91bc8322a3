/* The addresses of the 51 functions and of their 51 twins, as C sees them. */
#ifndef TESTS_STANDARD_FUNCTION_TABLE_H
#define TESTS_STANDARD_FUNCTION_TABLE_H

#include "../functions.h"

#ifdef __cplusplus
extern "C" {
#endif

struct function_addresses {
    const char* name;
    void (*plain)(void);
    void (*profiling)(void);
};
extern const struct function_addresses function_table[function_count];

#ifdef __cplusplus
}
#endif

#endif
