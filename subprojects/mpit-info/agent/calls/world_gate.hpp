// Holds the thread of a rank before it begins a collective operation of MPI_COMM_WORLD, so that a tool changes a control
// variable in all ranks between the same two operations. An MPI may read a variable when it makes a communicator: from
// the change on the operations are those of a new one.
//
//   the_world_gate.hold(9, 10'000, false, begun);   …   the_world_gate.hold(9, 10'000, true, begun);
//   the_world_gate.release(true, begun);   used = the_world_gate.enter(comm);
#pragma once

#include "communicators.hpp"

#include <utility>

namespace mpit_info {

class world_gate {
public:
    // Whether a thread has to ask: false until the first hold().
    bool is_used() const noexcept { return is_used_.load(std::memory_order_relaxed); }
    // A thread of the tool: from now on a thread waits before it begins this operation or a later one, at most so many
    // milliseconds. Returns whether one waits; `begun` is how many operations this rank has begun. If one waits before
    // this very operation, with_new is kept: it goes on with a new communicator, also when its time is over. The caller
    // ensures that all ranks wait before one operation; otherwise the ranks block each other. Until the thread has gone
    // on, a later hold() changes nothing and returns false.
    bool hold(std::uint32_t operation, unsigned milliseconds, bool with_new, std::uint32_t& begun) noexcept {
        const locked here{is_locked_};
        begun = begun_here();
        if (is_new_wanted_) return false;
        is_used_.store(true);
        from_ = operation;
        until_ = now() + std::uint64_t{milliseconds} * 1'000'000;
        is_new_wanted_ = with_new && held_ == operation;
        return with_new ? is_new_wanted_ : held_ >= operation;
    }
    // The threads go on, with_new: in a new communicator, as after hold(). Without it none is wanted any more, unless the
    // time is over or the threads have been released already. Returns whether a thread has waited.
    bool release(bool with_new, std::uint32_t& begun) noexcept {
        const locked here{is_locked_};
        begun = begun_here();
        const bool has_waited = held_ != 0 && held_ >= from_;
        if (with_new ? has_waited : now() < until_) is_new_wanted_ = with_new;
        until_ = 0;
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
    static std::uint32_t begun_here() noexcept {
        const communicator* const world = communicators.find(the_calls.world);
        return world != nullptr && world->logged != nullptr ? call_thread::load(world->logged->operations) : 0;
    }
    // Calls a function without the error handler of the program for MPI_COMM_WORLD, which may be fatal or throw.
    template <class Call> static int without_handler(Call call) noexcept {
        MPI_Errhandler of_program{};
        int code = the_calls.comm_get_errhandler(the_calls.world, &of_program);
        if (code != MPI_SUCCESS) return code;
        the_calls.comm_set_errhandler(the_calls.world, the_calls.errors_return);
        code = call();
        the_calls.comm_set_errhandler(the_calls.world, of_program);
        the_calls.errhandler_free(&of_program);
        return code;
    }
    // Until the tool lets it go on, or the time is over. What others wait for may need calls of this rank to go on.
    void wait(std::uint32_t operation) noexcept {
        while (!may_go_on(operation)) {
            without_handler([] {
                int is_there = 0;
                return the_calls.iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, the_calls.world, &is_there, MPI_STATUS_IGNORE);
            });
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
    // The ranks agree on the context of the new communicator: a lack of contexts is an error in all of them, and all go
    // on with the communicator that they have. An error in some of them, such as a lack of memory, blocks the ranks.
    // The new one inherits MPI_ERRORS_RETURN.
    void make() noexcept {
        MPI_Comm made{};
        if (without_handler([&made] { return the_calls.comm_split(the_calls.world, 0, 0, &made); }) != MPI_SUCCESS)
            return;
        if (has_made_) the_calls.comm_free(&made_);
        made_ = made;
        has_made_ = true;
    }

    std::atomic<bool> is_used_{false};
    std::atomic_flag is_locked_ = ATOMIC_FLAG_INIT;
    std::uint32_t from_ = 0, held_ = 0; // the operation before which a thread waits; 0 without one
    std::uint64_t until_ = 0;
    bool is_new_wanted_ = false;
    // Of the threads of the program. They need no lock: MPI forbids two blocking collective operations at once in one
    // communicator.
    bool has_made_ = false;
    MPI_Comm made_{};
};

inline world_gate the_world_gate;

} // namespace mpit_info
