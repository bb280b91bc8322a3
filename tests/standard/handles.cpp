// MPI-5.0, 15.3.7: what is said of performance variables, and that it is true; the sessions in which they are used; and handles
// on them: how they are born, started, stopped, read, written and reset, alone and all together.
#include "../descriptions.hpp"

#include <mpit/module/publish_pending.hpp>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

namespace {

// Trees that a test registers while it runs, as a library does that is loaded late.
struct grown_variables : mpit::category<"grown_performances", "Variables that appear between two looks"> {
    mpit::counter<> one{this, "grown", "Events"};
};
struct duplicate_variables : mpit::category<"duplicate_performances", "Pairs of name and class that are taken"> {
    mpit::level<unsigned long> taken{this, "p_queue", "Another level of the same name"};
    mpit::counter<> of_another_class{this, "p_queue", "A counter of the same name"};
};
template <class Tree> Tree& enrol_now() {
    mpit::registry::register_tree(mpit::tree_holder<Tree>::held.tree, "a late library");
    return mpit::tree_holder<Tree>::held.tree;
}

std::string last_report;

// An object that every bound variable of this program knows, whatever its kind.
std::uintptr_t known_object = 0x77;
template <class... Handle> void announce_as() { (mpit::created(all, handle_number<Handle>(known_object)), ...); }
void announce_known_object() {
    announce_as<MPI_ABI_Comm*, MPI_ABI_Datatype*, MPI_ABI_Errhandler*, MPI_ABI_File*, MPI_ABI_Group*, MPI_ABI_Op*,
                MPI_ABI_Request*, MPI_ABI_Win*, MPI_ABI_Message*, MPI_ABI_Info*, MPI_ABI_Session*>();
    mpit::created<mpit::binding::communicator>(all, static_cast<int>(known_object));
}

// Room for any value; a value that was read may be written back.
struct any_value {
    alignas(8) char bytes[256]{};
};

} // namespace

TEST_CASE("The attributes of a performance variable survive use, growth and epochs", "[PVAR-03][INIT-12][INIT-15]") {
    std::vector<std::string> before;
    {
        initialized now;
        before = lines_of_all<pvar_info>();
        session in;
        pvar{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}.write(12ull);
        ++all.performances.counter;
    }
    enrol_now<grown_variables>();
    initialized now;
    std::vector<std::string> after = lines_of_all<pvar_info>();
    REQUIRE(after.size() > before.size());
    after.resize(before.size());
    CHECK(after == before);
}

TEST_CASE_METHOD(initialized, "A name may occur once in each class, and a second one is reported and hidden",
                 "[PVAR-05][PVAR-06]") {
    const int level = pvar_index("p_queue", MPI_T_PVAR_CLASS_LEVEL);
    const std::set<int> indices{level, pvar_index("p_queue", MPI_T_PVAR_CLASS_SIZE),
                                pvar_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK),
                                pvar_index("p_queue", MPI_T_PVAR_CLASS_LOWWATERMARK)};
    CHECK(indices.size() == 4);

    mpit::set_report_handler([](const char* line) { last_report = line; });
    const int before = number_of_all<pvar_info>();
    enrol_now<duplicate_variables>();
    mpit::set_report_handler(nullptr);
    CHECK(last_report.find("p_queue is declared twice") != std::string::npos);
    CHECK(number_of_all<pvar_info>() == before + 1);
    CHECK(pvar_index("p_queue", MPI_T_PVAR_CLASS_LEVEL) == level);
    CHECK(std::string{pvar_info{level}.description} == "Entries in the queue");
    CHECK(pvar_index("p_queue", MPI_T_PVAR_CLASS_COUNTER) == before);

    std::set<std::pair<std::string, int>> pairs;
    for (int i = 0; i < number_of_all<pvar_info>(); i++) {
        const pvar_info about{i};
        CHECK(pairs.insert({about.name, about.in_class}).second);
        CHECK(pvar_index(about.name, about.in_class) == i);
    }
}

TEST_CASE_METHOD(initialized, "A name of another class and an invalid class are unknown", "[PVAR-07]") {
    for (const int in_class : {MPI_T_PVAR_CLASS_COUNTER + 0, 0, 99, -1, 11}) {
        int index = 77;
        CHECK(MPI_T_pvar_get_index("p_percentage", in_class, &index) == MPI_T_ERR_INVALID_NAME);
        CHECK(index == 77);
    }
    int index = 77;
    CHECK(MPI_T_pvar_get_index("no such variable", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(index == 77);
}

TEST_CASE_METHOD(in_session, "Variables report whether they are readonly, continuous and atomic",
                 "[PVAR-08][PVAR-09][PVAR-10]") {
    announce_known_object();
    for (const pvar_info& about : all_of<pvar_info>()) {
        INFO(about.name << " of class " << about.in_class);
        pvar at{in, about.name, about.in_class, &known_object};
        const int startable = about.continuous ? MPI_T_ERR_PVAR_NO_STARTSTOP : MPI_SUCCESS;
        CHECK(at.start() == startable);
        CHECK(at.stop() == startable);
        const int writable = about.readonly ? MPI_T_ERR_PVAR_NO_WRITE : MPI_SUCCESS;
        any_value value;
        REQUIRE(MPI_T_pvar_read(in.handle, at.handle, value.bytes) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_write(in.handle, at.handle, value.bytes) == writable);
        CHECK(at.reset() == writable);
        CHECK(MPI_T_pvar_readreset(in.handle, at.handle, value.bytes) ==
              (about.atomic ? MPI_SUCCESS : MPI_T_ERR_PVAR_NO_ATOMIC));
        CHECK_FALSE((about.readonly && about.atomic));
    }
    const pvar_info counter{"p_counter"};
    CHECK((counter.readonly == 0 && counter.continuous == 0 && counter.atomic == 1));
    CHECK(pvar_info{"p_readonly"}.readonly == 1);
    CHECK(pvar_info{"p_continuous"}.continuous == 1);
    CHECK(pvar_info{"p_not_atomic"}.atomic == 0);
}

TEST_CASE_METHOD(initialized, "Sessions differ from each other", "[SESS-01]") {
    std::vector<MPI_T_pvar_session> sessions(1000);
    for (MPI_T_pvar_session& s : sessions) REQUIRE(MPI_T_pvar_session_create(&s) == MPI_SUCCESS);
    CHECK(std::set<MPI_T_pvar_session>(sessions.begin(), sessions.end()).size() == sessions.size());
    for (MPI_T_pvar_session& s : sessions) REQUIRE(MPI_T_pvar_session_free(&s) == MPI_SUCCESS);
}

TEST_CASE_METHOD(initialized, "Operations in one session do not affect another", "[SESS-02]") {
    session a, b;
    pvar in_a{a, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, in_b{b, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    CHECK(in_a.start() == MPI_SUCCESS);
    CHECK(in_b.start() == MPI_SUCCESS);
    all.performances.counter += 5;
    CHECK(in_a.reset() == MPI_SUCCESS);
    all.performances.counter += 2;
    CHECK(in_b.read() == 7);
    CHECK(in_a.write(100ull) == MPI_SUCCESS);
    CHECK(in_b.read() == 7);
    CHECK(in_a.stop() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(in_b.read() == 8);
    CHECK(in_a.read() == 100);
    CHECK(MPI_T_pvar_session_free(&a.handle) == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(in_b.readreset() == 9);
}

TEST_CASE_METHOD(initialized, "Watermarks of one level are independent in every session", "[SESS-02]") {
    session a, b;
    pvar in_a{a, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK}, in_b{b, "p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    all.performances.level = 4;
    CHECK(in_a.start() == MPI_SUCCESS);
    CHECK(in_b.start() == MPI_SUCCESS);
    all.performances.level = 9;
    all.performances.level = 2;
    CHECK(in_a.reset() == MPI_SUCCESS);
    CHECK(in_a.read<unsigned long>() == 2);
    CHECK(in_b.read<unsigned long>() == 9);
    CHECK(in_b.write(30ul) == MPI_SUCCESS);
    CHECK(in_b.stop() == MPI_SUCCESS);
    all.performances.level = 6;
    CHECK(in_a.read<unsigned long>() == 6);
    CHECK(in_b.read<unsigned long>() == 30);
}

TEST_CASE_METHOD(in_session, "Two handles on one variable in one session are independent as well", "[SESS-03]") {
    pvar one{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, other{in, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    CHECK(one.handle != other.handle);
    CHECK(one.start() == MPI_SUCCESS);
    all.performances.counter += 3;
    CHECK(other.read() == 0);
    CHECK(other.start() == MPI_SUCCESS);
    CHECK(one.write(50ull) == MPI_SUCCESS);
    all.performances.counter += 4;
    CHECK(one.read() == 54);
    CHECK(other.read() == 4);
    CHECK(one.stop() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(other.read() == 5);
}

TEST_CASE_METHOD(initialized, "Freeing a session frees its handles, and their slots are reused", "[SESS-05]") {
    for (int round = 0; round < 200; round++) {
        session in, other;
        std::vector<MPI_T_pvar_handle> handles(10);
        int count = 0;
        for (MPI_T_pvar_handle& h : handles)
            REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK), nullptr,
                                            &h, &count) == MPI_SUCCESS);
        if (round == 20) mpit::core::allocations_left.store(0);
        REQUIRE(MPI_T_pvar_session_free(&in.handle) == MPI_SUCCESS);
        for (MPI_T_pvar_handle h : handles) {
            CHECK(MPI_T_pvar_start(other.handle, h) == MPI_T_ERR_INVALID_HANDLE);
            CHECK(MPI_T_pvar_handle_free(other.handle, &h) == MPI_T_ERR_INVALID_HANDLE);
        }
    }
    mpit::core::allocations_left.store(-1);
}

namespace {

constexpr int level_class = MPI_T_PVAR_CLASS_LEVEL, counter_class = MPI_T_PVAR_CLASS_COUNTER,
              high_class = MPI_T_PVAR_CLASS_HIGHWATERMARK, low_class = MPI_T_PVAR_CLASS_LOWWATERMARK;

auto& performances = all.performances;

// Bound variables of which one object after another is freed in this file.
communicator new_object() {
    static std::uintptr_t last = 0x500;
    auto made = handle_number<communicator>(++last);
    mpit::created(all, made);
    return made;
}

// The seven functions that take a session and a handle, for tests of what they refuse.
struct handle_function {
    const char* name;
    int (*call)(MPI_T_pvar_session, MPI_T_pvar_handle, void* buffer);
};
const handle_function functions[] = {
    {"handle_free", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void*) { return MPI_T_pvar_handle_free(s, &h); }},
    {"start", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void*) { return MPI_T_pvar_start(s, h); }},
    {"stop", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void*) { return MPI_T_pvar_stop(s, h); }},
    {"read", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void* b) { return MPI_T_pvar_read(s, h, b); }},
    {"write", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void* b) { return MPI_T_pvar_write(s, h, b); }},
    {"reset", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void*) { return MPI_T_pvar_reset(s, h); }},
    {"readreset", [](MPI_T_pvar_session s, MPI_T_pvar_handle h, void* b) { return MPI_T_pvar_readreset(s, h, b); }}};

} // namespace

TEST_CASE_METHOD(in_session, "Allocating a handle returns the number of elements", "[HNDL-01]") {
    CHECK(pvar{in, "p_counters", counter_class}.count == 4);
    CHECK(pvar{in, "p_counter", counter_class}.count == 1);
    CHECK(pvar{in, "p_computed_text", MPI_T_PVAR_CLASS_GENERIC}.count == 16);
}

TEST_CASE_METHOD(in_session, "A new handle is stopped, and one on a continuous variable is running",
                 "[HNDL-02][HNDL-03]") {
    performances.continuous += 5;
    pvar stopped{in, "p_counter", counter_class}, live{in, "p_continuous", counter_class};
    performances.counter += 10;
    performances.continuous += 3;
    CHECK(stopped.read() == 0);
    CHECK(live.read() == 3);
}

TEST_CASE_METHOD(in_session, "A freed handle is null, and the others on the variable keep working", "[HNDL-04]") {
    pvar freed{in, "p_counter", counter_class}, kept{in, "p_counter", counter_class};
    CHECK(freed.start() == MPI_SUCCESS);
    CHECK(kept.start() == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_free(in.handle, &freed.handle) == MPI_SUCCESS);
    CHECK(freed.handle == MPI_T_PVAR_HANDLE_NULL);
    ++performances.counter;
    CHECK(kept.read() == 1);
}

TEST_CASE_METHOD(in_session, "Starting a running handle and stopping a stopped one succeed without effect",
                 "[HNDL-07][HNDL-08]") {
    pvar counter{in, "p_counter", counter_class}, mark{in, "p_queue", high_class};
    CHECK(counter.stop() == MPI_SUCCESS);
    CHECK(counter.start() == MPI_SUCCESS);
    performances.counter += 4;
    CHECK(counter.start() == MPI_SUCCESS);
    ++performances.counter;
    CHECK(counter.read() == 5);
    CHECK(counter.stop() == MPI_SUCCESS);
    performances.counter += 10;
    CHECK(counter.read() == 5);
    CHECK(counter.stop() == MPI_SUCCESS);
    CHECK(counter.read() == 5);

    performances.level = 8;
    CHECK(mark.start() == MPI_SUCCESS);
    CHECK(mark.write(3ul) == MPI_SUCCESS);
    CHECK(mark.start() == MPI_SUCCESS);
    CHECK(mark.read<unsigned long>() == 3);
}

TEST_CASE_METHOD(in_session, "A continuous variable is neither started nor stopped", "[HNDL-09]") {
    pvar counter{in, "p_continuous", counter_class};
    ++performances.continuous;
    CHECK(counter.start() == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(counter.stop() == MPI_T_ERR_PVAR_NO_STARTSTOP);
    ++performances.continuous;
    CHECK(counter.read() == 2);
}

TEST_CASE_METHOD(in_session, "Sums continue from where they were stopped, and include the running intervals only",
                 "[HNDL-10]") {
    pvar counter{in, "p_counter", counter_class}, amount{in, "p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE},
        timer{in, "p_timer_integer", MPI_T_PVAR_CLASS_TIMER};
    const auto happen = [](unsigned times) {
        performances.counter += times;
        performances.aggregate_double += times * 0.5;
        performances.timer_integer.add(times * 10);
    };
    for (const pvar* at : {&counter, &amount, &timer}) CHECK(at->start() == MPI_SUCCESS);
    happen(2);
    for (const pvar* at : {&counter, &amount, &timer}) CHECK(at->stop() == MPI_SUCCESS);
    happen(5);
    for (const pvar* at : {&counter, &amount, &timer}) CHECK(at->start() == MPI_SUCCESS);
    happen(3);
    CHECK(counter.read() == 5);
    CHECK(amount.read<double>() == 2.5);
    CHECK(timer.read() == 50);
}

TEST_CASE_METHOD(initialized, "Starting and stopping all handles skips continuous ones and those already in that state",
                 "[HNDL-11][HNDL-12]") {
    session empty, only_continuous, mixed;
    pvar lonely{only_continuous, "p_continuous", counter_class};
    pvar continuous{mixed, "p_continuous", counter_class}, running{mixed, "p_counter", counter_class},
        stopped{mixed, "p_counter", counter_class};
    CHECK(running.start() == MPI_SUCCESS);
    ++performances.counter;
    for (const session* in : {&empty, &only_continuous, &mixed})
        CHECK(MPI_T_pvar_start(in->handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.counter;
    ++performances.continuous;
    CHECK(running.read() == 2);
    CHECK(stopped.read() == 1);
    CHECK(stopped.stop() == MPI_SUCCESS);
    for (const session* in : {&empty, &only_continuous, &mixed})
        CHECK(MPI_T_pvar_stop(in->handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.counter;
    ++performances.continuous;
    CHECK(running.read() == 2);
    CHECK(stopped.read() == 1);
    CHECK(continuous.read() == 2);
    CHECK(lonely.read() == 2);
}

TEST_CASE_METHOD(in_session,
                 "One handle that cannot be started or stopped fails the call and does not affect the others",
                 "[HNDL-13]") {
    communicator lives = new_object(), dies = new_object();
    pvar first{in, "p_counter", counter_class}, second{in, "b_comm", counter_class, &lives},
        failing{in, "b_comm", counter_class, &dies}, fourth{in, "p_queue", high_class},
        fifth{in, "p_counter", counter_class};
    mpit::freed(all, dies);
    performances.level = 2;
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    const auto happen = [&] {
        ++performances.counter;
        ++all.bound.comm[lives];
        ++performances.level;
    };
    const auto check_values = [&] {
        CHECK(first.read() == 1);
        CHECK(second.read<unsigned long>() == 1);
        CHECK(fourth.read<unsigned long>() == 3);
        CHECK(fifth.read() == 1);
    };
    happen();
    check_values();
    CHECK(MPI_T_pvar_stop(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    happen();
    check_values();
}

TEST_CASE_METHOD(initialized, "All handles are those of one session", "[HNDL-14]") {
    session a, b;
    pvar in_a{a, "p_counter", counter_class}, in_b{b, "p_counter", counter_class};
    CHECK(MPI_T_pvar_start(a.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.counter;
    CHECK(in_a.read() == 1);
    CHECK(in_b.read() == 0);
    CHECK(in_b.start() == MPI_SUCCESS);
    CHECK(MPI_T_pvar_stop(a.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(a.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.counter;
    CHECK(in_a.read() == 0);
    CHECK(in_b.read() == 1);
}

TEST_CASE_METHOD(in_session, "A read stores all elements and nothing behind them, frozen when stopped", "[HNDL-15]") {
    pvar counters{in, "p_counters", counter_class}, text{in, "p_computed_text", MPI_T_PVAR_CLASS_GENERIC};
    CHECK(counters.start() == MPI_SUCCESS);
    for (unsigned i = 0; i < 4; i++) performances.counters[i] += i + 1;
    CHECK(counters.stop() == MPI_SUCCESS);
    for (unsigned i = 0; i < 4; i++) performances.counters[i] += 100;
    unsigned long values[6] = {77, 77, 77, 77, 77, 77};
    CHECK(MPI_T_pvar_read(in.handle, counters.handle, values) == MPI_SUCCESS);
    CHECK(std::vector<unsigned long>(values, values + 6) == std::vector<unsigned long>{1, 2, 3, 4, 77, 77});
    char characters[20];
    std::memset(characters, '#', sizeof characters);
    CHECK(MPI_T_pvar_read(in.handle, text.handle, characters) == MPI_SUCCESS);
    CHECK(std::string(characters, sizeof characters) == "x" + std::string(15, '\0') + "####");
}

TEST_CASE_METHOD(in_session, "A handle that was never started shows the starting value of its class", "[HNDL-16]") {
    performances.counter += 3;
    performances.level = 11;
    performances.state = colour::green;
    CHECK(pvar{in, "p_counter", counter_class}.read() == 0);
    CHECK(pvar{in, "p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE}.read<double>() == 0);
    CHECK(pvar{in, "p_timer", MPI_T_PVAR_CLASS_TIMER}.read<double>() == 0);
    CHECK(pvar{in, "p_queue", level_class}.read<unsigned long>() == 11);
    CHECK(pvar{in, "p_queue", MPI_T_PVAR_CLASS_SIZE}.read<unsigned long>() == 64);
    CHECK(pvar{in, "p_queue", high_class}.read<unsigned long>() == 11);
    CHECK(pvar{in, "p_queue", low_class}.read<unsigned long>() == 11);
    CHECK(pvar{in, "p_percentage", MPI_T_PVAR_CLASS_PERCENTAGE}.read<double>() == 0.25);
    CHECK(pvar{in, "p_state", MPI_T_PVAR_CLASS_STATE}.read<int>() == static_cast<int>(colour::green));
    CHECK(pvar{in, "p_generic", MPI_T_PVAR_CLASS_GENERIC}.read<MPI_Count>() == 100);
}

TEST_CASE_METHOD(in_session, "A written value goes on from there, and a readonly variable is not written",
                 "[HNDL-17]") {
    pvar running{in, "p_counter", counter_class}, stopped{in, "p_counter", counter_class},
        readonly{in, "p_readonly", counter_class}, counters{in, "p_counters", counter_class};
    CHECK(running.start() == MPI_SUCCESS);
    CHECK(running.write(100ull) == MPI_SUCCESS);
    CHECK(stopped.write(200ull) == MPI_SUCCESS);
    performances.counter += 3;
    CHECK(running.read() == 103);
    CHECK(stopped.read() == 200);
    CHECK(stopped.start() == MPI_SUCCESS);
    ++performances.counter;
    CHECK(stopped.read() == 201);
    CHECK(readonly.start() == MPI_SUCCESS);
    ++performances.readonly;
    CHECK(readonly.write(5ull) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(readonly.read() == 1);

    const unsigned long wanted[4] = {4, 3, 2, 1};
    unsigned long read[4]{};
    CHECK(MPI_T_pvar_write(in.handle, counters.handle, wanted) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_read(in.handle, counters.handle, read) == MPI_SUCCESS);
    CHECK(std::equal(read, read + 4, wanted));
}

TEST_CASE_METHOD(in_session, "A reset restores the starting value, and a running handle keeps running", "[HNDL-18]") {
    pvar running{in, "p_counter", counter_class}, stopped{in, "p_counter", counter_class},
        readonly{in, "p_readonly", counter_class};
    CHECK(running.start() == MPI_SUCCESS);
    CHECK(stopped.write(9ull) == MPI_SUCCESS);
    performances.counter += 4;
    CHECK(running.reset() == MPI_SUCCESS);
    CHECK(stopped.reset() == MPI_SUCCESS);
    performances.counter += 2;
    CHECK(running.read() == 2);
    CHECK(stopped.read() == 0);
    CHECK(readonly.start() == MPI_SUCCESS);
    ++performances.readonly;
    CHECK(readonly.reset() == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(readonly.read() == 1);
}

TEST_CASE_METHOD(in_session, "A reset works for each class, running or not", "[HNDL-18]") {
    performances.level = 5;
    performances.percentage = 0.25;
    performances.state = colour::red;
    struct expectation {
        const char* name;
        int in_class;
        double starting_value;
        double (*read)(const pvar&);
    };
    const auto as_whole = [](const pvar& at) { return static_cast<double>(at.read<unsigned long>()); };
    const auto as_real = [](const pvar& at) { return at.read<double>(); };
    const auto as_int = [](const pvar& at) { return static_cast<double>(at.read<int>()); };
    const expectation expectations[] = {{"p_counter", counter_class, 0, as_whole},
                                        {"p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE, 0, as_real},
                                        {"p_timer", MPI_T_PVAR_CLASS_TIMER, 0, as_real},
                                        {"p_generic", MPI_T_PVAR_CLASS_GENERIC, 100, as_whole},
                                        {"p_queue", level_class, 5, as_whole},
                                        {"p_queue", MPI_T_PVAR_CLASS_SIZE, 64, as_whole},
                                        {"p_queue", high_class, 5, as_whole},
                                        {"p_queue", low_class, 5, as_whole},
                                        {"p_percentage", MPI_T_PVAR_CLASS_PERCENTAGE, 0.25, as_real},
                                        {"p_state", MPI_T_PVAR_CLASS_STATE, -5, as_int}};
    for (const expectation& expected : expectations) {
        INFO(expected.name << " of class " << expected.in_class);
        pvar running{in, expected.name, expected.in_class}, stopped{in, expected.name, expected.in_class};
        CHECK(running.start() == MPI_SUCCESS);
        for (const pvar* at : {&running, &stopped}) {
            if (expected.read == +as_int) CHECK(at->write(static_cast<int>(colour::blue)) == MPI_SUCCESS);
            else if (expected.read == +as_real) CHECK(at->write(0.75) == MPI_SUCCESS);
            else CHECK(at->write(12ul) == MPI_SUCCESS);
            CHECK(expected.read(*at) != expected.starting_value);
            CHECK(at->reset() == MPI_SUCCESS);
            CHECK(expected.read(*at) == expected.starting_value);
        }
    }
}

TEST_CASE_METHOD(initialized, "A reset of all handles skips readonly ones and goes on after a failure", "[HNDL-19]") {
    session empty, only_readonly, mixed;
    communicator dies = new_object();
    pvar lonely{only_readonly, "p_readonly", counter_class};
    pvar readonly{mixed, "p_readonly", counter_class}, first{mixed, "p_counter", counter_class};
    for (const session* in : {&only_readonly, &mixed})
        CHECK(MPI_T_pvar_start(in->handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.readonly;
    ++performances.counter;
    for (const session* in : {&empty, &only_readonly, &mixed})
        CHECK(MPI_T_pvar_reset(in->handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(lonely.read() == 1);
    CHECK(readonly.read() == 1);
    CHECK(first.read() == 0);

    pvar failing{mixed, "b_comm", counter_class, &dies}, last{mixed, "p_counter", counter_class};
    mpit::freed(all, dies);
    CHECK(first.write(5ull) == MPI_SUCCESS);
    CHECK(last.write(6ull) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(mixed.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(first.read() == 0);
    CHECK(last.read() == 0);
}

TEST_CASE_METHOD(
    in_session,
    "Threads that count and reset handles share out the events, of which none falls between a read and its reset",
    "[HNDL-20]") {
    pvar counter{in, "p_counter", counter_class}, amount{in, "p_aggregate_double", MPI_T_PVAR_CLASS_AGGREGATE};
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    constexpr unsigned long thread_count = 8, events = 125000;
    std::atomic<unsigned long long> sum{0};
    std::atomic<double> amounts{0};
    std::vector<std::thread> threads;
    for (unsigned long t = 0; t < thread_count; t++)
        threads.emplace_back([&, t] {
            for (unsigned long i = 0; i < events; i++) {
                ++performances.counter;
                if (i % 8 == 0) performances.aggregate_double += 0.5;
                if (t > 4 || i % 16 != t) continue; // the others count on meanwhile
                unsigned long long part = 0;
                double amount_part = 0;
                MPI_T_pvar_readreset(in.handle, counter.handle, &part);
                MPI_T_pvar_readreset(in.handle, amount.handle, &amount_part);
                sum += part;
                amounts += amount_part;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(sum + counter.readreset() == thread_count * events);
    CHECK(amounts + amount.readreset<double>() == static_cast<double>(thread_count * events) / 16);
}

TEST_CASE_METHOD(initialized,
                 "Watermarks miss no level while threads move it and another session starts and resets its own",
                 "[HNDL-20][SESS-02]") {
    session in, other;
    constexpr unsigned long base = 100000, peak = 50000, noise = 5;
    performances.level = base;
    pvar high{in, "p_queue", high_class}, low{in, "p_queue", low_class};
    pvar other_high{other, "p_queue", high_class}, other_low{other, "p_queue", low_class};
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    std::atomic<int> running{3}, wrong{0};
    std::vector<std::thread> threads;
    for (unsigned long step = 1; step <= 3; step++)
        threads.emplace_back([&running, step] {
            for (int i = 0; i < 10000; i++) {
                // One of the three goes far up and far down, once; the others move the level by five at most.
                const unsigned long far = step == 1 && i == 5000 ? peak : step;
                performances.level += far;
                performances.level -= 2 * far;
                performances.level += far;
            }
            running--;
        });
    threads.emplace_back([&] {
        while (running > 0) {
            MPI_T_pvar_start(other.handle, MPI_T_PVAR_ALL_HANDLES);
            for (const pvar* at : {&other_high, &other_low}) {
                unsigned long seen = 0;
                MPI_T_pvar_readreset(other.handle, at->handle, &seen);
                wrong += seen < base - peak - noise || seen > base + peak + noise;
            }
            MPI_T_pvar_stop(other.handle, MPI_T_PVAR_ALL_HANDLES);
        }
    });
    unsigned long last = 0;
    while (running > 0) {
        const unsigned long seen = high.read<unsigned long>();
        wrong += seen < last;
        last = seen;
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
    CHECK(performances.level.get() == base);
    CHECK(high.read<unsigned long>() >= base + peak - noise);
    CHECK(high.read<unsigned long>() <= base + peak + noise);
    CHECK(low.read<unsigned long>() >= base - peak - noise);
    CHECK(low.read<unsigned long>() <= base - peak + noise);
}

TEST_CASE_METHOD(in_session, "A level that changes while a watermark starts or is reset is not missed", "[HNDL-20]") {
    performances.level = 0;
    pvar mark{in, "p_queue", high_class};
    constexpr int rounds = 20000;
    std::atomic<int> begun{0}, changed{0};
    std::thread changing{[&] {
        for (int round = 1; round <= rounds; round++) {
            while (begun != round) std::this_thread::yield();
            performances.level = 10;
            changed = round;
        }
    }};
    int missed = 0;
    for (int round = 1; round <= rounds; round++) {
        mark.stop();
        performances.level = 0;
        mark.reset();
        begun = round;
        for (volatile int delay = round % 128; delay > 0;) delay = delay - 1; // so that both meet at every step
        mark.start();
        if (round % 2 == 0) mark.reset();
        while (changed != round) std::this_thread::yield();
        missed += mark.read<unsigned long>() != 10;
    }
    changing.join();
    CHECK(missed == 0);
}

TEST_CASE_METHOD(in_session, "A value that cannot be read and reset in one step is left as it is, readonly or not",
                 "[HNDL-21]") {
    pvar not_atomic{in, "p_not_atomic", counter_class}, readonly{in, "p_readonly", counter_class};
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    ++performances.not_atomic;
    ++performances.readonly;
    for (const pvar* at : {&not_atomic, &readonly}) {
        unsigned long long buffer = 77;
        CHECK(MPI_T_pvar_readreset(in.handle, at->handle, &buffer) == MPI_T_ERR_PVAR_NO_ATOMIC);
        CHECK(buffer == 77);
        CHECK(at->read() == 1);
    }
}

TEST_CASE_METHOD(in_session, "All handles cannot be read, written or freed", "[HNDL-22]") {
    pvar counter{in, "p_counter", counter_class};
    CHECK(counter.write(3ull) == MPI_SUCCESS);
    for (const handle_function& function : functions) {
        const std::string name = function.name;
        if (name == "start" || name == "stop" || name == "reset") continue;
        unsigned long long buffer = 77;
        CHECK(function.call(in.handle, MPI_T_PVAR_ALL_HANDLES, &buffer) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(buffer == 77);
    }
    CHECK(counter.read() == 3);
}

TEST_CASE_METHOD(in_session, "A bound handle counts for its object, and is invalid when the object was freed",
                 "[HNDL-24]") {
    communicator one = new_object(), other = new_object();
    pvar of_one{in, "b_comm", counter_class, &one}, of_other{in, "b_comm", counter_class, &other},
        mark{in, "b_watermark", high_class, &one};
    CHECK(MPI_T_pvar_start(in.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    all.bound.comm[one] += 2;
    all.bound.watermark[one] = 4;
    CHECK(of_one.read<unsigned long>() == 2);
    CHECK(of_other.read<unsigned long>() == 0);
    CHECK(mark.read<unsigned long>() == 4);

    mpit::freed(all, one);
    unsigned long buffer = 77;
    for (const handle_function& function : functions) {
        if (std::string{function.name} == "handle_free") continue;
        CHECK(function.call(in.handle, of_one.handle, &buffer) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(function.call(in.handle, mark.handle, &buffer) == MPI_T_ERR_INVALID_HANDLE);
    }
    CHECK(buffer == 77);
    ++all.bound.comm[other];
    CHECK(of_other.read<unsigned long>() == 1);

    // A new object whose handle has the same value is not the old one.
    mpit::created(all, one);
    CHECK(MPI_T_pvar_read(in.handle, of_one.handle, &buffer) == MPI_T_ERR_INVALID_HANDLE);
    pvar again{in, "b_comm", counter_class, &one};
    CHECK(again.start() == MPI_SUCCESS);
    ++all.bound.comm[one];
    CHECK(again.read<unsigned long>() == 1);
    CHECK(MPI_T_pvar_handle_free(in.handle, &of_one.handle) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_free(in.handle, &mark.handle) == MPI_SUCCESS);
}
