// Two tallies and a batch of both, for tests that look at sums and counts while they change.
//     change_both();   tally_batch b;   tally_sample now{};   if (b.read(now) == mpit::result::success) belong_together(now);
#pragma once

#include "catch.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

struct tally_variables : mpit::category<"tallies", "Sums with their counts"> {
    mpit::tally<> sent{this, {"messages", "Messages"}, {"bytes", "Their bytes"}};
    mpit::tally<double> used{this, {"uses", "Uses"}, {"used", "Amounts"}};
    mpit::tally<> dropped{this, {"drops", "Losses"}, {"dropped", "Bytes lost"}, {.continuous = true}};
};
inline constexpr auto& tallies = mpit::registered<tally_variables>;

inline void change_both() {
    tallies.sent += 3;
    tallies.used += 0.5;
}

struct tally_sample {
    unsigned long messages, bytes, uses;
    double used;
};
inline bool belong_together(const tally_sample& now) {
    return now.bytes == 3 * now.messages && now.used == 0.5 * static_cast<double>(now.uses);
}

// Started, with all four variables.
class tally_batch : public mpit::tool::batch<tally_sample> {
public:
    tally_batch() {
        using enum mpit::performance_class;
        REQUIRE(add({{&tally_sample::messages, counter, "messages"},
                     {&tally_sample::bytes, aggregate, "bytes"},
                     {&tally_sample::uses, counter, "uses"},
                     {&tally_sample::used, aggregate, "used"}}) == mpit::result::success);
        REQUIRE(start() == mpit::result::success);
    }
};
