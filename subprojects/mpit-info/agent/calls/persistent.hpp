// The persistent requests of a program: what each of them transfers whenever it is started. A look-up takes no lock.
//
//   persistent.add(request, {bytes, in, peer});   if (const auto* each = persistent.find(request)) total += each->bytes;
#pragma once

#include "communicators.hpp"

namespace mpit_info {

struct persistent_transfer {
    std::uint64_t bytes;
    const communicator* to; // null for a receive
    int peer;
};

class persistent_requests {
public:
    // Requests without a place are not counted.
    static constexpr std::size_t most = 4096, most_steps = 64;

    // After the MPI has made the request.
    void add(std::uint64_t request, const persistent_transfer& of) noexcept {
        while (is_locked_.test_and_set(std::memory_order_acquire)) sched_yield();
        for (std::size_t step = 0; step < most_steps; step++) {
            place& each = at(request, step);
            const std::uint64_t there = each.request.load(std::memory_order_relaxed);
            if (there != 0 && there != request) continue;
            each.of = of;
            each.request.store(request, std::memory_order_release); // with the load in find()
            break;
        }
        is_locked_.clear(std::memory_order_release);
    }
    // Before the MPI frees the request: the next one with its handle may be of a collective, which is not counted.
    void forget(std::uint64_t request) noexcept {
        if (find(request) == nullptr) return;
        while (is_locked_.test_and_set(std::memory_order_acquire)) sched_yield();
        for (std::size_t step = 0; step < most_steps; step++)
            if (at(request, step).request.load(std::memory_order_relaxed) == request) at(request, step).of = {};
        is_locked_.clear(std::memory_order_release);
    }
    // Null for one that is not known.
    const persistent_transfer* find(std::uint64_t request) const noexcept {
        for (std::size_t step = 0; step < most_steps; step++) {
            const place& each = at(request, step);
            const std::uint64_t there = each.request.load(std::memory_order_acquire);
            if (there == request) return &each.of;
            if (there == 0) return nullptr;
        }
        return nullptr;
    }

private:
    struct place {
        std::atomic<std::uint64_t> request{0};
        persistent_transfer of{};
    };
    // Handles are addresses of objects of one size, or numbers in turn.
    static std::size_t index(std::uint64_t request, std::size_t step) noexcept {
        return (static_cast<std::size_t>(request * 0x9e3779b97f4a7c15 >> 52) + step) % most;
    }
    const place& at(std::uint64_t request, std::size_t step) const noexcept { return places_[index(request, step)]; }
    place& at(std::uint64_t request, std::size_t step) noexcept { return places_[index(request, step)]; }

    std::atomic_flag is_locked_ = ATOMIC_FLAG_INIT;
    place places_[most];
};

inline persistent_requests persistent;

} // namespace mpit_info
