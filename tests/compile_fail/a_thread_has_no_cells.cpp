// Threads announce themselves to tools in cells of their own.
// EXPECT: MPIT_SHARD_CELLS must be at least 1
#define MPIT_SHARD_CELLS 0
#include <mpit/mpit.hpp>

int main() {}
