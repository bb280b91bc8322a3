// SPDX-License-Identifier: BSD-3-Clause
// A bounded queue of instances that wait for their delivery. Any thread and any signal handler may add an instance
// without waiting; adding fails if there is no room. One thread at a time takes instances out.
//
//   queue.push(what, key, generation);   if (queue.open()) { while (queued_instance* q = queue.front()) …; queue.close(); }
#pragma once

#include <mpit/concurrency/arena.hpp> // IWYU pragma: export
#include <mpit/concurrency/biased_lock.hpp>
#include <mpit/event/instance.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL internal {

// An instance in the queue; its payload follows.
struct queued_instance {
    std::uint64_t cells; // it takes up; all of them are skipped where `channel` is null
    const event_channel* channel;
    object_key key;
    std::int64_t stamp;
    std::uint32_t generation;

    void* payload() noexcept { return this + 1; }
};

class instance_queue {
public:
    // Positions are counted in cells and never wrap.
    static constexpr std::size_t cell_size = 64;
    static constexpr std::uint64_t cells_for(std::uint32_t payload_size) {
        return (sizeof(queued_instance) + payload_size + cell_size - 1) / cell_size;
    }

    // Room for so many cells, at an address that 8 divides. Called once, before the queue is shared.
    static constexpr std::size_t bytes_for(std::uint64_t cells) { return cells * (cell_size + sizeof(ready_[0])); }
    void use(void* room, std::uint64_t cells) noexcept {
        cells_ = static_cast<char*>(room);
        ready_ = reinterpret_cast<atomic<std::uint64_t>*>(cells_ + cells * cell_size);
        capacity_ = cells;
        limit_.store(cells);
    }
    std::uint64_t capacity() const noexcept { return capacity_; }
    // At most the capacity.
    void limit_to(std::uint64_t cells) noexcept { limit_.store(cells); }
    bool is_empty() const noexcept { return head_.load() == tail_.load(); }

    // Returns false if there is no room, if a thread drops what others add faster than it delivers, or if others, signal
    // handlers too, have added one at each of `most_tries` attempts.
    static constexpr unsigned most_tries = 10'000;
    bool push(const instance& what, object_key key, std::uint32_t generation) noexcept {
        if (capacity_ == 0 || is_draining.load(core::relaxed)) return false;
        const std::uint64_t wanted = cells_for(what.channel->size);
        std::uint64_t first = 0, skipped = 0;
        for (unsigned tries = 0;; tries++) {
            if (tries == most_tries) return false;
            const std::uint64_t head = head_.load(); // before the tail, which is never behind it
            first = tail_.load();
            const std::uint64_t to_the_end = capacity_ - first % capacity_;
            skipped = wanted > to_the_end ? to_the_end : 0;
            if (first + skipped + wanted - head > limit_.load()) {
                if (head_.load() == head) return false;
            } else if (tail_.replace(first, first + skipped + wanted)) {
                break;
            }
        }
        if (skipped != 0) publish(first, skipped, {nullptr, nullptr, 0, {}}, 0, 0);
        publish(first + skipped, wanted, what, key, generation);
        return true;
    }

    // Makes this thread the one that takes out. Returns false if another one does, which checks again after close().
    MPIT_MODULE_LOCAL bool open() noexcept { return taking_.try_lock(); }
    MPIT_MODULE_LOCAL void close() noexcept { taking_.unlock(); }
    // For the owner of a queue that no thread uses.
    void close_for_all() noexcept { taking_.reset(); }
    // Whether it is this thread that has opened it, further out, and how many instances that one has added meanwhile.
    MPIT_MODULE_LOCAL bool is_open_here() const noexcept { return taking_.is_held_here(); }
    atomic<std::uint64_t> added_inside;
    // While a thread empties a queue that others fill faster than it delivers: nothing is to be added.
    atomic<bool> is_draining;

    // Whether there is an instance to take out. May be called after close(), too.
    bool has_first() const noexcept {
        const std::uint64_t head = head_.load();
        // Saves the division if no thread has begun to add an instance.
        return head != tail_.load(core::sequential) && ready_[head % capacity_].load(core::sequential) == head + 1;
    }
    // The oldest instance, or null if there is none or it is still being written. Only between open() and close().
    queued_instance* front() noexcept {
        while (has_first()) {
            queued_instance* first = at(head_.load());
            if (first->channel != nullptr) return first;
            pop(*first);
        }
        return nullptr;
    }
    void pop(queued_instance& first) noexcept { head_.store(head_.load() + first.cells); }

    // Runs `deliver` for an instance that was raised just now and has no place in the queue. Returns false, with nothing done, if another
    // one waits or a thread takes out; otherwise the caller looks afterwards for what was added meanwhile.
    template <class Deliver> [[gnu::always_inline]] bool deliver_at_once(Deliver deliver) noexcept {
        if (!open()) return false;
        forget_added();
        const bool is_first = is_empty();
        if (is_first) deliver();
        close();
        return is_first;
    }

    // Takes out all instances, as long as `may_deliver` says so; another thread that does it already continues with what is left.
    // Threads, signal handlers and callbacks that raise faster than `deliver` returns would keep this thread here: after a full
    // queue and `deepest_nesting` more, the rest goes to `drop`, and nothing is added until the queue is empty.
    template <class May, class Deliver, class Drop>
    MPIT_MODULE_LOCAL void take_all(May may_deliver, Deliver deliver, Drop drop) noexcept {
        std::uint64_t left = capacity_ + deepest_nesting;
        while (!is_empty() && may_deliver() && open()) {
            while (queued_instance* first = front()) {
                if (left != 0) deliver(*first);
                else drop(*first);
                if (left != 0 && --left == 0) is_draining.store(true, core::relaxed);
                pop(*first);
            }
            forget_added();
            close();
            if (!has_first()) break;
            if (left == 0)
                is_draining.store(true, core::relaxed); // another thread has reset it at the end of its own turn
        }
        if (left == 0) is_draining.store(false, core::relaxed);
    }

    // After a fork: drops what threads of the other process were adding, and their right to take out.
    MPIT_MODULE_LOCAL void forget_other_threads() noexcept {
        if (taking_.forget_other_threads()) is_draining.store(false, core::relaxed);
        if (capacity_ == 0) return;
        const std::uint64_t end = tail_.load();
        std::uint64_t begun = head_.load();
        while (begun != end && ready_[begun % capacity_].load() == begun + 1) begun += at(begun)->cells;
        for (std::uint64_t i = begun; i != end; i++) ready_[i % capacity_].store(0);
        tail_.store(begun);
    }

private:
    // A store each time would take the cache line from other threads, which read it.
    void forget_added() noexcept {
        if (added_inside.load(core::relaxed) != 0) added_inside.store(0, core::relaxed);
    }
    queued_instance* at(std::uint64_t position) noexcept {
        return reinterpret_cast<queued_instance*>(cells_ + position % capacity_ * cell_size);
    }
    void publish(std::uint64_t position, std::uint64_t cells, const instance& what, object_key key,
                 std::uint32_t generation) noexcept {
        queued_instance* queued = at(position);
        queued->cells = cells;
        queued->channel = what.channel;
        queued->key = key;
        queued->stamp = what.stamp;
        queued->generation = generation;
        if (what.channel != nullptr) std::memcpy(queued->payload(), what.payload, what.channel->size);
        ready_[position % capacity_].store(position + 1, core::sequential);
    }

    char* cells_ = nullptr;
    atomic<std::uint64_t>* ready_ =
        nullptr; // for each cell: the last position plus 1 at which an instance begins in it
    std::uint64_t capacity_ = 0;
    atomic<std::uint64_t> limit_;
    biased_lock taking_;
    atomic<std::uint64_t> head_;
    atomic<std::uint64_t> tail_;
};

} // namespace internal
} // namespace mpit
