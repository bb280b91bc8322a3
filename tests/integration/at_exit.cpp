// The ends of a program: destructors of static objects and atexit functions still count, read, and use the tool
// interface, whether they were made before or after the variables were registered. Some are not calm: libraries that a
// static destructor closes, threads that still read while main returns, the ends of threads, quick_exit. Each is a program run of
// its own, many times; no run may crash, and what is read is a value or MPI_T_ERR_INVALID_HANDLE. It has no Catch2, because its
// destructors would run in between.
#include "beside_program.hpp"

#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

struct variables : mpit::category<"unloading_at_exit", "Used to the very end"> {
    mpit::counter<> calls{this, "at_exit_calls", "Calls"};
    mpit::control<int> limit{this, "at_exit_limit", "A number", {.initial = 5}};
};
inline constexpr auto& all = mpit::registered<variables>;

namespace {

int wrong = 0, uses = 0, least_uses = 0;
bool is_used = false, has_library = false; // to the very end
unsigned long long counted = 0;            // by both since the beginning
void (*count_in_library)(int) = nullptr;
void* library = nullptr;
MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
MPI_T_pvar_handle calls = MPI_T_PVAR_HANDLE_NULL, of_library = MPI_T_PVAR_HANDLE_NULL,
                  computed = MPI_T_PVAR_HANDLE_NULL;
MPI_T_cvar_handle limit = MPI_T_CVAR_HANDLE_NULL, text = MPI_T_CVAR_HANDLE_NULL;
MPI_T_pvar_handle started(const char* name, int variable_class);
const char* present_mode = "";

void check(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "wrong: %s at use %d of the end \"%s\"\n", what, uses, present_mode);
    wrong++;
}
bool is_allowed(int answer) { return answer == MPI_SUCCESS || answer == MPI_T_ERR_INVALID_HANDLE; }

void use_everything() {
    if (!is_used) return;
    uses++;
    unsigned long long before = 0, after = 0;
    check(MPI_T_pvar_read(session, calls, &before) == MPI_SUCCESS, "a counter of the program");
    ++all.calls;
    check(MPI_T_pvar_read(session, calls, &after) == MPI_SUCCESS && after == before + 1, "the counter after it");
    if (has_library) {
        counted++;
        count_in_library(1);
        check(after == counted, "all that the program has counted");
        check(MPI_T_pvar_read(session, of_library, &after) == MPI_SUCCESS && after == counted,
              "all that the library has counted");
        MPI_T_pvar_handle fresh = started("at_exit_calls", MPI_T_PVAR_CLASS_COUNTER);
        check(MPI_T_pvar_read(session, fresh, &after) == MPI_SUCCESS && after == 0, "a new handle on a counter");
        check(MPI_T_pvar_handle_free(session, &fresh) == MPI_SUCCESS, "free");
    }
    check(is_allowed(MPI_T_pvar_read(session, of_library, &after)), "a counter of the library");
    const int answer = MPI_T_pvar_read(session, computed, &after);
    check(answer == MPI_T_ERR_INVALID_HANDLE || (answer == MPI_SUCCESS && after == 7),
          "a computed variable of the library");
    char characters[32] = "";
    check(is_allowed(MPI_T_cvar_read(text, characters)), "a text of the library");
    int value = uses, index = -1, count = 0;
    check(MPI_T_cvar_write(limit, &value) == MPI_SUCCESS && all.limit == uses, "a control variable of the program");
    check(MPI_T_cvar_get_index("slow_even", &index) == MPI_SUCCESS, "a name of the library");
    MPI_T_cvar_handle fresh = MPI_T_CVAR_HANDLE_NULL;
    const int allocated = MPI_T_cvar_handle_alloc(index, nullptr, &fresh, &count);
    check(allocated == MPI_SUCCESS || allocated == MPI_T_ERR_INVALID_INDEX, "a new handle");
}
void close_library() {
    if (library != nullptr) dlclose(library);
    library = nullptr;
    use_everything();
}

bool closes_early = false, closes_late = false;
struct closes_when_it_goes {
    const bool& closes;
    ~closes_when_it_goes() {
        use_everything();
        if (closes) close_library();
    }
};
// The lower the priority, the later it goes: after the exit handlers of every library.
[[gnu::init_priority(101)]] closes_when_it_goes made_before_the_variables{closes_late};
closes_when_it_goes made_with_the_variables{closes_early};
[[gnu::destructor(101)]] void judge() {
    if (!is_used) return;
    use_everything();
    if (has_library) check(MPI_T_finalize() == MPI_SUCCESS && uses == 6, "finalize after five other uses");
    check(uses >= least_uses, "the number of uses");
    _exit(wrong);
}

MPI_T_pvar_handle started(const char* name, int variable_class) {
    int index = -1, count = 0;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    check(MPI_T_pvar_get_index(name, variable_class, &index) == MPI_SUCCESS, name);
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, name);
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, name);
    return handle;
}
MPI_T_cvar_handle allocated(const char* name) {
    int index = -1, count = 0;
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    check(MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS, name);
    check(MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS, name);
    return handle;
}
void begin() {
    int provided = 0;
    library = dlopen(beside_program("slow").c_str(), RTLD_NOW);
    if (library == nullptr) std::printf("%s\n", dlerror());
    check(library != nullptr, "the library");
    check(MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided) == MPI_SUCCESS, "initialisation");
    check(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session");
    calls = started("at_exit_calls", MPI_T_PVAR_CLASS_COUNTER);
    of_library = started("slow_calls", MPI_T_PVAR_CLASS_COUNTER);
    computed = started("slow_seven", MPI_T_PVAR_CLASS_LEVEL);
    limit = allocated("at_exit_limit");
    text = allocated("slow_text");
    is_used = true;
}

// Objects that go when a thread ends; the one of the first thread goes at exit.
struct user_at_end_of_thread {
    int made = 0;
    ~user_at_end_of_thread() { use_everything(); }
};
thread_local user_at_end_of_thread of_thread;

void read_for_ever() {
    unsigned long long value = 0;
    for (unsigned i = 0;; i++) {
        MPI_T_pvar_read(session, computed, &value);
        MPI_T_pvar_read(session, of_library, &value);
        ++all.calls;
        char characters[32];
        MPI_T_cvar_read(text, characters);
        if (i % 64 == 0) {
            MPI_T_pvar_session in = MPI_T_PVAR_SESSION_NULL;
            MPI_T_pvar_session_create(&in);
            MPI_T_pvar_session_free(&in);
        }
    }
}

// Ends the process in a way that its last destructor looks at.
int end_in(const char* mode) {
    present_mode = mode;
    const auto is = [&](const char* other) { return std::strcmp(mode, other) == 0; };
    begin();
    std::atexit(&use_everything);
    least_uses = 3;
    if (is("a destructor that runs late closes the library")) {
        closes_late = true;
    } else if (is("a destructor that runs early closes the library")) {
        closes_early = true;
        static closes_when_it_goes made_after_the_library{closes_early};
    } else if (is("a function of atexit closes the library")) {
        std::atexit(&close_library);
    } else if (is("nobody closes the library")) {
        has_library = true;
        count_in_library = reinterpret_cast<void (*)(int)>(dlsym(library, "plugin_count"));
        static closes_when_it_goes made_in_main{closes_early};
        use_everything();
        std::exit(0);
    } else if (is("threads end")) {
        static pthread_key_t key;
        pthread_key_create(&key, [](void*) { use_everything(); });
        of_thread.made = 1;
        for (int i = 0; i < 3; i++)
            std::thread{[] {
                of_thread.made = 1;
                pthread_setspecific(key, &key);
                ++all.calls;
            }}.join();
        least_uses = 10;
    } else if (is("quick_exit")) {
        std::at_quick_exit(&judge);
        std::at_quick_exit(&close_library);
        std::at_quick_exit(&use_everything);
        std::quick_exit(0);
    } else if (is("threads read on")) {
        // The calls that all threads make at once are no business of the one that ends the program.
        for (int i = 0; i < 3; i++) std::thread{&read_for_ever}.detach();
        usleep(1000);
        is_used = false;
        return 0;
    } else if (is("threads read on while the library is closed")) {
        for (int i = 0; i < 3; i++) std::thread{&read_for_ever}.detach();
        usleep(1000);
        is_used = false;
        static closes_when_it_goes early{closes_early};
        closes_early = closes_late = true;
        return 0;
    } else {
        return 90;
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    if (count > 1) return end_in(arguments[1]);
    constexpr const char* modes[] = {"a destructor that runs late closes the library",
                                     "a destructor that runs early closes the library",
                                     "a function of atexit closes the library",
                                     "nobody closes the library",
                                     "threads end",
                                     "quick_exit",
                                     "threads read on",
                                     "threads read on while the library is closed"};
    int failures = 0, runs = 0;
    for (const char* mode : modes) {
        const int times = std::strncmp(mode, "threads read", 12) == 0 && !MPIT_THREAD_SANITIZER ? 50 : 3;
        for (int i = 0; i < times; i++, runs++) {
            const pid_t child = fork();
            if (child == 0) {
                alarm(60);
                execl("/proc/self/exe", arguments[0], mode, nullptr);
                _exit(91);
            }
            int status = -1;
            waitpid(child, &status, 0);
            if (status == 0) continue;
            failures++;
            std::fprintf(stderr, "\"%s\" ended with the status %d\n", mode, status);
        }
    }
    std::printf("%d ends of a program, %d of them wrong\n", runs, failures);
    return failures != 0;
}
