// MPI-5.0, 15.3.1, 15.3.2 and 15.3.5: for whom a variable is, and the kind of MPI object that it belongs to; the types of
// values, texts, and enumerations with their items. A handle of an object is a number here, as the library sees it: it is
// fetched through an address, compared, and never followed.
#include "../descriptions.hpp"
#include "another_process.hpp"

#include <mpit/module/publish_pending.hpp>

#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <sys/mman.h>

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

// The argument for an enumeration holds garbage before each query.
MPI_T_enum garbage() { return handle_number<MPI_T_enum>(0xdead); }

std::vector<typed_texts> facts_of_all() {
    std::vector<typed_texts> facts;
    for (const cvar_info& each : all_of<cvar_info>()) facts.push_back(each);
    for (const pvar_info& each : all_of<pvar_info>()) facts.push_back(each);
    return facts;
}
MPI_T_enum enumeration_of(const char* control) { return cvar_info{control}.enumeration; }
MPI_T_enum enumeration_of_state() { return pvar_info{"p_state", MPI_T_PVAR_CLASS_STATE}.enumeration; }
std::set<MPI_T_enum> every_enumeration() {
    std::set<MPI_T_enum> handles;
    for (const typed_texts& each : facts_of_all()) handles.insert(each.enumeration);
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
    CHECK(cvar_info{control_name}.datatype == type);
    CHECK(pvar_info{generic_name, MPI_T_PVAR_CLASS_GENERIC}.datatype == type);
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

TEST_CASE_METHOD(initialized, "Every variable has one of the eleven types, and each of the eleven occurs", "[DT-01]") {
    std::set<MPI_Datatype> seen;
    for (const typed_texts& each : facts_of_all()) {
        CHECK(legal_types.count(each.datatype) == 1);
        seen.insert(each.datatype);
    }
    CHECK(seen == legal_types);
    CHECK(seen.size() == 11);
}

TEST_CASE_METHOD(initialized,
                 "Without MPI every type is told, and its smallest and largest value survive a write and a read",
                 "[DT-03][DT-04]") {
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

TEST_CASE_METHOD(initialized, "A value of several elements is read and written as consecutive objects, and no more",
                 "[DT-03]") {
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

TEST_CASE_METHOD(initialized, "The count of a text includes the longest value and its null", "[DT-05]") {
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

TEST_CASE_METHOD(initialized, "A short text replaces a long one, and bytes after the null are ignored", "[DT-06]") {
    cvar text{"C_TEXT"};
    char in[32], out[32];
    std::memset(in, 'x', sizeof in);
    in[31] = '\0';
    REQUIRE(MPI_T_cvar_write(text.handle, in) == MPI_SUCCESS);
    std::memcpy(in, "short", 6);
    REQUIRE(MPI_T_cvar_write(text.handle, in) == MPI_SUCCESS);
    std::memset(out, 'y', sizeof out);
    REQUIRE(MPI_T_cvar_read(text.handle, out) == MPI_SUCCESS);
    CHECK(std::string(out, sizeof out) == std::string("short").append(27, '\0'));
    CHECK(all.controls.text.get() == "short");
}

TEST_CASE_METHOD(initialized, "Only variables of type int have an enumeration, and all others report none", "[DT-07]") {
    for (const typed_texts& each : facts_of_all()) {
        CHECK(each.enumeration != garbage());
        if (each.enumeration != MPI_T_ENUM_NULL) CHECK(each.datatype == MPI_INT);
    }
    CHECK(enumeration_of("C_DOUBLE") == MPI_T_ENUM_NULL);
    CHECK(enumeration_of("C_INT") == MPI_T_ENUM_NULL);
    CHECK(enumeration_of("C_COLOUR") != MPI_T_ENUM_NULL);
    CHECK(enumeration_of_state() != MPI_T_ENUM_NULL);
}

TEST_CASE_METHOD(initialized, "An enumeration always has the same name and number of items", "[DT-08]") {
    for (int round = 0; round < 3; round++) {
        int count = -1;
        CHECK(name_of(enumeration_of("C_COLOUR"), &count) == "colour");
        CHECK(count == 3);
        CHECK(name_of(enumeration_of("LIGHT"), &count) == "lamp");
        CHECK(count == 2);
        initialized again;
        for (MPI_T_enum each : every_enumeration()) {
            CHECK(!name_of(each, &count).empty());
            CHECK(count >= 1);
        }
    }
}

TEST_CASE_METHOD(initialized, "No two enumerations have one name, and variables of one type share theirs", "[DT-09]") {
    std::set<std::string> names;
    int count = 0;
    for (MPI_T_enum each : every_enumeration()) CHECK(names.insert(name_of(each, &count)).second);
    CHECK(names == std::set<std::string>{"colour", "lamp"});
    CHECK(enumeration_of("C_COLOUR") == enumeration_of_state());
}

TEST_CASE_METHOD(initialized, "Items are listed in the order of declaration, whatever their values", "[DT-10]") {
    const MPI_T_enum colours = enumeration_of("C_COLOUR");
    CHECK(item_of(colours, 0) == item{-5, "red"});
    CHECK(item_of(colours, 1) == item{100, "green"});
    CHECK(item_of(colours, 2) == item{7, "blue"});
}

TEST_CASE_METHOD(initialized, "Items of one enumeration have different names, and two enumerations may share some",
                 "[DT-11]") {
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

TEST_CASE_METHOD(initialized, "A value outside its enumeration cannot be written", "[DT-15]") {
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

namespace {

constexpr int verbosities[] = {
    MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL,
};
// A counter that is bound to one kind of object counts for each of two objects apart.
template <class Handle, class Counter>
void expect_a_value_for_each_object(Counter& counter, const char* name, int bind) {
    INFO(name);
    CHECK(pvar_info{name}.bind == bind);
    Handle one = handle_number<Handle>(0x1001), other = handle_number<Handle>(0x1002);
    mpit::created(all, one);
    mpit::created(all, other);
    session s;
    pvar of_one{s, name, MPI_T_PVAR_CLASS_COUNTER, &one}, of_other{s, name, MPI_T_PVAR_CLASS_COUNTER, &other};
    REQUIRE(of_one.start() == MPI_SUCCESS);
    REQUIRE(of_other.start() == MPI_SUCCESS);
    ++counter[one];
    ++counter[one];
    ++counter[other];
    CHECK(of_one.template read<unsigned long>() == 2);
    CHECK(of_other.template read<unsigned long>() == 1);
    mpit::freed(all, one);
    mpit::freed(all, other);
}

// Allocations on a bound variable that must not succeed.
void expect_refused(void* object_handle) {
    MPI_T_cvar_handle control{};
    MPI_T_pvar_handle performance{};
    int count = -7;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("C_BOUND"), object_handle, &control, &count) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(control == MPI_T_CVAR_HANDLE_NULL);
    session s;
    for (int var_class : {MPI_T_PVAR_CLASS_COUNTER, MPI_T_PVAR_CLASS_HIGHWATERMARK}) {
        const char* name = var_class == MPI_T_PVAR_CLASS_COUNTER ? "b_comm" : "b_watermark";
        CHECK(MPI_T_pvar_handle_alloc(s.handle, pvar_index(name, var_class), object_handle, &performance, &count) ==
              MPI_T_ERR_INVALID_HANDLE);
        CHECK(performance == MPI_T_PVAR_HANDLE_NULL);
    }
    CHECK(count == -7);
    MPI_T_event_registration event{};
    CHECK(MPI_T_event_handle_alloc(event_index("e_bound"), object_handle, MPI_INFO_NULL, &event) ==
          MPI_T_ERR_INVALID_HANDLE);
    CHECK(event == nullptr);
}

} // namespace

TEST_CASE_METHOD(initialized, "Every variable has one of the nine verbosities", "[VERB-02]") {
    std::set<int> seen;
    for (const typed_texts& each : facts_of_all()) seen.insert(each.verbosity);
    CHECK(seen == std::set<int>(std::begin(verbosities), std::end(verbosities)));
    CHECK(seen.size() == 9);
}

TEST_CASE_METHOD(initialized, "A variable has the verbosity that its author chose", "[VERB-02]") {
    const char* names[] = {"v_user_basic",      "v_user_detail",      "v_user_all",
                           "v_tuner_basic",     "v_tuner_detail",     "v_tuner_all",
                           "v_developer_basic", "v_developer_detail", "v_developer_all"};
    for (std::size_t i = 0; i < std::size(names); i++) CHECK(pvar_info{names[i]}.verbosity == verbosities[i]);
}

TEST_CASE_METHOD(initialized, "A variable whose author chose no verbosity is for users", "[VERB-04]") {
    CHECK(cvar_info{"C_INT"}.verbosity == 0x09);
    CHECK(pvar_info{"p_counter"}.verbosity == 0x09);
}

namespace {

// What one of two processes has, and the other has not.
struct foreign_variables : mpit::category<"foreign", "Of one of two processes"> {
    mpit::control<int> control{this, "A_FOREIGN", "A number"};
    mpit::counter<> counter{this, "a_foreign", "Events"};
};
std::vector<std::string> lines_of_everything() {
    std::vector<std::string> all;
    const auto add = [&](const char* kind, const std::vector<std::string>& lines) {
        for (const std::string& each : lines) all.push_back(std::string{kind} + each + "\n");
    };
    add("listed control ", lines_of_all<cvar_info>());
    add("listed performance ", lines_of_all<pvar_info>());
    add("listed event ", lines_of_all<event_info>());
    add("listed category ", lines_of_all<category_info>());
    return all;
}

} // namespace

TEST_CASE("Prints the lines of everything", "[.]") {
    mpit::registry::register_tree(mpit::tree_holder<foreign_variables>::held.tree, "a library of this process");
    initialized now;
    for (const std::string& each : lines_of_everything()) std::fputs(each.c_str(), stdout);
}

TEST_CASE_METHOD(
    initialized,
    "What two processes of a program have is described alike, in the same order, also where one of them has more",
    "[CVAR-08][PVAR-11][EVT-10][CAT-05][DT-16]") {
    std::vector<std::string> there = lines_of_another_process("Prints the lines of everything", "listed ", "C_INT=9");
    for (const char* line :
         {"listed control A_FOREIGN: A number 9 1 3 521\n", "listed performance a_foreign: Events 9 1 7 0 0 1 527\n",
          "listed category foreign: Of one of two processes\n"})
        CHECK(std::erase(there, line) == 1);
    CHECK(there == lines_of_everything());
}

TEST_CASE("The object handle of an unbound variable is ignored, whatever it is", "[BIND-01]") {
    STATIC_REQUIRE(MPI_T_BIND_NO_OBJECT == 1);
    initialized tools;
    CHECK(cvar_info{"C_INT"}.bind == MPI_T_BIND_NO_OBJECT);
    CHECK(pvar_info{"p_counter"}.bind == MPI_T_BIND_NO_OBJECT);
    void* const nowhere = reinterpret_cast<void*>(std::uintptr_t{0x101});
    cvar without{"C_INT"}, with{"C_INT", nowhere};
    CHECK(without.write(8) == MPI_SUCCESS);
    CHECK(with.read() == 8);
    CHECK(with.write(5) == MPI_SUCCESS);
    CHECK(without.read() == 5);

    session s;
    pvar counter{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER}, same{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER, nowhere};
    CHECK(counter.start() == MPI_SUCCESS);
    CHECK(same.start() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(counter.read() == 1);
    CHECK(same.read() == 1);
}

TEST_CASE_METHOD(
    initialized, "A variable bound to any of the eleven kinds of object has a value for each object",
    "[BIND-02][BIND-03][BIND-04][BIND-05][BIND-06][BIND-07][BIND-08][BIND-09][BIND-10][BIND-11][BIND-12]") {
    auto& bound = all.bound;
    expect_a_value_for_each_object<MPI_ABI_Comm*>(bound.comm, "b_comm", MPI_T_BIND_MPI_COMM);
    expect_a_value_for_each_object<MPI_ABI_Datatype*>(bound.datatype, "b_datatype", MPI_T_BIND_MPI_DATATYPE);
    expect_a_value_for_each_object<MPI_ABI_Errhandler*>(bound.errhandler, "b_errhandler", MPI_T_BIND_MPI_ERRHANDLER);
    expect_a_value_for_each_object<MPI_ABI_File*>(bound.file, "b_file", MPI_T_BIND_MPI_FILE);
    expect_a_value_for_each_object<MPI_ABI_Group*>(bound.group, "b_group", MPI_T_BIND_MPI_GROUP);
    expect_a_value_for_each_object<MPI_ABI_Op*>(bound.op, "b_op", MPI_T_BIND_MPI_OP);
    expect_a_value_for_each_object<MPI_ABI_Request*>(bound.request, "b_request", MPI_T_BIND_MPI_REQUEST);
    expect_a_value_for_each_object<MPI_ABI_Win*>(bound.win, "b_win", MPI_T_BIND_MPI_WIN);
    expect_a_value_for_each_object<MPI_ABI_Message*>(bound.message, "b_message", MPI_T_BIND_MPI_MESSAGE);
    expect_a_value_for_each_object<MPI_ABI_Info*>(bound.info, "b_info", MPI_T_BIND_MPI_INFO);
    expect_a_value_for_each_object<MPI_ABI_Session*>(bound.session, "b_session", MPI_T_BIND_MPI_SESSION);
}

TEST_CASE_METHOD(initialized, "A bound control variable has a value for each communicator", "[BIND-02]") {
    CHECK(cvar_info{"C_BOUND"}.bind == MPI_T_BIND_MPI_COMM);
    communicator one = handle_number<communicator>(0x2001), other = handle_number<communicator>(0x2002);
    mpit::created(all, one);
    mpit::created(all, other);
    cvar of_one{"C_BOUND", &one}, of_other{"C_BOUND", &other};
    CHECK(of_one.write(70) == MPI_SUCCESS);
    CHECK(of_one.read() == 70);
    CHECK(of_other.read() == 7);
    CHECK(all.controls.bound[one] == 70);
    CHECK(all.controls.bound[other] == 7);
}

TEST_CASE_METHOD(initialized, "A handle stays with its object when the variable that held the object's handle changes",
                 "[BIND-13]") {
    const communicator one = handle_number<communicator>(0x3001), other = handle_number<communicator>(0x3002);
    mpit::created(all, one);
    mpit::created(all, other);
    communicator local = one;
    session s;
    cvar control{"C_BOUND", &local};
    pvar counter{s, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &local};
    local = other;
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.comm[one];
    CHECK(counter.read<unsigned long>() == 1);
    ++all.bound.comm[other];
    CHECK(counter.read<unsigned long>() == 1);
    CHECK(control.write(33) == MPI_SUCCESS);
    local = nullptr;
    CHECK(control.read() == 33);
    CHECK(all.controls.bound[one] == 33);
    CHECK(all.controls.bound[other] == 7);
}

TEST_CASE_METHOD(initialized, "A handle on a bound variable needs an existing object", "[BIND-14]") {
    communicator null_handle = nullptr, unknown = handle_number<communicator>(0x4444),
                 freed = handle_number<communicator>(0x4001);
    mpit::created(all, freed);
    mpit::freed(all, freed);
    expect_refused(nullptr);
    expect_refused(&null_handle);
    expect_refused(&unknown);
    expect_refused(&freed);
}

TEST_CASE_METHOD(initialized, "An object handle that is passed instead of its address is refused", "[BIND-14]") {
    mpit::created(all, handle_number<communicator>(0x101));
    void* const closed = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(closed != MAP_FAILED);
    for (const std::uint64_t no_address : {0x101ul, 1ul, 4095ul, 0x8000000000000000ul, ~0ul}) {
        errno = 7;
        expect_refused(handle_number<void*>(no_address));
        CHECK(errno == 7);
    }
    expect_refused(closed);
    expect_refused(static_cast<char*>(closed) + 4092);
    CHECK(munmap(closed, 4096) == 0);
}

TEST_CASE_METHOD(initialized, "An object handle of four bytes may be the last one before memory that cannot be read",
                 "[BIND-15]") {
    auto* const pages =
        static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + 4096, 4096, PROT_NONE) == 0);
    const int number = 0x1234;
    void* const last = pages + 4092;
    std::memcpy(last, &number, sizeof number);
    ++all.bound.named[number];
    session s;
    MPI_T_pvar_handle handle{};
    int count = 0;
    const int index = pvar_index("b_named", MPI_T_PVAR_CLASS_COUNTER);
    CHECK(MPI_T_pvar_handle_alloc(s.handle, index, last, &handle, &count) == MPI_SUCCESS);
    CHECK(munmap(pages, 8192) == 0);
}

TEST_CASE_METHOD(initialized, "A predefined object is bound through a copy of its handle, which need not be an address",
                 "[BIND-15]") {
    communicator world = handle_number<communicator>(0x101);
    mpit::created(all, world);
    session s;
    pvar counter{s, "b_comm", MPI_T_PVAR_CLASS_COUNTER, &world};
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.comm[handle_number<communicator>(0x101)];
    CHECK(counter.read<unsigned long>() == 1);
}

TEST_CASE_METHOD(initialized, "A handle that is an int in its MPI is fetched as an int", "[BIND-15]") {
    CHECK(pvar_info{"b_named"}.bind == MPI_T_BIND_MPI_COMM);
    struct {
        int handle;
        int behind;
    } world{0x44000000, -1};
    mpit::created<mpit::binding::communicator>(all, world.handle);
    session s;
    pvar counter{s, "b_named", MPI_T_PVAR_CLASS_COUNTER, &world.handle};
    REQUIRE(counter.start() == MPI_SUCCESS);
    ++all.bound.named[world.handle];
    CHECK(counter.read<unsigned long>() == 1);
}
