// The communicators that a program uses, with what was counted in each: found by handle, without a lock. A communicator
// is noticed at its first call; after it was freed its numbers stay.
//
//   communicators.of(comm).of_class[0].calls += 1;
#pragma once

#include "call_log.hpp"
#include "mpi_calls.hpp"

#include <mpit/module/discovery.hpp>
#include <mpit/mpit.hpp>
#include <mpit/registry/shard_cells.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <sched.h>

namespace mpit_info {

#define MPIT_INFO_NUMBERS
#include "counting.inc"
#undef MPIT_INFO_NUMBERS

inline constexpr const char* names_of_functions[] = {
#define MPIT_INFO_NAMES
#include "counting.inc"
#undef MPIT_INFO_NAMES
};

inline constexpr int classes = static_cast<int>(function_class::count);

struct communicator_cells {
    mpit::counter_cell calls, bytes;
    mpit::timer_cell time, waited;
};

// Gives cells a place in every thread; without a free place, all threads share the cell, which is slower.
template <class... Cells> void number_cells(Cells&... cells) noexcept {
    mpit::registry::process_registry* const registry = mpit::registry::the_registry();
    if (registry == nullptr) return;
    std::uint32_t next = registry->shards.next_cell.fetch_add(sizeof...(Cells));
    (cells.assign_cell(next++), ...);
}

struct communicator {
    MPI_Comm handle;
    std::atomic<bool> is_freed{false};
    std::atomic<bool> is_used{false}; // a call has been counted in it; its name is final
    mutable bool is_expected = false; // of the thread that reads: has columns
    bool is_intercommunicator = false;
    bool is_counted = false; // whether its operations are counted from the first one on
    int size = 1;
    std::uint32_t number = 0; // from 1; final when the communicator is used, and that of the first one with this name
    std::string name;
    std::unique_ptr<int[]> world_ranks;    // of its ranks; null if nobody asks
    logged_communicator* logged = nullptr; // null if the call log has no place for it
    std::uint16_t logged_index = no_communicator;
    std::array<communicator_cells, classes> of_class;
};

// How a communicator was made: all its processes make the same identity of this. Of an unknown one, and of one that was
// not made by an operation that all processes of its parent have counted, it is 0.
struct communicator_origin {
    std::uint64_t parent = 0;
    std::uint32_t operation = 0;
};

class communicator_table {
public:
    static constexpr int most = 64; // further ones are counted together

    void begin(bool has_peers) {
        has_peers_ = has_peers;
        others_ = new communicator{};
        others_->name = "other communicators";
        others_->is_used.store(true);
        others_->number = most + 1;
        number(*others_);
    }
    // Only of a communicator that the MPI has just accepted.
    communicator& of(MPI_Comm handle) noexcept {
        if (communicator* const there = known(handle)) [[likely]]
            return *there;
        return find_or_make(handle);
    }
    // The present one, if it is known already: asks the MPI nothing. Each thread remembers the last one.
    [[gnu::always_inline]] communicator* known(MPI_Comm handle) const noexcept {
        thread_local latest last [[gnu::tls_model("initial-exec")]]{};
        const unsigned changes = changes_.load(std::memory_order_acquire);
        if (last.found != nullptr && last.handle == handle && last.changes == changes) [[likely]]
            return last.found;
        return find_again(handle, changes, last);
    }
    // A communicator that the MPI has just made.
    void add(MPI_Comm handle, const communicator_origin& from) noexcept {
        static_cast<void>(find_or_make(handle, from));
    }
    // The present one, or the latest that had this handle; null if there was none.
    communicator* find(MPI_Comm handle) const noexcept {
        communicator* freed = nullptr;
        for (int i = count_.load(); i-- > 0;) {
            if (known_[static_cast<std::size_t>(i)]->handle != handle) continue;
            if (!known_[static_cast<std::size_t>(i)]->is_freed.load()) return known_[static_cast<std::size_t>(i)];
            if (freed == nullptr) freed = known_[static_cast<std::size_t>(i)];
        }
        return freed;
    }
    // Before the MPI frees it, since another thread may get a new one with this handle at once.
    void free(MPI_Comm handle) noexcept {
        if (communicator* there = find(handle)) {
            there->is_freed.store(true);
            if (there->logged != nullptr) there->logged->is_freed = 1;
        }
        changes_.fetch_add(1);
    }
    // The first call that is counted in a communicator: until then the program may have named it.
    [[gnu::cold, gnu::noinline]] void use(communicator& of) noexcept {
        int length = 0;
        char name[MPI_MAX_OBJECT_NAME] = "";
        the_calls.comm_get_name(of.handle, name, &length);
        while (is_locked_.test_and_set()) sched_yield();
        if (!of.is_used.load()) {
            try {
                if (*name != '\0') of.name = name;
            } catch (...) {}
            if (of.logged != nullptr) std::strncpy(of.logged->name, of.name.c_str(), sizeof of.logged->name - 1);
            for (const communicator* const former : known_)
                if (former != nullptr && former->is_used.load() && former->name == of.name) {
                    of.number = former->number;
                    break;
                }
            of.is_used.store(true);
        }
        is_locked_.clear();
    }
    template <class Visit> void for_each(Visit visit) const {
        for (int i = 0, end = count_.load(); i < end; i++)
            if (known_[static_cast<std::size_t>(i)]->is_used.load()) visit(*known_[static_cast<std::size_t>(i)]);
        if (has_others_.load()) visit(*others_);
    }

    // The one that has this number.
    const communicator& numbered(std::uint32_t number) const noexcept {
        return number > most ? *others_ : *known_[number - 1];
    }

private:
    struct latest {
        MPI_Comm handle;
        unsigned changes;
        communicator* found;
    };
    [[gnu::cold, gnu::noinline]] communicator* find_again(MPI_Comm handle, unsigned changes,
                                                          latest& last) const noexcept {
        communicator* const there = find(handle);
        if (there == nullptr || there->is_freed.load()) return nullptr;
        last = {handle, changes, there};
        return there;
    }
    static void number(communicator& of) noexcept {
        for (communicator_cells& each : of.of_class) number_cells(each.calls, each.bytes, each.time, each.waited);
    }
    [[gnu::cold, gnu::noinline]] communicator& find_or_make(MPI_Comm handle,
                                                            const communicator_origin& from = {}) noexcept {
        communicator* there = find(handle);
        if (there != nullptr && !there->is_freed.load()) return *there;
        if (count_.load() == most) return has_others_.store(true), *others_;
        // All calls of the MPI are made before the lock is taken.
        communicator* made = described(handle);
        logged_communicator about{};
        if (made != nullptr) {
            about = description_of(*made, from);
            made->is_counted = from.operation != 0 && about.identity != 0;
        }
        if (made == nullptr) return has_others_.store(true), *others_;
        while (is_locked_.test_and_set()) sched_yield();
        there = find(handle);
        const bool is_new = (there == nullptr || there->is_freed.load()) && count_.load() < most;
        if (is_new) {
            number(*made);
            made->number = static_cast<std::uint32_t>(count_.load()) + 1;
            if ((made->logged = the_call_log.new_communicator()) != nullptr) {
                *made->logged = about;
                made->logged_index = the_call_log.add_communicator();
            }
            known_[static_cast<std::size_t>(count_.load())] = made;
            count_.fetch_add(1);
        }
        is_locked_.clear();
        if (is_new) return *made;
        delete made;
        return there != nullptr && !there->is_freed.load() ? *there : *others_;
    }
    communicator* described(MPI_Comm handle) const noexcept {
        try {
            auto made = std::make_unique<communicator>();
            int is_inter = 0, length = 0;
            char name[MPI_MAX_OBJECT_NAME] = "";
            made->handle = handle;
            if (the_calls.comm_test_inter != nullptr) the_calls.comm_test_inter(handle, &is_inter);
            made->is_intercommunicator = is_inter != 0;
            the_calls.comm_size(handle, &made->size);
            the_calls.comm_get_name(handle, name, &length);
            made->name = *name != '\0' ? name : "unnamed, " + std::to_string(made->size) + " ranks";
            if (has_peers_ && is_inter == 0) made->world_ranks = the_calls.world_ranks(handle, made->size);
            return made.release();
        } catch (...) { return nullptr; }
    }

    // Identities of one parent and operation differ by the first process, since MPI_Comm_split makes several at once.
    static logged_communicator description_of(const communicator& of, const communicator_origin& from) noexcept {
        logged_communicator about{};
        about.size = of.size;
        about.rank = no_rank;
        if (of.is_intercommunicator) about.rank = no_rank;
        else the_calls.comm_rank(of.handle, &about.rank);
        std::strncpy(about.name, of.name.c_str(), sizeof about.name - 1);
        if (of.handle == the_calls.world) about.identity = 1;
        else if (from.parent != 0 && from.operation != 0 && !of.is_intercommunicator)
            if (const int first = the_calls.first_in_world(of.handle); first >= 0)
                about.identity =
                    mixed(mixed(mixed(from.parent) ^ from.operation) ^ static_cast<std::uint64_t>(first)) | 2;
        return about;
    }
    static std::uint64_t mixed(std::uint64_t word) noexcept {
        word = (word ^ word >> 32) * 0xd6e8feb86659fd93;
        return word ^ word >> 32;
    }

    bool has_peers_ = false;
    std::atomic<int> count_{0};
    std::atomic<unsigned> changes_{0};
    std::atomic<bool> has_others_{false};
    std::atomic_flag is_locked_ = ATOMIC_FLAG_INIT;
    std::array<communicator*, most> known_{};
    communicator* others_ = nullptr;
};

inline communicator_table communicators;

} // namespace mpit_info
