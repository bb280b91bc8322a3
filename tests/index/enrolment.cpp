// How trees enter an index: names lead to numbers, trees that race share what they have in common, a library that comes
// again finds its old numbers, and what there is no memory for takes nothing else with it.
#include "../catch.hpp"
#include "trees.hpp"

#include <mpit/index/report_handler.hpp>

#include <atomic>
#include <thread>

using mpit::performance_class;
using mpit::index::kind;

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

TEST_CASE("A name leads to its number, apart for each kind and each class", "[GROW-03]") {
    auto& index = fresh_index();
    static queue_tree tree;
    CHECK(index.number_of(kind::control, "length") == -1);
    REQUIRE(enter(index, tree));
    CHECK(index.number_of(kind::control, "length") == 0);
    CHECK(index.number_of(kind::performance, "length", performance_class::level) == 0);
    CHECK(index.number_of(kind::performance, "length", performance_class::high_watermark) == 1);
    CHECK(index.number_of(kind::performance, "length", performance_class::counter) == -1);
    CHECK(index.number_of(kind::category, "queue") == 0);
    CHECK(index.number_of(kind::category, "length") == -1);
    for (const char* unknown : {"", "lengt", "lengths", "Length"}) CHECK(index.number_of(kind::control, unknown) == -1);
    CHECK(contradictions(index) + lost_members(index) == 0);
}

TEST_CASE("There is no record at a number outside the index") {
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
    REQUIRE(mpit::index::enter_at_once(index, first, {"first_owner, and more", 11}));
    REQUIRE(mpit::index::enter_at_once(index, second, {"second_owner, and more", 12}));
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] == "the category queue has two descriptions; the one of first_owner stays, "
                        "the one of second_owner is not used");
    CHECK(reports[1] == "length is declared twice: the one of first_owner stays, "
                        "the one of second_owner is not seen by tools");
    CHECK(index.count(kind::control) == 1);
    CHECK(index.variable(kind::control, 0)->live.load() == &first.limit);
    CHECK(std::string(index.category(0)->description.characters) == "A queue");
    CHECK(index.number_of(kind::performance, "calls", performance_class::counter) == 2);
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
    CHECK(index.member_count(*index.category(index.number_of(kind::category, "ring_a")), kind::category) == 1);
    CHECK(index.member_count(*index.category(index.number_of(kind::category, "ring_b")), kind::category) == 1);
    CHECK(index.member_count(*index.category(index.number_of(kind::category, "ring_c")), kind::category) == 0);
}

TEST_CASE("Variables that were withdrawn are inactive, and get their numbers back when they enter again", "[GROW-03]") {
    auto& index = fresh_index();
    static large_tree before{"revived", 20}, after{"revived", 20}, different{"other", 5};
    REQUIRE(enter(index, before.root));
    const int number = index.number_of(kind::performance, "revived_counter_7", performance_class::counter);
    const auto* record = index.variable(kind::performance, number);
    REQUIRE(record->live.load() == &before.counters[7]);
    const std::uint32_t incarnation = record->incarnation.load();

    mpit::index::withdraw(index, before.root);
    CHECK(record->live.load() == nullptr);
    CHECK(record->incarnation.load() != incarnation);
    REQUIRE(enter(index, different.root));
    reports.clear();
    REQUIRE(enter(index, after.root));
    CHECK(reports.empty());
    CHECK(record->live.load() == &after.counters[7]);
    CHECK(index.number_of(kind::performance, "revived_counter_7", performance_class::counter) == number);
    CHECK(index.count(kind::performance) == 25);
    CHECK(index.member_count(*index.category(0), kind::performance) == 20);

    mpit::index::withdraw(index, before.root);
    CHECK(record->live.load() == &after.counters[7]);
}

TEST_CASE("A variable that comes again with another type is another declaration, and is reported") {
    auto& index = fresh_index();
    static named_category root{"retyped"};
    static mpit::control<int> number{&root, "RETYPED", ""};
    static named_category again{"retyped"};
    static mpit::control<double> other{&again, "RETYPED", ""};
    REQUIRE(enter(index, root));
    mpit::index::withdraw(index, root);
    reports.clear();
    REQUIRE(enter(index, again));
    CHECK(reports.size() == 1);
    CHECK(index.variable(kind::control, 0)->live.load() == nullptr);
    CHECK(index.variable(kind::control, 0)->type == mpit::datatype::int_type);
}

TEST_CASE("Trees that race share a category and an enumeration, and nobody ever sees a member without a number",
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
        const auto& shared = *index.category(index.number_of(kind::category, "shared"));
        wrong += index.member_count(shared, kind::control) != threads * 4;
    }
    CHECK(wrong == 0);
}

TEST_CASE("Wherever memory ends during an enrolment, the index stays whole, and later trees and a second try succeed") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        large_tree small{"small", 3}, large{"large", 300}, later{"later", 3};
        REQUIRE(enter(index, small.root));
        mpit::base::allocations_left.store(allowed);
        const bool entered = enter(index, large.root);
        mpit::base::allocations_left.store(-1);
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.variable(kind::performance, 0)->live.load() == &small.counters[0]);
        if (entered) break;
        failures++;

        CHECK(enter(index, later.root));
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.number_of(kind::performance, "later_counter_2", performance_class::counter) >= 0);
        CHECK(index.number_of(kind::control, "later_control_2") >= 0);

        mpit::index::withdraw(index, large.root);
        CHECK(enter(index, large.root));
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.count(kind::performance) == 306);
        CHECK(index.count(kind::control) == 306);
        CHECK(index.number_of(kind::control, "large_control_299") >= 0);
    }
    CHECK(failures >= 3);
}

TEST_CASE("The very first enrolment also survives that memory ends anywhere") {
    int failures = 0;
    for (int allowed = 0;; allowed++) {
        auto& index = fresh_index();
        large_tree first{"first", 3}, second{"second", 3};
        mpit::base::allocations_left.store(allowed);
        const bool entered = enter(index, first.root), entered_too = enter(index, second.root);
        mpit::base::allocations_left.store(-1);
        CHECK(contradictions(index) + lost_members(index) == 0);
        if (entered && entered_too) break;
        failures++;
        for (large_tree* tree : {&first, &second}) {
            mpit::index::withdraw(index, tree->root);
            CHECK(enter(index, tree->root));
        }
        CHECK(contradictions(index) + lost_members(index) == 0);
        CHECK(index.count(kind::performance) == 6);
        CHECK(index.count(kind::category) == 3);
    }
    CHECK(failures >= 10);
}

TEST_CASE("A tree that found no memory is reported, works for its author, and harms no later one") {
    static large_tree hungry{"hungry", 400}, fed{"fed", 3};
    reports.clear();
    mpit::set_report_handler(&keep_report);
    mpit::base::allocations_left.store(1);
    mpit::index::enrol(hungry.root, "hungry");
    mpit::base::allocations_left.store(-1);
    mpit::index::enrol(fed.root, "fed");
    mpit::set_report_handler(nullptr);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == "no memory to enrol all variables of hungry in the program");
    ++hungry.counters[399];
    ++fed.counters[2];
    CHECK(hungry.counters[399].get() == 1);
    CHECK(fed.counters[2].get() == 1);
    const auto& index = *mpit::index::the_index();
    CHECK(contradictions(index) + lost_members(index) == 0);
    CHECK(index.number_of(kind::performance, "fed_counter_2", performance_class::counter) >= 0);
}
