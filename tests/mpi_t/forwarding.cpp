// Calls that are passed on to an MPI, which is this program, while threads stop before any of their atomic operations.
#include "../catch.hpp"

#include <mpit/mpi_t/forwarding.hpp>

#include <atomic>
#include <sched.h>
#include <thread>

namespace {

std::atomic<bool> has_stopped{false}, may_go_on{false};

} // namespace

void stopping::stop_here() noexcept {
    has_stopped = true;
    while (!may_go_on) sched_yield();
}

extern "C" {
[[gnu::visibility("default")]] int PMPI_Init(int*, char***) { return 0; }
[[gnu::visibility("default")]] int PMPI_T_init_thread(int, int*) { return 0; }
[[gnu::visibility("default")]] int PMPI_T_finalize() { return 0; }
[[gnu::visibility("default")]] int PMPI_T_cvar_get_num(int*) { return 0; }
}

TEST_CASE("A function that a thread looks up during the last finalize is looked up again after it") {
    for (long steps = 1;; steps++) {
        mpit::mpi_t::forwarder calls;
        mpit::mpi_t::forwarded_function init, finalize, function;
        int code = -1;
        const auto succeed = [](void*) { return 0; };
        REQUIRE(calls.init(init, "PMPI_T_init_thread", false, succeed, code));
        REQUIRE(code == 0);
        has_stopped = may_go_on = false;
        std::atomic<bool> has_ended{false};
        void* address = nullptr;
        std::thread caller{[&] {
            stopping::steps_left = steps;
            address = calls.find(function, "PMPI_T_cvar_get_num");
            stopping::steps_left = 0;
            has_ended = true;
        }};
        while (!has_stopped && !has_ended) sched_yield();
        const bool is_anywhere = has_stopped;
        REQUIRE(calls.finalize(finalize, "PMPI_T_finalize", false, succeed, code));
        may_go_on = true;
        caller.join();
        INFO("stopped before operation " << steps);
        CHECK(function.address.load() == nullptr);
        if (is_anywhere) continue;
        CHECK(address == reinterpret_cast<void*>(&PMPI_T_cvar_get_num));
        CHECK(steps > 5);
        return;
    }
}
