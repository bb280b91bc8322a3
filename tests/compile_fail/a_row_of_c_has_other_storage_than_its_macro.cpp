// A row of a C table in a file of C++: the compiler names the rows that there are, and the type of the storage.
// EXPECT: the row does not fit the storage: use MPIT_ROW_INT, MPIT_ROW_SWITCH or MPIT_ROW_CHOICE for an int, MPIT_ROW_NUMBER for another number
// EACH: MPIT_ROW_INT("x", &longer, "") | MPIT_ROW_TEXT("x", pointer, "") | MPIT_ROW_MEMBER(INT, "x", members, real, "")
// EACH: MPIT_ROW_MEMBER(INT, "x", members, text, "") | MPIT_ROW_NUMBER("x", &flag, "") | MPIT_ROW_INT("x", &fixed, "") | MPIT_ROW_NUMBER("x", &fixed, "")
#include <mpit/declare.h>

struct members {
    float real;
    char text[4];
};
long longer;
char* pointer;
bool flag;
const int fixed = 1;
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
extern const mpit_control rows[];
const mpit_control rows[] = {EACH, MPIT_ROW_END};
