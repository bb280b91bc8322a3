// The message engine: a queue of posted receives and a queue of unexpected messages. An unexpected
// message that is eager is copied into a buffer, and its sender is done at once; any other leaves an announcement, and
// its sender is done when a receiver has fetched it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mini {

// The key by which messages are matched. Only a receive may hold MPI_ANY_SOURCE and MPI_ANY_TAG.
struct envelope {
    int context = 0;
    int source = 0;
    int tag = 0;
};

// When a send was called, in nanoseconds, and its communicator; 0 while no tool reads a latency.
struct departure {
    std::uint64_t time = 0;
    MPI_Comm comm = nullptr;
};

// The arguments of an operation, and its result when it is complete.
struct transfer {
    envelope label;
    const std::byte* send_from = nullptr;
    std::byte* receive_into = nullptr;
    std::size_t bytes = 0; // of a send the message's length; of a receive the room, and later what came
    MPI_Errhandler handler = nullptr;
    departure departed{}; // of a send
    int error = MPI_SUCCESS;
};

// One send or receive under way. It belongs to the waiting thread: in a blocking call it lives in the caller's frame,
// otherwise in the pool of requests. The engine forgets it the moment that it sets `complete`.
struct operation : transfer {
    std::atomic<bool> complete{false};
    bool is_request = false; // of a non-blocking call

    constexpr operation() noexcept = default;
    explicit operation(const transfer& what) noexcept : transfer{what} {}

    void begin(const transfer& what, bool is_complete) noexcept {
        static_cast<transfer&>(*this) = what;
        is_request = true;
        complete.store(is_complete, std::memory_order_relaxed);
    }
};

// Start an operation; it may be complete when they return.
void send(operation& sender, bool is_eager);
void receive(operation& receiver);

// Returns when the operation is complete. Only the time after the first look counts as waiting.
void wait_for(const operation& started);

// Tells tools what has happened to the queues since the last call: whoever changes them or waits calls it, unlocked.
void make_progress();

void open_engine();
// Drops what was never received.
void close_engine();

} // namespace mini
