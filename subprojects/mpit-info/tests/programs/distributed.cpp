// A program with distributions, and an array whose elements have labels. It goes on until it has been watched. Each step
// has 95 sends of 5 µs and 5 of 40 µs, and a message of 100 bytes to the first peer; with an MPI (WITH_MPI) also one of 100
// bytes in MPI_COMM_WORLD.
#ifdef WITH_MPI
#include <mpi.h>
#endif
#include <mpit/mpit.hpp>

#include "counting.hpp"

struct distributed : mpit::category<"distributed", "What has distributions"> {
    mpit::latency<> sending{this, "sending", "Time of a send, in seconds"};
    mpit::histogram<> sizes{this, "sizes", "Sizes of the messages, in bytes"};
    mpit::histogram<double, mpit::buckets{.scale = 1, .lowest = -4, .highest = 4}> ratios{this, "ratios", "Ratios"};
    mpit::counter<unsigned long long[2]> sent{this, "sent", "Messages to each peer", {.labels = "peer 3,peer 5"}};
    mpit::computed<mpit::performance_class::level, unsigned long> reads{
        this, "reads", "How often this was read", {.value = [] { return ++number_of_reads; }}};
#ifdef WITH_MPI
    mpit::histogram<unsigned long long, mpit::buckets{}, MPI_Comm> of_communicator{
        this, "sizes_of_communicator", "Sizes of the messages of a communicator, in bytes"};
#endif
    static inline std::atomic<unsigned long> number_of_reads{0};
};
static constexpr auto& variables = mpit::registered<distributed>;

int main(int count, char** arguments) {
#ifdef WITH_MPI
    mpit::created(variables, MPI_COMM_WORLD);
    MPI_Init(&count, &arguments);
#else
    static_cast<void>(count + arguments[0][0]);
#endif
    const auto step = [] {
        for (int i = 0; i < 100; i++) variables.sending.record(i < 95 ? 5000 : 40000);
        variables.sizes.record(100);
        ++variables.sent[0];
#ifdef WITH_MPI
        variables.of_communicator[MPI_COMM_WORLD].record(100);
#endif
    };
    const bool is_watched = is_read(step, distributed::number_of_reads);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return is_watched ? 0 : 1;
}
