// What authors do with each kind of variable, and what a tool then sees, as far as tests/standard does not show it: numbers with a meaning of their own, control variables that the library changes, and those that were there before
// mpit: switches, enumerations of any size and in whole numbers, texts in arrays and in std::string. And what is written
// outside: any case, other spellings, sizes.
#include "../reports_kept.hpp"
#include "../tool.hpp"

#include <mpit/settings.hpp>
#include <mpit/tool.hpp>

#include <limits>
#include <mutex>

namespace {

// What an existing library already has.
int existing_limit = 4096;
double existing_ratio = 0.5;
std::int64_t existing_count = 7;
int last_asked = 0;
bool is_open = true;

struct valued_variables : mpit::category<"values", "What this file looks at"> {
    mpit::control<int> limit{this,
                             "LIMIT",
                             "A number that somebody is asked about",
                             {.initial = {10, 0, 100}, .valid = [](const int& wanted) {
        return wanted != 13;
    }, .on_write = [](const int& wanted) {
        last_asked = wanted;
        return is_open ? mpit::reply::accepted : mpit::reply::not_now;
    }}};
    mpit::control<int> readonly{this, "READONLY", "The library's", {.initial = 1, .scope = mpit::scope::readonly}};
    mpit::control_ref<int> adopted{this,
                                   "ADOPTED_LIMIT",
                                   "Kept elsewhere",
                                   {.storage = &existing_limit, .range = {0, 1 << 20}, .valid = [](const int& wanted) {
        return wanted % 2 == 0;
    }, .on_write = [](const int& wanted) { return wanted == 42 ? mpit::reply::never : mpit::reply::accepted; }}};
    mpit::control_ref<double> ratio{this, "ADOPTED_RATIO", "Kept elsewhere", {.storage = &existing_ratio}};
    mpit::control_ref<std::int64_t> count{this, "ADOPTED_COUNT", "Kept elsewhere", {.storage = &existing_count}};
    mpit::level<unsigned long> queue{this, "queue", "Entries", {.initial = 2}};
    mpit::level<double> load{this, "load", "Load", {.initial = 0.5}};
};
constexpr auto& values = mpit::registered<valued_variables>;

struct generic_variables : mpit::category<"generics", "A number of every type, that starts at 40"> {
    mpit::generic<int> of_int{this, "of_int", "A number", {.initial = 40}};
    mpit::generic<unsigned> of_unsigned{this, "of_unsigned", "A number", {.initial = 40}};
    mpit::generic<unsigned long> of_unsigned_long{this, "of_unsigned_long", "A number", {.initial = 40}};
    mpit::generic<unsigned long long> of_unsigned_long_long{this, "of_unsigned_long_long", "A number", {.initial = 40}};
    mpit::generic<double> of_double{this, "of_double", "A number", {.initial = 40}};
    mpit::generic<long> of_long{this, "of_long", "A number", {.initial = 40}};
    mpit::generic<mpit::exact<std::int32_t>> of_int32{this, "of_int32", "A number", {.initial = 40}};
    mpit::generic<mpit::exact<std::uint32_t>> of_uint32{this, "of_uint32", "A number", {.initial = 40}};
    mpit::generic<mpit::exact<std::uint64_t>> of_uint64{this, "of_uint64", "A number", {.initial = 40}};
    mpit::generic<mpit::count> of_count{this, "of_count", "A number", {.initial = 40}};
};
constexpr auto& generics = mpit::registered<generic_variables>;

template <class T> struct check_generic {
    template <class Variable> static void run(Variable& variable, const char* name) {
        const session s;
        const pvar handle{s, name, MPI_T_PVAR_CLASS_GENERIC};
        REQUIRE(handle.start() == MPI_SUCCESS);
        CHECK(handle.read<T>() == T(40));
        variable += T(2);
        CHECK(variable.get() == T(42));
        CHECK(handle.read<T>() == T(42));
        variable = T(1);
        CHECK(handle.read<T>() == T(1));
        REQUIRE(handle.reset() == MPI_SUCCESS);
        CHECK(handle.read<T>() == T(40));
        variable = std::numeric_limits<T>::max();
        CHECK(variable.get() == std::numeric_limits<T>::max());
        variable = std::numeric_limits<T>::lowest();
        CHECK(variable.get() == std::numeric_limits<T>::lowest());
        variable = T(40);
    }
};

} // namespace

TEST_CASE("A level rises and falls by any step", "[PCLASS-03]") {
    const initialized interface;
    const session s;
    const pvar handle{s, "queue", MPI_T_PVAR_CLASS_LEVEL};
    REQUIRE(handle.start() == MPI_SUCCESS);
    CHECK(handle.read<unsigned long>() == 2);
    ++values.queue;
    values.queue++;
    values.queue += 10;
    --values.queue;
    values.queue--;
    values.queue -= 2u;
    values.queue += -4;
    CHECK(values.queue.get() == 6);
    CHECK(handle.read<unsigned long>() == 6);
    values.queue = 0;
    CHECK(handle.read<unsigned long>() == 0);
    values.queue = 2;

    values.load += 0.25;
    values.load -= 0.5;
    CHECK(values.load.get() == 0.25);
    values.load = 0.5;
}

TEST_CASE("A generic variable of any type starts at its declared value, and again after a reset", "[PCLASS-13]") {
    const initialized interface;
    check_generic<int>::run(generics.of_int, "of_int");
    check_generic<unsigned>::run(generics.of_unsigned, "of_unsigned");
    check_generic<unsigned long>::run(generics.of_unsigned_long, "of_unsigned_long");
    check_generic<unsigned long long>::run(generics.of_unsigned_long_long, "of_unsigned_long_long");
    check_generic<double>::run(generics.of_double, "of_double");
    check_generic<long>::run(generics.of_long, "of_long");
    check_generic<std::int32_t>::run(generics.of_int32, "of_int32");
    check_generic<std::uint32_t>::run(generics.of_uint32, "of_uint32");
    check_generic<std::uint64_t>::run(generics.of_uint64, "of_uint64");
    check_generic<std::int64_t>::run(generics.of_count, "of_count");
}

TEST_CASE("An assignment of the author is not validated, and a tool reads it", "[CVAR-17]") {
    const initialized interface;
    const cvar limit{"LIMIT"}, readonly{"READONLY"};
    last_asked = 0;
    values.limit = 13;
    values.readonly = 2;
    CHECK(last_asked == 0);
    CHECK(limit.read() == 13);
    CHECK(readonly.read() == 2);
    CHECK(readonly.write(3) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(values.readonly == 2);
    values.limit = 10;
}

TEST_CASE("A write passes the range, then the validator, and then the on-write function", "[CVAR-20][CVAR-22]") {
    const initialized interface;
    const cvar limit{"LIMIT"};
    last_asked = 0;
    for (const int refused : {-1, 101, 13}) CHECK(limit.write(refused) == MPI_T_ERR_INVALID);
    CHECK(last_asked == 0);
    is_open = false;
    CHECK(limit.write(50) == MPI_T_ERR_CVAR_SET_NOT_NOW);
    CHECK(last_asked == 50);
    CHECK(values.limit == 10);
    is_open = true;
    CHECK(limit.write(50) == MPI_SUCCESS);
    CHECK(values.limit == 50);
    values.limit = 10;
}

TEST_CASE("An adopted variable is the library's own: both sides change one value", "[CVAR-17][CVAR-18]") {
    const initialized interface;
    const cvar adopted{"ADOPTED_LIMIT"}, ratio{"ADOPTED_RATIO"}, count{"ADOPTED_COUNT"};
    CHECK(adopted.read() == 4096);
    CHECK(adopted.write(8192) == MPI_SUCCESS);
    CHECK(existing_limit == 8192);
    existing_limit = 7;
    CHECK(adopted.read() == 7);
    CHECK(values.adopted.get() == 7);
    CHECK(ratio.write(0.25) == MPI_SUCCESS);
    CHECK(existing_ratio == 0.25);
    CHECK(count.write(std::int64_t{1} << 40) == MPI_SUCCESS);
    CHECK(existing_count == std::int64_t{1} << 40);
}

TEST_CASE("An adopted variable keeps its range, its validator and its on-write function", "[CVAR-19][CVAR-22]") {
    const initialized interface;
    const cvar adopted{"ADOPTED_LIMIT"};
    existing_limit = 4096;
    for (const int refused : {-2, (1 << 20) + 2, 3}) CHECK(adopted.write(refused) == MPI_T_ERR_INVALID);
    CHECK(adopted.write(42) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(existing_limit == 4096);
}

// As a library in a namespace writes it, with enumerations of C and of C++.
namespace lab {

enum class protocol : unsigned char { eager, rendezvous = 7, automatic = 200 };
constexpr auto enumeration_of(protocol) {
    return mpit::enumerators<protocol>("lab_protocol", {{"eager", protocol::eager},
                                                        {"rendezvous", protocol::rendezvous, "rndv, rdv"},
                                                        {"automatic", protocol::automatic, "auto"}});
}
enum level { level_low = -1, level_middle, level_high };
constexpr auto enumeration_of(level) {
    return mpit::enumerators<level>("lab_level",
                                    {{"low", level_low}, {"middle", level_middle}, {"high", level_high, "HIGHEST"}});
}

bool checks = true;
int c_switch = 5;
protocol chosen = protocol::rendezvous;
long chosen_number = 7;
level amount = level_middle;
signed char small_amount = 1;
char device[8] = "eth0";
unsigned long limit = 65536;
std::string host = "alpha";
std::string path = "/usr";
std::mutex path_mutex;
bool is_open = true;

struct variables_type : mpit::category<"lab_adopted", "What a library has"> {
    mpit::control<bool> verbose{this, "LAB_VERBOSE", "Whether it talks", {.initial = true}};
    mpit::control<bool, MPI_ABI_Comm*> bound{this, "LAB_BOUND", "Whether it talks of one communicator"};
    mpit::control_ref<bool> checks_{this, "LAB_CHECKS", "Whether arguments are checked", {.storage = &checks}};
    mpit::control_ref<bool, int> c_switch_{this, "LAB_SWITCH", "A switch of C", {.storage = &c_switch}};
    mpit::control_ref<protocol> chosen_{this, "LAB_PROTOCOL", "How messages travel", {.storage = &chosen}};
    mpit::control_ref<protocol, long> number_{this, "LAB_PROTOCOL_NUMBER", "The same", {.storage = &chosen_number}};
    mpit::control_ref<level> amount_{this, "LAB_AMOUNT", "How much is said", {.storage = &amount}};
    mpit::control_ref<level, signed char> small_{this, "LAB_SMALL", "The same in a byte", {.storage = &small_amount}};
    mpit::control_ref<char[8]> device_{
        this, "LAB_DEVICE", "Name of the device", {.storage = &device, .valid = [](const mpit::characters<8>& wanted) {
        return !(wanted == "none");
    }, .on_write = [](const mpit::characters<8>&) { return is_open ? mpit::reply::accepted : mpit::reply::not_now; }}};
    mpit::control_ref<std::string> host_{this, "LAB_HOST", "Where it runs", {.storage = &host, .length = 15}};
    mpit::control_ref<std::string> path_{
        this, "LAB_PATH", "Where its files are", {.storage = &path, .read = [](char* to, std::size_t room) {
        const std::lock_guard guard{path_mutex};
        path.copy(to, room - 1);
    }, .scope = mpit::scope::local, .valid = [](const std::string& wanted) {
        return wanted[0] == '/';
    }, .on_write = [](const std::string& wanted) {
        const std::lock_guard guard{path_mutex};
        path = wanted;
        return mpit::reply::accepted;
    }}};
    mpit::control_ref<unsigned long> limit_{
        this, "LAB_LIMIT", "In bytes", {.storage = &limit, .range = {0, 1ul << 40}, .unit = mpit::unit::bytes}};
    mpit::control<int[2]> sizes{this, "LAB_SIZES", "In bytes", {.initial = {1, 2}, .unit = mpit::unit::bytes}};
    mpit::control<double> rate{this, "LAB_RATE", "In bytes a second", {.unit = mpit::unit::bytes}};
    mpit::control<int> number{this, "LAB_NUMBER", "A number", {.initial = 5}};
    mpit::state<bool> is_busy{this, "lab_is_busy", "Whether it works"};
};
constexpr auto& variables = mpit::registered<variables_type>;

} // namespace lab

namespace {

// The names and values of the items that a tool sees, or nothing if there is no enumeration.
std::string items_of(const char* name) {
    MPI_T_enum items = MPI_T_ENUM_NULL;
    MPI_Datatype type{};
    REQUIRE(MPI_T_cvar_get_info(cvar_index(name), nullptr, nullptr, nullptr, &type, &items, nullptr, nullptr, nullptr,
                                nullptr) == MPI_SUCCESS);
    REQUIRE(type == MPI_INT);
    if (items == MPI_T_ENUM_NULL) return "";
    char text[64];
    int count = 0, length = sizeof text;
    REQUIRE(MPI_T_enum_get_info(items, &count, text, &length) == MPI_SUCCESS);
    std::string told = text;
    for (int i = 0; i < count; i++) {
        int value = 0;
        length = sizeof text;
        REQUIRE(MPI_T_enum_get_item(items, i, &value, text, &length) == MPI_SUCCESS);
        told += (i == 0 ? ": " : ", ") + std::string{text} + "=" + std::to_string(value);
    }
    return told;
}
std::string read_text(const char* name) {
    const cvar handle{name};
    std::string seen(static_cast<std::size_t>(handle.count) + 1, 'x');
    REQUIRE(MPI_T_cvar_read(handle.handle, seen.data()) == MPI_SUCCESS);
    for (auto i = std::strlen(seen.c_str()); i < static_cast<std::size_t>(handle.count); i++) CHECK(seen[i] == '\0');
    return seen.c_str();
}
int write_text(const char* name, const char* wanted) {
    const cvar handle{name};
    std::string room(static_cast<std::size_t>(handle.count), '\0');
    room.replace(0, std::strlen(wanted), wanted);
    return MPI_T_cvar_write(handle.handle, room.data());
}
// Gives a value as the command line does, to variables that no tool has written: its word would be the last one.
void give(const std::string& setting) {
    mpit::descriptor::for_each_item(mpit::registered<lab::variables_type>, [](mpit::descriptor::item& each) {
        if (each.item_kind == mpit::descriptor::kind::control)
            static_cast<mpit::descriptor::control&>(each).provenance_word.store(0);
    });
    std::string program = "program", option = "--mpit", value = setting;
    char* arguments[] = {program.data(), option.data(), value.data(), nullptr};
    int count = 3;
    static_cast<void>(mpit::take_arguments(count, arguments));
}

} // namespace

TEST_CASE("A tool sees a bool as an int with the items false and true", "[DT-01][CVAR-09]") {
    const initialized interface;
    CHECK(items_of("LAB_VERBOSE") == "bool: false=0, true=1");
    CHECK(items_of("LAB_CHECKS") == "bool: false=0, true=1");
    CHECK(items_of("LAB_SWITCH") == "bool: false=0, true=1");
    const cvar verbose{"LAB_VERBOSE"};
    CHECK(verbose.read() == 1);
    CHECK(verbose.write(0) == MPI_SUCCESS);
    CHECK_FALSE(lab::variables.verbose);
    CHECK(verbose.write(2) == MPI_T_ERR_INVALID);
    CHECK(verbose.write(-1) == MPI_T_ERR_INVALID);
    CHECK(verbose.read() == 0);
    lab::variables.verbose = true;
    CHECK(verbose.read() == 1);
}

TEST_CASE("An adopted bool is one byte of its library, and an int of C is a switch as well", "[CVAR-17][CVAR-18]") {
    const initialized interface;
    const cvar checks{"LAB_CHECKS"}, c_switch{"LAB_SWITCH"};
    CHECK(checks.read() == 1);
    CHECK(checks.write(0) == MPI_SUCCESS);
    CHECK_FALSE(lab::checks);
    CHECK(checks.write(2) == MPI_T_ERR_INVALID);
    CHECK(c_switch.read() == 1);
    CHECK(lab::c_switch == 5);
    CHECK(c_switch.write(0) == MPI_SUCCESS);
    CHECK(lab::c_switch == 0);
    CHECK(c_switch.write(1) == MPI_SUCCESS);
    CHECK(lab::c_switch == 1);
    CHECK(c_switch.write(5) == MPI_T_ERR_INVALID);
}

TEST_CASE("An adopted enumeration is an int for tools, whatever its size and its storage", "[DT-07][CVAR-18]") {
    const initialized interface;
    CHECK(items_of("LAB_PROTOCOL") == "lab_protocol: eager=0, rendezvous=7, automatic=200");
    CHECK(items_of("LAB_SMALL") == "lab_level: low=-1, middle=0, high=1");
    const cvar chosen{"LAB_PROTOCOL"}, number{"LAB_PROTOCOL_NUMBER"}, amount{"LAB_AMOUNT"}, small{"LAB_SMALL"};
    CHECK(chosen.read() == 7);
    CHECK(chosen.write(200) == MPI_SUCCESS);
    CHECK(lab::chosen == lab::protocol::automatic);
    CHECK(chosen.write(1) == MPI_T_ERR_INVALID);
    CHECK(number.read() == 7);
    CHECK(number.write(200) == MPI_SUCCESS);
    CHECK(lab::chosen_number == 200);
    CHECK(number.write(201) == MPI_T_ERR_INVALID);
    CHECK(amount.write(-1) == MPI_SUCCESS);
    CHECK(lab::amount == lab::level_low);
    CHECK(small.read() == 1);
    CHECK(small.write(-1) == MPI_SUCCESS);
    CHECK(lab::small_amount == -1);
    CHECK(small.read() == -1);
    CHECK(small.write(2) == MPI_T_ERR_INVALID);
}

TEST_CASE("An adopted text is read and written in place", "[DT-06][CVAR-18]") {
    const initialized interface;
    CHECK(cvar{"LAB_DEVICE"}.count == 8);
    CHECK(read_text("LAB_DEVICE") == "eth0");
    CHECK(write_text("LAB_DEVICE", "ib") == MPI_SUCCESS);
    CHECK(lab::device == std::string{"ib"});
    CHECK(read_text("LAB_DEVICE") == "ib");
    CHECK(write_text("LAB_DEVICE", "seven_7") == MPI_SUCCESS);
    CHECK(lab::variables.device_.get() == "seven_7");
    CHECK(write_text("LAB_DEVICE", "none") == MPI_T_ERR_INVALID);
    CHECK(MPI_T_cvar_write(cvar{"LAB_DEVICE"}.handle, "eight__8") == MPI_T_ERR_INVALID);
    lab::is_open = false;
    CHECK(write_text("LAB_DEVICE", "eth1") == MPI_T_ERR_CVAR_SET_NOT_NOW);
    lab::is_open = true;
    CHECK(lab::device == std::string{"seven_7"});
    std::memcpy(lab::device, "lo", 3);
    CHECK(read_text("LAB_DEVICE") == "lo");
}

TEST_CASE("An adopted std::string is read by tools, and written by the function of its library alone", "[DT-06]") {
    const initialized interface;
    CHECK(cvar{"LAB_HOST"}.count == 16);
    CHECK(read_text("LAB_HOST") == "alpha");
    CHECK(write_text("LAB_HOST", "beta") == MPI_T_ERR_CVAR_SET_NEVER);
    lab::host = "a name of more than fifteen characters";
    CHECK(read_text("LAB_HOST") == "a name of more ");
    lab::host = "";
    CHECK(read_text("LAB_HOST") == "");
    give("LAB_HOST=gamma");
    CHECK(lab::host == "gamma");
    CHECK(read_text("LAB_HOST") == "gamma");
    give("LAB_HOST=a name from outside of more than fifteen characters");
    CHECK(lab::host == "a name from outside of more than fifteen characters");
    CHECK(read_text("LAB_HOST") == "a name from out");

    CHECK(read_text("LAB_PATH") == "/usr");
    CHECK(write_text("LAB_PATH", "/opt") == MPI_SUCCESS);
    CHECK(lab::path == "/opt");
    CHECK(write_text("LAB_PATH", "opt") == MPI_T_ERR_INVALID);
    give("LAB_PATH=/home");
    CHECK(read_text("LAB_PATH") == "/home");
}

TEST_CASE("Items are accepted from outside in small and capital letters, by other spellings, and by their values") {
    const initialized interface;
    const reports_kept kept;
    for (const char* wanted : {"true", "No", "YES", "off", "On", "0", "1", "FALSE", "y"}) {
        const bool is_true = std::strchr("tYO1y", wanted[0]) != nullptr;
        give(std::string{"LAB_CHECKS="} + wanted);
        CHECK(lab::checks == is_true);
        give(std::string{"LAB_SWITCH="} + wanted);
        CHECK(lab::c_switch == is_true);
        give(std::string{"LAB_VERBOSE="} + wanted);
        CHECK(lab::variables.verbose == is_true);
    }
    for (const char* wanted : {"RNDV", "Rendezvous", "rdv", "7"}) {
        lab::chosen = lab::protocol::eager;
        give(std::string{"LAB_PROTOCOL="} + wanted);
        CHECK(lab::chosen == lab::protocol::rendezvous);
    }
    give("LAB_PROTOCOL_NUMBER=auto");
    CHECK(lab::chosen_number == 200);
    give("LAB_SMALL=highest");
    CHECK(lab::small_amount == 1);
    CHECK(reports.empty());
}

TEST_CASE("A value that is not an item is reported with the items, and changes nothing") {
    const initialized interface;
    const reports_kept kept;
    lab::checks = true;
    give("LAB_CHECKS=2");
    CHECK(lab::checks);
    give("LAB_PROTOCOL=rendez");
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] ==
          "LAB_CHECKS=2 in argument 2 is not accepted: expected one of false, true; the control variable keeps true");
    CHECK(reports[1].find("expected one of eager, rendezvous, automatic; did you mean rendezvous?") !=
          std::string::npos);
}

TEST_CASE("A value may have a suffix such as k or M if its unit is bytes") {
    const initialized interface;
    const reports_kept kept;
    give("LAB_LIMIT=2MiB");
    CHECK(lab::limit == 2097152);
    give("LAB_SIZES=1k,2Ki");
    CHECK(lab::variables.sizes.get()[0] == 1024);
    CHECK(lab::variables.sizes.get()[1] == 2048);
    give("LAB_RATE=1.5G");
    CHECK(lab::variables.rate == 1610612736.0);
    CHECK(reports.empty());
    give("LAB_LIMIT=2T");
    CHECK(lab::limit == 2097152);
    give("LAB_NUMBER=1k");
    CHECK(lab::variables.number == 5);
    REQUIRE(reports.size() == 2);
    CHECK(reports[0] ==
          "LAB_LIMIT=2T in argument 2 is not accepted: expected a whole number of bytes from 0 to "
          "1099511627776 (with or without a unit, as in 64k, 1M or 2GiB); the control variable keeps 2097152");
    CHECK(reports[1] ==
          "LAB_NUMBER=1k in argument 2 is not accepted: expected a whole number; the control variable keeps 5");
}

TEST_CASE("The reader reads a switch as a bool, and shows its items") {
    mpit::tool::library<> interface;
    auto checks = interface.control<bool>("LAB_CHECKS");
    REQUIRE(checks);
    CHECK(checks.write(false) == mpit::result::success);
    CHECK_FALSE(lab::checks);
    CHECK(checks.read() == false);
    CHECK(checks.write(true) == mpit::result::success);
    CHECK(checks.read() == true);
    CHECK(interface.control<bool>("LAB_PROTOCOL").status() == mpit::result::wrong_type);
    CHECK(interface.control<bool>("LAB_NUMBER").status() == mpit::result::wrong_type);
    auto any = interface.control<mpit::tool::any_value>("LAB_CHECKS");
    CHECK(text_of(*any.read(), any.info().enumeration) == "true");
    CHECK(interface.control<std::string>("LAB_DEVICE").read() == std::string{lab::device});
}

TEST_CASE("A dump of adopted variables restores them") {
    const initialized interface;
    lab::checks = false;
    lab::chosen = lab::protocol::automatic;
    lab::amount = lab::level_high;
    lab::limit = 1048577;
    std::memcpy(lab::device, "a b", 4);
    std::string dump;
    REQUIRE(mpit::write_configuration_to([&](mpit::core::text piece) { dump.append(piece.characters, piece.length); }));
    for (const char* line : {"\nLAB_CHECKS = false\n", "\nLAB_PROTOCOL = automatic\n", "\nLAB_AMOUNT = high\n",
                             "\nLAB_DEVICE = \"a b\"\n", "\nLAB_LIMIT = 1048577\n", "# one of false, true;",
                             "# a whole number of bytes from 0 to 1099511627776;", "# one of low, middle, high;"})
        CHECK(dump.find(line) != std::string::npos);
}

TEST_CASE("A switch that is bound to an object has a value for each object", "[BIND-01]") {
    const initialized interface;
    auto* comm = reinterpret_cast<MPI_ABI_Comm*>(0x1230);
    mpit::created(lab::variables, comm);
    const cvar bound{"LAB_BOUND", &comm};
    CHECK(bound.write(1) == MPI_SUCCESS);
    CHECK(lab::variables.bound[comm]);
    CHECK(bound.write(3) == MPI_T_ERR_INVALID);
}

TEST_CASE("A state that is a bool has two items", "[PCLASS-02]") {
    const initialized interface;
    const session s;
    const pvar handle{s, "lab_is_busy", MPI_T_PVAR_CLASS_STATE};
    REQUIRE(handle.start() == MPI_SUCCESS);
    CHECK(handle.read<int>() == 0);
    lab::variables.is_busy = true;
    CHECK(handle.read<int>() == 1);
}
