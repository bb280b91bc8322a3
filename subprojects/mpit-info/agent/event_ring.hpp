// Events on their way from the program's threads to the agent's. A thread of the program takes a free place or drops
// the event. It never waits, so a signal, a fork or a cancellation during the call blocks no other thread.
//
//   ring.put([&](happening& what) { what.time = …; });   while (const happening* next = ring.front()) { …; ring.pop(); }
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpit_info {

struct happening {
    static constexpr std::size_t most_elements = 16;

    std::size_t event = 0;
    double time = 0;
    std::uint64_t elements[most_elements]{};
};

class event_ring {
public:
    // Between two samples. A track in a report has no room for more.
    static constexpr std::size_t size = 128;

    event_ring() noexcept {
        for (std::size_t i = 0; i < size; i++) places_[i].turn.store(i, std::memory_order_relaxed);
    }

    // Any number of threads, and their signal handlers. Returns false if all places are taken: then the event is
    // counted.
    template <class Write> bool put(const Write& write) noexcept {
        std::size_t at = end_.load(std::memory_order_relaxed);
        for (;;) {
            place& here = places_[at % size];
            const std::size_t turn = here.turn.load(std::memory_order_acquire);
            if (turn == at && end_.compare_exchange_weak(at, at + 1, std::memory_order_relaxed)) {
                write(here.what);
                here.turn.store(at + 1, std::memory_order_release);
                return true;
            }
            if (turn < at) {
                lost_.fetch_add(1, std::memory_order_relaxed);
                return false;
            }
            if (turn > at) at = end_.load(std::memory_order_relaxed);
        }
    }

    // One thread. The oldest event, or null if it is not whole or not there.
    const happening* front() const noexcept {
        const place& here = places_[begin_ % size];
        return here.turn.load(std::memory_order_acquire) == begin_ + 1 ? &here.what : nullptr;
    }
    void pop() noexcept {
        places_[begin_ % size].turn.store(begin_ + size, std::memory_order_release);
        begin_++;
    }
    // The number of events without a place since the last call.
    std::uint64_t take_lost() noexcept { return lost_.exchange(0, std::memory_order_relaxed); }

private:
    struct place {
        std::atomic<std::size_t> turn; // the number of the event that it is for, or one more when that is whole
        happening what;
    };

    place places_[size];
    std::atomic<std::size_t> end_{0};
    std::size_t begin_ = 0;
    std::atomic<std::uint64_t> lost_{0};
};

} // namespace mpit_info
