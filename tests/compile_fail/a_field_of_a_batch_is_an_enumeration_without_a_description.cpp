// EXPECT: a field of an enumeration type needs a specialisation of mpit::enumeration_of, or must be declared as int
#include <mpit/batch.hpp>

enum class lamp { off, on };
struct sample {
    lamp field;
};

int main() {
    mpit::tool::batch<sample> batch;
    return batch.add(&sample::field, "lamp", mpit::performance_class::state) == mpit::result::success;
}
