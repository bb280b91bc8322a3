// MPI-5.0, chapter 20: the binary interface. The header of the library is held against the values and types of the
// standard here, and beside it as C99 and after an mpi.h in the files of the folder abi.
#include "../descriptions.hpp"
#include "abi/values.h"

#include <mpit/mpi_t/constants.hpp>

#include <set>
#include <type_traits>

EVERY_NUMBER(EXPECT_NUMBER)

extern "C" int wrong_addresses_as_c99();
extern "C" int wrong_addresses_beside_mpi();

namespace {

template <class Handle> constexpr bool is_pointer_to_incomplete() {
    return std::is_pointer_v<Handle> && !requires { sizeof(std::remove_pointer_t<Handle>); };
}

bool could_be_a_constant(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle) < 4096; }

} // namespace

TEST_CASE("The eighteen codes are distinct, and every enumerator of the typed result has one of them",
          "[RC-01][RC-06][RC-07][DT-13]") {
#define EACH(name, value) name,
    const std::set<int> codes{EVERY_CODE(EACH)};
#undef EACH
    CHECK(codes.size() == 18);
    CHECK((*codes.begin() > MPI_SUCCESS && *codes.rbegin() <= MPI_ERR_LASTCODE));
    std::set<int> seen;
    for (int i = 0; i <= static_cast<int>(mpit::result::not_atomic); i++)
        CHECK(seen.insert(mpit::mpi_t::code_of(static_cast<mpit::result>(i))).second);
    CHECK(seen.erase(MPI_SUCCESS) == 1);
    CHECK(seen == codes);
}

TEST_CASE("Handles are pointers to incomplete types", "[ABI-01]") {
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_enum>());
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_cvar_handle>());
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_pvar_handle>());
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_pvar_session>());
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_event_registration>());
    STATIC_REQUIRE(is_pointer_to_incomplete<MPI_T_event_instance>());
    STATIC_REQUIRE(std::is_same_v<MPI_T_enum, MPI_ABI_T_enum*>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_cvar_handle, MPI_ABI_T_cvar_handle*>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_pvar_handle, MPI_ABI_T_pvar_handle*>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_pvar_session, MPI_ABI_T_pvar_session*>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_event_registration, MPI_ABI_T_event_registration*>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_event_instance, MPI_ABI_T_event_instance*>);
}

TEST_CASE("Predefined handles have the values of the binary interface in C, in C++ and in mpi.h", "[ABI-02]") {
    int wrong = 0;
    EVERY_ADDRESS(COUNT_WRONG_ADDRESS)
    CHECK(wrong == 0);
    CHECK(wrong_addresses_as_c99() == 0);
    CHECK(wrong_addresses_beside_mpi() == 0);
}

TEST_CASE_METHOD(initialized, "No handle that the library makes could be taken for a constant", "[ABI-02]") {
    session s;
    CHECK(!could_be_a_constant(s.handle));
    for (int i = 0; i < 300; i++) {
        cvar control{"C_INT"};
        CHECK(!could_be_a_constant(control.handle));
        for (int var_class : {MPI_T_PVAR_CLASS_LEVEL, MPI_T_PVAR_CLASS_HIGHWATERMARK})
            CHECK(!could_be_a_constant(pvar{s, "p_queue", var_class}.handle));
    }
    CHECK(!could_be_a_constant(cvar_info{"C_COLOUR"}.enumeration));
}

TEST_CASE("The prototypes take names and values to write as constants, indices as int, and ticks as MPI_Count",
          "[ABI-05]") {
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_init_thread), int (*)(int, int*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_finalize), int (*)()>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_cvar_get_index), int (*)(const char*, int*)>);
    STATIC_REQUIRE(
        std::is_convertible_v<decltype(&MPI_T_cvar_handle_alloc), int (*)(int, void*, MPI_T_cvar_handle*, int*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_cvar_write), int (*)(MPI_T_cvar_handle, const void*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_pvar_write),
                                         int (*)(MPI_T_pvar_session, MPI_T_pvar_handle, const void*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_category_get_cvars), int (*)(int, int, int*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_source_get_timestamp), int (*)(int, MPI_Count*)>);
    STATIC_REQUIRE(std::is_convertible_v<decltype(&MPI_T_event_register_callback),
                                         int (*)(MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*,
                                                 MPI_T_event_cb_function*)>);
}

TEST_CASE("Callbacks are function types with the parameters of the binary interface", "[ABI-06]") {
    STATIC_REQUIRE(std::is_same_v<MPI_T_event_cb_function,
                                  void(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*)>);
    STATIC_REQUIRE(
        std::is_same_v<MPI_T_event_free_cb_function, void(MPI_T_event_registration, MPI_T_cb_safety, void*)>);
    STATIC_REQUIRE(std::is_same_v<MPI_T_event_dropped_cb_function,
                                  void(MPI_Count, MPI_T_event_registration, int, MPI_T_cb_safety, void*)>);
    STATIC_REQUIRE(std::is_same_v<MPI_Count, std::int64_t>);
    STATIC_REQUIRE(std::is_same_v<MPI_Aint, std::intptr_t>);
}
