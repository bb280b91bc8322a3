// EXPECT: a sample must be a trivially copyable structure of standard layout
#include <mpit/batch.hpp>

struct sample {
    virtual ~sample() {}
    unsigned long calls;
};

int main() { mpit::tool::batch<sample> batch; }
