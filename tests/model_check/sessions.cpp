// The end of a session while another thread allocates a handle in it: either the end finds the handle, or the
// allocation finds that the session has ended. Both read what the other one stores before, so that an order is asked
// for that no single word has.
#include "described.hpp"
#include "scenario.hpp"

#include <mpit/session/performance_sessions.hpp>

namespace {

using mpit::result;

// A variable that is read by a function of its own, so that a handle on it has no state.
struct described : mpit::descriptor::performance {
    explicit described(mpit::descriptor::category& tree)
        : performance{mpit::performance_class::generic, &tree, "variable", ""} {
        static constexpr mpit::descriptor::performance_operations table = [] {
            auto made = model::operations_of(mpit::descriptor::behaviour::direct);
            made.read = [](mpit::descriptor::performance&, void*, void*) { return result::success; };
            return made;
        }();
        type = mpit::datatype::unsigned_long_type;
        operations = &table;
    }
};

// The session has had a handle before, or is new.
template <bool HasHadOne> struct ending_a_session {
    static constexpr int fibers = 2;
    model::root tree;
    described variable{tree};
    mpit::registry::variable_record record;
    model::open_epochs epochs;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0, handle = 0;
    result allocated = result::invalid_session;

    ending_a_session() {
        model::keep_what_sessions_use();
        model::call(sessions, "sessions");
        model::call(record, "record");
        record.live.store(&variable);
        std::uint64_t other = 0; // whose handle brings the memory
        model::check(
            sessions.create(epochs, other) == result::success && sessions.create(epochs, session) == result::success,
            "there are two sessions");
        const std::uint64_t first = allocate_in(HasHadOne ? session : other);
        model::check(sessions.free_handle(HasHadOne ? session : other, first) == result::success, "a handle is freed");
    }
    std::uint64_t allocate_in(std::uint64_t one) {
        std::uint64_t made = 0;
        std::uint32_t count = 0;
        allocated = sessions.allocate(one, &record, nullptr, made, count);
        return made;
    }
    void run(int fiber) {
        if (fiber == 0) {
            handle = allocate_in(session);
            return;
        }
        model::check(sessions.free(session) == result::success, "who ends a session alone succeeds");
    }
    int at_end() {
        model::check(allocated != result::success || sessions.record_of(session, handle) == nullptr,
                     "no handle outlives its session");
        return allocated == result::success;
    }
};

// One thread opens a session in the epoch that another one ends.
struct ending_an_epoch {
    static constexpr int fibers = 2;
    model::open_epochs epochs;
    mpit::session::performance_sessions sessions;
    std::uint64_t session = 0;
    bool is_opened = false;

    ending_an_epoch() {
        model::keep_what_sessions_use();
        model::call(sessions, "sessions");
        model::call(epochs, "epochs");
        std::uint64_t former = 0; // brings the memory
        model::check(sessions.create(epochs, former) == result::success && sessions.free(former) == result::success,
                     "a session comes and goes");
    }
    void run(int fiber) {
        if (fiber == 0) {
            is_opened = sessions.create(epochs, session) == result::success;
            return;
        }
        std::uint32_t ended = 0;
        model::check(epochs.finalize(ended) == result::success && ended != 0, "the epoch ends");
        sessions.free_all(ended);
    }
    int at_end() {
        model::check(!sessions.is_session(session), "no session outlives its epoch");
        return is_opened;
    }
};

} // namespace

TEST_CASE("No session outlives its epoch, which another thread ends while the session is opened") {
    model::explore_all<ending_an_epoch>("one opens a session, one ends the epoch", 2);
    if (!model::finds_mutants()) return;
    using model::operation;
    CHECK(model::mistake_of_mutant<ending_an_epoch>(
              {"performance_sessions.hpp", "create", operation::store, mpit::core::release}) != "");
    CHECK(model::mistake_of_mutant<ending_an_epoch>(
              {"epochs.hpp", "is_current", operation::load, mpit::core::acquire}) != "");
    CHECK(model::mistake_of_mutant<ending_an_epoch>(
              {"slot_pool.hpp", "operator()", operation::load, mpit::core::acquire}) != "");
}

TEST_CASE("No handle outlives its session, which another thread frees while the handle is allocated") {
    model::explore_all<ending_a_session<false>>("one allocates, one ends a new session", 2);
    model::explore_all<ending_a_session<true>>("one allocates, one ends a session");
}

TEST_CASE("An allocation, or a session's end, whose operations are not sequential leaves a handle behind") {
    if (!model::finds_mutants()) return;
    using model::operation, mpit::core::acquire, mpit::core::release;
    using fresh = ending_a_session<false>;
    using used = ending_a_session<true>;
    const char* const file = "performance_sessions.hpp";
    CHECK(model::mistake_of_mutant<used>({file, "allocate", operation::store, release}) != "");
    CHECK(model::mistake_of_mutant<used>({file, "allocate", operation::load, acquire}) != "");
    CHECK(model::mistake_of_mutant<fresh>({file, "free", operation::load, acquire}) != "");
    CHECK(model::mistake_of_mutant<used>({"slot_pool.hpp", "operator()", operation::load, acquire}) != "");
}
