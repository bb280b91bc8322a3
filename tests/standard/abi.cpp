// MPI-5.0, chapter 20: the binary interface. The header of the library is held against the values and types of the
// standard here, and beside it as C99 and after an mpi.h in the files of the folder abi.
#include "../tool.hpp"
#include "abi/values.h"

#include <type_traits>

EVERY_NUMBER(EXPECT_NUMBER)

extern "C" int wrong_addresses_as_c99();
extern "C" int wrong_addresses_beside_mpi();

namespace {

template <class Handle> constexpr bool is_pointer_to_incomplete() {
    return std::is_pointer_v<Handle> && !requires { sizeof(std::remove_pointer_t<Handle>); };
}

bool could_be_a_constant(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle) < 4096; }

// The prototypes of the standard, in words of C++; where one differs this file does not compile.
template <class... Arguments> using function = int (*)(Arguments...);
constexpr function<int, int*> init_thread = MPI_T_init_thread;
constexpr function<> finalize = MPI_T_finalize;
constexpr function<const char*, int*> cvar_get_index = MPI_T_cvar_get_index;
constexpr function<int, void*, MPI_T_cvar_handle*, int*> cvar_handle_alloc = MPI_T_cvar_handle_alloc;
constexpr function<MPI_T_cvar_handle, const void*> cvar_write = MPI_T_cvar_write;
constexpr function<MPI_T_pvar_session, MPI_T_pvar_handle, const void*> pvar_write = MPI_T_pvar_write;
constexpr function<int, int, int*> category_get_cvars = MPI_T_category_get_cvars;
constexpr function<int, MPI_Count*> source_get_timestamp = MPI_T_source_get_timestamp;
constexpr function<MPI_T_event_registration, MPI_T_cb_safety, MPI_Info, void*, MPI_T_event_cb_function*>
    event_register_callback = MPI_T_event_register_callback;

} // namespace

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

TEST_CASE("No handle that the library makes could be taken for a constant", "[ABI-02]") {
    initialized tools;
    session s;
    CHECK(!could_be_a_constant(s.handle));
    for (int i = 0; i < 300; i++) {
        cvar control{"C_INT"};
        CHECK(!could_be_a_constant(control.handle));
        for (int var_class : {MPI_T_PVAR_CLASS_LEVEL, MPI_T_PVAR_CLASS_HIGHWATERMARK})
            CHECK(!could_be_a_constant(pvar{s, "p_queue", var_class}.handle));
    }
    MPI_T_enum enumeration = MPI_T_ENUM_NULL;
    REQUIRE(MPI_T_cvar_get_info(cvar_index("C_COLOUR"), nullptr, nullptr, nullptr, nullptr, &enumeration, nullptr,
                                nullptr, nullptr, nullptr) == MPI_SUCCESS);
    CHECK(!could_be_a_constant(enumeration));
}

TEST_CASE("The codes have the values of the binary interface", "[ABI-03]") {
    STATIC_REQUIRE(MPI_T_ERR_CANNOT_INIT == 1001);
    STATIC_REQUIRE(MPI_T_ERR_PVAR_NO_ATOMIC == 1018);
    STATIC_REQUIRE(MPI_ERR_LASTCODE == 16383);
}

TEST_CASE("Each level of callback safety includes the bits of the ones below it", "[ABI-04]") {
    constexpr int levels[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
                              MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
    STATIC_REQUIRE(levels[0] == 0x00);
    STATIC_REQUIRE(levels[1] == 0x03);
    STATIC_REQUIRE(levels[2] == 0x0F);
    STATIC_REQUIRE(levels[3] == 0x3F);
    for (int i = 1; i < 4; i++) {
        CHECK(levels[i] > levels[i - 1]);
        CHECK((levels[i] & levels[i - 1]) == levels[i - 1]);
    }
}

TEST_CASE("The prototypes take names and values to write as constants, indices as int, and ticks as MPI_Count",
          "[ABI-05]") {
    CHECK(init_thread != nullptr);
    CHECK(finalize != nullptr);
    CHECK(cvar_get_index != nullptr);
    CHECK(cvar_handle_alloc != nullptr);
    CHECK(cvar_write != nullptr);
    CHECK(pvar_write != nullptr);
    CHECK(category_get_cvars != nullptr);
    CHECK(source_get_timestamp != nullptr);
    CHECK(event_register_callback != nullptr);
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
