// A program whose variables are all published after main() has begun. It goes on when they have been watched. Its exit
// status is 5. It is without an MPI, or with that of the miniature runtime (WITH_MPI), which serves them to tools.
//
//   published once         one group
//   published twice        another one while the first is watched
//   published withdrawn    another one in place of the first, and the first again
//   published asked        one group when there is a line in the standard input
//   published never        none
//   published forks        forks before and after, and becomes `published once`
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <mpit/dynamic.hpp>

#include "counting.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

class group {
public:
    explicit group(const char* name) : name_{name}, variables_{name, "What counts until it is read"} {}
    group(const group&) = delete;

    bool is_watched() {
        const std::string steps = name_ + "_steps", reads = name_ + "_reads";
        const auto read = [](void* of) -> unsigned long { return ++static_cast<group*>(of)->reads_; };
        return variables_.counter(steps.c_str(), "Steps done", {.cell = &steps_}) == mpit::result::success &&
               variables_.computed<mpit::performance_class::level, unsigned long>(
                   reads.c_str(), "How often this was read", {.value = read, .data = this}) == mpit::result::success &&
               variables_.publish().code == mpit::result::success && goes_on();
    }
    bool goes_on() {
        return is_read([this] { ++steps_; }, reads_);
    }

private:
    std::string name_;
    mpit::counter_cell steps_;
    std::atomic<unsigned long> reads_{0};
    mpit::dynamic variables_;
};

// How many children ended as they should have: each allocates, and ends by exit().
static int forks() {
    int good = 0;
    std::fflush(stdout);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (child == 0) std::exit(std::string(1000, 'x').size() == 1000 ? 3 : 1);
        int status = 0;
        good += waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3;
    }
    return good;
}

static bool run(const std::string& what, const char* program) {
    if (what == "never") return true;
    if (what == "asked" && std::getchar() == EOF) return false;
    if (what == "forks") std::printf("%d children\n", forks());
    {
        group first{"first"};
        if (!first.is_watched()) return false;
        if (what == "forks") {
            std::printf("%d children\n", forks());
            std::fflush(stdout);
            execl(program, program, "once", nullptr);
            return false;
        }
        group second{"second"};
        if (what == "twice") return second.is_watched() && first.goes_on();
    }
    if (what != "withdrawn") return true;
    {
        group second{"second"};
        if (!second.is_watched()) return false;
    }
    group first{"first"};
    return first.is_watched();
}

int main(int count, char** words) {
    std::printf("%d\n", static_cast<int>(getpid()));
    std::fflush(stdout);
#ifdef WITH_MPI
    MPI_Init(&count, &words);
#endif
    const int status = count > 1 && run(words[1], words[0]) ? 5 : 1;
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return status;
}
