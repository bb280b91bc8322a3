// A program with variables that does one thing by its first argument and prints what it sees of it. It serves no tools:
// alone, it reads nothing but what its variables are called in the environment. What it prints must be the same under
// mpit-info.
//
//   behaviours <what>
#include <mpit/mpit.hpp>
#include <mpit/settings.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <poll.h>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

struct happened {
    int number;
};
std::mutex of_depth;
unsigned long depth() {
    const std::lock_guard guard{of_depth};
    return 7;
}
int heard = 0;
mpit::reply hear(const int&) {
    heard++;
    return mpit::reply::accepted;
}

struct variables : mpit::category<"behaving", "What a program does"> {
    mpit::control<int> limit{this, "BEHAVING_LIMIT", "From outside", {.initial = 5}};
    mpit::control<int> told{this, "BEHAVING_TOLD", "Hears who writes", {.initial = 5, .on_write = &hear}};
    mpit::counter<> rounds{this, "rounds", "Rounds of a loop"};
    mpit::computed<mpit::performance_class::level, unsigned long> deep{
        this, "depth", "What is told under a lock", {.value = [] { return depth(); }}};
    mpit::event<happened> round{this, "round_done", "A round is done"};
};
constexpr auto& behaving = mpit::registered<variables>;

void pause(int milliseconds) { poll(nullptr, 0, milliseconds); }

std::string status_of(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return "none";
    return WIFEXITED(status) ? "exit " + std::to_string(WEXITSTATUS(status))
                             : "signal " + std::to_string(WTERMSIG(status));
}

// What a child does, which has only the thread that forked.
[[noreturn]] void be_child(int number) {
    for (int i = 0; i < 300; i++) {
        ++behaving.rounds;
        behaving.round(i);
    }
    switch (number % 5) {
    case 0: std::exit(3);
    case 1: _exit(4);
    case 2: execlp("true", "true", nullptr); _exit(9);
    case 3: std::exit(fork() == 0 ? 0 : wait(nullptr) > 0 ? 6 : 7);
    default: raise(SIGKILL); _exit(9);
    }
}
std::string fork_often(int count) {
    std::string all;
    for (int i = 0; i < count; i++) {
        const pid_t child = fork();
        if (child == 0) be_child(i);
        if (const std::string is = status_of(child); i < 5) all += (i == 0 ? "" : ", ") + is;
        ++behaving.rounds;
        behaving.round(i);
    }
    return all;
}

int forks() {
    pause(20);
    std::printf("%s\n", fork_often(150).c_str());
    return 0;
}
int forks_of_threads() {
    std::atomic<bool> is_over{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 3; i++)
        others.emplace_back([&] {
            while (!is_over) behaving.round(0);
        });
    std::string each[2];
    std::thread other{[&] { each[1] = fork_often(60); }};
    each[0] = fork_often(60);
    other.join();
    is_over = true;
    for (std::thread& thread : others) thread.join();
    std::printf("%s\n%s\n", each[0].c_str(), each[1].c_str());
    return 0;
}
// The text in the buffer is in each child that ends by exit(), which writes it once more.
int buffered() {
    std::printf("written\n");
    for (int i = 0; i < 2; i++) {
        const pid_t child = fork();
        if (child == 0) std::exit(0);
        status_of(child);
    }
    return 0;
}
// A daemon: the child goes on when its parent has ended.
int goes_on_as_child() {
    const pid_t child = fork();
    if (child != 0) std::printf("%s\n", status_of(child).c_str());
    else ++behaving.rounds;
    return child == 0 ? 5 : 0;
}

int settings() {
    std::printf("%d %d", static_cast<int>(behaving.limit), static_cast<int>(behaving.told));
    pause(150);
    std::printf(", later %d %d, told %d\n", static_cast<int>(behaving.limit), static_cast<int>(behaving.told), heard);
    return 0;
}
// Reads files of its own accord, and with it those that the environment names.
int reads_settings() {
    pause(100);
    std::printf("%d read: ", mpit::read_configuration(std::getenv("BEHAVING_FILE")).settings);
    return settings();
}

// The numbers of open descriptors, as far as a program can get them.
int descriptors() {
    pause(100);
    const int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::string all = "open() gives " + std::to_string(opened) + "; open:";
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; i < static_cast<int>(limit.rlim_cur) && i < 65536; i++)
        if (fcntl(i, F_GETFD) >= 0) all += " " + std::to_string(i);
    int count = 0;
    while (count < 70000 && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0) count++;
    std::FILE* to = std::fopen(std::getenv("BEHAVING_FILE"), "we");
    if (to == nullptr) { // no number is left for it
        for (int i = 3; i < 30; i++) close(i);
        to = std::fopen(std::getenv("BEHAVING_FILE"), "we");
    }
    std::fprintf(to, "%s; %d more\n", all.c_str(), count);
    std::fclose(to);
    return 0;
}
// Closes everything as a daemon does, and has sockets of its own under all numbers that were open.
int closes_all() {
    pause(100);
    std::vector<int> open_now;
    DIR* folder = opendir("/proc/self/fd");
    while (const dirent* each = readdir(folder))
        if (const int number = std::atoi(each->d_name); number > 2 && number != dirfd(folder))
            open_now.push_back(number);
    closedir(folder);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 1;
    const int ours = fcntl(pair[1], F_DUPFD, 400);
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit most{limit.rlim_max, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &most);
    for (const int number : open_now) dup2(pair[0], number);
    pause(200);
    char text[100];
    const ssize_t length = recv(ours, text, sizeof text, MSG_DONTWAIT);
    std::printf("%s\n", length > 0 ? "somebody writes into a socket of the program" : "nothing");
    return 0;
}

int exits_with_lock() {
    std::puts("exit() under a lock");
    of_depth.lock();
    pause(100);
    std::exit(4);
}
int exits_while_cancelled() {
    std::puts("cancelled");
    std::fflush(stdout);
    pthread_cancel(pthread_self());
    std::exit(7);
}
std::atomic<int> caught{0};
int catches_signals() {
    struct sigaction action{};
    action.sa_handler = [](int) { caught += gettid() == getpid() ? 1 : 1000; };
    sigaction(SIGUSR1, &action, nullptr);
    for (int i = 0; i < 50; i++) {
        kill(getpid(), SIGUSR1);
        pause(1);
    }
    sigset_t blocked, now;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    kill(getpid(), SIGUSR1);
    pause(50);
    sigpending(&now);
    std::printf("%d caught, %d pending\n", caught.load(), sigismember(&now, SIGUSR1));
    return 0;
}
int keeps_errno() {
    pause(100);
    int wrong = 0;
    for (int i = 0; i < 500; i++) {
        errno = 123;
        behaving.round(i);
        if (errno != 123) wrong++;
    }
    std::printf("%d times another errno\n", wrong);
    return 0;
}
// clang-format off
constexpr struct {
    const char* name;
    int (*function)();
} all[] = {
    {"forks", forks}, {"forks of threads", forks_of_threads}, {"buffered", buffered},
    {"goes on as child", goes_on_as_child}, {"settings", settings}, {"reads settings", reads_settings},
    {"descriptors", descriptors}, {"closes all", closes_all}, {"exits with lock", exits_with_lock},
    {"exits while cancelled", exits_while_cancelled}, {"catches signals", catches_signals},
    {"keeps errno", keeps_errno}};
// clang-format on

} // namespace

int main(int argc, char** argv) {
    for (const auto& each : all)
        if (argc > 1 && std::strcmp(argv[1], each.name) == 0) return each.function();
    return 99;
}
