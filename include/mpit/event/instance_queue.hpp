// SPDX-License-Identifier: BSD-3-Clause
// A bounded MPSC queue of event instances that wait for delivery. The queue is a ring of cells, and each cell stores a
// position, as in Vyukov's bounded queue. Any thread and any signal handler can add an instance without waiting. push()
// fails if the ring is full. The thread that holds the queue's lock is the consumer, which delivers the instances.
//
//   queue.push(event_instance, key, generation);
//   if (queue.try_lock()) { while (queued_instance* q = queue.front()) { ...; queue.pop(*q); } queue.unlock(); }
#pragma once

#include <mpit/concurrency/arena.hpp> // IWYU pragma: export
#include <mpit/concurrency/biased_lock.hpp>
#include <mpit/event/instance.hpp>

namespace mpit::inline v1_0 {
namespace MPIT_MODULE_LOCAL internal {

// The header of a queued instance. The payload follows the header, and a large payload continues in the next cells.
struct queued_instance {
    atomic<std::uint64_t> begins; // the position of the last instance that began in this cell, plus 1
    std::uint32_t cells;          // number of cells, which the consumer skips if `channel` is null
    std::uint32_t generation;     // generation of the object
    const event_channel* channel;
    object_key key;
    std::int64_t stamp;

    void* payload() noexcept { return this + 1; }
};

// The producers write to other cache lines of the queue than the consumer. A producer reads the consumer's cache line
// only if the producers' copy `cached_head_` shows too little room. Different copies of mpit share a queue, because
// several libraries may raise the event, and a thread in any of these libraries can deliver all instances.
class alignas(64) instance_queue {
public:
    // A position is a number of cells since the creation of the queue. A position has 64 bits, so that it never wraps.
    static constexpr std::size_t cell_size = 64;
    static constexpr std::uint64_t cells_for(std::uint32_t payload_size) {
        return (sizeof(queued_instance) + payload_size + cell_size - 1) / cell_size;
    }

    static constexpr std::size_t bytes_for(std::uint64_t cells) { return cells * cell_size; }
    // Gives the queue memory for `cells` cells, aligned to 8 bytes. Must be called before other threads use the queue.
    void set_memory(void* memory, std::uint64_t cells) noexcept {
        cells_ = static_cast<char*>(memory);
        capacity_ = cells;
        limit_.store(cells);
    }
    std::uint64_t capacity() const noexcept { return capacity_; }
    // Limits the number of cells that may be in use. The limit must not exceed the queue's capacity.
    void set_limit(std::uint64_t cells) noexcept { limit_.store(cells); }
    std::uint64_t limit() const noexcept { return limit_.load(); }
    bool is_empty() const noexcept { return head_.load() == tail_.load(); }

    // Adds an instance to the queue. Returns false if the queue has too little room or if `is_draining` is set. push()
    // also returns false if other threads or signal handlers have added an instance during each of `most_tries` tries.
    static constexpr unsigned most_tries = 10'000;
    bool push(const instance& event_instance, object_key key, std::uint32_t generation) noexcept {
        if (capacity_ == 0 || is_draining.load(core::relaxed)) return false;
        const std::uint64_t cell_count = cells_for(event_instance.channel->size);
        std::uint64_t tail = 0, skipped = 0;
        for (unsigned tries = 0;; tries++) {
            if (tries == most_tries) return false;
            const std::uint64_t head = cached_head_.load(); // before the tail, which is never behind it
            tail = tail_.load();
            const std::uint64_t cells_to_end = capacity_ - tail % capacity_;
            skipped = cell_count > cells_to_end ? cells_to_end : 0;
            if (tail + skipped + cell_count - head > limit_.load()) {
                const std::uint64_t new_head = head_.load();
                if (new_head == head) return false;
                cached_head_.store(new_head);
            } else if (tail_.compare_and_set(tail, tail + skipped + cell_count)) {
                break;
            }
        }
        if (skipped != 0) publish(tail, skipped, {nullptr, nullptr, 0, {}}, 0, 0);
        publish(tail + skipped, cell_count, event_instance, key, generation);
        __builtin_prefetch(at(tail + skipped + cell_count), 1); // front() has fetched the cell to the consumer's cache
        return true;
    }

    // Makes this thread the consumer of the queue. Returns false if another thread is the consumer. A consumer must
    // call has_first() after unlock(), because instances may have been added meanwhile.
    bool try_lock() noexcept { return consumer_lock_.try_lock(); }
    void unlock() noexcept { consumer_lock_.unlock(); }
    // Releases the lock of a queue that no thread uses, even if a thread that has ended still holds the lock.
    void force_unlock() noexcept { consumer_lock_.reset(); }
    // Returns true if an enclosing call in this thread has made the thread the consumer.
    bool is_consumed_here() const noexcept { return consumer_lock_.is_held_by_this_thread(); }

    // Returns true if an instance can be removed. A call of has_first() after unlock() is one side of a Dekker pattern.
    // A producer publishes an instance and then tries to take the lock. The former consumer releases the lock and then
    // loads `begins` of the first cell. Therefore the producer or the former consumer delivers the instance.
    bool has_first() const noexcept {
        const std::uint64_t head = head_.load();
        // If no producer has reserved cells, comparing the head with the tail avoids the division in at().
        return head != tail_.load(core::seq_cst) && is_published(head);
    }
    // Returns the oldest instance of the queue. Returns null if the queue is empty or the oldest instance is not
    // published yet. Only the consumer calls front().
    queued_instance* front() noexcept {
        if (capacity_ == 0) return nullptr;
        while (is_published(head_.load())) {
            queued_instance* first = at(head_.load());
            if (first->channel != nullptr) return first;
            head_.store(head_.load() + first->cells);
        }
        return nullptr;
    }
    // Removes the oldest instance. Only the consumer calls pop(). The store to the head pairs with the load in push().
    void pop(queued_instance& first) noexcept {
        const std::uint64_t begin = head_.load(), end = begin + first.cells;
        // Clears the payload words that is_published() could mistake for positions when the cells are reused.
        for (std::uint64_t i = begin + 1; i != end; i++) at(i)->begins.store(0, core::relaxed);
        head_.store(end);
    }

    // Delivers an instance without adding it to the queue. Makes this thread the consumer. If the queue contains
    // instances, calls `deliver_waiting`. If the queue is empty after that, calls `deliver`. Returns false if `deliver`
    // was not called, because another thread is the consumer or an instance is not published yet. After
    // deliver_at_once() has returned true, the caller must call has_first().
    template <class Take, class Deliver>
    [[gnu::always_inline]] bool deliver_at_once(Take deliver_waiting, Deliver deliver) {
        if (!try_lock()) return false;
        const unlock_guard guard{*this};
        reset_added_inside();
        if (!is_empty()) [[unlikely]]
            deliver_waiting();
        const bool was_empty = is_empty();
        if (was_empty) deliver();
        return was_empty;
    }

    // Removes and delivers all instances of the queue while `to.may_deliver()` returns true. If another thread is the
    // consumer, that thread delivers the instances instead. If producers raise events faster than
    // `to.deliver(instance)` returns, this thread could be busy forever. After delivery_limit() instances, this thread
    // therefore calls `to.drop(instance)` for the remaining instances. While this thread drops instances, push() fails.
    template <class Receiver> void take_all(const Receiver& to) {
        std::uint64_t remaining = delivery_limit();
        while (to.may_deliver() && try_lock()) {
            take_all_and_close(remaining, to);
            if (!has_first()) break;
            if (remaining == 0) is_draining.store(true, core::relaxed); // another consumer may have cleared the flag
        }
        if (remaining == 0) is_draining.store(false, core::relaxed);
    }
    // Delivers all instances like take_all(), in a thread that already is the consumer of the queue.
    template <class Receiver> void consume(const Receiver& to) {
        std::uint64_t remaining = delivery_limit();
        consume(remaining, to);
        if (remaining == 0) is_draining.store(false, core::relaxed);
    }
    // Unlocks the queue at the end of a block, even if an exception or pthread_exit() leaves a callback.
    class unlock_guard {
    public:
        explicit unlock_guard(instance_queue& locked_queue) noexcept : queue_{locked_queue} {}
        ~unlock_guard() { queue_.unlock(); }
        unlock_guard(const unlock_guard&) = delete;
        unlock_guard& operator=(const unlock_guard&) = delete;

    private:
        instance_queue& queue_;
    };

    // In the child of a fork, discards the instances that other threads of the parent were adding. Releases the lock if
    // another thread of the parent held the lock.
    void reset_other_threads() noexcept {
        if (consumer_lock_.reset_other_threads()) is_draining.store(false, core::relaxed);
        if (capacity_ == 0) return;
        const std::uint64_t tail = tail_.load();
        std::uint64_t published_end = head_.load();
        while (published_end != tail && is_published(published_end)) published_end += at(published_end)->cells;
        for (std::uint64_t i = published_end; i != tail; i++) at(i)->begins.store(0);
        tail_.store(published_end);
    }

private:
    std::uint64_t delivery_limit() const noexcept { return capacity_ + core::max_nesting; }
    template <class Receiver> void take_all_and_close(std::uint64_t& remaining, const Receiver& to) {
        const unlock_guard guard{*this};
        consume(remaining, to);
        reset_added_inside();
    }
    // pop_guard removes an instance even if the instance's callback throws an exception. This thread calls no callback
    // while `is_draining` is set, so that no exception leaves the flag set.
    template <class Receiver> [[gnu::noinline]] void consume(std::uint64_t& remaining, const Receiver& to) {
        struct pop_guard {
            instance_queue& queue;
            queued_instance& first;
            ~pop_guard() { queue.pop(first); }
        };
        for (queued_instance* first = front(); first != nullptr;
             first = remaining > core::max_nesting ? front_or_retry() : front()) {
            const pop_guard guard{*this, *first};
            if (remaining != 0) to.deliver(*first);
            else to.drop(*first);
            if (remaining != 0 && --remaining == 0) is_draining.store(true, core::relaxed);
        }
    }
    // While several threads raise events, calls front() twice, so that this thread also delivers an instance that is
    // added meanwhile. Shortly before it drops instances, consume() calls front() and not front_or_retry().
    queued_instance* front_or_retry() noexcept {
        queued_instance* first = front();
        if (first != nullptr || !consumer_lock_.is_bias_revoked()) return first;
        core::spin_pause();
        return front();
    }
    // Stores 0 only if the counter is not 0, because a store would take the cache line away from the producers.
    void reset_added_inside() noexcept {
        if (nested_additions.load(core::relaxed) != 0) nested_additions.store(0, core::relaxed);
    }
    queued_instance* at(std::uint64_t position) const noexcept {
        return reinterpret_cast<queued_instance*>(cells_ + position % capacity_ * cell_size);
    }
    bool is_published(std::uint64_t position) const noexcept {
        return at(position)->begins.load(core::seq_cst) == position + 1;
    }
    // The store to `begins` publishes the instance, and pairs with the load in is_published().
    void publish(std::uint64_t position, std::uint64_t cells, const instance& event_instance, object_key key,
                 std::uint32_t generation) noexcept {
        queued_instance* queued = at(position);
        queued->cells = static_cast<std::uint32_t>(cells);
        queued->generation = generation;
        queued->channel = event_instance.channel;
        queued->key = key;
        queued->stamp = event_instance.stamp;
        if (event_instance.channel != nullptr)
            copy_payload(*queued, static_cast<const char*>(event_instance.payload), event_instance.channel->size);
        queued->begins.store(position + 1, core::seq_cst);
    }
    // The first word of each cell is stored atomically, because has_first() in another thread may load it meanwhile.
    static void copy_payload(queued_instance& queued, const char* payload, std::size_t size) noexcept {
        constexpr std::size_t first_size = cell_size - sizeof(queued_instance), word_size = sizeof(std::uint64_t);
        if (size <= first_size) [[likely]] {
            std::memcpy(queued.payload(), payload, size);
            return;
        }
        std::memcpy(queued.payload(), payload, first_size);
        char* cell = reinterpret_cast<char*>(&queued);
        for (std::size_t copied = first_size; copied < size; copied += cell_size) {
            cell += cell_size;
            std::uint64_t word = 0;
            const std::size_t remaining = size - copied;
            std::memcpy(&word, payload + copied, remaining < word_size ? remaining : word_size);
            reinterpret_cast<queued_instance*>(cell)->begins.store(word, core::relaxed);
            if (remaining > word_size)
                std::memcpy(cell + word_size, payload + copied + word_size,
                            (remaining < cell_size ? remaining : cell_size) - word_size);
        }
    }

    char* cells_ = nullptr;
    std::uint64_t capacity_ = 0;
    atomic<std::uint64_t> limit_; // number of cells that may be in use

public:
    // True while the consumer drops instances, because producers have added instances faster than the consumer
    // delivers. While `is_draining` is true, push() fails.
    atomic<bool> is_draining;
    core::spare_words<2> spare;

private:
    alignas(64) core::biased_lock consumer_lock_; // held by the consumer
    alignas(64) atomic<std::uint64_t> head_;      // first member of the cache line that the consumer writes

public:
    atomic<std::uint64_t> nested_additions; // number of instances that the consumer's callbacks have added
    atomic<std::int64_t> last_stamp;        // stamp of the last delivered instance of an ordered source

private:
    alignas(64) atomic<std::uint64_t> tail_; // position of the end of the reserved cells
    atomic<std::uint64_t> cached_head_;      // copy of the head for producers, possibly out of date
};

} // namespace internal
} // namespace mpit
