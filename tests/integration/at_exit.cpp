// The end of a program: destructors of static objects and atexit functions still count, read, and use the tool
// interface, whether they were made before or after the variables were registered. It has no Catch2, which is gone by
// then; the last destructor decides on the exit status.
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

int wrong = 0;
int phases = 0;
MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
MPI_T_pvar_handle calls = MPI_T_PVAR_HANDLE_NULL, calls_of_plugin = MPI_T_PVAR_HANDLE_NULL;
MPI_T_cvar_handle limit = MPI_T_CVAR_HANDLE_NULL;
unsigned long long expected = 0;
void (*plugin_count)(int) = nullptr;

void check(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "wrong: %s in phase %d of the end\n", what, phases);
    wrong++;
}

} // namespace

struct variables : mpit::category<"at_exit", "Used to the very end"> {
    mpit::counter<> calls{this, "at_exit_calls", "Calls"};
    mpit::control<int> limit{this, "at_exit_limit", "A number", {.initial = 5}};
};
inline constexpr auto& all = mpit::registered<variables>;

namespace {

unsigned long long read(MPI_T_pvar_handle handle) {
    unsigned long long value = 0;
    check(MPI_T_pvar_read(session, handle, &value) == MPI_SUCCESS, "read");
    return value;
}

MPI_T_pvar_handle started(const char* name) {
    int index = -1, count = 0;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    check(MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_COUNTER, &index) == MPI_SUCCESS, "index");
    check(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle, &count) == MPI_SUCCESS, "handle");
    check(MPI_T_pvar_start(session, handle) == MPI_SUCCESS, "start");
    return handle;
}

void use_everything() {
    phases++;
    ++all.calls;
    plugin_count(1);
    expected++;
    check(read(calls) == expected, "a counter");
    check(read(calls_of_plugin) == expected, "a counter of a plugin");
    int value = phases;
    check(MPI_T_cvar_write(limit, &value) == MPI_SUCCESS && all.limit == phases, "a control variable");
    MPI_T_pvar_handle fresh = started("at_exit_calls");
    check(read(fresh) == 0, "a new handle");
    check(MPI_T_pvar_handle_free(session, &fresh) == MPI_SUCCESS, "free");
}

struct user_at_end {
    ~user_at_end() { use_everything(); }
};

// The lower the priority, the earlier it is made and the later it goes.
struct judge {
    ~judge() {
        use_everything();
        check(MPI_T_finalize() == MPI_SUCCESS, "finalize");
        check(phases == 5, "number of phases");
        _exit(wrong);
    }
};
[[gnu::init_priority(101)]] judge made_before_all_variables;
user_at_end made_with_the_variables;

} // namespace

int main(int, char** argv) {
    int provided = 0, index = -1, count = 0;
    const std::string program = argv[0];
    void* plugin = dlopen((program.substr(0, program.rfind('/') + 1) + "alpha.so").c_str(), RTLD_NOW);
    if (plugin == nullptr) return std::printf("%s\n", dlerror()), 1;
    plugin_count = reinterpret_cast<void (*)(int)>(dlsym(plugin, "plugin_count"));
    check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS, "initialisation");
    check(MPI_T_pvar_session_create(&session) == MPI_SUCCESS, "session");
    calls = started("at_exit_calls");
    calls_of_plugin = started("alpha_calls");
    check(MPI_T_cvar_get_index("at_exit_limit", &index) == MPI_SUCCESS, "index");
    check(MPI_T_cvar_handle_alloc(index, nullptr, &limit, &count) == MPI_SUCCESS, "handle");
    std::atexit(&use_everything);
    static user_at_end made_in_main;
    use_everything();
    std::exit(0);
}
