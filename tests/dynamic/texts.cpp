// Groups whose texts stay: records refer to the texts of the library, enumerations with equal items share them, and
// tools see what they see of copies.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>

using mpit::group_texts;
using mpit::result;
using mpit::registry::kind;

namespace {

const char limit_name[] = "DZ_LIMIT", limit_words[] = "Most messages";
const char count_name[] = "dz_count", count_words[] = "Messages so far", way_name[] = "dz_way";
const mpit::enumerator<int> ways[] = {{"ring", 0}, {"tree", 1, "binomial"}};
unsigned long sent = 5;

template <class Record = mpit::registry::record>
const Record& record_of(kind item_kind, const char* name, mpit::performance_class of_class = {}) {
    const auto* const found = mpit::registry::the_registry()->find(item_kind, mpit::core::text{name}, of_class);
    REQUIRE(found != nullptr);
    return static_cast<const Record&>(*found);
}
const void* items_of(const char* enumeration) {
    return record_of<mpit::registry::enumeration_record>(kind::enumeration, enumeration).items;
}
const void* address(const char* characters) { return characters; }

struct item_seen {
    int count = 0, value = 0;
    std::string name;
    bool operator==(const item_seen&) const = default;
};
// The last item of the enumeration of a control variable.
item_seen last_item_of(const char* variable) {
    MPI_T_enum items = MPI_T_ENUM_NULL;
    REQUIRE(MPI_T_cvar_get_info(cvar_index(variable), nullptr, nullptr, nullptr, nullptr, &items, nullptr, nullptr,
                                nullptr, nullptr) == MPI_SUCCESS);
    item_seen seen;
    char name[64];
    int room = sizeof name;
    REQUIRE(MPI_T_enum_get_info(items, &seen.count, nullptr, nullptr) == MPI_SUCCESS);
    REQUIRE(MPI_T_enum_get_item(items, seen.count - 1, &seen.value, name, &room) == MPI_SUCCESS);
    seen.name = name;
    return seen;
}

} // namespace

TEST_CASE("Texts that stay are used where they are, and tools read them after the group has ended") {
    initialized tools;
    {
        mpit::dynamic group{"dynamic_stays", "Of texts", {}, group_texts::stay};
        REQUIRE(group.control<int>(limit_name, limit_words, {.initial = 3, .items = {way_name, ways}}) ==
                result::invalid);
        REQUIRE(group.control<int>(limit_name, limit_words, {.initial = 1, .items = {way_name, ways}}) ==
                result::success);
        REQUIRE(group.computed<mpit::performance_class::counter, unsigned long>(count_name, count_words,
                                                                                {.storage = &sent}) == result::success);
        REQUIRE(group.publish().seen == 2);
        const auto& limit = record_of<mpit::registry::variable_record>(kind::control, limit_name);
        CHECK(address(limit.name.characters) == limit_name);
        CHECK(address(limit.description.characters) == limit_words);
        REQUIRE(limit.enumeration != nullptr);
        CHECK(address(limit.enumeration->name.characters) == way_name);
        CHECK(address(limit.enumeration->items[1].name.characters) == ways[1].name);
        const auto& count = record_of(kind::performance, count_name, mpit::performance_class::counter);
        CHECK(address(count.name.characters) == count_name);
        CHECK(address(count.description.characters) == count_words);
        CHECK(cvar{limit_name}.read() == 1);
    }
    char name[64], words[64];
    int room = sizeof name, more_room = sizeof words;
    REQUIRE(MPI_T_cvar_get_info(cvar_index(limit_name), name, &room, nullptr, nullptr, nullptr, words, &more_room,
                                nullptr, nullptr) == MPI_SUCCESS);
    CHECK((std::string{name} == limit_name && std::string{words} == limit_words));
}

TEST_CASE("The names of categories are copied for ever, also those of a group whose texts stay") {
    initialized tools;
    {
        char called[] = "dynamic_short", inner[] = "dynamic_short_inner";
        mpit::dynamic group{called, "", {}, group_texts::stay};
        REQUIRE(group.category(inner).control<int>("DZ_IN", "") == result::success);
        REQUIRE(group.publish().seen == 1);
        called[0] = inner[0] = 'x';
    }
    std::vector<std::string> in_its_memory; // what the group has freed
    for (std::size_t size = 16; size < 1024; size += 8) in_its_memory.emplace_back(size, 'x');
    int number = -1;
    CHECK(MPI_T_category_get_index("dynamic_short", &number) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_index("dynamic_short_inner", &number) == MPI_SUCCESS);
}

TEST_CASE("Enumerations one after the other share items whose texts stay, and have their own if a value, a text or a "
          "spelling differs") {
    initialized tools;
    const mpit::enumerator<int> again[] = {{ways[0].name, 0}, {ways[1].name, 1, ways[1].also}};
    const mpit::enumerator<int> other_value[] = {{ways[0].name, 0}, {ways[1].name, 2, ways[1].also}};
    const mpit::enumerator<int> other_text[] = {{ways[0].name, 0}, {"leaf", 1, ways[1].also}};
    const mpit::enumerator<int> no_spelling[] = {{ways[0].name, 0}, {ways[1].name, 1}};
    const mpit::enumerator<int> fewer[] = {{ways[0].name, 0}};
    mpit::dynamic group{"dynamic_shares", "", {}, group_texts::stay};
    REQUIRE(group.control<int>("DZ_A", "", {.items = {"dz_a", ways}}) == result::success);
    REQUIRE(group.control<int>("DZ_B", "", {.items = {"dz_b", again}}) == result::success);
    REQUIRE(group.control<int>("DZ_C", "", {.items = {"dz_c", other_value}}) == result::success);
    REQUIRE(group.control<int>("DZ_D", "", {.items = {"dz_d", other_text}}) == result::success);
    REQUIRE(group.control<int>("DZ_E", "", {.items = {"dz_e", ways}}) == result::success);
    REQUIRE(group.control<int>("DZ_F", "", {.items = {"dz_f", no_spelling}}) == result::success);
    REQUIRE(group.control<int>("DZ_G", "", {.items = {"dz_g", ways}}) == result::success);
    REQUIRE(group.control<int>("DZ_H", "", {.items = {"dz_h", fewer}}) == result::success);
    REQUIRE(group.publish().seen == 8);
    CHECK(items_of("dz_a") == items_of("dz_b"));
    const char* const own[] = {"dz_b", "dz_c", "dz_d", "dz_e", "dz_f", "dz_g", "dz_h"};
    for (const char* one : own)
        for (const char* other : own) CHECK((one == other) == (items_of(one) == items_of(other)));
    CHECK(last_item_of("DZ_B") == item_seen{2, 1, "tree"});
    CHECK(last_item_of("DZ_C") == item_seen{2, 2, "tree"});
    CHECK(last_item_of("DZ_D") == item_seen{2, 1, "leaf"});
    CHECK(last_item_of("DZ_F") == item_seen{2, 1, "tree"});
    CHECK(last_item_of("DZ_H") == item_seen{1, 0, "ring"});
}

TEST_CASE(
    "Enumerations with equal items share one copy of them, which no later change of the library's texts changes") {
    initialized tools;
    char name[] = "slow";
    const mpit::enumerator<int> items[] = {{"fast", 0}, {name, 1, "sluggish"}};
    mpit::dynamic group{"dynamic_copied_items"};
    REQUIRE(group.control<int>("DZ_FIRST", "", {.items = {"dz_first", items}}) == result::success);
    REQUIRE(group.control<int>("DZ_SECOND", "", {.items = {"dz_second", items}}) == result::success);
    std::memcpy(name, "idle", sizeof name);
    REQUIRE(group.control<int>("DZ_THIRD", "", {.items = {"dz_third", items}}) == result::success);
    std::memset(name, 'x', sizeof name - 1);
    REQUIRE(group.publish().seen == 3);
    CHECK(items_of("dz_first") == items_of("dz_second"));
    CHECK(items_of("dz_second") != items_of("dz_third"));
    CHECK(last_item_of("DZ_SECOND") == item_seen{2, 1, "slow"});
    CHECK(last_item_of("DZ_THIRD") == item_seen{2, 1, "idle"});
}

TEST_CASE("Items of a variable that is refused are not those of the next one") {
    initialized tools;
    const mpit::enumerator<int> slow[] = {{"slow", 0}, {"slower", 1}}, fast[] = {{"fast", 0}, {"faster", 1}};
    mpit::dynamic group{"dynamic_refused_items", "", {}, group_texts::stay};
    REQUIRE(group.control<int>("DZ_BEFORE", "", {.items = {"dz_before", ways}}) == result::success);
    REQUIRE(group.control<int>("DZ_REFUSED", "", {.initial = 7, .items = {"dz_slow", slow}}) == result::invalid);
    REQUIRE(group.control<int>("DZ_SLOW", "", {.items = {"dz_slow", slow}}) == result::success);
    REQUIRE(group.control<int>("DZ_FAST", "", {.items = {"dz_fast", fast}}) == result::success);
    REQUIRE(group.publish().seen == 3);
    CHECK(last_item_of("DZ_FAST") == item_seen{2, 1, "faster"});
    CHECK(last_item_of("DZ_SLOW") == item_seen{2, 1, "slower"});
}
