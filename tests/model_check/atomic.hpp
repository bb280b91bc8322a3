// Stands in for the operations of mpit/concurrency/atomic.hpp: each of them is a step of a fiber, and the explorer decides which
// fiber makes the next one. Objects have the size and the constant initialisation of the real ones.
//
//   g++ -DMPIT_ATOMIC_HEADER='<model_check/atomic.hpp>' -I tests …
#pragma once

#include <cstddef>
#include <cstdint>

namespace model {

enum class operation : std::uint8_t {
    load,
    store,
    exchange,
    compare_exchange,
    fetch_add,
    add_as_owner,
    replace_as_owner,
    replace_both,
    fence,
    drain
};

// What a fiber wants to do next.
struct step {
    operation what;
    std::uint8_t size;
    std::uint8_t is_sequential;
    std::uint8_t fiber; // to be drained
    std::uint32_t unused;
    void* at;
    std::uint64_t first, second; // the new value; the expected one. Of replace_both: the address of its words
};

// Hands the step to the explorer and answers what it found in memory; outside of fibers it is done at once.
std::uint64_t make(operation what, std::size_t size, bool is_sequential, void* at, std::uint64_t first,
                   std::uint64_t second) noexcept;

} // namespace model

namespace mpit::inline v0_1::core {

template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    constexpr void begin_with(T value) noexcept { value_ = value; }

    T load(int order = acquire) const noexcept {
        return value_of(make(model::operation::load, order, const_cast<T*>(&value_), 0, 0));
    }
    void store(T value, int order = release) noexcept {
        make(model::operation::store, order, &value_, word_of(value), 0);
    }
    T exchange(T value, int order = sequential) noexcept {
        return value_of(make(model::operation::exchange, order, &value_, word_of(value), 0));
    }
    bool compare_exchange(T& expected, T desired, int order = sequential) noexcept {
        const std::uint64_t wanted = word_of(expected);
        const std::uint64_t found = make(model::operation::compare_exchange, order, &value_, word_of(desired), wanted);
        if (found == wanted) return true;
        expected = value_of(found);
        return false;
    }
    bool replace(T expected, T desired) noexcept { return compare_exchange(expected, desired); }
    T fetch_add(T n, int order = sequential) noexcept {
        return value_of(make(model::operation::fetch_add, order, &value_, word_of(n), 0));
    }
    void add_as_owner(T n, int order = relaxed) noexcept {
        make(model::operation::add_as_owner, order, &value_, word_of(n), 0);
    }
    bool replace_as_owner(T expected, T desired) noexcept {
        const std::uint64_t wanted = word_of(expected);
        return make(model::operation::replace_as_owner, relaxed, &value_, word_of(desired), wanted) == wanted;
    }

private:
    static std::uint64_t make(model::operation what, int order, void* at, std::uint64_t first,
                              std::uint64_t second) noexcept {
        return model::make(what, sizeof(T), order == sequential, at, first, second);
    }
    static std::uint64_t word_of(T value) noexcept {
        std::uint64_t word = 0;
        __builtin_memcpy(&word, &value, sizeof value);
        return word;
    }
    static T value_of(std::uint64_t word) noexcept {
        T value;
        __builtin_memcpy(&value, &word, sizeof value);
        return value;
    }

    alignas(sizeof(T)) T value_{};
};

inline void whole_fence() noexcept { model::make(model::operation::fence, 0, true, nullptr, 0, 0); }

inline bool replace_both(void* at, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                         std::uint64_t high) noexcept {
    const std::uint64_t words[4] = {expected_low, expected_high, low, high};
    return model::make(model::operation::replace_both, 16, true, at, reinterpret_cast<std::uintptr_t>(words), 0) != 0;
}

} // namespace mpit::core
