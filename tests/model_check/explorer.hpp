// Explores every interleaving of a few fibers that run the production code over the atomic of this folder. The whole
// memory of a scenario, with the stacks of its fibers, is a state: it is kept, compared by a hash of 128 bits and
// restored, so that the search goes on from each different state once, and is exhaustive. A mistake is printed with the
// steps that lead to it; with MPIT_MODEL_STEPS in the environment the program goes these alone.
//
//   struct race { static constexpr int fibers = 2;  void run(int fiber);  void always();  int at_end(); };
//   const model::findings all = model::explore<race>("a race", {model::x86});   CHECK(all.mistake == "");
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <set>
#include <string>

namespace model {

inline constexpr int most_fibers = 4;

// Under x86 every fiber has a buffer of stores that others do not see yet. That of C++20 is described in messages.hpp.
enum memory_model : std::uint8_t { sequentially_consistent, x86, cxx20 };

// A mutant: the operations of a file (the end of its path), of a function and of a kind have a weaker order. The line
// is 0 for all lines. Only the memory of C++20 has orders.
enum class operation : std::uint8_t;
struct weakening {
    const char* file = nullptr;
    const char* function = "";
    operation what{};
    int to = 0; // __ATOMIC_RELAXED and so on
    int line = 0;
};

inline constexpr int no_bound = 255;

struct options {
    memory_model memory = sequentially_consistent;
    // Accesses to plain memory are steps of their own, apart from the atomic operation before them.
    bool splits_plain_accesses = false;
    // A fiber may go in circles until another one gets on.
    bool allows_waiting = false;
    // Of every allocation of pages the first so many bytes may change.
    std::size_t kept_bytes_of_pages = 4096;
    std::uint64_t most_states = 40'000'000;

    // Of the memory of C++20: how often another fiber goes on although the last one could, and how often a fiber reads
    // a message that is not the newest or puts one before others. The environment changes those that are there
    // (MPIT_MODEL_SWITCHES, MPIT_MODEL_OLDER).
    int most_switches = no_bound;
    int most_older = no_bound;
    // Others may go on after each load as well, and not only after what they can see. Every heavy fence has this
    // effect.
    bool switches_after_loads = false;
    weakening mutant{};
};

struct findings {
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t ends = 0;    // states in which all fibers have finished
    std::uint64_t circles = 0; // transitions back to a state on the way
    double interleavings = 0;
    std::uint64_t longest = 0;       // steps of an execution
    std::uint64_t longest_alone = 0; // steps that any fiber needs from any state, while all others stand still for ever
    std::set<std::uint64_t> outcomes; // what at_end() has answered
    std::string mistake;              // what went wrong, with the steps that lead there; empty if nothing did
};

// For scenarios: what has to hold. The first thing that does not ends the search.
void check(bool holds, const char* sentence) noexcept;
// The number of the fiber that runs; -1 outside.
int this_fiber() noexcept;
// Memory outside of the scenario that its fibers change; it has its present content again when the search has ended.
void keep(void* memory, std::size_t bytes) noexcept;
// The same for what every thread has for itself.
void keep_for_each_fiber(void* memory, std::size_t bytes) noexcept;
// A part of the scenario that never changes; what changes there is found at the end and is a mistake of the scenario.
void leave_out(void* memory, std::size_t bytes) noexcept;
// A part of the scenario that fibers use without an order, because it tells what happens: no data race is looked for in
// it.
void observe(void* memory, std::size_t bytes) noexcept;
template <class T> void observe(T& object) noexcept { observe(&object, sizeof object); }
// Atomic objects whose order the scenario does not ask for: under the memory of C++20 they have their newest value
// alone, and no other fiber goes on after an access to them.
void leave_in_order(void* memory, std::size_t bytes) noexcept;
// Whether the scenarios are compiled so that data races on plain memory are found (under the memory of C++20).
bool finds_races() noexcept;
// Whether the system knows a thread; it knows all where this is null. Fiber f is the thread 100 + f.
inline bool (*knows_thread)(int number) = nullptr;
// A word for addresses, in the steps that lead to a mistake.
void call(const void* memory, std::size_t bytes, const char* name) noexcept;
template <class T> void call(const T& object, const char* name) noexcept { call(&object, sizeof object, name); }
// Whether the searches that take long are wanted.
bool is_long() noexcept;

namespace detail {

struct scenario_functions {
    std::size_t size;
    int fibers;
    void (*construct)(void* memory);
    void (*run)(void* scenario, int fiber);
    void (*always)(void* scenario);
    std::uint64_t (*at_end)(void* scenario);
};
findings explore(const char* name, const scenario_functions& scenario, const options& with);

} // namespace detail

// A scenario is made anew in memory of zeros; everything that its fibers share is a part of it, or of pages. always()
// is called after every step and at_end() after the last one; they run alone.
template <class Scenario> findings explore(const char* name, const options& with = {}) {
    detail::scenario_functions functions{sizeof(Scenario), Scenario::fibers, nullptr, nullptr, nullptr, nullptr};
    functions.construct = [](void* memory) { new (memory) Scenario; };
    functions.run = [](void* scenario, int fiber) { static_cast<Scenario*>(scenario)->run(fiber); };
    if constexpr (requires(Scenario& s) { s.always(); })
        functions.always = [](void* scenario) { static_cast<Scenario*>(scenario)->always(); };
    functions.at_end = [](void* scenario) -> std::uint64_t {
        return static_cast<std::uint64_t>(static_cast<Scenario*>(scenario)->at_end());
    };
    return detail::explore(name, functions, with);
}

} // namespace model
