/* Lesson 19: percentiles of the distributions of any MPI library.
 *
 * A distribution is a counter NAME with one element for each bucket, and a constant control variable NAME_bounds of the
 * same category with the largest value of each bucket. The bounds increase, and the last one is infinite. If there is a
 * high watermark NAME_max, it has the largest value. This tool knows nothing else, and no library by name. */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { name_size = 256, most_distributions = 64, most_members = 1024, messages = 1000 };

struct distribution {
    char name[name_size];
    int buckets, bytes; /* bytes of a count */
    double* bounds;
    void* counts;
    MPI_T_pvar_handle handle, largest;
    MPI_Datatype type_of_largest;
};
static struct distribution found[most_distributions];
static int found_count;
static MPI_T_pvar_session session;

/* Counts have an unsigned type. */
static int bytes_of(MPI_Datatype type) {
    if (type == MPI_UNSIGNED) return sizeof(unsigned);
    if (type == MPI_UNSIGNED_LONG) return sizeof(unsigned long);
    if (type == MPI_UNSIGNED_LONG_LONG) return sizeof(unsigned long long);
    return type == MPI_UINT32_T ? 4 : type == MPI_UINT64_T ? 8 : 0;
}
static unsigned long long count_at(const void* counts, int bytes, int i) {
    unsigned four;
    unsigned long long eight;
    memcpy(&four, (const char*)counts + i * bytes, sizeof four);
    if (bytes == 4) return four;
    memcpy(&eight, (const char*)counts + i * bytes, sizeof eight);
    return eight;
}

/* The values of a constant control variable of doubles that increase to infinity, or NULL. */
static double* read_bounds(int control, int buckets) {
    MPI_T_cvar_handle handle;
    int count;
    if (MPI_T_cvar_handle_alloc(control, NULL, &handle, &count) != MPI_SUCCESS) return NULL;
    double* bounds = count == buckets ? malloc((size_t)count * sizeof *bounds) : NULL;
    int are_bounds = bounds != NULL && MPI_T_cvar_read(handle, bounds) == MPI_SUCCESS && isinf(bounds[count - 1]);
    for (int i = 1; are_bounds && i < count; ++i) are_bounds = bounds[i - 1] < bounds[i];
    MPI_T_cvar_handle_free(&handle);
    if (are_bounds) return bounds;
    free(bounds);
    return NULL;
}

/* The handle of the largest value is null if there is no watermark of doubles or of an unsigned type. */
static void open_largest(struct distribution* d) {
    char name[name_size + 4];
    int index, count, bind, verbosity, var_class, readonly, continuous, atomic;
    d->largest = MPI_T_PVAR_HANDLE_NULL;
    snprintf(name, sizeof name, "%s_max", d->name);
    if (MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_HIGHWATERMARK, &index) != MPI_SUCCESS) return;
    MPI_T_pvar_get_info(index, NULL, NULL, &verbosity, &var_class, &d->type_of_largest, NULL, NULL, NULL, &bind,
                        &readonly, &continuous, &atomic);
    if (bind != MPI_T_BIND_NO_OBJECT || (d->type_of_largest != MPI_DOUBLE && bytes_of(d->type_of_largest) == 0)) return;
    MPI_T_pvar_handle_alloc(session, index, NULL, &d->largest, &count);
}

static void add(const char* name, int performance, int control, int bytes) {
    struct distribution* d = &found[found_count];
    for (int i = 0; i < found_count; ++i)
        if (strcmp(found[i].name, name) == 0) return; /* another category has it, too */
    if (found_count == most_distributions) return;
    if (MPI_T_pvar_handle_alloc(session, performance, NULL, &d->handle, &d->buckets) != MPI_SUCCESS) return;
    d->bounds = read_bounds(control, d->buckets);
    if (d->bounds == NULL) {
        MPI_T_pvar_handle_free(session, &d->handle);
        return;
    }
    strcpy(d->name, name);
    d->bytes = bytes;
    d->counts = malloc((size_t)d->buckets * (size_t)bytes);
    open_largest(d);
    ++found_count;
}

/* A counter and the constant doubles NAME_bounds in one category are a distribution. */
static void look_into(int category) {
    int controls[most_members], performances[most_members], control_count, performance_count, categories;
    MPI_T_category_get_info(category, NULL, NULL, NULL, NULL, &control_count, &performance_count, &categories);
    MPI_T_category_get_cvars(category, most_members, controls);
    MPI_T_category_get_pvars(category, most_members, performances);
    for (int p = 0; p < performance_count && p < most_members; ++p) {
        char name[name_size], wanted[name_size + 8], other[name_size + 8];
        int length = name_size, verbosity, var_class, bind, scope, readonly, continuous, atomic;
        MPI_Datatype type;
        if (MPI_T_pvar_get_info(performances[p], name, &length, &verbosity, &var_class, &type, NULL, NULL, NULL, &bind,
                                &readonly, &continuous, &atomic) != MPI_SUCCESS)
            continue;
        const int bytes = bytes_of(type);
        if (var_class != MPI_T_PVAR_CLASS_COUNTER || bytes == 0 || bind != MPI_T_BIND_NO_OBJECT) continue;
        snprintf(wanted, sizeof wanted, "%s_bounds", name);
        for (int c = 0; c < control_count && c < most_members; ++c) {
            length = sizeof other;
            if (MPI_T_cvar_get_info(controls[c], other, &length, &verbosity, &type, NULL, NULL, NULL, &bind, &scope) ==
                    MPI_SUCCESS &&
                strcmp(other, wanted) == 0 && type == MPI_DOUBLE && scope == MPI_T_SCOPE_CONSTANT)
                add(name, performances[p], controls[c], bytes);
        }
    }
}

/* No more than the given share of the values is larger: the bound of the bucket in which the percentile lies. */
static double percentile(const struct distribution* d, double share, unsigned long long total, double largest) {
    unsigned long long reached = 0;
    for (int i = 0; i < d->buckets; ++i) {
        reached += count_at(d->counts, d->bytes, i);
        if ((double)reached >= share * (double)total && reached > 0)
            return d->bounds[i] < largest ? d->bounds[i] : largest;
    }
    return NAN;
}

static void show(const struct distribution* d) {
    unsigned long long total = 0;
    double largest = INFINITY;
    char bytes[8];
    if (MPI_T_pvar_read(session, d->handle, d->counts) != MPI_SUCCESS) return;
    for (int i = 0; i < d->buckets; ++i) total += count_at(d->counts, d->bytes, i);
    if (d->largest != MPI_T_PVAR_HANDLE_NULL && MPI_T_pvar_read(session, d->largest, bytes) == MPI_SUCCESS) {
        if (d->type_of_largest == MPI_DOUBLE) memcpy(&largest, bytes, sizeof largest);
        else largest = (double)count_at(bytes, bytes_of(d->type_of_largest), 0);
    }
    printf("%-20s %8llu", d->name, total);
    if (total > 0)
        printf(" %10.6g %10.6g %10.6g", percentile(d, 0.5, total, largest), percentile(d, 0.9, total, largest),
               percentile(d, 0.99, total, largest));
    printf("\n");
}

/* Most messages are short, and some are long. */
static void send_messages(void) {
    static char from[1 << 16], to[1 << 16];
    for (int i = 0; i < messages; ++i) {
        const int bytes = i % 50 == 0 ? 50000 : i % 5 == 0 ? 3000 : 100;
        MPI_Request requests[2];
        MPI_Irecv(to, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(from, bytes, MPI_BYTE, 0, 0, MPI_COMM_SELF, &requests[1]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
}

int main(void) {
    int provided, categories = 0;
    MPI_Init(NULL, NULL);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_category_get_num(&categories);
    for (int i = 0; i < categories; ++i) look_into(i);
    MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES);
    send_messages();

    printf("%-20s %8s %10s %10s %10s\n", "distribution", "values", "p50 <=", "p90 <=", "p99 <=");
    for (int i = 0; i < found_count; ++i) show(&found[i]);
    if (found_count == 0) printf("no distribution\n");
    for (int i = 0; i < found_count; ++i) free(found[i].bounds), free(found[i].counts);
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return MPI_Finalize();
}
