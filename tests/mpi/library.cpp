// A communication library that is used beside an MPI: its variables stand behind the MPI's.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpit/mpit.hpp>
#include <mpit/stack/mpi_t.hpp>

enum class protocol { automatic, eager, rendezvous };
template <>
constexpr auto mpit::enumeration_of<protocol> =
    mpit::enumerators<protocol>("lab_protocol", {{"automatic", protocol::automatic},
                                                 {"eager", protocol::eager},
                                                 {"rendezvous", protocol::rendezvous}});

struct arrived { int source; unsigned long bytes; };

struct lab_variables : mpit::category<"lab", "A library beside the MPI"> {
    mpit::control<int> limit{this, "LAB_EAGER_LIMIT", "Largest message sent at once", {.initial = {4096, 0, 1 << 20}}};
    mpit::control<protocol> way{this, "LAB_PROTOCOL", "How messages travel", {.initial = protocol::eager}};
    mpit::control<char[32]> job{this, "LAB_JOB", "The name of the job", {.initial = "work"}};
    mpit::counter<> messages{this, "lab_messages", "Messages sent"};
    mpit::level<> queued{this, "lab_queued", "Messages that wait", {.continuous = true}};
    mpit::event<arrived> came{this, "lab_arrived", "A message arrived"};
};
inline constexpr auto& lab = mpit::enrolled<lab_variables>;

extern "C" [[gnu::visibility("default")]] void lab_send(int bytes) {
    ++lab.messages;
    lab.queued += bytes;
    lab.came(1, static_cast<unsigned long>(bytes));
}
