// MPI-5.0, 15.2: the profiling interface. This program is linked from three source files that include the roof, a table
// of addresses in C, and a tool's own MPI_T_pvar_read; that it links at all is the first thing it shows.
#include "../catch.hpp"

#include <mpit/mpi_t.h>

#include "calls.h"
#include "profiling/function_table.h"

#include <cstring>
#include <set>
#include <string>

extern "C" {
using any_function = void (*)();
extern int calls_seen_by_the_wrapper;
void count_a_message();
int limit_of_the_library();
int read_beside_the_definition(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);
any_function read_function_of_first(int profiling);
any_function read_function_of_second(int profiling);
any_function read_function_of_third(int profiling);
}

namespace {

const std::string wrapped = "pvar_read";

struct counting_handle {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    counting_handle() {
        int provided = 0, index = 0, count = 0;
        REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
        REQUIRE(MPI_T_pvar_get_index("messages", MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS);
        REQUIRE(MPI_T_pvar_session_create(&session) == MPI_SUCCESS);
        REQUIRE(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS);
        REQUIRE(MPI_T_pvar_start(session, handle) == MPI_SUCCESS);
        calls_seen_by_the_wrapper = 0;
    }
    ~counting_handle() { MPI_T_finalize(); }
    counting_handle(const counting_handle&) = delete;
};

} // namespace

TEST_CASE("All 51 functions exist under both names, and have addresses of their own", "[PMPI-01][PMPI-04]") {
    std::set<any_function> addresses;
    for (const function_addresses& each : function_table) {
        INFO(each.name);
        CHECK(each.plain != nullptr);
        CHECK(each.profiling != nullptr);
        CHECK(addresses.insert(each.profiling).second);
    }
    CHECK(addresses.size() == 51);
}

TEST_CASE("A function is the library's only definition unless a tool has defined it", "[PMPI-02][PMPI-05]") {
    std::set<any_function> definitions;
    for (const function_addresses& each : function_table) {
        INFO(each.name);
        CHECK((each.plain == each.of_library) == (each.name != wrapped));
        CHECK(definitions.insert(each.of_library).second);
        CHECK(definitions.insert(each.profiling).second);
    }
    CHECK(definitions.size() == 102);
}

TEST_CASE("Both names of a function do the same", "[PMPI-01]") {
    for (bool open : {false, true}) {
        int provided = 0;
        if (open) REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
        for (const auto& call : every_call) {
            if (!open && std::string{call.name} == "init_thread") continue;
            INFO(call.name << (open ? " while open" : " while closed"));
            set_arguments();
            const int code = call.plain();
            call_arguments result = given;
            set_arguments();
            CHECK(call.profiling() == code);
            // Two sessions, handles or info objects differ by nature, and so do two times.
            CHECK((given.session == MPI_T_PVAR_SESSION_NULL) == (result.session == MPI_T_PVAR_SESSION_NULL));
            CHECK((given.cvar == MPI_T_CVAR_HANDLE_NULL) == (result.cvar == MPI_T_CVAR_HANDLE_NULL));
            CHECK((given.registration == nullptr) == (result.registration == nullptr));
            CHECK((given.info == MPI_INFO_NULL) == (result.info == MPI_INFO_NULL));
            if (code == MPI_SUCCESS && std::string{call.name} == "source_get_timestamp") {
                CHECK(given.ticks[0] >= result.ticks[0]);
                result.ticks[0] = given.ticks[0];
            }
            if (given.info != MPI_INFO_NULL) {
                CHECK(MPI_Info_free(&given.info) == MPI_SUCCESS);
                CHECK(MPI_Info_free(&result.info) == MPI_SUCCESS);
            }
            given.session = result.session;
            given.cvar = result.cvar;
            given.registration = result.registration;
            CHECK(std::memcmp(&result, &given, sizeof given) == 0);
            if (!open) CHECK(arguments_are_untouched());
        }
        if (open) REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
    }
}

TEST_CASE("A tool's own function intercepts each call of a user once", "[PMPI-02][PMPI-03]") {
    counting_handle counter;
    count_a_message();
    for (int calls = 1; calls <= 3; calls++) {
        unsigned long long value = 0;
        CHECK(MPI_T_pvar_read(counter.session, counter.handle, &value) == MPI_SUCCESS);
        CHECK(value == 1);
        CHECK(calls_seen_by_the_wrapper == calls);
    }
    unsigned long long value = 0;
    CHECK(PMPI_T_pvar_read(counter.session, counter.handle, &value) == MPI_SUCCESS);
    CHECK(calls_seen_by_the_wrapper == 3);
}

TEST_CASE("The library itself calls none of the functions that a tool may define", "[PMPI-03]") {
    counting_handle counter;
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_readreset(counter.session, counter.handle, &value) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_stop(counter.session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_reset(counter.session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_session_free(&counter.session) == MPI_SUCCESS);
    CHECK(calls_seen_by_the_wrapper == 0);
}

TEST_CASE("A call beside the definition reaches the tool's function as well", "[PMPI-02]") {
    counting_handle counter;
    unsigned long long value = 7;
    CHECK(read_beside_the_definition(counter.session, counter.handle, &value) == MPI_SUCCESS);
    CHECK(value == 0);
    CHECK(calls_seen_by_the_wrapper == 1);
}

TEST_CASE("Three source files with the shims make one set of functions over one registry", "[PMPI-05]") {
    for (int profiling : {0, 1}) {
        CHECK(read_function_of_first(profiling) == read_function_of_second(profiling));
        CHECK(read_function_of_first(profiling) == read_function_of_third(profiling));
    }
    CHECK(read_function_of_first(0) == reinterpret_cast<any_function>(&MPI_T_pvar_read));
    CHECK(read_function_of_first(1) == reinterpret_cast<any_function>(&PMPI_T_pvar_read));

    int provided = 0, count = 0;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_num(&count) == MPI_SUCCESS);
    CHECK(count == 1);
    CHECK(limit_of_the_library() == 5);
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}
