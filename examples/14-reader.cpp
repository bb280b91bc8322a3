// Lesson 14: a tool in C++.
//
// The typed reader reads any MPI through the functions of the standard, like the tools in C before it. A type is
// checked once, when a handle is made; enumerations, texts and objects are what they are in C++; handles, sessions and
// registrations end by themselves. And where the library's own index is in the process, as here, the same reader works
// without the standard's functions: over_registry instead of over_mpi.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpi.h>

#include <mpit/tool.hpp>
#include <mpit/tool/over_mpi.hpp>

#include <cstdio>

using mpit::performance_class;
using mpit::result;
using mpit::tool::over_mpi;

// As far as the tool knows it: the names are compared when a handle is made.
enum class protocol { automatic, eager, rendezvous };
template <>
inline constexpr auto mpit::enumeration_of<protocol> = mpit::enumerators<protocol>(
    "protocol", {{"automatic", protocol::automatic}, {"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});

// The payload of an event.
struct unexpected_message {
    int context, source, tag, waiting;
    unsigned long bytes;
};

static void send_to_ourselves(int count, int size) {
    std::vector<char> message(static_cast<std::size_t>(size));
    for (int i = 0; i < count; i++) {
        MPI_Request request;
        MPI_Isend(message.data(), size, MPI_CHAR, 0, 7, MPI_COMM_WORLD, &request);
        MPI_Recv(message.data(), size, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void tune() {
    const mpit::tool::library<over_mpi> interface;
    auto limit = interface.control<int>("MINI_EAGER_LIMIT");
    auto name = interface.control<std::string>("MINI_JOB_NAME");
    auto way = interface.control<protocol>("MINI_PROTOCOL");
    std::printf("%s: %s\n", limit.info().name.c_str(), limit.info().description.c_str());
    std::printf("It is %d, for %s.\n", limit.read().value_or(-1), name_of(limit.info().verbosity));
    std::printf("Writing 16384: %s. Writing -1: %s.\n", to_string(limit.write(16384)), to_string(limit.write(-1)));
    if (name.write("a tool in C++") == result::success) std::printf("The job is \"%s\".\n", name.read()->c_str());
    std::printf("MINI_PROTOCOL is %s: %s.\n", way.read() == protocol::automatic ? "automatic" : "another",
                to_string(way.write(protocol::eager)));
    std::printf("As a double it is refused: %s.\n", to_string(interface.control<double>("MINI_EAGER_LIMIT").status()));
}

static void watch() {
    const mpit::tool::session<over_mpi> session;
    auto sent = session.performance<unsigned long long>("messages_sent", performance_class::counter);
    auto waited = session.performance<double>("time_waiting", performance_class::timer);
    auto of_world =
        session.performance<unsigned long>("communicator_messages", performance_class::counter, MPI_COMM_WORLD);
    if (sent.start() != result::success || waited.start() != result::success || of_world.start() != result::success)
        return;
    send_to_ourselves(10, 64);
    std::printf("\n%llu messages, %lu of them on MPI_COMM_WORLD; waiting took %s.\n", sent.read().value_or(0),
                of_world.read().value_or(0), *waited.read() < 10 ? "less than ten seconds" : "long");
}

static void listen() {
    const mpit::tool::library<over_mpi> interface;
    unsigned long bytes = 0;
    const auto arrivals = interface.on<unexpected_message>(
        "message_unexpected", [&](const unexpected_message& m) { bytes += m.bytes; }, mpit::safety::restricted);
    send_to_ourselves(3, 100);
    std::printf("\n%lu bytes came unexpected, %lld events were lost.\n", bytes,
                static_cast<long long>(arrivals.dropped()));
}

// Without the functions of the standard: whoever embeds mpit is seen in any shared object of the process.
static void list() {
    const mpit::tool::library<> index;
    std::printf("\nThe categories of the index, and their first variables:\n");
    for (const mpit::tool::category_info& each : index.categories()) {
        mpit::tool::control_info first;
        const bool has_one = !each.controls.empty() && index.tell(each.controls[0], first) == result::success;
        std::printf("  %-24s %s\n", each.name.c_str(), has_one ? first.name.c_str() : "-");
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    tune();
    watch();
    listen();
    list();
    MPI_Finalize();
}
