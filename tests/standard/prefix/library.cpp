// A library that must not export the names of MPI: it gives the whole interface under a prefix of its own.
#define MPIT_C_PREFIX LCI_T_
#define MPIT_FORTRAN_NAMES one_underscore
#define MPIT_FORTRAN_PREFIX lci_t_
#define MPIT_FORTRAN_UPPER_PREFIX LCI_T_
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

namespace {

struct library_variables : mpit::category<"lci", "A library with names of its own"> {
    mpit::control<int> limit{this, "LCI_LIMIT", "A number", {.initial = 5}};
    mpit::counter<> messages{this, "lci_messages", "Messages"};
};
constexpr auto& library = mpit::registered<library_variables>;

} // namespace

extern "C" [[gnu::visibility("default")]] void count_a_message() { ++library.messages; }
