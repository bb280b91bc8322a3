// Libraries that come and go before any tool has come. There is one first tool in a process, so this is one test case.
#include "plugin.hpp"

#include <cstdlib>

TEST_CASE("A tool that starts late finds all loaded variables with their earlier counts, and no unloaded ones",
          "[GROW-01][GROW-02]") {
    if (!unloads_libraries) return std::puts(no_unloading), void();
    setenv("beta_limit", "17", 1);
    plugin alpha{"alpha"};
    alpha.count(3);
    CHECK(alpha.calls() == 3);
    alpha.close();
    CHECK_FALSE(alpha.is_loaded());

    plugin beta{"beta"};
    unsetenv("beta_limit");
    CHECK(beta.limit() == 17);
    beta.count(4);
    {
        initialized tools;
        CHECK(cvar_index("beta_limit") >= 0);
        int number = -1;
        CHECK(MPI_T_cvar_get_index("alpha_limit", &number) == MPI_T_ERR_INVALID_NAME);
        CHECK(beta.calls() == 4);
    }
    plugin alpha_again{"alpha"};
    CHECK(alpha_again.calls() == 0);
    alpha_again.count(5);
    initialized tools;
    const int number = pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER);
    alpha_again.close();
    plugin alpha_at_last{"alpha"};
    CHECK(alpha_at_last.calls() == 5);
    CHECK(pvar_index("alpha_calls", MPI_T_PVAR_CLASS_COUNTER) == number);
}
