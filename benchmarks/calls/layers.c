/* Layers over the profiling interface, to be preloaded. Without BY_SITE a call is only passed on. With it this is a
 * model of what mpiP does at each call: two times, the size of the datatype, and a hash table of the functions and
 * the places that call them. The model takes the place from the return address; mpiP unwinds the stack, which is not
 * part of this. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifdef BY_SITE
enum { places = 1024 };
struct site {
    struct site* next;
    const void* address;
    int function;
    long count;
    double sum, least, most, squares, bytes, least_bytes, most_bytes;
};
static struct site* table[places];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void add(const void* address, int function, double taken, double bytes) {
    const uintptr_t hash = (uintptr_t)address * 0x9e3779b97f4a7c15u ^ (uintptr_t)function;
    struct site** place = &table[(hash >> 20) % places];
    while (*place != NULL && ((*place)->address != address || (*place)->function != function)) place = &(*place)->next;
    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
        (*place)->address = address;
        (*place)->function = function;
        (*place)->least = (*place)->least_bytes = 1e300;
    }
    struct site* const site = *place;
    site->count++;
    site->sum += taken;
    site->squares += taken * taken;
    site->bytes += bytes;
    if (taken < site->least) site->least = taken;
    if (taken > site->most) site->most = taken;
    if (bytes < site->least_bytes) site->least_bytes = bytes;
    if (bytes > site->most_bytes) site->most_bytes = bytes;
}

static double size_of(int count, MPI_Datatype type) {
    int size = 0;
    PMPI_Type_size(type, &size);
    return (double)count * size;
}
#define PASSED(number, call, bytes)                                                                                    \
    const double began = now();                                                                                        \
    const int result = call;                                                                                           \
    add(__builtin_return_address(0), number, now() - began, bytes);                                                    \
    return result
#else
#define PASSED(number, call, bytes) return call
#endif

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm in, MPI_Request* request) {
    PASSED(0, PMPI_Irecv(buffer, count, type, source, tag, in, request), size_of(count, type));
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int target, int tag, MPI_Comm in) {
    PASSED(1, PMPI_Send(buffer, count, type, target, tag, in), size_of(count, type));
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) { PASSED(2, PMPI_Wait(request, status), 0); }
