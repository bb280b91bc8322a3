// [PCLASS-06][PCLASS-07] A watermark sees every change of its level, which a function cannot tell.
// EXPECT: a watermark cannot be computed, because it must record every change of its level
// EACH: high_watermark | low_watermark
#include <mpit/mpit.hpp>

struct refused_variables : mpit::category<"refused", "One mistake"> {
    mpit::computed<mpit::performance_class::EACH, unsigned> x{this, "x", "Longest queue", {.value = [] { return 1u; }}};
};
inline constexpr auto& refused = mpit::registered<refused_variables>;

int main() { return refused.name.length > 0; }
