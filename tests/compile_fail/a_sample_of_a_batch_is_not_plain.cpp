// EXPECT: a sample is a plain structure
#include <mpit/batch.hpp>

struct sample {
    virtual ~sample() {}
    unsigned long calls;
};

int main() { mpit::tool::batch<sample> batch; }
