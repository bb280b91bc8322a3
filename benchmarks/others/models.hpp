// Models of counters that cannot be installed from packages, written for this comparison after their sources: what one
// count and one read do, with the same memory accesses, checks and locks. Each is a global of the program, and all of
// it is inlined.
//
//   models::folly_counter.increment(1);   std::int64_t value = models::folly_counter.read_full();
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace models {

// Spins with an exchange, as the locks of LCI and OpenTelemetry do while nobody else holds them.
class spin_lock {
public:
    void lock() noexcept {
        while (is_held_.exchange(true, std::memory_order_acquire)) {}
    }
    void unlock() noexcept { is_held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> is_held_{false};
};

// folly::ThreadCachedInt: a cache for each thread, which is found through the thread's table of pointers and added to
// the shared value after 1000 updates. A full read visits the caches of all threads under a lock.
class thread_cached_integer {
public:
    explicit thread_cached_integer(unsigned index) : index_{index} {}
    void increment(std::int64_t amount) {
        table& of = own_table();
        cache* mine = index_ < of.caches.size() ? of.caches[index_] : nullptr;
        if (mine == nullptr) [[unlikely]]
            mine = make(of);
        if (!mine->is_reset.load(std::memory_order_acquire)) [[likely]] {
            mine->value.store(mine->value.load(std::memory_order_relaxed) + amount, std::memory_order_release);
        } else {
            mine->value.store(amount, std::memory_order_relaxed);
            mine->is_reset.store(false, std::memory_order_release);
        }
        if (++mine->updates > most_updates_.load(std::memory_order_acquire)) [[unlikely]] {
            shared_.fetch_add(mine->value.exchange(0, std::memory_order_release), std::memory_order_release);
            mine->updates = 0;
        }
    }
    std::int64_t read_full() {
        std::int64_t sum = shared_.load(std::memory_order_relaxed);
        const std::lock_guard locked{mutex_};
        for (const std::unique_ptr<cache>& each : caches_)
            if (!each->is_reset.load(std::memory_order_acquire)) sum += each->value.load(std::memory_order_relaxed);
        return sum;
    }

private:
    struct cache {
        std::atomic<std::int64_t> value{0};
        std::uint32_t updates = 0;
        std::atomic<bool> is_reset{false};
    };
    struct table {
        std::vector<cache*> caches;
    };
    static table& own_table() {
        static thread_local table own;
        return own;
    }
    [[gnu::noinline]] cache* make(table& of) {
        const std::lock_guard locked{mutex_};
        if (of.caches.size() <= index_) of.caches.resize(index_ + 1);
        caches_.push_back(std::make_unique<cache>());
        return of.caches[index_] = caches_.back().get();
    }

    const unsigned index_;
    std::atomic<std::int64_t> shared_{0};
    std::atomic<std::uint32_t> most_updates_{1000};
    std::mutex mutex_;
    std::vector<std::unique_ptr<cache>> caches_; // of threads that have ended as well
};
inline thread_cached_integer folly_counter{0};

// The SDK of OpenTelemetry, a counter without attributes: a lock around the map from attributes to sums, the sum behind
// a virtual call with a lock of its own, and the value in a variant.
class open_telemetry_sum {
public:
    void add(std::int64_t amount) {
        const std::lock_guard locked{lock_};
        const auto found = sums_.find(0);
        if (found != sums_.end()) [[likely]]
            return found->second->aggregate(amount);
        sums_.emplace(0, std::make_unique<long_sum>()).first->second->aggregate(amount);
    }
    std::int64_t read() {
        const std::lock_guard locked{lock_};
        const auto found = sums_.find(0);
        return found == sums_.end() ? 0 : found->second->point();
    }

private:
    struct aggregation {
        virtual ~aggregation() = default;
        virtual void aggregate(std::int64_t amount) = 0;
        virtual std::int64_t point() = 0;
    };
    struct long_sum : aggregation {
        void aggregate(std::int64_t amount) override {
            const std::lock_guard locked{lock};
            value = std::get<std::int64_t>(value) + amount;
        }
        std::int64_t point() override {
            const std::lock_guard locked{lock};
            return std::get<std::int64_t>(value);
        }
        spin_lock lock;
        std::variant<std::int64_t, double> value = std::int64_t{0};
    };

    spin_lock lock_;
    std::unordered_map<std::size_t, std::unique_ptr<aggregation>> sums_;
};
inline open_telemetry_sum open_telemetry_counter;

// LCI's tools: a table of entries for each thread, and a lock of that thread around the sum, the count, the least and
// the most.
class entries_of_threads {
public:
    void add(unsigned index, std::int64_t amount) {
        if (own_ == nullptr) [[unlikely]]
            make();
        const std::lock_guard locked{own_->lock};
        if (index >= own_->entries.size()) own_->entries.resize(index + 1);
        entry& to = own_->entries[index];
        to.total += amount;
        ++to.count;
        to.least = std::min(to.least, amount);
        to.most = std::max(to.most, amount);
    }
    // Copies the table of each thread, as its reads do.
    std::int64_t read(unsigned index) {
        const std::lock_guard locked{lock_};
        std::int64_t sum = 0;
        for (const std::unique_ptr<table>& each : tables_) {
            const std::lock_guard and_its{each->lock};
            const std::vector<entry> copied = each->entries;
            if (index < copied.size()) sum += copied[index].total;
        }
        return sum;
    }

private:
    struct entry {
        std::int64_t total = 0, count = 0, least = std::numeric_limits<std::int64_t>::max(),
                     most = std::numeric_limits<std::int64_t>::min();
    };
    struct table {
        spin_lock lock;
        std::vector<entry> entries;
    };
    [[gnu::noinline]] void make() {
        const std::lock_guard locked{lock_};
        tables_.push_back(std::make_unique<table>());
        own_ = tables_.back().get();
    }

    static inline thread_local table* own_ = nullptr;
    spin_lock lock_;
    std::vector<std::unique_ptr<table>> tables_;
};
inline entries_of_threads lci_counters;

// UCX: a node for each object, null while statistics are off; threads that share one lose counts.
struct ucx_node {
    std::array<std::uint64_t, 8> counters{};
};
inline ucx_node* volatile ucx_statistics = nullptr;
inline void ucx_count(unsigned index, std::uint64_t amount) {
    ucx_node* const node = ucx_statistics;
    if (amount != 0 && node != nullptr) node->counters[index] += amount;
}

} // namespace models
