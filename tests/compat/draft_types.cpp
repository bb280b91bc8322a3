// The datatypes of the draft of 2011, and the same values through it and through the present interface.
#include "draft.hpp"

enum class speed { slow, medium, fast };
enum class shuffled { last = 2, first = 0, middle = 1 };
enum class reserved { one, two };
template <>
inline constexpr auto mpit::enumeration_of<speed> =
    mpit::enumerators<speed>("speed", {{"slow", speed::slow}, {"medium", speed::medium}, {"fast", speed::fast}});
template <>
inline constexpr auto mpit::enumeration_of<shuffled> = mpit::enumerators<shuffled>(
    "shuffled", {{"last", shuffled::last}, {"first", shuffled::first}, {"middle", shuffled::middle}});
template <>
inline constexpr auto mpit::enumeration_of<reserved> =
    mpit::enumerators<reserved>("with_reserved", {{"one", reserved::one}, {"MPI_TWO", reserved::two}});

namespace {

struct typed_variables : mpit::category<"typed", "Variables whose types the draft has not"> {
    mpit::control<speed> speed_of{this, "T_SPEED", "An enumeration from 0", {.initial = speed::medium}};
    mpit::control<shuffled> shuffled_of{this, "T_SHUFFLED", "Items in another order", {.initial = shuffled::last}};
    mpit::control<reserved> reserved_of{this, "T_RESERVED", "An item with a name of MPI's"};
    mpit::control<unsigned[3]> array{this, "T_ARRAY", "Three numbers", {.initial = {1, 2, 3}}};
    mpit::control<unsigned[100]> long_array{this, "T_LONG_ARRAY", "Many numbers"};
    mpit::counter<unsigned[3]> counters{this, "t_counters", "Three counts"};
};
[[maybe_unused]] constexpr auto& typed = mpit::registered<typed_variables>;

MPIT_Datatype datatype_of(const char* control) { return control_at(draft_control_index(control)).datatype; }
int class_of(MPIT_Datatype datatype) {
    int typeclass = -1;
    return MPIT_Type_get_class(datatype, &typeclass) == MPIT_SUCCESS ? typeclass : -1;
}
std::string item_of(MPIT_Datatype datatype, int item) {
    char name[50] = "";
    int length = sizeof name;
    return MPIT_Type_enum_get_item(datatype, item, name, &length) == MPIT_SUCCESS ? name : "?";
}
const auto garbage = reinterpret_cast<MPIT_Datatype>(std::uintptr_t{0xdeadbeef});

} // namespace

TEST_CASE("The nine predefined datatypes have the sizes of their counterparts", "[T2011-13][T2011-14]") {
    const draft_initialized draft;
    const std::pair<MPIT_Datatype, std::size_t> all_of_them[] = {{MPIT_LOGICAL, 4},
                                                                 {MPIT_BYTE, 1},
                                                                 {MPIT_SHORT, sizeof(short)},
                                                                 {MPIT_INT, sizeof(int)},
                                                                 {MPIT_LONG, sizeof(long)},
                                                                 {MPIT_LONG_LONG, sizeof(long long)},
                                                                 {MPIT_CHAR, 1},
                                                                 {MPIT_FLOAT, sizeof(float)},
                                                                 {MPIT_DOUBLE, sizeof(double)}};
    for (const auto& [datatype, bytes] : all_of_them) {
        int size = -1;
        CHECK(MPIT_Type_get_size(datatype, &size) == MPIT_SUCCESS);
        CHECK(size == static_cast<int>(bytes));
        CHECK(class_of(datatype) == MPIT_TYPECLASS_PREDEFINED);
        CHECK(MPIT_Type_enum_get_info(datatype, nullptr, nullptr, nullptr) == MPIT_ERR_PREDEFINED);
        CHECK(MPIT_Type_enum_get_item(datatype, 0, nullptr, nullptr) == MPIT_ERR_PREDEFINED);
    }
}

TEST_CASE("A value that is not a datatype is refused by all four functions", "[T2011-14][T2011-15]") {
    const draft_initialized draft;
    int size = -7;
    for (const MPIT_Datatype wrong : {garbage, MPIT_Datatype{}, reinterpret_cast<MPIT_Datatype>(std::uintptr_t{10})}) {
        CHECK(MPIT_Type_get_class(wrong, &size) == MPIT_ERR_INVALIDTYPE);
        CHECK(MPIT_Type_get_size(wrong, &size) == MPIT_ERR_INVALIDTYPE);
        CHECK(MPIT_Type_enum_get_info(wrong, &size, nullptr, nullptr) == MPIT_ERR_INVALIDTYPE);
        CHECK(MPIT_Type_enum_get_item(wrong, 0, nullptr, nullptr) == MPIT_ERR_INVALIDTYPE);
    }
    CHECK(size == -7);
}

TEST_CASE("An enumeration from 0 to N-1 is a datatype whose items are their values", "[T2011-14][T2011-15][T2011-16]") {
    const draft_initialized draft;
    const MPIT_Datatype speeds = datatype_of("T_SPEED"), shuffles = datatype_of("T_SHUFFLED");
    CHECK(speeds != shuffles);
    for (const MPIT_Datatype each : {speeds, shuffles}) {
        int size = -1, count = -1;
        CHECK(class_of(each) == MPIT_TYPECLASS_ENUMERATION);
        CHECK(MPIT_Type_get_size(each, &size) == MPIT_SUCCESS);
        CHECK(size == sizeof(int));
        char name[50] = "";
        int length = sizeof name;
        CHECK(MPIT_Type_enum_get_info(each, &count, name, &length) == MPIT_SUCCESS);
        CHECK(count == 3);
        CHECK(name == std::string{each == speeds ? "speed" : "shuffled"});
        for (const int wrong : {-1, 3, INT_MAX, INT_MIN})
            CHECK(MPIT_Type_enum_get_item(each, wrong, nullptr, nullptr) == MPIT_ERR_INVALIDITEM);
    }
    CHECK(item_of(speeds, 0) == "slow");
    CHECK(item_of(speeds, 2) == "fast");
    CHECK(item_of(shuffles, 0) == "first");
    CHECK(item_of(shuffles, 1) == "middle");
    CHECK(item_of(shuffles, 2) == "last");
    CHECK(draft_cvar{"T_SHUFFLED"}.read<int>() == 2);
}

TEST_CASE("An enumeration with other values, or with names of MPI, is a plain int", "[T2011-07][T2011-17]") {
    const draft_initialized draft;
    CHECK(datatype_of("C_COLOUR") == MPIT_INT);
    CHECK(datatype_of("T_RESERVED") == MPIT_INT);
    CHECK(draft_cvar{"C_COLOUR"}.read<int>() == 100);
    CHECK(performance_at(draft_performance_index("p_state")).datatype == MPIT_INT);
}

TEST_CASE("Every type of the registry has one of the draft, and the same value in it", "[T2011-17]") {
    const draft_initialized draft;
    CHECK(datatype_of("C_INT") == MPIT_INT);
    CHECK(datatype_of("C_INT32") == MPIT_INT);
    CHECK(datatype_of("C_DOUBLE") == MPIT_DOUBLE);
    CHECK(datatype_of("C_TEXT") == MPIT_CHAR);
    all.controls.of_unsigned = UINT_MAX;
    all.controls.of_uint32 = UINT32_MAX;
    all.controls.of_unsigned_long = 7ul;
    all.controls.of_unsigned_long_long = 8ull;
    all.controls.of_uint64 = 9ull;
    all.controls.of_int64 = -10;
    all.controls.of_count = -11;
    all.controls.of_int32 = -12;
    const std::pair<const char*, long long> wide[] = {
        {"C_UNSIGNED", UINT_MAX}, {"C_UINT32", UINT32_MAX}, {"C_UNSIGNED_LONG", 7}, {"C_UNSIGNED_LONG_LONG", 8},
        {"C_UINT64", 9},          {"C_INT64", -10},         {"C_COUNT", -11}};
    for (const auto& [name, value] : wide) {
        INFO(name);
        CHECK(datatype_of(name) == MPIT_LONG_LONG);
        CHECK(draft_cvar{name}.read<long long>() == value);
    }
    CHECK(draft_cvar{"C_INT32"}.read<int>() == -12);
    CHECK(draft_cvar{"C_DOUBLE"}.read<double>() == 0.5);
    char text[32] = "";
    CHECK(MPIT_Controlvar_read(draft_cvar{"C_TEXT"}.handle, text) == MPIT_SUCCESS);
    CHECK(text == std::string{"hello"});
}

TEST_CASE("A value beyond the largest long long is read as the largest", "[T2011-17]") {
    const draft_initialized draft;
    const draft_cvar of_long{"C_UNSIGNED_LONG"}, of_long_long{"C_UNSIGNED_LONG_LONG"}, of_exact{"C_UINT64"};
    all.controls.of_unsigned_long = ULONG_MAX;
    all.controls.of_unsigned_long_long = static_cast<unsigned long long>(LLONG_MAX) + 1;
    all.controls.of_uint64 = static_cast<unsigned long long>(LLONG_MAX);
    for (const draft_cvar* each : {&of_long, &of_long_long, &of_exact}) CHECK(each->read<long long>() == LLONG_MAX);
    draft_session s;
    draft_pvar counter{s, "p_aggregate"};
    REQUIRE(counter.start() == MPIT_SUCCESS);
    all.performances.aggregate += ULLONG_MAX - 5;
    CHECK(counter.read() == LLONG_MAX);
}

TEST_CASE("A tool's value is stored in the type of the variable, and one that does not fit is refused", "[T2011-17]") {
    const draft_initialized draft;
    const draft_cvar narrow{"C_UNSIGNED"}, wide{"C_UINT64"}, with_sign{"C_INT64"};
    CHECK(narrow.write(4'000'000'000ll) == MPIT_SUCCESS);
    CHECK(all.controls.of_unsigned.get() == 4'000'000'000u);
    for (const long long wrong : {-1ll, 1ll << 32, LLONG_MIN, LLONG_MAX})
        CHECK(narrow.write(wrong) == MPIT_ERR_INVALID);
    CHECK(all.controls.of_unsigned.get() == 4'000'000'000u);
    CHECK(wide.write(LLONG_MAX) == MPIT_SUCCESS);
    CHECK(wide.write(-1ll) == MPIT_ERR_INVALID);
    CHECK(all.controls.of_uint64.get() == static_cast<std::uint64_t>(LLONG_MAX));
    CHECK(with_sign.write(LLONG_MIN) == MPIT_SUCCESS);
    CHECK(with_sign.read<long long>() == LLONG_MIN);
}

TEST_CASE("Arrays of shorter elements become longer ones in the tool's buffer, and nothing behind it changes",
          "[T2011-17]") {
    const draft_initialized draft;
    CHECK(control_at(draft_control_index("T_ARRAY")).count == 3);
    const draft_cvar array{"T_ARRAY"}, long_array{"T_LONG_ARRAY"};
    long long seen[4] = {-1, -1, -1, -77}, wanted[3] = {4'000'000'000, 0, 5};
    CHECK(MPIT_Controlvar_read(array.handle, seen) == MPIT_SUCCESS);
    for (int i = 0; i < 3; i++) CHECK(seen[i] == i + 1);
    CHECK(MPIT_Controlvar_write(array.handle, wanted) == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_read(array.handle, seen) == MPIT_SUCCESS);
    for (int i = 0; i < 3; i++) CHECK(seen[i] == wanted[i]);
    CHECK(seen[3] == -77);
    wanted[2] = -1;
    CHECK(MPIT_Controlvar_write(array.handle, wanted) == MPIT_ERR_INVALID);
    CHECK(typed.array.get()[0] == 4'000'000'000u);

    long long many[100], again[100];
    for (int i = 0; i < 100; i++) many[i] = 3'000'000'000 + i;
    CHECK(MPIT_Controlvar_write(long_array.handle, many) == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_read(long_array.handle, again) == MPIT_SUCCESS);
    CHECK(std::memcmp(many, again, sizeof many) == 0);
    mpit::core::allocations_left.store(0);
    const int without_memory = MPIT_Controlvar_write(long_array.handle, many);
    mpit::core::allocations_left.store(-1);
    CHECK(without_memory == MPIT_ERR_MEMORY);

    draft_session s;
    draft_pvar counts{s, "t_counters"};
    REQUIRE(counts.start() == MPIT_SUCCESS);
    typed.counters[1] += 3'000'000'000u;
    ++typed.counters[2];
    CHECK(MPIT_Perfvar_read(s.handle, counts.handle, seen) == MPIT_SUCCESS);
    CHECK(seen[0] == 0);
    CHECK(seen[1] == 3'000'000'000);
    CHECK(seen[2] == 1);
    CHECK(seen[3] == -77);
}
