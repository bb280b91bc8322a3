// The way from a member back to its categories: variables of one, of several and of no category, categories of several
// parents, and what comes while somebody walks.
#include "../catch.hpp"
#include "../trees.hpp"

using mpit::performance_class;
using mpit::registry::kind;

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
std::vector<std::string> names_of_holders(mpit::registry::process_registry& in, const mpit::registry::record& member) {
    std::vector<std::string> names;
    for (const mpit::core::text name : mpit::registry::parent_categories{in, member})
        names.emplace_back(name.characters, name.length);
    return names;
}
using names = std::vector<std::string>;

} // namespace

TEST_CASE("A variable has its category, and a category the categories that contain it") {
    auto& index = fresh_index();
    static large_tree tree{"outer", 3, "inner"};
    REQUIRE(enter(index, tree.root));
    CHECK(names_of_holders(index, *index.find(kind::control, "outer_control_1")) == names{"inner"});
    CHECK(names_of_holders(index, *index.find(kind::performance, "outer_counter_2", performance_class::counter)) ==
          names{"outer"});
    CHECK(names_of_holders(index, *index.find(kind::category, "inner")) == names{"outer"});
    CHECK(names_of_holders(index, *index.find(kind::category, "outer")).empty());
    CHECK(lost_members(index) == 0);
}

TEST_CASE("A category that several trees contain has several parents", "[TAXON-09]") {
    auto& index = fresh_index();
    static large_tree first{"first", 1}, second{"second", 1}, third{"third", 1};
    for (large_tree* each : {&first, &second, &third}) REQUIRE(enter(index, each->root));
    CHECK(names_of_holders(index, *index.find(kind::category, "shared")) == names{"first", "second", "third"});
    CHECK(lost_members(index) == 0);
}

TEST_CASE("A variable that is registered again in other categories stays in its former ones", "[TAXON-03]") {
    auto& index = fresh_index();
    static wandering_tree trees[] = {wandering_tree{"first"}, wandering_tree{"second"}, wandering_tree{"first"},
                                     wandering_tree{"third"}};
    for (wandering_tree& each : trees) {
        REQUIRE(enter(index, each.root));
        mpit::registry::unregister(each.root);
    }
    CHECK(index.count(kind::performance) == 1);
    CHECK(names_of_holders(index, wandering(index)) == names{"first", "second", "third"});
    CHECK(lost_members(index) == 0);
}

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

TEST_CASE("A name that is not declared is in no category") {
    const mpit::registry::parent_categories none;
    CHECK(!(none.begin() != none.end()));
}
