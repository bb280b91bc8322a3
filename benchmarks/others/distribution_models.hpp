// Recording one sample into a distribution without mpit: what an author writes alone, and models of libraries that
// cannot be installed from packages, written for this comparison after what their sources do, with the same memory
// accesses, checks and locks. All keep what a distribution of mpit keeps or what their library keeps instead.
//
//   models::bvar_recorder.record(value);   std::size_t bytes = models::bvar_recorder.bytes_of_thread();
#pragma once

#include "others/models.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace models {

inline constexpr std::size_t power_buckets = 33; // as mpit::buckets{}, to 2^31

// The bucket whose upper bound, a power of two, is the first that is not below the value.
inline std::size_t power_bucket(std::uint64_t value) {
    return std::min<std::size_t>(value > 1 ? static_cast<std::size_t>(std::bit_width(value - 1)) : 0,
                                 power_buckets - 1);
}

class histogram_under_mutex {
public:
    void record(std::uint64_t value) {
        const std::lock_guard locked{mutex_};
        ++buckets_[power_bucket(value)];
        ++count_;
        sum_ += value;
        least_ = std::min(least_, value);
        most_ = std::max(most_, value);
    }
    static std::size_t bytes_of_thread() { return 0; }

private:
    std::mutex mutex_;
    std::array<std::uint64_t, power_buckets> buckets_{};
    std::uint64_t count_ = 0, sum_ = 0, least_ = std::numeric_limits<std::uint64_t>::max(), most_ = 0;
};
inline histogram_under_mutex mutex_histogram;

// The count is the sum of the buckets.
class histogram_of_atomics {
public:
    void record(std::uint64_t value) {
        buckets_[power_bucket(value)].fetch_add(1, std::memory_order_relaxed);
        sum_.fetch_add(value, std::memory_order_relaxed);
        std::uint64_t least = least_.load(std::memory_order_relaxed), most = most_.load(std::memory_order_relaxed);
        while (value < least && !least_.compare_exchange_weak(least, value, std::memory_order_relaxed)) {}
        while (value > most && !most_.compare_exchange_weak(most, value, std::memory_order_relaxed)) {}
    }
    static std::size_t bytes_of_thread() { return 0; }

private:
    std::array<std::atomic<std::uint64_t>, power_buckets> buckets_{};
    std::atomic<std::uint64_t> sum_{0}, least_{std::numeric_limits<std::uint64_t>::max()}, most_{0};
};
inline histogram_of_atomics atomic_histogram;

// The generator of both bRPC and babylon, without a lock.
inline std::uint64_t random_word() {
    static thread_local std::uint64_t state[2] = {1, 2};
    std::uint64_t first = state[0];
    const std::uint64_t second = state[1];
    first ^= first << 23;
    state[0] = second;
    state[1] = first ^ second ^ (first >> 18) ^ (second >> 5);
    return state[1] + second;
}

// bvar's agents: one for each thread and variable, which is found by the number of the variable in a table of blocks of
// the thread. A combiner has the list of agents, the result of threads that have ended, and a lock for both.
template <class Element> class bvar_combiner {
public:
    struct agent {
        agent *previous = nullptr, *next = nullptr;
        bvar_combiner* combiner = nullptr;
        Element element{};
    };
    agent& own() {
        const std::size_t block = number_ / block_agents;
        if (blocks != nullptr && block < blocks->size() && (*blocks)[block] != nullptr) {
            agent& mine = (*(*blocks)[block])[number_ % block_agents];
            if (mine.combiner != nullptr) return mine;
        }
        return make(block);
    }
    std::mutex mutex;

private:
    static constexpr std::size_t block_agents = (4096 + sizeof(agent) - 1) / sizeof(agent);
    using block_of_agents = std::array<agent, block_agents>;

    [[gnu::noinline]] agent& make(std::size_t block) {
        if (blocks == nullptr) blocks = new std::vector<block_of_agents*>;
        if (block >= blocks->size()) blocks->resize(std::max<std::size_t>(block + 1, 32));
        if ((*blocks)[block] == nullptr) (*blocks)[block] = new block_of_agents{};
        agent& mine = (*(*blocks)[block])[number_ % block_agents];
        const std::lock_guard locked{mutex};
        mine.combiner = this;
        mine.next = std::exchange(first_, &mine);
        return mine;
    }

    static inline std::atomic<std::size_t> numbers{0};
    // They stay after their threads, for those that follow would find them gone otherwise.
    static inline thread_local std::vector<block_of_agents*>* blocks = nullptr;
    const std::size_t number_ = numbers++;
    agent* first_ = nullptr;
};

// An average, a maximum, and samples for percentiles, as bvar's LatencyRecorder has them: a word with 20 bits of a
// count and 44 bits of a sum, and a maximum, each exchanged in the agent; and 30 samples for each power of two behind
// the agent's lock, which are merged into 254 common ones when they are full. Its sampler comes once a second only.
class bvar_latency_recorder {
public:
    void record(std::uint64_t sample) {
        const auto value = static_cast<std::int64_t>(sample);
        record_average(value);
        std::atomic<std::int64_t>& most = maximum_.own().element;
        std::int64_t before = most.load(std::memory_order_relaxed);
        while (!most.compare_exchange_weak(before, std::max(before, value), std::memory_order_relaxed)) {}
        record_percentile(static_cast<std::uint32_t>(sample));
    }
    std::size_t bytes_of_thread() {
        std::size_t sum = sizeof(bvar_combiner<std::atomic<std::uint64_t>>::agent) +
                          sizeof(bvar_combiner<std::atomic<std::int64_t>>::agent) +
                          sizeof(bvar_combiner<percentiles>::agent);
        for (const auto& each : percentiles_.own().element.intervals) sum += each != nullptr ? sizeof(*each) : 0;
        return sum;
    }

private:
    template <std::size_t Most> struct interval {
        std::uint32_t added = 0;
        bool is_sorted = false;
        std::uint16_t count = 0;
        std::uint32_t samples[Most];
    };
    struct percentiles {
        std::uint64_t added = 0;
        std::unique_ptr<interval<30>> intervals[32];
        std::mutex mutex;
    };

    void record_average(std::int64_t value) {
        constexpr std::uint64_t sums = (std::uint64_t{1} << 44) - 1;
        if (static_cast<int>(value) != value) [[unlikely]]
            value = std::numeric_limits<int>::max();
        auto& mine = average_.own();
        std::uint64_t word = mine.element.load(std::memory_order_relaxed), count = 0, sum = 0;
        do {
            count = word >> 44;
            sum = word & sums;
            if (count + 1 > 0xfffff || sum + static_cast<std::uint64_t>(value) > sums >> 1) [[unlikely]] {
                const std::lock_guard locked{average_.mutex};
                word = mine.element.exchange(0, std::memory_order_relaxed);
                average_count_ += word >> 44;
                average_sum_ += word & sums;
                word = count = sum = 0;
            }
        } while (!mine.element.compare_exchange_weak(
            word, (count + 1) << 44 | ((sum + static_cast<std::uint64_t>(value)) & sums)));
    }
    void record_percentile(std::uint32_t value) {
        percentiles& mine = percentiles_.own().element;
        std::unique_lock locked{mine.mutex};
        const std::size_t which = value <= 2 ? 0 : static_cast<std::size_t>(std::bit_width(value)) - 2;
        if (mine.intervals[which] == nullptr) [[unlikely]]
            mine.intervals[which] = std::make_unique<interval<30>>();
        interval<30>& to = *mine.intervals[which];
        if (to.count == 30) {
            locked.unlock();
            {
                const std::lock_guard and_all{percentiles_.mutex};
                merge(common_[which], to);
            }
            locked.lock();
            mine.added -= to.added;
            to.added = to.count = 0;
        }
        ++to.added;
        to.samples[to.count++] = value;
        ++mine.added;
    }
    // Keeps as many of the old samples as is their share, and fills the rest at random.
    static void merge(interval<254>& into, interval<30>& from) {
        const std::uint32_t all = into.added + from.added;
        std::uint32_t kept = into.count;
        if (all > 254) {
            kept = static_cast<std::uint32_t>(std::uint64_t{into.added} * 254 / all);
            if (random_word() % all < std::uint64_t{into.added} * 254 % all) ++kept;
            for (std::uint32_t i = into.count; i > kept; i--) into.samples[random_word() % i] = into.samples[i - 1];
        }
        std::uint32_t copied[30];
        std::copy(from.samples, from.samples + 30, copied);
        std::uint32_t remaining = 30;
        while (kept < 254 && remaining > 0) {
            const std::size_t picked = random_word() % remaining;
            into.samples[kept++] = copied[picked];
            copied[picked] = copied[--remaining];
        }
        into.count = static_cast<std::uint16_t>(kept);
        into.added = all;
    }

    bvar_combiner<std::atomic<std::uint64_t>> average_;
    bvar_combiner<std::atomic<std::int64_t>> maximum_;
    bvar_combiner<percentiles> percentiles_;
    std::uint64_t average_count_ = 0, average_sum_ = 0;
    interval<254> common_[32];
};
inline bvar_latency_recorder bvar_recorder;

// babylon's thread-local storage that can be enumerated: a small number for each thread, asked for by a call, and a
// table of blocks of 128 threads that grows.
template <class T> class babylon_thread_local {
public:
    T& local() {
        const std::size_t thread = thread_number();
        const table* of = table_.load(std::memory_order_acquire);
        if (of == nullptr || thread / 128 >= of->size) [[unlikely]]
            of = grow(thread / 128 + 1);
        return of->blocks[thread / 128][thread % 128];
    }

private:
    struct table {
        std::size_t size;
        T* blocks[64];
    };
    // Takes the number of a thread that has ended first.
    struct numbered {
        numbered() {
            const std::lock_guard locked{mutex};
            if (free_numbers.empty()) free_numbers.push_back(numbers++);
            number = free_numbers.back();
            free_numbers.pop_back();
        }
        ~numbered() {
            const std::lock_guard locked{mutex};
            free_numbers.push_back(number);
        }
        std::size_t number;
        static inline std::mutex mutex;
        static inline std::vector<std::size_t> free_numbers;
        static inline std::size_t numbers = 0;
    };
    [[gnu::noinline]] static std::size_t thread_number() {
        static thread_local numbered own;
        return own.number;
    }
    [[gnu::noinline]] const table* grow(std::size_t blocks) {
        const std::lock_guard locked{mutex_};
        const table* before = table_.load(std::memory_order_relaxed);
        auto* made = before != nullptr ? new table{*before} : new table{};
        while (made->size < std::min<std::size_t>(blocks, 64)) made->blocks[made->size++] = new T[128]{};
        table_.store(made, std::memory_order_release);
        return made;
    }

    std::mutex mutex_;
    std::atomic<const table*> table_{nullptr};
};

// Sum and count, maximum and samples, as babylon's counters keep them for bvar's interface: in 4 KB of a thread that
// many counters share, changed by plain stores, and up to 30 samples for each power of two, of which later ones replace
// some.
class babylon_latency_recorder {
public:
    void record(std::uint64_t value) {
        summers_.local().values[0] += sum_and_count{static_cast<long long>(value), 1};
        maximum& most = maximums_.local().values[0];
        if (most.version != version_of_maximum_) [[unlikely]]
            most = {version_of_maximum_, value};
        if (value > most.value) [[unlikely]]
            most.value = value;
        record_sample(value);
    }
    std::size_t bytes_of_thread() {
        std::size_t sum = sizeof(sum_and_count) + sizeof(maximum) + sizeof(samples);
        for (const auto& each : samples_.local().buckets) sum += each != nullptr ? sizeof(*each) : 0;
        return sum;
    }

private:
    typedef long long sum_and_count __attribute__((vector_size(16)));
    struct maximum {
        std::uint64_t version = ~std::uint64_t{0}, value = 0;
    };
    template <class T> struct alignas(64) shared_lines {
        T values[64 * 64 / sizeof(T)];
    };
    struct alignas(64) bucket {
        std::uint16_t capacity = 30;
        std::atomic<std::uint32_t> recorded{0};
        std::uint64_t values[30];
    };
    struct samples {
        std::atomic<std::uint32_t> version{0}, used{0};
        std::unique_ptr<bucket> buckets[32];
    };

    void record_sample(std::uint64_t value) {
        const int power = 63 - std::countl_zero(value | 1);
        const std::size_t which = power < 30 ? static_cast<std::size_t>(power) : power < 32 ? 30 : 31;
        samples& mine = samples_.local();
        const std::uint32_t version = version_.load(std::memory_order_acquire);
        if (mine.version.load(std::memory_order_relaxed) != version) [[unlikely]] {
            mine.used.store(0, std::memory_order_relaxed);
            mine.version.store(version, std::memory_order_release);
        }
        if ((mine.used.load(std::memory_order_relaxed) >> which & 1) == 0) [[unlikely]]
            begin(mine, which);
        bucket& to = *mine.buckets[which];
        const std::uint32_t recorded = to.recorded.load(std::memory_order_relaxed);
        const std::size_t at = recorded < to.capacity ? recorded : short_random() % (recorded + 1);
        if (at < to.capacity) to.values[at] = value;
        to.recorded.store(recorded + 1, std::memory_order_release);
    }
    // One word is enough for four.
    static std::uint16_t short_random() {
        static thread_local std::uint64_t word = 0;
        if (word == 0) word = random_word();
        const auto taken = static_cast<std::uint16_t>(word);
        word >>= 16;
        return taken;
    }
    [[gnu::noinline]] static void begin(samples& mine, std::size_t which) {
        if (mine.buckets[which] == nullptr) mine.buckets[which] = std::make_unique<bucket>();
        mine.buckets[which]->recorded.store(0, std::memory_order_relaxed);
        mine.used.fetch_or(1u << which, std::memory_order_release);
    }

    babylon_thread_local<shared_lines<sum_and_count>> summers_;
    babylon_thread_local<shared_lines<maximum>> maximums_;
    babylon_thread_local<samples> samples_;
    std::uint64_t version_of_maximum_ = 0;
    std::atomic<std::uint32_t> version_{0};
};
inline babylon_latency_recorder babylon_recorder;

// fb303's thread-local histogram over folly's, for other threads that aggregate it: a spin lock of the thread, and
// buckets of one width, each with a sum and a count.
class folly_histogram_of_threads {
public:
    void record(std::uint64_t sample) {
        const auto value = static_cast<std::int64_t>(sample);
        histogram& mine = own();
        const std::lock_guard locked{mine.lock};
        const std::size_t which = value < mine.least ? 0
                                  : value >= mine.most
                                      ? mine.buckets.size() - 1
                                      : static_cast<std::size_t>((value - mine.least) / mine.width) + 1;
        mine.buckets[which].sum += value;
        mine.buckets[which].count += 1;
        mine.has_changed = true;
    }
    static std::size_t bytes_of_thread() { return sizeof(histogram) + own().buckets.size() * sizeof(bucket); }

private:
    struct bucket {
        std::int64_t sum = 0;
        std::uint64_t count = 0;
    };
    struct histogram {
        spin_lock lock;
        bool has_changed = false;
        std::int64_t width = (1 << 30) / 31, least = 0, most = 31 * width;
        std::vector<bucket> buckets = std::vector<bucket>(power_buckets);
    };
    static histogram& own() {
        static thread_local histogram one;
        return one;
    }
};
inline folly_histogram_of_threads folly_histogram;

} // namespace models
