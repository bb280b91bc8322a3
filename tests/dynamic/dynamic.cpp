// Variables that are described at run time: a tool sees them as declared ones, what cannot be is refused with its code
// and takes nothing else with it, and numbers come back with a later group of the same names. Texts that stay are used
// where they are: records refer to the texts of the library, enumerations with equal items share them, and tools see
// what they see of copies.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>
#include <mpit/tool.hpp>

#include <cstdlib>
#include <memory>

#include "../reports_kept.hpp"

using mpit::performance_class;
using mpit::result;

namespace {

struct facts {
    std::string name, description;
    int verbosity = -1, bind = -1, scope = -1;
    MPI_Datatype type{};
    MPI_T_enum items = MPI_T_ENUM_NULL;
    bool operator==(const facts&) const = default;
};
facts description_of(int number) {
    facts f;
    char name[256], description[512];
    int name_size = sizeof name, description_size = sizeof description;
    REQUIRE(MPI_T_cvar_get_info(number, name, &name_size, &f.verbosity, &f.type, &f.items, description,
                                &description_size, &f.bind, &f.scope) == MPI_SUCCESS);
    f.name = name;
    f.description = description;
    return f;
}
facts description_of(const char* name) { return description_of(cvar_index(name)); }

int count_of_cvars() {
    int count = -1;
    REQUIRE(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    return count;
}
int update_number() {
    int number = -1;
    REQUIRE(MPI_T_category_changed(&number) == MPI_SUCCESS);
    return number;
}
std::vector<int> cvars_of(const char* category) {
    int number = -1, count = -1;
    REQUIRE(MPI_T_category_get_index(category, &number) == MPI_SUCCESS);
    REQUIRE(MPI_T_category_get_info(number, nullptr, nullptr, nullptr, nullptr, &count, nullptr, nullptr) ==
            MPI_SUCCESS);
    std::vector<int> members(static_cast<std::size_t>(count));
    REQUIRE(MPI_T_category_get_cvars(number, count, members.data()) == MPI_SUCCESS);
    return members;
}
std::string read_text(const char* name) {
    const cvar on{name};
    std::vector<char> value(static_cast<std::size_t>(on.count), 'x');
    REQUIRE(MPI_T_cvar_read(on.handle, value.data()) == MPI_SUCCESS);
    REQUIRE(value.back() == '\0');
    return value.data();
}
int write_text(const char* name, const std::string& text) {
    const cvar on{name};
    std::vector<char> value(static_cast<std::size_t>(on.count), 'x');
    for (std::size_t i = 0; i < value.size() && i <= text.size(); i++) value[i] = i == text.size() ? '\0' : text[i];
    return MPI_T_cvar_write(on.handle, value.data());
}
void expect_dense() {
    for (int i = 0, count = count_of_cvars(); i < count; i++) CHECK(cvar_index(description_of(i).name.c_str()) == i);
}

} // namespace

TEST_CASE("A tool sees variables of every type that were described at run time as it sees declared ones") {
    initialized tools;
    const int before = count_of_cvars();
    mpit::dynamic group{"dynamic_types", "Values of all types"};
    const mpit::enumerator<int> answers[] = {{"unknown", -1}, {"no", 0}, {"yes", 1}};
    REQUIRE(group.control<int>("DT_INT", "An int", {.initial = -3, .scope = mpit::scope::constant}) == result::success);
    REQUIRE(group.control<unsigned>("DT_UNSIGNED", "", {.initial = 4000000000u}) == result::success);
    REQUIRE(group.control<unsigned long>("DT_LONG", "", {.initial = ~0ul}) == result::success);
    REQUIRE(group.control<unsigned long long>("DT_LLONG", "", {.initial = 7}) == result::success);
    REQUIRE(group.control<double>("DT_DOUBLE", "", {.initial = 2.5}) == result::success);
    REQUIRE(group.control<long>("DT_INT64", "", {.initial = -1l << 40}) == result::success);
    REQUIRE(group.control<mpit::count>("DT_COUNT", "", {.initial = 1l << 40}) == result::success);
    REQUIRE(group.control<mpit::exact<std::uint32_t>>("DT_UINT32", "", {.initial = 9u}) == result::success);
    REQUIRE(group.control<bool>("DT_BOOL", "", {.initial = true}) == result::success);
    REQUIRE(group.control<colour>("DT_ENUM", "", {.initial = colour::blue}) == result::success);
    REQUIRE(group.control<int>("DT_ITEMS", "", {.initial = 1, .items = {"dt_answer", answers}}) == result::success);
    REQUIRE(group.control<char[]>("DT_TEXT", "", {.initial = "eth0", .length = 15}) == result::success);
    CHECK(count_of_cvars() == before);

    const auto answer = group.publish();
    CHECK(answer.code == result::success);
    CHECK(answer.seen == 12);
    CHECK(answer.refused == 0);
    CHECK(count_of_cvars() == before + 12);
    expect_dense();

    CHECK(description_of(before) == facts{"DT_INT", "An int", MPI_T_VERBOSITY_USER_BASIC, MPI_T_BIND_NO_OBJECT,
                                          MPI_T_SCOPE_CONSTANT, MPI_INT, MPI_T_ENUM_NULL});
    // clang-format off
    for (const auto& [name, type, value] : {
        std::tuple{"DT_INT", MPI_INT, "-3"}, {"DT_UNSIGNED", MPI_UNSIGNED, "4000000000"},
        {"DT_LONG", MPI_UNSIGNED_LONG, "18446744073709551615"}, {"DT_LLONG", MPI_UNSIGNED_LONG_LONG, "7"},
        {"DT_DOUBLE", MPI_DOUBLE, "2.5"}, {"DT_INT64", MPI_INT64_T, "-1099511627776"},
        {"DT_COUNT", MPI_COUNT, "1099511627776"}, {"DT_UINT32", MPI_UINT32_T, "9"}, {"DT_BOOL", MPI_INT, "true"},
        {"DT_ENUM", MPI_INT, "blue"}, {"DT_TEXT", MPI_CHAR, "eth0"}}) {
        // clang-format on
        INFO(name);
        CHECK(description_of(name).type == type);
        char seen[32];
        mpit::tool::find_control(name).format_value(seen, sizeof seen);
        CHECK(std::string{seen} == value);
    }
    CHECK(cvar{"DT_INT64"}.read<long>() == -1l << 40);
    CHECK(cvar{"DT_BOOL"}.read() == 1);
    CHECK(cvar{"DT_TEXT"}.count == 16);
    CHECK(read_text("DT_TEXT") == "eth0");

    const facts items = description_of("DT_ITEMS");
    int count = 0, size = 64, value = 0;
    char name[64];
    REQUIRE(MPI_T_enum_get_info(items.items, &count, name, &size) == MPI_SUCCESS);
    CHECK(count == 3);
    CHECK(std::string{name} == "dt_answer");
    size = 64;
    REQUIRE(MPI_T_enum_get_item(items.items, 0, &value, name, &size) == MPI_SUCCESS);
    CHECK(value == -1);
    CHECK(std::string{name} == "unknown");

    const std::vector<int> members = cvars_of("dynamic_types");
    REQUIRE(members.size() == 12);
    for (int i = 0; i < 12; i++) CHECK(members[static_cast<std::size_t>(i)] == before + i);
}

TEST_CASE("A tool's write sets the kept value or calls the function, or has the exact code") {
    initialized tools;
    struct state {
        int value = 10;
        std::string text = "abc";
        mpit::reply reply = mpit::reply::accepted;
    } own;
    mpit::dynamic group{"dynamic_writes"};
    const mpit::enumerator<int> answers[] = {{"no", 0}, {"yes", 1}};
    REQUIRE(group.control<int>("DW_KEPT", "", {.initial = 1, .minimum = 0, .maximum = 9}) == result::success);
    REQUIRE(group.control<bool>("DW_BOOL", "") == result::success);
    REQUIRE(group.control<int>("DW_EVEN", "", {.valid = [](const int& v, void*) { return v % 2 == 0; }}) ==
            result::success);
    REQUIRE(group.control<int>("DW_FUNCTION", "", {.read = [](void* data) {
        return static_cast<state*>(data)->value;
    }, .on_write = [](const int& value, void* data) {
        auto& to = *static_cast<state*>(data);
        if (to.reply == mpit::reply::accepted) to.value = 2 * value;
        return to.reply;
    }, .data = &own}) == result::success);
    REQUIRE(group.control<int>("DW_FUNCTION_ITEMS", "",
                               {.read = [](void*) { return 0; }, .on_write = [](const int&, void*) {
        return mpit::reply::accepted;
    }, .items = {"dw_answer", answers}}) == result::success);
    REQUIRE(group.control<char[]>("DW_TEXT", "", {.initial = "one", .length = 7}) == result::success);
    REQUIRE(group.control<char[]>("DW_FUNCTION_TEXT", "",
                                  {.length = 15, .read = [](char* to, std::size_t room, void* data) {
        std::strncpy(to, static_cast<state*>(data)->text.c_str(), room);
    }, .on_write = [](const char* value, void* data) {
        auto& to = *static_cast<state*>(data);
        if (to.reply == mpit::reply::accepted) to.text = value;
        return to.reply;
    }, .data = &own}) == result::success);
    REQUIRE(group.publish().code == result::success);

    const cvar kept{"DW_KEPT"}, even{"DW_EVEN"}, function{"DW_FUNCTION"};
    CHECK(kept.write(9) == MPI_SUCCESS);
    CHECK(kept.write(10) == MPI_T_ERR_INVALID);
    CHECK(kept.write(-1) == MPI_T_ERR_INVALID);
    CHECK(kept.read() == 9);
    CHECK(cvar{"DW_BOOL"}.write(1) == MPI_SUCCESS);
    CHECK(cvar{"DW_BOOL"}.write(2) == MPI_T_ERR_INVALID);
    CHECK(cvar{"DW_BOOL"}.read() == 1);
    CHECK(cvar{"DW_FUNCTION_ITEMS"}.write(1) == MPI_SUCCESS);
    CHECK(cvar{"DW_FUNCTION_ITEMS"}.write(2) == MPI_T_ERR_INVALID);
    CHECK(even.write(3) == MPI_T_ERR_INVALID);
    CHECK(even.write(4) == MPI_SUCCESS);

    CHECK(function.read() == 10);
    CHECK(function.write(20) == MPI_SUCCESS);
    CHECK(function.read() == 40);
    CHECK(write_text("DW_FUNCTION_TEXT", "other") == MPI_SUCCESS);
    CHECK(own.text == "other");
    own.reply = mpit::reply::not_now;
    CHECK(function.write(1) == MPI_T_ERR_CVAR_SET_NOT_NOW);
    own.reply = mpit::reply::never;
    CHECK(function.write(1) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(write_text("DW_FUNCTION_TEXT", "again") == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(function.read() == 40);
    CHECK(read_text("DW_FUNCTION_TEXT") == "other");
    own.text = "much longer than fifteen";
    CHECK(read_text("DW_FUNCTION_TEXT") == "much longer tha");

    CHECK(write_text("DW_TEXT", "seven77") == MPI_SUCCESS);
    CHECK(read_text("DW_TEXT") == "seven77");
    CHECK(write_text("DW_TEXT", "eight888") == MPI_T_ERR_INVALID);
    CHECK(write_text("DW_TEXT", "") == MPI_SUCCESS);
    CHECK(read_text("DW_TEXT").empty());
}

TEST_CASE(
    "Names that no tool could use and settings that contradict each other are refused, and nothing else is lost") {
    initialized tools;
    const int before = count_of_cvars();
    int storage = 0;
    mpit::dynamic group{"dynamic_refused"};
    const auto control = [&](const char* name) { return group.control<int>(name, "", {}); };
    REQUIRE(control("DR_FIRST") == result::success);
    const std::string longest(255, 'n'), longer(256, 'n'), text(16, 't');
    for (const char* name : {"", "DR BLANK", "DR_\xc3\xa4", "DR_\n", "DR_\x7f", longer.c_str()})
        CHECK(control(name) == result::invalid_name);
    CHECK(control(nullptr) == result::invalid_name);
    CHECK(group.control<char[]>("", "") == result::invalid_name);
    CHECK(group.computed<performance_class::level, unsigned>("", "", {.value = [](void*) { return 1u; }}) ==
          result::invalid_name);
    CHECK(control(longest.c_str()) == result::success);

    CHECK(group.control<int>("DR", "", {.initial = 5, .minimum = 6}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.minimum = 2, .maximum = 1, .storage = &storage}) == result::invalid);
    CHECK(group.control<double>("DR", "", {.initial = __builtin_nan("")}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.storage = &storage, .read = [](void*) { return 1; }}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.read = [](void*) { return 1; }}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.scope = mpit::scope::all}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.scope = static_cast<mpit::scope>(7)}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.verbosity = static_cast<mpit::verbosity>(9)}) == result::invalid);
    const mpit::enumerator<int> twice[] = {{"a", 1}, {"b", 1}}, same[] = {{"a", 1}, {"a", 2}}, good[] = {{"a", 1}};
    CHECK(group.control<int>("DR", "", {.initial = 1, .items = {"dr", twice}}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.initial = 1, .items = {"dr", same}}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.initial = 2, .items = {"dr", good}}) == result::invalid);
    CHECK(group.control<int>("DR", "", {.initial = 1, .items = {nullptr, good}}) == result::invalid);
    int none_of_them = 2, none_of_colours = 77;
    CHECK(group.control<int>("DR", "", {.storage = &none_of_them, .items = {"dr", good}}) == result::invalid);
    CHECK(group.control<colour, int>("DR", "", {.storage = &none_of_colours}) == result::invalid);
    CHECK(group.control<unsigned>("DR", "", {.initial = 1, .items = {"dr", good}}) == result::invalid);
    CHECK(group.control<colour>("DR", "", {.initial = static_cast<colour>(77)}) == result::invalid);
    CHECK(group.control<char[]>("DR", "", {.initial = text.c_str(), .length = 15}) == result::invalid);
    CHECK(group.control<char[]>("DR", "", {.read = [](char*, std::size_t, void*) {}, .scope = mpit::scope::constant}) ==
          result::invalid);
    CHECK(group.control<char[]>("DR", "", {.length = ~0u}) == result::invalid);
    CHECK(group.computed<performance_class::level, unsigned>("dr", "", {}) == result::invalid);
    CHECK(group.computed<performance_class::level, unsigned>(
              "dr", "", {.value = [](void*) { return 1u; }, .readonly = true, .atomic = true}) == result::invalid);
    const auto nowhere = group.category("no name");
    CHECK(nowhere.control<int>("DR_NOWHERE", "") == result::invalid_name);
    CHECK(nowhere.category("dynamic_inner").control<int>("DR_NOWHERE", "") == result::invalid_name);

    const auto answer = group.publish();
    CHECK(answer.code == result::success);
    CHECK(answer.seen == 2);
    CHECK(count_of_cvars() == before + 2);
    CHECK(cvars_of("dynamic_refused") == std::vector<int>{before, before + 1});

    mpit::dynamic nameless{"two words"};
    CHECK(nameless.control<int>("DR_NAMELESS", "") == result::invalid_name);
    CHECK(nameless.publish().code == result::invalid_name);
    CHECK(mpit::dynamic{nullptr}.publish().code == result::invalid_name);
}

TEST_CASE("A null description is empty, and a text without a length gets space for changes") {
    initialized tools;
    const std::string long_text(100, 'l');
    mpit::dynamic group{"dynamic_texts", nullptr};
    REQUIRE(group.control<char[]>("DX_NULL", nullptr, {.initial = nullptr}) == result::success);
    REQUIRE(group.control<char[]>("DX_LONG", "", {.initial = long_text.c_str(), .scope = mpit::scope::constant}) ==
            result::success);
    REQUIRE(group.publish().code == result::success);
    CHECK(description_of("DX_NULL").description.empty());
    CHECK(read_text("DX_NULL").empty());
    CHECK(cvar{"DX_NULL"}.count == 64);
    CHECK(cvar{"DX_LONG"}.count == 128);
    CHECK(read_text("DX_LONG") == long_text);
    CHECK(write_text("DX_LONG", "x") == MPI_T_ERR_CVAR_SET_NEVER);
}

TEST_CASE("A name in use is reported and counted, the first stays, and all others are published") {
    initialized tools;
    const reports_kept kept;
    const int before = count_of_cvars(), declared = cvar{"C_INT"}.read();
    mpit::dynamic group{"dynamic_clash"}, other{"dynamic_clash_too"};
    REQUIRE(group.control<int>("DC_FIRST", "", {.initial = 1}) == result::success);
    REQUIRE(group.control<int>("C_INT", "", {.initial = declared + 1}) == result::success);
    REQUIRE(group.control<int>("DC_TWICE", "", {.initial = 2}) == result::success);
    REQUIRE(group.control<double>("DC_TWICE", "", {.initial = 3}) == result::success);
    REQUIRE(group.control<int>("DC_LAST", "", {.initial = 4}) == result::success);
    std::vector<std::string> refused;
    const auto answer = group.publish([&](const char* name) { refused.emplace_back(name); });
    CHECK(answer.code == result::invalid_name);
    CHECK(answer.seen == 3);
    CHECK(answer.refused == 2);
    CHECK(refused == std::vector<std::string>{"C_INT", "DC_TWICE"});
    REQUIRE(reports.size() == 2);
    CHECK(reports[1].find("C_INT is declared twice: tools use the declaration of everything") == 0);
    CHECK(reports[1].find("not that of dynamic_clash in the program") != std::string::npos);
    CHECK(cvar{"C_INT"}.read() == declared);
    CHECK(cvar{"DC_TWICE"}.read() == 2);

    REQUIRE(other.control<int>("DC_LAST", "", {.initial = 5}) == result::success);
    CHECK(other.publish().refused == 1);
    CHECK(cvar{"DC_LAST"}.read() == 4);
    CHECK(count_of_cvars() == before + 3);
    CHECK(cvars_of("dynamic_clash") == std::vector<int>{before, before + 1, before + 2});
    expect_dense();
}

TEST_CASE("Variables that are added later are visible after the next publication, and categories are nested") {
    initialized tools;
    mpit::dynamic group{"dynamic_rounds", "Rounds"};
    const auto inner = group.category("dynamic_inner", "Inside");
    REQUIRE(group.control<int>("DO_FIRST", "") == result::success);
    REQUIRE(inner.control<int>("DO_INNER", "") == result::success);
    REQUIRE(group.publish().seen == 2);
    const int first = cvar_index("DO_FIRST"), inside = cvar_index("DO_INNER"), updates = update_number();
    CHECK(cvars_of("dynamic_rounds") == std::vector<int>{first});
    CHECK(cvars_of("dynamic_inner") == std::vector<int>{inside});
    int number = -1, child = -1, count = -1;
    REQUIRE(MPI_T_category_get_index("dynamic_rounds", &number) == MPI_SUCCESS);
    REQUIRE(MPI_T_category_get_info(number, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &count) ==
            MPI_SUCCESS);
    CHECK(count == 1);
    REQUIRE(MPI_T_category_get_categories(number, 1, &child) == MPI_SUCCESS);
    char name[64], description[64];
    int name_size = 64, description_size = 64;
    REQUIRE(MPI_T_category_get_info(child, name, &name_size, description, &description_size, nullptr, nullptr,
                                    nullptr) == MPI_SUCCESS);
    CHECK(std::string{name} == "dynamic_inner");
    CHECK(std::string{description} == "Inside");

    CHECK(group.publish().seen == 0);
    CHECK(update_number() == updates);
    const cvar still_good{"DO_FIRST"};
    REQUIRE(inner.control<int>("DO_LATER", "") == result::success);
    REQUIRE(inner.category("dynamic_innermost").control<int>("DO_INNERMOST", "") == result::success);
    CHECK(count_of_cvars() == inside + 1);
    CHECK(group.publish().seen == 2);
    CHECK(update_number() > updates);
    CHECK(cvars_of("dynamic_inner") == std::vector<int>{inside, cvar_index("DO_LATER")});
    CHECK(cvars_of("dynamic_innermost") == std::vector<int>{cvar_index("DO_INNERMOST")});
    CHECK(still_good.read() == 0);
    expect_dense();
}

TEST_CASE("The end of a group unregisters its variables, and a later group reuses their indices") {
    initialized tools;
    const session in;
    const reports_kept kept;
    unsigned long counted = 3;
    int number = -1, count = -1;
    facts known;
    MPI_T_cvar_handle old_handle = MPI_T_CVAR_HANDLE_NULL, none = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_pvar_handle old_counter = MPI_T_PVAR_HANDLE_NULL;
    {
        mpit::dynamic group{"dynamic_life", "Comes and goes"};
        REQUIRE(group.control<int>("DL_INT", "A number", {.initial = 1}) == result::success);
        REQUIRE(group.control<char[]>("DL_TEXT", "", {.initial = "one", .scope = mpit::scope::local}) ==
                result::success);
        REQUIRE(group.computed<performance_class::counter, unsigned long>("dl_counter", "", {.storage = &counted}) ==
                result::success);
        REQUIRE(group.publish().seen == 3);
        number = cvar_index("DL_INT");
        known = description_of(number);
        REQUIRE(MPI_T_cvar_handle_alloc(number, nullptr, &old_handle, &count) == MPI_SUCCESS);
        REQUIRE(MPI_T_pvar_handle_alloc(in.handle, pvar_index("dl_counter", MPI_T_PVAR_CLASS_COUNTER), nullptr,
                                        &old_counter, &count) == MPI_SUCCESS);
    }
    int value = 0;
    unsigned long sum = 0;
    CHECK(MPI_T_cvar_read(old_handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_read(in.handle, old_counter, &sum) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_cvar_handle_alloc(number, nullptr, &none, &count) == MPI_T_ERR_INVALID_INDEX);
    CHECK(description_of(number) == known);
    CHECK(cvar_index("DL_INT") == number);

    const int cvars = count_of_cvars();
    mpit::dynamic again{"dynamic_life", "Comes and goes"};
    REQUIRE(again.control<char[]>("DL_TEXT", "", {.initial = "two"}) == result::success);
    REQUIRE(again.control<int>("DL_INT", "", {.initial = 2}) == result::success);
    CHECK(again.publish().seen == 2);
    CHECK(reports.empty());
    CHECK(cvar_index("DL_INT") == number);
    CHECK(count_of_cvars() == cvars);
    CHECK(cvar{"DL_INT"}.read() == 2);
    CHECK(read_text("DL_TEXT") == "two");
    CHECK(write_text("DL_TEXT", "no") == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(old_handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(cvars_of("dynamic_life").size() == 2);
    CHECK(MPI_T_cvar_handle_free(&old_handle) == MPI_SUCCESS);
}

TEST_CASE(
    "A name added again with another type, as a constant or with another enumeration is refused with the reason") {
    initialized tools;
    const reports_kept kept;
    const mpit::enumerator<int> signals[] = {{"red", 0}, {"green", 1}}, turned[] = {{"green", 0}, {"red", 1}};
    {
        mpit::dynamic group{"dynamic_otherwise"};
        REQUIRE(group.control<int>("DO_NUMBER", "") == result::success);
        REQUIRE(group.control<int>("DO_ITEM", "", {.items = {"signal", signals}}) == result::success);
        REQUIRE(group.control<int>("DO_RETYPED", "") == result::success);
        REQUIRE(group.publish().seen == 3);
    }
    mpit::dynamic group{"dynamic_otherwise"};
    REQUIRE(group.control<int>("DO_NUMBER", "", {.scope = mpit::scope::constant}) == result::success);
    REQUIRE(group.control<int>("DO_ITEM", "", {.items = {"signal", turned}}) == result::success);
    REQUIRE(group.control<double>("DO_RETYPED", "") == result::success);
    const auto answer = group.publish();
    CHECK(answer.code == result::invalid_name);
    CHECK(answer.refused == 3);
    REQUIRE(reports.size() == 3);
    CHECK(reports[2].find("DO_RETYPED is declared twice") == 0);
    CHECK(description_of("DO_RETYPED").type == MPI_INT);
    CHECK(reports[0].find("DO_NUMBER is declared twice") == 0);
    CHECK(reports[0].find("which has a different scope") != std::string::npos);
    CHECK(reports[1].find("which has a different enumeration") != std::string::npos);
    CHECK(description_of("DO_NUMBER").scope == MPI_T_SCOPE_LOCAL);
    MPI_T_cvar_handle none = MPI_T_CVAR_HANDLE_NULL;
    int count = -1;
    for (const char* hidden : {"DO_ITEM", "DO_RETYPED"})
        CHECK(MPI_T_cvar_handle_alloc(cvar_index(hidden), nullptr, &none, &count) == MPI_T_ERR_INVALID_INDEX);
}

TEST_CASE("The environment sets variables with an .environment, and names of others are not reported as misspelt") {
    initialized tools;
    const reports_kept kept;
    for (const char* entry :
         {"DE_TAKEN=12", "DE_OTHER_NAME=13", "DE_SILENT=14", "DE_WRONG=15x", "DE_TEXT=abc", "DE_BOOL=2"})
        putenv(const_cast<char*>(entry));
    struct {
        int told = 0;
    } own;
    mpit::dynamic group{"dynamic_environment"};
    REQUIRE(group.control<int>("DE_TAKEN", "", {.environment = "DE_TAKEN"}) == result::success);
    REQUIRE(group.control<int>("DE_RENAMED", "", {.read = [](void* data) {
        return static_cast<decltype(own)*>(data)->told;
    }, .on_write = [](const int& value, void* data) {
        static_cast<decltype(own)*>(data)->told = value;
        return mpit::reply::accepted;
    }, .data = &own, .environment = "DE_OTHER_NAME"}) == result::success);
    REQUIRE(group.control<int>("DE_SILENT", "", {.initial = 1}) == result::success);
    REQUIRE(group.control<int>("DE_WRONG", "", {.initial = 2, .environment = "DE_WRONG"}) == result::success);
    REQUIRE(group.control<bool>("DE_BOOL", "", {.environment = "DE_BOOL"}) == result::success);
    REQUIRE(group.control<char[]>("DE_TEXT", "", {.length = 5, .environment = "DE_TEXT"}) == result::success);
    REQUIRE(group.publish().code == result::success);
    CHECK(cvar{"DE_TAKEN"}.read() == 12);
    CHECK(own.told == 13);
    CHECK(cvar{"DE_SILENT"}.read() == 1);
    CHECK(cvar{"DE_WRONG"}.read() == 2);
    CHECK(cvar{"DE_BOOL"}.read() == 0);
    CHECK(read_text("DE_TEXT") == "abc");
    REQUIRE(reports.size() == 2);
    const std::string told = reports[0] + reports[1];
    CHECK(
        told.find(
            "DE_WRONG=15x in the environment is not accepted: expected a whole number; the control variable keeps 2") !=
        std::string::npos);
    CHECK(told.find("DE_BOOL=2 in the environment is not accepted: expected one of false, true; the control variable "
                    "keeps false") != std::string::npos);
}

TEST_CASE("Items that are known at run time have other spellings, switches have items, and numbers may count bytes") {
    initialized tools;
    const reports_kept kept;
    for (const char* entry : {"DS_SWITCH=On", "DS_ITEMS=RDV", "DS_SIZE=2Mi", "DS_NUMBER=2M"})
        putenv(const_cast<char*>(entry));
    mpit::dynamic group{"dynamic_spellings"};
    {
        char spellings[] = "rndv, rdv";
        const mpit::enumerator<int> ways[] = {{"eager", 0}, {"rendezvous", 7, spellings}};
        REQUIRE(group.control<int>("DS_ITEMS", "", {.items = {"ds_way", ways}, .environment = "DS_ITEMS"}) ==
                result::success);
        std::memset(spellings, 'x', sizeof spellings - 1);
    }
    REQUIRE(group.control<bool>("DS_SWITCH", "", {.environment = "DS_SWITCH"}) == result::success);
    REQUIRE(group.control<long>("DS_SIZE", "", {.unit = mpit::unit::bytes, .environment = "DS_SIZE"}) ==
            result::success);
    REQUIRE(group.control<long>("DS_NUMBER", "", {.initial = 5, .environment = "DS_NUMBER"}) == result::success);
    REQUIRE(group.publish().code == result::success);
    CHECK(cvar{"DS_SWITCH"}.read() == 1);
    CHECK(description_of("DS_SWITCH").items == description_of("DT_BOOL").items);
    CHECK(cvar{"DS_ITEMS"}.read() == 7);
    CHECK(cvar{"DS_SIZE"}.read<long>() == 2097152);
    CHECK(cvar{"DS_NUMBER"}.read<long>() == 5);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] ==
          "DS_NUMBER=2M in the environment is not accepted: expected a whole number; the control variable keeps 5");
}

TEST_CASE("An array of numbers is taken from the environment whole, and has elements and a range") {
    static int ports[2] = {1024, 2048};
    static unsigned long sizes[3] = {1, 2, 3};
    setenv("DA_SIZES", "1k, 2k, 3k", 1);
    initialized tools;
    mpit::dynamic group{"dynamic_arrays", ""};
    REQUIRE(group.control<unsigned long[]>(
                "DA_SIZES", "", {.storage = sizes, .count = 3, .unit = mpit::unit::bytes, .environment = "DA_SIZES"}) ==
            result::success);
    CHECK(group.control<int[]>("DA_NOTHING", "", {.storage = ports}) == result::invalid);
    CHECK(group.control<int[]>("DA_UPSIDE_DOWN", "", {.storage = ports, .count = 2, .minimum = 2, .maximum = 1}) ==
          result::invalid);
    REQUIRE(group.publish().seen == 1);
    unsetenv("DA_SIZES");
    CHECK((sizes[0] == 1024 && sizes[1] == 2048 && sizes[2] == 3072));
}

namespace {

enum class gear { idle, first };
constexpr auto enumeration_of(gear) {
    return mpit::enumerators<gear>("dynamic_gear", {{"idle", gear::idle}, {"first", gear::first}});
}

} // namespace

namespace {

enum class direction { back = -1, none = 0, forth = 1 };
constexpr auto enumeration_of(direction) {
    return mpit::enumerators<direction>(
        "dynamic_direction", {{"back", direction::back}, {"none", direction::none}, {"forth", direction::forth}});
}
// Beside the storage nothing is written.
template <class Storage> void expect_directions(const char* name) {
    initialized tools;
    Storage stored[3] = {7, static_cast<Storage>(-1), 7};
    mpit::dynamic group{"dynamic_sizes", ""};
    REQUIRE(group.control<direction, Storage>(name, "", {.storage = &stored[1]}) == result::success);
    REQUIRE(group.publish().seen == 1);
    const cvar on{name};
    CHECK(on.read() == -1);
    for (const int item : {0, 1, -1}) {
        REQUIRE(on.write(item) == MPI_SUCCESS);
        CHECK(stored[1] == static_cast<Storage>(item));
        CHECK(on.read() == item);
    }
    CHECK(on.write(2) == MPI_T_ERR_INVALID);
    CHECK(stored[0] == 7);
    CHECK(stored[2] == 7);
}
template <class T> void expect_ends(const char* name, T lowest, T highest) {
    initialized tools;
    T stored[3] = {1, 2, 3};
    mpit::dynamic group{"dynamic_ends", ""};
    REQUIRE(group.control<T>(name, "", {.storage = &stored[1]}) == result::success);
    REQUIRE(group.control<T[]>((std::string{name} + "_LIST").c_str(), "", {.storage = stored, .count = 3}) ==
            result::success);
    REQUIRE(group.publish().seen == 2);
    const cvar one{name}, several{(std::string{name} + "_LIST").c_str()};
    for (const T number : {lowest, highest}) {
        REQUIRE(one.write(number) == MPI_SUCCESS);
        CHECK(stored[1] == number);
        CHECK(one.read<T>() == number);
        const T reversed[] = {number, static_cast<T>(5), number};
        REQUIRE(MPI_T_cvar_write(several.handle, reversed) == MPI_SUCCESS);
        T seen[3]{};
        REQUIRE(MPI_T_cvar_read(several.handle, seen) == MPI_SUCCESS);
        CHECK(std::vector<T>(seen, seen + 3) == std::vector<T>(reversed, reversed + 3));
        CHECK(std::vector<T>(stored, stored + 3) == std::vector<T>(reversed, reversed + 3));
    }
}

} // namespace

TEST_CASE(
    "An enumeration in storage of any size and sign has negative items, and numbers have both ends of their type") {
    expect_directions<signed char>("DS_SIGNED_CHAR");
    expect_directions<short>("DS_SHORT");
    expect_directions<int>("DS_INT");
    expect_directions<long>("DS_LONG");
    expect_ends<int>("DS_INT_ENDS", INT32_MIN, INT32_MAX);
    expect_ends<unsigned>("DS_UNSIGNED_ENDS", 0, UINT32_MAX);
    expect_ends<long>("DS_LONG_ENDS", INT64_MIN, INT64_MAX);
    expect_ends<unsigned long long>("DS_UNSIGNED_LONG_LONG_ENDS", 0, UINT64_MAX);
    expect_ends<double>("DS_DOUBLE_ENDS", -__DBL_MAX__, __DBL_MAX__);
}

TEST_CASE("What is not a number is no value of a double or of a list of doubles that is described at run time") {
    initialized tools;
    double stored[] = {1, 2};
    mpit::dynamic group{"dynamic_nan", ""};
    REQUIRE(group.control<double>("DN_ONE", "", {.storage = &stored[0]}) == result::success);
    REQUIRE(group.control<double[]>("DN_LIST", "", {.storage = stored, .count = 2}) == result::success);
    REQUIRE(group.publish().seen == 2);
    const double none = __builtin_nan(""), numbers[] = {3, none};
    CHECK(cvar{"DN_ONE"}.write(none) == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(cvar{"DN_LIST"}.handle, numbers) == MPI_T_ERR_INVALID);
    CHECK(stored[0] == 1);
    CHECK(stored[1] == 2);
}

TEST_CASE("Functions, numbers in storage and cells of the library are performance variables, also when their group "
          "comes again") {
    static mpit::counter_cell sent, bytes;
    static mpit::timer_cell waiting;
    static mpit::real_cell energy, waited;
    static mpit::level_cell<unsigned> queued;
    static mpit::level_cell<double> filled;
    static mpit::state_cell<gear> now;
    static mpit::state_cell<int> plain{5};
    static unsigned long counted = 10;
    static double load = 0.25;
    const mpit::enumerator<int> items[] = {{"zero", 0}, {"one", 1}};
    const initialized tools;
    for (unsigned long round = 1; round <= 2; round++) {
        mpit::dynamic group{"dynamic_performance"};
        queued = 3u, plain = 5;
        ++sent; // before it is registered
        REQUIRE(group.computed<performance_class::counter, unsigned long>("dp_counted", "", {.storage = &counted}) ==
                result::success);
        REQUIRE(group.computed<performance_class::percentage, double>(
                    "dp_load", "Load",
                    {.value = [](void* data) { return *static_cast<double*>(data); },
                     .data = &load,
                     .verbosity = mpit::verbosity::tuner_all,
                     .readonly = true,
                     .continuous = true}) == result::success);
        REQUIRE(group.counter<unsigned long>("dp_sent", "", {.cell = &sent}) == result::success);
        REQUIRE(group.aggregate("dp_bytes", "", {.cell = &bytes}) == result::success);
        REQUIRE(group.aggregate<double>("dp_energy", "", {.cell = &energy}) == result::success);
        REQUIRE(group.timer("dp_waiting", "Seconds", {.cell = &waiting, .continuous = true}) == result::success);
        REQUIRE(group.seconds("dp_waited", "Seconds", {.cell = &waited, .continuous = true}) == result::success);
        REQUIRE(group.level<unsigned>("dp_queued", "", {.cell = &queued}) == result::success);
        REQUIRE(group.size<unsigned>("dp_size", "", {.cell = &queued}) == result::success);
        REQUIRE(group.high_watermark<unsigned>("dp_most", "", {.cell = &queued}) == result::success);
        REQUIRE(group.low_watermark<unsigned>("dp_least", "", {.cell = &queued}) == result::success);
        REQUIRE(group.percentage("dp_filled", "", {.cell = &filled}) == result::success);
        REQUIRE(group.state<gear>("dp_gear", "", {.cell = &now}) == result::success);
        CHECK(group.timer("dp_nothing", "Seconds", {}) == result::invalid);
        CHECK(group.seconds("dp_nothing", "Seconds", {}) == result::invalid);
        CHECK(group.level<unsigned>("dp_nothing", "", {}) == result::invalid);
        CHECK(group.state("dp_outside", "", {.cell = &plain, .items = {"dynamic_plain", items}}) == result::invalid);
        CHECK(group.state("dp_no_items", "", {.cell = &plain}) == result::invalid);
        CHECK(group.state<gear>("dp_two_lists", "", {.cell = &now, .items = {"dynamic_plain", items}}) ==
              result::invalid);
        plain = 1;
        REQUIRE(group.state("dp_plain", "", {.cell = &plain, .items = {"dynamic_plain", items}}) == result::success);
        REQUIRE(group.publish().seen == 14);
        const session s;
        const auto on = [&s](const char* name, int of_class) { return std::make_unique<pvar>(s, name, of_class); };
        const auto number = on("dp_counted", MPI_T_PVAR_CLASS_COUNTER),
                   part = on("dp_load", MPI_T_PVAR_CLASS_PERCENTAGE), of_sent = on("dp_sent", MPI_T_PVAR_CLASS_COUNTER),
                   of_bytes = on("dp_bytes", MPI_T_PVAR_CLASS_AGGREGATE),
                   of_energy = on("dp_energy", MPI_T_PVAR_CLASS_AGGREGATE),
                   of_timer = on("dp_waiting", MPI_T_PVAR_CLASS_TIMER),
                   of_time = on("dp_waited", MPI_T_PVAR_CLASS_TIMER), level = on("dp_queued", MPI_T_PVAR_CLASS_LEVEL),
                   most = on("dp_most", MPI_T_PVAR_CLASS_HIGHWATERMARK),
                   least = on("dp_least", MPI_T_PVAR_CLASS_LOWWATERMARK),
                   of_filled = on("dp_filled", MPI_T_PVAR_CLASS_PERCENTAGE),
                   of_gear = on("dp_gear", MPI_T_PVAR_CLASS_STATE), of_plain = on("dp_plain", MPI_T_PVAR_CLASS_STATE);
        energy += 2.0; // before the start
        REQUIRE(MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
        counted += 5, ++sent, bytes += 100, energy += 0.25, energy += 0.5, waiting.add(1'500'000'000), waited += 1.5;
        queued += 4, queued -= 6, filled = 0.25, now = gear::first;
        CHECK(number->read<unsigned long>() == 5);
        CHECK(part->read<double>() == 0.25);
        CHECK(part->start() == MPI_T_ERR_PVAR_NO_STARTSTOP);
        CHECK(part->reset() == MPI_T_ERR_PVAR_NO_WRITE);
        CHECK(of_sent->read<unsigned long>() == 1);
        CHECK(sent.get() == 2 * round);
        CHECK(of_bytes->read() == 100);
        CHECK(of_energy->read<double>() == 0.75);
        CHECK(of_timer->read<double>() == 1.5);
        CHECK(of_time->read<double>() == 1.5);
        CHECK(most->read<unsigned>() == 7);
        CHECK(least->read<unsigned>() == 1);
        CHECK(level->read<unsigned>() == 1);
        CHECK(of_filled->read<double>() == 0.25);
        CHECK(of_gear->read<int>() == 1);
        CHECK(of_plain->read<int>() == 1);
        plain = 0, now = gear::idle;
        CHECK(of_plain->read<int>() == 0);
        REQUIRE(number->stop() == MPI_SUCCESS);
        counted += 5;
        CHECK(number->read<unsigned long>() == 5);
        int verbosity = 0, in_class = 0, readonly = 0, continuous = 0, atomic = 1;
        MPI_Datatype type{};
        REQUIRE(MPI_T_pvar_get_info(pvar_index("dp_load", MPI_T_PVAR_CLASS_PERCENTAGE), nullptr, nullptr, &verbosity,
                                    &in_class, &type, nullptr, nullptr, nullptr, nullptr, &readonly, &continuous,
                                    &atomic) == MPI_SUCCESS);
        CHECK((verbosity == MPI_T_VERBOSITY_TUNER_ALL && type == MPI_DOUBLE));
        CHECK((readonly == 1 && continuous == 1 && atomic == 0));
    }
}

TEST_CASE("The elements of an array have the labels of a list or a function, those of an object its own") {
    static unsigned long own[3];
    const auto label = [](std::uint64_t handle, std::uint32_t element, char* text, std::size_t room, void* data) {
        std::snprintf(text, room, "%s%llu, %u", static_cast<const char*>(data), static_cast<unsigned long long>(handle),
                      element);
    };
    const auto value = [](std::uint64_t, std::uint32_t element, void*) { return element + 0ul; };
    static char peer[] = "peer ";
    static std::uint32_t further = 0;
    const std::string longer(57, 'h');
    const initialized tools;
    mpit::dynamic group{"dynamic_labels", ""};
    constexpr auto counter = performance_class::counter;
    REQUIRE(group.computed<counter, unsigned long>("dl_list", "", {.storage = own, .count = 3, .labels = "eth0,,lo"}) ==
            result::success);
    REQUIRE(group.computed<counter, unsigned long>(
                "dl_function", "", {.data = peer, .storage = own, .count = 2, .label = label}) == result::success);
    REQUIRE(group.computed<counter, unsigned long>(
                "dl_bound", "",
                {.value_at = value,
                 .data = peer,
                 .label = label,
                 .bound = {mpit::binding::communicator, 8, [](std::uint64_t handle, void*) {
        return static_cast<std::uint32_t>(handle % 10) + further;
    }}}) == result::success);
    const auto refused = [&](const char* name, const mpit::dynamic_computed_settings<unsigned long>& settings) {
        return group.computed<counter, unsigned long>(name, "", settings) == result::invalid;
    };
    CHECK(refused("dl_few", {.storage = own, .count = 3, .labels = "eth0,lo"}));
    CHECK(refused("dl_both", {.storage = own, .count = 1, .labels = "eth0", .label = label}));
    CHECK(refused("dl_empty", {.storage = own, .count = 1, .labels = ""}));
    CHECK(refused(longer.c_str(), {.storage = own, .count = 1, .labels = "eth0"}));
    const auto published = group.publish();
    CHECK((published.seen == 6 && published.refused == 0));

    const auto labels_of = [](const cvar& labels) {
        std::string text(static_cast<std::size_t>(labels.count), '?');
        REQUIRE(MPI_T_cvar_read(labels.handle, text.data()) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_write(labels.handle, text.data()) == MPI_T_ERR_CVAR_SET_NEVER);
        return text.substr(0, text.find('\0'));
    };
    CHECK(labels_of(cvar{"dl_list_labels"}) == "eth0,,lo");
    CHECK(labels_of(cvar{"dl_function_labels"}) == "peer 0; 0,peer 0; 1");
    std::uint64_t object = 23, absent = 30;
    const cvar of_object{"dl_bound_labels", &object};
    CHECK(of_object.count == 3 * 64);
    CHECK(labels_of(of_object) == "peer 23; 0,peer 23; 1,peer 23; 2");
    // The tool's buffer is too small for the labels of an object that has grown.
    char text[3 * 64];
    further = 7;
    CHECK(MPI_T_cvar_read(of_object.handle, text) == MPI_T_ERR_INVALID_HANDLE);
    further = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("dl_bound_labels"), &absent, &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
}

TEST_CASE("Histograms in cells of the library are six variables each, also when their group comes again, and the "
          "library's own buckets have bounds") {
    static mpit::histogram_cell<unsigned, mpit::buckets{.scale = 1, .lowest = 2, .highest = 20}> sizes;
    static mpit::histogram_cell<double, mpit::buckets{.lowest = -4, .highest = 4}> ratios;
    static mpit::latency_cell<> sending;
    static mpit::histogram_cell<unsigned, mpit::buckets{.scale = 4, .highest = 20}> too_many;
    static unsigned long own[3];
    static const double own_bounds[3] = {64, 1024, __builtin_inf()}, finite[3] = {64, 1024, 4096},
                        unordered[3] = {64, 64, __builtin_inf()}, no_number[2] = {__builtin_nan(""), __builtin_inf()};
    const std::string longest(56, 'h'), longer(57, 'h');
    const initialized tools;
    // The texts of the first group stay, but those of the library do not.
    for (const auto texts : {mpit::group_texts::kept, mpit::group_texts::copied}) {
        mpit::dynamic group{"dynamic_histograms", "", {}, texts};
        const auto adopted = [&](const char* name, const double* bounds, unsigned count = 3) {
            return group.computed<performance_class::counter, unsigned long>(
                name, "", {.storage = own, .count = count, .bounds = bounds});
        };
        REQUIRE(group.histogram("dh_sizes", "Sizes", {.cell = &sizes, .verbosity = mpit::verbosity::tuner_all}) ==
                result::success);
        REQUIRE(group.histogram(longest.c_str(), "Ratios", {.cell = &ratios}) == result::success);
        REQUIRE(group.histogram("dh_sending", "Seconds", {.cell = &sending, .when_watched = true}) == result::success);
        REQUIRE(adopted("dh_own", own_bounds) == result::success);
        CHECK(group.histogram("dh_nothing", "", {}) == result::invalid);
        CHECK(group.histogram("dh_too_many", "", {.cell = &too_many}) == result::invalid);
        CHECK(group.histogram(longer.c_str(), "", {.cell = &sizes}) == result::invalid);
        CHECK(group.histogram("dh nothing", "", {.cell = &sizes}) == result::invalid_name);
        CHECK(group.histogram("dh_v", "", {.cell = &sizes, .verbosity = static_cast<mpit::verbosity>(9)}) ==
              result::invalid);
        for (const double* wrong : {finite, unordered}) CHECK(adopted("dh_wrong", wrong) == result::invalid);
        CHECK(adopted("dh_wrong", no_number, 2) == result::invalid);
        CHECK(adopted(longer.c_str(), own_bounds) == result::invalid);
        CHECK(group.computed<performance_class::level, unsigned long>(
                  "dh_wrong", "", {.storage = own, .count = 3, .bounds = own_bounds}) == result::invalid);
        const auto published = group.publish();
        CHECK((published.seen == 3 * 6 + 2 && published.refused == 0));

        CHECK(description_of("dh_sizes_bounds").verbosity == MPI_T_VERBOSITY_TUNER_ALL);
        const cvar bounds{"dh_own_bounds"}, of_sizes{"dh_sizes_bounds"};
        double seen[3];
        REQUIRE(MPI_T_cvar_read(bounds.handle, seen) == MPI_SUCCESS);
        CHECK((std::equal(seen, seen + 3, own_bounds) && of_sizes.count == 38));
        CHECK(MPI_T_cvar_write(bounds.handle, seen) == MPI_T_ERR_CVAR_SET_NEVER);
        const session s;
        const pvar samples{s, "dh_sizes", MPI_T_PVAR_CLASS_COUNTER},
            least{s, "dh_sizes_min", MPI_T_PVAR_CLASS_LOWWATERMARK},
            sum{s, (longest + "_sum").c_str(), MPI_T_PVAR_CLASS_AGGREGATE},
            most{s, (longest + "_max").c_str(), MPI_T_PVAR_CLASS_HIGHWATERMARK},
            time{s, "dh_sending_sum", MPI_T_PVAR_CLASS_TIMER}, of_own{s, "dh_own", MPI_T_PVAR_CLASS_COUNTER};
        sending.record(5);
        REQUIRE(MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
        sizes.record(4), sizes.record(9), ratios.record(0.5), ratios.record(3), sending.record(2'500'000'000);
        own[2] += 7;
        unsigned long long counts[38];
        REQUIRE(MPI_T_pvar_read(s.handle, samples.handle, counts) == MPI_SUCCESS);
        CHECK((counts[0] == 1 && counts[1] == 0 && counts[2] == 0 && counts[3] == 1));
        CHECK(least.read<unsigned>() == 4);
        CHECK(sum.read<double>() == 3.5);
        CHECK(most.read<double>() == 3);
        CHECK(time.read<double>() == 2.5);
        unsigned long own_counts[3];
        REQUIRE(MPI_T_pvar_read(s.handle, of_own.handle, own_counts) == MPI_SUCCESS);
        CHECK((own_counts[0] == 0 && own_counts[2] == 7));
        CHECK(sending.is_watched());
    }
}

namespace {

struct window {
    gear speed = gear::idle;
    unsigned depth = 3;
};
window windows[2]; // their handles are 5 and 6
std::uint64_t written_in;
window* window_of(std::uint64_t handle) { return handle == 5 || handle == 6 ? &windows[handle - 5] : nullptr; }
gear* speed_of(std::uint64_t handle, void*) {
    return window_of(handle) == nullptr ? nullptr : &window_of(handle)->speed;
}
unsigned* depth_of(std::uint64_t handle, void*) {
    return window_of(handle) == nullptr ? nullptr : &window_of(handle)->depth;
}
mpit::reply note(std::uint64_t handle, const unsigned*, void*) {
    written_in = handle;
    return mpit::reply::accepted;
}

} // namespace

TEST_CASE("A control variable of objects that is described at run time has a value in each of them",
          "[BIND-02][BIND-14]") {
    const mpit::dynamic_binding of_windows{mpit::binding::window, sizeof(int)};
    const initialized tool;
    mpit::dynamic group{"dynamic_objects"};
    REQUIRE(group.bound_control<gear>("DO_SPEED", "", {.locate = &speed_of, .bound = of_windows}) == result::success);
    REQUIRE(group.bound_control<unsigned>(
                "DO_DEPTH", "", {.locate = &depth_of, .bound = of_windows, .maximum = 10, .on_write = &note}) ==
            result::success);
    CHECK(group.bound_control<int>("DO_NOBODY", "", {.bound = of_windows}) == result::invalid);
    CHECK(group.bound_control<unsigned>("DO_PROCESS", "", {.locate = &depth_of}) == result::invalid);
    REQUIRE(group.publish().seen == 2);
    CHECK(description_of("DO_SPEED").bind == MPI_T_BIND_MPI_WIN);
    int first = 5, second = 6, none = 7;
    const cvar speed{"DO_SPEED", &second}, of_first{"DO_DEPTH", &first}, of_second{"DO_DEPTH", &second};
    CHECK(speed.write(1) == MPI_SUCCESS);
    CHECK((windows[0].speed == gear::idle && windows[1].speed == gear::first));
    CHECK(of_second.write(9u) == MPI_SUCCESS);
    CHECK(written_in == 6);
    CHECK(of_second.write(11u) == MPI_T_ERR_INVALID);
    CHECK((of_first.read<unsigned>() == 3 && of_second.read<unsigned>() == 9));
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int count = 0;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("DO_DEPTH"), &none, &handle, &count) == MPI_T_ERR_INVALID_HANDLE);
}

TEST_CASE("A value from the environment for a control variable of objects has no effect and is reported") {
    static int limit = 4;
    setenv("DO_LIMIT", "9", 1);
    const initialized tool;
    const reports_kept here;
    mpit::dynamic group{"dynamic_objects_outside"};
    REQUIRE(group.bound_control<int>("DO_LIMIT", "", {.locate = [](std::uint64_t, void*) {
        return &limit;
    }, .bound = {mpit::binding::communicator, 8}, .environment = "DO_LIMIT"}) == result::success);
    REQUIRE(group.publish().seen == 1);
    unsetenv("DO_LIMIT");
    CHECK(limit == 4);
    REQUIRE(reports.size() == 1);
    CHECK(reports[0] == "DO_LIMIT=9 in the environment has no effect: the control variable has a value in each "
                        "communicator and cannot be set from the environment");
}

namespace {

struct arrival {
    int rank;
    double wait;
};
std::int64_t card_time;
mpit::source_cell card;
mpit::event_cell<arrival> arrived, freed;
struct heard {
    int calls = 0, rank = 0;
    MPI_Count stamp = 0;
};
void hear(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void* data) {
    auto& to = *static_cast<heard*>(data);
    to.calls++;
    MPI_T_event_read(instance, 0, &to.rank);
    MPI_T_event_get_timestamp(instance, &to.stamp);
}

} // namespace

TEST_CASE("An event that is described at run time is stamped by its source, raised, deferred, and silent when its "
          "group has ended",
          "[SRC-08]") {
    const initialized tool;
    heard seen, of_object;
    for (int round = 1; round <= 2; round++) {
        mpit::dynamic group{"dynamic_events"};
        arrived(1, 0.5); // before it is added
        CHECK_FALSE(arrived.is_watched());
        CHECK(group.event<arrival>("de_early", "", {.cell = &arrived, .source = &card}) == result::invalid);
        CHECK(group.source("de_no_ticks", "", {.cell = &card, .ticks_per_second = 0}) == result::invalid);
        REQUIRE(group.source("de_card", "Its clock", {.cell = &card, .ticks_per_second = 1000, .clock = [] {
            return card_time;
        }}) == result::success);
        REQUIRE(group.event<arrival>("de_arrived", "A message", {.cell = &arrived, .source = &card}) ==
                result::success);
        REQUIRE(group.event<arrival>("de_freed", "",
                                     {.cell = &freed,
                                      .source = mpit::steady_clock,
                                      .bound = {mpit::binding::communicator, sizeof(int)},
                                      .exists = [](std::uint64_t handle) { return handle == 3; }}) == result::success);
        CHECK(group.event<arrival>("de_again", "", {.cell = &arrived}) == result::invalid);
        CHECK(group.event<arrival>("de_nothing", "", {}) == result::invalid);
        REQUIRE(group.publish().seen == 3);
        int three = 3, four = 4;
        MPI_T_event_registration none = nullptr;
        CHECK(MPI_T_event_handle_alloc(event_index("de_freed"), &four, MPI_INFO_NULL, &none) ==
              MPI_T_ERR_INVALID_HANDLE);
        const registration to{"de_arrived"}, to_object{"de_freed", &three};
        REQUIRE(to.call(&hear, &seen) == MPI_SUCCESS);
        REQUIRE(to_object.call(&hear, &of_object) == MPI_SUCCESS);
        CHECK(arrived.is_watched());
        card_time = 42;
        arrived(7, 0.5);
        CHECK((seen.calls == 2 * round - 1 && seen.rank == 7 && seen.stamp == 42));
        arrived.defer(arrival{8, 1});
        CHECK(seen.calls == 2 * round - 1);
        arrived.deliver();
        CHECK((seen.calls == 2 * round && seen.rank == 8));
        freed.in(4)(1, 0.0);
        freed.in(3)(2, 0.0);
        CHECK((of_object.calls == round && of_object.rank == 2));
    }
    arrived(9, 0.5);
    CHECK(seen.calls == 4);
}

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
        mpit::dynamic group{"dynamic_stays", "Of texts", {}, group_texts::kept};
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
        mpit::dynamic group{called, "", {}, group_texts::kept};
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
    mpit::dynamic group{"dynamic_shares", "", {}, group_texts::kept};
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
    mpit::dynamic group{"dynamic_refused_items", "", {}, group_texts::kept};
    REQUIRE(group.control<int>("DZ_BEFORE", "", {.items = {"dz_before", ways}}) == result::success);
    REQUIRE(group.control<int>("DZ_REFUSED", "", {.initial = 7, .items = {"dz_slow", slow}}) == result::invalid);
    REQUIRE(group.control<int>("DZ_SLOW", "", {.items = {"dz_slow", slow}}) == result::success);
    REQUIRE(group.control<int>("DZ_FAST", "", {.items = {"dz_fast", fast}}) == result::success);
    REQUIRE(group.publish().seen == 3);
    CHECK(last_item_of("DZ_FAST") == item_seen{2, 1, "faster"});
    CHECK(last_item_of("DZ_SLOW") == item_seen{2, 1, "slower"});
}
