// Which value a control variable takes of all that were given to it: against a model that looks at all of them each
// time.
#include "../catch.hpp"
#include "../temporary_file.hpp"
#include "../trees.hpp"

#include <mpit/module/registrar.hpp>

#include <cstdlib>
#include <random>

namespace {

using mpit::origin;
namespace registry = mpit::registry;

struct settled_tree : mpit::category<"settled", "Takes the strongest value"> {
    mpit::control<int> number{this, "D_NUMBER", "", {.initial = {5, 0, 9}, .renamed_from = "D_FORMER"}};
    mpit::control<int> other{this, "D_OTHER", "", {.initial = 5}};
};

struct choice {
    origin from;
    bool is_former;
    int value;
    std::string place;
};

// What the variable has to have, and where from.
struct expectation {
    int value = 5;
    origin from = origin::library;
    std::string place;
};
expectation strongest(const std::vector<choice>& all, const std::vector<origin>& weakest_first) {
    expectation found;
    int best = -1;
    for (const choice& c : all) {
        const auto rank = std::find(weakest_first.begin(), weakest_first.end(), c.from) - weakest_first.begin();
        const int weight = static_cast<int>(rank) * 2 + (c.is_former ? 0 : 1);
        if (c.value < 0 || c.value > 9 || weight < best) continue;
        best = weight;
        found = {c.value, c.from, c.place};
    }
    return found;
}

} // namespace

TEST_CASE("After every step each variable has its strongest accepted value, whenever its tree was loaded") {
    std::mt19937 random{5};
    unsetenv("D_NUMBER");
    unsetenv("D_FORMER");
    for (int round = 0; round < 400; round++) {
        auto& in = fresh_index();
        settled_tree tree;
        std::vector<origin> order{origin::configuration, origin::environment, origin::command_line, origin::info};
        std::vector<choice> all;
        const unsigned arrival = static_cast<unsigned>(random() % 20), writing = static_cast<unsigned>(random() % 60);
        const bool is_announced = random() % 2 == 0;
        for (unsigned step = 0; step < 30; step++) {
            if (step == arrival && is_announced) registry::load_tree(&in, tree, "owner");
            if (step == arrival && !is_announced) REQUIRE(enter(in, tree));
            if (random() % 10 == 0) {
                std::shuffle(order.begin(), order.end(), random);
                in.settings.order.store(registry::word_of_order({order[0], order[1], order[2], order[3]}));
                in.settings.order_changes.fetch_add(1);
            } else {
                static constexpr origin sources[] = {origin::configuration, origin::command_line, origin::info};
                choice made{sources[random() % 3], random() % 3 == 0, static_cast<int>(random() % 14) - 2,
                            "place " + std::to_string(step)};
                const std::string value = std::to_string(made.value);
                REQUIRE(registry::add_setting_copy(in, made.from, made.is_former ? "D_FORMER" : "D_NUMBER",
                                                   value.c_str(), made.place.c_str()) != nullptr);
                all.push_back(made);
            }
            registry::apply_settings(in);
            if (step < arrival) {
                REQUIRE(tree.number == 5);
                continue;
            }
            const expectation wanted = strongest(all, order);
            const mpit::descriptor::provenance from{tree.number.provenance_word.load()};
            REQUIRE(tree.number == wanted.value);
            REQUIRE(from.origin() == wanted.from);
            REQUIRE((from.location() == nullptr ? "" : from.location()) == wanted.place);
            REQUIRE(tree.other == 5);
            if (step == writing) {
                tree.number = 7;
                tree.number.provenance_word.store(mpit::descriptor::provenance{origin::tool}.word());
                registry::apply_settings(in);
                REQUIRE(tree.number == 7);
                break;
            }
        }
    }
}

TEST_CASE("The files that the environment names are read once, and unreadable ones are reported") {
    const temporary_file here{"D_NUMBER = 6\nbad line\n"};
    setenv("MPIT_CONFIGURATION", (std::string{":/nonexistent:/dev/zero:"} + here.path() + ":").c_str(), 1);
    auto& in = fresh_index();
    reports.clear();
    settled_tree tree, again;
    REQUIRE(enter(in, tree));
    CHECK(tree.number == 6);
    registry::unregister(tree);
    REQUIRE(enter(in, again));
    CHECK(again.number == 6);
    unsetenv("MPIT_CONFIGURATION");
    REQUIRE(reports.size() == 3);
    CHECK(reports[0] == "/nonexistent cannot be read, which MPIT_CONFIGURATION names: No such file or directory");
    CHECK(reports[1] == "/dev/zero cannot be read, which MPIT_CONFIGURATION names: it is no regular file");
    CHECK(reports[2] == std::string{here.path()} + ":2 is not read: it is no NAME = value: bad line");
}
