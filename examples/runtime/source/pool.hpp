// A pool of objects behind opaque handles. Slots never move and their memory is never given back, so a handle of any
// value, null, freed, foreign or garbage, is checked without a lock and without touching memory that is not ours: a
// tool may read the counters of a communicator while another thread frees it.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace mini {

// The handle of an object is its address. Objects are reused as they are: whoever claims one says how it begins.
template <class Object, class Handle, std::size_t Capacity> class pool {
public:
    // Takes a free object and lets `begin` prepare it before any handle can find it; null when all are taken.
    template <class Begin> Object* claim(Begin begin) {
        slot* const taken = take();
        if (taken == nullptr) return nullptr;
        begin(taken->object);
        taken->alive.store(true, std::memory_order_release);
        alive_count_.fetch_add(1, std::memory_order_relaxed);
        return &taken->object;
    }

    // The handle is invalid as soon as this returns.
    void release(Object& object) {
        slot& given_back = slots_[index_of(handle_of(object))];
        given_back.alive.store(false, std::memory_order_release);
        alive_count_.fetch_sub(1, std::memory_order_relaxed);
        const std::lock_guard guard{mutex_};
        free_slots_.push_back(&given_back);
    }

    // The object of a handle, or null when there is none.
    Object* find(Handle handle) noexcept {
        const std::size_t index = index_of(handle);
        if (index >= Capacity || handle_of(slots_[index].object) != handle) return nullptr;
        return slots_[index].alive.load(std::memory_order_acquire) ? &slots_[index].object : nullptr;
    }

    static Handle handle_of(Object& object) noexcept { return reinterpret_cast<Handle>(&object); }

    // Handles as Fortran has them, in an INTEGER: those of objects are above the small numbers that predefined ones
    // have in every language. 0 stands for an invalid handle.
    MPI_Fint integer_of(Handle handle) const noexcept {
        const auto number = reinterpret_cast<std::uintptr_t>(handle);
        if (number < first_integer) return static_cast<MPI_Fint>(number);
        const std::size_t index = index_of(handle);
        return index < Capacity ? static_cast<MPI_Fint>(first_integer + index) : 0;
    }
    Handle handle_of_integer(MPI_Fint integer) noexcept {
        const auto number = static_cast<std::uintptr_t>(integer);
        if (number < first_integer) return reinterpret_cast<Handle>(number);
        return number - first_integer < Capacity ? handle_of(slots_[number - first_integer].object) : nullptr;
    }

    std::size_t alive_count() const noexcept { return alive_count_.load(std::memory_order_relaxed); }

private:
    static constexpr std::uintptr_t first_integer = 0x1000;

    struct slot {
        Object object;
        std::atomic<bool> alive{false};
    };

    // An address below the first slot becomes a huge number, which is out of range too.
    std::size_t index_of(Handle handle) const noexcept {
        return (reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots_.data())) /
               sizeof(slot);
    }

    slot* take() {
        const std::lock_guard guard{mutex_};
        if (free_slots_.empty()) return used_ == Capacity ? nullptr : &slots_[used_++];
        slot* const taken = free_slots_.back();
        free_slots_.pop_back();
        return taken;
    }

    std::array<slot, Capacity> slots_;
    std::atomic<std::size_t> alive_count_{0};
    std::mutex mutex_;
    std::size_t used_ = 0;
    std::vector<slot*> free_slots_;
};

} // namespace mini
