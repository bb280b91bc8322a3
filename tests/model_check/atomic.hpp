// Stands in for the operations of mpit/concurrency/atomic.hpp: each of them is a step of a fiber, and the explorer
// decides which fiber makes the next one. Objects have the size and the constant initialisation of the real ones.
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
    compare_and_set_as_owner,
    dwcas,
    fence,
    drain
};

// Where the code calls an operation.
struct site {
    const char* file = "";
    const char* function = "";
    int line = 0;

    static constexpr site here(const char* file = __builtin_FILE(), const char* function = __builtin_FUNCTION(),
                               int line = __builtin_LINE()) noexcept {
        return {file, function, line};
    }
};

// What a fiber wants to do next.
struct step {
    operation what;
    std::uint8_t size;
    std::uint8_t order;
    std::uint8_t fiber; // to be drained
    std::uint32_t unused;
    void* at;
    std::uint64_t first, second; // the new value; the expected one. Of dwcas: the address of its words
};

// Hands the step to the explorer and answers what it found in memory; outside of fibers it is done at once.
std::uint64_t make(operation what, std::size_t size, int order, void* at, std::uint64_t first, std::uint64_t second,
                   const site& from) noexcept;
std::uint64_t make(operation what, std::size_t size, int order, void* at, std::uint64_t first,
                   std::uint64_t second) noexcept;

// Only the memory of C++20 asks where an operation is called: it would lie on the stacks, and make more states differ.
#ifdef MPIT_MODEL_CXX20
using caller = site;
#else
struct caller {
    static constexpr caller here() noexcept { return {}; }
};
inline std::uint64_t make(operation what, std::size_t size, int order, void* at, std::uint64_t first,
                          std::uint64_t second, const caller&) noexcept {
    return make(what, size, order, at, first, second);
}
#endif

} // namespace model

namespace mpit::inline v1_0::core {

template <class T> class atomic {
public:
    constexpr atomic() noexcept = default;
    constexpr explicit atomic(T value) noexcept : value_{value} {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    constexpr void initialize(T value) noexcept { value_ = value; }

    T load(int order = acquire, model::caller from = model::caller::here()) const noexcept {
        return value_of(make(model::operation::load, order, const_cast<T*>(&value_), 0, 0, from));
    }
    bool load_equals(T value, model::caller from = model::caller::here()) const noexcept {
        return load(acquire, from) == value;
    }
    bool load_exceeds(T value, model::caller from = model::caller::here()) const noexcept {
        return load(acquire, from) > value;
    }
    void store(T value, int order = release, model::caller from = model::caller::here()) noexcept {
        make(model::operation::store, order, &value_, word_of(value), 0, from);
    }
    T exchange(T value, int order = seq_cst, model::caller from = model::caller::here()) noexcept {
        return value_of(make(model::operation::exchange, order, &value_, word_of(value), 0, from));
    }
    bool compare_exchange(T& expected, T desired, int order = seq_cst,
                          model::caller from = model::caller::here()) noexcept {
        const std::uint64_t wanted = word_of(expected);
        const std::uint64_t found =
            make(model::operation::compare_exchange, order, &value_, word_of(desired), wanted, from);
        if (found == wanted) return true;
        expected = value_of(found);
        return false;
    }
    bool compare_and_set(T expected, T desired, model::caller from = model::caller::here()) noexcept {
        return compare_exchange(expected, desired, seq_cst, from);
    }
    T fetch_add(T n, int order = seq_cst, model::caller from = model::caller::here()) noexcept {
        return value_of(make(model::operation::fetch_add, order, &value_, word_of(n), 0, from));
    }
    void add_as_owner(T n, int order = relaxed, model::caller from = model::caller::here()) noexcept {
        make(model::operation::add_as_owner, order, &value_, word_of(n), 0, from);
    }
    bool compare_and_set_as_owner(T expected, T desired, model::caller from = model::caller::here()) noexcept {
        const std::uint64_t wanted = word_of(expected);
        return make(model::operation::compare_and_set_as_owner, seq_cst, &value_, word_of(desired), wanted, from) ==
               wanted;
    }

private:
    static std::uint64_t make(model::operation what, int order, void* at, std::uint64_t first, std::uint64_t second,
                              const model::caller& from) noexcept {
        return model::make(what, sizeof(T), order, at, first, second, from);
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

inline void seq_cst_fence(model::caller from = model::caller::here()) noexcept {
    model::make(model::operation::fence, 0, seq_cst, nullptr, 0, 0, from);
}

inline bool dwcas(void* at, std::uint64_t expected_low, std::uint64_t expected_high, std::uint64_t low,
                  std::uint64_t high, model::caller from = model::caller::here()) noexcept {
    const std::uint64_t words[4] = {expected_low, expected_high, low, high};
    return model::make(model::operation::dwcas, 16, seq_cst, at, reinterpret_cast<std::uintptr_t>(words), 0, from) != 0;
}

// Payloads are not explored.
inline void payload_fence(int) noexcept {}

} // namespace mpit::core
