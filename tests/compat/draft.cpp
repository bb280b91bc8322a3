// The draft of 2011 beside the present interface: initialization, which counts for itself, codes, texts and the profiling
// names; datatypes; control and performance variables, sessions, handles and categories.
#include "draft.hpp"

#include <mpit/dynamic.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace {

// Where the calls that must be refused would write.
struct outputs {
    int number = -77, length = 50;
    char text[50] = "untouched";
    MPIT_Datatype datatype = nullptr;
    MPIT_MPI_Resource resource{-77, nullptr};
    MPIT_Controlvar_attributes of_control{-77};
    MPIT_Perfvar_attributes of_performance{-77, -77};
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    MPIT_Perfvar_session session = MPIT_PERFVAR_SESSION_NULL;
    MPIT_Perfvar_handle performance = MPIT_PERFVAR_HANDLE_NULL;
} out;
bool is_untouched() {
    return out.number == -77 && out.length == 50 && out.text == std::string{"untouched"} && out.datatype == nullptr &&
           out.resource.mpit_type == -77 && out.of_control.mpit_scope == -77 && out.control == nullptr &&
           out.session == nullptr && out.performance == nullptr;
}

// A function, under both of its names, with a call that a closed interface refuses.
struct call {
    const char* name;
    int (*make)();
    void (*plain)();
    void (*profiled)();
};
#define CALL(function, arguments)                                                                                      \
    {#function, [] { return function arguments; }, reinterpret_cast<void (*)()>(&function),                            \
     reinterpret_cast<void (*)()>(&P##function)}
// clang-format off
const call calls[] = {
    CALL(MPIT_Init, ()), CALL(MPIT_Finalize, ()), CALL(MPIT_MPI_Resource_communicator, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_datatype, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_errorhandler, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_file, (nullptr, &out.resource)), CALL(MPIT_MPI_Resource_group, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_operation, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_request, (nullptr, &out.resource)),
    CALL(MPIT_MPI_Resource_window, (nullptr, &out.resource)), CALL(MPIT_Type_get_class, (MPIT_INT, &out.number)),
    CALL(MPIT_Type_get_size, (MPIT_INT, &out.number)),
    CALL(MPIT_Type_enum_get_info, (MPIT_INT, &out.number, out.text, &out.length)),
    CALL(MPIT_Type_enum_get_item, (MPIT_INT, 0, out.text, &out.length)), CALL(MPIT_Controlvar_get_num, (&out.number)),
    CALL(MPIT_Controlvar_get_info, (0, out.text, &out.length, &out.number, &out.datatype, &out.number, out.text, &out.length, &out.number, &out.of_control)),
    CALL(MPIT_Controlvar_attr_get_scope, (&out.of_control, &out.number)),
    CALL(MPIT_Controlvar_handle_allocate, (0, MPIT_MPI_RESOURCE_GLOBAL, &out.control)),
    CALL(MPIT_Controlvar_handle_free, (&out.control)), CALL(MPIT_Controlvar_read, (out.control, out.text)),
    CALL(MPIT_Controlvar_write, (out.control, out.text)), CALL(MPIT_Perfvar_get_num, (&out.number)),
    CALL(MPIT_Perfvar_get_info, (0, out.text, &out.length, &out.number, &out.number, &out.datatype, &out.number, out.text, &out.length, &out.number, &out.of_performance)),
    CALL(MPIT_Perfvar_attr_get_readonly, (&out.of_performance, &out.number)),
    CALL(MPIT_Perfvar_attr_get_continuous, (&out.of_performance, &out.number)),
    CALL(MPIT_Perfvar_session_create, (&out.session)), CALL(MPIT_Perfvar_session_free, (&out.session)),
    CALL(MPIT_Perfvar_handle_allocate, (out.session, 0, MPIT_MPI_RESOURCE_GLOBAL, &out.performance)),
    CALL(MPIT_Perfvar_handle_free, (out.session, &out.performance)),
    CALL(MPIT_Perfvar_start, (out.session, out.performance)), CALL(MPIT_Perfvar_stop, (out.session, out.performance)),
    CALL(MPIT_Perfvar_read, (out.session, out.performance, out.text)),
    CALL(MPIT_Perfvar_write, (out.session, out.performance, out.text)),
    CALL(MPIT_Perfvar_reset, (out.session, out.performance)),
    CALL(MPIT_Perfvar_readreset, (out.session, out.performance, out.text)),
    CALL(MPIT_Category_get_num, (&out.number)),
    CALL(MPIT_Category_get_info, (0, out.text, &out.length, out.text, &out.length, &out.number, &out.number, &out.number)),
    CALL(MPIT_Category_get_controlvars, (0, 1, &out.number)), CALL(MPIT_Category_get_perfvars, (0, 1, &out.number)),
    CALL(MPIT_Category_get_categories, (0, 1, &out.number))};
// clang-format on
#undef CALL
static_assert(std::size(calls) == 40);

int infos(char* name, int* length) {
    return MPIT_Controlvar_get_info(draft_control_index("C_INT"), name, length, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr);
}

} // namespace

// The first test case, because the index has its memory after the first init.
TEST_CASE("Without memory for the registry MPIT_Init says so, and succeeds when there is some", "[T2011-03]") {
    mpit::core::allocations_left.store(0);
    const int without_memory = MPIT_Init();
    mpit::core::allocations_left.store(-1);
    CHECK(without_memory == MPIT_ERR_CANTINIT);
    CHECK(MPIT_Finalize() == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPIT_Init() == MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
}

TEST_CASE("There are 40 functions, each under its profiling name as well", "[T2011-01]") {
    for (const call& each : calls) {
        INFO(each.name);
        CHECK(each.plain != nullptr);
        CHECK(each.plain == each.profiled);
    }
}

TEST_CASE("Success is 0, and all errors are positive and different, but for one with two names", "[T2011-02]") {
    STATIC_REQUIRE(MPIT_SUCCESS == 0);
    // clang-format off
    const int codes[] = {
        MPIT_ERR_MEMORY, MPIT_ERR_NOTINITIALIZED, MPIT_ERR_CANTINIT, MPIT_ERR_PREDEFINED, MPIT_ERR_INVALIDTYPE,
        MPIT_ERR_INVALIDITEM, MPIT_ERR_INVALIDINDEX, MPIT_ERR_INVALIDHANDLE, MPIT_ERR_OUTOFHANDLES,
        MPIT_ERR_OUTOFSESSIONS, MPIT_ERR_INVALIDSESSION, MPIT_ERR_SETNOTNOW, MPIT_ERR_SETNEVER, MPIT_ERR_INVALIDVAR,
        MPIT_ERR_NOSTARTSTOP, MPIT_ERR_NOWRITE, MPIT_ERR_INVALIDCATEGORY, MPIT_ERR_INVALID, MPIT_END};
    // clang-format on
    std::set<int> different;
    for (const int code : codes) {
        CHECK(code > 0);
        different.insert(code);
    }
    CHECK(different.size() == std::size(codes));
    STATIC_REQUIRE(MPIT_ERR_PERFVAR_WRITE == MPIT_ERR_NOWRITE);
}

TEST_CASE("Before init and after finalize every function but MPIT_Init returns the code for it and writes nothing",
          "[T2011-01][T2011-04]") {
    for (const bool is_after : {false, true}) {
        if (is_after) {
            REQUIRE(MPIT_Init() == MPIT_SUCCESS);
            REQUIRE(MPIT_Finalize() == MPIT_SUCCESS);
        }
        for (const call& each : calls) {
            if (each.plain == calls[0].plain) continue;
            INFO(each.name);
            CHECK(each.make() == MPIT_ERR_NOTINITIALIZED);
            CHECK(is_untouched());
        }
    }
}

TEST_CASE("Inits are counted, apart from those of the present interface", "[T2011-03]") {
    int number = -1, provided = -1;
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_get_num(&number) == MPIT_SUCCESS);
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(provided == MPI_THREAD_SINGLE);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_get_num(&number) == MPIT_ERR_NOTINITIALIZED);
    CHECK(MPI_T_cvar_get_num(&number) == MPI_SUCCESS);
    REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
}

TEST_CASE("One finalize too many is refused, and old sessions and handles are invalid in the next epoch",
          "[T2011-05]") {
    REQUIRE(MPIT_Init() == MPIT_SUCCESS);
    MPIT_Perfvar_session session = MPIT_PERFVAR_SESSION_NULL;
    MPIT_Perfvar_handle counter = MPIT_PERFVAR_HANDLE_NULL;
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    REQUIRE(MPIT_Perfvar_session_create(&session) == MPIT_SUCCESS);
    REQUIRE(MPIT_Perfvar_handle_allocate(session, draft_performance_index("p_counter"), MPIT_MPI_RESOURCE_GLOBAL,
                                         &counter) == MPIT_SUCCESS);
    REQUIRE(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &control) ==
            MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_SUCCESS);
    CHECK(MPIT_Finalize() == MPIT_ERR_NOTINITIALIZED);
    const draft_initialized again;
    long long value = -77;
    CHECK(MPIT_Controlvar_read(control, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_start(session, counter) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_session_free(&session) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == -77);
}

TEST_CASE("A text is truncated to its buffer and its whole length is returned", "[T2011-06]") {
    const draft_initialized draft;
    const std::string name = "C_INT";
    const int whole = static_cast<int>(name.size()) + 1;
    for (int room = 1; room <= whole + 2; room++) {
        char buffer[20];
        std::memset(buffer, '?', sizeof buffer);
        int length = room;
        CHECK(infos(buffer, &length) == MPIT_SUCCESS);
        CHECK(length == whole);
        CHECK(buffer == name.substr(0, static_cast<std::size_t>(room < whole ? room : whole) - 1));
        for (std::size_t i = static_cast<std::size_t>(room < whole ? room : whole); i < sizeof buffer; i++)
            CHECK(buffer[i] == '?');
    }
    char buffer[20] = "untouched";
    int length = 0;
    CHECK(infos(buffer, &length) == MPIT_SUCCESS);
    CHECK(length == whole);
    length = 3;
    CHECK(infos(nullptr, &length) == MPIT_SUCCESS);
    CHECK(length == whole);
    CHECK(infos(buffer, nullptr) == MPIT_SUCCESS);
    length = -1;
    CHECK(infos(buffer, &length) == MPIT_ERR_INVALID);
    CHECK(length == -1);
    CHECK(buffer == std::string{"untouched"});
}

TEST_CASE("Null arguments are refused if they are required", "[T2011-01]") {
    const draft_initialized draft;
    draft_session s;
    draft_pvar counter{s, "p_counter"};
    const draft_cvar control{"C_INT"};
    // clang-format off
    for (const int code : {
        MPIT_Controlvar_get_num(nullptr), MPIT_Perfvar_get_num(nullptr), MPIT_Category_get_num(nullptr),
        MPIT_Type_get_class(MPIT_INT, nullptr), MPIT_Type_get_size(MPIT_INT, nullptr),
        MPIT_MPI_Resource_group(nullptr, nullptr), MPIT_Controlvar_attr_get_scope(nullptr, nullptr),
        MPIT_Perfvar_attr_get_readonly(nullptr, nullptr), MPIT_Perfvar_attr_get_continuous(nullptr, nullptr),
        MPIT_Controlvar_handle_allocate(0, MPIT_MPI_RESOURCE_GLOBAL, nullptr), MPIT_Controlvar_handle_free(nullptr),
        MPIT_Controlvar_read(control.handle, nullptr), MPIT_Controlvar_write(control.handle, nullptr),
        MPIT_Perfvar_session_create(nullptr), MPIT_Perfvar_session_free(nullptr),
        MPIT_Perfvar_handle_allocate(s.handle, 0, MPIT_MPI_RESOURCE_GLOBAL, nullptr),
        MPIT_Perfvar_handle_free(s.handle, nullptr), MPIT_Perfvar_read(s.handle, counter.handle, nullptr),
        MPIT_Perfvar_write(s.handle, counter.handle, nullptr),
        MPIT_Perfvar_readreset(s.handle, counter.handle, nullptr), MPIT_Category_get_perfvars(0, 1, nullptr),
        MPIT_Category_get_controlvars(0, -1, nullptr)})
        CHECK(code == MPIT_ERR_INVALID);
    // clang-format on
}

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
    // clang-format off
    const std::pair<MPIT_Datatype, std::size_t> all_of_them[] = {
        {MPIT_LOGICAL, 4}, {MPIT_BYTE, 1}, {MPIT_SHORT, sizeof(short)}, {MPIT_INT, sizeof(int)}, {MPIT_LONG, sizeof(long)},
        {MPIT_LONG_LONG, sizeof(long long)}, {MPIT_CHAR, 1}, {MPIT_FLOAT, sizeof(float)}, {MPIT_DOUBLE, sizeof(double)}};
    // clang-format on
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

namespace {

// Names that are MPI's own, in a library that is none.
struct reserved_variables : mpit::category<"beside_reserved", "Something with an open name"> {
    mpit::control<int> hidden{this, "MPIT_HIDDEN", "Has a name of MPI's"};
    mpit::control<int> lower_case{this, "mpi_t_shown", "Has not"};
    mpit::counter<> counter{this, "MPI_hidden_counter", "Has a name of MPI's"};
    mpit::counter<> shown{this, "r_shown", "Has not"};
    struct : mpit::category<"MPI_hidden_category", "Has a name of MPI's"> {
        mpit::counter<> inside{this, "r_inside", "In no category that is shown"};
    } inner{this};
};
[[maybe_unused]] constexpr auto& beside = mpit::registered<reserved_variables>;

int count_of(int (*get_num)(int*)) {
    int count = -1;
    REQUIRE(get_num(&count) == MPIT_SUCCESS);
    return count;
}
template <class Handle>
MPIT_MPI_Resource resource_of(int (*convert)(Handle, MPIT_MPI_Resource*), std::uintptr_t number) {
    MPIT_MPI_Resource made;
    REQUIRE(convert(handle_number<Handle>(number), &made) == MPIT_SUCCESS);
    return made;
}
// What the present interface says of the control variable with a name.
struct final_control {
    int verbosity = -1, bind = -1, scope = -1;
    std::string description;
    explicit final_control(const std::string& name) {
        char text[300] = "";
        int length = sizeof text;
        REQUIRE(MPI_T_cvar_get_info(cvar_index(name.c_str()), nullptr, nullptr, &verbosity, nullptr, nullptr, text,
                                    &length, &bind, &scope) == MPI_SUCCESS);
        description = text;
    }
};

} // namespace

TEST_CASE("Every control variable of the draft is the one of that name in the present interface", "[T2011-18]") {
    const draft_initialized draft;
    const initialized now;
    int finals = 0;
    MPI_T_cvar_get_num(&finals);
    const int count = count_of(&MPIT_Controlvar_get_num);
    CHECK(count == finals - 1);
    std::set<std::string> names;
    for (int i = 0; i < count; i++) {
        const draft_control seen = control_at(i);
        INFO(seen.name);
        CHECK(names.insert(seen.name).second);
        const final_control other{seen.name};
        CHECK(seen.description == other.description);
        CHECK(seen.assoc == other.bind - MPI_T_BIND_NO_OBJECT + MPIT_MPI_RESOURCE_TYPE_GLOBAL);
        CHECK(seen.scope == (other.scope <= MPI_T_SCOPE_READONLY ? MPIT_SCOPE_READONLY
                             : other.scope == MPI_T_SCOPE_LOCAL  ? MPIT_SCOPE_LOCAL
                                                                 : MPIT_SCOPE_GLOBAL));
        if (seen.assoc != MPIT_MPI_RESOURCE_TYPE_GLOBAL) continue;
        const cvar handle{seen.name.c_str()};
        CHECK(seen.count == handle.count);
    }
    for (int i = count - 1; i >= 0; i--) CHECK(names.count(control_at(i).name) == 1);
    for (const int wrong : {-1, count, INT_MIN, INT_MAX})
        CHECK(MPIT_Controlvar_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                       nullptr) == MPIT_ERR_INVALIDINDEX);
}

TEST_CASE("The seven scopes become the three of the draft, and the handle stays usable", "[T2011-19]") {
    const draft_initialized draft;
    const std::pair<const char*, int> scopes[] = {
        {"C_CONSTANT", MPIT_SCOPE_READONLY}, {"C_READONLY", MPIT_SCOPE_READONLY}, {"C_INT", MPIT_SCOPE_LOCAL},
        {"C_GROUP", MPIT_SCOPE_GLOBAL},      {"C_GROUP_EQ", MPIT_SCOPE_GLOBAL},   {"C_ALL", MPIT_SCOPE_GLOBAL},
        {"C_ALL_EQ", MPIT_SCOPE_GLOBAL}};
    std::vector<MPIT_Controlvar_attributes> kept;
    for (const auto& [name, scope] : scopes)
        REQUIRE(MPIT_Controlvar_get_info(draft_control_index(name), nullptr, nullptr, nullptr, nullptr, nullptr,
                                         nullptr, nullptr, nullptr, &kept.emplace_back()) == MPIT_SUCCESS);
    for (std::size_t i = 0; i < kept.size(); i++) {
        int scope = -1;
        CHECK(MPIT_Controlvar_attr_get_scope(&kept[i], &scope) == MPIT_SUCCESS);
        CHECK(scope == scopes[i].second);
    }
}

TEST_CASE("The nine verbosities of the draft are those of the present interface", "[T2011-08]") {
    const draft_initialized draft;
    const std::pair<const char*, int> levels[] = {
        {"v_user_basic", MPIT_VERBOSITY_USER_BASIC},        {"v_user_detail", MPIT_VERBOSITY_USER_DETAILED},
        {"v_user_all", MPIT_VERBOSITY_USER_VERBOSE},        {"v_tuner_basic", MPIT_VERBOSITY_TUNER_BASIC},
        {"v_tuner_detail", MPIT_VERBOSITY_TUNER_DETAILED},  {"v_tuner_all", MPIT_VERBOSITY_TUNER_VERBOSE},
        {"v_developer_basic", MPIT_VERBOSITY_MPIDEV_BASIC}, {"v_developer_detail", MPIT_VERBOSITY_MPIDEV_DETAILED},
        {"v_developer_all", MPIT_VERBOSITY_MPIDEV_VERBOSE}};
    std::set<int> different;
    for (const auto& [name, level] : levels) {
        CHECK(performance_at(draft_performance_index(name)).verbosity == level);
        different.insert(level);
    }
    CHECK(different.size() == 9);
}

TEST_CASE("A variable of each of the eight kinds of objects is reached through a reference to one",
          "[T2011-09][T2011-10]") {
    const draft_initialized draft;
    draft_session s;
    constexpr std::uintptr_t number = 0x1230;
    const auto check = [&](const char* name, int type, MPIT_MPI_Resource on, auto& counter, auto handle) {
        INFO(name);
        CHECK(performance_at(draft_performance_index(name)).assoc == type);
        MPIT_Perfvar_handle refused = MPIT_PERFVAR_HANDLE_NULL;
        CHECK(MPIT_Perfvar_handle_allocate(s.handle, draft_performance_index(name), on, &refused) ==
              MPIT_ERR_INVALIDHANDLE);
        mpit::created(all, handle);
        draft_pvar on_object{s, name, on};
        REQUIRE(on_object.start() == MPIT_SUCCESS);
        counter[handle] += 3;
        CHECK(on_object.read() == 3);
        mpit::freed(all, handle);
        long long gone = -1;
        CHECK(MPIT_Perfvar_read(s.handle, on_object.handle, &gone) == MPIT_ERR_INVALIDHANDLE);
    };
    auto& b = all.bound;
    check("b_comm", MPIT_MPI_RESOURCE_TYPE_COMMUNICATOR, resource_of(&MPIT_MPI_Resource_communicator, number), b.comm,
          handle_number<MPI_Comm>(number));
    check("b_datatype", MPIT_MPI_RESOURCE_TYPE_DATATYPE, resource_of(&MPIT_MPI_Resource_datatype, number), b.datatype,
          handle_number<MPI_Datatype>(number));
    check("b_errhandler", MPIT_MPI_RESOURCE_TYPE_ERRORHANDLER, resource_of(&MPIT_MPI_Resource_errorhandler, number),
          b.errhandler, handle_number<MPI_Errhandler>(number));
    check("b_file", MPIT_MPI_RESOURCE_TYPE_FILE, resource_of(&MPIT_MPI_Resource_file, number), b.file,
          handle_number<MPI_File>(number));
    check("b_group", MPIT_MPI_RESOURCE_TYPE_GROUP, resource_of(&MPIT_MPI_Resource_group, number), b.group,
          handle_number<MPI_Group>(number));
    check("b_op", MPIT_MPI_RESOURCE_TYPE_OPERATOR, resource_of(&MPIT_MPI_Resource_operation, number), b.op,
          handle_number<MPI_Op>(number));
    check("b_request", MPIT_MPI_RESOURCE_TYPE_REQUEST, resource_of(&MPIT_MPI_Resource_request, number), b.request,
          handle_number<MPI_Request>(number));
    check("b_win", MPIT_MPI_RESOURCE_TYPE_WINDOW, resource_of(&MPIT_MPI_Resource_window, number), b.win,
          handle_number<MPI_Win>(number));
}

TEST_CASE("Variables of messages, info objects and sessions are not in the draft", "[T2011-09]") {
    const draft_initialized draft;
    for (const char* newer : {"b_message", "b_info", "b_session"}) CHECK(draft_performance_index(newer) == -1);
}

TEST_CASE("A variable of the process takes MPIT_MPI_RESOURCE_GLOBAL, and another kind than the variable's is refused",
          "[T2011-11][T2011-12]") {
    const draft_initialized draft;
    draft_session s;
    MPIT_Controlvar_handle control = MPIT_CONTROLVAR_HANDLE_NULL;
    CHECK(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &control) ==
          MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_handle_free(&control) == MPIT_SUCCESS);
    const auto comm = handle_number<MPI_Comm>(0x4560);
    mpit::created(all, comm);
    const MPIT_MPI_Resource of_comm = resource_of(&MPIT_MPI_Resource_communicator, 0x4560);
    const MPIT_MPI_Resource of_window = resource_of(&MPIT_MPI_Resource_window, 0x4560);
    MPIT_Perfvar_handle handle = MPIT_PERFVAR_HANDLE_NULL;
    const auto allocate = [&](const char* name, MPIT_MPI_Resource on) {
        handle = reinterpret_cast<MPIT_Perfvar_handle>(std::uintptr_t{77});
        return MPIT_Perfvar_handle_allocate(s.handle, draft_performance_index(name), on, &handle);
    };
    CHECK(allocate("b_comm", of_window) == MPIT_ERR_INVALIDHANDLE);
    CHECK(handle == MPIT_PERFVAR_HANDLE_NULL);
    CHECK(allocate("b_comm", MPIT_MPI_RESOURCE_GLOBAL) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("p_counter", of_comm) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("b_comm", MPIT_MPI_Resource{}) == MPIT_ERR_INVALIDHANDLE);
    CHECK(allocate("no such variable", of_comm) == MPIT_ERR_INVALIDINDEX);
    CHECK(allocate("b_comm", of_comm) == MPIT_SUCCESS);
    CHECK(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), of_comm, &control) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_handle_allocate(-1, of_comm, &control) == MPIT_ERR_INVALIDINDEX);
    mpit::freed(all, comm);
}

TEST_CASE("Without memory there are no more handles and no more sessions", "[T2011-12][T2011-24]") {
    const draft_initialized draft;
    draft_session s;
    const int control = draft_control_index("C_INT"), performance = draft_performance_index("p_counter");
    MPIT_Controlvar_handle of_control = MPIT_CONTROLVAR_HANDLE_NULL;
    MPIT_Perfvar_handle handle = MPIT_PERFVAR_HANDLE_NULL;
    MPIT_Perfvar_session more = MPIT_PERFVAR_SESSION_NULL;
    int codes[3] = {MPIT_SUCCESS, MPIT_SUCCESS, MPIT_SUCCESS};
    mpit::core::allocations_left.store(0);
    for (int i = 0; i < 100'000 && codes[0] == MPIT_SUCCESS; i++)
        codes[0] = MPIT_Controlvar_handle_allocate(control, MPIT_MPI_RESOURCE_GLOBAL, &of_control);
    for (int i = 0; i < 100'000 && codes[1] == MPIT_SUCCESS; i++)
        codes[1] = MPIT_Perfvar_handle_allocate(s.handle, performance, MPIT_MPI_RESOURCE_GLOBAL, &handle);
    for (int i = 0; i < 100'000 && codes[2] == MPIT_SUCCESS; i++) codes[2] = MPIT_Perfvar_session_create(&more);
    mpit::core::allocations_left.store(-1);
    CHECK(codes[0] == MPIT_ERR_OUTOFHANDLES);
    CHECK(codes[1] == MPIT_ERR_OUTOFHANDLES);
    CHECK(codes[2] == MPIT_ERR_OUTOFSESSIONS);
    CHECK(more == MPIT_PERFVAR_SESSION_NULL);
}

TEST_CASE("A control variable is read and written through a handle, and refuses with the codes of the draft",
          "[T2011-20]") {
    const draft_initialized draft;
    {
        const draft_cvar plain{"C_INT"};
        CHECK(plain.write(17) == MPIT_SUCCESS);
        CHECK(all.controls.plain.get() == 17);
        CHECK(plain.read<int>() == 17);
    }
    CHECK(draft_cvar{"C_CONSTANT"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_READONLY"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_FROZEN"}.write(1) == MPIT_ERR_SETNEVER);
    CHECK(draft_cvar{"C_PHASE"}.write(1) == MPIT_ERR_SETNOTNOW);
    CHECK(draft_cvar{"C_RANGED"}.write(101) == MPIT_ERR_INVALID);
    CHECK(all.controls.ranged.get() == 50);
    int value = 5;
    MPIT_Controlvar_handle handle = MPIT_CONTROLVAR_HANDLE_NULL;
    CHECK(MPIT_Controlvar_read(handle, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_write(handle, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Controlvar_handle_free(&handle) == MPIT_ERR_INVALIDHANDLE);
    REQUIRE(MPIT_Controlvar_handle_allocate(draft_control_index("C_INT"), MPIT_MPI_RESOURCE_GLOBAL, &handle) ==
            MPIT_SUCCESS);
    const MPIT_Controlvar_handle old = handle;
    CHECK(MPIT_Controlvar_handle_free(&handle) == MPIT_SUCCESS);
    CHECK(handle == MPIT_CONTROLVAR_HANDLE_NULL);
    CHECK(MPIT_Controlvar_read(old, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(value == 5);
}

TEST_CASE("A control variable whose object was freed is invalid", "[T2011-20]") {
    const draft_initialized draft;
    const auto comm = handle_number<MPI_Comm>(0x7893);
    mpit::created(all, comm);
    const MPIT_MPI_Resource on = resource_of(&MPIT_MPI_Resource_communicator, 0x7893);
    const draft_cvar bound{"C_BOUND", on}, array{"C_BOUND_ARRAY", on};
    CHECK(bound.read<int>() == 7);
    int values[8];
    std::fill(values, values + 8, 55);
    CHECK(control_at(draft_control_index("C_BOUND_ARRAY")).count == 8);
    CHECK(MPIT_Controlvar_read(array.handle, values) == MPIT_SUCCESS);
    for (int i = 3; i < 8; i++) CHECK(values[i] == 0);
    mpit::freed(all, comm);
    int value = 5;
    CHECK(MPIT_Controlvar_read(bound.handle, &value) == MPIT_ERR_INVALIDVAR);
    CHECK(MPIT_Controlvar_write(bound.handle, &value) == MPIT_ERR_INVALIDVAR);
}

TEST_CASE("Eight classes are in the draft: a size is a level there, and generic variables are left out", "[T2011-21]") {
    const draft_initialized draft;
    const std::pair<const char*, int> classes[] = {
        {"p_state", MPIT_PERFVAR_CLASS_STATE},
        {"p_queue", MPIT_PERFVAR_CLASS_RESOURCE_LEVEL},
        {"p_queue (size)", MPIT_PERFVAR_CLASS_RESOURCE_LEVEL},
        {"p_percentage", MPIT_PERFVAR_CLASS_RESOURCE_PERCENTAGE},
        {"p_own_high", MPIT_PERFVAR_CLASS_RESOURCE_HIGHWATERMARK},
        {"p_own_low", MPIT_PERFVAR_CLASS_RESOURCE_LOWWATERMARK},
        {"p_counter", MPIT_PERFVAR_CLASS_EVENT_COUNTER},
        {"p_aggregate", MPIT_PERFVAR_CLASS_EVENT_AGGREGATE},
        {"p_timer", MPIT_PERFVAR_CLASS_EVENT_TIMER},
    };
    for (const auto& [name, in] : classes) {
        INFO(name);
        CHECK(performance_at(draft_performance_index(name)).in == in);
    }
    for (const char* generic : {"p_generic", "p_generic_int32", "p_computed_text"})
        CHECK(draft_performance_index(generic) == -1);
}

TEST_CASE("Four classes with one name are four variables with different names", "[T2011-22]") {
    const draft_initialized draft;
    const int count = count_of(&MPIT_Perfvar_get_num);
    std::set<std::string> names;
    int queues = 0;
    for (int i = 0; i < count; i++) {
        const std::string name = performance_at(i).name;
        CHECK(names.insert(name).second);
        queues += name.substr(0, 7) == "p_queue";
    }
    CHECK(queues == 4);
    for (const char* name : {"p_queue", "p_queue (size)", "p_queue (high watermark)", "p_queue (low watermark)"})
        CHECK(names.count(name) == 1);
    for (const int wrong : {-1, count})
        CHECK(MPIT_Perfvar_get_info(wrong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr) == MPIT_ERR_INVALIDINDEX);
}

TEST_CASE("The flags readonly and continuous of a performance variable are 0 or 1", "[T2011-23]") {
    const draft_initialized draft;
    const initialized now;
    const int count = count_of(&MPIT_Perfvar_get_num);
    int readonly_ones = 0, continuous_ones = 0;
    for (int i = 0; i < count; i++) {
        const draft_performance seen = performance_at(i);
        readonly_ones += seen.readonly, continuous_ones += seen.continuous;
        if (seen.in != MPIT_PERFVAR_CLASS_EVENT_COUNTER) continue;
        int readonly = -1, continuous = -1;
        REQUIRE(MPI_T_pvar_get_info(pvar_index(seen.name.c_str(), MPI_T_PVAR_CLASS_COUNTER), nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &readonly, &continuous,
                                    nullptr) == MPI_SUCCESS);
        CHECK(seen.readonly == readonly);
        CHECK(seen.continuous == continuous);
    }
    CHECK(readonly_ones > 0);
    CHECK(continuous_ones > 0);
}

TEST_CASE("Sessions of the draft do not affect each other, nor those of the present interface", "[T2011-24]") {
    const draft_initialized draft;
    const initialized now;
    draft_session first, second;
    session present;
    draft_pvar one{first, "p_counter"}, other{second, "p_counter"};
    pvar third{present, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    REQUIRE(one.start() == MPIT_SUCCESS);
    REQUIRE(other.start() == MPIT_SUCCESS);
    REQUIRE(third.start() == MPI_SUCCESS);
    for (int i = 0; i < 5; i++) ++all.performances.counter;
    CHECK(MPIT_Perfvar_reset(first.handle, one.handle) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(one.read() == 1);
    CHECK(other.read() == 6);
    CHECK(third.read() == 6);
    long long value = -1;
    CHECK(MPIT_Perfvar_read(second.handle, one.handle, &value) == MPIT_ERR_INVALIDHANDLE);
    const MPIT_Perfvar_session freed = first.handle;
    CHECK(MPIT_Perfvar_session_free(&first.handle) == MPIT_SUCCESS);
    CHECK(first.handle == MPIT_PERFVAR_SESSION_NULL);
    CHECK(MPIT_Perfvar_read(freed, one.handle, &value) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_session_free(&first.handle) == MPIT_ERR_INVALIDSESSION);
    CHECK(MPIT_Perfvar_handle_allocate(freed, 0, MPIT_MPI_RESOURCE_GLOBAL, &one.handle) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == -1);
    CHECK(other.read() == 6);
}

TEST_CASE("A handle begins stopped at its starting value, unless its variable is continuous", "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    ++all.performances.counter;
    ++all.performances.continuous;
    draft_pvar counter{s, "p_counter"}, continuous{s, "p_continuous"}, queue{s, "p_queue (high watermark)"};
    ++all.performances.counter;
    ++all.performances.continuous;
    CHECK(counter.read() == 0);
    CHECK(continuous.read() == 1);
    CHECK(continuous.start() == MPIT_ERR_NOSTARTSTOP);
    CHECK(MPIT_Perfvar_start(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(MPIT_Perfvar_stop(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(MPIT_Perfvar_handle_free(s.handle, &counter.handle) == MPIT_SUCCESS);
    CHECK(counter.handle == MPIT_PERFVAR_HANDLE_NULL);
    CHECK(MPIT_Perfvar_handle_free(s.handle, &counter.handle) == MPIT_ERR_INVALIDHANDLE);
    CHECK(counter.start() == MPIT_ERR_INVALIDHANDLE);
}

TEST_CASE("A watermark begins with the first start of its handle, and not with its allocation as the draft says",
          "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    all.performances.level = 5;
    draft_pvar lowest{s, "p_queue (low watermark)"};
    CHECK(lowest.read() == 5);
    all.performances.level = 7;
    REQUIRE(lowest.start() == MPIT_SUCCESS);
    CHECK(lowest.read() == 7);
    REQUIRE(lowest.stop() == MPIT_SUCCESS);
    all.performances.level = 9;
    REQUIRE(lowest.start() == MPIT_SUCCESS);
    CHECK(lowest.read() == 7);
    all.performances.level = 0;
}

TEST_CASE("All handles of a session are started although the object of one was freed, and the code says so",
          "[T2011-25]") {
    const draft_initialized draft;
    draft_session s;
    const auto comm = handle_number<MPI_Comm>(0x3210);
    mpit::created(all, comm);
    draft_pvar lost{s, "b_comm", resource_of(&MPIT_MPI_Resource_communicator, 0x3210)}, counter{s, "p_counter"};
    mpit::freed(all, comm);
    CHECK(MPIT_Perfvar_start(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_ERR_NOSTARTSTOP);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(MPIT_Perfvar_reset(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_ERR_NOWRITE);
    CHECK(counter.read() == 0);
}

TEST_CASE("A value is written and reset unless the variable is readonly, and all handles are for reset alone",
          "[T2011-26]") {
    static_assert(MPIT_ERR_NOWRITE == MPIT_ERR_PERFVAR_WRITE);
    const draft_initialized draft;
    draft_session s;
    draft_pvar counter{s, "p_counter"}, readonly{s, "p_readonly"}, percentage{s, "p_percentage"};
    CHECK(counter.write(40ll) == MPIT_SUCCESS);
    REQUIRE(counter.start() == MPIT_SUCCESS);
    REQUIRE(readonly.start() == MPIT_SUCCESS);
    ++all.performances.counter;
    ++all.performances.readonly;
    CHECK(counter.read() == 41);
    CHECK(counter.write(-1ll) == MPIT_ERR_INVALID);
    CHECK(readonly.write(1ll) == MPIT_ERR_NOWRITE);
    CHECK(MPIT_Perfvar_reset(s.handle, readonly.handle) == MPIT_ERR_NOWRITE);
    CHECK(percentage.read<double>() == 0.25);
    CHECK(MPIT_Perfvar_reset(s.handle, MPIT_PERFVAR_ALL_HANDLES) == MPIT_SUCCESS);
    CHECK(counter.read() == 0);
    CHECK(readonly.read() == 1);
    long long value = 3;
    CHECK(MPIT_Perfvar_read(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_write(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_readreset(s.handle, MPIT_PERFVAR_ALL_HANDLES, &value) == MPIT_ERR_INVALIDHANDLE);
    CHECK(MPIT_Perfvar_write(MPIT_PERFVAR_SESSION_NULL, counter.handle, &value) == MPIT_ERR_INVALIDSESSION);
    CHECK(value == 3);
}

TEST_CASE("Readreset works where the present interface refuses it, and on a readonly variable it still reads",
          "[T2011-27]") {
    const draft_initialized draft;
    draft_session s;
    draft_pvar not_atomic{s, "p_not_atomic"}, readonly{s, "p_readonly"};
    REQUIRE(not_atomic.start() == MPIT_SUCCESS);
    REQUIRE(readonly.start() == MPIT_SUCCESS);
    for (int i = 0; i < 3; i++) ++all.performances.not_atomic, ++all.performances.readonly;
    long long value = -1;
    CHECK(MPIT_Perfvar_readreset(s.handle, not_atomic.handle, &value) == MPIT_SUCCESS);
    CHECK(value == 3);
    CHECK(not_atomic.read() == 0);
    value = -1;
    CHECK(MPIT_Perfvar_readreset(s.handle, readonly.handle, &value) == MPIT_ERR_NOWRITE);
    CHECK(value == 3);
    CHECK(readonly.read() == 3);
}

TEST_CASE("Categories list the same members as in the present interface, by the names and indices of the draft",
          "[T2011-28]") {
    const draft_initialized draft;
    const initialized now;
    const int count = count_of(&MPIT_Category_get_num);
    bool has_seen_bound = false;
    for (int i = 0; i < count; i++) {
        char name[300] = "", description[300] = "";
        int name_length = sizeof name, description_length = sizeof description, sizes[3];
        REQUIRE(MPIT_Category_get_info(i, name, &name_length, description, &description_length, &sizes[0], &sizes[1],
                                       &sizes[2]) == MPIT_SUCCESS);
        INFO(name);
        int final_index = -1, finals[3];
        REQUIRE(MPI_T_category_get_index(name, &final_index) == MPI_SUCCESS);
        MPI_T_category_get_info(final_index, nullptr, nullptr, nullptr, nullptr, &finals[0], &finals[1], &finals[2]);
        const std::string called = name;
        const int hidden[3] = {called == "beside_reserved",
                               called == "performances"      ? 3
                               : called == "bound"           ? 3
                               : called == "beside_reserved" ? 1
                                                             : 0,
                               called == "beside_reserved"};
        for (int k = 0; k < 3; k++) CHECK(sizes[k] == finals[k] - hidden[k]);
        has_seen_bound |= called == "bound";

        std::vector<int> members(static_cast<std::size_t>(sizes[1]) + 1, -77);
        CHECK(MPIT_Category_get_perfvars(i, sizes[1] + 1, members.data()) == MPIT_SUCCESS);
        CHECK(members.back() == -77);
        for (int m = 0; m < sizes[1]; m++) {
            const draft_performance seen = performance_at(members[static_cast<std::size_t>(m)]);
            CHECK(seen.description != "A message's");
            if (called == "bound") CHECK(seen.name.substr(0, 2) == "b_");
        }
        std::vector<int> controls(static_cast<std::size_t>(sizes[0]) + 1, -77);
        CHECK(MPIT_Category_get_controlvars(i, sizes[0], controls.data()) == MPIT_SUCCESS);
        if (called == "controls") CHECK(control_at(controls[0]).name == "C_INT");
        CHECK(controls.back() == -77);
        int one[2] = {-77, -77};
        CHECK(MPIT_Category_get_categories(i, 1, one) == MPIT_SUCCESS);
        CHECK((one[0] == -77) == (sizes[2] == 0));
        CHECK(one[1] == -77);
    }
    CHECK(has_seen_bound);
    for (const int wrong : {-1, count, INT_MAX}) {
        int one = -77;
        CHECK(MPIT_Category_get_info(wrong, nullptr, nullptr, nullptr, nullptr, &one, nullptr, nullptr) ==
              MPIT_ERR_INVALIDINDEX);
        for (const auto get :
             {&MPIT_Category_get_controlvars, &MPIT_Category_get_perfvars, &MPIT_Category_get_categories})
            CHECK(get(wrong, 1, &one) == MPIT_ERR_INVALIDCATEGORY);
        CHECK(one == -77);
    }
}

TEST_CASE("A library that is not an MPI shows nothing under names of MPI", "[T2011-07]") {
    const draft_initialized draft;
    CHECK(draft_control_index("MPIT_HIDDEN") == -1);
    CHECK(draft_control_index("mpi_t_shown") >= 0);
    CHECK(draft_performance_index("MPI_hidden_counter") == -1);
    CHECK(draft_performance_index("r_shown") >= 0);
    CHECK(draft_performance_index("r_inside") >= 0);
}

// The last test case, because the ones before count the members of all categories.
TEST_CASE("A performance variable whose number of elements depends on the object is not in the draft", "[T2011-21]") {
    const draft_initialized draft;
    const initialized now;
    mpit::dynamic group{"draft_elements"};
    const auto three_elements = [](std::uint64_t, void*) { return std::uint32_t{3}; };
    const auto value_at = [](std::uint64_t, std::uint32_t element, void*) { return element + 5; };
    REQUIRE(group.computed<mpit::performance_class::level, unsigned>(
                "d_elements", "",
                {.value_at = value_at, .bound = {mpit::binding::communicator, sizeof(void*), three_elements}}) ==
            mpit::result::success);
    REQUIRE(group.publish().seen == 1);
    CHECK(pvar_index("d_elements", MPI_T_PVAR_CLASS_LEVEL) >= 0);
    CHECK(draft_performance_index("d_elements") == -1);
}
