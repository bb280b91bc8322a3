// Hints beside an MPI: a library that finds info functions in its mpi.h brings none of its own, and reads and makes the
// objects of that MPI. The MPI here is the miniature runtime.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/implementation.hpp>
#include <mpit/mpi_t/info_exchange.hpp>

#include "../catch.hpp"

#include <string>
#include <utility>
#include <vector>

namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;
pairs pairs_of(const mpit::info& hints) {
    pairs all;
    for (auto [key, value] : hints) all.emplace_back(key.characters, value.characters);
    return all;
}

// MPI is initialised while the program runs its tests, and its errors return.
const bool mpi_is_open = [] {
    MPI_Init(nullptr, nullptr);
    return MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}();

} // namespace

TEST_CASE("If an mpi.h has info functions, the library defines none", "[INFO-24]") {
    STATIC_REQUIRE(MPIT_C_INFO == 0);
    CHECK(mpi_is_open);
}

TEST_CASE("The pairs of another MPI's object are read in its order, with texts of any length", "[INFO-21]") {
    const std::string long_key(255, 'k'), long_value(1023, 'v');
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create(&info) == MPI_SUCCESS);
    REQUIRE(MPI_Info_set(info, "b", " 1 ") == MPI_SUCCESS);
    REQUIRE(MPI_Info_set(info, "a", "") == MPI_SUCCESS);
    REQUIRE(MPI_Info_set(info, long_key.c_str(), long_value.c_str()) == MPI_SUCCESS);
    mpit::info hints;
    REQUIRE(hints.set("old", "gone") == mpit::info_result::success);
    REQUIRE(mpit::mpi_t::read_info(info, hints) == mpit::result::success);
    REQUIRE(MPI_Info_free(&info) == MPI_SUCCESS);
    CHECK(pairs_of(hints) == pairs{{"b", " 1 "}, {"a", ""}, {long_key, long_value}});
}

TEST_CASE("Hints are converted to an object of that MPI, and back", "[INFO-21]") {
    mpit::info hints, back;
    REQUIRE(hints.set("b", "1") == mpit::info_result::success);
    REQUIRE(hints.set("a", "") == mpit::info_result::success);
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(mpit::mpi_t::make_info(hints, info) == mpit::result::success);
    REQUIRE(mpit::mpi_t::read_info(info, back) == mpit::result::success);
    CHECK(back == hints);
    int count = 0;
    CHECK(MPI_Info_get_nkeys(info, &count) == MPI_SUCCESS);
    CHECK(count == 2);
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
}

TEST_CASE("MPI_INFO_NULL has no hints, and an invalid object changes nothing", "[INFO-08]") {
    mpit::info hints;
    REQUIRE(hints.set("key", "value") == mpit::info_result::success);
    MPI_Info freed = MPI_INFO_NULL;
    REQUIRE(MPI_Info_create(&freed) == MPI_SUCCESS);
    MPI_Info also = freed;
    REQUIRE(MPI_Info_free(&also) == MPI_SUCCESS);
    CHECK(mpit::mpi_t::read_info(freed, hints) == mpit::result::invalid);
    CHECK(hints.contains("key"));
    CHECK(mpit::mpi_t::read_info(MPI_INFO_NULL, hints) == mpit::result::success);
    CHECK(hints.size() == 0);
}

TEST_CASE("Without memory the hints do not change", "[INFO-21]") {
    mpit::info hints;
    REQUIRE(hints.set("key", "value") == mpit::info_result::success);
    MPI_Info info = MPI_INFO_NULL;
    REQUIRE(mpit::mpi_t::make_info(hints, info) == mpit::result::success);
    REQUIRE(hints.set("key", "kept") == mpit::info_result::success);
    mpit::core::allocations_left.store(1);
    const mpit::result answer = mpit::mpi_t::read_info(info, hints);
    mpit::core::allocations_left.store(-1);
    CHECK(answer == mpit::result::out_of_memory);
    CHECK(pairs_of(hints) == pairs{{"key", "kept"}});
    CHECK(MPI_Info_free(&info) == MPI_SUCCESS);
}
