// The value in each object has a type that a datatype stands for.
// EXPECT: a control variable of MPI objects that is described at run time must be a number, bool or a described enumeration
// EACH: float | not_described | char[8]
#include <mpit/dynamic.hpp>

enum class not_described { value };

int main() {
    mpit::dynamic refused{"refused", "One mistake"};
    return refused.bound_control<EACH>("REFUSED", "A value", {}) == mpit::result::success;
}
