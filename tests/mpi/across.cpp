// The variables of several processes, under mpiexec: all of them run every test case together.
#define MPIT_MPI_HEADER <mpi.h>
#include "../catch.hpp"

#include <mpit/collective.hpp>
#include <mpit/module/publish_pending.hpp>
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>
#include <mpit/tool/distribution.hpp>

namespace {

int last_written = -1;
struct variables : mpit::category<"across", "Variables of each process"> {
    mpit::control<int> limit{this, "across_limit", "A number", {.initial = {5, 0, 100}, .scope = mpit::scope::all}};
    mpit::control<int> equal{this, "across_equal", "A number", {.initial = 5, .scope = mpit::scope::all_equal}};
    mpit::control<int> fixed{this, "across_fixed", "A number", {.initial = 5, .scope = mpit::scope::readonly}};
    mpit::control<int> moody{this,
                             "across_moody",
                             "A number that one process refuses",
                             {.initial = 5, .scope = mpit::scope::group, .on_write = [](const int& value) {
        last_written = value;
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank == 1 && value > 10 ? mpit::reply::not_now : mpit::reply::accepted;
    }}};
    mpit::control<unsigned long> large{this, "across_large", "A large number", {.initial = 5}};
    mpit::control<double> real{
        this, "across_real", "A real number", {.initial = 0.25, .scope = mpit::scope::all_equal}};
    mpit::control<char[16]> text{this, "across_text", "A text", {.initial = "begin", .scope = mpit::scope::all_equal}};
    mpit::counter<> calls{this, "across_calls", "Calls"};
    mpit::level<double> load{this, "across_load", "How busy it is"};
    mpit::generic<int[3]> three{this, "across_three", "Three numbers"};
};
constexpr auto& all = mpit::registered<variables>;

// MPI, the tool interface, and who this is. Variables that not all processes have alike come on demand.
struct world {
    int rank = -1, size = -1;
    world() {
        int provided = 0;
        MPI_Init(nullptr, nullptr);
        MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    ~world() {
        MPI_T_finalize();
        MPI_Finalize();
    }
};
const world& here() {
    static const world one;
    return one;
}
struct category_of_one : mpit::descriptor::category {
    explicit category_of_one(const char* called) : category{called, "Not alike"} {}
};

} // namespace

TEST_CASE("Processes with the same variables agree") {
    here();
    const mpit::across world{MPI_COMM_WORLD};
    CHECK(world.do_agree());
    CHECK(world.differences().empty());
}

TEST_CASE("The measurements of all processes are reduced in one step, with the processes of the extremes") {
    const int rank = here().rank, size = here().size;
    const mpit::across world{MPI_COMM_WORLD};
    mpit::across::measurement measured = world.measure({{"across_calls", mpit::performance_class::counter},
                                                        {"across_load", mpit::performance_class::level},
                                                        {"nowhere", mpit::performance_class::level},
                                                        {"across_three", mpit::performance_class::generic}});
    all.calls += (1ull << 60) + static_cast<unsigned long long>(rank);
    all.load = size - rank + 0.5;
    for (unsigned i = 0; i < 3; i++) all.three[i] = static_cast<int>(i) - rank;
    const auto found = measured.now();
    REQUIRE(found.size() == 4);
    REQUIRE(found[0].size() == 1);
    CHECK(found[0][0].minimum == static_cast<long double>(1ull << 60));
    CHECK(found[0][0].maximum == static_cast<long double>((1ull << 60) + static_cast<unsigned long long>(size - 1)));
    CHECK(found[0][0].sum == static_cast<long double>(size) * (1ull << 60) + size * (size - 1) / 2);
    CHECK(found[0][0].process_of_minimum == 0);
    CHECK(found[0][0].process_of_maximum == size - 1);
    CHECK(found[0][0].processes == size);
    REQUIRE(found[1].size() == 1);
    CHECK(found[1][0].minimum == 1.5L);
    CHECK(found[1][0].process_of_minimum == size - 1);
    CHECK(found[1][0].mean() == (size + 1) / 2.0L + 0.5L);
    CHECK(found[2].empty());
    REQUIRE(found[3].size() == 3);
    CHECK(found[3][2].maximum == 2);
    CHECK(found[3][2].minimum == 3 - size);
}

TEST_CASE("Of processes with equal values the first one is named") {
    here();
    const mpit::across world{MPI_COMM_WORLD};
    mpit::across::measurement measured = world.measure({{"across_calls", mpit::performance_class::counter}});
    all.calls += 7;
    const auto found = measured.now();
    CHECK(found[0][0].process_of_minimum == 0);
    CHECK(found[0][0].process_of_maximum == 0);
}

TEST_CASE("The distributions of all processes are merged exactly, also if a process has none") {
    const int rank = here().rank, size = here().size;
    const mpit::across world{MPI_COMM_WORLD};
    const double infinity = std::numeric_limits<double>::infinity();
    mpit::tool::distribution value;
    if (rank > 0)
        value = {.bounds = {1, 2, infinity},
                 .counts = {1ull << 60, static_cast<std::uint64_t>(rank), 0},
                 .sum = 1.5,
                 .minimum = 1.0 / rank,
                 .maximum = 1.0 + rank};
    CHECK(world.merge(value) == MPI_SUCCESS);
    CHECK(value.bounds == std::vector<double>{1, 2, infinity});
    const auto others = static_cast<std::uint64_t>(size - 1);
    CHECK(value.counts == std::vector<std::uint64_t>{others << 60, others * (others + 1) / 2, 0});
    CHECK(value.sum == 1.5 * (size - 1));
    CHECK(value.minimum == 1.0 / (size - 1));
    CHECK(value.maximum == size);
    if (rank == 0) value.bounds = {1, 1.75, infinity};
    CHECK(world.merge(value) == MPI_T_ERR_INVALID);
    if (rank == 0) value = {.bounds = {infinity}, .counts = {1}};
    CHECK(world.merge(value) == MPI_T_ERR_INVALID);
    value = {};
    CHECK(world.merge(value) == MPI_SUCCESS);
    CHECK(value.bounds.empty());
    if (rank == size - 1) value.status = mpit::result::invalid;
    CHECK(world.merge(value) == MPI_T_ERR_INVALID);
}

TEST_CASE("A control variable gets a value in every process") {
    here();
    const mpit::across world{MPI_COMM_WORLD};
    CHECK(world.write("across_limit", 17) == MPI_SUCCESS);
    CHECK(all.limit == 17);
    CHECK(world.write("across_limit", 20 + here().rank) == MPI_SUCCESS);
    CHECK(all.limit == 20 + here().rank);
}

TEST_CASE("A value has the type of its control variable, and no other type is written") {
    const int rank = here().rank;
    const mpit::across world{MPI_COMM_WORLD};
    CHECK(world.write("across_large", 1ul << 40) == MPI_SUCCESS);
    CHECK(world.write("across_large", 4096) == MPI_T_ERR_INVALID);
    CHECK(all.large == 1ul << 40);
    CHECK(world.write("across_real", 0.5) == MPI_SUCCESS);
    CHECK(world.write("across_real", 7) == MPI_T_ERR_INVALID);
    CHECK(all.real == 0.5);
    CHECK(world.write("across_text", "eth0") == MPI_SUCCESS);
    CHECK(world.write("across_text", "a text that is too long") == MPI_T_ERR_INVALID);
    CHECK(world.write("across_text", rank == 0 ? "ib0" : "ib1") == MPI_T_ERR_INVALID);
    CHECK(mpit::tool::control<std::string, mpit::tool::over_mpi>{"across_text"}.read() == "eth0");
    CHECK(world.write("across_limit", "5") == MPI_T_ERR_INVALID);
}

TEST_CASE("If one process refuses a value, no process has it") {
    here();
    const mpit::across world{MPI_COMM_WORLD};
    CHECK(world.write("across_moody", 6) == MPI_SUCCESS);
    CHECK(world.write("across_moody", 50) == MPI_T_ERR_CVAR_SET_NOT_NOW);
    CHECK(all.moody == 6);
    CHECK(last_written == (here().rank == 1 ? 50 : 6));
    CHECK(world.write("across_limit", here().rank == 1 ? 101 : 3) == MPI_T_ERR_INVALID);
    CHECK(all.limit != 3);
    CHECK(world.write("across_fixed", 6) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(world.write("across_nowhere", 6) == MPI_T_ERR_INVALID_NAME);
}

TEST_CASE("A variable that must be equal everywhere refuses values that are not") {
    here();
    const mpit::across world{MPI_COMM_WORLD};
    CHECK(world.write("across_equal", here().rank) == MPI_T_ERR_INVALID);
    CHECK(all.equal == 5);
    CHECK(world.write("across_equal", 8) == MPI_SUCCESS);
    CHECK(all.equal == 8);
}

TEST_CASE("Each difference between processes is reported once, with the processes that differ") {
    const int rank = here().rank, size = here().size;
    static category_of_one tree{"across_late"};
    static mpit::control<int> different{&tree, "across_different", rank == 0 ? "One text" : "Another text"};
    static mpit::level<> everywhere{&tree, "across_everywhere", "In all"};
    if (rank == size - 1) {
        static mpit::counter<> only{&tree, "across_only", "In the last one"};
    } else {
        static mpit::counter<> missing{&tree, "across_missing", "Not in the last one"};
    }
    mpit::registry::register_tree(tree, "a tree of the test");
    const mpit::across world{MPI_COMM_WORLD};
    CHECK_FALSE(world.do_agree());
    const std::string last = "process " + std::to_string(size - 1);
    const std::string others = size == 2   ? "process 1"
                               : size == 3 ? "processes 1, 2"
                                           : "processes 1 to " + std::to_string(size - 1);
    const auto counter = " of class " + std::to_string(MPI_T_PVAR_CLASS_COUNTER);
    CHECK(world.differences() ==
          std::vector<std::string>{
              "control variable across_different: description \"One text\" in process 0, and \"Another text\" in " +
                  others,
              "performance variable across_missing" + counter + " is present in process 0, and missing in " + last,
              "performance variable across_only" + counter + " is missing in process 0, and present in " + last});
}
