// SPDX-License-Identifier: BSD-3-Clause
// The exponential buckets of histograms, as in native histograms of Prometheus (the scale is their schema) and in
// exponential histograms of OpenTelemetry. The bucket of a value follows from the value's bits, without a logarithm.
//
//   constexpr mpit::buckets sizes{.scale = 1, .highest = 30};   core::bucket_of<sizes>(1000);   // 20
#pragma once

#include <mpit/core/value.hpp>

namespace mpit::inline v1_0 {

// The buckets of a histogram. The first bucket holds the values up to 2^lowest, with 0. The last bucket holds the
// values above 2^highest. Each power of two between has 2^scale buckets, from 1 to 16. The bounds of these buckets are
// powers of 2^(1/2^scale), and a bucket contains its upper bound. A value that is read as a quantile is therefore wrong
// by at most a factor of 2^(1/2^scale): 2 for scale 0, 1.19 for scale 2, and 1.044 for scale 4.
struct buckets {
    int scale = 0;
    int lowest = 0;
    int highest = 31;

    // Returns the number of buckets. Any thread and any signal handler may call count().
    MPIT_MODULE_LOCAL constexpr std::uint32_t count() const noexcept {
        return (static_cast<std::uint32_t>(highest - lowest) << scale) + 2;
    }
};

namespace MPIT_MODULE_LOCAL core {

inline constexpr int finest_scale = 4;
inline constexpr std::uint32_t most_buckets = 118; // with the sum, the cells of a histogram fit in one part of a shard

// The reason why no histogram can have some buckets.
enum class buckets_defect : std::uint8_t {
    none,
    scale,     // not from 0 to 4
    range,     // `lowest` is not below `highest`
    exponents, // not from 0 to 63 for whole numbers, or not from -1000 to 1000 for doubles
    count,     // more than most_buckets
};
constexpr buckets_defect defect_of(buckets scheme, bool of_doubles) noexcept {
    if (scheme.scale < 0 || scheme.scale > finest_scale) return buckets_defect::scale;
    if (scheme.lowest >= scheme.highest) return buckets_defect::range;
    if (scheme.lowest < (of_doubles ? -1000 : 0) || scheme.highest > (of_doubles ? 1000 : 63))
        return buckets_defect::exponents;
    return scheme.count() > most_buckets ? buckets_defect::count : buckets_defect::none;
}

// 2^(k/16) as doubles that are rounded to nearest, which are also the bounds of Prometheus.
inline constexpr double sixteenths_of_two[] = {0x1p0,
                                               0x1.0b5586cf9890fp0,
                                               0x1.172b83c7d517bp0,
                                               0x1.2387a6e756238p0,
                                               0x1.306fe0a31b715p0,
                                               0x1.3dea64c123422p0,
                                               0x1.4bfdad5362a27p0,
                                               0x1.5ab07dd485429p0,
                                               0x1.6a09e667f3bcdp0,
                                               0x1.7a11473eb0187p0,
                                               0x1.8ace5422aa0dbp0,
                                               0x1.9c49182a3f090p0,
                                               0x1.ae89f995ad3adp0,
                                               0x1.c199bdd85529cp0,
                                               0x1.d5818dcfba487p0,
                                               0x1.ea4afa2a490dap0};

// Returns 2^exponent, for exponents of normal doubles.
constexpr double power_of_two(int exponent) noexcept {
    return double_of(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
// Returns the upper bound of a bucket, which is infinity for the last bucket.
constexpr double bound_of_bucket(buckets scheme, std::uint32_t bucket) noexcept {
    if (bucket + 1 >= scheme.count()) return __builtin_inf();
    const std::uint32_t parts = 1u << scheme.scale;
    return sixteenths_of_two[bucket % parts << (finest_scale - scheme.scale)] *
           power_of_two(scheme.lowest + static_cast<int>(bucket / parts));
}

// The table by which the first bits of a number select its bucket. A number is a power of two times a factor from 1 to
// 2. `fraction` is the factor times 2^63. The scale + 1 bits after the first bit select a section. Each section
// contains at most one bound of a bucket, which is `threshold`. Buckets count from the one whose upper bound is the
// power of two.
template <int Scale> struct bucket_sections {
    static constexpr std::size_t count = 2 << Scale;
    std::uint64_t threshold[count]{};
    std::uint8_t bucket[count]{};

    constexpr bucket_sections() noexcept {
        int bound = 0;
        for (std::size_t section = 0; section < count; section++) {
            const std::uint64_t last = (std::uint64_t{1} << 63) - 1 + ((section + 1) << (62 - Scale));
            bucket[section] = static_cast<std::uint8_t>(bound);
            const bool has_bound = bound < 1 << Scale && threshold_of(bound) <= last;
            threshold[section] = has_bound ? threshold_of(bound++) : ~std::uint64_t{0};
        }
    }
    constexpr std::uint64_t bucket_of(std::uint64_t fraction) const noexcept {
        const std::uint64_t section = (fraction << 1) >> (63 - Scale);
        return std::uint64_t{bucket[section]} + (fraction > threshold[section] ? 1u : 0u);
    }

private:
    static constexpr std::uint64_t threshold_of(int bound) noexcept {
        return bits_of(sixteenths_of_two[bound << (finest_scale - Scale)]) << 11 | std::uint64_t{1} << 63;
    }
};
template <int Scale> inline constexpr bucket_sections<Scale> sections_of_scale{};

// Returns the number of the highest bit of a number that is not 0. On x86-64, one instruction returns the number. The
// compilers translate 63 - __builtin_clzll(number) to up to four instructions.
constexpr std::uint64_t highest_bit(std::uint64_t number) noexcept {
#if defined(__x86_64__)
    if (!__builtin_is_constant_evaluated()) {
        std::uint64_t bit;
        __asm__("bsrq %1, %0" : "=r"(bit) : "r"(number) : "cc");
        return bit;
    }
#endif
    return 63 - static_cast<std::uint64_t>(__builtin_clzll(number));
}
// Returns the bucket of a whole number.
template <buckets Scheme> constexpr std::uint64_t bucket_of(unsigned long long value) noexcept {
    constexpr int scale = Scheme.scale;
    constexpr std::uint64_t lowest = Scheme.lowest, first = std::uint64_t{1} << lowest,
                            last = std::uint64_t{1} << Scheme.highest;
    constexpr std::uint64_t overflow = Scheme.count() - 1;
    if constexpr (scale == 0) {
        const std::uint64_t below = value - 1; // the largest value for 0
        if (below >= last) [[unlikely]]
            return value == 0 ? 0 : overflow;
        return highest_bit((below >> lowest) * 2 + 1);
    } else {
        if (value - (first + 1) >= last - first) [[unlikely]]
            return value > first ? overflow : 0;
        const std::uint64_t exponent = highest_bit(value);
        return sections_of_scale<scale>.bucket_of(value << (63 - exponent)) + ((exponent - lowest) << scale);
    }
}
// Returns the bucket of a double that is a number.
template <buckets Scheme> constexpr std::uint64_t bucket_of_real(double value) noexcept {
    constexpr int scale = Scheme.scale, lowest = Scheme.lowest;
    constexpr double first = power_of_two(lowest), last = power_of_two(Scheme.highest);
    constexpr std::uint64_t overflow = Scheme.count() - 1;
    if (!(value > first)) return 0;
    if (value > last) return overflow;
    const std::uint64_t bits = bits_of(value);
    // A power of two is the largest value of its bucket.
    if constexpr (scale == 0) return ((bits - 1) >> 52) - static_cast<std::uint64_t>(1022 + lowest);
    const int exponent = static_cast<int>(bits >> 52) - 1023;
    return sections_of_scale<scale>.bucket_of(bits << 11 | std::uint64_t{1} << 63) +
           (static_cast<std::uint64_t>(exponent - lowest) << scale);
}
// Returns the bucket of a whole number, for a scheme that is known only at run time. The buckets of each scale are
// unions of buckets of the finest scale.
constexpr std::uint64_t bucket_of(buckets scheme, unsigned long long value) noexcept {
    if (value <= std::uint64_t{1} << scheme.lowest) return 0;
    if (value > std::uint64_t{1} << scheme.highest) return scheme.count() - 1;
    const int coarser = finest_scale - scheme.scale;
    const std::uint64_t exponent = highest_bit(value);
    const std::uint64_t finest = sections_of_scale<finest_scale>.bucket_of(value << (63 - exponent)) +
                                 ((exponent - static_cast<std::uint64_t>(scheme.lowest)) << finest_scale);
    return (finest + (std::uint64_t{1} << coarser) - 1) >> coarser;
}

} // namespace core
} // namespace mpit
