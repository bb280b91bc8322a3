// Each system call that the library makes is refused, from the first, the second, the third one on: libraries are
// loaded and unloaded, variables listed, counted, read, set and listened to. Each call of the interface succeeds and
// its answer is right, or it answers that there is no memory. A matrix of system calls and jobs, each cell in a process
// of its own.
//     together-refused-calls membarrier     only this system call
#include "../unloaded_libraries.hpp"
#include "refusing.hpp"

#include <mpit/mpi_t.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

namespace {

struct refused_call {
    const char* name;
    long number;
    int error;
    bool may_lack_memory = false; // then variables may be missing
    bool may_fail_to_load = false;
    bool may_lack_numbers = false; // of threads: then instances of events are lost
    unsigned third_argument = refusal::any;
};
constexpr refused_call calls[] = {
    {"memfd_create", SYS_memfd_create, ENOSYS},
    {"membarrier", SYS_membarrier, ENOSYS},
    {"tgkill", SYS_tgkill, EPERM},
    {"gettid", SYS_gettid, EPERM, false, false, true},
    {"clock_gettime", SYS_clock_gettime, EPERM},
    {"getpid", SYS_getpid, EPERM},
    {"sched_yield", SYS_sched_yield, EPERM},
    {"rt_sigprocmask", SYS_rt_sigprocmask, EPERM},
    {"ftruncate", SYS_ftruncate, EPERM},
    {"munmap", SYS_munmap, EPERM},
    // The C library gives stacks of ended threads back by other advice, with the signal of the filter blocked.
    {"madvise", SYS_madvise, EPERM, false, false, false, MADV_NOHUGEPAGE},
    {"close", SYS_close, EPERM, false, true},
    {"openat", SYS_openat, EACCES, false, true},
    {"read", SYS_read, EPERM, false, true},
    {"mmap", SYS_mmap, ENOMEM, true, true},
};

const refused_call* present = nullptr;

// The clock is no system call on most machines.
bool is_clock_watched = false;
std::atomic<long> clock_calls{0};
long clock_calls_allowed = 0;

[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vdprintf(STDOUT_FILENO, format, arguments);
    va_end(arguments);
    _exit(1);
}
// Whether a call has succeeded; otherwise it must have said that there is no memory, and the call that is refused takes
// memory.
bool has_succeeded(int answer, const char* what) {
    if (answer == MPI_SUCCESS) return true;
    const bool says_no_memory = answer == MPI_T_ERR_MEMORY || answer == MPI_T_ERR_OUT_OF_HANDLES ||
                                answer == MPI_T_ERR_OUT_OF_SESSIONS || answer == MPI_T_ERR_CANNOT_INIT;
    if (!says_no_memory || !present->may_lack_memory) fail("%s answered %d\n", what, answer);
    return false;
}
void demand(bool holds, const char* what, long long value) {
    if (!holds) fail("%s: %lld\n", what, value);
}

char folder[4096];
void* load(const char* name) {
    char path[4200];
    std::snprintf(path, sizeof path, "%s/%s.so", folder, name);
    void* const loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (loaded == nullptr && !present->may_fail_to_load) fail("%s\n", dlerror());
    if (loaded == nullptr) _exit(0);
    return loaded;
}
template <class Function> Function* find(void* module, const char* name) {
    auto* const found = reinterpret_cast<Function*>(dlsym(module, name));
    if (found == nullptr) fail("%s is missing\n", name);
    return found;
}

// The functions of the interface, in a library that stays.
void* shims = nullptr;
#define CALL(name) find<decltype(name)>(shims, #name)

// The number of a variable; -1 if there was no memory for it when its library was loaded.
template <class Look> int number_of(Look look, const char* what) {
    int found = -1;
    const int answer = look(&found);
    if (answer != MPI_SUCCESS && !(answer == MPI_T_ERR_INVALID_NAME && present->may_lack_memory))
        fail("looking %s up answered %d\n", what, answer);
    return answer == MPI_SUCCESS ? found : -1;
}
int performance(const char* name, int its_class) {
    return number_of([&](int* found) { return CALL(MPI_T_pvar_get_index)(name, its_class, found); }, name);
}

struct counting {
    void (*count)(int);
    int times;
};
void* count_there(void* what) {
    const auto* mine = static_cast<counting*>(what);
    mine->count(mine->times);
    return nullptr;
}

struct handle_of_session {
    MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
    MPI_T_pvar_handle handle = MPI_T_PVAR_HANDLE_NULL;
    bool is_open = false;
    handle_of_session(int number, const char* what) {
        int elements = 0;
        is_open = number >= 0 && has_succeeded(CALL(MPI_T_pvar_session_create)(&session), "a session") &&
                  has_succeeded(CALL(MPI_T_pvar_handle_alloc)(session, number, nullptr, &handle, &elements), what);
        if (is_open) has_succeeded(CALL(MPI_T_pvar_start)(session, handle), "starting");
    }
    template <class T> bool read(T& value) const {
        return is_open && has_succeeded(CALL(MPI_T_pvar_read)(session, handle, &value), "reading");
    }
};

void list_everything() {
    int kinds[4] = {};
    has_succeeded(CALL(MPI_T_cvar_get_num)(&kinds[0]), "the number of control variables");
    has_succeeded(CALL(MPI_T_pvar_get_num)(&kinds[1]), "the number of performance variables");
    has_succeeded(CALL(MPI_T_event_get_num)(&kinds[2]), "the number of events");
    has_succeeded(CALL(MPI_T_category_get_num)(&kinds[3]), "the number of categories");
    if (!present->may_lack_memory)
        demand(kinds[0] == 1 && kinds[1] == 3 && kinds[2] == 1 && kinds[3] == 1, "kinds",
               kinds[0] * 1000 + kinds[1] * 100 + kinds[2] * 10 + kinds[3]);
    for (int i = 0; i < kinds[1]; i++) {
        char name[64];
        int length = sizeof name, its_class = 0, verbosity = 0, bind = 0, readonly = 0, continuous = 0, atomic = 0;
        MPI_Datatype type{};
        if (has_succeeded(CALL(MPI_T_pvar_get_info)(i, name, &length, &verbosity, &its_class, &type, nullptr, nullptr,
                                                    nullptr, &bind, &readonly, &continuous, &atomic),
                          "a description"))
            demand(std::strncmp(name, "refused_", 8) == 0, "a name", i);
    }
}

void ask_for_time() {
    int count = 0, length = 0;
    MPI_T_source_order order{};
    MPI_Count ticks = -1, most = -1, now = -1;
    has_succeeded(CALL(MPI_T_source_get_num)(&count), "the number of sources");
    for (int i = 0; i < count; i++) {
        has_succeeded(
            CALL(MPI_T_source_get_info)(i, nullptr, &length, nullptr, &length, &order, &ticks, &most, nullptr),
            "a source");
        has_succeeded(CALL(MPI_T_source_get_timestamp)(i, &now), "the time");
        demand(now >= 0, "the time", now);
    }
}

// Several threads, of which each must count in a place of its own.
void count_and_read(void* plugin) {
    auto* const count = find<void(int)>(plugin, "count_in_refused");
    const handle_of_session calls_of{performance("refused_calls", MPI_T_PVAR_CLASS_COUNTER), "a handle on a counter"};
    counting each{count, 200'000};
    pthread_t threads[3];
    int begun = 0;
    while (begun < 3 && pthread_create(&threads[begun], nullptr, &count_there, &each) == 0) begun++;
    if (begun < 3 && !present->may_lack_memory) fail("a thread cannot be made\n");
    count(200'000);
    for (int i = 0; i < begun; i++) pthread_join(threads[i], nullptr);
    unsigned long long seen = 0;
    if (calls_of.read(seen))
        demand(seen == 200'000ull * static_cast<unsigned>(begun + 1), "a count", static_cast<long long>(seen));
}

void set_and_read() {
    const int number =
        number_of([](int* found) { return CALL(MPI_T_cvar_get_index)("REFUSED_LIMIT", found); }, "REFUSED_LIMIT");
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int elements = 0, value = 0, nine = 9;
    if (number < 0 ||
        !has_succeeded(CALL(MPI_T_cvar_handle_alloc)(number, nullptr, &handle, &elements), "a control handle"))
        return;
    if (has_succeeded(CALL(MPI_T_cvar_read)(handle, &value), "reading")) demand(value == 5, "REFUSED_LIMIT", value);
    if (has_succeeded(CALL(MPI_T_cvar_write)(handle, &nine), "writing") &&
        has_succeeded(CALL(MPI_T_cvar_read)(handle, &value), "reading"))
        demand(value == 9, "REFUSED_LIMIT that was written", value);
    has_succeeded(CALL(MPI_T_cvar_handle_free)(&handle), "freeing");
}

int heard = 0, ended = 0, last_number = 0;
void listen(void* plugin) {
    auto* const raise = find<void(int)>(plugin, "raise_in_refused");
    const int number =
        number_of([](int* found) { return CALL(MPI_T_event_get_index)("refused_called", found); }, "refused_called");
    MPI_T_event_registration registration = nullptr;
    if (number < 0 ||
        !has_succeeded(CALL(MPI_T_event_handle_alloc)(number, nullptr, MPI_INFO_NULL, &registration), "a registration"))
        return;
    static decltype(&MPI_T_event_read) read;
    read = CALL(MPI_T_event_read);
    const auto hear = [](MPI_T_event_instance instance, MPI_T_event_registration, MPI_T_cb_safety, void*) {
        demand(read(instance, 0, &last_number) == MPI_SUCCESS, "reading an instance", last_number);
        heard++;
    };
    if (has_succeeded(
            CALL(MPI_T_event_register_callback)(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, nullptr, hear),
            "a callback")) {
        for (int i = 1; i <= 3; i++) raise(i);
        if (!present->may_lack_memory && !present->may_lack_numbers)
            demand(heard == 3 && last_number == 3, "instances", heard);
    }
    has_succeeded(CALL(MPI_T_event_handle_free)(registration, nullptr,
                                                [](MPI_T_event_registration, MPI_T_cb_safety, void*) { ended++; }),
                  "freeing a registration");
    demand(ended == 1, "ends of a registration", ended);
    raise(4);
    demand(heard <= 3, "instances after the end", heard);
}

// A thread that reads while the library goes: it is waited for.
std::atomic<bool> is_done{false};
std::atomic<long> reads{0};
void* read_on(void* what) {
    const auto& of = *static_cast<handle_of_session*>(what);
    auto* const read = CALL(MPI_T_pvar_read);
    while (!is_done) {
        unsigned long value = 0;
        const int answer = read(of.session, of.handle, &value);
        if (answer == MPI_SUCCESS) demand(value == 7, "refused_seven", static_cast<long long>(value));
        else demand(answer == MPI_T_ERR_INVALID_HANDLE, "reading what is unloaded answered", answer);
        reads++;
    }
    return nullptr;
}
void unload_under_a_reader(void* plugin) {
    handle_of_session seven{performance("refused_seven", MPI_T_PVAR_CLASS_LEVEL), "a handle on a computed variable"};
    pthread_t reader;
    const bool has_reader = seven.is_open && pthread_create(&reader, nullptr, &read_on, &seven) == 0;
    while (has_reader && reads < 3) sched_yield();
    dlclose(plugin);
    is_done = true;
    if (has_reader) pthread_join(reader, nullptr);
    unsigned long value = 0;
    if (seven.is_open && unloads_libraries)
        demand(CALL(MPI_T_pvar_read)(seven.session, seven.handle, &value) == MPI_T_ERR_INVALID_HANDLE,
               "reading what is unloaded", 0);
}

[[noreturn]] void do_everything(const refused_call& refused, long allowed, int to_parent) {
    present = &refused;
    alarm(60); // an endless wait ends the process
    is_clock_watched = refused.number == SYS_clock_gettime;
    clock_calls_allowed = allowed;
    if (!refusal::begin(is_clock_watched ? -1 : refused.number, allowed, refused.error, refused.third_argument))
        _exit(77);
    shims = load("refused_shims");
    void* plugin = load("refused_plugin");
    int provided = 0;
    if (has_succeeded(CALL(MPI_T_init_thread)(MPI_THREAD_MULTIPLE, &provided), "MPI_T_init_thread")) {
        list_everything();
        ask_for_time();
        count_and_read(plugin);
        set_and_read();
        listen(plugin);
        unload_under_a_reader(plugin);
        load("refused_plugin");
        list_everything();
        has_succeeded(CALL(MPI_T_finalize)(), "MPI_T_finalize");
    }
    const long count = is_clock_watched ? clock_calls.load() : refusal::count();
    if (to_parent >= 0 && write(to_parent, &count, sizeof count) != sizeof count) _exit(1);
    _exit(0);
}

// How the process has ended; `count` becomes the number of its calls if it went to the end.
int status_of(const refused_call& refused, long allowed, long& count) {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return 1;
    const pid_t child = fork();
    if (child == 0) do_everything(refused, allowed, ends[1]);
    close(ends[1]);
    if (read(ends[0], &count, sizeof count) != sizeof count) count = 0;
    close(ends[0]);
    int status = -1;
    waitpid(child, &status, 0);
    return status;
}

} // namespace

// noexcept where the C library says so.
extern "C" int clock_gettime(clockid_t which, timespec* now) noexcept(noexcept(clock_gettime(which, now))) {
    if (!is_clock_watched || clock_calls.fetch_add(1) < clock_calls_allowed)
        return static_cast<int>(syscall(SYS_clock_gettime, which, now));
    errno = present->error;
    return -1;
}

int main(int argc, char** argv) {
    if (readlink("/proc/self/exe", folder, sizeof folder - 1) <= 0) return 1;
    *std::strrchr(folder, '/') = '\0';
    constexpr long never = 1L << 60, most = 24;
    int failures = 0;
    for (const refused_call& each : calls) {
        if (argc > 1 && std::strcmp(argv[1], each.name) != 0) continue;
#if !defined(__GLIBC__)
        // musl makes it in dlopen(), and blocks the signal of the filter there.
        if (each.number == SYS_membarrier) {
            std::printf("skipped: membarrier cannot be refused with this C library\n");
            continue;
        }
#endif
        long made = 0, unused = 0;
        int status = status_of(each, never, made);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            return std::printf("skipped: system calls cannot be refused here\n"), 77;
        int processes = 1, wrong = status != 0;
        // All of the first ones, then some.
        for (long allowed = 0; allowed <= made;
             allowed += 1 + (allowed < most / 2 ? 0 : made / (most / 2)), processes++) {
            status = status_of(each, allowed, unused);
            if (status == 0) continue;
            wrong++;
            std::printf("%s is refused after %ld calls: %s %d\n", each.name, allowed,
                        WIFSIGNALED(status) ? "signal" : "status",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            std::fflush(stdout);
        }
        std::printf("%-16s %4ld calls, %3d processes, %d wrong\n", each.name, made, processes, wrong);
        std::fflush(stdout);
        failures += wrong;
    }
    return failures != 0;
}
