// What the system gives to fibers: pages at addresses that depend on nothing but the fiber that asks, thread numbers,
// and the fence on every processor. system.cpp defines mmap, munmap, syscall and the pauses for the whole program.
//
//   pages_of_world.begin(4096);   // then mmap() takes from them while a scenario is at work
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace model {

enum class place_in_pages : std::uint8_t { kept, given_back, elsewhere };

class world_pages {
public:
    void begin(std::size_t kept_bytes) noexcept {
        std::memset(static_cast<void*>(&known_), 0, sizeof known_);
        std::memset(memory_, 0, sizeof memory_);
        kept_bytes_ = kept_bytes;
    }
    // Returns null if the zone of the fiber is full. What is kept of the memory is zero.
    void* take(int zone, std::size_t size) noexcept;
    // False for what was not taken, or was given back before.
    bool give_back(void* memory, std::size_t size) noexcept;
    place_in_pages place_of(const char* at) const noexcept;
    bool has_changed_outside() const noexcept;

    template <class Visit> void visit(Visit visit_one) noexcept {
        visit_one(reinterpret_cast<char*>(&known_.count), sizeof known_.count);
        if (known_.count == 0) return;
        visit_one(reinterpret_cast<char*>(known_.all), known_.count * sizeof(piece));
        for (std::uint64_t i = 0; i < known_.count; i++)
            if (!known_.all[i].is_given_back) visit_one(known_.all[i].memory, kept_of(known_.all[i]));
    }
    static constexpr int zones = 5;

private:
    struct piece {
        char* memory;
        std::uint64_t size;
        std::uint32_t zone;
        std::uint32_t is_given_back;
    };
    static constexpr std::size_t zone_size = 1 << 20;
    std::size_t kept_of(const piece& p) const noexcept { return p.size < kept_bytes_ ? p.size : kept_bytes_; }

    struct {
        std::uint64_t count;
        piece all[32];
    } known_;
    std::size_t kept_bytes_ = 0;
    alignas(4096) static inline char memory_[zones][zone_size];
};

inline world_pages pages_of_world;

} // namespace model
