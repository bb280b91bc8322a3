// Stands in for the operations of mpit/concurrency/atomic.hpp: they are the real ones, but before each of them a thread
// can be stopped, so that a test can look at the process while somebody stands still in the middle of anything.
//
//   g++ -DMPIT_ATOMIC_HEADER='<integration/stopping_atomic.hpp>' -I tests …
#pragma once

#include <cstdint>

namespace stopping {

// How many operations this thread still makes before it stops; 0 for a thread that never does.
inline thread_local volatile long steps_left [[gnu::tls_model("initial-exec")]] = 0;
// How many it has made.
inline thread_local volatile long steps_made [[gnu::tls_model("initial-exec")]] = 0;
// Comes back when the thread may go on.
void stop_here() noexcept;

inline void step() noexcept {
    steps_made = steps_made + 1;
    if (steps_left == 0) return;
    steps_left = steps_left - 1;
    if (steps_left == 0) stop_here();
}

} // namespace stopping

namespace mpit::inline v1_0::core {

template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    constexpr void initialize(T value) noexcept { value_ = value; }

    T load(int order = acquire) const noexcept {
        stopping::step();
        T value;
        __atomic_load(&value_, &value, order);
        return value;
    }
    bool load_equals(T value) const noexcept { return load() == value; }
    bool load_exceeds(T value) const noexcept { return load() > value; }
    void store(T value, int order = release) noexcept {
        stopping::step();
        __atomic_store(&value_, &value, order);
    }
    T exchange(T value, int order = seq_cst) noexcept {
        stopping::step();
        T old;
        __atomic_exchange(&value_, &value, &old, order);
        return old;
    }
    bool compare_exchange(T& expected, T desired, int order = seq_cst) noexcept {
        stopping::step();
        return __atomic_compare_exchange(&value_, &expected, &desired, false, order,
                                         order == release ? relaxed : acquire);
    }
    bool compare_and_set(T expected, T desired) noexcept { return compare_exchange(expected, desired); }
    T fetch_add(T n, int order = seq_cst) noexcept {
        stopping::step();
        return __atomic_fetch_add(&value_, n, order);
    }
    void add_as_owner(T n, int order = relaxed) noexcept { fetch_add(n, order); }
    bool compare_and_set_as_owner(T expected, T desired) noexcept { return compare_and_set(expected, desired); }

private:
    alignas(sizeof(T)) T value_{};
};

inline void seq_cst_fence() noexcept {
    stopping::step();
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(seq_cst);
#endif
}

inline bool dwcas(void* at, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                  std::uint64_t high) noexcept {
    stopping::step();
    return detail::dwcas(at, expected_low, expected_high, low, high);
}

inline void payload_fence([[maybe_unused]] int order) noexcept {
#if !MPIT_THREAD_SANITIZER
    __atomic_thread_fence(order);
#endif
}

} // namespace mpit::core
