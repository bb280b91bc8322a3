// Holds the thread of a rank before it begins a collective operation of MPI_COMM_WORLD, so that a tool changes a control
// variable in all ranks between the same two operations. An MPI may read a variable when it makes a communicator: from
// the change on the operations are those of a new one.
//
//   the_world_gate.hold(9, 10'000, begun);   …   the_world_gate.release(true, begun);   used = the_world_gate.enter(comm);
#pragma once

#include "communicators.hpp"

#include <limits>

namespace mpit_info {

class world_gate {
public:
    // Whether a thread has to ask: false until the first hold().
    bool is_used() const noexcept { return is_used_.load(std::memory_order_relaxed); }
    // A thread of the tool: from now on a thread waits before it begins this operation or a later one, at most so many
    // milliseconds. Returns whether one waits; `begun` is how many operations this rank has begun.
    bool hold(std::uint32_t operation, unsigned milliseconds, std::uint32_t& begun) noexcept {
        const locked here{is_locked_};
        is_used_.store(true);
        from_ = operation;
        until_ = now() + std::uint64_t{milliseconds} * 1'000'000;
        return waits(begun);
    }
    // The threads go on, with a new communicator if one is wanted: then all ranks must have waited before one operation.
    // Returns whether a thread has waited.
    bool release(bool with_new, std::uint32_t& begun) noexcept {
        const locked here{is_locked_};
        const bool has_waited = waits(begun);
        is_new_wanted_ = with_new && has_waited;
        from_ = none;
        return has_waited;
    }
    // A thread of the program that begins an operation in which it may wait for others: returns the communicator to use.
    [[gnu::cold, gnu::noinline]] MPI_Comm enter(MPI_Comm in) noexcept {
        if (in != the_calls.world) return in;
        const communicator* const world = communicators.known(in);
        if (world == nullptr || !world->is_counted || world->logged == nullptr || the_calls.iprobe == nullptr)
            return in;
        const int kept = errno;
        int cancelled = PTHREAD_CANCEL_ENABLE;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
        wait(world->logged->operations + 1);
        pthread_setcancelstate(cancelled, nullptr);
        errno = kept;
        return has_made_ ? made_ : in;
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    class locked {
    public:
        explicit locked(std::atomic_flag& of) noexcept : of_{of} {
            while (of_.test_and_set(std::memory_order_acquire)) sched_yield();
        }
        ~locked() { of_.clear(std::memory_order_release); }
        locked(const locked&) = delete;

    private:
        std::atomic_flag& of_;
    };

    static std::uint64_t now() noexcept {
        timespec time{};
        clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    }
    bool waits(std::uint32_t& begun) const noexcept {
        const communicator* const world = communicators.find(the_calls.world);
        begun = world != nullptr && world->logged != nullptr ? call_thread::load(world->logged->operations) : 0;
        return held_ != 0 && held_ >= from_;
    }
    // Until the tool lets it go on, or the time is over. What others wait for may need calls of this rank to go on.
    void wait(std::uint32_t operation) noexcept {
        while (!may_go_on(operation)) {
            int is_there = 0;
            the_calls.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, the_calls.world, &is_there, MPI_STATUS_IGNORE);
            const timespec pause{0, 100'000};
            nanosleep(&pause, nullptr);
        }
    }
    bool may_go_on(std::uint32_t operation) noexcept {
        bool makes = false;
        {
            const locked here{is_locked_};
            const bool is_held = operation >= from_ && now() < until_;
            held_ = is_held ? operation : 0;
            if (is_held) return false;
            std::swap(makes, is_new_wanted_);
        }
        if (makes) make();
        return true;
    }
    void make() noexcept {
        MPI_Comm made{};
        if (the_calls.comm_split(the_calls.world, 0, 0, &made) != MPI_SUCCESS) return;
        if (has_made_) the_calls.comm_free(&made_);
        made_ = made;
        has_made_ = true;
    }

    std::atomic<bool> is_used_{false};
    std::atomic_flag is_locked_ = ATOMIC_FLAG_INIT;
    std::uint32_t from_ = none, held_ = 0; // the operation before which a thread waits; 0 without one
    std::uint64_t until_ = 0;
    bool is_new_wanted_ = false;
    // Of the threads of the program, which call the operations of one communicator one after the other.
    bool has_made_ = false;
    MPI_Comm made_{};
};

inline world_gate the_world_gate;

} // namespace mpit_info
