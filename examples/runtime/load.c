/* A load for the runtime: pairs of threads exchange messages of mixed sizes for a while, and check what arrives. It
 * knows nothing but mpi.h. Half of the rounds send before anybody asks, so that messages are unexpected; the other half
 * post the receives first. Each round also makes and frees a communicator and runs collective operations.
 *
 *   load [seconds]
 */
#include <mpi.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { pair_count = 2, messages_per_round = 24, longest_message = 1 << 18 };
enum { data_tag = 0, go_tag = 1000, round_tag = 1001 };

/* Two threads and the communicator that they share with nobody. */
struct pair {
    MPI_Comm comm;
    double end;
    int wrong;
    pthread_t producer;
    pthread_t consumer;
};

/* Mostly short, sometimes long: 0, 1, 3, 7, ... up to the longest. */
static int length_of(int message) { return message % 19 == 18 ? longest_message : (1 << message % 15) - 1; }

static char content_of(int round, int message) { return (char)(round + message); }

static void rest(long milliseconds) {
    const struct timespec pause = {0, milliseconds * 1000000};
    nanosleep(&pause, NULL);
}

static void send_messages(MPI_Comm comm, int round, char* buffer) {
    for (int i = 0; i < messages_per_round; ++i) {
        memset(buffer, content_of(round, i), (size_t)length_of(i));
        MPI_Send(buffer, length_of(i), MPI_CHAR, 0, data_tag + i, comm);
    }
}

/* Announces each round; a negative number is the last one. */
static void* produce(void* argument) {
    struct pair* const pair = argument;
    char* const buffer = malloc(longest_message);
    int round = 0;
    for (; MPI_Wtime() < pair->end; ++round) {
        MPI_Send(&round, 1, MPI_INT, 0, round_tag, pair->comm);
        if (round % 2 == 1) MPI_Recv(NULL, 0, MPI_INT, 0, go_tag, pair->comm, MPI_STATUS_IGNORE);
        send_messages(pair->comm, round, buffer);
    }
    round = -1;
    MPI_Send(&round, 1, MPI_INT, 0, round_tag, pair->comm);
    free(buffer);
    return NULL;
}

static int check(int round, int message, const char* received) {
    const int length = length_of(message);
    const char expected = content_of(round, message);
    return length > 0 && (received[0] != expected || received[length - 1] != expected);
}

/* Lets the messages pile up, up to the first long one, which waits until it is received. */
static int receive_late(MPI_Comm comm, int round, char* buffer) {
    int wrong = 0;
    rest(2);
    for (int i = 0; i < messages_per_round; ++i) {
        MPI_Recv(buffer, longest_message, MPI_CHAR, MPI_ANY_SOURCE, data_tag + i, comm, MPI_STATUS_IGNORE);
        wrong += check(round, i, buffer);
    }
    return wrong;
}

/* Posts all receives before it lets the producer go. */
static int receive_early(MPI_Comm comm, int round, char* buffers) {
    MPI_Request requests[messages_per_round];
    MPI_Status statuses[messages_per_round];
    int wrong = 0;
    for (int i = 0; i < messages_per_round; ++i)
        MPI_Irecv(buffers + (size_t)i * longest_message, longest_message, MPI_CHAR, 0, data_tag + i, comm,
                  &requests[i]);
    MPI_Send(NULL, 0, MPI_INT, 0, go_tag, comm);
    MPI_Waitall(messages_per_round, requests, statuses);
    for (int i = 0; i < messages_per_round; ++i) {
        wrong += check(round, i, buffers + (size_t)i * longest_message);
        wrong += statuses[i].MPI_TAG != data_tag + i;
    }
    return wrong;
}

static int use_collectives(MPI_Comm parent, int round) {
    MPI_Comm copy;
    int sum = 0;
    MPI_Comm_dup(parent, &copy);
    MPI_Barrier(copy);
    MPI_Allreduce(&round, &sum, 1, MPI_INT, MPI_SUM, copy);
    MPI_Bcast(&sum, 1, MPI_INT, 0, copy);
    MPI_Comm_free(&copy);
    return sum != round;
}

static void* consume(void* argument) {
    struct pair* const pair = argument;
    char* const buffers = malloc((size_t)messages_per_round * longest_message);
    int round = 0;
    for (;;) {
        MPI_Recv(&round, 1, MPI_INT, 0, round_tag, pair->comm, MPI_STATUS_IGNORE);
        if (round < 0) break;
        pair->wrong +=
            round % 2 == 0 ? receive_late(pair->comm, round, buffers) : receive_early(pair->comm, round, buffers);
        pair->wrong += use_collectives(pair->comm, round);
    }
    free(buffers);
    return NULL;
}

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
    struct pair pairs[pair_count];
    char name[MPI_MAX_OBJECT_NAME];
    int provided, wrong = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < pair_count; ++i) {
        pairs[i].end = MPI_Wtime() + seconds;
        pairs[i].wrong = 0;
        MPI_Comm_dup(MPI_COMM_WORLD, &pairs[i].comm);
        snprintf(name, sizeof name, "pair %d", i);
        MPI_Comm_set_name(pairs[i].comm, name);
        pthread_create(&pairs[i].producer, NULL, produce, &pairs[i]);
        pthread_create(&pairs[i].consumer, NULL, consume, &pairs[i]);
    }
    for (int i = 0; i < pair_count; ++i) {
        pthread_join(pairs[i].producer, NULL);
        pthread_join(pairs[i].consumer, NULL);
        wrong += pairs[i].wrong;
        MPI_Comm_free(&pairs[i].comm);
    }
    MPI_Finalize();
    printf("%s\n", wrong == 0 ? "every message arrived as it was sent" : "messages arrived damaged");
    return wrong != 0;
}
