// Trees that have arrived before a tool has come: they have their values and count, nobody sees them, and they enter
// the index in the order in which they came.
#include "../catch.hpp"
#include "../trees.hpp"

#include <mpit/module/registrar.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

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

TEST_CASE("A tree that is loaded after a tool has initialized is published at once") {
    auto& index = persistent_registry();
    mpit::registry::open_to_tools(index);
    early_tree early;
    mpit::registry::load_tree(&index, early, "early_tree");
    CHECK(index.index_of(kind::control, "EARLY_LIMIT") == 0);
    CHECK_FALSE(index.pending_trees.has_pending());
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

TEST_CASE("Without a registrar a rejected value is reported at once, and not again by a later one") {
    auto& index = fresh_index();
    reports.clear();
    early_tree early;
    const entry wrong{"EARLY_LIMIT", "many"};
    mpit::registry::load_tree(&index, early, "early_tree");
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].find("EARLY_LIMIT in the environment cannot be used") == 0);
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

TEST_CASE("A misspelt name that is similar to names of two pending trees is reported once") {
    auto& index = persistent_registry();
    early_tree early;
    late_tree late;
    const entry wrong{"EARLY_LIMITT", "6"};
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    CHECK(reports.size() == 1);
    mpit::registry::open_to_tools(index);
    CHECK(reports.size() == 1);
}

TEST_CASE("The same holds for two trees that were loaded before the registrar") {
    auto& index = fresh_index();
    reports.clear();
    early_tree early;
    late_tree late;
    const entry wrong{"EARLY_LIMITT", "6"};
    mpit::registry::load_tree(&index, early, "early_tree");
    mpit::registry::load_tree(&index, late, "late_tree");
    REQUIRE(begin_registrar(index));
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

TEST_CASE("Of many threads that publish at once each sees every pending tree") {
    for (int round = 0; round < 20; round++) {
        auto& index = persistent_registry();
        std::deque<large_tree> trees;
        for (int i = 0; i < 2; i++)
            mpit::registry::load_tree(&index, trees.emplace_back("tree_" + std::to_string(i), 400, "inner").root,
                                      "large_tree");
        std::atomic<int> begun{0}, wrong{0};
        std::vector<std::thread> all;
        for (int t = 0; t < 3; t++)
            all.emplace_back([&] {
                begun++;
                while (begun != 3) {}
                mpit::registry::open_to_tools(index);
                wrong += index.count(kind::control) != 800 || index.count(kind::performance) != 800;
            });
        for (std::thread& each : all) each.join();
        CHECK(wrong == 0);
        CHECK(contradictions(index) == 0);
    }
}
