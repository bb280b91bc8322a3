// Names in the environment that set nothing: which of them are reported as misspelt, with what suggestion and how
// often.
#include "../catch.hpp"
#include "../trees.hpp"

#include <cstdlib>

namespace {

using control = mpit::control<int>;

// A tree with a control variable of each name; a name may be followed by another one for the environment.
class tree_of {
public:
    explicit tree_of(std::initializer_list<std::pair<const char*, const char*>> names)
        : root_{"misspelt"}, inner_{root_, "inner"} {
        for (const auto& [name, environment] : names) {
            named_category& in = variables_.size() % 2 == 0 ? root_ : inner_;
            control::settings chosen{};
            chosen.initial = 5;
            static_cast<mpit::environment_names&>(chosen.environment) = environment;
            variables_.emplace_back(&in, mpit::core::checked_name{name}, "", chosen);
        }
    }
    mpit::descriptor::category& root() { return root_; }
    int value(std::size_t i) const { return variables_[i].get(); }
    void set(std::size_t i, int value) { variables_[i] = value; }

private:
    named_category root_, inner_;
    std::deque<control> variables_;
};

// While it lives, the environment is these entries alone.
class entries {
public:
    explicit entries(std::vector<const char*> all) : all_{std::move(all)} {
        reports.clear();
        all_.push_back(nullptr);
        environ = const_cast<char**>(all_.data());
    }
    entries(const entries&) = delete;
    ~entries() { environ = kept_; }

private:
    std::vector<const char*> all_;
    char** kept_ = environ;
};

// The reports on a tree of three that is registered among these entries, side by side.
std::string reported(std::vector<const char*> all) {
    const entries here{std::move(all)};
    tree_of tree{{"MINI_EAGER_LIMIT", ""}, {"MINI_DEVICE", ""}, {"mini_verbosity", "MINI_VERBOSE"}};
    REQUIRE(enter(fresh_index(), tree.root()));
    std::string lines;
    for (const std::string& line : reports) lines += (lines.empty() ? "" : " | ") + line;
    return lines;
}

std::string question(const char* entry, const char* meant) {
    return std::string{entry} + " in the environment does not set any control variable; did you mean " + meant + "?";
}

} // namespace

TEST_CASE("A misspelt name is reported once, with the name that was meant") {
    CHECK(reported({"MINI_EAGER_LIMTI=5"}) == question("MINI_EAGER_LIMTI=5", "MINI_EAGER_LIMIT"));
    CHECK(reported({"MINI_EAGERLIMIT=5", "no entry", "HOME=/", "MINI_DEVISE=eth0"}) ==
          question("MINI_EAGERLIMIT=5", "MINI_EAGER_LIMIT") + " | " + question("MINI_DEVISE=eth0", "MINI_DEVICE"));
}

TEST_CASE("A name in other letters, upper or lower, is misspelt, from its first word on") {
    CHECK(reported({"MINI_eager_LIMIT=5"}) == question("MINI_eager_LIMIT=5", "MINI_EAGER_LIMIT"));
    CHECK(reported({"mini_device=5"}) == question("mini_device=5", "MINI_DEVICE"));
}

TEST_CASE("A misspelt name sets nothing, and the right spelling beside it still does") {
    const entries here{{"MINI_DEVICES=7", "MINI_DEVICE=6"}};
    tree_of tree{{"MINI_DEVICE", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(tree.value(0) == 6);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == question("MINI_DEVICES=7", "MINI_DEVICE"));
}

TEST_CASE("The environment name of a variable is suggested, not the variable's own name") {
    CHECK(reported({"MINI_VERBSOE=5"}) == question("MINI_VERBSOE=5", "MINI_VERBOSE"));
    CHECK(reported({"mini_verbositty=5"}) == "");
}

TEST_CASE("A variable's own name is reported if it has another environment name") {
    CHECK(reported({"mini_verbosity=5"}) == "mini_verbosity=5 in the environment does not set the control variable of "
                                            "this name; did you mean MINI_VERBOSE?");
    CHECK(reported({"MINI_VERBOSE=5"}) == "");
}

TEST_CASE("Names with their values swapped are each set by the other's, and none is misspelt") {
    const entries here{{"MINI_FIRST=6", "MINI_OTHER=7"}};
    tree_of tree{{"MINI_FIRST", "MINI_OTHER"}, {"MINI_OTHER", "MINI_FIRST"}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(tree.value(0) == 7);
    CHECK(tree.value(1) == 6);
    CHECK(reports.empty());
}

TEST_CASE("A name that another program may use is not reported") {
    for (const char* entry :
         {"MINI_EAGER_LIMIT_2=5", "MINI_EAGER=5", "MINI_EAGER_LIMIT2=5", "MINI_DEVICE_X=5", "MINI_UNRELATED=5",
          "MINI=5", "MINI_=5", "MAXI_DEVICE=5", "MNII_DEVICE=5", "DEVICE=5", "HOME=/", "MINIDEVICE=5", "MINI_DEVICE"}) {
        INFO(entry);
        CHECK(reported({entry}) == "");
    }
}

TEST_CASE("If names have no underscore, nothing is reported as misspelt") {
    const entries here{{"MINIDEVISE=5", "minidevice=5", "MINIDEVICE_=5", "_=5", "_DEVISE=5"}};
    tree_of tree{{"MINIDEVICE", ""}, {"_DEVICE", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(reports.empty());
}

TEST_CASE("Of several near names the nearest is suggested") {
    const entries here{{"MINI_BUFFERSIEZ=5"}};
    tree_of tree{{"MINI_BUFFER_SIZE", ""}, {"MINI_BUFFERSIZE", ""}, {"MINI_BUFFER_SIZES", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == question("MINI_BUFFERSIEZ=5", "MINI_BUFFERSIZE"));
}

TEST_CASE("Each of several first words has its misspellings") {
    const entries here{{"MINI_DEVISE=5", "OTHER_DEVISE=5", "THIRD_DEVISE=5"}};
    tree_of tree{{"MINI_DEVICE", ""}, {"OTHER_DEVICE", ""}, {"MINI_LIMIT", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(reports == std::vector{question("MINI_DEVISE=5", "MINI_DEVICE"), question("OTHER_DEVISE=5", "OTHER_DEVICE")});
}

TEST_CASE("A name that a variable of another tree has is not misspelt") {
    auto& index = fresh_index();
    const entries here{{"MINI_DEVICES=6", "MINI_LIMITS=7"}};
    tree_of first{{"MINI_DEVICES", ""}, {"first_maximum", "MINI_LIMITS"}},
        second{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(first.value(0) == 6);
    CHECK(first.value(1) == 7);
    CHECK(reports.empty());
}

TEST_CASE("A tree that is loaded later does not change the variables of earlier trees") {
    auto& index = fresh_index();
    const entries here{{"MINI_DEVICE=6"}};
    tree_of first{{"MINI_DEVICE", ""}}, second{{"MINI_LIMIT", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    first.set(0, 7);
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(first.value(0) == 7);
    CHECK(reports.empty());
}

TEST_CASE("A name that is near to names of several trees is reported for the first of them alone") {
    auto& index = fresh_index();
    const entries here{{"MINI_DEVISE=6"}};
    tree_of first{{"MINI_DEVICES", ""}}, second{{"MINI_DEVICE", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    REQUIRE(enter(index, second.root(), "second"));
    CHECK(reports == std::vector{question("MINI_DEVISE=6", "MINI_DEVICES")});
}

TEST_CASE("A library that is loaded again repeats no report, and its names stay known while it is unloaded") {
    auto& index = fresh_index();
    const entries here{{"MINI_DEVISE=6", "MINI_LIMIT=7"}};
    tree_of first{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}}, again{{"MINI_DEVICE", ""}, {"MINI_LIMIT", ""}},
        other{{"MINI_LIMITS", ""}};
    REQUIRE(enter(index, first.root(), "first"));
    CHECK(reports.size() == 1);
    mpit::registry::unregister(first.root());
    REQUIRE(enter(index, other.root(), "other"));
    REQUIRE(enter(index, again.root(), "first"));
    CHECK(again.value(1) == 7);
    CHECK(reports.size() == 1);
}

TEST_CASE("Of two entries under one wrong name the first is reported") {
    CHECK(reported({"MINI_DEVISE=6", "MINI_DEVISE=7"}) == question("MINI_DEVISE=6", "MINI_DEVICE"));
}

TEST_CASE("The report is one line of bounded length for every entry") {
    const std::string long_value = "MINI_DEVISE=" + std::string(5000, 'x');
    const std::string line = reported({long_value.c_str()});
    CHECK(line.size() < 512);
    CHECK(line.find("... in the environment") != std::string::npos);
    CHECK(reported({"MINI_DEVI\nCE=a b\n"}) == question("MINI_DEVI\\x0ACE=\"a b\\x0A\"", "MINI_DEVICE"));
}

TEST_CASE("Of many wrong names the first are reported, and the number of the others") {
    std::vector<std::string> names;
    for (char a = 'a'; a <= 'z'; a++)
        for (char b = 'a'; b <= 'z'; b++) names.push_back(std::string{"MINI_DEVI"} + a + b + "=6");
    names.push_back("MINI_DEVIZZ=7");
    std::vector<const char*> all;
    for (const std::string& each : names) all.push_back(each.c_str());
    const entries here{std::move(all)};
    tree_of tree{{"MINI_DEVIZZ", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(tree.value(0) == 7);
    REQUIRE(reports.size() == 11);
    CHECK(reports[0] == question("MINI_DEVIaa=6", "MINI_DEVIZZ"));
    CHECK(reports[10] == "666 more entries of the environment have names similar to those of control variables");
}

TEST_CASE("The time that the environment takes grows with the number of entries") {
    // Each entry is compared with the names that begin alike, and with nothing else: a walk over the others for each of
    // 200,000 entries takes minutes.
    std::vector<std::string> names;
    for (int i = 0; i < 200'000; i++) names.push_back("MINI_ENTRY_OF_SOMEBODY_ELSE_" + std::to_string(i) + "=6");
    std::vector<const char*> all;
    for (const std::string& each : names) all.push_back(each.c_str());
    const entries here{std::move(all)};
    tree_of tree{{"MINI_DEVICE", ""}};
    REQUIRE(enter(fresh_index(), tree.root()));
    CHECK(reports.empty());
}
