#include <mpit/mpi_t.hpp>
#include <mpit/mpit.hpp>

@block@

struct lab_variables : mpit::category<"lab", "Messages of the lab"> {
    mpit::control<lab::protocol> how{this, "LAB_PROTOCOL", "How messages travel", {.initial = lab::protocol::rendezvous}};
};
inline constexpr auto& variables = mpit::registered<lab_variables>;
int main() {}
