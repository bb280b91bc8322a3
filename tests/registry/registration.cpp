// How trees enter an index: names lead to numbers, trees that race share what they have in common, a library that comes
// again finds its old numbers, and what there is no memory for takes nothing else with it.
#include "../catch.hpp"
#include "../trees.hpp"

#include <mpit/report_handler.hpp>

#include <atomic>
#include <thread>

using mpit::performance_class;
using mpit::registry::kind;

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

struct ring_a : mpit::category<"ring_a"> {
    struct : mpit::category<"ring_b"> {
    } b{this};
};
struct ring_b : mpit::category<"ring_b"> {
    struct : mpit::category<"ring_c"> {
    } c{this};
};
struct ring_c : mpit::category<"ring_c"> {
    struct : mpit::category<"ring_a"> {
    } a{this};
};

} // namespace

TEST_CASE("A name has an index of its own in each kind and each class", "[GROW-03]") {
    auto& index = fresh_index();
    static queue_tree tree;
    CHECK(index.index_of(kind::control, "length") == -1);
    REQUIRE(enter(index, tree));
    CHECK(index.index_of(kind::control, "length") == 0);
    CHECK(index.index_of(kind::performance, "length", performance_class::level) == 0);
    CHECK(index.index_of(kind::performance, "length", performance_class::high_watermark) == 1);
    CHECK(index.index_of(kind::performance, "length", performance_class::counter) == -1);
    CHECK(index.index_of(kind::category, "queue") == 0);
    CHECK(index.index_of(kind::category, "length") == -1);
    for (const char* unknown : {"", "lengt", "lengths", "Length"}) CHECK(index.index_of(kind::control, unknown) == -1);
    CHECK(contradictions(index) + lost_members(index) == 0);
}

TEST_CASE("There is no record at a number outside the registry") {
    auto& index = fresh_index();
    CHECK(index.at(kind::control, 0) == nullptr);
    static queue_tree tree;
    REQUIRE(enter(index, tree));
    for (const int wrong : {-1, INT_MIN, 2, INT_MAX}) CHECK(index.variable(kind::performance, wrong) == nullptr);
    CHECK(index.category(1) == nullptr);
}

TEST_CASE("Of two declarations of one name the first stays, and one report names the owners of both") {
    auto& index = fresh_index();
    static queue_tree first;
    static other_queue_tree second;
    reports.clear();
    REQUIRE(mpit::registry::publish_now(index, first, {"first_owner, and more", 11}));
    REQUIRE(mpit::registry::publish_now(index, second, {"second_owner, and more", 12}));
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] == "the category queue has two descriptions; the one of first_owner stays, "
                        "the one of second_owner is not used");
    CHECK(reports[1] == "length is declared twice: the one of first_owner stays, "
                        "the one of second_owner is not seen by tools");
    CHECK(index.count(kind::control) == 1);
    CHECK(index.variable(kind::control, 0)->live.load() == &first.limit);
    CHECK(std::string(index.category(0)->description.characters) == "A queue");
    CHECK(index.index_of(kind::performance, "calls", performance_class::counter) == 2);
    CHECK(contradictions(index) + lost_members(index) == 0);
}

TEST_CASE("A circle of categories that three trees make together stays open, and the third one is reported",
          "[CAT-13]") {
    auto& index = fresh_index();
    static ring_a a;
    static ring_b b;
    static ring_c c;
    reports.clear();
    REQUIRE(enter(index, a));
    REQUIRE(enter(index, b));
    CHECK(reports.empty());
    REQUIRE(enter(index, c));
    CHECK(reports.size() == 1);
    CHECK(has_report("ring_a"));
    CHECK(has_report("ring_c"));
    CHECK(index.member_count(*index.category(index.index_of(kind::category, "ring_a")), kind::category) == 1);
    CHECK(index.member_count(*index.category(index.index_of(kind::category, "ring_b")), kind::category) == 1);
    CHECK(index.member_count(*index.category(index.index_of(kind::category, "ring_c")), kind::category) == 0);
}

TEST_CASE("Unregistered variables are inactive, and have the same indices when they are registered again",
          "[GROW-03]") {
    auto& index = fresh_index();
    static large_tree before{"revived", 20}, after{"revived", 20}, different{"other", 5};
    REQUIRE(enter(index, before.root));
    const int number = index.index_of(kind::performance, "revived_counter_7", performance_class::counter);
    const auto* record = index.variable(kind::performance, number);
    REQUIRE(record->live.load() == &before.counters[7]);
    const std::uint32_t incarnation = record->incarnation.load();

    mpit::registry::unregister(before.root);
    CHECK(record->live.load() == nullptr);
    CHECK(record->incarnation.load() != incarnation);
    REQUIRE(enter(index, different.root));
    reports.clear();
    REQUIRE(enter(index, after.root));
    CHECK(reports.empty());
    CHECK(record->live.load() == &after.counters[7]);
    CHECK(index.index_of(kind::performance, "revived_counter_7", performance_class::counter) == number);
    CHECK(index.count(kind::performance) == 25);
    CHECK(index.member_count(*index.category(0), kind::performance) == 20);

    mpit::registry::unregister(before.root);
    CHECK(record->live.load() == &after.counters[7]);
}

TEST_CASE("A variable that is registered again with another type is a different declaration, and is reported") {
    auto& index = fresh_index();
    static named_category root{"retyped"};
    static mpit::control<int> number{&root, "RETYPED", ""};
    static named_category again{"retyped"};
    static mpit::control<double> other{&again, "RETYPED", ""};
    REQUIRE(enter(index, root));
    mpit::registry::unregister(root);
    reports.clear();
    REQUIRE(enter(index, again));
    CHECK(reports.size() == 1);
    CHECK(index.variable(kind::control, 0)->live.load() == nullptr);
    CHECK(index.variable(kind::control, 0)->type == mpit::datatype::int_type);
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
    const std::size_t at = reports[0].find("it has another ");
    return at == std::string::npos ? "another report" : reports[0].c_str() + at + 15;
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
    CHECK(reports[0] == "REWORDED has two descriptions; that of first stays, that of second is not used");
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
    CHECK(has_report(
        "AGAIN of owner is not seen by tools: its enumeration colour has other items than the one of owner"));
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

TEST_CASE(
    "Wherever memory ends during a publication, the registry stays whole, and later trees and a second try succeed") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        large_tree small{"small", 3}, large{"large", 300}, later{"later", 3};
        REQUIRE(enter(index, small.root));
        mpit::core::allocations_left.store(allowed);
        const bool entered = enter(index, large.root);
        mpit::core::allocations_left.store(-1);
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.variable(kind::performance, 0)->live.load() == &small.counters[0]);
        if (entered) break;
        failures++;

        CHECK(enter(index, later.root));
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.index_of(kind::performance, "later_counter_2", performance_class::counter) >= 0);
        CHECK(index.index_of(kind::control, "later_control_2") >= 0);

        mpit::registry::unregister(large.root);
        CHECK(enter(index, large.root));
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.count(kind::performance) == 306);
        CHECK(index.count(kind::control) == 306);
        CHECK(index.index_of(kind::control, "large_control_299") >= 0);
    }
    CHECK(failures >= 3);
}

TEST_CASE("The very first registration also survives an allocation failure anywhere") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        large_tree first{"first", 3}, second{"second", 3};
        mpit::core::allocations_left.store(allowed);
        const bool entered = enter(index, first.root), entered_too = enter(index, second.root);
        mpit::core::allocations_left.store(-1);
        CHECK(contradictions(index) + lost_members(index) == 0);
        if (entered && entered_too) break;
        failures++;
        for (large_tree* tree : {&first, &second}) {
            mpit::registry::unregister(tree->root);
            CHECK(enter(index, tree->root));
        }
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.count(kind::performance) == 6);
        CHECK(index.count(kind::category) == 3);
    }
    CHECK(failures >= 10);
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
    CHECK(reports[0] == "no memory to register all variables of hungry in the program");
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
