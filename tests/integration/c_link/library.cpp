// A library with every kind of variable and with the functions for tools, for a program in C.
#include <mpit/dynamic.hpp>
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>
#include <mpit/settings.hpp>

namespace linked {
enum class protocol { eager, rendezvous };
} // namespace linked
template <>
inline constexpr auto mpit::enumeration_of<linked::protocol> = mpit::enumerators<linked::protocol>(
    "protocol", {{"eager", linked::protocol::eager}, {"rendezvous", linked::protocol::rendezvous}});

namespace linked {

struct arrival {
    int source;
    unsigned long bytes;
};
static int spins = 100;

struct variables : mpit::category<"linked", "A library for C"> {
    mpit::control<unsigned long> limit{this, "linked_limit", "A number", {.initial = {65536, 0, 1 << 20}}};
    mpit::control<char[16]> name{this, "linked_name", "A text"};
    mpit::control_ref<int> spin_count{this, "linked_spins", "A number of the library's", {.storage = &spins}};
    mpit::control<protocol> chosen{this, "linked_protocol", "A protocol", {.initial = protocol::eager}};
    mpit::counter<> calls{this, "linked_calls", "Calls"};
    mpit::counter<unsigned long[4]> sizes{this, "linked_sizes", "Calls, by size", {.labels = "a,b,c,d"}};
    mpit::histogram<> lengths{this, "linked_lengths", "Lengths, in bytes"};
    mpit::histogram<double, mpit::buckets{.scale = 1}> ratios{this, "linked_ratios", "Ratios"};
    mpit::latency<mpit::buckets{.scale = 1}, MPI_ABI_Comm*> latency{this, "linked_latency", "Times, in seconds"};
    mpit::aggregate<double> energy{this, "linked_energy", "Energy, in joules"};
    mpit::level<> queued{this, "linked_queue", "Messages in the queue"};
    mpit::high_watermark<> deepest{this, "linked_queue", "Most of them", {.of = &queued}};
    mpit::timer waiting{this, "linked_waiting", "Time of waiting, in seconds"};
    mpit::generic<long> balance{this, "linked_balance", "A number"};
    mpit::event<arrival> arrived{this, "linked_arrival", "A message has come"};
};
inline constexpr auto& all = mpit::registered<variables>;

} // namespace linked

extern "C" void call_linked(unsigned long bytes) {
    auto& all = linked::all;
    const auto running = all.waiting.start();
    ++all.calls;
    all.sizes[bytes % 4] += 2;
    all.lengths.record(bytes);
    all.ratios.record(0.5);
    all.latency[reinterpret_cast<MPI_ABI_Comm*>(8)].record(bytes);
    all.energy += 0.5;
    ++all.queued;
    all.balance = 3;
    if (bytes <= all.limit && linked::spins > 0) all.arrived(1, bytes);
}
