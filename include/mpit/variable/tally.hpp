// SPDX-License-Identifier: BSD-3-Clause
// Tallies: a sum and its count that belong together. Tools see an ordinary counter and an ordinary aggregate; a batch
// that reads both gets the sum of exactly that many changes (MPI-5.0, 15.3.7).
//
//   mpit::tally<> sent{this, {"messages_sent", "Messages sent"}, {"bytes_sent", "Bytes sent"}};   sent += bytes;
#pragma once

#include <mpit/concurrency/add_real.hpp> // IWYU pragma: keep
#include <mpit/variable/performance.hpp>
#include <mpit/variable/tally_cell.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// How tools see one of the two.
struct tally_name {
    core::declared_name name;
    text description;
};

template <class T> struct tally_part : descriptor::performance {
    static constexpr bool is_real = __is_same(T, double);
    static_assert(core::utilization<T>, "the sum of a tally is unsigned, unsigned long, unsigned long long or double");
    template <bool Real, class = void> struct count_of { using type = T; };
    template <class U> struct count_of<true, U> { using type = unsigned long long; };
    static constexpr performance_class counted = performance_class::counter, summed = performance_class::aggregate;

    constexpr tally_part(performance_class is, descriptor::category* in_category, const tally_name& called,
                         tally_cell* in_cell, const performance_settings<tally_cell, void>& chosen)
        : performance{is, in_category, called.name, called.description}, cell{in_cell} {
        type = is == counted ? core::datatype_of<typename count_of<is_real>::type>() : core::datatype_of<T>();
        operations = is == counted ? &of_count : &of_sum;
        apply_performance_settings(*this, chosen);
    }

    tally_cell* cell;

private:
    static std::uint64_t count(descriptor::performance&, void* cell, std::uint32_t) {
        return static_cast<const tally_cell*>(cell)->count();
    }
    static std::uint64_t sum(descriptor::performance&, void* cell, std::uint32_t) {
        return static_cast<const tally_cell*>(cell)->sum(is_real);
    }
    static void number(descriptor::performance& d, std::uint32_t first) {
        static_cast<tally_part&>(d).cell->number(first);
    }

    static_assert(static_cast<std::uint32_t>(descriptor::shard_use::tally) == tally_cell::cell_count);

    // All three cells of a shard come with the count, so that both are in shards or neither is.
    static constexpr descriptor::performance_operations of_count{
        .value_behaviour = behaviour::accumulating,
        .real = false,
        .in_shards = descriptor::shard_use::tally,
        .locate = &locate_elsewhere,
        .sample = &count,
        .number = &number,
        .is_in_tally = true,
    };
    static constexpr descriptor::performance_operations of_sum{
        .value_behaviour = behaviour::accumulating,
        .real = is_real,
        .locate = &locate_elsewhere,
        .sample = &sum,
        .is_in_tally = true,
    };
};

} // namespace internal

// A sum of T and the number of its changes: `x += n`, from any thread or signal handler. The settings are those of both.
template <class T = unsigned long long> class tally {
    using part = internal::tally_part<T>;

public:
    using settings = performance_settings<internal::tally_cell, void>;
    constexpr tally(descriptor::category* in_category, const internal::tally_name& counted,
                    const internal::tally_name& summed, const settings& chosen = internal::no_settings<settings>)
        : counted_{part::counted, in_category, counted, &cell_, chosen},
          summed_{part::summed, in_category, summed, &cell_, chosen} {}
    // Refuses a setting without its name.
    template <class... More>
    constexpr tally(descriptor::category* in_category, const internal::tally_name& counted,
                    const internal::tally_name& summed, const internal::unnamed_setting&, const More&...)
        : tally{in_category, counted, summed} {}
    tally(const tally&) = delete;
    tally& operator=(const tally&) = delete;

    // Amounts that are negative, infinite or not a number are neither added nor counted.
    template <class N> [[gnu::always_inline]] MPIT_MODULE_LOCAL void operator+=(N n) noexcept {
        static_assert(part::is_real || (!__is_same(N, double) && !__is_same(N, float)),
                      "an integer sum takes integers");
        if (!(n >= N{})) return;
        if constexpr (!part::is_real) cell_.add(static_cast<std::uint64_t>(n));
        else if (static_cast<double>(n) <= core::largest_double) cell_.add_real(static_cast<double>(n));
    }
    // Each of them alone, as it is now.
    MPIT_MODULE_LOCAL unsigned long long count() const noexcept { return cell_.count(); }
    MPIT_MODULE_LOCAL T sum() const noexcept {
        if constexpr (part::is_real) return core::double_of(cell_.sum(true));
        else return static_cast<T>(cell_.sum(false));
    }

private:
    internal::tally_cell cell_;
    part counted_, summed_;
};

} // namespace mpit
