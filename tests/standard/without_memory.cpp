// MPI-5.0, 15.3.10: memory that ends. A process goes through everything that needs memory, once for each allocation,
// which then fails: the call answers so, nothing that was there is lost, and the same call succeeds when there is
// memory again.
#include "../tool.hpp"
#include "another_process.hpp"

#include <mpit/module/publish_pending.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

namespace {

struct marks : mpit::category<"marks", "Watermarks that each need memory for their handles"> {
    mpit::high_watermark<unsigned long[8]> highest{this, "m_highest", "Eight levels"};
    mpit::low_watermark<unsigned long, communicator> lowest{this, "m_lowest", "A communicator's level"};
};
constexpr auto& of_marks = mpit::registered<marks>;

// Enters the index when the scenario comes to it; large enough to need several pieces of memory.
struct late_category : mpit::descriptor::category {
    late_category() : category{"late", "Variables that come late"} {}
};
struct late_tree {
    std::deque<std::string> texts;
    late_category root;
    mpit::control<colour> control{&root, "L_COLOUR", "A colour", {.initial = colour::blue}};
    mpit::event<message_payload> event{&root, "l_event", "A message"};
    std::deque<mpit::counter<>> counters;
    late_tree() {
        for (int i = 0; i < 400; i++)
            counters.emplace_back(&root, name("l_counter_" + std::to_string(i)), keep(std::string(200, 'd')));
    }
    const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
    mpit::core::checked_name name(std::string text) { return keep(std::move(text)); }
    bool enter() { return mpit::registry::publish_now(*mpit::registry::the_registry(), root, "latecomer"); }
    void use() {
        control = colour::red;
        for (mpit::counter<>& each : counters) ++each;
        event(1, 2, 3ul);
    }
};

constexpr std::uintptr_t first_object = 0x101;
communicator object(std::uintptr_t number) { return handle_number<communicator>(number); }
template <class Handle> Handle some_handle() { return handle_number<Handle>(0xdead); }

int heard = 0, lost = 0; // by all registrations, which say by their data which they are
int heard_by_first = 0, first_one = 0;
void hear(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
    heard++;
    heard_by_first += data == &first_one;
}
void hear_losses(MPI_Count count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {
    lost += static_cast<int>(count);
}

// How often each step of the scenario has failed, in all processes.
struct shared_counts {
    int failures[64];
    int sum() const {
        int all_failures = 0;
        for (const int each : failures) all_failures += each;
        return all_failures;
    }
};

// One process that goes through the scenario, in which the allocations after the first `allowed` ones fail until a step
// has failed or may have failed unseen.
class scenario {
public:
    scenario(int allowed, shared_counts& counts) : counts_{counts} { mpit::core::allocations_left.store(allowed); }

    // Everything: whether memory did end, and no promise was broken.
    enum outcome { memory_sufficed, nothing_was_lost, something_was_lost };
    outcome run() {
        open_and_keep_something();
        make_handles();
        make_handles_of_objects();
        make_info_objects();
        make_registrations();
        enter_a_tree();
        start_a_thread();
        memory_is_there_again();
        expect_nothing_is_lost("the end");
        expect(MPI_T_finalize() == MPI_SUCCESS, "the end", "the interface closes");
        return broken_ > 0 ? something_was_lost : has_ended_ ? nothing_was_lost : memory_sufficed;
    }
    static constexpr int step_count = 33;

private:
    void expect(bool holds, const char* step, const char* promise) {
        if (holds) return;
        std::fprintf(stderr, "%s: not true that %s\n", step, promise);
        broken_++;
    }
    // Whether memory has ended; then there is enough from now on.
    bool memory_is_there_again() {
        if (mpit::core::allocations_left.load() != 0) return false;
        mpit::core::allocations_left.store(-1);
        return has_ended_ = true;
    }
    // A call that fails with one of the codes without memory. `call` looks at its own outputs.
    void step(const char* name, std::initializer_list<int> codes, const std::function<int()>& call) {
        const int number = next_step_++;
        const int code = call();
        if (code == MPI_SUCCESS) return;
        expect(std::count(codes.begin(), codes.end(), code) == 1, name, "it answers that there is no memory");
        expect(memory_is_there_again(), name, "it fails for want of memory alone");
        counts_.failures[number]++;
        expect_nothing_is_lost(name);
        expect(call() == MPI_SUCCESS, name, "it succeeds when there is memory again");
        expect_nothing_is_lost(name);
    }
    // Something of the library's own that cannot say that it had no memory.
    void quiet_step(const char* name, const std::function<void()>& act, const std::function<bool()>& has_worked) {
        const int number = next_step_++;
        const std::size_t refusals = mpit::core::refusals();
        act();
        const bool may_have_failed = mpit::core::refusals() != refusals && memory_is_there_again();
        const int left = mpit::core::allocations_left.exchange(-1);
        const bool has_failed = !has_worked();
        expect(!has_failed || may_have_failed, name, "it fails for want of memory alone");
        counts_.failures[number] += has_failed;
        expect_nothing_is_lost(name);
        if (has_failed) act();
        expect(has_worked(), name, "it works when there is memory again");
        mpit::core::allocations_left.store(left);
    }
    // The handles and values of the beginning, and every number.
    void expect_nothing_is_lost(const char* step) {
        const int left = mpit::core::allocations_left.exchange(-1);
        int control = 0, count = 0, update = 0;
        unsigned long long sum = 0;
        if (number_ != MPI_T_CVAR_HANDLE_NULL)
            expect(MPI_T_cvar_read(number_, &control) == MPI_SUCCESS && control == 77, step, "a value stays");
        if (counter_ != MPI_T_PVAR_HANDLE_NULL)
            expect(MPI_T_pvar_read(session_, counter_, &sum) == MPI_SUCCESS && sum == 5, step, "a count stays");
        if (registration_ != nullptr) {
            const int before = heard_by_first;
            all.events.plain(1, 2, 3ul);
            expect(heard_by_first == before + 1, step, "a registration hears");
        }
        if (next_step_ == 1 && MPI_T_cvar_get_num(&count) == MPI_T_ERR_NOT_INITIALIZED) {
            mpit::core::allocations_left.store(left); // the interface is not open yet
            return;
        }
        expect(MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count >= controls_, step, "numbers are not taken back");
        controls_ = count;
        expect(MPI_T_category_changed(&update) == MPI_SUCCESS && update >= update_, step,
               "the update number does not go back");
        update_ = update;
        mpit::core::allocations_left.store(left);
    }

    void open_and_keep_something() {
        step("init_thread", {MPI_T_ERR_CANNOT_INIT}, [] { return MPI_T_init_thread(MPI_THREAD_SINGLE, nullptr); });
        step("pvar_session_create", {MPI_T_ERR_OUT_OF_SESSIONS}, [&] {
            MPI_T_pvar_session made = some_handle<MPI_T_pvar_session>();
            const int code = MPI_T_pvar_session_create(&made);
            expect((made == MPI_T_PVAR_SESSION_NULL) == (code != MPI_SUCCESS), "session", "a failure sets it to null");
            session_ = made;
            return code;
        });
        MPI_T_cvar_handle number{};
        MPI_T_pvar_handle counter{};
        step("cvar_handle_alloc", {MPI_T_ERR_OUT_OF_HANDLES}, [&] { return control(number, "C_INT"); });
        const int value = 77;
        expect(MPI_T_cvar_write(number, &value) == MPI_SUCCESS, "cvar_write", "it needs no memory");
        step("pvar_handle_alloc", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(counter, "p_counter", MPI_T_PVAR_CLASS_COUNTER, nullptr, 1); });
        expect(MPI_T_pvar_start(session_, counter) == MPI_SUCCESS, "pvar_start", "it needs no memory");
        all.performances.counter += 5;
        number_ = number, counter_ = counter;
        step("event_handle_alloc", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return listen(registration_, "e_plain", &first_one); });
    }
    int control(MPI_T_cvar_handle& to, const char* name, void* of = nullptr) {
        MPI_T_cvar_handle made = some_handle<MPI_T_cvar_handle>();
        int index = -1, count = -7;
        MPI_T_cvar_get_index(name, &index);
        const int code = MPI_T_cvar_handle_alloc(index, of, &made, &count);
        expect((made == MPI_T_CVAR_HANDLE_NULL) == (code != MPI_SUCCESS), name, "a failure sets the handle to null");
        expect((count == -7) == (code != MPI_SUCCESS), name, "a failure leaves the count");
        to = made;
        return code;
    }
    int performance(MPI_T_pvar_handle& to, const char* name, int in_class, void* of, int elements) {
        MPI_T_pvar_handle made = some_handle<MPI_T_pvar_handle>();
        int index = -1, count = -7;
        MPI_T_pvar_get_index(name, in_class, &index);
        const int code = MPI_T_pvar_handle_alloc(session_, index, of, &made, &count);
        expect((made == MPI_T_PVAR_HANDLE_NULL) == (code != MPI_SUCCESS), name, "a failure sets the handle to null");
        expect(count == (code == MPI_SUCCESS ? elements : -7), name, "a failure leaves the count");
        to = made;
        return code;
    }
    int listen(MPI_T_event_registration& to, const char* name, void* data, MPI_Info hints = MPI_INFO_NULL) {
        MPI_T_event_registration made = some_handle<MPI_T_event_registration>();
        int index = -1;
        MPI_T_event_get_index(name, &index);
        int code = MPI_T_event_handle_alloc(index, nullptr, hints, &made);
        expect((made == nullptr) == (code != MPI_SUCCESS), name, "a failure sets the registration to null");
        to = nullptr;
        if (code != MPI_SUCCESS) return code;
        code = MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, data, &hear);
        expect(code == MPI_SUCCESS, name, "a callback without hints needs no memory");
        expect(MPI_T_event_set_dropped_handler(made, &hear_losses) == MPI_SUCCESS, name, "a handler needs no memory");
        to = made;
        return MPI_SUCCESS;
    }

    void make_handles() {
        MPI_T_pvar_handle made{};
        step("an array", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(made, "p_counters", MPI_T_PVAR_CLASS_COUNTER, nullptr, 4); });
        step("a watermark", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(made, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, nullptr, 1); });
        step("an array of watermarks", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(made, "m_highest", MPI_T_PVAR_CLASS_HIGHWATERMARK, nullptr, 8); });
        // As many as there is room for in the first pages of each kind, so that they need the next ones.
        std::vector<MPI_T_cvar_handle> many(200);
        step("many control variables", {MPI_T_ERR_OUT_OF_HANDLES}, [&]() -> int {
            for (MPI_T_cvar_handle& each : many)
                if (const int code = each != nullptr ? MPI_SUCCESS : control(each, "C_INT")) return code;
            return MPI_SUCCESS;
        });
        std::vector<MPI_T_pvar_session> sessions(200);
        step("many sessions", {MPI_T_ERR_OUT_OF_SESSIONS}, [&]() -> int {
            for (MPI_T_pvar_session& each : sessions)
                if (const int code = each != nullptr ? MPI_SUCCESS : MPI_T_pvar_session_create(&each)) return code;
            return MPI_SUCCESS;
        });
        std::vector<MPI_T_pvar_handle> watching(1500);
        step("many watermarks", {MPI_T_ERR_OUT_OF_HANDLES}, [&]() -> int {
            for (MPI_T_pvar_handle& each : watching)
                if (each == nullptr)
                    if (const int code = performance(each, "p_queue", MPI_T_PVAR_CLASS_LOWWATERMARK, nullptr, 1))
                        return code;
            return MPI_SUCCESS;
        });
    }
    void make_handles_of_objects() {
        communicator first = object(first_object);
        MPI_T_cvar_handle number{};
        MPI_T_pvar_handle made{};
        const auto is_known = [&] {
            const bool is = control(number, "C_BOUND", &first) == MPI_SUCCESS;
            return MPI_T_cvar_handle_free(&number) == MPI_SUCCESS && is;
        };
        quiet_step("created", [&] { mpit::created(all, first), mpit::created(of_marks, first); }, [&] {
            return is_known() && performance(made, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &first, 1) == MPI_SUCCESS &&
                   performance(made, "m_lowest", MPI_T_PVAR_CLASS_LOWWATERMARK, &first, 1) == MPI_SUCCESS;
        });
        ++all.bound.comm[first];
        step("a control variable of an object", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return control(number, "C_BOUND", &first); });
        step("a counter of an object", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(made, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &first, 1); });
        step("a watermark of an object", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return performance(made, "m_lowest", MPI_T_PVAR_CLASS_LOWWATERMARK, &first, 1); });
        // Enough for every table to grow. What the library counts for an object without memory goes nowhere, and no
        // harm is done.
        communicator last = object(first_object + 400);
        quiet_step("many objects", [&] {
            for (std::uintptr_t i = 1; i <= 400; i++) {
                mpit::created(all, object(first_object + i));
                ++all.bound.comm[object(first_object + i)];
            }
        }, [&] {
            bool are_known = performance(made, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &last, 1) == MPI_SUCCESS;
            for (std::uintptr_t i = 0; i <= 400; i++) {
                communicator each = object(first_object + i);
                are_known = control(number, "C_BOUND", &each) == MPI_SUCCESS && are_known;
                MPI_T_cvar_handle_free(&number);
            }
            return are_known;
        });
        for (std::uintptr_t i = 0; i <= 400; i++) mpit::freed(all, object(first_object + i));
        expect(control(number, "C_BOUND", &last) == MPI_T_ERR_INVALID_HANDLE, "freed", "it needs no memory");
    }
    void make_registrations() {
        const int left = mpit::core::allocations_left.exchange(-1);
        hints given{{"mpit_buffer_depth", "2"}}, deep{{"mpit_buffer_depth", "60000"}, {"mpit_drop_policy", "oldest"}};
        mpit::core::allocations_left.store(left);
        MPI_T_event_registration made{};
        step("an event of an ordered source", {MPI_T_ERR_OUT_OF_HANDLES},
             [&] { return listen(made, "e_ordered", nullptr); });
        step("an event with hints", {MPI_T_ERR_OUT_OF_HANDLES, MPI_T_ERR_MEMORY},
             [&] { return listen(made, "e_plain", nullptr, deep.info); });
        step("event_handle_set_info", {MPI_T_ERR_MEMORY},
             [&] { return MPI_T_event_handle_set_info(made, given.info); });
        step("event_register_callback", {MPI_T_ERR_MEMORY},
             [&] { return MPI_T_event_register_callback(made, MPI_T_CB_REQUIRE_NONE, given.info, nullptr, &hear); });
        step("event_callback_set_info", {MPI_T_ERR_MEMORY},
             [&] { return MPI_T_event_callback_set_info(made, MPI_T_CB_REQUIRE_NONE, given.info); });
        step("event_handle_get_info", {MPI_T_ERR_MEMORY},
             [&] { return take_info([&](MPI_Info* info) { return MPI_T_event_handle_get_info(made, info); }); });
        step("event_callback_get_info", {MPI_T_ERR_MEMORY}, [&] {
            return take_info(
                [&](MPI_Info* info) { return MPI_T_event_callback_get_info(made, MPI_T_CB_REQUIRE_NONE, info); });
        });
        step("event_get_info", {MPI_T_ERR_MEMORY}, [&] {
            int numbers[] = {-7, -7, -7, -7}, count = 77;
            MPI_T_enum enumeration = some_handle<MPI_T_enum>();
            const int code = take_info([&](MPI_Info* info) {
                return MPI_T_event_get_info(0, nullptr, numbers, numbers + 1, nullptr, nullptr, &count, &enumeration,
                                            info, nullptr, numbers + 2, numbers + 3);
            });
            for (const int each : numbers) expect((each == -7) == (code != MPI_SUCCESS), "event_get_info", none_stored);
            expect((count == 77) == (code != MPI_SUCCESS), "event_get_info", none_stored);
            expect((enumeration == some_handle<MPI_T_enum>()) == (code != MPI_SUCCESS), "event_get_info", none_stored);
            return code;
        });
        fill_info_objects();
        step("source_get_info", {MPI_T_ERR_MEMORY}, [&] {
            int lengths[] = {-7, -7};
            MPI_Count ticks[] = {-7, -7};
            const int code = take_info([&](MPI_Info* info) {
                return MPI_T_source_get_info(0, nullptr, lengths, nullptr, lengths + 1, nullptr, ticks, ticks + 1,
                                             info);
            });
            for (const int each : lengths)
                expect((each == -7) == (code != MPI_SUCCESS), "source_get_info", none_stored);
            for (const MPI_Count each : ticks)
                expect((each == -7) == (code != MPI_SUCCESS), "source_get_info", none_stored);
            return code;
        });
        const int before = heard;
        all.events.plain.defer(1, 2, 3ul);
        all.events.plain.deliver();
        expect(heard == before + 2 && lost == 0, "a deferred event", "it needs no memory");
    }
    static constexpr const char* none_stored = "a failure stores nothing";
    // A query that makes an info object.
    int take_info(const std::function<int(MPI_Info*)>& query) {
        MPI_Info made = MPI_INFO_NULL;
        const int code = query(&made);
        expect((made == MPI_INFO_NULL) == (code != MPI_SUCCESS), "a new info object", "a failure stores none");
        if (code == MPI_SUCCESS) expect(MPI_Info_free(&made) == MPI_SUCCESS, "a new info object", "it can be freed");
        return code;
    }
    void make_info_objects() {
        MPI_Info info = MPI_INFO_NULL;
        step("info_create", {MPI_ERR_NO_MEM}, [&] { return MPI_Info_create(&info); });
        int next = 0;
        step("info_set", {MPI_ERR_NO_MEM}, [&]() -> int {
            int count = -1;
            expect(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS && count == next, "info_set",
                   "a failure adds nothing");
            for (; next < 20; next++)
                if (const int code = MPI_Info_set(info, std::to_string(next).c_str(), "value")) return code;
            return MPI_SUCCESS;
        });
        step("replacing a value", {MPI_ERR_NO_MEM}, [&] {
            char value[8] = "";
            int length = sizeof value, flag = 0;
            expect(
                MPI_Info_get_string(info, "7", &length, value, &flag) == MPI_SUCCESS && std::string{value} == "value",
                "info_set", "a failure leaves the value");
            return MPI_Info_set(info, "7", "other");
        });
        step("info_dup", {MPI_ERR_NO_MEM},
             [&] { return take_info([&](MPI_Info* made) { return MPI_Info_dup(info, made); }); });
        step("the info object of the environment", {MPI_ERR_NO_MEM}, [] {
            int count = -1;
            const int code = MPI_Info_get_nkeys(MPI_INFO_ENV, &count);
            return code == MPI_SUCCESS && count < 1 ? -1 : code;
        });
        step("info_create_env", {MPI_ERR_NO_MEM},
             [&] { return take_info([](MPI_Info* made) { return MPI_Info_create_env(0, nullptr, made); }); });
        expect(MPI_Info_free(&info) == MPI_SUCCESS, "info_free", "it needs no memory");
    }
    // Makes so many that the next one needs memory: the pieces that objects are taken from double in size.
    void fill_info_objects() {
        const int left = mpit::core::allocations_left.exchange(-1);
        MPI_Info made = MPI_INFO_NULL;
        const std::size_t before = mpit::core::bytes_in_use();
        int count = 0;
        while (mpit::core::bytes_in_use() == before) count += MPI_Info_create(&made) == MPI_SUCCESS;
        for (int i = 1; i < 128; i++) count += MPI_Info_create(&made) == MPI_SUCCESS;
        expect(count <= 192, "info_create", "the second piece holds 128 objects");
        mpit::core::allocations_left.store(left);
    }
    void enter_a_tree() {
        int number = -1;
        late_tree tree;
        quiet_step("registration", [&] {
            mpit::registry::unregister(tree.root);
            tree.enter();
            tree.use();
        }, [&] {
            bool is_whole = MPI_T_cvar_get_index("L_COLOUR", &number) == MPI_SUCCESS;
            is_whole = MPI_T_event_get_index("l_event", &number) == MPI_SUCCESS && is_whole;
            for (mpit::counter<>& each : tree.counters) {
                const char* name = each.name.characters;
                const bool is_there = MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &number) == MPI_SUCCESS;
                is_whole = is_there && is_whole;
            }
            return is_whole;
        });
        mpit::registry::unregister(tree.root);
    }
    // The cells of the next thread need memory: those of 64 threads are allocated together.
    static void take_places_of_threads() {
        using namespace mpit::core;
        for (std::uint32_t i = 1; i < shard_parts::shards; i++) detail::allocate_shard_memory(*shards.load());
    }
    // A thread without memory for cells of its own counts where all threads do, and events that it cannot show are lost
    // with a word.
    void start_a_thread() {
        const int number = next_step_++, before = heard + lost;
        take_places_of_threads();
        unsigned long long sum = 0;
        const std::size_t refusals = mpit::core::refusals();
        std::thread{[&] {
            all.performances.counter += 100;
            all.events.plain(1, 2, 3ul);
            const bool may_have_failed = mpit::core::refusals() != refusals && memory_is_there_again();
            expect(MPI_T_pvar_read(session_, counter_, &sum) == MPI_SUCCESS && sum == 105, "a thread",
                   "it loses no count");
            all.performances.counter += 100;
            all.events.plain(1, 2, 3ul);
            counts_.failures[number] += lost > 0;
            expect(lost == 0 || may_have_failed, "a thread", "events are lost for want of memory alone");
        }}.join();
        expect(heard + lost == before + 4, "a thread", "both registrations hear of both events, or of their loss");
        expect(MPI_T_pvar_read(session_, counter_, &sum) == MPI_SUCCESS && sum == 205, "a thread", "it loses no count");
        expect(MPI_T_pvar_reset(session_, counter_) == MPI_SUCCESS, "pvar_reset", "it needs no memory");
        all.performances.counter += 5;
        if (next_step_ != step_count) std::fprintf(stderr, "%d steps\n", next_step_), broken_++;
    }

    shared_counts& counts_;
    bool has_ended_ = false;
    int next_step_ = 0, broken_ = 0, controls_ = 0, update_ = 0;
    MPI_T_pvar_session session_{};
    MPI_T_cvar_handle number_{};
    MPI_T_pvar_handle counter_{};
    MPI_T_event_registration registration_{};
};

// The processes begin as copies of this one, which has used nothing yet.
int outcome_of_process(int allowed, shared_counts& counts) {
    const pid_t child = fork();
    if (child == 0) _exit(scenario{allowed, counts}.run());
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

} // namespace

TEST_CASE("Whichever allocation fails, the call says so, loses nothing, and succeeds when there is memory",
          "[RC-02][RC-05][CVAR-12][HNDL-01][SESS-01][EVT-12][INFO-24]") {
    auto& counts = *static_cast<shared_counts*>(
        mmap(nullptr, sizeof(shared_counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    int allowed = 0, outcome = scenario::nothing_was_lost;
    for (; outcome == scenario::nothing_was_lost; allowed++) {
        INFO("after " << allowed << " allocations");
        outcome = outcome_of_process(allowed, counts);
        CHECK((outcome == scenario::nothing_was_lost || outcome == scenario::memory_sufficed));
    }
    // All steps have failed but three: the first object finds room that others left.
    int failed_steps = 0;
    for (const int each : counts.failures) failed_steps += each > 0;
    CHECK(failed_steps == scenario::step_count - 3);
    CHECK(counts.sum() >= 100);
}

namespace {

// Registers so often without memory for a queue that whatever these calls might keep takes up all of what is there, and
// then with memory for one piece more: either that is what is needed, or it goes the same way. The hints take the first
// two.
std::size_t growth_by_failures(int index, MPI_Info hints_of_one_pair) {
    const std::size_t before = mpit::core::bytes_in_use();
    int broken = 0;
    for (int i = 0; i < 80'000; i++) {
        MPI_T_event_registration made{};
        mpit::core::allocations_left.store(i % 2000 == 1999 ? 3 : 2);
        const int code = MPI_T_event_handle_alloc(index, nullptr, hints_of_one_pair, &made);
        mpit::core::allocations_left.store(-1);
        broken += code != MPI_SUCCESS && code != MPI_T_ERR_OUT_OF_HANDLES;
        if (code == MPI_SUCCESS) broken += MPI_T_event_handle_free(made, nullptr, nullptr) != MPI_SUCCESS;
    }
    CHECK(broken == 0);
    return mpit::core::bytes_in_use() - before;
}

} // namespace

TEST_CASE_METHOD(initialized, "Registrations that fail tens of thousands of times leak nothing", "[RC-05]") {
    registration first{"e_plain"};
    hints deep{{"mpit_buffer_depth", "1024"}};
    for (const char* name : {"e_ordered", "e_wrapping"}) {
        INFO(name);
        CHECK(growth_by_failures(event_index(name), deep.info) < 300'000);
        registration last{name, nullptr, deep.info};
    }
}

TEST_CASE_METHOD(initialized, "A thousand rounds of too many handles and too many sessions allocate memory once",
                 "[RC-05]") {
    session s;
    std::size_t after_first = 0;
    const int control = cvar_index("C_INT"), highest = pvar_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK);
    for (int round = 0; round < 1000; round++) {
        std::vector<MPI_T_cvar_handle> controls;
        std::vector<MPI_T_pvar_handle> performances;
        std::vector<MPI_T_pvar_session> sessions;
        mpit::core::allocations_left.store(0);
        for (int code = MPI_SUCCESS, count = 0; code == MPI_SUCCESS && controls.size() < 500;) {
            MPI_T_cvar_handle made{};
            code = MPI_T_cvar_handle_alloc(control, nullptr, &made, &count);
            if (code == MPI_SUCCESS) controls.push_back(made);
        }
        for (int code = MPI_SUCCESS, count = 0; code == MPI_SUCCESS && performances.size() < 500;) {
            MPI_T_pvar_handle made{};
            code = MPI_T_pvar_handle_alloc(s.handle, highest, nullptr, &made, &count);
            if (code == MPI_SUCCESS) performances.push_back(made);
        }
        for (int code = MPI_SUCCESS; code == MPI_SUCCESS && sessions.size() < 500;) {
            MPI_T_pvar_session made{};
            code = MPI_T_pvar_session_create(&made);
            if (code == MPI_SUCCESS) sessions.push_back(made);
        }
        mpit::core::allocations_left.store(-1);
        // One of each, now that there is memory: the first round makes room for all others.
        int count = 0, broken = 0;
        controls.emplace_back(), performances.emplace_back(), sessions.emplace_back();
        broken += MPI_T_cvar_handle_alloc(control, nullptr, &controls.back(), &count) != MPI_SUCCESS;
        broken += MPI_T_pvar_handle_alloc(s.handle, highest, nullptr, &performances.back(), &count) != MPI_SUCCESS;
        broken += MPI_T_pvar_session_create(&sessions.back()) != MPI_SUCCESS;
        for (MPI_T_cvar_handle& each : controls) broken += MPI_T_cvar_handle_free(&each) != MPI_SUCCESS;
        for (MPI_T_pvar_handle& each : performances) broken += MPI_T_pvar_handle_free(s.handle, &each) != MPI_SUCCESS;
        for (MPI_T_pvar_session& each : sessions) broken += MPI_T_pvar_session_free(&each) != MPI_SUCCESS;
        REQUIRE(broken == 0);
        if (round == 5) after_first = mpit::core::bytes_in_use();
    }
    CHECK(mpit::core::bytes_in_use() - after_first == 0);
}

TEST_CASE("If memory for any part of an info object is lacking, no other part is leaked", "[RC-05]") {
    MPI_Info from = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create(&from) == MPI_SUCCESS);
    for (int i = 0; i < 20; i++) REQUIRE(MPI_Info_set(from, std::to_string(i).c_str(), "value") == MPI_SUCCESS);
    const std::size_t before = mpit::core::bytes_in_use();
    int failures = 0;
    for (int round = 0; round < 1000; round++) {
        MPI_Info copy = MPI_INFO_NULL;
        mpit::core::allocations_left.store(round % 60);
        const int code = MPI_Info_dup(from, &copy);
        mpit::core::allocations_left.store(-1);
        failures += code == MPI_ERR_NO_MEM && copy == MPI_INFO_NULL;
        if (code == MPI_SUCCESS) REQUIRE(MPI_Info_free(&copy) == MPI_SUCCESS);
    }
    CHECK(failures > 500);
    CHECK(mpit::core::bytes_in_use() == before);
    REQUIRE(MPI_Info_free(&from) == MPI_SUCCESS);
}

// A process whose memory has ended before the index could be made.
static const char* const empty_start = "MPIT_TEST_STARTS_WITHOUT_MEMORY";
[[gnu::constructor(101)]] static void end_memory_early() {
    if (std::getenv(empty_start) != nullptr) mpit::core::allocations_left.store(0);
}

TEST_CASE("A process that starts without memory", "[.]") {
    int provided = -7, count = -7;
    const int without = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    ++all.performances.counter;
    all.events.plain(1, 2, 3ul);
    mpit::created(all, object(first_object));
    const int level = provided;
    mpit::core::allocations_left.store(-1);
    const int with = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_get_num(&count);
    std::printf("start=%d %d %d %d %d %d\n", without == MPI_T_ERR_CANNOT_INIT, level, with == MPI_SUCCESS, provided,
                count, static_cast<int>(all.performances.counter.get()));
}
TEST_CASE("Without memory for the registry the interface does not open, and the library works", "[RC-02][INIT-02]") {
    const std::vector<std::string> lines =
        lines_of_another_process("A process that starts without memory", "start=", std::string{empty_start} + "=1");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0] == "start=1 -7 1 " + std::to_string(MPI_THREAD_SINGLE) + " 0 1\n");
}
