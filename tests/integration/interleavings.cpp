// A thread is stopped before every single operation of a registration, of a raise and of all that is done with handles.
// While it stands still others look, register and raise without waiting, and a child of the process can use everything.
#include "stopping.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/module/registrar.hpp>

#include <csetjmp>
#include <deque>
#include <link.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/wait.h>

// How often this thread has waited for another one.
static thread_local long yields = 0;
// noexcept where the C library says so.
extern "C" int sched_yield() noexcept(noexcept(sched_yield())) {
    yields++;
    return static_cast<int>(syscall(SYS_sched_yield));
}

namespace {

struct inner_category : mpit::descriptor::category {
    inner_category(mpit::descriptor::category* around, const char* called)
        : category{around, called, "In two of these trees"} {}
};
// A tree with each kind of thing. Two of them that follow each other share a category, and all of them an enumeration.
struct some_tree : mpit::descriptor::category {
    std::string counter_name, control_name, event_name, shared_name;
    inner_category shared;
    mpit::counter<> counter;
    mpit::control<colour> control;
    mpit::source clock;
    mpit::event<number_payload> event;

    some_tree(const char* called, int number)
        : category{called, "Enrolled while others look"},
          counter_name{"stop_counter_" + std::to_string(number)},
          control_name{"STOP_CONTROL_" + std::to_string(number)},
          event_name{"stop_event_" + std::to_string(number)},
          shared_name{"stop_shared_" + std::to_string(number / 2)},
          shared{this, shared_name.c_str()},
          counter{this, mpit::core::checked_name{counter_name.c_str()}, "A counter"},
          control{&shared, mpit::core::checked_name{control_name.c_str()}, "A colour"},
          clock{this, mpit::core::checked_name{event_name.c_str()}, "A clock"},
          event{&shared, mpit::core::checked_name{event_name.c_str()}, "An event", {.source = &clock}} {}
};
std::deque<std::string> tree_names;
std::deque<some_tree> trees;
some_tree& new_tree() {
    const int number = static_cast<int>(trees.size());
    return trees.emplace_back(tree_names.emplace_back("stop_tree_" + std::to_string(number)).c_str(), number);
}

// How much of what can be seen is not as it must be. Only the last ones are looked at closely.
int contradictions() {
    int found = 0;
    const numbers n = present_numbers();
    const auto first = [](int count) { return count > 40 ? count - 40 : 0; };
    const auto check = [&](int count, auto get_name, auto get_index) {
        for (int i = first(count); i < count; i++) {
            char name[200] = "";
            int length = sizeof name, index = -1;
            found += get_name(i, name, &length) != MPI_SUCCESS || get_index(name, &index) != MPI_SUCCESS || index != i;
        }
    };
    check(n.cvars, [&](int i, char* name, int* length) {
        MPI_T_enum items = MPI_T_ENUM_NULL;
        const int answer =
            MPI_T_cvar_get_info(i, name, length, nullptr, nullptr, &items, nullptr, nullptr, nullptr, nullptr);
        int count = 0;
        found += items != MPI_T_ENUM_NULL && MPI_T_enum_get_info(items, &count, nullptr, nullptr) != MPI_SUCCESS;
        return answer;
    }, [](const char* name, int* index) { return MPI_T_cvar_get_index(name, index); });
    check(n.events, [](int i, char* name, int* length) {
        return MPI_T_event_get_info(i, name, length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr);
    }, [](const char* name, int* index) { return MPI_T_event_get_index(name, index); });
    check(n.categories, [&](int i, char* name, int* length) {
        int cvars = 0, pvars = 0, inner = 0, members[50];
        const int answer = MPI_T_category_get_info(i, name, length, nullptr, nullptr, &cvars, &pvars, &inner);
        found += MPI_T_category_get_pvars(i, 50, members) != MPI_SUCCESS;
        for (int m = 0; m < pvars && m < 50; m++) found += members[m] < 0 || members[m] >= n.pvars;
        found += MPI_T_category_get_categories(i, 50, members) != MPI_SUCCESS;
        for (int m = 0; m < inner && m < 50; m++) found += members[m] < 0 || members[m] >= n.categories;
        return answer;
    }, [](const char* name, int* index) { return MPI_T_category_get_index(name, index); });
    for (int i = first(n.pvars); i < n.pvars; i++) found += pvar_line(i).empty();
    for (int i = first(n.sources); i < n.sources; i++) found += source_line(i).empty();
    int update = -1;
    return found + (MPI_T_category_changed(&update) != MPI_SUCCESS || update <= 0);
}

// Whether everything of a tree is there and works; the number of mistakes.
int mistakes_in(some_tree& tree) {
    int index = -1, count = 0, value = 0, mistakes = 0;
    unsigned long long total = 0;
    MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;
    MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
    mistakes += MPI_T_category_get_index(tree.name.characters, &index) != MPI_SUCCESS;
    mistakes += MPI_T_event_get_index(tree.event_name.c_str(), &index) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_get_index(tree.counter_name.c_str(), MPI_T_PVAR_CLASS_COUNTER, &index) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_session_create(&in) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_handle_alloc(in, index, nullptr, &counter, &count) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_start(in, counter) != MPI_SUCCESS;
    tree.counter += 3;
    mistakes += MPI_T_pvar_read(in, counter, &total) != MPI_SUCCESS || total != 3;
    mistakes += MPI_T_pvar_session_free(&in) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_get_index(tree.control_name.c_str(), &index) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_handle_alloc(index, nullptr, &control, &count) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_read(control, &value) != MPI_SUCCESS;
    return mistakes + (MPI_T_cvar_handle_free(&control) != MPI_SUCCESS);
}

// What happens to the events that everybody raises.
std::atomic<long> raised{0}, heard{0}, frees{0}, freed{0}, own_calls{0};
void hear(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { heard++; }
void hear_own(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { own_calls++; }
void end(MPI_T_event_registration, MPI_T_cb_safety, void*) { frees++; }

struct operation {
    const char* name;
    int (*run)(); // answers how many mistakes it made
};
int listen_to(const char* event) {
    int index = -1, mistakes = 0;
    MPI_T_event_registration own = nullptr;
    mistakes += MPI_T_event_get_index(event, &index) != MPI_SUCCESS;
    mistakes += MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &own) != MPI_SUCCESS;
    mistakes +=
        MPI_T_event_register_callback(own, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, &hear_own) != MPI_SUCCESS;
    mistakes += MPI_T_event_set_dropped_handler(
                    own, [](MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {}) != MPI_SUCCESS;
    mistakes += MPI_T_event_handle_free(own, nullptr, &end) != MPI_SUCCESS;
    freed++;
    return mistakes;
}
const operation operations[] = {
    {"a raise", [] { return all.events.plain(1, 2, 3ul), raised++, 0; }},
    {"a raise of an ordered event", [] { return all.events.ordered(1), raised++, 0; }},
    {"a deferred event", [] { return all.events.clockless.defer(1), all.events.clockless.deliver(), raised++, 0; }},
    {"a registration", [] { return listen_to("e_plain"); }},
    {"a registration on an ordered event", [] { return listen_to("e_ordered"); }},
    {"a handle on a control variable",
     [] {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int index = -1, count = 0, value = 0, mistakes = MPI_T_cvar_get_index("C_INT", &index) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_read(handle, &value) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_write(handle, &value) != MPI_SUCCESS;
    return mistakes + (MPI_T_cvar_handle_free(&handle) != MPI_SUCCESS);
}},
    {"a handle on a watermark",
     [] {
    MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    int index = -1, count = 0, mistakes = MPI_T_pvar_session_create(&in) != MPI_SUCCESS;
    unsigned long value = 0;
    mistakes += MPI_T_pvar_get_index("p_queue", MPI_T_PVAR_CLASS_HIGHWATERMARK, &index) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_handle_alloc(in, index, nullptr, &handle, &count) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_start(in, handle) != MPI_SUCCESS;
    ++all.performances.level;
    mistakes += MPI_T_pvar_read(in, handle, &value) != MPI_SUCCESS || value == 0;
    --all.performances.level;
    mistakes += MPI_T_pvar_readreset(in, handle, &value) != MPI_SUCCESS;
    mistakes += MPI_T_pvar_stop(in, handle) != MPI_SUCCESS;
    return mistakes + (MPI_T_pvar_session_free(&in) != MPI_SUCCESS);
}},
    {"a count", [] { return ++all.performances.counter, 0; }},
};
int run_all() {
    int mistakes = 0;
    for (const operation& each : operations) mistakes += each.run();
    return mistakes;
}

// What a child does: everything, also with what its parent has made. Answers how many mistakes it met.
int use_everything_in_child(MPI_T_event_registration inherited) {
    const long ended_before = frees - freed;
    int mistakes = contradictions() + run_all();
    mistakes += frees - freed != ended_before; // nobody else is inside here
    some_tree& own = new_tree();
    mpit::registry::register_tree(own, "a tree of a child");
    mistakes += mistakes_in(own) + contradictions();
    const long before = heard;
    all.events.plain(1, 2, 3ul);
    all.events.ordered(1);
    mistakes += heard != before + 2;
    MPI_Info info = MPI_INFO_NULL;
    mistakes += MPI_T_event_handle_get_info(inherited, &info) != MPI_SUCCESS || MPI_Info_free(&info) != MPI_SUCCESS;
    const long ends = frees;
    mistakes += MPI_T_event_handle_free(inherited, nullptr, &end) != MPI_SUCCESS || frees != ends + 1;
    all.events.plain(1, 2, 3ul);
    return mistakes + (heard != before + 2);
}
// The exit status of a child that calls a function, or 1000 and the signal that ended it.
template <class Function> int status_of_child(Function function) {
    time_limit::begin_again();
    const pid_t child = fork();
    if (child == 0) {
        time_limit::begin_in_child();
        syscall(SYS_exit_group, function()); // a sanitizer would miss the threads of the parent
    }
    int status = -1;
    if (waitpid(child, &status, 0) != child) return 1000;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}
// The same for a child that ThreadSanitizer does not keep: its own locks may be held by another thread while a child is
// made, and then the child waits in them for ever. A child that waits for the library would do so each time.
template <class Function> int status_of_free_child(Function function) {
    constexpr int waited = 1000 + SIGALRM;
    int status = status_of_child(function);
    for (int tries = 1; MPIT_THREAD_SANITIZER && status == waited && tries < 4; tries++) {
        std::printf("a child waited and is made again\n");
        status = status_of_child(function);
    }
    return status;
}

// Registrations that count every event.
struct counting_registrations {
    registration plain{"e_plain"}, ordered{"e_ordered"}, clockless{"e_clockless"};
    counting_registrations() {
        raised = heard = frees = freed = 0;
        for (const registration* each : {&plain, &ordered, &clockless}) REQUIRE(each->call(&hear) == MPI_SUCCESS);
    }
};
// Calls `look` once for each of the places where a thread can be stopped, or for one of so many, until it answers that the thread
// has ended before it was stopped. How many places there were; what is going on may take its time once for each.
template <class Look> long for_each_place(long stride, Look look) {
    long places = 0;
    for (long k = 1;; k += is_long() ? 1 : stride, places++) {
        time_limit::begin_again();
        if (!look(k)) return places;
    }
}
void expect_none(int mistakes, long place) {
    if (mistakes != 0) FAIL("stopped before operation " << place << ": " << mistakes << " mistakes");
}

namespace inner = mpit::registry;
inner::process_registry& the_registry() { return *inner::the_registry(); }

// What one operation has cost this thread: docs/limits.md states the bound of yields.
struct cost {
    long yields = 0, steps = 0;
    static constexpr long most_yields = 100;

    template <class Function> static cost of(const Function& function) {
        const long yields_before = ::yields, steps_before = stopping::steps_made;
        function();
        return {::yields - yields_before, stopping::steps_made - steps_before};
    }
};
// The largest costs that were met.
struct largest_cost {
    cost all;
    template <class Function> void add(const Function& function) {
        const cost one = cost::of(function);
        if (one.yields > all.yields) all.yields = one.yields;
        if (one.steps > all.steps) all.steps = one.steps;
    }
};

// An index beside the one of the process, which does not grow from place to place.
inner::process_registry& fresh_index() {
    auto* made = static_cast<inner::process_registry*>(mpit::core::pages(sizeof(inner::process_registry)));
    if (made == nullptr) std::abort();
    made->reports_to.store([](const char*) {});
    return *made;
}

// Two trees that wait in such an index until somebody serves it.
struct waiting_trees {
    inner::process_registry* in = &fresh_index();
    some_tree* trees[2] = {&new_tree(), &new_tree()};

    waiting_trees() {
        for (some_tree* each : trees) inner::load_tree(in, *each, "a tree that waits");
    }
    int mistakes() const {
        int found = 0;
        const auto count = [&](inner::kind of) { return in->count(of); };
        found += count(inner::kind::category) != (trees[0]->shared_name == trees[1]->shared_name ? 3 : 4);
        found += count(inner::kind::control) != 2 || count(inner::kind::performance) != 2;
        found += count(inner::kind::event) != 2 || count(inner::kind::source) != 2;
        found += count(inner::kind::enumeration) != 3; // with those of the payloads
        for (const some_tree* each : trees) {
            const inner::record* c = in->find(inner::kind::category, each->name);
            const inner::record* s = in->find(inner::kind::category, each->shared_name.c_str());
            if (c == nullptr || s == nullptr) return found + 1;
            const auto members = [&](const inner::record* r, inner::kind of) {
                return in->member_count(static_cast<const inner::category_record&>(*r), of);
            };
            found += members(c, inner::kind::performance) != 1 || members(c, inner::kind::category) != 1;
            found += members(s, inner::kind::control) != members(s, inner::kind::event);
            found += each->counter.record.load() == nullptr || each->event.channel.load() == nullptr;
            const auto* known = static_cast<const inner::event_record*>(each->event.record.load());
            found += known == nullptr || known->channel.source->first.load() != &known->channel ||
                     known->channel.next_in_source.load() != nullptr;
        }
        return found;
    }
};

// Counts what its author hears.
struct told_tree : mpit::descriptor::category {
    std::string first_name, second_name;
    static inline std::atomic<int> tellings{0};
    static mpit::reply tell(const int&) { return tellings++, mpit::reply::accepted; }
    mpit::control<int> first, second;

    told_tree(const char* called, int number)
        : category{called, "Takes settings"},
          first_name{"TOLD_FIRST_" + std::to_string(number)},
          second_name{"TOLD_SECOND_" + std::to_string(number)},
          first{this, mpit::core::checked_name{first_name.c_str()}, "A number", {.initial = 1, .on_write = &tell}},
          second{this, mpit::core::checked_name{second_name.c_str()}, "A number", {.initial = 1, .on_write = &tell}} {}
};
std::deque<told_tree> told_trees;
told_tree& new_told_tree() {
    const int number = static_cast<int>(told_trees.size());
    return told_trees.emplace_back(tree_names.emplace_back("told_tree_" + std::to_string(number)).c_str(), number);
}
void give(inner::process_registry& in, const std::string& name, const char* value, mpit::origin from,
          const char* place) {
    if (inner::add_setting_copy(in, from, name.c_str(), value, place) == nullptr) std::abort();
}

// Whether a tool reads this value; the number of mistakes.
int mistakes_in_value(const std::string& name, int expected) {
    int index = -1, count = 0, value = 0, mistakes = MPI_T_cvar_get_index(name.c_str(), &index) != MPI_SUCCESS;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    mistakes += MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS;
    mistakes += MPI_T_cvar_read(handle, &value) != MPI_SUCCESS || value != expected;
    return mistakes + (MPI_T_cvar_handle_free(&handle) != MPI_SUCCESS);
}
// A group of one variable, which a setting gives a value. It lives while a thread stands still, for which its end
// waits.
std::deque<mpit::dynamic> groups;
int publish_a_group(bool with_setting) {
    static int number = 0;
    const std::string name = "GROUP_VARIABLE_" + std::to_string(number++);
    if (with_setting) give(the_registry(), name, "7", mpit::origin::command_line, "for a group");
    mpit::dynamic& group = groups.emplace_back("stop_group");
    int mistakes = group.control<int>(name.c_str(), "A number", {.initial = 1}) != mpit::result::success;
    mistakes += group.publish().seen != 1;
    return mistakes + mistakes_in_value(name, with_setting ? 7 : 1);
}
// What another thread does while one stands still; the number of mistakes.
int initialize_and_register(largest_cost& largest, bool with_setting = false) {
    int mistakes = 0;
    largest.add([&] {
        mistakes += MPI_T_init_thread(MPI_THREAD_SINGLE, nullptr) != MPI_SUCCESS;
        mistakes += MPI_T_finalize() != MPI_SUCCESS;
    });
    some_tree& other = new_tree();
    largest.add([&] { inner::load_tree(&the_registry(), other, "another tree"); });
    largest.add([&] { mistakes += publish_a_group(with_setting); });
    return mistakes + mistakes_in(other) + contradictions();
}

// A handler of reports that stands still until it may go on.
std::atomic<int> reports_begun{0};
sem_t reports_may_end;
void stand_still_in_report(const char*) {
    if (reports_begun++ == 0) sem_wait(&reports_may_end);
}
std::jmp_buf out_of_report;

} // namespace

TEST_CASE_METHOD(initialized, "A registration that is stopped anywhere delays no reader and no other registration") {
    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counter.start() == MPI_SUCCESS);
    time_limit limit{"a registration"};
    const long places = for_each_place(is_sanitized ? 13 : 1, [&](long k) {
        some_tree &slow = new_tree(), &other = new_tree();
        stopped_thread registering{k, [&slow] { mpit::registry::register_tree(slow, "a stopped tree"); }};
        const bool is_stopped = registering.is_stopped();
        int mistakes = contradictions();
        mpit::registry::register_tree(other, "another tree");
        mistakes += mistakes_in(other) + contradictions() + run_all();
        ++slow.counter;
        registering.go_on();
        mistakes += mistakes_in(slow) + contradictions();
        expect_none(mistakes, k);
        return is_stopped;
    });
    std::printf("a registration stopped at %ld places\n", places);
    CHECK(places > (is_sanitized ? 10 : 100));
    CHECK(present_numbers().cvars >= 2 * places);
}

TEST_CASE_METHOD(
    initialized,
    "A thread that stands still in a raise, a registration or the making of a handle keeps nobody from the same") {
    time_limit limit{"operations of a tool"};
    for (const operation& slow : operations) {
        counting_registrations counting;
        all.performances.level = 0;
        const unsigned long long counted = all.performances.counter.get();
        long counts = 0;
        const long places = for_each_place(is_sanitized ? 3 : 1, [&](long k) {
            int mistakes = 0, mistakes_of_slow = 0;
            stopped_thread standing{k, [&] { mistakes_of_slow = slow.run(); }};
            const bool is_stopped = standing.is_stopped();
            mistakes += run_all();
            standing.go_on();
            counts += 1 + (std::string{slow.name} == "a count");
            all.events.clockless.deliver();
            mistakes += mistakes_of_slow + (frees != freed) + (heard != raised);
            if (mistakes != 0)
                FAIL(slow.name << " stopped before operation " << k << ": " << mistakes << " mistakes, " << heard
                               << " of " << raised << " heard, " << frees << " of " << freed << " freed");
            return is_stopped;
        });
        std::printf("%s stopped at %ld places\n", slow.name, places);
        CHECK(all.performances.counter.get() == counted + static_cast<unsigned long long>(counts));
    }
}

TEST_CASE_METHOD(
    initialized,
    "A child that is made while a thread stands still anywhere can use everything, and its parent notices nothing") {
    time_limit limit{"a child"};
    long children = 0;
    for (const operation& slow : operations) {
        counting_registrations counting;
        for_each_place(is_sanitized ? 11 : 2, [&](long k) {
            stopped_thread standing{k, [&] { slow.run(); }};
            const bool is_stopped = standing.is_stopped();
            const int status = status_of_free_child([&] { return use_everything_in_child(counting.plain.handle); });
            if (status != 0)
                FAIL("a child beside " << slow.name << ", stopped before operation " << k << ": " << status);
            children++;
            standing.go_on();
            all.events.clockless.deliver();
            if (heard != raised || frees != freed) FAIL("the parent beside " << slow.name << ", operation " << k);
            return is_stopped;
        });
    }
    for_each_place(is_sanitized ? 37 : 5, [&](long k) {
        counting_registrations counting;
        some_tree& slow = new_tree();
        stopped_thread registering{k, [&slow] { inner::load_tree(&the_registry(), slow, "a stopped tree"); }};
        const bool is_stopped = registering.is_stopped();
        const int status = status_of_free_child([&] { return use_everything_in_child(counting.plain.handle); });
        if (status != 0) FAIL("a child beside a registration, stopped before operation " << k << ": " << status);
        children++;
        registering.go_on();
        if (mistakes_in(slow) + contradictions() != 0)
            FAIL("the parent of a child beside a registration, operation " << k);
        return is_stopped;
    });
    std::printf("%ld children made beside a thread that stands still\n", children);
    CHECK(children > 20);
}

TEST_CASE_METHOD(initialized, "Other threads publish a pending tree if the publishing thread is stopped anywhere",
                 "[GROW-05]") {
    time_limit limit{"trees that wait"};
    largest_cost largest;
    const long places = for_each_place(is_sanitized ? 13 : 1, [&](long k) {
        const waiting_trees waiting;
        stopped_thread serving{k, [&] { inner::open_to_tools(*waiting.in); }};
        const bool is_stopped = serving.is_stopped();
        int mistakes = 0;
        largest.add([&] { mistakes += !inner::open_to_tools(*waiting.in); });
        mistakes += waiting.mistakes();
        serving.go_on();
        mistakes += waiting.mistakes();
        expect_none(mistakes, k);
        return is_stopped;
    });
    std::printf("trees that wait: stopped at %ld places, others make at most %ld steps and %ld yields\n", places,
                largest.all.steps, largest.all.yields);
    CHECK(places > (is_sanitized ? 10 : 100));
    CHECK(largest.all.yields == 0);
    CHECK(largest.all.steps < 4000);
}

TEST_CASE_METHOD(
    initialized,
    "A library whose loading is stopped anywhere delays no initialization, no other library and no group") {
    time_limit limit{"the loading of a library"};
    long early = 0;
    largest_cost largest;
    const long places = for_each_place(is_sanitized ? 13 : 2, [&](long k) {
        some_tree& slow = new_tree();
        stopped_thread loading{k, [&] { inner::load_tree(&the_registry(), slow, "a stopped tree"); }};
        const bool is_stopped = loading.is_stopped();
        const inner::pending_tree* there = the_registry().pending_trees.find(slow);
        const bool is_complete = there != nullptr && there->state.load() >= inner::pending_tree::pending;
        int mistakes = initialize_and_register(largest);
        if (is_complete) mistakes += mistakes_in(slow);
        else early++;
        loading.go_on();
        ++slow.counter;
        groups.clear();
        if (!is_complete) mistakes += mistakes_in(slow);
        mistakes += contradictions();
        expect_none(mistakes, k);
        return is_stopped;
    });
    std::printf("a library stopped at %ld places, at %ld before it was registered, others make at most %ld steps and "
                "%ld yields\n",
                places, early, largest.all.steps, largest.all.yields);
    CHECK(places > (is_sanitized ? 10 : 100));
    CHECK(places > 2 * early);
    CHECK(largest.all.yields == 0);
}

TEST_CASE_METHOD(
    initialized,
    "A thread that is stopped anywhere in settings delays no other thread, and on_write gets each value once") {
    time_limit limit{"settings"};
    long left_to_the_other = 0;
    largest_cost largest;
    const long places = for_each_place(is_sanitized ? 13 : 1, [&](long k) {
        inner::process_registry& in = fresh_index();
        told_tree &tree = new_told_tree(), &later = new_told_tree();
        inner::load_tree(&in, tree, "a tree that is told");
        REQUIRE(inner::open_to_tools(in));
        told_tree::tellings = 0;
        give(in, tree.first_name, "2", mpit::origin::configuration, "a file");
        give(in, tree.second_name, "3", mpit::origin::configuration, "a file");
        give(in, later.first_name, "5", mpit::origin::configuration, "a file");
        stopped_thread settling{k, [&] { inner::apply_settings(in); }};
        const bool is_stopped = settling.is_stopped();
        int mistakes = 0;
        // A stronger value for the first variable, while the other thread may be at it.
        give(in, tree.first_name, "4", mpit::origin::info, "an info object");
        largest.add([&] { inner::apply_settings(in); });
        const int unsettled = (tree.first != 4) + (tree.second != 3);
        left_to_the_other += unsettled;
        mistakes += unsettled > 1;
        largest.add([&] {
            inner::load_tree(&in, later, "a library that is loaded");
            mistakes += !inner::open_to_tools(in);
        });
        mistakes += later.first != 5;
        settling.go_on();
        mistakes += tree.first != 4 || tree.second != 3 || later.first != 5;
        const int tellings = told_tree::tellings;
        mistakes += tellings < 2 || tellings > 3;
        inner::apply_settings(in);
        mistakes += told_tree::tellings != tellings;
        if (mistakes != 0)
            FAIL("stopped before operation " << k << ": " << mistakes << " mistakes, " << tellings << " tellings");
        return is_stopped;
    });
    std::printf(
        "settings stopped at %ld places, others make at most %ld steps and %ld yields, and leave %ld variables\n",
        places, largest.all.steps, largest.all.yields, left_to_the_other);
    CHECK(places > (is_sanitized ? 5 : 20));
    CHECK(largest.all.yields <= cost::most_yields);
}

TEST_CASE_METHOD(
    initialized,
    "A group whose registration is stopped anywhere delays no initialization, no library and no other group") {
    time_limit limit{"a group"};
    largest_cost largest;
    const long places = for_each_place(is_sanitized ? 11 : 3, [&](long k) {
        mpit::dynamic& group = groups.emplace_back("slow_group");
        const std::string name = "SLOW_GROUP_" + std::to_string(k);
        REQUIRE(group.control<int>(name.c_str(), "A number", {.initial = 1}) == mpit::result::success);
        give(the_registry(), name, "6", mpit::origin::command_line, "for a slow group");
        stopped_thread publishing{k, [&] { static_cast<void>(group.publish()); }};
        const bool is_stopped = publishing.is_stopped();
        int mistakes = initialize_and_register(largest, true);
        publishing.go_on();
        mistakes += mistakes_in_value(name, 6);
        groups.clear();
        mistakes += contradictions();
        expect_none(mistakes, k);
        return is_stopped;
    });
    std::printf("a group stopped at %ld places, others make at most %ld steps and %ld yields\n", places,
                largest.all.steps, largest.all.yields);
    CHECK(places > 10);
    CHECK(largest.all.yields == 0);
}

TEST_CASE_METHOD(
    initialized,
    "A thread that stands still inside the loader delays no nested initialization, no group and no look-up") {
    time_limit limit{"the loader"};
    struct {
        sem_t is_inside, may_leave;
    } loader;
    sem_init(&loader.is_inside, 0, 0);
    sem_init(&loader.may_leave, 0, 0);
    std::thread inside{[&loader] {
        const auto stand_still = [](dl_phdr_info*, std::size_t, void* data) {
            auto& standing = *static_cast<decltype(loader)*>(data);
            sem_post(&standing.is_inside);
            sem_wait(&standing.may_leave);
            return 1;
        };
        dl_iterate_phdr(stand_still, &loader);
    }};
    sem_wait(&loader.is_inside);
    largest_cost largest;
    const int mistakes = initialize_and_register(largest);
    sem_post(&loader.may_leave);
    inside.join();
    CHECK(mistakes == 0);
    CHECK(largest.all.yields == 0);
    groups.clear();
    sem_destroy(&loader.is_inside);
    sem_destroy(&loader.may_leave);
}

TEST_CASE_METHOD(initialized,
                 "A report handler that is stopped, calls the library or leaves by longjmp delays no other thread") {
    time_limit limit{"a handler of reports"};
    sem_init(&reports_may_end, 0, 0);
    const int number = static_cast<int>(trees.size());
    inner::load_tree(&the_registry(), new_tree(), "the first");
    const auto same_names = [number]() -> some_tree& {
        return trees.emplace_back(tree_names.emplace_back("stop_tree_" + std::to_string(number)).c_str(), number);
    };
    largest_cost largest;

    reports_begun = 0;
    mpit::set_report_handler(&stand_still_in_report);
    some_tree& second = same_names();
    std::thread reporting{[&] { inner::load_tree(&the_registry(), second, "the second"); }};
    while (reports_begun == 0) std::this_thread::yield();
    CHECK(initialize_and_register(largest, true) == 0);
    sem_post(&reports_may_end);
    reporting.join();
    CHECK(reports_begun == 1); // of all its variables

    static int from_handler = 0;
    mpit::set_report_handler([](const char*) {
        if (from_handler++ != 0) return;
        largest_cost any;
        if (initialize_and_register(any, true) != 0) from_handler = 1000;
    });
    inner::load_tree(&the_registry(), same_names(), "the third");
    CHECK(from_handler == 1);

    mpit::set_report_handler([](const char*) { std::longjmp(out_of_report, 1); });
    static bool has_left = false;
    if (setjmp(out_of_report) == 0) inner::load_tree(&the_registry(), same_names(), "the fourth");
    else has_left = true;
    mpit::set_report_handler(nullptr);
    CHECK(has_left);
    CHECK(initialize_and_register(largest, true) == 0);
    CHECK(largest.all.yields == 0);
    sem_destroy(&reports_may_end);
    groups.clear();
}

namespace {

// Raises or defers an event before each atomic operation of this thread, as a signal handler does that is slower than
// its timer. Stops at a limit, so that a test ends where the thread itself does not.
struct flood {
    static constexpr long limit = 1'000'000;
    static inline long raised = 0;
    static inline void (*raise)() = nullptr;

    explicit flood(void (*raise_one)()) {
        raised = 0;
        raise = raise_one;
        stopping::instead_of_stopping = [] {
            if (raised++ == limit) return;
            raise();
            stopping::steps_left = 1;
        };
        stopping::steps_left = 1;
    }
    ~flood() {
        stopping::steps_left = 0;
        stopping::instead_of_stopping = nullptr;
    }
    flood(const flood&) = delete;
};

long delivered = 0;

} // namespace

TEST_CASE_METHOD(initialized,
                 "Losses that no callback can be told of cost an event as much with one registration as with twenty",
                 "[EVT-40]") {
    const auto steps_of_a_raise_with = [](int losing) {
        std::deque<registration> without_callback;
        for (int i = 0; i < losing; i++)
            REQUIRE(without_callback.emplace_back("e_plain").call_for_losses(
                        [](MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*) {}) == MPI_SUCCESS);
        const registration of_another_event{"e_empty"};
        REQUIRE(of_another_event.call(&hear) == MPI_SUCCESS);
        all.events.plain(1, 2, 3ul);
        all.events.empty();
        heard = 0;
        const long steps = cost::of([] { all.events.empty(); }).steps;
        CHECK(heard == 1);
        return steps;
    };
    const long with_one = steps_of_a_raise_with(1);
    CHECK(with_one > 0);
    CHECK(steps_of_a_raise_with(20) == with_one);
}

TEST_CASE_METHOD(initialized,
                 "A delivery ends although a signal handler raises or defers an event before each of its operations",
                 "[EVT-25]") {
    struct {
        const char* name;
        const char* how;
        void (*raise)();
        void (*flood_with)();
    } const cases[] = {
        {"e_plain", "defer", [] { all.events.plain(1, 2, 3ul); }, [] { all.events.plain.defer(2, 2, 3ul); }},
        {"e_plain", "raise", [] { all.events.plain(1, 2, 3ul); },
         [] { all.events.plain.raise(mpit::safety::async_signal_safe, 2, 2, 3ul); }},
        {"e_ordered", "defer", [] { all.events.ordered(1); }, [] { all.events.ordered.defer(2); }},
        {"e_ordered", "raise", [] { all.events.ordered(1); },
         [] { all.events.ordered.raise(mpit::safety::async_signal_safe, 2); }},
    };
    for (const auto& [name, how, raise, flood_with] : cases) {
        CAPTURE(name, how);
        registration r{name};
        REQUIRE(r.call([](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { delivered++; },
                       nullptr, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE) == MPI_SUCCESS);
        delivered = 0;
        {
            const flood signals{flood_with};
            raise();
        }
        CHECK(delivered > 0);
        CHECK(flood::raised < flood::limit);
        int code = -1;
        {
            const flood signals{flood_with};
            code = r.free();
        }
        CHECK(code == MPI_SUCCESS);
        CHECK(flood::raised < flood::limit);
    }
}
