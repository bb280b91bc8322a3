// EXPECT: a field must be a number, an enumeration, char[N] for a text, or an array of numbers
// EACH: float | short | bool | const char* | unsigned char[4] | float[2]
#include <mpit/batch.hpp>

template <class T> struct of { using type = T; };
struct sample {
    of<EACH>::type field;
};

int main() {
    mpit::tool::batch<sample> batch;
    return batch.add(&sample::field, "calls", mpit::performance_class::counter) == mpit::result::success;
}
