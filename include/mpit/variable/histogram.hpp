// SPDX-License-Identifier: BSD-3-Clause
// Histograms. A histogram counts values in exponential buckets (core/buckets.hpp). Tools see a histogram `sizes` as six
// variables of one category, from which a tool that does not know mpit reads the distribution (MPI-5.0, 15.3.7):
//
//   sizes                 counter with one element for each bucket: the number of values in the bucket
//   sizes_bounds          control variable of scope constant: the largest value of each bucket, as doubles
//   sizes_sum             aggregate of all values, or for latencies a timer in seconds
//   sizes_count           counter of all values
//   sizes_min, sizes_max  watermarks: the smallest and the largest value since a tool's handle was started or reset
//
//   mpit::histogram<> sizes{this, "sizes", "Sizes of the messages, in bytes"};     sizes.record(bytes);
//   mpit::latency<> sending{this, "sending", "Time of a send, in seconds"};        auto running = sending.start();
#pragma once

#include <mpit/core/buckets.hpp> // IWYU pragma: export
#include <mpit/variable/performance_classes.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// A watermark of values that are not stored. A handle on the watermark starts with the value `start`.
class extreme : public watched_level {
public:
    constexpr explicit extreme(std::uint64_t start) noexcept : watched_level{start} {}
    void record(std::uint64_t word, bool is_real) noexcept { merge_change(word, is_real); }
};

enum class value_kind : std::uint8_t { whole, real, time };

template <class T, bool IsTime> constexpr value_kind kind_of_values() {
    return IsTime ? value_kind::time : __is_same(T, double) ? value_kind::real : value_kind::whole;
}
// Returns the word from which the smallest value of a histogram starts.
constexpr std::uint64_t largest_word(value_kind kind) noexcept {
    return kind == value_kind::real   ? core::bits_of(__builtin_inf())
           : kind == value_kind::time ? std::uint64_t{INT64_MAX}
                                      : ~std::uint64_t{0};
}

// The numbers of a histogram, without the type of the values. The sums of the buckets, and then the sum of all values,
// are at `sums`. C code has the same struct (mpit_histogram in declare/histogram.h).
class histogram_base {
public:
    constexpr histogram_base(buckets scheme, sharded_sum* sums, value_kind kind) noexcept
        : scheme_{scheme},
          last_bucket_{static_cast<std::uint16_t>(scheme.count() - 1)},
          is_real_{kind == value_kind::real},
          sums_{sums},
          smallest_{largest_word(kind)},
          largest_{0} {}

    constexpr const buckets& scheme() const noexcept { return scheme_; }
    constexpr std::uint32_t bucket_count() const noexcept { return last_bucket_ + 1u; }
    sharded_sum* sums() noexcept { return sums_; }
    sharded_sum& total() noexcept { return sums_[bucket_count()]; }
    extreme& smallest() noexcept { return smallest_; }
    extreme& largest() noexcept { return largest_; }
    std::uint64_t count() const noexcept {
        std::uint64_t words[core::most_buckets], count = 0;
        core::shard_cell::words_of(&sums_[0].in_shards(), bucket_count(), false, words);
        for (std::uint32_t i = 0; i < bucket_count(); i++) count += words[i];
        return count;
    }

    // True if the histogram records only while a tool uses it, and no tool uses it.
    bool is_idle() const noexcept { return users_.load(core::relaxed) == 0; }
    bool is_watched() const noexcept { return users_.load(core::relaxed) > (is_for_tools_ ? 0u : 1u); }
    constexpr void record_only_when_watched() noexcept {
        is_for_tools_ = true;
        users_.initialize(0);
    }
    void reset_extremes(value_kind kind) noexcept {
        smallest_.reset(largest_word(kind));
        largest_.reset(0);
    }
    // Begins without the handles of tools, for a description at run time. The handles of an ended group may remain in
    // the counts of handles.
    void begin(value_kind kind, bool only_when_watched) noexcept {
        reset_extremes(kind);
        is_for_tools_ = only_when_watched;
        marks_.store(0);
        users_.store(only_when_watched ? 0 : 1);
        leave_fast_path();
        enter_fast_path();
    }
    // Records a whole number on behalf of C code, unless the histogram is idle or its description would be refused.
    void record_whole(std::uint64_t value) noexcept {
        if (!is_idle() && core::defect_of(scheme_, false) == core::buckets_defect::none)
            record_in_sums(core::bucket_of(scheme_, value), value);
    }
    // Assigns cells in every shard, with consecutive numbers.
    void assign_cells(std::uint32_t first) noexcept {
        const std::uint32_t count = bucket_count();
        for (std::uint32_t i = 0; i <= count; i++) sums_[i].assign_cell(first + i);
        const std::uint32_t begin = sums_[0].in_shards().offset_in_shards();
        const std::uint32_t end = total().in_shards().offset_in_shards();
        const core::shard_set* const set = core::shards.load();
        const bool is_one_part = set != nullptr && end < set->cells_end && end - begin == count * sizeof(std::uint64_t);
        cells_.store(is_one_part ? begin : core::no_shard_cell);
        leave_fast_path();
        enter_fast_path();
    }
    // Counts the tool's handles that are running, and those on a watermark of this histogram.
    void change_users(int change, bool is_of_watermark) noexcept {
        const auto added = static_cast<std::uint32_t>(change);
        const bool is_idle = users_.fetch_add(added) + added == 0;
        const bool has_marks = is_of_watermark && marks_.fetch_add(added) + added != 0;
        if (is_idle || has_marks) leave_fast_path();
        enter_fast_path();
    }

protected:
    // Records a value by atomic additions if the thread has no shard, the sums are not in shards, or a tool has a
    // handle on a watermark.
    [[gnu::noinline]] void record_in_sums(std::uint64_t bucket, std::uint64_t word) noexcept {
        sums_[bucket].in_shards().add(1);
        if (is_real_) total().in_shards().add_real(core::double_of(word));
        else total().in_shards().add(word);
        smallest_.record(word, is_real_);
        largest_.record(word, is_real_);
    }

    // Lets record() take the fast path, unless a tool has a handle on a watermark, or no tool uses a histogram that is
    // only for tools. The exchange fails if another thread has left the fast path after the load of `offset_`. A thread
    // that leaves the fast path changes the counts first, so that this thread otherwise finds the change.
    void enter_fast_path() noexcept {
        for (;;) {
            std::uint32_t present = offset_.load(core::seq_cst);
            const std::uint32_t cells = cells_.load(core::seq_cst);
            if (present < slow_path || cells >= slow_path) return;
            if (marks_.load(core::seq_cst) != 0 || users_.load(core::seq_cst) == 0) return;
            if (offset_.compare_exchange(present, cells)) return;
        }
    }
    // Lets record() take record_in_sums(). Each call stores another word, for the exchange in enter_fast_path().
    void leave_fast_path() noexcept { offset_.exchange(slow_path | (leaves_.fetch_add(1) & (slow_path - 1))); }

    // The offset of the sums in every shard, or a word from `slow_path` on if a value must be recorded by
    // record_in_sums(). This is the only word of the histogram that the fast path of record() loads.
    static constexpr std::uint32_t slow_path = 1u << 31; // offsets are smaller
    core::atomic<std::uint32_t> offset_{core::no_shard_cell};

private:
    core::atomic<std::uint32_t> leaves_; // number of calls of leave_fast_path()
    buckets scheme_;
    std::uint16_t last_bucket_; // of `scheme_`, for C code
    bool is_real_, is_for_tools_ = false;

protected:
    core::atomic<std::uint32_t> cells_{core::no_shard_cell}; // offset of the sums in every shard

private:
    // The running handles and those on watermarks, and one more if the histogram is not only for tools.
    core::atomic<std::uint32_t> users_{1};
    core::atomic<std::uint32_t> marks_; // handles on watermarks
    sharded_sum* sums_;
    extreme smallest_, largest_;
};

} // namespace internal

// A histogram of values of type T, or of times in nanoseconds, which tools see in seconds. Any thread and any signal
// handler may record values. A tool that reads during record() may see a value in its bucket before it is in the sum.
template <class T, buckets Scheme = buckets{}, bool IsTime = false>
class histogram_cell : public internal::histogram_base {
    static constexpr internal::value_kind kind = internal::kind_of_values<T, IsTime>();
    static constexpr bool is_real = kind == internal::value_kind::real;
    using number = typename core::if_possible<double, is_real, unsigned long long>::type;
    // Constants, because the compiler would export an object for a template argument whose members are read.
    static constexpr int scale = Scheme.scale, lowest = Scheme.lowest, highest = Scheme.highest;
    static constexpr std::uint32_t sum_position = Scheme.count();

public:
    MPIT_MODULE_LOCAL constexpr histogram_cell() noexcept
        : internal::histogram_base{{scale, lowest, highest}, sums_, kind} {}
    // Records one value. A double that is negative, infinite or not a number is not recorded.
    [[gnu::always_inline]] MPIT_MODULE_LOCAL void record(T value) noexcept {
        if constexpr (is_real)
            if (!(value >= 0 && value <= core::largest_double)) return;
        const number recorded = value;
        const std::uint32_t offset = offset_.load(core::relaxed);
        if (offset < core::this_thread_shard.cells_end) [[likely]] {
            core::atomic<std::uint64_t>* const cells = &core::this_thread_shard.cell_at(offset);
            std::uint64_t bucket = bucket_of(recorded);
            __asm__("" : "+r"(bucket)); // keeps the compiler from computing an address on each path to here
            cells[bucket].add_as_owner(1);
            if constexpr (is_real) core::add_real_as_owner(cells[sum_position], recorded);
            else cells[sum_position].add_as_owner(recorded);
        } else if (!is_idle()) {
            record_without_cells(recorded);
        }
    }
    // Starts a measurement, which ends with the lifetime of the returned object. Reads no clock if the histogram has
    // the setting .when_watched and no tool uses it.
    MPIT_MODULE_LOCAL [[nodiscard]] measurement<histogram_cell> start() noexcept
        requires(IsTime)
    {
        return measurement<histogram_cell>{is_idle() ? nullptr : this};
    }
    // Records a time in nanoseconds, for measurement.
    MPIT_MODULE_LOCAL void add(std::uint64_t nanoseconds) noexcept {
        MPIT_PROBE_TIMER("timer_stop", this, nanoseconds);
        record(nanoseconds);
    }

    // For the library's own use.
    MPIT_MODULE_LOCAL void reset(std::uint64_t) noexcept {
        for (internal::sharded_sum& sum : sums_) sum.reset(0);
        reset_extremes(kind);
    }

private:
    MPIT_MODULE_LOCAL static std::uint64_t bucket_of(number value) noexcept {
        if constexpr (is_real) return core::bucket_of_real<Scheme>(value);
        else return core::bucket_of<Scheme>(value);
    }
    // A function of its own, so that the inlined code of record() is short and saves no registers.
    [[gnu::cold, gnu::noinline]] MPIT_MODULE_LOCAL void record_without_cells(number value) noexcept {
        record_in_sums(bucket_of(value), core::word_of(value));
    }

    internal::sharded_sum sums_[sum_position + 1];
};

// The default buckets of latencies, which are 114 buckets for times from 64 ns to 17 s.
inline constexpr buckets buckets_of_latencies{.scale = 2, .lowest = 6, .highest = 34};

// The cell of a latency.
template <buckets Scheme = buckets_of_latencies> using latency_cell = histogram_cell<unsigned long long, Scheme, true>;

namespace MPIT_MODULE_LOCAL internal {

// A variable of a histogram. The cell is the histogram's, or for a bound variable the base class of the variable.
struct histogram_part : descriptor::performance {
    histogram_base* cell;
    constexpr histogram_part(performance_class part_class, descriptor::category* parent, core::checked_name part_name,
                             text part_description, datatype part_type, histogram_base* part_cell) noexcept
        : performance{part_class, parent, part_name, part_description}, cell{part_cell} {
        type = part_type;
    }
};
inline histogram_base& cell_of(descriptor::performance& variable) noexcept {
    return *static_cast<histogram_part&>(variable).cell;
}

// The performance variables of a histogram. The bounds of the buckets are a control variable.
enum class part : std::uint8_t { samples, sum, count, smallest, largest };
inline constexpr std::uint32_t part_count = 5;

constexpr behaviour behaviour_of(part which) noexcept {
    return which == part::smallest  ? behaviour::marking_low
           : which == part::largest ? behaviour::marking_high
                                    : behaviour::accumulating;
}
// Returns the address that the operations of a part need.
template <part Part> void* address_in(histogram_base& cell) noexcept {
    if constexpr (Part == part::samples) return cell.sums();
    else if constexpr (Part == part::sum) return &cell.total();
    else if constexpr (Part == part::count) return &cell;
    else if constexpr (Part == part::smallest) return &cell.smallest();
    else return &cell.largest();
}
template <part Part>
void* locate_part(descriptor::performance& variable, object_key, std::uint32_t& generation) noexcept {
    generation = 0;
    return address_in<Part>(cell_of(variable));
}
inline std::uint64_t sample_count(descriptor::performance&, void* cell, std::uint32_t) {
    return static_cast<histogram_base*>(cell)->count();
}
template <bool IsOfWatermark> void watch_histogram(descriptor::performance& variable, int change) {
    cell_of(variable).change_users(change, IsOfWatermark);
}
inline void assign_histogram_cells(descriptor::performance& variable, std::uint32_t first) {
    cell_of(variable).assign_cells(first);
}

// Returns the operations of a part of a histogram whose values have the kind `Kind`.
template <part Part, value_kind Kind> constexpr descriptor::performance_operations operations_of_part() {
    constexpr bool is_watermark = behaviour_of(Part) != behaviour::accumulating;
    constexpr bool is_of_counts = Part == part::samples || Part == part::count;
    constexpr value_kind kind = is_of_counts ? value_kind::whole : Kind;
    descriptor::performance_operations operations{};
    operations.value_behaviour = behaviour_of(Part);
    operations.real = kind == value_kind::real;
    operations.words_per_unit = kind == value_kind::time ? 1e9 : 0;
    operations.is_in_shards = Part == part::samples || Part == part::sum;
    operations.locate = &locate_part<Part>;
    operations.sample = is_watermark ? &sample_cell<extreme> : Part == part::count ? &sample_count : &sample_sum;
    operations.watch = &watch_histogram<is_watermark>;
    if constexpr (is_watermark) operations.level = &level_itself;
    if constexpr (Part == part::samples) {
        operations.samples = &sample_sums;
        operations.assign_cells = &assign_histogram_cells;
        operations.cells_beside = 1;
    }
    return operations;
}

// The kind of the values of a histogram, and the tables of operations of the parts.
struct histogram_operations {
    value_kind kind;
    descriptor::performance_operations of_part[part_count];
};
template <value_kind Kind>
inline constexpr histogram_operations operations_of_histogram{
    Kind,
    {operations_of_part<part::samples, Kind>(), operations_of_part<part::sum, Kind>(),
     operations_of_part<part::count, Kind>(), operations_of_part<part::smallest, Kind>(),
     operations_of_part<part::largest, Kind>()}};

// The control variable of scope constant with the bounds of the buckets, which a function of the derived class reads.
struct bounds_of_buckets : describing_control {
protected:
    constexpr bounds_of_buckets(descriptor::category* parent, text base, std::uint32_t bound_count,
                                const descriptor::control_operations& table) noexcept
        : describing_control{
              base,        "_bounds", "Largest value of each bucket of the histogram", datatype::double_type,
              bound_count, table} {
        scope = mpit::scope::constant;
        codec = descriptor::codec_of<double>();
        parent->adopt(*this);
    }
};

// The bounds of a scheme.
struct bucket_bounds : bounds_of_buckets {
    buckets scheme;
    bool is_in_seconds;
    constexpr bucket_bounds(descriptor::category* parent, text base, buckets of, bool is_time) noexcept
        : bounds_of_buckets{parent, base, of.count(), describing_operations<&read_bounds>},
          scheme{of},
          is_in_seconds{is_time} {}

private:
    static result read_bounds(descriptor::control& variable, void*, object_key, void* buffer) {
        const auto& self = static_cast<const bucket_bounds&>(variable);
        for (std::uint32_t i = 0; i < self.scheme.count(); i++) {
            const double bound = core::bound_of_bucket(self.scheme, i) / (self.is_in_seconds ? 1e9 : 1);
            std::memcpy(static_cast<char*>(buffer) + i * sizeof bound, &bound, sizeof bound);
        }
        return result::success;
    }
};

// The six variables of a histogram. The cell must exist as long as the variables.
class histogram_parts {
public:
    constexpr histogram_parts(descriptor::category* parent, core::checked_name name, text description,
                              histogram_base* cell, const histogram_operations& operations, datatype value_type,
                              mpit::verbosity verbosity) noexcept
        : sum_name_{name.name, "_sum"},
          count_name_{name.name, "_count"},
          smallest_name_{name.name, "_min"},
          largest_name_{name.name, "_max"},
          bounds_{parent, name.name, cell->scheme(), operations.kind == value_kind::time},
          samples_{performance_class::counter, parent, name, description, datatype::unsigned_long_long_type, cell},
          sum_{operations.kind == value_kind::time ? performance_class::timer : performance_class::aggregate,
               parent,
               sum_name_.checked(),
               "Sum of all values of the histogram",
               operations.kind == value_kind::whole ? datatype::unsigned_long_long_type : datatype::double_type,
               cell},
          count_{performance_class::counter,        parent, count_name_.checked(), "Number of values of the histogram",
                 datatype::unsigned_long_long_type, cell},
          smallest_{performance_class::low_watermark,
                    parent,
                    smallest_name_.checked(),
                    "Smallest value of the histogram, or the largest possible value if there is none",
                    value_type,
                    cell},
          largest_{performance_class::high_watermark,
                   parent,
                   largest_name_.checked(),
                   "Largest value of the histogram, or 0 if there is none",
                   value_type,
                   cell} {
        samples_.count = cell->bucket_count();
        bounds_.verbosity = verbosity;
        for (std::uint32_t i = 0; i < part_count; i++) {
            variable_of(i).operations = &operations.of_part[i];
            variable_of(i).verbosity = verbosity;
        }
    }

protected:
    constexpr void bind(mpit::binding kind) noexcept {
        for (std::uint32_t i = 0; i < part_count; i++) variable_of(i).binding = kind;
    }
    constexpr histogram_part& samples() noexcept { return samples_; }

private:
    // Returns the performance variable at a position in the order of `part`.
    constexpr histogram_part& variable_of(std::uint32_t position) noexcept {
        histogram_part* const variables[part_count] = {&samples_, &sum_, &count_, &smallest_, &largest_};
        return *variables[position];
    }

    suffixed_name sum_name_, count_name_, smallest_name_, largest_name_;
    bucket_bounds bounds_;
    histogram_part samples_, sum_, count_, smallest_, largest_;
};

} // namespace internal

// The settings of a histogram or a latency.
template <class Cell, class Object> struct histogram_settings {
    // For the library's own use. A setting that is written without its name is a compile error.
    internal::unnamed_setting unnamed = internal::no_unnamed_setting;

    mpit::verbosity verbosity = mpit::verbosity::user_basic; // audience and level of detail
    bool when_watched = false;                               // true to record only while a tool's handle is running
    internal::locate_function<Cell, Object> locate{}; // returns the cell of an object for a bound variable, or null
};

namespace internal { // default visibility, because authors have members of this type

template <class T, value_kind Kind>
constexpr datatype type_of_values = Kind == value_kind::time ? datatype::double_type : core::datatype_of<T>();

// Returns the buckets of a histogram of values of type T. For buckets that no histogram can have, reports a compile
// error and returns the default buckets, so that the compiler reports no further error.
template <class T, buckets Scheme> consteval buckets checked_buckets() {
    using enum core::buckets_defect;
    constexpr core::buckets_defect defect = core::defect_of(Scheme, __is_same(T, double));
    static_assert(is_utilization<T>, "a histogram must be unsigned, unsigned long, unsigned long long or double");
    static_assert(defect != scale, "the .scale of a histogram must be from 0 to 4");
    static_assert(defect != range, "the .lowest of a histogram must be below its .highest");
    static_assert(defect != exponents, "the .lowest and the .highest of a histogram are exponents of two: from 0 to 63 "
                                       "for integers and times, from -1000 to 1000 for doubles");
    static_assert(defect != count, "a histogram has at most 118 buckets: choose a smaller .scale, a larger .lowest or "
                                   "a smaller .highest");
    return defect == none ? Scheme : buckets{};
}

// A histogram with one distribution for the process.
template <class T, buckets Scheme, class Object, bool IsTime>
class histogram_variable : public histogram_cell<T, Scheme, IsTime>, public histogram_parts {
    static constexpr value_kind kind = kind_of_values<T, IsTime>();

public:
    using settings = histogram_settings<histogram_cell<T, Scheme, IsTime>, Object>;
    constexpr histogram_variable(descriptor::category* parent, core::declared_name name, text description,
                                 const settings& options = no_settings<settings>)
        : histogram_parts{
              parent,           name, description, this, operations_of_histogram<kind>, type_of_values<T, kind>,
              options.verbosity} {
        if (options.when_watched) this->record_only_when_watched();
    }
    // Reports a compile error for a setting that is passed without its name.
    template <class... More>
    constexpr histogram_variable(descriptor::category* parent, core::declared_name name, text description,
                                 const unnamed_setting&, const More&...)
        : histogram_variable{parent, name, description} {}
};

// A histogram with one distribution for each MPI object. The base class histogram_base counts the handles of tools.
template <class T, buckets Scheme, class Object, bool IsTime>
    requires(!__is_same(Object, void))
class histogram_variable<T, Scheme, Object, IsTime> : public histogram_base, public histogram_parts {
    using values = histogram_cell<T, Scheme, IsTime>;
    using store = cell_store<values, Object, std::uint64_t>;
    static constexpr value_kind kind = kind_of_values<T, IsTime>();

public:
    using settings = histogram_settings<values, Object>;
    constexpr histogram_variable(descriptor::category* parent, core::declared_name name, text description,
                                 const settings& options = no_settings<settings>)
        : histogram_base{{Scheme.scale, Scheme.lowest, Scheme.highest}, nullptr, kind},
          histogram_parts{parent, name, description, this, operations, type_of_values<T, kind>, options.verbosity},
          store_{0, options.locate} {
        if (options.when_watched) record_only_when_watched();
        store_.discarded().record_only_when_watched();
        bind(descriptor::object_traits<Object>::binding);
        samples().announce = &announce;
    }
    template <class... More>
    constexpr histogram_variable(descriptor::category* parent, core::declared_name name, text description,
                                 const unnamed_setting&, const More&...)
        : histogram_variable{parent, name, description} {}

    // Returns the histogram of an object. If the variable has the setting .when_watched and no tool uses it, returns a
    // histogram that records nothing, without a search for the object.
    MPIT_MODULE_LOCAL values& operator[](typename store::handle object) noexcept {
        return is_idle() ? store_.discarded() : store_.cell_of(object);
    }

private:
    MPIT_MODULE_LOCAL static void announce(descriptor::variable& variable, object_key key,
                                           descriptor::announcement change) {
        store_of(static_cast<descriptor::performance&>(variable)).announced(key, change);
    }
    MPIT_MODULE_LOCAL static store& store_of(descriptor::performance& variable) noexcept {
        return static_cast<histogram_variable&>(cell_of(variable)).store_;
    }
    template <part Part>
    MPIT_MODULE_LOCAL static void* locate(descriptor::performance& variable, object_key key,
                                          std::uint32_t& generation) {
        values* const existing = store_of(variable).existing(key, generation);
        return existing == nullptr ? nullptr : address_in<Part>(*existing);
    }
    template <part Part> MPIT_MODULE_LOCAL static constexpr descriptor::performance_operations operations_in_objects() {
        descriptor::performance_operations bound = operations_of_part<Part, kind>();
        bound.is_in_shards = false;
        bound.assign_cells = nullptr;
        bound.locate = &locate<Part>;
        bound.key = key_function<Object>();
        return bound;
    }
    MPIT_MODULE_LOCAL static constexpr histogram_operations operations{
        kind,
        {operations_in_objects<part::samples>(), operations_in_objects<part::sum>(),
         operations_in_objects<part::count>(), operations_in_objects<part::smallest>(),
         operations_in_objects<part::largest>()}};

    store store_;
};

} // namespace internal

// A histogram of sizes or amounts, in the unit that the description names. `x.record(n)` counts a value. Without a tool
// that reads the smallest or largest value, a record costs two additions to cells of the thread, and takes no lock. Any
// thread and any signal handler may record values.
template <class T = unsigned long long, buckets Buckets = buckets{}, class Object = void>
using histogram = internal::histogram_variable<internal::utilization_or_other<T>,
                                               internal::checked_buckets<T, Buckets>(), Object, false>;

// A histogram of times, in nanoseconds for the library and in seconds for tools. `auto running = x.start();` measures a
// time until the end of the scope, and `x.record(n)` counts a time of n nanoseconds. Any thread and any signal handler
// may record times.
template <buckets Buckets = buckets_of_latencies, class Object = void>
using latency = internal::histogram_variable<unsigned long long,
                                             internal::checked_buckets<unsigned long long, Buckets>(), Object, true>;

} // namespace mpit
