// A handle that one thread uses while another one frees it and gives its slot to a handle on another variable: the use is that of the
// old handle, or it is refused. What a slot holds is stored in several words, and read without a lock.
#include "described.hpp"
#include "scenario.hpp"

#include <mpit/session/performance_sessions.hpp>

namespace {

using mpit::result;

// A level that is a word of the library, or a function of it.
struct described : mpit::descriptor::performance {
    mpit::core::atomic<std::uint64_t> word;

    described(mpit::descriptor::category& tree, std::uint64_t value, bool is_in_memory, bool always_runs)
        : performance{mpit::performance_class::level, &tree, "variable", ""} {
        static constexpr mpit::descriptor::performance_operations function = [] {
            auto made = model::operations_of(mpit::descriptor::behaviour::following);
            made.sample = [](mpit::descriptor::performance& p, void* cell, std::uint32_t) {
                model::check(cell == &p, "the cell is that of the variable");
                return static_cast<described&>(p).word.load();
            };
            return made;
        }();
        static constexpr mpit::descriptor::performance_operations memory = [] {
            auto made = function;
            made.stored = [](mpit::descriptor::performance&, void* cell, std::uint32_t& bytes) -> const void* {
                bytes = 8;
                return &static_cast<described*>(static_cast<performance*>(cell))->word;
            };
            return made;
        }();
        type = mpit::datatype::unsigned_long_type;
        continuous = always_runs;
        word.store(value);
        operations = is_in_memory ? &memory : &function;
    }
};

enum class use { of_the_record, of_the_function, of_the_memory, of_the_memory_and_no_other, at_length, to_stop_it };

// The second handle is on a variable whose value is in memory or not, as that of the first, but for one use: then it has no place in memory.
template <use Use> struct using_a_stale_handle {
    static constexpr int fibers = 2;
    static constexpr bool is_in_memory = Use != use::of_the_function, always_runs = Use != use::to_stop_it;
    using step = mpit::session::handle_step;
    model::root tree;
    described variables[2]{{tree, 1, is_in_memory, always_runs},
                           {tree, 2, is_in_memory && Use != use::of_the_memory_and_no_other, always_runs}};
    mpit::registry::variable_record records[2];
    model::open_epochs counting;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0, old = 0, fresh = 0;
    bool answered = false;

    using_a_stale_handle() {
        model::keep_what_sessions_use();
        model::call(sessions, "sessions");
        model::call(records, "records");
        model::call(variables, "variables");
        for (int i = 0; i < 2; i++) records[i].live.store(&variables[i]);
        model::check(sessions.create(counting, session) == result::success, "there is a session");
        // Its memory is there, and the thread that owns the first handle of a slot is not the matter here.
        model::check(sessions.free_handle(session, allocate_on(0)) == result::success, "a handle is freed");
        old = allocate_on(0);
    }
    std::uint64_t allocate_on(int which) {
        std::uint64_t made = 0;
        std::uint32_t count = 0;
        model::check(sessions.allocate(session, &records[which], nullptr, made, count) == result::success, "a handle is allocated");
        return made;
    }
    // What a use of a handle gives; 0 if it is refused.
    std::uint64_t value_of(std::uint64_t handle) {
        std::uint64_t value = 0;
        if constexpr (Use == use::of_the_record) {
            const mpit::registry::variable_record* const found = sessions.record_of(session, handle);
            return found == nullptr ? 0 : static_cast<std::uint64_t>(found - records) + 1;
        } else if constexpr (Use == use::at_length) {
            return sessions.read(session, handle, &value) == result::success ? value : 0;
        } else {
            const bool is_read = sessions.make_at_length<step::read>(session, handle, &value);
            return is_read ? value : 0;
        }
    }
    void run(int fiber) {
        if (fiber == 0) {
            model::check(sessions.free_handle(session, old) == result::success, "who frees a handle alone succeeds");
            fresh = allocate_on(1);
            if (!always_runs) model::check(sessions.start(session, fresh) == result::success, "the new handle starts");
        } else if constexpr (Use == use::to_stop_it) {
            answered = sessions.make_at_length<step::stop>(session, old, nullptr);
        } else {
            const std::uint64_t value = value_of(old);
            model::check(value == 0 || value == 1, "a stale handle is not another one");
            answered = value == 1;
        }
    }
    int at_end() {
        variables[1].word.store(3);
        model::check(value_of(old) == 0 && value_of(fresh) == (Use == use::of_the_record ? 2 : 3), "the new handle is on its own variable, and runs");
        return answered;
    }
};

template <use Use> void explore(const char* name) {
    for (const auto memory : model::both_memories) {
        const auto found = model::explore<using_a_stale_handle<Use>>(name, {memory});
        CHECK(found.mistake == "");
        CHECK(found.outcomes.size() == 2);
    }
}

// One handle on one variable, which two threads use.
template <class Variable> struct using_one_handle {
    static constexpr int fibers = 2;
    model::root tree;
    Variable variable{tree};
    mpit::registry::variable_record record;
    model::open_epochs counting;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0, handle = 0;

    using_one_handle() {
        model::keep_what_sessions_use();
        model::call(sessions, "sessions");
        model::call(variable, "variable");
        record.live.store(&variable);
        std::uint32_t count = 0;
        const bool is_ready = sessions.create(counting, session) == result::success &&
                              sessions.allocate(session, &record, nullptr, handle, count) == result::success;
        model::check(is_ready, "there is a handle");
    }
    std::uint64_t read() {
        std::uint64_t value = 0;
        model::check(sessions.read(session, handle, &value) == result::success, "who reads succeeds");
        return value;
    }
};

struct level_at_one : described {
    explicit level_at_one(mpit::descriptor::category& tree) : described{tree, 1, true, false} {}
};

// A handle that runs is stopped at 1, and the level moves on.
template <bool IsAtLength> struct reading_beside_a_stop : using_one_handle<level_at_one> {
    reading_beside_a_stop() { model::check(sessions.start(session, handle) == result::success, "the handle runs"); }
    void run(int fiber) {
        if (fiber == 0) {
            model::check(sessions.stop(session, handle) == result::success, "the handle is stopped");
            variable.word.store(3);
            return;
        }
        std::uint64_t value = 0;
        if (IsAtLength) value = read();
        else model::check(sessions.make_at_length<mpit::session::handle_step::read>(session, handle, &value), "who reads succeeds");
        model::check(value == 1, "a handle that was stopped at 1 never had another value");
    }
    int at_end() { return 0; }
};

// A sum that a function of the library gives.
struct computed_sum : described {
    explicit computed_sum(mpit::descriptor::category& tree) : described{tree, 0, false, false} {
        static constexpr mpit::descriptor::performance_operations function = [] {
            auto made = model::operations_of(mpit::descriptor::behaviour::accumulating);
            made.sample = [](mpit::descriptor::performance& p, void*, std::uint32_t) { return static_cast<computed_sum&>(p).word.load(); };
            return made;
        }();
        variable_class = mpit::performance_class::counter;
        operations = &function;
    }
};

// A handle that stands at 0 is started while another thread counts and resets it: nothing is counted after both.
struct starting_beside_a_reset : using_one_handle<computed_sum> {
    void run(int fiber) {
        if (fiber == 1) variable.word.store(10);
        const result changed = fiber == 0 ? sessions.start(session, handle) : sessions.reset(session, handle);
        model::check(changed == result::success, "who starts or resets succeeds");
    }
    int at_end() {
        model::check(read() == 0, "what was counted before the reset is not counted");
        return 0;
    }
};

using model::operation, mpit::core::relaxed;
// A weaker order in the slot of a handle, in what a handle is bound to, or in its quick way.
constexpr model::weakening weaker[] = {
    {"bound_variable.hpp", "store", operation::store, relaxed},
    {"bound_variable.hpp", "load", operation::load, relaxed},
    {"quick_handle.hpp", "store", operation::store, relaxed},
    {"quick_handle.hpp", "make_at_length", operation::load, relaxed},
};

} // namespace

TEST_CASE("The variable of a handle that is freed meanwhile is its own or none") {
    explore<use::of_the_record>("a handle is freed and its slot used again, while it is asked for its variable");
}

TEST_CASE("The value of a handle that is freed meanwhile is that of its own variable or none") {
    explore<use::of_the_function>("a handle is freed and its slot used again, while a function is read through it");
    explore<use::of_the_memory>("a handle is freed and its slot used again, while memory is read through it");
    explore<use::of_the_memory_and_no_other>("a handle is freed and its slot used for a variable without memory, while memory is read through it");
    explore<use::at_length>("a handle is freed and its slot used again, while it is read at length");
}

TEST_CASE("A step through a handle that is freed meanwhile does not change the handle that has its slot then") {
    explore<use::to_stop_it>("a handle is freed and its slot used again, while it is stopped");
}

TEST_CASE("A read beside the stop of another thread gives the value at which the handle has stopped") {
    for (const auto memory : model::both_memories) {
        CHECK(model::explore<reading_beside_a_stop<false>>("a handle is stopped while it is read", {memory}).mistake == "");
        CHECK(model::explore<reading_beside_a_stop<true>>("a handle is stopped while it is read at length", {memory}).mistake == "");
    }
}

TEST_CASE("A start beside the reset of another thread counts nothing of before the reset") {
    for (const auto memory : model::both_memories)
        CHECK(model::explore<starting_beside_a_reset>("a handle is started while it is reset", {memory}).mistake == "");
}

TEST_CASE("What a handle is on, stored or loaded in a weaker order, is another handle's variable") {
    if (!model::finds_mutants()) return;
    for (const model::weakening& each : weaker) {
        INFO(each.file << " " << each.function);
        const bool is_caught = model::mistake_of_mutant<using_a_stale_handle<use::of_the_record>>(each) != "" ||
                               model::mistake_of_mutant<using_a_stale_handle<use::of_the_memory>>(each) != "" ||
                               model::mistake_of_mutant<using_a_stale_handle<use::at_length>>(each) != "";
        CHECK(is_caught);
    }
}
