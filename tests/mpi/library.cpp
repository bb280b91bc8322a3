// A communication library that is used beside an MPI: its variables stand behind the MPI's. One control variable has
// the name of one of the MPI's, and one category is one of the MPI's as well. The functions come from stacked.cpp.
#define MPIT_MPI_HEADER <mpi.h>
#include <mpi.h>

#include <mpit/mpit.hpp>

#include <cstring>

#ifdef OPEN_MPI
#define NAME_OF_THE_MPI "mpi_param_check"
#define CATEGORY_OF_THE_MPI "ompi_mpi"
#else
#define NAME_OF_THE_MPI "MPIR_CVAR_ERROR_CHECKING"
#define CATEGORY_OF_THE_MPI "COLLECTIVE"
#endif

enum class protocol { automatic, eager, rendezvous };
template <>
inline constexpr auto mpit::enumeration_of<protocol> = mpit::enumerators<protocol>(
    "lab_protocol",
    {{"automatic", protocol::automatic}, {"eager", protocol::eager}, {"rendezvous", protocol::rendezvous}});

struct arrival {
    int source;
    unsigned long bytes;
};

struct lab_variables : mpit::category<"lab", "A library beside the MPI"> {
    mpit::control<int> limit{this, "LAB_EAGER_LIMIT", "Largest message sent at once", {.initial = {4096, 0, 1 << 20}}};
    mpit::control<protocol> way{
        this, "LAB_PROTOCOL", "How messages travel", {.initial = protocol::eager, .scope = mpit::scope::readonly}};
    mpit::control<char[32]> job{this, "LAB_JOB", "The name of the job", {.initial = "work"}};
    mpit::control<int> other{this, NAME_OF_THE_MPI, "What no tool sees", {.initial = {77}}};
    mpit::counter<> messages{this, "lab_messages", "Messages sent"};
    mpit::level<> queued{this, "lab_queued", "Bytes that wait", {.continuous = true}};
    mpit::event<arrival> came{this, "lab_arrival", "A message arrived"};
};
inline constexpr auto& lab = mpit::registered<lab_variables>;

struct shared_variables : mpit::category<CATEGORY_OF_THE_MPI, "Both have it"> {
    mpit::control<int> tuned{this, "LAB_TUNED", "A variable in a category of the MPI", {.initial = {3}}};
};
inline constexpr auto& shared = mpit::registered<shared_variables>;

static int reports = 0;
[[gnu::constructor]] static void count_reports() {
    mpit::set_report_handler([](const char* line) { reports += std::strstr(line, NAME_OF_THE_MPI) != nullptr; });
}

extern "C" [[gnu::visibility("default")]] int lab_reports() { return reports; }
extern "C" [[gnu::visibility("default")]] const char* lab_name_of_the_mpi() { return NAME_OF_THE_MPI; }
extern "C" [[gnu::visibility("default")]] const char* lab_category_of_the_mpi() { return CATEGORY_OF_THE_MPI; }
extern "C" [[gnu::visibility("default")]] void lab_send(int bytes) {
    ++lab.messages;
    lab.queued += bytes;
    lab.came(1, static_cast<unsigned long>(bytes));
}
