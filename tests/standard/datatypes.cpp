// MPI-5.0, 15.3.5: the types of values, texts, and enumerations with their items.
#include "../tool.hpp"

#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace {

struct typed_variables : mpit::category<"typed", "A generic performance variable of every numeric type"> {
    mpit::generic<int> of_int{this, "g_int", "A number"};
    mpit::generic<unsigned> of_unsigned{this, "g_unsigned", "A number"};
    mpit::generic<unsigned long> of_unsigned_long{this, "g_unsigned_long", "A number"};
    mpit::generic<unsigned long long> of_unsigned_long_long{this, "g_unsigned_long_long", "A number"};
    mpit::generic<double> of_double{this, "g_double", "A number"};
    mpit::generic<mpit::exact<std::int32_t>> of_int32{this, "g_int32", "A number"};
    mpit::generic<mpit::exact<std::int64_t>> of_int64{this, "g_int64", "A number"};
    mpit::generic<mpit::exact<std::uint32_t>> of_uint32{this, "g_uint32", "A number"};
    mpit::generic<mpit::exact<std::uint64_t>> of_uint64{this, "g_uint64", "A number"};
    mpit::generic<mpit::count> of_count{this, "g_count", "A number"};
    mpit::control<lamp> light{this, "LIGHT", "Another enumeration", {.initial = lamp::off}};
};
constexpr auto& typed = mpit::registered<typed_variables>;

const std::set<MPI_Datatype> legal_types{
    MPI_INT,      MPI_INT32_T,  MPI_INT64_T, MPI_UNSIGNED, MPI_UNSIGNED_LONG, MPI_UNSIGNED_LONG_LONG,
    MPI_UINT32_T, MPI_UINT64_T, MPI_COUNT,   MPI_CHAR,     MPI_DOUBLE,
};

struct type_facts {
    MPI_Datatype type;
    MPI_T_enum enumeration;
};
// The enumeration argument holds garbage before each query.
MPI_T_enum garbage() { return reinterpret_cast<MPI_T_enum>(std::uintptr_t{0xdead}); }

type_facts facts_of_cvar(int index) {
    type_facts facts{nullptr, garbage()};
    REQUIRE(MPI_T_cvar_get_info(index, nullptr, nullptr, nullptr, &facts.type, &facts.enumeration, nullptr, nullptr,
                                nullptr, nullptr) == MPI_SUCCESS);
    return facts;
}
type_facts facts_of_pvar(int index) {
    type_facts facts{nullptr, garbage()};
    REQUIRE(MPI_T_pvar_get_info(index, nullptr, nullptr, nullptr, nullptr, &facts.type, &facts.enumeration, nullptr,
                                nullptr, nullptr, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    return facts;
}
std::vector<type_facts> facts_of_all() {
    std::vector<type_facts> facts;
    int count = 0;
    REQUIRE(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) facts.push_back(facts_of_cvar(i));
    REQUIRE(MPI_T_pvar_get_num(&count) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) facts.push_back(facts_of_pvar(i));
    return facts;
}
std::set<MPI_T_enum> every_enumeration() {
    std::set<MPI_T_enum> handles;
    for (const type_facts& each : facts_of_all()) handles.insert(each.enumeration);
    handles.erase(MPI_T_ENUM_NULL);
    return handles;
}
std::string name_of(MPI_T_enum enumeration, int* count) {
    char name[256];
    int length = sizeof name;
    REQUIRE(MPI_T_enum_get_info(enumeration, count, name, &length) == MPI_SUCCESS);
    return name;
}
struct item {
    int value;
    std::string name;
    bool operator==(const item& other) const { return value == other.value && name == other.name; }
};
item item_of(MPI_T_enum enumeration, int index) {
    char name[256];
    int length = sizeof name, value = -77;
    REQUIRE(MPI_T_enum_get_item(enumeration, index, &value, name, &length) == MPI_SUCCESS);
    return {value, name};
}

// Buffers are longer than the value and lie askew: a tool owes the library no alignment.
template <class T> struct askew {
    unsigned char bytes[sizeof(T) + 9];
    askew() { std::memset(bytes, 0x5a, sizeof bytes); }
    void* at() { return bytes + 1; }
    void put(T value) { std::memcpy(at(), &value, sizeof value); }
    T get() {
        T value;
        std::memcpy(&value, at(), sizeof value);
        return value;
    }
    bool is_untouched_around() const {
        bool untouched = bytes[0] == 0x5a;
        for (std::size_t i = 1 + sizeof(T); i < sizeof bytes; i++) untouched = untouched && bytes[i] == 0x5a;
        return untouched;
    }
};
template <class T, class Generic>
void expect_round_trips(const char* control_name, const Generic& declared, MPI_Datatype type) {
    const char* generic_name = declared.name.characters;
    INFO(control_name << " and " << generic_name);
    CHECK(facts_of_cvar(cvar_index(control_name)).type == type);
    CHECK(facts_of_pvar(pvar_index(generic_name, MPI_T_PVAR_CLASS_GENERIC)).type == type);
    cvar control{control_name};
    session s;
    pvar generic{s, generic_name, MPI_T_PVAR_CLASS_GENERIC};
    CHECK(control.count == 1);
    CHECK(generic.count == 1);
    REQUIRE(generic.start() == MPI_SUCCESS);
    for (T value : {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T{1}, T{0}}) {
        askew<T> in, out;
        in.put(value);
        CHECK(MPI_T_cvar_write(control.handle, in.at()) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_read(control.handle, out.at()) == MPI_SUCCESS);
        CHECK(out.get() == value);
        CHECK(out.is_untouched_around());

        askew<T> sampled;
        CHECK(MPI_T_pvar_write(s.handle, generic.handle, in.at()) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_read(s.handle, generic.handle, sampled.at()) == MPI_SUCCESS);
        CHECK(sampled.get() == value);
        CHECK(sampled.is_untouched_around());
    }
}

} // namespace

TEST_CASE("Every variable has one of the eleven types, and each of the eleven occurs", "[DT-01]") {
    initialized tools;
    std::set<MPI_Datatype> seen;
    for (const type_facts& each : facts_of_all()) {
        CHECK(legal_types.count(each.type) == 1);
        seen.insert(each.type);
    }
    CHECK(seen == legal_types);
    CHECK(seen.size() == 11);
}

TEST_CASE("The smallest and the largest value of every type survive a write and a read", "[DT-03]") {
    initialized tools;
    expect_round_trips<int>("C_INT", typed.of_int, MPI_INT);
    expect_round_trips<unsigned>("C_UNSIGNED", typed.of_unsigned, MPI_UNSIGNED);
    expect_round_trips<unsigned long>("C_UNSIGNED_LONG", typed.of_unsigned_long, MPI_UNSIGNED_LONG);
    expect_round_trips<unsigned long long>("C_UNSIGNED_LONG_LONG", typed.of_unsigned_long_long, MPI_UNSIGNED_LONG_LONG);
    expect_round_trips<double>("C_DOUBLE", typed.of_double, MPI_DOUBLE);
    expect_round_trips<std::int32_t>("C_INT32", typed.of_int32, MPI_INT32_T);
    expect_round_trips<std::int64_t>("C_INT64", typed.of_int64, MPI_INT64_T);
    expect_round_trips<std::uint32_t>("C_UINT32", typed.of_uint32, MPI_UINT32_T);
    expect_round_trips<std::uint64_t>("C_UINT64", typed.of_uint64, MPI_UINT64_T);
    expect_round_trips<MPI_Count>("C_COUNT", typed.of_count, MPI_COUNT);
}

TEST_CASE("A value of several elements is read and written as consecutive objects, and no more", "[DT-03]") {
    initialized tools;
    cvar array{"C_ARRAY"};
    REQUIRE(array.count == 4);
    const int written[] = {INT_MIN, INT_MAX, 0, -1};
    CHECK(MPI_T_cvar_write(array.handle, written) == MPI_SUCCESS);
    int read[] = {9, 9, 9, 9, 9};
    CHECK(MPI_T_cvar_read(array.handle, read) == MPI_SUCCESS);
    CHECK(std::memcmp(read, written, sizeof written) == 0);
    CHECK(read[4] == 9);

    session s;
    pvar counters{s, "p_counters", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(counters.count == 4);
    unsigned long values[] = {9, 9, 9, 9, 9};
    CHECK(MPI_T_pvar_read(s.handle, counters.handle, values) == MPI_SUCCESS);
    CHECK(std::vector<unsigned long>(values, values + 5) == std::vector<unsigned long>{0, 0, 0, 0, 9});
}

TEST_CASE("Types can be distinguished without MPI", "[DT-04]") {
    initialized tools;
    CHECK(facts_of_cvar(cvar_index("C_INT")).type == MPI_INT);
    CHECK(facts_of_cvar(cvar_index("C_DOUBLE")).type == MPI_DOUBLE);
    CHECK(facts_of_cvar(cvar_index("C_TEXT")).type == MPI_CHAR);
    CHECK(facts_of_pvar(pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER)).type == MPI_UNSIGNED_LONG_LONG);
}

TEST_CASE("The count of a text includes the longest value and its null", "[DT-05]") {
    initialized tools;
    cvar text{"C_TEXT"};
    REQUIRE(text.count == 32);
    char longest[32], read[33];
    std::memset(longest, 'l', sizeof longest);
    longest[31] = '\0';
    std::memset(read, 0x5a, sizeof read);
    CHECK(MPI_T_cvar_write(text.handle, longest) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_read(text.handle, read) == MPI_SUCCESS);
    CHECK(std::string{read} == longest);
    CHECK(read[32] == 0x5a);

    session s;
    pvar computed{s, "p_computed_text", MPI_T_PVAR_CLASS_GENERIC};
    REQUIRE(computed.count == 16);
    std::memset(read, 0x5a, sizeof read);
    CHECK(MPI_T_pvar_read(s.handle, computed.handle, read) == MPI_SUCCESS);
    CHECK(std::string{read} == "x");
    CHECK(read[16] == 0x5a);
}

TEST_CASE("A short text replaces a long one, and bytes after the null are ignored", "[DT-06]") {
    initialized tools;
    cvar text{"C_TEXT"};
    char in[32], out[32];
    std::memset(in, 'x', sizeof in);
    in[31] = '\0';
    REQUIRE(MPI_T_cvar_write(text.handle, in) == MPI_SUCCESS);
    std::memcpy(in, "short", 6);
    REQUIRE(MPI_T_cvar_write(text.handle, in) == MPI_SUCCESS);
    std::memset(out, 'y', sizeof out);
    REQUIRE(MPI_T_cvar_read(text.handle, out) == MPI_SUCCESS);
    CHECK(std::memchr(out, '\0', sizeof out) != nullptr);
    CHECK(std::string{out} == "short");
}

TEST_CASE("A text without a null in its count is refused and the old one stays", "[DT-06]") {
    initialized tools;
    cvar text{"C_TEXT"};
    char out[32], endless[32];
    REQUIRE(MPI_T_cvar_write(text.handle, "before") == MPI_SUCCESS);
    std::memset(endless, 'x', sizeof endless);
    CHECK(MPI_T_cvar_write(text.handle, endless) == MPI_T_ERR_INVALID);
    REQUIRE(MPI_T_cvar_read(text.handle, out) == MPI_SUCCESS);
    CHECK(std::string{out} == "before");
}

TEST_CASE("Only variables of type int have an enumeration, and all others report none", "[DT-07]") {
    initialized tools;
    for (const type_facts& each : facts_of_all()) {
        CHECK(each.enumeration != garbage());
        if (each.enumeration != MPI_T_ENUM_NULL) CHECK(each.type == MPI_INT);
    }
    CHECK(facts_of_cvar(cvar_index("C_DOUBLE")).enumeration == MPI_T_ENUM_NULL);
    CHECK(facts_of_cvar(cvar_index("C_INT")).enumeration == MPI_T_ENUM_NULL);
    CHECK(facts_of_cvar(cvar_index("C_COLOUR")).enumeration != MPI_T_ENUM_NULL);
    CHECK(facts_of_pvar(pvar_index("p_state", MPI_T_PVAR_CLASS_STATE)).enumeration != MPI_T_ENUM_NULL);
}

TEST_CASE("An enumeration always has the same name and number of items", "[DT-08]") {
    initialized tools;
    for (int round = 0; round < 3; round++) {
        int count = -1;
        CHECK(name_of(facts_of_cvar(cvar_index("C_COLOUR")).enumeration, &count) == "colour");
        CHECK(count == 3);
        CHECK(name_of(facts_of_cvar(cvar_index("LIGHT")).enumeration, &count) == "lamp");
        CHECK(count == 2);
        initialized again;
        for (MPI_T_enum each : every_enumeration()) {
            CHECK(!name_of(each, &count).empty());
            CHECK(count >= 1);
        }
    }
}

TEST_CASE("No two enumerations have one name, and variables of one type share theirs", "[DT-09]") {
    initialized tools;
    std::set<std::string> names;
    int count = 0;
    for (MPI_T_enum each : every_enumeration()) CHECK(names.insert(name_of(each, &count)).second);
    CHECK(names == std::set<std::string>{"colour", "lamp"});
    CHECK(facts_of_cvar(cvar_index("C_COLOUR")).enumeration ==
          facts_of_pvar(pvar_index("p_state", MPI_T_PVAR_CLASS_STATE)).enumeration);
}

TEST_CASE("Items are listed in the order of declaration, whatever their values", "[DT-10]") {
    initialized tools;
    const MPI_T_enum colours = facts_of_cvar(cvar_index("C_COLOUR")).enumeration;
    CHECK(item_of(colours, 0) == item{-5, "red"});
    CHECK(item_of(colours, 1) == item{100, "green"});
    CHECK(item_of(colours, 2) == item{7, "blue"});
}

TEST_CASE("Items of one enumeration have different names, and two enumerations may share some", "[DT-11]") {
    initialized tools;
    std::map<std::string, int> owners;
    for (MPI_T_enum each : every_enumeration()) {
        int count = 0;
        name_of(each, &count);
        std::set<std::string> names;
        for (int i = 0; i < count; i++) {
            const std::string name = item_of(each, i).name;
            CHECK(!name.empty());
            CHECK(names.insert(name).second);
            owners[name]++;
        }
    }
    CHECK(owners["red"] == 2);
}

TEST_CASE("An item outside the enumeration has an invalid index", "[DT-12]") {
    initialized tools;
    const MPI_T_enum colours = facts_of_cvar(cvar_index("C_COLOUR")).enumeration;
    for (int index : {-1, 3, 4, INT_MAX, INT_MIN}) {
        char name[8] = "before";
        int length = sizeof name, value = -77;
        CHECK(MPI_T_enum_get_item(colours, index, &value, name, &length) == MPI_T_ERR_INVALID_INDEX);
        CHECK(value == -77);
        CHECK(length == sizeof name);
        CHECK(std::string{name} == "before");
    }
}

TEST_CASE("The deprecated code for an invalid item differs from the code returned", "[DT-13]") {
    STATIC_REQUIRE(MPI_T_ERR_INVALID_ITEM == 1008);
    STATIC_REQUIRE(MPI_T_ERR_INVALID_ITEM != MPI_T_ERR_INVALID_INDEX);
}

TEST_CASE("A handle of no enumeration is invalid, and null outputs are skipped", "[DT-14]") {
    initialized tools;
    const MPI_T_enum colours = facts_of_cvar(cvar_index("C_COLOUR")).enumeration;
    const auto word = reinterpret_cast<std::uintptr_t>(colours);
    cvar control{"C_INT"};
    session s;
    const MPI_T_enum foreign[] = {
        MPI_T_ENUM_NULL,
        garbage(),
        reinterpret_cast<MPI_T_enum>(word + 1000),
        reinterpret_cast<MPI_T_enum>(word ^ (std::uintptr_t{1} << 63)),
        reinterpret_cast<MPI_T_enum>(word | 0x80000000u),
        reinterpret_cast<MPI_T_enum>(control.handle),
        reinterpret_cast<MPI_T_enum>(s.handle),
        reinterpret_cast<MPI_T_enum>(UINTPTR_MAX),
    };
    for (MPI_T_enum each : foreign) {
        int number = -7, length = 0;
        INFO(reinterpret_cast<std::uintptr_t>(each));
        CHECK(MPI_T_enum_get_info(each, &number, nullptr, &length) == MPI_T_ERR_INVALID);
        CHECK(MPI_T_enum_get_item(each, 0, &number, nullptr, &length) == MPI_T_ERR_INVALID);
        CHECK(number == -7);
        CHECK(length == 0);
    }
    int length = 0;
    CHECK(MPI_T_enum_get_info(colours, nullptr, nullptr, &length) == MPI_SUCCESS);
    CHECK(length == 7);
    CHECK(MPI_T_enum_get_item(colours, 0, nullptr, nullptr, &length) == MPI_SUCCESS);
    CHECK(length == 4);
    CHECK(MPI_T_enum_get_info(colours, nullptr, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(MPI_T_enum_get_item(colours, 0, nullptr, nullptr, nullptr) == MPI_SUCCESS);
}

TEST_CASE("A value outside its enumeration cannot be written", "[DT-15]") {
    initialized tools;
    cvar control{"C_COLOUR"};
    session s;
    pvar state{s, "p_state", MPI_T_PVAR_CLASS_STATE};
    REQUIRE(state.start() == MPI_SUCCESS);
    for (int good : {-5, 100, 7}) {
        CHECK(control.write(good) == MPI_SUCCESS);
        CHECK(state.write(good) == MPI_SUCCESS);
        for (int bad : {12345, 0, 1, -1, INT_MIN}) {
            CHECK(control.write(bad) == MPI_T_ERR_INVALID);
            CHECK(control.read() == good);
            CHECK(state.write(bad) == MPI_T_ERR_INVALID);
            CHECK(state.read<int>() == good);
        }
    }
    CHECK(control.write(100) == MPI_SUCCESS);
    all.performances.state = colour::red;
    CHECK(state.read<int>() == -5);
    CHECK(state.reset() == MPI_SUCCESS);
    CHECK(state.read<int>() == -5);
}
