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

// An instance in the queue; its payload follows, into further cells if it is large.
struct queued_instance {
    atomic<std::uint64_t> begins; // the last position plus 1 at which an instance begins in this cell
    std::uint32_t cells;          // it takes up; all of them are skipped where `channel` is null
    std::uint32_t generation;     // of the object
    const event_channel* channel;
    object_key key;
    std::int64_t stamp;

    void* payload() noexcept { return this + 1; }
};

// Threads that add and the one that takes out write different cache lines, and meet in the cells. A thread that adds
// reads the other's line only if its own shows no room. Shared, because several copies may raise the event, and any of
// them takes out what another one has added.
class alignas(64) instance_queue {
public:
    // Positions are counted in cells and never wrap.
    static constexpr std::size_t cell_size = 64;
    static constexpr std::uint64_t cells_for(std::uint32_t payload_size) {
        return (sizeof(queued_instance) + payload_size + cell_size - 1) / cell_size;
    }

    // Room for so many cells, at an address that 8 divides. Called once, before the queue is shared.
    static constexpr std::size_t bytes_for(std::uint64_t cells) { return cells * cell_size; }
    void use(void* room, std::uint64_t cells) noexcept {
        cells_ = static_cast<char*>(room);
        capacity_ = cells;
        limit_.store(cells);
    }
    std::uint64_t capacity() const noexcept { return capacity_; }
    // At most the capacity.
    void limit_to(std::uint64_t cells) noexcept { limit_.store(cells); }
    std::uint64_t limit() const noexcept { return limit_.load(); }
    bool is_empty() const noexcept { return head_.load() == tail_.load(); }

    // Returns false if there is no room, if a thread drops what others add faster than it delivers, or if others,
    // signal handlers too, have added one at each of `most_tries` attempts.
    static constexpr unsigned most_tries = 10'000;
    bool push(const instance& what, object_key key, std::uint32_t generation) noexcept {
        if (capacity_ == 0 || is_draining.load(core::relaxed)) return false;
        const std::uint64_t wanted = cells_for(what.channel->size);
        std::uint64_t first = 0, skipped = 0;
        for (unsigned tries = 0;; tries++) {
            if (tries == most_tries) return false;
            const std::uint64_t head = seen_head_.load(); // before the tail, which is never behind it
            first = tail_.load();
            const std::uint64_t to_the_end = capacity_ - first % capacity_;
            skipped = wanted > to_the_end ? to_the_end : 0;
            if (first + skipped + wanted - head > limit_.load()) {
                const std::uint64_t moved = head_.load();
                if (moved == head) return false;
                seen_head_.store(moved);
            } else if (tail_.replace(first, first + skipped + wanted)) {
                break;
            }
        }
        if (skipped != 0) publish(first, skipped, {nullptr, nullptr, 0, {}}, 0, 0);
        publish(first + skipped, wanted, what, key, generation);
        __builtin_prefetch(at(first + skipped + wanted), 1); // the thread that takes out has read the cell
        return true;
    }

    // Makes this thread the one that takes out. Returns false if another one does, which checks again after close().
    bool open() noexcept { return taking_.try_lock(); }
    void close() noexcept { taking_.unlock(); }
    // For the owner of a queue that no thread uses.
    void close_for_all() noexcept { taking_.reset(); }
    // Whether it is this thread that has opened it, further out.
    bool is_open_here() const noexcept { return taking_.is_held_here(); }

    // Whether there is an instance to take out. May be called after close(), too.
    bool has_first() const noexcept {
        const std::uint64_t head = head_.load();
        // Saves the division if no thread has begun to add an instance.
        return head != tail_.load(core::sequential) && is_whole(head);
    }
    // The oldest instance, or null if there is none or it is still being written. Only between open() and close().
    queued_instance* front() noexcept {
        if (capacity_ == 0) return nullptr;
        while (is_whole(head_.load())) {
            queued_instance* first = at(head_.load());
            if (first->channel != nullptr) return first;
            head_.store(head_.load() + first->cells);
        }
        return nullptr;
    }
    void pop(queued_instance& first) noexcept {
        const std::uint64_t begin = head_.load(), end = begin + first.cells;
        // Of its payload no word is to be taken for the begin of an instance.
        for (std::uint64_t i = begin + 1; i != end; i++) at(i)->begins.store(0, core::relaxed);
        head_.store(end);
    }

    // Runs `deliver` for an instance that was raised just now and has no place in the queue, after `take_waiting` if
    // others wait. Returns false, without `deliver`, if another one is being added or a thread takes out; otherwise the
    // caller looks afterwards for what was added meanwhile.
    template <class Take, class Deliver>
    [[gnu::always_inline]] bool deliver_at_once(Take take_waiting, Deliver deliver) {
        if (!open()) return false;
        const turn closes{*this};
        forget_added();
        if (!is_empty()) [[unlikely]]
            take_waiting();
        const bool is_first = is_empty();
        if (is_first) deliver();
        return is_first;
    }

    // Takes out all instances, as long as `to.may_deliver()`; another thread that does it already continues with what
    // is left. Threads, signal handlers and callbacks that raise faster than `to.deliver(instance)` returns would keep
    // this thread here: after a full queue and `deepest_nesting` more, it calls `to.drop(instance)` for the rest, and
    // nothing is added until the queue is empty.
    template <class Receiver> void take_all(const Receiver& to) {
        std::uint64_t left = most_at_once();
        while (to.may_deliver() && open()) {
            take_turn(left, to);
            if (!has_first()) break;
            if (left == 0)
                is_draining.store(true, core::relaxed); // another thread has reset it at the end of its own turn
        }
        if (left == 0) is_draining.store(false, core::relaxed);
    }
    // The same between open() and close().
    template <class Receiver> void take_waiting(const Receiver& to) {
        std::uint64_t left = most_at_once();
        take_waiting(left, to);
        if (left == 0) is_draining.store(false, core::relaxed);
    }
    // Closes the queue at the end of a block, also where a callback is left by an exception, or its thread ends there.
    class turn {
    public:
        explicit turn(instance_queue& opened) noexcept : queue_{opened} {}
        ~turn() { queue_.close(); }
        turn(const turn&) = delete;
        turn& operator=(const turn&) = delete;

    private:
        instance_queue& queue_;
    };

    // After a fork: drops what threads of the other process were adding, and their right to take out.
    void forget_other_threads() noexcept {
        if (taking_.forget_other_threads()) is_draining.store(false, core::relaxed);
        if (capacity_ == 0) return;
        const std::uint64_t end = tail_.load();
        std::uint64_t begun = head_.load();
        while (begun != end && is_whole(begun)) begun += at(begun)->cells;
        for (std::uint64_t i = begun; i != end; i++) at(i)->begins.store(0);
        tail_.store(begun);
    }

private:
    std::uint64_t most_at_once() const noexcept { return capacity_ + core::deepest_nesting; }
    template <class Receiver> void take_turn(std::uint64_t& left, const Receiver& to) {
        const turn closes{*this};
        take_waiting(left, to);
        forget_added();
    }
    // An instance is taken out even if its callback is left by an exception. No callback runs between the first store
    // to `is_draining` and the last one.
    template <class Receiver> [[gnu::noinline]] void take_waiting(std::uint64_t& left, const Receiver& to) {
        struct taking_out {
            instance_queue& queue;
            queued_instance& first;
            ~taking_out() { queue.pop(first); }
        };
        for (queued_instance* first = front(); first != nullptr;
             first = left > core::deepest_nesting ? front_soon() : front()) {
            const taking_out one{*this, *first};
            if (left != 0) to.deliver(*first);
            else to.drop(*first);
            if (left != 0 && --left == 0) is_draining.store(true, core::relaxed);
        }
    }
    // Where several threads raise, it is quicker to look again than to leave the next instance to a thread that has to
    // take the lock. Not for ever: a thread that has taken out a full queue leaves when the queue is empty, before the
    // rest would be dropped.
    queued_instance* front_soon() noexcept {
        queued_instance* next = front();
        if (next != nullptr || !taking_.is_shared()) return next;
        core::relax_processor();
        return front();
    }
    // A store each time would take the cache line from other threads, which read it.
    void forget_added() noexcept {
        if (added_inside.load(core::relaxed) != 0) added_inside.store(0, core::relaxed);
    }
    queued_instance* at(std::uint64_t position) const noexcept {
        return reinterpret_cast<queued_instance*>(cells_ + position % capacity_ * cell_size);
    }
    bool is_whole(std::uint64_t position) const noexcept {
        return at(position)->begins.load(core::sequential) == position + 1;
    }
    void publish(std::uint64_t position, std::uint64_t cells, const instance& what, object_key key,
                 std::uint32_t generation) noexcept {
        queued_instance* queued = at(position);
        queued->cells = static_cast<std::uint32_t>(cells);
        queued->generation = generation;
        queued->channel = what.channel;
        queued->key = key;
        queued->stamp = what.stamp;
        if (what.channel != nullptr) copy_payload(*queued, static_cast<const char*>(what.payload), what.channel->size);
        queued->begins.store(position + 1, core::sequential);
    }
    // has_first() of another thread may read the first word of any cell meanwhile.
    static void copy_payload(queued_instance& queued, const char* payload, std::size_t size) noexcept {
        constexpr std::size_t in_first = cell_size - sizeof(queued_instance), word = sizeof(std::uint64_t);
        if (size <= in_first) [[likely]] {
            std::memcpy(queued.payload(), payload, size);
            return;
        }
        std::memcpy(queued.payload(), payload, in_first);
        char* to = reinterpret_cast<char*>(&queued);
        for (std::size_t done = in_first; done < size; done += cell_size) {
            to += cell_size;
            std::uint64_t first = 0;
            const std::size_t left = size - done;
            std::memcpy(&first, payload + done, left < word ? left : word);
            reinterpret_cast<queued_instance*>(to)->begins.store(first, core::relaxed);
            if (left > word)
                std::memcpy(to + word, payload + done + word, (left < cell_size ? left : cell_size) - word);
        }
    }

    char* cells_ = nullptr;
    std::uint64_t capacity_ = 0;
    atomic<std::uint64_t> limit_; // of cells that wait

public:
    // While a thread empties a queue that others fill faster than it delivers: nothing is to be added.
    atomic<bool> is_draining;
    core::spare_words<2> spare;

private:
    alignas(64) core::biased_lock taking_;
    alignas(64) atomic<std::uint64_t> head_; // what the thread that takes out writes begins here

public:
    atomic<std::uint64_t> added_inside; // instances that this thread has added meanwhile
    atomic<std::int64_t> last_stamp;    // that was delivered, of an ordered source

private:
    alignas(64) atomic<std::uint64_t> tail_;
    atomic<std::uint64_t> seen_head_; // by a thread that adds: the head a moment ago
};

} // namespace internal
} // namespace mpit
