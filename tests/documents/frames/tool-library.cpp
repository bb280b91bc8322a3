// The variables that the tool finds.
#include <mpit/mpit.hpp>

struct lab_variables : mpit::category<"lab", "Messages of the lab"> {
    mpit::control<int> window{this, "LAB_WINDOW", "Messages under way at once", {.initial = {64, 1, 4096}}};
    mpit::control<int, MPI_ABI_Comm*> of_comm{
        this, "LAB_COMM_WINDOW", "Messages under way at once on a communicator", {.initial = {64, 1, 4096}}};
};
inline constexpr auto& lab = mpit::registered<lab_variables>;
