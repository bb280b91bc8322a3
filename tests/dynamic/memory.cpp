// Memory that ends while variables are described and registered at run time: wherever it ends, what is there stays, the
// answer says so, and the same calls succeed when there is memory again.
#include "../catch.hpp"
#include "../trees.hpp"

#include <mpit/dynamic.hpp>

#include <memory>
#include <new>

using mpit::performance_class;
using mpit::result;
using mpit::registry::kind;

namespace {

// A group with categories inside of each other, more variables than one piece of an array holds, and texts.
class large_group {
public:
    explicit large_group(int round) : prefix_{"round_" + std::to_string(round)} {}

    // Whether everything is there; without memory it goes on where it ended.
    bool add() {
        if (!group_.has_value()) group_.emplace(prefix_.c_str(), "A group");
        if (group_->control<int>((prefix_ + "_probe").c_str(), "", {.minimum = 1}) == result::out_of_memory) {
            group_.reset(); // the group itself found no memory
            return false;
        }
        for (; added_ < size; added_++)
            if (!add_one(added_)) return false;
        return true;
    }
    template <class... Function> mpit::dynamic_result publish(const Function&... refused) {
        return group_->publish(refused...);
    }
    result add_taken() { return group_->control<int>("TAKEN", ""); }
    const std::string& prefix() const { return prefix_; }
    static constexpr int size = 300;

private:
    struct optional_group {
        alignas(mpit::dynamic) unsigned char room[sizeof(mpit::dynamic)];
        mpit::dynamic* there = nullptr;
        ~optional_group() { reset(); }
        bool has_value() const { return there != nullptr; }
        void emplace(const char* name, const char* description) { there = new (room) mpit::dynamic{name, description}; }
        void reset() {
            if (there != nullptr) there->~dynamic();
            there = nullptr;
        }
        mpit::dynamic* operator->() { return there; }
    };

    bool add_one(int i) {
        const std::string name = prefix_ + "_" + std::to_string(i);
        const mpit::enumerator<int> items[] = {{"no", 0}, {"yes", 1}};
        const std::string inner = prefix_ + "_inner_" + std::to_string(i / 100);
        switch (i % 3) {
        case 0: return group_->control<int>(name.c_str(), text_.c_str(), {.initial = i}) == result::success;
        case 1: {
            const auto in = group_->category(inner.c_str(), "Inside");
            return in.control<int>(name.c_str(), "", {.items = {prefix_.c_str(), items}}) == result::success;
        }
        default: return group_->control<char[]>(name.c_str(), text_.c_str(), {.initial = "text"}) == result::success;
        }
    }

    std::string prefix_, text_ = std::string(200, 'd');
    optional_group group_;
    int added_ = 0;
};

int members(const mpit::registry::process_registry& in, const std::string& category) {
    const int number = in.index_of(kind::category, category.c_str());
    return number < 0 ? -1 : in.member_count(*in.category(number), kind::control);
}

bool has_only_reports_of(const std::string& begin) {
    for (const std::string& line : reports)
        if (line.find(begin) != 0) return false;
    return !reports.empty();
}

} // namespace

TEST_CASE("If an allocation fails while variables are added, those added are kept, and the rest can be added later") {
    int failures = 0;
    const auto& index = *mpit::registry::the_registry();
    for (int allowed = 0;; allowed += allowed < 20 ? 1 : 29) {
        large_group group{allowed};
        mpit::core::allocations_left.store(allowed);
        const bool sufficed = group.add();
        mpit::core::allocations_left.store(-1);
        const int before = index.count(kind::control);
        REQUIRE((sufficed || group.add()));
        const auto answer = group.publish();
        CHECK(answer.code == result::success);
        CHECK(answer.seen == large_group::size);
        CHECK(index.count(kind::control) == before + large_group::size);
        CHECK(contradictions(index) == 0);
        if (sufficed) break;
        failures++;
    }
    CHECK(failures > 20);
}

TEST_CASE(
    "If an allocation fails during a registration, the registry stays consistent, and the next one continues, reports "
    "a name in use once, or begins anew") {
    int failures = 0;
    reports.clear();
    mpit::set_report_handler(&keep_report);
    mpit::dynamic owner{"taken", "Has the name"};
    REQUIRE(owner.control<int>("TAKEN", "", {.initial = 77}) == result::success);
    REQUIRE(owner.publish().seen == 1);
    const auto& index = *mpit::registry::the_registry();
    const auto* kept = index.variable(kind::control, index.index_of(kind::control, "TAKEN"));
    for (int round = 0; round < 40; round++) {
        auto group = std::make_unique<large_group>(10'000 + round);
        REQUIRE(group->add());
        REQUIRE(group->add_taken() == result::success);
        const int before = index.count(kind::control);
        int told = 0;
        mpit::core::allocations_left.store(round % 8);
        auto answer = group->publish([&](const char*) { told++; });
        mpit::core::allocations_left.store(-1);
        CHECK(contradictions(index) == 0);
        CHECK(kept->live.load() != nullptr);
        if (answer.code == result::out_of_memory) {
            failures++;
            CHECK(answer.refused == 0);
            CHECK(told == 0);
            CHECK(answer.seen <= index.count(kind::control) - before);
            if (round >= 32) { // it ends in the middle
                group.reset();
                CHECK(contradictions(index) == 0);
                group = std::make_unique<large_group>(10'000 + round);
                REQUIRE(group->add());
                REQUIRE(group->add_taken() == result::success);
            }
            answer = group->publish([&](const char* name) { told += std::string{"TAKEN"} == name; });
        }
        CHECK(answer.code == result::invalid_name);
        CHECK(answer.refused == 1);
        CHECK(answer.seen == large_group::size);
        CHECK(told == 1);
        CHECK(contradictions(index) == 0);
        CHECK(index.count(kind::control) == before + large_group::size);
        CHECK(members(index, group->prefix()) == 200);
        CHECK(members(index, group->prefix() + "_inner_0") == 33);
        CHECK(members(index, group->prefix() + "_inner_1") == 34);
    }
    CHECK(failures > 3);
    CHECK(failures < 30);
    CHECK(has_only_reports_of("TAKEN is declared twice"));
    mpit::set_report_handler(nullptr);
}

TEST_CASE("Groups that end before they are published, or come again with the same variables, leave their memory to "
          "later ones") {
    const auto described = [](const char* name, bool is_published) {
        mpit::dynamic group{name, "A group"};
        const mpit::dynamic_category inner = group.category((std::string{name} + "_inner").c_str(), "Inside of it");
        const mpit::enumerator<int> items[] = {{"no", 0, "off"}, {"yes", 1}};
        for (int i = 0; i < 100; i++) {
            const std::string variable = std::string{name} + "_" + std::to_string(i), text(200, 'd');
            if ((i % 2 == 0 ? group : inner)
                    .control<int>(variable.c_str(), text.c_str(), {.items = {"answers", items}}) != result::success)
                return false;
        }
        return !is_published || group.publish().code == result::success;
    };
    REQUIRE(described("comes_again", true));
    REQUIRE(described("never_seen", false));
    const std::size_t before = mpit::core::bytes_in_use();
    for (int i = 0; i < 50; i++) {
        REQUIRE(described("comes_again", true));
        REQUIRE(described("never_seen", false));
    }
    CHECK(mpit::core::bytes_in_use() == before);
    const auto& index = *mpit::registry::the_registry();
    CHECK(index.index_of(kind::control, "never_seen_0") == -1);
    CHECK(index.index_of(kind::category, "never_seen") == -1);
}

TEST_CASE("What tools read of a variable stays when its group has ended and another one uses the memory") {
    const auto& index = *mpit::registry::the_registry();
    const mpit::enumerator<int> items[] = {{"early", 0}, {"late", 1, "delayed"}};
    {
        mpit::dynamic group{"ended", "A group"};
        REQUIRE(group.control<int>("ENDED", "What it was", {.items = {"ended_items", items}}) == result::success);
        REQUIRE(group.publish().code == result::success);
        REQUIRE(group.control<int>("NOT_PUBLISHED", "Never seen") == result::success);
    }
    for (int i = 0; i < 20; i++) {
        mpit::dynamic other{"other", "Another one"};
        REQUIRE(other.control<int>(("OTHER_" + std::to_string(i)).c_str(), std::string(3000, 'x').c_str()) ==
                result::success);
        if (i % 2 == 0) REQUIRE(other.publish().code == result::success);
    }
    const auto& kept = *index.variable(kind::control, index.index_of(kind::control, "ENDED"));
    CHECK(std::string{kept.name.characters} == "ENDED");
    CHECK(std::string{kept.description.characters} == "What it was");
    REQUIRE(kept.enumeration != nullptr);
    CHECK(std::string{kept.enumeration->name.characters} == "ended_items");
    CHECK(std::string{kept.enumeration->items[1].name.characters} == "late");
    CHECK(index.index_of(kind::control, "NOT_PUBLISHED") == -1);
}
