// SPDX-License-Identifier: BSD-3-Clause
// The merged entries: what is kept of the host's variables, and of categories, which both have. Of our own variables
// only the common part is kept; the rest is read from their records.
//
//   auto& v = static_cast<host_variable&>(*controls.at(3));   v.is_of_host && v.scope == MPI_T_SCOPE_ALL
#pragma once

#include <mpit/mpi_t/shim.hpp>
#include <mpit/over_mpi/merged_numbers.hpp>

namespace mpit::inline v0_1 {
namespace MPIT_MODULE_LOCAL over_mpi {

// A scope for control variables; for performance variables the three flags.
struct host_variable : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int scope = 0;
    int readonly = 0;
    int continuous = 0;
    int atomically = 0;
    MPI_Datatype type{};
    MPI_T_enum enumeration = MPI_T_ENUM_NULL; // as tools see it
};

struct host_event : merged_entry {
    int verbosity = 0;
    int binding = 0;
    int element_count = 0;
    MPI_Datatype* datatypes = nullptr; // one of each element, and its displacement
    MPI_Aint* displacements = nullptr;
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
};

struct host_source : merged_entry {
    MPI_T_source_order ordering{};
    MPI_Count ticks_per_second = 0;
    MPI_Count max_ticks = 0;
};

// The members of one kind that tools see, by their numbers; they are only added, by one thread at a time.
class merged_members {
public:
    int count() const noexcept { return count_.load(); }
    // Stores the first members, at most `room` of them.
    void copy(int room, int* numbers) const noexcept {
        int left = count() < room ? count() : room;
        for (const piece* p = &first_; left > 0; p = p->next.load(), left -= piece_size, numbers += piece_size)
            std::memcpy(numbers, p->numbers,
                        static_cast<std::size_t>(left < piece_size ? left : piece_size) * sizeof *numbers);
    }
    bool holds(int number) const noexcept {
        const piece* p = &first_;
        for (int i = 0; i < count(); i++) {
            if (i != 0 && i % piece_size == 0) p = p->next.load();
            if (p->numbers[i % piece_size] == number) return true;
        }
        return false;
    }
    // Does nothing without memory.
    void add(int number, core::arena& memory) noexcept {
        const int count = count_.load(core::relaxed);
        if (count != 0 && count % piece_size == 0) {
            auto* fresh = memory.make<piece>();
            if (fresh == nullptr) return;
            last_->next.store(fresh);
            last_ = fresh;
        }
        last_->numbers[count % piece_size] = number;
        count_.store(count + 1);
    }

private:
    static constexpr int piece_size = 12; // most categories are small
    struct piece {
        int numbers[piece_size]{};
        atomic<piece*> next;
    };

    atomic<int> count_;
    piece first_;
    piece* last_ = &first_;
};

// A category of the host, of ours, or of both.
struct merged_category : merged_entry {
    merged_members controls, performances, categories, events;
};

} // namespace over_mpi
} // namespace mpit
