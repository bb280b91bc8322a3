// Of a type that is known only at run time one of the possible ones is chosen.
// EXPECT: a control variable that is described at run time must be a number, bool, a described enumeration, char[] or int[]
// EACH: float | not_described | char[8]
#include <mpit/dynamic.hpp>

enum class not_described { value };

int main() {
    mpit::dynamic refused{"refused", "One mistake"};
    return refused.control<EACH>("REFUSED", "A value") == mpit::result::success;
}
