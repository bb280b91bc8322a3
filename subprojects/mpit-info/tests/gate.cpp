// The thread of a rank before a collective operation: when it goes on, in which communicator, and with which error handler.
// An MPI is pretended, of which this is the one process.

#include "../agent/calls/counting.hpp"
#include "checks.hpp"

#include <functional>
#include <thread>

namespace {

using namespace mpit_info;

const MPI_Comm made = MPI_COMM_SELF;
const MPI_Errhandler of_program = MPI_ERRORS_ABORT;
std::atomic<MPI_Errhandler> handler{of_program}; // of MPI_COMM_WORLD
std::atomic<bool> is_slow{false}, is_quiet{true};
std::atomic<int> probes{0}, splits{0}, got{0};
std::atomic<MPI_Comm> used{MPI_COMM_NULL}, handled{MPI_COMM_NULL};

int error_in(int code) {
    if (handler.load() != MPI_ERRORS_RETURN) is_quiet.store(false);
    return code;
}
int size_or_rank(MPI_Comm, int* number) { return *number = 0, MPI_SUCCESS; }
int name(MPI_Comm, char* text, int* length) { return *text = '\0', *length = 0, MPI_SUCCESS; }
int probe(int, int, MPI_Comm, int*, MPI_Status*) {
    probes++;
    while (is_slow.load()) std::this_thread::yield();
    return error_in(MPI_ERR_OTHER);
}
int split(MPI_Comm, int, int, MPI_Comm* to) {
    *to = made;
    splits++;
    return error_in(MPI_SUCCESS);
}
int barrier(std::uintptr_t in) {
    used.store(reinterpret_cast<MPI_Comm>(in));
    return MPI_ERR_COMM;
}
void begin() {
    the_calls.world = MPI_COMM_WORLD;
    the_calls.errors_return = MPI_ERRORS_RETURN;
    the_calls.comm_size = the_calls.comm_rank = size_or_rank;
    the_calls.comm_get_name = name;
    the_calls.iprobe = probe;
    the_calls.comm_split = split;
    the_calls.comm_free = [](MPI_Comm*) { return 0; };
    the_calls.comm_get_errhandler = [](MPI_Comm, MPI_Errhandler* to) { return *to = handler.load(), got++, 0; };
    the_calls.comm_set_errhandler = [](MPI_Comm, MPI_Errhandler to) { return handler.store(to), 0; };
    the_calls.errhandler_free = [](MPI_Errhandler*) { return got--, 0; };
    the_calls.comm_call_errhandler = [](MPI_Comm of, int) { return handled.store(of), 0; };
    real_functions[0] = reinterpret_cast<any_function>(&barrier);
    call_clock.begin({});
    the_call_log.begin(nullptr, 0, 1, "", names_of_functions);
    communicators.begin(false);
    communicators.add(MPI_COMM_WORLD, {1, 1});
}
int call_barrier() {
    return counted<with_counts<MPI_Barrier_traits, int>, std::make_index_sequence<1>>::call<0>(
        reinterpret_cast<std::uintptr_t>(MPI_COMM_WORLD));
}

constexpr unsigned long_time = 1'000'000;
unsigned begun = 0;

// How many communicators a thread makes that waits before its next operation while `tool` is called with the number of that.
int made_while(const std::function<void(unsigned)>& tool) {
    const int before = splits.load();
    the_world_gate.hold(1, long_time, false, begun);
    const unsigned next = begun + 1;
    probes.store(0);
    is_slow.store(true);
    std::thread rank{call_barrier};
    while (probes.load() == 0) std::this_thread::yield();
    tool(next);
    is_slow.store(false);
    rank.join();
    return splits.load() - before;
}

} // namespace

int main() {
    begin();
    check(made_while([](unsigned next) { the_world_gate.hold(next, 0, false, begun); }) == 0 && used == MPI_COMM_WORLD,
          "a rank whose time is over goes on as before");
    check(made_while([](unsigned next) {
        check(!the_world_gate.hold(next + 1, long_time, true, begun), "a rank does not wait before a later operation");
    }) == 0,
          "a rank that waits before another operation makes no communicator");
    check(made_while([](unsigned next) {
        check(the_world_gate.hold(next, long_time, true, begun), "a rank that waits takes a new communicator");
        the_world_gate.release(false, begun);
    }) == 0,
          "what is withdrawn in time is not made");
    check(handled == MPI_COMM_NULL, "the MPI calls the handler of the communicator that the program has given");
    check(made_while([](unsigned next) { the_world_gate.hold(next, 0, true, begun); }) == 1 && used == made,
          "a rank whose time is over goes on in the new communicator that it was told of");
    check(handled == MPI_COMM_WORLD, "an error in the new communicator calls the handler of the other");
    check(made_while([](unsigned next) {
        the_world_gate.hold(next, long_time, true, begun);
        the_world_gate.release(true, begun);
        check(!the_world_gate.hold(next, long_time, false, begun), "a rank that goes on is not held again");
        the_world_gate.release(false, begun);
    }) == 1,
          "a later message does not withdraw a communicator");
    check(made_while([](unsigned) { the_world_gate.release(true, begun); }) == 1,
          "a rank is told of a new communicator when it is released");
    check(is_quiet.load(), "no error of a function that the gate calls reaches the handler of the program");
    check(handler == of_program && got == 0, "the program has its handler again");
    for (std::uint32_t i = 0; i < most_call_threads; i++) static_cast<void>(the_call_log.thread());
    the_world_gate.release(false, begun);
    const unsigned before = begun;
    std::thread{call_barrier}.join();
    the_world_gate.release(false, begun);
    check(begun == before + 1, "the operation of a thread without a place in the call log counts");
    return failures;
}
