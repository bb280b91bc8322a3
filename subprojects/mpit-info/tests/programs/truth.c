/* Programs of which is known who is late, or what hangs (test_truth.py): `truth CASE [key=value...]`.
 *
 *   truth ring late=2 how=sleep when=start      computes and exchanges in rounds; rank 2 computes longer
 *   truth barrier_missing                       hangs until a signal
 *
 * late, early: ranks, such as 2,5   how: cpu, sleep, io   when: all, start, end   share: all, jitter, moving
 * base, more: milliseconds of a round, and of a late one   rounds, bytes: numbers */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define WORLD MPI_COMM_WORLD
#define NO_STATUS MPI_STATUS_IGNORE
#define LARGE (1 << 20)

static int rank, ranks, rounds, bytes, arguments_count;
static char **arguments, *given, *taken;
static MPI_Comm sub, twin;
static MPI_Status statuses[3];

static const char* text(const char* key, const char* otherwise) {
    const size_t length = strlen(key);
    for (int i = 2; i < arguments_count; i++)
        if (strncmp(arguments[i], key, length) == 0 && arguments[i][length] == '=') return arguments[i] + length + 1;
    return otherwise;
}
static int number(const char* key, int otherwise) {
    const char* const found = text(key, NULL);
    return found != NULL ? atoi(found) : otherwise;
}
static int is(const char* key, const char* value) { return strcmp(text(key, "all"), value) == 0; }
static int has_me(const char* key) {
    for (const char* at = text(key, ""); *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] != '\0'))
        if (atoi(at) == rank) return 1;
    return 0;
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static void burn(double ms) {
    const double end = seconds(CLOCK_THREAD_CPUTIME_ID) + ms * 1e-3;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {}
}
static void rest(double ms) { usleep((useconds_t)(ms * 1e3)); }
static void write_file(double ms) { /* an amount: a time would have less work in it on a busy machine */
    char name[] = "/tmp/truth-XXXXXX";
    const int file = mkstemp(name);
    unlink(name);
    for (int i = 0; i == 0 || i < (int)ms / 3; i++)
        if (pwrite(file, given, 4096, 0) != 4096 || fsync(file) != 0) abort();
    close(file);
}
static void spend(double ms) {
    const char* const how = text("how", "cpu");
    (*how == 'c' ? burn : *how == 's' ? rest : write_file)(ms);
}
static void compute(int round) {
    const double base = number("base", 3), more = number("more", 12);
    const int is_now = is("when", "start") ? round < 1 : is("when", "end") ? round == rounds - 1 : 1;
    if (has_me("early")) spend(base / 6);
    else if (is("share", "jitter")) spend(base * (0.5 + drand48()));
    else if (is("share", "moving")) spend(round % ranks == rank ? more : base);
    else spend(has_me("late") && is_now ? more : base);
}
static void stay(void) {
    for (;;) rest(1);
}

static void allreduce(MPI_Comm in) {
    double one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, in);
}
static int up(void) { return (rank + 1) % ranks; }
static int down(void) { return (rank + ranks - 1) % ranks; }
static void neighbours(MPI_Request* two) {
    MPI_Irecv(taken, bytes, MPI_BYTE, down(), 0, WORLD, &two[0]);
    MPI_Isend(given, bytes, MPI_BYTE, up(), 0, WORLD, &two[1]);
}

/* ------------------------------------------------ rounds: compute, then exchange ------------------------------------------------ */

static void barrier(int round) { (void)round, MPI_Barrier(WORLD); }
static void reduction(int round) { (void)round, allreduce(WORLD); }
static void to_root(int round) {
    double one = round, sum;
    MPI_Reduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, WORLD);
}
static void from_root(int round) { (void)round, MPI_Bcast(given, bytes, MPI_BYTE, 0, WORLD); }
static void alltoall(int round) {
    (void)round, MPI_Alltoall(given, bytes / ranks, MPI_BYTE, taken, bytes / ranks, MPI_BYTE, WORLD);
}
static void scan(int round) {
    double one = round, sum;
    MPI_Scan(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void ring(int round) {
    MPI_Request two[2];
    (void)round, neighbours(two);
    MPI_Waitall(2, two, statuses);
}
static void stencil(int round) {
    MPI_Sendrecv(given, bytes, MPI_BYTE, up(), 0, taken, bytes, MPI_BYTE, down(), 0, WORLD, NO_STATUS);
    MPI_Sendrecv(given, bytes, MPI_BYTE, down(), 1, taken, bytes, MPI_BYTE, up(), 1, WORLD, NO_STATUS);
    if (round % 10 == 9) allreduce(WORLD);
}
static void poll(int round) {
    MPI_Request two[2];
    int is_done = 0;
    (void)round, neighbours(two);
    while (MPI_Testall(2, two, &is_done, statuses) == MPI_SUCCESS && !is_done)
        if (number("between", 0)) burn(number("between", 0) * 0.01);
}
static void probe(int round) {
    MPI_Request request;
    int is_there = 0;
    MPI_Isend(given, bytes, MPI_BYTE, up(), round, WORLD, &request);
    while (MPI_Iprobe(down(), round, WORLD, &is_there, NO_STATUS) == MPI_SUCCESS && !is_there) sched_yield();
    MPI_Recv(taken, bytes, MPI_BYTE, down(), round, WORLD, NO_STATUS);
    MPI_Wait(&request, NO_STATUS);
}
static void chain(int round) { /* with MPI_Ssend */
    if (rank > 0) MPI_Recv(taken, bytes, MPI_BYTE, rank - 1, round, WORLD, NO_STATUS);
    if (rank + 1 < ranks) MPI_Ssend(given, bytes, MPI_BYTE, rank + 1, round, WORLD);
}
static void many_calls(int round) { /* rank 0 makes ten times as many as the others */
    for (int i = 1; i < ranks && rank == 0; i++)
        for (int j = 0; j < 10; j++) MPI_Send(given, 8, MPI_BYTE, i, j, WORLD);
    for (int j = 0; j < 10 && rank != 0; j++) MPI_Recv(taken, 8, MPI_BYTE, 0, j, WORLD, NO_STATUS);
    barrier(round);
}
static void halves(int round) {
    allreduce(sub);
    if (round % 5 == 4) allreduce(WORLD);
}
static void later(int round) { /* computes between the begin and the end of an operation */
    MPI_Request request;
    double one = round, sum;
    MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, WORLD, &request);
    MPI_Wait(&request, NO_STATUS);
}
static void fence(int round) {
    static MPI_Win window;
    if (round == 0) MPI_Win_create(taken, bytes, 1, MPI_INFO_NULL, WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(given, 8, MPI_BYTE, up(), 0, 8, MPI_BYTE, window);
    MPI_Win_fence(0, window);
    if (round == rounds - 1) MPI_Win_free(&window);
}
static void persistent(int round) {
    static MPI_Request two[2];
    if (round == 0) MPI_Recv_init(taken, bytes, MPI_BYTE, down(), 0, WORLD, &two[0]);
    if (round == 0) MPI_Send_init(given, bytes, MPI_BYTE, up(), 0, WORLD, &two[1]);
    MPI_Startall(2, two);
    MPI_Waitall(2, two, statuses);
}
static void neighbour_collective(int round) {
    static MPI_Comm circle;
    const int size = ranks, is_periodic = 1;
    if (round == 0) MPI_Cart_create(WORLD, 1, &size, &is_periodic, 0, &circle);
    MPI_Neighbor_alltoall(given, 8, MPI_BYTE, taken, 8, MPI_BYTE, circle);
}
static void prints(int round) {
    if (rank == 0) printf("round %d\n", round);
    barrier(round);
}
static void nothing(int round) { (void)round; }

static const struct {
    const char* name;
    void (*exchange)(int round);
} patterns[] = {{"barrier", barrier},
                {"allreduce", reduction},
                {"reduce", to_root},
                {"bcast", from_root},
                {"alltoall", alltoall},
                {"scan", scan},
                {"ring", ring},
                {"stencil", stencil},
                {"poll", poll},
                {"probe", probe},
                {"chain", chain},
                {"many_calls", many_calls},
                {"halves", halves},
                {"later", later},
                {"fence", fence},
                {"persistent", persistent},
                {"neighbour", neighbour_collective},
                {"prints", prints},
                {"nothing", nothing}};

/* ------------------------------------------------ other programs ------------------------------------------------ */

static void receive(int from, int tag, MPI_Comm in) { MPI_Recv(taken, 8, MPI_BYTE, from, tag, in, NO_STATUS); }
static void send(int to, int tag, MPI_Comm in) { MPI_Send(given, 8, MPI_BYTE, to, tag, in); }
static void synchronous(int to, int tag) { MPI_Ssend(given, 8, MPI_BYTE, to, tag, WORLD); }

static void master(void) { /* hands out tasks; late=0: decides slowly which one is next */
    MPI_Status status;
    if (rank == 0) {
        int handed[16] = {0}; /* all get as many, so that nobody is late by accident */
        for (int running = ranks - 1; running > 0;) {
            MPI_Recv(taken, 8, MPI_BYTE, MPI_ANY_SOURCE, 0, WORLD, &status);
            if (has_me("late")) spend(number("more", 12));
            const int has_more = handed[status.MPI_SOURCE]++ < rounds / (ranks - 1);
            MPI_Send(given, 8, MPI_BYTE, status.MPI_SOURCE, has_more, WORLD);
            running -= !has_more;
        }
        return;
    }
    do {
        send(0, 0, WORLD);
        MPI_Recv(taken, 8, MPI_BYTE, 0, MPI_ANY_TAG, WORLD, &status);
        if (status.MPI_TAG != 0) spend(number("base", 3));
    } while (status.MPI_TAG != 0);
}
static void pipeline(void) {
    for (int i = 0; i < rounds; i++) {
        if (rank > 0) receive(rank - 1, i, WORLD);
        compute(i);
        if (rank + 1 < ranks) synchronous(rank + 1, i);
    }
}
static void token(void) { /* each computes in turn */
    for (int i = 0; i < rounds; i++) {
        if (rank > 0 || i > 0) receive(down(), 0, WORLD);
        compute(i);
        if (rank + 1 < ranks || i + 1 < rounds) send(up(), 0, WORLD);
    }
}
static void lock_long(void) { /* puts under a lock that one rank holds while it computes */
    MPI_Win window;
    MPI_Win_create(taken, bytes, 1, MPI_INFO_NULL, WORLD, &window);
    for (int i = 0; i < rounds; i++) {
        compute(i);
        MPI_Barrier(WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Put(given, 8, MPI_BYTE, 0, 8 * rank, 8, MPI_BYTE, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
}
static void slow_sum(void* from, void* to, int* count, MPI_Datatype* type) {
    (void)from, (void)to, (void)count, (void)type;
    spend(number("more", 4000));
}
static void slow_operation(void) {
    MPI_Op own;
    double one = 1, sum;
    MPI_Op_create(slow_sum, 1, &own);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, own, WORLD);
    MPI_Op_free(&own);
}
static void one_poll(void) { /* rank 1 looks once and computes then */
    int is_there;
    if (rank == 1) MPI_Iprobe(0, 5, WORLD, &is_there, NO_STATUS);
    if (rank == 1) spend(number("more", 4000));
    MPI_Barrier(WORLD);
}
static void poll_slowly(void) { /* rank 1 computes for seconds between two polls */
    MPI_Request request;
    int is_done = 0;
    if (rank == 0) rest(number("more", 4000)), send(1, 0, WORLD);
    if (rank == 1) MPI_Irecv(taken, 8, MPI_BYTE, 0, 0, WORLD, &request);
    while (rank == 1 && !is_done) MPI_Test(&request, &is_done, NO_STATUS), spend(number("base", 3));
    MPI_Barrier(WORLD);
}
static void overlap(void) { /* rank 1 computes while its receive is under way */
    MPI_Request request;
    if (rank == 1)
        MPI_Irecv(taken, 8, MPI_BYTE, 0, 0, WORLD, &request), spend(number("more", 4000)),
            MPI_Wait(&request, NO_STATUS);
    if (rank == 0) spend(number("base", 3)), send(1, 0, WORLD);
    MPI_Barrier(WORLD);
}
static void one_ends_later(void) {
    if (has_me("late")) spend(number("more", 4000));
}
static void busy_half(void) { /* one half makes calls all the time, the other one computes */
    if (rank >= ranks / 2) spend(number("more", 4000));
    for (int i = 0; rank < ranks / 2 && i < number("more", 4000) / 10; i++) rest(10), allreduce(sub);
    MPI_Barrier(WORLD);
}
static void* compute_aside(void* unused) { return spend(number("more", 4000)), unused; }
static void* rounds_aside(void* unused) {
    for (int i = 0; i < rounds; i++) compute(i), MPI_Barrier(WORLD);
    return unused;
}
static void calls_aside(void) { /* another thread than the main thread calls MPI */
    pthread_t thread;
    pthread_create(&thread, NULL, rounds_aside, NULL), pthread_join(thread, NULL);
}
static void helper_thread(void) { /* its main thread waits for another one */
    pthread_t thread;
    if (rank == 1) pthread_create(&thread, NULL, compute_aside, NULL), pthread_join(thread, NULL);
    MPI_Barrier(WORLD);
}
static void slow_transfer(void) { /* each is in a receive from the other one, and both get their message */
    MPI_Request request;
    MPI_Datatype slow;
    MPI_Type_vector(number("rounds", 60) << 16, 1, 2, MPI_BYTE, &slow);
    MPI_Type_commit(&slow);
    char *from = calloc((size_t)number("rounds", 60) << 16, 2), *to = calloc((size_t)number("rounds", 60) << 16, 2);
    MPI_Isend(from, 1, slow, up(), 0, WORLD, &request);
    MPI_Recv(to, 1, slow, down(), 0, WORLD, NO_STATUS);
    MPI_Wait(&request, NO_STATUS);
    free(from), free(to);
}

/* ------------------------------------------------ programs that hang ------------------------------------------------ */

static void barrier_missing(void) {
    if (rank == 2) stay();
    MPI_Barrier(WORLD);
}
static void barrier_spins(void) {
    if (rank == 1) burn(1e9);
    MPI_Barrier(WORLD);
}
static void two_orders(void) {
    MPI_Barrier(rank == 0 ? WORLD : twin);
    MPI_Barrier(rank == 0 ? twin : WORLD);
}
static void gather_scatter(void) {
    if (rank == 0) MPI_Gather(given, 8, MPI_BYTE, taken, 8, MPI_BYTE, 0, WORLD);
    else MPI_Scatter(given, LARGE / ranks, MPI_BYTE, taken, LARGE / ranks, MPI_BYTE, 0, WORLD);
    MPI_Barrier(WORLD);
}
static void wrong_root(void) { MPI_Bcast(given, LARGE, MPI_BYTE, 1 - rank, WORLD); }
static void other_size(void) {
    MPI_Bcast(given, rank == 0 ? LARGE : 0, MPI_BYTE, 0, WORLD);
    MPI_Barrier(WORLD);
}
static void ssend_pair(void) { synchronous(1 - rank, 4); }
static void recv_circle(void) { receive(down(), 4, WORLD); }
static void wrong_tag(void) {
    if (rank == 1) send(0, 8, WORLD);
    if (rank == 0) receive(1, 7, WORLD);
    MPI_Barrier(WORLD);
}
static void wrong_communicator(void) {
    if (rank == 1) send(0, 7, twin);
    if (rank == 0) receive(1, 7, WORLD);
    MPI_Barrier(WORLD);
}
static void recv_finished(void) {
    if (rank == 0) receive(1, 7, WORLD);
}
static void recv_spins(void) {
    if (rank == 1) burn(1e9);
    if (rank == 0) receive(1, 7, WORLD);
}
static void file_lock(void) {
    const char* const name = text("file", "/tmp/truth-lock");
    const int file = open(name, O_RDWR | O_CREAT, 0600);
    if (rank == 1) flock(file, LOCK_EX);
    MPI_Barrier(WORLD);
    if (rank == 0) flock(file, LOCK_EX);
    if (rank == 1) receive(0, 7, WORLD);
}
static void reads_pipe(void) {
    int ends[2];
    char byte;
    if (rank == 2 && pipe(ends) == 0 && read(ends[0], &byte, 1) == 1) abort();
    MPI_Barrier(WORLD);
}
static void stopped(void) {
    if (rank == 2) rest(1000), raise(SIGSTOP);
    MPI_Barrier(WORLD);
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* hold(void* unused) {
    pthread_mutex_lock(&mutex);
    receive(1, 7, WORLD);
    return unused;
}
static void thread_holds(void) {
    pthread_t thread;
    if (rank == 0) pthread_create(&thread, NULL, hold, NULL), rest(200), pthread_mutex_lock(&mutex);
    MPI_Barrier(WORLD);
}
static void waitall(void) {
    MPI_Request three[3];
    if (rank == 0) {
        for (int i = 0; i < 3; i++) MPI_Irecv(taken + i, 1, MPI_BYTE, i + 1, 7, WORLD, &three[i]);
        MPI_Waitall(3, three, statuses);
    } else {
        MPI_Send(given, 1, MPI_BYTE, 0, rank == 2 ? 8 : 7, WORLD);
    }
    MPI_Barrier(WORLD);
}
static void wait_one(void) {
    MPI_Request request;
    if (rank == 0) MPI_Irecv(taken, 8, MPI_BYTE, 1, 7, WORLD, &request), MPI_Wait(&request, NO_STATUS);
    if (rank == 1) stay();
    MPI_Barrier(WORLD);
}
static void iprobe_loop(void) {
    int is_there = 0;
    while (rank == 0 && !is_there) MPI_Iprobe(1, 7, WORLD, &is_there, NO_STATUS);
    MPI_Barrier(WORLD);
}
static void test_loop(void) {
    MPI_Request request;
    int is_done = 0;
    if (rank == 0) MPI_Irecv(taken, 8, MPI_BYTE, 1, 7, WORLD, &request);
    while (rank == 0 && !is_done) MPI_Test(&request, &is_done, NO_STATUS), rest(10);
    MPI_Barrier(WORLD);
}
static void test_two(void) { /* polls for two requests in turn */
    MPI_Request two[2];
    int is_done = 0;
    for (int i = 0; i < 2 && rank == 0; i++) MPI_Irecv(taken, 8, MPI_BYTE, 1, 7 + i, WORLD, &two[i]);
    for (int i = 0; rank == 0 && !is_done; i++) MPI_Test(&two[i % 2], &is_done, NO_STATUS), rest(1);
    MPI_Barrier(WORLD);
}
static void reversed(void) { /* ranks of another communicator are others in MPI_COMM_WORLD */
    MPI_Comm other;
    MPI_Comm_split(WORLD, 0, -rank, &other);
    if (rank == 2) stay();
    if (rank == 0) receive(ranks - 1 - 2, 7, other);
    MPI_Barrier(other);
}
static void groups(void) { /* 0 with 1, and 0 with 2: made without an operation of all */
    MPI_Group all, part;
    MPI_Comm pairs[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
    MPI_Comm_group(WORLD, &all);
    for (int i = 0; i < 2; i++) {
        const int members[] = {0, i + 1};
        MPI_Group_incl(all, 2, members, &part);
        if (rank == 0 || rank == i + 1) MPI_Comm_create_group(WORLD, part, i, &pairs[i]);
    }
    if (rank == 1) MPI_Barrier(pairs[0]);
    if (rank == 0) MPI_Barrier(pairs[1]);
    stay();
}
static void bcast_reduce(void) {
    if (rank == 0) MPI_Bcast(given, LARGE, MPI_BYTE, 0, WORLD);
    else MPI_Reduce(given, taken, LARGE, MPI_BYTE, MPI_BOR, 0, WORLD);
    MPI_Barrier(WORLD);
}
static void intercommunicator(void) { /* ranks 0 and 1 with 2 and 3 */
    MPI_Comm between;
    MPI_Intercomm_create(sub, 0, WORLD, rank < ranks / 2 ? ranks / 2 : 0, 9, &between);
    if (rank == 0) receive(0, 7, between); /* of the other group */
    MPI_Barrier(WORLD);
}
static void window_lock(void) {
    MPI_Win window;
    MPI_Win_create(taken, 8, 1, MPI_INFO_NULL, WORLD, &window);
    if (rank == 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window), MPI_Put(given, 8, MPI_BYTE, 0, 0, 8, MPI_BYTE, window),
            MPI_Win_flush(0, window);
    MPI_Barrier(WORLD);
    if (rank == 2)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window), MPI_Put(given, 8, MPI_BYTE, 0, 0, 8, MPI_BYTE, window),
            MPI_Win_unlock(0, window);
    if (rank == 1) receive(2, 7, WORLD), MPI_Win_unlock(0, window);
    if (rank == 2) send(1, 7, WORLD);
    MPI_Barrier(WORLD);
}
static void finalize_early(void) {
    if (rank < 2) return;
    MPI_Barrier(WORLD);
}
static void send_no_receive(void) {
    if (rank == 0) MPI_Send(given, LARGE, MPI_BYTE, 1, 7, WORLD);
    if (rank == 1) stay();
}
static void ssend_chain(void) {
    if (rank + 1 == ranks) stay();
    synchronous(rank + 1, 4);
}
static void recv_chain(void) {
    if (rank == 0) stay();
    receive(rank - 1, 4, WORLD);
}
static void any_source(void) {
    if (rank == 0) receive(MPI_ANY_SOURCE, 7, WORLD);
    MPI_Barrier(WORLD);
}
static void half_missing(void) {
    if (rank == 1) stay();
    MPI_Barrier(sub);
    MPI_Barrier(WORLD);
}

#define CASE(name) {#name, name}
static const struct {
    const char* name;
    void (*run)(void);
} cases[] = {CASE(master),
             CASE(pipeline),
             CASE(token),
             CASE(lock_long),
             CASE(slow_operation),
             CASE(one_poll),
             CASE(poll_slowly),
             CASE(overlap),
             CASE(one_ends_later),
             CASE(busy_half),
             CASE(helper_thread),
             CASE(calls_aside),
             CASE(slow_transfer),
             CASE(barrier_missing),
             CASE(barrier_spins),
             CASE(two_orders),
             CASE(gather_scatter),
             CASE(wrong_root),
             CASE(other_size),
             CASE(ssend_pair),
             CASE(recv_circle),
             CASE(wrong_tag),
             CASE(wrong_communicator),
             CASE(recv_finished),
             CASE(recv_spins),
             CASE(file_lock),
             CASE(reads_pipe),
             CASE(stopped),
             CASE(thread_holds),
             CASE(waitall),
             CASE(wait_one),
             CASE(iprobe_loop),
             CASE(test_loop),
             CASE(test_two),
             CASE(reversed),
             CASE(groups),
             CASE(bcast_reduce),
             CASE(intercommunicator),
             CASE(window_lock),
             CASE(finalize_early),
             CASE(send_no_receive),
             CASE(ssend_chain),
             CASE(recv_chain),
             CASE(any_source),
             CASE(half_missing)};

static int run(const char* name) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, name) == 0) return cases[i].run(), 0;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (strcmp(patterns[i].name, name) == 0) {
            for (int round = 0; round < rounds; round++) compute(round), patterns[i].exchange(round);
            return 0;
        }
    return 2;
}

int main(int count, char** all) {
    int level, status;
    MPI_Init_thread(&count, &all, MPI_THREAD_MULTIPLE, &level);
    alarm(120);
    arguments_count = count, arguments = all;
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    srand48(rank + 1);
    rounds = number("rounds", 60), bytes = number("bytes", 4096);
    given = calloc(1, (size_t)(bytes > LARGE ? bytes : LARGE)),
    taken = calloc(1, (size_t)(bytes > LARGE ? bytes : LARGE));
    MPI_Comm_dup(WORLD, &twin);
    MPI_Comm_split(WORLD, rank >= ranks / 2, rank, &sub);
    MPI_Barrier(WORLD);
    status = count > 1 ? run(all[1]) : 2;
    MPI_Finalize();
    return status;
}
