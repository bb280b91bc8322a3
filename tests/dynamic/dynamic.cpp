// Variables that are described at run time: a tool sees them as declared ones, what cannot be is refused with its code
// and takes nothing else with it, and numbers come back with a later group of the same names.
#include "../tool.hpp"

#include <mpit/dynamic.hpp>

#include <cstdlib>

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
    CHECK(cvar{"DT_INT"}.read() == -3);
    CHECK(description_of("DT_UNSIGNED").type == MPI_UNSIGNED);
    CHECK(cvar{"DT_UNSIGNED"}.read<unsigned>() == 4000000000u);
    CHECK(description_of("DT_LONG").type == MPI_UNSIGNED_LONG);
    CHECK(cvar{"DT_LONG"}.read<unsigned long>() == ~0ul);
    CHECK(description_of("DT_LLONG").type == MPI_UNSIGNED_LONG_LONG);
    CHECK(description_of("DT_DOUBLE").type == MPI_DOUBLE);
    CHECK(cvar{"DT_DOUBLE"}.read<double>() == 2.5);
    CHECK(description_of("DT_INT64").type == MPI_INT64_T);
    CHECK(cvar{"DT_INT64"}.read<long>() == -1l << 40);
    CHECK(description_of("DT_COUNT").type == MPI_COUNT);
    CHECK(cvar{"DT_COUNT"}.read<MPI_Count>() == MPI_Count{1} << 40);
    CHECK(description_of("DT_UINT32").type == MPI_UINT32_T);
    CHECK(cvar{"DT_UINT32"}.read<std::uint32_t>() == 9);
    CHECK(description_of("DT_BOOL").type == MPI_INT);
    CHECK(cvar{"DT_BOOL"}.read() == 1);
    CHECK(description_of("DT_ENUM").type == MPI_INT);
    CHECK(cvar{"DT_ENUM"}.read() == static_cast<int>(colour::blue));
    CHECK(description_of("DT_TEXT").type == MPI_CHAR);
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

TEST_CASE("A tool's write sets the stored value, the adopted one or calls the function, or has the exact code") {
    initialized tools;
    int adopted = 5;
    char name[8] = "first";
    struct state {
        int value = 10;
        std::string text = "abc";
        mpit::reply reply = mpit::reply::accepted;
    } own;
    mpit::dynamic group{"dynamic_writes"};
    const mpit::enumerator<int> answers[] = {{"no", 0}, {"yes", 1}};
    REQUIRE(group.control<int>("DW_KEPT", "", {.initial = 1, .minimum = 0, .maximum = 9}) == result::success);
    REQUIRE(group.control<int>("DW_ADOPTED", "", {.storage = &adopted}) == result::success);
    REQUIRE(group.control<bool>("DW_BOOL", "") == result::success);
    REQUIRE(group.control<int>("DW_ITEMS", "", {.items = {"dw_answer", answers}}) == result::success);
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
    REQUIRE(group.control<int>("DW_READONLY", "", {.initial = 4, .scope = mpit::scope::readonly}) == result::success);
    REQUIRE(group.control<char[]>("DW_TEXT", "", {.initial = "one", .length = 7}) == result::success);
    REQUIRE(group.control<char[]>("DW_ADOPTED_TEXT", "", {.length = 7, .storage = name}) == result::success);
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
    CHECK(cvar{"DW_ADOPTED"}.write(6) == MPI_SUCCESS);
    CHECK(adopted == 6);
    adopted = 8;
    CHECK(cvar{"DW_ADOPTED"}.read() == 8);
    CHECK(cvar{"DW_BOOL"}.write(1) == MPI_SUCCESS);
    CHECK(cvar{"DW_BOOL"}.write(2) == MPI_T_ERR_INVALID);
    CHECK(cvar{"DW_BOOL"}.read() == 1);
    CHECK(cvar{"DW_ITEMS"}.write(1) == MPI_SUCCESS);
    CHECK(cvar{"DW_ITEMS"}.write(2) == MPI_T_ERR_INVALID);
    CHECK(cvar{"DW_FUNCTION_ITEMS"}.write(1) == MPI_SUCCESS);
    CHECK(cvar{"DW_FUNCTION_ITEMS"}.write(2) == MPI_T_ERR_INVALID);
    CHECK(even.write(3) == MPI_T_ERR_INVALID);
    CHECK(even.write(4) == MPI_SUCCESS);
    CHECK(cvar{"DW_READONLY"}.write(5) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(cvar{"DW_READONLY"}.read() == 4);

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
    CHECK(read_text("DW_ADOPTED_TEXT") == "first");
    CHECK(write_text("DW_ADOPTED_TEXT", "second") == MPI_SUCCESS);
    CHECK(std::string{name} == "second");
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

TEST_CASE("A name that is added again with another type is refused") {
    initialized tools;
    const reports_kept kept;
    {
        mpit::dynamic group{"dynamic_retyped"};
        REQUIRE(group.control<int>("DY_NUMBER", "") == result::success);
        REQUIRE(group.publish().seen == 1);
    }
    mpit::dynamic group{"dynamic_retyped"};
    REQUIRE(group.control<double>("DY_NUMBER", "") == result::success);
    const auto answer = group.publish();
    CHECK(answer.code == result::invalid_name);
    CHECK(answer.refused == 1);
    CHECK(reports.size() == 1);
    CHECK(description_of("DY_NUMBER").type == MPI_INT);
}

TEST_CASE("A name added again as a constant or with another enumeration is refused with the reason") {
    initialized tools;
    const reports_kept kept;
    const mpit::enumerator<int> signals[] = {{"red", 0}, {"green", 1}}, turned[] = {{"green", 0}, {"red", 1}};
    {
        mpit::dynamic group{"dynamic_otherwise"};
        REQUIRE(group.control<int>("DO_NUMBER", "") == result::success);
        REQUIRE(group.control<int>("DO_ITEM", "", {.items = {"signal", signals}}) == result::success);
        REQUIRE(group.publish().seen == 2);
    }
    mpit::dynamic group{"dynamic_otherwise"};
    REQUIRE(group.control<int>("DO_NUMBER", "", {.scope = mpit::scope::constant}) == result::success);
    REQUIRE(group.control<int>("DO_ITEM", "", {.items = {"signal", turned}}) == result::success);
    CHECK(group.publish().refused == 2);
    REQUIRE(reports.size() == 2);
    CHECK(reports[0].find("DO_NUMBER is declared twice") == 0);
    CHECK(reports[0].find("which has a different scope") != std::string::npos);
    CHECK(reports[1].find("which has a different enumeration") != std::string::npos);
    CHECK(description_of("DO_NUMBER").scope == MPI_T_SCOPE_LOCAL);
    MPI_T_cvar_handle none = MPI_T_CVAR_HANDLE_NULL;
    int count = -1;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("DO_ITEM"), nullptr, &none, &count) == MPI_T_ERR_INVALID_INDEX);
}

TEST_CASE("A group that is never registered leaves no trace") {
    initialized tools;
    const int before = count_of_cvars();
    {
        mpit::dynamic group{"dynamic_unseen"};
        REQUIRE(group.control<int>("DU_NUMBER", "") == result::success);
    }
    int number = -1;
    CHECK(count_of_cvars() == before);
    CHECK(MPI_T_category_get_index("dynamic_unseen", &number) == MPI_T_ERR_INVALID_NAME);
}

TEST_CASE("The environment sets variables with an .environment, and names of others are not reported as misspelt") {
    initialized tools;
    const reports_kept kept;
    for (const auto& [name, value] : {std::pair{"DE_TAKEN", "12"},
                                      {"DE_OTHER_NAME", "13"},
                                      {"DE_SILENT", "14"},
                                      {"DE_WRONG", "15x"},
                                      {"DE_TEXT", "abc"},
                                      {"DE_BOOL", "2"}})
        setenv(name, value, 1);
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
    for (const auto& [name, value] :
         {std::pair{"DS_SWITCH", "On"}, {"DS_ITEMS", "RDV"}, {"DS_SIZE", "2Mi"}, {"DS_NUMBER", "2M"}})
        setenv(name, value, 1);
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

TEST_CASE("Performance variables are the results of functions, or numbers in the library's storage") {
    initialized tools;
    const session in;
    unsigned long counted = 10;
    double load = 0.25;
    mpit::dynamic group{"dynamic_performance"};
    REQUIRE(group.computed<performance_class::counter, unsigned long>("dp_counted", "Counted", {.storage = &counted}) ==
            result::success);
    REQUIRE(group.computed<performance_class::percentage, double>(
                "dp_load", "Load",
                {.value = [](void* data) { return *static_cast<double*>(data); },
                 .data = &load,
                 .verbosity = mpit::verbosity::tuner_all,
                 .readonly = true,
                 .continuous = true}) == result::success);
    REQUIRE(group.publish().seen == 2);
    const pvar counter{in, "dp_counted", MPI_T_PVAR_CLASS_COUNTER},
        percentage{in, "dp_load", MPI_T_PVAR_CLASS_PERCENTAGE};
    REQUIRE(counter.start() == MPI_SUCCESS);
    counted += 5;
    CHECK(counter.read<unsigned long>() == 5);
    REQUIRE(counter.stop() == MPI_SUCCESS);
    counted += 5;
    CHECK(counter.read<unsigned long>() == 5);
    CHECK(percentage.read<double>() == 0.25);
    CHECK(percentage.start() == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(percentage.reset() == MPI_T_ERR_PVAR_NO_WRITE);
    int verbosity = 0, in_class = 0, readonly = 0, continuous = 0, atomic = 1;
    MPI_Datatype type{};
    REQUIRE(MPI_T_pvar_get_info(pvar_index("dp_load", MPI_T_PVAR_CLASS_PERCENTAGE), nullptr, nullptr, &verbosity,
                                &in_class, &type, nullptr, nullptr, nullptr, nullptr, &readonly, &continuous,
                                &atomic) == MPI_SUCCESS);
    CHECK(verbosity == MPI_T_VERBOSITY_TUNER_ALL);
    CHECK(type == MPI_DOUBLE);
    CHECK(readonly == 1);
    CHECK(continuous == 1);
    CHECK(atomic == 0);
}

TEST_CASE("A counter, an aggregate and a timer over cells of the library count as declared ones, also after their "
          "group came again") {
    static mpit::counter_cell sent, bytes;
    static mpit::timer_cell waiting;
    initialized tools;
    for (unsigned long round = 1; round <= 2; round++) {
        mpit::dynamic group{"dynamic_cells", ""};
        ++sent; // before it is registered
        REQUIRE(group.counter<unsigned long>("dc_sent", "Messages", {.cell = &sent}) == result::success);
        REQUIRE(group.aggregate("dc_bytes", "Bytes", {.cell = &bytes}) == result::success);
        REQUIRE(group.timer("dc_waiting", "Seconds", {.cell = &waiting, .continuous = true}) == result::success);
        CHECK(group.timer("dc_nothing", "Seconds", {}) == result::invalid);
        REQUIRE(group.publish().seen == 3);
        session in;
        const pvar of_counter{in, "dc_sent", MPI_T_PVAR_CLASS_COUNTER},
            of_bytes{in, "dc_bytes", MPI_T_PVAR_CLASS_AGGREGATE}, of_timer{in, "dc_waiting", MPI_T_PVAR_CLASS_TIMER};
        REQUIRE(of_counter.start() == MPI_SUCCESS);
        REQUIRE(of_bytes.start() == MPI_SUCCESS);
        ++sent;
        bytes += 100;
        waiting.add(1'500'000'000);
        CHECK(of_counter.read<unsigned long>() == 1);
        CHECK(of_bytes.read() == 100);
        CHECK(of_timer.read<double>() == 1.5);
        CHECK(sent.get() == 2 * round);
    }
}

TEST_CASE("Amounts of doubles and seconds of time over cells of the library are described at run time") {
    static mpit::real_cell energy, waited;
    const initialized tools;
    mpit::dynamic group{"dynamic_reals"};
    REQUIRE(group.aggregate<double>("dr_energy", "Joules", {.cell = &energy}) == result::success);
    REQUIRE(group.seconds("dr_waited", "Seconds", {.cell = &waited, .continuous = true}) == result::success);
    CHECK(group.seconds("dr_nothing", "Seconds", {}) == result::invalid);
    REQUIRE(group.publish().seen == 2);
    const session in;
    const pvar of_energy{in, "dr_energy", MPI_T_PVAR_CLASS_AGGREGATE}, of_time{in, "dr_waited", MPI_T_PVAR_CLASS_TIMER};
    energy += 2.0; // before the start
    REQUIRE(of_energy.start() == MPI_SUCCESS);
    energy += 0.25;
    energy += 0.5;
    waited += 1.5;
    CHECK(of_energy.read<double>() == 0.75);
    CHECK(of_time.read<double>() == 1.5);
}

TEST_CASE("An array of numbers is read, written, and taken from the environment whole, and keeps its range") {
    static int ports[2] = {1024, 2048};
    static unsigned long sizes[3] = {1, 2, 3};
    setenv("DA_SIZES", "1k, 2k, 3k", 1);
    initialized tools;
    mpit::dynamic group{"dynamic_arrays", ""};
    REQUIRE(group.control<int[]>("DA_PORTS", "", {.storage = ports, .count = 2, .minimum = 1, .maximum = 65535}) ==
            result::success);
    REQUIRE(group.control<unsigned long[]>(
                "DA_SIZES", "", {.storage = sizes, .count = 3, .unit = mpit::unit::bytes, .environment = "DA_SIZES"}) ==
            result::success);
    CHECK(group.control<int[]>("DA_NOTHING", "", {.storage = ports}) == result::invalid);
    CHECK(group.control<int[]>("DA_UPSIDE_DOWN", "", {.storage = ports, .count = 2, .minimum = 2, .maximum = 1}) ==
          result::invalid);
    REQUIRE(group.publish().seen == 2);
    unsetenv("DA_SIZES");
    CHECK((sizes[0] == 1024 && sizes[1] == 2048 && sizes[2] == 3072));
    const cvar of_ports{"DA_PORTS"};
    CHECK(of_ports.count == 2);
    int pair[2] = {7, 0};
    CHECK(MPI_T_cvar_write(of_ports.handle, pair) == MPI_T_ERR_INVALID);
    CHECK(ports[0] == 1024);
    pair[1] = 8;
    CHECK(MPI_T_cvar_write(of_ports.handle, pair) == MPI_SUCCESS);
    CHECK((ports[0] == 7 && ports[1] == 8));
    ports[1] = 9;
    CHECK(MPI_T_cvar_read(of_ports.handle, pair) == MPI_SUCCESS);
    CHECK(pair[1] == 9);
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

TEST_CASE("Levels, watermarks and states over cells of the library are described at run time") {
    static mpit::level_cell<unsigned> queued;
    static mpit::level_cell<double> filled;
    static mpit::state_cell<gear> now;
    queued = 3u;
    const initialized tool;
    mpit::dynamic group{"dynamic_cells"};
    REQUIRE(group.level<unsigned>("dc_queued", "", {.cell = &queued}) == result::success);
    REQUIRE(group.size<unsigned>("dc_size", "", {.cell = &queued}) == result::success);
    REQUIRE(group.high_watermark<unsigned>("dc_most", "", {.cell = &queued}) == result::success);
    REQUIRE(group.low_watermark<unsigned>("dc_least", "", {.cell = &queued}) == result::success);
    REQUIRE(group.percentage("dc_filled", "", {.cell = &filled}) == result::success);
    REQUIRE(group.state<gear>("dc_gear", "", {.cell = &now}) == result::success);
    CHECK(group.level<unsigned>("dc_nothing", "", {}) == result::invalid);
    static mpit::state_cell<int> plain{5};
    const mpit::enumerator<int> items[] = {{"zero", 0}, {"one", 1}};
    CHECK(group.state("dc_outside", "", {.cell = &plain, .items = {"dynamic_plain", items}}) == result::invalid);
    CHECK(group.state("dc_no_items", "", {.cell = &plain}) == result::invalid);
    CHECK(group.state<gear>("dc_two_lists", "", {.cell = &now, .items = {"dynamic_plain", items}}) == result::invalid);
    plain = 1;
    REQUIRE(group.state("dc_plain", "", {.cell = &plain, .items = {"dynamic_plain", items}}) == result::success);
    REQUIRE(group.publish().code == result::success);
    const session s;
    const pvar most{s, "dc_most", MPI_T_PVAR_CLASS_HIGHWATERMARK}, least{s, "dc_least", MPI_T_PVAR_CLASS_LOWWATERMARK};
    const pvar level{s, "dc_queued", MPI_T_PVAR_CLASS_LEVEL}, part{s, "dc_filled", MPI_T_PVAR_CLASS_PERCENTAGE};
    const pvar of_gear{s, "dc_gear", MPI_T_PVAR_CLASS_STATE}, of_plain{s, "dc_plain", MPI_T_PVAR_CLASS_STATE};
    REQUIRE(MPI_T_pvar_start(s.handle, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    queued += 4;
    queued -= 6;
    filled = 0.25;
    now = gear::first;
    CHECK(most.read<unsigned>() == 7);
    CHECK(least.read<unsigned>() == 1);
    CHECK(level.read<unsigned>() == 1);
    CHECK(part.read<double>() == 0.25);
    CHECK(of_gear.read<int>() == 1);
    CHECK(of_plain.read<int>() == 1);
    plain = 0;
    CHECK(of_plain.read<int>() == 0);
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
