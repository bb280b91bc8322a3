// SPDX-License-Identifier: BSD-3-Clause
// A bounded MPSC queue of instances that wait for their delivery: a ring of cells with a position in each, as in
// Vyukov's bounded queue. Any thread and any signal handler can add an instance without waiting; adding fails if the
// ring is full. The thread that has opened the queue is its consumer.
//
//   queue.push(event_instance, key, generation);
//   if (queue.try_lock()) { while (queued_instance* q = queue.front()) { ...; queue.pop(*q); } queue.unlock(); }
#pragma once

#include <mpit/concurrency/arena.hpp> // IWYU pragma: export
#include <mpit/concurrency/biased_lock.hpp>
#include <mpit/event/instance.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// An instance in the queue. Its payload follows, and continues in the next cells if it is large.
struct queued_instance {
    atomic<std::uint64_t> begins; // the position of the last instance that began in this cell, plus 1
    std::uint32_t cells;          // the number of cells; the consumer skips them if `channel` is null
    std::uint32_t generation;     // of the object
    const event_channel* channel;
    object_key key;
    std::int64_t stamp;

    void* payload() noexcept { return this + 1; }
};

// Producers and the consumer write different cache lines; a producer reads the consumer's line only if its own copy of
// the head shows no room. Shared, because several libraries may raise the event, and each can deliver for all.
class alignas(64) instance_queue {
public:
    // Positions count cells, and never wrap.
    static constexpr std::size_t cell_size = 64;
    static constexpr std::uint64_t cells_for(std::uint32_t payload_size) {
        return (sizeof(queued_instance) + payload_size + cell_size - 1) / cell_size;
    }

    static constexpr std::size_t bytes_for(std::uint64_t cells) { return cells * cell_size; }
    // Gives the queue its memory, for `cells` cells, aligned to 8 bytes. Called once, before the queue is shared.
    void set_memory(void* memory, std::uint64_t cells) noexcept {
        cells_ = static_cast<char*>(memory);
        capacity_ = cells;
        limit_.store(cells);
    }
    std::uint64_t capacity() const noexcept { return capacity_; }
    // Sets how many cells may be in use, at most the capacity.
    void set_limit(std::uint64_t cells) noexcept { limit_.store(cells); }
    std::uint64_t limit() const noexcept { return limit_.load(); }
    bool is_empty() const noexcept { return head_.load() == tail_.load(); }

    // Adds an instance. Returns false if there is not enough room, while a consumer drains the queue, or if other
    // threads or signal handlers have added an instance during each of `most_tries` tries.
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
        __builtin_prefetch(at(tail + skipped + cell_count), 1); // the consumer has read the cell in front()
        return true;
    }

    // Makes this thread the consumer. Returns false if another thread is: it calls has_first() after its unlock().
    bool try_lock() noexcept { return consumer_lock_.try_lock(); }
    void unlock() noexcept { consumer_lock_.unlock(); }
    // For the owner of a queue that no thread uses.
    void force_unlock() noexcept { consumer_lock_.reset(); }
    // True if this thread is the consumer, in a call that encloses the present one.
    bool is_consumed_here() const noexcept { return consumer_lock_.is_held_by_this_thread(); }

    // True if an instance can be taken out. After unlock() it is one side of a Dekker pattern: a producer publishes and
    // then tries the lock, the former consumer releases the lock and then loads `begins`. One of them delivers.
    bool has_first() const noexcept {
        const std::uint64_t head = head_.load();
        // The comparison saves the division of at() if no producer has reserved cells.
        return head != tail_.load(core::seq_cst) && is_published(head);
    }
    // Returns the oldest instance; null if the queue is empty, or if that is not published yet. For the consumer.
    queued_instance* front() noexcept {
        if (capacity_ == 0) return nullptr;
        while (is_published(head_.load())) {
            queued_instance* first = at(head_.load());
            if (first->channel != nullptr) return first;
            head_.store(head_.load() + first->cells);
        }
        return nullptr;
    }
    // Removes the oldest instance; its store to the head pairs with the load in push(). For the consumer.
    void pop(queued_instance& first) noexcept {
        const std::uint64_t begin = head_.load(), end = begin + first.cells;
        // Words of the payload must not be read as positions when instances begin in these cells.
        for (std::uint64_t i = begin + 1; i != end; i++) at(i)->begins.store(0, core::relaxed);
        head_.store(end);
    }

    // Delivers an instance without adding it: makes this thread the consumer, calls `deliver_waiting` if instances are
    // in the queue, then `deliver` if the queue is empty. Returns false if `deliver` was not called: another thread is
    // the consumer, or an instance is not published yet. After true the caller has to call has_first().
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

    // Takes out all instances while `to.may_deliver()`; if another thread is the consumer, that thread takes them out.
    // Threads, signal handlers and callbacks that raise faster than `to.deliver(instance)` returns could keep this
    // thread here forever: after the capacity and `max_nesting` more instances, it calls `to.drop(instance)` for
    // the others, and nothing is added until the queue is empty.
    template <class Receiver> void take_all(const Receiver& to) {
        std::uint64_t remaining = delivery_limit();
        while (to.may_deliver() && try_lock()) {
            take_all_and_close(remaining, to);
            if (!has_first()) break;
            if (remaining == 0) is_draining.store(true, core::relaxed); // another consumer has reset it at its own end
        }
        if (remaining == 0) is_draining.store(false, core::relaxed);
    }
    // As take_all(), for the consumer.
    template <class Receiver> void consume(const Receiver& to) {
        std::uint64_t remaining = delivery_limit();
        consume(remaining, to);
        if (remaining == 0) is_draining.store(false, core::relaxed);
    }
    // Closes the queue at the end of a block, also if an exception or the end of the thread leaves a callback.
    class unlock_guard {
    public:
        explicit unlock_guard(instance_queue& locked_queue) noexcept : queue_{locked_queue} {}
        ~unlock_guard() { queue_.unlock(); }
        unlock_guard(const unlock_guard&) = delete;
        unlock_guard& operator=(const unlock_guard&) = delete;

    private:
        instance_queue& queue_;
    };

    // In the child of a fork: discards the instances that threads of the parent were adding, and their lock.
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
    // An exception of a callback removes its instance, too. No callback is called between the stores to `is_draining`.
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
    // While several threads raise, a second front() is faster than another thread, which has to take the lock first.
    // The caller stops this after a full queue, before it would have to drop instances.
    queued_instance* front_or_retry() noexcept {
        queued_instance* first = front();
        if (first != nullptr || !consumer_lock_.is_bias_revoked()) return first;
        core::spin_pause();
        return front();
    }
    // Without the load, each call would take the cache line from producers, which read it.
    void reset_added_inside() noexcept {
        if (nested_additions.load(core::relaxed) != 0) nested_additions.store(0, core::relaxed);
    }
    queued_instance* at(std::uint64_t position) const noexcept {
        return reinterpret_cast<queued_instance*>(cells_ + position % capacity_ * cell_size);
    }
    bool is_published(std::uint64_t position) const noexcept {
        return at(position)->begins.load(core::seq_cst) == position + 1;
    }
    // The store to `begins` pairs with the load in is_published().
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
    // The first word of each cell is atomic, because has_first() of another thread may read it meanwhile.
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
    atomic<std::uint64_t> limit_; // the cells that may be in use

public:
    // True while the consumer drops what producers add faster than it delivers. Then push() fails.
    atomic<bool> is_draining;
    core::spare_words<2> spare;

private:
    alignas(64) core::biased_lock consumer_lock_; // held by the consumer
    alignas(64) atomic<std::uint64_t> head_;      // the consumer writes the cache line that begins here

public:
    atomic<std::uint64_t>
        nested_additions;            // instances that callbacks of the consumer have added while it is the consumer
    atomic<std::int64_t> last_stamp; // the last delivered one, of an ordered source

private:
    alignas(64) atomic<std::uint64_t> tail_; // the end of the reserved cells
    atomic<std::uint64_t> cached_head_;      // a copy of the head for producers, possibly an old one
};

} // namespace internal
} // namespace mpit
