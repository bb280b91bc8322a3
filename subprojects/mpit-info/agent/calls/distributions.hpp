// How long the calls of each function took, by communicator and by the size of the message: histograms of durations in
// tables that the threads have, allocated only if a tool asks for them. No lock.
//
//   distributions.begin();   distributions.add(key_of(function::MPI_Send, 1, size_class_of(8)), 8, nanoseconds);
#pragma once

#include "communicators.hpp"

#include <mpit/core/buckets.hpp>

#include <bit>
#include <map>
#include <vector>

namespace mpit_info {

// The buckets of durations in nanoseconds.
inline constexpr mpit::buckets duration_buckets{.scale = 2, .lowest = 6, .highest = 36};

// The class of a message's bytes: 0 and 1 for themselves, n for those above 2^(n - 2) up to 2^(n - 1).
inline constexpr std::uint32_t no_size = 127;
inline std::uint32_t size_class_of(std::uint64_t bytes) noexcept {
    const bool is_power = (bytes & (bytes - 1)) == 0; // 0 too
    return static_cast<std::uint32_t>(std::bit_width(bytes)) + !is_power;
}

// What is told apart. No key is 0.
inline std::uint32_t key_of(function of, std::uint32_t communicator_number, std::uint32_t size_class) noexcept {
    return (static_cast<std::uint32_t>(of) + 1) << 14 | communicator_number << 7 | size_class;
}
inline std::size_t function_of(std::uint32_t key) noexcept { return (key >> 14) - 1; }
inline std::uint32_t communicator_number_of(std::uint32_t key) noexcept { return key >> 7 & 127; }
inline std::uint32_t size_class_in(std::uint32_t key) noexcept { return key & 127; }

struct alignas(64) call_distribution {
    using word = mpit::core::atomic<std::uint64_t>;
    static constexpr std::uint64_t differ = ~std::uint64_t{0};

    word buckets[duration_buckets.count()];
    word nanoseconds, longest;
    word size; // the bytes of all calls and one, 0 before the first call, or `differ`

    // Only one thread writes, with its signal handlers, unless `IsShared`. The bucket is last: who reads it has what was
    // written before it.
    template <bool IsShared> void add(std::uint64_t bytes, std::uint64_t taken) noexcept {
        if (const std::uint64_t known = size.load(mpit::core::relaxed); known != bytes + 1 && known != differ)
            [[unlikely]]
            note_size(bytes);
        if (taken > longest.load(mpit::core::relaxed)) [[unlikely]]
            note_longest(taken);
        word& bucket = buckets[mpit::core::bucket_of<duration_buckets>(taken)];
        if constexpr (IsShared) {
            nanoseconds.fetch_add(taken);
            bucket.fetch_add(1);
        } else {
            nanoseconds.add_as_owner(taken);
            std::atomic_signal_fence(std::memory_order_seq_cst);
            bucket.add_as_owner(1, mpit::core::release);
        }
    }

private:
    [[gnu::cold, gnu::noinline]] void note_size(std::uint64_t bytes) noexcept {
        std::uint64_t known = 0;
        if (!size.compare_exchange(known, bytes + 1) && known != bytes + 1) size.store(differ);
    }
    [[gnu::cold, gnu::noinline]] void note_longest(std::uint64_t taken) noexcept {
        std::uint64_t known = longest.load();
        while (taken > known && !longest.compare_exchange(known, taken)) {}
    }
};
static_assert(sizeof(call_distribution) == 1024);

// The distributions of one thread, or of all threads without a place in the call log. Pages that are not used need no
// memory.
class distribution_table {
public:
    // Further keys are not told apart, but for their functions.
    static constexpr std::size_t most = 256, most_steps = 16;

    template <bool IsShared> void add(std::uint32_t key, std::uint64_t bytes, std::uint64_t taken) noexcept {
        find(key).add<IsShared>(bytes, taken);
    }
    // `visit(key, distribution)`; the key of those that are not told apart has the function alone.
    template <class Visit> void for_each(Visit visit) const {
        for (std::size_t i = 0; i < most; i++)
            if (const std::uint32_t key = keys_[i].load()) visit(key, distributions_[i]);
        for (std::size_t i = 0; i < static_cast<std::size_t>(function::count); i++)
            if (are_others_used_[i].load() != 0) visit(static_cast<std::uint32_t>(i + 1) << 14 | others, others_[i]);
    }
    static constexpr std::uint32_t others = (1 << 14) - 1; // no communicator has this number

private:
    call_distribution& find(std::uint32_t key) noexcept {
        const std::size_t first = key * 0x9e3779b1u >> 24;
        if (keys_[first].load(mpit::core::relaxed) == key) [[likely]]
            return distributions_[first];
        return find_from(first, key);
    }
    [[gnu::noinline]] call_distribution& find_from(std::size_t first, std::uint32_t key) noexcept {
        for (std::size_t step = 0; step < most_steps; step++) {
            const std::size_t place = (first + step) % most;
            std::uint32_t there = keys_[place].load(mpit::core::relaxed);
            if (there == key || (there == 0 && (keys_[place].compare_exchange(there, key) || there == key)))
                return distributions_[place];
        }
        are_others_used_[function_of(key)].store(1);
        return others_[function_of(key)];
    }

    mpit::core::atomic<std::uint32_t> keys_[most];
    mpit::core::atomic<std::uint8_t> are_others_used_[static_cast<std::size_t>(function::count)];
    call_distribution distributions_[most];
    call_distribution others_[static_cast<std::size_t>(function::count)];
};

class call_distributions {
public:
    // The calls that were counted for an earlier tool are not a part of what this one reads.
    void begin() {
        if (shared_ == nullptr) shared_ = made();
        before_ = sums();
        told_.clear();
    }
    bool is_there() const noexcept { return shared_ != nullptr; }
    void add(std::uint32_t key, std::uint64_t bytes, std::uint64_t taken) noexcept {
        if (distribution_table* const own = this_thread_in_log.distributions; own != nullptr) [[likely]]
            own->add<false>(key, bytes, taken);
        else add_without_table(key, bytes, taken);
    }

    // The sum over the threads of one key.
    struct sum {
        std::uint64_t calls = 0, nanoseconds = 0, longest = 0;
        std::uint64_t size = 0; // as that of a distribution
        std::uint64_t buckets[duration_buckets.count()] = {};
    };
    // Those that have changed since the last call, as `visit(key, sum)`; of a sum whose longest call is not known
    // because an earlier tool has counted it, `longest` is 0.
    template <class Visit> void for_each_changed(Visit visit) {
        for (auto& [key, each] : sums()) {
            if (const auto before = before_.find(key); before != before_.end()) {
                each.calls -= before->second.calls;
                each.nanoseconds -= before->second.nanoseconds;
                if (each.longest == before->second.longest) each.longest = 0;
                for (std::size_t i = 0; i < duration_buckets.count(); i++) each.buckets[i] -= before->second.buckets[i];
            }
            if (std::exchange(told_[key], each.calls) != each.calls) visit(key, each);
        }
    }

private:
    static distribution_table* made() noexcept {
        void* const memory = mmap(nullptr, sizeof(distribution_table), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        return memory != MAP_FAILED ? static_cast<distribution_table*>(memory) : nullptr;
    }
    [[gnu::cold, gnu::noinline]] void add_without_table(std::uint32_t key, std::uint64_t bytes,
                                                        std::uint64_t taken) noexcept {
        if (distribution_table* const own = first_table()) own->add<false>(key, bytes, taken);
        else shared_->add<true>(key, bytes, taken);
    }
    // Null without a place in the call log. A thread that has the place of one that has ended continues its table.
    distribution_table* first_table() noexcept {
        const call_thread* const place = this_call_thread();
        if (place == nullptr) return nullptr;
        std::atomic<distribution_table*>& there = tables_[the_call_log.number_of(*place)];
        if (there.load() == nullptr) {
            distribution_table *none = nullptr, *const own = made();
            // A signal handler has made one meanwhile.
            if (!there.compare_exchange_strong(none, own) && own != nullptr) munmap(own, sizeof(distribution_table));
        }
        return this_thread_in_log.distributions = there.load();
    }
    std::map<std::uint32_t, sum> sums() const {
        std::map<std::uint32_t, sum> all;
        const auto add = [&all](std::uint32_t key, const call_distribution& of) {
            sum& to = all[key];
            for (std::size_t i = 0; i < duration_buckets.count(); i++) {
                const std::uint64_t calls = of.buckets[i].load();
                to.buckets[i] += calls;
                to.calls += calls;
            }
            to.nanoseconds += of.nanoseconds.load();
            to.longest = std::max(to.longest, of.longest.load());
            if (const std::uint64_t size = of.size.load(); to.size == 0 || size == 0) to.size = std::max(to.size, size);
            else if (to.size != size) to.size = call_distribution::differ;
        };
        for (const auto& each : tables_)
            if (const distribution_table* const table = each.load()) table->for_each(add);
        if (shared_ != nullptr) shared_->for_each(add);
        return all;
    }

    distribution_table* shared_ = nullptr;
    std::atomic<distribution_table*> tables_[most_call_threads]{};
    std::map<std::uint32_t, sum> before_;
    std::map<std::uint32_t, std::uint64_t> told_; // calls
};

// Not destroyed at the end of the process: a thread may still count in them.
inline call_distributions& distributions = *new call_distributions;

} // namespace mpit_info
