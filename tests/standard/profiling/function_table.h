/* The addresses of the 51 functions, of their 51 twins, and of the definitions of the library whoever else has
 * defined them, as C sees them. */
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
    void (*of_library)(void);
};
extern const struct function_addresses function_table[function_count];

#ifdef __cplusplus
}
#endif

#endif
