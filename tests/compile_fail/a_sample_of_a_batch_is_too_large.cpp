// A batch keeps the place of a field in 29 bits.
// EXPECT: a sample must be smaller than 512 MiB
#include <mpit/batch.hpp>

struct sample {
    unsigned long long calls;
    char text[1ul << 29];
};

bool is_added();
bool is_added() {
    mpit::tool::batch<sample> batch;
    return batch.add(&sample::calls, "calls", mpit::performance_class::counter) == mpit::result::success;
}
