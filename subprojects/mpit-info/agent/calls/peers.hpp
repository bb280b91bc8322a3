// The messages and bytes that this process sends to each process of MPI_COMM_WORLD, as arrays by rank.
//
//   peers.begin(processes);   peers.sent(3, bytes);
#pragma once

#include "communicators.hpp"

#include <mpit/dynamic.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace mpit_info {

class peer_variables {
public:
    static constexpr int most = 32768;           // elements of a variable
    static constexpr int most_in_threads = 1024; // with a cell in every thread

    void begin(int processes) {
        processes_ = std::min(processes, most);
        cells_ = std::make_unique<cells[]>(static_cast<std::size_t>(processes_));
        if (processes_ <= most_in_threads)
            for (int i = 0; i < processes_; i++) number_cells(of_rank(i).messages, of_rank(i).bytes);
        group_.emplace("mpi_peers", "Messages to each process, counted by mpit-info");
        const auto count = static_cast<std::uint32_t>(processes_);
        static_cast<void>(group_->computed<mpit::performance_class::counter, unsigned long long>(
            "messages_to", "Messages sent to each rank of MPI_COMM_WORLD",
            {.value_at = [](std::uint64_t, std::uint32_t rank, void* self) -> unsigned long long {
            return static_cast<peer_variables*>(self)->cells_[rank].messages.get();
        }, .data = this, .count = count}));
        static_cast<void>(group_->computed<mpit::performance_class::aggregate, unsigned long long>(
            "bytes_to", "Bytes sent to each rank of MPI_COMM_WORLD",
            {.value_at = [](std::uint64_t, std::uint32_t rank, void* self) -> unsigned long long {
            return static_cast<peer_variables*>(self)->cells_[rank].bytes.get();
        }, .data = this, .count = count}));
        static_cast<void>(group_->publish());
    }
    void sent(int rank, std::uint64_t bytes) noexcept {
        if (rank < 0 || rank >= processes_) return;
        ++of_rank(rank).messages;
        of_rank(rank).bytes += bytes;
    }
    int processes() const noexcept { return processes_; }
    std::uint64_t messages_to(int rank) const noexcept { return of_rank(rank).messages.get(); }
    std::uint64_t bytes_to(int rank) const noexcept { return of_rank(rank).bytes.get(); }

private:
    struct cells {
        mpit::counter_cell messages, bytes;
    };
    cells& of_rank(int rank) const noexcept { return cells_[static_cast<std::size_t>(rank)]; }
    int processes_ = 0;
    std::unique_ptr<cells[]> cells_;
    std::optional<mpit::dynamic> group_;
};

// Not destroyed at the end of the process: a thread may still count in them.
inline peer_variables& peers = *new peer_variables;

} // namespace mpit_info
