// Variables of a library that were described at run time leave with it, whether or not it ends their groups, and come
// back.
#include "plugin.hpp"

#include <mpit/dynamic.hpp>

namespace {

constexpr int loads = 3;
alignas(mpit::dynamic) unsigned char forgotten_groups[loads][sizeof(mpit::dynamic)];

} // namespace

TEST_CASE("Unloading a library ends its groups, and loading it again restores their indices") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    initialized tools;
    int owned = -1, forgotten = -1, count = 0;
    MPI_T_cvar_handle of_owned = MPI_T_CVAR_HANDLE_NULL, of_forgotten = MPI_T_CVAR_HANDLE_NULL,
                      none = MPI_T_CVAR_HANDLE_NULL;
    for (int round = 0; round < loads; round++) {
        plugin described{"dynamic_plugin"};
        REQUIRE(described.function<int(void*)>("plugin_publish")(forgotten_groups[round]) == 0);
        if (round == 0) {
            owned = cvar_index("DYNAMIC_OWNED");
            forgotten = cvar_index("DYNAMIC_FORGOTTEN");
        }
        CHECK(cvar_index("DYNAMIC_OWNED") == owned);
        CHECK(cvar_index("DYNAMIC_FORGOTTEN") == forgotten);
        REQUIRE(MPI_T_cvar_handle_alloc(owned, nullptr, &of_owned, &count) == MPI_SUCCESS);
        REQUIRE(MPI_T_cvar_handle_alloc(forgotten, nullptr, &of_forgotten, &count) == MPI_SUCCESS);
        CHECK(cvar{"DYNAMIC_OWNED"}.read() == 3);
        CHECK(cvar{"DYNAMIC_FORGOTTEN"}.read() == 1);
        CHECK(cvar{"DYNAMIC_FORGOTTEN"}.read() == 2);

        described.close();
        CHECK_FALSE(described.is_loaded());
        int value = 0;
        CHECK(MPI_T_cvar_read(of_owned, &value) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_read(of_forgotten, &value) == MPI_T_ERR_INVALID_HANDLE);
        CHECK(MPI_T_cvar_handle_alloc(forgotten, nullptr, &none, &count) == MPI_T_ERR_INVALID_INDEX);
        CHECK(MPI_T_cvar_handle_free(&of_owned) == MPI_SUCCESS);
        CHECK(MPI_T_cvar_handle_free(&of_forgotten) == MPI_SUCCESS);
    }
    char description[64];
    int length = sizeof description;
    REQUIRE(MPI_T_cvar_get_info(owned, nullptr, nullptr, nullptr, nullptr, nullptr, description, &length, nullptr,
                                nullptr) == MPI_SUCCESS);
    CHECK(std::string{description} == "A number");
}
