/* What programs do that a tool may break: each behaviour is a function below, chosen by its name. The same file is
 * compiled for the miniature runtime, for each MPI, with variables in the index only (WITHOUT_MPI and
 * variables.cpp), and without any.
 *
 *   torture forks       torture streams report.txt */
#define _GNU_SOURCE
#ifndef WITHOUT_MPI
#include <mpi.h>
#endif

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { agent_begins = 50 /* milliseconds, where there is no MPI_Init */, long_after = 150 };

static const char* self;
static const char* argument; /* behind the name of the behaviour */

static void pause_for(int milliseconds) {
    struct timespec left = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

static int rank_of_process(void) {
    int rank = 0;
#ifndef WITHOUT_MPI
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
    return rank;
}

static int status_of(pid_t process) {
    int status = 0;
    if (process < 0 || waitpid(process, &status, 0) != process) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Forks. A child allocates, opens a file and ends by exit(), so that it takes the locks of malloc, stdio and atexit. */

static int fork_times(int times) {
    int sum = 0;
    for (int i = 0; i < times; i++) {
        const pid_t child = fork();
        if (child == 0) {
            void* volatile room = malloc(1000 + (size_t)i);
            FILE* file = fopen("/proc/self/stat", "r");
            const int status = room != NULL && file != NULL ? i % 8 : 99;
            free(room);
            if (file != NULL) fclose(file);
            exit(status);
        }
        sum += status_of(child);
    }
    return sum;
}

static int forks(void) {
    printf("200 children answered %d in all\n", fork_times(200));
    return 3;
}

static void* fork_in_thread(void* sum) {
    *(int*)sum = fork_times(40);
    return NULL;
}

static int forks_of_threads(void) {
    pthread_t threads[4];
    int sums[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, fork_in_thread, &sums[i]);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    printf("children of 4 threads answered %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
    return 4;
}

/* A child that goes on for long, and whose parent ends first: the child's exit status is seen by its output only. */
static int outlived(void) {
    int ends[2];
    char answer[16] = "";
    if (pipe(ends) != 0) return 90;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        fork_times(20);
        pause_for(long_after);
        if (write(ends[1], "child", 5) != 5) exit(91);
        exit(0);
    }
    close(ends[1]);
    const ssize_t size = read(ends[0], answer, sizeof answer - 1);
    printf("read %d: %s, status %d\n", (int)size, answer, status_of(child));
    return 5;
}

static pid_t vfork_shell(void) {
    const pid_t child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 2", (char*)NULL);
        _exit(99);
    }
    return child;
}

static int vforks(void) {
    int sum = 0;
    for (int i = 0; i < 60; i++) sum += status_of(vfork_shell());
    for (int i = 0; i < 20; i++) {
        char* words[] = {(char*)"true", NULL};
        pid_t child;
        sum += posix_spawn(&child, "/bin/true", NULL, NULL, words, environ) == 0 ? status_of(child) : 99;
    }
    for (int i = 0; i < 10; i++) sum += system("exit 1") >> 8;
    printf("vfork, posix_spawn and system answered %d in all\n", sum);
    return 6;
}

/* Replaces itself, sooner and later than an agent begins. */
static int execs(void) {
    const int left = argument != NULL ? atoi(argument) : 8;
    char text[16];
    if (left == 0) return 7;
    printf("%d more\n", left);
    fflush(stdout);
    pause_for(left % 2 != 0 ? agent_begins + 10 : 1);
    snprintf(text, sizeof text, "%d", left - 1);
    execl(self, self, "execs", text, (char*)NULL);
    return 99;
}

/* Processes that end about when an agent begins in them. */
static int short_lives(void) {
    pid_t children[24];
    int sum = 0;
    for (int i = 0; i < 24; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", agent_begins - 12 + i);
        children[i] = fork();
        if (children[i] == 0) {
            execl(self, self, "life", text, (char*)NULL);
            _exit(99);
        }
    }
    for (int i = 0; i < 24; i++) sum += status_of(children[i]);
    printf("24 short lives answered %d in all\n", sum);
    return 8;
}

static int life(void) {
    pause_for(atoi(argument));
    return 2;
}

/* Threads. */

static void* sleep_in_thread(void* milliseconds) {
    pause_for((int)(size_t)milliseconds);
    return NULL;
}

/* Before main(): threads that end while an agent begins. */
#ifdef __GLIBC__ /* which gives constructors the arguments of main() */
__attribute__((constructor)) static void start_threads(int count, char** words) {
    if (count < 2 || strcmp(words[1], "threads_at_start") != 0) return;
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleep_in_thread, (void*)(size_t)(i * 8));
        pthread_detach(thread);
    }
}
#endif

static int threads_at_start(void) {
    for (int i = 0; i < 200; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleep_in_thread, (void*)(size_t)0);
        pthread_join(thread, NULL);
    }
    pause_for(long_after);
    puts("all threads have ended");
    return 9;
}

static void* exit_in_thread(void* milliseconds) {
    pause_for((int)(size_t)milliseconds);
    puts("a thread ends the process");
    exit(10);
}

static int main_thread_ends(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_in_thread, (void*)(size_t)long_after);
    pthread_exit(NULL);
}

static int exit_of_thread(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, exit_in_thread, (void*)(size_t)(agent_begins + 2));
    pthread_join(thread, NULL);
    return 99;
}

/* Ends. */

static int quick(void) {
    fputs("without handlers", stdout);
    fflush(stdout);
    pause_for(long_after);
    quick_exit(11);
}

static int crash(void) {
    fputs("before the crash", stderr);
    pause_for(long_after);
    raise(SIGSEGV);
    return 99;
}

static int aborts(void) {
    pause_for(long_after);
    abort();
}

static int killed(void) {
    pause_for(long_after);
    raise(SIGKILL);
    return 99;
}

/* Descriptors. */

/* Which of the standard streams are open, what reading and writing them answers, and which descriptor is the next
 * one, with an agent inside: into a file. */
static int streams(void) {
    char letter;
    int answers[6];
    pause_for(long_after);
    for (int i = 0; i < 3; i++) answers[i] = fcntl(i, F_GETFD) >= 0;
    answers[3] = answers[0] ? (int)read(0, &letter, 1) : -1;
    answers[4] = (int)write(1, "out\n", 4);
    answers[5] = (int)write(2, "error\n", 6);
    const int next = open("/dev/null", O_RDONLY);
    FILE* report = fopen(argument, "w");
    if (report == NULL) return 98;
    for (int i = 0; i < 6; i++) fprintf(report, "%d ", answers[i]);
    fprintf(report, "next %d\n", next < 3 ? next : 3); /* an MPI has some of its own */
    fclose(report);
    return answers[0] + 2 * answers[1] + 4 * answers[2];
}

/* As daemons do: closes all that it has not opened, and writes files of its own where those were. */
static int takes_all_descriptors(void) {
    char name[64], text[64] = "";
    int wrong = 0;
    pause_for(long_after);
    for (int i = 3; i < 1024; i++) close(i);
    snprintf(name, sizeof name, "/tmp/torture-XXXXXX");
    const int file = mkstemp(name);
    unlink(name);
    for (int i = 3; i < 1024; i++)
        if (i != file) dup2(file, i);
    pause_for(long_after);
    if (pwrite(file, "of the program", 14, 0) != 14) wrong = 1;
    const ssize_t size = pread(file, text, sizeof text - 1, 0);
    printf("%d bytes: %.20s\n", (int)size, text);
    return wrong;
}

static int many_descriptors(void) {
    int opened = 0, last = -1;
    for (int i = 0; i < 1024; i++) {
        last = open("/dev/null", O_RDONLY);
        opened += last >= 0;
    }
    pause_for(long_after);
    printf("%d descriptors, children answered %d\n", opened, fork_times(8));
    return last >= 1024 ? 12 : 99;
}

/* No descriptor is left when an agent begins, and when the process ends. */
static int all_descriptors(void) {
    while (open("/dev/null", O_RDONLY) >= 0) {}
    const int problem = errno;
    pause_for(long_after);
    printf("%s\n", strerror(problem));
    return 13;
}

static int few_descriptors(void) {
    const struct rlimit few = {8, 8};
    setrlimit(RLIMIT_NOFILE, &few);
    pause_for(long_after);
    FILE* file = fopen("/dev/null", "r");
    puts(file != NULL || errno == EMFILE ? "few are enough" : strerror(errno));
    return 14;
}

static int reads_inherited(void) {
    char text[32] = "";
    const ssize_t size = read(7, text, sizeof text - 1);
    printf("descriptor 7: %s\n", size > 0 ? text : strerror(errno));
    return 15;
}

static int small_files(void) {
    const struct rlimit small = {1000, 1000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    pause_for(long_after);
    puts("files are small");
    return 16;
}

static int fills_disk(void) {
    char piece[4096] = "";
    long long written = 0;
    FILE* file = fopen(argument, "w");
    if (file == NULL) return 98;
    while (fwrite(piece, 1, sizeof piece, file) == sizeof piece && fflush(file) == 0)
        written += (long long)sizeof piece;
    printf("%s\n", strerror(errno));
    pause_for(long_after);
    return written > 0 ? 17 : 99;
}

/* Output and input. */

static int prints_much(void) {
    for (int i = 0; i < 200000; i++) printf("line %06d of a program that prints ten megabytes...\n", i);
    return 18;
}

static int prints_binary(void) {
    pause_for(agent_begins);
    for (int i = 0; i < 256 * 64; i++) putchar(i % 256);
    for (int i = 0; i < 64 * 256; i += 7) putc(i % 256, stderr);
    return 19;
}

static int prints_unended(void) {
    for (int i = 0; i < 100000; i++) fputs("no end of line ", stdout);
    return 20;
}

static int reads_input(void) {
    unsigned long sum = 0, count = 0;
    for (int letter; (letter = getchar()) != EOF; count++) sum = sum * 31 + (unsigned long)letter;
    printf("read %lu bytes, sum %lu\n", count, sum % 65521);
    return 21;
}

static int reads_lines(void) {
    char line[100];
    for (int i = 1; i <= 2; i++) {
        printf("line %d: ", i);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) return 98;
        printf("it was %s", line);
    }
    printf("terminal: %d %d\n", isatty(0), isatty(1));
    return 22;
}

/* Signals. */

static volatile sig_atomic_t counts[65];
static void count_signal(int number) { counts[number]++; }

/* Counts each signal until one of them ends it; another one may still come. */
static int counts_signals(void) {
    const int all[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
    const char* names[] = {"INT", "TERM", "HUP", "QUIT", "USR1", "USR2"};
    int sum = 0;
    for (int i = 0; i < 6; i++) signal(all[i], count_signal);
    puts("ready");
    fflush(stdout);
    for (int turns = 0; sum == 0 && turns < 2000; turns++) {
        pause_for(10);
        for (int i = 0; i < 6; i++) sum += counts[all[i]];
    }
    pause_for(2 * long_after);
    for (int i = 0; i < 6; i++)
        if (counts[all[i]] > 0) printf("%s: %d\n", names[i], counts[all[i]]);
    return 23;
}

/* Ends by the signal, or after a while. */
static int waits_for_signal(void) {
    puts("ready");
    fflush(stdout);
    pause_for(20000);
    return 99;
}

static int stopped_and_continued(void) {
    signal(SIGCONT, count_signal);
    puts("ready");
    fflush(stdout);
    for (int turns = 0; counts[SIGCONT] == 0 && turns < 2000; turns++) pause_for(10);
    printf("continued: %d\n", counts[SIGCONT] > 0);
    return 24;
}

/* Kills who is told by the environment, and goes on. */
static int kills_tool(void) {
    int status = 25;
    pause_for(long_after);
    if (getenv("MPIT_INFO_SOCKET") != NULL) kill(getppid(), SIGKILL);
    pause_for(long_after);
    status += fork_times(10) == 29 ? 0 : 50;
    FILE* report = fopen(argument, "w");
    if (report == NULL) return 98;
    fprintf(report, "status %d\n", status);
    fclose(report);
    return status;
}

static int one_rank_dies(void) {
    if (rank_of_process() == 1) raise(SIGKILL);
    pause_for(20000);
    return 99;
}

static int launcher_dies(void) {
    int launcher = 0;
    FILE* file = fopen(argument, "r");
    if (file == NULL || fscanf(file, "%d", &launcher) != 1) return 98;
    fclose(file);
    if (rank_of_process() == 0) kill(launcher, SIGKILL);
    pause_for(20000);
    return 99;
}

static int hello(void) {
    printf("rank %d\n", rank_of_process());
    fprintf(stderr, "rank %d on the other stream\n", rank_of_process());
    pause_for(long_after);
    return 0;
}

#define BEHAVIOUR(name) {#name, name}
/* clang-format off */
static const struct {
    const char* name;
    int (*run)(void);
} behaviours[] = {
    BEHAVIOUR(forks), BEHAVIOUR(forks_of_threads), BEHAVIOUR(outlived), BEHAVIOUR(vforks), BEHAVIOUR(execs),
    BEHAVIOUR(short_lives), BEHAVIOUR(life), BEHAVIOUR(threads_at_start), BEHAVIOUR(main_thread_ends),
    BEHAVIOUR(exit_of_thread), BEHAVIOUR(quick), BEHAVIOUR(crash), BEHAVIOUR(aborts), BEHAVIOUR(killed),
    BEHAVIOUR(streams), BEHAVIOUR(takes_all_descriptors), BEHAVIOUR(many_descriptors), BEHAVIOUR(all_descriptors),
    BEHAVIOUR(few_descriptors), BEHAVIOUR(reads_inherited), BEHAVIOUR(small_files), BEHAVIOUR(fills_disk),
    BEHAVIOUR(prints_much), BEHAVIOUR(prints_binary), BEHAVIOUR(prints_unended), BEHAVIOUR(reads_input),
    BEHAVIOUR(reads_lines), BEHAVIOUR(counts_signals), BEHAVIOUR(waits_for_signal), BEHAVIOUR(stopped_and_continued),
    BEHAVIOUR(kills_tool), BEHAVIOUR(one_rank_dies), BEHAVIOUR(launcher_dies), BEHAVIOUR(hello)};
/* clang-format on */

int main(int count, char** words) {
    int status = 97;
    self = words[0];
    argument = count > 2 ? words[2] : NULL;
#ifndef WITHOUT_MPI
    /* A process that is replaced, or that starts others of this file, has no MPI_Init before. */
    const int has_mpi = count > 1 && strcmp(words[1], "execs") != 0 && strcmp(words[1], "short_lives") != 0;
    if (has_mpi) MPI_Init(&count, &words);
#endif
    for (size_t i = 0; i < sizeof behaviours / sizeof behaviours[0]; i++)
        if (count > 1 && strcmp(words[1], behaviours[i].name) == 0) status = behaviours[i].run();
#ifndef WITHOUT_MPI
    if (has_mpi) MPI_Finalize();
#endif
    fflush(NULL);
    return status;
}
