// Control variables that have had other names, or should not be used any more: what a person reads of values from the
// environment, when a tree arrives.
#include "../catch.hpp"
#include "../trees.hpp"

#include <cstdlib>

namespace {

struct tree_of_renamed : mpit::category<"renamed", "Had other names"> {
    mpit::control<int> number{this, "F_NUMBER", "", {.initial = {5, 0, 10}, .renamed_from = "F_OLD_NUMBER"}};
    mpit::control<char[8]> text{this, "F_TEXT", "", {.initial = "a", .renamed_from = "F_OLD_TEXT"}};
    mpit::control<int> other{
        this, "F_OTHER", "", {.initial = 5, .environment = "F_OF_ENVIRONMENT", .renamed_from = "F_OLD_OTHER"}};
    mpit::control<int> dying{
        this, "F_DYING", "", {.initial = 5, .renamed_from = "F_OLD_DYING", .deprecated = "use F_NUMBER"}};
};

// What is reported of a tree that comes into an environment of these entries alone.
std::string reported(std::vector<const char*> entries, tree_of_renamed& tree, int times = 1) {
    reports.clear();
    entries.push_back(nullptr);
    char** const kept = environ;
    environ = const_cast<char**>(entries.data());
    auto& index = fresh_index();
    for (int i = 0; i < times; i++) {
        REQUIRE(enter(index, tree));
        mpit::registry::unregister(tree);
        tree.number.provenance_word.store(0); // as in a library that is loaded anew
    }
    environ = kept;
    std::string lines;
    for (const std::string& line : reports) lines += (lines.empty() ? "" : " | ") + line;
    return lines;
}

} // namespace

TEST_CASE("A value under a former name is taken with one warning, however often the tree is loaded") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=7", "F_OLD_TEXT=b"}, tree, 3) ==
          "F_OLD_NUMBER=7 in the environment uses a former name of the control variable F_NUMBER | F_OLD_TEXT=b in the "
          "environment uses a former name of the control variable F_TEXT");
    CHECK(tree.number == 7);
    CHECK(tree.text.get() == "b");
}

TEST_CASE("Under both names the present one wins, also if it has another environment name") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=7", "F_NUMBER=6"}, tree) ==
          "F_OLD_NUMBER=7 in the environment uses a former name of the control variable F_NUMBER; in effect is the "
          "value of the present name in the environment");
    CHECK(tree.number == 6);
    tree_of_renamed second;
    CHECK(reported({"F_OLD_OTHER=7", "F_OF_ENVIRONMENT=6"}, second) ==
          "F_OLD_OTHER=7 in the environment uses a former name of the control variable F_OTHER; in effect is the value "
          "of the present name in the environment");
    CHECK(second.other == 6);
    tree_of_renamed third;
    CHECK(reported({"F_OLD_OTHER=7"}, third) ==
          "F_OLD_OTHER=7 in the environment uses a former name of the control variable F_OTHER");
    CHECK(third.other == 7);
}

TEST_CASE("If the value under the present name is refused, the one under the former name is taken") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=7", "F_NUMBER=60"}, tree) ==
          "F_NUMBER=60 in the environment is not accepted: expected a whole number from 0 to 10; the control variable "
          "keeps 7 | F_OLD_NUMBER=7 in the environment uses a former name of the control variable F_NUMBER; it is in "
          "effect instead of the value of the present name in the environment");
    CHECK(tree.number == 7);
}

TEST_CASE("If the values under both names are refused, the reports claim neither to be used") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=70", "F_NUMBER=60"}, tree) ==
          "F_NUMBER=60 in the environment is not accepted: expected a whole number from 0 to 10; the control variable "
          "keeps 5 | F_OLD_NUMBER=70 in the environment is not accepted: expected a whole number from 0 to 10; the "
          "control variable F_NUMBER keeps 5 | F_OLD_NUMBER=70 in the environment uses a former name of the control "
          "variable F_NUMBER; there is also a value of the present name in the environment");
    CHECK(tree.number == 5);
}

TEST_CASE("A value under a former name that is refused is reported under that name") {
    tree_of_renamed tree;
    CHECK(reported({"F_OLD_NUMBER=70"}, tree) ==
          "F_OLD_NUMBER=70 in the environment is not accepted: expected a whole number from 0 to 10; the control "
          "variable F_NUMBER keeps 5 | F_OLD_NUMBER=70 in the environment uses a former name of the control variable "
          "F_NUMBER");
    CHECK(tree.number == 5);
}

TEST_CASE("A deprecated variable is reported if it is set, under any of its names") {
    tree_of_renamed tree;
    CHECK(reported({"F_DYING=7"}, tree, 2) ==
          "F_DYING=7 in the environment: the control variable is deprecated: use F_NUMBER");
    tree_of_renamed second;
    CHECK(reported({"F_OLD_DYING=7"}, second) ==
          "F_OLD_DYING=7 in the environment uses a former name of the control variable F_DYING | F_OLD_DYING=7 in the "
          "environment: the control variable F_DYING is deprecated: use F_NUMBER");
    tree_of_renamed third;
    CHECK(reported({"HOME=/"}, third).empty());
}

TEST_CASE("A former name is not reported as misspelt, even if it is similar to the present one or another tree's") {
    const bool is_entered = GENERATE(true, false);
    named_category root{"renamed_root"}, other{"near_root"};
    mpit::control<int> near{&root, "F_DEVICES", "", {.initial = 5, .renamed_from = "F_DEVICE"}};
    mpit::control<int> far{&root, "F_CARD", "", {.initial = 5, .renamed_from = "F_LIMIT"}};
    mpit::control<int> another{&other, "F_LIMITS", "", {.initial = 5}};
    const char* entries[] = {"F_DEVICE=7", "F_LIMIT=8", nullptr};
    char** const kept = environ;
    environ = const_cast<char**>(entries);
    reports.clear();
    auto& index = fresh_index();
    if (is_entered) CHECK(enter(index, root));
    else mpit::registry::load_tree(&index, root, "owner");
    CHECK(enter(index, other));
    environ = kept;
    CHECK(near == 7);
    CHECK(far == 8);
    CHECK(another == 5);
    CHECK(!has_report("did you mean"));
}
