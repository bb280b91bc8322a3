// What a function answers, or somebody else keeps, changes unseen.
// EXPECT: a watermark cannot be computed, because it must record every change of its level
// EACH: high_watermark | low_watermark
#include <mpit/dynamic.hpp>

static unsigned long level = 0;

int main() {
    mpit::dynamic refused{"refused", "One mistake"};
    return refused.computed<mpit::performance_class::EACH, unsigned long>("refused", "A level", {.storage = &level}) ==
           mpit::result::success;
}
