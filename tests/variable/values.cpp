// What authors do with each kind of variable, and what a tool then sees: sums, timers, levels, watermarks of another
// level, states, numbers with a meaning of their own, and control variables that a tool writes, that the library
// changes, or that were there before mpit.
#include "tool.hpp"

#include <limits>

namespace {

enum class phase { idle, running, ending };

// What an existing library already has.
int existing_limit = 4096;
double existing_ratio = 0.5;
std::int64_t existing_count = 7;
int last_asked = 0;
bool is_open = true;
unsigned long files_open = 3;

} // namespace

template <>
inline constexpr auto mpit::enumeration_of<phase> =
    mpit::enumerators<phase>("phase", {{"idle", phase::idle}, {"running", phase::running}, {"ending", phase::ending}});

namespace {

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
    mpit::control<phase> chosen{this, "CHOSEN", "A phase", {.initial = phase::running}};
    mpit::control<int> readonly{this, "READONLY", "The library's", {.initial = 1, .scope = mpit::scope::readonly}};
    mpit::control_ref<int> adopted{this,
                                   "ADOPTED_LIMIT",
                                   "Kept elsewhere",
                                   {.storage = &existing_limit, .range = {0, 1 << 20}, .valid = [](const int& wanted) {
        return wanted % 2 == 0;
    }, .on_write = [](const int& wanted) { return wanted == 42 ? mpit::reply::never : mpit::reply::accepted; }}};
    mpit::control_ref<double> ratio{this, "ADOPTED_RATIO", "Kept elsewhere", {.storage = &existing_ratio}};
    mpit::control_ref<std::int64_t> count{this, "ADOPTED_COUNT", "Kept elsewhere", {.storage = &existing_count}};
    mpit::aggregate<> bytes{this, "bytes", "Bytes"};
    mpit::aggregate<double> energy{this, "energy", "Joules"};
    mpit::timer seconds{this, "seconds", "Time", {.continuous = true}};
    mpit::timer_of<unsigned long> nanoseconds{this, "nanoseconds", "Time in nanoseconds", {.continuous = true}};
    mpit::level<unsigned long> queue{this, "queue", "Entries", {.initial = 2}};
    mpit::high_watermark<unsigned long> longest{this, "queue", "Most entries", {.of = &queue}};
    mpit::low_watermark<unsigned long> shortest{this, "queue", "Fewest entries", {.of = &queue}};
    mpit::level<double> load{this, "load", "Load", {.initial = 0.5}};
    mpit::high_watermark<double> highest_load{this, "load", "Highest load", {.of = &load}};
    mpit::size<unsigned> room{this, "room", "Room of the queue", {.initial = 64}};
    mpit::percentage<> part{this, "part", "Part in use"};
    mpit::high_watermark<double> highest_part{this, "part", "Largest part in use", {.of = &part}};
    mpit::state<phase> state{this, "state", "A phase", {.initial = phase::idle}};
    mpit::computed<mpit::performance_class::level, unsigned long> open{
        this, "open", "Open files", {.value = [] { return files_open; }}};
    mpit::computed<mpit::performance_class::state, phase> computed_state{
        this, "computed_state", "A phase", {.value = [] { return phase::ending; }}};
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

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

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

TEST_CASE("An aggregate adds any amount that is not negative", "[PCLASS-11]") {
    const auto before = values.bytes.get();
    for (const int amount : {5, 0, -3, 7}) values.bytes += amount;
    values.bytes += -1l;
    values.bytes += static_cast<unsigned char>(200);
    CHECK(values.bytes.get() - before == 212);

    for (const double amount : {0.5, 0.0, -3.0, not_a_number, 0.25}) values.energy += amount;
    CHECK(values.energy.get() == 0.75);
}

TEST_CASE("A timer of doubles shows seconds, and one of integers nanoseconds", "[PCLASS-12]") {
    const initialized interface;
    const session s;
    const pvar seconds{s, "seconds", MPI_T_PVAR_CLASS_TIMER}, nanoseconds{s, "nanoseconds", MPI_T_PVAR_CLASS_TIMER};
    CHECK(seconds.read<double>() == 0.0);
    values.seconds.add(1'500'000'000);
    values.nanoseconds.add(1'500'000'000);
    CHECK(seconds.read<double>() == 1.5);
    CHECK(nanoseconds.read<unsigned long>() == 1'500'000'000);
}

TEST_CASE("A timer runs to the end of its scope, or until it is stopped", "[PCLASS-12]") {
    const auto before = values.seconds.word();
    const auto begin = mpit::core::nanoseconds();
    std::uint64_t inside = 0;
    {
        auto running = values.seconds.start();
        const auto since = mpit::core::nanoseconds();
        while ((inside = mpit::core::nanoseconds() - since) < 1000) {}
    }
    const auto first = values.seconds.word() - before;
    CHECK(first >= inside);
    CHECK(first <= mpit::core::nanoseconds() - begin);
    {
        auto running = values.seconds.start();
        running.stop();
        const auto stopped = values.seconds.word();
        running.stop();
        CHECK(values.seconds.word() == stopped);
    }
}

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

TEST_CASE("A size has the present size of the resource", "[PCLASS-04]") {
    const initialized interface;
    const session s;
    const pvar handle{s, "room", MPI_T_PVAR_CLASS_SIZE};
    CHECK(handle.read<unsigned>() == 64);
    values.room = 128;
    REQUIRE(handle.reset() == MPI_SUCCESS);
    CHECK(handle.read<unsigned>() == 128);
    values.room = 64;
}

TEST_CASE("Watermarks follow their level variable", "[PCLASS-06][PCLASS-07]") {
    const initialized interface;
    const session s;
    const pvar longest{s, "queue", MPI_T_PVAR_CLASS_HIGHWATERMARK}, shortest{s, "queue", MPI_T_PVAR_CLASS_LOWWATERMARK};
    const pvar load{s, "load", MPI_T_PVAR_CLASS_HIGHWATERMARK};
    for (const pvar* each : {&longest, &shortest, &load}) REQUIRE(each->start() == MPI_SUCCESS);
    values.queue += 7;
    values.queue -= 8;
    values.queue += 3;
    CHECK(longest.read<unsigned long>() == 9);
    CHECK(shortest.read<unsigned long>() == 1);
    REQUIRE(longest.reset() == MPI_SUCCESS);
    CHECK(longest.read<unsigned long>() == 4);
    values.queue = 2;

    values.load = 0.75;
    values.load = 0.5;
    CHECK(load.read<double>() == 0.75);
}

TEST_CASE("A tool sees a percentage between 0 and 1, for every value of the library", "[PCLASS-05]") {
    const initialized interface;
    const session s;
    const pvar running{s, "part", MPI_T_PVAR_CLASS_PERCENTAGE};
    REQUIRE(running.start() == MPI_SUCCESS);
    const double said = GENERATE(-0.5, 0.0, 0.5, 1.0, 1.5, infinite, -infinite, not_a_number);
    values.part = said;
    const double shown = said > 1 ? 1 : said > 0 ? said : 0;
    const pvar never_started{s, "part", MPI_T_PVAR_CLASS_PERCENTAGE};
    CHECK(running.read<double>() == shown);
    CHECK(never_started.read<double>() == shown);
    REQUIRE(never_started.reset() == MPI_SUCCESS);
    CHECK(never_started.read<double>() == shown);
    REQUIRE(running.stop() == MPI_SUCCESS);
    CHECK(running.read<double>() == shown);
    values.part = 0;
}

TEST_CASE("A state has the present state of the library", "[PCLASS-02]") {
    const initialized interface;
    const session s;
    const pvar handle{s, "state", MPI_T_PVAR_CLASS_STATE};
    REQUIRE(handle.start() == MPI_SUCCESS);
    for (const phase now : {phase::running, phase::ending, phase::idle}) {
        values.state = now;
        CHECK(values.state.get() == now);
        CHECK(handle.read<int>() == static_cast<int>(now));
    }
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

TEST_CASE("A computed variable has the result of its function at each read", "[PCLASS-03][PCLASS-02]") {
    const initialized interface;
    const session s;
    const pvar open{s, "open", MPI_T_PVAR_CLASS_LEVEL}, state{s, "computed_state", MPI_T_PVAR_CLASS_STATE};
    REQUIRE(open.start() == MPI_SUCCESS);
    CHECK(open.read<unsigned long>() == 3);
    files_open = 8;
    CHECK(open.read<unsigned long>() == 8);
    CHECK(state.read<int>() == static_cast<int>(phase::ending));
    files_open = 3;
}

TEST_CASE("A tool's value is the one that the author reads next", "[CVAR-18]") {
    const initialized interface;
    const cvar limit{"LIMIT"}, chosen{"CHOSEN"};
    CHECK(values.limit == 10);
    CHECK(limit.write(20) == MPI_SUCCESS);
    CHECK(values.limit == 20);
    CHECK(last_asked == 20);
    CHECK(chosen.write(static_cast<int>(phase::ending)) == MPI_SUCCESS);
    CHECK(values.chosen == phase::ending);
    CHECK(chosen.write(99) == MPI_T_ERR_INVALID);
    CHECK(values.chosen == phase::ending);
    values.limit = 10;
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
