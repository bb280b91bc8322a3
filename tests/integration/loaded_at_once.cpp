// Threads of a program without mpit load its first libraries at the same time: they find one index, whichever comes
// first. Each round is a process of its own.
//     together-loaded-at-once [<rounds>]
#include "beside_program.hpp"

#include <mpit/mpi_t.h>

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>

namespace {

constexpr const char* libraries[] = {"alpha", "beta", "gamma", "refused_shims"};
constexpr int count = 4;

pthread_barrier_t begin;
void* loaded[count];

void* load(void* which) {
    const long i = reinterpret_cast<long>(which);
    const std::string path = beside_program(libraries[i]);
    pthread_barrier_wait(&begin);
    loaded[i] = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    return nullptr;
}

// The number of libraries whose variables tools do not see.
int missing_after_a_round() {
    pthread_t threads[count];
    pthread_barrier_init(&begin, nullptr, count);
    for (long i = 0; i < count; i++) pthread_create(&threads[i], nullptr, &load, reinterpret_cast<void*>(i));
    for (const pthread_t thread : threads) pthread_join(thread, nullptr);
    void* const shims = loaded[count - 1];
    if (shims == nullptr) return 100;
    int provided = 0, missing = 0;
    reinterpret_cast<decltype(&MPI_T_init_thread)>(dlsym(shims, "MPI_T_init_thread"))(MPI_THREAD_SINGLE, &provided);
    const auto look = reinterpret_cast<decltype(&MPI_T_cvar_get_index)>(dlsym(shims, "MPI_T_cvar_get_index"));
    for (int i = 0; i < count - 1; i++) {
        char name[32];
        int number = -1;
        std::snprintf(name, sizeof name, "%s_limit", libraries[i]);
        missing += look(name, &number) != MPI_SUCCESS;
    }
    return missing;
}

} // namespace

int main(int arguments, char** values) {
    const int rounds = arguments > 1 ? std::atoi(values[1]) : 200;
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
        const pid_t child = fork();
        if (child == 0) _exit(missing_after_a_round());
        int status = -1;
        waitpid(child, &status, 0);
        if (status != 0) wrong++;
    }
    std::printf("%d rounds, %d in which libraries did not find each other\n", rounds, wrong);
    return wrong != 0;
}
