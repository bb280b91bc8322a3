// Quantiles of a million samples, which a reader of histograms estimates, beside those of the sorted samples.
#include "../catch.hpp"

#include <mpit/mpit.hpp>
#include <mpit/tool.hpp>
#include <mpit/tool/distribution.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {

using mpit::buckets;
using mpit::result;
using mpit::tool::distribution;
using mpit::tool::distribution_reader;
using samples = std::vector<double>;

struct quantile_variables : mpit::category<"quantiles", "Distributions"> {
    mpit::histogram<double, buckets{.scale = 0, .lowest = -10, .highest = 25}> coarse{this, "coarse", "Amounts"};
    mpit::histogram<double, buckets{.scale = 1, .lowest = -10, .highest = 25}> medium{this, "medium", "Amounts"};
    mpit::histogram<double, buckets{.scale = 2, .lowest = -8, .highest = 20}> fine{this, "fine", "Amounts"};
    mpit::histogram<unsigned long, buckets{.scale = 2, .highest = 28}> whole{this, "whole", "Amounts"};
};
constexpr auto& histograms = mpit::registered<quantile_variables>;

constexpr std::size_t sample_count = 1'000'000;

template <class Next> samples make(Next next) {
    std::mt19937_64 random{20260};
    samples made(sample_count);
    for (double& sample : made) sample = next(random);
    return made;
}

// Checks that the sample of each rank lies between the edges of the estimate, which are as far from each other as the
// bounds of a bucket, 2^(1/2^scale) apart.
void compare(distribution_reader<mpit::tool::over_registry>& reader, const samples& sorted, int scale) {
    const double width = std::exp2(std::ldexp(1, -scale)) * (1 + 1e-15);
    distribution counted;
    REQUIRE(reader.read(counted) == result::success);
    CHECK(counted.count() == sample_count);
    CHECK(counted.minimum == sorted.front());
    CHECK(counted.maximum == sorted.back());
    for (const double share : {0.0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.99999, 1.0}) {
        const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sample_count)));
        const double exact = sorted[std::max<std::size_t>(rank, 1) - 1];
        const auto [value, lower, upper] = counted.quantile(share);
        INFO("scale " << scale << ", share " << share << ", exact " << exact << ", estimate " << value);
        CHECK(lower <= exact);
        CHECK(exact <= upper);
        CHECK(lower <= value);
        CHECK(value <= upper);
        CHECK(upper <= lower * width);
    }
}
void compare(samples all) {
    const mpit::tool::library<> interface;
    distribution_reader coarse{interface, "coarse"}, medium{interface, "medium"}, fine{interface, "fine"};
    for (auto* const reader : {&coarse, &medium, &fine}) REQUIRE(reader->start() == result::success);
    for (const double sample : all) {
        histograms.coarse.record(sample);
        histograms.medium.record(sample);
        histograms.fine.record(sample);
    }
    std::ranges::sort(all);
    compare(coarse, all, 0);
    compare(medium, all, 1);
    compare(fine, all, 2);
}

} // namespace

TEST_CASE("Quantiles of uniform samples have the error of their buckets", "[histogram]") {
    compare(make(std::uniform_real_distribution<>{1, 1e6}));
}

TEST_CASE("Quantiles of exponential samples have the error of their buckets", "[histogram]") {
    std::exponential_distribution<> waiting{1.0 / 5000};
    compare(make([&](std::mt19937_64& random) { return 0.01 + waiting(random); }));
}

TEST_CASE("Quantiles of samples of two kinds have the error of their buckets", "[histogram]") {
    std::normal_distribution<> fast{100, 5}, slow{80000, 2000};
    compare(make([&](std::mt19937_64& random) { return random() % 20 == 0 ? slow(random) : fast(random); }));
}

TEST_CASE("Parts of the samples are merged to the whole, and the whole without one part is the other", "[histogram]") {
    const mpit::tool::library<> interface;
    distribution_reader of_all{interface, "whole"}, of_first{interface, "whole"}, of_second{interface, "whole"};
    std::mt19937_64 random{7};
    std::lognormal_distribution<> next{8, 2};
    const auto record = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; i++) histograms.whole.record(static_cast<unsigned long>(next(random)));
    };
    REQUIRE(of_all.start() == result::success);
    REQUIRE(of_first.start() == result::success);
    record(sample_count / 3);
    REQUIRE(of_first.stop() == result::success);
    REQUIRE(of_second.start() == result::success);
    record(sample_count);
    distribution all, first, second;
    REQUIRE(of_all.read(all) == result::success);
    REQUIRE(of_first.read(first) == result::success);
    REQUIRE(of_second.read(second) == result::success);

    const distribution merged = first + second, difference = all - first;
    CHECK(first.count() == sample_count / 3);
    CHECK(merged.counts == all.counts);
    CHECK(merged.sum == all.sum);
    CHECK(merged.minimum == all.minimum);
    CHECK(merged.maximum == all.maximum);
    CHECK(difference.counts == second.counts);
    CHECK(difference.sum == second.sum);
    CHECK(difference.minimum <= second.minimum);
    CHECK(difference.maximum >= second.maximum);
}
