// Registrations and handles that end together share the fences that the kernel runs on every processor: those of one
// finalization, and not those that a tool frees one after the other.

#include "../tool.hpp"

#include <mpit/mpit.hpp>

#include <atomic>
#include <cstdarg>
#include <dlfcn.h>
#include <sys/syscall.h>
#include <thread>

namespace {

struct what {
    int number;
};
struct told_tree : mpit::category<"told", "Events of this test"> {
    mpit::event<what> told{this, "told", "Something happened"};
};
inline constexpr auto& tree = mpit::registered<told_tree>;

std::atomic<int> fences{0}, calls{0};
constexpr int fences_of_each = 1; // finalization: an allocation beside it finds its end, or is found
void count_call(MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { calls++; }

} // namespace

// In place of the C library's, for this program alone.
extern "C" long syscall(long number, ...) noexcept {
    static const auto next = reinterpret_cast<long (*)(long, ...)>(dlsym(RTLD_NEXT, "syscall"));
    if (number == SYS_membarrier) fences++;
    std::va_list given;
    va_start(given, number);
    long words[6];
    for (long& each : words) each = va_arg(given, long);
    va_end(given);
    return next(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

TEST_CASE("A finalization that ends two hundred registrations runs few fences, and no callback is called afterwards",
          "[EVT-34]") {
    constexpr int count = 200, together = 64;
    int of_one = 0, of_all = 0;
    {
        const initialized tools;
        registration one{"told"};
        const int before = fences;
        CHECK(one.free() == MPI_SUCCESS);
        of_one = fences - before;
    }
    for (int round = 0; round < 2; round++) {
        calls = 0;
        {
            const initialized tools;
            for (int i = 0; i < count; i++) {
                registration each{"told"};
                CHECK(each.call(&count_call) == MPI_SUCCESS);
                each.handle = nullptr; // the finalization frees it
            }
            tree.told(7);
            CHECK(calls == count);
            of_all = fences;
        }
        of_all = fences - of_all;
        CHECK(of_all <= of_one * ((count + together - 1) / together) + fences_of_each);
        tree.told(8);
        CHECK(calls == count);
    }
    if (of_one == 0) std::puts("skipped: this process runs no fences of the kernel");
}

TEST_CASE("A finalization that ends six hundred handles of another thread runs few fences, and one that ends its own "
          "runs one",
          "[INIT-11]") {
    constexpr int count = 200;
    const auto allocate = [] {
        MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL, other = MPI_T_PVAR_SESSION_NULL;
        REQUIRE(MPI_T_pvar_session_create(&in) == MPI_SUCCESS);
        for (int i = 0; i < count; i++) {
            MPI_T_cvar_handle control = MPI_T_CVAR_HANDLE_NULL;
            MPI_T_pvar_handle counter = MPI_T_PVAR_HANDLE_NULL;
            int elements = 0;
            REQUIRE(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &control, &elements) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_handle_alloc(in, pvar_index("p_counter", MPI_T_PVAR_CLASS_COUNTER), nullptr, &counter,
                                            &elements) == MPI_SUCCESS);
            REQUIRE(MPI_T_pvar_session_create(&other) == MPI_SUCCESS);
        }
    };
    int fences_of_own = 0, fences_of_others = 0;
    {
        const initialized tools;
        allocate();
        fences_of_own = fences;
    }
    fences_of_own = fences - fences_of_own;
    CHECK(fences_of_own <= fences_of_each);
    {
        const initialized tools;
        std::thread{allocate}.join();
        fences_of_others = fences;
    }
    fences_of_others = fences - fences_of_others;
    CHECK(fences_of_others <= 12 + fences_of_each);
    const initialized tools;
    MPI_T_cvar_handle again = MPI_T_CVAR_HANDLE_NULL;
    int elements = 0;
    CHECK(MPI_T_cvar_handle_alloc(cvar_index("C_INT"), nullptr, &again, &elements) == MPI_SUCCESS);
}
