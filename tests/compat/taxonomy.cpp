// The taxonomy of 2010: sets and variables walked by iterators, and how it agrees with the categories of the standard. Tools of
// 2010 and 2011 also list variables while libraries add them: indices are dense and stay, whoever walks in which direction.
#include "draft.hpp"

#include <mpit/dynamic.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <latch>
#include <map>
#include <set>
#include <thread>

namespace {

// Three levels, a set of two parents, a variable and a counter of one name, and names that are MPI's own.
struct upper_variables : mpit::category<"upper", "The uppermost set"> {
    mpit::control<int> first{this, "U_FIRST", "A control variable"};
    mpit::control<int> second{this, "U_SECOND", "A control variable"};
    mpit::counter<> counter{this, "u_counter", "A counter"};
    struct : mpit::category<"middle", "The middle set"> {
        mpit::control<int> shared_name{this, "shared_name", "A control variable"};
        struct : mpit::category<"lower"> {
            mpit::counter<> shared_name{this, "shared_name", "A counter of the same name"};
            mpit::timer timed{this, "shared_name", "A timer of the same name"};
        } lower{this};
    } middle{this};
    struct : mpit::category<"without", "A set without anything"> {
    } without{this};
};
struct other_variables : mpit::category<"other", "Another uppermost set"> {
    struct : mpit::category<"lower"> {
        mpit::counter<> more{this, "o_counter", "In the lower set, too"};
    } lower{this};
    struct : mpit::category<"MPIT_z", "A set with a name of MPI's"> {
        mpit::counter<> lonely{this, "o_lonely", "In no set that is shown"};
        mpit::counter<> reserved{this, "MPI_reserved", "With a name of MPI's"};
    } reserved{this};
};
struct lower_again : mpit::category<"MPIT_a", "Another set with a name of MPI's"> {
    struct : mpit::category<"alone", "A set that only a reserved one contains"> {
    } alone{this};
};
[[maybe_unused]] constexpr auto& upper = mpit::registered<upper_variables>;
[[maybe_unused]] constexpr auto& other = mpit::registered<other_variables>;
[[maybe_unused]] constexpr auto& again = mpit::registered<lower_again>;

using query = int (*)(MPIT_Taxonquery_iterator*, const char*, char*, int*, int*);
using names = std::vector<std::string>;

// One step: the name that it gave, or empty at the end.
struct walk {
    query ask;
    std::string of;
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    int type = -77;

    std::string next() {
        char name[MPIT_MAX_SET_NAME] = "as before";
        int length = -77;
        const int code = ask(&iterator, of.c_str(), name, &length, &type);
        if (code == MPIT_END) {
            CHECK(iterator == MPIT_TAXONQUERY_END);
            CHECK(name == std::string{"as before"});
            return "";
        }
        REQUIRE(code == MPIT_SUCCESS);
        CHECK(length == static_cast<int>(std::strlen(name)));
        CHECK(length < MPIT_MAX_SET_NAME);
        return name;
    }
};
names all_of(query ask, const std::string& of) {
    walk steps{ask, of};
    names found;
    for (std::string name = steps.next(); !name.empty(); name = steps.next()) found.push_back(name);
    return found;
}
names sets_in(const std::string& set) { return all_of(&MPIT_Taxon_query_set_sets, set); }
names variables_in(const std::string& set) { return all_of(&MPIT_Taxon_query_set_variables, set); }
names sets_of(const std::string& variable) { return all_of(&MPIT_Taxon_query_variable_sets, variable); }
int code_of(query ask, const char* of) {
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    char name[MPIT_MAX_SET_NAME];
    int length = 0, type = 0;
    return ask(&iterator, of, name, &length, &type);
}
int changed() {
    int flag = -77;
    REQUIRE(MPIT_Taxon_changed(&flag) == MPIT_SUCCESS);
    return flag;
}
const query queries[] = {&MPIT_Taxon_query_set_sets, &MPIT_Taxon_query_set_variables, &MPIT_Taxon_query_variable_sets};

} // namespace

// The first test case, because no query may have been made before it.
TEST_CASE("Everything has changed before the first query, and queries do not change that", "[TAXON-10]") {
    const draft_initialized draft;
    CHECK(changed() == 1);
    CHECK(changed() == 1);
    walk steps{&MPIT_Taxon_query_set_sets, "upper"};
    steps.next();
    CHECK(changed() == 0);
    CHECK(changed() == 0);
    mpit::dynamic grown{"grown", "Comes later"};
    REQUIRE(grown.control<int>("G_CONTROL", "Comes later") == mpit::result::success);
    REQUIRE(grown.publish().code == mpit::result::success);
    CHECK(changed() == 1);
    steps.next();
    CHECK(changed() == 1);
    CHECK(sets_of("G_CONTROL") == names{"grown"});
    CHECK(changed() == 0);
}

TEST_CASE("The sets directly in a set are listed one at a time", "[TAXON-01]") {
    const draft_initialized draft;
    CHECK(sets_in("upper") == names{"middle", "without"});
    CHECK(sets_in("middle") == names{"lower"});
    CHECK(sets_in("lower").empty());
    walk steps{&MPIT_Taxon_query_set_sets, "upper"};
    steps.next();
    CHECK(steps.type == -77);
}

TEST_CASE("The variables directly in a set are listed with their kinds", "[TAXON-02]") {
    const draft_initialized draft;
    walk steps{&MPIT_Taxon_query_set_variables, "upper"};
    const std::pair<const char*, int> expected[] = {
        {"U_FIRST", MPIT_TYPE_CONFIG}, {"U_SECOND", MPIT_TYPE_CONFIG}, {"u_counter", MPIT_TYPE_PERFORMANCE}};
    for (const auto& [name, type] : expected) {
        CHECK(steps.next() == name);
        CHECK(steps.type == type);
    }
    CHECK(steps.next().empty());
    CHECK(variables_in("lower") == names{"shared_name", "shared_name (timer)", "o_counter"});
}

TEST_CASE("The sets of a variable are listed, and none for a variable in no set", "[TAXON-03]") {
    const draft_initialized draft;
    CHECK(sets_of("U_FIRST") == names{"upper"});
    CHECK(sets_of("o_counter") == names{"lower"});
    CHECK(sets_of("shared_name (timer)") == names{"lower"});
    CHECK(sets_of("o_lonely").empty());
    walk both{&MPIT_Taxon_query_variable_sets, "shared_name"};
    CHECK(both.next() == "middle");
    CHECK(both.type == MPIT_TYPE_CONFIG);
    CHECK(both.next() == "lower");
    CHECK(both.type == MPIT_TYPE_PERFORMANCE);
    CHECK(both.next().empty());
}

TEST_CASE("A variable that was registered again in other sets is in all of them", "[TAXON-03]") {
    const draft_initialized draft;
    for (const char* set : {"set_one", "set_two", "set_three"}) {
        mpit::dynamic tree{set};
        REQUIRE(tree.control<int>("IN_THREE", "In three sets") == mpit::result::success);
        REQUIRE(tree.publish().code == mpit::result::success);
    }
    CHECK(sets_of("IN_THREE") == names{"set_one", "set_two", "set_three"});
}

TEST_CASE("After the last one an iteration stays at its end", "[TAXON-04][TAXON-05]") {
    const draft_initialized draft;
    const std::pair<query, const char*> walks[] = {{queries[0], "upper"},   {queries[0], "without"},
                                                   {queries[1], "upper"},   {queries[1], "without"},
                                                   {queries[2], "U_FIRST"}, {queries[2], "o_lonely"}};
    for (const auto& [ask, of] : walks) {
        walk steps{ask, of};
        int ends = 0;
        for (int i = 0; i < 10; i++) {
            ends += steps.next().empty();
            if (ends != 0) CHECK(steps.next().empty());
        }
        CHECK(ends > 0);
    }
    CHECK(sets_in("without").empty());
}

TEST_CASE("Iterations may be interleaved", "[TAXON-06]") {
    const draft_initialized draft;
    walk first{queries[1], "upper"}, second{queries[1], "upper"}, third{queries[0], "upper"};
    CHECK(first.next() == "U_FIRST");
    CHECK(third.next() == "middle");
    CHECK(first.next() == "U_SECOND");
    CHECK(second.next() == "U_FIRST");
    CHECK(first.next() == "u_counter");
    CHECK(third.next() == "without");
    CHECK(second.next() == "U_SECOND");
    CHECK(first.next().empty());
    CHECK(second.next() == "u_counter");
}

TEST_CASE("An iteration continues while its set grows, and lists nothing twice", "[TAXON-06]") {
    const draft_initialized draft;
    std::map<std::string, int> seen, roots;
    walk members{queries[1], "growing"}, root{queries[0], MPIT_ROOT_SETS};
    std::deque<mpit::dynamic> trees;
    const auto grow = [&](int number) {
        mpit::dynamic& tree = trees.emplace_back("growing");
        REQUIRE(tree.control<int>(("GROWING_" + std::to_string(number)).c_str(), "") == mpit::result::success);
        REQUIRE(tree.publish().code == mpit::result::success);
        mpit::dynamic& other_tree = trees.emplace_back(("root_" + std::to_string(number)).c_str());
        REQUIRE(other_tree.control<int>(("ROOTED_" + std::to_string(number)).c_str(), "") == mpit::result::success);
        REQUIRE(other_tree.publish().code == mpit::result::success);
    };
    grow(0);
    grow(1);
    for (int number = 2; number < 6; number++) {
        seen[members.next()]++;
        roots[root.next()]++;
        grow(number);
    }
    for (std::string name = members.next(); !name.empty(); name = members.next()) seen[name]++;
    for (std::string name = root.next(); !name.empty(); name = root.next()) roots[name]++;
    for (const auto& [name, times] : seen) CHECK(times == 1);
    for (const auto& [name, times] : roots) CHECK(times == 1);
    CHECK(seen.size() == 6);
    CHECK(roots.count("growing") == 1);
}

TEST_CASE("The longest name fits with the class appended", "[TAXON-07]") {
    const draft_initialized draft;
    const std::string longest(255, 'n');
    mpit::dynamic tree{longest.c_str()};
    using enum mpit::performance_class;
    REQUIRE(tree.control<int>(longest.c_str(), "") == mpit::result::success);
    REQUIRE(tree.computed<level, unsigned>(longest.c_str(), "", {.value = [](void*) { return 1u; }}) ==
            mpit::result::success);
    REQUIRE(tree.computed<percentage, double>(longest.c_str(), "", {.value = [](void*) { return 1.0; }}) ==
            mpit::result::success);
    REQUIRE(tree.publish().code == mpit::result::success);
    CHECK(variables_in(longest) == names{longest, longest, longest + " (percentage)"});
    CHECK(sets_of(longest + " (percentage)") == names{longest});
    mpit::dynamic longer{"longer"};
    CHECK(longer.control<int>((longest + "n").c_str(), "") == mpit::result::invalid_name);
}

TEST_CASE("The root sets are those that no other set contains, and hold no variables themselves", "[TAXON-08]") {
    const draft_initialized draft;
    const names roots = sets_in(MPIT_ROOT_SETS);
    const auto is_root = [&](const char* name) { return std::count(roots.begin(), roots.end(), name); };
    for (const char* root : {"upper", "other", "everything", "alone"}) CHECK(is_root(root) == 1);
    for (const char* inner : {"middle", "lower", "without", "controls", "MPIT_z", "MPIT_a"}) CHECK(is_root(inner) == 0);
    CHECK(variables_in(MPIT_ROOT_SETS).empty());
}

TEST_CASE("A set with two parents is in both of them", "[TAXON-09]") {
    const draft_initialized draft;
    CHECK(sets_in("middle") == names{"lower"});
    CHECK(sets_in("other") == names{"lower"});
}

TEST_CASE("A set is described, and the length does not count the null", "[TAXON-11]") {
    const draft_initialized draft;
    char text[MPIT_MAX_SET_DESC];
    int length = -1;
    CHECK(MPIT_Taxon_describe_set("middle", text, &length) == MPIT_SUCCESS);
    CHECK(text == std::string{"The middle set"});
    CHECK(length == 14);
    CHECK(MPIT_Taxon_describe_set("lower", text, &length) == MPIT_SUCCESS);
    CHECK(text == std::string{});
    CHECK(length == 0);
    for (const int size : {MPIT_MAX_SET_DESC - 2, MPIT_MAX_SET_DESC - 1, MPIT_MAX_SET_DESC, MPIT_MAX_SET_DESC + 100}) {
        const std::string description(static_cast<std::size_t>(size), 'd');
        mpit::dynamic tree{("described_" + std::to_string(size)).c_str(), description.c_str()};
        REQUIRE(tree.control<int>(("D_" + std::to_string(size)).c_str(), "") == mpit::result::success);
        REQUIRE(tree.publish().code == mpit::result::success);
        CHECK(MPIT_Taxon_describe_set(("described_" + std::to_string(size)).c_str(), text, &length) == MPIT_SUCCESS);
        CHECK(length == std::min(size, MPIT_MAX_SET_DESC - 1));
        CHECK(text == description.substr(0, static_cast<std::size_t>(length)));
    }
}

TEST_CASE("Unknown names and names that are MPI's own are refused", "[TAXON-12]") {
    const draft_initialized draft;
    const std::string beyond(10'000, 'n');
    for (const char* set : {"nothing", "MPIT_z", "U_FIRST", "", beyond.c_str()}) {
        INFO(set);
        CHECK(code_of(queries[0], set) == MPIT_ERR_INVALIDCATEGORY);
        CHECK(code_of(queries[1], set) == MPIT_ERR_INVALIDCATEGORY);
        char text[MPIT_MAX_SET_DESC] = "as before";
        int length = -77;
        CHECK(MPIT_Taxon_describe_set(set, text, &length) == MPIT_ERR_INVALIDCATEGORY);
        CHECK(length == -77);
    }
    for (const char* variable : {"nothing", "MPI_reserved", "upper", "u_counter (counter)", "u_counter (timer)",
                                 "shared_name (counter)", " (timer)", "", beyond.c_str()}) {
        INFO(variable);
        CHECK(code_of(queries[2], variable) == MPIT_ERR_INVALIDVAR);
    }
    CHECK(variables_in("other").empty());
}

TEST_CASE("Without an init, or without an argument, the taxonomy refuses", "[TAXON-12]") {
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START, invented = -5;
    char text[MPIT_MAX_SET_DESC];
    int length = -77, type = -77;
    for (const query ask : queries) CHECK(ask(&iterator, "upper", text, &length, &type) == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPIT_Taxon_changed(&length) == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPIT_Taxon_describe_set("upper", text, &length) == MPIT_ERR_NOTINITIALIZED);
    const draft_initialized draft;
    for (const query ask : queries) {
        CHECK(ask(nullptr, "upper", text, &length, &type) == MPIT_ERR_INVALID);
        CHECK(ask(&iterator, nullptr, text, &length, &type) == MPIT_ERR_INVALID);
        CHECK(ask(&iterator, "upper", nullptr, &length, &type) == MPIT_ERR_INVALID);
        CHECK(ask(&iterator, "upper", text, nullptr, &type) == MPIT_ERR_INVALID);
        CHECK(ask(&invented, "upper", text, &length, &type) == MPIT_ERR_INVALID);
        for (const MPIT_Taxonquery_iterator far : {LLONG_MAX, 1ll << 62, (1ll << 33) - 1, 5ll << 32}) {
            MPIT_Taxonquery_iterator beyond = far;
            CHECK(ask(&beyond, ask == queries[2] ? "U_FIRST" : "upper", text, &length, &type) == MPIT_END);
            CHECK(beyond == MPIT_TAXONQUERY_END);
        }
    }
    CHECK(MPIT_Taxon_changed(nullptr) == MPIT_ERR_INVALID);
    CHECK(MPIT_Taxon_describe_set(nullptr, text, &length) == MPIT_ERR_INVALID);
    CHECK(MPIT_Taxon_describe_set("upper", nullptr, &length) == MPIT_ERR_INVALID);
    CHECK(MPIT_Taxon_describe_set("upper", text, nullptr) == MPIT_ERR_INVALID);
    CHECK(length == -77);
}

TEST_CASE("Sets hold what the categories of the standard hold", "[TAXON-13]") {
    const draft_initialized draft;
    const initialized now;
    int count = 0, sets = 0;
    REQUIRE(MPI_T_category_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        char name[300] = "";
        int length = sizeof name, sizes[3];
        REQUIRE(MPI_T_category_get_info(i, name, &length, nullptr, nullptr, &sizes[0], &sizes[1], &sizes[2]) ==
                MPI_SUCCESS);
        const std::string set = name;
        if (set.substr(0, 5) == "MPIT_") continue;
        INFO(set);
        const bool has_hidden_set = set == "other";
        const names inside = variables_in(set), sets_inside = sets_in(set);
        CHECK(inside.size() == static_cast<std::size_t>(sizes[0] + sizes[1]));
        CHECK(sets_inside.size() == static_cast<std::size_t>(sizes[2] - has_hidden_set));
        std::vector<int> controls(static_cast<std::size_t>(sizes[0]));
        REQUIRE(MPI_T_category_get_cvars(i, sizes[0], controls.data()) == MPI_SUCCESS);
        for (std::size_t m = 0; m < controls.size(); m++) {
            length = sizeof name;
            MPI_T_cvar_get_info(controls[m], name, &length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                nullptr);
            CHECK(inside[m] == name);
        }
        for (const std::string& variable : inside) {
            const names holders = sets_of(variable);
            CHECK(std::count(holders.begin(), holders.end(), set) >= 1);
        }
        sets++;
    }
    CHECK(sets > 10);
}

namespace {

std::string name_of(int index) {
    char name[300] = "";
    int length = sizeof name;
    const int code =
        MPIT_Controlvar_get_info(index, name, &length, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    return code == MPIT_SUCCESS ? name : "";
}
int count_now() {
    int count = -1;
    return MPIT_Controlvar_get_num(&count) == MPIT_SUCCESS ? count : -1;
}

// A tool that knows what it has seen at each index.
struct lister {
    std::vector<std::string> known;
    int wrong = 0;

    void list(bool forwards) {
        const int count = count_now();
        wrong += count < static_cast<int>(known.size());
        known.resize(static_cast<std::size_t>(count));
        for (int i = 0; i < count; i++) look(forwards ? i : count - 1 - i);
    }
    void look(int index) {
        const std::string name = name_of(index);
        std::string& before = known[static_cast<std::size_t>(index)];
        wrong += name.empty() || (!before.empty() && name != before) || name.substr(0, 4) == "MPI_";
        before = name;
    }
};

void wait_for_another(const std::atomic<int>& looks) {
    for (const int before = looks; looks == before;) std::this_thread::yield();
}

// Every set that can be reached knows that it is where it was found.
int walk_sets(const char* from) {
    MPIT_Taxonquery_iterator iterator = MPIT_TAXONQUERY_START;
    char name[MPIT_MAX_SET_NAME];
    int length = 0, type = 0, wrong = 0;
    while (MPIT_Taxon_query_set_variables(&iterator, from, name, &length, &type) == MPIT_SUCCESS) {
        MPIT_Taxonquery_iterator back = MPIT_TAXONQUERY_START;
        char set[MPIT_MAX_SET_NAME];
        bool is_there = false;
        while (MPIT_Taxon_query_variable_sets(&back, name, set, &length, &type) == MPIT_SUCCESS)
            is_there |= std::string{set} == from;
        wrong += !is_there;
    }
    return wrong;
}

} // namespace

TEST_CASE("Indices are dense and keep their names while others add variables, shown ones and hidden ones",
          "[T2011-18][T2011-28]") {
    const draft_initialized draft;
    constexpr int groups = 60, listers = 3;
    std::atomic<bool> is_over{false};
    std::atomic<int> looks{0};
    std::latch present{listers + 1};
    lister tools[listers];
    std::vector<std::thread> threads;
    for (int t = 0; t < listers; t++)
        threads.emplace_back([&, t] {
            present.arrive_and_wait();
            for (; !is_over; looks++) tools[t].list(t != 1);
            tools[t].list(t == 1);
        });
    present.arrive_and_wait();
    std::deque<mpit::dynamic> added;
    int refused = 0;
    for (int i = 0; i < groups; i++) {
        mpit::dynamic& group = added.emplace_back(("group_" + std::to_string(i)).c_str());
        for (const char* prefix : {"SHOWN_", "MPI_HIDDEN_", "ALSO_SHOWN_"})
            refused += group.control<int>((prefix + std::to_string(i)).c_str(), "") != mpit::result::success;
        refused += group.publish().code != mpit::result::success;
        wait_for_another(looks);
    }
    is_over = true;
    for (std::thread& each : threads) each.join();
    CHECK(refused == 0);
    for (const lister& each : tools) {
        CHECK(each.wrong == 0);
        CHECK(each.known == tools[0].known);
    }
    CHECK(name_of(count_now()).empty());
    CHECK(tools[0].known.back() == "ALSO_SHOWN_" + std::to_string(groups - 1));
}

TEST_CASE("Sets are iterated while they grow, and each variable lists the set in which it was found", "[TAXON-06]") {
    const draft_initialized draft;
    constexpr int rounds = 60;
    std::atomic<bool> is_over{false};
    std::atomic<int> wrong{0}, looks{0};
    std::latch present{3};
    std::vector<std::thread> threads;
    for (int t = 0; t < 2; t++)
        threads.emplace_back([&] {
            present.arrive_and_wait();
            for (; !is_over; looks++) wrong += walk_sets("walked");
        });
    present.arrive_and_wait();
    std::deque<mpit::dynamic> added;
    for (int i = 0; i < rounds; i++) {
        mpit::dynamic& group = added.emplace_back("walked");
        if (group.control<int>(("WALKED_" + std::to_string(i)).c_str(), "") != mpit::result::success) wrong++;
        if (group.publish().code != mpit::result::success) wrong++;
        wait_for_another(looks);
    }
    is_over = true;
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(walk_sets("walked") == 0);
}
