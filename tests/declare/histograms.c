/* Histograms in C: each value is in the bucket that the bounds name, tools read times in seconds, and a group that comes
 * again begins without the handles of the ended one. A library's own array of buckets is read as it is. */
#include <mpit/declare.h>

#include "../mpi_t/performance_variables.h"
#include "tables.h"

#include <math.h>
#include <mpit/mpi_t.h>
#include <pthread.h>
#include <string.h>

enum { most_buckets = 118, own_count = 4 };

static mpit_histogram sizes = MPIT_HISTOGRAM_CELL(0, 0, 31), all_sizes = MPIT_HISTOGRAM_CELL(0, 0, 63),
                      large_sizes = MPIT_HISTOGRAM_CELL(0, 10, 20), sending = MPIT_HISTOGRAM_CELL(2, 6, 34),
                      rare = MPIT_HISTOGRAM_CELL(1, 0, 40);
/* A histogram in memory of the library. */
static struct device {
    mpit_histogram sizes;
    mpit_counter sums[MPIT_HISTOGRAM_SUMS(4, 12, 19)];
} device;
/* The library's own histogram. */
static unsigned long own_counts[own_count];
static const double own_bounds[own_count] = {64, 1024, 65536, INFINITY};

static const mpit_performance measures[] = {
    MPIT_ROW_HISTOGRAM("tests_sizes", &sizes, "Sizes, in bytes"),
    MPIT_ROW_HISTOGRAM("tests_all_sizes", &all_sizes, "Sizes, in bytes", .verbosity = MPIT_TUNER_BASIC),
    MPIT_ROW_HISTOGRAM("tests_large_sizes", &large_sizes, "Sizes, in bytes"),
    MPIT_ROW_HISTOGRAM("tests_device_sizes", &device.sizes, "Sizes, in bytes"),
    MPIT_ROW_LATENCY("tests_sending", &sending, "Time of a send, in seconds"),
    MPIT_ROW_LATENCY("tests_rare", &rare, "Time of a rare operation, in seconds", .when_watched = true),
    MPIT_ROW_AT(COUNTER, UNSIGNED_LONG, "tests_own", &own_counts[0], "Sizes, in bytes", .count = own_count,
                .bounds = own_bounds, .labels = "small,,large,huge"),
    MPIT_ROW_END};

/* The handles of a session on the five performance variables of a histogram. */
struct handles {
    MPI_T_pvar_session session;
    MPI_T_pvar_handle samples, sum, count, smallest, largest;
    double bounds[most_buckets];
    int bucket_count;
};
static const char* part_of(const char* name, const char* suffix) {
    static char joined[64];
    snprintf(joined, sizeof joined, "%s%s", name, suffix);
    return joined;
}
static int bounds_of(const char* name, double* bounds) {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    int index = -1, count = 0, verbosity, bind, scope = -1;
    MPI_Datatype type = MPI_CHAR;
    CHECK(MPI_T_cvar_get_index(part_of(name, "_bounds"), &index) == MPI_SUCCESS);
    CHECK(MPI_T_cvar_get_info(index, NULL, NULL, &verbosity, &type, NULL, NULL, NULL, &bind, &scope) == MPI_SUCCESS &&
          type == MPI_DOUBLE && scope == MPI_T_SCOPE_CONSTANT && bind == MPI_T_BIND_NO_OBJECT);
    CHECK(MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS && count <= most_buckets);
    CHECK(MPI_T_cvar_read(handle, bounds) == MPI_SUCCESS && bounds[count - 1] == INFINITY);
    CHECK(MPI_T_cvar_write(handle, bounds) == MPI_T_ERR_CVAR_SET_NEVER);
    CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
    return count;
}
static struct handles begin(const char* name, int class_of_sum) {
    struct handles on = {.session = begin_session()};
    on.bucket_count = bounds_of(name, on.bounds);
    on.samples = measured(on.session, name, MPI_T_PVAR_CLASS_COUNTER, NULL, on.bucket_count);
    on.sum = measured(on.session, part_of(name, "_sum"), class_of_sum, NULL, 1);
    on.count = measured(on.session, part_of(name, "_count"), MPI_T_PVAR_CLASS_COUNTER, NULL, 1);
    on.smallest = measured(on.session, part_of(name, "_min"), MPI_T_PVAR_CLASS_LOWWATERMARK, NULL, 1);
    on.largest = measured(on.session, part_of(name, "_max"), MPI_T_PVAR_CLASS_HIGHWATERMARK, NULL, 1);
    CHECK(MPI_T_pvar_start(on.session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    return on;
}
static void end(struct handles* on) { CHECK(MPI_T_pvar_session_free(&on->session) == MPI_SUCCESS); }
static unsigned long long whole(const struct handles* on, MPI_T_pvar_handle handle) {
    unsigned long long value = 99;
    CHECK(MPI_T_pvar_read(on->session, handle, &value) == MPI_SUCCESS);
    return value;
}
static double real(const struct handles* on, MPI_T_pvar_handle handle) {
    double value = 99;
    CHECK(MPI_T_pvar_read(on->session, handle, &value) == MPI_SUCCESS);
    return value;
}

/* Records numbers near each power of two, and other ones, and searches the bucket of each in the bounds. */
static void check_values(const char* name, mpit_histogram* histogram, bool is_marked) {
    unsigned long long expected[most_buckets] = {0}, read[most_buckets], sum = 0, smallest = UINT64_MAX, largest = 0;
    struct handles on = begin(name, MPI_T_PVAR_CLASS_AGGREGATE);
    round_name = name;
    CHECK(whole(&on, on.smallest) == UINT64_MAX && whole(&on, on.largest) == 0);
    if (!is_marked) /* without a watermark, the values are recorded by the inline code */
        CHECK(MPI_T_pvar_handle_free(on.session, &on.smallest) == MPI_SUCCESS &&
              MPI_T_pvar_handle_free(on.session, &on.largest) == MPI_SUCCESS);
    const int value_count = 64 * 3 + 4000;
    for (int i = 0; i < value_count; i++) {
        const uint64_t value = i < 64 * 3 ? (UINT64_C(1) << i / 3) + (uint64_t)(i % 3) - 1
                                          : (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) >> i % 64;
        int bucket = 0;
        while ((long double)value > (long double)on.bounds[bucket]) bucket++;
        expected[bucket]++;
        sum += value;
        smallest = value < smallest ? value : smallest;
        largest = value > largest ? value : largest;
        mpit_record(histogram, value);
    }
    mpit_record(histogram, UINT64_MAX);
    expected[on.bucket_count - 1]++;
    sum += UINT64_MAX;
    CHECK(MPI_T_pvar_read(on.session, on.samples, read) == MPI_SUCCESS &&
          memcmp(read, expected, sizeof *read * (size_t)on.bucket_count) == 0);
    CHECK(whole(&on, on.sum) == sum && whole(&on, on.count) == (unsigned)value_count + 1);
    if (is_marked) CHECK(whole(&on, on.smallest) == smallest && whole(&on, on.largest) == UINT64_MAX);
    end(&on);
}

static void check_times(void) {
    struct handles on = begin("tests_sending", MPI_T_PVAR_CLASS_TIMER);
    unsigned long long read[most_buckets];
    round_name = "times";
    CHECK(on.bucket_count == 114 && on.bounds[0] == 64e-9 && on.bounds[4] == 128e-9);
    mpit_record(&sending, 1500000000);
    mpit_record(&sending, 100);
    CHECK(real(&on, on.sum) == 1.5000001 && real(&on, on.smallest) == 1e-7 && real(&on, on.largest) == 1.5);
    const uint64_t began = mpit_start();
    mpit_record(&sending, mpit_start() - began);
    CHECK(whole(&on, on.count) == 3 && real(&on, on.smallest) <= 1e-7);
    CHECK(MPI_T_pvar_read(on.session, on.samples, read) == MPI_SUCCESS);
    CHECK(read[3] >= 1); /* from 2^6.5 to 2^6.75 nanoseconds */
    end(&on);
}

/* The handle of the first round is never freed. */
static void check_idle(void) {
    const mpit_counter* const first_bucket = &rare.sums[0];
    const uint64_t before = mpit_total(first_bucket);
    struct handles on;
    round_name = "idle";
    mpit_record(&rare, 1);
    CHECK(!mpit_is_watched(&rare) && mpit_total(first_bucket) == before);
    on = begin("tests_rare", MPI_T_PVAR_CLASS_TIMER);
    CHECK(mpit_is_watched(&rare) && whole(&on, on.count) == 0);
    mpit_record(&rare, 3000000000);
    mpit_record(&rare, 1);
    CHECK(mpit_total(first_bucket) == before + 1);
    CHECK(whole(&on, on.count) == 2 && real(&on, on.largest) == 3);
}

enum { thread_count = 4, times = 20000 };
static void* record_much(void* unused) {
    for (int i = 0; i < times; i++) mpit_record(&sizes, 1000), mpit_record(&sending, 1000);
    return unused;
}
static void check_threads(void) {
    pthread_t threads[thread_count];
    struct handles of_sizes = begin("tests_sizes", MPI_T_PVAR_CLASS_AGGREGATE),
                   of_times = begin("tests_sending", MPI_T_PVAR_CLASS_TIMER);
    round_name = "threads";
    for (int i = 0; i < thread_count; i++) CHECK(pthread_create(&threads[i], NULL, record_much, NULL) == 0);
    for (int i = 0; i < thread_count; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(whole(&of_sizes, of_sizes.count) == thread_count * times &&
          whole(&of_sizes, of_sizes.sum) == UINT64_C(1000) * thread_count * times);
    CHECK(whole(&of_times, of_times.count) == thread_count * times);
    end(&of_sizes);
    end(&of_times);
}

static void check_own_buckets(void) {
    double bounds[most_buckets];
    unsigned long read[own_count] = {0};
    MPI_T_pvar_session session = begin_session();
    round_name = "own buckets";
    CHECK(bounds_of("tests_own", bounds) == own_count && memcmp(bounds, own_bounds, sizeof own_bounds) == 0);
    const MPI_T_pvar_handle samples = measured(session, "tests_own", MPI_T_PVAR_CLASS_COUNTER, NULL, own_count);
    CHECK(MPI_T_pvar_start(session, samples) == MPI_SUCCESS);
    own_counts[2] += 7;
    CHECK(MPI_T_pvar_read(session, samples, read) == MPI_SUCCESS && read[2] == 7 && read[0] == 0);
    CHECK(MPI_T_pvar_session_free(&session) == MPI_SUCCESS);
}

static int count_variables(void) {
    int controls = -1, measured_variables = -1;
    CHECK(MPI_T_cvar_get_num(&controls) == MPI_SUCCESS && MPI_T_pvar_get_num(&measured_variables) == MPI_SUCCESS);
    return controls + measured_variables;
}

int test_histograms(void) {
    round_name = "groups";
    mpit_init_histogram(&device.sizes, device.sums, 4, 12, 19);
    mpit_record(&device.sizes, 1); /* before it is registered */
    begin_tool();
    int variables = 0;
    for (int i = 0; i < 3; i++) {
        /* The texts of the first group stay, but names with a suffix are not texts of the library. */
        const mpit_policy policy = {.environment = "TESTS_HISTOGRAM_*", .texts_kept = i == 0};
        mpit_group* const group = mpit_open(NULL, "tests_histograms", "Histograms", &policy);
        CHECK(mpit_add_performance(group, measures, NULL) == 0 && mpit_publish(group) == 0);
        CHECK(i == 0 || count_variables() == variables);
        variables = count_variables();
        for (int is_marked = 0; is_marked < 2; is_marked++) {
            check_values("tests_sizes", &sizes, is_marked != 0);
            check_values("tests_all_sizes", &all_sizes, is_marked != 0);
            check_values("tests_large_sizes", &large_sizes, is_marked != 0);
            check_values("tests_device_sizes", &device.sizes, is_marked != 0);
        }
        check_times();
        check_idle();
        check_threads();
        check_own_buckets();
        mpit_close(group);
    }
    CHECK(MPI_T_finalize() == MPI_SUCCESS);
    return report();
}
