// The cells of a histogram are in one part of a shard.
// EXPECT: a histogram has at most 118 buckets: choose a smaller .scale, a larger .lowest or a smaller .highest
// EACH: histogram<unsigned, mpit::buckets{.scale = 3}> | latency<mpit::buckets{.scale = 4, .highest = 20}>
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::EACH x{this, "x", "Sizes, in bytes"};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
