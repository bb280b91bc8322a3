// A library that serves tools over an mpi.h with constant handles of its own. They are null only by name: each is the
// address of an object.
#define MPIT_MPI_HEADER "mpi_of_extern_constants.h"
#define MPIT_C_INFO 1
#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

struct served_variables : mpit::category<"served", "What is served with constants that are objects"> {
    mpit::control<int> limit{this, "SERVED_LIMIT", "Most messages", {.initial = 5}};
    mpit::counter<unsigned long> sent{this, "served_sent", "Messages sent"};
    mpit::counter<unsigned long> received{this, "served_received", "Messages received"};
};
inline constexpr auto& served = mpit::registered<served_variables>;

namespace {
char objects[5];
template <class Handle> Handle handle_at(int number) { return reinterpret_cast<Handle>(&objects[number]); }
} // namespace

extern "C" {
extern const MPI_T_enum MPI_T_ENUM_NULL = handle_at<MPI_T_enum>(0);
extern const MPI_T_cvar_handle MPI_T_CVAR_HANDLE_NULL = handle_at<MPI_T_cvar_handle>(1);
extern const MPI_T_pvar_session MPI_T_PVAR_SESSION_NULL = handle_at<MPI_T_pvar_session>(2);
extern const MPI_T_pvar_handle MPI_T_PVAR_HANDLE_NULL = handle_at<MPI_T_pvar_handle>(3);
extern const MPI_T_pvar_handle MPI_T_PVAR_ALL_HANDLES = handle_at<MPI_T_pvar_handle>(4);

void count_served(void) {
    ++served.sent;
    ++served.received;
}
}
