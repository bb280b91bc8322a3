// A batch of sums of which some have cells in the shards, some have not, and some are on the border.
#define MPIT_SHARD_CELLS 8

#include "catch.hpp"

#include <mpit/event/in_flight.hpp>
#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>

#include <thread>

namespace {

struct few_variables : mpit::category<"few", "More sums than the shards have cells"> {
    mpit::counter<> inside{this, "inside", "In shards"};
    mpit::aggregate<double> amount_inside{this, "amount_inside", "In shards"};
    mpit::counter<unsigned long long[3]> three_inside{this, "three_inside", "In shards"};
    mpit::counter<unsigned long> next{this, "next", "In shards"};
    mpit::counter<unsigned long[3]> across{this, "across", "Two of its three cells would be in shards"};
    mpit::counter<unsigned> outside{this, "outside", "In no shard"};
    mpit::timer time_outside{this, "time_outside", "In no shard"};
    mpit::aggregate<double> amount_outside{this, "amount_outside", "In no shard"};
};
constexpr auto& few = mpit::registered<few_variables>;

struct sample {
    unsigned long long inside, three_inside[3];
    unsigned long across[3];
    unsigned long next;
    unsigned outside;
    double amount_inside, time_outside, amount_outside;
};
void change() {
    ++few.inside;
    few.amount_inside += 0.5;
    few.three_inside[1] += 3;
    ++few.next;
    few.across[0] += 1;
    few.across[1] += 2;
    few.across[2] += 3;
    ++few.outside;
    few.time_outside.add(500'000'000);
    few.amount_outside += 0.25;
}

} // namespace

TEST_CASE("Sums have their values whether or not the shards have cells for them") {
    using enum mpit::performance_class;
    mpit::tool::batch<sample> b;
    change();
    // clang-format off
    REQUIRE(b.add({{&sample::inside, "inside", counter}, {&sample::amount_inside, "amount_inside", aggregate},
                   {&sample::three_inside, "three_inside", counter}, {&sample::next, "next", counter},
                   {&sample::across, "across", counter}, {&sample::outside, "outside", counter},
                   {&sample::time_outside, "time_outside", timer},
                   {&sample::amount_outside, "amount_outside", aggregate}}) == mpit::result::success);
    // clang-format on
    REQUIRE(b.start() == mpit::result::success);
    for (int i = 0; i < 4; i++) std::thread{[] { change(); }}.join();
    // What lies behind the cells of counters is of others.
    mpit::internal::in_flight_count others[2];
    for (mpit::internal::in_flight_count& each : others) {
        each.assign_cell();
        each.enter();
    }
    sample now{};
    REQUIRE(b.read(now) == mpit::result::success);
    CHECK(now.inside == 4);
    CHECK(now.amount_inside == 2);
    CHECK(now.three_inside[1] == 12);
    CHECK(now.next == 4);
    CHECK(now.across[0] == 4);
    CHECK(now.across[1] == 8);
    CHECK(now.across[2] == 12);
    CHECK(now.outside == 4);
    CHECK(now.time_outside == 2);
    CHECK(now.amount_outside == 1);
}
