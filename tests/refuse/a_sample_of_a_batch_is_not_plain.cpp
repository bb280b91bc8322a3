// EXPECT: a sample is a plain structure
#include <mpit/tool/batch.hpp>

struct sample {
    virtual ~sample() {}
    unsigned long calls;
};

int main() { mpit::tool::batch<sample> batch; }
