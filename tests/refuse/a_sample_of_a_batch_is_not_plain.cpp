// EXPECT: a sample is a plain structure
#include <mpit/tool.hpp>

struct sample {
    virtual ~sample() {}
    unsigned long calls;
};

int main() { mpit::tool::batch<sample> batch; }
