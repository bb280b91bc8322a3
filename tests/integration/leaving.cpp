// A callback of a tool does not return: its thread ends there by pthread_exit(), is cancelled, or an exception leaves
// it. No process ends so. With exceptions the delivery has ended then, so that events are delivered and registrations
// end as after any other callback; without them it ends with its thread, as one that was left by longjmp().

#include "leaving.hpp"
#include "../catch.hpp"

#include <mpit/mpi_t.h>

#include <atomic>
#include <csetjmp>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

enum class way { returns, exits, is_cancelled, throws };
struct reason {};

way leaving = way::returns;
int heard = 0, ends = 0, value = 0;
MPI_T_event_instance last{};
pid_t number = 0;
std::atomic<int> stage{0};
void (*raise_one)() = nullptr;

void hear(MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
    heard++;
    last = instance;
    MPI_T_event_read(instance, 0, &value);
    switch (leaving) {
    case way::returns: return;
    case way::exits: pthread_exit(nullptr);
    case way::is_cancelled:
        pthread_cancel(pthread_self());
        pthread_testcancel();
        return;
    case way::throws: throw reason{};
    }
}
void count_end(MPI_T_event_registration, MPI_T_cb_safety, void*) { ends++; }

// What is on the way keeps its destructors.
struct counted {
    static inline int there = 0;
    counted() { there++; }
    ~counted() { there--; }
};
void* raise_in_thread(void*) {
    number = static_cast<pid_t>(syscall(SYS_gettid));
    const counted one;
    try {
        raise_one();
    } catch (const reason&) {
        stage = 1;
        while (stage.load() != 2) sched_yield();
    }
    return nullptr;
}

// Leaves the function of a variable by longjmp(), and lives on.
std::jmp_buf before_read;
void* leave_a_reader(void*) {
    int index = -1, count = 0;
    unsigned long long read = 0;
    MPI_T_pvar_session session{};
    MPI_T_pvar_handle handle{};
    MPI_T_pvar_get_index("leaving_computed", MPI_T_PVAR_CLASS_SIZE, &index);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count);
    MPI_T_pvar_start(session, handle);
    leaving_compute = []() -> unsigned long long { std::longjmp(before_read, 1); };
    if (setjmp(before_read) == 0) {
        MPI_T_pvar_read(session, handle, &read);
        _exit(1);
    }
    stage = 1;
    for (;;) pause();
}

struct registration {
    MPI_T_event_registration handle{};
    registration(const char* name, MPI_T_cb_safety level) {
        int index = -1;
        REQUIRE(MPI_T_event_get_index(name, &index) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
        REQUIRE(MPI_T_event_register_callback(handle, level, MPI_INFO_NULL, nullptr, &hear) == MPI_SUCCESS);
    }
    int free() const { return MPI_T_event_handle_free(handle, nullptr, &count_end); }
};

} // namespace

TEST_CASE("A thread may end in a callback, and an exception may leave it", "[EVT-35]") {
    int provided = -1;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    struct {
        const char* name;
        void (*raise)();
        MPI_T_cb_safety level;
    } const events[] = {
        {"leaving_plain", &leaving_raise_plain, MPI_T_CB_REQUIRE_THREAD_SAFE},
        {"leaving_plain", &leaving_raise_plain, MPI_T_CB_REQUIRE_NONE},
        {"leaving_ordered", &leaving_raise_ordered, MPI_T_CB_REQUIRE_THREAD_SAFE},
    };
    for (const way how : {way::exits, way::is_cancelled, way::throws})
        for (const auto& each : events) {
            const auto& [name, raise, level] = each;
            // Without exceptions nothing closes the queue of an ordered source, or of callbacks that are not
            // thread-safe.
            if (!leaving_has_exceptions() && &each != events) continue;
            CAPTURE(static_cast<int>(how), name, level);
            const registration one{name, level};
            raise_one = raise;
            heard = ends = value = stage = 0;
            leaving = how;
            pthread_t thread{};
            REQUIRE(pthread_create(&thread, nullptr, &raise_in_thread, nullptr) == 0);
            const bool lives = how == way::throws && leaving_has_exceptions();
            if (how == way::throws) {
                while (stage.load() != 1) sched_yield();
                if (!lives) stage = 2;
            }
            if (!lives) {
                REQUIRE(pthread_join(thread, nullptr) == 0);
                while (syscall(SYS_tgkill, getpid(), number, 0) == 0) usleep(100);
                CHECK(counted::there == 0);
            }
            CHECK(heard == 1);
            CHECK(value == 7);
            CHECK(MPI_T_event_read(last, 0, &value) == MPI_T_ERR_INVALID_HANDLE);
            leaving = way::returns;
            raise();
            CHECK(heard == 2);
            CHECK(one.free() == MPI_SUCCESS);
            CHECK(ends == 1);
            if (lives) {
                stage = 2;
                REQUIRE(pthread_join(thread, nullptr) == 0);
            }
        }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}

TEST_CASE("A thread may end in the function that a freed registration calls", "[EVT-35]") {
    int provided = -1, index = -1;
    REQUIRE(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS);
    REQUIRE(MPI_T_event_get_index("leaving_plain", &index) == MPI_SUCCESS);
    for (const way how : {way::exits, way::is_cancelled}) {
        leaving = how;
        static MPI_T_event_registration handle;
        REQUIRE(MPI_T_event_handle_alloc(index, nullptr, MPI_INFO_NULL, &handle) == MPI_SUCCESS);
        pthread_t thread{};
        const auto free_it = [](void*) -> void* {
            MPI_T_event_handle_free(handle, nullptr, [](MPI_T_event_registration, MPI_T_cb_safety, void*) {
                if (leaving == way::exits) pthread_exit(&ends);
                pthread_cancel(pthread_self());
                pthread_testcancel();
            });
            return nullptr;
        };
        REQUIRE(pthread_create(&thread, nullptr, free_it, nullptr) == 0);
        void* result = nullptr;
        REQUIRE(pthread_join(thread, &result) == 0);
        CHECK(result == (how == way::exits ? &ends : PTHREAD_CANCELED));
        CHECK(MPI_T_event_handle_free(handle, nullptr, nullptr) == MPI_T_ERR_INVALID_HANDLE);
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
}

TEST_CASE("A report at exit names the library whose variables a thread has not ceased to read") {
    int ends_of_pipe[2];
    REQUIRE(pipe(ends_of_pipe) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends_of_pipe[1], STDERR_FILENO);
        stage = 0;
        pthread_t thread{};
        if (MPI_T_init_thread(MPI_THREAD_MULTIPLE, nullptr) != MPI_SUCCESS) _exit(1);
        if (pthread_create(&thread, nullptr, &leave_a_reader, nullptr) != 0) _exit(1);
        while (stage.load() != 1) sched_yield();
        std::exit(0);
    }
    close(ends_of_pipe[1]);
    std::string report;
    char part[200];
    for (ssize_t size = 0; (size = read(ends_of_pipe[0], part, sizeof part)) > 0;)
        report.append(part, static_cast<std::size_t>(size));
    close(ends_of_pipe[0]);
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CAPTURE(report);
    CHECK(report.find("a second while ") != std::string::npos);
    CHECK(report.find("libleaving_with") != std::string::npos);
}
