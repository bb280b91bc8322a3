// Sends messages of many sizes in both directions, and shows what the layer's variables have counted.
//     ping [messages]                          both ends in this process, without an MPI
//     mpiexec -n 2 ping-on-<mpi> [messages]    one end in each process; they exchange their addresses through the MPI
#include "fabric.hpp"
#include "variables.hpp"

#ifdef FABRIC_BESIDE_AN_MPI
#include <mpi.h>
#endif

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace {

// Messages of 1 byte to 64 KiB; each is full of a letter that stands for its size.
constexpr int sizes = 17;
char letter_of(int size) { return static_cast<char>('a' + size); }

struct player {
    int wanted;
    int sent = 0, received = 0, wrong = 0;
    std::vector<char> messages[sizes];
    fabric::endpoint end{[this](const char* data, std::size_t bytes) {
        received++;
        const int size = data[0] - 'a';
        wrong += size < 0 || size >= sizes || bytes != messages[size].size() || data[bytes - 1] != data[0];
    }};
    fabric::endpoint::peer other{};

    explicit player(int count) : wanted{count} {
        for (int size = 0; size < sizes; size++) messages[size].assign(std::size_t{1} << size, letter_of(size));
    }
    bool has_finished() const { return sent == wanted && received == wanted && end.is_idle(); }
    void play() {
        const std::vector<char>& next = messages[sent % sizes];
        if (sent < wanted && end.send(other, next.data(), next.size())) sent++;
        else end.progress();
    }
};

// The figures for a user of the layer; a tool sees the same, and more.
void show(const player& one, int rank, int wrong) {
    std::printf("rank %d over %s: %d wrong, sent %lu messages (%lu bytes), received %lu (%lu bytes)\n", rank,
                one.end.provider(), wrong, variables.messages_sent.get(), variables.bytes_sent.get(),
                variables.messages_received.get(), variables.bytes_received.get());
    std::printf("rank %d: %lu injected, %lu completions, %lu retries, queue full %lu times\n", rank,
                variables.messages_injected.get(), variables.completions.get(), variables.retries.get(),
                variables.refusals.get());
}

#ifdef FABRIC_BESIDE_AN_MPI
int play(int messages) {
    MPI_Init(nullptr, nullptr);
    int rank = 0, processes = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (processes != 2) return std::fprintf(stderr, "ping needs two processes\n"), MPI_Abort(MPI_COMM_WORLD, 1);

    int wrong = 0;
    {
        player own{messages};
        const auto address = own.end.own_address();
        const int size = static_cast<int>(address.size());
        fabric::endpoint::address other(address.size());
        MPI_Sendrecv(address.data(), size, MPI_CHAR, 1 - rank, 0, other.data(), size, MPI_CHAR, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        own.other = own.end.reach(other);
        while (!own.has_finished()) own.play();
        // The other one may still wait for what libfabric has taken and not sent: both go on until both have all.
        MPI_Request both = MPI_REQUEST_NULL;
        MPI_Ibarrier(MPI_COMM_WORLD, &both);
        for (int have_finished = 0; !have_finished; own.end.progress())
            MPI_Test(&both, &have_finished, MPI_STATUS_IGNORE);
        show(own, rank, wrong = own.wrong);
    }
    MPI_Finalize();
    return wrong;
}
#else
int play(int messages) {
    player one{messages}, two{messages};
    one.other = one.end.reach(two.end.own_address());
    two.other = two.end.reach(one.end.own_address());
    while (!one.has_finished() || !two.has_finished()) one.play(), two.play();
    show(one, 0, one.wrong + two.wrong);
    return one.wrong + two.wrong;
}
#endif

} // namespace

int main(int argc, char* argv[]) {
    try {
        return play(argc > 1 ? std::atoi(argv[1]) : 10'000) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "ping: %s\n", failure.what());
        return EXIT_FAILURE;
    }
}
