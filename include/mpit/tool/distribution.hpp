// SPDX-License-Identifier: BSD-3-Clause
// Reads distributions of samples, and estimates quantiles. A distribution NAME consists of the counter NAME, which has
// an element for each bucket, and of the constant control variable NAME_bounds in the same category. An element of the
// bounds is the largest value of its bucket, and the last element is infinity. The variables NAME_sum, NAME_min and
// NAME_max may be missing. NAME_count is not read, because the counts of the buckets have the same sum. The header also
// reads the labels of arrays. Include tool.hpp or tool/over_mpi.hpp for the interface. Signal handlers must not use
// this header, which allocates memory.
//
//   mpit::tool::library<> interface;   mpit::tool::distribution_reader sizes{interface, "message_sizes"};
//   mpit::tool::distribution now;   sizes.start();   ...   sizes.read(now);   now.quantile(0.99).value
#pragma once

#include <mpit/begin.hpp>

#include <mpit/tool/library.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace mpit::inline v1_0::tool {

// An estimate of a quantile. The exact quantile is not smaller than `lower` and not larger than `upper`.
struct estimate {
    double value, lower, upper;
};

// The numbers of samples in buckets, as a plain value. Bucket i contains the samples that are larger than bounds[i - 1]
// and not larger than bounds[i]. A tool that reads the variables in a batch fills the members itself. Values are in the
// unit of the variable. A default-constructed distribution has no buckets, and a merge with it changes nothing. Threads
// may read one distribution at once, but not while another thread changes the distribution.
struct distribution {
    std::vector<double> bounds;                                // largest value of each bucket
    std::vector<std::uint64_t> counts;                         // number of samples in each bucket
    double sum = std::numeric_limits<double>::quiet_NaN();     // NaN if the sum is unknown
    double minimum = -std::numeric_limits<double>::infinity(); // no sample is smaller
    double maximum = std::numeric_limits<double>::infinity();  // no sample is larger
    // The result of the last read, += or -=. After a refused += or -=, the distribution has no buckets, and stays
    // refused in further operations.
    result status = result::success;

    // Returns the number of samples.
    std::uint64_t count() const noexcept {
        std::uint64_t total = 0;
        for (const std::uint64_t number : counts) total += number;
        return total;
    }
    // Returns the mean of the samples, or NaN if the sum is unknown or without samples.
    double mean() const noexcept { return sum / static_cast<double>(count()); }

    // Estimates the sample of rank `share` * count(), where `share` is from 0 to 1. Interpolates geometrically between
    // the edges of a bucket, as native histograms of Prometheus do, and linearly if the lower edge is not positive. The
    // extremes narrow the edges. If the minimum is unknown and the first bound is positive, no sample is taken as
    // negative. Returns NaN without samples.
    estimate quantile(double share) const noexcept {
        const double rank = std::fmin(std::fmax(share, 0), 1) * static_cast<double>(count());
        std::uint64_t before = 0;
        for (std::size_t i = 0; i < counts.size(); before += counts[i++]) {
            if (counts[i] == 0 || rank > static_cast<double>(before + counts[i])) continue;
            return interpolate(i, (rank - static_cast<double>(before)) / static_cast<double>(counts[i]));
        }
        const double none = std::numeric_limits<double>::quiet_NaN();
        return {none, none, none};
    }

    // Merges the samples of another object or process. The result is exact. Sets `status` to result::invalid if the
    // bounds differ.
    distribution& operator+=(const distribution& other) {
        if (status != result::success || other.is_empty()) return *this;
        if (is_empty()) return *this = other;
        if (other.status != result::success || bounds != other.bounds) return refuse();
        for (std::size_t i = 0; i < counts.size(); i++) counts[i] += other.counts[i];
        sum += other.sum;
        minimum = std::fmin(minimum, other.minimum);
        maximum = std::fmax(maximum, other.maximum);
        return *this;
    }
    // Removes the samples of an earlier read of the same handle. The extremes are then known only as well as the edges
    // of their buckets. Sets `status` to result::invalid if the bounds differ, or if the handle was
    // reset between the reads.
    distribution& operator-=(const distribution& earlier) {
        if (status != result::success || earlier.is_empty()) return *this;
        if (earlier.status != result::success || bounds != earlier.bounds) return refuse();
        for (std::size_t i = 0; i < counts.size(); i++) {
            if (counts[i] < earlier.counts[i]) return refuse();
            counts[i] -= earlier.counts[i];
        }
        sum -= earlier.sum;
        const double lowest = quantile(0).lower, highest = quantile(1).upper; // NaN if no samples remain
        minimum = std::fmin(lowest, std::numeric_limits<double>::infinity());
        maximum = std::fmax(highest, -std::numeric_limits<double>::infinity());
        return *this;
    }
    friend distribution operator+(distribution first, const distribution& second) { return first += second; }
    friend distribution operator-(distribution later, const distribution& earlier) { return later -= earlier; }

private:
    bool is_empty() const noexcept { return status == result::success && bounds.empty(); }
    distribution& refuse() {
        *this = {};
        status = result::invalid;
        return *this;
    }
    // Estimates the sample at a position from 0 to 1 among the samples of a bucket. An extreme outside of the bucket
    // does not narrow the edges.
    estimate interpolate(std::size_t bucket, double position) const noexcept {
        const double below = bucket == 0 ? -std::numeric_limits<double>::infinity() : bounds[bucket - 1];
        const auto is_inside = [this, below, bucket](double value) { return value > below && value <= bounds[bucket]; };
        double lower = is_inside(minimum) ? minimum : below;
        double upper = is_inside(maximum) ? maximum : bounds[bucket];
        if (std::isinf(lower) && upper >= 0 && bounds[0] > 0) lower = 0;
        upper = std::fmax(lower, upper);
        if (std::isinf(upper) || std::isinf(lower)) return {std::isinf(upper) ? lower : upper, lower, upper};
        const double value = lower > 0 ? lower * std::pow(upper / lower, position) : lower + position * (upper - lower);
        return {std::fmin(std::fmax(value, lower), upper), lower, upper};
    }
};

namespace MPIT_MODULE_LOCAL detail {

// The elements of a variable of any unsigned type, extended to 64 bits.
struct unsigned_elements {
    std::vector<std::uint64_t> elements;
};
// The value of a variable of any number type, rounded to double.
struct real_number {
    double value = 0;
};

inline const std::vector<int>& members(const category_info& category, const control_info&) { return category.controls; }
inline const std::vector<int>& members(const category_info& category, const performance_info&) {
    return category.performances;
}
// Returns true if a category contains both variables.
template <class Interface, class Info>
bool share_category(const library<Interface>& interface, const Info& variable, const control_info& constant) {
    const auto contains = [](const std::vector<int>& indices, int number) {
        for (const int index : indices)
            if (index == number) return true;
        return false;
    };
    for (const category_info& category : interface.categories())
        if (contains(members(category, variable), variable.number) && contains(category.controls, constant.number))
            return true;
    return false;
}

} // namespace detail

// Reads the counts of buckets. For the library's own use. Its members are for the library's own use.
template <> struct typed_value<detail::unsigned_elements> {
    static bool has_type(const variable_info& variable) noexcept {
        return variable.type && (are_alike(*variable.type, datatype::unsigned_long_long_type) ||
                                 are_alike(*variable.type, datatype::unsigned_type));
    }
    static bool has_count(std::uint32_t) noexcept { return true; }
    static char* read_buffer(detail::unsigned_elements& value, const variable_info&, std::uint32_t count,
                             std::string&) {
        value.elements.resize(count);
        return reinterpret_cast<char*>(value.elements.data());
    }
    // Extends elements of 32 bits from the last one to the first one, because they lie in the buffer of the result.
    static void set(detail::unsigned_elements& value, const variable_info& variable, std::uint32_t count,
                    const std::string&) noexcept {
        const char* const bytes = reinterpret_cast<const char*>(value.elements.data());
        for (std::size_t i = count; i-- > 0;)
            value.elements[i] = core::word_from(*variable.type, bytes + i * core::size_of(*variable.type));
    }
};

// Reads a sum or an extreme. For the library's own use. Its members are for the library's own use.
template <> struct typed_value<detail::real_number> {
    static bool has_type(const variable_info& variable) noexcept {
        return variable.type && *variable.type != datatype::char_type;
    }
    static bool has_count(std::uint32_t count) noexcept { return count == 1; }
    static char* read_buffer(detail::real_number& number, const variable_info&, std::uint32_t, std::string&) noexcept {
        return reinterpret_cast<char*>(&number.value);
    }
    static void set(detail::real_number& number, const variable_info& variable, std::uint32_t,
                    const std::string&) noexcept {
        const datatype type = *variable.type;
        const std::uint64_t word = core::word_from(type, &number.value);
        if (type == datatype::double_type) number.value = core::double_of(word);
        else if (core::is_signed(type)) number.value = static_cast<double>(static_cast<std::int64_t>(word));
        else number.value = static_cast<double>(word);
    }
};

// Handles on the variables of a distribution, in a session of their own. reset() and read() allocate no memory once the
// passed distribution has buckets. Threads may use a reader one at a time, as the thread level of the interface allows.
// If other threads record samples during start(), reset() or read(), these samples may be missing in some of the
// variables, so that the extremes may be wrong. A library records samples in a histogram of mpit more slowly while a
// reader runs, because of the extremes.
template <class Interface> class distribution_reader {
public:
    explicit distribution_reader(const library<Interface>& interface, const std::string& name,
                                 const object& bound_object = {})
        : session_{interface.session()},
          counts_{session_.template performance<detail::unsigned_elements>(name.c_str(), performance_class::counter,
                                                                           bound_object)},
          sum_{sum_of(name + "_sum", bound_object)},
          minimum_{part_of(name + "_min", performance_class::low_watermark, bound_object)},
          maximum_{part_of(name + "_max", performance_class::high_watermark, bound_object)},
          status_{counts_.status()} {
        auto bounds = interface.template control<std::vector<double>>((name + "_bounds").c_str());
        if (status_ == result::success) status_ = bounds.read(bounds_);
        if (status_ != result::success) return;
        if (bounds_.size() != counts_.count()) status_ = result::wrong_count;
        else if (!are_bounds() || bounds.info().scope != scope::constant ||
                 !detail::share_category(interface, counts_.info(), bounds.info()))
            status_ = result::wrong_type;
    }

    explicit operator bool() const noexcept { return status_ == result::success; }
    // Returns success, or a result of typed_handle::status() for NAME or NAME_bounds. Returns wrong_count if their
    // numbers of elements differ. Returns wrong_type if NAME_bounds is not constant, is not in a category of NAME, or
    // does not increase to infinity.
    result status() const noexcept { return status_; }
    // Returns the attributes of the variable NAME.
    const performance_info& info() const noexcept { return counts_.info(); }

    // Starts all variables of the distribution. Returns success or an error of the implementation.
    result start() noexcept {
        return change([](auto& handle) noexcept { return handle.start(); });
    }
    // Stops all variables of the distribution. Returns success or an error of the implementation.
    result stop() noexcept {
        return change([](auto& handle) noexcept { return handle.stop(); });
    }
    // Resets all variables of the distribution. Returns success, MPI_T_ERR_PVAR_NO_WRITE if NAME is readonly, or an
    // error of the implementation.
    result reset() noexcept {
        if (*this && info().is_readonly) return result::cannot_write;
        return change([](auto& handle) noexcept { return handle.reset(); });
    }
    // Reads all variables. Without samples, the extremes have no meaning. Returns and stores in `value.status` the
    // result of the implementation, such as MPI_T_ERR_INVALID_HANDLE if the library or the MPI object no longer exists.
    result read(distribution& value) {
        value.status = status_;
        if (!*this) return status_;
        detail::unsigned_elements counts{std::move(value.counts)};
        value.status = counts_.read(counts);
        value.counts = std::move(counts.elements);
        value.bounds = bounds_;
        value.sum = value_of(sum_, distribution{}.sum);
        value.minimum = value_of(minimum_, distribution{}.minimum);
        value.maximum = value_of(maximum_, distribution{}.maximum);
        return value.status;
    }

private:
    using part = performance<detail::real_number, Interface>;

    part part_of(const std::string& name, performance_class variable_class, const object& bound_object) const {
        return session_.template performance<detail::real_number>(name.c_str(), variable_class, bound_object);
    }
    part sum_of(const std::string& name, const object& bound_object) const {
        part sum = part_of(name, performance_class::aggregate, bound_object);
        return sum ? std::move(sum) : part_of(name, performance_class::timer, bound_object);
    }
    bool are_bounds() const noexcept {
        for (std::size_t i = 1; i < bounds_.size(); i++)
            if (!(bounds_[i - 1] < bounds_[i])) return false;
        return !bounds_.empty() && bounds_.back() == std::numeric_limits<double>::infinity();
    }
    // Changes the counts last and reads them first, so that the extremes include all samples of the counts.
    template <class Action> result change(Action action) noexcept {
        if (!*this) return status_;
        result status = result::success;
        const auto change_one = [&](auto& handle) {
            const result changed = action(handle);
            if (changed != result::success) status = changed;
        };
        for (part* const handle : {&sum_, &minimum_, &maximum_})
            if (*handle) change_one(*handle);
        change_one(counts_);
        return status;
    }
    static double value_of(part& variable, double missing) {
        detail::real_number number;
        return variable.read(number) == result::success ? number.value : missing;
    }

    tool::session<Interface> session_;
    performance<detail::unsigned_elements, Interface> counts_;
    part sum_, minimum_, maximum_;
    std::vector<double> bounds_;
    result status_;
};

// Returns the labels of the elements of an array, which a control_info or a performance_info describes, such as the
// info() of a handle. The labels are the text of the control variable NAME_labels, split at the commas. NAME_labels
// must be constant or readonly, and belong to a category of the array. Returns no labels if it does not exist. Any
// thread may call labels_of().
template <class Interface, class Info>
std::vector<std::string> labels_of(const library<Interface>& interface, const Info& variable,
                                   const object& bound_object = {}) {
    std::vector<std::string> labels;
    control_info info;
    const std::string name = variable.name + "_labels";
    if (!interface || describe_by_name<Interface>(kind::control, name.c_str(), {}, info) != result::success ||
        (info.scope != scope::constant && info.scope != scope::readonly) ||
        !detail::share_category(interface, variable, info))
        return labels;
    auto handle =
        interface.template control<std::string>(info, info.binding == binding::none ? object{} : bound_object);
    const std::string text = handle.read().value_or(std::string{});
    for (std::size_t begin = 0, end = 0; !text.empty() && end != std::string::npos; begin = end + 1) {
        end = text.find(',', begin);
        labels.push_back(text.substr(begin, end - begin));
    }
    return labels;
}

} // namespace mpit::tool

#pragma GCC diagnostic pop // of begin.hpp
