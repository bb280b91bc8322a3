// A handle that one thread uses while another one frees it and gives its slot to a handle on another variable: the use
// is that of the old handle, or it is refused. What a slot holds is stored in several words, and read without a lock.
#include "described.hpp"
#include "shards_of_fibers.hpp"

#include <mpit/session/performance_sessions.hpp>

#include <new>

namespace {

using mpit::result;

// A level that is a word of the library, or a function of it; or its watermark.
struct described : mpit::descriptor::performance {
    mpit::core::atomic<std::uint64_t> word;
    mpit::level_cell<unsigned long> marked;

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
    void be_watermark() {
        static constexpr mpit::descriptor::performance_operations watermark = [] {
            auto made = model::operations_of(mpit::descriptor::behaviour::marking_high);
            made.level = [](mpit::descriptor::performance& p, void*, std::uint32_t) -> void* {
                return &static_cast<described&>(p).marked.watched();
            };
            return made;
        }();
        operations = &watermark;
        become(word.load());
    }
    void become(std::uint64_t value) {
        word.store(value);
        marked = value;
    }
};

// Fibers have shards, so that they read as threads do that have read before. Without shards they take the general path.
template <bool HasShards> struct readers {
    mpit::core::shard_set set;
    model::shards_of_fibers<2> shards;

    readers() {
        model::keep_allocations();
        shards.begin(set);
    }
    void become(int fiber) {
        if (HasShards) shards.use(fiber, set);
    }
    static void become_none() { mpit::core::this_thread_shard = {}; }
};

enum class use {
    of_the_record,
    of_the_watermark,
    of_the_function,
    of_the_memory,
    of_the_memory_and_no_other,
    to_stop_it
};

// The second handle is on a variable whose value is in memory or not, as that of the first, but for one use: then it
// has no place in memory.
template <use Use, bool HasShards = true> struct using_a_stale_handle : readers<HasShards> {
    static constexpr int fibers = 2;
    static constexpr bool is_in_memory = Use != use::of_the_function, always_runs = Use != use::to_stop_it;
    model::root tree;
    described variables[2]{{tree, 1, is_in_memory, always_runs},
                           {tree, 2, is_in_memory&& Use != use::of_the_memory_and_no_other, always_runs}};
    mpit::registry::variable_record records[2];
    model::open_epochs epochs;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0, old = 0, fresh = 0;
    bool answered = false;

    using_a_stale_handle() {
        this->become(0);
        if (Use == use::of_the_watermark) {
            model::keep(&mpit::internal::mark_memory, sizeof mpit::internal::mark_memory);
            new (&mpit::internal::mark_memory) mpit::core::arena;
        }
        model::call(sessions, "sessions");
        model::call(records, "records");
        model::call(variables, "variables");
        for (int i = 0; i < 2; i++) {
            records[i].live.store(&variables[i]);
            records[i].atomically = true; // so that a number is changed without a call
            if (Use == use::of_the_watermark) variables[i].be_watermark();
        }
        model::check(sessions.create(epochs, session) == result::success, "there is a session");
        // The memory of the slot is there.
        model::check(sessions.free_handle(session, allocate_on(0)) == result::success, "a handle is freed");
        old = allocate_on(0);
        this->become_none();
    }
    std::uint64_t allocate_on(int which) {
        std::uint64_t made = 0;
        std::uint32_t count = 0;
        model::check(sessions.allocate(session, &records[which], nullptr, made, count) == result::success,
                     "a handle is allocated");
        return made;
    }
    // What a use of a handle gives; 0 if it is refused.
    std::uint64_t value_of(std::uint64_t handle) {
        std::uint64_t value = 0;
        if constexpr (Use == use::of_the_record) {
            const mpit::registry::variable_record* const found = sessions.record_of(session, handle);
            return found == nullptr ? 0 : static_cast<std::uint64_t>(found - records) + 1;
        } else {
            return sessions.read(session, handle, &value) == result::success ? value : 0;
        }
    }
    void run(int fiber) {
        this->become(fiber);
        if (fiber == 0) {
            model::check(sessions.free_handle(session, old) == result::success, "who frees a handle alone succeeds");
            fresh = allocate_on(1);
            if (!always_runs) model::check(sessions.start(session, fresh) == result::success, "the new handle starts");
        } else if constexpr (Use == use::to_stop_it) {
            answered = sessions.stop(session, old) == result::success;
        } else {
            const std::uint64_t value = value_of(old);
            model::check(value == 0 || value == 1, "a stale handle is not another one");
            answered = value == 1;
        }
    }
    int at_end() {
        this->become(0);
        variables[1].become(3);
        model::check(value_of(old) == 0 && value_of(fresh) == (Use == use::of_the_record ? 2 : 3),
                     "the new handle is on its own variable, and runs");
        return answered;
    }
};

template <use Use> void explore(const char* name) {
    model::explore_all<using_a_stale_handle<Use>>(name, 2);
    model::explore_all<using_a_stale_handle<Use, false>>("the same in general");
}

// One handle on one variable, which two threads use.
template <class Variable, bool HasShards = true> struct using_one_handle : readers<HasShards> {
    static constexpr int fibers = 2;
    model::root tree;
    Variable variable{tree};
    mpit::registry::variable_record record;
    model::open_epochs epochs;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0, handle = 0;

    using_one_handle() {
        this->become(0);
        model::call(sessions, "sessions");
        model::call(variable, "variable");
        record.live.store(&variable);
        record.atomically = true; // so that a number is changed without a call
        std::uint32_t count = 0;
        const bool is_ready = sessions.create(epochs, session) == result::success &&
                              sessions.allocate(session, &record, nullptr, handle, count) == result::success;
        model::check(is_ready, "there is a handle");
    }
    void start() { model::check(sessions.start(session, handle) == result::success, "the handle runs"); }
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
template <bool HasShards> struct reading_beside_a_stop : using_one_handle<level_at_one, HasShards> {
    reading_beside_a_stop() {
        this->start();
        this->become_none();
    }
    void run(int fiber) {
        this->become(fiber);
        if (fiber == 0) {
            model::check(this->sessions.stop(this->session, this->handle) == result::success, "the handle is stopped");
            this->variable.word.store(3);
            return;
        }
        model::check(this->read() == 1, "a handle that was stopped at 1 never had another value");
    }
    int at_end() { return 0; }
};

// A sum that is a word of the library, or a function of it, and has counted 1 since the start of its handle.
template <bool IsInMemory> struct counted : described {
    explicit counted(mpit::descriptor::category& tree) : described{tree, 0, IsInMemory, false} {
        static constexpr mpit::descriptor::performance_operations table = [] {
            auto made = model::operations_of(mpit::descriptor::behaviour::accumulating);
            made.sample = [](mpit::descriptor::performance& p, void*, std::uint32_t) {
                return static_cast<counted&>(p).word.load();
            };
            if (IsInMemory)
                made.stored = [](mpit::descriptor::performance& p, void*, std::uint32_t& bytes) -> const void* {
                    bytes = 8;
                    return &static_cast<counted&>(p).word;
                };
            return made;
        }();
        variable_class = mpit::performance_class::counter;
        operations = &table;
    }
};

// The handle is reset at 1, or freed, and the library counts two more.
enum class change { reset, free };
template <bool IsInMemory, change Change> struct reading_beside_a_change : using_one_handle<counted<IsInMemory>> {
    reading_beside_a_change() {
        this->start();
        this->variable.word.store(1);
        this->become_none();
    }
    void run(int fiber) {
        this->become(fiber);
        if (fiber == 0) {
            const result changed = Change == change::reset ? this->sessions.reset(this->session, this->handle)
                                                           : this->sessions.free_handle(this->session, this->handle);
            model::check(changed == result::success, "who resets or frees a handle alone succeeds");
            this->variable.word.store(3);
            return;
        }
        std::uint64_t value = 0;
        const result answer = this->sessions.read(this->session, this->handle, &value);
        if (Change == change::free && answer == result::invalid_handle) return;
        model::check(answer == result::success, "who reads a handle succeeds");
        model::check(value == 1 || (Change == change::reset && (value == 0 || value == 2)),
                     "the handle never had another value");
    }
    int at_end() { return 0; }
};

// A handle that stands at 0 is started while another thread counts and resets it: nothing is counted after both.
template <bool IsInMemory> struct starting_beside_a_reset : using_one_handle<counted<IsInMemory>> {
    starting_beside_a_reset() { this->become_none(); }
    void run(int fiber) {
        this->become(fiber);
        if (fiber == 1) this->variable.word.store(10);
        const result changed = fiber == 0 ? this->sessions.start(this->session, this->handle)
                                          : this->sessions.reset(this->session, this->handle);
        model::check(changed == result::success, "who starts or resets succeeds");
    }
    int at_end() {
        this->become(0);
        model::check(this->read() == 0, "what was counted before the reset is not counted");
        return 0;
    }
};

using model::operation, mpit::core::relaxed;
// A weaker order in the slot of a handle, in what a handle is bound to, or in the functions that use it.
constexpr model::weakening weaker[] = {
    {"bound_variable.hpp", "store", operation::store, relaxed},
    {"bound_variable.hpp", "load", operation::load, relaxed},
    {"performance_handle.hpp", "select_functions", operation::store, relaxed},
    {"performance_handle.hpp", "try_read", operation::load, relaxed},
};

} // namespace

TEST_CASE("The variable of a handle that is freed meanwhile is its own or none") {
    explore<use::of_the_record>("a handle is freed and its slot used again, while it is asked for its variable");
}

TEST_CASE("The value of a handle that is freed meanwhile is that of its own variable or none") {
    explore<use::of_the_function>("a handle is freed and its slot used again, while a function is read through it");
    explore<use::of_the_memory>("a handle is freed and its slot used again, while memory is read through it");
    explore<use::of_the_watermark>("a handle is freed and its slot used again, while a watermark is read through it");
    explore<use::of_the_memory_and_no_other>(
        "a handle is freed and its slot used for a variable without memory, while memory is read through it");
}

TEST_CASE("A step through a handle that is freed meanwhile does not change the handle that has its slot then") {
    explore<use::to_stop_it>("a handle is freed and its slot used again, while it is stopped");
}

TEST_CASE("A read beside the stop of another thread gives the value at which the handle has stopped") {
    model::explore_all<reading_beside_a_stop<true>>("a handle is stopped while it is read");
    model::explore_all<reading_beside_a_stop<false>>("the same in general");
}

TEST_CASE("A read beside the reset or the end of the handle by another thread gives a value that the handle had") {
    using enum change;
    model::explore_all<reading_beside_a_change<true, reset>>("a handle on a word is reset while it is read");
    model::explore_all<reading_beside_a_change<false, reset>>("a handle on a function is reset while it is read");
    model::explore_all<reading_beside_a_change<true, free>>("a handle on a word is freed while it is read");
    model::explore_all<reading_beside_a_change<false, free>>("a handle on a function is freed while it is read");
}

TEST_CASE("A start beside the reset of another thread counts nothing of before the reset") {
    model::explore_all<starting_beside_a_reset<true>>("a handle on a word is started while it is reset");
    model::explore_all<starting_beside_a_reset<false>>("a handle on a function is started while it is reset");
}

TEST_CASE("What a handle is on, stored or loaded in a weaker order, is another handle's variable") {
    if (!model::finds_mutants()) return;
    for (const model::weakening& each : weaker) {
        INFO(each.file << " " << each.function);
        const bool is_caught =
            model::mistake_of_mutant<using_a_stale_handle<use::of_the_record>>(each) != "" ||
            model::mistake_of_mutant<using_a_stale_handle<use::of_the_memory>>(each) != "" ||
            model::mistake_of_mutant<using_a_stale_handle<use::of_the_memory_and_no_other>>(each) != "" ||
            model::mistake_of_mutant<using_a_stale_handle<use::of_the_function>>(each) != "" ||
            model::mistake_of_mutant<reading_beside_a_change<true, change::reset>>(each) != "" ||
            model::mistake_of_mutant<reading_beside_a_change<true, change::free>>(each) != "";
        CHECK(is_caught);
    }
}
