// MPI-5.0, 15.3.4: opening and closing the tool information interface. There is no MPI in this process: what a tool can
// do here it can do before MPI_Init, after MPI_Finalize, and without either.
#include "../emulated.hpp"
#include "../sanitizers.hpp"
#include "../tool.hpp"
#include "calls.h"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <random>
#include <thread>

#include <linux/filter.h>
#include <linux/membarrier.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

bool is_open() {
    int number = 0;
    return MPI_T_cvar_get_num(&number) == MPI_SUCCESS;
}

void expect_everything_closed() {
    for (const auto& call : every_call) {
        if (std::string{call.name} == "init_thread") continue;
        set_arguments();
        INFO(call.name);
        CHECK(call.plain() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(call.profiling() == MPI_T_ERR_NOT_INITIALIZED);
        CHECK(arguments_are_untouched());
    }
}

} // namespace

TEST_CASE("Every function but init_thread returns that the interface is closed, and does nothing", "[INIT-01]") {
    REQUIRE(!is_open());
    expect_everything_closed();
    { initialized tools; }
    expect_everything_closed();
}

TEST_CASE("A closed interface is reported before any other error", "[INIT-01][RC-04]") {
    REQUIRE(!is_open());
    int bad = -1;
    CHECK(MPI_T_cvar_get_num(nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_cvar_get_info(-1, nullptr, &bad, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) ==
          MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_cvar_get_index(nullptr, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_pvar_get_index(nullptr, -1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_cvar_read(MPI_T_CVAR_HANDLE_NULL, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, -1, nullptr, nullptr, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_read(nullptr, -1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_handle_alloc(-1, nullptr, MPI_INFO_NULL, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_event_register_callback(nullptr, static_cast<MPI_T_cb_safety>(7), MPI_INFO_NULL, nullptr, nullptr) ==
          MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_source_get_timestamp(-1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_category_get_cvars(-1, -1, nullptr) == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(bad == -1);
}

TEST_CASE_METHOD(initialized, "The whole interface works in a process without MPI", "[INIT-02]") {
    cvar limit{"C_INT"};
    CHECK(limit.read() == 5);
    CHECK(limit.write(6) == MPI_SUCCESS);
    CHECK(limit.read() == 6);
    CHECK(limit.write(5) == MPI_SUCCESS);

    session s;
    pvar events{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    CHECK(events.start() == MPI_SUCCESS);
    ++all.performances.counter;
    CHECK(events.read() == 1);
    CHECK(events.stop() == MPI_SUCCESS);
}

TEST_CASE("The interface stays open until it is finalized as often as it was initialised", "[INIT-03]") {
    int provided = 0;
    for (int i = 0; i < 3; i++) REQUIRE(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS);
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_T_finalize() == MPI_SUCCESS);
        CHECK(is_open());
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(!is_open());
}

TEST_CASE_METHOD(initialized, "Further initialisations and their finalizations touch neither values nor handles",
                 "[INIT-04]") {
    cvar limit{"C_INT"};
    session s;
    pvar events{s, "p_counter", MPI_T_PVAR_CLASS_COUNTER};
    int before = 0, number = 0;
    REQUIRE(MPI_T_pvar_get_num(&before) == MPI_SUCCESS);
    REQUIRE(events.start() == MPI_SUCCESS);
    ++all.performances.counter;
    REQUIRE(limit.write(77) == MPI_SUCCESS);
    {
        initialized again;
        CHECK(MPI_T_pvar_get_num(&number) == MPI_SUCCESS);
        CHECK(number == before);
        CHECK(events.read() == 1);
        ++all.performances.counter;
        CHECK(events.read() == 2);
        CHECK(limit.read() == 77);
    }
    ++all.performances.counter;
    CHECK(events.read() == 3);
    CHECK(limit.read() == 77);
    CHECK(limit.write(5) == MPI_SUCCESS);
}

TEST_CASE("The first initialisation decides the thread level that all of an epoch report", "[INIT-05]") {
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
    for (int first : levels) {
        initialized tools{first};
        CHECK(tools.provided == first);
        for (int later : levels) CHECK(initialized{later}.provided == first);
    }
}

TEST_CASE("A finalization without an initialisation is refused and not counted", "[INIT-06]") {
    REQUIRE(!is_open());
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
    initialized tools;
    CHECK(is_open());
}

TEST_CASE("Initialisations and finalizations may follow each other in any order", "[INIT-07]") {
    std::mt19937 random{GENERATE(1u, 2u, 3u)};
    int depth = 0, provided = 0;
    for (int i = 0; i < 1000; i++) {
        if (random() % 2 == 0) {
            REQUIRE(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
            depth++;
        } else {
            REQUIRE(MPI_T_finalize() == (depth > 0 ? MPI_SUCCESS : MPI_T_ERR_NOT_INITIALIZED));
            depth -= depth > 0;
        }
        REQUIRE(is_open() == (depth > 0));
    }
    for (; depth > 0; depth--) REQUIRE(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(!is_open());
}

TEST_CASE("An invalid thread level does not open the interface", "[INIT-09]") {
    for (int required : {77, -1, 1, 1023, 4097, INT_MAX, INT_MIN}) {
        int provided = -7;
        CHECK(MPI_T_init_thread(required, &provided) == MPI_T_ERR_INVALID);
        CHECK(provided == -7);
        CHECK(!is_open());
    }
}

TEST_CASE("A null pointer for the provided level is not written", "[INIT-09]") {
    CHECK(MPI_T_init_thread(MPI_THREAD_SINGLE, nullptr) == MPI_SUCCESS);
    CHECK(is_open());
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    CHECK(!is_open());
}

TEST_CASE("Many threads may initialise and finalize at once", "[INIT-10]") {
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 16; t++)
        threads.emplace_back([&wrong] {
            for (int i = 0; i < 1000; i++) {
                int provided = -1, number = 0;
                wrong += MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) != MPI_SUCCESS;
                wrong += provided != MPI_THREAD_MULTIPLE;
                wrong += MPI_T_cvar_get_num(&number) != MPI_SUCCESS;
                wrong += MPI_T_finalize() != MPI_SUCCESS;
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(!is_open());
    CHECK(MPI_T_finalize() == MPI_T_ERR_NOT_INITIALIZED);
}

TEST_CASE("Values outlive the epoch in which a tool wrote them", "[INIT-11]") {
    {
        initialized tools;
        REQUIRE(cvar{"C_INT"}.write(123) == MPI_SUCCESS);
    }
    CHECK(all.controls.plain == 123);
    initialized tools;
    CHECK(cvar{"C_INT"}.read() == 123);
    CHECK(cvar{"C_INT"}.write(5) == MPI_SUCCESS);
}

#if !MPIT_ADDRESS_SANITIZER && !MPIT_THREAD_SANITIZER // The sanitizers make system calls of their own.
namespace {

// From now on the process can have memory, read the clock, run a fence on its own processors and end; any other system
// call kills it.
bool forbid_communication() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 9, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_munmap, 8, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_brk, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{sizeof filter / sizeof *filter, filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// How a process ends that may not communicate.
template <class Body> int status_of(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        // Catch2 would report the signal, which needs system calls.
        for (int number : {SIGSEGV, SIGABRT}) signal(number, SIG_DFL);
        if (!forbid_communication()) _exit(2);
        body();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

void make_every_call() {
    for (const auto& call : every_call) {
        set_arguments();
        call.plain();
    }
    int provided = 0, count = 0;
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    MPI_T_pvar_session s{};
    MPI_T_pvar_session_create(&s);
    MPI_T_pvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        MPI_T_pvar_handle handle{};
        int elements = 0;
        unsigned long long value[64];
        if (MPI_T_pvar_handle_alloc(s, i, nullptr, &handle, &elements) != MPI_SUCCESS) continue;
        MPI_T_pvar_start(s, handle);
        MPI_T_pvar_read(s, handle, value);
        MPI_T_pvar_write(s, handle, value);
        MPI_T_pvar_readreset(s, handle, value);
        MPI_T_pvar_reset(s, handle);
        MPI_T_pvar_stop(s, handle);
        MPI_T_pvar_handle_free(s, &handle);
    }
    MPI_T_cvar_get_num(&count);
    for (int i = 0; i < count; i++) {
        MPI_T_cvar_handle handle{};
        int elements = 0;
        unsigned long long value[64];
        if (MPI_T_cvar_handle_alloc(i, nullptr, &handle, &elements) != MPI_SUCCESS) continue;
        MPI_T_cvar_read(handle, value);
        MPI_T_cvar_write(handle, value);
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_event_registration registration{};
    if (MPI_T_event_handle_alloc(0, nullptr, MPI_INFO_NULL, &registration) != MPI_SUCCESS) return;
    static int calls = 0;
    MPI_T_event_register_callback(
        registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr,
        [](MPI_T_event_instance, MPI_T_event_registration, MPI_T_cb_safety, void*) { calls++; });
    all.events.plain(1, 2, 3ul);
    MPI_T_event_handle_free(registration, nullptr, nullptr);
    if (calls != 1) _exit(3);
    MPI_T_finalize();
}

} // namespace

TEST_CASE("No call communicates with another process or waits for one", "[INIT-13]") {
    const int forbidden = status_of([] { socket(AF_UNIX, SOCK_STREAM, 0); });
    if (WIFEXITED(forbidden) && WEXITSTATUS(forbidden) == 2 && is_emulated()) {
        std::puts("skipped: QEMU has no filter of system calls");
        return;
    }
    REQUIRE(WIFSIGNALED(forbidden));
    const int status = status_of(make_every_call);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
#endif
