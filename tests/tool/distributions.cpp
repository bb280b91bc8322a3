// Distributions and labels, read over both interfaces, and their quantiles, differences and merges.
#include "../watched_allocator.hpp"
#include "reader.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool/distribution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using mpit::performance_class;
using mpit::result;
using mpit::scope;
using mpit::tool::distribution;
using mpit::tool::distribution_reader;
using mpit::tool::estimate;

constexpr double infinity = std::numeric_limits<double>::infinity();

using bounds_of_four = mpit::control<double[4]>;

struct distributions : mpit::category<"distributions", "Distributions and what looks like them"> {
    mpit::histogram<unsigned long long, mpit::buckets{.highest = 2}> sizes{this, "sizes",
                                                                           "Sizes of messages, in bytes"};
    mpit::histogram<unsigned, mpit::buckets{.highest = 2}, communicator> bound{
        this, "bound_sizes", "Sizes of messages of a communicator, in bytes"};
    mpit::latency<mpit::buckets{.lowest = 9, .highest = 30}> times{this, "times", "Times of messages, in seconds"};

    mpit::counter<unsigned[4]> adopted{this, "adopted", "Messages of each size"};
    bounds_of_four adopted_bounds{this,
                                  "adopted_bounds",
                                  "Largest size",
                                  {.initial = {1, 2, 4, infinity}, .maximum = infinity, .scope = scope::constant}};
    mpit::timer adopted_sum{this, "adopted_sum", "Sum, in seconds"};

    mpit::counter<unsigned[4]> unbounded{this, "unbounded", "No bounds", {.labels = "tiny,small,,large"}};
    mpit::control<int[2]> peers{this, "peers", "Peers", {.labels = [](std::uint32_t peer, char* label, std::size_t) {
        label[0] = static_cast<char>('a' + peer);
        label[1] = '\0';
    }}};
    mpit::counter<unsigned[4]> longer{this, "longer", "Another number of bounds"};
    mpit::control<double[3]> longer_bounds{
        this, "longer_bounds", "Bounds", {.initial = {1, 2, infinity}, .maximum = infinity, .scope = scope::constant}};
    mpit::counter<unsigned[4]> changing{this, "changing", "Bounds that change"};
    bounds_of_four changing_bounds{
        this, "changing_bounds", "Bounds", {.initial = {1, 2, 4, infinity}, .maximum = infinity}};
    mpit::counter<unsigned[4]> finite{this, "finite", "Bounds that end"};
    bounds_of_four finite_bounds{this, "finite_bounds", "Bounds", {.initial = {1, 2, 4, 8}, .scope = scope::constant}};
    mpit::counter<unsigned[4]> unsorted{this, "unsorted", "Bounds in disorder"};
    bounds_of_four unsorted_bounds{this,
                                   "unsorted_bounds",
                                   "Bounds",
                                   {.initial = {1, 4, 4, infinity}, .maximum = infinity, .scope = scope::constant}};
    mpit::counter<unsigned[4]> elsewhere{this, "elsewhere", "Bounds in another category"};

    mpit::control<char[32]> writable_labels{this, "adopted_labels", "No labels", {.initial = "a,b,c,d"}};
    struct : mpit::category<"other_distributions", "Another category"> {
        bounds_of_four elsewhere_bounds{
            this,
            "elsewhere_bounds",
            "Bounds",
            {.initial = {1, 2, 4, infinity}, .maximum = infinity, .scope = scope::constant}};
    } other{this};
};
constexpr auto& declared = mpit::registered<distributions>;

distribution of(std::vector<std::uint64_t> counts, std::vector<double> bounds = {1, 2, 4, infinity}) {
    return {.bounds = std::move(bounds), .counts = std::move(counts)};
}
bool equal(const estimate& a, const estimate& b) {
    return a.value == b.value && a.lower == b.lower && a.upper == b.upper;
}

} // namespace

FOR_EACH_INTERFACE("A distribution is read with its sum and its extremes, since the start of its reader") {
    const mpit::tool::library<TestType> interface;
    declared.sizes.record(3);
    distribution_reader reader{interface, "sizes"};
    REQUIRE(reader.status() == result::success);
    CHECK(reader.info().description == "Sizes of messages, in bytes");
    CHECK(reader.start() == result::success);
    for (const unsigned long long size : {0u, 1u, 2u, 3u, 3u, 500u}) declared.sizes.record(size);
    distribution now;
    CHECK(reader.read(now) == result::success);
    CHECK(now.bounds == std::vector<double>{1, 2, 4, infinity});
    CHECK(now.counts == std::vector<std::uint64_t>{2, 1, 2, 1});
    CHECK(now.count() == 6);
    CHECK(now.mean() == 509.0 / 6);
    CHECK(now.minimum == 0);
    CHECK(now.maximum == 500);
    CHECK(reader.stop() == result::success);
    declared.sizes.record(4);
    CHECK(reader.read(now) == result::success);
    CHECK(now.count() == 6);
    CHECK(reader.reset() == result::success);
    CHECK(reader.read(now) == result::success);
    CHECK(now.count() == 0);
    CHECK(now.sum == 0);
}

FOR_EACH_INTERFACE("A read allocates no memory once the distribution has buckets") {
    const mpit::tool::library<TestType> interface;
    distribution_reader reader{interface, "sizes"};
    REQUIRE(reader.start() == result::success);
    distribution now, before;
    REQUIRE(reader.read(before) == result::success);
    REQUIRE(reader.read(now) == result::success);
    declared.sizes.record(4);
    forbidden_calls = 0;
    is_in_handler = 1; // from here on all allocations are counted
    const result status = reader.read(now);
    now -= before;
    const double median = now.quantile(0.5).value;
    is_in_handler = 0;
    CHECK(forbidden_calls == 0);
    CHECK(status == result::success);
    CHECK(median == 4);
}

FOR_EACH_INTERFACE("Times are read in seconds") {
    const mpit::tool::library<TestType> interface;
    distribution_reader reader{interface, "times"};
    REQUIRE(reader.start() == result::success);
    declared.times.record(500'000'000);
    distribution now;
    CHECK(reader.read(now) == result::success);
    CHECK(now.sum == 0.5);
    CHECK(equal(now.quantile(0.5), {0.5, 0.5, 0.5}));
    CHECK(now.bounds.front() == 512e-9);
}

FOR_EACH_INTERFACE("The sum and the extremes of a distribution may be missing, and counts have any unsigned type") {
    const mpit::tool::library<TestType> interface;
    distribution_reader reader{interface, "adopted"};
    REQUIRE(reader.start() == result::success);
    declared.adopted[1] += 7;
    declared.adopted[3] += 1;
    declared.adopted_sum.add(1'500'000'000);
    distribution now;
    CHECK(reader.read(now) == result::success);
    CHECK(now.counts == std::vector<std::uint64_t>{0, 7, 0, 1});
    CHECK(now.sum == 1.5);
    CHECK(now.minimum == -infinity);
    CHECK(now.maximum == infinity);
}

FOR_EACH_INTERFACE("Distributions of MPI objects are merged") {
    const mpit::tool::library<TestType> interface;
    const auto first = handle_number<communicator>(0x1001), second = handle_number<communicator>(0x1003);
    mpit::created(declared, first);
    mpit::created(declared, second);
    distribution_reader one{interface, "bound_sizes", first}, other{interface, "bound_sizes", second};
    REQUIRE(one.start() == result::success);
    REQUIRE(other.start() == result::success);
    for (const unsigned size : {1u, 9u}) declared.bound[first].record(size);
    for (const unsigned size : {2u, 2u, 2u, 10u}) declared.bound[second].record(size);
    distribution of_first, of_second;
    CHECK(one.read(of_first) == result::success);
    CHECK(other.read(of_second) == result::success);
    const distribution both = of_first + of_second;
    CHECK(both.counts == std::vector<std::uint64_t>{1, 3, 0, 2});
    CHECK(both.sum == 26);
    CHECK(both.minimum == 1);
    CHECK(both.maximum == 10);
    CHECK(distribution_reader{interface, "bound_sizes"}.status() == result::invalid_handle);
    mpit::freed(declared, first);
    mpit::freed(declared, second);
    CHECK(one.read(of_first) == result::invalid_handle);
    CHECK((of_second + of_first).status == result::invalid);
}

FOR_EACH_INTERFACE("A variable that is not a distribution is refused") {
    const mpit::tool::library<TestType> interface;
    const auto answer = [&](const char* name) { return distribution_reader{interface, name}.status(); };
    CHECK(answer("nothing") == result::invalid_name);
    CHECK(answer("unbounded") == result::invalid_name);
    CHECK(answer("sizes_sum") == result::invalid_name);
    CHECK(answer("longer") == result::wrong_count);
    CHECK(answer("changing") == result::wrong_type);
    CHECK(answer("finite") == result::wrong_type);
    CHECK(answer("unsorted") == result::wrong_type);
    CHECK(answer("elsewhere") == result::wrong_type);
    distribution now;
    CHECK(distribution_reader{interface, "finite"}.read(now) == result::wrong_type);
    CHECK(now.status == result::wrong_type);
    CHECK(distribution_reader{interface, "finite"}.start() == result::wrong_type);
}

FOR_EACH_INTERFACE("An array has the labels that a constant or readonly text of its category lists") {
    const mpit::tool::library<TestType> interface;
    using texts = std::vector<std::string>;
    const auto of_performance = [&](const char* name) {
        return labels_of(interface, distribution_reader{interface, name}.info());
    };
    CHECK(of_performance("unbounded") == texts{"tiny", "small", "", "large"});
    CHECK(of_performance("adopted") == texts{});
    CHECK(of_performance("sizes") == texts{});
    CHECK(labels_of(interface, interface.template control<std::vector<int>>("peers").info()) == texts{"a", "b"});
}

TEST_CASE("A quantile lies between the edges of its bucket, at its geometric share") {
    const distribution samples = of({0, 4, 4, 0});
    CHECK(equal(samples.quantile(0.5), {2, 1, 2}));
    CHECK(equal(samples.quantile(0.75), {2 * std::sqrt(2), 2, 4}));
    CHECK(equal(samples.quantile(1), {4, 2, 4}));
    CHECK(equal(samples.quantile(0), {1, 1, 2}));
    CHECK(equal(samples.quantile(-1), samples.quantile(0)));
    CHECK(equal(samples.quantile(2), samples.quantile(1)));
}

TEST_CASE("The extremes narrow the buckets that contain them") {
    distribution samples = of({0, 4, 0, 4});
    samples.minimum = 1.5;
    samples.maximum = 6;
    CHECK(equal(samples.quantile(0), {1.5, 1.5, 2}));
    CHECK(equal(samples.quantile(1), {6, 4, 6}));
    CHECK(samples.quantile(0.75).value == Approx(std::sqrt(24)));
    samples = of({8, 0, 0, 0});
    samples.minimum = samples.maximum = 0.25;
    CHECK(equal(samples.quantile(0.5), {0.25, 0.25, 0.25}));
}

TEST_CASE("The open ends of a distribution have no other estimate than their finite edge") {
    CHECK(equal(of({0, 0, 0, 1}).quantile(0.5), {4, 4, infinity}));
    CHECK(equal(of({2, 0, 0, 0}).quantile(0.5), {0.5, 0, 1}));
    CHECK(equal(of({2, 0}, {-1, infinity}).quantile(0.5), {-1, -infinity, -1}));
    CHECK(equal(of({0, 2, 0}, {-4, 4, infinity}).quantile(0.25), {-2, -4, 4}));
}

TEST_CASE("A distribution without samples has no quantiles and no mean") {
    CHECK(std::isnan(of({0, 0, 0, 0}).quantile(0.5).value));
    CHECK(std::isnan(distribution{}.quantile(0.5).upper));
    CHECK(std::isnan(distribution{}.mean()));
}

TEST_CASE("A difference has the samples between two reads, and the edges of their buckets as extremes") {
    distribution before = of({1, 0, 5, 0}), after = of({1, 3, 6, 0});
    before.sum = 16, after.sum = 24;
    before.minimum = after.minimum = 0.5;
    after.maximum = 3.5;
    const distribution difference = after - before;
    CHECK(difference.counts == std::vector<std::uint64_t>{0, 3, 1, 0});
    CHECK(difference.sum == 8);
    CHECK(difference.minimum == 1);
    CHECK(difference.maximum == 3.5);
    CHECK((after - distribution{}).counts == after.counts);
    CHECK((before - after).status == result::invalid);
    CHECK((after - of({0, 0, 1}, {1, 2, infinity})).status == result::invalid);
    CHECK((after - after).count() == 0);
    CHECK((after - after + before).minimum == before.minimum);
}

TEST_CASE("A merge is exact, and is refused if the bounds differ") {
    distribution one = of({1, 0, 5, 0}), other = of({0, 2, 1, 0});
    one.sum = 10, one.minimum = 0.5, one.maximum = 3;
    other.sum = 7, other.minimum = 1.5, other.maximum = 4;
    const distribution both = one + other;
    CHECK(both.counts == std::vector<std::uint64_t>{1, 2, 6, 0});
    CHECK(both.sum == 17);
    CHECK(both.minimum == 0.5);
    CHECK(both.maximum == 4);
    CHECK((distribution{} + one).counts == one.counts);
    CHECK((one + distribution{}).counts == one.counts);
    const distribution refused = one + of({1, 0, 5, 0}, {1, 2, 8, infinity});
    CHECK(refused.status == result::invalid);
    CHECK(refused.counts.empty());
    CHECK((refused + one).status == result::invalid);
    CHECK((distribution{} + refused).status == result::invalid);
}

TEST_CASE("A batch fills a distribution as its reader does") {
    struct sample {
        unsigned long long sizes[4], sum, minimum, maximum;
    };
    mpit::tool::batch<sample> batch;
    REQUIRE(batch.add(&sample::sizes, "sizes", performance_class::counter) == result::success);
    REQUIRE(batch.add(&sample::sum, "sizes_sum", performance_class::aggregate) == result::success);
    const mpit::tool::library<> interface;
    distribution_reader reader{interface, "sizes"};
    REQUIRE(reader.start() == result::success);
    REQUIRE(batch.start() == result::success);
    declared.sizes.record(2);
    declared.sizes.record(90);
    sample now{};
    REQUIRE(batch.read(now) == result::success);
    distribution expected;
    REQUIRE(reader.read(expected) == result::success);
    const distribution read{.bounds = expected.bounds,
                            .counts = {std::begin(now.sizes), std::end(now.sizes)},
                            .sum = static_cast<double>(now.sum)};
    CHECK(read.counts == expected.counts);
    CHECK(read.sum == expected.sum);
    CHECK(read.mean() == 46);
}
