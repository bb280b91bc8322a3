// How trees enter an index: names lead to numbers, trees that race share what they have in common, a library that comes
// again finds its old numbers, and what there is no memory for takes nothing else with it. Trees that arrive
// before a tool has come have their values and count, nobody sees them, and they enter in the order in which they came.
#include "../catch.hpp"
#include "../trees.hpp"

#include <mpit/module/registrar.hpp>
#include <mpit/report_handler.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

using mpit::performance_class;
using mpit::registry::kind;

static int fork_handlers = 0;
// Stands in for the function of the system, and only counts.
extern "C" int pthread_atfork(void (*)(), void (*)(), void (*)()) noexcept { return fork_handlers++, 0; }

namespace {

struct queue_tree : mpit::category<"queue", "A queue"> {
    mpit::level<unsigned long> level{this, "length", "Entries"};
    mpit::high_watermark<unsigned long> highest{this, "length", "Most entries", {.of = &level}};
    mpit::control<int> limit{this, "length", "Most entries allowed"};
};
struct other_queue_tree : mpit::category<"queue", "Another meaning"> {
    mpit::counter<> calls{this, "calls", "Calls"};
    mpit::control<int> limit{this, "length", "Most entries allowed"};
};

} // namespace

TEST_CASE("Of two declarations of one name the first stays, and one report names the owners of both") {
    auto& index = fresh_index();
    static queue_tree first;
    static other_queue_tree second;
    reports.clear();
    REQUIRE(mpit::registry::publish_now(index, first, {"first_owner, and more", 11}));
    REQUIRE(mpit::registry::publish_now(index, second, {"second_owner, and more", 12}));
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] ==
          "the category queue has two descriptions: tools read that of first_owner, not that of second_owner");
    CHECK(reports[1] == "length is declared twice: tools use the declaration of first_owner, not that of second_owner");
    CHECK(index.count(kind::control) == 1);
    CHECK(index.variable(kind::control, 0)->live.load() == &first.limit);
    CHECK(std::string(index.category(0)->description.characters) == "A queue");
    CHECK(index.index_of(kind::performance, "calls", performance_class::counter) == 2);
    CHECK(contradictions(index) + lost_members(index) == 0);
}

// One variable, declared once and then otherwise.
template <class First, class Second> const char* refusal_of_second(First& first, Second& second) {
    auto& index = fresh_index();
    reports.clear();
    if (!enter(index, first)) return "no memory";
    const auto* record = index.variable(first.first->item_kind, 0);
    mpit::registry::unregister(first);
    if (!reports.empty() || !enter(index, second)) return "a report of the first";
    if (contradictions(index) + lost_members(index) != 0) return "a contradiction";
    if (record->live.load() != nullptr) return "";
    if (reports.size() != 1) return "not one report";
    const std::size_t at = reports[0].find("which has a different ");
    return at == std::string::npos ? "another report" : reports[0].c_str() + at + 22;
}
template <class Variable> struct [[gnu::visibility("hidden")]] tree_of : named_category {
    Variable only;
    template <class... Settings>
    explicit tree_of(const Settings&... chosen) : named_category{"again"}, only{this, "AGAIN", "The same", chosen...} {}
};
namespace former {
enum class colour { red = -5, green = 100, blue = 7 };
enum class shade { red = -5, green = 100 };
} // namespace former
template <>
inline constexpr auto mpit::enumeration_of<former::colour> = mpit::enumerators<former::colour>(
    "colour", {{"red", former::colour::red}, {"green", former::colour::green}, {"blue", former::colour::blue}});
template <>
inline constexpr auto mpit::enumeration_of<former::shade> =
    mpit::enumerators<former::shade>("shade", {{"red", former::shade::red}, {"green", former::shade::green}});

TEST_CASE("A control variable registered again with another scope or enumeration is reported and hidden", "[CVAR-06]") {
    using number = tree_of<mpit::control<int>>;
    using settings = mpit::control<int>::settings;
    static number local{settings{}}, same{settings{}}, constant{settings{.scope = mpit::scope::constant}};
    CHECK(std::string{refusal_of_second(local, same)} == "");
    CHECK(reports.empty());
    static number once{settings{}};
    CHECK(std::string{refusal_of_second(once, constant)} == "scope");

    using present = tree_of<mpit::control<colour>>;
    static const mpit::control<colour>::settings green{.initial = colour::green};
    static present first{green}, second{green};
    static tree_of<mpit::control<former::colour>> larger{
        mpit::control<former::colour>::settings{.initial = former::colour::blue}};
    CHECK(std::string{refusal_of_second(first, larger)} == "enumeration");
    static tree_of<mpit::control<former::shade>> renamed{
        mpit::control<former::shade>::settings{.initial = former::shade::red}};
    CHECK(std::string{refusal_of_second(second, renamed)} == "enumeration");
    larger.only = former::colour::green; // works for its author
    CHECK(larger.only.get() == former::colour::green);
}

TEST_CASE("A performance variable registered again with other attributes is reported and hidden") {
    using mpit::performance_class;
    using computed = mpit::computed<performance_class::counter, unsigned long>;
    using tree = tree_of<computed>;
    static const auto nothing = [] { return 0ul; };
    static const computed::settings plain{.value = nothing}, readonly{.value = nothing, .readonly = true},
        continuous{.value = nothing, .continuous = true};
    static tree a{plain}, b{readonly}, c{plain}, d{continuous}, e{plain}, f{plain};
    CHECK(std::string{refusal_of_second(a, b)} == "readonly attribute");
    CHECK(std::string{refusal_of_second(c, d)} == "continuous attribute");
    CHECK(std::string{refusal_of_second(e, f)} == "");
}

TEST_CASE("An event registered again with other names of its elements is reported and hidden") {
    struct first_payload {
        int source, bytes;
    };
    struct second_payload {
        int bytes, source;
    };
    static tree_of<mpit::event<first_payload>> a, same, b;
    static tree_of<mpit::event<second_payload>> other;
    CHECK(std::string{refusal_of_second(a, same)} == "");
    CHECK(std::string{refusal_of_second(b, other)} == "names of elements");
}

TEST_CASE("A variable registered again with another description or verbosity keeps the first, and is reported") {
    auto& index = fresh_index();
    static named_category root{"reworded"}, again{"reworded"};
    static mpit::control<int> first{&root, "REWORDED", "A number"};
    static mpit::control<int> second{&again, "REWORDED", "A limit"};
    REQUIRE(enter(index, root, "first"));
    mpit::registry::unregister(root);
    reports.clear();
    REQUIRE(enter(index, again, "second"));
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == "REWORDED has two descriptions: tools read that of first, not that of second");
    CHECK(index.variable(kind::control, 0)->live.load() == &second);
    CHECK(std::string{index.variable(kind::control, 0)->description.characters} == "A number");
}

TEST_CASE("A variable whose enumeration has the name of another one is visible if all its items are known") {
    auto& index = fresh_index();
    static tree_of<mpit::control<former::colour>> larger{
        mpit::control<former::colour>::settings{.initial = former::colour::blue}};
    static named_category smaller{"smaller"}, other{"other"};
    static mpit::control<colour> inside{&smaller, "INSIDE", "", {.initial = colour::green}};
    REQUIRE(enter(index, larger));
    REQUIRE(enter(index, smaller));
    CHECK(index.index_of(kind::control, "INSIDE") == 1);

    auto& reversed = fresh_index();
    REQUIRE(enter(reversed, smaller));
    reports.clear();
    static tree_of<mpit::control<former::colour>> outside{
        mpit::control<former::colour>::settings{.initial = former::colour::blue}};
    REQUIRE(enter(reversed, outside));
    CHECK(reversed.index_of(kind::control, "AGAIN") == -1);
    CHECK(has_report("AGAIN of owner is not registered: its enumeration colour has other items than that of owner; "
                     "rename one of them"));
    CHECK(reversed.count(kind::control) == 1);
    CHECK(contradictions(reversed) + lost_members(reversed) == 0);
}

TEST_CASE("A sum registered again in place of a computed variable does not use the cells of others") {
    auto& index = fresh_index();
    static named_category root{"recounted"}, again{"recounted"};
    static mpit::computed<mpit::performance_class::counter, unsigned long long> calls{
        &root, "recounted_calls", "", {.value = [] { return 1ull; }}};
    static mpit::counter<unsigned long long> next{&root, "recounted_next", ""}, counted{&again, "recounted_calls", ""};
    REQUIRE(enter(index, root));
    const auto* record = index.variable(kind::performance, 0);
    REQUIRE(record->live.load() == &calls);
    mpit::registry::unregister(root);
    REQUIRE(enter(index, again));
    const auto* live = static_cast<const mpit::descriptor::performance*>(record->live.load());
    REQUIRE(live != nullptr);
    CHECK(live->shard_cell.load() > next.shard_cell.load());
}

TEST_CASE("Concurrently registered trees share a category and an enumeration, and every visible member has an index",
          "[GROW-05]") {
    constexpr int rounds = 60, threads = 3;
    int wrong = 0;
    std::deque<large_tree> trees;
    for (int i = 0; i < rounds * threads; i++) trees.emplace_back("race_" + std::to_string(i % threads), 4);
    for (int round = 0; round < rounds; round++) {
        auto& index = fresh_index();
        std::atomic<int> ready{0}, running{threads}, failed{0};
        std::vector<std::thread> running_threads;
        for (int t = 0; t < threads; t++)
            running_threads.emplace_back([&, t] {
                for (ready++; ready < threads;) {}
                failed += !enter(index, trees[static_cast<std::size_t>(round * threads + t)].root);
                running--;
            });
        while (running > 0) wrong += contradictions(index) + misplaced_members(index);
        for (std::thread& t : running_threads) t.join();
        wrong += contradictions(index) + lost_members(index) + failed;
        wrong += index.count(kind::category) != threads + 1 || index.count(kind::enumeration) != 1;
        wrong += index.count(kind::control) != threads * 4 || index.count(kind::performance) != threads * 4;
        const auto& shared = *index.category(index.index_of(kind::category, "shared"));
        wrong += index.member_count(shared, kind::control) != threads * 4;
    }
    CHECK(wrong == 0);
}

TEST_CASE("A tree for which memory was lacking is reported, works for its author, and does not affect later ones") {
    static large_tree hungry{"hungry", 400}, fed{"fed", 3};
    reports.clear();
    mpit::set_report_handler(&keep_report);
    mpit::core::allocations_left.store(1);
    mpit::registry::register_tree(hungry.root, "hungry");
    mpit::core::allocations_left.store(-1);
    mpit::registry::register_tree(fed.root, "fed");
    mpit::set_report_handler(nullptr);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == "memory is exhausted: not all variables of hungry in the program are registered");
    ++hungry.counters[399];
    ++fed.counters[2];
    CHECK(hungry.counters[399].get() == 1);
    CHECK(fed.counters[2].get() == 1);
    const auto& index = *mpit::registry::the_registry();
    CHECK(contradictions(index) + lost_members(index) == 0);
    CHECK(index.index_of(kind::performance, "fed_counter_2", performance_class::counter) >= 0);
}

TEST_CASE("Functions run in the order in which they were added, also if one was removed before") {
    static mpit::core::arena memory;
    static mpit::registry::tool_hook_list hooks;
    static std::string order;
    static const auto note = [](void* name) {
        order += static_cast<const char*>(name);
        return 0;
    };
    const auto add = [](const char* name) { return hooks.add(memory, note, const_cast<char*>(name)); };
    mpit::registry::tool_hook* const first = add("a");
    add("b");
    REQUIRE(hooks.remove(*first));
    CHECK(add("c") == first);
    CHECK(hooks.run() == 0);
    CHECK(order == "bc");
}

using mpit::registry::event_record;
using mpit::registry::kind;

namespace {

struct measurement {
    int where;
    double values[40];
    colour lamp;
};

// Events with elements that have names, some of them of a source of the tree's own.
struct event_tree {
    std::deque<std::string> texts;
    named_category root;
    mpit::source line;
    std::deque<mpit::event<measurement>> events;

    event_tree(const std::string& prefix, int size)
        : root{keep(prefix)}, line{&root, name(prefix + "_clock"), "", {.ordering = mpit::ordering::ordered}} {
        for (int i = 0; i < size; i++) {
            const mpit::event_settings<void> of_line{.source = &line}, of_cycles{};
            events.emplace_back(&root, name(prefix + "_event_" + std::to_string(i)), "An event",
                                i % 2 == 0 ? of_line : of_cycles);
        }
    }
    const char* keep(std::string text) { return texts.emplace_back(std::move(text)).c_str(); }
    mpit::core::checked_name name(std::string text) { return keep(std::move(text)); }
    void raise_all() {
        for (mpit::event<measurement>& e : events) {
            e(measurement{});
            e.defer(measurement{});
            e.deliver();
        }
        mpit::deliver(root);
    }
};

// How many events of an index have elements without a name, a source without a number, or no channel that they are on.
int half_events(const mpit::registry::process_registry& in) {
    int found = 0;
    for (int i = 0; i < in.count(kind::event); i++) {
        const auto* r = static_cast<const event_record*>(in.variable(kind::event, i));
        found += r == nullptr || in.index_of(kind::event, r->name) != i;
        if (r == nullptr) continue;
        found += r->channel.element_count != 42 || r->channel.elements == nullptr || r->channel.source == nullptr;
        found += r->enumeration == nullptr || r->enumeration->count != 42 || r->enumeration->index.load() < 0;
        if (r->enumeration != nullptr) found += std::string(r->enumeration->items[3].name.characters) != "values[2]";
        if (r->channel.source == nullptr || !r->channel.is_ordered) continue;
        const int source = r->channel.source->index() - r->channel.source->first_index;
        found += in.at(kind::source, source) == nullptr;
    }
    return found;
}

} // namespace

using mpit::performance_class;
using mpit::registry::kind;

TEST_CASE(
    "Wherever memory ends during a publication, the registry stays whole, events can be raised, and later trees and a "
    "second try succeed") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        large_tree small{"small", 3}, large{"large", 300}, later{"later", 3};
        event_tree first{"first", 3}, hungry{"hungry", 60}, last{"last", 2};
        const bool is_begun = allowed % 2 == 0; // otherwise the very first trees have no memory
        if (is_begun) REQUIRE((enter(index, small.root) && enter(index, first.root)));
        mpit::core::allocations_left.store(allowed / 2);
        int missing = 0;
        if (!is_begun) missing += !enter(index, small.root), missing += !enter(index, first.root);
        missing += !enter(index, large.root), missing += !enter(index, hungry.root);
        const bool entered = missing == 0;
        mpit::core::allocations_left.store(-1);
        hungry.raise_all();
        first.raise_all();
        CHECK(half_events(index) + contradictions(index) + lost_members(index) == 0);
        if (is_begun) CHECK(index.variable(kind::performance, 0)->live.load() == &small.counters[0]);
        if (!entered) {
            failures++;
            CHECK((enter(index, later.root) && enter(index, last.root)));
            last.raise_all();
            CHECK(half_events(index) + contradictions(index) + lost_members(index) == 0);
            CHECK(index.index_of(kind::performance, "later_counter_2", performance_class::counter) >= 0);
            CHECK(index.index_of(kind::control, "later_control_2") >= 0);
            for (named_category* each : {&small.root, &first.root, &large.root, &hungry.root}) {
                if (is_begun && (each == &small.root || each == &first.root)) continue;
                mpit::registry::unregister(*each);
                CHECK(enter(index, *each));
            }
            CHECK(half_events(index) + contradictions(index) + lost_members(index) == 0);
            hungry.raise_all();
        }
        CHECK(index.count(kind::performance) == (entered ? 303 : 306));
        CHECK(index.count(kind::control) == (entered ? 303 : 306));
        CHECK(index.count(kind::event) == (entered ? 63 : 65));
        CHECK(index.count(kind::source) == (entered ? 2 : 3));
        CHECK(index.index_of(kind::control, "large_control_299") >= 0);
        CHECK(index.index_of(kind::event, "hungry_event_59") >= 0);
        if (entered && !is_begun) break;
    }
    CHECK(failures >= 13);
}

namespace {

// A variable that is declared in a category of one's choice, one after the other.
struct wandering_tree {
    named_category root;
    mpit::counter<> counter;
    explicit wandering_tree(const char* category) : root{category}, counter{&root, "wandering", ""} {}
};
const mpit::registry::record& wandering(mpit::registry::process_registry& in) {
    return *in.find(kind::performance, "wandering", performance_class::counter);
}

} // namespace

TEST_CASE("An iteration over the categories of a variable continues while the variable gets another one",
          "[TAXON-06]") {
    auto& index = fresh_index();
    static wandering_tree first{"first"}, second{"second"};
    static large_tree last{"last", 1};
    REQUIRE(enter(index, first.root));
    REQUIRE(enter(index, last.root));
    mpit::registry::unregister(first.root);
    const mpit::registry::parent_categories all{index, wandering(index)};
    auto at = all.begin();
    REQUIRE(at != all.end());
    CHECK(at.index() == 0);
    REQUIRE(enter(index, second.root));
    ++at;
    REQUIRE(at != all.end());
    CHECK(std::string{(*at).characters} == "second");
    ++at;
    CHECK(!(at != all.end()));
}

using mpit::registry::kind;
using mpit::registry::pending_tree;

namespace {

struct early_tree : mpit::category<"early", "Comes first"> {
    mpit::control<int> limit{this, "EARLY_LIMIT", "", {.initial = {5, 0, 100}}};
    mpit::control<int> other{this, "EARLY_OTHER", "", {.initial = 5, .environment = "EARLY_ANOTHER"}};
    mpit::counter<> calls{this, "early_calls", ""};
    mpit::counter<unsigned long[4]> kinds{this, "early_kinds", ""};
    mpit::timer waiting{this, "early_waiting", ""};
};
struct late_tree : mpit::category<"late", "Comes second"> {
    mpit::control<int> limit{this, "EARLY_LIMITS", ""};
    mpit::counter<> calls{this, "late_calls", ""};
};

// An entry of the environment, while it lives.
class entry {
public:
    entry(const char* name, const char* value) : name_{name} { setenv(name, value, 1); }
    entry(const entry&) = delete;
    ~entry() { unsetenv(name_); }

private:
    const char* name_;
};

bool begin_registrar(mpit::registry::process_registry& index) {
    mpit::registry::report_list collected;
    const bool is_kept = mpit::registry::begin_registrar(index, collected);
    collected.send(index.reports_to.load());
    return is_kept;
}
mpit::registry::process_registry& persistent_registry() {
    auto& made = fresh_index();
    REQUIRE(begin_registrar(made));
    reports.clear();
    return made;
}

int count_of_all(const mpit::registry::process_registry& in) {
    return in.count(kind::category) + in.count(kind::control) + in.count(kind::performance);
}

} // namespace

TEST_CASE("Pending trees are published in load order when a tool initializes the interface") {
    auto& index = persistent_registry();
    early_tree early;
    late_tree late;
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    CHECK(count_of_all(index) == 0);
    CHECK(index.pending_trees.has_pending());
    mpit::registry::open_to_tools(index);
    CHECK_FALSE(index.pending_trees.has_pending());
    CHECK(index.index_of(kind::category, "early") == 0);
    CHECK(index.index_of(kind::category, "late") == 1);
    CHECK(index.index_of(kind::control, "EARLY_OTHER") == 1);
    CHECK(index.index_of(kind::control, "EARLY_LIMITS") == 2);
    CHECK(contradictions(index) == 0);
    const int all = count_of_all(index);
    mpit::registry::open_to_tools(index);
    CHECK(count_of_all(index) == all);
    CHECK(reports.empty());
}

TEST_CASE("A variable of a pending tree has the environment's value, and keeps later assignments of its author") {
    auto& index = persistent_registry();
    early_tree early;
    {
        const entry one{"EARLY_LIMIT", "7"}, another{"EARLY_ANOTHER", "8"};
        mpit::registry::load_tree(&index, early, "early_tree");
        CHECK(early.limit == 7);
        CHECK(early.other == 8);
        early.limit = 9;
        mpit::registry::open_to_tools(index);
        CHECK(early.limit == 9);
    }
    CHECK(reports.empty());
}

TEST_CASE("A value that cannot be used is reported once, before the first tool initializes") {
    auto& index = persistent_registry();
    early_tree early;
    {
        const entry wrong{"EARLY_LIMIT", "101"};
        mpit::registry::load_tree(&index, early, "early_tree");
        CHECK(early.limit == 5);
        CHECK(reports.size() == 1);
        mpit::registry::open_to_tools(index);
        CHECK(reports.size() == 1);
    }
    CHECK(has_report("EARLY_LIMIT=101"));
}

TEST_CASE("A registrar that is loaded later reports and publishes the trees that were pending") {
    auto& index = fresh_index();
    reports.clear();
    early_tree early;
    const entry wrong{"EARLY_LIMIT", "many"};
    mpit::registry::has_shims = true; // and comes later
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::has_shims = false;
    CHECK(reports.empty());
    CHECK(index.pending_trees.has_pending());
    REQUIRE(begin_registrar(index));
    CHECK(reports.size() == 1);
    mpit::registry::open_to_tools(index);
    CHECK(index.index_of(kind::control, "EARLY_LIMIT") == 0);
    CHECK(reports.size() == 1);
}

TEST_CASE("A registrar for which memory was lacking adds its fork handlers once, when it has memory") {
    auto& index = fresh_index();
    mpit::core::allocations_left.store(0);
    while (index.memory.allocate(8) != nullptr) {}
    const int before = fork_handlers;
    for (int i = 0; i < 3; i++) CHECK_FALSE(mpit::registry::become_registrar(index));
    CHECK(fork_handlers == before);
    mpit::core::allocations_left.store(-1);
    for (int i = 0; i < 3; i++) CHECK(mpit::registry::become_registrar(index));
    CHECK(fork_handlers == before + 1);
    mpit::registry::is_registrar.store(0);
    reports.clear();
}

TEST_CASE("Without a registrar a rejected value is reported at once, and not again by a later one") {
    auto& index = fresh_index();
    reports.clear();
    early_tree early;
    const entry wrong{"EARLY_LIMIT", "many"};
    mpit::registry::load_tree(&index, early, "early_tree");
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].find("EARLY_LIMIT in the environment is not accepted") == 0);
    REQUIRE(begin_registrar(index));
    mpit::registry::open_to_tools(index);
    CHECK(reports.size() == 1);
}

TEST_CASE("A name of a pending tree is not reported as a misspelt name of another tree") {
    auto& index = persistent_registry();
    early_tree early;
    late_tree late;
    const entry right{"EARLY_LIMIT", "6"};
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    CHECK(reports.empty());
    CHECK(early.limit == 6);
    CHECK(late.limit == 0);
}

TEST_CASE(
    "A misspelt name that is similar to names of two pending trees is reported once, also if both were loaded before "
    "the registrar") {
    const bool is_late = GENERATE(false, true);
    auto& index = is_late ? fresh_index() : persistent_registry();
    reports.clear();
    early_tree early;
    late_tree late;
    const entry wrong{"EARLY_LIMITT", "6"};
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    if (is_late) REQUIRE(begin_registrar(index));
    CHECK(reports.size() == 1);
    mpit::registry::open_to_tools(index);
    CHECK(reports.size() == 1);
}

TEST_CASE("The sums of trees have cells of their own from load on") {
    auto& index = persistent_registry();
    early_tree early;
    late_tree late;
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    CHECK(index.shards.next_cell.load() == 7);
    mpit::registry::open_to_tools(index);
    CHECK(index.shards.next_cell.load() == 7);
    const auto first_cell = [&](const char* name, mpit::performance_class in) {
        return index.variable(kind::performance, index.index_of(kind::performance, name, in))->first_shard_cell;
    };
    CHECK(first_cell("early_calls", mpit::performance_class::counter) == 0);
    CHECK(first_cell("early_kinds", mpit::performance_class::counter) == 1);
    CHECK(first_cell("early_waiting", mpit::performance_class::timer) == 5);
    CHECK(first_cell("late_calls", mpit::performance_class::counter) == 6);
}

TEST_CASE("A tree unloaded before the first tool leaves nothing, and its slot is reused") {
    auto& index = persistent_registry();
    early_tree early;
    late_tree late;
    mpit::registry::load_tree(&index, early, "early_tree");
    pending_tree* const place = index.pending_trees.find(early);
    REQUIRE(place != nullptr);
    index.pending_trees.set_unloading(*place);
    index.pending_trees.remove(*place);
    CHECK_FALSE(index.pending_trees.has_pending());
    mpit::registry::load_tree(&index, late, "late_tree");
    CHECK(index.pending_trees.find(late) == place);
    CHECK(index.pending_trees.find(early) == nullptr);
    mpit::registry::open_to_tools(index);
    CHECK(index.count(kind::control) == 1);
    CHECK(index.index_of(kind::control, "EARLY_LIMIT") == -1);
}
